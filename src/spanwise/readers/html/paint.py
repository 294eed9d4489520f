"""The appearance of text in an element, and whether its colour, background, gradients and masks leave it legible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html.cascade import NO_VARIABLES
from spanwise.readers.html.css_values import (
    BLACK,
    ROOT_SIZE,
    WHITE,
    Colour,
    Scale,
    Token,
    colour,
    data_in,
    length,
    measure,
    split,
    tokens,
)
from spanwise.readers.html.geometry import BOX, SAME, Matrix
from spanwise.readers.invisible import is_opaque_picture, look_alike


class State:
    """The appearance of the text directly in an element, and what its children inherit."""

    colour = BLACK
    fill: Colour | None = None
    """The fill colour of the letters, if it differs from `color`."""
    drawn: Colour | None = BLACK
    """The fill colour of letters in drawings; None for `color`, or if it is unknown."""
    ground: Colour | None = WHITE
    """The colour behind the text; None for a picture or anything else unknown."""
    table_ground: Colour | None = None
    """The background of the table around it."""
    deepest_ground = True
    """True while no element from the page down to here has painted a background."""
    bare = True
    """True while nothing from the nearest stacking context down to here has painted a background."""
    effects: tuple[Callable[[Colour], Colour], ...] = ()
    """Filters and blending applied to every colour painted in the element, the innermost first."""
    dark = False
    """True where system colours are those of a dark colour scheme."""
    alpha = 1.0
    visible = True
    size = ROOT_SIZE
    scale = 1.0
    space: Matrix = SAME
    """The accumulated transform of the parent in a shared 3D space (`preserve-3d`)."""
    outer_scale = 1.0
    """The scale outside that 3D space."""
    eye = 0.0
    """The `perspective` for the children, in pixels; 0 if none."""
    indent = 0.0
    block_indent = 0.0
    begins = 1.0
    """The share of an indent that moves the words of a line: half where lines are centred, none where right-aligned."""
    leftwards = False
    spacing = 0.0
    nowrap = False
    lines = "normal"
    """The declared `line-height`."""
    secret = False
    """True where letters are shown as dots."""
    outlined = False
    """True where a shadow or stroke makes letters visible that have no colour of their own."""
    away = False
    """True if it is at a place that cannot be scrolled to."""
    pen: tuple[float, float] = 0.0, 0.0
    """The place where the next text of a drawing begins."""
    view: tuple[float, float, float, float] | None = None
    """The visible part of the drawing: left, top, right and bottom."""
    holder: LexborNode | None = None
    """The containing element of positioned elements inside."""
    floats = False
    """True where a box may lie over others outside it that are inside `over`."""
    over: LexborNode | None = None
    absolute = False
    """True for a font size that neither a parent nor a browser setting changes."""
    shadow: LexborNode | None = None
    """The shadow tree that is shown in place of the element's children, which appear only in its slots."""
    display = "block"
    svg = ""
    """`drawing` in an SVG outside of text, `text` in its text, empty elsewhere."""
    choosing = False
    """True where only one of the children is shown."""
    summary: str | None = None
    """In a closed `details`, the state of its summary (`wanted` or `seen`); in a `select`, the option that shows."""
    gone: HiddenReason | None = None
    """Why nothing in the element is shown, whatever its descendants declare; None if it may be."""
    reason: HiddenReason | None = None
    """Why the text directly in the element is hidden; None if it is visible."""
    variables: Mapping[str, str] = NO_VARIABLES
    simple = True
    """True if plain elements inside have the same appearance."""

    def __init__(self) -> None:
        self.known: dict[object, State] = {}
        """Cached states of children, by tag and style."""

    def copy(self) -> State:
        """A copy, from which the state of a child is made."""
        state = object.__new__(State)
        state.__dict__.update(self.__dict__)
        state.known = {}
        return state


FAINT = 0.05
"""An opacity at which nothing can be seen."""


