"""Who may come in: a token or a session, the name the server is reached by, the page a request comes from."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.types import Scope

from spanwise.server.problems import ProblemError
from spanwise.server.rate_limit import Buckets
from spanwise.server.sessions import Sessions, session_id
from spanwise.server.settings import ServerSettings, digest_of

OPEN_TO_ALL = ("/v1/health", "/v1/ready", "/v1/session", "/v1/openapi.json", "/v1/docs")
"""Paths of the API that need no token; what is not of the API (the page) needs none either."""
_CLOSED = ("/v1/", "/mcp")
_SAFE = ("GET", "HEAD", "OPTIONS")
_LONGEST_TOKEN = 1_000
_REALM = {"WWW-Authenticate": 'Bearer realm="spanwise"'}


class Access:
    """Decides about one request by its headers alone, before anything of its body is read."""

    def __init__(self, settings: ServerSettings) -> None:
        self.sessions = Sessions()
        self._settings = settings
        self._requests = Buckets(settings.rate, settings.burst)
        self._forged = Buckets(settings.forged_rate, settings.forged_burst)

    def corpora(self, scope: Scope) -> frozenset[str] | None:
        """The names of the corpora that the request may use; None for all of them.

        Raises:
            ProblemError: It may not come in.
        """
        headers = Headers(scope=scope)
        self._check_host(headers)
        self._check_origin(scope["method"], headers)
        client = scope["client"][0] if scope.get("client") else "unknown"
        if not self._settings.tokens:
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

    def opened_by(self, token: str, client: str) -> frozenset[str]:
        """The names of the corpora that a token opens.

        Raises:
            ProblemError: It opens none, or too many wrong ones came from this address.
        """
        opened = granted(self._settings.tokens, token)
        if opened is None:
            # Wrong tokens alone are slowed: behind a proxy they come from the address of those who have a right one.
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
        return session.names

    def _admit(self, client: str) -> None:
        self._wait(self._requests.take(client), "Too many requests came from here")

    def _wait(self, seconds: int, why: str) -> None:
        if seconds:
            raise ProblemError(
                429, "too_many_requests", f"{why}: try again in {seconds} s.", {"Retry-After": str(seconds)}
            )

    def _check_host(self, headers: Headers) -> None:
        """A page elsewhere can have its own name point at this machine (DNS rebinding); then the name is not ours."""
        if self._settings.hosts is None:
            return
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name not in self._settings.hosts:
            raise ProblemError(421, "wrong_host", "This server does not answer under that name.")

    def _check_origin(self, method: str, headers: Headers) -> None:
        """What changes something may only come from programs and from our own page."""
        if method in _SAFE:
            return
        origin = headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()
        if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ProblemError(403, "foreign_origin", "Pages of other sites may not do this.")


def granted(tokens: Mapping[str, frozenset[str]], token: str) -> frozenset[str] | None:
    """What a token opens; the time that this takes says nothing about the tokens there are."""
    given = digest_of(token[:_LONGEST_TOKEN])
    found = None
    for digest, names in tokens.items():
        if hmac.compare_digest(digest, given):
            found = names
    return found


def bearer(headers: Headers) -> str | None:
    """The token of the header Authorization."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
