"""The plan of `spanwise serve`: corpora, tokens and limits from options, environment and a TOML file.

`spanwise token` makes, lists and revokes the tokens of such a server.
"""

from __future__ import annotations

import ipaddress
import json
import math
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import typer

from spanwise.cli.doctor import SERVER_NEEDS, installed_package
from spanwise.cli.output import printable
from spanwise.engine import BY_NOBODY, NO_SEARCH, Search, Written
from spanwise.errors import InputError, MissingExtraError, install_line
from spanwise.readers.port import Limits as ReadingLimits
from spanwise.serving.corpus_library import DEFAULT_NAME
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.server_registry import Registry, Token
from spanwise.store.address import address_of, is_address

DEFAULT_FILE = "spanwise.db"
TOKEN = "SPANWISE_TOKEN"  # noqa: S105  # the name of a variable
MOST_WORKERS = 128
SHORTEST_TOKEN = 16
"""Least characters of a token, so that it cannot be guessed by trying."""
_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)", re.DOTALL)
_LARGEST_FILE = 1_000_000
_TOP = tuple(
    "host port workers token model models base_url context_window mode profile embedder embedder_url reranker hosts "
    "proxies corpora limits server audit uploads".split()
)
_CORPUS = tuple(
    "file token tokens model models base_url context_window mode profile embedder embedder_url reranker".split()
)
_BOUNDS = tuple(
    "connections body_bytes body_seconds threads waiting question_seconds upload_seconds rate burst grace_seconds "
    "heartbeat_seconds look_seconds".split()
)
_ABOVE_ZERO = frozenset(
    "threads readers burst body_seconds question_seconds upload_seconds heartbeat_seconds look_seconds picture_seconds "
    "seconds cpu_seconds".split()
)
"""Limits with which a server would do nothing, or nothing else, if they were 0."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command; None or empty if not given."""

    corpora: tuple[str, ...] = ()
    host: str | None = None
    port: int | None = None
    written: Written = BY_NOBODY
    profile: str | None = None
    token: str | None = field(default=None, repr=False)
    config: str | None = None
    open: bool = False
    workers: int | None = None
    search: Search = NO_SEARCH


@dataclass(frozen=True, slots=True)
class PlannedCorpus:
    """A corpus to open."""

    name: str
    file: str
    written: Written
    profile: str | None
    search: Search = NO_SEARCH
    models: tuple[str, ...] = ()
    """Further models that clients may choose."""
    tokens: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """The complete configuration of a server."""

    corpora: tuple[PlannedCorpus, ...]
    host: str
    port: int
    hosts: tuple[str, ...]
    """Further host names of the server."""
    proxies: tuple[str, ...]
    """Addresses and networks of trusted proxies, whose headers give the client's address and scheme."""
    limits: Limits
    bounds: Mapping[str, int | float]
    """Values for fields of `ServerSettings`."""
    token: str | None = field(default=None, repr=False)
    """A token for all corpora."""
    workers: int = 1
    """Number of processes."""
    audit: Path | None = None
    """The audit log, in the server's folder by default; None for none."""
    audit_content: bool = False
    """True to log questions and answers, too."""
    uploads: Path | None = None
    """A folder that all servers of the corpora reach under the same path; None for one beside each corpus."""

    @property
    def loopback(self) -> bool:
        """True if only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def planned(asked: Asked, environment: Mapping[str, str] = os.environ, *, checked: bool = True) -> Plan:
    """The plan from options, environment and file, in this order of precedence.

    Raises:
        InputError: Something is unreadable, unknown, or would give strangers access (unless not `checked`).
    """
    config = _Table({}, "the command") if asked.config is None else _read(Path(asked.config))
    config.only(_TOP)
    plan = Plan(
        corpora=tuple(_corpora(asked, config, environment)),
        host=asked.host or config.text("host") or "127.0.0.1",
        port=asked.port if asked.port is not None else config.number("port", 8000),
        hosts=tuple(config.texts("hosts")),
        proxies=tuple(_network(one) for one in config.texts("proxies")),
        limits=_limits(config.table("limits")),
        bounds=_bounds(config.table("server")),
        token=asked.token or environment.get(TOKEN) or config.text("token"),
        workers=asked.workers if asked.workers is not None else config.number("workers", 1),
    )
    audit = config.table("audit")
    audit.only(("file", "content", "off"))
    uploads = config.text("uploads")
    place = Path(audit.text("file") or registry_of(plan).folder / "audit.jsonl")
    plan = replace(
        plan,
        audit=None if audit.flag("off") else place.absolute(),
        audit_content=audit.flag("content"),
        uploads=None if uploads is None else Path(uploads).absolute(),
    )
    if checked:
        _check(plan)
    return plan


def registry_of(plan: Plan) -> Registry:
    """The server's registry."""
    file = plan.corpora[0].file
    return Registry(file if is_address(file) else Path(file).absolute())


