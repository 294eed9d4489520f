"""What both servers do at the border to the system: listen, bound their connections, and end when they are told to."""

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
"""How long requests that were told to stop have for their last words."""
_LAST_SECONDS = 5.0
"""After the grace time and so long, the process ends, whatever is still under way in it."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens, so that a port that is taken is told before anything is opened.

    Raises:
        InputError: The host has no such address, or the port is taken.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError, UnicodeError) as error:  # the last is of what cannot be a name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{printable(host)}:{port} cannot be listened to ({reason}): choose another --port or --host"
        ) from error
    # Connections inherit it. asyncio sets it on sockets that name their protocol, and these do not: without it an
    # answer waits 40 ms for an acknowledgement between its head and its body.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def within_limits(settings: ServerSettings, corpora: int) -> ServerSettings:
    """The settings with as many connections as the limit of open files has room for; fewer are told."""
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
    """How an app is reached; `proxies` are addresses of proxies that say who the client is."""
    import uvicorn

    from spanwise.server.connections import HEAD_SECONDS, bounded

    return uvicorn.Config(
        app,
        http=bounded(settings.connections),
        # Believed of anybody, it would let every client choose the address that its requests are counted under.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=int(settings.grace_seconds) + _TOLD_SECONDS,
        # Clients that close what is idle after 5 s, as many do, are to be first: what is sent meanwhile would be lost.
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
    """Serve until the process is told to end; some seconds after its grace time it is gone, however much it has to do.

    Args:
        app: What answers; `app.state.serving` is what it is doing.
        listener: Where it is reached.
        started: Awaited when it can be reached.
        ending: Awaited when it is to end, before running requests have their grace time.
        proxies: Addresses of proxies that say who the client is.
    """
    import uvicorn

    serving = app.state.serving
    told: SimpleQueue[None] = SimpleQueue()  # the one that may be put to while a signal is handled

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            await started()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # New requests on open connections are refused from here on. Before anybody else hears of it: streams that
            # are cancelled because the server ends are closed in good order by those who know that it does.
            serving.stopping = True
            told.put(None)
            super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if ending is not None:
                await ending()
            asyncio.get_running_loop().call_later(serving.settings.grace_seconds, serving.stop)
            await super().shutdown(sockets)

    # Being told to end is no error of ours: without this, uvicorn lets the signal kill the process afterwards.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    seconds = serving.settings.grace_seconds + _LAST_SECONDS
    threading.Thread(target=_end_in_time, args=(told, seconds), daemon=True).start()
    Server(connected(app, serving.settings, proxies)).run(sockets=[listener])


def _end_in_time(told: SimpleQueue[None], seconds: float) -> None:
    """End the process so long after it was told to: what is on the disk is whole at any moment."""
    told.get()
    time.sleep(seconds)
    os._exit(0)