_BLURRED = 40.0
"""Pixels of blur beyond which a text shadow is invisible."""
_AWAY = 900.0
_BLENDS: Mapping[str, Callable[[float, float], float]] = {
    "multiply": lambda below, above: below * above,
    "screen": lambda below, above: below + above - below * above,
    "darken": min,
    "lighten": max,
    "difference": lambda below, above: abs(below - above),
    "exclusion": lambda below, above: below + above - 2 * below * above,
    "color-dodge": lambda below, above: 0.0 if below == 0 else min(1.0, below / (1 - above)) if above < 1 else 1.0,
    "color-burn": lambda below, above: 1.0 if below == 1 else max(0.0, 1 - (1 - below) / above) if above else 0.0,
    "overlay": lambda below, above: 2 * below * above if below <= 0.5 else 1 - 2 * (1 - below) * (1 - above),
    "hard-light": lambda below, above: 2 * below * above if above <= 0.5 else 1 - 2 * (1 - below) * (1 - above),
}
"""The blend modes that may make text illegible, each for one channel (0 to 1) of background and source."""


_GROUPING = (
    "transform", "translate", "scale", "rotate", "filter", "backdrop-filter", "perspective", "clip-path", "mask-image",
    "mix-blend-mode", "isolation",
)  # fmt: skip
_STACKING = frozenset((*_GROUPING, "position", "z-index", "opacity", "contain"))
_CONTAINED = frozenset(("paint", "layout", "strict", "content"))


def stacks(values: Mapping[str, str], *, item: bool) -> bool:
    """True for a stacking context: its content is painted as one group, above its own background.

    An `item` of a grid or a flexible box may have a `z-index` without being positioned.
    """
    if _STACKING.isdisjoint(values):
        return False
    position = values.get("position", "static")
    return (
        position in ("fixed", "sticky")
        or ((position != "static" or item) and values.get("z-index", "auto") not in ("auto", "initial"))
        or values.get("opacity", "1") not in ("1", "initial", "100%")
        or any(values.get(name, "none") not in ("none", "auto", "normal", "initial") for name in _GROUPING)
        or not _CONTAINED.isdisjoint(values.get("contain", "none").split())
    )


def effects(values: Mapping[str, str], ground: Colour | None) -> Iterator[Callable[[Colour], Colour]]:
    """The effects of an element's filters and blend mode on each colour in it.

    `ground` is the background that the page painted behind it; None if it painted none, as the canvas does not blend.
    """
    for token in tokens(values.get("filter", "none")):
        if token.type == "function" and token.lower_name in ("invert", "brightness", "contrast", "grayscale"):
            given = "".join(one.serialize() for one in token.arguments)
            share = length(given, Scale(percent=1.0)) if given.strip() else 1.0
            if share is not None:
                yield partial(_filtered, token.lower_name, share)
    mix = _BLENDS.get(values.get("mix-blend-mode", "normal"))
    if mix is not None and ground is not None:
        yield partial(_mixed, mix, ground)


def _filtered(name: str, share: float, painted: Colour) -> Colour:
    """A colour after a filter: inverted, brighter, or closer to grey."""
    if name == "invert":
        least = min(max(share, 0.0), 1.0)
        channels = [channel + least * (255.0 - 2 * channel) for channel in painted[:3]]
    elif name == "contrast":
        channels = [min(max((channel - 127.5) * share + 127.5, 0.0), 255.0) for channel in painted[:3]]
    elif name == "grayscale":
        grey = 0.2126 * painted.red + 0.7152 * painted.green + 0.0722 * painted.blue
        channels = [channel + min(max(share, 0.0), 1.0) * (grey - channel) for channel in painted[:3]]
    else:
        channels = [min(max(share, 0.0) * channel, 255.0) for channel in painted[:3]]
    return Colour(*[*channels, painted.alpha])


def _mixed(mix: Callable[[float, float], float], ground: Colour, painted: Colour) -> Colour:
    channels = [255 * mix(below / 255, above / 255) for below, above in zip(ground[:3], painted[:3], strict=True)]
    return Colour(*[*channels, painted.alpha])


def shows(shadow: str, current: Colour, ground: Colour | None) -> bool:
    """True if a text shadow is visible on the background; its colour may be that of the text."""
    lengths = [size for token in tokens(shadow) if (size := measure(token, Scale())) is not None]
    if (len(lengths) == 3 and lengths[2] > _BLURRED) or max(map(abs, lengths), default=0.0) > _AWAY:
        return False
    found = [painted for token in tokens(shadow) if (painted := colour(token.serialize().lower(), current)) is not None]
    return any(
        painted.alpha > FAINT and (ground is None or not look_alike(painted[:3], ground[:3], painted.alpha))
        for painted in found or [current]
    )


