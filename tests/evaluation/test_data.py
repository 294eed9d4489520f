import gzip

import pytest
from pydantic import BaseModel

from spanwise.evaluation.cases import Case
from spanwise.evaluation.sets import EvaluationDataError, data_folder, read_rows, sample


class Model(BaseModel):
    id: str


def cases(answerable: int, others: int) -> list[Case]:
    return [
        Case(f"{number % 4}-{number}", "?", ("gold",) if number < answerable else ())
        for number in range(answerable + others)
    ]


def document(case: Case) -> str:
    return case.id[0]


def test_the_folder_that_is_given_comes_before_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SPANWISE_DATA", str(tmp_path / "other"))
    assert data_folder(str(tmp_path)) == tmp_path


def test_the_environment_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SPANWISE_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path


def test_without_data_one_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPANWISE_DATA", raising=False)
    with pytest.raises(EvaluationDataError, match=r"not shipped.*--data DIR or in SPANWISE_DATA"):
        data_folder(None)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(EvaluationDataError, match=r"rows\.jsonl\.gz"):
        read_rows(tmp_path / "rows.jsonl.gz", Model)


@pytest.mark.parametrize("content", [b"not gzip", gzip.compress(b'{"id": "a"}\n', mtime=0)[:-9]])
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(EvaluationDataError, match="cannot be read"):
        read_rows(path, Model)


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"id": 5}'])
def test_a_row_of_another_schema_is_named_with_its_line(tmp_path, line):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a", "more": 1}\n' + line + b"\n", mtime=0))
    with pytest.raises(EvaluationDataError, match="line 2 of"):
        read_rows(path, Model)


def test_a_sample_is_the_same_every_time_and_in_order():
    everything = cases(30, 70)
    chosen = sample(everything, 20, document)
    assert chosen == sample(everything, 20, document)
    assert chosen == sorted(chosen, key=everything.index)


def test_a_sample_keeps_the_share_of_answerable_questions():
    assert [case.answerable for case in sample(cases(30, 70), 20, document)].count(True) == 6


def test_groups_take_turns():
    groups = [document(case) for case in sample(cases(40, 40), 16, document)]
    assert {group: groups.count(group) for group in groups} == {"0": 4, "1": 4, "2": 4, "3": 4}


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_no_size_or_a_large_one_is_all(size):
    assert len(sample(cases(30, 70), size, document)) == 100
