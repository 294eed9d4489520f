"""Where rows go: JSON Lines, CSV or SQLite, each of which knows what it already holds, so that a run can be resumed."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol, TypeAlias

from spanwise.errors import InputError, StorageError
from spanwise.export.plain import FORMULA
from spanwise.export.plain import cell as formula_safe
from spanwise.extraction.rows import COLUMNS, Row

Key: TypeAlias = tuple[str, str, str, str, str, str]
"""What makes a field of a document the same one: document, document_id, name, question, type, shape."""

_KEY = ("document", "document_id", "name", "question", "type", "shape")
_INTEGERS = ("item", "of", "page", "line_start", "line_end")


def key_of(row: Row) -> Key:
    """The key of a row."""
    return row.document, row.document_id, row.name, row.question, row.type or "", row.shape or ""


class Sink(Protocol):
    """Rows on their way out."""

    def held(self) -> set[Key]:
        """The fields that are already there with all their rows."""
        ...

    def keep(self, keys: set[Key]) -> None:
        """Drop rows of the documents and names of `keys` that are not these: stale ones, and halves of a killed run."""
        ...

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows; when this returns they survive a kill."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


@contextlib.contextmanager
def open_sink(path: Path | None) -> Iterator[Sink]:
    """A sink by the file's name: `.jsonl`, `.csv`, `.sqlite` or `.db`; JSON Lines on standard output for None.

    Raises:
        InputError: The name has another ending, or the file there holds something else.
        StorageError: The file cannot be written.
    """
    sink = _sink(path)
    try:
        yield sink
    finally:
        sink.close()


def _sink(path: Path | None) -> Sink:
    if path is None:
        return _Stream()
    kinds: dict[str, Callable[[Path], Sink]] = {".jsonl": _JsonLines, ".csv": _Csv, ".sqlite": _Sqlite, ".db": _Sqlite}
    kind = kinds.get(path.suffix.lower())
    if kind is None:
        raise InputError(f"{str(path)!r}: give a name that ends in .jsonl, .csv or .sqlite")
    try:
        return kind(path)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error


class _Stream:
    """JSON Lines on standard output: nothing is held, nothing can be resumed."""

    def held(self) -> set[Key]:
        return set()

    def keep(self, keys: set[Key]) -> None:
        del keys

    def write(self, rows: Sequence[Row]) -> None:
        sys.stdout.buffer.write("".join(map(_json_line, rows)).encode("utf-8", "surrogatepass"))
        sys.stdout.buffer.flush()

    def close(self) -> None:
        pass


class _TextFile(ABC):
    """A file of records that is appended to, and written anew when stale records have to go."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._records = list(self._read())
        self._file: IO[bytes] | None = None
        with path.open("ab"):  # a place that cannot be written to is told before the work, not after
            pass

    def held(self) -> set[Key]:
        counted = Counter(_key(record) for record in self._records)
        wanted = {_key(record): max(1, int(str(record["of"]))) for record in self._records}
        return {key for key, count in counted.items() if count == wanted[key]}

    def keep(self, keys: set[Key]) -> None:
        places = {(key[0], key[2]) for key in keys}
        whole = self.held()
        kept = [
            record
            for record in self._records
            if _key(record) in whole and (_key(record) in keys or (_key(record)[0], _key(record)[2]) not in places)
        ]
        beside = self._path.with_name(f".{self._path.name}.new")
        with _told(self._path):
            with beside.open("wb") as file:
                file.write(self._head() + b"".join(self._bytes(record) for record in kept))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        self._records = kept

    def write(self, rows: Sequence[Row]) -> None:
        with _told(self._path):
            if self._file is None:
                self._file = self._path.open("ab")
            self._file.write(b"".join(self._bytes(self._record(row)) for row in rows))
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @abstractmethod
    def _read(self) -> Iterable[Mapping[str, object]]:
        """The records that are there, without the half one of a run that was killed."""

    @abstractmethod
    def _record(self, row: Row) -> Mapping[str, object]:
        """A row as it is kept."""

    @abstractmethod
    def _bytes(self, record: Mapping[str, object]) -> bytes:
        """A record as it is written."""

    def _head(self) -> bytes:
        return b""


