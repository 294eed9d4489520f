"""Rivals: what a claim says of one thing the sources say of another, which stands in its place there.

"The rent is 250 euros" can be made of a rent of 180 and a deposit of 250: every word is there, but no sentence says it.
A part of a claim (a figure, its subject, a circumstance) is in doubt where the sentence that says the rest of it best
has another one of the kind in its place, and the sentences that have the part say less of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from spanwise.guard.comparators.names import known_of
from spanwise.guard.evidence import ClaimStems, Context, Difference, Evidence, ReadClaim, claim_stems
from spanwise.guard.figures import compared
from spanwise.guard.lexicon import MONTHS
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.lexicon import word_class
from spanwise.guard.syntax.reading import Clause, Phrase
from spanwise.guard.units import Unit
from spanwise.text.quantities import Quantity
from spanwise.text.terms import stem

_ABOVE = 12
"""Sentences above one among which its heading or lead-in stands."""
_FIGURES_OF_A_SENTENCE = 6
_FIGURES_OF_A_LINE = 2
"""Figures of a sentence, and of a line without an end, that still says something ("Adults: 4 euros"), at most."""
_FEWEST_REST = 0.3
"""Share of a claim's weight outside of a part, for the rest to tell of what the claim speaks."""
_MOST = 11
"""Stems of a claim; a longer one joins what several sentences say, and its parts are read less surely."""
_FIRST = 3
"""Sentences that are looked at by themselves, since most often one of them has all parts of a claim."""
_FEWEST = 2
"""Stems outside of it, for the same."""
_OF_FIGURES = (0.6, 0.75)
_OF_PHRASES = (0.65, 0.5)
"""For figures and for phrases `least` and `most` of a part.

Of claims of our own, half of them false, that nothing else doubted, 33 false ones and 7 true ones fell by figures, 21
and 8 by phrases; of 1,500 right claims of models two and nine.
"""
_TIME = "time"
"""The kind of a circumstance that tells when."""


class _Part(NamedTuple):
    """A part of a claim that another one of its kind may stand in the place of."""

    stems: AbstractSet[str]
    least: float
    """Share of the rest of the claim that a sentence with a rival has."""
    most: float
    """Of that share, how much of the rest a sentence with the part itself may have."""
    has: Callable[[_Near, AbstractSet[str]], bool]
    """Whether a sentence has it, of which it is known which stems of the claim it says."""
    rival: Callable[[_Near], bool]


