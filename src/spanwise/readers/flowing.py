"""What formats without physical lines share: each sentence and each table row becomes one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from spanwise.domain.document import HiddenReason, LineRole
from spanwise.readers.builder import DocumentBuilder
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.sentences import sentences

_LABEL = 120
"""Most characters of a text alone in its table row that is a label and stays one line."""
SHORT = 60
"""Most characters of a cell that is said again in each of its rows."""
_MOST_REACHING = 12
"""Cells that reach into one row at most; a page could have each row say all of those above it."""
LONGEST_HEADING = 200
"""Most characters of a heading; longer ones are clauses that were given a heading's style for its number."""
_MARKER = re.compile(
    rf"[{BULLETS}§o{DASHES}]|"
    r"\(?(?:[a-zA-Z]{1,4}|\d{1,3})\)|(?:[a-zA-Z]{1,4}|\d{1,3})\.|\d{1,3}(?:\.\d{1,3}){1,4}\.?"
)
_TYPED = re.compile(
    r"(?:(?:section|article)\s)?(?:\d{1,3}(?:\.\d{1,3}){0,5}\.?|[a-zA-Z]\.|[ivxIVX]{1,5}\.|\([a-zA-Z0-9]{1,4}\))\s+",
    re.IGNORECASE,
)
_TYPED_ITEM = re.compile(rf"(?:\([a-zA-Z0-9]{{1,4}}\)|[{BULLETS}§–—-])\s")
_INNER_END = re.compile(r"[.!?;:…。！？]")
_RAISES = re.compile(r"(?<![\^\d.,])\d[\d.,]{0,30}\Z|[^\W\d_]{4}\Z")
"""What a raised number would make another figure or word of: a figure, or a word that is too long to be a unit."""
_RAISED = re.compile(r"[-+\u2212]?\d")
_TAIL = 40
_OPENS = frozenset("$€£¥(")
_CLOSES = frozenset((")", "%", ")%", "%)", "]"))


def raised_after(before: str, text: str) -> str:
    """Raised text as written behind other text: 10^6 and 500^1 (the mark of a note) are not 106 and 5001."""
    return f"^{text}" if _RAISES.search(before[-_TAIL:]) and _RAISED.match(text) else text


@dataclass(slots=True)
class Words:
    """The text of one paragraph, shown and hidden, gathered run by run."""

    shown: list[str] = field(default_factory=list)
    hidden: list[tuple[HiddenReason, str]] = field(default_factory=list)

    def add(self, words: str | None, reason: HiddenReason | None, *, raised: bool = False) -> None:
        """Add a piece of text; it is hidden if there is a `reason`."""
        if words and reason is None:
            self.shown.append(raised_after("".join(self.shown[-3:]), words) if raised else words)
        elif words and reason is not None:
            self.hidden.append((reason, words))

    def hide(self, hide: Callable[[str, HiddenReason], object]) -> None:
        """Call `hide` once for each reason, with all text that is hidden for it."""
        for reason in dict.fromkeys(reason for reason, _ in self.hidden):
            hide("".join(words for one, words in self.hidden if one == reason), reason)


def add_paragraph(builder: DocumentBuilder, text: str, *, role: LineRole = "text", marker: str = "") -> int | None:
    """Add a paragraph as one block, with a line for each sentence; a line break in it (`<br>`) ends a line, too.

    `marker` is what a list shows before it ("1. ", "- ") and is put before the first sentence. Returns the number of
    the
    first line, or None if there is no visible text.
    """
    pieces = [" ".join(builder.seen(piece).split()) for piece in text.split("\n")]
    pieces = [piece for piece in pieces if piece]
    if not pieces:
        return None
    builder.new_block()
    first = builder.next_line
    if role == "text" and _TYPED_ITEM.match(pieces[0]):
        role = "list_item"
    for piece in pieces:
        for sentence in _sentences(piece):
            builder.line(marker + sentence, role)
            marker = ""
    return first


def _sentences(piece: str) -> list[str]:
    """The sentences of a text; a number or letter typed before the first ("1.2. ", "(a) ") stays with it."""
    numbered = _TYPED.match(piece)
    begin = numbered.end() if numbered else 0
    if not _INNER_END.search(piece, begin, len(piece) - 1):
        return [piece]  # So are most paragraphs of tables, menus and forms; cutting them would take most of the time.
    # Cut where sentences start, so that nothing between two of them can be lost.
    starts = [0, *(begin + start for start, _ in sentences(piece[begin:])[1:]), len(piece)]
    return [piece[start:end].strip() for start, end in pairwise(starts)]


def add_heading(builder: DocumentBuilder, text: str, level: int, marker: str = "") -> None:
    """Add a heading as one line that opens a section."""
    title = marker + " ".join(builder.seen(text).split())
    if title:
        builder.new_block()
        builder.heading(level, title, builder.line(title, "heading"))


