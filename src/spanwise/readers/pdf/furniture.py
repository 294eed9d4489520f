"""What repeats in the margins of page after page: running headers, footers and page numbers.

Taking a line of content for furniture loses it, so everything here errs on the side of keeping: a line must stand at
the edge of the page, repeat on several pages, and be set off from the text by a gap or a smaller print.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import sub
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from spanwise.domain.document import FurnitureKind
from spanwise.readers.pdf.lines import VisualLine

_Side: TypeAlias = Literal["top", "bottom"]
_Key: TypeAlias = tuple[_Side, str]

_DEPTH = 4
_ZONE = 0.2
_FEWEST_PAGES = 3
_SAMPLE = 40
"""So many pages are enough to know how the text of a document is set."""
_LONGEST = 200
_GAP = 1.4
_WIDE_GAP = 2.0
_DIGITS = re.compile(r"\d{1,9}")
_ROMAN = re.compile(r"[ivxlc]{1,8}|[IVXLC]{1,8}")
_PAGE_NUMBER = re.compile(
    r"(?:page\s?)?[-–—\[(]{0,2}\s?(?P<label>(?:[a-z]{1,2}\s?-?\s?)?\d{1,4}|[ivxlc]{1,8})\s?[-–—\])]{0,2}"
    r"(?:\s?(?:of|/)\s?\d{1,5})?(?:\s?\|)?",
    re.IGNORECASE,
)
_LABEL_AROUND = re.compile(r"[A-Za-z]{1,2}-$")


class PageLines(NamedTuple):
    """The lines of one page, and its size."""

    width: float
    height: float
    lines: Sequence[VisualLine]


class Found(NamedTuple):
    """Which lines of a page are furniture, by index, and the number that is printed on it."""

    kinds: Mapping[int, FurnitureKind]
    label: str | None


@dataclass(slots=True)
class _Candidate:
    page: int
    index: int
    text: str
    top: float
    depth: int
    """0 for the line at the very edge of the page."""
    set_off: bool
    far_off: bool
    above_row: bool
    """A row of a table comes next."""
    cells: int


def find_furniture(pages: Sequence[PageLines]) -> list[Found]:
    """The furniture of each page."""
    sample = pages[:: max(len(pages) // _SAMPLE, 1)]
    pitch, body = _usual_pitch(sample), _body_size(sample)
    stacks = [(number, side, stack) for number, page in enumerate(pages) for side, stack in _edges(page, pitch, body)]
    by_key: dict[_Key, list[_Candidate]] = defaultdict(list)
    for page, side, stack in stacks:
        for depth, (index, top, set_off, far_off, above_row, pattern) in enumerate(stack):
            line = pages[page].lines[index]
            candidate = _Candidate(page, index, line.text, top, depth, set_off, far_off, above_row, line.cells)
            by_key[side, pattern].append(candidate)
    repeated = {key: numbers for key, found in by_key.items() if (numbers := _repeats(key[1], found)) is not None}
    accepted = _accepted(repeated, by_key, stacks, pages)
    return _verdicts(len(pages), accepted, by_key, repeated)


_Placed: TypeAlias = tuple[float, float, int]
"""Top, bottom and index of a line."""
_Stack: TypeAlias = list[tuple[int, float, bool, bool, bool, str]]
"""Index, top, whether it is set off, whether far, whether a row comes next, and the pattern."""


def _usual_pitch(pages: Iterable[PageLines]) -> float:
    steps: Counter[float] = Counter()
    for page in pages:
        tops = [line.top for line in page.lines]
        steps.update(round(step, 1) for step in map(sub, tops[1:], tops) if 3.0 < step < 60.0)
    return max(steps, key=lambda step: (steps[step], -step)) if steps else 14.0


def _edges(page: PageLines, usual_pitch: float, body: float) -> list[tuple[_Side, _Stack]]:
    """The lines nearest to the upper and the lower edge of a page."""
    placed = sorted((line.top, line.bottom, index) for index, line in enumerate(page.lines) if line.frame == 0)
    pitch = _page_pitch(placed, usual_pitch)
    upper, lower = placed[: _DEPTH + 1], placed[-_DEPTH - 1 :][::-1]
    return [("top", _edge(page, upper, "top", pitch, body)), ("bottom", _edge(page, lower, "bottom", pitch, body))]


def _edge(page: PageLines, placed: Sequence[_Placed], side: _Side, pitch: float, body: float) -> _Stack:
    """The lines nearest to one edge, outermost first, and whether each is set off from the next."""
    stack: _Stack = []
    for position, (top, bottom, index) in enumerate(placed[:_DEPTH]):
        inside = bottom <= page.height * _ZONE if side == "top" else top >= page.height * (1 - _ZONE)
        # Pages printed from HTML end where their text ends, and the page number with them.
        last = position == 0 and side == "bottom"
        if not (inside or last) or len(page.lines[index].text) > _LONGEST:
            break
        following = placed[position + 1] if position + 1 < len(placed) else None
        step = abs(following[0] - top) if following else 1e9
        line = page.lines[index]
        smaller = line.size <= 0.88 * body and following is not None and page.lines[following[2]].size > line.size
        above_row = following is not None and page.lines[following[2]].cells > 1
        set_off, far_off = step >= _GAP * pitch or smaller, step >= _WIDE_GAP * pitch
        stack.append((index, top, set_off, far_off, above_row, _pattern(line.text)))
        if not inside:
            break
    return stack


def _page_pitch(placed: Sequence[_Placed], usual: float) -> float:
    tops = [line[0] for line in placed]
    steps = sorted(step for step in map(sub, tops[1:], tops) if step > 3.0)
    # A page that is set wider than the rest (double spacing, a short list) is measured by its own rhythm.
    return max(steps[len(steps) // 2], usual) if len(steps) >= 3 else usual * 1.5


def _body_size(pages: Iterable[PageLines]) -> float:
    weights: dict[float, int] = {}
    for page in pages:
        for line in page.lines:
            size = line.size
            weights[size] = weights.get(size, 0) + len(line.text)
    return max(weights, key=lambda size: (weights[size], size)) if weights else 10.0


def _pattern(text: str) -> str:
    """What stays the same from page to page."""
    if _ROMAN.fullmatch(text.strip("-–— ")):
        return "<roman>"
    return _DIGITS.sub("#", " ".join(text.lower().split()))


def _repeats(pattern: str, found: Sequence[_Candidate]) -> int | None:
    """Which number of the text counts the pages: its position, -1 when none does; None when it does not repeat."""
    pages = sorted({candidate.page: candidate for candidate in found}.values(), key=lambda c: c.page)
    lone = bool(_PAGE_NUMBER.fullmatch(pages[0].text.strip()))
    if len(pages) < (2 if lone else _FEWEST_PAGES):
        return None
    counting = _counting_position(pattern, pages)
    if counting is None:
        return None
    if lone or counting >= 0:
        return counting if counting >= 0 else None
    middle = median(candidate.top for candidate in pages)
    steady = sum(abs(candidate.top - middle) <= 6.0 for candidate in pages)
    return counting if steady >= 0.7 * len(pages) else None


def _counting_position(pattern: str, found: Sequence[_Candidate]) -> int | None:
    rows = [[value] if (value := _roman(c.text)) and pattern == "<roman>" else _numbers(c.text) for c in found]
    counting = -1
    for position in range(len(rows[0])):
        values = [row[position] if position < len(row) else -1 for row in rows]
        pairs = list(pairwise(zip(values, (candidate.page for candidate in found), strict=True)))
        if sum(value == values[0] for value in values) >= 0.8 * len(values):
            continue
        if counting < 0 and sum(b - a == q - p for (a, p), (b, q) in pairs) >= 0.7 * len(pairs):
            counting = position
        elif not _constant_in_stretches(values):
            return None
    return counting


def _constant_in_stretches(values: Sequence[int]) -> bool:
    return sum(a == b for a, b in pairwise(values)) >= 0.8 * (len(values) - 1)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _DIGITS.findall(text)]


def _roman(text: str) -> int:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    digits = [values[char] for char in text.strip("-–— ").lower() if char in values]
    return sum(-a if a < b else a for a, b in pairwise([*digits, 0]))


def _accepted(
    repeated: Mapping[_Key, int],
    by_key: Mapping[_Key, Sequence[_Candidate]],
    stacks: Sequence[tuple[int, _Side, _Stack]],
    pages: Sequence[PageLines],
) -> set[_Key]:
    """Those that are set off from the text, alone or together with the furniture that stands between."""
    votes: Counter[_Key] = Counter()
    seen: Counter[_Key] = Counter()
    for _, side, stack in stacks:
        keys: list[_Key] = [(side, pattern) for *_, pattern in stack]
        outer = next((n for n, key in enumerate(keys) if key not in repeated), len(keys))
        reach = max((n + 1 for n in range(outer) if stack[n][2]), default=0)
        for n, key in enumerate(keys[:outer]):
            seen[key] += 1
            votes[key] += n < reach
    accepted = {key for key in repeated if seen[key] and votes[key] >= 0.6 * seen[key]}
    for key in set(repeated) - accepted:
        if _counts_every_page(repeated[key], by_key[key]):
            accepted.add(key)
    return {key for key in accepted if _is_safe(key, repeated[key], by_key[key], stacks, pages, accepted)}


def _counts_every_page(counting: int, found: Sequence[_Candidate]) -> bool:
    """A bare page number on the outermost line of one page after the other needs no gap."""
    if counting < 0 or len(found) < 4 or any(candidate.depth for candidate in found):
        return False
    if not all(_PAGE_NUMBER.fullmatch(candidate.text.strip()) for candidate in found):
        return False
    middle = median(candidate.top for candidate in found)
    one_by_one = all(b.page - a.page == 1 for a, b in pairwise(found))
    return one_by_one and all(abs(candidate.top - middle) <= 3.0 for candidate in found)


def _is_safe(
    key: _Key,
    counting: int,
    found: Sequence[_Candidate],
    stacks: Sequence[tuple[int, _Side, _Stack]],
    pages: Sequence[PageLines],
    accepted: set[_Key],
) -> bool:
    lone = counting >= 0 and bool(_PAGE_NUMBER.fullmatch(found[0].text.strip()))
    if lone:
        return len(found) >= _FEWEST_PAGES or (
            all(candidate.far_off for candidate in found)
            and all(b.page - a.page == 1 for a, b in pairwise(found))
            and len(pages) == len(found)
        )
    if counting < 0 and _is_table_head(found):
        return False
    return counting >= 0 or not _inside_text(key, found, stacks, accepted)


def _is_table_head(found: Sequence[_Candidate]) -> bool:
    """Whether it may be the head of a table that goes on over several pages."""
    cells = max(candidate.cells for candidate in found)
    if sum(candidate.far_off for candidate in found) >= 0.6 * len(found):
        return cells >= 5
    return cells >= 3 or (cells == 2 and any(candidate.above_row for candidate in found))


def _inside_text(
    key: _Key,
    found: Sequence[_Candidate],
    stacks: Sequence[tuple[int, _Side, _Stack]],
    accepted: set[_Key],
) -> bool:
    """Whether other pages have text where this line stands: then it stands in the text, not in the margin."""
    side = key[0]
    place = median(candidate.top for candidate in found)
    own = {candidate.page for candidate in found}
    others = intruders = 0
    for page, stack_side, stack in stacks:
        if stack_side != side or page in own or not stack:
            continue
        others += 1
        first = next((top for _, top, *_, pattern in stack if (side, pattern) not in accepted), None)
        if first is not None and (first <= place + 3 if side == "top" else first >= place - 3):
            intruders += 1
    return intruders > 0.25 * len(own) and intruders > 0.25 * others


def _verdicts(
    page_count: int,
    accepted: set[_Key],
    by_key: Mapping[_Key, Sequence[_Candidate]],
    repeated: Mapping[_Key, int],
) -> list[Found]:
    chosen: list[dict[_Side, dict[int, tuple[_Key, _Candidate]]]] = [
        {"top": {}, "bottom": {}} for _ in range(page_count)
    ]
    for key in accepted:
        for candidate in by_key[key]:
            chosen[candidate.page][key[0]][candidate.depth] = key, candidate
    verdicts = []
    for sides in chosen:
        kinds: dict[int, FurnitureKind] = {}
        label: str | None = None
        for side in ("bottom", "top"):
            at_edge = sides[side]
            # Nothing beyond the first line of content counts, however often it repeats.
            for depth in range(_DEPTH):
                if depth not in at_edge:
                    break
                key, candidate = at_edge[depth]
                counting = repeated[key]
                lone = _PAGE_NUMBER.fullmatch(candidate.text.strip()) is not None and counting >= 0
                kinds[candidate.index] = "page_number" if lone else "header" if side == "top" else "footer"
                if counting >= 0 and label is None:
                    label = _label(candidate.text, counting, lone)
        verdicts.append(Found(kinds, label))
    return verdicts


def _label(text: str, counting: int, lone: bool) -> str | None:
    if lone and (match := _PAGE_NUMBER.fullmatch(text.strip())):
        return "".join(match["label"].split())
    numbers = list(_DIGITS.finditer(text))
    if counting >= len(numbers):
        return None
    number = numbers[counting]
    prefix = _LABEL_AROUND.search(text[: number.start()])
    return (prefix.group() if prefix else "") + number.group()
