"""The registry of a server beside its first corpus: access tokens (as hashes), collections made while it ran, quotas.

The ledger counts questions against the daily quota of their token and writes an audit log, one JSON line per question.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanwise.errors import InputError, QuotaError
from spanwise.serving.server_tables import ServerTables, beside_of
from spanwise.store.address import shown

if TYPE_CHECKING:
    from spanwise.contract.result import Result


LONGEST_TITLE = 100
MOST_TOKENS = 1_000
MOST_COLLECTIONS = 100
_KIND = 0x53504E52, "the file of a server"  # "SPNR"
_PREFIX = "spw_"
_BYTES = 32
_TABLES = (
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, label TEXT NOT NULL, opens TEXT, "
    "questions INTEGER, made TEXT NOT NULL)",
    "CREATE TABLE collections (name TEXT PRIMARY KEY, title TEXT NOT NULL, folder TEXT)",
    "CREATE TABLE asked (token TEXT NOT NULL, day TEXT NOT NULL, questions INTEGER NOT NULL, "
    "PRIMARY KEY (token, day)) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class Token:
    """Metadata of an access token; the token itself is not stored."""

    id: str
    label: str
    opens: frozenset[str] | None
    """Names of the corpora that it gives access to.

    None for an operator's token, which gives access to all of them and to the operator's page.
    """
    questions: int | None
    """Daily quota of questions (UTC); None for no limit."""
    made: str


@dataclass(frozen=True, slots=True)
class Titled:
    """A corpus with a title of its own; `folder` is None unless it was made while the server ran."""

    name: str
    title: str
    folder: str | None


class Registry:
    """Tables of a server, in a file or in the corpus's database; several processes, or servers, may use them.

    A file is created only when there is something to store.
    """

    def __init__(self, corpus: Path | str) -> None:
        """Use the tables beside the server's first corpus, a file or the URL of a database."""
        self.folder = server_folder(beside_of(corpus))
        """The server's folder on this machine."""
        self.corpus = corpus
        place = self.folder / "server.db" if isinstance(corpus, Path) else corpus
        self._tables = ServerTables(place, _TABLES, shown(place), kind=_KIND)
        self._write = self._tables.rows

    # Tokens ----------------------------------------------------------------------------------------------------------

    def make_token(
        self, label: str, opens: Sequence[str] | None, *, questions: int | None = None, closed: bool = False
    ) -> tuple[Token, str]:
        """Create a token; returns its metadata and the token itself, which cannot be retrieved again.

        Raises:
            InputError: There are too many tokens, or a first token would lock out all operators (unless `closed`).
        """
        known = self.tokens()
        if len(known) >= MOST_TOKENS:
            raise InputError(f"there are {MOST_TOKENS} tokens already: revoke some")
        if opens is not None and not closed and not any(one.opens is None for one in known):
            raise InputError(
                "make an operator's token first: as soon as there is a token the server asks everybody for one, and "
                "without an operator's nobody could make or revoke others"
            )
        made = _PREFIX + secrets.token_urlsafe(_BYTES)
        token = Token(
            secrets.token_hex(4), title_of(label), None if opens is None else frozenset(opens), questions, _now()
        )
        names = None if token.opens is None else " ".join(sorted(token.opens))
        self._write(
            "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?)",
            (token.id, digest_of(made), token.label, names, questions, token.made),
        )
        return token, made

    def tokens(self) -> tuple[Token, ...]:
        """All tokens, the oldest first."""
        return tuple(map(_token, self._read("SELECT id, label, opens, questions, made FROM tokens ORDER BY made, id")))

    def token_of(self, digest: str) -> Token | None:
        """The token with that SHA-256; None if there is none."""
        rows = self._read("SELECT id, label, opens, questions, made FROM tokens WHERE digest = ?", (digest,))
        return _token(rows[0]) if rows else None

    def has_tokens(self) -> bool:
        """True if there is any token, so that every request needs one."""
        return bool(self._read("SELECT 1 FROM tokens LIMIT 1"))

    def revoke(self, id: str, *, closed: bool = False) -> None:
        """Delete a token; sessions that were opened with it end with their next request.

        Raises:
            InputError: There is no such token, or it is the last operator's and others remain (unless `closed`).
        """
        known = {one.id: one for one in self.tokens()}
        if id not in known:
            raise InputError(f"there is no token {id[:64]!r}: list the tokens")
        operators = [one for one in known.values() if one.opens is None]
        if not closed and operators == [known[id]] and len(known) > 1:
            raise InputError("this is the last operator's token: revoke the others first, or make another operator's")
        self._write("DELETE FROM tokens WHERE id = ?", (id,))

    def count_question(self, token: str) -> None:
        """Count a question against today's quota of a token; raises `QuotaError` if that is used up."""
        day = _now()[:10]
        rows = self._read("SELECT questions FROM tokens WHERE id = ?", (token,))
        if not rows or rows[0][0] is None:
            return
        ((asked,),) = self._write(
            "INSERT INTO asked VALUES (?, ?, 1) ON CONFLICT (token, day) DO UPDATE SET questions = asked.questions + 1 "
            "RETURNING questions",
            (token, day),
        )
        if asked == 1:
            self._write("DELETE FROM asked WHERE day < ?", (day,))
        if asked > rows[0][0]:
            raise QuotaError(
                f"This token may ask {rows[0][0]:,} questions a day, and has: come again tomorrow (UTC), or ask the "
                "operator for more."
            )

    def asked_today(self) -> dict[str, int]:
        """The number of today's questions, by the ids of the tokens with a quota."""
        return dict(self._read("SELECT token, questions FROM asked WHERE day = ?", (_now()[:10],)))

    # Collections -----------------------------------------------------------------------------------------------------

    def collections(self) -> tuple[Titled, ...]:
        """Corpora with a title of their own, ordered by name."""
        return tuple(Titled(*row) for row in self._read("SELECT name, title, folder FROM collections ORDER BY name"))

    def add_collection(self, name: str, title: str, folder: str) -> bool:
        """Register a corpus that is being made; False if one of that name has been registered meanwhile."""
        statement = "INSERT INTO collections VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING name"
        return bool(self._write(statement, (name, title, folder)))

    def keep_collection(self, name: str, title: str, folder: str | None) -> None:
        """Store a corpus's title, and its folder if it was made here."""
        self._write(
            "INSERT INTO collections VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET title = excluded.title",
            (name, title, folder),
        )

    def drop_collection(self, name: str) -> None:
        """Delete a corpus, and remove it from all tokens, as a later one of the same name is a different corpus."""
        self._write("DELETE FROM collections WHERE name = ?", (name,))
        for token in self.tokens():
            if token.opens is not None and name in token.opens:
                left = " ".join(sorted(token.opens - {name}))
                self._write("UPDATE tokens SET opens = ? WHERE id = ?", (left, token.id))

    def close(self) -> None:
        """Close the tables; they are opened again when needed."""
        self._tables.close()

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return [] if self._tables.empty else self._write(query, values)


