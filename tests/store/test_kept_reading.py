"""What the store keeps in memory: the list of its documents and a few unpacked runs, both never out of date."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents_by_hand import make_document

from spanwise.domain.document import Line
from spanwise.errors import DocumentNotFoundError
from spanwise.store import codec, sqlite
from spanwise.store.codec import decode_run, encode
from spanwise.store.port import Source
from spanwise.store.sqlite import Truth, memory_truth, open_truth


@pytest.fixture
def truth(tmp_path: Path):
    opened = open_truth(tmp_path / "c.db", create=True)
    opened.put(encode(make_document("One.")), None)
    yield opened
    opened.close()


def names(truth: Truth) -> list[str]:
    return [one.name for one in truth.documents()]


def test_the_list_is_kept_while_nothing_changes(truth: Truth) -> None:
    assert truth.documents() is truth.documents()


def test_its_own_changes_are_seen(truth: Truth) -> None:
    assert names(truth) == ["a.txt"]
    truth.put(encode(make_document("Two.", name="b.txt")), None)
    assert names(truth) == ["a.txt", "b.txt"]
    truth.set_source("b.txt", Source("/b.txt", 4, 5))
    assert truth.documents()[1].source == Source("/b.txt", 4, 5)
    truth.remove("a.txt")
    assert names(truth) == ["b.txt"]


def test_the_changes_of_others_are_seen(truth: Truth, tmp_path: Path) -> None:
    other = open_truth(tmp_path / "c.db", create=False)
    assert names(truth) == names(other) == ["a.txt"]
    other.put(encode(make_document("Two.", name="b.txt")), None)
    assert names(truth) == names(other) == ["a.txt", "b.txt"]
    truth.remove("a.txt")
    assert names(other) == ["b.txt"]
    other.close()


def test_what_is_undone_is_not_kept(truth: Truth) -> None:
    def undone() -> None:
        with truth._transaction() as connection:
            connection.execute("DELETE FROM documents")
            assert names(truth) == []
            raise InterruptedError

    with pytest.raises(InterruptedError):
        undone()
    assert names(truth) == ["a.txt"]


def test_a_very_long_list_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_MOST_LISTED", 1)
    with_two = memory_truth()
    with_two.put(encode(make_document("One.")), None)
    assert with_two.documents() is with_two.documents()
    with_two.put(encode(make_document("Two.", name="b.txt")), None)
    assert with_two.documents() == with_two.documents()
    assert with_two._kept.documents is None
    with_two.close()


def test_pages_are_kept_while_nothing_changes(truth: Truth, tmp_path: Path) -> None:
    assert truth.pages("a.txt") is truth.pages("a.txt")
    other = open_truth(tmp_path / "c.db", create=False)
    longer = make_document("One.", "Two.", "Three.")
    other.put(encode(longer), None)
    other.close()
    assert truth.pages("a.txt") == longer.pages != make_document("One.").pages
    truth.remove("a.txt")
    with pytest.raises(DocumentNotFoundError):
        truth.pages("a.txt")


def test_pages_of_few_documents_are_kept(truth: Truth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_MOST_PAGED", 2)
    for name in "bcd":
        truth.put(encode(make_document("Two.", name=name)), None)
    for name in ("a.txt", *"bcdb"):
        assert truth.pages(name) == make_document("Two.").pages
        assert len(truth._kept.pages) <= 2


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


def test_what_is_known_of_a_document_is_kept_while_nothing_changes(truth: Truth, tmp_path: Path) -> None:
    assert truth.stored("a.txt") is truth.stored("a.txt")
    other = open_truth(tmp_path / "c.db", create=False)
    other.set_source("a.txt", Source("/a.txt", 1, 2))
    assert truth.stored("a.txt").source == Source("/a.txt", 1, 2)
    other.put(encode(make_document("One.", "Two.")), None)
    other.close()
    assert truth.stored("a.txt").lines == 2
    assert [line.text for line in truth.lines("a.txt")] == ["One.", "Two."]
    truth.remove("a.txt")
    with pytest.raises(DocumentNotFoundError):
        truth.stored("a.txt")


def test_few_documents_are_kept(truth: Truth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_MOST_NAMED", 2)
    for name in "bcd":
        truth.put(encode(make_document("Two.", name=name)), None)
    for name in ("a.txt", *"bcdb"):
        assert truth.stored(name).name == name
        assert len(truth._kept.named) <= 2
