"""Rivals: two names of a claim, or a name and a thing, that stand in each other's place of the sentence.

Whoever does a thing and whom it is done to stand behind small words: "sold by Ann to Tom" is no paraphrase of "sold by
Tom to Ann".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.contrasts import MONTHS
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import BE
from spanwise.guard.sentence.words import Word

_NEARLY_ALL = 0.75
"""Share of the claim's content words that the sentence has, for it to be the one that the claim is made from."""
_FEWEST = 4
"""Content words that both have."""
_SPARE = frozenset("the a an its their his her our your my this that these those another other".split())
"""Small words between a preposition and its word."""
_LEADS = frozenset("by to from of in on with for at against than".split())


def names_change_no_places(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No two names, or a name and a thing, of the claim stand in each other's place of the sentence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or _passive(pair.ours) != _passive(pair.theirs):
        return []
    content = [index for index, word in enumerate(pair.ours) if is_content(word)]
    shared = [index for index in content if pair.match[index] >= 0]
    places = [pair.match[index] for index in shared]
    if len(shared) < max(_FEWEST, _NEARLY_ALL * len(content)) or _rising(places) == len(places):
        return []
    runs = _runs(shared, pair)
    for first, last in combinations(range(len(runs)), 2):
        turned = [*runs[:first], runs[last], *runs[first + 1 : last], runs[first], *runs[last + 1 :]]
        in_order = [pair.match[index] for run in turned for index in run]
        if _rising(in_order) == len(in_order) and _in_place_of(runs[first], runs[last], pair):
            one, other = runs[first][0], runs[last][0]
            if pair.in_one_figure(one, other):
                continue
            fault = _fault(pair.ours[one], pair.theirs[pair.match[other]], pair, said)
            return [replace(fault, denies=pair.ours[one].number and 2 * pair.alignment.share >= 1)]
    return []


def _runs(shared: Sequence[int], pair: Pair) -> list[list[int]]:
    """The claim's words that the sentence has, cut where it has another one between them, or another order."""
    runs = [[shared[0]]]
    for one, other in pairwise(shared):
        low, high = pair.match[one], pair.match[other]
        if low < high and not any(map(is_content, pair.theirs[low + 1 : high])):
            runs[-1].append(other)
        else:
            runs.append([other])
    return runs


def _in_place_of(first: Sequence[int], last: Sequence[int], pair: Pair) -> bool:
    """True if two parts, one of them a name, have the claim's small words before them in each other's place.

    Two figures, and two names with a verb between them, need none: "Ann hired and Tom trained them".
    """
    one, other = ([pair.ours[index] for index in run] for run in (first, last))
    if any(word.number for word in (*one, *other)):
        return len(one) == len(other) == 1 and one[0].number and other[0].number
    names = [_is_name(words) for words in (one, other)]
    if all(names):
        return any(_acts(word) for word in pair.ours[first[-1] + 1 : last[0]])
    leads = [_lead(pair.ours, first[0]), _lead(pair.ours, last[0])]
    theirs = [_lead(pair.theirs, pair.match[last[0]]), _lead(pair.theirs, pair.match[first[0]])]
    return (any(names) or "by" in leads) and leads == theirs and any(leads)


def _is_name(words: Sequence[Word]) -> bool:
    """True for "Tarn", and for "the city of Tarn"."""
    return all(word.initial and word.plain not in MONTHS for word in words) or (
        words[-1].capital and words[-1].plain not in MONTHS
    )


def _acts(word: Word) -> bool:
    return is_content(word) and not word.initial and not word.number


def _lead(words: Sequence[Word], index: int) -> str:
    """The preposition before a word; empty without one."""
    before = [word.plain for word in words[max(0, index - 2) : index] if word.plain not in _SPARE][-1:]
    return before[0] if before and before[0] in _LEADS else ""


def _passive(words: Sequence[Word]) -> bool:
    plain = [word.plain for word in words]
    return "by" in plain and not BE.isdisjoint(plain)


def _rising(places: Sequence[int]) -> int:
    """Length of the longest rising subsequence."""
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


def _fault(ours: Word, theirs: Word, pair: Pair, said: ReadClaim) -> Difference:
    written, source = said.plain[ours.start : ours.end], pair.unit.text[theirs.start : theirs.end]
    reason = f'the answer has "{written}" where the source has "{source}"'
    return Difference("swapped", reason, (said.start + ours.start, said.start + ours.end), pair.unit, doubts=True)
