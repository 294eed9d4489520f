"""What is told of a document in lists beside its name: its language, whether it was recognised, what is hidden in it.

Made from the documents once and kept by the SHA-256 of their files in a file that can always be made anew.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from spanwise.domain.document import Document
from spanwise.errors import SpanwiseError


@dataclass(frozen=True, slots=True)
class Facts:
    """Of one version of a document."""

    language: str
    """ISO 639-1 code; empty where its words tell none."""
    recognised: bool
    """Whether lines of it were recognised in a picture."""
    hidden: int
    """Texts in it that nobody can see."""


def facts_of(document: Document) -> Facts:
    """What is told of a document."""
    recognised = any(line.recognition is not None for line in document.lines)
    return Facts(document.language, recognised, len(document.hidden))


class KnownFacts:
    """The facts of a corpus; those that are missing are found out in a thread, one document at a time."""

    def __init__(self, path: Path, load: Callable[[str], Document]) -> None:
        """Read what is known.

        Args:
            path: The file; one that cannot be read is begun again.
            load: Gives a document by its name, or raises a `SpanwiseError`.
        """
        self._path = path
        self._load = load
        self._lock = threading.Lock()
        self._known: dict[str, Facts] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._read()

    def of(self, sha256: str) -> Facts | None:
        """The facts of a version, if they are known."""
        return self._known.get(sha256)

    def learn(self, document: Document) -> Facts:
        """Find out and keep the facts of a document."""
        facts = facts_of(document)
        self._known[document.id] = facts
        values = (document.id, facts.language, facts.recognised, facts.hidden)
        with suppress(sqlite3.Error):  # then they are found out again next time
            self._sql("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", values)
        return facts

    def want(self, documents: Iterable[tuple[str, str]]) -> None:
        """Find out, in a thread, what is not known of documents given by SHA-256 and name."""
        wanted = list(documents)
        if any(sha256 not in self._known for sha256, _ in wanted):
            self._read()  # another server of this corpus may know
        missing = [name for sha256, name in wanted if sha256 not in self._known]
        with self._lock:
            if not missing or self._closed.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._find, args=(missing,), name="facts", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _read(self) -> None:
        with suppress(sqlite3.Error):
            rows = self._sql("SELECT sha256, language, recognised, hidden FROM facts")
            self._known |= {sha256: Facts(language, bool(ocr), hidden) for sha256, language, ocr, hidden in rows}

    def _find(self, names: list[str]) -> None:
        for name in names:
            if self._closed.is_set():
                return
            with suppress(SpanwiseError):  # it was removed meanwhile
                self.learn(self._load(name))

    def _sql(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[str, str, int, int]]:
        with self._lock:
            connection = sqlite3.connect(self._path, timeout=5, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS facts "
                    "(sha256 TEXT PRIMARY KEY, language TEXT, recognised INTEGER, hidden INTEGER) WITHOUT ROWID"
                )
                return connection.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                if type(error) is sqlite3.DatabaseError:  # it is no database
                    self._path.unlink(missing_ok=True)
                raise
            finally:
                connection.close()
