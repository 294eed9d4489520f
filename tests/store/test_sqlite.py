from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from documents_by_hand import make_document, read

from spanwise.errors import NotACorpusError, StorageError
from spanwise.store.codec import encode
from spanwise.store.sqlite import FileTruth, open_truth

FOUR = ("One.", "Two.", "Three.", "Four.")


@pytest.fixture
def truth(tmp_path: Path):
    with_four = open_truth(tmp_path / "c.db", create=True)
    with_four.put(encode(make_document(*FOUR)), None)
    yield with_four
    with_four.close()


@pytest.mark.parametrize(("first", "last", "expected"), [(2, 3, [2, 3]), (1, 1, [1]), (3, 99, [3, 4]), (5, 9, [])])
def test_lines_of_a_range(truth: FileTruth, first: int, last: int, expected: list[int]) -> None:
    assert [line.number for line in read(truth, "lines", "a.txt", first, last)] == expected


def test_full_disk_leaves_nothing_half_written(truth: FileTruth) -> None:
    with truth._writing() as connection:
        pages = connection.rows("PRAGMA page_count")[0][0]
        connection.rows(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StorageError, match="the disk is full; make room"):
        truth.put(encode(make_document(*map(str, range(50_000)), name="big")), None)
    assert [d.name for d in read(truth, "documents")] == ["a.txt"]
    assert read(truth, "document", "a.txt") == make_document(*FOUR)


def test_opens_again(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    first = open_truth(path, create=True)
    first.put(encode(make_document(*FOUR)), None)
    first.close()
    second = open_truth(path, create=False)
    assert read(second, "document", "a.txt") == make_document(*FOUR)
    second.close()


def test_empty_file_becomes_a_corpus_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    path.touch()
    with pytest.raises(NotACorpusError, match="no corpus at"):
        open_truth(path, create=False)
    assert path.stat().st_size == 0
    open_truth(path, create=True).close()


def test_missing_file_is_not_made_unasked(tmp_path: Path) -> None:
    with pytest.raises(NotACorpusError, match="no corpus at"):
        open_truth(tmp_path / "c.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_folder_is_not_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(NotACorpusError, match="is a folder"):
        open_truth(tmp_path, create=True)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        open_truth(tmp_path / "no" / "c.db", create=True)


@pytest.mark.parametrize("content", [b"hello", b"%PDF-1.7\n" + b"x" * 5000, b"\0" * 5000])
def test_foreign_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(content)
    with pytest.raises(NotACorpusError, match="is not a corpus"):
        open_truth(path, create=True)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NotACorpusError, match="database of another program"):
        open_truth(path, create=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("version", "told"), [(99, "has version 99.*update the program"), (1, "has version 1.*index")])
def test_another_version(tmp_path: Path, version: int, told: str) -> None:
    path = tmp_path / "c.db"
    open_truth(path, create=True).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with pytest.raises(NotACorpusError, match=told):
        open_truth(path, create=True)


def test_truncated_corpus_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    truth = open_truth(path, create=True)
    truth.put(encode(make_document(*map(str, range(9000)))), None)
    truth.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(NotACorpusError, match="is damaged"), closing(open_truth(path, create=True)) as damaged:
        read(damaged, "document", "a.txt")