def check_token(token: str) -> None:
    """Check the length of a token.

    Raises:
        InputError: It is too short.
    """
    if len(token) < SHORTEST_TOKEN:
        raise InputError(f"the token is too short: give at least {SHORTEST_TOKEN} characters that nobody can guess")


def _check(plan: Plan) -> None:
    names = [corpus.name for corpus in plan.corpora]
    if len(set(names)) < len(names):
        raise InputError("two corpora have one name: give each its own, --corpus NAME=FILE")
    if not 1 <= plan.workers <= MOST_WORKERS:
        raise InputError(f"{plan.workers} processes cannot serve: give 1 to {MOST_WORKERS}")
    if not 0 <= plan.port <= 65_535:
        raise InputError(f"{plan.port} is no port: give a number from 1 to 65535, or 0 for a free one")
    given = [token for token in (plan.token, *(token for one in plan.corpora for token in one.tokens)) if token]
    for token in given:
        check_token(token)
    kept = registry_of(plan)
    if kept.has_tokens():  # made by `spanwise token`, including an operator's
        kept.close()
        return
    closed = [corpus.name for corpus in plan.corpora if not corpus.tokens]
    if plan.token is None and closed and (given or not plan.loopback):
        if not given:
            raise InputError(
                f"{printable(plan.host)} can be reached from other machines: give a token (--token, or better {TOKEN} "
                "in the environment; or spanwise token make NAME --operator), or listen to 127.0.0.1"
            )
        variable = _variable(closed[0])
        raise InputError(
            f"no token opens the corpus {closed[0]}: set {variable}, name one in the file of --config, or give --token "
            "for all corpora"
        )


def _corpora(asked: Asked, config: _Table, environment: Mapping[str, str]) -> list[PlannedCorpus]:
    tables = config.tables("corpora")
    named = _named(asked.corpora)
    files = {name: table.needed("file") for name, table in tables.items()} | named
    if not files:
        files = {DEFAULT_NAME: DEFAULT_FILE}
    found = []
    for name, file in files.items():
        table = tables.get(name, _Table({}, name))
        table.only(_CORPUS)
        either = partial(_either, table, config)
        own = environment.get(_variable(name))
        tokens = [own] if own else [*filter(None, [table.text("token")]), *table.texts("tokens")]
        found.append(
            PlannedCorpus(
                name=name,
                file=file,
                written=Written(
                    asked.written.model or either("model"),
                    asked.written.mode or either("mode"),
                    asked.written.base_url or either("base_url"),
                    asked.written.context_window
                    or table.number("context_window", config.number("context_window", 0))
                    or None,
                ),
                profile=asked.profile or either("profile"),
                search=Search(
                    asked.search.embedder or either("embedder"),
                    asked.search.url or either("embedder_url"),
                    asked.search.reranker or either("reranker"),
                ),
                models=tuple(table.texts("models") or config.texts("models")),
                tokens=tuple(tokens),
            )
        )
    return found


def _either(table: _Table, config: _Table, name: str) -> str | None:
    """The setting for one corpus, or else for all of them."""
    return table.text(name) or config.text(name)


def _named(given: Sequence[str]) -> dict[str, str]:
    """Files by name, from `FILE` or `NAME=FILE`; a single file without a name is the default corpus."""
    files: dict[str, str] = {}
    for one in given:
        match = _NAMED.fullmatch(one)
        if match:
            name, file = match[1], match[2]
        else:
            name, file = DEFAULT_NAME if len(given) == 1 else _stem(one), one
        if name in files:
            raise InputError(f"two corpora are called {name}: give each its own name, --corpus NAME=FILE")
        files[name] = file
    return files


def _stem(file: str) -> str:
    file = address_of(file).name if is_address(file) else file
    return re.sub(r"[^A-Za-z0-9._-]+", "-", Path(file).stem).strip("-._")[:64] or DEFAULT_NAME


def _variable(name: str) -> str:
    return f"{TOKEN}_{re.sub(r'[^A-Za-z0-9]', '_', name).upper()}"


def _network(given: str) -> str:
    try:
        return str(ipaddress.ip_network(given))
    except ValueError:
        raise InputError(
            f"{given!r} in proxies is no address: give one as 10.0.0.7, or a network as 10.0.0.0/8"
        ) from None


def _limits(table: _Table) -> Limits:
    known = asdict(Limits())
    table.only(known)
    counts = {name: table.like(name, default) for name, default in known.items() if name != "reading"}
    return Limits(reading=_reading_limits(table.table("reading")), **counts)


def _reading_limits(table: _Table) -> ReadingLimits:
    known = asdict(Limits().reading)
    table.only(known)
    return ReadingLimits(**{name: table.like(name, default) for name, default in known.items()})


def _bounds(table: _Table) -> dict[str, int | float]:
    from spanwise.server.server_settings import ServerSettings

    table.only(_BOUNDS)
    known = asdict(ServerSettings())
    return {name: table.like(name, known[name]) for name in _BOUNDS if name in table.values}


