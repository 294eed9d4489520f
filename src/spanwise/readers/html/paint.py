"""What colours of letters, grounds and gradients leave to see."""

from __future__ import annotations

from spanwise.readers.html.state import State
from spanwise.readers.html.values import Colour, Token, colour, tokens
from spanwise.readers.invisible import look_alike

FAINT = 0.05
"""An opacity that leaves nothing to see."""


def shows(shadow: str, current: Colour) -> bool:
    """True if a shadow has a colour, or takes that of the text."""
    found = [painted for token in tokens(shadow) if (painted := colour(token.serialize().lower(), current)) is not None]
    return any(painted.alpha > FAINT for painted in found) if found else current.alpha > FAINT


def uniform(image: str, current: Colour) -> Colour | None:
    """The one colour of a gradient that is none; None for other pictures."""
    found: list[Colour] = []
    for token in tokens(image):
        if token.type == "function" and "gradient" in token.lower_name:
            painted = [colour(one.serialize().lower(), current) for one in token.arguments if _may_be_colour(one)]
            found.extend(one for one in painted if one is not None)
        elif token.type != "literal":
            return None
    if not found or any(
        not look_alike(one[:3], found[0][:3]) or abs(one.alpha - found[0].alpha) > FAINT for one in found
    ):
        return Colour(0.0, 0.0, 0.0, 0.0) if found and all(one.alpha <= FAINT for one in found) else None
    return found[0]


def _may_be_colour(token: Token) -> bool:
    return token.type in ("ident", "hash", "function")


def blends(state: State) -> bool:
    """True if letters cannot be told from what is behind them."""
    if state.outlined and state.alpha > FAINT:
        return False
    letters = state.colour if state.fill is None else state.fill
    alpha = letters.alpha * state.alpha
    if alpha <= FAINT:
        return True
    return state.ground is not None and look_alike(letters[:3], state.ground[:3], alpha)
