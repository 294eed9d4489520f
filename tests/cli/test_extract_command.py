import csv
import json
import sqlite3
from contextlib import closing

import pytest

from spanwise.errors import InputError

ONE = """Master Agreement

The monthly fee is USD 1,500. This Agreement is governed by the laws of Delaware.
"""


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("suffix", ["csv", "sqlite", "jsonl"])
def test_the_command_writes_every_format(spanwise, tmp_path, suffix):
    (tmp_path / "one.txt").write_text(ONE)
    (tmp_path / "empty.txt").write_text("")
    out = tmp_path / f"rows.{suffix}"
    code, _, err = spanwise(
        "extract", str(tmp_path / "*.txt"), "--ask", "What is the monthly fee?", "--out", str(out), "--workers", "1"
    )
    assert code == 2, "one file could not be read; the rows are written"
    assert "empty.txt" in err
    if suffix == "csv":
        with out.open(newline="") as file:
            rows = [(row["document"], row["decision"]) for row in csv.DictReader(file)]
    elif suffix == "sqlite":
        with closing(sqlite3.connect(out)) as database:
            rows = database.execute("SELECT document, decision FROM extractions ORDER BY rowid").fetchall()
    else:
        rows = [(row["document"], row["decision"]) for row in records(out)]
    assert rows == [("empty.txt", "unreadable"), ("one.txt", "ship")]


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract"],
        ["extract", "one.txt"],
        ["extract", "one.txt", "--ask", "What is the fee?", "--out", "rows.xlsx"],
        ["extract", "one.txt", "--ask", "What is the fee?", "--json"],
        ["extract", "one.txt", "--class", "nowhere.py:Invoice"],
        ["extract", "--corpus", "missing.db", "--ask", "What is the fee?"],
    ],
)
def test_bad_input_is_told_in_a_sentence(spanwise, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.txt").write_text(ONE)
    code, out, err = spanwise(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("spanwise: ")
    assert err.count("\n") == 1


def test_a_question_that_met_an_error_is_told(spanwise, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise InputError("it cannot be asked")

    monkeypatch.setattr("spanwise.extraction.run.Engine.ask", fail)
    (tmp_path / "one.txt").write_text(ONE)
    out = tmp_path / "rows.jsonl"
    arguments = ("--ask", "What is the monthly fee?", "--out", str(out), "--workers", "1")
    code, _, err = spanwise("extract", str(tmp_path / "one.txt"), *arguments)
    assert (code, records(out)[0]["decision"]) == (3, "failed")
    assert "0 values, 0 not found, 1 failed (the rows say why)" in err