def _read(path: Path) -> _Table:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is larger than {_LARGEST_FILE:,} bytes: it is no configuration")
        return _Table(tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the file, with typed access to its values; raises `InputError` for a wrong type."""

    values: Mapping[str, object]
    where: str

    def only(self, known: Sequence[str] | Mapping[str, object]) -> None:
        unknown = [name for name in self.values if name not in known]
        if unknown:
            raise InputError(f"{self.where} has no setting {unknown[0]!r}: there are {', '.join(known)}")

    def text(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is not None and (not isinstance(value, str) or not value):
            raise InputError(f"{self.where}: {name} is a text")
        return value

    def needed(self, name: str) -> str:
        value = self.text(name)
        if value is None:
            raise InputError(f"{self.where}: {name} is missing")
        return value

    def texts(self, name: str) -> list[str]:
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise InputError(f"{self.where}: {name} is a list of texts")
        return value

    def number(self, name: str, default: int) -> int:
        value = self.values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{self.where}: {name} is a whole number")
        return value

    def like(self, name: str, default: T) -> T:
        """A finite number of the type of its default, at least 0, or above it if it has to be."""
        value = self.values.get(name, default)
        kinds = (int,) if isinstance(default, int) else (int, float)
        fits = isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value < math.inf
        if not fits or (value == 0 and name in _ABOVE_ZERO):
            least = "above 0" if name in _ABOVE_ZERO else "0 or more"
            raise InputError(f"{self.where}: {name} is {'a whole number' if kinds == (int,) else 'a number'}, {least}")
        return type(default)(value)  # type: ignore[call-arg]

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise InputError(f"{self.where}: {name} is true or false")
        return value

    def table(self, name: str) -> _Table:
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise InputError(f"{self.where}: {name} is a table, [{name}]")
        return _Table(value, f"{self.where}: [{name}]")

    def tables(self, name: str) -> dict[str, _Table]:
        return {key: self.table(name).table(key) for key in self.table(name).values}


def server_installed() -> None:
    """Check that the server's libraries are installed.

    Raises:
        MissingExtraError: One is not installed.
    """
    missing = [name for name in SERVER_NEEDS if not installed_package(name)]
    if missing:
        raise MissingExtraError(f"the server needs {', '.join(missing)}: {install_line('server')}")


def run_token(
    action: str,
    name: str,
    opens: Sequence[str],
    operator: bool,
    questions: int | None,
    corpus: str | None,
    config: str | None,
    as_json: bool,
) -> int:
    """Make, list or revoke tokens of the server with this configuration; returns the exit code.

    Raises:
        InputError: The arguments are invalid.
        MissingExtraError: The server's libraries are not installed.
    """
    server_installed()
    # Not checked: this command is how the tokens that a check would demand are made.
    plan = planned(Asked(corpora=(corpus,) if corpus else (), config=config, host="127.0.0.1"), checked=False)
    fixed = plan.token is not None or any(one.tokens for one in plan.corpora)
    with closing(registry_of(plan)) as registry:
        if action == "list":
            _print_all(registry, as_json)
        elif action == "make":
            if bool(opens) == operator:
                raise InputError("say what it opens: --opens NAME of a corpus, or --operator for everything")
            known = {one.name for one in plan.corpora} | {one.name for one in registry.collections()}
            if unknown := [one for one in opens if one not in known]:
                raise InputError(f"there is no corpus {unknown[0]!r}: there are {', '.join(sorted(known))}")
            made, token = registry.make_token(name, None if operator else opens, questions=questions, closed=fixed)
            typer.echo(json.dumps(_told(made, {}) | {"token": token}) if as_json else token)
            typer.echo("spanwise: keep it now, it is shown only this once", err=True)
        elif action == "revoke":
            registry.revoke(name, closed=fixed)
            typer.echo(f"spanwise: {printable(name)} opens nothing any more", err=True)
        else:
            raise InputError(f"there is no action {printable(action)!r} for tokens: choose make, list or revoke")
    return 0


def _print_all(registry: Registry, as_json: bool) -> None:
    asked = registry.asked_today()
    told = [_told(one, asked) for one in registry.tokens()]
    if as_json:
        typer.echo(json.dumps(told, indent=2))
        return
    if not told:
        typer.echo("spanwise: no token was made yet: spanwise token make NAME --operator makes one", err=True)
    for one in told:
        opens = one["corpora"]
        names = "everything (operator)" if opens is None else ", ".join(map(str, opens)) or "nothing"  # type: ignore[call-overload]
        quota = "" if one["questions"] is None else f", {one['asked_today']} of {one['questions']} questions today"
        typer.echo(printable(f"{one['id']}  {one['label']}: opens {names}{quota}, made {str(one['made'])[:10]}"))


def _told(token: Token, asked: dict[str, int]) -> dict[str, object]:
    return {
        "id": token.id,
        "label": token.label,
        "corpora": None if token.opens is None else sorted(token.opens),
        "questions": token.questions,
        "asked_today": None if token.questions is None else asked.get(token.id, 0),
        "made": token.made,
    }
