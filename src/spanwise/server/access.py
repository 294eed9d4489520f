"""Access control: tokens and sessions, checks of host and origin, and rate limits."""

from __future__ import annotations

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from spanwise.server.http_problems import ProblemError
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.serving.server_registry import ASKER, Registry

LONGEST = 12 * 60 * 60.0
"""Seconds after which a session ends."""
MOST = 1_000
"""Most sessions at the same time; the oldest are ended first."""
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Session:
    """A session: the token that it was opened with, and when it ends."""

    token: str
    """SHA-256 of the token."""
    names: frozenset[str]
    """Names of the corpora that it gave access to when it began."""
    until: float


class Sessions:
    """The open sessions, by the digest of their id; used on the event loop only, so without a lock."""

    def __init__(
        self, *, most: int = MOST, seconds: float = LONGEST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._open: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, token: str, names: frozenset[str]) -> str:
        """Begin a session for a valid token; returns its id, which cannot be guessed."""
        self._forget_old()
        while len(self._open) >= self._most:
            del self._open[next(iter(self._open))]
        made = secrets.token_urlsafe(_BYTES)
        self._open[digest_of(made)] = Session(digest_of(token), names, self._clock() + self._seconds)
        return made

    def find(self, id: str) -> Session | None:
        """The session with that id; None if there is none, or it has ended."""
        found = self._open.get(digest_of(id))
        return found if found is not None and self._clock() < found.until else None

    def end(self, id: str) -> None:
        """Delete a session."""
        self._open.pop(digest_of(id), None)

    def clear(self) -> None:
        """Delete all sessions."""
        self._open.clear()

    def _forget_old(self) -> None:
        now = self._clock()
        for key in [key for key, session in self._open.items() if session.until <= now]:
            del self._open[key]


def cookie_name(scope: Scope) -> str:
    """The name of the session cookie; it includes the port, as browsers share cookies between all ports of a host."""
    port = (scope.get("server") or (None, None))[1]
    return f"spanwise_session_{port}" if port else "spanwise_session"


def session_id(scope: Scope) -> str | None:
    """The session id in a request's cookie; None if there is none."""
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(cookie_name(scope)) or None


OPEN_TO_ALL = ("/v1/health", "/v1/ready", "/v1/session", "/v1/openapi.json", "/v1/docs")
"""Paths of the API that need no token; what is not part of the API (the page) needs none either."""
_CLOSED = ("/v1/", "/mcp", "/metrics")
_SAFE = ("GET", "HEAD", "OPTIONS")
_LONGEST_TOKEN = 1_000
_REALM = {"WWW-Authenticate": 'Bearer realm="spanwise"'}
_MOST_CLIENTS = 10_000


