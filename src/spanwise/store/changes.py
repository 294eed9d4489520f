"""Changes to a corpus: the write lock, and the SQL of each change in one transaction, for both database engines.

Only one process on the machine holds the lock; the kernel releases it if that process dies.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path

from spanwise.domain.passage import Passage
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, InputError, StorageError
from spanwise.store.codec import Record, check, packed_blocks, packed_pages, packed_sections, seal
from spanwise.store.port import Source
from spanwise.store.schema import Database

VARIABLE = "SPANWISE_ROOTS"
_MARK = "root:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def named(path: str) -> str:
    """A path as a corpus stores it: if it is below a root folder named in `SPANWISE_ROOTS`, relative to that name."""
    for name, folder in _roots(os.environ.get(VARIABLE, "")):
        if path == folder or path.startswith((folder + "/", folder + os.sep)):
            return f"{_MARK}{name}{path[len(folder) :].replace(os.sep, '/')}"
    return path


def here(kept: str) -> str:
    """The path on this machine for a stored path; unchanged if its root has no folder here."""
    if kept.startswith(_MARK):
        root, slash, rest = kept.removeprefix(_MARK).partition("/")
        for name, folder in _roots(os.environ.get(VARIABLE, "")):
            if name == root:
                return f"{folder}{slash}{rest}"
    return kept


@lru_cache(maxsize=8)
def _roots(given: str) -> tuple[tuple[str, str], ...]:
    """Pairs of root name and folder, the longest folder path first."""
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in given.split(";"))):
        name, equals, folder = one.partition("=")
        if not equals or not _NAME.fullmatch(name) or not os.path.isabs(folder) or name in found:
            raise InputError(f'{VARIABLE} cannot be read at {one!r}: write "NAME=/FOLDER;NAME=/FOLDER", each name once')
        found[name] = os.path.realpath(folder).rstrip("/" + os.sep)
    return tuple(sorted(found.items(), key=lambda pair: len(pair[1]), reverse=True))


class WritingTruth:
    """The changes of a `spanwise.store.port.Truth`, each in one transaction of `_writing`."""

    def put(self, record: Record, source: Source | None, origins: Sequence[str] = ()) -> tuple[int, ...]:
        """Store a document, replacing one with the same name; return the ids of its passages."""
        with self._writing() as tables:
            before = tables.rows(
                "SELECT origin FROM documents LEFT JOIN origins ON document = id WHERE name = ?", (record.name,)
            )
            deleted, lost = _deleted(tables, record.name) if before else (0, 0)
            document = _insert_document(tables, record, source)
            parts = {
                "pages": packed_pages(record.pages),
                "sections": packed_sections(record.sections),
                "details": record.details,
            }
            tables.insert(
                "parts", ((document, part, data, seal(record.name, part, data)) for part, data in parts.items())
            )
            tables.insert(
                "runs", ((document, run.first, run.data, seal(record.name, run.first, run.data)) for run in record.runs)
            )
            first = tables.next_passage(len(record.passages))
            tables.insert(
                "passages",
                (_passage_row(number, document, passage) for number, passage in enumerate(record.passages, first)),
            )
            _insert_origins(
                tables, record.name, document, {*map(named, origins), *(origin for (origin,) in before if origin)}
            )
            _note_change(tables, record.name, 1 - deleted, len(record.passages) - lost)
        return tuple(range(first, first + len(record.passages)))

    def remove(self, name: str) -> None:
        """Remove a document; a `DocumentNotFoundError` if there is none with that name."""
        with self._writing() as tables:
            deleted, lost = _deleted(tables, name)
            if not deleted:
                raise missing(name)
            _note_change(tables, name, -deleted, -lost)

    def set_source(self, name: str, source: Source) -> None:
        """Record the file that contains a document now."""
        with self._writing() as tables:
            for number, *row in tables.rows("SELECT * FROM documents WHERE name = ?", (name,)):
                *described, sealed = row
                check(sealed, "what is known of a document", *described)
                described[-4:] = _source_row(source)
                tables.rows(
                    "UPDATE documents SET source = ?, size = ?, mtime_ns = ?, reading = ?, seal = ? WHERE id = ?",
                    (*described[-4:], seal(*described), number),
                )

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Record that these documents were found in a folder or by a glob."""
        with self._writing() as tables:
            for name in names:
                for (number,) in tables.rows("SELECT id FROM documents WHERE name = ?", (name,)):
                    _insert_origins(tables, name, number, [named(origin)])

    def _writing(self) -> AbstractContextManager[Database]:
        """A transaction, which is committed at the end of the context, or rolled back on an error."""
        raise NotImplementedError


