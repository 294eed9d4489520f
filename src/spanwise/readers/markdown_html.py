"""What rendered Markdown does not show: tags, text that they hide, link titles, alternative texts, definitions.

The blocks are converted to an HTML page in which every piece of text is replaced by a number; the HTML reader then
finds out which numbers are visible.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from lxml.html import defs
from markdown_it import MarkdownIt
from markdown_it.token import Token

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.flowing import raised_after

_MARKED = re.compile(r"<[A-Za-z/!?]|!\[|\]\(|^[ \t>]{0,40}\[", re.MULTILINE)
_NUMBER = re.compile("\ue000([0-9]+)\ue001")
_TAG = re.compile(
    r"<!--|<\?|<!\[CDATA\[|<![A-Za-z][^>]{0,4000}>|</?[A-Za-z][A-Za-z0-9:-]{0,60}(?:[^<>\"']|\"[^\"]{0,4000}\"|'[^']{0,4000}'){0,4000}>",
    re.DOTALL,
)
_CLOSING = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
_RAW = re.compile(r"<(style|script)\b", re.IGNORECASE)
_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|"
    r"var|wbr)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"</?([a-zA-Z][\w:-]{0,60})")
_NEWER = frozenset("bdi data dialog main picture search slot template".split())
"""Elements that lxml's list lacks because they are newer."""
_TITLE = re.compile(
    r"\]\(\s{0,20}(?:<[^<>\n]{0,2000}>|[^\s<>]{0,2000})"
    r"(\s{1,20}(?:\"(?:[^\"\\]|\\.){0,2000}\"|'(?:[^'\\]|\\.){0,2000}'|\((?:[^()\\]|\\.){0,2000}\)))\s{0,20}\)"
)
_BAR = re.compile(r"(?<!\\)\|")
_LABEL = re.compile(r"\[([^\[\]]{1,1000})\]")
_TARGET = re.compile(r"\]\([^()\n]{0,4000}(?:\([^()\n]{0,2000}\)[^()\n]{0,2000}){0,8}\)|\]\[[^\[\]]{0,1000}\]|\]")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text within one line, by its columns."""

    line: int
    start: int
    end: int


_offset: Callable[[tuple[int, int, int]], int] = itemgetter(0)


@dataclass(slots=True)
class Unseen:
    """The parts to be cut from the lines, and the hidden text among them."""

    cuts: dict[int, list[tuple[int, int, str]]] = field(default_factory=dict)
    """For each line the columns to cut, as start and end, and the text that replaces them."""
    told: list[tuple[int, str, HiddenReason]] = field(default_factory=list)
    """The line and the text of each hidden part, and why it is hidden."""

    def cut(self, line: int, start: int, end: int, instead: str = "") -> None:
        """Cut the columns from `start` to `end` out of a line."""
        if end > start:
            self.cuts.setdefault(line, []).append((start, end, instead))

    def shown(self, line: int, text: str) -> str:
        """A line with its parts cut out; zero bytes take their place, so that columns do not change."""
        for start, end, instead in self.cuts.get(line, ()):
            text = text[:start] + (instead + "\0" * (end - start))[: end - start] + text[end:]
        return text


def find_unseen(lines: Sequence[str], tokens: Sequence[Token], env: dict[str, Any], budget: Budget) -> Unseen:
    """Find what the rendered page does not show."""
    unseen = Unseen()
    _definitions(lines, env, unseen)
    columns = 0
    for token in tokens:
        columns = 0 if token.type == "table_open" else columns + (token.type == "th_open")
        if token.type == "fence" and token.map is not None:
            _opening(lines, token.map[0], token.info, unseen)
        elif token.type == "tr_open" and columns and token.map is not None:
            _excess(lines, token.map[0], columns, unseen)
    if not any(_MARKED.search(line) for line in lines):
        return unseen
    page = _Page(lines, unseen, env, budget)
    page.take(tokens)
    if page.has_html:
        page.judge()
    return unseen


def _opening(lines: Sequence[str], line: int, info: str, unseen: Unseen) -> None:
    """Cut what stands behind the language where a fence opens: no page shows it."""
    _, _, words = info.strip().partition(" ")
    start = lines[line].rfind(words) if words.strip() else -1
    if start >= 0:
        unseen.cut(line, start, len(lines[line]))
        unseen.told.append((line, words, "hidden_markup"))


def _excess(lines: Sequence[str], line: int, columns: int, unseen: Unseen) -> None:
    """Cut the cells that a row has beyond those of its head: no page shows them."""
    bars = [match.end() for match in _BAR.finditer(lines[line])]
    last = columns - (lines[line].lstrip(" \t>")[:1] != "|")
    words = lines[line][bars[last] :].strip(" |\t") if last < len(bars) else ""
    if words:
        unseen.cut(line, bars[last], len(lines[line]))
        unseen.told.append((line, words, "hidden_markup"))


def _definitions(lines: Sequence[str], env: dict[str, Any], unseen: Unseen) -> None:
    references = [*env.get("references", {}).items(), *((one["label"], one) for one in env.get("duplicate_refs", ()))]
    if not references:
        return
    written_how_often = Counter(_LABEL.findall("\n".join(lines).casefold()))
    for label, reference in references:
        first, end = reference.get("map") or (0, 0)
        if label.startswith("^"):
            continue  # A footnote whose text is one word.
        for line in range(first, min(end, len(lines))):
            unseen.cut(line, 0, len(lines[line]))
        written = _LABEL.search(lines[first]) if first < len(lines) else None
        name = label if written is None else written[1]
        used = written_how_often[name.casefold()] > 1
        words = " ".join([*(() if used else (name,)), reference.get("title") or ""])
        if words.strip():
            unseen.told.append((first, words, "hidden_markup"))


class _Page:
    """The HTML page under construction."""

    def __init__(self, lines: Sequence[str], unseen: Unseen, env: dict[str, Any], budget: Budget) -> None:
        self.has_html = False
        self._lines = lines
        self._unseen = unseen
        self._env = env
        self._budget = budget
        self._html: list[str] = []
        self._pieces: list[_Piece] = []
        self._parser = MarkdownIt("commonmark")
        self._styled = any("<style" in line.lower() for line in lines)
        self._row = (-1, 0)
        """The line of the table row that is being read, and the column reached in it."""

    def take(self, tokens: Sequence[Token]) -> None:
        """Convert blocks to HTML."""
        for token in tokens:
            self._budget.step()
            first, end = token.map or (0, 0)
            if token.type == "inline":
                self._inline(token.content, first)
            elif token.type == "html_block":
                self.has_html = True
                self._block(token.content, first)
            elif token.type in ("fence", "code_block"):
                self._html.append("<pre>")
                for line in range(first, min(end, len(self._lines))):
                    self._piece(line, 0, len(self._lines[line]))
                self._html.append("</pre>")
            elif token.nesting and token.tag and not token.hidden:
                self._html.append(f"<{token.tag}>" if token.nesting > 0 else f"</{token.tag}>")

    def _piece(self, line: int, start: int, end: int) -> None:
        self._html.append(f"\ue000{len(self._pieces)}\ue001 ")
        self._pieces.append(_Piece(line, start, end))

    def _places(self, content: str, first: int) -> list[tuple[int, int, int]]:
        """For each line of a block's content: its offset in the content, line number, and column (-1 if not found)."""
        places: list[tuple[int, int, int]] = []
        offset = 0
        for at, text in enumerate(content.split("\n")):
            line = first + at
            if line >= len(self._lines):
                break
            begin = self._row[1] if self._row[0] == line else 0
            column = self._lines[line].find(text, begin)
            places.append((offset, line, column))
            if column >= 0:
                self._row = (line, column + len(text))
            offset += len(text) + 1
        return places

    def _columns(self, places: list[tuple[int, int, int]], start: int, end: int) -> Iterator[_Piece]:
        """The pieces of lines from `start` to `end` of a content; lines that write it in another way are left out."""
        # Only the lines around: a long paragraph of many pieces would take quadratic time otherwise.
        for at in range(max(0, bisect_right(places, start, key=_offset) - 1), bisect_right(places, end, key=_offset)):
            offset, line, column = places[at]
            until = places[at + 1][0] - 1 if at + 1 < len(places) else end
            low, high = max(start, offset), min(end, until)
            if column >= 0 and low < high:
                yield _Piece(line, column + low - offset, column + high - offset)

    def _inline(self, content: str, first: int) -> None:
        places = self._places(content, first)
        if not self._styled and _MARKED.search(content) is None:
            for piece in self._columns(places, 0, len(content)):
                self._piece(piece.line, piece.start, piece.end)
            return
        children: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, children)
        cursor = 0
        for child in children:
            self._budget.step()
            cursor = self._child(child, content, cursor, places)

    def _child(self, child: Token, content: str, cursor: int, places: list[tuple[int, int, int]]) -> int:
        """Process one inline token; returns the offset in the content up to which it has been read."""
        if child.type == "html_inline":
            self.has_html = True
            return self._cut_tag(child.content, content, cursor, places)
        if child.type == "image":
            return self._image(child, content, cursor, places)
        if child.nesting and child.tag:
            self._html.append(f"<{child.tag}>" if child.nesting > 0 else f"</{child.tag}>")
        if child.type == "link_close":
            return self._title(content, cursor, places)
        if child.type in ("softbreak", "hardbreak"):
            return content.find("\n", cursor) + 1 or cursor
        source = child.markup if child.type == "text_special" else child.content
        start = content.find(source, cursor) if source else -1
        end = cursor if start < 0 else start + len(source)
        for piece in self._columns(places, end - len(source), end) if end > cursor else ():
            self._piece(piece.line, piece.start, piece.end)
        return end

    def _title(self, content: str, cursor: int, places: list[tuple[int, int, int]]) -> int:
        match = _TITLE.match(content, cursor)
        if match is None:
            return cursor
        for piece in self._columns(places, *match.span(1)):
            self._unseen.cut(piece.line, piece.start, piece.end)
            self._unseen.told.append((piece.line, match[1].strip()[1:-1], "hidden_markup"))
        return match.end()

    def _cut_tag(self, tag: str, content: str, cursor: int, places: list[tuple[int, int, int]]) -> int:
        start = content.find(tag, cursor)
        if start < 0:
            return cursor
        if not tag.startswith(("<!", "<?")):
            self._html.append(tag)
            self._cut_of_html(tag, content, places, start, start + len(tag))
        elif not tag.startswith("<!--"):  # Comments are handled with the lines (`_without_comments`).
            self._cut_comment(tag, places, start)
        return start + len(tag)

    def _cut_comment(self, tag: str, places: list[tuple[int, int, int]], start: int) -> None:
        """Cut what browsers treat as a comment: a processing instruction, or a declaration."""
        self._cut(places, start, start + len(tag), " ")
        line = next((piece.line for piece in self._columns(places, start, start + len(tag))), 0)
        self._unseen.told.append((line, tag.strip("<?!>"), "comment"))

    def _cut_of_html(self, tag: str, content: str, places: list[tuple[int, int, int]], start: int, end: int) -> None:
        """Cut a tag that HTML defines; others, such as `<file>`, are text that somebody wrote, and stay."""
        name = _NAME.match(tag)
        if name is None or name[1].lower() in defs.tags or name[1].lower() in _NEWER:
            raised = tag[:4].lower() == "<sup" and raised_after(
                content[max(0, start - 40) : start], content[end : end + 2]
            )
            mark = "^" if raised and raised[0] == "^" else "" if _INLINE.match(tag) else " "
            self._cut(places, start, end, mark)

    def _cut(self, places: list[tuple[int, int, int]], start: int, end: int, instead: str) -> None:
        for piece in self._columns(places, start, end):
            self._unseen.cut(piece.line, piece.start, piece.end, instead)

    def _image(self, child: Token, content: str, cursor: int, places: list[tuple[int, int, int]]) -> int:
        start = content.find(f"![{child.content}]", cursor)
        if start < 0:
            return cursor
        target = _TARGET.match(content, start + 2 + len(child.content))
        end = target.end() if target is not None else start
        self._cut(places, start, end, "")
        words = f"{child.content} {child.attrs.get('title') or ''}"
        line = next((piece.line for piece in self._columns(places, start, end)), 0)
        self._unseen.told.append((line, words, "hidden_markup"))
        return end

    def _block(self, content: str, first: int) -> None:
        places = self._places(content, first)
        folded = content.lower() if len(content.lower()) == len(content) else content
        cursor = 0
        last = {closing: content.rfind(closing) for closing in _CLOSING.values()}
        while cursor < len(content):
            start, end = _next_tag(content, cursor, last)
            for piece in self._columns(places, cursor, start):
                self._piece(piece.line, piece.start, piece.end)
            tag, cursor = content[start:end], end
            if tag.startswith(("<!", "<?")):
                if not tag.startswith("<!--"):
                    self._cut_comment(tag, places, start)
                continue
            raw = _RAW.match(tag)
            if raw is not None:
                close = folded.find(f"</{raw[1].lower()}", cursor)
                cursor = len(content) if close < 0 else (content.find(">", close) + 1 or len(content))
            self._html.append(content[start:cursor])
            if tag:
                self._cut_of_html(tag, content, places, start, cursor)

    def judge(self) -> None:
        """Cut every piece that the page does not show."""
        from spanwise.readers.html import texts_of

        reasons: dict[int, HiddenReason | None] = {}
        for text, reason in texts_of("<!doctype html>" + "".join(self._html), self._budget):
            reasons.update((int(number), reason) for number in _NUMBER.findall(text))
        for number, piece in enumerate(self._pieces):
            # A number that is in no text of the page is inside something that is never shown, such as a template.
            reason = reasons.get(number, "hidden_markup")
            if reason is not None:
                text = self._lines[piece.line][piece.start : piece.end]
                self._unseen.cut(piece.line, piece.start, piece.end)
                self._unseen.told.append((piece.line, text, reason))


def _next_tag(content: str, at: int, last: Mapping[str, int]) -> tuple[int, int]:
    """Begin and end of the next tag or comment, or the end of the content twice.

    `last` has the place of each closing mark's last occurrence, so that no search runs to the end in vain.
    """
    while (match := _TAG.search(content, at)) is not None:
        closing = _CLOSING.get(match[0])
        if closing is None:
            return match.span()
        if last[closing] >= match.end():
            return match.start(), content.index(closing, match.end()) + len(closing)
        at = match.end()  # nothing closes it: it is text
    return len(content), len(content)