class Access:
    """Decides about a request from its headers alone, before any of its body is read."""

    def __init__(self, settings: ServerSettings, registry: Registry | None = None) -> None:
        """Use the tokens of the settings and those in the registry, which were made while the server ran."""
        self.sessions = Sessions()
        self._registry = registry
        self._settings = settings
        self._requests = Buckets(settings.rate, settings.burst)
        self._forged = Buckets(settings.forged_rate, settings.forged_burst)

    def corpora(self, scope: Scope) -> frozenset[str] | None:
        """The names of the corpora that the request may use; None for all.

        Raises:
            ProblemError: The request is refused: 401 (token), 403 (origin), 421 (host) or 429 (rate limit).
        """
        headers = Headers(scope=scope)
        self._check_host(headers)
        self._check_origin(scope["method"], headers)
        client = scope["client"][0] if scope.get("client") else "unknown"
        if not self.asks:
            self._admit(client)
            return None
        path: str = scope["path"]
        if path in OPEN_TO_ALL or not path.startswith(_CLOSED):
            self._admit(client)
            return frozenset()
        token = bearer(headers)
        if token is None:
            return self._signed_in(session_id(scope), client)
        opened = self.opened_by(token, client)
        self._admit(digest_of(token))
        return opened

    def names_now(self, scope: Scope) -> frozenset[str] | None:
        """The corpora that a long-running request may still use; empty once its token is revoked, None for all."""
        if not self.asks:
            return None
        token, known = bearer(Headers(scope=scope)), session_id(scope)
        session = None if token is not None or known is None else self.sessions.find(known)
        digest = digest_of(token[:_LONGEST_TOKEN]) if token is not None else session.token if session else ""
        return self._granted(digest) or frozenset()

    @property
    def asks(self) -> bool:
        """True if requests need a token."""
        return self.fixed or (self._registry is not None and self._registry.has_tokens())

    @property
    def fixed(self) -> bool:
        """True if requests need a token whichever tokens are made or revoked."""
        return bool(self._settings.tokens) or self._settings.closed

    def opened_by(self, token: str, client: str) -> frozenset[str]:
        """The names of the corpora that a token gives access to; raises `ProblemError` for a wrong one."""
        opened = self._granted(digest_of(token[:_LONGEST_TOKEN]))
        if opened is None:
            # Only wrong tokens are slowed: behind a proxy they come from the same address as right ones.
            self._wait(self._forged.take(client), "Too many wrong tokens came from here")
            raise ProblemError(401, "token_wrong", "This token opens nothing here.", _REALM)
        return opened

    def _signed_in(self, id: str | None, client: str) -> frozenset[str]:
        session = self.sessions.find(id) if id is not None else None
        if session is None:
            self._admit(client)
            why = "This needs a token" if id is None else "The session is over"
            raise ProblemError(401, "token_missing", f"{why}: send Authorization: Bearer TOKEN.", _REALM)
        self._admit(session.token)
        opened = self._granted(session.token)
        if opened is None:
            raise ProblemError(
                401, "token_wrong", "The token that was given here was revoked: ask for another.", _REALM
            )
        return opened

    def _granted(self, digest: str) -> frozenset[str] | None:
        """The corpora that a token gives access to, by its digest, or None; also sets `ASKER` for the ledger."""
        opened = granted_to(self._settings.tokens, digest)
        if opened is not None:
            ASKER.set(digest[:8])
            return opened
        known = None if self._registry is None else self._registry.token_of(digest)
        if known is None:
            return None
        ASKER.set(known.id)
        return frozenset([EVERYTHING]) if known.opens is None else known.opens

    def _admit(self, client: str) -> None:
        self._wait(self._requests.take(client), "Too many requests came from here")

    def _wait(self, seconds: int, why: str) -> None:
        if seconds:
            raise ProblemError(
                429, "too_many_requests", f"{why}: try again in {seconds} s.", {"Retry-After": str(seconds)}
            )

    def _check_host(self, headers: Headers) -> None:
        """Refuse other host names: another site can make its own name point to this machine (DNS rebinding)."""
        if self._settings.hosts is None:
            return
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name not in self._settings.hosts:
            raise ProblemError(421, "wrong_host", "This server does not answer under that name.")

    def _check_origin(self, method: str, headers: Headers) -> None:
        """Refuse requests from pages of other sites that would change something."""
        if method in _SAFE:
            return
        origin = headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()
        if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ProblemError(403, "foreign_origin", "Pages of other sites may not do this.")


def granted_to(tokens: Mapping[str, frozenset[str]], given: str) -> frozenset[str] | None:
    """The corpora that the token with that digest gives access to; None if it is unknown."""
    found = None
    for digest, names in tokens.items():
        if hmac.compare_digest(digest, given):
            found = names
    return found


def bearer(headers: Headers) -> str | None:
    """The bearer token in the header Authorization; None if there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


class Buckets:
    """A token bucket for each client, for rate limiting; safe to use from several threads."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Set the rate in requests per second (0 for no limit) and the size of the bucket."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._lock = threading.Lock()
        self._levels: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> int:
        """Count a request of a client; returns 0, or the seconds until its next request is allowed."""
        if not self._rate:
            return 0
        with self._lock:
            level = self._level(client)
            if level < 1:
                self._levels[client] = (level, self._clock())
                return math.ceil((1 - level) / self._rate)
            self._store(client, level - 1)
            return 0

    def _level(self, client: str) -> float:
        level, at = self._levels.get(client, (float(self._burst), self._clock()))
        return min(float(self._burst), level + (self._clock() - at) * self._rate)

    def _store(self, client: str, level: float) -> None:
        if len(self._levels) >= _MOST_CLIENTS and client not in self._levels:
            # The client whose last request is the oldest has the fullest bucket, so forgetting it costs least.
            del self._levels[min(self._levels, key=lambda one: self._levels[one][1])]
        self._levels[client] = (level, self._clock())
