"""Printed tables: rows, cells and heads of tables drawn for it, in sixteen styles.

    python benchmarks/tables.py [--lot N] [--each N] [--pages] [--half 0|1] [--peer] [--verbose]

What counts is what a table says: a row is right if each of its cells is in its column and no other is, a head if it
stands over its columns with every level. Labels without figures open groups and are no rows. `--lot` draws other
tables, `--peer` asks pdfplumber too, where it is installed: of its rows the first ones are its heads. `--pages` asks
public pages instead, under $SPANWISE_DATA, that were labelled by hand (`public_tables.json`, of which `--half` takes
every second page): the labels hold no text of others, only short digests of what each head and cell says. `--digest
FILE` prints such labels for those in a file, `[{"pdf": PATH, "page": 1, "tables": [{"names": [head of each column],
"rows": [[cell, ...], ...]}]}]`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from spanwise import find_tables
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Ocr, ReadOptions

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
LABELS = Path(__file__).with_name("public_tables.json")
MARKS = str.maketrans("", "", "\u2022\u25aa\u25a0\uf06e\uf0a7\uf0b7")
EACH = 6
"""PDFs of each style."""
NOUNS = (
    "harbour mooring crane ferry pilot berth quay warehouse signal anchor dredging lighthouse cargo container "
    "fuel water waste ballast cable rope engine hull deck bridge radar permit survey inspection storage transit "
    "customs insurance wages repairs rent lease deposit training safety audit software network paper postage "
    "travel catering"
).split()
ADJECTIVES = (
    "annual deferred external general gross internal light local net outer regular spare technical upper".split()
)
VERBS = "applies covers ends excludes follows includes keeps needs orders pays reports returns starts takes".split()
STYLES = {
    name: ParagraphStyle(name, fontName=font, fontSize=9, leading=10.8, alignment=alignment)
    for name, font, alignment in (
        ("text", "Helvetica", 0),
        ("bold", "Helvetica-Bold", 0),
        ("middle", "Helvetica-Bold", 1),
        ("right", "Helvetica", 2),
    )
}


@dataclass(slots=True)
class Truth:
    """What a table says: its heads, level by level, with the columns they stand over, and its rows."""

    heads: list[tuple[str, int, int]]
    rows: list[list[str]]

    def names(self, width: int) -> list[str]:
        """What the heads over each column say, from top to bottom."""
        return [" ".join(text for text, first, last in self.heads if first <= at <= last) for at in range(width)]


@dataclass(slots=True)
class Labels:
    """What a public table says, by digests: the head of each column, and its rows."""

    columns: list[str]
    rows: list[list[str]]

    def names(self, width: int) -> list[str]:
        """What the heads over each column say."""
        return [*self.columns, *[""] * (width - len(self.columns))]


@dataclass(slots=True)
class Page:
    """What is drawn, and what its tables say."""

    lot: random.Random
    story: list[Flowable] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)

    def noun(self, words: int = 2) -> str:
        """A label: "General harbour repairs"."""
        said = (
            [self.lot.choice(ADJECTIVES), *self.lot.sample(NOUNS, words - 1)] if words > 1 else [self.lot.choice(NOUNS)]
        )
        return " ".join(said).capitalize()

    def sentence(self) -> str:
        """What a cell of words says."""
        lot = self.lot
        said = f"the {lot.choice(ADJECTIVES)} {lot.choice(NOUNS)} {lot.choice(VERBS)} the {lot.choice(NOUNS)}"
        if lot.random() < 0.6:
            said += f" and the {lot.choice(ADJECTIVES)} {lot.choice(NOUNS)} of the {lot.choice(NOUNS)}"
        return said.capitalize() + lot.choice(["", "."])

    def figure(self) -> str:
        """A figure as statements print it."""
        made = self.lot.choice(["{:,}", "{:,}", "({:,})", "{:,}"]).format(self.lot.randint(3, 99_999))
        return self.lot.choice([made, made, made, made, "\u2014"])

    def prose(self) -> None:
        """A paragraph."""
        text = " ".join(self.sentence().rstrip(".") + "." for _ in range(self.lot.randint(2, 5)))
        self.story += [Paragraph(text, STYLES["text"]), Spacer(1, self.lot.randint(8, 16))]

    def table(
        self, heads: Sequence[Sequence[tuple[str, int, int]]], rows: Sequence[Sequence[str]], **look: object
    ) -> None:
        """Draw a table, and keep what it says; a row of one cell is a label that opens a group."""
        self.story += [drawn(heads, rows, **look), Spacer(1, self.lot.randint(10, 20))]  # type: ignore[arg-type]
        said = [[cell.replace("\n", " ") for cell in row] for row in rows if len(row) > 1]
        self.truths.append(
            Truth([(text.replace("\n", " "), a, b) for level in heads for text, a, b in level if text], said)
        )

    def pdf(self) -> bytes:
        """The pages."""
        packed = io.BytesIO()
        SimpleDocTemplate(packed, pagesize=A4, leftMargin=56, rightMargin=56, invariant=1).build(list(self.story))
        return packed.getvalue()


def drawn(
    heads: Sequence[Sequence[tuple[str, int, int]]],
    rows: Sequence[Sequence[str]],
    *,
    widths: Sequence[float],
    rules: str = "none",
    figures: Sequence[int] = (),
    wrapped: bool = False,
    padding: tuple[float, float] = (6.0, 2.0),
    middle: bool = False,
    foot: bool = False,
    tall: Sequence[tuple[int, int]] = (),
) -> Table:
    """A table as reportlab draws it: `rules` are grid, lines, heads, down, bands or none, `tall` rows of one label."""
    top, across = padding[1], padding[0]
    style: list[tuple[object, ...]] = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 9),
        ("LEFTPADDING", (0, 0), (-1, -1), across),
        ("RIGHTPADDING", (0, 0), (-1, -1), across),
        ("TOPPADDING", (0, 0), (-1, -1), top),
        ("BOTTOMPADDING", (0, 0), (-1, -1), top),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if middle else "BOTTOM" if foot else "TOP"),
    ]
    data: list[list[object]] = []
    for level, cells in enumerate(heads):
        line: list[object] = [""] * len(widths)
        for text, first, last in cells:
            line[first] = text
            style.append(("SPAN", (first, level), (last, level)))
            style.append(("ALIGN", (first, level), (last, level), "CENTER" if first < last else "LEFT"))
            if first < last and rules in ("heads", "none"):
                style.append(("LINEBELOW", (first, level), (last, level), 0.4, colors.black))
        style += [
            ("FONT", (0, level), (-1, level), "Helvetica-Bold", 9),
            ("VALIGN", (0, level), (-1, level), "BOTTOM"),
            *(("ALIGN", (at, level), (at, level), "RIGHT") for at in figures if level == len(heads) - 1),
        ]
        data.append(line)
    for row in rows:
        texts = [*row, *[""] * (len(widths) - len(row))]
        wide = wrapped and len(row) > 1
        data.append(
            [
                Paragraph(text, STYLES["text"]) if wide and at not in figures and text else text
                for at, text in enumerate(texts)
            ]
        )
    first = len(heads)
    style += [("ALIGN", (at, first), (at, -1), "RIGHT") for at in figures]
    style += [("SPAN", (0, first + top), (0, first + last)) for top, last in tall]
    every = (0, 0), (-1, -1)
    if rules == "grid":
        style.append(("GRID", *every, 0.5, colors.black))
    elif rules == "lines":
        style.append(("LINEBELOW", *every, 0.3, colors.grey))
    elif rules == "heads":
        style += [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black)]
        style.append(("LINEBELOW", (0, first - 1), (-1, first - 1), 0.5, colors.black))
    elif rules == "down":
        style += [("LINEAFTER", (0, 0), (-2, -1), 0.5, colors.black), ("BOX", *every, 0.5, colors.black)]
    elif rules == "bands":
        style.append(("ROWBACKGROUNDS", (0, first), (-1, -1), [colors.white, colors.HexColor(0xE6ECF2)]))
    return Table(data, colWidths=list(widths), style=TableStyle(style), repeatRows=first, hAlign="LEFT")


def years(page: Page, count: int) -> list[str]:
    """Heads of periods, the latest first."""
    last = page.lot.randint(2015, 2035)
    return [str(last - at) for at in range(count)]


def ledger(page: Page, count: int, rows: int) -> list[list[str]]:
    """Rows of figures with groups and a total that has no label."""
    made: list[list[str]] = []
    for at in range(rows):
        if at and page.lot.random() < 0.12:
            made.append([page.noun() + ":"])
        made.append([page.noun(page.lot.randint(1, 4)), *(page.figure() for _ in range(count))])
    return made


def statement(page: Page) -> None:
    """Figures under years, without rules."""
    count = page.lot.randint(2, 4)
    page.prose()
    heads = [[("", 0, 0), *((year, at, at) for at, year in enumerate(years(page, count), start=1))]]
    body = [*ledger(page, count, page.lot.randint(6, 18)), ["Total", *(page.figure() for _ in range(count))]]
    page.table(heads, body, widths=[210, *[70] * count], figures=range(1, count + 1))
    page.prose()


def long_labels(page: Page) -> None:
    """Figures beside labels of one or two lines."""
    count = page.lot.randint(2, 4)
    page.prose()
    heads = [[("", 0, 0), *((year, at, at) for at, year in enumerate(years(page, count), start=1))]]
    body = [
        [f"{page.noun(2)} and {page.noun(page.lot.randint(2, 4)).lower()}", *(page.figure() for _ in range(count))]
        for _ in range(page.lot.randint(5, 12))
    ]
    page.table(
        heads,
        body,
        widths=[150, *[70] * count],
        figures=range(1, count + 1),
        wrapped=True,
        rules=page.lot.choice(["none", "grid", "lines"]),
        padding=(6, page.lot.choice([1, 2, 4])),
        foot=page.lot.random() < 0.5,
    )
    page.prose()


def two_levels(page: Page) -> None:
    """Heads over heads."""
    page.prose()
    groups, under = page.lot.randint(2, 3), 2
    upper = [(page.noun(), 1 + under * at, under * (at + 1)) for at in range(groups)]
    lower = [(year, 1 + at, 1 + at) for at, year in enumerate(years(page, under) * groups)]
    corner = page.lot.choice(["", "In thousands"])
    body = ledger(page, groups * under, page.lot.randint(6, 14))
    rules = page.lot.choice(["none", "heads", "grid"])
    page.table(
        [upper, [(corner, 0, 0), *lower]],
        body,
        widths=[160, *[54] * (groups * under)],
        figures=range(1, groups * under + 1),
        rules=rules,
    )
    page.prose()


def ruled(page: Page) -> None:
    """A grid of short cells, words and figures."""
    page.prose()
    heads = [[("Item", 0, 0), ("Place", 1, 1), ("Number", 2, 2), ("Price", 3, 3)]]
    body = [
        [
            page.noun(),
            page.noun(1),
            str(page.lot.randint(1, 60)),
            f"{page.lot.randint(2, 900)}.{page.lot.randint(10, 99)}",
        ]
        for _ in range(page.lot.randint(5, 16))
    ]
    across = page.lot.choice([2.0, 3.0, 6.0])
    page.table(heads, body, widths=[110, 70, 48, 60], figures=(2, 3), rules="grid", padding=(across, 2.0))
    page.prose()


def _of_words(page: Page) -> tuple[list[list[tuple[str, int, int]]], list[list[str]], list[float]]:
    """Heads, rows and widths of a table whose cells are sentences."""
    count = page.lot.randint(2, 4)
    heads = [[(page.noun(1), at, at) for at in range(count)]]
    body = [
        [page.noun(3) if at == 0 else page.sentence() for at in range(count)] for _ in range(page.lot.randint(3, 7))
    ]
    widths = [90, *[390 / (count - 1)] * (count - 1)]
    return heads, body, widths


def wrapped_grid(page: Page) -> None:
    """A grid of words whose cells hold several lines each."""
    page.prose()
    heads, body, widths = _of_words(page)
    space = 6, page.lot.choice([0, 2, 2, 5])
    page.table(heads, body, widths=widths, rules="grid", wrapped=True, middle=page.lot.random() < 0.3, padding=space)
    page.prose()


def wrapped_plain(page: Page) -> None:
    """Words whose cells hold several lines, told apart by space, lines or bands."""
    page.prose()
    heads, body, widths = _of_words(page)
    page.table(
        heads, body, widths=widths, rules=page.lot.choice(["lines", "bands", "none"]), wrapped=True, padding=(6, 4)
    )
    page.prose()


def gaps(page: Page) -> None:
    """A grid of words, some of its cells empty."""
    page.prose()
    count = page.lot.randint(3, 4)
    heads = [[(page.noun(1), at, at) for at in range(count)]]
    body = [
        [page.noun(2), *(page.sentence() if at == 1 or page.lot.random() < 0.6 else "" for at in range(1, count))]
        for _ in range(page.lot.randint(3, 7))
    ]
    widths = [90, *[390 / (count - 1)] * (count - 1)]
    page.table(heads, body, widths=widths, rules=page.lot.choice(["grid", "lines"]), wrapped=True, padding=(6, 3))
    page.prose()


def tall(page: Page) -> None:
    """A grid whose first cells stand beside several rows each."""
    page.prose()
    heads = [[("Class", 0, 0), ("Vessel", 1, 1), ("Day", 2, 2), ("Week", 3, 3)]]
    body: list[list[str]] = []
    spans = []
    for _ in range(page.lot.randint(2, 4)):
        rows = page.lot.randint(2, 4)
        spans.append((len(body), len(body) + rows - 1))
        body += [
            [
                page.noun(1) if at == 0 else "",
                page.noun(2),
                str(page.lot.randint(5, 90)),
                str(page.lot.randint(100, 900)),
            ]
            for at in range(rows)
        ]
    page.table(heads, body, widths=[80, 130, 60, 60], figures=(2, 3), rules="grid", tall=spans)
    page.prose()


def narrow(page: Page) -> None:
    """Columns with little space between them."""
    page.prose()
    count = page.lot.randint(5, 8)
    heads = [
        [
            ("Station", 0, 0),
            *((f"{name}.", at, at) for at, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug".split()[:count], 1)),
        ]
    ]
    body = [
        [page.noun(1), *(str(page.lot.randint(100, 999)) for _ in range(count))] for _ in range(page.lot.randint(5, 12))
    ]
    rules = page.lot.choice(["none", "grid", "lines", "heads"])
    page.table(heads, body, widths=[60, *[24] * count], figures=range(1, count + 1), rules=rules, padding=(2, 2))
    page.prose()


def paper(page: Page) -> None:
    """Rules over and under the heads, heads of two lines, decimals."""
    page.prose()
    count = page.lot.randint(3, 5)
    heads = [
        [("Model", 0, 0), *((f"{page.noun(1)}\n{page.noun(1).lower()} (%)", at, at) for at in range(1, count + 1))]
    ]
    body = [
        [page.noun(1), *(f"{page.lot.uniform(1, 99):.1f}" for _ in range(count))] for _ in range(page.lot.randint(4, 9))
    ]
    page.table(heads, body, widths=[90, *[72] * count], figures=range(1, count + 1), rules="heads")
    page.prose()


def over_pages(page: Page) -> None:
    """A table that goes on over the page, its heads repeated."""
    page.prose()
    count = page.lot.randint(2, 3)
    heads = [[("Account", 0, 0), *((year, at, at) for at, year in enumerate(years(page, count), start=1))]]
    body = [[page.noun(2), *(page.figure() for _ in range(count))] for _ in range(page.lot.randint(50, 80))]
    rules = page.lot.choice(["none", "grid", "bands", "lines"])
    page.table(heads, body, widths=[200, *[80] * count], figures=range(1, count + 1), rules=rules)


def price_list(page: Page) -> None:
    """Names, what they are in several lines, a unit and a price."""
    page.prose()
    heads = [[("Article", 0, 0), ("Description", 1, 1), ("Unit", 2, 2), ("Price", 3, 3)]]
    body = [
        [
            page.noun(2),
            page.sentence(),
            page.lot.choice(["each", "per kg", "per day", "m"]),
            f"{page.lot.randint(1, 999)}.00",
        ]
        for _ in range(page.lot.randint(5, 9))
    ]
    rules = page.lot.choice(["none", "bands", "lines", "grid"])
    page.table(heads, body, widths=[110, 200, 60, 60], figures=(3,), rules=rules, wrapped=True, padding=(6, 3))
    page.prose()


def measures(page: Page) -> None:
    """Least, usual and most of properties, with units in a column and empty cells."""
    page.prose()
    named = ("Parameter", "Min.", "Typ.", "Max.", "Unit")
    heads = [[(text, at, at) for at, text in enumerate(named)]]
    body = [
        [
            page.noun(2),
            *(f"{page.lot.uniform(0, 50):.1f}" if page.lot.random() < 0.7 else "" for _ in range(2)),
            f"{page.lot.uniform(50, 99):.1f}",
            page.lot.choice(["V", "mA", "\u00b0C", "kg"]),
        ]
        for _ in range(page.lot.randint(5, 12))
    ]
    page.table(
        heads, body, widths=[150, 56, 56, 56, 50], figures=(1, 2, 3), rules=page.lot.choice(["grid", "heads", "down"])
    )
    page.story.append(Paragraph("(1) Of the figures above those of the last column hold at rest.", STYLES["text"]))


def matrix(page: Page) -> None:
    """Marks of what goes with what, many of them missing."""
    page.prose()
    count = page.lot.randint(3, 5)
    heads = [
        [
            ("Service", 0, 0),
            *((name, at, at) for at, name in enumerate(("Basic", "Plus", "Team", "Full", "Group")[:count], 1)),
        ]
    ]
    body = [
        [page.noun(2), *(page.lot.choice(["Yes", "No", "Yes", "Yes"]) for _ in range(count))]
        for _ in range(page.lot.randint(5, 12))
    ]
    page.table(heads, body, widths=[160, *[60] * count], rules=page.lot.choice(["grid", "none", "lines", "bands"]))
    page.prose()


def several(page: Page) -> None:
    """Small tables one under the other, prose between them."""
    for _ in range(3):
        page.prose()
        count = page.lot.randint(2, 3)
        heads = [[("Year ended", 0, 0), *((year, at, at) for at, year in enumerate(years(page, count), start=1))]]
        body = [[page.noun(2), *(page.figure() for _ in range(count))] for _ in range(page.lot.randint(3, 5))]
        page.table(
            heads,
            body,
            widths=[180, *[70] * count],
            figures=range(1, count + 1),
            rules=page.lot.choice(["none", "heads"]),
        )


def timetable(page: Page) -> None:
    """Words and times in short cells, none of them a figure of a statement."""
    page.prose()
    heads = [[("Day", 0, 0), ("Opens", 1, 1), ("Closes", 2, 2), ("Who is there", 3, 3)]]
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    body = [
        [
            day,
            f"{page.lot.randint(6, 10)}:{page.lot.choice(['00', '30'])}",
            f"{page.lot.randint(15, 20)}:00",
            page.noun(2),
        ]
        for day in days[: page.lot.randint(4, 7)]
    ]
    page.table(heads, body, widths=[90, 60, 60, 160], rules=page.lot.choice(["grid", "none", "lines", "heads"]))
    page.prose()


KINDS: Sequence[Callable[[Page], None]] = (
    statement,
    long_labels,
    two_levels,
    ruled,
    wrapped_grid,
    wrapped_plain,
    gaps,
    tall,
    narrow,
    paper,
    over_pages,
    price_list,
    measures,
    matrix,
    several,
    timetable,
)


@dataclass(slots=True)
class Count:
    """How many rows, cells and heads there are, and how many of them are right."""

    rows: int = 0
    rows_right: int = 0
    cells: int = 0
    cells_right: int = 0
    heads: int = 0
    heads_right: int = 0

    def add(self, other: Count) -> None:
        """Count what another one counted too."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        parts = ((self.rows_right, self.rows), (self.cells_right, self.cells), (self.heads_right, self.heads))
        return "  ".join(f"{right / max(1, every):.3f} ({right} of {every})" for right, every in parts)