class _JsonLines(_TextFile):
    def _read(self) -> Iterable[Mapping[str, object]]:
        if not self._path.exists():
            return
        *whole, tail = self._path.read_bytes().split(b"\n")
        del tail  # empty, or the half line of a run that was killed
        for number, line in enumerate(whole, start=1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict) or not set(COLUMNS) <= set(record):
                raise InputError(f"{self._path} holds something else (line {number}): give another file for the rows")
            yield record

    def _record(self, row: Row) -> Mapping[str, object]:
        return row.to_dict()

    def _bytes(self, record: Mapping[str, object]) -> bytes:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


class _Csv(_TextFile):
    """RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP advises."""

    def _read(self) -> Iterable[Mapping[str, object]]:
        if not self._path.exists() or not self._path.stat().st_size:
            return
        with self._path.open(encoding="utf-8-sig", errors="surrogatepass", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise InputError(f"{self._path} holds something else: give another file for the rows")
            for record in reader:
                if _is_whole(record):  # else the half line of a run that was killed
                    yield record

    def _record(self, row: Row) -> Mapping[str, object]:
        return {column: _cell(value) for column, value in row.to_dict().items()}

    def _bytes(self, record: Mapping[str, object]) -> bytes:
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n").writerow([record[column] for column in COLUMNS])
        return text.getvalue().encode("utf-8", "surrogatepass")

    def _head(self) -> bytes:
        return (",".join(COLUMNS) + "\r\n").encode()


class _Sqlite:
    """A table `extractions`; the rows of one document are one transaction."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._database = sqlite3.connect(path, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise
        except sqlite3.Error as error:
            raise InputError(f"{path} is not an SQLite database that can be written: {error}") from error

    def _prepare(self) -> None:
        with contextlib.closing(self._database.execute("PRAGMA table_info(extractions)")) as found:
            there = tuple(row[1] for row in found)
        if not there:
            columns = ", ".join(
                f'"{column}" {"INTEGER" if column in _INTEGERS else "REAL" if column == "confidence" else "TEXT"}'
                for column in COLUMNS
            )
            self._database.execute(f"CREATE TABLE extractions ({columns}, PRIMARY KEY (document, name, item))")
        elif there != COLUMNS:
            raise InputError(f"{self._path} has another table `extractions`: give another file for the rows")

    def held(self) -> set[Key]:
        asked = f"SELECT DISTINCT {', '.join(_KEY)} FROM extractions"  # noqa: S608  # the names of our own columns
        with contextlib.closing(self._database.execute(asked)) as rows:
            return {_as_key([value or "" for value in row]) for row in rows}

    def keep(self, keys: set[Key]) -> None:
        places = {(key[0], key[2]) for key in keys}
        stale = [key for key in self.held() if key not in keys and (key[0], key[2]) in places]
        with _told(self._path), self._transaction():
            self._database.executemany(
                "DELETE FROM extractions WHERE document = ? AND name = ?", [(key[0], key[2]) for key in stale]
            )

    def write(self, rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        put = f"INSERT OR REPLACE INTO extractions VALUES ({marks})"  # noqa: S608  # nothing but question marks
        values = [[_column(value) for value in row.to_dict().values()] for row in rows]
        with _told(self._path), self._transaction():
            self._database.executemany(put, values)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def close(self) -> None:
        self._database.close()


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}; what was written before is kept") from error
    except sqlite3.Error as error:
        raise StorageError(f"cannot write {path}: {error}; what was written before is kept") from error


def _json_line(row: Row) -> str:
    return json.dumps(row.to_dict(), ensure_ascii=False) + "\n"


def _key(record: Mapping[str, object]) -> Key:
    return _as_key([_unquoted(record[column]) for column in _KEY])


def _as_key(values: Sequence[str]) -> Key:
    document, document_id, name, question, type_, shape = values
    return document, document_id, name, question, type_, shape


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return formula_safe(value)
    return str(value)


def _unquoted(value: object) -> str:
    text = "" if value is None else str(value)
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def _is_whole(record: Mapping[str, str | None]) -> bool:
    """Whether the last column, a list in JSON, came to its end."""
    try:
        json.loads(record["citations"] or "")
    except (ValueError, RecursionError):
        return False
    return True


def _column(value: object) -> object:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value
