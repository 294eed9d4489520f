"""Figures: a claim's numbers, units and dates are the source's, and belong to what they belong to there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from spanwise.guard.comparators.directions import turned_round
from spanwise.guard.comparators.other_lines import told_in_cells
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.units import Unit, share
from spanwise.guard.verification import FindingKind
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.terms import placed_terms, stem, terms

# Figures: each number, amount, share, duration and date of a claim occurs in its evidence.

_REWRITTEN = 3
"""Sentences in which a figure is looked for in other words."""
_MOST = 6
"""Units whose figures are read for one claim, at most."""
_NEAR = 0.35
"""Share of the claim that a unit has to hold for its figures to count as said of the same thing."""
_COMPARING = frozenset(
    "more less fewer higher lower greater exceeds exceeded exceed difference total together altogether sum combined "
    "not longer shorter cheaper dearer remaining left saves saved increase decrease rose fell up down against "
    "of".split()
)
"""Words with which figures are added or taken from each other."""
_BARE = ("number", "count")
"""Kinds of figures that say nothing without what they count."""
_AHEAD = 40
"""Characters after a figure in which the word that it counts is looked for."""
_CLOSELY = 0.65
"""The same, for a figure that it lacks to keep the claim from being supported."""
_FROM = 9
"""Characters before and in a range in which "from" stands."""
_FEW = 13
"""Counts below it are the sum or the difference of something wherever there are figures."""
_MOST_OPERANDS = 14
"""Figures near of which sums and differences are looked at."""
_NEAREST = 4
_TOLD_BESIDES = 0.6
"""Sentences that together say what a claim tells besides figures that are worked out, and the share of it they say.

Of claims of our own, half of them false, that were unsupported without a doubt, 14 true ones and a false one are such;
of 2,900 judged claims of models a right one.
"""
_FEWEST_ABOUT = 2
"""Content words of a claim besides its figures that tell what it is about."""
_HALF = 0.5
"""Share of them from which a sentence may be about the same."""
_LAST_DIGIT = 1e-9
"""How far the product of a multiple and its inverse may be from 1: thirds have no last digit."""
_SURELY_NEAR = 0.8
"""The same, for another figure of its to contradict the claim's."""


