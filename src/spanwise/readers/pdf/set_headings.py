"""Headings from layout and numbering, for the many files that have no outline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spanwise.readers.pdf.visual_lines import VisualLine
from spanwise.readers.typed_headings import SMALL_WORDS

_MOST_WORDS = 16
_LONGEST = 160
_MOST_WORDS_OF_CAPS = 12
_MOST_LINES = 3
_LARGER = 1.12
_APART = 1.25
_DEEPEST = 6

_NAMED = re.compile(
    r"(?P<word>part|item|article|section|chapter|appendix|annex|exhibit|schedule|note|attachment)s?\s{1,3}"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?|[ivxlc]{1,7}|[a-z](?:-?\d{1,3})?)(?=$|[\s.:,)\-–—])",
    re.IGNORECASE,
)
_NAMED_INITIALS = frozenset("piascen") | frozenset("PIASCEN")
_RANKS = dict.fromkeys(("part", "article", "chapter", "appendix", "annex", "exhibit", "schedule", "attachment"), 0)
_NUMBERED = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[IVX]{1,5}(?=\.)|[A-Z](?=[.-]))[.)]?\s{1,4}(?=[A-Z“\"])")
_RUN_IN = re.compile(
    r"(?:(?i:section|article|item)\s{1,2})?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}[A-Z]?)\.?\)?\s{1,4}"
    r"(?P<title>[A-Z“\"][^.:;]{2,80})(?P<end>[.:])(?=\s|$|”)"
)
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
_PAGE_AT_END = re.compile(r"\s(?:\d{1,3}|[A-Z]-?\d{1,3}|[ivxl]{1,6})$")
_LONGEST_PAGE_AT_END = 8
_OPENING = frozenset("“'[‘") | {'"'}
_PAGE_ENDINGS = frozenset("0123456789ivxl")
_DATE_OR_UNIT = re.compile(
    r"[(\[].*[)\]]|.*\b(?:ended|december|january|february|march|april|june|july|august|september|october|november)\b.*"
    r"|[\d\s.,;:/$%()–—-]*|(?:in )?(?:millions|thousands|billions)\b.*|.*\b(?:19|20)\d\d",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


class Heading(NamedTuple):
    """A heading: its lines (indexes, both included), how deep it is, and what it says."""

    first: int
    last: int
    level: int
    title: str
    run_in: bool
    """The text goes on in the same line, so the line is not a heading as a whole."""


@dataclass(frozen=True, slots=True)
class Body:
    """What the running text of the document looks like."""

    size: float
    bold: bool
    step: float
    """From one line to the next, in font sizes."""


class _Kind(NamedTuple):
    name: str
    rank: int
    """Outer kinds have a smaller one."""
    weight: float
    """How loudly it is set, for headings without a number."""


def measure_body(lines: Sequence[VisualLine]) -> Body:
    """The font size, weight and rhythm that most characters of the document have."""
    sizes: dict[float, int] = {}
    steps: dict[float, int] = {}
    bold = total = 0
    previous: VisualLine | None = None
    # A few dozen pages tell how a long document is set.
    every = max(lines[-1].page // 40, 1) if lines else 1
    for line in lines if every == 1 else [line for line in lines if line.page % every == 0]:
        length, size, page = len(line.text), line.size, line.page
        half = round(size * 2) / 2
        sizes[half] = sizes.get(half, 0) + length
        total += length
        if line.bold:
            bold += length
        if previous is not None and previous.region == line.region and previous.page == page:
            step = (line.top - previous.top) / (max(1.0, size))
            if 0.7 < step < 3.0:
                step = round(step, 1)
                steps[step] = steps.get(step, 0) + 1
        previous = line
    size = max(sizes, key=lambda found: (sizes[found], found)) if sizes else 10.0
    step = max(steps, key=lambda found: (steps[found], -found)) if steps else 1.2
    return Body(size or 10.0, bold > 0.6 * total, step)


def stands_apart(above: VisualLine | None, below: VisualLine, body: Body) -> bool:
    """Whether there is more than the usual distance between two lines, or no line above at all."""
    if above is None or above.page != below.page or above.region != below.region:
        return True
    return below.top - above.top > _APART * body.step * max(below.size, min(above.size, 1.2 * below.size))


def find_headings(lines: Sequence[VisualLine], body: Body) -> list[Heading]:
    """The headings of a document that has no usable outline."""
    contents = _contents_pages(lines)
    found: list[tuple[int, int, _Kind, str, bool]] = []
    index = 0
    while index < len(lines):
        judged = _judge(lines, index, body, contents)
        if judged is None:
            index += 1
            continue
        last, kind, title, run_in = judged
        found.append((index, last, kind, title, run_in))
        index = last + 1
    return _with_levels(_without_lists(found, lines))


def _contents_pages(lines: Sequence[VisualLine]) -> set[int]:
    """Pages that print a table of contents: several headings with a page number at the end of the line."""
    entries = Counter(line.page for line in lines if line.text[-1] in _PAGE_ENDINGS and _is_contents_entry(line))
    return {page for page, count in entries.items() if count >= 4}


def _is_contents_entry(line: VisualLine) -> bool:
    text = line.text
    if not _PAGE_AT_END.search(text, max(len(text) - _LONGEST_PAGE_AT_END, 0)):
        return False
    return _has_leader(text) or bool(_NAMED.match(text) or _NUMBERED.match(text))


def _has_leader(text: str) -> bool:
    """True if dots or a rule lead from one part of a line to another."""
    # The search is slow, and few lines have so many dots or a rule.
    return (text.count(".") >= 4 or "\u2026" in text or "__" in text) and _LEADER.search(text) is not None


def _judge(
    lines: Sequence[VisualLine], index: int, body: Body, contents: set[int]
) -> tuple[int, _Kind, str, bool] | None:
    line = lines[index]
    text = line.text
    named = _NAMED.match(text) if text[0] in _NAMED_INITIALS else None
    numbered = _NUMBERED.match(text)
    if not (named or numbered or line.bold or line.size >= _LARGER * body.size or text[0].isdigit() or text.isupper()):
        return None
    if line.in_cell or line.opens or (not text[0].isalnum() and text[0] not in _OPENING) or _has_leader(text):
        return None
    above = lines[index - 1] if index else None
    if (named or numbered) and (line.page in contents or _is_contents_entry(line)):
        return None
    apart = stands_apart(above, line, body)
    if line.cells == 1 or (line.cells == 2 and (named or numbered) and "  " in text[:14]):
        last = _end_of_heading(lines, index, body)
        whole = " ".join(part.text for part in lines[index : last + 1])
        if last - index < _MOST_LINES and len(whole) <= _LONGEST and len(whole.split()) <= _MOST_WORDS + 6:
            kind = _kind(lines, index, last, whole, body, apart)
            if kind is not None:
                return last, kind, " ".join(whole.split()), False
    return _run_in(lines, index, body, apart)


def _end_of_heading(lines: Sequence[VisualLine], index: int, body: Body) -> int:
    """The last of the lines that are set like this one and follow it closely."""
    first = lines[index]
    last = index
    for position in range(index + 1, min(index + _MOST_LINES + 2, len(lines))):
        line, above = lines[position], lines[position - 1]
        if (
            line.bold != first.bold
            or abs(line.size - first.size) > 0.06 * first.size
            or line.cells > 1
            or stands_apart(above, line, body)
            or _NUMBERED.match(line.text)
            or (_NAMED.match(line.text) and line.text[:1].isupper())
            or first.text.isupper() != line.text.isupper()
        ):
            break
        last = position
    return last


def _kind(lines: Sequence[VisualLine], index: int, last: int, text: str, body: Body, apart: bool) -> _Kind | None:
    line = lines[index]
    below = lines[last + 1] if last + 1 < len(lines) else None
    larger = line.size >= _LARGER * body.size
    bold = line.bold and not body.bold
    letters = [char for char in text if char.isalpha()]
    caps = len(letters) >= 4 and text.isupper()
    loud = bold or larger or caps
    apart_below = below is None or stands_apart(lines[last], below, body) or below.bold != line.bold
    if len(letters) < 2 or text[-1] in ",;" or 2 * len(letters) < len(text.replace(" ", "")):
        return None
    weight = round(line.size / body.size, 1) * 10 + 2 * caps + bold
    if named := _NAMED.match(text):
        return _named_kind(named, text, loud, apart and apart_below, weight)
    if numbered := _NUMBERED.match(text):
        return _numbered_kind(numbered, text, loud, apart and apart_below, weight)
    if not loud or not apart or _in_table(lines, index, last) or _off_centre(line):
        return None
    if caps and not bold and not larger and (not apart_below or len(text.split()) > _MOST_WORDS_OF_CAPS):
        return None
    return _Kind("style", 2, weight) if _reads_like_a_heading(text, larger=larger) else None


def _reads_like_a_heading(text: str, *, larger: bool) -> bool:
    """Whether words that are set like a heading also read like one."""
    if len(text.split()) > _MOST_WORDS or _DATE_OR_UNIT.fullmatch(text) or not _WORD.search(text):
        return False
    if text[-1] in ".?!" and not larger and len(text.split()) > _MOST_WORDS // 2:
        return False
    return text[0].isupper() or text[0].isdigit() or text[0] in _OPENING


def _named_kind(named: re.Match[str], text: str, loud: bool, alone: bool, weight: float) -> _Kind | None:
    rest = text[named.end() :].strip(" .:-–—,)")
    if not text[0].isupper() or not (loud or alone) or (rest and not _titled(rest)):
        return None
    if rest and text[-1] == "." and len(rest.split()) > 10:
        return None
    word = named["word"].lower()
    return _Kind(word, _RANKS.get(word, 1) + named["number"].count("."), weight)


def _numbered_kind(numbered: re.Match[str], text: str, loud: bool, alone: bool, weight: float) -> _Kind | None:
    rest = text[numbered.end() :]
    if not _titled(rest) or not (loud or alone) or (text[-1] == "." and len(rest.split()) > 6):
        return None
    number = numbered["number"]
    depth = number.count(".")
    if not number[0].isdigit():
        return _Kind("letter" if len(number) == 1 and number not in "IVX" else "roman", 1, weight) if loud else None
    return _Kind(f"number{depth}", 1 + depth, weight)


def _titled(text: str) -> bool:
    """Whether words are written like a title and not like a sentence."""
    words = [word.strip("\"'“”()[].,:;‘’") for word in re.split(r"[\s/–—-]+", text.strip())]
    weighty = [word for word in words if word and word[0].isalpha() and word.lower() not in SMALL_WORDS]
    if not weighty or len(words) > _MOST_WORDS or ". " in text.strip():
        return False
    capitals = sum(word[0].isupper() for word in weighty)
    return 2 * capitals > len(weighty) or (len(weighty) <= 4 and text.strip()[-1] not in ".;,")


def _in_table(lines: Sequence[VisualLine], index: int, last: int) -> bool:
    """Whether rows of a table stand right above and right below."""
    above = [line for line in lines[max(index - 2, 0) : index] if line.page == lines[index].page]
    below = [line for line in lines[last + 1 : last + 3] if line.page == lines[last].page]
    return any(line.cells >= 2 for line in above) and any(line.cells >= 2 for line in below)


def _off_centre(line: VisualLine) -> bool:
    """Whether it stands in the right half without being centred, as the heads of table columns do."""
    width = line.right - line.left
    if line.x0 <= line.left + 0.35 * width:
        return False
    return abs((line.x0 + line.x1) - (line.left + line.right)) > 0.08 * width


def _run_in(lines: Sequence[VisualLine], index: int, body: Body, apart: bool) -> tuple[int, _Kind, str, bool] | None:
    """A numbered heading at the start of a paragraph ("5. Term. The term of ...")."""
    line = lines[index]
    match = _RUN_IN.match(line.text)
    if match is None or line.cells > 2 or "  " in match["title"]:
        return None
    marked = line.bold_prefix >= match.end("title") - 1 and not body.bold
    above = lines[index - 1].text if index else "."
    starts_paragraph = apart or above[-1] in '.;:”")'
    words = [word.strip("\"'“”()[],‘’") for word in match["title"].split()]
    weighty = [word for word in words if word and word.lower() not in SMALL_WORDS]
    capital = all(word[0].isupper() or not word[0].isalpha() for word in weighty)
    if not starts_paragraph or not weighty or not (marked or (capital and len(words) <= 10)):
        return None
    if _DATE_OR_UNIT.fullmatch(match["title"]) and not marked:
        return None
    depth = match["number"].count(".")
    title = " ".join(line.text[: match.end("title")].split())
    return index, _Kind(f"number{depth}", 1 + depth, 10.0), title, True


_Found = tuple[int, int, _Kind, str, bool]


def _without_lists(found: Sequence[_Found], lines: Sequence[VisualLine]) -> list[_Found]:
    """Leave out numbered lines that follow one another without any text between: those are a list."""
    kept = []
    for position, item in enumerate(found):
        first, last, kind, _, run_in = item
        if not run_in and kind.name.startswith("number") and not lines[first].bold:
            before = found[position - 1] if position else None
            after = found[position + 1] if position + 1 < len(found) else None
            listed = (before is not None and before[1] + 1 == first and before[2].name == kind.name) or (
                after is not None and last + 1 == after[0] and after[2].name == kind.name
            )
            if listed:
                continue
        kept.append(item)
    return kept


def _with_levels(found: Sequence[_Found]) -> list[Heading]:
    """Headings of one kind stay on one level; others go below what is set louder or numbered further out."""
    headings = []
    open_kinds: list[_Kind] = []
    for first, last, kind, title, run_in in found:
        while open_kinds and not _holds(open_kinds[-1], kind, open_kinds):
            open_kinds.pop()
        open_kinds.append(kind)
        headings.append(Heading(first, last, min(len(open_kinds), _DEEPEST), title, run_in))
    return headings


def _holds(outer: _Kind, inner: _Kind, open_kinds: Sequence[_Kind]) -> bool:
    if outer.name == inner.name and outer.name != "style":
        return False
    if inner.name != "style" and any(kind.name == inner.name for kind in open_kinds):
        return False
    if outer.name == "style" or inner.name == "style":
        if inner.name == "style" and outer.name != "style":
            # A line without a number under a numbered one belongs to it, unless it is set much louder.
            return inner.weight <= outer.weight + 3
        return outer.weight > inner.weight
    return outer.rank < inner.rank
