"""Where to look: documents, a section, pages, lines, and one page beyond that only the pipeline sees.

The page beyond the last one in scope (the overlap) tells whether a list or a table was cut off. It is evidence about
the answer's completeness and never a source of the answer, so it is kept apart from the hits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from spanwise.domain.document import Line, Section
from spanwise.domain.passage import Passage
from spanwise.domain.question import Question
from spanwise.domain.scope import Scope
from spanwise.store.port import Store
from spanwise.text.terms import terms

SEARCHED = 20
"""Documents in which a named section or page is looked for."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of one document that are in scope, and the last page they reach."""

    document: str
    first_line: int
    last_line: int
    last_page: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """The pages that an answer was looked for on, and the page beyond: evidence about completeness, never a source."""

    document: str
    first_page: int
    last_page: int
    page: int | None
    """Number of the page beyond; None at the end of the document."""
    lines: tuple[Line, ...]
    """Its lines."""


def scope_of(question: Question, documents: Collection[str] | None = None) -> Scope:
    """The scope that the caller demands, or else the one that the question itself names."""
    pages = question.pages
    if question.limits is not None:
        return replace(question.limits, documents=tuple(documents) if documents is not None else None)
    return Scope(
        documents=tuple(documents) if documents is not None else None,
        section=question.scope,
        first_page=min(pages) if pages else None,
        last_page=max(pages) if pages else None,
    )


def wants_overlap(question: Question, scope: Scope) -> bool:
    """On for lists and tables, which may go on over the page; off for single answers, unless asked for."""
    return question.answer_shape in ("listing", "table") if scope.overlap is None else scope.overlap


def stretches(scope: Scope, store: Store, name: str) -> list[Stretch]:
    """The lines of one document that are in scope; none when it has no such section, page or line."""
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
    return [Stretch(name, start, end, store.lines(name, end, end)[0].page) for start, end in ranges if start <= end]


def in_scope(scope: Scope, store: Store, near: Sequence[str]) -> list[Stretch]:
    """What is in scope of the documents that it names, or else of those that are near (at most SEARCHED of them)."""
    names = scope.documents if scope.documents is not None else tuple(dict.fromkeys(near))
    names = names or tuple(stored.name for stored in store.documents()[:SEARCHED])
    return [stretch for name in names[:SEARCHED] for stretch in stretches(scope, store, name)]


def missing_place(
    question: Question, store: Store, documents: Collection[str] | None, near: Sequence[str]
) -> str | None:
    """What to tell when the question names a section or pages that none of the documents has; None when all is well."""
    scope = scope_of(question, documents)
    if not scope.limited or in_scope(scope, store, near):
        return None
    if question.scope is not None:
        return f"No section called {question.scope!r} was found; everything was searched instead."
    return f"There are no pages {min(question.pages)} to {max(question.pages)}; everything was searched instead."


def clipped(passage: Passage, stretch: Stretch) -> Passage | None:
    """The part of a passage that is in the stretch, or None when no line of it is."""
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


def page_beyond(stretch: Stretch, store: Store) -> tuple[Line, ...]:
    """The lines of the page after the last one in scope; none at the end of the document."""
    for page in store.pages(stretch.document):
        if page.number == stretch.last_page + 1:
            return store.lines(stretch.document, page.first_line, page.last_line)
    return ()


def overlap(
    question: Question, store: Store, document: str, lines: tuple[int, int], scope: Scope | None = None
) -> Overlap | None:
    """The section around some lines that answer, and the page beyond it, where the question's shape wants it.

    Args:
        question: Decides by its shape, unless the scope does.
        store: Where the document is.
        document: Its name.
        lines: First and last line of what answers.
        scope: What the search was limited to; what the question names by default.

    Returns:
        None when the shape does not want it.
    """
    if not wants_overlap(question, scope or scope_of(question)):
        return None
    first, last = lines
    around = [one for one in store.sections(document) if one.first_line <= first and last <= one.last_line]
    if around:
        inner = max(around, key=lambda one: (one.level, one.first_line))
        first, last = inner.first_line, inner.last_line
    pages = [page.number for page in store.pages(document) if page.first_line <= last and first <= page.last_line]
    if not pages:
        return None
    beyond = page_beyond(Stretch(document, first, last, pages[-1]), store)
    return Overlap(document, pages[0], pages[-1], beyond[0].page if beyond else None, beyond)


def _sections(title: str, sections: tuple[Section, ...]) -> list[Section]:
    """The sections whose titles have all the words of `title`, those inside another such section left out."""
    wanted = set(terms(title))
    if not wanted:
        return []
    found = [section for section in sections if wanted <= set(terms(section.title))]
    return [one for one in found if not any(_inside(one, other) for other in found)]


def _inside(one: Section, other: Section) -> bool:
    return other.level < one.level and other.first_line <= one.first_line and one.last_line <= other.last_line
