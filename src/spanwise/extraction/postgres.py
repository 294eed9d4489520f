"""Rows in a table of a PostgreSQL database."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from spanwise.errors import InputError
from spanwise.extraction.tables import TABLE, Table
from spanwise.store.address import Address, address_of
from spanwise.store.postgres import Postgres, quoted

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class PostgresTable(Table):
    """A table in a schema of a database."""

    _integer, _number = "BIGINT", "DOUBLE PRECISION"
    _gathered = "json_agg(json_build_array({}))::text"

    def __init__(self, url: str) -> None:
        """Connect, and make the table if there is none.

        Args:
            url: As of a corpus (see `spanwise.store.address`), with `table=NAME` among its options.
        """
        address, name = _named(url)
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
        """Let go of the database."""
        self._connection.close()

    def _rows(self, statement: str) -> Sequence[tuple[Any, ...]]:
        return self._connection.said(statement)

    def _drop(self, fields: Sequence[tuple[str, str]]) -> None:
        for document, field in fields:
            self._connection.rows(
                f"DELETE FROM {self._name} WHERE document = ? AND name = ?",  # noqa: S608  # a name that was checked
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


def _named(url: str) -> tuple[Address, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # told without the password that may be in it
        return address_of(url), TABLE
    options = dict(parse_qsl(parts.query))
    name = options.pop("table", TABLE)
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot name a table: use small letters, digits and '_', at most 63")
    return address_of(urlunsplit(parts._replace(query=urlencode(options)))), name
