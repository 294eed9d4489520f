"""Claims made from a sentence of a source with a few words changed: which change turns it into something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import product

from spanwise.guard.alignment import Alignment, Change, Pair
from spanwise.guard.comparators.additions import RESERVING
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.lexicon import (
    AUXILIARIES,
    MINUS,
    MONTHS,
    PLACES_IN_ORDER,
    QUANTIFIERS,
    STRENGTHS,
    UNITS,
    denies_softly,
    interchangeable,
    is_negation,
    words_of_class,
)
from spanwise.guard.sentence import Word
from spanwise.guard.units import Unit
from spanwise.guard.verification import FindingKind
from spanwise.text.related import opposite
from spanwise.text.terms import STOPWORDS, stem

_FEWEST = 4
_MOST_REPLACED = 4
"""Words on either side of a change that still puts one thing in the place of another."""
_SURE_COPY = 0.9
"""Least share at which a name is compared with the end of its replacement."""
_MOST_CHANGES = 4
_FRAME = 4
"""Words that both have in a row around a change, where the claim is no copy of one whole sentence."""
_BESIDE_DENIAL = 3
"""The same around a word that denies."""
_FEW_REPLACED = 3
"""Words of a change there."""
_BEGINNING = 4
"""Letters that words of one family share."""
_SIGN_WORDS = frozenset(["minus", "negative"])


def made_from_another(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No number, date, name, negation, duty, quantity, direction or other word differs from the source's."""
    stretch = None if is_quoted(said, evidence, context) else nearest_stretch(said, evidence, context)
    if stretch is None or len(stretch.alignment.ours) < _FEWEST:
        return []
    alignment = stretch.alignment
    copied = alignment.near_copy and len(alignment.changes) <= _MOST_CHANGES
    found = [
        fault
        for change in (alignment.changes if copied else ())
        if not listed_otherwise(change, alignment)
        for fault in _faults(_beside(change, alignment), stretch, said, context)
    ]
    turned = changed_places(alignment) if alignment.copied and not found else None
    if turned is not None:
        told = _told(turned, said, stretch.unit)
        found = [Difference("swapped", told, _range(turned, alignment, said), stretch.unit, denies=True)]
    return found or list(_exchanges(stretch, said, context))


def _exchanges(stretch: Pair, said: ReadClaim, context: Context) -> Iterator[Difference]:
    """Words in the place of others, as far as nothing worse is known."""
    alignment, unit = stretch.alignment, stretch.unit
    for change in alignment.changes:
        own, other = stretch.operators_in(change)
        kind = exchanged(change, alignment, context.sources.postings)
        if kind is not None and not own & other and not stretch.same_figures(change):
            yield Difference(kind, _told(change, said, unit), _range(change, alignment, said), unit, doubts=True)


def _faults(change: Change, stretch: Pair, said: ReadClaim, context: Context) -> Iterator[Difference]:
    alignment, unit = stretch.alignment, stretch.unit
    if (not stretch.sure and not _framed(change, alignment)) or stretch.same_figures(change):
        return
    if max(len(change.ours), len(change.theirs)) > _MOST_REPLACED and not _new_numbers(change, alignment):
        wild = (
            len(change.ours) > _MOST_REPLACED
            or not _names(change.ours)
            or any(is_negation(word.plain) for word in (*change.ours, *change.theirs))
        )
        if wild or alignment.share < _SURE_COPY:
            return
        tail = change.theirs[-len(change.ours) - 1 :]  # what stands where the claim goes on with the same words
        change = replace(change, theirs=tail)
    at = _range(change, alignment, said)
    told = _told(change, said, unit)
    kind = _kind(change, stretch)
    if kind is not None:
        yield Difference(kind, told, at, unit, denies=True)
    elif _other_name(change):
        known = any(stem(name) in context.sources.postings for name in _names(change.ours))
        yield Difference("swapped" if known else "not_in_sources", told, at, unit, denies=True)


def _beside(change: Change, alignment: Alignment) -> Change:
    """At an end of the claim only the words next to those that both have: either may say less than the other."""
    ours, theirs = change.ours, change.theirs
    head, tail = _at_head(change), _at_tail(change, alignment)
    around = change.same_after if head else change.same_before
    if not ours or not theirs or not (head or tail) or around < _FRAME:
        return change
    if len(ours) > _MOST_REPLACED:
        room = len(theirs)
        before = change.before + (len(ours) - room if head else 0)
        ours = ours[-room:] if head else ours[:room]
        change = replace(change, ours=ours, before=before)
    if len(theirs) > max(len(ours) + 1, _MOST_REPLACED):
        room = len(ours) + 1
        change = replace(change, theirs=theirs[-room:] if head else theirs[:room])
    return change


