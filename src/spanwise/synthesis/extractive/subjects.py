"""Whether a question about a company is asked of that company's documents: figures of another one are no answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.text.terms import terms

PROFILE = "filings"
_NAME = r"[A-Z][\w&.\u2019'-]{0,40}(?:\s+(?:&\s+|of\s+|and\s+)?[A-Z][\w&.\u2019'-]{0,40}){0,5}"
_OWNS = re.compile(rf"(?P<name>{_NAME})['\u2019]s?(?=\s)")
_SUBJECT = re.compile(rf"\b(?:[Ff]or|[Bb]y|[Oo]f|[Dd]id|[Dd]oes|[Dd]o|[Hh]as|[Ii]s|[Ww]as)\s+(?P<name>{_NAME})")
_WORD = re.compile(r"[A-Z][a-z]+[A-Za-z]*")
"""A word of a name, unlike an abbreviation or a year: DPO, FY2021, 10-K."""


def absent_company(question: Question, hits: Sequence[Hit], store: Store) -> tuple[str, ...]:
    """The stems of a company that a question about a filing names and that none of the documents found names.

    A name counts where it owns what is asked for ("Adobe's revenue") or is who did it ("for Adobe", "did Adobe").
    """
    if question.profile != PROFILE or not hits:
        return ()
    documents = list(dict.fromkeys(hit.passage.document for hit in hits))
    for name in _names(question.text):
        lacking = [word for word in name.split() if terms(word) and not store.search(word, 1, documents)]
        if lacking:
            return tuple(terms(" ".join(lacking)))
    return ()


def _names(text: str) -> list[str]:
    """Names of companies, as far as the wording tells."""
    found: dict[str, None] = {}
    for pattern in (_OWNS, _SUBJECT):
        for match in pattern.finditer(text):
            words = re.split(r"['\u2019]s?\b", match["name"])[0].split()
            known = [word for word in words if _WORD.fullmatch(word.strip(".,"))]
            if known and len(known) == len(words):
                found[" ".join(words)] = None
    return list(found)
