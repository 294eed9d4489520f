"""What one running server knows: its libraries, its settings, its threads, and whether it still takes requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request

from spanwise.server.mounts import allowed, is_operator
from spanwise.server.problems import ProblemError
from spanwise.server.settings import ServerSettings
from spanwise.server.shared import Shared
from spanwise.server.work import Work
from spanwise.serving.collections import Collections
from spanwise.serving.corpus_library import Library
from spanwise.serving.ledger import Ledger
from spanwise.serving.registry import Registry


@dataclass(slots=True)
class State:
    """Kept in `app.state.serving`."""

    libraries: Collections
    settings: ServerSettings
    work: Work
    pictures: Work
    """Pages that are drawn: apart, so that a long question does not hold them up."""
    registry: Registry
    ledger: Ledger
    ready: bool = False
    stopping: bool = False
    shared: Shared | None = None
    """What the processes of this server know together, where there are several."""

    def stop(self) -> None:
        """Tell everything that runs to end, and take nothing more."""
        self.stopping = True
        self.work.stop()
        self.pictures.stop()


def state_of(request: Request) -> State:
    """The state of the server that a request came to."""
    state: State = request.app.state.serving
    return state


def open_to(request: Request) -> list[Library]:
    """The libraries that the request may use, in the order in which they were named."""
    return [one for one in state_of(request).libraries.values() if allowed(request.scope, one.name)]


def library_named(request: Request, name: str) -> Library:
    """A library that the request may use."""
    for library in open_to(request):
        if library.name == name:
            return library
    raise ProblemError(404, "corpus_not_found", f"There is no corpus {name[:64]!r} that your token opens.")


# Both are `async`, although they wait for nothing: what is not is called in a thread, which takes longer than they do.


async def _state(request: Request) -> State:
    return state_of(request)


async def _chosen(
    request: Request,
    corpus: Annotated[str, Path(description="Name of the corpus.", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")],
) -> Library:
    return library_named(request, corpus)


async def _operator(request: Request) -> None:
    if not is_operator(request.scope):
        raise ProblemError(403, "operators_only", "This is for the operator of the server: use an operator's token.")


OperatorDep = Depends(_operator)
StateDep = Annotated[State, Depends(_state)]
LibraryDep = Annotated[Library, Depends(_chosen)]
