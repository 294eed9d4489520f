"""`spanwise mcp`: the tools of a corpus for agents, over standard input and output or over HTTP."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.cli.doctor import installed_package
from spanwise.cli.http_server import listening, run_server, within_limits
from spanwise.cli.output import printable, stderr
from spanwise.cli.serve_plan import TOKEN, check_token
from spanwise.engine import NO_SEARCH, Search, Written
from spanwise.errors import InputError, MissingExtraError, install_line
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import give_freed_memory_back
from spanwise.store.address import shown as shown_corpus

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from spanwise.server.server_settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Address:
    """The address that the server listens on, and its token."""

    host: str
    port: int
    token: str | None = field(repr=False)

    @property
    def loopback(self) -> bool:
        """True if only this machine can reach it."""
        return self.host in ("127.0.0.1", "localhost", "::1")


def run_mcp(
    corpus: str,
    written: Written,
    profile: str | None,
    roots: Sequence[str],
    address: Address | None,
    search: Search = NO_SEARCH,
) -> int:
    """Serve until the client disconnects or the user stops it; returns the exit code.

    Args:
        corpus: The corpus; created if it does not exist.
        written: The model that writes the answers.
        profile: The kind of documents.
        roots: Folders whose files may be indexed; only over standard input and output.
        address: The address to listen on; None for standard input and output.
        search: Embedder and reranker for hybrid search.

    Raises:
        InputError: An argument is invalid.
        MissingExtraError: The SDK is not installed.
    """
    if not installed_package("mcp"):
        raise MissingExtraError(f"the MCP server needs its SDK: {install_line('mcp')}")
    give_freed_memory_back()
    model = written.chosen()
    opened = partial(Library.open, corpus, model=model, mode=written.mode, profile=profile, hybrid=search.hybrid())
    if address is None:
        return _over_stdio(opened, roots)
    if roots:
        raise InputError("over HTTP documents come as content, and no path is read: leave --root out")
    return _over_http(corpus, opened, checked(address))


def checked(address: Address) -> Address:
    """The address, with the token from the environment if none was given.

    Raises:
        InputError: Other machines could reach it without a token, or the token is too short.
    """
    token = address.token or os.environ.get(TOKEN) or None
    if token is None and not address.loopback:
        raise InputError(
            f"{address.host} can be reached from other machines: give a token (--token, or better {TOKEN} in the "
            "environment), or listen to 127.0.0.1"
        )
    if token is not None:
        check_token(token)
    return Address(address.host, address.port, token)


def _over_stdio(opened: Callable[[], Library], roots: Sequence[str]) -> int:
    from spanwise.mcp.indexing import OfFiles, Roots
    from spanwise.mcp.server import Server

    allowed = Roots(roots or [_here()])
    with opened() as library:
        Server(library, OfFiles(library, allowed)).run("stdio")
    return 0


def _here() -> Path:
    """The current folder, unless it is the root of the file system, as agents may start programs there."""
    here = Path.cwd()
    if here.parent == here:
        raise InputError("say whose files may be indexed: --root DIR (the current folder is the whole machine)")
    return here


def _over_http(corpus: str, opened: Callable[[], Library], address: Address) -> int:
    from spanwise.mcp.server import PATH

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    with (
        listening(address.host, address.port) as listener,
        opened() as library,
    ):

        async def started() -> None:
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            stderr().print(
                printable(f"spanwise: serving {shown_corpus(corpus)} at http://{shown}:{port}{PATH}"), markup=False
            )

        run_server(_app(library, within_limits(_settings(address), 1)), listener, started=started)
    return 0


def _app(library: Library, settings: ServerSettings) -> Starlette:
    from spanwise.mcp.server import LARGEST_BODY, PATH, Endpoint
    from spanwise.server.middleware import alone
    from spanwise.server.server_settings import MountedApp

    endpoint = Endpoint(library)
    return alone(MountedApp(PATH, endpoint, library.name, LARGEST_BODY, endpoint.running), settings)


def _settings(address: Address) -> ServerSettings:
    from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of

    known = ServerSettings()
    tokens = {} if address.token is None else {digest_of(address.token): frozenset([EVERYTHING])}
    return replace(known, tokens=tokens, hosts=known.hosts if address.loopback else None)
