"""Running text that a model wrote: its claims are verified against the passages it was written from, one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from spanwise.contract.adapters import given_passages
from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import TextItem
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.claim import Citation, Claim, Policy
from spanwise.domain.passage import Passage
from spanwise.guard.claims.citations import marks_in
from spanwise.guard.conflicts.finding import find_all_conflicts
from spanwise.guard.conflicts.values import Conflict
from spanwise.guard.drafts.checked import Checked, cite
from spanwise.guard.policy import Standing, standing, verdict_of
from spanwise.guard.verification import AccountedPart, Place, Verification
from spanwise.guard.verify import verify
from spanwise.store.evidence_store import EvidenceLines
from spanwise.store.port import Lines

_MARK = re.compile(r"\s{0,2}(?P<mark>\[[^\[\]\n]{1,80}\])(?!\()")
_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,;:!?])")
_BLANKS = re.compile(r"[ \t]{2,}")
_GAPS = re.compile(r"\n{3,}")


def check_prose(draft: Draft, prose: str, store: Lines) -> Checked:
    """Verify every claim of a text, and let the policy of the draft decide which ones ship, marked or not.

    What is no claim (headings, questions) stays as it is, unless no claim is left; refusals and comments go. Every
    claim that stays is an item of the answer and cites the lines that were found for it, whichever ones the text cited;
    one that is taken out or marked is named in the warnings.
    """
    evidence = EvidenceLines(store, draft.asked)
    passages = [evidence.passage(_passage(source, store)) for source in draft.read]
    verification = verify(prose, passages, question=draft.asked)
    cited = frozenset(mark.start for mark in marks_in(prose, given_passages(passages)))
    conflicts = find_all_conflicts(passages) if verification.claims else []
    text, claims, citations, told = "", list[Claim](), list[Citation](), list[dict[str, object]]()
    items: list[TextItem] = []
    at = removed = 0
    gone = {part.sentence for part in verification.account if _goes(part, verification, draft.policy)}
    gap = _Gap()
    for part in verification.account:
        between, at = _uncited(prose, at, part.start, cited), part.end
        said = _tidy(_uncited(prose, part.start, part.end, cited))
        claim = verification.claims[part.claim] if part.claim is not None else None
        verdict = "keep" if claim is None else verdict_of(claim, verification, draft.policy)
        if claim is not None and verdict == "remove":
            told.append(_told(claim, verification))
            removed += 1
        wraps = part.kind in ("hedge", "question") and part.sentence in gone
        if part.kind in ("refusal", "comment") or verdict == "remove" or wraps:
            gap.open(part.sentence, between)
            continue
        between = gap.close(part.sentence, between)
        text += between if text else ""
        start = len(text)
        text += said
        if claim is None:
            continue
        if verdict == "flag":
            told.append({**_told(claim, verification), "at": [start, len(text)]})
        places = verification.evidence_of(claim)
        if verdict == "keep" and (conflict := _contradicted(places, conflicts)) is not None:
            verdict = "flag"
            told.append({**_disagreeing(claim, conflict), "at": [start, len(text)]})
        found = [
            cite(_source(place), store, id=f"c{len(citations) + 1 + n}", item=len(items), at=(start, len(text)))
            for n, place in enumerate(places)
        ]
        citations += found
        spans = [Span(line_start=one.line_start, line_end=one.line_end) for one in found]
        items.append(TextItem(text=said, spans=spans))
        ids = tuple(one.id for one in found)
        claims.append(replace(claim, start=start, end=len(text), text=said, verdict=verdict, citations=ids))
    if not items:
        text = ""
    return Checked(
        _answer(items, claims, removed),
        text.rstrip(),
        tuple(claims),
        tuple(citations),
        tuple(dict.fromkeys(str(detail["code"]) for detail in told)),
        tuple(told),
        round(min((claim.score for claim in claims), default=0.0), 4),
    )


def _passage(source: Source, store: Lines) -> Passage:
    """The passage that a source is, as it stands in the store."""
    exact = (source.line_start, source.line_end)
    for passage in store.passages(source.document, *exact):
        if (passage.line_start, passage.line_end) == exact:
            return passage
    lines = store.lines(source.document, *exact)
    return Passage(
        id=f"{source.document}:{source.line_start}-{source.line_end}",
        document=source.document,
        line_start=source.line_start,
        line_end=source.line_end,
        page=lines[0].page if lines else 1,
        text="\n".join(line.text for line in lines),
    )


def _source(place: Place) -> Source:
    return Source(place.document, place.line_start, place.line_end)


def _uncited(prose: str, start: int, end: int, cited: AbstractSet[int]) -> str:
    """A stretch without its citations, which begin at some places; other words in brackets stay ("the [beta] key")."""

    def kept(mark: re.Match[str]) -> str:
        return "" if start + mark.start("mark") in cited else mark.group()

    return _MARK.sub(kept, prose[start:end])


def _tidy(text: str) -> str:
    """Without the blanks that citations leave."""
    return _GAPS.sub("\n\n", _BLANKS.sub(" ", _BEFORE_STOP.sub("", text)))


def _goes(part: AccountedPart, verification: Verification, policy: Policy) -> bool:
    return part.claim is not None and verdict_of(verification.claims[part.claim], verification, policy) == "remove"


class _Gap:
    """The text before the first part of a sentence that is left out; it moves before the next part that stays."""

    def __init__(self) -> None:
        self._sentence: int | None = None
        self._before = ""

    def open(self, sentence: int | None, before: str) -> None:
        """A part of a sentence is left out, with what stands before it."""
        if sentence != self._sentence:
            self._sentence, self._before = sentence, before

    def close(self, sentence: int | None, before: str) -> str:
        """The text before a part that stays, without the comma or "but" that joined it to a removed part."""
        joined = sentence is not None and sentence == self._sentence
        self._sentence = None
        return self._before if joined else before


def _told(claim: Claim, verification: Verification) -> dict[str, object]:
    """A claim that is taken out or marked, as a warning."""
    codes: dict[Standing, str] = {"uncertain": "uncertain_claim", "failed": "unsupported_claim"}
    findings = verification.findings_of(claim)
    return {
        "code": "contradicted_claim" if claim.support == "contradicted" else codes[standing(claim, verification)],
        "message": claim.reason,
        "problem": findings[0].kind if findings else "not_in_sources",
        "text": claim.text,
    }


def _contradicted(places: Sequence[Place], conflicts: Sequence[Conflict]) -> Conflict | None:
    """The first conflict of which one side is what a claim rests on."""
    for conflict in conflicts:
        for side in (conflict.one, conflict.other):
            said = " ".join(side.quote.split())
            for place in places:
                quote = " ".join(place.quote.split())
                if side.document == place.document and (said in quote or quote in said):
                    return conflict
    return None


def _disagreeing(claim: Claim, conflict: Conflict) -> dict[str, object]:
    """A claim that one line proves and another one contradicts, as a warning."""
    return {
        "code": "contradictory_sources",
        "message": conflict.reason,
        "text": claim.text,
        "quotes": [conflict.one.quote, conflict.other.quote],
    }


def _answer(items: Sequence[TextItem], claims: Sequence[Claim], removed: int) -> TextAnswer:
    caveats = []
    if removed and items:
        caveats.append(f"{removed} of {removed + len(items)} statements were left out: no source proves them.")
    score = min((claim.score for claim in claims), default=0.0)
    return TextAnswer(
        items=list(items),
        extraction_method="computed" if items else "na",
        confidence=round(score, 4),
        caveats=caveats,
        answer_found=bool(items),
        complete_answer_found=bool(items),
        context_completeness_weak=round(score, 4),
        context_structured=True,
        conflicting_evidence=False,
    )
