"""Sinks that write rows into a table of SQLite or PostgreSQL, those of one task in one transaction."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spanwise.errors import InputError, StorageError
from spanwise.extraction.sinks import TABLE, table_of
from spanwise.extraction.value_rows import COLUMNS, FAILED, KEY, FieldKey, FieldKeys, Row, Version, stale

_INTEGERS = ("item", "of", "page", "line_start", "line_end", "found")
_NUMBERS = ("confidence", "cost_usd")


class Table(ABC):
    """The logic that both databases share; subclasses run the statements."""

    _integer, _number = "INTEGER", "REAL"
    _gathered = "json_group_array(json_array({}))"

    def __init__(self, name: str) -> None:
        self._name = name
        self._held: FieldKeys | None = None

    def held(self) -> FieldKeys:
        """The fields with rows in the table, grouped by document version; a million rows are read in a few seconds."""
        if self._held is not None:
            return self._held
        document, document_id, *rest = KEY
        fields = self._gathered.format(", ".join(f"coalesce({column}, '')" for column in rest))
        asked = (
            f"SELECT {document}, {document_id}, {fields} FROM {self._name} "  # noqa: S608  # the name is checked
            f"WHERE item = 0 AND decision <> '{FAILED}' GROUP BY {document}, {document_id}"
        )
        lists: dict[str, frozenset[FieldKey]] = {}  # most documents are asked the same
        found: dict[Version, frozenset[FieldKey]] = {}
        for document, id_, listed in self._rows(asked):
            if listed not in lists:
                lists[listed] = frozenset(map(tuple, json.loads(listed)))
            found[document, id_] = lists[listed]
        self._held = found
        return found

    def keep(self, keys: FieldKeys) -> None:
        """Delete the rows that are stale with respect to `keys`."""
        gone = {(document, name) for (document, _), some in stale(self.held(), keys) for name, *_ in some}
        if gone:
            self._held = None
            with self._transaction():
                self._drop(sorted(gone))

    def write(self, rows: Sequence[Row]) -> None:
        """Insert rows, replacing those of the same fields."""
        self._held = None
        with self._transaction():
            self._drop(list({(row.document, row.name): None for row in rows}))
            self._insert([[_value(value) for value in row.to_dict().values()] for row in rows])

    def _prepare(self, there: tuple[str, ...], place: str) -> None:
        if not there:
            kinds = dict.fromkeys(_INTEGERS, self._integer) | dict.fromkeys(_NUMBERS, self._number)
            columns = ", ".join(f'"{column}" {kinds.get(column, "TEXT")}' for column in COLUMNS)
            self._rows(f"CREATE TABLE {self._name} ({columns}, PRIMARY KEY (document, name, item))")
        elif there != COLUMNS:
            raise InputError(f"{place} has another table `{self._name}`: give another one for the rows")

    @abstractmethod
    def _rows(self, statement: str) -> Sequence[tuple[Any, ...]]:
        """The resulting rows of a statement."""

    @abstractmethod
    def _drop(self, fields: Sequence[tuple[str, str]]) -> None:
        """Delete the rows of these fields, given as pairs of document and field name."""

    @abstractmethod
    def _insert(self, rows: Sequence[Sequence[object]]) -> None:
        """Insert complete rows."""

    @abstractmethod
    def _transaction(self) -> contextlib.AbstractContextManager[None]:
        """A transaction, which is rolled back on an error."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""


class SqliteTable(Table):
    """The table `extractions` in an SQLite file."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it."""
        super().__init__(TABLE)
        self._path = path
        try:
            self.database = sqlite3.connect(path, isolation_level=None)
            try:
                there = tuple(row[1] for row in self._rows(f"PRAGMA table_info({TABLE})"))
                self._prepare(there, str(path))
            except BaseException:
                self.database.close()
                raise
        except sqlite3.Error as error:
            raise InputError(f"{path} is not an SQLite database that can be written: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def _rows(self, statement: str) -> Sequence[tuple[Any, ...]]:
        with contextlib.closing(self.database.execute(statement)) as rows:
            return rows.fetchall()

    def _drop(self, fields: Sequence[tuple[str, str]]) -> None:
        self.database.executemany(f"DELETE FROM {TABLE} WHERE document = ? AND name = ?", fields)  # noqa: S608

    def _insert(self, rows: Sequence[Sequence[object]]) -> None:
        self.database.executemany(
            f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(COLUMNS))})",  # noqa: S608  # question marks only
            rows,
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.database.execute("ROLLBACK")
                raise
            self.database.execute("COMMIT")
        except sqlite3.Error as error:
            raise StorageError(f"cannot write {self._path}: {error}; what was written before is kept") from error


def _value(value: object) -> object:
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):  # lone surrogates cannot be stored as text
        return value.encode("utf-8", "replace").decode("utf-8")
    return int(value) if isinstance(value, bool) else value


class PostgresTable(Table):
    """A table in a schema of a PostgreSQL database."""

    _integer, _number = "BIGINT", "DOUBLE PRECISION"
    _gathered = "json_agg(json_build_array({}))::text"

    def __init__(self, url: str) -> None:
        """Connect, and create the table if it does not exist.

        Args:
            url: The URL as for a corpus (see `spanwise.store.address`), optionally with `table=NAME` among its options.
        """
        from spanwise.store.postgres import Postgres, quoted  # its driver is an extra, which SQLite does not need

        address, name = table_of(url)
        super().__init__(name)
        self._connection = Postgres(address)
        try:
            schema = quoted(address.schema)
            if not self._connection.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", (address.schema,)):
                self._connection.said(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            found = self._connection.rows(
                "SELECT column_name::text FROM information_schema.columns WHERE table_schema = ? AND "
                "table_name = ? ORDER BY ordinal_position",
                (address.schema, name),
            )
            self._prepare(tuple(row[0] for row in found), str(address))
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _rows(self, statement: str) -> Sequence[tuple[Any, ...]]:
        return self._connection.said(statement)

    def _drop(self, fields: Sequence[tuple[str, str]]) -> None:
        for document, field in fields:
            self._connection.rows(
                f"DELETE FROM {self._name} WHERE document = ? AND name = ?",  # noqa: S608  # the name is checked
                (document, field),
            )

    def _insert(self, rows: Sequence[Sequence[object]]) -> None:
        self._connection.insert(self._name, rows)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.said("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.end()
            raise
        self._connection.said("COMMIT")
