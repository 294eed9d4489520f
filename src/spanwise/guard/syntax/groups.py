"""Verb groups: "may not have been paid", "to spend", "carrying", and when a word that may be a noun is a verb."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from spanwise.guard.lexicon import is_negation
from spanwise.guard.syntax.lexicon import Form, word_class
from spanwise.guard.syntax.reading import Kind, Reading

_CONTRACTED = re.compile(r"(?:it|he|she|they|we|you|i|there|that|who)'(s|re|ve|ll|d|m)")
_WRITTEN_OUT = {"ll": "will", "ve": "have", "d": "would", "re": "are", "m": "are", "s": "is"}
_TELLS_PAST = frozenset("was were had did has have wasn't weren't hadn't didn't hasn't haven't".split())
_LIKE_MODALS = frozenset("able unable allowed required obliged going".split())
"""Behind a form of "be" and before "to"."""
_OBJECTS = frozenset("him them us me one ones".split())
_NO_INFINITIVE = frozenset("due according close next up".split())
"""Before a "to" that is a preposition."""
_MOST_ADVERBS = 3


class Group(NamedTuple):
    """A verb group that ends before the word `end`."""

    end: int
    verb: int
    lemma: str
    kind: Kind = "finite"
    passive: bool = False
    negated: bool = False
    bare: bool = False
    unsure: bool = False
    """True if its form is that of a past and of a participle."""
    modal: str = ""
    past: bool = False


def verb_group(reading: Reading, at: int) -> Group | None:
    """The verb group that begins at a word; None where none does."""
    found = _begun(reading, at)
    if found is None:
        return None
    own = reading.plain[at : found.end]
    modal = next((one for one in own if one in word_class("modal")), "")
    helped = any(reading.is_a(place, "be", "have", "do", "modal") for place in range(at, found.verb))
    helped = helped or (found.verb > at and own[0] in ("get", "gets"))
    past = any(one in _TELLS_PAST for one in own) or (not helped and bool(reading.form(found.verb, "past")))
    return found._replace(modal=modal, past=past and not found.bare)


def contracted(word: str) -> str:
    """The auxiliary of a pronoun that has one ("it's"); empty for any other word."""
    found = _CONTRACTED.fullmatch(word) if "'" in word else None
    return _WRITTEN_OUT[found[1]] if found else ""


def _begun(reading: Reading, at: int) -> Group | None:
    if contracted(reading.plain[at]) or reading.is_auxiliary(at):
        return _with_auxiliary(reading, at, "finite")
    if reading.plain[at] == "to":
        return _infinitive(reading, at)
    if not reading.is_adverb(at):
        found = _lexical(reading, at, at - 1)
        got = found is not None and found.lemma == "get" and found.kind == "finite"
        return _main_verb(reading, at + 1, "be", found) or found if found is not None and got else found
    place = reading.past_adverbs(at)
    if reading.ends(at + 1) or reading.ends(place) or place - at > _MOST_ADVERBS:
        return None
    behind = _lexical(reading, place, at - 1)
    return None if behind is None else behind._replace(negated=_negative(reading, at, place))


def _infinitive(reading: Reading, at: int) -> Group | None:
    place = reading.past_adverbs(at + 1)
    if reading.ends(place):
        return None
    if reading.plain[place] in ("be", "have"):
        return _with_auxiliary(reading, place, "infinitive")
    lemma = reading.form(place, "base")
    done = reading.form(place + 1, "part") and reading.is_a(place + 2, "preposition")  # "to damage caused by frost"
    if not lemma or done or (at and reading.plain[at - 1] in _NO_INFINITIVE):
        return None
    return Group(place + 1, place, lemma, "infinitive", False, _negative(reading, at - 1, place), True)


def _negative(reading: Reading, first: int, last: int) -> bool:
    own = reading.plain[max(0, first) : last]
    return any((is_negation(word) and word != "without") or word in word_class("negative") for word in own)


def _with_auxiliary(reading: Reading, at: int, kind: Kind) -> Group:
    """A group that begins with an auxiliary."""
    place, last = at + 1, contracted(reading.plain[at]) or reading.plain[at]
    bare = kind == "infinitive" or last in word_class("modal") | word_class("do")
    while place < len(reading.words) and reading.breaks[place] != ";":
        if (obliged := _obliged(reading, place, last)) > place:
            bare, last, place = True, "must", obliged
        elif reading.is_a(place, "modal", "be", "have", "do"):
            last, place = reading.plain[place], place + 1
        elif reading.is_adverb(place) and not reading.breaks[place]:
            place += 1
        else:
            break
    made = Group(place, at, _own_lemma(last), kind, False, _negative(reading, at, place), bare)
    return _main_verb(reading, place, last, made) or made


def _obliged(reading: Reading, place: int, last: str) -> int:
    """Where the verb stands behind "has to" or "is able to"; the place itself where there is none."""
    if reading.plain[place] == "to" and last in word_class("have") | word_class("be"):
        return place + 1 if reading.form(place + 1, "base") or reading.is_a(place + 1, "be", "have") else place
    long = reading.plain[place] in _LIKE_MODALS and reading.plain[place + 1 : place + 2] == ["to"]
    return place + 2 if long and (reading.form(place + 2, "base") or reading.is_a(place + 2, "be", "have")) else place


def _own_lemma(auxiliary: str) -> str:
    return next((name for name in ("have", "do") if auxiliary in word_class(name)), "be")


def _main_verb(reading: Reading, place: int, last: str, made: Group) -> Group | None:
    """The verb behind an auxiliary; None where that is the verb itself."""
    if place >= len(reading.words) or reading.breaks[place] == ";":
        return None
    made = made._replace(end=place + 1, verb=place)
    if last in word_class("be"):
        if lemma := reading.form(place, "part"):
            return made._replace(lemma=lemma, passive=True)
        lemma = "" if reading.ends(place + 1) else reading.form(place, "ing")
        return made._replace(lemma=lemma) if lemma else None
    perfect = last in word_class("have")
    lemma = reading.form(place, "part" if perfect else "base")
    return made._replace(lemma=lemma, bare=not perfect) if lemma else None


def _lexical(reading: Reading, at: int, before: int) -> Group | None:
    """A verb without an auxiliary; `before` is the index of the word before it and its adverbs."""
    kinds = {form for _, form in reading.forms(at)}
    previous = reading.plain[before] if before >= 0 and not reading.breaks[before + 1] else ""
    if not kinds or (previous in word_class("determiner") - word_class("pointing")):
        return None
    if "ing" in kinds:
        made = Group(at + 1, at, reading.form(at, "ing"), "ing")
        return made if _is_gerund(reading, at, previous) else None
    if previous in word_class("preposition"):
        return None
    if kinds & {"past", "part"} and "base" not in kinds:
        unsure = {"past", "part"} <= kinds
        made = Group(at + 1, at, reading.form(at, "past", "part"), unsure=unsure)
        return _past(reading, made, kinds, previous)
    return _present(reading, at, before, kinds) if reading.needs_verb else None


def _present(reading: Reading, at: int, before: int, kinds: Collection[Form]) -> Group | None:
    made = Group(at + 1, at, reading.form(at, "s") or reading.form(at, "base"))
    apart = reading.breaks[before + 1] if before >= 0 else ";"
    previous = "" if apart else reading.plain[before]
    if previous in word_class("pronoun") | {"who", "which"} or (previous == "that" and reading.antecedents):
        return None if previous in _OBJECTS else made
    if previous in word_class("coordinator") or apart == ",":
        if apart == "," and reading.is_apposed and not reading.ends(at + 1):
            return made if "s" in kinds or reading.is_only_verb(at) else None
        return _coordinated(reading, made, kinds)
    if apart:
        imperative = "base" in kinds and reading.opens_object(at + 1) and reading.plain[at + 1] != "to"
        return made._replace(bare=True) if imperative else None
    behind = reading.last is not None and reading.last.last == before + 1
    return made if behind and _is_predicate(reading, at, kinds) else None


def _is_gerund(reading: Reading, at: int, previous: str) -> bool:
    """True if a form in -ing has phrases of its own, rather than being the noun or part of a noun phrase."""
    goes_on = not reading.ends(at + 1) and not reading.is_auxiliary(at + 1) and not reading.is_a(at + 1, "coordinator")
    if previous in word_class("either"):
        return True
    if previous in word_class("preposition") | word_class("opening"):
        return goes_on and not reading.is_a(at + 1, "preposition")
    if previous in word_class("determiner"):
        return False
    if not previous:
        return at > 0 and goes_on
    if reading.last is not None and reading.last.last == at and reading.last.preposition != "of":
        return goes_on
    joined = previous in word_class("coordinator") and reading.current is not None and reading.current.kind == "ing"
    return joined and reading.opens_object(at + 1)


def _past(reading: Reading, made: Group, kinds: Collection[Form], previous: str) -> Group | None:
    at = made.verb
    participle = made._replace(kind="part", passive=True)
    if reading.connective and not reading.front:  # "when asked", "unless agreed otherwise"
        return participle if "part" in kinds else made
    if previous in word_class("pronoun") | word_class("relative"):
        return made._replace(unsure=False) if "past" in kinds else participle
    behind = reading.last is not None and at - 1 <= reading.last.last <= at
    if previous in word_class("coordinator") or (not previous and at > 0):
        return _joined_past(reading, made, kinds, previous, behind)
    if at == 0 or not behind:
        return None
    return made if "past" in kinds else participle


def _joined_past(reading: Reading, made: Group, kinds: Collection[Form], previous: str, behind: bool) -> Group | None:
    """A past form behind "and" or a comma."""
    at = made.verb
    if reading.current is None and not reading.front:
        return None
    object_next = reading.opens_object(at + 1)
    if reading.current is not None and reading.current.passive and "part" in kinds and not reading.since:
        return made._replace(passive=not object_next, unsure=False)
    attributive = not reading.ends(at + 1) and not reading.is_closed(at + 1) and not object_next
    by_next = reading.plain[at + 1 : at + 2] == ["by"]
    unsure = made.unsure and (by_next or not previous)  # "..., played by Robin Wright", "..., founded in 1887"
    return None if attributive and not behind else made._replace(unsure=unsure)


def _coordinated(reading: Reading, made: Group, kinds: Collection[Form]) -> Group | None:
    """A present form behind "and" or a comma: it has to be of one kind with the verb before it."""
    current, behind = reading.current, made.verb + 1
    if current is None:
        return None
    object_next = reading.opens_object(behind)
    if current.passive and "part" in kinds and not object_next:
        return made._replace(passive=True)
    if "base" in kinds and (current.bare or current.kind == "infinitive"):
        kind: Kind = "infinitive" if current.kind == "infinitive" else "finite"
        follows = object_next or reading.is_a(behind, "preposition")
        return made._replace(kind=kind, bare=True) if follows else None
    on = "s" in kinds and bool(reading.form(current.verb, "s")) and reading.is_a(behind, "preposition")
    return made if object_next or on else None  # "blinks and stays on"


def _is_predicate(reading: Reading, at: int, kinds: Collection[Form]) -> bool:
    """True if a form that may be a noun too is the verb of the phrase before it."""
    last = reading.last
    if (
        last is not None
        and (reading.is_only_verb(at) or _is_last_chance(reading, at))
        and (reading.has_subject or reading.waiting)
    ):
        return True
    if last is None or (last.preposition and not reading.has_subject):
        return False
    plural, object_next = reading.is_plural(last.head), reading.opens_object(at + 1)
    if "s" in kinds and object_next and not plural:
        return True
    if reading.finite_ahead(at + 1):
        return False
    if "s" in kinds:
        return not plural or object_next
    joined = sum(not one.preposition for one in reading.front) > 1
    return plural or joined or object_next


def is_verb_in_phrase(reading: Reading, first: int, place: int, head: int) -> bool:
    """True if a word behind the head so far of a noun phrase is a verb rather than its next part."""
    kinds = {form for _, form in reading.forms(place)}
    if reading.form(place, "base", "s", "past") == "get" and reading.form(
        place + 1, "part"
    ):  # "blocks B and C get painted"
        return True
    if not kinds or reading.owns[place - 1]:
        return False
    object_next, closed_next = reading.opens_object(place + 1), reading.ends(place + 1) or reading.is_closed(place + 1)
    if "ing" in kinds:
        return object_next or (not closed_next and reading.plain[head].endswith("s"))
    if kinds & {"past", "part"} and "base" not in kinds:
        adjectives = head == first or (head == first + 1 and reading.is_a(first, "determiner"))
        noun_next = not closed_next and not object_next
        return not (adjectives and noun_next and reading.finite_ahead(place + 1))
    if not reading.needs_verb:
        return False
    sure = (reading.is_only_verb(place) or _is_last_chance(reading, place)) and bool(
        not reading.preposition or reading.has_subject or reading.waiting
    )
    return sure or _is_present_in_phrase(reading, place, head, kinds)


def _is_last_chance(reading: Reading, at: int) -> bool:
    """True if a sentence in which no other verb was found may have it here."""
    return reading.eager and not reading.ends(at + 1) and (reading.is_closed(at + 1) or reading.opens_object(at + 1))


def _is_present_in_phrase(reading: Reading, place: int, head: int, kinds: Collection[Form]) -> bool:
    object_next, plural = reading.opens_object(place + 1), reading.is_plural(head)
    subject = not reading.preposition or reading.has_subject
    if "s" in kinds and object_next and not plural and subject:
        return True
    if reading.finite_ahead(place + 1):
        return False
    if reading.preposition:
        follows = (
            not reading.ends(place + 1) and reading.is_closed(place + 1) and not reading.is_a(place + 1, "coordinator")
        )
        return kinds == {"s"} and follows and subject
    if "s" in kinds:
        verb_next = reading.form(place + 1, "base", "s", "past") and not reading.is_closed(place + 1)
        return object_next or not (plural or verb_next)  # "young cooks run it"
    return plural and reading.plain[place + 1 : place + 2] != ["of"]
