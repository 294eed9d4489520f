"""Which text of an SVG is visible: not outside its view, and not under a shape painted over it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from spanwise.readers.html.cascade import inline_style
from spanwise.readers.html.css_values import (
    BLACK,
    SCREEN,
    Colour,
    Scale,
    address_of,
    colour,
    data_in,
    fraction,
    length,
    tokens,
)
from spanwise.readers.html.geometry import FAR, NOTHING, SAME, Matrix, outline, product, transformed
from spanwise.readers.html.nodes import beside
from spanwise.readers.html.paint import State, is_elsewhere, is_solid_picture
from spanwise.readers.html.properties import NO_PAINT, expand
from spanwise.readers.invisible import Area, is_filled, look_alike

_SHAPES = "rect, circle, ellipse, path, polygon, polyline, line, image, use, text"
_MOST_SHAPES = 200
_DEEPEST = 60
"""Most nested groups of a drawing that are followed."""
_LETTER, _WIDEST = 0.45, 0.75
"""Width of a letter relative to the font size: estimated, and at most."""
SVG_UNDRAWN = frozenset(
    "defs symbol title desc metadata clippath mask pattern marker lineargradient radialgradient filter annotation "
    "annotation-xml".split()
)
"""Elements that are never drawn where they are defined, in lower case."""
_SPANS = {"rect": ("width", "height"), "circle": ("r",), "ellipse": ("rx", "ry")}
"""Attributes that must all differ from zero for a shape to have an area."""
_GRADIENTS = ("lineargradient", "radialgradient")
_MOST_LINKS = 8
"""Gradients may take their colours from others, which may take them from others."""
CLEAR = Colour(0.0, 0.0, 0.0, 0.0)
_CHANGING = frozenset("class mask clip-path filter display visibility".split())
"""Attributes because of which a shape may not fill its area."""
_ATTRIBUTES = ("x", "y", "width", "height")
_LONGEST_PICTURE = 20_000
"""Characters of a drawing in a `data:` address that are read; later shapes only paint over earlier ones."""
_NEAR = 0.02
"""Relative difference of two aspect ratios that leaves no visible margin."""
_GROUND = frozenset("background-color background-image background-size background-clip background-repeat".split())
"""Properties of a whole drawing that only affect its background."""


def view_of(attributes: Mapping[str, str | None]) -> tuple[float, float, float, float] | None:
    """The visible part of a drawing: left, top, right and bottom; None if it is not declared."""
    box = (attributes.get("viewbox") or attributes.get("viewBox") or "").replace(",", " ").split()
    if not box:
        box = ["0", "0", attributes.get("width") or "", attributes.get("height") or ""]
    numbers = [length(one, Scale(percent=None)) for one in box]
    known = [number for number in numbers if number is not None]
    if len(known) != 4 or len(box) != 4:
        return None
    left, top, wide, high = known
    return left, top, left + wide, top + high


def shrunk(attributes: Mapping[str, str | None]) -> float:
    """The factor, at most 1, by which a drawing is shown smaller than drawn; 1 if attributes do not tell."""
    view = view_of(attributes)
    wide, high = (length(attributes.get(name) or "", Scale(percent=None)) for name in ("width", "height"))
    if view is None or wide is None or high is None:
        return 1.0
    return min(1.0, wide / max(view[2] - view[0], 1e-9), high / max(view[3] - view[1], 1e-9))


class Text(NamedTuple):
    """How a text in a drawing is affected by what is around it there."""

    away: bool
    """True if it is outside the visible part of the drawing, or under shapes painted later."""
    ground: Colour | None
    """The colour behind it; None if unknown."""


class _Shape(NamedTuple):
    """A shape, in the coordinates of its drawing."""

    area: Area | None
    """The bounding rectangle of all that it may paint; None if unknown."""
    filled: Area | None
    """A rectangle that it certainly fills with its colour."""
    ink: Colour | None
    opaque: bool = False
    """True if its fill is opaque."""


class Drawing(NamedTuple):
    """The shapes of a drawing in painting order."""

    shapes: Sequence[_Shape]
    before: Mapping[int, int]
    """The number of shapes painted before each text, by the id of its node."""


def shapes_of(drawing: LexborNode, view: Area | None) -> Drawing:
    """The shapes of a drawing that may lie under or over its texts."""
    shapes: list[_Shape] = []
    before: dict[int, int] = {}
    for one in drawing.css(f"{_SHAPES}, foreignObject"):
        if one.tag in ("text", "foreignObject"):
            before[one.mem_id] = len(shapes)
        elif len(shapes) < _MOST_SHAPES:
            shape = _shape(one, view)
            shapes += [] if shape is None else [shape]
    if len(shapes) >= _MOST_SHAPES:  # what comes behind them is not known
        shapes = [_Shape(None, None, None)]
        before = dict.fromkeys(before, 1)
    return Drawing(shapes, before)


def text_in(node: LexborNode, pen: tuple[float, float], state: State, drawing: Drawing) -> Text:
    """How a text that begins at `pen` shows among the shapes painted before and after it."""
    x, y = pen
    letters = len(" ".join(node.text(deep=True).split())) * state.size
    anchored = {"middle": 0.5, "end": 1.0}.get(_inherited(node, "text-anchor"), 0.0)
    most, least = (
        (x - wide * anchored, y - 0.7 * state.size, x + wide * (1 - anchored), y)
        for wide in (letters * _WIDEST, letters * _LETTER)
    )
    return _shown(node, most, least, state, drawing, edge=0.3 * state.size)


def embedded_in(node: LexborNode, values: Mapping[str, str], state: State, drawing: Drawing) -> Text:
    """How the HTML embedded in a drawing (`foreignObject`) shows there."""
    told, view = node.attributes, state.view
    wholes = (None, None) if view is None else (view[2] - view[0], view[3] - view[1])
    x, y, wide, high = (
        length(values.get(name) or (told.get(name) or "0").strip(), Scale(state.size, percent=wholes[at % 2]))
        for at, name in enumerate(_ATTRIBUTES)
    )
    if "visible" in (values.get("overflow-x"), values.get("overflow-y"), told.get("overflow")):
        return Text(False, None)
    if any(side is not None and side <= NOTHING for side in (wide, high)):
        return Text(True, None)
    if x is None or y is None or wide is None or high is None:
        return Text(False, None)
    area = x, y, x + wide, y + high
    return _shown(node, area, area, state, drawing)


def _shown(node: LexborNode, most: Area, least: Area, state: State, drawing: Drawing, edge: float = 0.0) -> Text:
    """How something shows that fills at least the area `least`, and at most `most`."""
    matrix, view = _placed(node), state.view
    at: LexborNode | None = node
    while at is not None and at.mem_id not in drawing.before:
        at = at.parent
    if at is None or matrix is None:
        return Text(False, None)
    most, least = _moved(most, matrix), _moved(least, matrix)
    clip = clip_area(node, _inherited(node, "clip-path"))
    if clip is not None and not _meet(_moved(clip, matrix), most):
        return Text(True, None)
    if view is not None and (
        most[0] >= view[2] or most[2] <= view[0] or most[1] - edge >= view[3] or most[3] + edge <= view[1]
    ):
        return Text(True, None)
    area = least if view is None else _shared(least, view)
    ground, later = state.ground, list[Area]()
    for number, shape in enumerate(drawing.shapes):
        if number >= drawing.before[at.mem_id]:
            later += [shape.filled] if shape.filled is not None and shape.opaque else []
        elif shape.filled is not None and shape.ink is not None and is_filled(area, [shape.filled], 1.0):
            ground = shape.ink if shape.opaque else None if ground is None else shape.ink.over(ground)
        elif shape.area is None or _meet(shape.area, most):
            ground = None
    return Text(is_filled(area, later, 1.0), ground)


def drawing_of(node: LexborNode) -> LexborNode | None:
    """The outermost `svg` around a node; None if there is none."""
    found, at = None, node.parent
    while at is not None:
        found = at if at.tag == "svg" else found
        at = at.parent
    return found


def _placed(node: LexborNode) -> Matrix | None:
    """The transformation from a node's coordinates to its drawing's; None if style sheets may change it."""
    matrix, deep = SAME, 0
    at: LexborNode | None = node
    while at is not None and not (at.tag == "svg" and (at.parent is None or drawing_of(at) is None)):
        told = at.attributes
        deep += 1
        if deep > _DEEPEST or "transform" in (told.get("style") or "") or (at.tag or "").lower() in SVG_UNDRAWN:
            return None
        own, shares = transformed((told.get("transform") or "").lower(), "", "", "", 16.0)
        if any(shares):
            return None
        if at.tag == "svg":
            if told.get("viewbox") or told.get("viewBox"):
                return None
            x, y = (length((told.get(name) or "0").strip(), Scale()) or 0.0 for name in ("x", "y"))
            own = product(transformed(f"translate({x}px,{y}px)", "", "", "", 16.0)[0], own)
        matrix = product(own, matrix)
        at = at.parent
    return matrix


def _moved(area: Area, matrix: Matrix) -> Area:
    corners = [(x, y) for x in area[::2] for y in area[1::2]]
    xs = [matrix[0][0] * x + matrix[0][1] * y + matrix[0][3] for x, y in corners]
    ys = [matrix[1][0] * x + matrix[1][1] * y + matrix[1][3] for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _shared(one: Area, other: Area) -> Area:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _meet(one: Area, other: Area) -> bool:
    left, top, right, bottom = _shared(one, other)
    return left < right and top < bottom


def _inherited(node: LexborNode, name: str) -> str:
    """A presentational attribute of a node or of the nearest element around it in its drawing; empty if none has it."""
    at: LexborNode | None = node
    for _ in range(_DEEPEST):
        if at is None or at.tag is None:
            break
        told = {**at.attributes, **{one: value for one, value, _ in inline_style(at.attributes.get("style") or "")}}
        if (value := told.get(name)) and value != "inherit":
            return value.strip().lower()
        if at.tag == "svg":
            break
        at = at.parent
    return ""


def _shape(node: LexborNode, view: Area | None) -> _Shape | None:
    """What an element paints; None if nothing."""
    around: LexborNode | None = node
    matrix = _placed(node)
    changed = matrix is None
    while around is not None and around.tag != "svg":
        if (around.tag or "").lower() in SVG_UNDRAWN:
            return None
        changed = changed or bool(_CHANGING & around.attributes.keys())
        around = around.parent
    tag, told = node.tag or "", node.attributes
    stroke, fill = _inherited(node, "stroke"), _inherited(node, "fill") or "black"
    if stroke in ("", "none") and (fill == "none" or tag == "line"):
        return None
    area, filled = _extent(tag, told, view or (0.0, 0.0, 300.0, 150.0))
    ink = colour(stroke if tag == "line" else fill, BLACK)
    if tag == "line":
        wide = length(_inherited(node, "stroke-width") or "1", Scale()) or 0.0
        area = filled = _thick(area, wide)
    elif stroke not in ("", "none") and area is not None:
        area = (area[0] - 9, area[1] - 9, area[2] + 9, area[3] + 9)
    if matrix is None or area is None or changed:
        return _Shape(None, None, None)
    for name in ("opacity", "fill-opacity"):
        share = fraction(_inherited(node, name) or "1")
        ink = None if ink is None or share is None else ink._replace(alpha=ink.alpha * share)
    turned = matrix[0][1] or matrix[1][0]
    opaque = ink is not None and ink.alpha >= 1
    if tag == "image":
        address, ink = address_in(told), None
        whole = told.get("preserveaspectratio") or told.get("preserveAspectRatio")
        opaque = whole == "none" and (is_solid_picture(address) or is_elsewhere(address))
    return _Shape(_moved(area, matrix), None if turned or filled is None else _moved(filled, matrix), ink, opaque)


def _thick(line: Area | None, wide: float) -> Area | None:
    """The rectangle that a horizontal or vertical line fills; None for another line."""
    if line is None or (line[0] != line[2] and line[1] != line[3]):
        return None
    flat = line[1] == line[3]
    across, down = (0.0, wide / 2) if flat else (wide / 2, 0.0)
    return line[0] - across, line[1] - down, line[2] + across, line[3] + down


def _extent(tag: str, told: Mapping[str, str | None], view: Area) -> tuple[Area | None, Area | None]:
    """The bounding rectangle of a shape, and one within it that it certainly fills; None for what is unknown."""
    if tag in ("rect", "image"):
        x, y, wide, high = (_along(told.get(name), view, name) for name in _ATTRIBUTES)
        area = x, y, x + wide, y + high
        return area, area
    if tag in ("circle", "ellipse"):
        x, y = (_along(told.get(name), view, name[1:]) for name in ("cx", "cy"))
        wide, high = (_along(told.get(name) or told.get("r"), view, "width") for name in ("rx", "ry"))
        part = math.sqrt(0.5)
        filled = x - wide * part, y - high * part, x + wide * part, y + high * part
        return (x - wide, y - high, x + wide, y + high), filled
    if tag == "line":
        x0, y0, x1, y1 = (_along(told.get(name), view, name[0]) for name in ("x1", "y1", "x2", "y2"))
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), None
    if tag in ("path", "polygon", "polyline"):
        shape = f"path('{told.get('d')}')" if tag == "path" else f"polygon({told.get('points')})".replace(",", " ")
        points = outline(shape)
        if not points:
            return None, None
        xs, ys = [x for x, _ in points], [y for _, y in points]
        area = min(xs), min(ys), max(xs), max(ys)
        corners = {(x, y) for x in area[::2] for y in area[1::2]}
        return area, area if set(points) == corners else None
    return None, None


def _along(value: str | None, view: Area, side: str) -> float:
    whole = view[2] - view[0] if side in ("x", "width") else view[3] - view[1]
    return length((value or "0").strip(), Scale(percent=whole)) or 0.0


def shows_all_of_a_shape(drawing: LexborNode) -> bool:
    """True if one opaque shape fills the whole drawing."""
    view = view_of(drawing.attributes)
    for child in drawing.css(_SHAPES)[:_MOST_SHAPES]:
        relative = child.tag == "rect" and "100%" == child.attributes.get("width") == child.attributes.get("height")
        if view is None and not relative:
            continue
        shape = _shape(child, view or (0.0, 0.0, 100.0, 100.0))
        filled = shape.filled if shape is not None and shape.opaque else None
        if filled is not None and is_filled(view or (0.0, 0.0, 100.0, 100.0), [filled], 0.5):
            return True
    return False


@lru_cache(maxsize=256)
def is_solid_drawing(address: str, ratio: float | None) -> bool:
    """True for an opaque SVG in a `data:` address.

    `ratio` is the aspect ratio (width by height) in which it is shown, 0 if unknown; None if it keeps its own.
    """
    if not address.startswith("data:image/svg"):
        return False
    source = (data_in(address, _LONGEST_PICTURE) or b"").decode("utf-8", "replace")
    drawing = LexborHTMLParser(source).css_first("svg") if "<svg" in source else None
    if drawing is None or drawing.css_first("style, script") is not None:
        return False
    told = drawing.attributes
    styled = [pair for name, value, _ in inline_style(told.get("style") or "") for pair in expand(name, value)]
    if not _GROUND.issuperset(name for name, _ in styled) or _CHANGING & told.keys() or "opacity" in told:
        return False
    ground = colour(dict(styled).get("background-color", "transparent"), BLACK)
    if ground is not None and ground.alpha >= 1:
        return True
    fitted = told.get("preserveaspectratio") or told.get("preserveAspectRatio") or ""
    view = view_of(told)
    boxed = told.get("viewbox") or told.get("viewBox")
    if ratio is None or view is None or not boxed or fitted == "none" or "slice" in fitted:
        return shows_all_of_a_shape(drawing)
    own = (view[2] - view[0]) / max(view[3] - view[1], 1e-9)
    return abs(own - ratio) <= _NEAR * own and shows_all_of_a_shape(drawing)


def painted(
    node: LexborNode,
    paint: str,
    ground: Colour | None,
    current: Colour,
    declared: Callable[[LexborNode], Mapping[str, str]],
) -> Colour | None:
    """The colour in which letters are painted, where a part of the page is to paint them (`url(#id)`).

    Of several colours the first one that stands out from the ground, nothing where there is no such part (but for what
    is named in its place), and None where it is not known. `declared` is the style of an element.
    """
    server = named(node, paint)
    inks = None if server is None else _inks(server, declared)
    if inks is None:
        rest = " ".join(one.serialize() for one in tokens(paint) if address_of(one) is None)
        return CLEAR if not rest or rest in NO_PAINT else colour(rest, current)
    known = [one for one in inks if one is not None]
    if len(known) < len(inks):
        return None
    showing = (one for one in known if ground is None or not look_alike(one[:3], ground[:3], one.alpha))
    return next(showing, known[0] if known else CLEAR)


def _inks(server: LexborNode, declared: Callable[[LexborNode], Mapping[str, str]]) -> list[Colour | None] | None:
    """The colours of a gradient or a pattern, those that are not known as None; None if it is neither, or not there."""
    if any(declared(one).get("display") == "none" for one in _up(server)):
        return None
    kind = (server.tag or "").lower()
    for _ in range(_MOST_LINKS):
        stops = [one for one in server.css("stop") if one.mem_id != server.mem_id]
        following = None if stops else named(server, f"url('{address_in(server.attributes)}')")
        if following is None or (following.tag or "").lower() not in _GRADIENTS:
            break
        server = following
    if kind in _GRADIENTS:
        return [_stop(one, declared) for one in server.css("stop")]
    if kind != "pattern":
        return None
    sides = (length(server.attributes.get(side) or "0", Scale()) for side in ("width", "height"))
    if 0.0 in sides and not address_in(server.attributes):
        return None
    parts = server.css(_SHAPES)
    return [colour(_inherited(one, "fill") or "black", BLACK) if one.tag in _SPANS else None for one in parts]


def _stop(stop: LexborNode, declared: Callable[[LexborNode], Mapping[str, str]]) -> Colour | None:
    """The colour of a stop of a gradient."""
    values = declared(stop)
    share, ink = fraction(values.get("stop-opacity", "1")), colour(values.get("stop-color", "black"), BLACK)
    return None if ink is None or share is None else ink._replace(alpha=ink.alpha * share)


def _up(node: LexborNode) -> Iterator[LexborNode]:
    """A node and all around it."""
    at: LexborNode | None = node
    while at is not None and at.is_element_node:
        yield at
        at = at.parent


def named(node: LexborNode, path: str) -> LexborNode | None:
    """The part of the page that a style names by its address."""
    address = next((said for one in tokens(path) if (said := address_of(one)) is not None), "")
    named = unquote(address[1:]) if address.startswith("#") else ""
    root = node
    while root.parent is not None:
        root = root.parent
    if not named or any(sign in named for sign in '"\\\n\r\f\0'):
        return None
    return root.css_first(f'[id="{named}"]')


def lets_nothing_through(node: LexborNode, path: str) -> bool:
    """True if a style refers to a `clipPath` or mask of the page that is empty or entirely black."""
    found = named(node, path)
    if found is None or (kind := (found.tag or "").lower()) not in ("clippath", "mask"):
        return False
    for one in found.iter():
        if one.tag in ("title", "desc", "animate"):
            continue
        spans = [length(one.attributes.get(side) or "0", Scale()) for side in _SPANS.get(one.tag or "", ())]
        black = kind == "mask" and colour(_inherited(one, "fill") or "black", BLACK) == BLACK
        if not spans or not (black or 0.0 in spans):
            return False
    return True


def clip_area(node: LexborNode, path: str) -> Area | None:
    """The bounding rectangle of the `clipPath` that a style refers to; None unless its shapes alone define it."""
    found = named(node, path)
    if found is None or (found.tag or "").lower() != "clippath" or found.css_first("[transform]") is not None:
        return None
    told = {name.lower(): value for name, value in found.attributes.items()}
    if told.get("clippathunits", "userSpaceOnUse") != "userSpaceOnUse":
        return None
    areas = [
        _extent(one.tag or "", one.attributes, (0.0, 0.0, *SCREEN))[0]
        for one in beside(found.child)
        if one.is_element_node
    ]
    known = [one for one in areas if one is not None]
    if not known or len(known) < len(areas):
        return None
    lefts, tops, rights, bottoms = zip(*known, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def filters_all(node: LexborNode, value: str) -> bool:
    """True if the last step of a filter of the page erases what it is given."""
    found = named(node, value) if "url(" in value else None
    steps = (
        [] if found is None or found.tag != "filter" else [one for one in beside(found.child) if one.is_element_node]
    )
    last = steps[-1] if steps else None
    if last is None:
        return False
    kind, told = (last.tag or "").lower(), last.attributes
    if kind == "fecolormatrix":
        row = (told.get("values") or "").replace(",", " ").split()[15:20]
        return len(row) == 5 and all(length(one, Scale()) == 0 for one in row)
    if kind == "fecomponenttransfer":
        alphas = [one.attributes for one in beside(last.child) if (one.tag or "").lower() == "fefunca"]
        return any(
            one.get("type") == "linear" and one.get("slope") == "0" and not one.get("intercept") for one in alphas
        )
    moves = [length(told.get(side) or "0", Scale()) or 0.0 for side in ("dx", "dy")]
    return kind == "feflood" or (kind == "feoffset" and max(map(abs, moves)) >= FAR)


def used(root: LexborNode) -> frozenset[str]:
    """The ids of the parts of drawings that a `use` draws."""
    return frozenset(address_in(one.attributes).removeprefix("#") for one in root.css("use"))


def address_in(attributes: Mapping[str, str | None]) -> str:
    """The reference of an SVG element (`href`, or the older `xlink:href`); empty if it has none."""
    return attributes.get("href") or attributes.get("xlink:href") or ""
