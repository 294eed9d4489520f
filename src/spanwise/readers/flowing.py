"""What formats without physical lines share: one sentence is one line, one table row is one line."""

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
"""A table cell that stands alone in its row and is not longer than this is a label and stays one line."""
LONGEST_HEADING = 200
"""Longer ones are clauses that were given the style of a heading for its number."""
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
_OPENS = frozenset("$€£¥(")
_CLOSES = frozenset((")", "%", ")%", "%)", "]"))


@dataclass(slots=True)
class Words:
    """What one paragraph says, gathered run by run."""

    shown: list[str] = field(default_factory=list)
    hidden: list[tuple[HiddenReason, str]] = field(default_factory=list)

    def add(self, words: str | None, reason: HiddenReason | None) -> None:
        """Add a piece; one with a reason is not seen."""
        if words and reason is None:
            self.shown.append(words)
        elif words and reason is not None:
            self.hidden.append((reason, words))

    def hide(self, hide: Callable[[str, HiddenReason], object]) -> None:
        """Hand on what is not seen, all of one reason together."""
        for reason in dict.fromkeys(reason for reason, _ in self.hidden):
            hide("".join(words for one, words in self.hidden if one == reason), reason)


def add_paragraph(builder: DocumentBuilder, text: str, *, role: LineRole = "text", marker: str = "") -> int | None:
    """Add a paragraph as one block, a line for each sentence; a line break in it (`<br>`) ends a line too.

    `marker` is what a list shows before it ("1. ", "- "), put before the first sentence. The answer is the number of
    the first line, or None when there is nothing to see in it.
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
    """The sentences; a number or letter that was typed before the first one ("1.2. ", "(a) ") stays with it."""
    numbered = _TYPED.match(piece)
    begin = numbered.end() if numbered else 0
    if not _INNER_END.search(piece, begin, len(piece) - 1):
        return [piece]  # Most paragraphs of tables, menus and forms, and asking about them costs most of the time.
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
    """Add a paragraph of a word processor: a heading where it has a level and is no clause that borrowed its number."""
    if level is not None and len(text) <= LONGEST_HEADING:
        add_heading(builder, text, level, marker)
    else:
        add_paragraph(builder, text, role="list_item" if marker else "text", marker=marker)


def add_verbatim(builder: DocumentBuilder, text: str) -> None:
    """Add text whose line breaks and spaces mean something (`<pre>`) as one block."""
    lines = [line.rstrip() for line in builder.seen_lines(text)]
    if any(lines):
        builder.new_block()
        for line in lines:
            if line:
                builder.line(line)


def add_row(builder: DocumentBuilder, cells: Iterable[str], spans: Sequence[int] = ()) -> None:
    """Add a table row as one line, its cells (empty ones too) two spaces apart.

    A row of a mark and a text is a list item that was laid out with a table, and a long text alone in its row is a
    paragraph: both get a line for each sentence. `spans` are the first column of each cell and the one behind its last,
    one pair after the other; one each by default.
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


def add_cells(builder: DocumentBuilder, cells: Sequence[str], *, in_table: bool) -> bool:
    """Add a row of a sheet as one line, whatever is in it, its cells between pipes so that none changes its column.

    `in_table` tells whether the row before was one of a table. The answer tells whether this one is: a text alone in
    its row is none, unless it stands in a later column.
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
    """Texts and edges; financial tables put a currency sign, a closing bracket or a percent sign into its own cell."""
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
