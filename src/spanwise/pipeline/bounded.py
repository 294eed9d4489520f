"""The strong signal: whether what a list or table was read from is bounded, told from the page after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.contract.result import Draft, Source
from spanwise.domain.document import Line
from spanwise.domain.question import Question
from spanwise.guard.completeness import completeness
from spanwise.pipeline.proof import cited
from spanwise.retrieval.scope import Scope, wants_overlap
from spanwise.store.port import Store


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
    document = store.document(name)
    lines = [line for line in (place.line_start for place in places) if 1 <= line <= len(document.lines)]
    ends = [line for line in (place.line_end for place in places) if 1 <= line <= len(document.lines)]
    if not lines or not ends:
        return Beyond(None, "the cited lines do not exist")
    first, last = document.line(min(lines)).page, document.line(max(ends)).page
    following = last + 1 if last < len(document.pages) else None
    strong = completeness(document, first_page=first, last_page=last, overlap_page=following, last_line=max(ends))
    page = None if following is None else document.pages[following - 1]
    told = "goes on over" if strong is False else "begins something new on"
    return Beyond(
        strong,
        f"the text {told} page {following}" if page is not None and strong is not None else "the document ends there",
        name,
        following,
        () if page is None else document.lines[page.first_line - 1 : page.last_line],
    )
