"""Policy: which sentences of an answer ship, by a short list of rules over its verification."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Literal, TypeAlias

from spanwise.contract.adapters import Given
from spanwise.domain.claim import Claim, Policy, Support, Verdict
from spanwise.guard.conflicts.values import Conflict
from spanwise.guard.verification import AccountedPart, AccountKind, FindingKind, Place, Verification
from spanwise.guard.verify import Verifier, told_by, verify
from spanwise.messages import INSUFFICIENT_CONTEXT
from spanwise.text.terms import terms

Standing: TypeAlias = Literal["supported", "uncertain", "failed"]

MOST_UNSUPPORTED = 0.2
"""Share of the checked sentences above which an answer is dropped as a whole."""
ENOUGH = 0.5
"""Least score of a verifier for a sentence that ships."""
_VERDICTS: dict[Policy, dict[Standing, Verdict]] = {
    "prune": {"supported": "keep", "uncertain": "flag", "failed": "remove"},
    "mark": {"supported": "keep", "uncertain": "flag", "failed": "flag"},
    "strict": {"supported": "keep", "uncertain": "remove", "failed": "remove"},
}
_WORST: Sequence[Standing] = ("failed", "uncertain", "supported")
_ADDRESS = re.compile(r"(?<=\])\([^()\s]{1,2000}\)")  # of a link: no words that could be supported
_CONFLICT = re.compile(r"\b(?:(?:contradict|disagree|conflict|differ)\w*|inconsistent)\b", re.IGNORECASE)
_OF_CONFLICTS = (
    "contradict contradiction disagree conflict conflicting differ different inconsistent source chunk document "
    "passage one two another other says states gives however respectively"
)
"""Words that a sentence about a conflict may add to those of the sources."""
_NEARLY_ALL = 0.8
_OF_FIGURES: frozenset[FindingKind] = frozenset(["number_changed", "date_changed", "not_in_sources"])
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item, cell or heading of an answer, `[start, end)`, and what becomes of it.

    Attributes:
        claim: Whether it states something that has to be supported.
        verdict: Whether it ships as it is, ships marked, or is taken out; what is no claim ships.
        places: Where passages say it, the best first.
    """

    start: int
    end: int
    text: str
    kind: AccountKind
    claim: bool
    support: Support
    score: float
    reason: str
    verdict: Verdict = "keep"
    places: tuple[Place, ...] = ()

    @property
    def kept(self) -> bool:
        """True if it ships, marked or not."""
        return self.verdict != "remove"

    def as_claim(self, at: tuple[int, int]) -> Claim:
        """The sentence as a claim at a place of what ships; its citations are ids of passages."""
        ids = tuple(dict.fromkeys(place.passage_id for place in self.places))
        return Claim(*at, self.text, self.support, self.verdict, self.reason, self.score, ids)


def standing(claim: Claim, found: Verification) -> Standing:
    """Standing of a claim of a verification: supported, failed, or uncertain.

    A claim fails that a source denies, that could not be checked, of which the passages have hardly anything, or that
    is not supported and has a figure or date that is not where the rest of it stands, or cites what does not exist. One
    that is supported with a doubt (`flag`) is uncertain.
    """
    if claim.support in ("contradicted", "unchecked") or claim.verdict == "remove":
        return "failed"
    if claim.support == "supported" and claim.verdict == "keep":
        return "supported"
    doubted = claim.cited == "fabricated" or _lacks_its_figure(claim, found)
    return "failed" if claim.support == "unsupported" and doubted else "uncertain"


def verdict_of(claim: Claim, found: Verification, policy: Policy) -> Verdict:
    """The verdict on a claim of a verification under a policy."""
    return _VERDICTS[policy][standing(claim, found)]


def _lacks_its_figure(claim: Claim, found: Verification) -> bool:
    findings = [finding for finding in found.findings_of(claim) if finding.kind in _OF_FIGURES]
    return any(_DIGIT.search(found.text, *finding.at) is not None for finding in findings)


