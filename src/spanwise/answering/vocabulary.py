"""A persistent table of keywords that answers discovered: other names of a concept in these documents (R-C-36)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from spanwise.answering.request import MOST_KEYWORDS
from spanwise.domain.question import Question
from spanwise.errors import StorageError

LONGEST = 100
"""Most characters of a word or phrase in the table."""
_TABLE = """
CREATE TABLE IF NOT EXISTS discovered (
    profile TEXT NOT NULL, intent TEXT NOT NULL, keyword TEXT NOT NULL, questions INTEGER NOT NULL,
    PRIMARY KEY (profile, intent, keyword)
) WITHOUT ROWID
"""
_ADD = """
INSERT INTO discovered VALUES (?, ?, ?, 1)
ON CONFLICT (profile, intent, keyword) DO UPDATE SET questions = questions + 1
"""


@dataclass(frozen=True, slots=True)
class Discovered:
    """A keyword that answers to questions of one intent suggested."""

    profile: str
    """Name of the profile, which is the kind of documents; empty if none was known."""
    intent: str
    """The intent of the question."""
    keyword: str
    """The word or phrase in lower case."""
    questions: int
    """Number of questions for which it was discovered."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The table in an SQLite file; it only grows, and no answer uses it.

    People read it to see which words should be added to a profile. Several processes may write to it.
    """

    path: str | os.PathLike[str]

    def add(self, question: Question, keywords: Iterable[str]) -> None:
        """Count the keywords discovered for one question, without duplicates that differ only in case."""
        words = dict.fromkeys(" ".join(word.casefold().split()) for word in keywords)
        kept = [word for word in words if 0 < len(word) <= LONGEST and word.isprintable()][:MOST_KEYWORDS]
        if not kept:
            return
        with self._open() as table:
            table.executemany(_ADD, [(question.profile or "", question.intent, word) for word in kept])

    def rows(self) -> list[Discovered]:
        """The rows of the table, those with the most questions first."""
        order = "SELECT * FROM discovered ORDER BY questions DESC, profile, intent, keyword"
        with self._open() as table:
            return [Discovered(*row) for row in table.execute(order)]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=10)) as table, table:
                table.execute(_TABLE)
                yield table
        except sqlite3.Error as error:
            raise StorageError(
                f"the table of discovered keywords {os.fspath(self.path)} cannot be used ({error}): name another file"
            ) from error
