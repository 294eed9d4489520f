"""What the store keeps in memory: the list of its documents and a few unpacked runs, both never out of date."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents_by_hand import make_document, read

from spanwise.domain.document import Line
from spanwise.errors import DocumentNotFoundError
from spanwise.store import codec, tables
from spanwise.store.codec import decode_run, encode
from spanwise.store.port import Source
from spanwise.store.sqlite import FileTruth, memory_truth, open_truth


@pytest.fixture
def truth(tmp_path: Path):
    opened = open_truth(tmp_path / "c.db", create=True)
    opened.put(encode(make_document("One.")), None)
    yield opened
    opened.close()


def names(truth: FileTruth) -> list[str]:
    return [one.name for one in read(truth, "documents")]


def test_the_list_is_kept_while_nothing_changes(truth: FileTruth) -> None:
    assert read(truth, "documents") is read(truth, "documents")


def test_its_own_changes_are_seen(truth: FileTruth) -> None:
    assert names(truth) == ["a.txt"]
    truth.put(encode(make_document("Two.", name="b.txt")), None)
    assert names(truth) == ["a.txt", "b.txt"]
    truth.set_source("b.txt", Source("/b.txt", 4, 5))
    assert read(truth, "documents")[1].source == Source("/b.txt", 4, 5)
    truth.remove("a.txt")
    assert names(truth) == ["b.txt"]


def test_the_changes_of_others_are_seen(truth: FileTruth, tmp_path: Path) -> None:
    other = open_truth(tmp_path / "c.db", create=False)
    assert names(truth) == names(other) == ["a.txt"]
    other.put(encode(make_document("Two.", name="b.txt")), None)
    assert names(truth) == names(other) == ["a.txt", "b.txt"]
    truth.remove("a.txt")
    assert names(other) == ["b.txt"]
    other.close()


def test_what_is_undone_is_not_kept(truth: FileTruth) -> None:
    def undone() -> None:
        with truth._writing() as connection:
            connection.rows("DELETE FROM documents")
            assert names(truth) == ["a.txt"]
            raise InterruptedError

    with pytest.raises(InterruptedError):
        undone()
    assert names(truth) == ["a.txt"]


def test_a_very_long_list_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_LISTED", 1)
    with_two = memory_truth()
    with_two.put(encode(make_document("One.")), None)
    assert read(with_two, "documents") is read(with_two, "documents")
    with_two.put(encode(make_document("Two.", name="b.txt")), None)
    assert read(with_two, "documents") == read(with_two, "documents")
    assert read(with_two, "documents") is not read(with_two, "documents")
    with_two.close()


def test_pages_are_kept_while_nothing_changes(truth: FileTruth, tmp_path: Path) -> None:
    assert read(truth, "pages", "a.txt") is read(truth, "pages", "a.txt")
    other = open_truth(tmp_path / "c.db", create=False)
    longer = make_document("One.", "Two.", "Three.")
    other.put(encode(longer), None)
    other.close()
    assert read(truth, "pages", "a.txt") == longer.pages != make_document("One.").pages
    truth.remove("a.txt")
    with pytest.raises(DocumentNotFoundError):
        read(truth, "pages", "a.txt")


def test_pages_of_few_documents_are_kept(truth: FileTruth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_PAGED", 2)
    for name in "bcd":
        truth.put(encode(make_document("Two.", name=name)), None)
    with truth.snapshot() as now:
        for name in ("a.txt", *"bcdb"):
            assert now.pages(name) == make_document("Two.").pages
            assert len(now._pages) <= 2


@pytest.mark.parametrize(("low", "high"), [(1, 9), (3, 5), (4, 4), (7, 8), (1, 0)])
def test_a_run_is_unpacked_once_for_all_its_ranges(low: int, high: int) -> None:
    document = make_document(*"abcdef")
    [run] = encode(document).runs
    codec._unpacked.cache_clear()
    whole: list[Line] = decode_run(run.first, run.data)
    assert tuple(whole) == document.lines
    assert decode_run(run.first, run.data, low, high) == [line for line in whole if low <= line.number <= high]
    assert codec._unpacked.cache_info()[:2] == (1, 1)


def test_few_runs_are_kept() -> None:
    assert codec._unpacked.cache_info().maxsize == 64


def test_what_is_known_of_a_document_is_kept_while_nothing_changes(truth: FileTruth, tmp_path: Path) -> None:
    assert read(truth, "stored", "a.txt") is read(truth, "stored", "a.txt")
    other = open_truth(tmp_path / "c.db", create=False)
    other.set_source("a.txt", Source("/a.txt", 1, 2))
    assert read(truth, "stored", "a.txt").source == Source("/a.txt", 1, 2)
    other.put(encode(make_document("One.", "Two.")), None)
    other.close()
    assert read(truth, "stored", "a.txt").lines == 2
    assert [line.text for line in read(truth, "lines", "a.txt")] == ["One.", "Two."]
    truth.remove("a.txt")
    with pytest.raises(DocumentNotFoundError):
        read(truth, "stored", "a.txt")


def test_few_documents_are_kept(truth: FileTruth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_NAMED", 2)
    for name in "bcd":
        truth.put(encode(make_document("Two.", name=name)), None)
    with truth.snapshot() as now:
        for name in ("a.txt", *"bcdb"):
            assert now.stored(name).name == name
            assert len(now._named) <= 2