def judged(
    text: str,
    passages: Sequence[Given],
    *,
    policy: Policy = "prune",
    question: str | None = None,
    verifier: Verifier | None = None,
    conflicts: Sequence[Conflict] = (),
) -> list[Sentence]:
    """Check a text that has no citations, and decide for each of its sentences whether it ships.

    Args:
        text: The text.
        passages: What it has to rest on.
        policy: What ships.
        question: What was asked.
        verifier: A second opinion on each sentence that would ship; it can only reject.
        conflicts: Where the passages contradict each other: a sentence may tell of that.
    """
    words = _ADDRESS.sub(lambda match: " " * len(match.group()), text)
    found = verify(words, passages, question=question)
    parts = [part for part in found.account if part.sentence is not None]
    groups = [list(group) for _, group in groupby(parts, key=lambda part: part.sentence)]
    return [_sentence(text, group, found, policy, verifier, conflicts) for group in groups]


def too_little(sentences: Sequence[Sentence], most: float = MOST_UNSUPPORTED) -> bool:
    """True if so many claims are taken out that nothing of the answer may ship, or nothing is left of it."""
    checked = [sentence for sentence in sentences if sentence.claim]
    failed = sum(not sentence.kept for sentence in checked)
    return failed == len(checked) or failed > most * len(checked) + 1e-9


def _sentence(
    text: str,
    parts: Sequence[AccountedPart],
    found: Verification,
    policy: Policy,
    verifier: Verifier | None,
    conflicts: Sequence[Conflict],
) -> Sentence:
    """A sentence is as good as its worst claim."""
    start, end = parts[0].start, parts[-1].end
    said = text[start:end]
    claims = [found.claims[part.claim] for part in parts if part.claim is not None]
    plain = Sentence(start, end, said, parts[0].kind, claim=False, support="supported", score=1.0, reason="no claim")
    if INSUFFICIENT_CONTEXT in said:
        reason = "it says that the context is not sufficient"
        return replace(plain, claim=True, support="unsupported", score=0.0, reason=reason, verdict="remove")
    if not claims:
        return plain
    worst = min(claims, key=lambda claim: (_WORST.index(standing(claim, found)), claim.score))
    places = tuple(dict.fromkeys(place for claim in claims for place in found.evidence_of(claim)[:1]))
    judged_ = replace(plain, claim=True, kind="claim", support=worst.support, score=worst.score, places=places)
    if standing(worst, found) != "supported" and _tells_of(said, conflicts):
        return replace(judged_, support="supported", reason="passages say different things, as it tells")
    judged_ = replace(judged_, reason=worst.reason, verdict=verdict_of(worst, found, policy))
    return judged_ if verifier is None or not judged_.kept else _second(judged_, verifier, policy)


def _second(sentence: Sentence, verifier: Verifier, policy: Policy) -> Sentence:
    """A sentence that would ship, after a verifier judged it; a verifier that fails supports nothing."""
    failed = _VERDICTS[policy]["failed"]
    try:
        score = told_by(verifier, sentence.text, [place.quote for place in sentence.places])
    except Exception as error:  # noqa: BLE001  # foreign code; what it could not check does not ship
        reason = f"the verifier failed: {type(error).__name__}: {error}"
        return replace(sentence, support="unchecked", score=0.0, reason=reason, verdict=failed)
    if score >= ENOUGH:
        return replace(sentence, score=min(sentence.score, score))
    reason = "the verifier does not find it in the evidence"
    return replace(sentence, support="unsupported", score=score, reason=reason, verdict=failed)


def _tells_of(text: str, conflicts: Sequence[Conflict]) -> bool:
    """True if a sentence says that sources contradict each other, and gives what both sides of a conflict say."""
    return _CONFLICT.search(text) is not None and any(_gives_both(text, conflict) for conflict in conflicts)


def _gives_both(text: str, conflict: Conflict) -> bool:
    sides = (conflict.one, conflict.other)
    if not all(side.value and side.value.lower() in text.lower() for side in sides):
        return False
    stems = frozenset(terms(text)) - _telling_words()
    known = frozenset(stem for side in sides for stem in terms(side.quote))
    return len(stems & known) >= _NEARLY_ALL * len(stems)


@cache
def _telling_words() -> frozenset[str]:
    return frozenset(terms(_OF_CONFLICTS))
