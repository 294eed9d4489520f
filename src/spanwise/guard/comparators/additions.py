"""Additions: a claim says all that a sentence says, and more, or says firmly what the sentence says with reserve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Change
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.contrasts import denies_softly
from spanwise.guard.sentence.operators import Operator, discourse_words, is_content, operators
from spanwise.guard.sentence.small_words import is_negation
from spanwise.guard.sentence.words import words_of
from spanwise.guard.verification import FindingKind
from spanwise.text.terms import stem

_COPIED = 0.93
"""Share of the claim's other words that the sentence has in the same order, for words that are added."""
_REPEATED = 0.7
"""The same for operators."""
_WHOLE = 0.6
"""Share of the sentence's words, between the first and the last that both have, that the claim repeats."""
_SHORTEST = 4
"""The same of a claim that has no more."""
_FEWEST = 5
"""Words that both have in order."""
_BESIDE = 2
"""Sentences on either side whose words the claim may have too."""
_BEGINNING = 5
"""Letters that words of one family share."""
_REACH = 4
"""Words between what a claim repeats and the word that "only" is about, at most."""
_NEAR = 0.35
"""Share of the claim that a sentence holds which may say how far something reaches."""
_REACH_WORDS = frozenset("must shall required obliged mandatory only exclusively solely".split())
"""Words of duty and exclusivity that are hardly used for anything else."""
_MAY = frozenset(["may", "might", "could"])
_STILL = frozenset("still also even yet already well sometimes".split())
"""Words between it and its verb."""
_BEFORE = 3
"""Words before an operator among which stands what denies it."""
_ABLE = frozenset(["can", "able"])
"""Words of ability, which a claim may leave out: what can be measured is measured."""
_ADDING = ("only", "cause", "sure")
"""Operator classes that add to what a sentence says, at any position."""
_REACHING = ("all", "none", "duty")
"""Classes that say more where the sentence has nothing of their group."""
RESERVING = frozenset(["hedge", "some", "many", "option"])
"""Classes without which a sentence says more; "for example" is left out rightly."""


