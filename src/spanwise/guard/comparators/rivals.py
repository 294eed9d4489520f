"""Rivals: what a claim says of one thing the sources say of another, which stands in its place there.

"The rent is 250 euros" can be made of a rent of 180 and a deposit of 250: every word is there, but no sentence says it.
A part of a claim (a figure, its subject, a circumstance) is in doubt where the sentence that says the rest of it best
has another one of the kind in its place, and the sentences that have the part say less of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from spanwise.guard.comparators.names import known_of
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim
from spanwise.guard.figures import compared
from spanwise.guard.lexicon import MONTHS, groups_of
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.lexicon import word_class
from spanwise.guard.syntax.reading import Clause, Phrase
from spanwise.guard.units import BEGINNING, Sources, Unit, is_title
from spanwise.text.quantities import Quantity
from spanwise.text.related import FAMILY, related
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
_LIGHT = frozenset("get got make made take taken took give given gave go gone went come came become one someon".split())
"""Stems of words that say little by themselves."""


class _Part(NamedTuple):
    """A part of a claim that another one of its kind may stand in the place of."""

    stems: AbstractSet[str]
    least: float
    """Share of the rest of the claim that a sentence with a rival has."""
    most: float
    """Of that share, how much of the rest a sentence with the part itself may have."""
    has: Callable[[_Near], bool]
    rival: Callable[[_Near], bool]


def parts_stay_with_their_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No part of a claim has the place of another one of its kind in the sentence that says the rest of the claim."""
    if len(said.weights) > _MOST:
        return []
    near = [_Near(unit, context) for unit, _ in evidence.candidates if unit.fact is None and not is_title(unit)]
    claim = ClaimStems(said, context.sources)
    for part in claim.parts():
        rest = claim.weights.keys() - part.stems
        if not part.stems or len(rest) < _FEWEST or claim.weight(rest) < _FEWEST_REST:
            continue
        having = [claim.share(one.known, rest) for one in near if part.has(one)]
        rivals = [
            (claim.share(one.known, rest), -one.unit.number, one.unit)
            for one in near
            if one.states and not part.has(one) and part.rival(one)
        ]
        if not having or not rivals:
            continue
        told, _, unit = max(rivals, key=lambda one: one[:2])
        if told >= part.least and max(having) < part.most * told:
            reason = f'the source says it of another one: "{unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


class ClaimStems:
    """The stems of a claim with their weights, the stems of the sources that say the same, and its parts."""

    def __init__(self, said: ReadClaim, sources: Sources) -> None:
        self.said = said
        telling = {one: weight for one, weight in said.weights.items() if one not in _LIGHT} or dict(said.weights)
        total = sum(telling.values()) or 1.0
        self.weights: Mapping[str, float] = {one: weight / total for one, weight in telling.items()}
        self._said: dict[str, set[str]] = {}
        for one in self.weights:
            for other in _alike(one, sources):
                self._said.setdefault(other, set()).add(one)

    def said_in(self, known: AbstractSet[str]) -> set[str]:
        """Those of the stems that others say."""
        return set[str]().union(*(own for other, own in self._said.items() if other in known))

    def weight(self, stems: AbstractSet[str]) -> float:
        """Share of all weight."""
        return sum(self.weights[one] for one in stems)

    def has(self, word: str) -> bool:
        """True if a stem of the sources says one of the claim's."""
        return word in self._said

    def share(self, known: AbstractSet[str], among: AbstractSet[str]) -> float:
        """Share of the weight of some of the stems that others say."""
        total = self.weight(among)
        return self.weight(self.said_in(known) & among) / total if total else 0.0

    def parts(self) -> Iterator[_Part]:
        """The parts of the claim: its figures, its subject, and its circumstances."""
        words = words_of(self.said.plain)
        for figure in self.said.quantities:
            inside = [word for word in words if figure.start <= word.start < figure.end]
            digits = {word.plain for word in inside if word.number}
            yield _figure_part(figure, digits, {stem(word.plain) for word in inside} & self.weights.keys())
        for clause in clauses_of(self.said.plain):
            if clause.kind == "finite" and clause.subjects:
                yield self._subject(words, clause)
            for phrase in clause.obliques:
                first, last = words[phrase.first].start, words[phrase.last - 1].end
                if not any(one.start < last and first < one.end for one in self.said.quantities):
                    yield self._circumstance(words, phrase)

    def _subject(self, words: Sequence[Word], clause: Clause) -> _Part:
        stems = _stems(words, clause.subjects[0]) & self.weights.keys()
        return _Part(
            stems,
            *_OF_PHRASES,
            has=lambda near: not stems.isdisjoint(self.said_in(near.known)),
            rival=lambda near: any(
                one.passive == clause.passive
                and (stem(one.lemma) in self._said or one.lemma == clause.lemma)
                and one.stems.isdisjoint(self._said)
                for one in near.subjects
            ),
        )

    def _circumstance(self, words: Sequence[Word], phrase: Phrase) -> _Part:
        stems = _stems(words, phrase) & self.weights.keys()
        kind = _kind(words, phrase)
        return _Part(
            stems,
            *_OF_PHRASES,
            has=lambda near: not stems.isdisjoint(self.said_in(near.known)),
            rival=lambda near: any(other.isdisjoint(self._said) for other in near.circumstances(kind)),
        )


def _kind(words: Sequence[Word], phrase: Phrase) -> str:
    """`_TIME` for a phrase that tells when, for others their preposition: what may stand in the place of each other."""
    head = words[phrase.head].plain
    return _TIME if head in word_class("time") or head in MONTHS else phrase.preposition


def _figure_part(own: Quantity, digits: AbstractSet[str], stems: AbstractSet[str]) -> _Part:
    return _Part(
        stems,
        *_OF_FIGURES,
        has=lambda near: (
            not near.digits.isdisjoint(digits) or any(compared(own, one) == "same" for one in near.unit.quantities)
        ),
        rival=lambda near: any(compared(own, one) == "different" for one in near.unit.quantities),
    )


def _alike(word: str, sources: Sources) -> frozenset[str]:
    """The stems of the sources that may stand for a stem: itself, its forms and family, and words that say the same."""
    family = {other for other, share in related(word).items() if share >= FAMILY}
    begun = sources.by_beginning.get(word[:BEGINNING], ()) if len(word) >= BEGINNING else ()
    same = {other for group in groups_of(word) for other in sources.by_group.get(group, ())}
    return frozenset(other for other in {word, *family, *begun, *same} if other in sources.postings)


@dataclass(frozen=True)
class _Near:
    """A sentence near a claim."""

    unit: Unit
    context: Context

    @cached_property
    def known(self) -> AbstractSet[str]:
        """Stems of all that it says, of its heading or lead-in, and of what a pronoun in it stands for."""
        known = frozenset(known_of(self.unit, self.context))
        units = self.context.sources.units
        for number in range(self.unit.number - 1, max(-1, self.unit.number - 1 - _ABOVE), -1):
            if units[number].source != self.unit.source:
                break
            if is_title(units[number]) or units[number].text.endswith(":"):
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
