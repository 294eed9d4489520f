"""Whose law governs: the state or country that a clause names after "laws of"."""

from __future__ import annotations

import re

from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found

_KIND = r"(?i:state|commonwealth|province|republic|kingdom|sovereign\s+state|states|country)"
_OF = rf"(?i:the\s+)?(?i:internal\s+|substantive\s+|local\s+)?(?:{_KIND}\s+(?i:of)\s+(?i:the\s+)?)?"
_NAME = r"[A-Z][\w\u00c0-\u024f'\u2019\-]*"
_NOT_MORE = (
    r"(?!(?i:without|including|excluding|and|or|in|as|applicable|except|regardless|exclusive|notwithstanding|with|that"
    r"|which|law|laws|shall|will|to)\b)"
)
"""In a clause in capitals every word looks like a part of the name."""
_PLACE = (
    rf"(?P<place>(?:{_NAME}|U\.S\.A?\.?|P\.R\.C\.?)"
    rf"(?:\s+(?:(?i:of)\s+(?:the\s+)?(?!(?i:state))|(?i:and)\s+(?=(?i:wales|barbuda|tobago)))?"
    rf"{_NOT_MORE}{_NAME}){{0,5}})"
)
_WAYS = (
    re.compile(rf"\b(?i:laws?)\b[^.;]{{0,60}}?\b(?i:of|in|for)\s+{_OF}{_PLACE}"),
    re.compile(
        r"\b(?i:state|commonwealth|province)\s+(?i:of)\s+(?P<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)"
        r"[^.;]{0,80}\b(?i:laws?)\s+of\s+(?:that|such|said)\b"
    ),
    re.compile(r"\b(?P<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)\s+(?:[Ll]aws?|LAWS?)\b"),
)
_NO_PLACE = re.compile(
    r"^(?:this|the|that|such|any|applicable|state|federal|federal and|its|agreement|section|governing|choice"
    r"|conflicts?|contract|rules?|party|parties|articles?|general|corporate|company|internal|substantive|local|civil"
    r"|common|business|all|each|no|law|laws|uniform)\b",
    re.IGNORECASE,
)
_CONFLICT = re.compile(r"\b(?:conflicts?|choice)\s+(?:of\s+)?$", re.IGNORECASE)


def find_laws(text: str, around: Around) -> list[Found]:
    """Places whose law a clause names, each once, in order; "State of" left out."""
    del around
    for way in _WAYS:
        found: dict[str, Found] = {}
        for match in way.finditer(text[:MOST_CHARACTERS]):
            place = match["place"].rstrip(" .,")
            if (
                _NO_PLACE.match(place)
                or place.endswith(("'s", "\u2019s"))
                or _CONFLICT.search(text[max(0, match.start() - 14) : match.start()])
            ):
                continue
            start = match.start("place")
            found.setdefault(place.casefold(), Found(place, start, start + len(place)))
        if found:
            # "the laws of the United States and of Kentucky": the state is the narrower answer.
            return sorted(found.values(), key=lambda one: str(one.value).casefold().startswith("united states"))
    return []