@dataclass(slots=True)
class Found:
    """A table that somebody read: the head of each column, and rows of as many cells."""

    names: list[str]
    rows: list[list[str]]


def plain(text: str) -> str:
    """A text without spaces and marks of list items, which no two readers put alike, and with one kind of dash."""
    return "".join(text.split()).translate(MARKS).replace("\u2013", "-").replace("\u2014", "-").replace("\u2212", "-")


def digest(text: str) -> str:
    """What stands for a text in the labels of public pages; nothing for nothing."""
    said = plain(text)
    return hashlib.blake2s(said.encode(), digest_size=4).hexdigest() if said else ""


def score(truth: Truth | Labels, found: Sequence[Found], said: Callable[[str], str] = plain) -> tuple[Count, list[str]]:
    """What of a table is right in what was read, and what is not; `said` makes texts of what was read comparable."""
    width = max(map(len, truth.rows))
    known = plain if said is plain else str
    rows = [[known(cell) for cell in [*row, *[""] * (width - len(row))]] for row in truth.rows]
    read = [[said(cell) for cell in row] for table in found for row in table.rows]
    texts = {said(cell): plain(cell) for table in found for row in [*table.rows, table.names] for cell in row}
    counted, wrong = Count(), []
    left = list(read)
    for row in rows:
        best = max(left, key=lambda one: _same(row, one), default=[])
        counted.rows += 1
        counted.cells += sum(map(bool, row))
        counted.cells_right += _same(row, best)
        if best == row:
            counted.rows_right += 1
            left.remove(best)
        else:
            wrong.append(f"{[texts.get(cell, cell) for cell in row]} as {[texts[cell] for cell in best]}")
    names = [known(name) for name in truth.names(width)]
    tables = [[said(name) for name in table.names] for table in found]
    nearest = max(tables, key=lambda one: _same(names, one), default=[])
    counted.heads = sum(map(bool, names))
    counted.heads_right = _same(names, nearest)
    if counted.heads_right < counted.heads:
        wrong.append(f"heads {[texts.get(one, one) for one in names]} as {[texts[one] for one in nearest]}")
    return counted, wrong


