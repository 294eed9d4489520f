"""Collections over HTTP: made, renamed, removed, and what changes in them as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from sse_starlette import EventSourceResponse

from spanwise.errors import SpanwiseError
from spanwise.server.access import Access
from spanwise.server.models import Changed, CorpusInfo, Title
from spanwise.server.mounts import ALLOWED
from spanwise.server.problems import ProblemError
from spanwise.server.routes.health import described
from spanwise.server.state import LibraryDep, OperatorDep, StateDep, open_to
from spanwise.server.wire import EVENTS, event, stream
from spanwise.serving.corpus_library import Library, Watchable

router = APIRouter(prefix="/v1", tags=["corpora"])
_ONE = "/corpora/{corpus}"


@router.post("/corpora", status_code=201, dependencies=[OperatorDep])
def make(title: Title, state: StateDep) -> CorpusInfo:
    """Make an empty collection; its name in addresses is made from its title. For operators."""
    return described(state.libraries.make(title.title), state)


@router.patch(_ONE, dependencies=[OperatorDep])
def rename(library: LibraryDep, title: Title, state: StateDep) -> CorpusInfo:
    """Give a collection another title; links to it stay good. For operators."""
    return described(state.libraries.rename(library.name, title.title), state)


@router.delete(_ONE, status_code=204, dependencies=[OperatorDep])
def remove(library: LibraryDep, state: StateDep) -> Response:
    """Remove a collection with its documents and answers. For operators; 409 for one of the configuration."""
    if not state.libraries.is_made(library.name):
        raise ProblemError(
            409, "configured", "The server was started with this collection: take it out of its configuration."
        )
    state.libraries.remove(library.name)
    return Response(status_code=204)


@router.get("/events", response_class=EventSourceResponse, responses={200: EVENTS})
async def events(request: Request, state: StateDep) -> EventSourceResponse:
    """What changes in the collections that the token opens, whoever changes it: events `changed`."""
    access: Access = request.app.state.access

    async def happening() -> AsyncIterator[dict[str, str]]:
        before = await asyncio.to_thread(_marks, open_to(request))
        while not state.stopping:
            await asyncio.sleep(state.settings.look_seconds)
            request.scope[ALLOWED] = names = access.names_now(request.scope)
            if names is not None and not names:
                return  # the token was revoked: who comes again is told so
            now = await asyncio.to_thread(_marks, open_to(request))
            for corpus, what in sorted(key for key in {*before, *now} if before.get(key) != now.get(key)):
                if what == "collections" or (corpus, what) in {*before} & {*now}:
                    yield event("changed", Changed(corpus=corpus, what=what))
            before = now

    return stream(happening(), state.settings)


def _marks(libraries: list[Library]) -> dict[tuple[str, Watchable], object]:
    found: dict[tuple[str, Watchable], object] = {}
    for library in libraries:
        try:
            found |= {(library.name, what): mark for what, mark in library.marks().items()}
            found[library.name, "collections"] = library.title
        except SpanwiseError:  # it is removed, or cannot be read now: who asks it is told so
            continue
    return found
