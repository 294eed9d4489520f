"""`verify`: an answer against passages, claim by claim, by rules and without a model; one's own verifier may join."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from spanwise.contract.given import Given, given_passages
from spanwise.domain.claim import Claim, Support, Verdict
from spanwise.guard.checking.faults import Fault
from spanwise.guard.checks import CHECKS
from spanwise.guard.citing import marks_in
from spanwise.guard.context import Context
from spanwise.guard.cutting import LONGEST_CLAIM, Part, parts_of, plain_text
from spanwise.guard.evidence import Evidence, Said, find_evidence, stem_weights
from spanwise.guard.sources import Sources, Unit, read_sources
from spanwise.guard.verification import AccountedPart, AccountedPassage, Finding, Place, Verification

Verifier: TypeAlias = Callable[[str, Sequence[str]], float | bool]
"""A user's own check: a claim and its evidence; how well it is supported, in [0, 1], or whether it is."""

MOST_CLAIMS = 5000
"""Claims of one answer that are checked; those after are told to be unchecked."""


def verify(
    text: str, passages: Iterable[object] | None, *, question: str | None = None, verifier: Verifier | None = None
) -> Verification:
    """Check an answer against passages.

    Args:
        text: The answer, plain or Markdown, with or without citations.
        passages: In any form: strings, dicts, `Passage`, `Hit`, nodes and documents of other libraries.
        question: What was asked; its words need no evidence.
        verifier: A model of your own, called for each claim with its evidence.

    Raises:
        PassageError: A passage has no form that is known.
    """
    del question
    given = given_passages(passages)
    sources = read_sources(given)
    marks = marks_in(text, given)
    plain = plain_text(text, marks)
    made = _Made(text, sources)
    for part in parts_of(plain, marks):
        made.take(part, plain, verifier)
    return made.result(given)


class _Made:
    """Claims, evidence and findings as they are collected."""

    def __init__(self, text: str, sources: Sources) -> None:
        self.text, self.sources = text, sources
        self.context = Context(sources)
        self.claims: list[Claim] = []
        self.places: dict[tuple[int, int, int], Place] = {}
        self.findings: list[Finding] = []
        self.account: list[AccountedPart] = []
        self.used: dict[int, list[int]] = {}

    def take(self, part: Part, plain: str, verifier: Verifier | None) -> None:
        """Check one part, or say why it is not checked."""
        if part.kind != "claim":
            self.account.append(AccountedPart(part.start, part.end, part.kind))
            return
        index = len(self.claims)
        if reason := self._unchecked(part, index):
            words = self.text[part.start : part.end]
            self.claims.append(Claim(part.start, part.end, words, "unchecked", "flag", reason, 0.0))
            self.account.append(AccountedPart(part.start, part.end, "unchecked", reason, index))
            return
        own = plain[part.start : part.end]
        weights = stem_weights(f"{part.context} {own}", self.sources)
        said = Said(
            index, part.start, part.end, self.text[part.start : part.end], own, part.context, part.marks, weights
        )
        evidence = find_evidence(said, self.sources)
        faults = [fault for check in CHECKS for fault in check(said, evidence, self.context)]
        self._add(said, evidence, faults, verifier)

    def _unchecked(self, part: Part, index: int) -> str:
        if index >= MOST_CLAIMS:
            return f"only {MOST_CLAIMS} claims are checked"
        if part.end - part.start > LONGEST_CLAIM:
            return f"it is longer than {LONGEST_CLAIM} characters"
        return ""

    def _add(self, said: Said, evidence: Evidence, faults: Sequence[Fault], verifier: Verifier | None) -> None:
        score = evidence.together * 0.9 + 0.1 * evidence.single
        for fault in faults:
            score *= 0.3 if fault.denies else 0.6
        if verifier is not None:
            score = math.sqrt(score * float(verifier(said.plain, [unit.text for unit in evidence.best])))
        support, verdict = _decided(score, faults)
        ids = tuple(self._place(unit).id for unit in evidence.best)
        fine = "the passages say it" if support == "supported" else "too little of it is in any passage"
        reason = faults[0].reason if faults else fine
        self.claims.append(Claim(said.start, said.end, said.text, support, verdict, reason, round(score, 4), ids))
        self.account.append(AccountedPart(said.start, said.end, "claim", claim=said.index))
        for fault in faults:
            shown = self._place(fault.unit).id if fault.unit is not None else None
            self.findings.append(Finding(fault.kind, fault.reason, said.index, fault.at, shown, fault.denies))
        for unit in evidence.best[:1]:
            self.used.setdefault(unit.source, []).append(said.index)

    def _place(self, unit: Unit) -> Place:
        key = (unit.source, unit.start, unit.end)
        if key not in self.places:
            given = self.sources.sources[unit.source].given
            self.places[key] = Place(
                id=f"e{len(self.places) + 1}",
                passage=given.position,
                passage_id=given.passage.id,
                document=given.passage.document,
                page=given.page,
                line_start=unit.line_start,
                line_end=unit.line_end,
                start=unit.start,
                end=unit.end,
                quote=given.passage.text[unit.start : unit.end],
            )
        return self.places[key]

    def result(self, given: Sequence[Given]) -> Verification:
        """All of it."""
        passages = tuple(
            AccountedPassage(
                one.position, one.passage.id, not source.unread, source.unread, tuple(self.used.get(index, ()))
            )
            for index, (one, source) in enumerate(zip(given, self.sources.sources, strict=True))
        )
        score = math.prod(claim.score for claim in self.claims) if self.claims else 1.0
        return Verification(
            self.text,
            tuple(self.claims),
            tuple(self.places.values()),
            tuple(self.findings),
            tuple(self.account),
            passages,
            round(score, 4),
        )


def _decided(score: float, faults: Sequence[Fault]) -> tuple[Support, Verdict]:
    if any(fault.denies for fault in faults):
        return "contradicted", "remove"
    if score >= 0.6:
        return "supported", "keep"
    return "unsupported", "flag" if score >= 0.4 else "remove"
