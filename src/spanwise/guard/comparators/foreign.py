"""Claims in other languages than English: every word is in the evidence, and what is denied stays denied.

Of paraphrases in other languages nothing is known. So a claim is supported where one sentence has all its words, in any
order, and denies what it denies; what says more than that is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted
from spanwise.guard.units import Unit
from spanwise.text.expectations.polarity import denials
from spanwise.text.languages import function_words
from spanwise.text.quantities import agrees
from spanwise.text.terms import placed_terms, terms, unspaced_runs

_WORD_END = re.compile('[\\s.,;:!?()"\u00bb\u201d\u201c\u060c\u0964]')
_CLAUSE_END = re.compile("[;:()\u3001\uff0c\uff1b\u060c\u061b]|,(?!\\d)|\\s[-\u2013\u2014]\\s")
_THAI_CLAUSE_END = re.compile("[\\s;:()]+")
_CLAUSE = 3
"""Words of a clause that may rest on a sentence of its own."""
_AROUND = {"zh": 4, "ja": 8, "ko": 8, "th": 14}
"""Characters beside a denial in which the words stand that it denies, where nothing parts words."""
_SAME = 0.7
"""Share of the words of a clause that a claim has which says the same thing, or its opposite."""
_STRETCH = {"zh": 2, "ja": 2, "ko": 2, "th": 3}
"""Signs in a row that both texts have, at least, where nothing parts words."""
_GAP = {"zh": 0, "ja": 0, "ko": 1, "th": 1}
"""Signs between such stretches that may be a particle, in Korean at the end of a word."""
_ENDING = 4
"""Signs of an ending or of particles, at most."""
_HIRAGANA = frozenset(map(chr, range(0x3041, 0x30A0)))


def words_are_found(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Every word of a claim is in one sentence of the evidence, or those of each clause are."""
    del context
    units = [unit for unit, _ in evidence.candidates]
    lacking = min((_lacking(said, (0, len(said.plain)), unit) for unit in units), key=len, default=[(0, 0)])
    if not lacking:
        return []
    clauses = _clauses(said.plain, said.language)
    if len(clauses) > 1 and all(
        len(terms(said.plain[slice(*clause)], said.language)) >= _CLAUSE
        and any(not _lacking(said, clause, unit) for unit in units)
        for clause in clauses
    ):
        return []
    start, end = lacking[0]
    reason = f'the lines that come nearest do not say "{said.plain[start:end]}"' if end else "no line has its words"
    return [Difference("not_in_sources", reason, (said.start + start, said.start + end), doubts=True)]


def denials_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim denies what the sentence denies that has most of its words, and nothing else."""
    if not evidence.candidates:
        return []
    lacking = ((_lacking(said, (0, len(said.plain)), unit), unit) for unit, _ in evidence.candidates)
    unit = min(lacking, key=lambda pair: len(pair[0]))[1]
    wanted = frozenset(said.stems)
    shares = [
        (_share(wanted, unit.text[slice(*clause)], said.language), clause)
        for clause in _clauses(unit.text, said.language)
    ]
    told = [clause for share, clause in shares if 2 * share >= 1] or [(0, len(unit.text))]
    ours = denials(said.plain, said.language)
    theirs = [one for one in denials(unit.text, said.language) if any(low <= one[0] < high for low, high in told)]
    turned = bool(ours) != bool(theirs)
    if not turned:
        alike = len(ours) == len(theirs) or is_quoted(said, evidence, context)
        there = _denied(unit.text, theirs, said.language)
        if alike and (not ours or not there.isdisjoint(_denied(said.plain, ours, said.language))):
            return []
    reason = "the source denies it" if theirs else "the source says it"
    if not turned:
        reason = "the source denies something else"
    same = any(share >= _SAME for share, _ in shares)
    return [
        Difference(
            "negated", f'{reason}: "{unit.text}"', (said.start, said.end), unit, denies=turned and same, doubts=True
        )
    ]


def _clauses(text: str, language: str) -> list[tuple[int, int]]:
    marks = list((_THAI_CLAUSE_END if language == "th" else _CLAUSE_END).finditer(text))
    starts, ends = [0, *(mark.end() for mark in marks)], [mark.start() for mark in marks]
    return [(start, end) for start, end in zip(starts, [*ends, len(text)], strict=True) if text[start:end].strip()]


def _share(wanted: frozenset[str], clause: str, language: str) -> float:
    """Share of a clause's words that a claim has."""
    own = frozenset(terms(clause, language))
    return len(own & wanted) / len(own) if own else 0.0


