"""Words about the form of the answer, which pollute a search: "Answer in USD millions", "rounded to two decimals"."""

from __future__ import annotations

import re

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
