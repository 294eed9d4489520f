"""Registry of a server beside its first corpus: tokens as hashes, and collections made while it ran.

The ledger is the audit of questions: a quota for each token, and one line of a JSON Lines file for each question.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
    """Metadata of a token; the token itself is kept nowhere."""

    id: str
    label: str
    opens: frozenset[str] | None
    """Names of corpora; None for an operator's token, which opens all of them and the operator's page."""
    questions: int | None
    """That may be asked with it in a day (UTC); None is no limit."""
    made: str


@dataclass(frozen=True, slots=True)
class Titled:
    """A corpus that has a title of its own, and where it lies if it was made while the server ran."""

    name: str
    title: str
    folder: str | None


class Registry:
    """ServerTables of a server; several processes may use them, and where they are in a database several servers.

    A file is made when there is something to keep.
    """

    def __init__(self, corpus: Path | str) -> None:
        """Name them by the server's first corpus, a file or the URL of one in a database."""
        self.folder = server_folder(beside_of(corpus))
        """Folder of the server on this machine."""
        self.corpus = corpus
        place = self.folder / "server.db" if isinstance(corpus, Path) else corpus
        self._tables = ServerTables(place, _TABLES, shown(place), kind=_KIND)
        self._write = self._tables.rows

    # Tokens ----------------------------------------------------------------------------------------------------------

    def make_token(
        self, label: str, opens: Sequence[str] | None, *, questions: int | None = None, closed: bool = False
    ) -> tuple[Token, str]:
        """Make a token, and give what is kept of it and the token itself, which nobody can see again."""
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
        """The token with that SHA-256."""
        rows = self._read("SELECT id, label, opens, questions, made FROM tokens WHERE digest = ?", (digest,))
        return _token(rows[0]) if rows else None

    def has_tokens(self) -> bool:
        """True if everybody needs one."""
        return bool(self._read("SELECT 1 FROM tokens LIMIT 1"))

    def revoke(self, id: str, *, closed: bool = False) -> None:
        """Forget a token: what was signed in with it is out with the next request."""
        known = {one.id: one for one in self.tokens()}
        if id not in known:
            raise InputError(f"there is no token {id[:64]!r}: list the tokens")
        operators = [one for one in known.values() if one.opens is None]
        if not closed and operators == [known[id]] and len(known) > 1:
            raise InputError("this is the last operator's token: revoke the others first, or make another operator's")
        self._write("DELETE FROM tokens WHERE id = ?", (id,))

    def count_question(self, token: str) -> None:
        """Count a question of today."""
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
        """Questions of today by the ids of the tokens that have a quota."""
        return dict(self._read("SELECT token, questions FROM asked WHERE day = ?", (_now()[:10],)))

    # Collections -----------------------------------------------------------------------------------------------------

    def collections(self) -> tuple[Titled, ...]:
        """Corpora with a title of their own, by name."""
        return tuple(Titled(*row) for row in self._read("SELECT name, title, folder FROM collections ORDER BY name"))

    def add_collection(self, name: str, title: str, folder: str) -> bool:
        """Keep a corpus that is made here; False if somebody else has made one of that name meanwhile."""
        statement = "INSERT INTO collections VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING name"
        return bool(self._write(statement, (name, title, folder)))

    def keep_collection(self, name: str, title: str, folder: str | None) -> None:
        """Keep a title, and for a corpus that was made here its folder."""
        self._write(
            "INSERT INTO collections VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET title = excluded.title",
            (name, title, folder),
        )

    def drop_collection(self, name: str) -> None:
        """Forget a corpus, and that tokens opened it: one that is made later under its name is another one."""
        self._write("DELETE FROM collections WHERE name = ?", (name,))
        for token in self.tokens():
            if token.opens is not None and name in token.opens:
                left = " ".join(sorted(token.opens - {name}))
                self._write("UPDATE tokens SET opens = ? WHERE id = ?", (left, token.id))

    def close(self) -> None:
        """Let go of them; they are opened again when they are needed."""
        self._tables.close()

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return [] if self._tables.empty else self._write(query, values)


def server_folder(beside: Path) -> Path:
    """Where the server of a corpus keeps what is its own, given what the names of the corpus's files begin with."""
    return beside.with_name(f"{beside.name}.server")


def digest_of(token: str) -> str:
    """Digest that is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def title_of(given: str) -> str:
    """A title as it is kept: on one line, without what cannot be seen."""
    title = " ".join("".join(one if one.isprintable() else " " for one in given).split())[:LONGEST_TITLE].strip()
    if not title:
        raise InputError("a name needs at least one character that can be seen")
    return title


def name_of(title: str) -> str:
    """Name of a title in addresses."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:40].strip("-")
    return plain or "collection"


def _token(row: tuple[Any, ...]) -> Token:
    known, label, opens, questions, made = row
    return Token(known, label, None if opens is None else frozenset(opens.split()), questions, made)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


ASKER: ContextVar[str | None] = ContextVar("asker", default=None)
"""Id of the token that the request came with; None where none was asked for."""
_LARGEST = 64 * 1024 * 1024
"""Bytes of the file; then it is kept as `.1` in place of the one before, and a new one begun."""
log = logging.getLogger("spanwise.server")


@dataclass(slots=True)
class Ledger:
    """Notes each question of a server's corpora."""

    registry: Registry
    path: Path | None = None
    """Of the lines; None writes none."""
    content: bool = False
    """True if the question and the answer are written too."""
    failed: str | None = None
    """Why the last line could not be written."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def question(self, corpus: str, question: str) -> Iterator[list[Result]]:
        """Count a question, and write its line when the block ends; the result goes into the list that it gets."""
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
                if self.path.exists() and self.path.stat().st_size > _LARGEST:
                    self.path.replace(self.path.with_name(f"{self.path.name}.1"))
                with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.failed = None
        except OSError as problem:  # the answer is given all the same; the operator's page and the log say so
            self.failed = f"{self.path} cannot be written ({problem.strerror})"
            log.error("a line of the audit is lost: %s", self.failed)  # noqa: TRY400  # the reason says all
