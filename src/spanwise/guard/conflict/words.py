"""Comparators of words: denials, antonyms, modals, quantifiers, names and who does what to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanwise.guard.conflict.lexicon import lexicon
from spanwise.guard.conflict.pair import Difference, Edit, Pair, found
from spanwise.guard.conflict.scope import is_duty, one_subject
from spanwise.guard.conflict.sentence import DENIALS, Sentence, Token
from spanwise.guard.contrasts import MONTHS, STRENGTHS
from spanwise.guard.statements import AUXILIARIES, ROLES, is_negation, meaning

_NO_ADDITION = frozenset(["true", "case", "correct"]) | DENIALS
_LIMITS = frozenset(["only", "limited", "withstanding", "necessarily", "just", "merely", "solely"])
"""Behind these a "not" denies nothing that its absence affirms."""
_NOBODY = frozenset(["neither", "no", "none", "nobody", "nothing", "nor", "never"])
_NEAR = 3
"""Words between a modal and what denies it."""
_FEWEST_BESIDE_NAME = 2
"""Content words that two sentences with other names have in common."""
_LONGEST_NAME = 6


def turned(pair: Pair) -> Difference | None:
    """A word in the place of its antonym, of another modal, of another quantifier, and nothing else."""
    for edit in pair.edits:
        ours, theirs = ([token for token in side if _turns(token)] for side in (edit.ours, edit.theirs))
        if len(ours) != 1 or len(theirs) != 1 or not _alone(pair, edit, ours[0], theirs[0]):
            continue
        if reason := _contrast(ours[0], theirs[0], pair):
            return found("polarity", reason, ours, theirs)
    return None


def _alone(pair: Pair, edit: Edit, one: Token, other: Token) -> bool:
    """True if two words are all that differs."""
    if pair.different or pair.labels or any(change is not edit for change in pair.changes):
        return False
    left, right = edit.telling
    return set(left) <= {one} and set(right) <= {other}


def _turns(token: Token) -> bool:
    words = lexicon()
    return (
        token.content
        or token.denies
        or token.plain in STRENGTHS
        or token.plain in words.quantifiers
        or any(token.plain in pair for pair in words.opposites)
    )


def _contrast(one: Token, other: Token, pair: Pair) -> str:
    """Why two words in one place contradict each other; empty where they do not."""
    words = lexicon()
    if words.opposite(one.plain, other.plain):
        return "one says the opposite of the other"
    ours, theirs = STRENGTHS.get(one.plain), STRENGTHS.get(other.plain)
    if ours is not None and theirs is not None and ours != theirs and not _denied(pair.one, one):
        return "one demands what the other leaves open"
    if words.other_share(one.plain, other.plain):
        return "one says of all what the other says of a part or of none"
    return ""


def _denied(said: Sentence, modal: Token) -> bool:
    """True if a modal is denied: nobody who may not need be told that he shall not."""
    place = said.tokens.index(modal)
    before = any(token.plain in _NOBODY for token in said.tokens[:place])
    return before or any(is_negation(token.plain) for token in said.tokens[place + 1 : place + 1 + _NEAR])


def negation(pair: Pair) -> Difference | None:
    """A denial in one of the two and none in the other, and nothing else that is not the same."""
    if pair.different or pair.labels:
        return None
    ours = [token for edit in pair.edits for token in _denials(edit.ours)]
    theirs = [token for edit in pair.edits for token in _denials(edit.theirs)]
    if len(ours) % 2 == len(theirs) % 2:
        return None
    rest = [edit for edit in pair.changes if not (_denials(edit.ours) or _denials(edit.theirs))]
    denying = [edit for edit in pair.edits if len(_denials(edit.ours)) % 2 != len(_denials(edit.theirs)) % 2]
    if any(map(_adds, denying)) or not one_subject(Pair(pair.one, pair.other, pair.slots, tuple(rest), pair.share)):
        return None
    return found("polarity", "one says what the other denies", ours[:1], theirs[:1])


def _adds(edit: Edit) -> bool:
    """True if an edit holds content on one side only."""
    left, right = (
        {meaning(token.plain) for token in side if token.content and token.plain not in _NO_ADDITION}
        for side in (edit.ours, edit.theirs)
    )
    restricting = any(
        lexicon().has("restricting", token.plain) and not token.denies
        for side in (edit.ours, edit.theirs)
        for token in side
    )
    return bool(left ^ right) or (restricting and bool(left or right))


def _denials(tokens: Sequence[Token]) -> list[Token]:
    """The denials among some words; "neither ... nor" is one, "whether or not" none."""
    denials = [
        token
        for place, token in enumerate(tokens)
        if token.denies
        and (place + 1 >= len(tokens) or tokens[place + 1].plain not in _LIMITS)
        and not (place and tokens[place - 1].plain == "or" and token.plain == "not")
    ]
    return denials[:1] if {"neither", "nor"} <= {token.plain for token in denials} else denials


def name(pair: Pair) -> Difference | None:
    """Another name behind the verb; before it, it is another subject."""
    ours, theirs = pair.sole or ((), ())
    if not ours or not theirs or max(len(ours), len(theirs)) > _LONGEST_NAME:
        return None
    if all(token.plain.removesuffix("s") in MONTHS for token in (*ours, *theirs)):
        return found("date", "the dates differ", ours, theirs)
    beside = pair.one.content & pair.other.content
    if len(beside) < _FEWEST_BESIDE_NAME or not _two_names(pair, ours, theirs) or not _said_of(pair.one, ours[0]):
        return None
    return replace(found("name", "the names differ", ours, theirs), names=True)


def _two_names(pair: Pair, ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """True for names of two things, of which neither is a form of the other or found elsewhere in its sentence."""
    left, right = ({token.key for token in side} for side in (ours, theirs))
    if not all(_proper(token) for token in (*ours, *theirs)) or left & right:
        return False
    elsewhere = left <= set(pair.other.keys) or right <= set(pair.one.keys)
    return not (elsewhere or _short(ours, theirs) or _short(theirs, ours))


def _proper(token: Token) -> bool:
    """True for a word of a name that is no party's and more than the letter of a part or a plan."""
    return token.name and token.content and len(token.plain) > 1 and token.plain not in ROLES


