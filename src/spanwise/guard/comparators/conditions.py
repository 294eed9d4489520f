"""Conditions: what a source says only under a condition or with an exception, the claim does not say without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.words import words_of
from spanwise.text.framing.frames import frames
from spanwise.text.terms import terms

_STRICT = ("unless", "except", "only if", "provided", "on condition", "as long as", "so long as", "until")
"""Beginnings of conditions without which a statement is another one, in any kind of sentence."""
_RULES = frozenset("may must shall can will should cannot".split())
"""Words of rules, of which every condition counts."""
_PART = re.compile(r"[;.:]\s|\bbut\s")
"""Where a sentence goes on to what has no part in a condition."""
_LEAST = 0.5
"""Share of the claim's words that the sentence outside of its condition has."""


def conditions_are_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim that repeats a rule keeps its condition, or says in its own way that there is one."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or not pair.one_unit:
        return []
    words = frozenset(word.plain for word in words_of(said.sentence)) & words_of_class("scope", "conditional")
    text, known = pair.unit.text, frozenset(terms(said.sentence))
    for frame in frames(text):
        cue = text[frame.cue[0] : frame.cue[1]].lower()
        if frame.kind != "conditional" or frame.start < frame.cue[1]:
            continue
        strict = cue.startswith(_STRICT) or text[: frame.cue[0]].rstrip().endswith("only")
        ends = [0, *(mark.end() for mark in _PART.finditer(text)), len(text)]
        first = max(end for end in ends if end <= frame.cue[0])
        last = min(end for end in ends if end >= frame.end)
        rest = f"{text[first : frame.cue[0]]} {text[frame.end : last]}"
        if not words <= frozenset(word.plain for word in words_of(rest)):
            continue
        rule = not _RULES.isdisjoint(word.plain for word in words_of(rest))
        condition = frozenset(terms(text[frame.start : frame.end]))
        stated = condition - frozenset(terms(rest))
        if not (strict or rule) or not stated or stated & known:
            continue
        if len(known & frozenset(terms(rest))) >= _LEAST * len(known):
            reason = f'the source says it with a condition: "{text[frame.cue[0] : frame.end]}"'
            return [Difference("overstated", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []
