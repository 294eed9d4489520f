"""The only way from a draft to something that may ship: each item is held against the lines it cites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.contract.answers import AnswerBase, TextAnswer
from spanwise.contract.evidence import line_boxes
from spanwise.contract.items import TextItem
from spanwise.contract.result import Draft, Source
from spanwise.domain.claim import Citation, Claim
from spanwise.store.port import Store
from spanwise.text.quotes import find_quote


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a draft: only items whose cited lines hold their words, each with its claim and citations."""

    answer: AnswerBase
    text: str
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    warning_details: tuple[dict[str, object], ...]


def check(draft: Draft, store: Store) -> Checked:
    """Hold every item of a draft against the source.

    An item whose words are not in the lines it cites (white space, case and typography aside) is removed and named in
    the warnings; it is never dropped in silence.
    """
    if not isinstance(draft.answer, TextAnswer):
        raise TypeError(f"the guard checks TextAnswer, not {type(draft.answer).__name__}")
    kept: list[TextItem] = []
    sources: list[tuple[str, ...]] = []
    details: list[dict[str, object]] = []
    for item, documents in zip(draft.answer.items, draft.sources, strict=True):
        if problem := _problem(item, documents, store):
            details.append({"code": "unsupported_claim", "message": problem, "text": item.text})
        else:
            kept.append(item)
            sources.append(documents)
    answer = draft.answer.model_copy(update={"items": kept, "answer_found": bool(kept)})
    if len(kept) < len(draft.answer.items):
        answer = answer.model_copy(update={"complete_answer_found": False})
    text, ranges = _written(kept)
    citations = _citations(kept, sources, ranges, store)
    claims = tuple(
        Claim(start, end, item.text, "supported", "keep", "the cited lines hold these words", 1.0, tuple(ids))
        for position, (item, (start, end)) in enumerate(zip(kept, ranges, strict=True))
        if (ids := [citation.id for citation in citations if citation.item == position])
    )
    return Checked(answer, text, claims, citations, ("unsupported_claim",) if details else (), tuple(details))


def cite(source: Source, store: Store, *, id: str, item: int = 0, at: tuple[int, int] = (0, 0)) -> Citation:
    """The citation of some lines: text, page and rectangles come from the store, never from a draft."""
    lines = store.lines(source.document, source.line_start, source.line_end)
    stored = store.stored(source.document)
    page = lines[0].page if stored.paged else None
    label = next((page.label for page in store.pages(source.document) if page.number == lines[0].page), None)
    return Citation(
        id=id,
        item=item,
        document=source.document,
        line_start=source.line_start,
        line_end=source.line_end,
        page=page,
        page_label=label if stored.paged else None,
        boxes=tuple(line_boxes(lines, mode="per_line")),
        quote="\n".join(line.text for line in lines),
        at=at,
    )


def _problem(item: TextItem, documents: Sequence[str], store: Store) -> str | None:
    """Why an item does not hold, or None when every word of it is in what it cites."""
    if not item.text.strip() or not item.spans:
        return "the item has no text or no evidence"
    if len(documents) != len(item.spans):
        return "the item does not say which document each span is of"
    cited = []
    for span, document in zip(item.spans, documents, strict=True):
        lines = store.lines(document, span.line_start, span.line_end)
        if not lines or len(lines) != span.line_end - span.line_start + 1:
            return f"{document} has no lines {span.line_start} to {span.line_end}"
        cited.append("\n".join(line.text for line in lines))
    if find_quote(item.text, "\n".join(cited), minimum=1.0, whole_words=True) is None:
        return "the cited lines do not hold these words"
    return None


def _written(items: Sequence[TextItem]) -> tuple[str, list[tuple[int, int]]]:
    """The answer as text, one line an item when there are several, and the range of each item in it."""
    mark = "- " if len(items) > 1 else ""
    text, ranges = "", []
    for item in items:
        text += ("\n" if text else "") + mark
        ranges.append((len(text), len(text) + len(item.text)))
        text += item.text
    return text, ranges


def _citations(
    items: Sequence[TextItem],
    sources: Sequence[tuple[str, ...]],
    ranges: Sequence[tuple[int, int]],
    store: Store,
) -> tuple[Citation, ...]:
    citations: list[Citation] = []
    for position, (item, documents) in enumerate(zip(items, sources, strict=True)):
        for span, document in zip(item.spans, documents, strict=True):
            source = Source(document, span.line_start, span.line_end)
            citations.append(cite(source, store, id=f"c{len(citations) + 1}", item=position, at=ranges[position]))
    return tuple(citations)
