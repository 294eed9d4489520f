"""From runs to the lines that the eye sees: rows of a table whole, columns of text one after the other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, zip_longest
from statistics import median

from spanwise.domain.document import Recognition
from spanwise.readers.flowing import raised_after
from spanwise.readers.pdf.placement import Frame, turn_from_frame
from spanwise.readers.pdf.ruled import Rules, wrapped_bands
from spanwise.readers.pdf.runs import FIGURE_ENDS, FIGURE_STARTS, HIGHER, LARGE, SMALLER, Run, cell_gap
from spanwise.text.list_marks import BULLETS, DASHES, OF_SYMBOLS, TICKS

_BULLET = re.compile(
    rf"[{BULLETS}{OF_SYMBOLS}{TICKS}{DASHES}]|"
    r"o|\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})[.)]|\d{1,2}(?:\.\d{1,2}){1,4}\.?"
)
_POINT = re.compile(rf"[{BULLETS}{OF_SYMBOLS}{TICKS}]")
_CURRENCY = frozenset("$€£¥(") | {"US$", "($", "C$", "$("}
_CLOSING = frozenset(")%") | {")%", "%)"}
_TRAILING_SIGN = re.compile(r"(?<=[\d)%\u2014\u2013-])\s(\$|\u20ac|\u00a3|\u00a5|US\$|C\$)$")
_BEFORE_SIGN = re.compile(r"(?<=[\d)%\u2014\u2013-])\s(?=[$\u20ac\u00a3\u00a5])")
_FIGURE_PIECE = re.compile(r"[$\u20ac\u00a3\u00a5]?\s?[\d(\u2014\u2013-][\d.,()%\u2014\u2013-]*")
_SPELLED = re.compile(r"[^\W\d_]{3}")
_SIGNS = frozenset("$\u20ac\u00a3\u00a5")
_SAME_ROW, _IN_TURN = 0.55, 0.4
"""Share of their height in which pieces of one row overlap at least; those written one after the other need less."""
_GUTTER = 6.0
_MOST_RUNS = 4_000
"""Columns and cells are looked for on pages with fewer runs; more is a drawing or an attack, read row by row."""
_DEEPEST = 4
_TABLE_ROWS = 3
"""Rows one under the other, at least, of a table that is set over both columns."""
_MOST_INITIALS = 100
_WORDS_ALONE = frozenset("AEIOUY")
"""Letters that are a word by themselves in some language; others begin one."""
_MOST_TURNS = 6
_WRITTEN = 8
"""Runs that are written one after the other on one side of a gutter before the other one follows, at least."""
_LONG_PIECE = 20
"""Characters of a line of running text in a narrow column, at least."""


@dataclass(slots=True)
class VisualLine:
    """One line of a page, in the coordinates of its frame."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool
    bold_prefix: int
    cells: int
    frame: Frame
    labelled: bool
    """It begins with a bullet or a list label that stands apart from its text."""
    region: int = 0
    """Which stretch of the page it belongs to; a column is a region of its own."""
    left: float = 0.0
    right: float = 0.0
    """The edges of its region."""
    page: int = 0
    in_cell: bool = False
    """It stands in a table whose cells hold several lines, and is no heading however it is set."""
    opens: bool = False
    """It opens a block, whatever is before it."""
    recognition: Recognition | None = None
    edges: tuple[float, ...] = ()
    """Left and right edge of each cell of a row, or of the cell between rules that the line is of."""


def build_lines(runs: Sequence[Run], rules: Rules | None = None) -> list[VisualLine]:
    """The lines of one page in reading order; the direction in which most of the text runs comes first."""
    frames: dict[Frame, list[Run]] = {}
    runs = _with_initials(runs)
    tilted = [run for run in runs if run.tilted]
    for run in [run for run in runs if not run.tilted] if tilted else runs:
        frames.setdefault(run.frame, []).append(run)
    by_weight = list(frames)
    if len(frames) > 1:
        by_weight.sort(key=lambda frame: (-sum(len(run.text) for run in frames[frame]), frame))
    lines: list[VisualLine] = []
    region = 0
    for frame in by_weight:
        ruled = rules is not None and frame == 0 and len(runs) <= _MOST_RUNS
        for rows in _around_cells(frames[frame], rules) if ruled and rules else _regions(frames[frame], 0):
            built = [_line(row) for row in rows]
            left, right = min(line.x0 for line in built), max(line.x1 for line in built)
            for line, row in zip(built, rows, strict=True):
                line.region, line.left, line.right = region, left, right
                if row[0].recognition is not None:
                    line.recognition = _recognition(row)
            if rows[0][0].in_cell:
                for line, row in zip(built, rows, strict=True):
                    line.in_cell, line.edges = True, line.edges or row[0].cell
            lines += built
            region += 1
    return _with_tilted(lines, tilted, region) if tilted else lines


