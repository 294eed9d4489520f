"""Blanks that a template leaves to be filled: "____", "[Name of contractor]", "{{client}}", "XX/XX/20XX"."""

from __future__ import annotations

import re
from collections.abc import Collection

from spanwise.text.terms import placed_terms, terms

_FILLED = (
    "insert|enter|add|type|fill|your|name|date|amount|sum|address|title|number|state|city|country|company|client"
    "|customer"
)
"""Words with which the name of a blank in brackets begins."""
_BLANK = re.compile(
    r"_{3,}|\{\{[^{}\n]{1,60}\}\}"
    rf"|[\[<](?:{_FILLED})\b[^\[\]<>\n]{{0,60}}[\]>]"
    r"|[\[<][^\W\d_][\w ]{0,40}\b(?:name|date|amount|address|number)[\]>]"
    r"|\bX{2,4}[/.-]X{2,4}[/.-](?:20)?X{2,4}\b",
    re.IGNORECASE,
)
_DUMMY = re.compile(r"\blorem ipsum\b", re.IGNORECASE)


def is_dummy(text: str) -> bool:
    """True for text that only fills the page ("Lorem ipsum")."""
    return _DUMMY.search(text) is not None


def left_blank(text: str, asked: Collection[str]) -> bool:
    """True if what a text has for the words of a question is a blank.

    Either the blank names what is asked for ("[Name of contractor]"), or it stands right behind the last words that the
    text shares with the question ("a monthly fee of ____ euros"). What is filled in beside it still answers.

    Args:
        text: A sentence or an entry.
        asked: Stems of the question.
    """
    for blank in _BLANK.finditer(text):
        own = terms(blank.group().replace("_", " "))
        if not set(own).isdisjoint(asked):
            return True
        placed = placed_terms(text)
        before = [term for place, term in placed if place < blank.start()]
        behind = {term for place, term in placed if place >= blank.end()}
        if before and before[-1] in asked and behind.isdisjoint(asked):
            return True
    return False
