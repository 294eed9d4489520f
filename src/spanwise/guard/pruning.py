"""Which sentences of an answer may ship: each is held against the passages, and too many that fail drop the whole."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, groupby

from spanwise.contract.given import Given
from spanwise.domain.claim import Claim, Support, Verdict
from spanwise.guard.conflicts import coverage
from spanwise.guard.cutting import Part, PartKind, parts_of, plain_text
from spanwise.guard.figures import Figure, figures
from spanwise.guard.figures import agrees as agrees_figure
from spanwise.guard.statements import statement
from spanwise.guard.verification import Place, Verification
from spanwise.guard.verify import Verifier, verify
from spanwise.messages import INSUFFICIENT_CONTEXT
from spanwise.text.polarity import NEGATION
from spanwise.text.quantities import Quantity, agrees, quantities
from spanwise.text.sentences import sentences as find_sentences
from spanwise.text.terms import terms
from spanwise.text.words import singular

MOST_UNSUPPORTED = 0.2
"""Share of the checked sentences above which an answer is dropped as a whole."""
SURE = 0.8
"""Score from which a claim that `verify` supports may ship as it is. On public data (RAGTruth, questions and summaries)
about 95 of 100 such claims have no annotated fault; of the supported ones below it, about 6 of 10."""
ENOUGH = 0.5
"""What a verifier has to say at least."""
_BETWEEN = "\n\n"
_NEARLY_ALL = 0.8
_ADDRESS = re.compile(r"(?<=\])\([^()\s]{1,2000}\)")  # of a link: no words that could be supported
_CONFLICT = re.compile(r"\b(?:(?:contradict|disagree|conflict|differ)\w*|inconsistent)\b", re.IGNORECASE)
_OF_CONFLICTS = (
    "contradict contradiction disagree conflict conflicting differ different inconsistent source chunk document "
    "passage one two another other says states gives however respectively"
)
"""What a sentence that tells of a conflict may say beside what the sources say."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_DIGIT = re.compile(r"\d")
_MOST_OF_IT = 0.6
_MUCH = 0.3
_NEAR = 4000  # characters; a chunk is seldom longer
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
    negation (see `verify`). One that is not certain (`SURE`) is when a single passage has nearly all of its words
    and nothing is found to be wrong with it. A verifier may reject what the rules let through, not the other way round.

    Headings, questions, hedges and refusals are no claims, unless they hold a figure that no passage has.
    """
    words = _ADDRESS.sub(lambda match: " " * len(match.group()), text)
    read = _Read(tuple(passages), verify(words, passages, question=question))
    found = []
    for _, group in groupby(parts_of(plain_text(words, ())), key=lambda part: part.sentence):
        sentence = _sentence(text, list(group), read)
        found.append(_second(sentence, verifier) if verifier and sentence.claim else sentence)
    return found


def too_little(sentences: Sequence[Sentence], most: float = MOST_UNSUPPORTED) -> bool:
    """Whether so many claims lack support that nothing of the answer may ship, or nothing is left of it."""
    checked = [sentence for sentence in sentences if sentence.claim]
    failed = sum(not sentence.kept for sentence in checked)
    return failed == len(checked) or failed > most * len(checked) + 1e-9


def misplaced(cited: Sequence[tuple[Sentence, Sequence[Given]]]) -> list[bool]:
    """For each supported sentence, whether the passages that it cites do not support it by themselves."""
    wrong = [not _in_all(sentence, passages) for sentence, passages in cited]
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, (_, passages) in enumerate(cited):
        if wrong[index]:
            groups.setdefault(tuple(given.passage.id for given in passages), []).append(index)
    for indices in groups.values():  # one reading of the passages for all sentences that cite them
        texts = [cited[index][0].text for index in indices]
        ends = list(accumulate(len(text) + len(_BETWEEN) for text in texts))
        failed = [one.start for one in sentences_checked(_BETWEEN.join(texts), cited[indices[0]][1]) if not one.kept]
        bad = {bisect_right(ends, start) for start in failed}
        for place, index in enumerate(indices):
            wrong[index] = place in bad and not _has_words(*cited[index])
    return wrong


def _has_words(sentence: Sentence, passages: Sequence[Given]) -> bool:
    """Whether one of the passages has nearly all words of a sentence."""
    stems = frozenset(terms(sentence.text))
    return any(len(stems.intersection(terms(given.passage.text))) >= _NEARLY_ALL * len(stems) for given in passages)


def _in_all(sentence: Sentence, passages: Sequence[Given]) -> bool:
    ids = {given.passage.id for given in passages}
    return bool(sentence.places) and all(place.passage_id in ids for place in sentence.places)


class _Read:
    """Passages and what `verify` says of a text, in the forms in which sentences need them."""

    def __init__(self, passages: Sequence[Given], verification: Verification) -> None:
        self.passages = passages
        self.claims = {(claim.start, claim.end): claim for claim in verification.claims}
        self._places = {place.id: place for place in verification.evidence}
        self._figures: dict[tuple[int, int, int], list[Figure]] = {}
        numbers = {finding.claim for finding in verification.findings}
        self._faulty = {(c.start, c.end) for number, c in enumerate(verification.claims) if number in numbers}

    def places(self, claim: Claim) -> list[Place]:
        """Where a claim was found, the best first."""
        return [self._places[name] for name in claim.citations if name in self._places]

    def faulty(self, claim: Claim) -> bool:
        """Whether something was found to be wrong with a claim."""
        return (claim.start, claim.end) in self._faulty

    def around(self, place: Place) -> list[Figure]:
        """The figures of a passage near a place."""
        start, end = max(0, place.start - _NEAR), place.end + _NEAR
        key = (place.passage, start, end)
        if key not in self._figures:
            self._figures[key] = figures(self.passages[place.passage - 1].passage.text[start:end])
        return self._figures[key]

    def share(self, text: str) -> float:
        """The largest share of the content words of a text that one passage has; 1 where it has none."""
        stems = frozenset(terms(text))
        return max((len(stems & known) for known in self.stems), default=0) / len(stems) if stems else 1.0

    @cached_property
    def records(self) -> bool:
        """Whether a passage is a record, whose keys are not words: "OutdoorSeating"."""
        return any(given.passage.text.lstrip()[:1] in ("{", "[") for given in self.passages)

    @cached_property
    def stems(self) -> list[frozenset[str]]:
        """Of each passage."""
        return [frozenset(terms(given.passage.text)) for given in self.passages]

    def strange_name(self, text: str) -> str | None:
        """A name in a text that is in no passage; abbreviations of two letters ("pm") are none."""
        names = sorted(name for name in statement(text).names if len(name) > 2)
        return next((name for name in names if not {name, singular(name)} & self._vocabulary), None)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        texts = (f"{given.passage.text}\n{given.passage.section or ''}".lower() for given in self.passages)
        words = {word for text in texts for word in _WORD.findall(text.replace("\u2019", "'"))}
        return frozenset(part for word in words for part in (word.removesuffix("'s"), *word.split("'")))

    @cached_property
    def kept(self) -> list[list[Figure]]:
        """The figures of each passage."""
        return [figures(given.passage.text) for given in self.passages]

    @cached_property
    def figures(self) -> list[Quantity]:
        """Of all passages."""
        return [quantity for given in self.passages for quantity in quantities(given.passage.text)]

    @cached_property
    def sentences(self) -> list[tuple[frozenset[str], bool]]:
        """Stems of each sentence of the passages, and whether it denies something."""
        texts = [
            given.passage.text[start:end]
            for given in self.passages
            for start, end in find_sentences(given.passage.text)
        ]
        return [(frozenset(terms(said)), NEGATION.search(said) is not None) for said in texts]


def _sentence(text: str, parts: Sequence[Part], read: _Read) -> Sentence:
    start, end = parts[0].start, parts[-1].end
    said = text[start:end]
    claims = [read.claims[part.start, part.end] for part in parts if (part.start, part.end) in read.claims]
    plain = Sentence(start, end, said, parts[0].kind, claim=False, support="supported", score=1.0, reason="no claim")
    if not claims:
        if _harmless(said, parts[0].kind, read):
            return plain
        return replace(plain, claim=True, support="unsupported", score=0.0, reason="no passage has what it says")
    judged = [(*_support(claim, read), claim.score) for claim in claims]
    support, reason, score = min(judged, key=lambda found: (_WORST.index(found[0]), found[2]))
    if support != "supported" and _tells_of_a_conflict(said, read):
        support, reason = "supported", "passages say different things, as it tells"
    places = tuple(dict.fromkeys(place for claim in claims for place in _telling(claim, read.places(claim))))
    return replace(plain, claim=True, support=support, score=score, reason=reason, places=places)


def _tells_of_a_conflict(text: str, read: _Read) -> bool:
    """Whether a sentence says that sources contradict each other, and its figures stand in different ones."""
    ours = _own_figures(text)
    if len(ours) < 2 or not _CONFLICT.search(text):
        return False
    having = [
        frozenset(index for index, theirs in enumerate(read.kept) if any(agrees_figure(one, other) for other in theirs))
        for one in ours
    ]
    counted = {term for one in ours for term in terms(text[one.start : one.end])}
    stems = frozenset(terms(text)) - counted - _telling_words()
    known = frozenset[str]().union(*(read.stems[index] for found in having for index in found))
    return all(having) and not frozenset.intersection(*having) and len(stems & known) >= _NEARLY_ALL * len(stems)


@cache
def _telling_words() -> frozenset[str]:
    return frozenset(terms(_OF_CONFLICTS))


def _telling(claim: Claim, places: Sequence[Place]) -> list[Place]:
    """The places that say much of a claim; the best one where none does."""
    ours = statement(claim.text)
    return [one for one in places if coverage(ours, statement(one.quote).content) >= _MUCH] or list(places[:1])


def _support(claim: Claim, read: _Read) -> tuple[Support, str]:
    """What is said of a claim, and why."""
    places = read.places(claim)
    if claim.verdict == "remove" or claim.support in ("contradicted", "unchecked"):
        return "unsupported" if claim.support == "supported" else claim.support, claim.reason
    if claim.support == "supported" and _turned(claim, places):
        return "contradicted", "the source says otherwise"
    sure = claim.support == "supported" and claim.score >= SURE
    if not sure and (read.faulty(claim) or read.share(claim.text) < _NEARLY_ALL):
        return "unsupported", f"it is not certain that the passages say it: {claim.reason}"
    lacking = _lacking(claim, places, read)
    return ("unsupported", lacking) if lacking else ("supported", claim.reason)


def _lacking(claim: Claim, places: Sequence[Place], read: _Read) -> str:
    """What a supported claim has to have in a passage and has not; empty when nothing is lacking."""
    if not _figures_stand(claim, places, read):
        return "a figure of it is not in the passage that says the rest"
    if name := read.strange_name(claim.text):
        return f"no passage names {name}"
    return "" if read.records or read.share(claim.text) >= _MUCH else "hardly a word of it is in any passage"


def _own_figures(text: str) -> list[Figure]:
    """The figures that have to stand somewhere; a number in words ("the two of them") may count what is named."""
    return [one for one in figures(text) if one.kind != "number" or _DIGIT.search(text, one.start, one.end)]


def _figures_stand(claim: Claim, places: Sequence[Place], read: _Read) -> bool:
    """Whether one passage has every figure of a claim, around the place where it says the rest.

    A plain number in words ("the two of them") counts what is named, and need not be written anywhere.
    """
    ours = [one for one in figures(claim.text) if one.kind != "number" or _DIGIT.search(claim.text, one.start, one.end)]
    return not ours or any(
        all(any(agrees_figure(one, other) for other in theirs) for one in ours) for theirs in map(read.around, places)
    )


def _turned(claim: Claim, places: Sequence[Place]) -> bool:
    """Whether every place that says the same as a claim denies what it affirms, or affirms what it denies."""
    ours = statement(claim.text)
    near = []
    for place in places:
        theirs = statement(place.quote)
        if min(coverage(ours, theirs.content), coverage(theirs, ours.content)) >= _MOST_OF_IT:
            near.append(theirs)
    return bool(near) and all(
        (ours.negated & theirs.affirmed) - theirs.negated or (theirs.negated & ours.affirmed) - ours.negated
        for theirs in near
    )


def _harmless(text: str, kind: PartKind, read: _Read) -> bool:
    """Whether what is no claim by its form says nothing either that would have to be supported."""
    opinion = _OPINION.match(text)
    if INSUFFICIENT_CONTEXT in text or _strange_figures(text, read):
        return False
    if kind == "hedge" and opinion:
        return all(one.kept for one in sentences_checked(text[opinion.end() :], read.passages))
    if kind == "refusal" and not _OF_SOURCES.search(text):
        return _said(text, read)
    return True


def _said(text: str, read: _Read) -> bool:
    """Whether one sentence of the passages has nearly all words of a text, and denies as it does."""
    stems, denies = frozenset(terms(text)), NEGATION.search(text) is not None
    return any(theirs == denies and len(stems & known) >= _NEARLY_ALL * len(stems) for known, theirs in read.sentences)


def _strange_figures(text: str, read: _Read) -> bool:
    """Whether something that is no claim by its form says a figure that stands in no passage."""
    said = quantities(text.lstrip("# \t"))  # "# 5" is the number of something, "5" a figure
    return any(not any(agrees(ours, theirs) for theirs in read.figures) for ours in said)


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
