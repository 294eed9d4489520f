"""`QueryDecomposer`: what a contract question is after, found with word lists and patterns, without a model."""

from __future__ import annotations

import re
from typing import TypedDict

from spanwise.text.words import FUNCTION_WORDS, words

UNKNOWN_INTENT = "unknown"

# The first pattern that matches decides, so the order is part of the behaviour.
_INTENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(rf"\b(?:{cues})\b", re.IGNORECASE))
    for intent, cues in (
        ("penalty", r"late\s{1,9}(?:fees?|charges?|payments?)|overdue|past\s{1,9}due|penal(?:ty|ties|i[sz]ed)"),
        ("payment_terms", r"pay(?:s|ing|able|ments?)?|paid|invoic(?:e|es|ed|ing)"),
        (
            "intellectual_property",
            (
                r"intellectual\s{1,9}property|ip|own(?:s|ed|ers?|ership)|licen[sc](?:e|es|ed|ing|or|ee)"
                r"|infring(?:e|es|ed|ing|ements?)|copyrights?|patents?"
            ),
        ),
        ("indemnification", r"indemni(?:fy|fies|fied|fying|fication|ty|ties)|third[\s-]{1,9}party\s{1,9}claims?"),
        ("termination", r"terminat(?:e|es|ed|ing|ion)|written\s{1,9}notice|cancel(?:s|led|ling|lation)?"),
        ("confidentiality", r"confidential(?:ity|ly)?|proprietary\s{1,9}information|non-?disclosure"),
        ("scope_of_services", r"shall\s{1,9}provide|services?|scope"),
    )
)
_TIMEFRAME = re.compile(
    r"\bwithin\s{1,9}(\d{1,9}\s{1,9}(?:(?:business|calendar|working)\s{1,9})?(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
_PERCENTAGE = re.compile(r"(?<![\w.,])(\d{1,9}(?:\.\d{1,9})?)\s{0,9}%")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_TEMPORAL = re.compile(
    rf"\b(?:on|by|before|after)\s{{1,9}}{_MONTH}\.?\s{{1,9}}\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s{{1,9}}\d{{4}}\b)?",
    re.IGNORECASE,
)


class Decomposition(TypedDict):
    """What a question asks for."""

    intent: str
    """One of the seven intents, or `unknown`."""
    entities: list[str]
    """The words of the question that name something, lower case, each once, in order."""
    constraints: dict[str, str]
    """`timeframe` ("30 days") and `percentage` ("1.5"), where the question gives them."""
    temporals: list[str]
    """Dates with the word that relates to them, as written: "before March 1, 2025"."""


class QueryDecomposer:
    """Takes a question apart into intent, entities, constraints and dates: the same question, the same parts."""

    async def decompose(self, query: str) -> Decomposition:
        """The parts of `query`; a question without any known cue has the intent `unknown`."""
        return {
            "intent": _intent(query),
            "entities": list(dict.fromkeys(word for word in words(query) if word not in FUNCTION_WORDS)),
            "constraints": constraints(query),
            "temporals": [" ".join(match.group().split()) for match in _TEMPORAL.finditer(query)],
        }


def _intent(query: str) -> str:
    return next((intent for intent, cues in _INTENTS if cues.search(query)), UNKNOWN_INTENT)


def constraints(query: str) -> dict[str, str]:
    """A time frame ("within 30 days") and a percentage that the question gives."""
    found = {"timeframe": _TIMEFRAME.search(query), "percentage": _PERCENTAGE.search(query)}
    return {name: " ".join(match.group(1).split()) for name, match in found.items() if match}
