"""Sinks for rows: text files, database tables, Parquet; and tables for people.

A sink knows which fields it already has, so that a run can be resumed. `side_by_side` makes a table for people: a row
for each document, and for each field its value, its place and its quote.
"""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import io
import json
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pydantic import TypeAdapter
from pydantic_core import from_json

from spanwise.domain.claim import Citation
from spanwise.errors import InputError, StorageError
from spanwise.export.plain import FORMULA, cell, where
from spanwise.extraction.value_rows import COLUMNS, FAILED, FieldKey, FieldKeys, Row, Version, stale
from spanwise.store.address import Address, address_of, is_address

Records: TypeAlias = Iterable[Mapping[str, object]]
TABLE = "extractions"
"""The name of a table of rows."""
_TABLE_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class Sink(Protocol):
    """A destination of rows."""

    def held(self) -> FieldKeys:
        """The fields whose rows are complete, by document version; without those that failed, which are asked again."""
        ...

    def keep(self, keys: FieldKeys) -> None:
        """Delete the rows that are stale with respect to `keys`, and incomplete ones of a killed run."""
        ...

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows; they are durable when this returns."""
        ...

    def close(self) -> None:
        """Close the sink."""
        ...


@contextlib.contextmanager
def open_sink(place: str | os.PathLike[str] | None) -> Iterator[Sink]:
    """A sink given by its name; JSON Lines on standard output for None.

    Args:
        place: A file that ends in `.jsonl`, `.csv`, `.sqlite`, `.db` or `.parquet` (extra `parquet`), or the URL of a
            PostgreSQL database (extra `postgres`), with `table=NAME` among its options (`extractions` by default).
    """
    sink = _sink(place)
    try:
        yield sink
        if (finish := getattr(sink, "finish", None)) is not None:
            finish()
    finally:
        sink.close()


def _sink(place: str | os.PathLike[str] | None) -> Sink:
    if place is None:
        return _Stream()
    if isinstance(place, str) and is_address(place):
        from spanwise.extraction.databases import PostgresTable

        return PostgresTable(place)
    path = Path(place)
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise InputError(
            f"{str(path)!r}: give a name that ends in .jsonl, .csv or .sqlite, or in .parquet, or a postgresql:// URL"
        )
    try:
        return kind(path)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error


def table_of(url: str) -> tuple[Address, str]:
    """The schema in the URL of a table, and the name of the table; raises `InputError` if it cannot be read."""
    try:
        parts = urlsplit(url)
    except ValueError:  # raises an error that hides the password
        return address_of(url), TABLE
    options = dict(parse_qsl(parts.query))
    name = options.pop("table", TABLE)
    if not _TABLE_NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot name a table: use small letters, digits and '_', at most 63")
    return address_of(urlunsplit(parts._replace(query=urlencode(options)))), name


def shown_place(place: str) -> str:
    """The place of rows as it may be printed, without a password."""
    return str(table_of(place)[0]) if is_address(place) else place


class RowsInMemory:
    """A sink that only collects rows in a list."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def held(self) -> FieldKeys:
        """An empty mapping."""
        return {}

    def keep(self, keys: FieldKeys) -> None:
        """Do nothing, because there are no earlier rows."""

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        self.rows.extend(rows)

    def close(self) -> None:
        """Do nothing."""


class _Stream(RowsInMemory):
    """JSON Lines on standard output, which cannot be resumed."""

    def write(self, rows: Sequence[Row]) -> None:
        sys.stdout.buffer.write("".join(map(_json_line, rows)).encode("utf-8", "surrogatepass"))
        sys.stdout.buffer.flush()