def parts_stay_with_their_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No part of a claim has the place of another one of its kind in the sentence that says the rest of the claim."""
    if len(said.weights) > _MOST:
        return []
    claim = claim_stems(said, context)
    units = [unit for unit, _ in evidence.candidates if unit.fact is None]
    near = [_Near(unit, context) for unit in units[:_FIRST] if not unit.titled]
    open_yet = [
        (part, rest)
        for part in _parts(claim)
        if part.stems
        and len(rest := claim.weights.keys() - part.stems) >= _FEWEST
        and claim.weight(rest) >= _FEWEST_REST
        and not any(_settles(one, part, rest, claim) for one in near)
    ]
    if not open_yet:
        return []
    near += [_Near(unit, context) for unit in units[_FIRST:] if not unit.titled]
    told = [(claim.said_in(one.known), one) for one in near]
    for part, rest in open_yet:
        if unit := _rival(part, [(claim.share(stems, rest), one, stems) for stems, one in told]):
            reason = f'the source says it of another one: "{unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _settles(one: _Near, part: _Part, rest: AbstractSet[str], claim: ClaimStems) -> bool:
    """True if a sentence itself has a part with so much of the rest that none with a rival can say more."""
    stems = claim.said_in(one.unit.known)
    return claim.share(stems, rest) >= part.most and part.has(one, stems)


def _rival(part: _Part, near: Iterable[tuple[float, _Near, AbstractSet[str]]]) -> Unit | None:
    """The sentence that says most of the rest of a claim, with a rival, where those that have the part say less of it.

    Args:
        part: The part.
        near: The sentences, each with its share of the rest and the stems of the claim that it says.
    """
    found, told = None, 0.0
    # Whether a sentence has the part is only looked up where it can matter: the first one that has it decides.
    for share, one, stems in sorted(near, key=lambda one: (-one[0], one[1].unit.number)):
        if found is None and share < part.least:
            return None
        if part.has(one, stems):
            return found if share < part.most * told else None
        if found is None and one.states and part.rival(one):
            found, told = one.unit, share
    return None


def _parts(claim: ClaimStems) -> Iterator[_Part]:
    """The parts of a claim: its figures, its subject, and its circumstances."""
    said, words = claim.said, words_of(claim.said.plain)
    for figure in said.quantities:
        inside = [word for word in words if figure.start <= word.start < figure.end]
        digits = {word.plain for word in inside if word.number}
        yield _figure_part(figure, digits, {stem(word.plain) for word in inside} & claim.weights.keys())
    for clause in clauses_of(said.plain):
        if clause.kind == "finite" and clause.subjects:
            yield _subject_part(claim, words, clause)
        for phrase in clause.obliques:
            first, last = words[phrase.first].start, words[phrase.last - 1].end
            if not any(one.start < last and first < one.end for one in said.quantities):
                yield _circumstance(claim, words, phrase)


def _subject_part(claim: ClaimStems, words: Sequence[Word], clause: Clause) -> _Part:
    stems = _stems(words, clause.subjects[0]) & claim.weights.keys()
    return _Part(
        stems,
        *_OF_PHRASES,
        has=lambda _, told: not stems.isdisjoint(told),
        rival=lambda near: any(
            one.passive == clause.passive
            and (claim.has(stem(one.lemma)) or one.lemma == clause.lemma)
            and not any(map(claim.has, one.stems))
            for one in near.subjects
        ),
    )


def _circumstance(claim: ClaimStems, words: Sequence[Word], phrase: Phrase) -> _Part:
    stems = _stems(words, phrase) & claim.weights.keys()
    kind = _kind(words, phrase)
    return _Part(
        stems,
        *_OF_PHRASES,
        has=lambda _, told: not stems.isdisjoint(told),
        rival=lambda near: any(not any(map(claim.has, other)) for other in near.circumstances(kind)),
    )


def _kind(words: Sequence[Word], phrase: Phrase) -> str:
    """`_TIME` for a phrase that tells when, for others their preposition: what may stand in the place of each other."""
    head = words[phrase.head].plain
    return _TIME if head in word_class("time") or head in MONTHS else phrase.preposition


def _figure_part(own: Quantity, digits: AbstractSet[str], stems: AbstractSet[str]) -> _Part:
    return _Part(
        stems,
        *_OF_FIGURES,
        has=lambda near, _: (
            not near.digits.isdisjoint(digits) or any(compared(own, one) == "same" for one in near.unit.quantities)
        ),
        rival=lambda near: any(compared(own, one) == "different" for one in near.unit.quantities),
    )


@dataclass(frozen=True)
class _Near:
    """A sentence near a claim."""

    unit: Unit
    context: Context

    @property
    def known(self) -> AbstractSet[str]:
        """Stems of all that it says, of its heading or lead-in, and of what a pronoun in it stands for."""
        kept = self.context.told
        if self.unit.number not in kept:
            kept[self.unit.number] = self._known()
        return kept[self.unit.number]

    def _known(self) -> AbstractSet[str]:
        known = known_of(self.unit, self.context)
        units = self.context.sources.units
        for number in range(self.unit.number - 1, max(-1, self.unit.number - 1 - _ABOVE), -1):
            if units[number].source != self.unit.source:
                break
            if units[number].text.endswith(":") or units[number].titled:
                return known | units[number].known
        return known

    @property
    def states(self) -> bool:
        """True unless it is of a table: many figures, or several and no end of a sentence."""
        ended = self.unit.text.rstrip().endswith((".", "!", "?"))
        return len(self.unit.quantities) <= (_FIGURES_OF_A_SENTENCE if ended else _FIGURES_OF_A_LINE)

    @property
    def digits(self) -> frozenset[str]:
        """Its numbers in digits."""
        return frozenset(word.plain for word in words_of(self.unit.text) if word.number)

    @property
    def subjects(self) -> Sequence[_Subject]:
        """The subjects of its finite verbs."""
        return _phrases(self.unit.text)[0]

    def circumstances(self, kind: str) -> Sequence[frozenset[str]]:
        """The stems of each of its phrases of a kind."""
        return _phrases(self.unit.text)[1].get(kind, ())


class _Subject(NamedTuple):
    lemma: str
    passive: bool
    stems: frozenset[str]


@lru_cache(maxsize=8192)
def _phrases(text: str) -> tuple[Sequence[_Subject], Mapping[str, Sequence[frozenset[str]]]]:
    """The subjects of a sentence that are no pronouns, and its circumstances by kind."""
    words = words_of(text)
    subjects: list[_Subject] = []
    others: dict[str, list[frozenset[str]]] = {}
    for clause in clauses_of(text):
        stems = frozenset[str]().union(*(_stems(words, one) for one in clause.subjects))
        if clause.kind == "finite" and stems:
            subjects.append(_Subject(clause.lemma, clause.passive, stems))
        for phrase in clause.obliques:
            if found := _stems(words, phrase):
                others.setdefault(_kind(words, phrase), []).append(found)
    return subjects, others


def _stems(words: Sequence[Word], phrase: Phrase) -> frozenset[str]:
    return frozenset(stem(word.plain) for word in words[phrase.first : phrase.last] if word.content)
