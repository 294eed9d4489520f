"""Operators, additions and causes: a claim says it more firmly, of more, or with more than the source says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from spanwise.guard.alignment import Change, Pair
from spanwise.guard.comparators.framing import PERSONAL
from spanwise.guard.comparators.names import of_another, subject_of
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.lexicon import BE, MONTHS, denies_softly, is_negation
from spanwise.guard.sentence import Operator, Word, discourse_words, operators, words_of
from spanwise.guard.syntax.lexicon import verb_forms
from spanwise.guard.units import Unit, share
from spanwise.guard.verification import FindingKind
from spanwise.text.related import implied, related
from spanwise.text.terms import stem, terms

# Operators in the same place of a claim and a sentence: the opposite one, or one that says more.

_OPPOSITE = {
    frozenset(pair)
    for pair in (
        *(
            ("most", "least"),
            ("before", "after"),
            ("most", "after"),
            ("all", "none"),
            ("some", "none"),
            ("many", "none"),
            ("inside", "outside"),
            ("only", "shared"),
            ("ban", "option"),
            ("ban", "duty"),
            ("ban", "advice"),
            ("ban", "future"),
            ("release", "duty"),
        ),
    )
}
_ORDER = {"all": 3, "many": 2, "some": 1, "duty": 3, "future": 3, "advice": 2, "option": 1}
"""How much, or how firmly, an operator says something."""
_OF_SENTENCES = {"exclusivity": 0.7, "modality": 0.8}
"""Groups of which one operator in each sentence is compared wherever they stand, if all else is the same.

With each the share of the claim's content words that the sentence has then.
"""
_SAME = 0.9
"""Share of a claim's content words from which another time is another time of the same thing."""
_NEGATED = {"most": "least", "least": "most", "before": "after", "after": "before"}
_LIMITS = frozenset("unless except without until".split())
"""Words before what a permission or a ban leaves out."""
_OFTEN = frozenset("once twice thrice again longer".split())
"""Words that limit how often or how long something may be done."""
_JOINTS = frozenset("and but because if when unless which that who while although".split())
"""Words with which another clause begins."""
_BANS = frozenset("nobody nothing forbidden prohibited banned impossible".split())
"""Words that deny besides the negations."""


def operators_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Bounds, quantifiers, exclusivity and modality of the claim are those of its evidence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    return list(_differences(pair, said))


