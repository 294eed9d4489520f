"""Plans: what a source leaves open, asks for or is still thinking about is not told as done.

"A second café has been opened" has the words of "We have been asked to open a second café". Wherever the words of the
claim stand in the sentence, and however freely they are put, a claim that tells as fact what the nearest sentence
leaves open, and that has no word of reserve itself, is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from spanwise.guard.evidence import ClaimStems, Context, Difference, Evidence, ReadClaim, claim_stems
from spanwise.guard.lexicon import entries, lexicon
from spanwise.guard.sentence import words_of
from spanwise.guard.units import Unit
from spanwise.text.terms import stem

_LEAST = 0.3
"""Share of a claim that a sentence has which tells of the same.

Of claims of our own, half of them false, that nothing else doubted, 17 false ones and no true one fell; of 1,482 right
claims of models one; of sixty true ones that were not looked at, two.
"""
_ALREADY = re.compile(r"\balready\b", re.IGNORECASE)
_BEFORE = 40
"""Characters before the claim's words in a sentence among which what governs them stands."""


def what_is_open_is_not_done(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim tells as done, or as sure to come, what the sentence nearest to it leaves open."""
    future = _pattern("future").search(said.plain) is not None
    if _pattern("reserved").search(said.plain) or not (future or _pattern("done").search(said.plain)):
        return []
    if not future and _pattern("to_come").search(said.plain):
        return []
    claim = claim_stems(said, context)
    units = [unit for unit, _ in evidence.candidates if unit.fact is None and not unit.titled]
    every = claim.weights.keys()
    told, _, unit = max(
        ((claim.share(claim.said_in(unit.known), every), -unit.number, unit) for unit in units),
        key=lambda one: one[:2],
        default=(0.0, 0, None),
    )
    if unit is None or told < _LEAST or (left := _left_open(claim, unit, future=future)) is None:
        return []
    reason = f'the source leaves open what the answer tells as {"sure" if future else "done"} ("{left}")'
    return [Difference("overstated", reason, (said.start, said.end), unit, doubts=True)]


def nothing_is_there_before_it_is_told(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim adds that something is so already."""
    del context
    already = _ALREADY.search(said.plain)
    if already is None or any(_ALREADY.search(unit.text) for unit, _ in evidence.candidates):
        return []
    at = said.start + already.start(), said.start + already.end()
    return [Difference("overstated", 'the answer adds "already", which no line near says', at, doubts=True)]


def _left_open(claim: ClaimStems, unit: Unit, *, future: bool) -> str | None:
    """The words of a sentence that leave open what it says with the claim's."""
    shared = [word for word in words_of(unit.text) if word.content and claim.has(stem(word.plain))]
    if not shared or _pattern("settled").search(unit.text):
        return None
    first, last = shared[0].start - _BEFORE, shared[-1].end
    pattern = _pattern("undecided" if future else "open")
    return next(
        (match[0] for match in pattern.finditer(unit.text) if first < match.end() and match.start() < last), None
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """A pattern of the phrases of a list; "*" stands for the end of a word."""
    phrases = sorted((" ".join(words) for words in entries(lexicon()["plans"][name], "|")), key=len, reverse=True)
    written = "|".join(re.escape(phrase).replace(r"\*", r"\w{0,12}") for phrase in phrases)
    return re.compile(rf"(?<![\w'])(?:{written})(?!\w)", re.IGNORECASE)
