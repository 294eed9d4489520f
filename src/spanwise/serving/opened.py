"""A document of a served corpus while it is read: all that is read of it is of one version, whoever replaces it."""

from __future__ import annotations

from spanwise.domain.document import Hidden, Line, Page, Section
from spanwise.errors import DocumentReplacedError
from spanwise.serving.entries import Entry, entry_of
from spanwise.store.port import Store, StoredDocument

MOST_LINES = 2_000
"""Lines that one call gives."""


class OpenDocument:
    """One version of a document."""

    def __init__(self, stored: StoredDocument, store: Store) -> None:
        """Read a document of a store that does not change."""
        self.entry: Entry = entry_of(stored)
        """What is told of it."""
        self._store = store

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included, at most `MOST_LINES`; what lies outside is left out."""
        return self._store.lines(self.entry.name, first, min(last, first + MOST_LINES - 1))

    def pages(self) -> tuple[Page, ...]:
        """The pages; one for all of it in formats without pages."""
        return self._store.pages(self.entry.name)

    def hidden(self) -> tuple[Hidden, ...]:
        """What is in the file and cannot be seen: no line, never answered from."""
        return self._store.hidden(self.entry.name)

    def sections(self) -> tuple[Section, ...]:
        """The table of contents."""
        return self._store.sections(self.entry.name)


def check_version(stored: StoredDocument, sha256: str | None) -> None:
    """Check that a document is still the version that somebody knows; None knows none.

    Raises:
        DocumentReplacedError: It is another one.
    """
    if sha256 is not None and stored.id != sha256:
        raise DocumentReplacedError(
            f"{stored.name} was replaced since: its lines are others now. The quotes of the answer are those of the "
            "version that it was given from; ask again for an answer from this one.",
            document=stored.name,
        )