def _denied(text: str, places: Sequence[tuple[int, int]], language: str) -> frozenset[str]:
    """The words beside the denials of a text: one on either side, or in a few characters where nothing parts words."""
    found = placed_terms(text, language)
    around = _AROUND.get(language)
    beside = set[str]()
    for low, high in places:
        if around:
            beside.update(term for place, term in found if low - around <= place < high + around)
        else:
            beside.update(term for _, term in [one for one in found if one[0] < low][-1:])
            beside.update(term for _, term in [one for one in found if one[0] >= high][:1])
    return frozenset(beside)


def _lacking(said: ReadClaim, part: tuple[int, int], unit: Unit) -> list[tuple[int, int]]:
    """Where the words of a part of a claim stand that a sentence has not; figures that agree and denials are apart."""
    known = [(one.start, one.end) for one in said.quantities if any(agrees(one, other) for other in unit.quantities)]
    known += denials(said.plain, said.language)
    found = [
        (place, _word_end(said.plain, place))
        for place, term in placed_terms(said.plain, said.language)
        if part[0] <= place < part[1] and term not in unit.known
    ]
    if said.language in _STRETCH:
        runs = unspaced_runs(said.plain)
        found = [one for one in found if not any(low <= one[0] < high for low, high, _ in runs)]
        for low, high, signs in runs:
            if part[0] <= low < part[1]:
                found += _unshared(signs, high, unit.text, said.language)
    return sorted(one for one in found if not any(low <= one[0] and one[1] <= high for low, high in known))


def _word_end(text: str, place: int) -> int:
    end = _WORD_END.search(text, place)
    return end.start() if end else len(text)


def _unshared(signs: Sequence[tuple[int, str]], end: int, text: str, language: str) -> Iterator[tuple[int, int]]:
    """The stretches of a run of signs that a text has not, less endings and particles."""
    size = min(_STRETCH[language], len(signs))
    there = _stretches(text, size)
    shared = [False] * len(signs)
    for at in range(len(signs) - size + 1):
        if tuple(sign for _, sign in signs[at : at + size]) in there:
            shared[at : at + size] = [True] * size
    places = [*(place for place, _ in signs), end]
    at = 0
    while at < len(signs):
        last = at
        while last < len(signs) and not shared[last]:
            last += 1
        own = [sign for _, sign in signs[at:last]]
        particle = 0 < len(own) <= _GAP[language] and (language != "ko" or (at > 0 and last == len(signs)))
        if own and not particle and not (len(own) <= _ENDING and _small(language).issuperset(own)):
            yield places[at], places[last]
        at = max(last, at + 1)


@lru_cache(maxsize=1024)
def _stretches(text: str, size: int) -> frozenset[tuple[str, ...]]:
    """All stretches of so many signs of a text."""
    runs = ([sign for _, sign in signs] for _, _, signs in unspaced_runs(text))
    return frozenset(tuple(run[at : at + size]) for run in runs for at in range(len(run) - size + 1))


@cache
def _small(language: str) -> frozenset[str]:
    """The signs that endings and particles are written with."""
    if language == "ja":
        return _HIRAGANA
    words = function_words(language)
    return frozenset(sign for word in words for sign in word if language == "ko" or len(word) == 1)
