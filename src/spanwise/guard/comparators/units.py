"""Units: the number that a source has, with another unit, currency or period ("1.5 % a year" for "1.5 % monthly")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.terms import stem

_NEAR = 0.35
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
    figures = _figures(said, [unit for unit, held in told if held >= _NEAR])
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
