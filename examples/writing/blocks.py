"""Blocks of a text in Markdown: headings, paragraphs, items, tables, and directives that a layout knows.

Beside Markdown a text may use a line `@name rest` for what only a layout can do (a page break, a table of contents, a
chart of the next table), `: caption` below a table, and `[^1]` with `[^1]: text` for a footnote.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table")
_FOOTNOTE = re.compile(r"\[\^(\d)\](?!:)")
_FOOTNOTE_TEXT = re.compile(r"\[\^(\d)\]: (.+)")


@dataclass(frozen=True)
class Run:
    """Characters of one style: `b` bold, `i` italic, `note` the number of a footnote, or plain."""

    text: str
    style: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Heading:
    """A heading and how deep it is, from 1."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; `label` is its number where it begins with one ("4.2", "(a)"); `notes` are its footnotes."""

    runs: Runs
    label: str = ""
    notes: tuple[tuple[str, Runs], ...] = ()


@dataclass(frozen=True)
class Item:
    """An item of a list with bullets."""

    runs: Runs


@dataclass(frozen=True)
class Table:
    """A table: its head, its rows, which columns hold figures, and its caption."""

    head: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]
    right: tuple[bool, ...]
    caption: str = ""


@dataclass(frozen=True)
class Directive:
    """What only a layout can do, with its arguments."""

    name: str
    rest: str = ""


Block = Heading | Paragraph | Item | Table | Directive


def blocks_of(text: str) -> list[Block]:
    """The blocks of a text in Markdown."""
    notes = {match[1]: _runs_of_text(match[2]) for match in _FOOTNOTE_TEXT.finditer(text)}
    found = list(_blocks(_PARSER.parse(_FOOTNOTE_TEXT.sub("", text)), notes))
    return list(_captioned(found))


def plain(runs: Runs) -> str:
    """The characters of some runs."""
    return "".join(run.text for run in runs if run.style != "note")


def _blocks(tokens: list[Token], notes: dict[str, Runs]) -> Iterator[Block]:
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            yield Heading(int(before.tag[1]), token.content)
        elif token.type == "inline" and before.type == "paragraph_open":
            yield from _paragraph(token, notes, in_list=before.level > 0)
        elif token.type == "table_open":
            yield _table(tokens[tokens.index(token) :])


def _paragraph(token: Token, notes: dict[str, Runs], *, in_list: bool) -> Iterator[Block]:
    if in_list:
        yield Item(_runs(token))
        return
    if token.content.startswith("@"):
        name, _, rest = token.content[1:].partition(" ")
        yield Directive(name, rest)
        return
    runs = _runs(token)
    label = re.match(r"(\d+\.\d+|\([a-z0-9]\)) ", runs[0].text)
    if label:
        runs = (Run(runs[0].text[label.end() :], runs[0].style), *runs[1:])
    marked = tuple((run.text, notes[run.text]) for run in runs if run.style == "note")
    yield Paragraph(runs, label[1] if label else "", marked)


def _table(tokens: list[Token]) -> Table:
    rows: list[list[Runs]] = []
    right: list[bool] = []
    for before, token in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_runs(token))
            if before.type == "th_open":
                right.append("right" in str(before.attrs.get("style", "")))
        elif token.type == "table_close":
            break
    return Table(tuple(rows[0]), tuple(map(tuple, rows[1:])), tuple(right))


def _captioned(blocks: list[Block]) -> Iterator[Block]:
    """The blocks, with each last row of a table that is a caption made its caption."""
    for block in blocks:
        if isinstance(block, Table) and plain(block.rows[-1][0]).startswith(": "):
            yield Table(block.head, block.rows[:-1], block.right, plain(block.rows[-1][0])[2:])
        else:
            yield block


def _runs_of_text(text: str) -> Runs:
    return _runs(_PARSER.parseInline(text)[0])


def _runs(token: Token) -> Runs:
    runs: list[Run] = []
    style = ""
    for child in token.children or ():
        if child.type in {"strong_open", "em_open"}:
            style = "b" if child.type == "strong_open" else "i"
        elif child.type in {"strong_close", "em_close"}:
            style = ""
        elif child.type == "softbreak":
            runs.append(Run(" "))
        elif child.content:
            for at, piece in enumerate(_FOOTNOTE.split(child.content)):
                if piece:
                    runs.append(Run(piece, "note" if at % 2 else style))
    return tuple(runs)
