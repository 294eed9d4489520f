"""Words of a question apart from what it asks: places ("on pages 5 to 7"), names, and instructions about the form."""

from __future__ import annotations

import re

from spanwise.text.patterns import lazy_pattern

MOST_PAGES = 200

_PAGES = re.compile(
    r"\b(?:(?:on|in|at|from|see)\s{1,3})?(?:pages?|pp?\.)\s{0,3}(\d{1,5})(?:\s{0,3}(?:-|\u2013|to|through)\s{0,3}(\d{1,5}))?"
    r"((?:\s{0,3}(?:,|and|&)\s{0,3}(?:page\s{1,3})?\d{1,5}){0,20})",
    re.IGNORECASE,
)
_SECTION = lazy_pattern(
    r"\b(?:in|under|of|from|within)\s+(?:the\s+)?"
    r"(?:(?:section|chapter|article|clause|appendix|exhibit|item|part|note)\s+"
    r"(?:on\s+|about\s+|titled\s+|called\s+)?[\"\u201c']?(?P<after>[\w.&,\- ]{1,60}?)[\"\u201d']?"
    r"|[\"\u201c']?(?P<before>[\w.&\- ]{1,60}?)[\"\u201d']?\s+(?:section|chapter|article|clause|appendix|paragraph))"
    r"\s*(?=\?|[.,;](?:\s|$)|$|\b(?:what|which|who|how|is|are|does|do|say|apply|require)\b)",
    re.IGNORECASE,
)
_INNER = re.compile(r"\b(?:in|under|of|from|within)\s+(?:the\s+)?", re.IGNORECASE)
"""In "the fee of the price in the warranty section" only what stands after the last of these is the section."""


def named_pages(text: str) -> tuple[int, ...]:
    """Pages that the text names, sorted, at most MOST_PAGES."""
    found: set[int] = set()
    for match in _PAGES.finditer(text):
        first = int(match.group(1))
        last = int(match.group(2) or first)
        found.update(range(first, min(last, first + MOST_PAGES) + 1))
        found.update(int(number) for number in re.findall(r"\d+", match.group(3)))
    return tuple(sorted(found - {0}))[:MOST_PAGES]


def without_pages(text: str) -> str:
    """The text without the words that name pages, which say where to look and not what for."""
    return " ".join(_PAGES.sub(" ", text).split())


def named_section(text: str) -> str | None:
    """The section that the text names, without the word "section"; None when it names none."""
    match = _SECTION.search(text)
    if match is None:
        return None
    name = match.group("after") or _INNER.split(match.group("before") or "")[-1]
    name = name.strip(" ,.'\"")
    return name if name and name.lower() not in ("this", "that", "the", "a", "which", "each") else None


_NAME = lazy_pattern(
    r"(?<![.?!]\s)(?<!^)(?<![\u00bf\u00a1])\b[A-Z][\w&'.\u2019-]{0,40}(?:\s+(?:of|and|the|&|[A-Z0-9][\w&'.\u2019-]{0,40})){0,7}"
)


def entities(text: str) -> tuple[str, ...]:
    """Names as written, each once, in order."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = re.sub(r"(?:\s+(?:of|and|the|&))+$", "", match.group()).strip(" .'\u2019")
        if len(name) > 1:
            found[name] = None
    return tuple(found)


_FORM = re.compile(
    r"""
      \bin\s+(?:USD|US\$|EUR|GBP|JPY|\$|dollars?|euros?)?\s*(?:millions?|billions?|thousands?)\b(?:\s+of\s+\w+)?
    | \((?:in|expressed\s+in|as)\s+[^()]{1,60}\)
    | \bin\s+(?:USD|EUR|GBP|JPY|CHF|US\s+dollars|dollars|euros|(?:units?\s+of\s+)?percent(?:age|s)?(?:\s+points?)?)\b
    | \b(?:as|in)\s+(?:an?\s+)?(?:integers?|numbers?|words?|list|table|bullet\s+points?|json|percent|decimals?)\b
    | \b(?:and\s+)?round(?:ed)?\s+(?:to|(?:your\s+|the\s+)?answer)[^.?!;]{0,60}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!]+(?=\s|$)|\.(?=\S)[^.?!]*|$)+")
_SOURCE = r"(?:information|judge?ments?|conclusions?|details?|line\s+items|data|answers?|figures)"
_ADVICE = re.compile(
    r"^\W*(?:please\b|answer\b|respond\b|(?:give|provide)\s+(?:an?|your|the)\s+(?:answer|response|solution)\b|base\s+your\b"
    r"|state\s+your\b|use\s+the\b|assume\s+that\s+you\b|approach\s+the\b|address\s+the\b|if\b|calculate\s+(?:what\s+)?"
    r"|compute\b|round\b|(?:we|i)\s+(?:need|want|would\s+like)\s+to\b"
    r"|your\s+answer\b|the\s+answer\b|considering\b|you\s+are\b|imagine\b|adopt\b|utili[sz]e\b)",
    re.IGNORECASE,
)
# What stands before a colon and calls what follows the question.
_BEFORE_COLON = re.compile(r"^[^:?]{0,300}\bquestions?\b[^:?]{0,60}:\s+(?=\w[^?]{3,}\?)", re.IGNORECASE)
# A clause before the question that says from which information it has to be answered.
_LEAD = re.compile(
    rf"^\W*(?:by|based|basing|in\s+agreement|in\s+line|in\s+accordance|according|taking|using|considering|relying|given)\b"
    rf"[^?:]{{0,120}}?\b{_SOURCE}\b[^?:]{{0,200}}?,\s+(?=(?:what|which|how|who|when|where|is|are|was|were|does|do|did|has)\b)",
    re.IGNORECASE,
)


def split_instructions(text: str) -> tuple[str, tuple[str, ...]]:
    """Take the words about the answer's form out of a question.

    Returns:
        What is left to look for (never empty when the question was not), and the instructions in order.
    """
    instructions: list[str] = []
    kept: list[str] = []
    sentences = [match.group().strip() for match in _SENTENCE.finditer(text) if match.group().strip()]
    asks = any(sentence.endswith("?") for sentence in sentences)
    for written in sentences:
        sentence = written
        if asks and not sentence.endswith("?") and _ADVICE.match(sentence):
            instructions.append(sentence)
            continue
        for introduction in (_BEFORE_COLON, _LEAD):
            if (match := introduction.match(sentence)) is not None:
                instructions.append(match.group().strip())
                sentence = sentence[match.end() :]
        instructions += [match.group().strip() for match in _FORM.finditer(sentence)]
        kept.append(" ".join(_FORM.sub(" ", sentence).split()))
    query = " ".join(part for part in kept if part)
    return (query, tuple(instructions)) if re.search(r"\w", query) else (text, ())
