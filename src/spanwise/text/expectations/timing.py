"""When it was: questions that ask for a time, and sentences that say one."""

from __future__ import annotations

import re

from spanwise.text.quantities import quantities

TIMES = ("date", "period", "year", "duration", "ordinal")
"""Kinds of quantities that say when."""
_ASKED = re.compile(
    r"^\W*(?:(?:since|until|till|from|by|at|on|in|before|after|during)\s+)?(?:when\s+(?:am|is|are|was|were|do|does|did|has|have|had|will|would|shall|should"
    r"|must|may|might|can|could)\b(?!.*,\s*(?:what|who|which|how|why|where)\b)"
    r"|(?:what|which)\s+(?:\w+\s+)?(?:dates?|days?|years?|months?|century|time)\b)",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:when|whenever|once|as\s+soon\s+as|after|before|until|till|since|upon|during|throughout|following|prior\s+to"
    r"|within|immediately|promptly|forthwith|annually|quarterly|monthly|weekly|daily|yearly|hourly|today|tomorrow"
    r"|yesterday|midnight|noon|spring|summer|autumn|winter|easter|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:at|by|from|on|in)\s+the\s+(?:\w+\s+)?(?:beginning|start|end|close|time|moment|date|day|eve|age|era|reign|same)"
    r"|(?:each|every|last|next|this|that)\s+(?:\w+\s+)?(?:second|minute|hour|day|night|week|month|quarter|year|season"
    r"|session|decade|century)|\d{3,4}s|\d{1,2}(?::\d\d)?\s*[ap]\.?m\b|(?:[01]?\d|2[0-3])[:h][0-5]\d(?![\d:]))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2}|\d{3,4}\s*(?:AD|BC|CE|BCE))\b|\b(?:in|of|by|since|around|circa)\s+\d{3}\b")


def asks_when(question: str) -> bool:
    """Whether a time is asked for; "When it rains, what happens?" asks for none."""
    return _ASKED.search(question) is not None


def says_when(text: str) -> bool:
    """Whether a text says any time: a date, a period, or what something is before, after or during."""
    if _YEAR.search(text) is not None or _SAID.search(text) is not None:
        return True
    return any(one.kind in TIMES for one in quantities(text))
