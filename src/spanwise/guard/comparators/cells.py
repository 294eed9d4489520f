"""Cells of tables: a figure of the claim stands in the row and the column that the claim names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.tables.grid import Grid
from spanwise.text.terms import stem

_NAMED = 0.5
"""Share of the words of a head, or of a label, that the claim has which names it."""
_NEAR = 3
"""Sentences nearest to a claim that are looked at."""
_BESIDE = 3
"""Lines on either side of a labelled one that belong to the same list."""
_LONGEST_LABEL = 4
"""Words before a colon that are a label, and no sentence."""
_WITHOUT = frozenset(["no", "without", "any"])
"""Words before what is not there ("contains no nuts", "does not contain any nuts")."""
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_ASIDE = re.compile(r"\([^()]*\)")


def cells_keep_their_heads(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No figure of the claim is that of another row or column of the table that has one for those it names."""
    del evidence
    figures = list(_FIGURE.finditer(said.plain)) if context.tables else []
    if not figures:
        return []
    words = _words(f"{said.context} {said.plain}")
    return [
        fault for source, grid in context.tables for fault in _misplaced(figures, words, source, grid, said, context)
    ][:1]


def told_in_cells(said: ReadClaim, context: Context) -> frozenset[str]:
    """Figures of the claim that the tables have in the row and the column that it names, as they are written."""
    found = [match.group() for match in _FIGURE.finditer(said.plain)] if context.tables else []
    words = _words(f"{said.context} {said.plain}") if found else frozenset()
    cells = [cell for _, grid in context.tables if found and (cell := _cell(grid, words)) is not None]
    return frozenset(figure for figure in found if any(_plain(figure) in _figures(cell) for cell in cells))


def _cell(grid: Grid, words: frozenset[str]) -> str | None:
    row, column = _named([row.label for row in grid.rows], words), _named(grid.heads, words)
    return grid.rows[row].texts[column] if row is not None and column is not None else None


def labels_keep_their_members(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Of lines that list members behind labels, the claim names no member with the label of another line."""
    words = frozenset(said.wanted)
    for unit, _ in evidence.candidates[:_NEAR]:
        own = _labelled(unit)
        if own is None or not (members := own[1] & words):
            continue
        if own[0] <= words:
            if any(word.plain in _WITHOUT and stem(behind.plain) in members for word, behind in _pairs(said)):
                reason = f'the source lists it: "{unit.text}"'
                return [Difference("negated", reason, (said.start, said.end), unit, denies=True)]
            continue
        for beside in context.sources.units[max(0, unit.number - _BESIDE) : unit.number + _BESIDE + 1]:
            other = _labelled(beside) if beside.source == unit.source and beside is not unit else None
            if other is not None and other[0] <= words and not members & other[1] and not own[0] & other[0]:
                reason = f'the source lists it elsewhere: "{unit.text}"'
                return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _pairs(said: ReadClaim) -> Iterator[tuple[Word, Word]]:
    return pairwise(words_of(said.sentence))


def _labelled(unit: Unit) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of a line's label and of what it lists behind it; None where it has no label."""
    label, mark, rest = unit.text.partition(":")
    if unit.fact is not None or not mark or len(label.split()) > _LONGEST_LABEL:
        return None
    return _words(_ASIDE.sub("", label)), _words(rest)


def _misplaced(
    figures: Sequence[re.Match[str]], words: frozenset[str], source: int, grid: Grid, said: ReadClaim, context: Context
) -> Iterator[Difference]:
    row = _named([row.label for row in grid.rows], words)
    if row is None:
        return
    column = _named(grid.heads, words)
    named = grid.rows[row]
    cell = " | ".join(named.texts) if column is None else named.texts[column]
    if not (own := _figures(cell)):
        return
    place = f'"{named.label}"' if column is None else f'"{named.label}" and "{grid.heads[column]}"'
    heads = _figures(place)
    beside = [text for at, text in enumerate(named.texts) if at != column and column is not None]
    for at, other in enumerate(grid.rows):
        if at != row:
            beside += other.texts if column is None else [other.texts[column]]
    others = frozenset[str]().union(*map(_figures, beside))
    for match in figures:
        figure = _plain(match.group())
        if figure in heads or figure in own or figure not in others:
            continue
        line = named.first
        unit = next(
            (one for one in context.sources.sources[source].units if one.line_start <= line <= one.line_end), None
        )
        reason = f'the answer says {match.group()}, the table "{cell}" for {place}'
        where = said.start + match.start(), said.start + match.end()
        yield Difference("number_changed", reason, where, unit, denies=column is not None, doubts=True)


def _named(names: Sequence[str], words: frozenset[str]) -> int | None:
    """The one name of which the claim has most; None where it has little of each, or as much of two."""
    shares = []
    for name in names:
        own = _words(_ASIDE.sub("", name)) or _words(name)
        shares.append((len(own & words) / len(own), len(own & words)) if own else (0.0, 0))
    best = max(shares, default=(0.0, 0))
    return shares.index(best) if best[0] >= _NAMED and shares.count(best) == 1 else None


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word.plain) for word in words_of(text) if is_content(word))


def _figures(text: str) -> frozenset[str]:
    return frozenset(map(_plain, _FIGURE.findall(text)))


def _plain(figure: str) -> str:
    """A figure without separators of thousands and without zeros behind its point."""
    plain = re.sub(r",(?=\d{3})", "", figure)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
