"""Rows on disk: whole or not at all, known again, and harmless in a spreadsheet."""

import csv
import dataclasses
import json
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

from spanwise.errors import InputError, StorageError
from spanwise.extraction.fields import Field
from spanwise.extraction.sinks import open_sink, shown_place
from spanwise.extraction.value_rows import COLUMNS, keys_of, nothing

SUFFIXES = ["jsonl", "csv", "sqlite"]


def rows(document="a.txt", of=2, name="rent", document_id="1"):
    empty = nothing(Field(name, f"What is the {name}?", "amount"), document, document_id, decision="ship", reason="")
    if not of:
        return [empty]
    cited = ({"line_start": 3},)
    return [
        dataclasses.replace(empty, found=True, item=at, of=of, value=f"USD {at}", typed={"amount": at}, citations=cited)
        for at in range(of)
    ]


def count(path):
    if path.suffix == ".jsonl":
        return len(path.read_text().splitlines())
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return len(list(csv.reader(file))) - 1
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT count(*) FROM extractions").fetchone()[0]


def written(path, *groups):
    keys = keys_of(row for group in groups for row in group)
    with open_sink(path) as sink:
        sink.keep(keys)
        for group in groups:
            sink.write(group)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_was_written_is_held(tmp_path, suffix):
    path = tmp_path / f"rows.{suffix}"
    written(path, rows(), rows("b.txt", of=0))
    with open_sink(path) as sink:
        assert sink.held() == keys_of(rows() + rows("b.txt"))
    assert count(path) == 3


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_rows_of_a_changed_document_or_question_go(tmp_path, suffix):
    path = tmp_path / f"rows.{suffix}"
    written(path, rows(), rows("b.txt"))
    with open_sink(path) as sink:
        sink.keep(keys_of(rows(document_id="2")))
        assert sink.held() == keys_of(rows("b.txt"))
        sink.write(rows(document_id="2"))
    assert count(path) == 4


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
@pytest.mark.parametrize("cut", [5, 30, 200])
def test_half_of_a_field_is_asked_again(tmp_path, suffix, cut):
    path = tmp_path / f"rows.{suffix}"
    written(path, rows(), rows("b.txt"))
    path.write_bytes(path.read_bytes()[:-cut])
    with open_sink(path) as sink:
        assert sink.held() == keys_of(rows())
        sink.keep(keys_of(rows() + rows("b.txt")))
        sink.write(rows("b.txt"))
    assert count(path) == 4


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", ["hello\n", '{"document": 1}\n', "a,b\n1,2\n"])
def test_a_file_that_holds_something_else_is_left_alone(tmp_path, suffix, content):
    path = tmp_path / f"rows.{suffix}"
    path.write_text(content)
    with pytest.raises(InputError), open_sink(path):
        pass
    assert path.read_text() == content


@pytest.mark.parametrize(("suffix", "old", "new"), [
    ("csv", b"rent", b"r\xe4nt"),  # saved by a spreadsheet in its own encoding
    ("csv", b",2,True,", b",two,True,"),
    ("jsonl", b'"of": 2', b'"of": "two"'),
])  # fmt: skip
def test_rows_that_another_program_changed_are_told(tmp_path, suffix, old, new):
    path = tmp_path / f"rows.{suffix}"
    written(path, rows())
    changed = path.read_bytes().replace(old, new)
    path.write_bytes(changed)
    with pytest.raises(InputError, match="another program has changed it"), open_sink(path):
        pass
    assert path.read_bytes() == changed


def test_rows_in_a_file_need_no_driver_of_postgresql(tmp_path):
    program = (
        "import sys\nsys.modules['pg8000'] = None\n"
        "from spanwise.extraction.sinks import open_sink\n"
        "for name in ('rows.sqlite', 'rows.parquet'):\n"
        "    with open_sink(name):\n        pass\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {one.name for one in tmp_path.iterdir()} == {"rows.sqlite", "rows.parquet"}


def test_a_table_is_told_without_its_password():
    place = "postgresql://me:secret@db.example/team?schema=x&table=facts"
    assert shown_place(place) == "postgresql://me@db.example:5432/team?schema=x"
    assert shown_place("rows.csv") == "rows.csv"


def test_the_name_says_the_format(tmp_path):
    with pytest.raises(InputError, match=r"\.jsonl, \.csv or \.sqlite"), open_sink(tmp_path / "rows.xlsx"):
        pass


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_place_that_cannot_be_written_to_is_told(tmp_path, suffix):
    with pytest.raises(StorageError), open_sink(tmp_path / "missing" / f"rows.{suffix}"):
        pass


@contextmanager
def full(path):
    """A file that takes a few bytes more."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 50, limit[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_disk_that_fills_up_is_told_and_what_was_written_is_kept(tmp_path, suffix):
    path = tmp_path / f"rows.{suffix}"
    written(path, rows())
    with full(path), pytest.raises(StorageError, match="what was written before is kept"), open_sink(path) as sink:
        sink.write(rows("b.txt"))
    with open_sink(path) as sink:
        assert sink.held() == keys_of(rows())


@pytest.mark.parametrize(("value", "cell"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("-5", "-5"), ("- item", "'- item")])
def test_no_cell_is_run_by_a_spreadsheet(tmp_path, value, cell):
    path = tmp_path / "rows.csv"
    written(path, [dataclasses.replace(rows(of=1)[0], value=value, name=value)])
    with path.open(newline="") as file:
        (record,) = csv.DictReader(file)
    assert record["value"] == cell
    with open_sink(path) as sink:
        assert {asked[0] for some in sink.held().values() for asked in some} == {value}


def test_a_long_cell_is_gone_on_from(tmp_path):
    path = tmp_path / "rows.csv"
    written(path, [dataclasses.replace(rows(of=1)[0], value="x" * 200_000)])
    csv.field_size_limit(131_072)  # that of Python, which a reader of this process may have changed
    with open_sink(path) as sink:
        assert len(sink.held()) == 1


def test_json_lines_keep_their_types(tmp_path):
    path = tmp_path / "rows.jsonl"
    written(path, rows(of=1))
    record = json.loads(path.read_text())
    assert tuple(record) == COLUMNS
    assert record["typed"] == {"amount": 0}
    assert record["citations"] == [{"line_start": 3}]
    assert record["found"] is True