def _with_initials(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs with each large initial of a paragraph put before the first of the lines beside it."""
    taken: set[int] = set()
    put: dict[int, Run] = {}
    for initial in [run for run in runs if len(run.text) == 1 and run.text.isupper()][:_MOST_INITIALS]:
        beside = [
            run
            for run in runs
            if run.frame == initial.frame
            and LARGE * run.size <= initial.size
            and -1 <= run.x0 - initial.x1 <= initial.size
            and initial.top < (run.top + run.bottom) / 2 < initial.bottom
        ]
        first = min(beside, key=lambda run: run.top, default=None)
        if first is not None and len(beside) > 1 and first.text[0].islower() and id(first) not in put:
            between = " " if initial.text in _WORDS_ALONE else ""
            put[id(first)] = replace(first, text=f"{initial.text}{between}{first.text}", x0=initial.x0, cuts=())
            taken.add(id(initial))
    return [put.get(id(run), run) for run in runs if id(run) not in taken] if taken else runs


def _with_tilted(lines: Sequence[VisualLine], runs: Sequence[Run], region: int) -> list[VisualLine]:
    """The lines of a page with those that rise or fall, in the order of the file, each before what stands lower."""
    groups: list[list[Run]] = []
    for run in runs:
        if groups and run.glue is not None and run.frame == groups[-1][0].frame:
            groups[-1].append(run)
        else:
            groups.append([run])
    made: list[VisualLine] = []
    for group in groups:
        line = _line(group[:1])
        line.text = "".join(f"{run.glue or ''}{run.text}" for run in group)
        line.x0, line.top = min(run.x0 for run in group), min(run.top for run in group)
        line.x1, line.bottom = max(run.x1 for run in group), max(run.bottom for run in group)
        line.bold_prefix, line.region = 0, region
        made.append(line)
    for line in made:
        line.left, line.right = min(one.x0 for one in made), max(one.x1 for one in made)
    found = list(lines)
    at = 0
    for line in made:
        middle = sum(turn_from_frame((line.x0, line.top, line.x1, line.bottom), line.frame)[1::2])
        while at < len(found) and (found[at].frame != 0 or found[at].top + found[at].bottom <= middle):
            at += 1
        found.insert(at, line)
        at += 1
    return found


def _regions(runs: Sequence[Run], depth: int) -> list[list[list[Run]]]:
    """Stretches of rows to be read one after the other."""
    rows = _rows(runs)
    if depth >= _DEEPEST or len(rows) < 3 or len(runs) > _MOST_RUNS or _is_plain(rows):
        return [rows]
    found = _find_columns([run for row in rows for run in row])
    if found is None:
        return [rows]
    above, parts, below = found
    regions: list[list[list[Run]]] = []
    if above:
        regions += _regions(above, depth + 1)
    for part in parts:
        regions += _labelled_cell(part) or _regions(part, depth + 1)
    if below:
        regions += _regions(below, depth + 1)
    return regions


def _around_cells(runs: Sequence[Run], rules: Rules) -> list[list[list[Run]]]:
    """Regions of a page with rules: rows whose cells hold several lines, cell by cell, and what is between them."""
    regions: list[list[list[Run]]] = []
    rest = list(runs)
    for band in wrapped_bands(runs, rules):
        inside = [run for row in band for cell in row for run in cell]
        first, taken = min(run.top for run in inside), set(map(id, inside))
        rest = [run for run in rest if id(run) not in taken]
        above = [run for run in rest if run.top < first]
        regions += _regions(above, 0) if above else []
        # One region a row, so that what a row says stays one paragraph unless a sentence ends in it.
        regions += [[line for cell in row for line in _rows(cell)] for row in band]
        rest = [run for run in rest if run.top >= first]
    return [*regions, *(_regions(rest, 0) if rest else [])]


def _labelled_cell(runs: Sequence[Run]) -> list[list[list[Run]]] | None:
    """A short cell beside one of several lines, as in a table of descriptions: first the one, then the other."""
    if not 3 <= len(runs) <= 12:
        return None
    for run in runs:
        edge = run.x0
        rights = [other for other in runs if other.x0 >= edge - 2]
        lefts = [other for other in runs if other.x1 <= edge - _GUTTER]
        if (
            lefts
            and len(rights) >= max(2, len(lefts))
            and len(lefts) + len(rights) == len(runs)
            and max(left.order for left in lefts) < min(right.order for right in rights)
            and _prose_share(rights) >= 0.5
            and not any(_BULLET.fullmatch(left.text) for left in lefts)
        ):
            return [_rows(lefts), _rows(rights)]
    return None


def _rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs that stand side by side, top to bottom and left to right."""
    rows: list[list[Run]] = []
    top = bottom = 0.0
    for run in sorted(runs, key=lambda run: (run.top + run.bottom, run.x0)):
        if rows and run.top <= bottom and _beside(run, top, bottom, _IN_TURN if _in_turn(run, rows[-1]) else _SAME_ROW):
            rows[-1].append(run)
            if run.bottom - run.top > bottom - top:
                top, bottom = run.top, run.bottom
        else:
            rows.append([run])
            top, bottom = run.top, run.bottom
    for row in rows:
        if len(row) > 1:
            row.sort(key=lambda run: run.x0)
    return rows


def _in_turn(run: Run, row: Sequence[Run]) -> bool:
    """True if the file writes a run right before a row that is to its right, or right behind one to its left."""
    first, last = min(row, key=lambda one: one.x0), max(row, key=lambda one: one.x0)
    before = run.x1 < first.x0 and run.order + 1 == first.order
    return before or (run.x0 > last.x1 and run.order - 1 == last.order)


def _beside(run: Run, top: float, bottom: float, share: float) -> bool:
    height, other = run.bottom - run.top, bottom - top
    shared = min(run.bottom, bottom) - max(run.top, top)
    small, large = (height, other) if height < other else (other, height)
    if shared < share * small:
        return False
    # A large initial stands beside several lines; only the one at its middle is its row.
    return large <= 1.8 * small or abs(run.top + run.bottom - top - bottom) < small


def _is_plain(rows: Sequence[Sequence[Run]]) -> bool:
    """Whether every line has another right below it, so that there are no columns to look for."""
    previous: Run | None = None
    for row in rows:
        run = row[0]
        if len(row) > 1 or (previous is not None and (run.x0 > previous.x1 or run.x1 < previous.x0)):
            return False
        previous = run
    return True


_Columns = tuple[list[Run], list[list[Run]], list[Run]]


def _find_columns(runs: Sequence[Run]) -> _Columns | None:
    """The largest stretch of the page that is set in two columns: what is above, its parts in order, what is below."""
    best, best_parts = max(_candidates(runs), key=lambda found: len(found[0]), default=([], []))
    if not best:
        return None
    if len(best_parts) > 3:
        for run in best:
            run.in_cell = True
    taken = {id(run) for run in best}
    first = min(run.top for run in best)
    rest = [run for run in runs if id(run) not in taken]
    above = [run for run in rest if run.top < first]
    below = [run for run in rest if run.top >= first]
    return above, best_parts, below


def _candidates(runs: Sequence[Run]) -> Iterator[tuple[list[Run], list[list[Run]]]]:
    """Stretches of the page that are set in two columns, and their parts in order."""
    gutters = _gutters(runs)
    for at, gutter in enumerate([*gutters, *_turns(runs)]):
        for band in _bands(runs, gutter):
            lefts, rights = _sides(band, gutter)
            if not lefts or not rights:
                continue
            if at < len(gutters):
                running = (piece for piece in _between_tables(band, gutter) if _is_running(*_sides(piece, gutter)))
                for piece in list(running) or [band]:
                    if parts := _parts(piece, gutter):
                        yield piece, parts
            highest = min(run.top for run in rights)
            beside = [run for run in lefts if run.bottom > highest]
            if beside and _written_apart(beside, rights):
                yield [*beside, *rights], [beside, rights]


def _gutters(runs: Sequence[Run]) -> list[float]:
    """Left edges that several pieces of prose share, away from the left edge of the page's text."""
    left = min(run.x0 for run in runs)
    right = max(run.x1 for run in runs)
    edges: dict[int, list[float]] = {}
    for run in runs:
        if len(run.text) >= 12 and " " in run.text and run.x0 > left + 0.12 * (right - left):
            edges.setdefault(round(run.x0 / 4), []).append(run.x0)
    shared = sorted((found for found in edges.values() if len(found) >= 3), key=len, reverse=True)
    return [min(found) for found in shared[:6]]


def _turns(runs: Sequence[Run]) -> list[float]:
    """Left edges of points, and of what the file writes higher up than what is before, away from the page's left."""
    left = min(run.x0 for run in runs)
    right = max(run.x1 for run in runs)
    ordered = sorted(runs, key=lambda run: run.order)
    edges = (
        run.x0
        for before, run in pairwise(ordered)
        if (run.bottom <= before.top and run.x0 > before.x0) or _POINT.match(run.text)
    )
    return list(dict.fromkeys(edge for edge in edges if edge > left + 0.12 * (right - left)))[:_MOST_TURNS]


def _written_apart(lefts: Sequence[Run], rights: Sequence[Run]) -> bool:
    """True for lists, tables, or text (with a figure in one column), side by side and written one after the other."""
    if not _overlap(lefts, rights):
        return False
    sides = [side for _, side in sorted([(run.order, 0) for run in lefts] + [(run.order, 1) for run in rights])]
    changes = sum(before != side for before, side in pairwise(sides))
    if changes > 1 and len(sides) < _WRITTEN * changes:
        return False
    return (
        (_are_points(lefts) and _are_points(rights))
        or (_are_rows(lefts) and _are_rows(rights))
        or (
            min(_filled(side) * len(side) for side in (lefts, rights)) >= _WRITTEN
            and (_runs_on(lefts) or _runs_on(rights))
        )
    )


def _are_points(runs: Sequence[Run]) -> bool:
    """True if all that stands at the left edge begins with the mark of a point."""
    left = min(run.x0 for run in runs)
    return all(_POINT.match(run.text) for run in runs if run.x0 <= left + 2)


def _are_rows(runs: Sequence[Run]) -> bool:
    """True for a table that is written row by row, each row with words at its beginning."""
    rows = (row for row in _rows(runs) if len(row) > 1)
    in_turn = [row[1].order == row[0].order + 1 and _SPELLED.search(row[0].text) is not None for row in rows]
    return sum(in_turn) >= max(_TABLE_ROWS, len(in_turn) / 3)


def _bands(runs: Sequence[Run], gutter: float) -> list[list[Run]]:
    """Maximal stretches, top to bottom, of runs that do not cross the gutter."""
    bands: list[list[Run]] = [[]]
    floor = -math.inf
    for run in runs:
        if run.x0 < gutter - 2 and run.x1 > gutter - _GUTTER:
            if bands[-1]:
                bands.append([])
            floor = run.top + run.bottom
        elif run.top + run.bottom >= floor:
            bands[-1].append(run)
    return [band for band in bands if len(band) >= 6]


def _between_tables(band: Sequence[Run], gutter: float) -> list[list[Run]]:
    """What is above, between and below the tables that are set over both columns."""
    pieces: list[list[Run]] = [[]]
    table: list[list[Run]] = []
    for row in [*_rows(band), []]:
        if len(row) > 2 and _spans(row, gutter):
            table.append(row)
            continue
        if len(table) >= _TABLE_ROWS:
            pieces.append([])
        else:
            pieces[-1] += chain.from_iterable(table)
        table = []
        pieces[-1] += row
    return pieces if len(pieces) > 1 else []


def _spans(row: Sequence[Run], gutter: float) -> bool:
    """True for a row of a table over both columns: cells on either side, written one after the other."""
    first = row[0].order
    in_turn = all(run.order == at for at, run in enumerate(row, first))
    return in_turn and row[0].x0 < gutter - 2 <= row[-1].x0 and _prose_share(row) < 0.5


def _sides(band: Sequence[Run], gutter: float) -> tuple[list[Run], list[Run]]:
    lefts = [run for run in band if run.x0 < gutter - 2]
    return lefts, [run for run in band if run.x0 >= gutter - 2]


def _is_running(lefts: Sequence[Run], rights: Sequence[Run]) -> bool:
    """True if both sides of a gutter read like running text, and are filled as it is."""
    return bool(lefts and rights) and _runs_on(lefts) and _runs_on(rights)


def _runs_on(side: Sequence[Run]) -> bool:
    return _prose_share(side) >= 0.8 and _filled(side) >= 0.6


def _parts(band: Sequence[Run], gutter: float) -> list[list[Run]] | None:
    """The band cut into what is read one after the other, or None when its rows belong together (a table)."""
    lefts, rights = _sides(band, gutter)
    if len(lefts) < 3 or len(rights) < 3 or not _overlap(lefts, rights):
        return None
    in_file_order = sorted(band, key=lambda run: run.order)
    groups: list[list[Run]] = [[]]
    for before, run in pairwise([in_file_order[0], *in_file_order]):
        if (before.x0 < gutter - 2) != (run.x0 < gutter - 2):
            groups.append([])
        groups[-1].append(run)
    prose = min(_prose_share(lefts), _prose_share(rights))
    if len(groups) == 2:
        return [lefts, rights] if prose >= 0.4 else None
    if len(band) >= 2 * len(groups) and prose >= 0.5:
        return _cell_pairs(groups, gutter) or [lefts, rights]
    return [lefts, rights] if _is_running(lefts, rights) else None


def _overlap(lefts: Sequence[Run], rights: Sequence[Run]) -> bool:
    top = max(min(run.top for run in side) for side in (lefts, rights))
    bottom = min(max(run.bottom for run in side) for side in (lefts, rights))
    height = min(max(run.bottom for run in side) - min(run.top for run in side) for side in (lefts, rights))
    return bottom - top >= 0.5 * height


def _prose_share(runs: Sequence[Run]) -> float:
    """How many of the runs read like words of a sentence rather than like the cells of a table."""
    return sum(_is_prose(run.text) for run in runs) / len(runs)


def _is_prose(text: str) -> bool:
    words = text.split()
    return len(words) >= 3 and sum(word[0].isalpha() or word[0] in "“\"('‘" for word in words) >= 0.7 * len(words)


def _filled(runs: Sequence[Run]) -> float:
    """How many of the runs end for want of room in their column, as running text does; a side may have several."""
    reached, column, right = 0, list[Run](), 0.0
    for run in sorted(runs, key=lambda run: run.x0):
        if column and run.x0 >= right:
            reached += _reaching(column, right)
            column = []
        right = max(right, run.x1) if column else run.x1
        column.append(run)
    return (reached + _reaching(column, right)) / len(runs)


def _reaching(column: Sequence[Run], right: float) -> int:
    """The lines of a column that come near its right edge, or behind which the next word had no room."""
    edge = right - 0.15 * (right - column[0].x0)
    ordered = sorted(column, key=lambda run: run.top)
    return sum(
        len(run.text) >= _LONG_PIECE and (run.x1 >= edge or run.x1 + _first_word(below) > right)
        for run, below in zip_longest(ordered, ordered[1:])
    )


def _first_word(run: Run | None) -> float:
    """About how wide the first word of a line is, with a space before it."""
    if run is None:
        return 0.0
    return (1 + len(run.text.split(" ", 1)[0])) * (run.x1 - run.x0) / len(run.text)


def _cell_pairs(groups: Sequence[list[Run]], gutter: float) -> list[list[Run]] | None:
    """A table whose cells hold several lines: the parts row by row, each its left cell and then its right one."""
    if groups[0][0].x0 >= gutter - 2:
        return None
    pairs = [[run for group in groups[at : at + 2] for run in group] for at in range(0, len(groups), 2)]
    for above, below in pairwise(pairs):
        height = median(run.bottom - run.top for run in below)
        if min(run.top for run in below) < max(run.bottom for run in above) - 0.6 * height:
            return None
    return list(groups)


def _at_cuts(run: Run) -> list[Run]:
    """The cells of a row that was drawn in one piece."""
    parts, start, left = [], 0, run.x0
    for at, x1, x0 in (*run.cuts, (len(run.text), run.x1, 0.0)):
        if text := run.text[start:at].strip():
            prefix = max(0, min(run.bold_prefix, at) - start)
            parts.append(replace(run, text=text, x0=left, x1=x1, bold_prefix=prefix, cuts=()))
        start, left = at, x0
    return parts


def _line(row: Sequence[Run]) -> VisualLine:
    row = [part for run in row for part in (_at_cuts(run) if run.cuts else (run,))]
    if len(row) == 1:
        run = row[0]
        return VisualLine(
            run.text, run.x0, run.top, run.x1, run.bottom, run.size, run.bold, run.bold_prefix, 1, run.frame, False
        )
    text, edges, labelled = _joined_text(row)
    largest = max(row, key=lambda run: len(run.text))
    bold = all(run.bold for run in row)
    prefix = len(text) if bold else _bold_prefix(row, text)
    return VisualLine(
        text,
        min(run.x0 for run in row),
        min(run.top for run in row),
        max(run.x1 for run in row),
        max(run.bottom for run in row),
        largest.size,
        bold,
        prefix,
        len(edges) // 2,
        row[0].frame,
        labelled,
        edges=edges if len(edges) > 2 else (),
    )


def _recognition(row: Sequence[Run]) -> Recognition:
    """How sure the recogniser is of a line."""
    parts = [(run.recognition, len(run.text)) for run in row if run.recognition is not None]
    confidence = sum(part.confidence * size for part, size in parts) / sum(size for _, size in parts)
    return Recognition(round(confidence, 2), tuple(figure for part, _ in parts for figure in part.doubtful))


def _joined_text(row: Sequence[Run]) -> tuple[str, tuple[float, ...], bool]:
    """The runs of a row as one text, two spaces between cells, one after a label or a sign; the edges of the cells."""
    labelled = False
    row = [part for run in row for part in _at_signs(run)]
    edges = [row[0].x0, row[0].x1]
    text = row[0].text
    for index, (left, right) in enumerate(pairwise(row)):
        gap, size = right.x0 - left.x1, min(left.size, right.size)
        apart = gap > cell_gap(left.text, right.text) * size
        sign = _TRAILING_SIGN.search(left.text) if apart and right.text[:1] in FIGURE_STARTS else None
        counted = apart and left.text[:1] == "(" and _FIGURE_PIECE.fullmatch(right.text)
        if index == 0 and gap > 0 and len(left.text) <= 8 and _BULLET.fullmatch(left.text) and not counted:
            labelled = True
            text = f"{text} {right.text}"
        elif right.text in _CLOSING and gap < 3 * size:
            text += right.text
        elif left.text in _CURRENCY:
            text += right.text if left.text.endswith("(") else f" {right.text}"
        elif sign is not None:
            # The sign of the next column stands so near that it is of one piece with the figure before it.
            each = (left.x1 - left.x0) / len(left.text)
            cut = left.x1 - each * len(sign[0])
            text = f"{text[: -len(sign[0])]}  {sign[1]} {right.text}"
            edges[-1:] = [cut, cut + each, right.x1]
        elif apart or (right.text[:1] in _SIGNS and left.text[-1:] in FIGURE_ENDS):
            text = f"{text}  {right.text}"
            edges += [right.x0, right.x1]
        else:
            said = raised_after(text, right.text) if _is_raised(left, right) else right.text
            text = f"{text} {said}" if gap > 0.12 * size and said == right.text else text + said
        edges[-1] = max(edges[-1], right.x1)
    return text, tuple(round(edge, 1) for edge in edges), labelled


def _is_raised(left: Run, right: Run) -> bool:
    """True if a piece is smaller than the one before it and stands higher."""
    return right.size <= SMALLER * left.size and left.bottom - right.bottom >= HIGHER * (left.bottom - left.top)


def _at_signs(run: Run) -> list[Run]:
    """The figures of a run that were drawn in one piece, cut before each sign of a currency; where is estimated."""
    texts = _BEFORE_SIGN.split(run.text) if _SIGNS.intersection(run.text) else [run.text]
    if len(texts) == 1 or not all(_FIGURE_PIECE.fullmatch(text) for text in texts):
        return [run]
    parts, at, each = [], 0, (run.x1 - run.x0) / len(run.text)
    for text in texts:
        parts.append(replace(run, text=text, x0=run.x0 + each * at, x1=run.x0 + each * (at + len(text))))
        at += len(text) + 1
    parts[-1].x1 = run.x1
    return parts


def _bold_prefix(row: Sequence[Run], text: str) -> int:
    first = row[0]
    if not first.bold:
        return first.bold_prefix
    if len(row) > 1 and row[1].bold_prefix:
        at = text.find(row[1].text, len(first.text))
        return at + row[1].bold_prefix if at >= 0 else len(first.text)
    return len(first.text)
