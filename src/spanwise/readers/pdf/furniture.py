"""What repeats in the margins of page after page: running headers, footers and page numbers.

Taking a line of content for furniture loses it, so everything here errs on the side of keeping: a line must stand at
the edge of the page, repeat on several pages, and be set off from the text by a gap or a smaller print.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, takewhile
from operator import sub
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from spanwise.domain.document import FurnitureKind
from spanwise.readers.pdf.visual_lines import VisualLine

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
    cells: int
    key: _Key
    """The edge where it stands, and what stays the same of it from page to page."""
    depth: int
    """0 for the line at the very edge of the page."""
    set_off: bool
    far_off: bool
    above_row: bool
    """A row of a table comes next."""


_Stack: TypeAlias = list[_Candidate]
"""The lines nearest to one edge of a page, outermost first."""


class _Repeated(NamedTuple):
    """A line that stands on several pages, and which of its numbers counts them (-1 for none)."""

    counting: int
    found: Sequence[_Candidate]

    @property
    def lone(self) -> bool:
        """True for a page number with nothing beside it."""
        return self.counting >= 0 and _PAGE_NUMBER.fullmatch(self.found[0].text.strip()) is not None


def find_furniture(pages: Sequence[PageLines]) -> list[Found]:
    """The furniture of each page."""
    sample = pages[:: max(len(pages) // _SAMPLE, 1)]
    pitch, body = _usual_pitch(sample), _body_size(sample)
    stacks = [stack for number, page in enumerate(pages) for stack in _edges(number, page, pitch, body)]
    by_key: dict[_Key, list[_Candidate]] = defaultdict(list)
    for candidate in chain.from_iterable(stacks):
        by_key[candidate.key].append(candidate)
    repeated = {
        key: _Repeated(counting, found)
        for key, found in by_key.items()
        if (counting := _repeats(key[1], found)) is not None
    }
    return _verdicts(len(pages), _accepted(repeated, stacks, len(pages)))


_Placed: TypeAlias = tuple[float, float, int]
"""Top, bottom and index of a line."""


def _usual_pitch(pages: Iterable[PageLines]) -> float:
    steps: Counter[float] = Counter()
    for page in pages:
        tops = [line.top for line in page.lines]
        steps.update(round(step, 1) for step in map(sub, tops[1:], tops) if 3.0 < step < 60.0)
    return max(steps, key=lambda step: (steps[step], -step)) if steps else 14.0


def _edges(number: int, page: PageLines, usual_pitch: float, body: float) -> Iterator[_Stack]:
    """The lines nearest to the upper and to the lower edge of a page, and whether each is set off from the next."""
    placed = sorted((line.top, line.bottom, index) for index, line in enumerate(page.lines) if line.frame == 0)
    pitch = _page_pitch(placed, usual_pitch)
    edges: tuple[tuple[_Side, Sequence[_Placed]], ...] = (
        ("top", placed[: _DEPTH + 1]),
        ("bottom", placed[: -_DEPTH - 2 : -1]),
    )
    for side, outer in edges:
        stack: _Stack = []
        for depth, (top, bottom, index) in enumerate(outer[:_DEPTH]):
            line = page.lines[index]
            inside = bottom <= page.height * _ZONE if side == "top" else top >= page.height * (1 - _ZONE)
            # Pages printed from HTML end where their text ends, and the page number with them.
            if not (inside or (depth == 0 and side == "bottom")) or len(line.text) > _LONGEST:
                break
            following = outer[depth + 1] if depth + 1 < len(outer) else None
            next_line = page.lines[following[2]] if following else None
            step = abs(following[0] - top) if following else 1e9
            smaller = line.size <= 0.88 * body and next_line is not None and next_line.size > line.size
            set_off, far_off = step >= _GAP * pitch or smaller, step >= _WIDE_GAP * pitch
            row, key = next_line is not None and next_line.cells > 1, (side, _pattern(line.text))
            stack.append(_Candidate(number, index, line.text, top, line.cells, key, depth, set_off, far_off, row))
            if not inside:
                break
        yield stack


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
    rows = [
        [value] if pattern == "<roman>" and (value := _roman(c.text)) else list(map(int, _DIGITS.findall(c.text)))
        for c in found
    ]
    counting = -1
    for position in range(len(rows[0])):
        values = [row[position] if position < len(row) else -1 for row in rows]
        pairs = list(pairwise(zip(values, (candidate.page for candidate in found), strict=True)))
        if sum(value == values[0] for value in values) >= 0.8 * len(values):
            continue
        if counting < 0 and sum(b - a == q - p for (a, p), (b, q) in pairs) >= 0.7 * len(pairs):
            counting = position
        elif sum(a == b for a, b in pairwise(values)) < 0.8 * (len(values) - 1):  # nor constant in stretches
            return None
    return counting


def _roman(text: str) -> int:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    digits = [values[char] for char in text.strip("-–— ").lower() if char in values]
    return sum(-a if a < b else a for a, b in pairwise([*digits, 0]))


def _accepted(repeated: Mapping[_Key, _Repeated], stacks: Sequence[_Stack], page_count: int) -> dict[_Key, _Repeated]:
    """Those that are set off from the text, alone or together with the furniture that stands between."""
    votes: Counter[_Key] = Counter()
    seen: Counter[_Key] = Counter()
    for stack in stacks:
        outer = next((n for n, one in enumerate(stack) if one.key not in repeated), len(stack))
        reach = max((n + 1 for n in range(outer) if stack[n].set_off), default=0)
        for n, one in enumerate(stack[:outer]):
            seen[one.key] += 1
            votes[one.key] += n < reach
    accepted = {key for key in repeated if seen[key] and votes[key] >= 0.6 * seen[key]}
    accepted |= {key for key in set(repeated) - accepted if _counts_every_page(repeated[key])}

    def is_safe(key: _Key) -> bool:
        one = repeated[key]
        if one.lone:
            alone = one.found if len(one.found) == page_count and all(found.far_off for found in one.found) else ()
            return len(one.found) >= _FEWEST_PAGES or (bool(alone) and _follow_one_another(alone))
        return one.counting >= 0 or not (_is_table_head(one.found) or _inside_text(key, one.found, stacks, accepted))

    return {key: repeated[key] for key in accepted if is_safe(key)}


def _follow_one_another(found: Sequence[_Candidate]) -> bool:
    return all(after.page - before.page == 1 for before, after in pairwise(found))


def _counts_every_page(one: _Repeated) -> bool:
    """A bare page number on the outermost line of one page after the other needs no gap."""
    counting, found = one
    if counting < 0 or len(found) < 4 or any(candidate.depth for candidate in found):
        return False
    if not all(_PAGE_NUMBER.fullmatch(candidate.text.strip()) for candidate in found):
        return False
    middle = median(candidate.top for candidate in found)
    return _follow_one_another(found) and all(abs(candidate.top - middle) <= 3.0 for candidate in found)


def _is_table_head(found: Sequence[_Candidate]) -> bool:
    """Whether it may be the head of a table that goes on over several pages."""
    cells = max(candidate.cells for candidate in found)
    if sum(candidate.far_off for candidate in found) >= 0.6 * len(found):
        return cells >= 5
    return cells >= 3 or (cells == 2 and any(candidate.above_row for candidate in found))


def _inside_text(key: _Key, found: Sequence[_Candidate], stacks: Sequence[_Stack], accepted: set[_Key]) -> bool:
    """Whether other pages have text where this line stands: then it stands in the text, not in the margin."""
    side = key[0]
    place = median(candidate.top for candidate in found)
    own = {candidate.page for candidate in found}
    others = [stack for stack in stacks if stack and stack[0].key[0] == side and stack[0].page not in own]
    firsts = [next((one.top for one in stack if one.key not in accepted), None) for stack in others]
    intruders = sum(top is not None and (top <= place + 3 if side == "top" else top >= place - 3) for top in firsts)
    return intruders > 0.25 * len(own) and intruders > 0.25 * len(others)


def _verdicts(page_count: int, accepted: Mapping[_Key, _Repeated]) -> list[Found]:
    chosen: list[dict[tuple[_Side, int], _Candidate]] = [{} for _ in range(page_count)]
    for one in accepted.values():
        for candidate in one.found:
            chosen[candidate.page][candidate.key[0], candidate.depth] = candidate
    verdicts = []
    for at_edges in chosen:
        kinds: dict[int, FurnitureKind] = {}
        label: str | None = None
        for side in ("bottom", "top"):
            # Nothing beyond the first line of content counts, however often it repeats.
            for depth in takewhile(lambda depth: (side, depth) in at_edges, range(_DEPTH)):  # noqa: B023
                candidate = at_edges[side, depth]
                counting = accepted[candidate.key].counting
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