def nothing_is_added(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim that repeats a sentence adds no cause, reach, place or deed to it, and keeps its reserve."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    if beyond := [*_reach(pair, said, evidence), *_reserve(pair, said)]:
        return beyond[:1]
    added = [change for change in pair.alignment.gaps if _adds(change)]
    rest = len(pair.ours) - sum(len(change.ours) for change in added)
    places = [place for place in pair.match if place >= 0]
    stretch = max(places, default=0) - min(places, default=0)
    common = pair.alignment.common
    found: list[Difference] = []
    if common >= max(min(_FEWEST, max(_SHORTEST, len(pair.ours) - 1)), _REPEATED * rest, _WHOLE * stretch):
        found += _operators(pair, said)
    reasoned = any(one.name == "cause" for one in pair.operators)  # else a free wording has words of its own
    if (pair.alignment.near_copy or reasoned) and common >= max(_FEWEST, _COPIED * rest, _WHOLE * stretch):
        found += _words(added, pair, said, context)
    return found[:1]


def _reach(pair: Pair, said: ReadClaim, evidence: Evidence) -> Iterator[Difference]:
    """A claim that begins with "all", or says "must" or "only", of what no near sentence says it of."""
    for ours in pair.operators:
        word = pair.ours[ours.first].plain
        if not (word in _REACH_WORDS if ours.name in ("duty", "only") else ours.name == "all" and ours.first == 0):
            continue
        near = [unit.text for unit, held in evidence.candidates if held >= _NEAR]
        if all(other.name != ours.name for text in near for other in operators(words_of(text))):
            yield _fault("overstated", "adds", ours, pair, said)


def _reserve(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    """What the sentence says may be, or of one of two, and the claim says that it is, or of the one alone."""
    known = frozenset(pair.match)
    words = [word.plain for word in pair.theirs]
    whole = {word.plain for word in words_of(said.sentence)}
    reserved = any(one.group == "modality" for one in pair.operators) or any(
        denies_softly(word.plain)
        for word in pair.ours  # "uncertain"
    )
    for at, word in enumerate(words[:-1]):
        if word in _MAY and not reserved:
            before, behind = range(max(0, at - _REACH), at), range(at + 2, at + 2 + _BEFORE)
            verb = next((one for one in words[at + 1 : at + 3] if one not in _STILL), "")
            if verb in ("be", "have") and not known.isdisjoint(before) and not known.isdisjoint(behind):
                yield _fault_of_reserve(Operator("modality", "hedge", at, at + 1, -1), pair, said)
        if word != "or" or not at or {"or", "either"} & whole:
            continue
        one, other = pair.theirs[at - 1], pair.theirs[at + 1]
        named = (one.number and other.number) or (one.capital and other.capital)
        if named and (at - 1 in known) != (at + 1 in known):
            yield _fault_of_reserve(Operator("quantity", "some", at - 1, at + 2, -1), pair, said)


def _adds(change: Change) -> bool:
    """True if words of the claim are inserted where the sentence has no content words, or far fewer."""
    ours, theirs = (sum(map(is_content, words)) for words in (change.ours, change.theirs[: len(change.ours)]))
    more = not change.theirs or len(change.ours) > len(change.theirs) + 1
    return bool(change.ours) and more and (theirs == 0 or (change.last_or_first and ours > theirs + 1))


def _operators(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    """Operators that the claim has and the sentence has not, or the other way round where that is a reserve."""
    theirs = {one.name for one in pair.their_operators}
    groups = {(one.group, one.anchor) for one in pair.their_operators}
    for ours in pair.operators:
        joins = ours.name == "cause" and ours.first == 0  # "Therefore" goes on from what was said before
        denied = ours.name == "sure" and any(is_negation(word.plain) for word in pair.ours[: ours.first][-_BEFORE:])
        unlike = ours.name in _ADDING and ours.name not in theirs and not joins and not denied
        place = pair.match[ours.anchor] if ours.anchor >= 0 else -1
        wider = ours.name in _REACHING and ours.name not in theirs and place >= 0 and (ours.group, place) not in groups
        if (unlike or wider) and not _said_there(ours, pair):
            yield _fault("overstated", "adds", ours, pair, said)
    kept = {(one.group, pair.match[one.anchor]) for one in pair.operators if one.anchor >= 0}
    names = {one.name for one in pair.operators}
    for other in pair.their_operators:
        able = pair.theirs[other.first].plain in _ABLE
        left_out = other.name in RESERVING and other.name not in names and 0 <= other.anchor in pair.match and not able
        restricted = other.name not in names and _restricts(other, pair)
        left_out = left_out or restricted
        if left_out and (other.group, other.anchor) not in kept and not _said_here(other, pair, said):
            yield _fault_of_reserve(other, pair, said)


def _restricts(theirs: Operator, pair: Pair) -> bool:
    """True if "only" stands beside what the claim repeats, with a word that the claim leaves out."""
    places = [place for place in pair.match if place >= 0]
    beside = min(places, default=0) - _REACH <= theirs.anchor <= max(places, default=0) + _REACH
    only = pair.theirs[theirs.first].plain == "only"
    return only and theirs.anchor >= 0 and beside and theirs.anchor not in places


def _said_there(ours: Operator, pair: Pair) -> bool:
    """True if the sentence has all words of the operator, as what it is about or in another order."""
    known = {word.plain for word in pair.theirs}
    return all(word.plain in known for word in pair.ours[ours.first : ours.last])


def _said_here(theirs: Operator, pair: Pair, said: ReadClaim) -> bool:
    # "unlikely" is as reserved as "likely"
    known = {stem(word.plain.removeprefix("un")) for word in words_of(said.sentence)}
    first = pair.theirs[theirs.first]
    if first.number:  # "three of the six" and "three"
        return first.plain in {word.plain for word in words_of(said.sentence)}
    return all(stem(word.plain) in known for word in pair.theirs[theirs.first : theirs.last])


def _words(added: Sequence[Change], pair: Pair, said: ReadClaim, context: Context) -> Iterator[Difference]:
    """Content words in what is added that no sentence near has."""
    known = _known_near(pair, context)
    family = {word[:_BEGINNING] for word in known if len(word) >= _BEGINNING}
    for change in added:
        if change.before == 0 and change.ours[0].plain == "to":  # "To find out more, ..." says what it is for
            continue
        for index, word in enumerate(change.ours, start=change.before):
            root = stem(word.plain)
            new = (
                is_content(word)
                and not word.number
                and not pair.explained(index)
                and root not in known
                and word.plain not in known
            )
            new = new and word.plain not in discourse_words()
            if new and root[:_BEGINNING] not in family and context.sources.said_as(root) not in known:
                at = said.start + change.ours[0].start, said.start + change.ours[-1].end
                written = said.plain[change.ours[0].start : change.ours[-1].end]
                reason = f'the answer adds "{written}", which no line near says'
                yield Difference("not_in_sources", reason, at, pair.unit, doubts=True)
                break


def _known_near(pair: Pair, context: Context) -> frozenset[str]:
    """Stems of the sentence, of those beside it and of its title."""
    units, source = context.sources.units, pair.unit.source
    numbers = range(max(0, pair.unit.number - _BESIDE), min(len(units), pair.unit.number + _BESIDE + 2))
    near = [units[number].known for number in numbers if units[number].source == source]
    return pair.unit.known.union(context.sources.sources[source].title, *near)


def _fault(kind: FindingKind, verb: str, one: Operator, pair: Pair, said: ReadClaim) -> Difference:
    first, last = pair.ours[one.first], pair.ours[one.last - 1]
    written = said.plain[first.start : last.end]
    reason = f'the answer {verb} "{written}", which the source does not say'
    at = said.start + first.start, said.start + last.end
    return Difference(kind, reason, at, pair.unit, doubts=True, always=True)


def _fault_of_reserve(one: Operator, pair: Pair, said: ReadClaim) -> Difference:
    written = pair.unit.text[pair.theirs[one.first].start : pair.theirs[one.last - 1].end]
    reason = f'the source says "{written}", the answer leaves it out'
    return Difference("overstated", reason, (said.start, said.end), pair.unit, doubts=True, always=True)
