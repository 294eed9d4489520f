"""Comparisons that a question asks for: whether one thing is above another, which of two is, and by how much."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, TypeAlias

from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import Quantity, quantities

Sign: TypeAlias = Literal["<", "<=", "==", ">=", ">"]
ComparisonKind: TypeAlias = Literal["test", "choice", "difference"]
"""Yes or no; the one of two; by how much."""

_THAN: Mapping[Sign, str] = {
    ">=": r"no(?:t)?\s+(?:less|lower|fewer|smaller|shorter)\s+than",
    "<=": r"no(?:t)?\s+(?:more|higher|greater|larger|longer)\s+than",
    ">": r"(?:more(?:\s+expensive)?|higher|greater|larger|bigger|longer|older|dearer|costlier)\s+than|in\s+excess\s+of",
    "<": r"(?:less(?:\s+expensive)?|lower|smaller|shorter|fewer|cheaper|younger)\s+than",
    "==": r"(?:equal\s+to|the\s+same\s+as|as\s+(?:high|large|much|long)\s+as|exactly)",
}
_PREPOSITIONS: Mapping[Sign, str] = {">=": r"at\s+least", "<=": r"at\s+most", ">": r"above|over", "<": r"below|under"}
"""Words that compare with a figure only: "under the lease" is a place."""
_SHORT, _MIDDLE = r"[^?;:]{1,120}?", r"(?P<one>[^?;:]{2,120}?)"
_VERB = r"cost\s+|be\s+|pay\s+|last\s+"
_IS = re.compile(r"^\W*(?:is|are|was|were|does|do|did|will)\s+(?=\w)", re.IGNORECASE)
_EXCEEDS = re.compile(rf"^{_MIDDLE}\s+exceed\s+(?P<other>{_SHORT})[\s?.!]*$", re.IGNORECASE)
_SIGNS = tuple(
    (sign, plain, re.compile(rf"^{_MIDDLE}\s+(?:{_VERB})?(?:{words})\s+(?P<other>{_SHORT})[\s?.!]*$", re.IGNORECASE))
    for plain, signs in ((False, _THAN), (True, _PREPOSITIONS))
    for sign, words in signs.items()
)
_CHOICE = lazy_pattern(
    r"^\W*(?:which|what|who)\s+(?:one\s+)?(?:is|are|was|were|costs?|lasts?|pays?)\s+"
    r"(?:the\s+)?(?P<how>more(?:\s+expensive)?|higher|greater|larger|bigger|longer|older|dearer|costlier"
    r"|less(?:\s+expensive)?|lower|smaller|shorter|fewer|cheaper|younger)\s*[,:]?\s+"
    rf"(?P<one>{_SHORT}),?\s+or\s+(?P<other>{_SHORT})[\s?.!]*$",
    re.IGNORECASE,
)
_LESS = re.compile(r"less|lower|smaller|shorter|fewer|cheaper|younger", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"^\W*(?:(?:what(?:\s+is|'s|\u2019s)|explain|describe|state|how\s+(?:much|large|big|high)\s+is)\s+the\s+)"
    rf"differences?\s+between\s+(?P<one>{_SHORT})\s+and\s+(?P<other>{_SHORT})[\s?.!]*$",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"^\W*(?:by\s+)?how\s+much\s+(?:more|less|higher|lower|larger|smaller|greater|longer|shorter)\s+(?:is|was|are|were)\s+"
    rf"(?P<one>{_SHORT})\s+than\s+(?P<other>{_SHORT})[\s?.!]*$",
    re.IGNORECASE,
)


_PERIOD = re.compile(
    r"\s+(?:in|at|on|for|during|as\s+of|as\s+at)\s+(?:the\s+)?(?:[\w.,]+\s+){0,5}(?:FY\s?)?(?:19|20)\d\d[\s?.!]*$",
    re.IGNORECASE,
)
"""The period at the end of a question."""
_HOLDS: Mapping[Sign, Callable[[Decimal], bool]] = {
    "<": lambda more: more < 0,
    "<=": lambda more: more <= 0,
    "==": lambda more: not more,
    ">=": lambda more: more >= 0,
    ">": lambda more: more > 0,
}


def holds(more: Decimal, sign: Sign) -> bool:
    """True if one value is to another what the sign says, when it is `more` than the other."""
    return _HOLDS[sign](more)


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """Two things that a question compares."""

    kind: ComparisonKind
    one: str
    other: str
    sign: Sign = ">"
    """Of a test what is asked of the first; of a choice what the one that is asked for is to the other."""

    @property
    def threshold(self) -> Quantity | None:
        """The second thing where it is a figure: "one million dollars"."""
        found = quantities(self.other)
        whole = len(found) == 1 and not any(
            word[0].isalnum() and word.lower() not in ("a", "an", "the", "just", "exactly", "about")
            for word in f"{self.other[: found[0].start]} {self.other[found[0].end :]}".split()
        )
        return found[0] if whole and found[0].value is not None else None


def asked_comparison(question: str) -> AskedComparison | None:
    """The comparison that a question asks for; None where it asks for none, or for more than that."""
    if found := _DIFFERENCE.match(question) or _HOW_MUCH.match(question):
        return AskedComparison("difference", found["one"].strip(), found["other"].strip())
    if found := _CHOICE.match(question):
        sign: Sign = "<" if _LESS.match(found["how"]) else ">"
        return AskedComparison("choice", found["one"].strip(), found["other"].strip(), sign)
    opening = _IS.match(question)
    if opening is None:
        return None
    rest = question[opening.end() :]
    if (when := _PERIOD.search(rest)) is not None:
        rest = rest[: when.start()]  # "above 5 million in 2021": it is the first that is of 2021
    made = _test(rest)
    return replace(made, one=f"{made.one}{when.group().rstrip(' ?.!')}") if made is not None and when else made


def _test(rest: str) -> AskedComparison | None:
    if found := _EXCEEDS.match(rest):
        return AskedComparison("test", found["one"].strip(), found["other"].strip())
    for sign, plain, pattern in _SIGNS:
        if found := pattern.match(rest):
            asked = AskedComparison("test", found["one"].strip(), found["other"].strip(), sign)
            if not plain or asked.threshold is not None:
                return asked
    return None