class _TextFile(ABC):
    """A file of records that is appended to, and rewritten if stale records have to be deleted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._torn = False
        """True if the file ends in an incomplete record, or lacks its header."""
        self._missing: dict[Version, dict[FieldKey, int]] = {}
        """For each field the number of rows that are missing; negative or above 0 if incomplete."""
        same: dict[FieldKey, FieldKey] = {}  # a million rows have few different fields
        try:
            for record in self._read():
                version, asked = self._key(record)
                missing = self._missing.setdefault(version, {})
                if (left := missing.get(asked)) is None:
                    asked = same.setdefault(asked, asked)
                    left = -1 if record["decision"] == FAILED else max(1, int(str(record["of"])))
                missing[asked] = left - 1
        except InputError:
            raise
        except ValueError as error:  # another program has saved it in an encoding or with numbers of its own
            raise InputError(
                f"{path} cannot be gone on from, another program has changed it ({error}): move it away, or give "
                "another file for the rows"
            ) from error
        with path.open("ab"):  # a place that cannot be written fails now, not after the work
            pass

    def held(self) -> FieldKeys:
        whole = ((version, {one for one, left in some.items() if not left}) for version, some in self._missing.items())
        return {version: some for version, some in whole if some}

    def keep(self, keys: FieldKeys) -> None:
        held = self.held()
        gone = dict(stale(held, keys))
        kept = {version: some - gone.get(version, set()) for version, some in held.items()}
        if not self._torn and all(len(kept.get(version, ())) == len(some) for version, some in self._missing.items()):
            return
        beside = self._path.with_name(f".{self._path.name}.new")
        with _told(self._path):
            with beside.open("wb") as file:
                file.write(self._head())
                for record in self._read():
                    version, asked = self._key(record)
                    if asked in kept.get(version, ()):
                        file.write(self._bytes(record))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        self._missing = {version: dict.fromkeys(some, 0) for version, some in kept.items()}
        self._torn = False

    def write(self, rows: Sequence[Row]) -> None:
        with _told(self._path):
            if self._file is None:
                self._file = self._path.open("ab")
            self._file.write(b"".join(self._bytes(self._record(row)) for row in rows))
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # `write` has already reported the rows it could not write
                self._file.close()

    @abstractmethod
    def _read(self) -> Records:
        """The complete records in the file, without an incomplete one of a killed run."""

    @abstractmethod
    def _text(self, value: object) -> str:
        """A part of a key, decoded from a record."""

    def _key(self, record: Mapping[str, object]) -> tuple[Version, FieldKey]:
        text = self._text
        return (text(record["document"]), text(record["document_id"])), (
            text(record["name"]),
            text(record["question"]),
            text(record["type"]),
            text(record["shape"]),
        )

    @abstractmethod
    def _record(self, row: Row) -> Mapping[str, object]:
        """The record for a row."""

    @abstractmethod
    def _bytes(self, record: Mapping[str, object]) -> bytes:
        """The bytes of a record in the file."""

    def _head(self) -> bytes:
        return b""


class _JsonLines(_TextFile):
    def _read(self) -> Records:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    self._torn = True  # the incomplete line of a killed run
                    return
                record = _parsed(line)
                if not isinstance(record, dict) or not record.keys() >= _COLUMNS:
                    raise InputError(
                        f"{self._path} holds something else (line {number}): give another file for the rows"
                    )
                yield record

    def _text(self, value: object) -> str:
        return value if isinstance(value, str) else "" if value is None else str(value)

    def _record(self, row: Row) -> Mapping[str, object]:
        return row.to_dict()

    def _bytes(self, record: Mapping[str, object]) -> bytes:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


class _Csv(_TextFile):
    """CSV by RFC 4180; an apostrophe is put before cells that a spreadsheet would run as formulas, as OWASP advises."""

    def _read(self) -> Records:
        if not self._path.exists() or not self._path.stat().st_size:
            self._torn = True
            return
        with self._path.open(encoding="utf-8-sig", errors="surrogatepass", newline="") as file:
            csv.field_size_limit(_LONGEST_CELL)  # otherwise what this has written itself may be too long to go on from
            reader = csv.reader(file)
            if tuple(next(reader, ())) != COLUMNS:
                raise InputError(f"{self._path} holds something else: give another file for the rows")
            try:
                for cells in reader:
                    if len(cells) == len(COLUMNS) and _is_json(cells[-1]):
                        yield dict(zip(COLUMNS, cells, strict=True))
                    elif cells:
                        self._torn = True  # the incomplete line of a killed run
            except csv.Error as error:
                raise InputError(
                    f"{self._path} cannot be gone on from ({error}): move it away, or write the rows as .jsonl"
                ) from error
        with self._path.open("rb") as whole:
            whole.seek(-1, os.SEEK_END)
            self._torn = self._torn or whole.read() != b"\n"

    def _text(self, value: object) -> str:
        text = "" if value is None else str(value)
        return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text

    def _record(self, row: Row) -> Mapping[str, object]:
        return {column: _cell(value) for column, value in row.to_dict().items()}

    def _bytes(self, record: Mapping[str, object]) -> bytes:
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n").writerow([record[column] for column in COLUMNS])
        return text.getvalue().encode("utf-8", "surrogatepass")

    def _head(self) -> bytes:
        return (",".join(COLUMNS) + "\r\n").encode()


def _sqlite(path: Path) -> Sink:
    from spanwise.extraction.databases import SqliteTable

    return SqliteTable(path)


def _parquet(path: Path) -> Sink:
    from spanwise.extraction.parquet import ParquetFile

    return ParquetFile(path)


_KINDS: dict[str, Callable[[Path], Sink]] = {
    ".jsonl": _JsonLines,
    ".csv": _Csv,
    ".sqlite": _sqlite,
    ".db": _sqlite,
    ".parquet": _parquet,
}
_COLUMNS = frozenset(COLUMNS)
_LONGEST_CELL = 2**31 - 1


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}; what was written before is kept") from error


def _parsed(line: bytes) -> object:
    try:
        return from_json(line)
    except ValueError:  # a lone surrogate, which is not valid UTF-8 but was written
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return None


def _json_line(row: Row) -> str:
    return json.dumps(row.to_dict(), ensure_ascii=False) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return cell(value)
    return str(value)


def _is_json(text: str) -> bool:
    """True if the last column, a JSON list, is complete."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