def _framed(change: Change, alignment: Alignment) -> bool:
    """True if few words differ between many that are the same."""
    if max(len(change.ours), len(change.theirs)) > _FEW_REPLACED:
        return False
    before = change.same_before > 0 or _at_head(change)
    behind = change.same_after > 0 or _at_tail(change, alignment)
    return before and behind and change.same_before + change.same_after >= _FRAME


def _at_head(change: Change) -> bool:
    return change.same_before == 0


def _at_tail(change: Change, alignment: Alignment) -> bool:
    return change.before + len(change.ours) == len(alignment.ours) or change.same_after == 0


def _kind(change: Change, pair: Pair) -> FindingKind | None:
    """The kind of difference that a change makes, names aside; None where both may say the same."""
    alignment = pair.alignment
    ours, theirs = [word.plain for word in change.ours], [word.plain for word in change.theirs]
    numbers, others = _numbers(change.ours), _numbers(change.theirs)
    denied = _negations(change.ours, alignment.ours) % 2 != _negations(change.theirs, alignment.theirs) % 2
    beside = change.same_before + change.same_after >= _BESIDE_DENIAL
    if denied and beside and not _softened(change, alignment) and not _other_way_round(change, pair):
        return "negated"
    if _new_numbers(change, alignment) or (numbers and others and numbers != others):
        return "date_changed" if _in_a_date(change, alignment) else "number_changed"
    if _one_of_each(ours, theirs, MONTHS):
        return "date_changed"
    if any(_one_of_each(ours, theirs, group) for group in (UNITS, PLACES_IN_ORDER)) or _sign_differs(change, alignment):
        return "number_changed"
    if _firmer(ours, theirs, STRENGTHS) or _firmer(ours, theirs, QUANTIFIERS):
        return "overstated"
    return "negated" if not denied and any(_opposites(change, alignment)) else None


def _opposites(change: Change, alignment: Alignment) -> Iterator[bool]:
    known = {word.plain for word in alignment.theirs}
    for one in change.ours:
        yield one.plain not in known and any(opposite(one.plain, other.plain) for other in change.theirs)


def _other_way_round(change: Change, pair: Pair) -> bool:
    """True if one says with "not" what the other says without: "no more than", "at most"; "not open", "locked"."""
    sides = pair.operators_in(change)
    if sides[0] or sides[1]:
        return not sides[0].isdisjoint(sides[1])
    left, right = (_telling([word.plain for word in words]) for words in (change.ours, change.theirs))
    return bool(left and right) and not any(_alike(one, other) for one, other in product(left, right))


def _telling(words: Sequence[str]) -> list[str]:
    """The words with a meaning of their own."""
    small = (word in STOPWORDS or word in AUXILIARIES or is_negation(word) for word in words)
    return [word for word, is_small in zip(words, small, strict=True) if not is_small]


def _alike(one: str, other: str) -> bool:
    """True if two words may be forms of one word, or stand for each other."""
    return one[:_BEGINNING] == other[:_BEGINNING] or interchangeable(one, other)


def _softened(change: Change, alignment: Alignment) -> bool:
    """True if both deny it ("unlikely to" for "won't", "non-flammable" for "nonflammable"), or it was "not A but B"."""
    ours, theirs = [word.plain for word in change.ours], [word.plain for word in change.theirs]
    if any(denies_softly(word) for word in (*ours, *theirs)):
        return True
    if "non" in (*ours, *theirs):
        said = {word.plain for word in (*alignment.ours, *alignment.theirs)}
        return any(f"non{word.plain}" in said for word in (*alignment.ours, *alignment.theirs))
    later = [other for other in alignment.changes if other.before > change.before]
    return not ours and any(word.plain == "but" for other in later for word in other.theirs)


def _new_numbers(change: Change, alignment: Alignment) -> list[str]:
    """Numbers that the source's sentence does not have at all."""
    if not any(word.number and word.start for word in change.theirs):
        return []
    known = {"2" if word.plain == "both" else word.plain for word in alignment.theirs}
    return [number for number in _numbers(change.ours) if number not in known]


def _other_name(change: Change) -> bool:
    """A name in the place of another name."""
    ours, theirs = _names(change.ours), _names(change.theirs)
    if not ours or not theirs or set(ours) & set(theirs):
        return False
    if _at_head(change) and not (change.ours[-1].capital and change.theirs[-1].capital):
        return False
    return not (_short_for(ours, theirs) or _short_for(theirs, ours))


