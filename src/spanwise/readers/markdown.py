"""Markdown: each line of the file is a line of the document; the parsed blocks give its role and the sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from spanwise.domain.document import Document, LineRole
from spanwise.errors import LimitError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.markdown_html import Unseen, find_unseen
from spanwise.readers.port import ReadOptions

_LINE_END = re.compile(r"\r\n|\n|\r")
_ATX = re.compile(r"^(\s{0,3})#{1,6}(?:[ \t]+|$)")
_ATX_CLOSE = re.compile(r"[ \t]#+[ \t]*$")
_REFERENCE_COMMENT = re.compile(r"^\s{0,3}\[(?://|comment)\]:\s{0,4}(?:#|<>)\s{0,4}[(\"'](.*)[)\"']\s*$", re.IGNORECASE)
_EMPHASIS = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)")
_LONGEST = 32 * 1024 * 1024
"""Most characters of a file; the parser takes about a second per megabyte and cannot be interrupted."""


@dataclass(slots=True)
class _Marks:
    """What the parsed blocks mean for one physical line."""

    role: LineRole = "text"
    starts_block: bool = False
    code: bool = False
    level: int = 0
    """Level of the section that opens here, or 0."""
    title: str = ""


def read_markdown(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read Markdown; front matter and code count as text, and what a rendered page would not show is hidden."""
    budget = Budget(name, options.limits)
    decoded = decode(data, name)
    if len(decoded.text) > _LONGEST:
        message = f"{name} has {len(decoded.text):,} characters: split it, or name it .txt to read it as plain text."
        raise LimitError(message, document=name)
    builder = DocumentBuilder(data, format="markdown", budget=budget)
    builder.tell(decoded.notices(name))
    lines = _LINE_END.split(decoded.text)
    if lines and not lines[-1].strip("\f"):
        lines.pop()  # What follows the last line end counts only if it is not empty.
    marks, unseen = _mark(lines, budget)
    shown = _without_comments([unseen.shown(at, line) for at, line in enumerate(lines)], marks, unseen)
    _add(shown, marks, builder, unseen)
    builder.guess_headings()
    return builder.build()


def _mark(lines: list[str], budget: Budget) -> tuple[list[_Marks], Unseen]:
    marks = [_Marks(role="text" if line.strip() else "blank") for line in lines]
    front = _front_matter(lines)
    if front:
        marks[0].starts_block = True
        marks[0].role = marks[front - 1].role = "blank"
    for mark in marks[:front]:
        mark.code = True
    parser = MarkdownIt("commonmark", {"maxNesting": budget.limits.depth}).enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    # Front matter would be parsed as a heading; empty lines in its place keep the line numbers.
    source = "\n".join([""] * front + lines[front:])
    env: dict[str, Any] = {}
    tokens = parser.parse(source, env)
    for token in tokens:
        budget.step()
        if token.map is not None:
            _apply(token, marks, lines)
    _leave_comments(lines, env)
    return marks, find_unseen(lines, tokens, env, budget)


def _leave_comments(lines: list[str], env: dict[str, Any]) -> None:
    """Drop link definitions that are comments, so that they are reported as comments."""
    references = env.get("references", {})
    for label, reference in list(references.items()):
        first = (reference.get("map") or (0, 0))[0]
        if first < len(lines) and _REFERENCE_COMMENT.match(lines[first]):
            del references[label]


