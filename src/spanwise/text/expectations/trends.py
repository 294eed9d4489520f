"""Questions whether a figure went up or down, or is above zero: what has to be computed, and which sign says yes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from spanwise.text.patterns import lazy_pattern

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
_VERB = lazy_pattern(
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
        """Whether the figure says yes."""
        return value != 0 if self.way == "any" else value > 0 if self.way == "up" else value < 0


@lru_cache(maxsize=256)
def asked_trend(question: str) -> AskedTrend | None:
    """The figure whose sign answers a question, and the sign that is a yes; None where no figure's sign does.

    "Did revenue grow in 2022?" asks whether the change in revenue in 2022 is above zero, "Is there any drop in cash
    between 2021 and 2022?" whether it is below, "Does Ayr have positive working capital?" for the working capital.
    """
    first = re.split(r"(?<=[?.])\s", question.strip()[:_LONGEST], maxsplit=1)[0]
    for pattern in (_NOUN, _SIGNED, _PROFILE, _VERB):
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
