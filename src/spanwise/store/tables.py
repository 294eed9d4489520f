"""The tables of a corpus in one state: they are read inside one transaction, and parts are cached while it lasts."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Passage
from spanwise.store.changes import here, missing, named
from spanwise.store.codec import (
    Details,
    check,
    damaged,
    decode_details,
    decode_run,
    lines_of_run,
    unpacked_blocks,
    unpacked_pages,
    unpacked_sections,
)
from spanwise.store.port import NOTHING, Change, Source, StoredDocument
from spanwise.store.schema import Database

T = TypeVar("T")
_MOST_PARAMETERS = 512
_PASSAGES_A_BATCH = 1_000
"""Number of passages of several documents that are read together."""
_MOST_LISTED = 20_000
"""Most documents for the list of all documents to be cached."""
_MOST_PAGED = 64
"""Number of documents whose pages, last lines and last passages are cached; a question reads the same places often."""
_MOST_RUNS = 16
"""Number of runs of one document that are cached."""
_MOST_PASSAGES = 256
"""Most passages of one document that are cached."""
_MOST_NAMED = 1024
"""Number of documents whose metadata are cached."""

_STORED = "SELECT * FROM documents "
_PASSAGES = """
SELECT p.seal, p.id, d.name, p.line_start, p.line_end, p.page, p.section, p.text, p.blocks
FROM passages AS p JOIN documents AS d ON d.id = p.document
"""


class Tables:
    """One state of the tables, as a `spanwise.store.port.TruthSnapshot`.

    The creator must ensure that the connection shows this state as long as it is read.
    """

    def __init__(self, connection: Database, lock: threading.RLock) -> None:
        """Read through a connection, which is used by one thread at a time under `lock`."""
        self._connection = connection
        self._lock = lock
        self._documents: tuple[StoredDocument, ...] | None = None
        self._pages: dict[str, tuple[Page, ...]] = {}
        self._details: dict[str, Details] = {}
        self._named: dict[str, tuple[int, StoredDocument]] = {}
        self._runs: dict[str, dict[int, tuple[int, bytes]]] = {}
        """For each document, the cached runs by their first line: their last line and content."""
        self._ranges: dict[str, tuple[int, int, tuple[Passage, ...]]] = {}
        """For each document, the cached range: its first and last line, and its passages."""
        self._state, self._count, self._passages = NOTHING, 0, 0
        for sequence, name, token, documents, passages, sealed in self._rows(
            "SELECT * FROM changes ORDER BY sequence DESC LIMIT 1"
        ):
            check(sealed, "the history of changes", sequence, name, token, documents, passages)
            self._state, self._count, self._passages = Change(sequence, token), documents, passages

    @property
    def state(self) -> Change:
        """The last change that the state includes, or `NOTHING`."""
        return self._state

    def move(self, connection: Database) -> None:
        """Read the same state through another connection from now on."""
        self._connection = connection

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        with self._lock:
            if self._documents is not None:
                return self._documents
            listed = tuple(map(_stored, self._rows(_STORED + "ORDER BY name")))
            if len(listed) != self._count:
                raise damaged("a document is missing")
            self._documents = listed if len(listed) <= _MOST_LISTED else None
            return listed

    def count(self) -> int:
        """The number of documents."""
        return self._count

    def count_passages(self) -> int:
        """The number of passages in all documents."""
        return self._passages

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._known(name)[1]

    def known(self, names: Sequence[str]) -> None:
        """Check that there are documents with these names; a `DocumentNotFoundError` if not."""
        found = self._several(names)
        for name in names:
            if name not in found:
                raise missing(name)

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        rows = self._rows(
            "SELECT origin, name, origins.seal FROM documents JOIN origins ON document = id WHERE origin = ? "
            "ORDER BY name",
            (named(origin),),
        )
        for found, name, sealed in rows:
            check(sealed, "where a document was found", found, name)
        return tuple(name for _, name, _ in rows)

    def document(self, name: str) -> Document:
        """The complete document."""
        known = self.stored(name)
        return Document(
            id=known.id,
            name=name,
            format=known.format,
            lines=self.lines(name),
            pages=self.pages(name),
            sections=self.sections(name),
            paged=known.paged,
            **self._details_of(name)._asdict(),
        )

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        return self._details_of(name).hidden

    def lines(self, name: str, first: int = 1, last: int | None = None) -> tuple[Line, ...]:
        """The lines `first..last` of a document, up to its end if `last` is None."""
        number, known = self._known(name)
        first, last = max(first, 1), min(_or_all(last), known.lines)
        with self._lock:
            for start, (end, data) in self._runs.get(name, {}).items():
                if start <= first and last <= end:
                    return tuple(decode_run(start, data, first, last))
        rows = self._rows(
            """
            SELECT first_line, lines, seal FROM runs WHERE document = ? AND first_line <= ?
            AND first_line >= coalesce((SELECT max(first_line) FROM runs WHERE document = ? AND first_line <= ?), 1)
            ORDER BY first_line
            """,
            (number, last, number, first),
        )
        for start, data, sealed in rows:
            check(sealed, "the text of a page", name, start, data)
        found = tuple(line for start, data, _ in rows for line in decode_run(start, data, first, last))
        if len(found) != max(0, last - first + 1):
            raise damaged("lines are missing")
        with self._lock:
            runs = {start: (start + lines_of_run(data) - 1, data) for start, data, _ in rows[-_MOST_RUNS:]}
            _keep(self._runs, name, dict([*self._runs.get(name, {}).items(), *runs.items()][-_MOST_RUNS:]))
        return found

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of a document in order."""
        with self._lock:
            if name not in self._pages:
                _keep(self._pages, name, unpacked_pages(self._part(name, "pages")))
            return self._pages[name]

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        return unpacked_sections(self._part(name, "sections"))

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages of a document that share a line with `first..last`, in order."""
        number, known = self._known(name)
        until = _or_all(last)
        with self._lock:
            start, end, kept = self._ranges.get(name, (1, 0, ()))
        if start <= first and until <= end:
            return tuple(one for one in kept if one.line_end >= first and one.line_start <= until)
        rows = self._rows(
            _PASSAGES + "WHERE p.document = ? AND p.line_end >= ? AND p.line_start <= ? ORDER BY p.line_start",
            (number, first, until),
        )
        if first <= 1 and last is None and len(rows) != known.passages:
            raise damaged("a passage is missing")
        found = tuple(passage for _, passage in map(_passage, rows))
        if len(found) <= _MOST_PASSAGES:
            with self._lock:
                _keep(self._ranges, name, (first, until, found))
        return found

    def numbered(self, names: Sequence[str]) -> Iterator[tuple[str, dict[int, Passage]]]:
        """For each name the passages by id, in order; no passages if there is no such document."""
        for at in range(0, len(names), _MOST_PARAMETERS):
            some = names[at : at + _MOST_PARAMETERS]
            found = self._several(some)
            for batch in _batches(some, found):
                numbers = {found[name][0]: name for name in batch if name in found}
                rows = self._among(_PASSAGES + "WHERE p.document IN", list(numbers), "ORDER BY d.name, p.line_start")
                passages: dict[str, dict[int, Passage]] = {name: {} for name in batch}
                for number, passage in map(_passage, rows):
                    passages[passage.document][number] = passage
                if any(len(passages[name]) != found[name][1].passages for name in numbers.values()):
                    raise damaged("a passage is missing")
                yield from passages.items()

    def passages_numbered(self, numbers: Sequence[int]) -> dict[int, Passage]:
        """The passages with these ids; an id that has no passage in this state is left out."""
        found: dict[int, Passage] = {}
        for at in range(0, len(numbers), _MOST_PARAMETERS):
            found |= map(_passage, self._among(_PASSAGES + "WHERE p.id IN", numbers[at : at + _MOST_PARAMETERS]))
        return found

    def has_change(self, change: Change) -> bool:
        """True if `change` is part of the history of this corpus."""
        return bool(self._rows("SELECT 1 FROM changes WHERE sequence = ? AND token = ?", change))

    def changed_since(self, sequence: int) -> list[tuple[str, Change]]:
        """The names of documents that changed after `sequence`, each with its last change, in the order of changes."""
        rows = self._rows(
            "SELECT * FROM changes AS c WHERE sequence > ? "
            "AND NOT EXISTS (SELECT 1 FROM changes WHERE name = c.name AND sequence > c.sequence) ORDER BY sequence",
            (sequence,),
        )
        for *row, sealed in rows:
            check(sealed, "the history of changes", *row)
        return [(name, Change(number, token)) for number, name, token, *_ in rows]

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.rows(statement, values)

    def _among(self, statement: str, values: Sequence[object], end: str = "") -> list[tuple[Any, ...]]:
        """The rows of a statement that ends in "IN", for at most `_MOST_PARAMETERS` values."""
        if not values:
            return []
        # Padded to a power of two with a value that is already there, so that few statements have to be prepared.
        filled = [*values, *[values[0]] * ((1 << (len(values) - 1).bit_length()) - len(values))]
        return self._rows(f"{statement} ({', '.join('?' * len(filled))}) {end}", filled)

    def _details_of(self, name: str) -> Details:
        with self._lock:
            if name not in self._details:
                _keep(self._details, name, decode_details(self._part(name, "details")))
            return self._details[name]

    def _part(self, name: str, part: str) -> bytes:
        rows = self._rows("SELECT data, seal FROM parts WHERE document = ? AND part = ?", (self._known(name)[0], part))
        if not rows:
            raise damaged(f"the {part} of a document are missing")
        data, sealed = rows[0]
        check(sealed, f"the {part} of a document", name, part, data)
        return bytes(data)

    def _known(self, name: str) -> tuple[int, StoredDocument]:
        known = self._several([name]).get(name)
        if known is None:
            raise missing(name)
        return known

    def _several(self, names: Sequence[str]) -> dict[str, tuple[int, StoredDocument]]:
        """The id and the metadata of those of the documents that exist."""
        with self._lock:
            found = {name: self._named[name] for name in names if name in self._named}
            left = [name for name in dict.fromkeys(names) if name not in found]
            for at in range(0, len(left), _MOST_PARAMETERS):
                for row in self._among(_STORED + "WHERE name IN", left[at : at + _MOST_PARAMETERS]):
                    found[row[1]] = int(row[0]), _stored(row)
                    if len(self._named) >= _MOST_NAMED:
                        self._named.clear()
                    self._named[row[1]] = found[row[1]]
            return found


def _keep(kept: dict[str, T], name: str, value: T) -> None:
    """Cache a value of a document; the cache is emptied when it is full."""
    if len(kept) >= _MOST_PAGED:
        kept.clear()
    kept[name] = value


def _stored(row: tuple[Any, ...]) -> StoredDocument:
    _, *described, sealed = row
    check(sealed, "what is known of a document", *described)
    name, digest, kind, paged, lines, pages, passages, path, size, mtime_ns, reading = described
    source = Source(here(path), size, mtime_ns, reading) if path is not None else None
    return StoredDocument(name, digest, kind, bool(paged), lines, pages, passages, source)


@lru_cache(maxsize=4096)  # one question reads around the same few places for tables, lists and its proof
def _passage(row: tuple[Any, ...]) -> tuple[int, Passage]:
    """The id and the passage in a row."""
    sealed, number, name, first, last, page, section, text, blocks = row
    check(sealed, "the text of a passage", number, name, first, last, page, section, text, blocks)
    shapes = unpacked_blocks(blocks)
    return number, Passage(f"{name}:{first}-{last}", name, first, last, page, text, section, shapes)


def _batches(names: Sequence[str], known: Mapping[str, tuple[int, StoredDocument]]) -> Iterator[list[str]]:
    """The names in batches with a bounded number of passages; a batch of one document may have more."""
    batch: list[str] = []
    passages = 0
    for name in names:
        batch.append(name)
        passages += known[name][1].passages if name in known else 0
        if passages >= _PASSAGES_A_BATCH:
            yield batch
            batch, passages = [], 0
    if batch:
        yield batch


def _or_all(last: int | None) -> int:
    return 2**62 if last is None else last
