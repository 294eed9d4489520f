"""What both servers need from the system: a listening socket, limits on connections, and an orderly end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from spanwise.cli.output import printable, stderr
from spanwise.errors import InputError

if TYPE_CHECKING:
    from types import FrameType

    import uvicorn
    from starlette.applications import Starlette

    from spanwise.server.server_settings import ServerSettings

_TOLD_SECONDS = 2
"""Seconds that cancelled requests have to finish their response."""
_LAST_SECONDS = 5.0
"""Seconds after the grace time until the process is ended, whatever it is still doing."""


def listening(host: str, port: int) -> socket.socket:
    """A listening socket, opened first so that a port in use is reported before anything else is opened.

    Raises:
        InputError: The host has no such address, or the port is in use.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError, UnicodeError) as error:  # UnicodeError: it cannot be a host name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{printable(host)}:{port} cannot be listened to ({reason}): choose another --port or --host"
        ) from error
    # Connections inherit it. asyncio sets it only on sockets created with an explicit protocol; without it an
    # answer would wait 40 ms for an acknowledgement between its head and its body.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def within_limits(settings: ServerSettings, corpora: int) -> ServerSettings:
    """The settings with as many connections as the limit of open files allows; a reduction is reported on stderr."""
    from spanwise.server.connections import connections_within

    connections = connections_within(settings.connections, corpora)
    if connections < settings.connections:
        stderr().print(
            f"spanwise: at most {connections} of {settings.connections} connections at the same time: the limit of "
            "open files is too low for more (ulimit -n)",
            markup=False,
        )
    return replace(settings, connections=connections)


def connected(app: Starlette, settings: ServerSettings, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """The uvicorn configuration of an app; `proxies` are addresses of trusted proxies."""
    import uvicorn

    from spanwise.server.connections import HEAD_SECONDS, bounded

    return uvicorn.Config(
        app,
        http=bounded(settings.connections),
        # If trusted from anybody, every client could choose the address that its requests are counted under.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=int(settings.grace_seconds) + _TOLD_SECONDS,
        # Longer than clients keep idle connections (often 5 s), so that they close first and no request gets lost.
        timeout_keep_alive=int(HEAD_SECONDS),
    )


def run_server(
    app: Starlette,
    listener: socket.socket,
    *,
    started: Callable[[], Awaitable[None]],
    ending: Callable[[], Awaitable[None]] | None = None,
    proxies: Sequence[str] = (),
) -> None:
    """Serve until the process is stopped; it ends a few seconds after the grace time at the latest.

    Args:
        app: The app; its state is in `app.state.serving`.
        listener: The listening socket.
        started: Awaited once the server can be reached.
        ending: Awaited when the server is stopped, before the grace time of running requests.
        proxies: Addresses of trusted proxies.
    """
    import uvicorn

    serving = app.state.serving
    told: SimpleQueue[None] = SimpleQueue()  # the only queue that is safe to use in a signal handler

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            await started()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # New requests on open connections are refused from here on. This is set first, so that streams which
            # are cancelled because the server stops can be closed properly.
            serving.stopping = True
            told.put(None)
            super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if ending is not None:
                await ending()
            asyncio.get_running_loop().call_later(serving.settings.grace_seconds, serving.stop)
            await super().shutdown(sockets)

    # Being stopped is not an error: without this, uvicorn would let the signal kill the process afterwards.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    seconds = serving.settings.grace_seconds + _LAST_SECONDS
    threading.Thread(target=_end_in_time, args=(told, seconds), daemon=True).start()
    Server(connected(app, serving.settings, proxies)).run(sockets=[listener])


def _end_in_time(told: SimpleQueue[None], seconds: float) -> None:
    """End the process `seconds` after it was stopped; what is on disk is consistent at any moment."""
    told.get()
    time.sleep(seconds)
    os._exit(0)
