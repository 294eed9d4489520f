"""The only way from a draft to something that may ship: each item is held against the lines it cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.contract.answers import AnswerBase, BooleanAnswer, TextAnswer
from spanwise.contract.evidence import line_boxes
from spanwise.contract.items import BooleanItem, Item
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.claim import Citation, Claim
from spanwise.store.port import Store
from spanwise.text.polarity import polarity, scope_words
from spanwise.text.quotes import find_quote
from spanwise.text.terms import terms


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

    A text whose words are not in the lines it cites (white space, case and typography aside), and a yes or no that
    does not follow from the sentence it rests on, is removed and named in the warnings; it is never dropped in silence.
    """
    kept: list[Item] = []
    written: list[str] = []
    sources: list[tuple[str, ...]] = []
    details: list[dict[str, object]] = []
    for (item, text, problem), documents in zip(_held(draft, store), draft.sources, strict=True):
        if problem:
            details.append({"code": "unsupported_claim", "message": problem, "text": text})
        else:
            kept.append(item)
            written.append(text)
            sources.append(documents)
    answer = draft.answer.model_copy(update={"items": kept, "answer_found": bool(kept)})
    if details:
        answer = answer.model_copy(update={"complete_answer_found": False})
    text, ranges = _written(written)
    citations = _citations(kept, sources, ranges, store)
    claims = tuple(
        Claim(start, end, said, "supported", "keep", _reason(item), 1.0, tuple(ids))
        for position, (item, said, (start, end)) in enumerate(zip(kept, written, ranges, strict=True))
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


def _held(draft: Draft, store: Store) -> Iterator[tuple[Item, str, str | None]]:
    """Each item with how it is written and why it does not hold (None when it does)."""
    if isinstance(draft.answer, TextAnswer):
        for item, documents in zip(draft.answer.items, draft.sources, strict=True):
            yield item, item.text, _problem(item.text, item.spans, documents, store)
    elif isinstance(draft.answer, BooleanAnswer):
        for said, sentence, documents in zip(draft.answer.items, draft.sentences, draft.sources, strict=True):
            text = f"{'Yes' if said.boolean else 'No'}. {sentence}"
            problem = _problem(sentence, said.spans, documents, store)
            yield said, text, problem or _polarity_problem(draft.asked, said, sentence, documents, store)
    else:
        raise TypeError(f"the guard checks TextAnswer and BooleanAnswer, not {type(draft.answer).__name__}")


def _problem(text: str, spans: Sequence[Span], documents: Sequence[str], store: Store) -> str | None:
    """Why words do not hold, or None when all of them are in what is cited."""
    if not text.strip() or not spans:
        return "the item has no text or no evidence"
    if len(documents) != len(spans):
        return "the item does not say which document each span is of"
    cited = []
    for span, document in zip(spans, documents, strict=True):
        lines = store.lines(document, span.line_start, span.line_end)
        if not lines or len(lines) != span.line_end - span.line_start + 1:
            return f"{document} has no lines {span.line_start} to {span.line_end}"
        cited.append("\n".join(line.text for line in lines))
    if find_quote(text, "\n".join(cited), minimum=1.0, whole_words=True) is None:
        return "the cited lines do not hold these words"
    return None


def _polarity_problem(
    asked: str, item: BooleanItem, sentence: str, documents: Sequence[str], store: Store
) -> str | None:
    """Why a yes or no does not follow from a sentence and the lines around it that are cited."""
    if polarity(asked, sentence) is not item.boolean:
        return f"the sentence does not say {'yes' if item.boolean else 'no'} explicitly"
    cited: set[str] = set()
    for span, document in zip(item.spans, documents, strict=True):
        for line in store.lines(document, span.line_start, span.line_end):
            cited.update(terms(line.text))
    if not cited.issuperset(scope_words(asked)):
        return "the cited lines do not speak of what the question asks about"
    return None


def _reason(item: Item) -> str:
    if isinstance(item, BooleanItem):
        return "the cited sentence states or denies exactly what is asked"
    return "the cited lines hold these words"


def _written(texts: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The answer as text, one line an item when there are several, and the range of each item in it."""
    mark = "- " if len(texts) > 1 else ""
    whole, ranges = "", []
    for text in texts:
        whole += ("\n" if whole else "") + mark
        ranges.append((len(whole), len(whole) + len(text)))
        whole += text
    return whole, ranges


def _citations(
    items: Sequence[Item],
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
