"""What the last searches found is remembered only as long as it is what a search would find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from documents_by_hand import make_document

from spanwise.store import snapshot
from spanwise.store.codec import encode
from spanwise.store.index import Ranking
from spanwise.store.indexed import IndexedStore, open_store
from spanwise.store.snapshot import StoreSnapshot
from spanwise.store.tables import Tables


@pytest.fixture
def store(tmp_path: Path) -> Iterator[IndexedStore]:
    made = open_store(tmp_path / "c.db")
    put(made, "a.txt", "The penalty is ten percent.")
    yield made
    made.close()


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The limit of each search of an index."""
    limits: list[int] = []
    search = Ranking.search

    def counted(self, terms, limit, documents, others=()):
        limits.append(limit)
        return search(self, terms, limit, documents, others)

    monkeypatch.setattr(Ranking, "search", counted)
    return limits


def put(store: IndexedStore, name: str, *lines: str) -> None:
    with store.writing() as writing:
        writing.put(encode(make_document(*lines, name=name)))


def found(store: IndexedStore, query: str = "penalty", k: int = 10, documents: list[str] | None = None) -> list[str]:
    return [hit.passage.id for hit in store.search(query, k, documents)]


def test_the_same_search_is_made_once(store: IndexedStore, searches: list[int]) -> None:
    assert store.search("the penalty?") == store.search("penalty")
    assert len(searches) == 1
    assert found(store, k=11) == found(store, documents=["a.txt"]) == ["a.txt:1-1"]
    assert found(store, documents=[]) == []
    assert len(searches) == 3


def test_whoever_changes_the_hits_changes_his_own(store: IndexedStore) -> None:
    store.search("penalty").clear()
    assert found(store) == ["a.txt:1-1"]


def test_a_change_is_seen_whoever_made_it(store: IndexedStore, tmp_path: Path) -> None:
    assert found(store) == ["a.txt:1-1"]
    put(store, "b.txt", "Another penalty.")
    assert sorted(found(store)) == ["a.txt:1-1", "b.txt:1-1"]
    other = open_store(tmp_path / "c.db")
    with other.writing() as writing:
        writing.remove("a.txt")
    other.close()
    assert found(store) == ["b.txt:1-1"]


def test_what_an_index_finds_that_lags_is_not_remembered(
    store: IndexedStore, tmp_path: Path, searches: list[int]
) -> None:
    put(store, "b.txt", "Another penalty.")
    reader = open_store(tmp_path / "c.db")
    assert len(found(reader)) == 2
    with store.writing() as writing:  # holds the lock, so that the reader's index cannot follow
        writing.remove("a.txt")
        assert found(reader) == ["b.txt:1-1"]
        writing.remove("b.txt")
        assert found(reader) == []
        assert len(searches) >= 3
    reader.close()


def test_few_searches_and_few_hits_are_remembered(
    store: IndexedStore, searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_MOST_RECENT", 2)
    for query in ("penalty", "ten", "percent", "percent", "ten", "penalty"):
        assert found(store, query) == ["a.txt:1-1"]
    assert len(searches) == 4
    monkeypatch.setattr(snapshot, "_MOST_KEPT_HITS", 0)
    assert found(store, "ten percent") == found(store, "ten percent")
    assert len(searches) == 6


def test_only_what_may_be_among_the_best_is_fetched(store: IndexedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(9):
        put(store, f"b{at}.txt", "A penalty" + " of another kind" * (1 + at // 3))
    fetched: list[int] = []
    numbered = Tables.passages_numbered
    monkeypatch.setattr(
        Tables, "passages_numbered", lambda now, numbers: fetched.append(len(numbers)) or numbered(now, numbers)
    )
    every = store.search("penalty", k=10)
    assert len(every) == fetched.pop() == 10
    for k in range(1, 10):
        assert store.search("penalty", k=k) == every[:k]
        assert fetched.pop() == sum(hit.score >= every[k - 1].score for hit in every)
    assert not fetched


def test_ties_are_told_apart_though_more_tie_than_were_looked_for(
    store: IndexedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(9):
        put(store, f"b{at}.txt", "A penalty of a kind.")
    monkeypatch.setattr(snapshot, "_SPARE_HITS", 1)
    assert found(store, "kind", k=2) == ["b0.txt:1-1", "b1.txt:1-1"]


def test_a_stale_passage_among_the_best_is_made_up_for(store: IndexedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(4):
        put(store, f"b{at}.txt", "A penalty" + " of another kind" * (2 + at))
    best = store.search("penalty", k=5)
    gone = {hit.passage.id for hit in best[:2]}
    numbered = Tables.passages_numbered
    monkeypatch.setattr(
        Tables,
        "passages_numbered",
        lambda now, numbers: {at: one for at, one in numbered(now, numbers).items() if one.id not in gone},
    )
    monkeypatch.setattr(StoreSnapshot, "lags", True)
    assert store.search("penalty", k=2) == best[2:4]