def _names(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words if word.capital]


def _short_for(short: Sequence[str], long: Sequence[str]) -> bool:
    """True if one shortens the other: "Corp" and "Corporation", "US" and "United States"."""
    initials = "".join(word[0] for word in long)
    return all(word == initials or any(other.startswith(word) for other in long) for word in short)


def _negations(words: Sequence[Word], sentence: Sequence[Word]) -> int:
    """Negations among some words of a sentence; the "no" of "No. 17" denies nothing."""
    first = sentence.index(words[0]) + 1 if words else 0
    behind = (*sentence[first : first + len(words)], None)
    pairs = zip(words, behind, strict=False)
    return sum(
        is_negation(word.plain) and not (word.plain == "no" and after is not None and after.number)
        for word, after in pairs
    )


def _numbers(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words if word.number and word.start]


def _in_a_date(change: Change, alignment: Alignment) -> bool:
    near = alignment.ours[max(0, change.before - 3) : change.before + len(change.ours) + 3]
    whole = all(word.number and len(word.plain) == 4 and word.plain[:2] in ("19", "20") for word in change.ours)
    return whole or any(word.plain in MONTHS for word in near)


def _sign_differs(change: Change, alignment: Alignment) -> bool:
    """True if one of them has "minus" before a figure, and the other no word that lessens it."""
    ours, theirs = ({word.plain for word in words} & MINUS for words in (change.ours, change.theirs))
    if bool(ours) == bool(theirs) or not (ours | theirs) & _SIGN_WORDS:
        return False
    after = change.before + len(change.ours)
    beside = (*change.ours, *change.theirs, *alignment.ours[after : after + 2])
    return any(word.number for word in beside)


def _firmer(ours: Sequence[str], theirs: Sequence[str], group: dict[str, int]) -> bool:
    """True if the claim says it more firmly, or of more, than the source."""
    left = [group[word] for word in ours if word in group]
    right = [group[word] for word in theirs if word in group]
    return bool(left and right) and max(left) > max(right)


def _one_of_each(ours: Sequence[str], theirs: Sequence[str], group: dict[str, str]) -> bool:
    """True if both have a word of a group, and different ones."""
    left = {group[word] for word in ours if word in group}
    right = {group[word] for word in theirs if word in group}
    return bool(left and right and left.isdisjoint(right))


def _range(change: Change, alignment: Alignment, said: ReadClaim) -> tuple[int, int]:
    if change.ours:
        return said.start + change.ours[0].start, said.start + change.ours[-1].end
    beside = alignment.ours[max(0, change.before - 1) : change.before + 1]
    return said.start + beside[0].start, said.start + beside[-1].end


def _told(change: Change, said: ReadClaim, unit: Unit) -> str:
    return f"the answer says {_shown(said.plain, change.ours)}, the source {_shown(unit.text, change.theirs)}"


def _shown(text: str, words: Sequence[Word]) -> str:
    return f'"{text[words[0].start : words[-1].end]}"' if words else "nothing there"


# Words of a copy that stand in the place of others: "the cloud consumer" where the source says "the cloud provider".
# An exchange is told from a paraphrase by what is around it (the same words on both sides), and by a table of words
# that may stand for each other.

_SHORTEST = 3
"""Letters of a word that means something."""
_MOST = 2
"""Content words on either side."""
_GOVERNING = 3
"""Words that govern an infinitive, at most."""
_BEGINNING_EXCHANGE = 4
"""Letters that words of one family share."""
_MISSPELT = 0.85
"""Share of letters that a word has from another one when it only is written in another way."""
_AROUND = 5
"""Words that both have in a row before and behind it, taken together."""
_SURELY_AROUND = 10
"""The same, from which it does not matter whether a word stands elsewhere in the other sentence too."""
_POINTING = frozenset(["this", "these", "that", "those", "such"])
_LOOK_BACK = 2
"""Words before an exchanged one in which a demonstrative is looked for."""
_MORE_AROUND = 7
"""The same where the claim has words of its own besides."""
_ALL_ELSE = 3
"""Words of a short claim that are all of it but the change."""
_LEAST_AT_ALL = 0.5
_LEAST_SHARE = 0.75
"""Share of its words that the claim has from the sentence."""
_JOINS = frozenset(["and", "or", "nor", "&"])
_ARTICLES = frozenset(["the", "a", "an"])