Table: TypeAlias = Sequence[Sequence[str]]

_LONGEST = 32_000
"""Most characters of a cell, slightly fewer than a spreadsheet allows."""
_WIDE, _WIDEST = 16, 48
_MADE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""The creation date of every workbook, fixed so that the same rows give the same bytes."""


def side_by_side(rows: Sequence[Mapping[str, object]]) -> Table:
    """The table of an extraction, with its header first."""
    fields = list(dict.fromkeys(str(row["name"]) for row in rows))
    documents: dict[str, dict[str, list[Mapping[str, object]]]] = {}
    for row in rows:
        documents.setdefault(str(row["document"]), {}).setdefault(str(row["name"]), []).append(row)
    head = ["Document", *(name for field in fields for name in (field, f"{field}: where", f"{field}: quote"))]
    lines = [
        [document, *(text for field in fields for text in _cells(found.get(field, ())))]
        for document, found in documents.items()
    ]
    return [head, *lines]


def _cells(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """The values, places and quotes of one field in one document; without a value, the reason is the place."""
    return ["; ".join(filter(None, texts)) for texts in zip(*map(_texts, rows), strict=True)] or ["", "", ""]


def _texts(row: Mapping[str, object]) -> tuple[str, str, str]:
    if not row["found"]:
        return "", str(row["reason"]), ""
    citations = row["citations"]
    first = citations[0] if isinstance(citations, Sequence) and citations else None
    place = where(TypeAdapter(Citation).validate_python(first)) if first is not None else ""
    return str(row["value"] or ""), place, str(row["quote"] or "")


def csv_bytes(table: Table) -> bytes:
    """The table as CSV (RFC 4180) in UTF-8 with a byte order mark; no cell is run as a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([[cell(one) for one in line] for line in table])
    return text.getvalue().encode("utf-8-sig", "replace")


def xlsx_bytes(table: Table) -> bytes:
    """The table as an XLSX workbook with frozen header and document column; every cell is text, none is a formula."""
    from xlsxwriter import Workbook

    made = io.BytesIO()
    with Workbook(made, {"in_memory": True}) as book:
        book.set_properties({"created": _MADE})
        sheet = book.add_worksheet("Table")
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bg_color": "#E9E7E2"})
        body = book.add_format({"text_wrap": True, "valign": "top"})
        for down, line in enumerate(table):
            for across, text in enumerate(line):
                readable = text[:_LONGEST].encode("utf-8", "replace").decode()
                sheet.write_string(down, across, readable, body if down else head)
        for across in range(len(table[0])):
            longest = max(len(line[across]) for line in table)
            sheet.set_column(across, across, min(_WIDEST, max(_WIDE, longest)))
        sheet.freeze_panes(1, 1)
    return made.getvalue()
