"""Rivals: a word of a claim where the sentence that it is made from has another one, and two names that change places.

A paraphrase has words of its own too. So a word counts as a rival of the sentence's only if both stand beside the same
word, joined to it by the same small words, and the claim's says the opposite, another place in an order, or what the
passages call something else. Whoever does a thing and whom it is done to stand behind the same small words as well:
"sold by Ann to Tom" is no paraphrase of "sold by Tom to Ann".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Word
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair, same_word
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.contrasts import MONTHS
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import BE, is_negation
from spanwise.text.opposites import opposite
from spanwise.text.quantities.numerals import ORDINALS, SUFFIXES
from spanwise.text.terms import stem

_REPEATED = 0.65
"""Share of the claim's content words that the sentence has, for it to be the one that the claim is made from."""
_NEARLY_ALL = 0.75
"""The same for two names that change places."""
_FEWEST = 4
"""Content words that both have, for two names that change places."""
_BEGINNING = 4
"""Letters that words of one family share."""
_BETWEEN = 2
"""Small words between two content words that are beside each other."""
_SPARE = frozenset("the a an its their his her our your my this that these those another other".split())
"""Small words that say nothing of how two words belong together."""
_JOINTS = frozenset(
    "and but or which who whom whose that while whereas where when because if unless although though as than since "
    "until before after then so".split()
)
"""Words with which another clause begins."""
_BEFORE = 3
"""Words before a participle among which its auxiliary stands."""
_LEADS = frozenset("by to from of in on with for at against than".split())
_ENDS = frozenset(",;:.()!?")


