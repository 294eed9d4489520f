"""A server of one app and nothing else, behind the same gate: who may come in, bounds, and errors in one shape."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from spanwise.server.access import Access
from spanwise.server.middleware import Gate
from spanwise.server.problems import ProblemError, handle_problems
from spanwise.server.settings import MountedApp, Opened, ServerSettings


@dataclass(slots=True)
class State:
    """Settings of the server, and whether it is stopping."""

    settings: ServerSettings
    stopping: bool = False

    def stop(self) -> None:
        """Take nothing more; what runs is cancelled by who serves it."""
        self.stopping = True


def alone(only: MountedApp, settings: ServerSettings) -> Starlette:
    """The app that serves `only` at its path; `spanwise.server.app.create_app` serves it beside the API.

    Args:
        only: What is served.
        settings: Who may come in and what it may cost; what is of questions has no effect.
    """
    state = State(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        async with only.running() if only.running is not None else nullcontext():
            yield
            state.stop()

    async def elsewhere(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise ProblemError(404, "not_found", f"There is nothing here but {only.path}.")

    app = Starlette(
        routes=[Route(only.path, Opened(only)), Mount("", elsewhere)],
        lifespan=lifespan,
        middleware=[Middleware(Gate, state=state, access=Access(settings), upload_bytes=0, beside=[only])],
    )
    app.state.serving = state
    handle_problems(app)
    return app
