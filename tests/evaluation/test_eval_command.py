import json

import pytest

from spanwise.cli.evaluating import run_eval
from spanwise.errors import InputError
from spanwise.evaluation import docqa
from spanwise.evaluation.sets import SETS


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
    run_eval("all", str(data), None, None, None, as_json=True, workers=1)
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
