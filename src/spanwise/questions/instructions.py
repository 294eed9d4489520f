"""Words about the form of the answer, which pollute a search: "Answer in USD millions", "rounded to two decimals"."""

from __future__ import annotations

import re

_FORM = re.compile(
    r"""
      \bin\s+(?:USD|US\$|EUR|GBP|JPY|\$|dollars?|euros?)?\s*(?:millions?|billions?|thousands?)\b(?:\s+of\s+\w+)?
    | \((?:in|expressed\s+in)\s+[^()]{1,40}\)
    | \bin\s+(?:USD|EUR|GBP|JPY|CHF|US\s+dollars|dollars|euros|percent(?:age)?(?:\s+points?)?)\b
    | \b(?:as|in)\s+(?:an?\s+)?(?:integers?|numbers?|words?|list|table|bullet\s+points?|json|percent|decimals?)\b
    | \bround(?:ed)?\s+(?:to|your\s+answer)[^.?!;]{0,60}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!]+(?=\s|$)|\.(?=\S)[^.?!]*|$)+")
_ADVICE = re.compile(
    r"^\W*(?:please\b|answer\b|respond\b|give\s+(?:a|your|the)\s+(?:answer|response)\b|base\s+your\b|state\s+your\b"
    r"|use\s+the\b|assume\s+that\s+you\b|approach\s+the\b|address\s+the\b|if\b|calculate\s+(?:what\s+)?|provide\s+(?:a|your)"
    r"|your\s+answer\b|the\s+answer\b|considering\b|you\s+are\b|imagine\b|adopt\b|utili[sz]e\b)",
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
    for sentence in sentences:
        if asks and not sentence.endswith("?") and _ADVICE.match(sentence):
            instructions.append(sentence)
            continue
        instructions += [match.group().strip() for match in _FORM.finditer(sentence)]
        kept.append(" ".join(_FORM.sub(" ", sentence).split()))
    query = " ".join(part for part in kept if part)
    return (query, tuple(instructions)) if re.search(r"\w", query) else (text, ())