def add_words(builder: DocumentBuilder, text: str, level: int | None, marker: str = "") -> None:
    """Add a paragraph of a word processor: a heading if it has a level and is not too long to be one, else text."""
    if level is not None and len(text) <= LONGEST_HEADING:
        add_heading(builder, text, level, marker)
    else:
        add_paragraph(builder, text, role="list_item" if marker else "text", marker=marker)


def add_verbatim(builder: DocumentBuilder, text: str) -> None:
    """Add preformatted text (`<pre>`), whose line breaks and spaces have a meaning, as one block."""
    lines = [line.rstrip() for line in builder.seen_lines(text)]
    if any(lines):
        builder.new_block()
        for line in lines:
            if line:
                builder.line(line)


def add_row(builder: DocumentBuilder, cells: Iterable[str], spans: Sequence[int] = ()) -> None:
    """Add a table row as one line, its non-empty cells two spaces apart.

    A row of a mark and a text is a list item that was laid out with a table, and a long text alone in its row is a
    paragraph: both get a line for each sentence. `spans` has two entries per cell, its first column and the column
    after
    its last; by default each cell is one column wide.
    """
    texts = [" ".join(builder.seen(cell).split()) for cell in cells]
    spans = spans or [edge for at in range(len(texts)) for edge in (at, at + 1)]
    shown, edges = _joined([(text, spans[2 * at], spans[2 * at + 1]) for at, text in enumerate(texts) if text])
    if not shown:
        return
    if len(shown) == 2 and _MARKER.fullmatch(shown[0]):
        add_paragraph(builder, shown[1], role="list_item", marker=f"{shown[0]} ")
    elif len(shown) == 1 and len(shown[0]) > _LABEL:
        add_paragraph(builder, shown[0])
    else:
        builder.new_block()
        builder.line("  ".join(shown), "table_row", tuple(edges))


class Spanning:
    """The cells of a table that reach over several rows: short ones are said again in each row, as in a sheet."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[int, int, str]] = {}
        """By first column: the column after the last one, the rows that are left, and the text."""

    @property
    def reaches(self) -> bool:
        """True if a cell from above reaches into the next row."""
        return bool(self._open)

    def row(self, cells: Sequence[str], spans: Sequence[int], rows: Sequence[int]) -> tuple[list[str], list[int]]:
        """The cells of a row and their spans (see `add_row`), with those from above; each reaches over `rows`."""
        own = [(spans[2 * at], spans[2 * at + 1], cell) for at, cell in enumerate(cells)]
        known = {first for first, _, cell in own if cell.strip()}
        above = [(first, behind, text) for first, (behind, _, text) in self._open.items() if first not in known]
        filled = [one for one in own if one[2].strip()]
        shown = sorted([*filled, *above], key=lambda one: one[0]) if filled else []
        self._open = {first: (behind, left - 1, text) for first, (behind, left, text) in self._open.items() if left > 1}
        for (first, behind, cell), high in zip(own, rows, strict=True):
            if high > 1 and 0 < len(cell.strip()) <= SHORT and len(self._open) < _MOST_REACHING:
                self._open[first] = behind, high - 1, cell
        return [cell for _, _, cell in shown], [edge for first, behind, _ in shown for edge in (first, behind)]


def add_cells(builder: DocumentBuilder, cells: Sequence[str], *, in_table: bool) -> bool:
    """Add a row of a sheet as one line, with pipes between its cells so that none changes its column.

    `in_table` says whether the row before belongs to a table; the result says the same of this row. A text alone in its
    row does not, unless it is in a later column.
    """
    filled = len(cells) - cells.count("")
    in_table = filled > 1 or (in_table and filled == 1 and not cells[0])
    last = len(cells)
    while last and not cells[last - 1]:
        last -= 1
    bare = "".join(cells)
    shown = [cell.replace("|", "\\|") for cell in cells[:last]] if "|" in bare else cells[:last]
    text = " | ".join(shown) if in_table else bare
    builder.new_block()
    builder.line(f"| {text}" if in_table and not cells[0] else text, "table_row" if in_table else "text")
    return in_table


def _joined(cells: Sequence[tuple[str, int, int]]) -> tuple[list[str], list[float]]:
    """The texts of a row and their edges, with currency signs, brackets and percent signs joined to their number.

    Financial tables put these into cells of their own.
    """
    joined: list[str] = []
    edges: list[float] = []
    for cell, first, behind in cells:
        if joined and (joined[-1] in _OPENS or (cell in _CLOSES and joined[-1][-1].isdigit())):
            joined[-1] += cell
            edges[-1] = float(behind)
        else:
            joined.append(cell)
            edges += [float(first), float(behind)]
    return joined, edges