def limits_are_given(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim says "only" where no sentence near it says so, or denies anything."""
    pair = nearest_stretch(said, evidence, context)
    added = [one for one in pair.operators if (one.group, one.name) == ("exclusivity", "only")] if pair else []
    if pair is None or not added or any(_limits(unit) for unit, _ in evidence.candidates):
        return []
    first, last = _range(added[0])
    at = said.start + pair.ours[first].start, said.start + pair.ours[last].end
    written = said.plain[pair.ours[first].start : pair.ours[last].end]
    reason = f'the answer says "{written}", which no source does'
    return [Difference("overstated", reason, at, pair.unit, doubts=True)]


def _limits(unit: Unit) -> bool:
    return unit.denies or any(one.group == "exclusivity" for one in operators(words_of(unit.text)))


def _differences(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    explained = sum(map(pair.explained, content := _content(pair)))
    for ours in pair.operators:
        group = [one for one in pair.their_operators if one.group == ours.group]
        same = [one for one in group if _same_slot(ours, one, pair)]
        beside = bool(same)
        alike = explained >= _OF_SENTENCES.get(ours.group, 1) * len(content)
        if not same and alike and ours.group in _OF_SENTENCES and len(_of_group(pair.operators, ours)) == 1:
            same = group[:1] if len(group) == 1 else []
        if not same:
            continue
        one = _name(ours, pair.ours)
        if agreeing := [rival for rival in same if _name(rival, pair.theirs) == one]:
            sized = one in ("most", "least") and beside and explained == len(content)
            if sized and all(_denied_otherwise(ours, rival, pair) for rival in agreeing):
                yield _fault(ours, agreeing[0], pair, said, denies=False)
            continue
        other = next((rival for rival in same if frozenset((one, _name(rival, pair.theirs))) in _OPPOSITE), same[0])
        two = _name(other, pair.theirs)
        if {one, two} == {"ban", "option"} and _denied_apart(ours, other, pair):
            continue  # "may not vote" and "neither guests nor children may vote"
        if frozenset((one, two)) in _OPPOSITE:
            limited = ours.group == "modality" and _is_limited(pair)
            timed = one in ("before", "after") and not (pair.alignment.near_copy or explained >= _SAME * len(content))
            fault = _fault(ours, other, pair, said, denies=beside and not (limited or timed))
            yield replace(fault, always=fault.always or (beside and timed))
        elif one in _ORDER and two in _ORDER and _ORDER[one] != _ORDER[two]:
            yield _fault(ours, other, pair, said, denies=beside and _ORDER[one] > _ORDER[two])
        elif ours.group == "modality" and not ({one, two} == {"duty", "future"} and _to_come(ours, other, pair)):
            yield _fault(ours, other, pair, said, denies=False)


def _is_limited(pair: Pair) -> bool:
    """True if a sentence allows or forbids something of a part, or so often, and the claim tells of another one.

    "Can be extended once, unless it is reserved" and "a reserved one cannot be extended", "cannot be extended twice".
    """
    if any(rival.name == "only" for rival in pair.their_operators):
        return True
    limit = next((at for at, word in enumerate(pair.theirs) if word.plain in _LIMITS), len(pair.theirs))
    often = ([word.plain for word in words if word.plain in _OFTEN] for words in (pair.ours, pair.theirs))
    return any(place >= limit and pair.theirs[place].content for place in pair.match) or next(often) != next(often)


def is_turned_with_its_bound(pair: Pair, names: Sequence[str]) -> bool:
    """True if a claim turns a bound and what it bounds: "may not borrow more than six" for "may borrow up to six".

    Args:
        pair: The claim beside its sentence.
        names: Classes of bounds: of sizes, or of times, where what comes later may be another thing.
    """
    return any(
        ours.name in names
        and _NEGATED.get(ours.name) == theirs.name
        and pair.match[ours.anchor] == theirs.anchor >= 0 <= ours.anchor
        and _denied_apart(ours, theirs, pair)
        for ours, theirs in product(pair.operators, pair.their_operators)
        if ours.group == theirs.group == "bounds"
    )


def _denied_otherwise(ours: Operator, theirs: Operator, pair: Pair) -> bool:
    """True if one side denies what both bound the same way: "does not burn less than nine hours", "up to nine"."""
    softly = any(denies_softly(word.plain) for word in (*pair.ours, *pair.theirs))
    return not softly and _denied_apart(ours, theirs, pair)


def _denied_apart(ours: Operator, theirs: Operator, pair: Pair) -> bool:
    """True if one of two operators stands in a clause that is denied, and the other does not."""
    denied = _in_denial(ours, pair.ours, pair.operators)
    return denied != _in_denial(theirs, pair.theirs, pair.their_operators)


def _in_denial(one: Operator, words: Sequence[Word], found: Sequence[Operator]) -> bool:
    """True if the clause of an operator holds an odd number of denials besides its own and those of bounds."""
    ends = [at for at, word in enumerate(words) if word.plain in _JOINTS or (at and word.start - words[at - 1].end > 1)]
    first = max((at for at in ends if at <= one.first), default=0)
    last = min((at for at in ends if at > one.last), default=len(words))
    own = {at for each in (one, *found) if each is one or each.group == "bounds" for at in range(each.first, each.last)}
    denied = [word.plain for at, word in enumerate(words[first:last], first) if at not in own]
    idle = {"without", "nor"} if "neither" in denied else {"without"}
    return sum((is_negation(word) and word not in idle) or word in _BANS for word in denied) % 2 == 1


def _to_come(ours: Operator, theirs: Operator, pair: Pair) -> bool:
    """True if a claim says "will" for "is to", or the other way round."""
    said = (pair.ours[ours.first : ours.last], pair.theirs[theirs.first : theirs.last])
    return any(words[0].plain in BE and words[-1].plain == "to" for words in said)


def _content(pair: Pair) -> list[int]:
    """The content words of the claim that are no part of an operator, by index."""
    taken = {index for one in pair.operators for index in range(one.first, one.last)}
    return [index for index, word in enumerate(pair.ours) if index not in taken and word.content]


def _of_group(found: Sequence[Operator], ours: Operator) -> list[Operator]:
    return [one for one in found if one.group == ours.group]


def _name(one: Operator, words: Sequence[object]) -> str:
    """The class of an operator; a bound behind "not" is the other one."""
    before = [getattr(word, "plain", "") for word in words[max(0, one.first - 1) : one.first]]
    if one.name in _NEGATED and any(map(is_negation, before)):
        return _NEGATED[one.name]
    return one.name


def _same_slot(ours: Operator, theirs: Operator, pair: Pair) -> bool:
    """True if two operators have the same argument, or follow the same word and have no argument in common."""
    if min(ours.anchor, theirs.anchor) < 0:
        return False
    if pair.match[ours.anchor] == theirs.anchor:
        return True
    if ours.group == "modality" and not pair.alignment.near_copy:
        return False  # another act
    before = ours.first - 1
    return before >= 0 and pair.match[before] == theirs.first - 1 >= 0 and pair.match[ours.anchor] < 0


def _fault(ours: Operator, theirs: Operator, pair: Pair, said: ReadClaim, *, denies: bool) -> Difference:
    first, last = _range(ours)
    at = said.start + pair.ours[first].start, said.start + pair.ours[last].end
    low, high = _range(theirs)
    written = said.plain[pair.ours[first].start : pair.ours[last].end]
    source = pair.unit.text[pair.theirs[low].start : pair.theirs[high].end]
    reason = f'the answer says "{written}", the source "{source}"'
    kind: FindingKind = "overstated" if ours.group in ("quantity", "modality") else "number_changed"
    # "Only" and what takes it back stand in two places of two sentences.
    return Difference(
        kind,
        reason,
        at,
        pair.unit,
        denies=denies,
        doubts=True,
        always=ours.group == "exclusivity" or (denies and ours.group != "bounds"),
    )


def _range(one: Operator) -> tuple[int, int]:
    """The first and the last word of an operator and of what it is about."""
    return (min(one.first, one.anchor), max(one.last - 1, one.anchor)) if one.anchor >= 0 else (one.first, one.last - 1)


# Additions: a claim says all that a sentence says, and more, or says firmly what the sentence says with reserve.

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
_NEEDS = frozenset("need needs requires demand demands".split())
_MAY = frozenset(["may", "might", "could"])
_STILL = frozenset("still also even yet already well sometimes".split())
"""Words between it and its verb."""
_BEFORE = 3
"""Words before an operator among which stands what denies it."""
_ABLE = frozenset(["can", "able"])
"""Words of ability, which a claim may leave out: what can be measured is measured."""
_ADDING = ("only", "cause", "sure")
"""Operator classes that add to what a sentence says, at any position."""
_BEFORE_ORDERS = frozenset("please always then first finally now".split())
"""Words that may stand before the verb of an order."""
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
    # Else a free wording has words of its own.
    reasoned = any(one.name == "cause" and pair.ours[one.first].plain != "as" for one in pair.operators)
    if (pair.alignment.near_copy or reasoned) and common >= max(_FEWEST, _COPIED * rest, _WHOLE * stretch):
        found += _words(added, pair, said, context)
    return found[:1]


def _reach(pair: Pair, said: ReadClaim, evidence: Evidence) -> Iterator[Difference]:
    """A claim that begins with "all", or says "must" or "only", of what no near sentence says it of."""
    for ours in pair.operators:
        word = pair.ours[ours.first].plain
        if ours.name == "all" and _is_of_some(ours, pair):
            yield _operator_added("overstated", "adds", ours, pair, said)
        if not (word in _REACH_WORDS if ours.name in ("duty", "only") else ours.name == "all" and ours.first == 0):
            continue
        near = [unit.text for unit, held in evidence.candidates if held >= _NEAR]
        if ours.name == "duty" and _forbids(pair.unit.text):
            continue
        if all(other.name != ours.name for text in near for other in operators(words_of(text))):
            yield _operator_added("overstated", "adds", ours, pair, said)


def _is_of_some(ours: Operator, pair: Pair) -> bool:
    """True if a sentence says of so many, or of some only, what a claim says of all ("30 rooms", "every room")."""
    place = pair.match[ours.anchor] if ours.anchor >= 0 else -1
    if place < 1 or any(one.name in ("all", "none") for one in pair.their_operators):
        return False
    if pair.theirs[place - 1].number and not any(word.number for word in pair.ours):
        return pair.theirs[place - 1].plain != "1"
    only = [one for one in pair.their_operators if one.name == "only" and one.last <= place <= one.last + _REACH]
    return bool(only) and not any(one.name == "only" for one in pair.operators)


def _reserve(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    """What the sentence says may be, or of one of two, and the claim says that it is, or of the one alone."""
    known = frozenset(pair.match)
    words = [word.plain for word in pair.theirs]
    whole = {word.plain for word in words_of(said.sentence)}
    reserved = any(one.group == "modality" for one in pair.operators) or any(
        denies_softly(word.plain)
        for word in pair.ours  # "uncertain"
    )
    # What may be done may be done in both ways; what has to be is one of the two.
    asked = any(one.name in ("duty", "all") for one in pair.their_operators) or not _NEEDS.isdisjoint(words)
    needed = asked and not any(one.name in ("option", "ban", "none") for one in pair.their_operators)
    for at, own in enumerate(pair.ours[:-3]):
        ends = pair.match[at + 1], pair.match[at + 3]
        stretch = own.plain == "from" and pair.ours[at + 2].plain == "to" and 0 < ends[0] == ends[1] - 2
        if stretch and words[ends[0] + 1] in ("and", "or") and words[ends[0] - 1] != "between":
            yield _fault_of_reserve(Operator("quantity", "some", ends[0], ends[1] + 1, -1), pair, said)
    for at, word in enumerate(words[:-1]):
        if word in _MAY and not reserved:
            before, behind = range(max(0, at - _REACH), at), range(at + 2, at + 2 + _BEFORE)
            verb = next((one for one in words[at + 1 : at + 3] if one not in _STILL), "")
            if verb in ("be", "have") and not known.isdisjoint(before) and not known.isdisjoint(behind):
                yield _fault_of_reserve(Operator("modality", "hedge", at, at + 1, -1), pair, said)
        if word != "or" or not at or {"or", "either"} & whole:
            continue
        one, other = pair.theirs[at - 1], pair.theirs[at + 1]
        if needed and _joined(at - 1, at + 1, pair):
            yield _fault_of_reserve(Operator("quantity", "some", at - 1, at + 2, -1), pair, said)
        named = (one.number and other.number) or (one.capital and other.capital)
        if named and (at - 1 in known) != (at + 1 in known):
            yield _fault_of_reserve(Operator("quantity", "some", at - 1, at + 2, -1), pair, said)


def _joined(first: int, last: int, pair: Pair) -> bool:
    """True if a claim has two words of a sentence with "and" between them."""
    if first not in pair.match or last not in pair.match:
        return False
    one, other = sorted((pair.match.index(first), pair.match.index(last)))
    return "and" in {word.plain for word in pair.ours[one:other]}


def _adds(change: Change) -> bool:
    """True if words of the claim are inserted where the sentence has no content words, or far fewer, and no pronoun."""
    if change.theirs and all(word.plain.partition("'")[0] in PERSONAL for word in change.theirs):
        return False
    ours, theirs = (sum(word.content for word in words) for words in (change.ours, change.theirs[: len(change.ours)]))
    more = not change.theirs or len(change.ours) > len(change.theirs) + 1
    return bool(change.ours) and more and (theirs == 0 or (change.last_or_first and ours > theirs + 1))


def _operators(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    """Operators that the claim has and the sentence has not, or the other way round where that is a reserve."""
    theirs = {one.name for one in pair.their_operators}
    groups = {(one.group, one.anchor) for one in pair.their_operators}
    for ours in pair.operators:
        # "Therefore" goes on from what was said before, and "as" may only tell when.
        joins = ours.name == "cause" and (ours.first == 0 or pair.ours[ours.first].plain == "as")
        denied = ours.name == "sure" and any(is_negation(word.plain) for word in pair.ours[: ours.first][-_BEFORE:])
        unlike = ours.name in _ADDING and ours.name not in theirs and not joins and not denied
        place = pair.match[ours.anchor] if ours.anchor >= 0 else -1
        wider = ours.name in _REACHING and ours.name not in theirs and place >= 0 and (ours.group, place) not in groups
        wider = wider and not (ours.name == "duty" and _forbids(pair.unit.text))
        if (unlike or wider) and not _said_there(ours, pair):
            yield _operator_added("overstated", "adds", ours, pair, said)
    kept = {(one.group, pair.match[one.anchor]) for one in pair.operators if one.anchor >= 0}
    names = {one.name for one in pair.operators}
    for other in pair.their_operators:
        able = pair.theirs[other.first].plain in _ABLE
        left_out = other.name in RESERVING and other.name not in names and 0 <= other.anchor in pair.match and not able
        restricted = other.name not in names and _restricts(other, pair)
        left_out = left_out or restricted
        if left_out and (other.group, other.anchor) not in kept and not _said_here(other, pair, said):
            yield _fault_of_reserve(other, pair, said)


def _forbids(text: str) -> bool:
    """True if a sentence is an order not to do something: "never mix it with bleach" says what must never be done."""
    words = words_of(text)
    first = next((at for at, word in enumerate(words) if word.content and word.plain not in _BEFORE_ORDERS), 0)
    before = [word.plain for word in words[:first]]
    return any(map(is_negation, before)) and any(
        base == words[first].plain for base, _ in verb_forms(words[first].plain)
    )


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
                word.content
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


def _operator_added(kind: FindingKind, verb: str, one: Operator, pair: Pair, said: ReadClaim) -> Difference:
    first, last = pair.ours[one.first], pair.ours[one.last - 1]
    written = said.plain[first.start : last.end]
    reason = f'the answer {verb} "{written}", which the source does not say'
    at = said.start + first.start, said.start + last.end
    return Difference(kind, reason, at, pair.unit, doubts=True, always=True)


def _fault_of_reserve(one: Operator, pair: Pair, said: ReadClaim) -> Difference:
    written = pair.unit.text[pair.theirs[one.first].start : pair.theirs[one.last - 1].end]
    reason = f'the source says "{written}", the answer leaves it out'
    return Difference("overstated", reason, (said.start, said.end), pair.unit, doubts=True, always=True)


# Causes: a claim gives one thing as the reason of another where the sources only say both.

_SAID = 0.7
"""Share of a part's words that a sentence has which says the part."""
_FEWEST_CAUSE = 2
"""Content words of a part that says something."""
_BESIDE_CAUSE = 1
"""Sentences between two parts that may be each other's reason by standing side by side."""
_UNSAID = 0.2
"""Share of a reason's words up to which the sentences beside what happened say nothing of it."""
_PARTLY = 0.5
"""Share of a reason's words that a sentence has, wherever it stands, which may give it in other words."""
_GIVEN_FOR = 0.5
"""Share of what happened, by the claim, that a sentence says which gives another reason for it."""
_FOLLOWING = frozenset("so thus hence therefore accordingly consequently leading resulting causing which".split())
"""First words of causes behind which stands what happened, and not its reason."""
_LOOSE = frozenset(map(stem, "so thus hence reason result cause why therefore accordingly".split()))
"""Stems of words that join a reason to what follows from it in looser ways."""


def causes_are_given(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a claim says "because", a sentence says so, or both parts stand side by side."""
    if is_quoted(said, evidence, context):
        return []
    words = words_of(said.plain)
    found = [one for one in operators(words) if one.name == "cause" and not _since_when(words, one)] + _purposes(words)
    return [fault for one in found if (fault := _cause_fault(one, said, evidence, context)) is not None][:1]


def _since_when(words: Sequence[Word], cause: Operator) -> bool:
    """True if "since" tells a time ("since mid-May", "since 2019")."""
    behind = words[cause.last : cause.last + _BEFORE]
    return words[cause.first].plain == "since" and any(word.number or word.plain in MONTHS for word in behind)


def _cause_fault(cause: Operator, said: ReadClaim, evidence: Evidence, context: Context) -> Difference | None:
    words = words_of(said.plain)
    start, end = words[cause.first].start, words[cause.last - 1].end
    parts = [_weights(said.plain[:start], context), _weights(said.plain[end:], context)]
    if words[cause.first].plain in _FOLLOWING:
        parts.reverse()
    units = [unit for unit, _ in evidence.candidates]
    purpose = cause.group == "purpose"
    short = (
        words[cause.first].plain == "as"
        or len(parts[0]) < _FEWEST_CAUSE
        or len(parts[1]) < (1 if purpose else _FEWEST_CAUSE)
    )
    at = said.start + start, said.start + end
    written = said.plain[start:end]
    kind: FindingKind = "overstated"
    when = words[cause.first].plain == "since" and short  # "since its founding"
    if not when and (unit := _given_otherwise(parts, units)):
        told = f'the answer gives another reason with "{written}" than the source'
    elif short:
        return None
    elif unit := _of_somebody_else(parts[1], units, said, context):
        kind, told = "swapped", f'the source gives this reason of another one: "{unit.text}"'
    elif not purpose and (unit := _unsaid(parts, units, context)):
        told = f'the answer adds a reason with "{written}", which no source gives'
    elif not purpose and (unit := _apart(parts, units)):
        told = f'the answer says "{written}", no source gives this as the reason'
    else:
        return None
    return Difference(kind, told, at, unit, doubts=True)


def _apart(parts: Sequence[Mapping[str, float]], units: Sequence[Unit]) -> Unit | None:
    """The sentence that says one part where another one, far from it, says the other, and neither gives a reason."""
    saying = [[unit for unit in units if share(unit.known, part) >= _SAID] for part in parts]
    if not all(saying) or any(_joins(unit) for unit in (*saying[0], *saying[1])):
        return None
    if any(
        abs(one.number - other.number) <= _BESIDE_CAUSE
        for one in saying[0]
        for other in saying[1]
        if one.source == other.source
    ):
        return None
    return saying[0][0]


def _purposes(words: Sequence[Word]) -> list[Operator]:
    """Words that tell what something is done for, the last of a claim ("closed for cleaning")."""
    found = [at for at, word in enumerate(words[:-1]) if word.plain == "for" and words[at + 1].plain.endswith("ing")]
    return [Operator("purpose", "cause", at, at + 1, at + 1) for at in found[-1:]]


def _given_otherwise(parts: Sequence[Mapping[str, float]], units: Sequence[Unit]) -> Unit | None:
    """A sentence that says what happened and gives a reason for it which has nothing of the claim's."""
    happened, reason = parts
    for unit in units if happened and reason else ():
        for what, given in _reasons(unit) if unit.fact is None else ():
            about = share(what, happened) >= _GIVEN_FOR and len(what.intersection(happened)) >= _FEWEST_CAUSE
            if about and share(_in_other_words(given), reason) == 0 and given:
                return unit
    return None


def _reasons(unit: Unit) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """For each reason that a sentence gives the stems of what happened and those of the reason."""
    words = words_of(unit.text)
    for cause in (one for one in operators(words) if one.name == "cause"):
        before, behind = (
            frozenset(stem(word.plain) for word in side if word.content)
            for side in (words[: cause.first], words[cause.last :])
        )
        first = words[cause.first].plain
        yield (behind, before) if first in _FOLLOWING else (before, behind)


def _in_other_words(stems: frozenset[str]) -> frozenset[str]:
    """Stems with those that may stand for them."""
    return stems.union(*(related(one).keys() | implied(one) for one in stems))


def _of_somebody_else(
    reason: Mapping[str, float], units: Sequence[Unit], said: ReadClaim, context: Context
) -> Unit | None:
    """The one sentence that has the claim's reason, where its subject is neither the claim's nor a pronoun."""
    subject = subject_of(said.plain)
    having = [unit for unit in units if share(unit.known, reason) >= _SAID]
    return having[0] if subject and len(having) == 1 and of_another(having[0], subject, said, context) else None


def _unsaid(parts: Sequence[Mapping[str, float]], units: Sequence[Unit], context: Context) -> Unit | None:
    """The sentence that says one side of "because" and gives no reason, where none says anything of the other side."""
    for one, other in (parts, parts[::-1]):
        saying = next((unit for unit in units if share(unit.known, one) >= _SAID), None)
        if saying is None or saying.fact is not None or _joins(saying):
            continue
        beside = context.sources.units[max(0, saying.number - _BESIDE_CAUSE) : saying.number + _BESIDE_CAUSE + 1]
        near = saying.known.union(*(unit.known for unit in beside if unit.source == saying.source))
        if share(near, other) <= _UNSAID and all(share(unit.known, other) < _PARTLY for unit in units):
            return saying
    return None


def _weights(text: str, context: Context) -> dict[str, float]:
    return {stem: context.sources.weight(stem) for stem in map(context.sources.said_as, terms(text))}


def _joins(unit: Unit) -> bool:
    """True if a sentence gives a reason for something."""
    words = words_of(unit.text)
    return any(one.name == "cause" for one in operators(words)) or any(stem(word.plain) in _LOOSE for word in words)
