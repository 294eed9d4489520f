"""The strong signal: whether what a list or table was read from is bounded, told from the page after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spanwise.contract.result import Draft, Source
from spanwise.domain.document import Document, Line, Page
from spanwise.domain.question import Question
from spanwise.guard.completeness import completeness
from spanwise.pipeline.proof import cited
from spanwise.retrieval.scope import Scope, wants_overlap
from spanwise.store.port import Store

ENOUGH = 80
"""Lines above the foot of a page that tell what goes on there."""
ENOUGH_BELOW = 12
"""Lines below the head of the next one."""
BESIDE = 2
"""Pages beside those, in which running headers are found again."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """The page after the evidence, which nothing is answered from, and what it tells."""

    strong: bool | None
    """True bounded, False truncated, None not checked."""
    why: str
    document: str | None = None
    page: int | None = None
    lines: tuple[Line, ...] = ()


def bounded(question: Question, draft: Draft, store: Store, *, overlap: bool | None = None) -> Beyond:
    """Look at the page after the last cited one, for lists and tables (or where `overlap` asks for it).

    A list that ends above the last line of its page is bounded by what follows it there.
    """
    if not draft.answer.answer_found:
        return Beyond(None, "there is no answer to check")
    if not wants_overlap(question, Scope(overlap=overlap)):
        return Beyond(None, "the next page was not looked at")
    places = cited(draft)
    looked = Beyond(None, "the cited documents have no pages")
    for name in dict.fromkeys(place.document for place in places):
        if not store.stored(name).paged:
            continue
        looked = _of_document(name, [place for place in places if place.document == name], store)
        if looked.strong is False:
            return looked
    return looked


def _of_document(name: str, places: Sequence[Source], store: Store) -> Beyond:
    pages = store.pages(name)
    lines = [line for place in places for line in (place.line_start, place.line_end)]
    last_line = max((page.last_line for page in pages), default=0)
    lines = [line for line in lines if 1 <= line <= last_line]
    if not lines:
        return Beyond(None, "the cited lines do not exist")
    first, last = _page_of(min(lines), pages), _page_of(max(lines), pages)
    part = around(name, first, last, pages, store)
    following = last + 1 if last < len(pages) else None
    strong = completeness(
        part.document,
        first_page=max(1, first - part.before),
        last_page=last - part.before,
        overlap_page=None if following is None else following - part.before,
        last_line=max(lines),
    )
    told = "goes on over" if strong is False else "begins something new on"
    seen = () if following is None else part.of_page(following)
    known = following is not None and strong is not None
    why = f"the text {told} page {following}" if known else "the document ends there"
    return Beyond(strong, why, name, following, seen)


@dataclass(frozen=True, slots=True)
class Part:
    """Some pages of a document as a document of its own, whose lines keep their numbers."""

    document: Document
    before: int
    """How many pages stand before it."""

    def of_page(self, page: int) -> tuple[Line, ...]:
        """The lines of a page of the whole document."""
        place = self.document.pages[page - self.before - 1]
        return self.document.lines[place.first_line - 1 : place.last_line]


def around(name: str, first: int, last: int, pages: Sequence[Page], store: Store) -> Part:
    """What `completeness` looks at: enough of the pages `first..last`, the next ones, and those beside them.

    A long document is not loaded for a look at the foot of one page and the head of another.
    """
    start, lines = last, 0
    while start > first and lines < ENOUGH:
        lines += _size(pages[start - 1])
        start -= 1
    end, lines = min(last + 1, len(pages)), 0
    while end < len(pages) and lines < ENOUGH_BELOW:
        lines += _size(pages[end - 1])
        end += 1
    start, end = max(1, start - BESIDE), min(len(pages), end + BESIDE)
    taken = pages[start - 1 : end]
    found = store.lines(name, taken[0].first_line, max(page.last_line for page in taken))
    offset = taken[0].first_line - 1
    moved = tuple(
        replace(page, number=number, first_line=page.first_line - offset, last_line=page.last_line - offset)
        for number, page in enumerate(taken, start=1)
    )
    return Part(Document("", name, "part", found, moved, paged=True), start - 1)


def _size(page: Page) -> int:
    """Lines of a page that surely say something of their own: without furniture, and half of the others blank."""
    return max(0, (page.last_line - page.first_line + 1 - 8) // 2)


def _page_of(line: int, pages: Sequence[Page]) -> int:
    return next(page.number for page in pages if page.first_line <= line <= page.last_line)
