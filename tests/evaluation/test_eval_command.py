import json
import sys

import pytest
from sets import SETS, docqa

from spanwise.cli.evaluating import run_eval
from spanwise.errors import InputError


def test_figures_for_a_person(data, capfd):
    assert run_eval("nist", str(data), None, None, None, as_json=False, workers=1) == 0
    out, err = capfd.readouterr()
    assert out.startswith("nist: 2 questions, 1 documents")
    assert "right or rightly silent" in out
    assert "always silent" in out
    assert not err  # no progress where nobody watches


def test_figures_for_a_program_with_rows_and_a_comparison(data, tmp_path, capfd):
    rows = tmp_path / "rows.jsonl"
    run_eval("nist", str(data), str(rows), None, None, as_json=True, workers=1)
    first = json.loads(capfd.readouterr().out)
    assert [json.loads(line)["id"] for line in rows.read_text().splitlines()] == ["n1", "n2"]
    run_eval("nist", str(data), None, str(rows), None, as_json=True, workers=1)
    second = json.loads(capfd.readouterr().out)
    assert {change["net"] for change in second["comparison"]["changes"]} == {0}
    kept = [figure for figure in first["sets"]["nist"]["figures"] if "seconds" not in figure["name"]]
    assert kept == [figure for figure in second["sets"]["nist"]["figures"] if "seconds" not in figure["name"]]


def test_all_sets(data, capfd):
    run_eval("all", str(data), None, None, 8, as_json=True, workers=1)
    told = json.loads(capfd.readouterr().out)
    assert list(told["sets"]) == list(SETS)
    assert {figure["part"] for figure in told["mean"]} == {"mean"}


def test_sets_with_one_card_are_a_table_with_a_line_each_and_the_mean(data, capfd):
    run_eval("docqa", str(data), None, None, None, as_json=False, workers=1)
    heads, *lines = capfd.readouterr().out.splitlines()
    assert heads.split()[:4] == ["gold", "line", "first", "both"]
    assert [line.split()[0] for line in lines[:18]] == [*(data_set.name for data_set in docqa.SETS), "mean"]
    assert {tuple(line.split()[-18:-14]) for line in lines[:18]} == {("1.000",) * 4}


def test_one_of_them_is_told_whole_and_by_group(data, capfd):
    run_eval("everyday", str(data), None, None, None, as_json=False, workers=1)
    out = capfd.readouterr().out
    assert "BM25: evidence line" in out
    for group in ("asked: how_much", "asked: unanswerable", "language: en", "kind: terms of service"):
        assert f"  {group} " in out


def test_bad_input_is_told_before_any_work(data, tmp_path):
    with pytest.raises(InputError, match=r"there is no evaluation set 'trivia': choose nist, .*planted.* or all"):
        run_eval("trivia", str(data), None, None, None, as_json=False)
    with pytest.raises(InputError, match="cannot be written"):
        run_eval("nist", str(data), str(tmp_path / "none" / "rows"), None, None, as_json=False)
    with pytest.raises(InputError, match="there is no evaluation data"):
        run_eval("nist", str(tmp_path / "none"), None, None, None, as_json=False)


def test_your_own_questions_are_a_file_beside_your_documents(tmp_path, capfd):
    (tmp_path / "terms.txt").write_text("The late fee is 12 dollars.\n\nThe office opens at nine.\n")
    asked = [
        {"question": "What is the late fee?", "document": "terms.txt", "answers": ["12 dollars"], "tags": ["fees"]},
        {"question": "Which encryption algorithm protects telephones?", "document": "terms.txt", "id": "none"},
    ]
    questions = tmp_path / "mine.jsonl"
    questions.write_text("".join(json.dumps(one) + "\n" for one in asked))
    rows = tmp_path / "rows.jsonl"
    assert run_eval(str(questions), None, str(rows), None, None, as_json=True, workers=1) == 0
    told = json.loads(capfd.readouterr().out)["sets"]["mine"]["figures"]
    assert next(figure["value"] for figure in told if figure["name"] == "gold contained in the answer") == 1
    kept = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [(row["id"], row["decision"]) for row in kept] == [("1", "ship"), ("none", "not_found")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"question": "What?"}', r"line 1 .* \(document: Field required\).* with question, document, answers"),
        ("What?", "line 1 .* a line is a JSON object with question"),
        ('{"question": "What?", "document": "gone.txt"}', "there is no .*gone.txt"),
    ],
)
def test_a_file_of_questions_that_cannot_be_asked_is_told(tmp_path, line, told):
    (tmp_path / "mine.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=told):
        run_eval(str(tmp_path / "mine.jsonl"), None, None, None, None, as_json=False, workers=1)


def test_sets_of_a_module_of_your_own(data, tmp_path, capfd, monkeypatch):
    (tmp_path / "my_sets.py").write_text("from sets import nist\nSETS = {'mine': nist.SET}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    run_eval("mine", str(data), None, None, None, as_json=False, workers=1, module="my_sets")
    assert capfd.readouterr().out.startswith("nist: 2 questions")
    with pytest.raises(InputError, match="is no module of evaluation sets"):
        run_eval("mine", str(data), None, None, None, as_json=False, module="no_such_sets")


def test_public_sets_are_those_of_a_checkout(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("spanwise.evaluation.sets.__file__", str(tmp_path / "a" / "b" / "c" / "sets.py"))
    with pytest.raises(InputError, match=r"not part of the package: run this in a checkout .*QUESTIONS\.jsonl"):
        run_eval("nist", None, None, None, None, as_json=False)
