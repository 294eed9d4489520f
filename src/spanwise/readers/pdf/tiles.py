"""Text in the cells of tiling patterns, which pdfium draws and does not read.

Where a page fills an area with a pattern that shows text, one of its tiles is drawn again as part of the page, within
that area and at its own place. The page looks the same, and its text is read, and judged, as any other.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pikepdf

PdfValue: TypeAlias = Any
"""Something that a PDF holds, as pikepdf gives it."""
_Matrix: TypeAlias = tuple[float, float, float, float, float, float]
_TILES = re.compile(rb"/PatternType\s{0,9}1\b")
_SAME: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_PATHS = frozenset("m l c v y h re".split())
_FILLS = frozenset("f F f* B B* b b*".split())
_ENDS = frozenset("S s n".split())
_MOST_BYTES = 4_000_000
"""Of the content of a page that is looked through."""
_DEEPEST, _MOST_FORMS = 8, 500
"""Forms in forms of a page that are looked through, and how many of them."""
_MOST_AREAS = 200
"""Areas of one page that are filled with such patterns."""


def with_tiles(data: bytes, password: str | None) -> bytes:
    """A PDF in which the text of tiles is part of its pages; the same bytes where no page shows such text."""
    if _TILES.search(data) is None:
        return data
    import pikepdf  # few files need it, and it takes longer to load than most take to read

    try:
        with pikepdf.open(io.BytesIO(data), password=password or "") as document:
            changed = [_draw_tiles(document, page) for page in document.pages]
            if not any(changed):
                return data
            packed = io.BytesIO()
            document.save(packed)
            return packed.getvalue()
    except (pikepdf.PdfError, ValueError, RuntimeError, KeyError, TypeError, OverflowError):
        return data  # What is wrong with it is told by who opens it.


def _draw_tiles(document: pikepdf.Pdf, page: pikepdf.Page) -> bool:
    """Draw one tile in each area of a page and of its forms that is filled with text; False if there is none."""
    drawn, met = False, set()
    waiting: list[tuple[PdfValue, int]] = [(page.obj, 0)]
    while waiting:
        holder, depth = waiting.pop()
        resources = resources_of(holder)
        if resources is None or (depth and holder.objgen in met):
            continue
        met.add(holder.objgen)
        tiles = {name: one for name, one in dict(resources.get("/Pattern") or {}).items() if _shows_text(one)}
        drawn = (bool(tiles) and _draw_tiles_of(document, holder, tiles)) or drawn
        if depth < _DEEPEST and len(met) < _MOST_FORMS:
            parts = dict(resources.get("/XObject") or {}).values()
            waiting += [(one, depth + 1) for one in parts if is_stream(one) and one.get("/Resources") is not None]
    return drawn


def _draw_tiles_of(document: pikepdf.Pdf, holder: PdfValue, tiles: Mapping[str, PdfValue]) -> bool:
    """The same for what a page or one form draws itself."""
    import pikepdf

    contents = holder if is_stream(holder) else holder.get("/Contents")
    streams: list[PdfValue] = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    data = b"\n".join(one.read_bytes() for one in streams if is_stream(one))
    if len(data) > _MOST_BYTES:
        return False
    resources = pikepdf.Dictionary(dict(resources_of(holder)))
    spaces = pikepdf.Dictionary(dict(resources.get("/ColorSpace") or {}))
    painter = _Painter(tiles, spaces)
    instructions = painter.repainted(pikepdf.parse_content_stream(document.make_stream(data)))
    if not painter.drawn:
        return False
    written = pikepdf.unparse_content_stream(instructions)
    if is_stream(holder):
        holder.write(written)
    else:
        holder.Contents = document.make_stream(written)
    parts = pikepdf.Dictionary(dict(resources.get("/XObject") or {}))
    for name, (tile, own) in painter.drawn.items():
        form = document.make_stream(tile.read_bytes())
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox, form.Resources = tile.BBox, own
        parts[name] = form
    resources.XObject, resources.ColorSpace = parts, spaces
    holder.Resources = resources
    return True


def resources_of(holder: PdfValue) -> PdfValue:
    """What a page or a form names; pages may take it from what holds them."""
    for _ in range(_DEEPEST):
        found = holder.get("/Resources")
        if found is not None or is_stream(holder) or holder.get("/Parent") is None:
            return found
        holder = holder.Parent
    return None


def is_stream(value: PdfValue) -> bool:
    """True for an object that has content."""
    import pikepdf

    return isinstance(value, pikepdf.Stream)


def _shows_text(tile: PdfValue) -> bool:
    """True for a pattern of tiles that has fonts."""
    fonts = tile.get("/Resources", {}).get("/Font") if is_stream(tile) else None
    return fonts is not None and len(fonts) > 0 and int(tile.get("/PatternType", 0)) == 1


class _Painter:
    """Follows the content of a page as far as areas filled with patterns go."""

    def __init__(self, tiles: Mapping[str, Any], spaces: PdfValue) -> None:
        self.drawn: dict[str, tuple[Any, Any]] = {}
        """The tiles that are drawn as parts of the page, by the names of those parts, each with what it uses."""
        self._tiles = tiles
        self._spaces = spaces
        self._space = ""
        """The colours that patterns are painted with which have none of their own."""
        self._matrix = _SAME
        self._fill: tuple[str, tuple[float, ...]] | None = None
        """The pattern that areas are filled with, and the colour that it is given."""
        self._kept: list[tuple[_Matrix, tuple[str, tuple[float, ...]] | None]] = []
        self._path: list[tuple[list[Any], Any]] = []
        self._areas = 0

    def repainted(self, instructions: Sequence[Any]) -> list[Any]:
        """The instructions of a page, and behind each area that is filled with text one tile of it."""
        found: list[Any] = []
        for instruction in instructions:
            found.append(instruction)
            operands, operator = list(instruction.operands), str(instruction.operator)
            if operator == "q":
                self._kept.append((self._matrix, self._fill))
            elif operator == "Q" and self._kept:
                self._matrix, self._fill = self._kept.pop()
            elif operator == "cm":
                self._matrix = _product(_numbers(operands), self._matrix)
            elif operator in ("scn", "cs", "g", "rg", "k", "sc"):
                self._space = str(operands[0]) if operator == "cs" and operands else self._space
                name = str(operands[-1]) if operator == "scn" and operands else ""
                self._fill = (name, _values(operands[:-1])) if name in self._tiles else None
            elif operator in _PATHS:
                self._path.append((operands, instruction.operator))
            elif operator in _FILLS or operator in _ENDS:
                if operator in _FILLS and self._fill is not None and self._areas < _MOST_AREAS:
                    found += self._tile(*self._fill)
                self._path = []
        return found

    def _tile(self, name: str, colour: Sequence[float]) -> list[Any]:
        """The instructions that draw one tile within the path that was just filled."""
        import pikepdf

        tile = self._tiles[name]
        matrix = _numbers(tile.get("/Matrix", _SAME))
        to_cell = _product(self._matrix, _inverse(matrix) or _SAME)
        points = [_moved(x, y, to_cell) for operands, sign in self._path for x, y in _points(operands, str(sign))]
        if not points:
            return []
        self._areas += 1
        steps = [float(tile.get(step, 0)) for step in ("/XStep", "/YStep")]
        box = [float(edge) for edge in tile.BBox]
        shifts = [
            _shift(min(axis), max(axis), box[at], box[at + 2], steps[at])
            for at, axis in enumerate(zip(*points, strict=True))
        ]
        there = _product((1.0, 0.0, 0.0, 1.0, shifts[0], shifts[1]), matrix)
        back = _inverse(self._matrix)
        if back is None:
            return []
        form = f"/SpanwiseTile{len(self._tiles)}x{list(self._tiles).index(name)}"
        self.drawn[form] = tile, tile.Resources
        made: list[tuple[Sequence[Any], str]] = [([], "q")]
        made += [(operands, str(operator)) for operands, operator in self._path]
        made += [([], "W"), ([], "n"), (list(_product(there, back)), "cm")]
        if int(tile.get("/PaintType", 1)) == 2:
            made += [([self._ink()], "cs"), (list(colour), "scn")]
        made += [([pikepdf.Name(form)], "Do"), ([], "Q")]
        return [pikepdf.ContentStreamInstruction(operands, pikepdf.Operator(sign)) for operands, sign in made]

    def _ink(self) -> PdfValue:
        """The name of the colour space of a pattern's ink, which stands in that of the pattern."""
        import pikepdf

        space = self._spaces.get(self._space)
        inner = space[1] if isinstance(space, pikepdf.Array) and len(space) > 1 else pikepdf.Name.DeviceGray
        if isinstance(inner, pikepdf.Name):
            return inner
        named = pikepdf.Name(f"{self._space}Ink")
        self._spaces[named] = inner
        return named


