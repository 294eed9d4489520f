"""A sink that writes a Parquet file.

A Parquet file can only be written as a whole, so rows are collected in an SQLite journal beside it until the end.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from spanwise.errors import InputError, MissingExtraError, StorageError, install_line
from spanwise.extraction.databases import SqliteTable
from spanwise.extraction.value_rows import COLUMNS, FAILED, KEY, FieldKey, FieldKeys, Row, Version, stale

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise MissingExtraError(f"Parquet needs pyarrow: {install_line('parquet')}") from error

_ROWS_A_GROUP = 50_000
_INTEGERS = ("item", "of", "page", "line_start", "line_end")
_NUMBERS = ("confidence", "cost_usd")
_KINDS = dict.fromkeys(_INTEGERS, pa.int64()) | dict.fromkeys(_NUMBERS, pa.float64()) | {"found": pa.bool_()}
SCHEMA = pa.schema([(column, _KINDS.get(column, pa.string())) for column in COLUMNS])
"""The columns of the file; `typed` and `citations` are JSON texts."""


class ParquetFile:
    """A Parquet file; the journal of an interrupted run is beside it as `.NAME.rows`, and is continued."""

    def __init__(self, path: Path) -> None:
        """Open the journal of an interrupted run, and check that an existing file has these columns."""
        self._path = path
        self._journal_path = path.with_name(f".{path.name}.rows")
        self._journal: SqliteTable | None = SqliteTable(self._journal_path) if self._journal_path.exists() else None
        if path.exists():
            try:
                found = tuple(pq.read_schema(path).names)
            except (pa.ArrowInvalid, OSError):
                found = ()
            if found != COLUMNS:
                self.close()
                raise InputError(f"{path} holds something else: give another file for the rows")
        elif not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            self.close()
            raise StorageError(f"cannot write {path}: its folder is not there, or cannot be written")

    def held(self) -> FieldKeys:
        """The fields with rows in the journal, else in the file, grouped by document version."""
        if self._journal is not None:
            return self._journal.held()
        if not self._path.exists():
            return {}
        of_first = [("item", "=", 0), ("decision", "!=", FAILED)]
        table = pq.read_table(self._path, columns=list(KEY), filters=of_first)
        columns = [[value or "" for value in table.column(name).to_pylist()] for name in KEY]
        found: dict[Version, set[FieldKey]] = {}
        same: dict[FieldKey, FieldKey] = {}
        for document, id_, *rest in zip(*columns, strict=True):
            asked = tuple(rest)
            found.setdefault((document, id_), set()).add(same.setdefault(asked, asked))
        return found

    def keep(self, keys: FieldKeys) -> None:
        """Delete the rows that are stale with respect to `keys`."""
        if any(stale(self.held(), keys)):
            self._opened().keep(keys)

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows to the journal."""
        self._opened().write(rows)

    def finish(self) -> None:
        """Write the file from the journal, in the order in which rows were added, and delete the journal."""
        if self._journal is None:
            if not self._path.exists():
                pq.write_table(SCHEMA.empty_table(), self._path)
            return
        beside = self._path.with_name(f".{self._path.name}.new")
        rows = self._journal.database.execute("SELECT * FROM extractions ORDER BY rowid")
        try:
            with pq.ParquetWriter(beside, SCHEMA, compression="zstd") as writer:
                while some := rows.fetchmany(_ROWS_A_GROUP):
                    columns = dict(zip(COLUMNS, zip(*some, strict=True), strict=True))
                    columns["found"] = tuple(map(bool, columns["found"]))
                    writer.write_table(pa.table({name: list(columns[name]) for name in COLUMNS}, schema=SCHEMA))
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise StorageError(f"cannot write {self._path}: {error.strerror or error}; the rows are kept") from error
        finally:
            rows.close()
        self.close()
        self._journal_path.unlink()

    def close(self) -> None:
        """Close the journal."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _opened(self) -> SqliteTable:
        """The journal; a new one starts with the rows of the existing file."""
        if self._journal is None:
            making = self._journal_path.with_suffix(".making")
            making.unlink(missing_ok=True)
            journal = SqliteTable(making)
            if self._path.exists():
                marks = ", ".join("?" * len(COLUMNS))
                journal.database.execute("BEGIN")
                for batch in pq.ParquetFile(self._path).iter_batches():
                    columns = [batch.column(name).to_pylist() for name in COLUMNS]
                    journal.database.executemany(
                        f"INSERT INTO extractions VALUES ({marks})",  # noqa: S608  # question marks only
                        zip(*columns, strict=True),
                    )
                journal.database.execute("COMMIT")
            journal.close()
            making.replace(self._journal_path)  # so an existing journal is always complete
            self._journal = SqliteTable(self._journal_path)
        return self._journal