def listed_otherwise(change: Change, alignment: Alignment) -> bool:
    """True if two members of one list only change places: "the Landlord and the Tenant", "the Tenant and Landlord".

    The order of a list says something where figures or "respectively" go with its members, and where a verb stands
    before and behind it: "A pays B and C pays D" is no list.
    """
    ours, theirs = _plain(change.ours), _plain(change.theirs)
    back = (one for one in alignment.changes if ours and (_plain(one.ours), _plain(one.theirs)) == (theirs, ours))
    other = next(back, None)
    if other is None or "respectively" in _plain(alignment.ours) or sum(word.number for word in alignment.ours) > 1:
        return False
    first, second = sorted((change, other), key=lambda one: one.before)
    end = second.before + len(second.ours)
    between = set(_plain(alignment.ours[first.before + len(first.ours) : second.before]))
    behind = _plain(alignment.ours[end : end + 1])
    ends = all(word in STOPWORDS and word not in AUXILIARIES for word in behind)
    begins = set(_plain(alignment.ours[: first.before])) <= _ARTICLES
    return (begins or ends) and bool(between & _JOINS) and between <= _JOINS | _ARTICLES


def changed_places(alignment: Alignment) -> Change | None:
    """The first of two words that change places and are all that differs: "A repairs X and B repairs Y", "A ... Y"."""
    changes = [one for one in alignment.changes if any(map(_means, (*one.ours, *one.theirs)))]
    if len(changes) != 2:
        return None
    first, second = changes
    ours, theirs = _plain(first.ours), _plain(first.theirs)
    if not ours or not theirs or (_plain(second.ours), _plain(second.theirs)) != (theirs, ours):
        return None
    between = set(_plain(alignment.ours[first.before + len(first.ours) : second.before]))
    symmetric = between <= words_of_class("scope", "symmetric") | _ARTICLES | AUXILIARIES
    return None if symmetric or listed_otherwise(first, alignment) else first


def _plain(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words]


def exchanged(change: Change, alignment: Alignment, known: Collection[str]) -> FindingKind | None:
    """True if a change puts one thing in the place of another.

    Args:
        change: What differs.
        alignment: The claim beside the sentence it was made from.
        known: Stems of all words of the passages.
    """
    if not _in_the_same_context(change, alignment):
        return None
    ours = [word.plain for word in change.ours if not word.number and _means(word)]
    theirs = [word.plain for word in change.theirs if word.number or _means(word)]
    if not ours or not theirs:
        return None
    led = (change.ours[0].plain, change.theirs[0].plain) == (ours[0], theirs[0])  # "rises to", "stays at"
    same = led and len(ours) == len(theirs) and len(change.ours) == len(change.theirs) <= _MOST
    if not same and not _governs(change, alignment):
        return None
    # "The trainees keep", "the foreman keeps": the verb only follows its subject.
    unlike = [(one, other) for one, other in zip(ours, theirs, strict=False) if not _of_one_family(one, other)]
    if same and unlike:
        ours, theirs = ([*side] for side in zip(*unlike, strict=True))
    if any(_of_one_family(one, other) for one, other in product(ours, theirs)) or _points_back(change, alignment):
        return None
    sure = change.same_before + change.same_after >= _SURELY_AROUND
    if not sure and (_moved(ours, alignment.theirs) or _moved(theirs, alignment.ours)):
        return None
    return "swapped" if all(stem(word) in known for word in ours) else "not_in_sources"


def _governs(change: Change, alignment: Alignment) -> bool:
    """True if few words govern an infinitive, and say how firmly it is meant: "is sure to pay" for "hopes to pay"."""
    behind = change.before + len(change.ours)
    few = max(len(change.ours), len(change.theirs)) <= _GOVERNING
    return few and [word.plain for word in alignment.ours[behind : behind + 1]] == ["to"]


def _in_the_same_context(change: Change, alignment: Alignment) -> bool:
    """True if the context of a change is the same on both sides, a sentence boundary included."""
    before = change.same_before > 0 or change.before == 0
    behind = change.same_after > 0 or change.last
    around = change.same_before + change.same_after
    if before and behind and around == len(alignment.ours) - len(change.ours) >= _ALL_ELSE:
        return True
    enough = _AROUND if alignment.share >= _LEAST_SHARE else _MORE_AROUND
    return before and behind and around >= enough and alignment.share >= _LEAST_AT_ALL


def _points_back(change: Change, alignment: Alignment) -> bool:
    """True if the source speaks of something it named before ("this model"), which the claim may call by its name."""
    at = alignment.theirs.index(change.theirs[0])
    return any(word.plain in _POINTING for word in alignment.theirs[max(0, at - _LOOK_BACK) : at])