def _shift(start: float, end: float, first: float, last: float, step: float) -> float:
    """How far a tile lies from the first one that lies within an area, or else in its middle, along one axis."""
    if not step:
        return 0.0
    step = abs(step)
    whole = math.ceil((start - first) / step) * step
    return whole if whole + last <= end else math.floor(((start + end) / 2 - first) / step) * step


def _values(operands: Sequence[Any]) -> tuple[float, ...]:
    return tuple(float(one) for one in operands)


def _numbers(operands: PdfValue) -> _Matrix:
    a, b, c, d, e, f = _values(list(operands))
    return a, b, c, d, e, f


def _points(operands: Sequence[Any], sign: str) -> list[tuple[float, float]]:
    """The points of a piece of a path; a rectangle is given by a corner and its sides."""
    numbers = _values(operands)
    if sign == "re" and len(numbers) == 4:
        x, y, wide, high = numbers
        return [(x, y), (x + wide, y + high)]
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _product(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _inverse(matrix: _Matrix) -> _Matrix | None:
    """What undoes a matrix; None where nothing does."""
    a, b, c, d, e, f = matrix
    whole = a * d - b * c
    if abs(whole) < 1e-12:
        return None
    return d / whole, -b / whole, -c / whole, a / whole, (c * f - d * e) / whole, (b * e - a * f) / whole


def _moved(x: float, y: float, matrix: _Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