def server_folder(beside: Path) -> Path:
    """The folder for the server's own files, from the path prefix of a corpus's files."""
    return beside.with_name(f"{beside.name}.server")


def digest_of(token: str) -> str:
    """The SHA-256 of a token, in hexadecimal, under which it is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def title_of(given: str) -> str:
    """A title as it is stored: on one line, without invisible characters; raises `InputError` if nothing is left."""
    title = " ".join("".join(one if one.isprintable() else " " for one in given).split())[:LONGEST_TITLE].strip()
    if not title:
        raise InputError("a name needs at least one character that can be seen")
    return title


def name_of(title: str) -> str:
    """The name for URLs that is derived from a title."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:40].strip("-")
    return plain or "collection"


def _token(row: tuple[Any, ...]) -> Token:
    known, label, opens, questions, made = row
    return Token(known, label, None if opens is None else frozenset(opens.split()), questions, made)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


ASKER: ContextVar[str | None] = ContextVar("asker", default=None)
"""Id of the token of the current request; None if no token was required."""
_LARGEST = 64 * 1024 * 1024
"""Size in bytes beyond which the log is renamed to `.1`, replacing the one before, and a new one begun."""
log = logging.getLogger("spanwise.server")


@dataclass(slots=True)
class Ledger:
    """Records each question of a server's corpora."""

    registry: Registry
    path: Path | None = None
    """The audit log; None to write none."""
    content: bool = False
    """True to write question and answer, too."""
    failed: str | None = None
    """Why the last line could not be written; None if it was."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def question(self, corpus: str, question: str) -> Iterator[list[Result]]:
        """Count a question, and log it when the block ends.

        The block appends the result to the list that is yielded.
        """
        asker = ASKER.get()
        if asker is not None:
            self.registry.count_question(asker)
        began = time.monotonic()
        answers: list[Result] = []
        error: str | None = None
        try:
            yield answers
        except GeneratorExit:
            error = "stopped" if not answers else None
            raise
        except BaseException as problem:
            error = type(problem).__name__
            raise
        finally:
            self._write(corpus, question, asker, answers[-1] if answers else None, error, time.monotonic() - began)

    def _write(
        self, corpus: str, question: str, asker: str | None, result: Result | None, error: str | None, seconds: float
    ) -> None:
        if self.path is None:
            return
        line: dict[str, object] = {
            "when": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "corpus": corpus,
            "token": asker,
            "trace_id": None if result is None else result.trace_id,
            "decision": None if result is None else result.decision.kind,
            "confidence": None if result is None else round(float(result.confidence), 3),
            "citations": 0 if result is None else len(result.citations),
            "milliseconds": round(seconds * 1000),
            "error": error,
        }
        if self.content:
            line |= {"question": question, "answer": None if result is None else result.text}
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                _append(self.path, json.dumps(line, ensure_ascii=False) + "\n")
            self.failed = None
        except OSError as problem:  # the answer is given all the same; the operator's page and the log report it
            self.failed = f"{self.path} cannot be written ({problem.strerror})"
            log.error("a line of the audit is lost: %s", self.failed)  # noqa: TRY400  # the reason says all


def _append(path: Path, line: str) -> None:
    """Append a line to a log, or to a new one if it is long; several processes may do so at the same time."""
    older = path.with_name(f"{path.name}.1")
    while True:
        made = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)  # it may have questions and answers
        with os.fdopen(made, "a", encoding="utf-8", errors="backslashreplace") as file:
            if fcntl is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
            status = os.fstat(file.fileno())
            try:
                if not os.path.samestat(status, path.stat()):
                    continue  # another process has just renamed it
            except FileNotFoundError:
                continue
            if status.st_size <= _LARGEST:
                file.write(line)
                return
            if fcntl is not None:
                path.replace(older)
        if fcntl is None:  # on such a system an open file cannot be renamed
            path.replace(older)


try:
    import fcntl
except ImportError:  # a system without such locks, where only one process serves a corpus
    fcntl = None  # type: ignore[assignment]