def _same(row: Sequence[str], other: Sequence[str]) -> int:
    """The cells of a row that stand in their columns."""
    return sum(bool(cell) and cell == read for cell, read in zip(row, other, strict=False))


@lru_cache(maxsize=1)
def ours(data: bytes, page: int | None = None) -> list[Found]:
    """The tables that Spanwise reads."""
    found = find_tables(read_pdf(data, "made.pdf", ReadOptions(ocr=Ocr("never"))))
    return [Found(list(table.columns), table.texts()) for table in found if page is None or page in table.pages]


def theirs(data: bytes, levels: int, page: int | None = None) -> list[Found]:
    """The tables that pdfplumber reads; as many of its first rows as a table has levels are taken for heads."""
    with import_module("pdfplumber").open(io.BytesIO(data)) as opened:
        pages = opened.pages if page is None else [opened.pages[page - 1]]
        tables = [table for one in pages for table in one.extract_tables()]
    found = []
    for table in tables:
        rows = [[cell or "" for cell in row] for row in table]
        heads: list[list[str]] = []
        for row in table[:levels]:
            filled: list[str] = []
            for cell in row:  # None is what a cell to the left goes on over
                filled.append((filled[-1] if filled else "") if cell is None else cell)
            heads.append(filled)
        names = [" ".join(level[at] for level in heads if level[at]) for at in range(len(rows[0]))]
        found.append(Found(names, [[cell.replace("\n", " ") for cell in row] for row in rows]))
    return found


