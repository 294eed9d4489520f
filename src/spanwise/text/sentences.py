"""Sentences and blocks, each with its offsets.

Sentences are those of nupunkt (Punkt, Kiss and Strunk 2006, trained on legal and financial text). Blocks are lines that
belong together (a paragraph, a list item, a table row, a heading) as text in which every offset knows its line. They
stand in places: the page that a line is on, or a piece of it where a format has no pages and everything is one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, groupby, pairwise

from spanwise.domain.document import Line, LineRole, Page
from spanwise.domain.passage import Passage
from spanwise.text.languages.data import languages

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])([-\u2010\u2011\ufffe])[^\S\n]*\n\s*(?=[^\W\d_])")

_STOP = re.compile(r"[.!?\u2026]")
"""What nupunkt takes for a possible end; up to the first one, and where nothing is behind it, there is one sentence."""


_ENDED = re.compile(
    r"(?<![^\s(])(?!(?:etc|vol|vols|fig|figs|sec|secs|art|arts|approx|resp|dept|ext|min|max|tel|par|paras?|ref|refs|seq"
    r"|inc|ltd|corp|incl|excl|ed|eds|ca|cf|vs|al|pp|no|nos|ch|cl)\.)[a-z]{2,}[.!?][)\"'\u201d\u2019]?(?=\s+(?:[A-Z]|\d+\.\d+[.)]?\s+[A-Z]))"
)
"""A plain word in lower case, a full stop and a capital or a number of a clause: an end, though the model sees none."""
_MEASURED = re.compile(r"(?<=\d\s)[ghlmst]\.(?=\s+[A-Z])")
"""The letter of a unit behind a number, as no initial is: "It is open until 9 h. Tickets ..."."""
_ROW = re.compile(
    r"^(?:(?!   |\t)[^\n]){1,200}(?: {3,}+|\t *+)(?:[^\s\d]{1,12} ){0,2}[^\s\d]{0,4} ?\d[^\n]{0,24}(?:\n|\Z)",
    re.MULTILINE,
)
"""A line of a label and, far from it, its figure, as price lists are typed."""
_DAY = re.compile(r"(?<!\d)\d{1,2}\.\s*\Z")
_LONGEST_DAY = 8
_MONTH = re.compile(r"\s*([^\W\d_]{3,12})")
_OWN_STOP = re.compile(
    "(?:(?<=[\uac00-\ud7a3]{2})[.!?]+(?=[\"'\u201d\u2019)]*\\s)|[\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u0589\u1362\u1367\u104b\u17d4])++"
    "(?:[\"'\u201d\u2019\uff09\u3011\u300b\u3009)\\]]+|[\u300d\u300f]+(?!\\w))?+(?![\u300d\u300f])"
)
"""Ends of sentences in other scripts with the quotation marks behind them; no space has to follow.

A full stop behind a Korean word ends its sentence: such words are not abbreviated with one, and have no capitals by
which the model could tell. What is quoted in the middle of a Japanese sentence does not end it.
"""
_THAI_GAP = re.compile('(?<=[\u0e01-\u0e4e\u0e81-\u0ece)"\u201d]) +(?=[\u0e01-\u0e45\u0e81-\u0ec4])')
_THAI_CLAUSE = 120
"""Characters of a Thai or Lao sentence, at least: its only mark is a space, and a space also parts what is listed."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Ranges `(start, end)` of the sentences of a text, end exclusive, in order, without surrounding white space.

    Line breaks count as spaces, so a sentence may run over several lines; whoever knows where paragraphs end calls this
    once for each.
    """
    return list(_sentences(text))


@lru_cache(maxsize=2048)  # one paragraph is cut for retrieval, for what it orders, and for the answer
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    rows = _row_ends(text)
    if text.isascii() and not rows:
        return tuple(_in_latin(text, 0))
    found: list[tuple[int, int]] = []
    start = 0
    for end in (*sorted({*rows, *_own_ends(text)}), len(text)):
        found += _in_latin(text[start:end], start)
        start = end
    return tuple(found)


def _own_ends(text: str) -> list[int]:
    """Where sentences end by the marks, or in Thai by the spaces, of a script other than Latin."""
    ends = [stop.end() for stop in _OWN_STOP.finditer(text)]
    last = 0
    for gap in _THAI_GAP.finditer(text):
        if gap.start() - last >= _THAI_CLAUSE:
            last = gap.end()
            ends.append(last)
    return sorted(ends)


def _row_ends(text: str) -> list[int]:
    """Where the rows of a list begin and end that is typed with a label and its figure on each of several lines."""
    if "\n" not in text or ("   " not in text and "\t" not in text):
        return []
    rows = [row.span() for row in _ROW.finditer(text)]
    return sorted({place for one, other in pairwise(rows) if one[1] == other[0] for place in (*one, *other)})


def _in_latin(text: str, offset: int) -> list[tuple[int, int]]:
    """The sentences of a text by full stops, question and exclamation marks, as places in one `offset` before it."""
    stop = _STOP.search(text)
    if stop is None or not text[stop.end() :].strip():
        whole = trim(text, 0, len(text))
        return [(offset + whole[0], offset + whole[1])] if whole else []

    from nupunkt import sent_spans  # 0.1 s to load, so only when there may be two

    found = {end for _, end in sent_spans(text)}
    found.update(ended.end() for pattern in (_ENDED, _MEASURED) for ended in pattern.finditer(text))
    ends = sorted({end for end in found if not _is_ordinal(text, end)} | {len(text)})
    ranges = (trim(text, start, end) for start, end in pairwise([0, *ends]))
    return [(offset + kept[0], offset + kept[1]) for kept in ranges if kept]


def _is_ordinal(text: str, end: int) -> bool:
    """True if the full stop before a place belongs to the day of a month: "am 1. März"."""
    day = _DAY.search(text, max(0, end - _LONGEST_DAY), end)
    return day is not None and (month := _MONTH.match(text, end)) is not None and month[1].lower() in _months()


@cache
def _months() -> frozenset[str]:
    return frozenset(name for one in languages().values() for name in one.months)


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The range without the white space at its two ends, or None when nothing is left."""
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    first = start + len(piece) - len(piece.lstrip())
    return first, first + len(stripped)