def figures_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Every figure of the claim agrees with one beside it in its evidence: sign, unit and magnitude."""
    if not said.quantities:
        return []
    told = told_in_cells(said, context)
    near = list(dict.fromkeys([*evidence.best, *(unit for unit, held in evidence.candidates if held >= _NEAR)]))[:_MOST]
    about = _besides_figures(said)  # once, since a claim may be a column of figures
    closely = _closely(near, about, context)
    borrowed = ((ours, _instead(ours, near, said, about, context)) for ours in said.quantities)
    taken = [_fault(said, ours, other, closely=True) for ours, other in borrowed if other is not None]
    if taken:
        return [replace(fault, denies=False, doubts=True, always=True) for fault in taken]
    return [
        _fault(said, ours, _against(ours, near, said, about, context), closely=closely)
        for ours in said.quantities
        if not any(_said(ours, theirs, unit) for unit in near for theirs in unit.quantities)
        and not any(figure in ours.original for figure in told)
        and not any(_begins_or_ends(ours, theirs, unit, said) for unit in near for theirs in unit.quantities)
        and not any(_part_of(ours, unit) or _inverse(ours, unit, said) for unit in near)
        and not _worked_out(ours, [unit for unit, _ in evidence.candidates[:_MOST]], said)
    ]


def _instead(
    ours: Quantity, near: Sequence[Unit], said: ReadClaim, about: Mapping[str, float], context: Context
) -> tuple[Unit, Quantity] | None:
    """The figure of the sentence that says all else, where the claim has one of a sentence about something else."""
    if len(about) < _FEWEST_ABOUT:
        return None
    beside = (unit for unit in near if share(context.sources.told_of(unit), about) >= _HALF)
    if any(agrees(ours, theirs) for unit in beside for theirs in unit.quantities):
        return None  # as of most figures, and the figures of a sentence take long to read
    having = [unit for unit in near if any(agrees(ours, theirs) for theirs in unit.quantities)]
    if not having:
        return None
    return _against(ours, [unit for unit in near if unit not in having], said, about, context)


def _begins_or_ends(ours: Quantity, theirs: Quantity, unit: Unit, said: ReadClaim) -> bool:
    """True if a figure is an end of a range whose other end the claim has too, or one that a change begins or ends."""
    ends = measure(theirs)[1:]
    if ours.value is None or theirs.value is not None or ours.value not in ends:
        return False
    both = all(any(one.value == end for one in said.quantities) for end in ends)
    return both or "from" in unit.text[: theirs.start + len("from")].lower()[-_FROM:]


def _part_of(ours: Quantity, unit: Unit) -> bool:
    """True if a count is the part of a sentence that names the whole too ("four of the nine boats")."""
    words = words_of(unit.text) if ours.kind in _BARE and ours.value is not None else ()
    return any(one.plain == str(ours.value) and behind.plain == "of" for one, behind in pairwise(words))


def _inverse(ours: Quantity, unit: Unit, said: ReadClaim) -> bool:
    """True if a multiple is that of a sentence seen from the other side ("half as many" for "twice as many")."""
    theirs = [one.value for one in unit.quantities if one.unit == ours.unit == "time" and one.value]
    inverse = ours.value is not None and any(abs(ours.value * value - 1) < _LAST_DIGIT for value in theirs)
    return inverse and turned_round(said.plain, unit.text) == "rightly"


def is_worked_out(said: ReadClaim, evidence: Evidence) -> bool:
    """True if the figures of a claim are those of the nearest sentences, or come of them, and little else is new."""
    near = list(dict.fromkeys([*(unit for unit, _ in evidence.candidates[:_NEAREST]), *evidence.best]))
    new = [ours for ours in said.quantities if not any(agrees(ours, one) for unit in near for one in unit.quantities)]
    small = any(ours.kind == "duration" and ours.value and ours.value < _FEW for ours in new)
    if not new or small or not all(_worked_out(ours, near, said) for ours in new):
        return False
    known = frozenset[str]().union(*(unit.known for unit in near))
    return share(known, _besides_figures(said)) >= _TOLD_BESIDES


def _worked_out(ours: Quantity, near: Sequence[Unit], said: ReadClaim) -> bool:
    """True if a figure is the sum or the difference of two that stand near, and a word of comparison says so."""
    if not ours.value or ours.iso or (ours.kind in _BARE and ours.value < _FEW):
        return False
    figures = [(unit, one) for unit in near for one in unit.quantities if one.value is not None and not one.iso]
    for (unit, one), (other, two) in combinations(figures[:_MOST_OPERANDS], 2):
        if (
            one.value is None
            or two.value is None
            or ours.value not in (one.value + two.value, abs(one.value - two.value))
        ):
            continue
        dimensions = {measure(figure)[0] for figure in (one, two, ours) if figure.kind not in _BARE}
        words = (word.plain for text in (said.plain, unit.text, other.text) for word in words_of(text))
        if (len(dimensions) <= 1 or unit is other) and not _COMPARING.isdisjoint(words):
            return True
    return any(_times_over(ours, one, unit, said) for unit, one in figures[:_MOST_OPERANDS])


def _times_over(ours: Quantity, rate: Quantity, unit: Unit, said: ReadClaim) -> bool:
    """True if a figure is a rate of the source times as many as the claim counts: "two nights cost 44 euros"."""
    if ours.value is None or rate.value is None or not _comparable(replace(ours, per=""), replace(rate, per="")):
        return False
    counted = _counted_by(rate, unit)
    multiple = next((_MULTIPLES[word.plain] for word in words_of(unit.text) if word.plain in _MULTIPLES), None)
    if multiple and ours.value in (rate.value * multiple, rate.value / multiple):
        return True
    return any(
        one is not ours
        and one.value
        and one.value * rate.value == ours.value
        and counted & set(terms(said.plain[one.start : one.start + _AHEAD])[:_COUNTED])
        for one in said.quantities
    )


def _counted_by(rate: Quantity, unit: Unit) -> frozenset[str]:
    """Stems of what a price or another rate is for: behind it, up to the next figure or comma, or before it."""
    ends = [one.start for one in unit.quantities if one.start >= rate.end]
    behind = unit.text[rate.start : min([*ends, len(unit.text)])]
    price = unit.text[rate.start : rate.end]
    words = terms(_CUT.split(behind[len(price) :])[0]) or terms(rate.per)
    return frozenset(words or terms(unit.text[: rate.start]))


def _said(ours: Quantity, theirs: Quantity, unit: Unit) -> bool:
    """True if a figure is the source's, rounded where the claim says "about", or without what both count."""
    if agrees(ours, theirs) or (ours.bound == "about" and agrees(ours, theirs, tolerance=0.05)):
        return True
    if theirs.kind != "number" or ours.value != theirs.value:
        return False
    if ours.kind == "count":
        return bool(unit.known.intersection(terms(ours.original)))
    # "Lived 28 days, those without food only 19"
    return any(one is not theirs and one.kind == ours.kind and one.unit == ours.unit for one in unit.quantities)