def missing(name: str) -> DocumentNotFoundError:
    """The error for a name that no document has."""
    return DocumentNotFoundError(f"The corpus has no document named {name!r}.", document=name)


def _deleted(tables: Database, name: str) -> tuple[int, int]:
    """Delete the document with that name; the numbers of deleted documents (0 or 1) and passages."""
    rows = tables.rows("DELETE FROM documents WHERE name = ? RETURNING passages", (name,))
    return len(rows), sum(passages for (passages,) in rows)


def _note_change(tables: Database, name: str, documents: int, passages: int) -> None:
    """Append a row to the history of changes: the changed document, and the new totals of documents and passages."""
    before, had, had_passages = 0, 0, 0
    for *row, sealed in tables.rows("SELECT * FROM changes ORDER BY sequence DESC LIMIT 1"):
        check(sealed, "the history of changes", *row)
        before, _, _, had, had_passages = row
    now = (before + 1, name, secrets.token_hex(8), had + documents, had_passages + passages)
    tables.insert("changes", [(*now, seal(*now))])


def _insert_document(tables: Database, record: Record, source: Source | None) -> int:
    row = (
        *(record.name, record.id, record.format, int(record.paged)),
        *(record.lines, len(record.pages), len(record.passages)),
        *_source_row(source),
    )
    ((number,),) = tables.rows(
        "INSERT INTO documents (name, digest, format, paged, lines, pages, passages, source, size, mtime_ns, reading, "
        "seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (*row, seal(*row)),
    )
    return int(number)


def _source_row(source: Source | None) -> tuple[str | int | None, ...]:
    return (named(source.path), source.size, source.mtime_ns, source.reading) if source else (None, None, None, None)


def _passage_row(number: int, document: int, passage: Passage) -> tuple[object, ...]:
    row = (passage.line_start, passage.line_end, passage.page, passage.section, passage.text, packed_blocks(passage))
    return (number, document, *row, seal(number, passage.document, *row))


def _insert_origins(tables: Database, name: str, document: int, origins: Iterable[str]) -> None:
    for origin in origins:
        tables.rows(
            "INSERT INTO origins VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (origin, document, seal(origin, name))
        )


class WriteLock:
    """The lock for writing to a corpus, across threads and processes, as a `spanwise.store.port.Lock`."""

    def __init__(self, corpus: Path | None) -> None:
        """Create the lock of the corpus in the file `corpus`; None for one in memory, which only threads share."""
        self._corpus = corpus
        self._thread = threading.Lock()

    @contextmanager
    def held(self, wait: float = 0) -> Iterator[None]:
        """Hold the lock, or raise a `CorpusBusyError` if it is not released in time.

        Args:
            wait: Most seconds to wait for another thread, and for another process, to release the lock.
        """
        if not self._thread.acquire(timeout=wait):
            raise CorpusBusyError(
                f"Another thread is writing to the corpus {self._corpus or 'in memory'}; try again when it is done.",
                path=str(self._corpus or ""),
            )
        try:
            with self._file_held(self._corpus, wait) if self._corpus else nullcontext():
                yield
        finally:
            self._thread.release()

    @contextmanager
    def _file_held(self, corpus: Path, wait: float) -> Iterator[None]:
        # Importing it loads asyncio and more, which a corpus in memory or one that is only read does not need.
        from filelock import FileLock, Timeout

        lock = FileLock(f"{corpus}.lock", timeout=wait, poll_interval=0.01)
        try:
            lock.acquire()
        except Timeout:
            raise CorpusBusyError(
                f"Another process is writing to the corpus {corpus}; try again when it is done.", path=str(corpus)
            ) from None
        except OSError as error:
            raise StorageError(
                f"The corpus {corpus} cannot be written ({error.strerror or error}); "
                "check the permissions of its folder."
            ) from error
        try:
            yield
        finally:
            lock.release()
