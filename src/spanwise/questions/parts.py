"""Questions that are more than one: each half is kept, none is lost in silence."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Pattern: TypeAlias = Literal["single", "independent", "sequential", "unified", "conditional"]

_OPENER = r"(?:what|which|who|whose|when|where|why|how|is|are|does|do|did|can|may|must|shall|list|name)"
_SPLIT = re.compile(rf"(?<=\?)\s+(?=\w)|[,;]?\s+(?:and|also|and\s+also)\s+(?={_OPENER}\b)", re.IGNORECASE)
_ASKS = re.compile(rf"\W*{_OPENER}\b", re.IGNORECASE)
_LISTED = re.compile(r"[,;]\s+(?=(?:what|who|whose|when|where|why|how)\b)", re.IGNORECASE)
"""Between the first questions of a row of which the last one is joined by "and"."""
_NOUNS = re.compile(
    r"^\W*(?:what|which)\s+(?:is|are)\s+the\s+(?P<one>[\w' -]{2,40}?)\s+and\s+(?:(?P<article>the)\s+)?"
    r"(?P<other>[\w' -]{2,40}?)(?P<rest>\s+(?:of|in|under|for)\b[^?]*)?\?*\s*$",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"^\W*(?P<opener>what|which|who|where|when|how\s+(?:high|long|large|much))\s+(?:is|are|was|were)\s+"
    r"(?P<row>the\s[^?;:]{2,300})\?*\s*$",
    re.IGNORECASE,
)
_JOINT = re.compile(r",\s+(?:and\s+)?(?=the\s)|\s+and\s+(?=the\s)", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|in|under|for)\s", re.IGNORECASE)
_MOST_NOUN_WORDS = 8
_TOGETHER = re.compile(
    r"\b(?:between|both|sum|total|combined|ratio|relationship|relation|average|compar\w+|versus|vs|same)\b",
    re.IGNORECASE,
)
"""Words that take two things together: their parts are no questions."""
_VERBS = re.compile(
    r"^(?P<head>\W*(?:when|where)\s+(?:does|do|did|is|are|was|were|can|may|must|shall|should|will|would)\s+"
    r"(?:the|an?|this|that|my|our|your|its|their|each|every|[A-Z][\w.&-]{0,40})(?:\s+[\w'-]{1,40}){1,5}?)"
    r"\s+(?P<one>\w{2,20})\s+and\s+(?P<other>\w{2,20})\s*\?*\s*$",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|was|were)\b", re.IGNORECASE)
_DONE = re.compile(r"(?:ed|en|wn|ld|pt|nt|id|ght)$", re.IGNORECASE)
_FIRST_THEN = re.compile(
    r"^\W*first(?:ly)?\s*,?\s+(?P<first>.{3,300}?)\s*[,;.?]?\s+(?:and\s+)?(?:then|next)\s*,?\s+(?P<then>.{3,300})$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please\s+)?(?:find(?:\s+out)?|identify|give(?:\s+(?:me|us))?|state|name|look\s+up|say|tell(?:\s+(?:me|us))?"
    r"|determine|explain|check|report|quote)\s+(?=\w)",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\W*if\b.+,\s*\w", re.IGNORECASE)
_SEQUENCE = re.compile(r"\b(?:and\s+then|after\s+that|based\s+on\s+that)\b", re.IGNORECASE)


def split_parts(text: str) -> tuple[Pattern, tuple[str, ...]]:
    """Composition of a question, and the questions that it is made of (empty when it is one)."""
    if _CONDITION.search(text):
        return "conditional", ()
    if found := _FIRST_THEN.match(text):
        return "sequential", tuple(_question(found[name]) for name in ("first", "then"))
    pieces = _pieces(text)
    if len(pieces) > 1:
        pattern: Pattern = "sequential" if _SEQUENCE.search(text) else "independent"
        return pattern, tuple(_asked(piece) for piece in pieces)
    if parts := _verbs(text) or (() if _TOGETHER.search(text) else _row(text)):
        return "independent", parts
    return ("single", ()) if _TOGETHER.search(text) else _nouns(text)


def _verbs(text: str) -> tuple[str, ...]:
    """The questions of "When does the lease begin and end?"; of what is done ("held and invested") likewise."""
    found = _VERBS.match(text)
    if found is None or (_IS.search(found["head"]) and not all(_DONE.search(found[name]) for name in ("one", "other"))):
        return ()
    return tuple(f"{found['head'].strip()} {found[name]}?" for name in ("one", "other"))


def _nouns(text: str) -> tuple[Pattern, tuple[str, ...]]:
    """The questions of "What are the premium and exclusions of the policy?", where its nouns are two things."""
    nouns = _NOUNS.match(text)
    if nouns is None:
        return "single", ()
    # "the premium and the exclusions" are two things; "exclusions and limitations" are one pair of words, and of
    # "research and development expenses" one part has no meaning without the other.
    alike = is_plural(nouns["one"]) == is_plural(nouns["other"]) or " " in nouns["other"].strip()
    pair = nouns["article"] is None and alike
    if pair or (nouns["rest"] is None and _OF.search(nouns["one"])):
        return "unified", ()
    rest = nouns["rest"] or ""
    return "independent", tuple(
        f"{'What are' if is_plural(noun) else 'What is'} the {noun.strip()}{rest}?"
        for noun in (nouns["one"], nouns["other"])
    )


def _row(text: str) -> tuple[str, ...]:
    """The questions of "What are the rent, the deposit and the notice period of the lease?"."""
    found = _ROW.match(text)
    nouns = [noun.strip() for noun in _JOINT.split(found["row"])] if found else []
    if found is None or len(nouns) < 2 or any(len(noun.split()) > _MOST_NOUN_WORDS for noun in nouns[:-1]):
        return ()
    whose = _OF.search(nouns[-1])
    if whose is None and any(_OF.search(noun) for noun in nouns):
        return ()  # "the purpose of the terms and the conditions": what is asked for is one thing
    rest = nouns[-1][whose.start() :] if whose else ""
    whole = [noun if at == len(nouns) - 1 or _OF.search(noun) else f"{noun}{rest}" for at, noun in enumerate(nouns)]
    opener = found["opener"].capitalize()
    return tuple(f"{opener} {'are' if is_plural(_OF.split(noun)[0]) else 'is'} {noun}?" for noun in whole)


def _question(piece: str) -> str:
    """A part that orders ("find the deposit") as a question ("What is the deposit?")."""
    plain = piece.strip(" ,;.?")
    ordered = _ORDER.match(plain)
    said = plain[ordered.end() :] if ordered else plain
    if ordered and not _ASKS.match(said):
        said = f"What is {said}"
    return f"{said[0].upper()}{said[1:]}?"


def _pieces(text: str) -> tuple[str, ...]:
    """Questions one after the other; a sentence that only explains stays with the question before it."""
    pieces: list[str] = []
    for piece in (part.strip(" ,;") for part in _SPLIT.split(text) if part.strip(" ,;?")):
        if pieces and not piece.endswith("?") and not _ASKS.match(piece):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    if len(pieces) < 2:
        return tuple(pieces)
    several = [one for piece in pieces for one in (_LISTED.split(piece) if _ASKS.match(piece) else [piece])]
    first: dict[str, str] = {}  # what is asked twice is answered once
    for one in several:
        first.setdefault(one.casefold(), one)
    return tuple(first.values())


def is_plural(noun: str) -> bool:
    """True if the last word of a noun looks like a plural."""
    word = noun.strip().lower().rpartition(" ")[2]
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _asked(piece: str) -> str:
    return piece if piece.endswith(("?", ".", "!")) else f"{piece}?"