def _front_matter(lines: list[str]) -> int:
    """The number of lines of the YAML block at the start, its two rules included; 0 if there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for index, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in ("---", "..."):
            return index + 1
    return 0


def _apply(token: Token, marks: list[_Marks], lines: list[str]) -> None:
    first, end = token.map or (0, 0)
    end = min(end, len(marks))
    if first >= end:
        return
    kind = token.type
    if kind in _OPENERS:
        marks[first].starts_block = True
    if kind == "heading_open":
        _apply_heading(token, marks, lines, first, end)
    elif kind == "list_item_open":
        for mark in marks[first:end]:
            mark.role = "list_item" if mark.role == "text" else mark.role
    elif kind == "tr_open":
        marks[first].role = "table_row"
    elif kind == "table_open":
        marks[first + 1].role = "blank"  # The delimiter row has no content to cite.
    elif kind == "hr":
        marks[first].role = "blank"
    elif kind in ("fence", "code_block"):
        _apply_code(kind, marks, lines, first, end)


_OPENERS = frozenset("paragraph_open heading_open list_item_open fence code_block html_block hr tr_open".split())


def _apply_heading(token: Token, marks: list[_Marks], lines: list[str], first: int, end: int) -> None:
    setext = token.markup in ("=", "-")
    last = end - 1 if setext else end
    for mark in marks[first:last]:
        mark.role = "heading"
    if setext:
        marks[end - 1].role = "blank"
    if token.level == 0:
        words = " ".join(_without_hashes(line) if not setext else line for line in lines[first:last])
        marks[first].level = int(token.tag[1:])
        marks[first].title = _EMPHASIS.sub("", words)


def _apply_code(kind: str, marks: list[_Marks], lines: list[str], first: int, end: int) -> None:
    for mark in marks[first:end]:
        mark.code = True
    if kind == "fence":
        marks[first].role = "blank"
        if end - 1 > first and not lines[end - 1].strip(" \t>`~-*+0123456789.)"):
            marks[end - 1].role = "blank"


def _without_comments(lines: list[str], marks: list[_Marks], unseen: Unseen) -> list[str]:
    """The lines without HTML comments; emptied lines are kept, so that line numbers do not change."""
    shown: list[str] = []
    comment: list[str] | None = None
    last_close = max((index for index, line in enumerate(lines) if "-->" in line), default=-1)
    for index, line in enumerate(lines):
        if comment is None and (marks[index].code or ("<!--" not in line and not line.lstrip().startswith("["))):
            shown.append(line)
            continue
        if comment is None and (match := _REFERENCE_COMMENT.match(line)):
            unseen.told.append((index, match[1], "comment"))
            shown.append("")
            continue
        kept, comment = _cut(line, comment, unseen, index, closes_later=last_close > index)
        shown.append(kept)
    if comment is not None:
        unseen.told.append((len(lines), " ".join(comment), "comment"))
    return shown


def _cut(
    line: str, comment: list[str] | None, unseen: Unseen, index: int, *, closes_later: bool
) -> tuple[str, list[str] | None]:
    """A line without its comments, and the comment that is still open at its end (None if none is)."""
    kept: list[str] = []
    rest = line
    while rest:
        if comment is not None:
            inside, close, rest = rest.partition("-->")
            comment.append(inside)
            if not close:
                return "".join(kept), comment
            unseen.told.append((index, " ".join(comment), "comment"))
            comment = None
            continue
        before, mark, after = rest.partition("<!--")
        in_code = before.count("`") % 2 == 1
        # A comment that never ends is text, but at the start of a line it hides the rest of the file (CommonMark).
        plain = in_code or (before.endswith("\\") and not before.endswith("\\\\"))
        opens = mark and not plain and ("-->" in after or closes_later or not "".join([*kept, before]).strip())
        if not opens:
            kept.append(rest)
            break
        kept.append(before)
        comment, rest = [], after
    return "".join(kept), comment


def _add(lines: list[str], marks: list[_Marks], builder: DocumentBuilder, unseen: Unseen) -> None:
    blank = False
    told = sorted(unseen.told, key=lambda one: one[0], reverse=True)
    for at, mark in enumerate(marks):
        while told and told[-1][0] <= at:
            builder.hide(*told.pop()[1:])
        line = lines[at].replace("\0", "")
        empty = not line.strip()
        if mark.starts_block or (empty != blank and not mark.code):
            builder.new_block()
        blank = empty
        text = _without_hashes(line) if mark.role == "heading" else line
        number = builder.line(text, mark.role)
        if mark.level:
            title = _EMPHASIS.sub("", text) if at in unseen.cuts else mark.title
            builder.heading(mark.level, title, number)
    for _, words, reason in reversed(told):
        builder.hide(words, reason)


def _without_hashes(line: str) -> str:
    match = _ATX.match(line)
    if match is None:
        return line
    return _ATX_CLOSE.sub("", f" {line[match.end() :]}").strip()
