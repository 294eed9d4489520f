"""Conflicts between passages and inside of each: who plants a sentence in a document plants it beside the true one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spanwise.contract.adapters import given_passages
from spanwise.domain.passage import Passage
from spanwise.guard.conflict.finding import find_conflicts
from spanwise.guard.conflict.values import Conflict
from spanwise.text.reading import read_passage

_ENDED = re.compile(r"(?<=[a-z]{3}[.!?])\s+(?=[A-Z][a-z])")
"""The end of a sentence inside of what the cutting of sentences took for one ("each month. Rent that")."""
_LETTER = re.compile(r"\b[A-Z]\b")
_MOST_SENTENCES = 400
"""Of a passage; a longer one is a document, whose parts speak of many things in the same words."""


def find_all_conflicts(passages: Iterable[object]) -> list[Conflict]:
    """Where passages contradict each other, and where a sentence of one contradicts another sentence of it.

    Args:
        passages: Passages in every form, see `given_passages`.

    Raises:
        PassageError: A passage is in no form that can be read.
    """
    given = given_passages(passages)
    found = find_conflicts(given) if len(given) > 1 else []
    for one in given:
        spoken = _spoken(one.passage)
        inside = find_conflicts(spoken) if 1 < len(spoken) <= _MOST_SENTENCES else []
        # "Hall A" and "hall B" are two things, which one passage often tells of in the same words.
        found += [two for two in inside if _LETTER.findall(two.one.quote) == _LETTER.findall(two.other.quote)]
    return found


def _spoken(passage: Passage) -> list[dict[str, object]]:
    """The sentences of a passage as passages of their own, with its id and their lines."""
    return [
        {
            "chunk_id": passage.id,
            "document": passage.document,
            "text": said,
            "line_start": sentence.line_start,
            "line_end": sentence.line_end,
        }
        for sentence in read_passage(passage).sentences
        if sentence.role not in ("heading", "table_row")
        for said in _ENDED.split(sentence.text)
    ]
