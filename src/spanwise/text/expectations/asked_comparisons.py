"""Comparisons and trends that a question asks for: whether one thing is above another, and whether a figure rose."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
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


Way: TypeAlias = Literal["up", "down", "any"]

_LONGEST = 400
_UP = (
    r"grow(?:s|n|ing)?|grew|increas(?:e|es|ed|ing)|ris(?:e|es|en|ing)|rose|improv(?:e|es|ed|ing)|expand(?:s|ed|ing)?"
    r"|go(?:es|ne|ing)?\s+up|went\s+up|rais(?:e|es|ed|ing)|widen(?:s|ed|ing)?"
)
_DOWN = (
    r"decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|shr(?:ink|inks|ank|unk|inking)"
    r"|reduc(?:e|es|ed|ing)|lower(?:s|ed|ing)?|worsen(?:s|ed|ing)?|deteriorat(?:e|es|ed|ing)|go(?:es|ne|ing)?\s+down"
    r"|went\s+down|narrow(?:s|ed|ing)?"
)
_UP_NOUNS = r"increase|growth|rise|improvement|expansion|gain"
_DOWN_NOUNS = r"decrease|decline|drop|fall|reduction|deterioration"
_WHEN = (
    r"(?:\s+(?P<when>(?:between|from|in|during|over|for|since|as\s+of|as\s+at|compared\s+(?:to|with)|versus|vs\.?"
    r"|based\s+on)\s[^?]{2,80}|year[ -]over[ -]year|(?:this|last)\s+year))?[\s?.!]*$"
)
_AUXILIARY = r"^\W*(?:did|does|do|has|have|had|is|are|was|were)\s+"
_THING = r"(?P<what>(?:(?!\bthan\b)[^?;]){2,100}?)"
_MOVED = lazy_pattern(
    rf"{_AUXILIARY}{_THING}\s+(?:been\s+)?(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b"
    rf"(?:\s+(?:its|their|the|his|her|our)\s+(?P<object>[^?;]{{2,80}}?))?{_WHEN}",
    re.IGNORECASE,
)
_NOUN = re.compile(
    rf"^\W*(?:is|was|were|are)\s+there\s+(?:an?|any|some)\s+(?:\w+\s+)?(?:(?P<up>{_UP_NOUNS})|(?P<down>{_DOWN_NOUNS})"
    rf"|changes?)\s+(?:in|of|to)\s+{_THING}{_WHEN}",
    re.IGNORECASE,
)
_PROFILE = lazy_pattern(
    r"^\W*(?:does|do|did|has|have|had)\s+(?P<subject>[^?;]{2,60}?)\s+(?:(?:have|show|report)\s+)?an?\s+"
    rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\s+{_THING}(?:\s+(?:profile|trend))?{_WHEN}",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"^\W*(?:does|do|did|has|have|had)\s+(?P<subject>[^?;]{2,60}?)\s+(?:have|show|report)\s+(?:an?\s+)?"
    rf"(?:(?P<up>positive)|(?P<down>negative))\s+{_THING}{_WHEN}",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:the\s+(?:company|firm|group|business)|it|they|we|there)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"^(?:its|their|the|our)\s+", re.IGNORECASE)
_OBLIGED = re.compile(r"\bto$", re.IGNORECASE)
"""The end of a thing that has to do what the verb says: "the tenant has to lower the blinds"."""
_AS_OF = re.compile(r"^(?:as\s+of|as\s+at|based\s+on|for|during)\s+", re.IGNORECASE)
_DATA = re.compile(r"\s+(?:data|figures|numbers)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedTrend:
    """A yes or no that the sign of a figure decides."""

    figure: str
    """The question for that figure: a change between two periods, or a value."""
    way: Way

    def says(self, value: Decimal) -> bool:
        """True if the figure says yes."""
        return value != 0 if self.way == "any" else value > 0 if self.way == "up" else value < 0


@lru_cache(maxsize=256)
def asked_trend(question: str) -> AskedTrend | None:
    """The figure whose sign answers a question, and the sign that is a yes; None where no figure's sign does.

    "Did revenue grow in 2022?" asks whether the change in revenue in 2022 is above zero, "Is there any drop in cash
    between 2021 and 2022?" whether it is below, "Does Ayr have positive working capital?" for the working capital.
    """
    first = re.split(r"(?<=[?.])\s", question.strip()[:_LONGEST], maxsplit=1)[0]
    for pattern in (_NOUN, _SIGNED, _PROFILE, _MOVED):
        if found := pattern.match(first):
            break
    else:
        return None
    named = found.groupdict()
    what, subject = named["what"], named.get("subject")
    if named.get("object"):
        what, subject = named["object"], what
    if _OBLIGED.search(found["what"].strip()):
        return None
    figure = _POSSESSIVE.sub("", what.strip())
    if subject and not _PRONOUN.fullmatch(subject.strip()):
        figure = f"{_POSSESSIVE.sub('', subject.strip())}'s {figure}"
    when = _DATA.sub("", _AS_OF.sub("in ", named["when"] or ""))
    way: Way = "up" if named["up"] else "down" if named.get("down") else "any"
    asked = f"What is the {figure}" if pattern is _SIGNED else f"How much did {figure} change"
    return AskedTrend(f"{asked} {when}".strip() + "?", way)
