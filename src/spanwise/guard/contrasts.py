"""Words that turn a statement into another one when they take each other's place."""

from __future__ import annotations

from functools import cache

from spanwise.text.terms import stem

MONTHS: dict[str, str] = {
    **{
        word: name
        for name in (
            *("january", "february", "march", "april", "june", "july", "august", "september", "october"),
            *("november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        )
        for word in (name, name[:3])
    },
    "may": "may",
    "sept": "september",
}
"""Names of months and days, and how they are shortened."""
UNITS: dict[str, str] = {
    **{
        word: word.rstrip("s")
        for word in ("thousand", "million", "billion", "trillion", "thousands", "millions", "billions")
    },
    **{
        word: word.rstrip("s")
        for name in ("day", "week", "month", "quarter", "year", "hour", "minute")
        for word in (name, f"{name}s")
    },
    **dict.fromkeys(("%", "percent"), "%"),
    **dict.fromkeys(("points", "point", "bps"), "points"),
    **{sign: sign for sign in "$\u20ac\u00a3\u00a5"},
    **{name: name for name in ("usd", "eur", "gbp", "jpy", "cad", "chf", "aud")},
    **{word: word for word in ("monthly", "quarterly", "weekly", "daily", "annually", "yearly")},
}
"""Magnitudes, units and currencies."""
STRENGTHS: dict[str, int] = {
    **dict.fromkeys(("must", "shall", "required", "obligated", "obliged", "will"), 3),
    "should": 2,
    **dict.fromkeys(("may", "might", "could", "can", "permitted", "allowed", "entitled"), 1),
}
"""How firmly something is said: a duty, advice, an option."""
QUANTIFIERS: dict[str, int] = {
    **dict.fromkeys(("all", "every", "each", "always", "entire", "entirely", "only"), 3),
    **dict.fromkeys(("most", "usually", "mostly", "generally", "often", "many"), 2),
    **dict.fromkeys(("some", "several", "few", "certain", "sometimes", "partly", "occasionally"), 1),
}
"""Of how much something is said."""
_PAIRS = (
    *("before after", "increase decrease", "increase reduce", "increase decline", "rise fall", "rose fell"),
    *("grow shrink", "include exclude", "accept reject", "minimum maximum", "above below", "higher lower"),
    *("high low", "first last", "direct indirect", "internal external", "public private"),
    *("temporary permanent", "exclusive nonexclusive", "refundable nonrefundable", "solely jointly"),
    *("gain lose", "gain loss", "profit loss", "more less", "more fewer", "greater less", "greater fewer"),
    *("largest smallest", "larger smaller", "up down", "over under", "best worst", "better worse"),
    *("win lose", "won lost", "begin end", "start end", "open close", "allow prohibit", "permit prohibit"),
    *("increase drop", "buy sell", "purchase sale", "lender borrower", "buyer seller", "licensor licensee"),
    *("landlord tenant", "employer employee", "long short", "early late", "earlier later", "old new"),
    *("older younger", "positive negative", "success failure", "succeed fail", "agree disagree"),
    *("approve reject", "with without", "asset liability", "debit credit", "receivable payable"),
    *("least most", "north south", "east west", "male female", "men women", "man woman", "mother father"),
    *("son daughter", "inside outside", "add remove", "import export", "improve worsen", "strong weak"),
    *("true false", "legal illegal"),
)  # fmt: skip


@cache
def _opposites() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(stem(word) for word in pair.split()) for pair in _PAIRS)


def opposite(one: str, other: str) -> bool:
    """Whether two lower-case words say the opposite of each other."""
    return one != other and frozenset((stem(one), stem(other))) in _opposites()
