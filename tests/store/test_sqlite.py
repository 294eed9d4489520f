from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from documents_by_hand import make_document, read

from spanwise.errors import DocumentNotFoundError, NotACorpusError, StorageError
from spanwise.store.codec import encode
from spanwise.store.port import Source
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


def test_lines_of_a_range_over_several_runs(truth: FileTruth) -> None:
    document = make_document(*map(str, range(1000)), name="long")
    truth.put(encode(document), None)
    assert read(truth, "lines", "long", 399, 602) == document.lines[398:602]


def test_passages_of_a_range(truth: FileTruth) -> None:
    truth.put(encode(make_document(*["word " * 100] * 9, name="long")), None)
    found = read(truth, "passages", "long", 4, 5)
    assert all(passage.line_start <= 5 and passage.line_end >= 4 for passage in found)
    assert {4, 5} <= {n for p in found for n in range(p.line_start, p.line_end + 1)}


def test_same_name_replaces(truth: FileTruth) -> None:
    changed = make_document("Changed.")
    truth.put(encode(changed), None)
    assert read(truth, "document", "a.txt") == changed
    assert len(read(truth, "documents")) == 1


def test_numbers_of_passages_are_never_used_twice(truth: FileTruth) -> None:
    before = set(read(truth, "numbered", "a.txt"))
    truth.remove("a.txt")
    assert before.isdisjoint(truth.put(encode(make_document(*FOUR)), None))


def test_source_is_kept(truth: FileTruth) -> None:
    source = Source("/docs/b.txt", 5, 123, 1)
    truth.put(encode(make_document("B.", name="b.txt")), source)
    assert read(truth, "stored", "b.txt").source == source
    assert read(truth, "stored", "a.txt").source is None


def test_links_survive_a_replacement(truth: FileTruth) -> None:
    truth.link("/docs", ["a.txt"])
    truth.put(encode(make_document("Changed.")), None)
    assert read(truth, "linked", "/docs") == ("a.txt",)


@pytest.mark.parametrize("method", ["document", "stored", "lines", "pages", "sections", "passages"])
def test_unknown_name(truth: FileTruth, method: str) -> None:
    with pytest.raises(DocumentNotFoundError, match="no document named 'nope'"):
        read(truth, method, "nope")


def test_removing_an_unknown_name(truth: FileTruth) -> None:
    with pytest.raises(DocumentNotFoundError, match="no document named 'nope'"):
        truth.remove("nope")


def test_history_names_each_document_once_with_its_last_change(truth: FileTruth) -> None:
    truth.put(encode(make_document("B.", name="b")), None)
    truth.put(encode(make_document("Changed.")), None)
    assert [(name, change.sequence) for name, change in read(truth, "changed_since", 0)] == [("b", 2), ("a.txt", 3)]
    assert read(truth, "changed_since", 0)[-1][1].sequence == 3


def test_failed_change_leaves_nothing(truth: FileTruth) -> None:
    before = read(truth, "document", "a.txt"), read(truth, "changed_since", 0)[-1][1]
    record = encode(make_document("B.", name="b"))
    with pytest.raises(StorageError):
        truth.put(record, None, origins=[None])  # type: ignore[list-item]
    assert (read(truth, "document", "a.txt"), read(truth, "changed_since", 0)[-1][1]) == before
    assert [d.name for d in read(truth, "documents")] == ["a.txt"]


def test_full_disk_leaves_nothing_half_written(truth: FileTruth) -> None:
    with truth._writing() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
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