def _against(
    ours: Quantity, near: Sequence[Unit], said: ReadClaim, about: Mapping[str, float], context: Context
) -> tuple[Unit, Quantity] | None:
    """A figure of the same dimension in a sentence that is about the same thing and says none of the claim's."""
    if any(_overlap(ours, theirs) for unit in near for theirs in unit.quantities):
        return None
    for unit in near:
        if share(context.sources.told_of(unit), about) < _SURELY_NEAR:
            continue
        free = [one for one in unit.quantities if not any(agrees(own, one) for own in said.quantities)]
        for theirs in free:
            if _comparable(ours, theirs) and (ours.kind not in _BARE or _counts_alike(ours, theirs, said, unit)):
                return unit, theirs
    return None


def _counts_alike(ours: Quantity, theirs: Quantity, said: ReadClaim, unit: Unit) -> bool:
    """True if two bare numbers precede the same word, and so count the same."""
    one, other = (
        terms(text[place : place + _AHEAD])[:1] for text, place in ((said.plain, ours.end), (unit.text, theirs.end))
    )
    return one == other and (bool(one) or ours.unit == theirs.unit != "")


def _closely(near: Sequence[Unit], about: Mapping[str, float], context: Context) -> bool:
    """True if one sentence says the rest of the claim, so that the figure is all that it lacks."""
    plain = (unit for unit in near if unit.fact is None)
    return len(about) > 1 and any(share(context.sources.told_of(unit), about) >= _CLOSELY for unit in plain)


def _besides_figures(said: ReadClaim) -> Mapping[str, float]:
    """The weights of the claim's stems outside its figures, their units and periods included."""
    inside = [(one.start, one.end + len(one.per) + len(" per ") if one.per else one.end) for one in said.quantities]
    counted = {
        stem
        for place, stem in placed_terms(said.plain, said.language)
        if any(low <= place < high for low, high in inside)
    }
    return {stem: weight for stem, weight in said.weights.items() if stem not in counted and not stem[0].isdigit()}


def _overlap(ours: Quantity, theirs: Quantity) -> bool:
    """True if one of them is a range that the other lies in or touches."""
    if ours.value is not None and theirs.value is not None:
        return False
    (dimension, low, high), (other, least, most) = measure(ours), measure(theirs)
    if dimension != other or low is None or high is None or least is None or most is None:
        return False
    return low <= most and least <= high


def _comparable(ours: Quantity, theirs: Quantity) -> bool:
    if ours.iso or theirs.iso:
        return bool(ours.iso and theirs.iso)
    return measure(ours)[0] == measure(theirs)[0]


def written_otherwise(said: ReadClaim, evidence: Evidence) -> frozenset[str]:
    """Stems of the claim's figures that one of the nearest sentences writes otherwise ("12 months", "one year")."""
    if not said.quantities:
        return frozenset()
    near = [unit for unit, _ in evidence.candidates[:_REWRITTEN]]
    placed = placed_terms(said.plain, said.language)
    ranges = [(one.start, one.end) for one in said.quantities]
    counted = {stem for place, stem in placed if any(start <= place < end for start, end in ranges)}
    lacking = frozenset(stem for stem in counted if not any(stem in unit.known for unit in near))
    if not lacking:
        return lacking
    same = [
        one
        for one in said.quantities
        if any(agrees(one, other) and agrees(other, one) for unit in near for other in unit.quantities)
    ]
    outside = {stem for place, stem in placed if not any(one.start <= place < one.end for one in same)}
    return lacking - outside


_MULTIPLES = {"half": 2, "twice": 2, "double": 2, "doubled": 2, "halved": 2, "thrice": 3, "treble": 3}
_COUNTED = 3
"""Content words from a count on among which stands what it counts ("two missed calls")."""
_CUT = re.compile(r"[,;:.()](?:\s|$)|\s(?:or|and|unless|if|when|even)\s")
_DAY = len("2024-04-14")