def _means(word: Word) -> bool:
    plain = word.plain
    small = len(plain) < _SHORTEST or plain in STOPWORDS or plain in AUXILIARIES
    return not small and not is_negation(plain)


def _of_one_family(one: str, other: str) -> bool:
    if one[:_BEGINNING_EXCHANGE] == other[:_BEGINNING_EXCHANGE] or interchangeable(one, other):
        return True
    left, right = stem(one), stem(other)
    family = min(len(left), len(right)) > 2 and (left.startswith(right) or right.startswith(left))
    return family or SequenceMatcher(None, one, other, autojunk=False).ratio() >= _MISSPELT


def _moved(words: Sequence[str], others: Sequence[Word]) -> bool:
    """True if the other sentence has one of these words somewhere else."""
    stems = {stem(word.plain) for word in others}
    return any(stem(word) in stems for word in words)


# Small words: in a copy of a sentence no word that limits, orders or denies takes the place of another. What the
# classes of operators do not know is noticed here: "but for guests" for "and guests", "on top of" for "below".
# Neither does an operator stand in the place of words that are none, or none of its class: whatever "limited to" is,
# it is not "including".

_AROUND_SMALL = 5
"""Words that both have in a row before and behind the change, taken together."""
_LONGEST = 6
"""Words of a change on either side."""

_MOST_CONTENT = 2
"""Content words of it, those of operators with them."""
_OF_TENSE = frozenset(["future", "option", "cause"])
"""Classes that a claim may leave out for a tense or an order of its own; `additions` looks at what it leaves out."""
_OF_TIMES = frozenset(["before", "after"])
"""Classes whose words say other things as well ("upon", "since"); beside another operator they count."""


def small_words_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim that repeats a sentence keeps the small words that limit what it says."""
    pair = None if is_quoted(said, evidence, context) else nearest_stretch(said, evidence, context)
    if pair is None or not (pair.alignment.near_copy or len(pair.alignment.changes) == 1):
        return []
    changed = next((change for change in pair.alignment.changes if _tells(change, pair)), None)
    if changed is None:
        return []
    at = said.start + changed.ours[0].start, said.start + changed.ours[-1].end
    written = said.plain[changed.ours[0].start : changed.ours[-1].end]
    return [Difference("overstated", f'the answer says "{written}" in other terms', at, pair.unit, doubts=True)]


def _tells(change: Change, pair: Pair) -> bool:
    """True if what stands in one place has a limiting word of its own and says nothing that the other says."""
    ours, theirs = change.ours, change.theirs
    before, behind = change.same_before > 0 or change.before == 0, change.same_after > 0 or change.last
    framed = before and behind and change.same_before + change.same_after >= _AROUND_SMALL
    if not framed or not ours or max(len(ours), len(theirs)) > _LONGEST or pair.same_figures(change):
        return False
    if [word.plain for word in theirs] == ["of"]:
        return False  # "within a week of", "no later than a week after"
    own, other = pair.operators_in(change)
    if not theirs or own & other:
        return False
    if (
        _overstates(own, other, pair)
        and max(sum(word.content for word in words) for words in (ours, theirs)) <= _MOST_CONTENT
    ):
        return not all(
            any(is_negation(word.plain) or denies_softly(word.plain) for word in side) for side in (ours, theirs)
        )
    behind_it = pair.ours[change.before + len(ours) :][:1]
    plain = not any(word.content for word in (*ours, *theirs)) or any(word.number for word in behind_it)
    return plain and bool(_limiting(ours, pair.theirs) or _limiting(theirs, pair.ours))


def _overstates(own: frozenset[str], other: frozenset[str], pair: Pair) -> bool:
    """True if the claim puts an operator in the place of another, adds a firm one, or drops one that is not only tense.

    Those of which both sentences have as many only changed places ("Because it rains, we stay": "We stay because ...").
    """
    said, told = (Counter(one.name for one in found) for found in (pair.operators, pair.their_operators))
    if all(said[name] == told[name] for name in own | other):
        return False
    return bool(own and other) or (
        bool((own - RESERVING - {"future"}) | (other - _OF_TENSE)) and not own | other <= _OF_TIMES
    )


def _limiting(words: Sequence[Word], others: Sequence[Word]) -> list[str]:
    """The limiting words among some, less those that the other sentence has anywhere."""
    known = {word.plain for word in others}
    limiting = words_of_class("scope", "limiting")
    return [word.plain for word in words if word.plain in limiting and word.plain not in known]