def on_one_line(text: str) -> str:
    """The text with single spaces; a word that a hyphen breaks over two lines is one word again, hyphen kept."""
    if text.isprintable() and "  " not in text:  # the only white space that is printed is a space
        return text.strip()
    if "\n" in text:  # no word is broken without one
        text = _BROKEN_WORD.sub("-", text)
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Block:
    """Contiguous lines; `text` is those lines joined by line breaks, line `first` first."""

    text: str
    first: int
    role: LineRole
    starts: tuple[int, ...]
    """Offset in `text` at which each line starts."""
    offset: int = 0
    """Where the block begins in the text of its passage."""
    left: float | None = None
    """Where its first line begins on the page, in points; None without a layout."""

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Numbers of the first and the last line that the range `[start, end)` of the text touches."""
        return (
            self.first + bisect_right(self.starts, start) - 1,
            self.first + bisect_right(self.starts, max(start, end - 1)) - 1,
        )


def blocks_of_passage(passage: Passage) -> list[Block]:
    """The blocks of a passage, blank ones left out; a passage that does not tell its blocks is one."""
    texts = passage.text.split("\n")
    blocks, position, offset = [], 0, 0
    for length, role in passage.blocks or ((len(texts), "text"),):
        rows = texts[position : position + length]
        if role != "blank":
            blocks.append(_block(rows, passage.line_start + position, role, offset=offset))
        position += length
        offset += sum(len(row) + 1 for row in rows)
    return blocks


def blocks_of_lines(lines: Iterable[Line]) -> list[Block]:
    """The blocks of some contiguous lines, blank ones left out."""
    blocks = []
    for _, group in groupby(lines, key=lambda line: (line.block, line.role)):
        members = list(group)
        if members[0].role != "blank":
            box = members[0].box
            left = box.x0 if box else None
            blocks.append(_block([line.text for line in members], members[0].number, members[0].role, left=left))
    return blocks


def _block(texts: Sequence[str], first: int, role: LineRole, *, offset: int = 0, left: float | None = None) -> Block:
    starts = tuple(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))
    return Block("\n".join(texts), first, role, starts, offset, left)


LONGEST = 400
"""Lines of a page that is one place."""
PIECE = 120
"""Lines of each place of a longer one."""


def place_of(line: int, pages: Sequence[Page]) -> tuple[int, int]:
    """The first and the last line of the place that holds a line; `pages` are all of the document, in order."""
    at = bisect_right(pages, line, key=lambda page: page.first_line) - 1
    if at < 0:
        return line, line
    first, last = pages[at].first_line, max(line, pages[at].last_line)
    if last - first < LONGEST:
        return first, last
    start = first + (line - first) // PIECE * PIECE
    return start, min(last, start + PIECE - 1)


def places_within(first: int, last: int, pages: Sequence[Page]) -> list[tuple[int, int]]:
    """The places that the lines `first..last` touch, in order."""
    found = [place_of(first, pages)]
    while found[-1][1] < last:
        following = place_of(found[-1][1] + 1, pages)
        if following[1] <= found[-1][1]:
            break
        found.append(following)
    return found
