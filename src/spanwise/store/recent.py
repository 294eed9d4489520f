"""What the last few searches found: one question searches with the same words to be parsed and to be answered."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from spanwise.domain.passage import Hit

MOST = 32
"""Searches that are kept."""
MOST_HITS = 100
"""Hits of a search that is kept."""


class Search(NamedTuple):
    """What decides what is found while nothing changes."""

    terms: tuple[str, ...]
    k: int
    documents: tuple[str, ...] | None
    others: tuple[str, ...] = ()


class RecentSearches:
    """The hits of the last searches in one state of the documents."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._lock = threading.Lock()
        self._found: OrderedDict[Search, tuple[Hit, ...]] = OrderedDict()

    def get(self, search: Search) -> list[Hit] | None:
        """What was found by this search, or None."""
        with self._lock:
            hits = self._found.get(search)
            return None if hits is None else list(hits)

    def keep(self, search: Search, hits: Sequence[Hit]) -> None:
        """Keep what was found, in place of the oldest search where there are many; of very much, nothing."""
        if len(hits) > MOST_HITS:
            return
        with self._lock:
            self._found[search] = tuple(hits)
            if len(self._found) > MOST:
                self._found.popitem(last=False)
