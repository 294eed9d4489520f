"""What a question takes for granted, as a statement: "When was the dam built by monks?" says that monks built the dam.

A question whose premise the documents deny has no answer in them, however much of it they repeat (unanswerable
questions of SQuAD 2.0, Rajpurkar et al. 2018; questions with false premises, Kim et al. 2021). The statement is made
by rules, in the manner of Demszky et al. 2018, and keeps the place of the answer open.
"""

from __future__ import annotations

import re

from spanwise.text.expectations.polarity import asks_yes_or_no
from spanwise.text.languages import ENGLISH, language_of

_LONGEST = 400
"""Characters of a question that is looked at."""
_AUXILIARY = re.compile(
    r"\b(?P<do>do|does|did)\b\s*|\b(?:is|are|was|were|has|have|had|can|could|may|might|must|shall|should|will|would)\b\s*",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b"
    r"(?:\s+(?:many|much|long|often|far|old|large|big|high|tall|deep|soon|wide|fast|heavy)\b)?\s*",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:in|at|on|for|from|to|with|by|of|under|within|after|before|until|since|during)$", re.IGNORECASE
)
"""The end of what stands before the word that asks: "In which year"."""
_MOST_NAMED = 4
"""Words of what is asked for ("How many wells") before the verb."""


def premise(question: str, language: str | None = None) -> str | None:
    """The statement that an English question rests on, without what it asks for; None where it is for yes or no.

    Example:
        >>> premise("How many wells did the club dig in 2024?")
        'Wells the club dig in 2024.'
    """
    asked = question.strip().rstrip("?.! ")
    match = _ASKING.search(asked)
    if (language or language_of(question)) != ENGLISH:
        return None
    if match is None or len(asked) > _LONGEST or asks_yes_or_no(question):
        return None
    before = _PREPOSITION.sub("", asked[: match.start()].strip(" ,")).strip(" ,")
    rest = asked[match.end() :]
    verb = _AUXILIARY.search(rest)
    if verb is not None and len(rest[: verb.start()].split()) <= _MOST_NAMED:
        # What "did" asks of is said by the verb behind it; "was" stays where something is named before it.
        rest = rest[: verb.start()] + rest[verb.end() if verb["do"] or not verb.start() else verb.start() :]
    said = ", ".join(part for part in (before, rest.strip(" ,")) if part)
    return f"{said[0].upper()}{said[1:]}." if said else None
