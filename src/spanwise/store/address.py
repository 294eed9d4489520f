"""The address of a corpus: a file, or a PostgreSQL schema given by a URL whose password is never printed."""

from __future__ import annotations

import getpass
import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from spanwise.errors import InputError

_SCHEMES = ("postgresql://", "postgres://")
_SSL_MODES = ("disable", "prefer", "require", "verify-ca", "verify-full")
_OPTIONS = ("host", "port", "user", "password", "dbname", "schema", "sslmode", "sslrootcert")
_LONGEST_SCHEMA = 32
"""Most bytes of a schema name that can be the prefix of another one; PostgreSQL keeps 63 bytes of a name."""
_FORM = "postgresql://USER@HOST:PORT/DATABASE, with the password in the variable PGPASSWORD"


@dataclass(frozen=True, slots=True)
class Address:
    """A corpus in PostgreSQL; `str` of it is the URL without the password."""

    host: str
    """A host name, an IP address, or the absolute path of the folder of a Unix socket."""
    port: int
    user: str
    password: str | None = field(repr=False)
    database: str
    schema: str
    sslmode: str
    sslrootcert: str | None

    @property
    def socket(self) -> str | None:
        """The path of the server's Unix socket; None if it is reached over TCP."""
        return f"{self.host}/.s.PGSQL.{self.port}" if self.host.startswith("/") else None

    @property
    def name(self) -> str:
        """A short name of the corpus for people: that of the schema, or of the database for the default schema."""
        return self.database if self.schema == "spanwise" else self.schema

    def beside(self, variable: str, otherwise: str) -> Path:
        """The folder of this corpus on this machine: in that of an XDG variable, else in `otherwise` at home."""
        key = hashlib.sha256(f"{self.host}\n{self.port}\n{self.database}\n{self.schema}".encode()).hexdigest()
        base = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), otherwise)
        return Path(base, "spanwise", f"postgresql-{key[:24]}")

    def __str__(self) -> str:
        host = "" if self.socket else quote(self.host, safe=":")
        host = f"[{host}]" if ":" in host else host
        options = {"host": self.host if self.socket else "", "schema": "" if self.schema == "spanwise" else self.schema}
        told = urlencode({name: value for name, value in options.items() if value}, safe="/")
        place = f"postgresql://{quote(self.user)}@{host}:{self.port}/{quote(self.database)}"
        return f"{place}?{told}" if told else place


def in_schema(url: str, folder: str) -> str:
    """The URL of a corpus next to another one, in a schema of its own in the same database.

    Args:
        url: The URL of the other corpus.
        folder: The end of the new schema's name, at most 30 characters.
    """
    place, _, query = url.partition("?")
    options = dict(parse_qsl(query)) | {"schema": f"{schemas_beside(address_of(url))}{folder}"}
    return f"{place}?{urlencode(options)}"


def schemas_beside(address: Address) -> str:
    """Prefix of the names of the schemas that are made next to a corpus."""
    schema = address.schema
    if len(schema.encode()) > _LONGEST_SCHEMA:
        schema = hashlib.sha256(schema.encode()).hexdigest()[:16]
    return f"{schema}:"


def is_address(given: str | os.PathLike[str]) -> bool:
    """True if a corpus is given by the URL of a database."""
    return isinstance(given, str) and given.startswith(_SCHEMES)


def shown(given: str | os.PathLike[str]) -> str:
    """The name of a corpus as it may be printed, without password."""
    return str(address_of(given)) if isinstance(given, str) and is_address(given) else os.fspath(given)


def address_of(url: str) -> Address:
    """The address in a URL; missing parts are taken from the environment variables of PostgreSQL's own programs."""
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        port = int(options.get("port") or parts.port or os.environ.get("PGPORT") or 5432)
    except ValueError:  # the error's own message would show the password
        raise InputError(f"the URL of the database cannot be read: write it as {_FORM}") from None
    if unknown := [name for name in options if name not in _OPTIONS]:
        raise InputError(f"{unknown[0]!r} is no option of a database's URL: there are {', '.join(_OPTIONS)}")
    sslmode = options.get("sslmode") or os.environ.get("PGSSLMODE") or "prefer"
    if sslmode not in _SSL_MODES:
        raise InputError(f"{sslmode!r} is no sslmode: there are {', '.join(_SSL_MODES)}")
    user = options.get("user") or unquote(parts.username or "") or os.environ.get("PGUSER") or getpass.getuser()
    given = options.get("password") or unquote(parts.password or "") or os.environ.get("PGPASSWORD")
    found = Address(
        host=options.get("host") or unquote(parts.hostname or "") or os.environ.get("PGHOST") or "localhost",
        port=port,
        user=user,
        password=given or None,
        database=options.get("dbname") or unquote(parts.path[1:]) or os.environ.get("PGDATABASE") or user,
        schema=options.get("schema") or "spanwise",
        sslmode=sslmode,
        sslrootcert=options.get("sslrootcert"),
    )
    if parts.fragment or any("\0" in one for one in (found.host, found.user, found.database, found.schema)):
        raise InputError(f"the URL of the database cannot be read: write it as {_FORM}, special characters as %XX")
    return found
