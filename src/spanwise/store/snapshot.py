"""A snapshot of a store: the tables in one state, and rankings whose hits are looked up in these tables."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from pathlib import Path
from typing import NamedTuple, Protocol, Self, TypeVar

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import InputError, expect
from spanwise.store.codec import damaged
from spanwise.store.index import IndexUnusableError, Ranked, Ranking, analyzer, other_query_terms, query_terms
from spanwise.store.port import Change, StoredDocument, TruthSnapshot

T = TypeVar("T")
MOST_HITS = 10_000
# Extra hits are fetched, so that the order of passages with equal scores does not depend on the index.
_SPARE_HITS = 20
_MOST_RECENT = 32
"""Number of searches that are cached."""
_MOST_KEPT_HITS = 100
"""Most hits of a search that is cached."""


class Companion(Protocol):
    """An additional search for passages, with its own ranking."""

    weight: float
    """Weight of its scores relative to a full-text score of weight 1."""

    def near(self, question: str, documents: Collection[str] | None) -> Sequence[Hit]:
        """The passages that are nearest to a question, the best first, with scores from 0 to 1."""
        ...

    def ordered(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with the best ones in the preferred order."""
        ...


class StoreSnapshot:
    """The documents of a corpus in a fixed state, as a `spanwise.store.port.Store`; thread-safe."""

    def __init__(
        self,
        tables: TruthSnapshot,
        ranking: Ranking,
        newer: Ranking | None,
        rebuilt: Callable[[TruthSnapshot], Ranking],
        directory: Path | None = None,
    ) -> None:
        """Combine tables and rankings.

        Args:
            tables: The documents.
            ranking: Ranks passages of these tables; passages that the tables lack are left out.
            newer: Ranks the passages that `ranking` lacks.
            rebuilt: Creates a ranking of all passages of some tables, for use if one cannot be read.
            directory: The folder of the index, for other data beside it; None in memory.
        """
        self.tables = tables
        self._rankings = [ranking] if newer is None else [ranking, newer]
        self._rebuilt = rebuilt
        self._recent = _RecentSearches()
        self.tableless: dict[tuple[str, int, int], None] = {}
        """Ranges of documents (name, first and last line) that are known to contain no table."""
        self.directory = directory
        self.companion: Companion | None = None
        """The additional search in these tables; set in a copy for one question (`with_companion`)."""

    def with_companion(self, companion: Companion) -> Self:
        """A copy of this snapshot with an additional search."""
        other = copy(self)
        other.companion = companion
        return other

    def reading(self, tables: TruthSnapshot) -> Self:
        """A copy of this snapshot that reads the same state through another connection."""
        other = copy(self)
        other.tables = tables
        return other

    @property
    def state(self) -> Change:
        """The last change that the state includes, or `NOTHING`."""
        return self.tables.state

    @property
    def ranking(self) -> Ranking:
        """The ranking of all passages, or of all but the newest."""
        return self._rankings[0]

    @property
    def lags(self) -> bool:
        """True if that ranking is of another state than the tables."""
        return self.ranking.state != self.tables.state

    def snapshot(self) -> AbstractContextManager[StoreSnapshot]:
        """The snapshot itself, since it never changes."""
        return nullcontext(self)

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return self.tables.documents()

    def count(self) -> int:
        """The number of documents."""
        return self.tables.count()

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self.tables.stored(name)

    def document(self, name: str) -> Document:
        """The complete document."""
        return self.tables.document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included."""
        return self.tables.lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self.tables.pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        return self.tables.sections(name)

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        return self.tables.hidden(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order."""
        return self.tables.passages(name, first, last)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that best match the words of `query`, the best first."""
        expect(query, str, "the query", "it as text")
        expect(k, int, "k", "a whole number")
        if not 1 <= k <= MOST_HITS:
            raise InputError(f"k has to be between 1 and {MOST_HITS}, and is {k}.")
        wanted = None if documents is None else [documents] if isinstance(documents, str) else sorted(set(documents))
        self.tables.known(wanted or ())
        terms, others = query_terms(query), other_query_terms(query)
        if not (terms or others) or wanted == []:
            return []
        asked = _Search(tuple(terms), k, None if wanted is None else tuple(wanted), tuple(others))
        known = self._recent.get(asked)
        if known is None:
            known = self._searched(asked)
            self._recent.keep(asked, known)
        return known

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word if a passage contains it, else the commonest terms with a similar beginning."""
        found = self._of_each(lambda ranking: ranking.similar_terms(word))
        stems = analyzer().analyze(word)
        exact = [one for one in found if stems and stems[0] in one]
        return {term: count for one in exact or found for term, count in one.items()}

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of at most `k` documents whose name or first lines contain all words of one of `names`."""
        wanted = [terms for name in names if (terms := query_terms(name))]
        if not wanted or (documents is not None and not documents):
            return []
        further = query_terms(near)
        every = {term for name in wanted for term in name}
        ranked = self._ranked(every, k + 1, lambda ranking: ranking.openings(wanted, further, k + 1, documents))
        hits = self._hits(ranked)
        if len(ranked) > k:
            hits = [hit for hit in hits if hit.score > ranked[-1].score]
        return [hit.passage.document for hit in hits]

    def _searched(self, asked: _Search) -> list[Hit]:
        k, limit = asked.k, asked.k + _SPARE_HITS
        while True:
            ranked = self._found(asked, limit)
            # Loading the extra hits takes as long as the best ones; usually these, and those with equal scores,
            # suffice.
            foremost = [one for one in ranked if one.score >= ranked[min(k, len(ranked)) - 1].score]
            hits = self._hits(foremost)
            if len(foremost) < len(ranked):
                if len(hits) == len(foremost):
                    return hits[:k]
                hits = self._hits(ranked)
            # Fewer hits than asked for although the index has more: some were outdated, or many have equal scores.
            exhausted = len(ranked) < limit
            tied = len(hits) > k and hits[-1].score == hits[k - 1].score
            if exhausted or limit > MOST_HITS or (len(hits) >= k and not tied):
                return hits[:k]
            limit *= 4

    def _found(self, asked: _Search, limit: int) -> list[Ranked]:
        terms, _, wanted, others = asked
        return self._ranked(terms, limit, lambda ranking: ranking.search(terms, limit, wanted, others))

    def _ranked(
        self, terms: Collection[str], limit: int, search: Callable[[Ranking], Sequence[Ranked]]
    ) -> list[Ranked]:
        """The best passages of all rankings, with scores made comparable by the rarity of the terms."""
        best, *newer = self._of_each(search)
        if not newer:
            return list(best)
        old, new = self._of_each(lambda ranking: ranking.rarities(terms))
        factor = sum(old.values()) / sum(new.values()) if terms else 1.0
        ranked = [*best, *(Ranked(number, factor * score) for number, score in newer[0])]
        return sorted(ranked, key=lambda one: -one.score)[:limit]

    def _of_each(self, call: Callable[[Ranking], T]) -> list[T]:
        try:
            return [call(ranking) for ranking in self._rankings]
        except IndexUnusableError:
            self._rankings = [self._rebuilt(self.tables)]
            return [call(ranking) for ranking in self._rankings]

    def _hits(self, ranked: list[Ranked]) -> list[Hit]:
        found = self.tables.passages_numbered([passage for passage, _ in ranked])
        if len(found) < len(ranked) and not self.lags:
            raise damaged("a passage is missing")
        hits = [
            Hit(passage=found[number], score=score, factors={"bm25": score})
            for number, score in ranked
            if number in found
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.line_start))


class _Search(NamedTuple):
    """The parameters that determine the hits of a search in a fixed state."""

    terms: tuple[str, ...]
    k: int
    documents: tuple[str, ...] | None
    others: tuple[str, ...] = ()


class _RecentSearches:
    """A cache of the hits of the latest searches in a fixed state."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._lock = threading.Lock()
        self._found: OrderedDict[_Search, tuple[Hit, ...]] = OrderedDict()

    def get(self, search: _Search) -> list[Hit] | None:
        """The cached hits of this search, or None."""
        with self._lock:
            hits = self._found.get(search)
            return None if hits is None else list(hits)

    def keep(self, search: _Search, hits: Sequence[Hit]) -> None:
        """Cache the hits of a search unless there are very many; the oldest search is dropped if the cache is full."""
        if len(hits) > _MOST_KEPT_HITS:
            return
        with self._lock:
            self._found[search] = tuple(hits)
            if len(self._found) > _MOST_RECENT:
                self._found.popitem(last=False)
