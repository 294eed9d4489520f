"""Statements of accounts in pages: recognised by title and rows, and which row holds a figure that is asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spanwise.domain.question import Metric, Statement
from spanwise.text.tables.grid import Grid, GridRow
from spanwise.text.tables.table_reading import Row, table_rows
from spanwise.text.terms import terms

FORMULA_PART = re.compile(r"\{([^{}:?@]{1,80})(?::(average|change))?(?:@((?:19|20)\d\d))?(\?)?\}")
"""A metric in a formula: its name, what is taken of it, its year, and whether it may be missing."""
HEAD_LINES = 14
"""Lines at the top of a page among which the title of a statement stands."""
LONGEST_TITLE = 14
"""Words of a line that may be a title."""
ENOUGH_ROWS = 8
"""Rows of a statement that make a page be it for certain."""
SAYS_MORE = 0.8
"""How well a label names a figure that it begins with."""
HOLDS = 0.4
"""How well a label names a figure that it holds."""
LABELS_APART = 0.15
"""How much less the last of a metric's labels counts than the first, at most."""
_LATER = 0.01
"""What each place in a metric's list of labels costs: the most usual is the first."""


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of a page as a table."""

    titles: tuple[str, ...]
    """Short lines at its top, as stems."""
    rows: tuple[Row, ...]
    """Rows with figures, heads of columns left out."""
    labels: tuple[str, ...]
    """Their labels, as stems."""
    heads: tuple[Row, ...]
    """Rows of years."""


def read_table(lines: Iterable[tuple[int, str]]) -> Table:
    """Read the numbered lines of a page."""
    held = [(number, line.replace("|", "  ")) for number, line in lines]
    written = [line for _, line in held if line.strip()]
    every = table_rows(held)
    rows = tuple(row for row in every if not row.heads)
    return Table(
        titles=tuple(plain(line) for line in written[:HEAD_LINES] if len(line.split()) <= LONGEST_TITLE),
        rows=rows,
        labels=tuple(plain(row.label) for row in rows),
        heads=tuple(row for row in every if row.heads),
    )


def titled(statement: Statement, table: Table) -> bool:
    """True if the statement is announced at the top."""
    return any(f" {title} " in f" {line} " for title in _stemmed(statement.titles) for line in table.titles)


def alike(statement: Statement, table: Table) -> float:
    """How many rows of the statement there are, in [0, 1]: the first ones say more than the others."""
    found = sum(any(label.startswith(row) for label in table.labels) for row in _stemmed(statement.rows))
    return math.sqrt(min(1.0, found / ENOUGH_ROWS))


def best_match(metric: Metric, labels: Collection[str]) -> float:
    """How well the best label names the metric."""
    return max((match(metric, label) for label in labels), default=0.0)


@lru_cache(maxsize=2048)
def match(metric: Metric, label: str) -> float:
    """How well a label, as stems, names the metric: 1 exactly, less when it says more, least when it only holds it."""
    best = 0.0
    for place, wanted in enumerate(_stemmed(metric.rows)):
        if label == wanted:
            degree = 1.0
        elif label.startswith(f"{wanted} "):
            degree = SAYS_MORE
        elif f" {wanted} " in f" {label} ":
            degree = HOLDS
        else:
            continue
        best = max(best, degree - min(LABELS_APART, _LATER * place))
    return best


@lru_cache(maxsize=512)
def _stemmed(phrases: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for phrase in phrases if (found := plain(phrase))))


_KEPT = re.compile(r"\b(before|after|per|other|others|non)\b", re.IGNORECASE)
"""Words that a search does not look for and that tell two rows apart: "current assets", "other current assets"."""


def plain(text: str) -> str:
    """The stems of a text with one space between them."""
    return " ".join(terms(_KEPT.sub(r"\1x", text)))


_OTHERS = re.compile(
    r"\b(?:segments?|parent company|pro forma|condensed|guarantors?|eliminations?|domestic|international"
    r"|discontinued)\b",
    re.IGNORECASE,
)
"""Words of a label, a head, a group or a title that make figures those of a part, not of the company."""
_MINORITY = re.compile(r"\b(?:non-?controlling|minority|redeemable)\b", re.IGNORECASE)
"""Words of a label that make a figure that of other owners."""


def of_a_part(grid: Grid, row: GridRow, asked: str) -> bool:
    """True if the table or the row says that it is of a part of the company, and the question names none."""
    named = " ".join((row.label, *row.groups, *grid.heads, grid.caption))
    found = [*_OTHERS.finditer(named), *_MINORITY.finditer(row.label)]
    return any(one.group().lower() not in asked for one in found)
