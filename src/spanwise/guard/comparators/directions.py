"""Which way a comparison points: a claim says "longer" where the sentence that it was made from says "less"."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.lexicon import is_negation, words_of_class
from spanwise.guard.sentence import Word, words_of

_DENIED_WITHIN = 2
"""Words before a comparison in which a negation turns it round."""
_SAID = 0.75
"""Share of a claim's content words that a sentence has which it was made from."""


def directions_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim points up where the sentence that it was made from only points down."""
    ours = words_of(said.plain)
    own = _directions(ours)
    if len(own) != 1 or is_quoted(said, evidence, context):
        return []
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    compared = words_of_class("direction", "up") | words_of_class("direction", "down")
    content = [at for at, word in enumerate(pair.ours) if word.content and word.plain not in compared]
    others = _directions(pair.theirs)
    if len(others) != 1 or own == others or sum(map(pair.explained, content)) < _SAID * len(content):
        return []
    reason = f'the answer points the other way than "{pair.unit.text}"'
    return [Difference("negated", reason, (said.start, said.end), pair.unit, doubts=True)]


def _directions(words: Sequence[Word]) -> set[str]:
    """The sides to which the comparisons of a sentence point; a denied one may point anywhere."""
    found = set[str]()
    for at, word in enumerate(words):
        for side in ("up", "down"):
            if word.plain in words_of_class("direction", side):
                denied = any(is_negation(one.plain) for one in words[max(0, at - _DENIED_WITHIN) : at])
                found.update(("up", "down") if denied else (side,))
    return found
