"""Scopes: the part of the corpus that a question or its caller names, and a store that shows nothing else.

What is out of scope is not found, cited or counted as proof. The page after the last one in scope (the overlap) only
tells whether a list or table was cut off (`answering.next_page`), and is never cited.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from spanwise.domain.document import Line, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question, Scope
from spanwise.errors import InputError
from spanwise.store.port import Store, StoreView
from spanwise.text.terms import terms

SEARCHED = 20
"""Most documents in which a named section or page is searched for."""
_DEEPER = 10
"""Factor on the number of passages to search for, because most of them may be out of scope."""


@dataclass(frozen=True, slots=True)
class ScopedRange:
    """A range of lines of one document that is in scope."""

    document: str
    first_line: int
    last_line: int


def scope_of(question: Question, documents: Collection[str] | None = None) -> Scope:
    """The scope that the caller demands, else the one that the question itself names."""
    pages = question.pages
    if question.limits is not None:
        return replace(question.limits, documents=tuple(documents) if documents is not None else None)
    return Scope(
        documents=tuple(documents) if documents is not None else None,
        section=question.scope,
        first_page=min(pages) if pages else None,
        last_page=max(pages) if pages else None,
    )


def scopes_of(question: Question, documents: Collection[str] | None = None) -> list[Scope]:
    """The scope of a question, or one for each run of consecutive pages if it names pages that lie apart."""
    scope = scope_of(question, documents)
    pages = question.pages if question.limits is None else ()
    starts = [page for page in pages if page - 1 not in pages]
    ends = [page for page in pages if page + 1 not in pages]
    runs = [replace(scope, first_page=first, last_page=last) for first, last in zip(starts, ends, strict=True)]
    return runs or [scope]


def wants_overlap(question: Question, scope: Scope) -> bool:
    """True if the next page is to be examined: for lists and tables, which may continue there, or on demand."""
    return question.answer_shape in ("listing", "table") if scope.overlap is None else scope.overlap


def stretches(scope: Scope, store: Store, name: str) -> list[ScopedRange]:
    """The ranges of lines of one document that are in scope; empty if it has no such section, page or line."""
    stored = store.stored(name)
    first, last = max(1, scope.first_line or 1), min(stored.lines, scope.last_line or stored.lines)
    if scope.first_page is not None or scope.last_page is not None:
        low, high = scope.first_page or 1, scope.last_page or stored.pages
        inside = [
            page for page in store.pages(name) if low <= page.number <= high and page.last_line >= page.first_line
        ]
        if not inside:
            return []
        first, last = max(first, inside[0].first_line), min(last, inside[-1].last_line)
    ranges = [(first, last)]
    if scope.section is not None:
        sections = _sections(scope.section, store.sections(name))
        ranges = [(max(first, one.first_line), min(last, one.last_line)) for one in sections]
    return [ScopedRange(name, start, end) for start, end in ranges if start <= end]


def in_scope(scope: Scope, store: Store, near: Sequence[str]) -> list[ScopedRange]:
    """The ranges in scope, in the documents that the scope names, else in `near`; at most `SEARCHED` documents.

    Of more documents that are named, those in `near` come first.
    """
    likely = tuple(dict.fromkeys(near))
    names = likely
    if scope.documents is not None:
        named = frozenset(scope.documents)
        names = tuple(dict.fromkeys([*(name for name in likely if name in named), *scope.documents]))
    names = names or tuple(stored.name for stored in store.documents()[:SEARCHED])
    return [stretch for name in names[:SEARCHED] for stretch in stretches(scope, store, name)]


def missing_place(
    question: Question, store: Store, documents: Collection[str] | None, near: Sequence[str]
) -> str | None:
    """A message if the question names a section or pages that no document has; None otherwise."""
    scope = scope_of(question, documents)
    if not scope.limited or in_scope(scope, store, near):
        return None
    if question.scope is not None:
        return f"No section called {question.scope!r} was found; everything was searched instead."
    return f"There are no pages {min(question.pages)} to {max(question.pages)}; everything was searched instead."


def clipped(passage: Passage, stretch: ScopedRange) -> Passage | None:
    """The part of a passage that is inside the range; None if no line of it is."""
    first, last = max(passage.line_start, stretch.first_line), min(passage.line_end, stretch.last_line)
    if passage.document != stretch.document or first > last:
        return None
    if (first, last) == (passage.line_start, passage.line_end):
        return passage
    texts = passage.text.split("\n")[first - passage.line_start : last - passage.line_start + 1]
    ends = list(accumulate((length for length, _ in passage.blocks), initial=passage.line_start))
    blocks = tuple(
        (min(end - 1, last) - max(start, first) + 1, role)
        for start, end, (_, role) in zip(ends, ends[1:], passage.blocks, strict=False)
        if start <= last and end > first
    )
    return Passage(
        id=f"{passage.document}:{first}-{last}",
        document=passage.document,
        line_start=first,
        line_end=last,
        page=passage.page,
        text="\n".join(texts),
        section=passage.section,
        blocks=blocks,
    )


def _sections(title: str, sections: tuple[Section, ...]) -> list[Section]:
    """The sections whose titles contain all words of `title`, without those nested in another such section."""
    wanted = set(terms(title))
    if not wanted:
        return []
    found = [section for section in sections if wanted <= set(terms(section.title))]
    return [one for one in found if not any(_inside(one, other) for other in found)]


def _inside(one: Section, other: Section) -> bool:
    return other.level < one.level and other.first_line <= one.first_line and one.last_line <= other.last_line


class ScopedStore(StoreView):
    """The documents of a store limited to a scope, as a `spanwise.store.port.Store`.

    Lines, pages and sections keep their numbers.
    """

    def __init__(self, store: Store, scope: Scope) -> None:
        """Limit `store` to the pages, lines and section of `scope`; its documents are ignored here."""
        super().__init__(store)
        self._scope = scope
        self._stretches: dict[str, list[ScopedRange]] = {}

    @property
    def whole(self) -> Store:
        """The underlying store without limits."""
        return self._store

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections that share a line with the scope, in order."""
        return tuple(
            one
            for one in self._store.sections(name)
            if any(one.first_line <= part.last_line and part.first_line <= one.last_line for part in self._parts(name))
        )

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines out of `first..last` that are in scope."""
        inside = self._parts(name)
        return tuple(
            line
            for line in self._store.lines(name, first, last)
            if any(one.first_line <= line.number <= one.last_line for one in inside)
        )

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, clipped to the scope."""
        return tuple(part for one in self._store.passages(name, first, last) for part in self.cut(one))

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The passages that best match the query, clipped to the scope."""
        hits = self._store.search(query, k * _DEEPER, documents)
        return [replace(hit, passage=part) for hit in hits for part in self.cut(hit.passage)][:k]

    def _parts(self, name: str) -> list[ScopedRange]:
        if name not in self._stretches:
            self._stretches[name] = stretches(self._scope, self._store, name)
        return self._stretches[name]

    def cut(self, passage: Passage) -> list[Passage]:
        """The parts of a passage that are in scope."""
        return [part for one in self._parts(passage.document) if (part := clipped(passage, one)) is not None]


def within(scope: Scope | None, store: Store, documents: Collection[str] | None) -> Store:
    """The store limited to a scope.

    Args:
        scope: The scope of a question.
        store: All documents.
        documents: Names of the documents to search; None for all.

    Raises:
        InputError: None of these documents has such a section, page or line.
        DocumentNotFoundError: One of `documents` is not in the store.
    """
    if scope is None or not scope.limited:
        return store
    names = list(documents) if documents is not None else [one.name for one in store.documents()]
    if len(names) <= SEARCHED and not any(stretches(scope, store, name) for name in names):
        raise InputError(f"{_named(names)} has not got {scope}: {_instead(scope, names, store)}")
    return narrowed(store, scope)


def narrowed(store: Store, scope: Scope | None) -> Store:
    """The store limited to a scope, even if that leaves nothing."""
    return store if scope is None or not scope.limited else ScopedStore(store, scope)


def whole(store: Store) -> Store:
    """The store without the limits of a scope, as for examining the page after the evidence."""
    return store.whole if isinstance(store, ScopedStore) else store


def inside(store: Store, passage: Passage) -> list[Passage]:
    """The parts of a passage that are in scope."""
    return store.cut(passage) if isinstance(store, ScopedStore) else [passage]


def _named(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"None of {len(names)} documents"


def _instead(scope: Scope, names: list[str], store: Store) -> str:
    """A hint about what there is instead, for the error message."""
    if len(names) != 1:
        return "look in another place."
    stored = store.stored(names[0])
    if scope.section is not None and stretches(replace(scope, section=None), store, names[0]):
        titles = list(dict.fromkeys(one.title for one in store.sections(names[0])))[:5]
        return f"its sections are {', '.join(map(repr, titles))} ..." if titles else "it has no sections."
    return f"it has {stored.pages} page{'s' * (stored.pages != 1)} and {stored.lines} lines."
