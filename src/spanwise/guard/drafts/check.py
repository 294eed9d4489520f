"""The only way from a draft to something that may ship: each item is held against the lines it cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.contract.items import BooleanItem, Item
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft, Source
from spanwise.domain.claim import Citation, Claim
from spanwise.guard.drafts.checked import Checked, cite
from spanwise.guard.drafts.item_check import ItemCheck, fault_of, reason_of, says_value
from spanwise.store.evidence_store import EvidenceLines
from spanwise.store.port import Lines

_FREE = ("inferred", "computed")
_NO_EVIDENCE = ("no_spans", "line_missing")


def check(draft: Draft, store: Lines) -> Checked:
    """Hold every item of a draft against the source.

    A text whose words are not in the lines it cites (white space, case and typography aside), a yes or no that does
    not follow from the sentence it rests on, a value that the cited lines do not state, and a computed one that comes
    out otherwise or whose operands are not cited, is removed and named in the warnings; never dropped in silence.
    What a model says to be inferred, or put together from several lines, stays, but as a claim that was not checked;
    under the policy `strict` it goes. What the lines do not say goes under every policy.
    """
    if draft.prose is not None:
        from spanwise.guard.drafts.prose import check_prose  # heavier than the rest, and for models only

        return check_prose(draft, draft.prose, store)
    kept: list[ItemCheck] = []
    unchecked: set[int] = set()
    details: list[dict[str, object]] = []
    for held in _items(draft, store):
        fault = fault_of(held)
        if fault is None:
            kept.append(held)
            continue
        free = draft.reworded and draft.answer.extraction_method in _FREE and fault.code not in _NO_EVIDENCE
        free = free and draft.policy != "strict"
        code = "unchecked_claim" if free else "unsupported_claim"
        details.append({"code": code, "problem": fault.code, "message": fault.message, "text": _said(held)})
        if free:
            unchecked.add(len(kept))
            kept.append(held)
    answer = draft.answer.model_copy(update={"items": [held.item for held in kept], "answer_found": bool(kept)})
    if len(details) > len(unchecked):
        answer = answer.model_copy(update={"complete_answer_found": False})
    written = [_said(held) for held in kept]
    text, ranges = _written(written, numbered=draft.possible)
    citations = _citations(kept, text, ranges, store)
    claims = tuple(
        _claim(held, said, (start, end), tuple(ids), checked=position not in unchecked)
        for position, (held, said, (start, end)) in enumerate(zip(kept, written, ranges, strict=True))
        if (ids := [citation.id for citation in citations if citation.item == position])
    )
    warnings = tuple(dict.fromkeys(str(detail["code"]) for detail in details))
    return Checked(answer, text, claims, citations, warnings, tuple(details))


def _claim(held: ItemCheck, said: str, at: tuple[int, int], ids: tuple[str, ...], *, checked: bool) -> Claim:
    if checked:
        return Claim(*at, said, "supported", "keep", reason_of(held), 1.0, ids)
    reason = "in the model's own words: compare them with the cited lines"
    return Claim(*at, said, "unchecked", "flag", reason, 0.5, ids)


def _items(draft: Draft, store: Lines) -> Iterator[ItemCheck]:
    """Each item with what it is checked against: what a document orders to say is no evidence."""
    evidence = EvidenceLines(store, draft.asked)
    for index, (item, documents) in enumerate(zip(draft.answer.items, draft.sources, strict=True)):
        sentence = draft.sentences[index] if index < len(draft.sentences) else ""
        if draft.reworded and isinstance(item, BooleanItem):
            sentence = _cited_text(item, documents, evidence)
        computation = draft.computations[index] if index < len(draft.computations) else None
        written = draft.written[index] if index < len(draft.written) else ""
        yield ItemCheck(item, documents, evidence, draft.asked, sentence, computation, written, draft.model)


def _cited_text(item: Item, documents: Sequence[str], store: Lines) -> str:
    """The cited lines as one text: what a yes or no of a model rests on."""
    lines = [
        line.text
        for span, document in zip(item.spans, documents, strict=False)
        for line in store.lines(document, span.line_start, span.line_end)
    ]
    return " ".join(lines)


def _said(held: ItemCheck) -> str:
    """How an item is written: as the source says its value, else in its own words, a yes or no before its sentence."""
    if isinstance(held.item, BooleanItem):
        return f"{worded(held.item)}. {held.sentence}"
    if held.written and (held.cited.holds(held.written) or says_value(held)):
        return held.written
    return worded(held.item)


def _written(texts: Sequence[str], *, numbered: bool) -> tuple[str, list[tuple[int, int]]]:
    """The answer as text, one line an item when there are several, and the range of each item in it."""
    whole, ranges = "", []
    for number, text in enumerate(texts, start=1):
        mark = f"{number}. " if numbered else "- "
        whole += ("\n" if whole else "") + (mark if len(texts) > 1 else "")
        ranges.append((len(whole), len(whole) + len(text)))
        whole += text
    return whole, ranges


def _citations(
    kept: Sequence[ItemCheck], text: str, ranges: Sequence[tuple[int, int]], store: Lines
) -> tuple[Citation, ...]:
    citations: list[Citation] = []
    for position, held in enumerate(kept):
        for span, document in zip(held.item.spans, held.documents, strict=True):
            source = Source(document, span.line_start, span.line_end)
            at = ranges[position]
            said = text[at[0] : at[1]]
            citations.append(cite(source, store, id=f"c{len(citations) + 1}", item=position, at=at, said=said))
    return tuple(citations)
