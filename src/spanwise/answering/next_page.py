"""The strong completeness signal: whether the evidence ends before the next page, or continues there.

For lists, tables and broken-off text, the page after the last cited line is examined, and the places to which the cited
text refers as its continuation. Those lines are never cited.
"""

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
"""Number of lines above the end of a page that suffice to judge what continues."""
ENOUGH_BELOW = 12
"""Number of lines at the start of the next page that suffice."""
BESIDE = 2
"""Number of further pages on either side that are loaded to recognise running headers."""
_NEAR_BEHIND = 3
"""Number of lines after the cited ones in which a "continued on" reference is looked for."""
_LONGEST_POINTER = 160
_MOST_REFERENCES = 5


@dataclass(frozen=True, slots=True)
class Continuation:
    """Whether the evidence is complete, and the lines where the text continues, which are never evidence."""

    strong: bool | None
    """True if the evidence is complete, False if truncated, None if not checked."""
    why: str
    document: str | None = None
    page: int | None = None
    lines: tuple[Line, ...] = ()


def bounded(question: Question, draft: Draft, checked: Checked, store: Store) -> Continuation:
    """Whether the evidence is complete, by the references in the cited text and by the page after the last cited line.

    Text that is continued elsewhere is truncated unless that place is cited too; other references in the cited text are
    named in `why`. The next page is examined for lists, tables and text that breaks off; a list that ends above the
    last line of its page is judged by what follows on that page. Running text has no items before the check, so the
    lines that prove it count, and the next page is also examined if they end in the middle of a sentence.
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
    """The uncited places to which a cited text refers, with their lines.

    A "continued" reference is often in a line of its own after the text.
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
    store = whole(store)  # the next page is out of scope, and never cited
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
    """True if the cited lines end in the middle of a sentence."""
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
    """The last line of the block that a line belongs to; an item is often cited by its first line only."""
    following = store.lines(name, line, line + ENOUGH)
    return next((before.number for before, after in pairwise(following) if after.block != before.block), line)


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive pages of a document as a document of their own."""

    document: Document
    before: int
    """Number of pages before the first one."""

    def of_page(self, page: int) -> tuple[Line, ...]:
        """The lines of a page, given by its number in the whole document; they keep their own numbers."""
        place = self.document.pages[page - self.before - 1]
        return self.document.lines[place.first_line - 1 : place.last_line]


def around(name: str, first: int, last: int, pages: Sequence[Page], store: Store) -> Part:
    """The excerpt that `completeness` needs: parts of the pages `first..last`, the next ones, and some beside them.

    A long document is not loaded just to examine the end of one page and the start of another.
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
    """A lower bound on the lines of a page with text of its own: 8 may be furniture, and half of the rest blank."""
    return max(0, (page.last_line - page.first_line + 1 - 8) // 2)


def _page_of(line: int, pages: Sequence[Page]) -> int:
    return next(page.number for page in pages if page.first_line <= line <= page.last_line)
