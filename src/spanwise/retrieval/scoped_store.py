"""Documents of which only what is in scope can be read: nothing else is found, cited or counted as proof."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from spanwise.domain.document import Line, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.domain.scope import Scope
from spanwise.errors import InputError
from spanwise.retrieval.scope import SEARCHED, Stretch, clipped, stretches
from spanwise.store.port import Store, StoreView

_DEEPER = 10
"""Times as many passages are searched for, since most may be out of scope."""


class ScopedStore(StoreView):
    """The documents of a store within a scope; it is a `spanwise.store.port.Store`.

    Lines, pages and sections keep their numbers.
    """

    def __init__(self, store: Store, scope: Scope) -> None:
        """Look at `store` through `scope`, whose documents do not matter here."""
        super().__init__(store)
        self._scope = scope
        self._stretches: dict[str, list[Stretch]] = {}

    @property
    def whole(self) -> Store:
        """The documents as they are, out of scope too."""
        return self._store

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections that share a line with the scope, in order."""
        return tuple(
            one
            for one in self._store.sections(name)
            if any(one.first_line <= part.last_line and part.first_line <= one.last_line for part in self._parts(name))
        )

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` that are in scope."""
        inside = self._parts(name)
        return tuple(
            line
            for line in self._store.lines(name, first, last)
            if any(one.first_line <= line.number <= one.last_line for one in inside)
        )

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, cut to what is in scope."""
        return tuple(part for one in self._store.passages(name, first, last) for part in self.cut(one))

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The passages that match the words of a query best, cut to what is in scope."""
        hits = self._store.search(query, k * _DEEPER, documents)
        return [replace(hit, passage=part) for hit in hits for part in self.cut(hit.passage)][:k]

    def _parts(self, name: str) -> list[Stretch]:
        if name not in self._stretches:
            self._stretches[name] = stretches(self._scope, self._store, name)
        return self._stretches[name]

    def cut(self, passage: Passage) -> list[Passage]:
        """The parts of a passage that are in scope."""
        return [part for one in self._parts(passage.document) if (part := clipped(passage, one)) is not None]


def within(scope: Scope | None, store: Store, documents: Collection[str] | None) -> Store:
    """The store as far as it is in scope.

    Args:
        scope: What a question is limited to.
        store: All documents.
        documents: Names of those that are asked; None for all.

    Raises:
        InputError: None of the documents that are asked has such a section, page or line.
        DocumentNotFoundError: One of `documents` is not in the store.
    """
    if scope is None or not scope.limited:
        return store
    names = list(documents) if documents is not None else [one.name for one in store.documents()]
    if len(names) <= SEARCHED and not any(stretches(scope, store, name) for name in names):
        raise InputError(f"{_named(names)} has not got {scope}: {_instead(scope, names, store)}")
    return narrowed(store, scope)


def narrowed(store: Store, scope: Scope | None) -> Store:
    """The store as far as it is in scope, whether or not anything is."""
    return store if scope is None or not scope.limited else ScopedStore(store, scope)


def whole(store: Store) -> Store:
    """The store out of scope too, for who looks at the page after the evidence."""
    return store.whole if isinstance(store, ScopedStore) else store


def inside(store: Store, passage: Passage) -> list[Passage]:
    """The parts of a passage that are in scope."""
    return store.cut(passage) if isinstance(store, ScopedStore) else [passage]


def _named(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"None of {len(names)} documents"


def _instead(scope: Scope, names: list[str], store: Store) -> str:
    """What there is in its place."""
    if len(names) != 1:
        return "look in another place."
    stored = store.stored(names[0])
    if scope.section is not None and stretches(replace(scope, section=None), store, names[0]):
        titles = list(dict.fromkeys(one.title for one in store.sections(names[0])))[:5]
        return f"its sections are {', '.join(map(repr, titles))} ..." if titles else "it has no sections."
    return f"it has {stored.pages} page{'s' * (stored.pages != 1)} and {stored.lines} lines."
