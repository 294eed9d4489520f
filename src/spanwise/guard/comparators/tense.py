"""Times of deeds: a claim tells as done what its source only plans, or as being so what it says was so once."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.operators import is_content
from spanwise.text.framing.tense import has_auxiliary, is_over, time_of

_NEAR = 6
"""Words from a verb to its subject, and to what follows it, at most."""
_PLANNED = 'the source only plans what the answer tells as done with "{}"'
_WAS_SO = 'the source says what "{}" tells of an earlier time only'


def tense_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """What a source only plans is not told as done, and what was so once is not told as being so."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    own, theirs = [word.plain for word in pair.ours], [word.plain for word in pair.theirs]
    content = [index for index, word in enumerate(pair.ours) if is_content(word)]
    for subject, index, behind in zip(content, content[1:], [*content[2:], None], strict=False):
        word, place = pair.ours[index], pair.match[index]
        if place < 0 or word.initial or not _between_the_same(pair, subject, place, behind):
            continue
        if (told := _told(own, index, theirs, place)) is None or (told == _WAS_SO and not _once_only(said, pair)):
            continue
        at = said.start + word.start, said.start + word.end
        return [Difference("overstated", told.format(word.plain), at, pair.unit, doubts=True)]
    return []


def _between_the_same(pair: Pair, before: int, place: int, behind: int | None) -> bool:
    """True if the claim's content words before and behind a verb are those that the sentence has around its own."""
    if not 0 <= pair.match[before] < place <= pair.match[before] + _NEAR:
        return False
    return behind is None or place < pair.match[behind] <= place + _NEAR


def _told(own: Sequence[str], index: int, theirs: Sequence[str], place: int) -> str | None:
    """What is to say of a verb of the claim beside the sentence's; nothing where both tell one time."""
    ours, other = time_of(own, index), time_of(theirs, place)
    if ours == "done" and other == "planned":
        # "The winner notified on Monday" may well be the one who will be notified.
        return _PLANNED if own[index] != theirs[place] or has_auxiliary(own, index) else None
    return _WAS_SO if ours == "going on" and other == "done" and own[index] != theirs[place] else None


def _once_only(said: ReadClaim, pair: Pair) -> bool:
    return is_over(pair.unit.text) and not is_over(said.sentence)
