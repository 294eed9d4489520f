"""Borrowed names: somebody whom only other sentences name, in the place of the one whom the claim's own names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.subjects import before_pronoun
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Source, Unit, is_title, share
from spanwise.text.terms import placed_terms, terms

_FEWEST = 2
"""Content words of a claim besides its figures and the name it begins with."""
_ABOUT = 0.8
"""Share of these words that the sentence holds which the claim is about."""
_LITTLE = 0.4
"""The most of them that a sentence holds which names the claim's: who did one thing did others like it.

Two things with numbers are told apart by them, and much may be said of both.
"""
_MOST = 12
"""Sentences that are looked at."""
_LONGEST = 400
"""Characters; a longer sentence says several things."""
_NAME = re.compile(
    r"(?!(?:The|This|These|That|In|On|At|For|If|When|A|An)\b)"
    r"(?:(?P<numbered>[A-Z]\w{1,30}[ -]\d{1,4}\b(?![.,]\d))"
    r"|[A-Z][a-z'\u2019-]{1,30}(?: (?:[A-Z]\. )?[A-Z][a-z'\u2019-]{1,30}){1,3}\b)"
)
_OPENING = ' -*\u2022#"\u201c'


def names_stay_with_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """The name that a claim begins with is no other sentence's where the one it is about names somebody else.

    A sentence whose subject is a pronoun names whom the sentence before it names; what a title says is said of all.
    """
    match = _NAME.match(said.plain.lstrip(_OPENING))
    if match is None:
        return []
    name, numbered = frozenset(terms(match.group())), match.lastgroup is not None
    near = _near(evidence)
    having = [unit for unit in near if _has(unit, match, name)]
    whole = {stem: weight for stem, weight in _besides_figures(said).items() if stem not in name}
    titles = _titles(near, context)
    title = frozenset[str]().union(
        *(one.known for one in titles), *(source.title for source in _sources(near, context))
    )
    about = {stem: weight for stem, weight in whole.items() if stem not in title} or whole
    most = _ABOUT if numbered else _LITTLE
    strange = bool(having) and not any(share(unit.known, about) > most or is_title(unit) for unit in having)
    if len(whole) + numbered < _FEWEST or not strange or not (numbered or _proper(match.group(), near)):
        return []
    for unit in near:
        if share(unit.known, about) < _ABOUT:
            continue
        before = before_pronoun(unit, context)
        if any(_has(one, match, name) for one in before):
            return []
        named = [other for one in (unit, *before, *(titles if numbered else ())) for other in _names(one, numbered)]
        others = [
            other for other in named if about.keys().isdisjoint(terms(other)) and (numbered or _proper(other, near))
        ]
        if others and match.group() not in named:
            reason = f"the source says it of {others[0]}, not of {match.group()}"
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _has(unit: Unit, match: re.Match[str], name: frozenset[str]) -> bool:
    """True if a sentence names what the claim names: a word of it, or the thing with its very number."""
    return match.group() in unit.text if match.lastgroup else not unit.known.isdisjoint(name)


def _sources(near: Sequence[Unit], context: Context) -> list[Source]:
    return [context.sources.sources[number] for number in dict.fromkeys(unit.source for unit in near)]


def _titles(near: Sequence[Unit], context: Context) -> list[Unit]:
    """The titles of the passages that some sentences are from, where they begin with one."""
    first = [source.units[0] for source in _sources(near, context) if source.units]
    return [unit for unit in first if is_title(unit)]


def _besides_figures(said: ReadClaim) -> Mapping[str, float]:
    """The weights of the claim's stems outside its figures and dates."""
    inside = {place for one in said.quantities for place in range(one.start, one.end)}
    placed = placed_terms(said.plain)
    counted = {stem for place, stem in placed if place in inside} - {
        stem for place, stem in placed if place not in inside
    }
    return {stem: weight for stem, weight in said.wanted.items() if stem not in counted and not stem[0].isdigit()}


def _near(evidence: Evidence) -> list[Unit]:
    return list(dict.fromkeys([*evidence.best, *(unit for unit, _ in evidence.candidates)]))[:_MOST]


def _names(unit: Unit, numbered: bool) -> list[str]:
    """The names of two words or more in a sentence, or those with a number."""
    if unit.fact is not None or len(unit.text) > _LONGEST:
        return []
    return [match.group() for match in _NAME.finditer(unit.text) if (match.lastgroup is not None) == numbered]


def _proper(name: str, near: Sequence[Unit]) -> bool:
    """True if no word of it occurs in lower case nearby, as those of "Confidential Information" do."""
    words = [word.lower() for word in name.split()]
    return not any(word in unit.text.split() for unit in near for word in words)
