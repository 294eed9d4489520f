"""The strong signal: whether what a list or table was read from is bounded, told from the page after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spanwise.contract.result import Draft, Source
from spanwise.domain.document import Document, Line, Page
from spanwise.domain.question import Question, Scope
from spanwise.guard.completeness.lines import ended
from spanwise.guard.completeness.truncation import completeness
from spanwise.guard.drafts.checked import Checked
from spanwise.retrieval.scope import wants_overlap, whole
from spanwise.store.cross_references import Reference, place_of, references
from spanwise.store.port import Store

ENOUGH = 80
"""Lines above the foot of a page that tell what goes on there."""
ENOUGH_BELOW = 12
"""Lines below the head of the next one."""
BESIDE = 2
"""Pages beside those, in which running headers are found again."""
_NEAR_BEHIND = 3
"""Lines behind the cited ones among which it is said where they go on."""
_LONGEST_POINTER = 160
_MOST_REFERENCES = 5


@dataclass(frozen=True, slots=True)
class Continuation:
    """The page after the evidence, or the place where it goes on: nothing is answered from it, and what it tells."""

    strong: bool | None
    """True bounded, False truncated, None not checked."""
    why: str
    document: str | None = None
    page: int | None = None
    lines: tuple[Line, ...] = ()


def bounded(question: Question, draft: Draft, checked: Checked, store: Store) -> Continuation:
    """Look where the cited text says that it goes on, and at the page after the last cited one.

    What is said to be continued elsewhere is truncated unless that place is cited too; other places to which the cited
    text sends its reader are told. The next page is looked at for lists and tables, and for running text that breaks
    off. A list that ends above the last line of its page is bounded by what follows it there. Running text has no items
    before it is checked: what counts are the lines that prove it, and it is looked at too where they end in the middle
    of a sentence.
    """
    prose = draft.prose is not None
    if not (checked.answer if prose else draft.answer).answer_found:
        return Continuation(None, "there is no answer to check")
    places = proving(checked) if prose else draft.cited
    told: list[str] = []
    for place in places:
        for reference, lines in _elsewhere(place, places, whole(store)):
            paged = store.stored(place.document).paged
            named = f"{reference} (page {lines[0].page})" if paged else f"{reference} (line {lines[0].number})"
            if reference.continued:
                return Continuation(False, f"the text goes on in {named}", place.document, lines[0].page, lines)
            told.append(named)
    looked = _next_page(question, places, store, prose=prose)
    if not told:
        return looked
    return replace(looked, why=f"{looked.why}; the cited text refers to {', '.join(dict.fromkeys(told))}")


def _elsewhere(place: Source, places: Sequence[Source], store: Store) -> Iterator[tuple[Reference, tuple[Line, ...]]]:
    """The places outside of the cited ones to which a cited text sends its reader, with their lines.

    That it is continued is often said in a line of its own behind it.
    """
    following = store.lines(place.document, place.line_start, place.line_end + _NEAR_BEHIND)
    last = max((line.block for line in following if line.number <= place.line_end), default=0)
    own = " ".join(line.text for line in following if line.block <= last)
    behind = " ".join(line.text for line in following if line.block > last and len(line.text) <= _LONGEST_POINTER)
    said = [*references(own), *(one for one in references(behind) if one.continued)]
    for one in said[:_MOST_REFERENCES]:
        found = place_of(one, place.document, store, place.line_start)
        if found is None or any(
            known.document == place.document and known.line_start <= found[1] and found[0] <= known.line_end
            for known in places
        ):
            continue
        yield one, store.lines(place.document, found[0], min(found[1], found[0] + ENOUGH))


def _next_page(question: Question, places: Sequence[Source], store: Store, *, prose: bool) -> Continuation:
    broken_off = True if prose and any(_breaks_off(place, store) for place in places) else None
    demanded = None if question.limits is None else question.limits.overlap
    if not wants_overlap(question, Scope(overlap=broken_off if demanded is None else demanded)):
        return Continuation(None, "the next page was not looked at")
    store = whole(store)  # the page beyond is out of scope, and no source
    looked = Continuation(None, "the cited documents have no pages")
    for name in dict.fromkeys(place.document for place in places):
        if not store.stored(name).paged:
            continue
        looked = _of_document(name, [place for place in places if place.document == name], store)
        if looked.strong is False:
            return looked
    return looked


def proving(checked: Checked) -> list[Source]:
    """Every place that a checked answer cites."""
    return [Source(one.document, one.line_start, one.line_end) for one in checked.citations]


def _breaks_off(place: Source, store: Store) -> bool:
    """True if cited lines end in the middle of a sentence."""
    return any(
        not ended(line.text) and line.role in ("text", "list_item")
        for line in store.lines(place.document, place.line_end, place.line_end)
    )


def _of_document(name: str, places: Sequence[Source], store: Store) -> Continuation:
    pages = store.pages(name)
    lines = [line for place in places for line in (place.line_start, place.line_end)]
    last_line = max((page.last_line for page in pages), default=0)
    lines = [line for line in lines if 1 <= line <= last_line]
    if not lines:
        return Continuation(None, "the cited lines do not exist")
    end = _end_of_paragraph(name, max(lines), store)
    first, last = _page_of(min(lines), pages), _page_of(end, pages)
    part = around(name, first, last, pages, store)
    following = last + 1 if last < len(pages) else None
    strong = completeness(
        part.document,
        first_page=max(1, first - part.before),
        last_page=last - part.before,
        overlap_page=None if following is None else following - part.before,
        last_line=end,
    )
    told = "goes on over" if strong is False else "begins something new on"
    seen = () if following is None else part.of_page(following)
    known = following is not None and strong is not None
    why = f"the text {told} page {following}" if known else "the document ends there"
    return Continuation(strong, why, name, following, seen)


def _end_of_paragraph(name: str, line: int, store: Store) -> int:
    """The last line of the paragraph or item that a line belongs to: an item is often cited by its first line."""
    following = store.lines(name, line, line + ENOUGH)
    return next((before.number for before, after in pairwise(following) if after.block != before.block), line)


@dataclass(frozen=True, slots=True)
class Part:
    """Some pages of a document as a document of its own, whose lines keep their numbers."""

    document: Document
    before: int
    """Number of pages before it."""

    def of_page(self, page: int) -> tuple[Line, ...]:
        """The lines of a page of the whole document."""
        place = self.document.pages[page - self.before - 1]
        return self.document.lines[place.first_line - 1 : place.last_line]


def around(name: str, first: int, last: int, pages: Sequence[Page], store: Store) -> Part:
    """Excerpt for `completeness`: enough of the pages `first..last`, the next ones, and those beside them.

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