def made(lot: int, each: int) -> Iterator[tuple[str, bytes, list[tuple[Truth, int | None]]]]:
    """PDFs that are drawn, with the name of their style and what their tables say."""
    for kind in KINDS:
        for number in range(each):
            page = Page(random.Random(f"{kind.__name__} {lot} {number}"))
            kind(page)
            yield kind.__name__, page.pdf(), [(truth, None) for truth in page.truths]


def labelled(half: int | None) -> Iterator[tuple[str, bytes, list[tuple[Labels, int | None]]]]:
    """Public pages that somebody labelled: all of them, or every second one."""
    for at, page in enumerate(json.loads(LABELS.read_text("utf-8"))):
        if half is None or at % 2 == half:
            tables = [(Labels(one["names"], one["rows"]), page["page"]) for one in page["tables"]]
            yield f"{page['pdf'][:30]} {page['page']}", (DATA / page["pdf"]).read_bytes(), tables


def digested(file: Path) -> str:
    """Labels with digests in the place of texts, one page a line."""
    pages = json.loads(file.read_text("utf-8"))
    for table in (table for page in pages for table in page["tables"]):
        table["names"] = [digest(name) for name in table["names"]]
        table["rows"] = [[digest(cell) for cell in row] for row in table["rows"]]
    return "[\n" + ",\n".join(json.dumps(page, separators=(",", ":")) for page in pages) + "\n]\n"


