"""Words of one situation or kind: a claim says "snow" where the sentence that it was made from says "rain"."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.alignment import Pair
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import is_negation
from spanwise.guard.sentence import Word
from spanwise.text.related import apart, family_groups
from spanwise.text.terms import stem

_SAID = 0.6
"""Share of the rest of a claim's content words that a sentence has which it was made from."""

_DENIED_WITHIN = 2
"""Words before one in which a negation denies it."""


def words_stay_in_their_group(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No word of a claim stands where its sentence has one of the same family that says something else.

    The same is a place beside a content word that both have.
    """
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    content = [index for index, word in enumerate(pair.ours) if word.content]
    new = [index for index in content if pair.match[index] < 0 and family_groups(stem(pair.ours[index].plain))]
    if not new or sum(map(pair.explained, content)) < _SAID * (len(content) - 1):
        return []
    known = pair.unit.known
    for index in new:
        word = pair.ours[index]
        root = stem(word.plain)
        if pair.explained(index) or root in known or _is_denied(pair.ours, index):
            continue
        for place in _in_its_place(content.index(index), content, pair):
            if apart(root, stem(pair.theirs[place].plain)):
                other = pair.theirs[place]
                reason = f'the answer says "{word.plain}", the source "{other.plain}"'
                at = said.start + word.start, said.start + word.end
                return [Difference("swapped", reason, at, pair.unit, doubts=True)]
    return []


def _is_denied(words: Sequence[Word], at: int) -> bool:
    """True if a word stands behind a negation: "not rise" is no other thing than "stay"."""
    return any(is_negation(word.plain) for word in words[max(0, at - _DENIED_WITHIN) : at])


def _in_its_place(at: int, content: Sequence[int], pair: Pair) -> list[int]:
    """The words of the sentence that the claim lacks, right behind or before what it has before or behind a word."""
    theirs = [place for place, word in enumerate(pair.theirs) if word.content]
    beside = [(content[near], step) for near, step in ((at - 1, 1), (at + 1, -1)) if 0 <= near < len(content)]
    there = [theirs.index(pair.match[near]) + step for near, step in beside if pair.match[near] in theirs]
    places = [theirs[near] for near in there if 0 <= near < len(theirs)]
    return [place for place in places if place not in pair.match and not pair.theirs[place].number]
