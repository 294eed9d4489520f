"""Polarity: a claim denies what the sentences about the same thing say, or says what they deny, in any wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import is_quoted
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.contrasts import UNITS, denies_softly
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import ROLES, is_negation
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.terms import stem

_ABOUT = 0.6
"""Share of a claim's words, figures aside, that a sentence holds which is about the same."""
_SURELY = 0.85
"""The same, for a sentence that may deny the claim, and not only leave it in doubt."""
_FEWEST = 3
"""Content words of a claim that any such sentence may deny; a shorter one only a sentence that says nothing else."""
_LONGEST = 60
"""Words of either; in a longer sentence a negation may belong to something else."""
_SCOPE = 6
"""Words after a negation that its scope may reach."""
LIMITS = frozenset("later less more fewer only earlier exceed exceeds exceeded exceeding than greater longer".split())
"""Words with which a negation makes a bound."""
_PARTIAL = frozenset(["all", "every", "each", "both", "everyone", "everybody", "always", "entirely"])
"""Words with which a negation denies only a part."""
_LIGHT = frozenset(
    "required require obliged obligated allowed permitted entitled able event any way party parties case".split()
)
"""Words between a negation and the word that it turns around."""


def polarity_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim denies where the sentences about the same thing deny, and only there."""
    if is_quoted(said, evidence, context) or len(words := words_of(said.plain)) > _LONGEST:
        return []
    about = {one: weight for one, weight in said.wanted.items() if not one[0].isdigit()}
    near = []
    for unit, _ in evidence.candidates:
        held = share(context.sources.told_of(unit), about) if unit.fact is None else 0.0
        if held >= _ABOUT and len(unit.stems) <= _LONGEST:
            near.append((unit, held))
    if not near or any(ours == theirs for ours, theirs in (_denying(words, unit, context) for unit, _ in near)):
        return []
    unit, held = near[0]
    ours, _ = _denying(words, unit, context)
    reason = "the answer denies what the source says" if ours else "the answer says what the source denies"
    alone = len(said.wanted) >= _FEWEST or unit.known <= said.wanted.keys()
    denies = alone and held >= _SURELY
    return [Difference("negated", reason, (said.start, said.end), unit, denies=denies, doubts=True)]


def _denying(words: Sequence[Word], unit: Unit, context: Context) -> tuple[bool, bool]:
    """Two flags, of the claim and of the sentence: True if it denies something that the other states."""
    theirs = words_of(unit.text)
    here, there = _stems(words, context), _stems(theirs, context)
    shared = frozenset(here).intersection(there)
    our_turned, our_scope = _turned(words, here, shared)
    their_turned, their_scope = _turned(theirs, there, shared)
    return bool(our_turned - their_scope), bool(their_turned - our_scope)


def _stems(words: Sequence[Word], context: Context) -> list[str]:
    """The stem of each content word as the sources say it; empty for any other."""
    content = (is_content(word) and not word.number and word.plain not in UNITS for word in words)
    return [context.sources.said_as(stem(word.plain)) if own else "" for word, own in zip(words, content, strict=True)]


def _turned(
    words: Sequence[Word], stems: Sequence[str], shared: AbstractSet[str]
) -> tuple[AbstractSet[str], AbstractSet[str]]:
    """The shared stems that a negation turns around and nothing affirms, and all that stand near behind one.

    Two negations of a word undo each other.
    """
    turned: Counter[str] = Counter()
    scope: set[str] = set()
    for index, word in enumerate(words):
        behind = range(index + 1, min(len(words), index + 1 + _SCOPE))
        hard = is_negation(word.plain) and bool(behind) and words[index + 1].plain not in LIMITS
        if word.plain == "no" and behind and words[index + 1].number:  # "No. 17"
            continue
        if hard and words[index + 1].plain in _PARTIAL:
            scope.update(stems)  # "not all did" may say what "some did not" says
            continue
        if hard or denies_softly(word.plain):  # "unable to walk" may say what "cannot walk" says
            scope.update(stems[place] for place in behind)
        if hard:
            said = (place for place in behind if stems[place] and words[place].plain not in _LIGHT | ROLES)
            turned.update(stems[place] for place in [*said][:1])
    return {one for one, count in turned.items() if one in shared and count % 2 and stems.count(one) == count}, scope