def main() -> None:
    """Measure, and print one line a style."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--lot", type=int, default=0)
    asked.add_argument("--each", type=int, default=EACH)
    asked.add_argument("--pages", action="store_true")
    asked.add_argument("--half", type=int, choices=(0, 1))
    asked.add_argument("--digest", type=Path)
    asked.add_argument("--peer", action="store_true")
    asked.add_argument("--verbose", action="store_true")
    given = asked.parse_args()
    if given.digest:
        print(digested(given.digest), end="")
        return
    said = digest if given.pages else plain
    counts: dict[str, dict[str, Count]] = defaultdict(lambda: defaultdict(Count))
    for name, data, truths in labelled(given.half) if given.pages else made(given.lot, given.each):
        for truth, page in truths:
            counted, wrong = score(truth, ours(data, page), said)
            counts["spanwise"][name].add(counted)
            for line in wrong if given.verbose else ():
                print(f"  {name}: {line}")
            if given.peer:
                spans = isinstance(truth, Truth) and any(first < last for _, first, last in truth.heads)
                counts["pdfplumber"][name].add(score(truth, theirs(data, 2 if spans else 1, page), said)[0])
    for reader, found in counts.items():
        every = Count()
        for name, count in found.items():
            print(f"{reader:10} {name:20} {count}")
            every.add(count)
        print(f"{reader:10} {'all':20} {every}")


if __name__ == "__main__":
    main()