def _fault(said: ReadClaim, ours: Quantity, other: tuple[Unit, Quantity] | None, *, closely: bool) -> Difference:
    at = said.start + ours.start, said.start + ours.end
    if other is None:
        reason = f"the lines that come nearest do not say {ours.original.strip()}"
        day = len(ours.iso) == _DAY  # which is seldom said in other words
        return Difference("not_in_sources", reason, at, doubts=closely or day, always=day)
    unit, theirs = other
    kind: FindingKind = "date_changed" if ours.iso else "number_changed"
    reason = f"the answer says {ours.original.strip()}, the source {theirs.original.strip()}"
    within = _is_within(ours, theirs) or _is_within(theirs, ours) or _is_multiple(ours, theirs, said)
    return Difference(kind, reason, at, unit, denies=not within, doubts=True)


def _is_multiple(ours: Quantity, theirs: Quantity, said: ReadClaim) -> bool:
    """True if a figure is the source's times another one of the claim ("three adults pay 33 euros", "11 euros")."""
    values = [one.value for one in said.quantities if one is not ours and one.value is not None and one.value > 1]
    return theirs.value is not None and any(ours.value == theirs.value * value for value in values)


def lies_beyond_a_bound(said: ReadClaim, evidence: Evidence) -> bool:
    """True if a figure of a claim is one that a bound of the best evidence leaves out."""
    bounded = [one for unit in evidence.best for one in unit.quantities if one.bound and one.bound != "about"]
    return any(
        not ours.bound and ours.value is not None and _comparable(ours, theirs) and not _is_within(ours, theirs)
        for ours in (said.quantities if bounded else ())
        for theirs in bounded
    )


def _is_within(ours: Quantity, theirs: Quantity) -> bool:
    """True if a figure is one of those that a bound takes in: 18 metres of "longer than 15 metres"."""
    if ours.value is None or theirs.value is None or ours.bound or not theirs.bound:
        return False
    value, bound = measure(ours)[1], measure(theirs)[1]
    if value is None or bound is None:
        return False
    return {
        "more": value > bound,
        "least": value >= bound,
        "less": value < bound,
        "most": value <= bound,
    }.get(theirs.bound, False)


# Units: the number that a source has, with another unit, currency or period ("1.5 % a year" for "1.5 % monthly").

_NEAR_UNIT = 0.35
"""Share of the claim that a sentence holds which may be about the same thing."""
_ABOUT = 0.7
"""Share of the claim's words besides the rate that a sentence holds whose rate is the claim's."""
_UNITLESS = ("number", "count", "fraction")
_PERIODS = {
    word: period
    for period, words in (
        ("day", "daily day"),
        ("week", "weekly week"),
        ("month", "monthly month"),
        ("quarter", "quarterly quarter"),
        ("year", "annually annual yearly year annum"),
    )
    for word in words.split()
}
_EACH = frozenset(["per", "every", "each", "a", "an"])
"""Words before a period that make it a rate; the adverbs are rates by themselves."""


