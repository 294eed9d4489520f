"""Questions for the one that has most or least of something: rows, columns or entries are compared, not wordings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import TextItem
from spanwise.contract.result import Draft
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.tables.near import tables_near
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.patterns import lazy_pattern
from spanwise.text.readable import readable
from spanwise.text.tables.grid import Cell, Grid, GridRow, is_year, names_head, read_cell, years_of
from spanwise.text.terms import terms

COVERED = 0.6
"""Least share of them that a table has."""
_TOLD = 8
"""Rows that are told as those which were compared."""
_MOST = r"highest|largest|greatest|biggest|most(?:\s+expensive)?|longest|oldest|maximum"
_LEAST = r"lowest|smallest|least(?:\s+expensive)?|fewest|shortest|cheapest|youngest|minimum"
_ASKED = lazy_pattern(
    r"^\W*(?:which|what|who)\b\s*(?:of\s+the\s+)?(?P<thing>[\w' -]{0,60}?)\s*\b(?:has|have|had|is|are|was|were"
    r"|shows?|showed|reports?|reported|pays?|paid|costs?|offers?|offered|charges?|charged|earns?|earned|makes?|made|takes?|took)\s+"
    rf"(?:the\s+)?(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\b(?P<measure>[\w' %/-]{{0,100}})[\s?.!]*$",
    re.IGNORECASE,
)
_PRICED = re.compile(r"expensive|cheapest", re.IGNORECASE)
_PRICES = frozenset(terms("price cost fee rate charge"))
_ENTRY = re.compile(
    rf"\s*(?:[{BULLETS}{DASHES}]\s+)?"
    r"(?P<label>[^:|\n]{2,60}?)\s*(?::|\s[\u2013\u2014-]\s)\s*(?P<value>\S.{0,80})$"
)
_PARTLY = 0.7
"""What a comparison is worth that leaves out figures which could not be read."""
_READ = 8
"""Passages that are read for entries."""
_CODE = 3
"""Letters of a currency code."""
_SUMS = re.compile(r"\W*(?:sub-?)?totals?\b|\W*(?:sum|overall|average|mean|all)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Rival:
    """What is compared: its name, its figure, and the lines that say both."""

    name: str
    cell: Cell
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Compared:
    """Figures of one kind: of a column or a row of a table, or of entries below one another; and all their lines."""

    document: str
    first: int
    last: int
    rivals: tuple[_Rival, ...]
    covered: float
    in_table: bool = True


def superlative(question: Question, hits: Sequence[Hit], store: Store, weigh: Weigh = calibrated) -> Draft | None:
    """The draft of the row, or the column, with the highest or lowest figure; None where no table tells it."""
    asked = _ASKED.match(question.text)
    if asked is None or question.demanded not in (None, "text"):
        return None
    measure = frozenset(terms(asked["measure"]))
    wanted = measure.union(terms(asked["thing"]))
    priced = _PRICES if _PRICED.search(asked["most"] or asked["least"]) else frozenset[str]()
    near = [one for one in tables_near(hits, store) if one.whole]
    if any(names_head(one.grid, (asked["most"] or asked["least"]).lower()) for one in near):
        return None  # the column "Max" holds the maxima
    found = [one for table in near for one in _comparisons(question, table.grid, wanted, measure, priced)]
    found += [one for hit in hits[:_READ] for one in _entries(hit.passage, wanted, priced)]
    best = max(found, key=lambda one: one.covered, default=None)
    if best is None or best.covered < COVERED:
        return None
    figures = [rival.cell.value for rival in best.rivals]
    wins = max(figures) if asked["most"] else min(figures)
    return _draft(question, best, [rival for rival in best.rivals if rival.cell.value == wins], store, weigh)


def _comparisons(
    question: Question, grid: Grid, wanted: frozenset[str], measure: frozenset[str], priced: frozenset[str]
) -> Iterator[_Compared]:
    """The columns and the rows of a table that the measure of a question names, with how many of its words it has."""
    rows = [row for row in grid.rows if row.label.strip() and not _SUMS.match(row.label)]
    names = _names(grid, rows, wanted)
    heads = [frozenset(terms(head)) for head in grid.heads]
    around = frozenset(terms(grid.caption))
    for column, head in enumerate(heads):
        period = years_of(grid.heads[column])
        named = head & (wanted | priced) or (period and (period & _years(question) or len(heads) == 1))
        rivals = tuple(_of_rows(rows, names, column)) if named else ()
        # Rows that are called what is measured ("Revenue", "Profit") are figures, not things that have more or less.
        measures = any(not (measure - head).isdisjoint(terms(rival.name)) for rival in rivals)
        if len(rivals) > 1 and _alike(rivals) and not measures:
            said = head | around | frozenset(stem for row in rows for stem in terms(row.label))
            share = _share(wanted, said) * (1.0 if len(rivals) == _figures(rows, column) else _PARTLY)
            yield _Compared(grid.document, grid.first, grid.last, rivals, share)
    if len(heads) > 1 and not any(is_year(head) or years_of(head) for head in grid.heads):
        for row in rows:
            label = frozenset(terms(row.label))
            rivals = tuple(_of_columns(grid, row)) if label & (wanted | priced) else ()
            if len(rivals) > 1 and _alike(rivals):
                share = _share(wanted, label | around)
                yield _Compared(grid.document, grid.first, grid.last, rivals, share)


def _entries(passage: Passage, wanted: frozenset[str], priced: frozenset[str]) -> Iterator[_Compared]:
    """Entries below one another ("Basic: $10 a month") whose heading, lead-in or labels say what is measured."""
    around = [*terms(passage.section or "")]
    rivals: list[_Rival] = []
    for number, line in enumerate([*passage.text.split("\n"), ""], start=passage.line_start):
        entry = _ENTRY.match(line)
        cell = read_cell(readable(entry["value"])) if entry is not None else None
        if entry is not None and cell is not None:
            rivals.append(_Rival(entry["label"], cell, number, number))
        elif line.strip() or number > passage.line_start + passage.text.count("\n"):
            said = frozenset(around) | {stem for rival in rivals for stem in terms(rival.name)}
            money = priced and len(rivals[0].cell.unit) == _CODE if rivals else False
            if len(rivals) > 1 and _alike(rivals) and (money or said & wanted):
                yield _Compared(
                    passage.document,
                    rivals[0].first,
                    rivals[-1].last,
                    tuple(rivals),
                    _share(wanted, said),
                    in_table=False,
                )
            rivals = []
            around = [*terms(passage.section or ""), *terms(line)]


def _years(question: Question) -> frozenset[str]:
    return frozenset(year for time in question.times for year in re.findall(r"\d{4}", time))


def _of_rows(rows: Sequence[GridRow], names: Sequence[str], column: int) -> Iterator[_Rival]:
    for row, name in zip(rows, names, strict=True):
        cell = row.cells[column] if column < len(row.cells) else None
        if cell is not None:
            yield _Rival(name, cell, row.first, row.last)


def _figures(rows: Sequence[GridRow], column: int) -> int:
    """How many rows have digits in a column, whether or not they could be read as one figure."""
    return sum(column < len(row.texts) and any(map(str.isdigit, row.texts[column])) for row in rows)


def _names(grid: Grid, rows: Sequence[GridRow], wanted: frozenset[str]) -> list[str]:
    """What each row is called: its label, or of ranks and years the words of the column that is asked for."""
    labels = [row.label for row in rows]
    if sum(read_cell(label) is not None for label in labels) <= len(labels) / 2:
        return labels
    words = [
        column
        for column in range(len(grid.heads))
        if sum(column < len(row.texts) and row.texts[column][:1].isalpha() for row in rows) > len(rows) / 2
    ]
    if not words:
        return labels
    best = max(words, key=lambda column: (not wanted.isdisjoint(terms(grid.heads[column])), -column))
    return [row.texts[best] if best < len(row.texts) and row.texts[best] else row.label for row in rows]


def _of_columns(grid: Grid, row: GridRow) -> Iterator[_Rival]:
    for head, cell in zip(grid.heads, row.cells, strict=False):
        if cell is not None and head.strip() and not _SUMS.match(head):
            yield _Rival(head, cell, row.first, row.last)


def _alike(rivals: Sequence[_Rival]) -> bool:
    """True if all figures are of one unit."""
    return len({(rival.cell.unit, rival.cell.scaled) for rival in rivals}) == 1


def _share(wanted: frozenset[str], said: frozenset[str]) -> float:
    return len(wanted & said) / len(wanted) if wanted else 1.0


def _draft(question: Question, best: _Compared, winners: Sequence[_Rival], store: Store, weigh: Weigh) -> Draft:
    items = [TextItem(text=_words(best, rival, store), spans=_spans(best, rival)) for rival in winners]
    told = "; ".join(f"{rival.name} {rival.cell.text}" for rival in best.rivals[:_TOLD])
    more = len(best.rivals) - _TOLD
    relevance = weigh("superlative", best.covered)
    answer = TextAnswer(
        items=items,
        extraction_method="verbatim",
        confidence=relevance,
        caveats=[f"Compared: {told}{f'; and {more} more' if more > 0 else ''}."],
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=relevance,
        context_structured=True,
        conflicting_evidence=False,
    )
    sources = tuple((best.document,) * len(item.spans) for item in items)
    return Draft(answer, sources, relevance, asked=question.text, path="superlative")


def _words(best: _Compared, rival: _Rival, store: Store) -> str:
    """The name of what has most or least, a row's label or a column's head; an entry with its value."""
    if best.in_table:
        return rival.name
    row = "\n".join(line.text for line in store.lines(best.document, rival.first, rival.last))
    return readable(row, "\n".join(line.text for line in store.lines(best.document, best.first, best.last)))


def _spans(best: _Compared, rival: _Rival) -> list[Span]:
    """The row, and all that was compared: that nothing else has more is proved by all of it."""
    own = Span(line_start=rival.first, line_end=rival.last)
    return [own, Span(line_start=best.first, line_end=best.last)]
