"""How one element of a page looks, as far as it decides whether its text is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html.cascade import NO_VARIABLES
from spanwise.readers.html.geometry import SAME, Matrix
from spanwise.readers.html.values import BLACK, ROOT_SIZE, WHITE, Colour


class State:
    """How the text directly in an element looks, and what its children inherit."""

    colour = BLACK
    fill: Colour | None = None
    """Another colour for the letters than the one called `color`."""
    ground: Colour | None = WHITE
    """What is painted behind; None for a picture, or something else that is not known."""
    table_ground: Colour | None = None
    """That of the table around."""
    deepest_ground = True
    """True while no element between here and the page has painted a ground."""
    bare = True
    """True while nothing between here and the stacking context around it has painted a ground."""
    effects: tuple[Callable[[Colour], Colour], ...] = ()
    """What filters and blending make of the colours that are painted from here on, the innermost first."""
    dark = False
    """True where the colours of the system are those of a dark screen."""
    alpha = 1.0
    visible = True
    size = ROOT_SIZE
    scale = 1.0
    space: Matrix = SAME
    """What transforms do around an element whose children share its space (`preserve-3d`)."""
    outer_scale = 1.0
    """The scale of what that space lies in."""
    eye = 0.0
    """How far before the element the eye is by which its children are drawn; 0 where none is declared."""
    indent = 0.0
    block_indent = 0.0
    begins = 1.0
    """How much of an indent moves the words of a line: half of it where lines are centred, nothing at the right."""
    leftwards = False
    spacing = 0.0
    nowrap = False
    lines = "normal"
    """The height of lines as declared."""
    secret = False
    """True where dots are shown in place of letters."""
    outlined = False
    """True where shadows or outlines show letters without a colour of their own."""
    away = False
    """Whether it was put where no one can scroll to."""
    pen: tuple[float, float] = 0.0, 0.0
    """Where the next text of a drawing begins."""
    view: tuple[float, float, float, float] | None = None
    """The part of a drawing that is shown: left, top, right and bottom."""
    holder: LexborNode | None = None
    """The element that placed ones inside are placed in."""
    floats = False
    """True where a box may lie over others that are not around it, but in `over`."""
    over: LexborNode | None = None
    absolute = False
    """True for a size that no parent and no setting of the browser's changes."""
    shadow: LexborNode | None = None
    """The shadow tree that is shown in place of what stands in the element, but for what it has slots for."""
    display = "block"
    svg = ""
    """`drawing` in an SVG outside its text, `text` in its text."""
    choosing = False
    """True where only one of the children is shown."""
    summary: str | None = None
    """In a closed `details` the state of its summary: `wanted` or `seen`; in a `select` the option that shows."""
    gone: HiddenReason | None = None
    """Why nothing in the element is shown, whatever its children declare."""
    reason: HiddenReason | None = None
    """Why the text directly in the element is not seen."""
    variables: Mapping[str, str] = NO_VARIABLES
    simple = True
    """True if plain elements inside look the same."""

    def __init__(self) -> None:
        self.known: dict[object, State] = {}
        """States of children with the same tag and style."""

    def copy(self) -> State:
        """The state that a child begins with."""
        state = object.__new__(State)
        state.__dict__.update(self.__dict__)
        state.known = {}
        return state