def units_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A number keeps its unit, and what happens every month does not happen every year."""
    del context
    told = [(unit, held) for unit, held in evidence.candidates if unit.fact is None]
    figures = _figures(said, [unit for unit, held in told if held >= _NEAR_UNIT])
    return [*figures, *_rates(said, [unit for unit, _ in told])][:1]


def _figures(said: ReadClaim, near: Sequence[Unit]) -> Iterator[Difference]:
    for ours in said.quantities:
        if ours.value is None or ours.kind in _UNITLESS:
            continue
        if any(agrees(ours, one) for unit in near for one in unit.quantities):
            continue
        for unit, one in ((own, one) for own in near for one in own.quantities):
            if one.value is not None and _digits(one) == _digits(ours) and _other_unit(ours, one):
                reason = f"the answer says {ours.original.strip()}, the source {one.original.strip()}"
                at = said.start + ours.start, said.start + ours.end
                yield Difference("number_changed", reason, at, unit, doubts=True)
                break


def _other_unit(ours: Quantity, theirs: Quantity) -> bool:
    """True if both have a unit, and different ones."""
    rates = bool(ours.per and theirs.per and ours.per != theirs.per)
    return theirs.kind not in _UNITLESS and (rates or measure(ours)[0] != measure(theirs)[0])


def _digits(one: Quantity) -> str:
    """A number as it is written, or spelled, without its unit."""
    number = next((word.plain for word in words_of(one.original) if word.number), "")
    return number.lstrip("-")


def _rates(said: ReadClaim, near: Sequence[Unit]) -> Iterator[Difference]:
    """Rates of the claim of which the sentence that holds most of it has another one."""
    words = words_of(said.plain)
    ours = dict(_periods(words))
    if not ours:
        return
    rates = {stem(words[place].plain) for place in ours}
    about = {one: weight for one, weight in said.wanted.items() if one not in rates and stem(one) not in rates}
    stated = [(unit, frozenset(period for _, period in _periods(words_of(unit.text)))) for unit in near]
    own = [(unit, theirs) for unit, theirs in stated if theirs and share(unit.known, about) >= _ABOUT]
    for place, period in ours.items():
        if own and not any(period in theirs for _, theirs in own):
            unit, theirs = own[0]
            at = said.start + words[place].start, said.start + words[place].end
            reason = f"the answer says every {period}, the source every {min(theirs)}"
            yield Difference("number_changed", reason, at, unit, doubts=True)


def _periods(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    """Index of each word that says how often, and the period."""
    for index, word in enumerate(words):
        alone = word.plain.endswith("ly") or word.plain == "annual"
        if word.plain in _PERIODS and (alone or (index and words[index - 1].plain in _EACH)):
            yield index, _PERIODS[word.plain]


_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?\s?m\b", re.IGNORECASE)


def hours_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No hour of the morning is one of the afternoon in the source, or the other way round."""
    del context
    for match in _CLOCK.finditer(said.plain):
        ours = _hour(match)
        told = [(unit, _hour(one)) for unit, _ in evidence.candidates for one in _CLOCK.finditer(unit.text)]
        other = next((unit for unit, hour in told if hour[:2] == ours[:2]), None)
        if other is not None and all(hour != ours for _, hour in told):
            reason = f'the answer says {match.group()}, the source otherwise: "{other.text}"'
            at = said.start + match.start(), said.start + match.end()
            return [Difference("number_changed", reason, at, other, doubts=True)]
    return []


def _hour(match: re.Match[str]) -> tuple[int, int, str]:
    return int(match[1]), int(match[2] or 0), match[3].lower()


# Figures of one sentence that change places: "8 in Europe and 6 in Asia" says nothing of 8 in Asia.

