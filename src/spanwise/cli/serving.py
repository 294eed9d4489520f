"""`spanwise serve`: the HTTP API, the page and the MCP endpoint over one or several corpora, until it is stopped.

With `--workers N` several processes serve on one socket, each replaced when it dies.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from spanwise.cli.doctor import installed_package
from spanwise.cli.http_server import listening, run_server, within_limits
from spanwise.cli.output import printable, stderr
from spanwise.cli.serve_plan import Asked, Plan, PlannedCorpus, planned, server_installed
from spanwise.engine import chosen_model
from spanwise.executors import outside_current_folder
from spanwise.store.address import is_address
from spanwise.store.address import shown as shown_corpus

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from spanwise.retrieval.hybrid import Hybrid
    from spanwise.server.server_settings import MountedApp, ServerSettings
    from spanwise.server.shared import Shared
    from spanwise.serving.corpus_library import Library


Known: TypeAlias = "tuple[Path | str, str]"
"""The place of the state shared by the processes of a server, and their common id."""
_YOUNG_SECONDS = 10.0
"""A process that ends sooner never served."""
_MOST_YOUNG = 5
_LOOK_SECONDS = 0.5
_END_SECONDS = 20.0


def supervise(asked: Asked, workers: int, listener: socket.socket, place: str | None) -> int:
    """Keep `workers` processes serving until this one is stopped; returns the exit code.

    Their shared state is in the database `place`, or in a temporary file. A process that dies is replaced: what it had
    acknowledged is stored, its running requests are lost.
    """
    from spanwise.server.shared import Shared

    told = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told.set())
    with tempfile.TemporaryDirectory(prefix="spanwise-serve-") as folder:
        known = (place or Path(folder, "shared.db"), secrets.token_hex(8))
        shared = Shared(known[0], server=known[1])
        try:
            fleet = _Fleet(lambda first: _start(asked, listener, known, first=first), workers, shared.lost)
            return fleet.keep(told)
        finally:
            shared.close()


class _Fleet:
    def __init__(self, start: Callable[[bool], SpawnProcess], workers: int, lost: Callable[[int], None]) -> None:
        self._start = start
        self._lost = lost
        self._young = 0
        self._living = {process: time.monotonic() for process in (start(at == 0) for at in range(workers))}

    def keep(self, told: threading.Event) -> int:
        code = 0
        try:
            while not told.is_set() and not code:
                wait([process.sentinel for process in self._living], timeout=_LOOK_SECONDS)
                for process in [one for one in self._living if not one.is_alive()]:
                    code = code or self._ended(process, told)
        finally:
            self._end()
        return code

    def _ended(self, process: SpawnProcess, told: threading.Event) -> int:
        """Replace a process that has ended; returns an exit code if that would be in vain, else 0."""
        began = self._living.pop(process)
        self._lost(process.pid or 0)
        if told.wait(_LOOK_SECONDS):  # Ctrl-C reaches all processes at once
            return 0
        self._young = self._young + 1 if time.monotonic() - began < _YOUNG_SECONDS else 0
        if self._young >= _MOST_YOUNG or process.exitcode == os.EX_USAGE:
            stderr().print("spanwise: its processes end as soon as they begin; the first lines above say why")
            return 3 if process.exitcode != os.EX_USAGE else 2
        stderr().print(f"spanwise: process {process.pid} ended (exit code {process.exitcode}): another one takes over")
        self._living[self._start(False)] = time.monotonic()
        return 0

    def _end(self) -> None:
        for process in self._living:
            process.terminate()
        until = time.monotonic() + _END_SECONDS
        for process in self._living:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join(5)


def _start(asked: Asked, listener: socket.socket, known: Known, *, first: bool) -> SpawnProcess:
    process = multiprocessing.get_context("spawn").Process(
        target=_work, args=(asked, listener, known, first, os.getpid()), name="spanwise-serve"
    )
    with outside_current_folder():
        process.start()
    return process


def _work(asked: Asked, listener: socket.socket, known: Known, first: bool, parent: int) -> None:
    from spanwise.errors import SpanwiseError

    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        run_worker(asked, listener, known, first=first)
    except SpanwiseError as error:
        stderr().print(f"spanwise: {error}", markup=False)
        raise SystemExit(os.EX_USAGE) from None


def _end_with(parent: int) -> None:
    """End this process when its supervisor is gone, as nobody else would."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


_ANY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  # they are recognised, not listened to
_WITH_MODEL = 16
"""Questions at the same time if a model writes the answers."""


def run_serve(asked: Asked) -> int:
    """Serve until the process is stopped; returns the exit code.

    Raises:
        InputError: A corpus, a token or the port cannot be used.
        MissingExtraError: The server's libraries are not installed.
    """
    server_installed()
    from spanwise.serving.corpus_limits import give_freed_memory_back

    give_freed_memory_back()
    plan = planned(asked)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # broken uploads are reported to their senders
    if plan.workers > 1:
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
    """Serve as one of several processes on one socket; only the `first` one announces the server.

    `known` is the place of their shared state, and their common id.
    """
    from spanwise.server.shared import Shared
    from spanwise.serving.corpus_limits import give_freed_memory_back

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
    """The URL of the first corpus if it is in a database, which other servers may serve, too; else None."""
    return plan.corpora[0].file if is_address(plan.corpora[0].file) else None


def _libraries(plan: Plan) -> list[Library]:
    searches = {search: search.hybrid() for search in {corpus.search for corpus in plan.corpora}}
    with ExitStack() as opened:
        found = [opened.enter_context(_library(one, plan, searches[one.search])) for one in plan.corpora]
        opened.pop_all()  # all are open, so none is closed here
    return found


def _library(corpus: PlannedCorpus, plan: Plan, hybrid: Hybrid | None) -> Library:
    from spanwise.serving.corpus_library import Library

    return Library.open(
        corpus.file,
        name=corpus.name,
        model=corpus.written.chosen(),
        models=[one for name in corpus.models if (one := chosen_model(name)) is not None],
        mode=corpus.written.mode,
        profile=corpus.profile,
        limits=plan.limits,
        hybrid=hybrid,
        uploads=None if plan.uploads is None else plan.uploads / f"{corpus.name}.files",
    )


def _settings(plan: Plan) -> ServerSettings:
    from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of

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
    # Threads that wait for a model use little CPU, so there can be more of them.
    threads = _WITH_MODEL if any(corpus.written.model for corpus in plan.corpora) else ServerSettings().threads
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
    """The MCP endpoints, `/mcp` for the first corpus and `/mcp/NAME` for each; empty if the SDK is not installed."""
    if not installed_package("mcp"):
        return []
    from spanwise.mcp.server import LARGEST_BODY, PATH, Endpoint
    from spanwise.server.server_settings import MountedApp

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
    """End the process now, even if a thread still waits for a model, as nobody would read its answer."""
    import threading

    sys.stdout.flush()
    sys.stderr.flush()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        logging.shutdown()
        os._exit(0)
