"""What words make of figures: the caption of a table of all of them, "approximately" or "at least" of the next."""

from __future__ import annotations

import re

from spanwise.text.quantities.currencies import DOLLAR_COUNTRIES, NAMES, SIGNS, WORDS_BEFORE, code_of
from spanwise.text.quantities.model import Bound, Scale
from spanwise.text.quantities.number_tokens import Tokens

_FACTORS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "hundred": 100, "lakh": 10**5, "crore": 10**7}
_FACTORS |= {"000": 10**3, "mn": 10**6, "mm": 10**6, "bn": 10**9, "k": 10**3, "m": 10**6}
_LONGEST = 2000
_WORD = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_INTRODUCTIONS = frozenset(["in", "expressed", "stated", "shown", "presented"])
_AFTER = frozenset(
    [")", "(", ",", ";", ":", ".", "", "except", "unless", "of", "and", "other", "u", "us", "$", "]", "-"]
)
_SUBJECTS = frozenset(["dollar", "dollars", "amount", "amounts", "figures", "shares", "$", "usd", "euros", "us"])
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


def scale_of(caption: str) -> Scale | None:
    """The factor and currency that a caption states, or None where it states no factor.

    A sentence that merely has such a word in it ("tens of thousands of homes") states none.
    """
    words = _WORD.findall(caption[:_LONGEST])
    low = [word.lower() for word in words]
    for index, word in enumerate(low):
        factor = _FACTORS.get(word.removesuffix("s"))
        if factor and _states(low, index):
            rest = " ".join(low[index:])
            excepted = (rest.partition("except")[2] or rest.partition("other than")[2]).replace("common share", "share")
            return Scale(
                factor,
                _currency(words, low, index),
                except_per_share="per share" in excepted or "per unit" in excepted,
                except_shares="share" in excepted.replace("per share", ""),
                shares_only=_only_shares(low, index),
            )
    return None


def _states(low: list[str], index: int) -> bool:
    """True if the word at `index` is said of all figures."""
    word, before = low[index], low[index - 1] if index else ""
    behind = low[index + 1] if index + 1 < len(low) else ""
    if word in ("000", "000s"):
        if before == "," and index > 1 and low[index - 2].isdecimal():
            return False  # the end of a number: "a deposit of $3,000"
        return before in ("'", "\u2019", "$", "\u20ac", "\u00a3", ",", "in", "(") or before.isalpha()
    if word.removesuffix("s") in ("mn", "mm", "bn", "k", "m"):
        return before in SIGNS and behind in (")", "", ",")
    if not word.endswith("s"):
        return before in SIGNS and behind in (")", "")
    opened = before in ("(", "[", "") and behind in ("of", ")", ",", "except")
    names_money = behind == "of" and _names_money(low, index + 2)
    if (
        behind not in _AFTER
        or (behind == "of" and not names_money)
        or (behind == "u" and not _names_money(low, index + 1))
    ):
        return False
    introduced = (
        before in _INTRODUCTIONS
        or before in SIGNS
        or code_of(before.upper()) is not None
        or _through_currency(low, index)
    )
    return introduced or opened or (names_money and before not in ("of", "many"))


def _names_money(low: list[str], index: int) -> bool:
    near = low[index : index + 5]
    return any(word.removesuffix("s") in NAMES or code_of(word.upper()) or word in SIGNS for word in near)


def _through_currency(low: list[str], index: int) -> bool:
    """True if "in" stands before a currency that stands before the factor: "in US$ thousands", "in RMB millions"."""
    step = index - 1
    while step >= max(0, index - 5) and (
        low[step] in SIGNS
        or low[step] in ("us", "u", "s", ".", "of", "'")
        or low[step] in WORDS_BEFORE
        or code_of(low[step].upper())
    ):
        step -= 1
    return step < index - 1 and step >= 0 and low[step] in (*_INTRODUCTIONS, "(")


def _currency(words: list[str], low: list[str], index: int) -> str | None:
    """The currency named nearest to the factor."""
    for step in sorted(range(max(0, index - 8), min(len(low), index + 8)), key=lambda step: abs(step - index)):
        word = low[step]
        before = low[max(0, step - 2) : step]
        if word == "$":
            prefix = before[-1] if before else ""
            return {"c": "CAD", "a": "AUD", "hk": "HKD", "nz": "NZD"}.get(prefix, "USD")
        if word in SIGNS or word in ("rmb", "rs"):
            return SIGNS.get(word) or WORDS_BEFORE[word]
        if word.removesuffix("s") in NAMES:
            return next(
                (DOLLAR_COUNTRIES[name] for name in before if name in DOLLAR_COUNTRIES), NAMES[word.removesuffix("s")]
            )
        if code := code_of(words[step]):
            return code
    return None


def _only_shares(low: list[str], index: int) -> bool:
    before = [word for word in low[max(0, index - 4) : index] if word in _SUBJECTS]
    return bool(before) and before[-1] == "shares" and not any(word in ("$", "dollars") for word in before)


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
