"""A document of a served corpus while it is read: all that is read of it is of one version, whoever replaces it."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.domain.document import Hidden, Line, Page, Section
from spanwise.errors import DocumentReplacedError
from spanwise.serving.entries import Entry
from spanwise.store.port import Store, StoredDocument
from spanwise.text.fold import fold, folded

MOST_LINES = 2_000
"""Lines that one call gives."""
_MOST_PLACES = 20
"""In one line."""


@dataclass(frozen=True, slots=True)
class Found:
    """A line that has some words in it."""

    line: Line
    at: tuple[tuple[int, int], ...]
    """Where they begin and end in it, in characters."""


class OpenDocument:
    """One version of a document."""

    def __init__(self, stored: StoredDocument, store: Store, entry: Entry) -> None:
        """Read a document of a store that does not change."""
        self.entry = entry
        """Its description."""
        self._store = store
        self._name = stored.name

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included, at most `MOST_LINES`; what lies outside is left out."""
        return self._store.lines(self._name, first, min(last, first + MOST_LINES - 1))

    def pages(self) -> tuple[Page, ...]:
        """The pages; one for all of it in formats without pages."""
        return self._store.pages(self._name)

    def hidden(self) -> tuple[Hidden, ...]:
        """Hidden text in the file: no line, never answered from."""
        return self._store.hidden(self._name)

    def find(self, words: str, most: int) -> tuple[list[Found], int]:
        """Where `words` are written, whatever their case and accents: at most so many lines, and how many there are."""
        wanted, found, total = folded(words).strip(), list[Found](), 0
        for first in range(1, self.entry.lines + 1, MOST_LINES):
            for line in self.lines(first, self.entry.lines):
                if wanted and wanted in folded(line.text):
                    total += 1
                    if len(found) < most:
                        found.append(Found(line, _places(line.text, wanted)))
        return found, total

    def sections(self) -> tuple[Section, ...]:
        """The table of contents."""
        return self._store.sections(self._name)


def _places(text: str, wanted: str) -> tuple[tuple[int, int], ...]:
    """Where a folded text is written in another, the first few times."""
    shown, places, start = fold(text), list[tuple[int, int]](), 0
    while len(places) < _MOST_PLACES and (start := shown.text.find(wanted, start)) >= 0:
        end = start + len(wanted)
        places.append((shown.origin[start], shown.origin[end - 1] + 1))
        start = end
    return tuple(places)


def check_version(stored: StoredDocument, sha256: str | None) -> None:
    """Check that a document is still the version that somebody knows; None knows none."""
    if sha256 is not None and stored.id != sha256:
        raise DocumentReplacedError(
            f"{stored.name} was replaced since: its lines are others now. The quotes of the answer are those of the "
            "version that it was given from; ask again for an answer from this one.",
            document=stored.name,
        )