def uniform(image: str, current: Colour) -> Colour | None:
    """The colour of a gradient whose stops all look alike; None for other pictures."""
    layers = [token for token in tokens(image) if token.type != "literal"]
    if not all(_is_gradient(token) for token in layers):
        return None
    found = [one for token in layers for one in colours_of(token, current)]
    if not found or any(
        not look_alike(one[:3], found[0][:3]) or abs(one.alpha - found[0].alpha) > FAINT for one in found
    ):
        return Colour(0.0, 0.0, 0.0, 0.0) if found and all(one.alpha <= FAINT for one in found) else None
    return found[0]


def masks(values: Mapping[str, str], size: float) -> bool:
    """True unless a mask certainly shows most of a text; where in the mask the letters are is not computed."""
    image = values.get("mask-image", "none")
    if image in ("none", "initial", "inherit"):
        return False
    if values.get("mask-composite", "add") not in ("add", "initial") or values.get("mask-mode") == "luminance":
        return True
    once = "no-repeat" in values.get("mask-repeat", "")
    sides = [measure(token, Scale(size, percent=BOX)) for token in tokens(values.get("mask-size", "auto"))]
    if any(side == 0 or (once and side not in (None, BOX)) for side in sides):
        return True
    layers = [layer[0] for layer in split(tokens(image)) if layer]
    return not any(layer.type == "error" or _passes(layer, size) for layer in layers)


def _passes(token: Token, size: float) -> bool:
    """True for an opaque picture, or a gradient that is at least half visible."""
    if token.type == "url":
        return is_solid_picture(token.value)
    stops: list[tuple[float | None, float]] = []
    for piece in split(token.arguments) if _is_gradient(token) else ():
        ink = colour(piece[0].serialize().lower(), BLACK) if piece else None
        if ink is not None:
            scale = Scale(size, percent=BOX)
            places = [place for one in piece[1:] if (place := measure(one, scale)) is not None]
            stops += [(place, ink.alpha) for place in places] or [(None, ink.alpha)]
    if not stops:
        return False
    repeats = token.lower_name.startswith(("repeating", "-webkit-repeating"))
    last_stop = max(place or 0.0 for place, _ in stops)
    long = last_stop or BOX if repeats else max(BOX, last_stop)
    seen, last, shows = 0.0, 0.0, stops[0][1] > FAINT
    for at, (place, alpha) in enumerate(stops):
        here = long * at / max(len(stops) - 1, 1) if place is None else place
        seen += max(here - last, 0.0) * (shows or alpha > FAINT)
        last, shows = max(here, last), alpha > FAINT
    return seen + max(long - last, 0.0) * shows >= long / 2


def _is_gradient(token: Token) -> bool:
    return token.type == "function" and "gradient" in token.lower_name


def colours_of(token: Token, current: Colour) -> list[Colour]:
    """The colours of a gradient; empty for anything else."""
    named = token.arguments if _is_gradient(token) else ()
    found = (colour(one.serialize().lower(), current) for one in named if one.type in ("ident", "hash", "function"))
    return [one for one in found if one is not None]


def blends(state: State, ground: Colour | None) -> bool:
    """True if letters cannot be told from their background."""
    if state.outlined and state.alpha > FAINT:
        return False
    letters = state.colour if state.fill is None else state.fill
    for effect in state.effects:
        letters = effect(letters)
    alpha = letters.alpha * state.alpha
    if alpha <= FAINT:
        return True
    return ground is not None and look_alike(letters[:3], ground[:3], alpha)


def is_solid_picture(address: str) -> bool:
    """True for an embedded picture in a format, or of a kind, without transparent pixels."""
    return address.startswith("data:image/") and is_opaque_picture(data_in(address, 800) or b"")


def is_elsewhere(address: str) -> bool:
    """True for an external picture, of which it is unknown whether it is opaque."""
    return bool(address) and not address.startswith("data:")