def _short(letters: Sequence[Token], words: Sequence[Token]) -> bool:
    """True if a name is the initials of another, or a part of one word of it: "FAA", "Ben"."""
    if len(letters) != 1:
        return False
    one = letters[0].plain.replace(".", "")
    return one == "".join(token.plain[0] for token in words) or any(token.plain.startswith(one) for token in words)


def _said_of(said: Sentence, token: Token) -> bool:
    """True if a verb stands before a word."""
    before = said.tokens[: said.tokens.index(token)]
    words = lexicon()
    return any(
        word.plain in AUXILIARIES or words.has("irregular", word.plain) or (word.plain.endswith("ed") and not word.name)
        for word in before
    )


def roles(pair: Pair) -> Difference | None:
    """Two names that change places in what is told as a fact; duties may be mutual."""
    ours, theirs = pair.one.tokens, pair.other.tokens
    if len(ours) != len(theirs) or pair.one.stated != pair.other.stated or is_duty(pair):
        return None
    at = [place for place in range(len(ours)) if ours[place].key != theirs[place].key]
    if not at:
        return None
    middle, turned_round = ours[at[0] : at[-1] + 1], theirs[at[0] : at[-1] + 1]
    for first in range(1, min(_LONGEST_NAME, len(middle) - 1)):
        for last in range(1, min(_LONGEST_NAME, len(middle) - first)):
            head, between, tail = middle[:first], middle[first:-last], middle[-last:]
            if not all(token.name or token is ours[0] for token in (*head, *tail)):
                continue
            if _keys(turned_round) == [*_keys(tail), *_keys(between), *_keys(head)]:
                symmetric = all(not token.content for token in between) or any(
                    lexicon().has("symmetric", token.plain) for token in between
                )
                return None if symmetric else found("name", "who does what to whom differs", middle, turned_round)
    return None


def _keys(tokens: Sequence[Token]) -> list[str]:
    return [token.key for token in tokens]
