"""`spanwise serve`: the HTTP API, the page and the MCP endpoint over one or several corpora, until told to end."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import webbrowser
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.cli.doctor import SERVER_NEEDS, installed_package
from spanwise.cli.output import printable, stderr
from spanwise.cli.serve_plan import Asked, Plan, planned
from spanwise.cli.uvicorn import listening, run_server, within_limits
from spanwise.engine import chosen_model
from spanwise.errors import MissingExtraError, install_line
from spanwise.store.address import is_address
from spanwise.store.address import shown as shown_corpus

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from spanwise.server.settings import MountedApp, ServerSettings
    from spanwise.server.shared import Shared
    from spanwise.serving.corpus_library import Library

_ANY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  # they are recognised, not listened to
_WITH_MODEL = 16
"""Questions at the same time where a model writes the answers."""


def run_serve(asked: Asked) -> int:
    """Serve until the process is told to end, and return the exit code.

    Raises:
        InputError: Something that was given cannot be used: a corpus, a token that is missing, a port that is taken.
        MissingExtraError: The libraries of the server are not installed.
    """
    missing = [name for name in SERVER_NEEDS if not installed_package(name)]
    if missing:
        raise MissingExtraError(f"the server needs {', '.join(missing)}: {install_line('server')}")
    from spanwise.serving.limits import give_freed_memory_back

    give_freed_memory_back()
    plan = planned(asked)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # of broken uploads their senders are told
    if plan.workers > 1:
        from spanwise.cli.workers import supervise

        with listening(plan.host, plan.port) as listener:
            return supervise(asked, plan.workers, listener, _database(plan))
    with ExitStack() as opened:
        listener = opened.enter_context(listening(plan.host, plan.port))
        shared = None
        if (place := _database(plan)) is not None:
            from spanwise.server.shared import Shared

            shared = opened.enter_context(closing(Shared(place)))
        _serve_all(plan, opened, listener, open_page=asked.open, shared=shared)
    _leave()
    return 0


def run_worker(asked: Asked, listener: socket.socket, known: tuple[Path | str, str], *, first: bool) -> None:
    """Serve as one of several processes on one socket.

    Args:
        asked: The options of the command.
        listener: The socket that all of them listen on.
        known: Where they keep what they know together, and what they have in common.
        first: Whether this one says that the server is there.
    """
    from spanwise.server.shared import Shared
    from spanwise.serving.limits import give_freed_memory_back

    give_freed_memory_back()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    with ExitStack() as opened:
        shared = opened.enter_context(closing(Shared(known[0], server=known[1])))
        _serve_all(planned(asked), opened, listener, open_page=asked.open and first, shared=shared, first=first)
    _leave()


def _serve_all(
    plan: Plan,
    opened: ExitStack,
    listener: socket.socket,
    *,
    open_page: bool,
    shared: Shared | None = None,
    first: bool = True,
) -> None:
    libraries = [opened.enter_context(library) for library in _libraries(plan)]
    _serve(plan, libraries, listener, open_page=open_page, shared=shared, first=first)


def _database(plan: Plan) -> str | None:
    """The URL of the first corpus, where it is in a database: other servers may serve it too."""
    return plan.corpora[0].file if is_address(plan.corpora[0].file) else None


def _libraries(plan: Plan) -> list[Library]:
    from spanwise.serving.corpus_library import Library

    found: list[Library] = []
    searches = {search: search.hybrid() for search in {corpus.search for corpus in plan.corpora}}
    try:
        for corpus in plan.corpora:
            model = chosen_model(
                corpus.model, base_url=corpus.base_url, mode=corpus.mode, context_window=corpus.context_window
            )
            found.append(
                Library.open(
                    corpus.file,
                    name=corpus.name,
                    model=model,
                    models=[one for name in corpus.models if (one := chosen_model(name)) is not None],
                    mode=corpus.mode,
                    profile=corpus.profile,
                    limits=plan.limits,
                    hybrid=searches[corpus.search],
                    uploads=None if plan.uploads is None else plan.uploads / f"{corpus.name}.files",
                )
            )
    except BaseException:
        for library in found:
            library.close()
        raise
    return found


def _settings(plan: Plan) -> ServerSettings:
    from spanwise.server.settings import EVERYTHING, ServerSettings, digest_of

    opens: dict[str, set[str]] = {}
    for corpus in plan.corpora:
        for token in corpus.tokens:
            opens.setdefault(digest_of(token), set()).add(corpus.name)
    if plan.token is not None:
        opens.setdefault(digest_of(plan.token), set()).add(EVERYTHING)
    tokens = {digest: frozenset(names) for digest, names in opens.items()}
    known = ServerSettings().hosts or frozenset()
    here = f"[{plan.host}]" if ":" in plan.host else plan.host
    hosts = frozenset((*known, here, *plan.hosts)) if plan.loopback or plan.hosts else None
    # Who waits for a model works little: more of them fit.
    threads = _WITH_MODEL if any(corpus.model for corpus in plan.corpora) else ServerSettings().threads
    return ServerSettings(
        tokens=tokens,
        hosts=hosts,
        closed=not plan.loopback,
        audit=plan.audit,
        audit_content=plan.audit_content,
        **{"threads": threads, **plan.bounds},  # type: ignore[arg-type]
    )


def _app(plan: Plan, libraries: list[Library], shared: Shared | None = None) -> FastAPI:
    from spanwise.server.app import create_app

    settings = within_limits(_settings(plan), len(libraries))
    tools = _tools(libraries, stateless=shared is not None)
    return create_app(libraries, settings=settings, beside=tools, shared=shared)


def _tools(libraries: list[Library], *, stateless: bool = False) -> list[MountedApp]:
    """The MCP endpoints, `/mcp` of the first corpus and `/mcp/NAME` of each, where the SDK is installed."""
    if not installed_package("mcp"):
        return []
    from spanwise.mcp.http import LARGEST_BODY, PATH, Endpoint
    from spanwise.server.settings import MountedApp

    found = []
    for library in libraries:
        endpoint = Endpoint(library, stateless=stateless)
        found.append(MountedApp(f"{PATH}/{library.name}", endpoint, library.name, LARGEST_BODY, endpoint.running))
    return [MountedApp(PATH, found[0].app, found[0].corpus, LARGEST_BODY), *found]


def _serve(
    plan: Plan,
    libraries: list[Library],
    listener: socket.socket,
    *,
    open_page: bool,
    shared: Shared | None,
    first: bool,
) -> None:
    app = _app(plan, libraries, shared)
    address = _address(plan, listener)
    shown = ", ".join(
        f"{one.name} ({shown_corpus(corpus.file)})" for one, corpus in zip(libraries, plan.corpora, strict=True)
    )

    async def started() -> None:
        if not first:
            return
        stderr().print(printable(f"spanwise: serving {shown} at {address} (Ctrl-C stops it)"), markup=False)
        if open_page:
            await asyncio.to_thread(webbrowser.open, address)

    async def ending() -> None:
        await asyncio.to_thread(_stop_jobs, libraries)

    run_server(app, listener, started=started, ending=ending, proxies=plan.proxies)


def _stop_jobs(libraries: list[Library]) -> None:
    for library in libraries:
        library.jobs.stop()


def _address(plan: Plan, listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if host in _ANY_ADDRESS:
        host = "127.0.0.1"
    elif plan.host == "localhost":
        host = plan.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _leave() -> None:
    """End now, although a thread may still wait for a model: what it would answer, nobody is there to read."""
    import threading

    sys.stdout.flush()
    sys.stderr.flush()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        logging.shutdown()
        os._exit(0)