def no_rival_in_place(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No word of the claim stands where its sentence has another one that means something else."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    content = [index for index, word in enumerate(pair.ours) if is_content(word)]
    if sum(pair.match[index] >= 0 for index in content) < _REPEATED * len(content):
        return []
    rivals = (pair_of for index in content for pair_of in _rivals(index, pair, said, context))
    return [_fault(pair.ours[ours], pair.theirs[theirs], pair, said) for ours, theirs in rivals][:1]


def _rivals(index: int, pair: Pair, said: ReadClaim, context: Context) -> Iterator[tuple[int, int]]:
    """The sentence's words in the place of one of the claim's that it lacks."""
    if _denied(pair.ours, index) or _keeps_a_neighbour(index, pair):
        return
    for step in (-1, 1):
        ours = _beside(pair.ours, pair.text, index, step)
        theirs = _beside(pair.theirs, pair.unit.text, pair.match[ours[0]], -step) if ours is not None else None
        if ours is None or theirs is None or pair.match[ours[0]] < 0 or theirs[0] in pair.match:
            continue
        one, other, shared = pair.ours[index], pair.theirs[theirs[0]], pair.ours[ours[0]]
        if ours[1] != theirs[1] or _denied(pair.theirs, theirs[0]) or _said_elsewhere(one, shared, said, context):
            continue
        new = step > 0 and not pair.explained(index) and _of_another_thing(one, other, context)
        led = not _LEADS.isdisjoint(ours[1] - {"to"}) or (not ours[1] and _is_a_kind(one, shared, context))
        if _contrary(one, other, shared) or (new and led):
            yield index, theirs[0]


def _keeps_a_neighbour(index: int, pair: Pair) -> bool:
    """True if the sentence has a word of the claim beside the same word as the claim."""
    place = pair.match[index]
    for step in (-1, 1):
        ours = _beside(pair.ours, pair.text, index, step)
        theirs = _beside(pair.theirs, pair.unit.text, place, step) if ours is not None else None
        if ours is not None and theirs is not None and pair.match[ours[0]] == theirs[0]:
            return True
    return False


def _contrary(one: Word, other: Word, shared: Word) -> bool:
    """True if two words beside the same one exclude each other: opposites, and places in an order."""
    orders = ({one.plain, other.plain} <= words for words in (ORDINALS.keys(), SUFFIXES))
    counted = shared.plain in SUFFIXES and one.number and other.number
    return one.plain != other.plain and (opposite(one.plain, other.plain) or any(orders) or counted)


def _beside(words: Sequence[Word], text: str, index: int, step: int) -> tuple[int, frozenset[str]] | None:
    """The content word next to one in its clause, and the small words that join both."""
    between: set[str] = set()
    at = index
    while 0 <= at + step < len(words):
        low, high = sorted((at, at + step))
        at += step
        if index < 0 or not _ENDS.isdisjoint(text[words[low].end : words[high].start]):
            return None
        if is_content(words[at]):
            return at, frozenset(between)
        if words[at].plain in _JOINTS or is_negation(words[at].plain):
            return None
        between |= {words[at].plain} - _SPARE
        if len(between) > _BETWEEN:
            return None
    return None


def _denied(words: Sequence[Word], index: int) -> bool:
    """True if a negation stands before a word, with which it may say the same as its opposite."""
    return any(is_negation(word.plain) for word in words[max(0, index - _BETWEEN) : index])


def _of_another_thing(one: Word, other: Word, context: Context) -> bool:
    """True if the passages have the claim's word, so that it is theirs for another thing; figures and names aside."""
    if one.plain[:_BEGINNING] == other.plain[:_BEGINNING] or same_word(one, other):
        return False
    if any(word.plain.endswith(("ed", "ing")) for word in (one, other)):  # deeds have more names than things
        return False
    plain = not (one.number or other.number or one.capital or other.capital)
    return plain and context.sources.said_as(stem(one.plain)) in context.sources.postings


def _is_a_kind(one: Word, shared: Word, context: Context) -> bool:
    """True if the passages have both words side by side: "liquid chalk" is another chalk than the loose one here."""
    both = tuple(context.sources.said_as(stem(word.plain)) for word in (one, shared))
    return any(both in context.sources.units[number].pairs for number in context.sources.postings.get(both[0], ()))


def _said_elsewhere(one: Word, shared: Word, said: ReadClaim, context: Context) -> bool:
    """True if a sentence that says half of the claim's other words has both words side by side."""
    sources = context.sources
    both = [sources.said_as(stem(word.plain)) for word in (one, shared)]
    rest = [other for other in said.wanted if other not in both]
    units = (sources.units[number] for number in sources.postings.get(both[0], ()))
    return any(
        ((both[0], both[1]) in unit.pairs or (both[1], both[0]) in unit.pairs)
        and 2 * sum(other in unit.known for other in rest) >= max(2, len(rest))
        for unit in units
    )


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


def voice_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Nothing does in the claim what is done to it in the sentence: "trained by them", "trained them"."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    for index, place in enumerate(pair.match):
        if place < 0 or not _acts(pair.ours[index]) or not _acts(pair.theirs[place]):
            continue
        if stem(pair.ours[index].plain) != stem(pair.theirs[place].plain):  # "is produced by", "results from"
            continue
        agents = [_agent(words, at) for words, at in ((pair.ours, index), (pair.theirs, place))]
        objects = [_object(words, at) for words, at in ((pair.ours, index), (pair.theirs, place))]
        turned = agents[1] >= 0 and objects[0] >= 0 and pair.match[objects[0]] == agents[1]
        turned = turned or (agents[0] >= 0 and objects[1] >= 0 and pair.match[agents[0]] == objects[1])
        if turned or _does_what_is_done(index, place, pair):
            return [_fault(pair.ours[index], pair.theirs[place], pair, said)]
    return []


def _agent(words: Sequence[Word], verb: int) -> int:
    """The content word behind "by" where a verb is in the passive; -1 elsewhere."""
    behind = [word.plain for word in words[verb + 1 : verb + 2]]
    passive = behind == ["by"] and not BE.isdisjoint(word.plain for word in words[max(0, verb - _BEFORE) : verb])
    return _next_content(words, verb + 2) if passive else -1


def _object(words: Sequence[Word], verb: int) -> int:
    """The content word right behind a verb in the active voice, but for an article; -1 without one."""
    active = BE.isdisjoint(word.plain for word in words[max(0, verb - _BEFORE) : verb])
    return _next_content(words, verb + 1) if active else -1


def _next_content(words: Sequence[Word], first: int) -> int:
    at = first
    while at < len(words) and words[at].plain in _SPARE:
        at += 1
    return at if at < len(words) and is_content(words[at]) else -1


def _does_what_is_done(index: int, place: int, pair: Pair) -> bool:
    """True if the same word does something here, and is "called", "sent" or the like there."""
    if index == 0 or place < _BETWEEN or pair.ours[index].plain == pair.theirs[place].plain:
        return False
    done = pair.theirs[place].plain.endswith("ed") and pair.theirs[place - 1].plain in BE
    does = not pair.ours[index].plain.endswith(("ed", "ing"))
    return done and does and pair.match[index - 1] == place - 2 and is_content(pair.ours[index - 1])


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
