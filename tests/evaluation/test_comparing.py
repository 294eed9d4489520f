from dataclasses import replace

import pytest

from spanwise.errors import InputError, StorageError
from spanwise.evaluation.cases import Row
from spanwise.evaluation.run_rows import compare_runs, read_rows_file, write_rows
from spanwise.evaluation.summary import as_text, as_values


def row(id: str, right: bool, words: int | None = 5, set: str = "nist") -> Row:
    return Row(
        set, "questions", id, "d.pdf", "?", True, "span", ("tag",), ("gold",), (3,),
        "ship", "ünd", 0.5, 0.5, (3,), 0.25, {"right": right, "words": words},
    )  # fmt: skip


BEFORE = [row("a", False), row("b", True), row("c", True), row("gone", True), row("x", True, set="cuad")]
AFTER = [row("a", True), row("b", False, 90), row("c", True), row("new", True)]


def test_what_got_better_and_what_got_worse():
    comparison = compare_runs(BEFORE, AFTER)
    (change,) = comparison.changes
    assert (change.metric, change.better, change.worse, change.net, change.n) == ("right", ("a",), ("b",), 0, 3)
    assert (comparison.only_before, comparison.only_after) == (1, 1)


def test_a_measure_that_did_not_apply_before_is_not_compared():
    before = [replace(BEFORE[0], metrics={"right": None})]
    assert compare_runs(before, AFTER).changes == ()


def test_ten_ids_are_shown_and_all_are_in_the_json():
    before = [row(f"q{number:02}", False) for number in range(12)]
    after = [row(f"q{number:02}", True) for number in range(12)]
    comparison = compare_runs(before, after)
    text = as_text([], comparison)
    assert "better 12, worse 0, net +12 (n 12)" in text
    assert "q09 ..." in text
    assert "q10" not in text
    assert len(as_values([], comparison)["comparison"]["changes"][0]["better"]) == 12


def test_rows_come_back_as_they_were(tmp_path):
    path = tmp_path / "rows.jsonl"
    write_rows(AFTER, path)
    assert read_rows_file(path) == AFTER
    strange = [replace(AFTER[0], text="one\u2028two\x85three\x0cfour")]
    write_rows(strange, path)
    assert read_rows_file(path) == strange
    write_rows([], path)
    assert read_rows_file(path) == []


@pytest.mark.parametrize("content", [b"{}\n", b"words\n", b"\xff\xfe"])
def test_what_is_no_rows_file_is_told(tmp_path, content):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="name the --rows file"):
        read_rows_file(path)


def test_missing_and_unwritable_files_are_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_rows_file(tmp_path / "none")
    with pytest.raises(StorageError, match="cannot be written"):
        write_rows([], tmp_path / "none" / "rows.jsonl")
