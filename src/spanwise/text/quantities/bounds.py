"""What the words beside a figure make of it: "approximately", "at least", "more than", "up to", "less than"."""

from __future__ import annotations

from spanwise.text.quantities.model import Bound
from spanwise.text.quantities.tokens import Tokens

_BEFORE: dict[str, tuple[tuple[str, Bound], ...]] = {
    "than": (
        ("not less", "least"), ("no less", "least"), ("not fewer", "least"), ("no fewer", "least"),
        ("not more", "most"), ("no more", "most"), ("not later", "most"), ("no later", "most"), ("not greater", "most"),
        ("no greater", "most"), ("more", "more"), ("greater", "more"), ("higher", "more"), ("longer", "more"),
        ("less", "less"), ("fewer", "less"), ("lower", "less"), ("shorter", "less"), ("later", "more"),
        ("earlier", "less"),
    ),
    "least": (("at", "least"),),
    "most": (("at", "most"),),
    "to": (("up", "most"), ("close", "about"), ("limited", "most")),
    "of": (("minimum", "least"), ("maximum", "most"), ("excess", "more"), ("order", "about"), ("estimate", "about")),
    "at": (("capped", "most"), ("estimated", "about")),
    "exceed": (("not", "most"), ("not to", "most"), ("", "more")),
    "exceeding": (("not", "most"), ("", "more")),
    "by": (),
}  # fmt: skip
_ALONE: dict[str, Bound] = dict.fromkeys(
    ["about", "approximately", "around", "roughly", "nearly", "almost", "circa", "approx", "~", "\u2248", "estimated"],
    "about",
)
_ALONE |= {
    "over": "more",
    "exceeds": "more",
    "exceeded": "more",
    "above": "more",
    "minimum": "least",
    "maximum": "most",
}
_ALONE |= {"under": "less", "below": "less", ">": "more", "<": "less", "\u2265": "least", "\u2264": "most"}
_BEHIND: dict[str, Bound] = {"more": "least", "greater": "least", "less": "most", "fewer": "most", "longer": "least"}
_BEHIND |= {"higher": "least", "older": "least", "lower": "most", "over": "least"}


def bound_of(tokens: Tokens, first: int, end: int) -> Bound | None:
    """The bound of an amount over the tokens `[first, end)`."""
    return bound_before(tokens, first) or _behind(tokens, end) or _inside(tokens, first, end)


def bound_before(tokens: Tokens, first: int) -> Bound | None:
    """The bound that the words before the token `first` make."""
    step = first - 1
    word = tokens.low(step)
    if word in ("a", "an", "the", "=", ".") and (word != "." or tokens.low(step - 1) in ("approx", "ca")):
        step -= 1
        word = tokens.low(step)
    if word in _ALONE and tokens.near(first):
        return _ALONE[word]
    if word in _BEFORE:
        pair = f" {tokens.low(step - 2)} {tokens.low(step - 1)}"
        for phrase, bound in _BEFORE[word]:
            if not phrase or pair.endswith(f" {phrase}"):
                return bound
    return None


def _inside(tokens: Tokens, first: int, end: int) -> Bound | None:
    """The plus of "5+ years"."""
    if "+" not in tokens.vocabulary:
        return None
    plus = any(tokens.low(step) == "+" and tokens.at(step - 1).kind == "number" for step in range(first + 1, end))
    return "least" if plus else None


def _behind(tokens: Tokens, end: int) -> Bound | None:
    if tokens.low(end) == "+" and tokens.glued(end) and not tokens.glued(end + 1):
        return "least"
    if tokens.low(end) == "or" and tokens.low(end + 1) in _BEHIND and tokens.low(end + 2) != "than":
        return _BEHIND[tokens.low(end + 1)]
    return None
