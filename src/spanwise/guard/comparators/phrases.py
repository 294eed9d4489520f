"""Phrases of two clauses: whether they may speak of the same, as far as their words tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from spanwise.guard.alignment import same_word
from spanwise.guard.comparators.names import before_pronoun, subject_of
from spanwise.guard.evidence import Context
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.lexicon import word_class
from spanwise.guard.syntax.reading import Clause, Phrase
from spanwise.guard.units import Sources, Unit
from spanwise.text.languages import without_accents
from spanwise.text.terms import stem

_BESIDE = 4
"""Words from one name of a thing to the other."""
_MOST_UNITS = 20
"""Sentences in which two names of one thing are looked for."""


class SaidClause(NamedTuple):
    """A clause with the words of its sentence."""

    clause: Clause
    words: Sequence[Word]
    unit: Unit | None = None

    def head(self, phrase: Phrase) -> Word:
        """The noun that says what a phrase is about: members in "some of the members", Hale in "the Hale family"."""
        if tells(head := self.words[phrase.head]):
            return head
        telling = (word for word in reversed(self.words[phrase.first : phrase.last]) if tells(word))
        return next(telling, self.words[phrase.last - 1])

    def content(self, phrase: Phrase) -> list[Word]:
        """The content words of a phrase."""
        return [word for word in self.words[phrase.first : phrase.last] if word.content]

    @property
    def agents(self) -> list[Phrase]:
        """Those that do it."""
        if self.clause.passive:
            return [one for one in self.clause.obliques if one.preposition == "by"]
        return self.clause.subjects

    @property
    def patients(self) -> list[Phrase]:
        """Those that it is done to."""
        return self.clause.subjects if self.clause.passive else self.clause.objects


def may_be_same(one: SaidClause, mine: Phrase, other: SaidClause, yours: Phrase, context: Context) -> bool:
    """True if two phrases may speak of the same, as far as their words tell."""
    ours, theirs = one.head(mine), other.head(yours)
    if not tells(ours) or not is_known(ours, context.sources):
        return True
    if not tells(theirs):
        # Whom a text names is not the one who tells it; other pronouns may stand for what came before.
        third = theirs.plain.split("'")[0] in word_class("person")
        return theirs.plain != "i" and (not third or _may_stand_for(ours, other, yours, context))
    if root(ours) == root(theirs):
        return not (_told_apart(one, mine, other, yours) or _of_others(one, mine, other, yours))
    if same_word(ours, theirs):  # a word that the sentence has itself is not meant by a synonym
        return other.unit is None or root(ours) not in other.unit.known
    elsewhere = [word for at, word in enumerate(other.words) if not yours.first <= at < yours.last]
    inside = any_same([ours], other.content(yours)) or (
        any_same([theirs], one.content(mine)) and not any_same([ours], elsewhere)
    )
    return inside or _one_thing(root(ours), root(theirs), context.sources)


def _may_stand_for(ours: Word, other: SaidClause, yours: Phrase, context: Context) -> bool:
    """True if a pronoun may stand for a word: one of its sentence, or of those before where it is their subject."""
    unit = other.unit
    if unit is None or any_same([ours], other.words[: yours.first]):
        return True
    earlier = any(tells(word) for word in other.words[: yours.first])
    before = [] if earlier else before_pronoun(unit, context)
    if not earlier and (not before or subject_of(before[-1].text) == frozenset()):
        return True
    return any(context.sources.said_as(root(ours)) in each.known for each in before)


def _of_others(one: SaidClause, mine: Phrase, other: SaidClause, yours: Phrase) -> bool:
    """True if what stands beside two phrases tells them apart: "the guarantee on the pump", "that on the boiler"."""
    for phrase in one.clause.obliques:
        theirs = [
            each
            for each in other.clause.obliques
            if each.beside == yours.head and each.preposition == phrase.preposition and each.first < other.clause.verb
        ]
        if phrase.beside == mine.head and phrase.first < one.clause.verb and theirs and tells(one.head(phrase)):
            own = [word for each in other.clause.phrases for word in other.content(each)]
            return not any(same_word(one.head(phrase), word) for word in own)
    return False


def _one_thing(one: str, other: str, sources: Sources) -> bool:
    """True if some sentence puts two nouns side by side as names of one thing: "the treasurer, Olga Brandt"."""
    both = set(sources.postings.get(one, ())).intersection(sources.postings.get(other, ()))
    for number in sorted(both)[:_MOST_UNITS]:
        words = words_of(sources.units[number].text)
        places = [[at for at, word in enumerate(words) if root(word) == name] for name in (one, other)]
        for low, high in (sorted(pair) for pair in product(*places)):
            if high - low <= _BESIDE and all(_is_between(word) for word in words[low + 1 : high]):
                return True
    return False


def _is_between(word: Word) -> bool:
    return word.initial or word.plain in word_class("naming")


def _told_apart(one: SaidClause, mine: Phrase, other: SaidClause, yours: Phrase) -> bool:
    """True if other words of two phrases with one head tell two things apart: "block A", "blocks B and C"."""
    ours, theirs = one.content(mine), other.content(yours)
    named, others = ({word.plain for word in words if word.number or word.capital} for words in (ours, theirs))
    if named and others and named.isdisjoint(others):
        return True
    whole, part = (
        {word.plain for word in said.words[phrase.first : phrase.last]}
        for said, phrase in ((one, mine), (other, yours))
    )
    before = {word.plain for word in other.words[max(0, yours.first - 1) : yours.first]}
    if whole & word_class("whole") and not part & word_class("whole") and (part | before) & word_class("part"):
        return True
    kinds, other_kinds = ([word for word in words if not same_word(word, one.head(mine))] for words in (ours, theirs))
    elsewhere = [word for at, word in enumerate(other.words) if not yours.first <= at < yours.last]
    return bool(other_kinds) and any(any_same([kind], elsewhere) and not any_same([kind], theirs) for kind in kinds)


def root(word: Word) -> str:
    """The stem of a word as passages have it."""
    return stem(without_accents(word.plain))


def tells(word: Word) -> bool:
    """True if a word says of whom or what it is."""
    return word.content and not word.number and word.plain.split("'")[0] not in _untelling()


@cache
def _untelling() -> frozenset[str]:
    return word_class("pronoun") | word_class("vague") | word_class("time")


def is_known(word: Word, sources: Sources) -> bool:
    """True if some source has a word, or one that may stand for it."""
    return sources.said_as(root(word)) in sources.postings


def any_same(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """True if any of some words may stand for any of others."""
    return any(same_word(one, other) for one in ours for other in theirs)
