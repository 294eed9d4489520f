"""Which sentences of an answer may ship: each is held against the passages, and too many that fail drop the whole."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from spanwise.contract.given import Given
from spanwise.domain.claim import Claim, Support, Verdict
from spanwise.guard.cutting import Part, PartKind, parts_of, plain_text
from spanwise.guard.verification import Place, Verification
from spanwise.guard.verify import Verifier, verify
from spanwise.messages import INSUFFICIENT_CONTEXT
from spanwise.text.polarity import NEGATION
from spanwise.text.quantities import quantities
from spanwise.text.sentences import sentences as find_sentences
from spanwise.text.terms import terms

MOST_UNSUPPORTED = 0.2
"""Share of the checked sentences above which an answer is dropped as a whole."""
ENOUGH = 0.5
"""Share of its content words that one passage has to have for a sentence in the middle band to count as supported; and
what a verifier has to say at least."""
_NEARLY_ALL = 0.8
_OPINION = re.compile(r"\s*(?:i (?:think|believe|guess)|in my opinion|perhaps|maybe),?\s+(?:that\s+)?", re.IGNORECASE)
_OF_SOURCES = re.compile(
    r"\b(?:passages?|documents?|context|texts?|sources?|chunks?|data|articles?|information|excerpts?|question|i|we)\b",
    re.IGNORECASE,
)
"""What a sentence speaks of that says what is not known; without it "it does not include taxes" is a claim."""
_WORST: Sequence[Support] = ("contradicted", "unsupported", "unchecked", "supported")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item, cell or heading of an answer, `[start, end)`, and what the passages say of it.

    Attributes:
        claim: Whether it states something that has to be supported.
        kept: Whether it may ship; what is no claim may.
        places: Where passages say it, the best first.
    """

    start: int
    end: int
    text: str
    kind: PartKind
    claim: bool
    support: Support
    score: float
    reason: str
    places: tuple[Place, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether it may ship."""
        return not self.claim or self.support == "supported"

    def as_claim(self, at: tuple[int, int]) -> Claim:
        """The sentence as a claim at a place of what ships; its citations are ids of passages."""
        verdict: Verdict = "keep" if self.kept else "remove"
        ids = tuple(dict.fromkeys(place.passage_id for place in self.places))
        return Claim(*at, self.text, self.support, verdict, self.reason, self.score, ids)


def sentences_checked(
    text: str, passages: Sequence[Given], *, question: str | None = None, verifier: Verifier | None = None
) -> list[Sentence]:
    """Hold each sentence of a text, which has no citations any more, against all passages.

    A sentence is supported when all its claims are: its words stand in one passage, with every number, date and
    negation (see `verify`). One in the middle band is decided by the verifier, or without one by the share of its words
    that a single passage has. A verifier may reject what the rules let through, never the other way round.

    Headings, questions, hedges and refusals are no claims, unless they hold a figure that no passage has.
    """
    verification = verify(text, passages, question=question)
    claims = {(claim.start, claim.end): claim for claim in verification.claims}
    found = []
    for _, group in groupby(parts_of(plain_text(text, ())), key=lambda part: part.sentence):
        parts = list(group)
        own = [claims[part.start, part.end] for part in parts if (part.start, part.end) in claims]
        sentence = _sentence(text, parts, own, verification, passages)
        found.append(_second(sentence, verifier) if verifier and sentence.claim else sentence)
    return found


def too_little(sentences: Sequence[Sentence], most: float = MOST_UNSUPPORTED) -> bool:
    """Whether so many claims lack support that nothing of the answer may ship, or nothing is left of it."""
    checked = [sentence for sentence in sentences if sentence.claim]
    failed = sum(not sentence.kept for sentence in checked)
    return failed == len(checked) or failed > most * len(checked) + 1e-9


def stands_in(sentence: Sentence, passages: Sequence[Given]) -> bool:
    """Whether these passages alone support a supported sentence."""
    ids = {given.passage.id for given in passages}
    if sentence.places and all(place.passage_id in ids for place in sentence.places):
        return True
    return all(one.kept for one in sentences_checked(sentence.text, passages) if one.claim)


def _sentence(
    text: str, parts: Sequence[Part], claims: Sequence[Claim], verification: Verification, passages: Sequence[Given]
) -> Sentence:
    start, end = parts[0].start, parts[-1].end
    said = text[start:end]
    plain = Sentence(start, end, said, parts[0].kind, claim=False, support="supported", score=1.0, reason="no claim")
    if not claims:
        if _harmless(said, parts[0].kind, passages):
            return plain
        return replace(plain, claim=True, support="unsupported", score=0.0, reason="no passage has what it says")
    judged = [(_support(claim, verification, passages), claim) for claim in claims]
    support, worst = min(judged, key=lambda pair: (_WORST.index(pair[0]), pair[1].score))
    places = tuple(dict.fromkeys(place for claim in claims for place in verification.evidence_of(claim)))
    return replace(plain, claim=True, support=support, score=worst.score, reason=worst.reason, places=places)


def _support(claim: Claim, verification: Verification, passages: Sequence[Given]) -> Support:
    if claim.support != "unsupported" or claim.verdict != "flag" or verification.findings_of(claim):
        return claim.support
    stems = set(terms(claim.text))
    most = max((len(stems & set(terms(given.passage.text))) for given in passages), default=0)
    return "supported" if stems and most >= ENOUGH * len(stems) else "unsupported"


def _harmless(text: str, kind: PartKind, passages: Sequence[Given]) -> bool:
    """Whether what is no claim by its form says nothing either that would have to be supported."""
    opinion = _OPINION.match(text)
    if INSUFFICIENT_CONTEXT in text or _strange_figures(text, passages):
        return False
    if kind == "hedge" and opinion:
        return all(one.kept for one in sentences_checked(text[opinion.end() :], passages))
    if kind == "refusal" and not _OF_SOURCES.search(text):
        return any(_says(text, given.passage.text) for given in passages)
    return True


def _says(text: str, passage: str) -> bool:
    """Whether one sentence of a passage has nearly all words of a text, and denies as it does."""
    stems, denies = set(terms(text)), NEGATION.search(text) is not None
    return any(
        len(stems.intersection(terms(said))) >= _NEARLY_ALL * len(stems)
        and (NEGATION.search(said) is not None) == denies
        for start, end in find_sentences(passage)
        if (said := passage[start:end])
    )


def _strange_figures(text: str, passages: Sequence[Given]) -> bool:
    """Whether something that is no claim by its form says a figure that stands in no passage."""
    wanted = [quantity.original for quantity in quantities(text)]
    return any(not any(figure in given.passage.text for given in passages) for figure in wanted)


def _second(sentence: Sentence, verifier: Verifier) -> Sentence:
    """What a verifier makes of a sentence that the rules let through; its failure is no support."""
    if not sentence.kept:
        return sentence
    try:
        said = float(verifier(sentence.text, [place.quote for place in sentence.places]))
    except Exception as error:  # noqa: BLE001  # foreign code; what it could not check does not ship
        reason = f"the verifier failed: {type(error).__name__}: {error}"
        return replace(sentence, support="unchecked", score=0.0, reason=reason)
    score = said if math.isfinite(said) else 0.0
    score = min(1.0, max(0.0, score))
    if score >= ENOUGH:
        return replace(sentence, score=min(sentence.score, score))
    return replace(sentence, support="unsupported", score=score, reason="the verifier does not find it in the evidence")


def unsupported(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences that may not ship."""
    return (sentence for sentence in sentences if not sentence.kept)