_NEAR_PART = 0.5
"""Share of the claim that a sentence holds which it may be about."""
_LOOKED_AT = 3
_MOST_PART = 8
"""Upper limit of figures of one sentence; more are a table."""
_LONGEST = 500
"""Characters; a longer sentence says several things."""
_TURNS = re.compile(
    r",?\s(?:and|while|whereas|but|versus|vs\.?|compared\s+(?:to|with)|against|then|followed\s+by)\s|[;,]\s(?!\d{4}\b)",
    re.IGNORECASE,
)
"""Where a sentence goes on to the next thing."""
_FROM_TO = re.compile(r"\bfrom\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_AN_END = re.compile(r"\b(from|to)\s+(?:(?:about|only|nearly|almost)\s+)?$", re.IGNORECASE)
_TO = re.compile(r"[^.;]{0,60}\bto\s+(?:\w+\s+){0,2}", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SILENT = frozenset(
    """
    a about almost an and approximately are around as at be been by for from had has have in is it its just nearly of on
    only or over some than that the to under up was were which with
    """.split()
)
"""Words that tell no part from another. Fewer than elsewhere are left out: "long" and "wide" tell parts apart."""
_PAIRED_IN = 3
_MOST_PAIRED = 12
"""Figures of one sentence; more stand in a table, where order pairs nothing."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence that says one thing."""

    figures: tuple[Quantity, ...]
    before: frozenset[str]
    """Stems before its first figure."""
    last: frozenset[str]
    """The last of them: the deed, where the part has no subject of its own."""
    after: frozenset[str]
    """Stems behind its last one."""
    text: str


def figures_stay_apart(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A figure has the words that its sentence gives it, and not those that it gives another figure.

    The start and the end of a change keep their places too.
    """
    del context
    figures = _written_figures(said.plain)
    if not figures or len(said.plain) > _LONGEST:
        return []
    near = [
        unit for unit, held in evidence.candidates[:_LOOKED_AT] if held >= _NEAR_PART and _may_tell(unit.text, figures)
    ]
    if not near:
        return []
    return [*_turned(said, near), *_ends_exchanged(said, near), *_moved(said, near, evidence)]


def _may_tell(text: str, figures: AbstractSet[str]) -> bool:
    """True if a sentence has one of these figures and others; a cheap test before the figures are parsed."""
    if len(text) > _LONGEST or (_TURNS.search(text) is None and "from" not in text.lower()):
        return False
    theirs = _written_figures(text)
    return len(theirs) > 1 and not figures.isdisjoint(theirs)


def _written_figures(text: str) -> set[str]:
    """Each number of a text in digits, spelled ones too."""
    return {word.plain for word in words_of(text) if word.number}


def _turned(said: ReadClaim, near: Sequence[Unit]) -> Iterator[Difference]:
    """Changes from one figure to another that the nearest sentences tell the other way round."""
    for start, end in _changes(said.quantities, said.plain):
        told = [(unit, *change) for unit in near for change in _changes(unit.quantities, unit.text)]
        if any(agrees(start, one) and agrees(end, other) for _, one, other in told):
            continue
        for unit, one, other in told:
            if agrees(start, other) and agrees(end, one):
                reason = f"the source goes from {one.original.strip()} to {other.original.strip()}"
                yield Difference("swapped", reason, (said.start + start.start, said.start + end.end), unit, denies=True)
                break


def _ends_exchanged(said: ReadClaim, near: Sequence[Unit]) -> Iterator[Difference]:
    """Ends of changes that the sentence begins with, and the other way round ("went up to 48" for "from 48 to 52")."""
    ends = [(one, match[1].lower()) for one in said.quantities if (match := _AN_END.search(said.plain, 0, one.start))]
    if len(ends) != 1 or ends[0][0].iso:
        return
    ours, word = ends[0]
    for unit in near:
        for start, end in _changes(unit.quantities, unit.text):
            own, other = (start, end) if word == "from" else (end, start)
            if agrees(ours, other) and not agrees(ours, own):
                reason = f"the source goes from {start.original.strip()} to {end.original.strip()}"
                yield Difference("swapped", reason, (said.start + ours.start, said.start + ours.end), unit, doubts=True)
                return


def _changes(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Pairs of figures as in "from 12 to 9"."""
    figures = [one for one in found if one.value is not None and not one.iso]
    for one, other in pairwise(figures):
        if _FROM_TO.search(text[max(0, one.start - 30) : one.start]) and _TO.fullmatch(text[one.end : other.start]):
            yield one, other


def _moved(said: ReadClaim, near: Sequence[Unit], evidence: Evidence) -> Iterator[Difference]:
    """Figures of the claim with the words that the sentence attaches to another figure."""
    claimed = _parts(said.quantities, said.plain)
    for unit in near:
        parts = _parts(unit.quantities, unit.text)
        if len(parts) < 2:
            continue
        for ours in claimed:
            # A part that compares figures of several parts says by its grammar which words are whose.
            if sum(any(_same(one, theirs) for one in ours.figures for theirs in part.figures) for part in parts) > 1:
                continue
            for figure in ours.figures:
                other = _other(figure, ours.before | ours.after, parts)
                if other is None or _elsewhere(figure, unit, other, evidence):
                    continue
                at = said.start + figure.start, said.start + figure.end
                reason = f'the source says {figure.original.strip()} of something else, and here "{other.text}"'
                yield Difference("swapped", reason, at, unit, doubts=True)
                return


def _other(figure: Quantity, stems: frozenset[str], parts: Sequence[_Part]) -> _Part | None:
    """The part whose words stand with a figure of another part; None where the figure has its own."""
    own = [part for part in parts if any(_same(figure, one) for one in part.figures)]
    if len(own) != 1:
        return None
    for side in ("after", "last", "before"):
        of = {id(part): getattr(part, side) for part in parts}
        mine = of[id(own[0])]
        others = [part for part in parts if part is not own[0] and any(_alike(figure, one) for one in part.figures)]
        alone = mine.difference(*(of[id(part)] for part in others))
        if not others or not alone or not all(of.values()):
            continue
        if alone & stems:
            return None
        held = [(len(theirs), part) for part in others if (theirs := of[id(part)] - mine) and theirs <= stems]
        if held:
            return max(held, key=lambda one: one[0])[1]
    return None


def _alike(one: Quantity, other: Quantity) -> bool:
    """True if two figures are of one kind, so that one may be taken for the other."""
    return one.kind == other.kind or {one.kind, other.kind} <= {"number", "count"}


def _same(one: Quantity, other: Quantity) -> bool:
    """True if two figures agree; what they count may be left out of either ("31 people, 17 of them in the north")."""
    counts = {one.kind, other.kind} == {"number", "count"}
    return agrees(one, other) or (counts and one.value is not None and one.value == other.value)


def _elsewhere(figure: Quantity, unit: Unit, other: _Part, evidence: Evidence) -> bool:
    """True if another sentence says the figure with these words."""
    words = other.after or other.before
    return any(
        one is not unit and words & one.known and any(_same(figure, theirs) for theirs in one.quantities)
        for one, _ in evidence.candidates
    )


def _parts(found: Sequence[Quantity], text: str) -> Sequence[_Part]:
    """The parts of a sentence that have figures of their own; none where they are too many."""
    figures = [one for one in found if one.value is not None and not one.iso]
    if not 0 < len(figures) <= _MOST_PART:
        return ()
    inside = {place for one in found for place in range(one.start, one.end)}
    cuts = [match.start() for match in _TURNS.finditer(text) if match.start() not in inside]
    words = ((match.start(), match[0].lower()) for match in _WORD.finditer(text) if match.start() not in inside)
    placed = [(place, stem(word)) for place, word in words if word not in _SILENT]
    parts: list[_Part] = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        own = tuple(one for one in figures if start <= one.start < end)
        if own:
            before = [one for place, one in placed if start <= place < own[0].start]
            after = frozenset(one for place, one in placed if own[-1].end <= place < end)
            if parts and not _verbs(text[start:end]) and _verbs(parts[-1].text) & parts[-1].last:
                before = [*before, *parts[-1].last]  # "the stalls cost 32 euros, the gallery 18"
            parts.append(_Part(own, frozenset(before), frozenset(before[-1:]), after, text[start:end].strip(" ,;")))
    return parts


def _verbs(text: str) -> frozenset[str]:
    """Stems of the finite verbs of a part."""
    return frozenset(stem(clause.lemma) for clause in clauses_of(text) if clause.kind == "finite")


def years_stay_with_figures(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a sentence pairs figures with years one by one, or "respectively", the claim pairs them the same way."""
    del context
    claimed = list(_pairs_of_years(said.quantities, said.plain))
    if not claimed:
        return []
    for unit, _ in evidence.candidates[:_PAIRED_IN]:
        stated = list(_pairs_of_years(unit.quantities, unit.text))
        if len(stated) > 1 and (faults := list(_years_exchanged(said, claimed, unit, stated))):
            return faults
    return []


def _years_exchanged(
    said: ReadClaim,
    claimed: Sequence[tuple[Quantity, Quantity]],
    unit: Unit,
    stated: Sequence[tuple[Quantity, Quantity]],
) -> Iterator[Difference]:
    """A figure and a year of which the source pairs each with another one."""
    for figure, year in claimed:
        years = [theirs for other, theirs in stated if agrees(figure, other)]
        figures = [other for other, theirs in stated if theirs.iso == year.iso]
        if years and figures and all(one.iso != year.iso for one in years):
            told = f'the source says "{figure.original}" of {years[0].original}, not of {year.original}'
            at = said.start + min(figure.start, year.start), said.start + max(figure.end, year.end)
            yield Difference("swapped", told, at, unit, denies=True)


def _pairs_of_years(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Each figure with its year, where the sentence leaves no doubt: they alternate, or come "respectively"."""
    years = [one for one in found if one.iso and one.value is None]
    figures = [one for one in found if one.value is not None and not one.iso and one.kind in _PAIRED]
    if len(years) != len(figures) or not 1 <= len(years) <= _MOST_PAIRED // 2:
        return
    order = [one in years for one in sorted((*years, *figures), key=lambda one: one.start)]
    alternate = all(one is not other for one, other in itertools.pairwise(order))
    blocks = "respectively" in text.lower() and order == sorted(order, reverse=order[0])
    if alternate or blocks:
        yield from zip(figures, years, strict=True)


_PAIRED = ("money", "percent", "percentage_points", "number", "count")
