"""Operator routes (state of the server, tokens, collections), and the stream of changes that any client can follow."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from sse_starlette import EventSourceResponse

from spanwise.errors import SpanwiseError
from spanwise.server.access import Access
from spanwise.server.http_problems import ProblemError
from spanwise.server.models import (
    Changed,
    CorpusInfo,
    CorpusState,
    ServerState,
    Title,
    TokenInfo,
    TokenList,
    TokenMade,
    TokenSent,
)
from spanwise.server.routes.health import described
from spanwise.server.running_state import LibraryDep, OperatorDep, StateDep, open_to
from spanwise.server.server_settings import ALLOWED
from spanwise.server.shared import EVENTS, event, stream
from spanwise.serving.corpus_library import Library, Watchable
from spanwise.serving.job_queue import JobState
from spanwise.serving.server_registry import Token

router = APIRouter(prefix="/v1/operator", tags=["operator"], dependencies=[OperatorDep])
_BEGAN = time.monotonic()
TokenId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}$")]


@router.get("")
def server(state: StateDep, request: Request) -> ServerState:
    """The state of the server and its corpora: jobs, limits, storage."""
    access: Access = request.app.state.access
    disk = shutil.disk_usage(state.registry.folder.parent)
    known = asdict(state.settings)
    return ServerState(
        version=version("spanwise"),
        seconds=round(time.monotonic() - _BEGAN),
        asks_for_tokens=access.asks,
        sessions=len(access.sessions),
        limits={name: value for name, value in known.items() if type(value) in (int, float)},
        disk_free=disk.free,
        disk_total=disk.total,
        audit=None if state.ledger.path is None else state.ledger.path.name,
        audit_problem=state.ledger.failed,
        corpora=[_state_of(one) for one in state.libraries.values()],
    )


def _state_of(library: Library) -> CorpusState:
    jobs: Counter[JobState] = Counter(one.state for one in library.jobs.all())
    return CorpusState(
        name=library.name,
        title=library.title,
        documents=library.count(),
        most_documents=library.limits.documents,
        answers=library.history.count(),
        most_answers=library.limits.answers,
        bytes=library.storage(),
        most_file_bytes=library.limits.files_bytes or None,
        jobs=dict(jobs),
    )


@router.get("/tokens")
def tokens(state: StateDep) -> TokenList:
    """The tokens that were made by command or on the page."""
    asked = state.registry.asked_today()
    return TokenList(tokens=[TokenInfo.from_source(one, **_counted(one, asked)) for one in state.registry.tokens()])


def _counted(token: Token, asked: Mapping[str, int]) -> dict[str, object]:
    """The corpora of a token, and today's questions if it has a quota."""
    return {
        "corpora": None if token.opens is None else sorted(token.opens),
        "asked_today": None if token.questions is None else asked.get(token.id, 0),
    }


@router.post("/tokens", status_code=201)
def make_token(sent: TokenSent, state: StateDep, request: Request) -> TokenMade:
    """Make a token. Only this response contains it: the server keeps its SHA-256."""
    access: Access = request.app.state.access
    for name in sent.corpora or ():
        if name not in state.libraries:
            raise ProblemError(404, "corpus_not_found", f"There is no corpus {name!r}.")
    made, token = state.registry.make_token(sent.label, sent.corpora, questions=sent.questions, closed=access.fixed)
    return TokenMade.from_source(made, token=token, **_counted(made, {}))


@router.delete("/tokens/{id}", status_code=204)
def revoke(id: TokenId, state: StateDep, request: Request) -> Response:
    """Revoke a token. It gives access to nothing any more, and sessions that were opened with it end."""
    access: Access = request.app.state.access
    state.registry.revoke(id, closed=access.fixed)
    return Response(status_code=204)


collections = APIRouter(prefix="/v1", tags=["corpora"])
_ONE = "/corpora/{corpus}"


@collections.post("/corpora", status_code=201, dependencies=[OperatorDep])
def make(title: Title, state: StateDep) -> CorpusInfo:
    """Make an empty collection; its name in addresses is made from its title. For operators."""
    return described(state.libraries.make(title.title), state)


@collections.patch(_ONE, dependencies=[OperatorDep])
def rename(library: LibraryDep, title: Title, state: StateDep) -> CorpusInfo:
    """Give a collection another title; links to it stay good. For operators."""
    return described(state.libraries.rename(library.name, title.title), state)


@collections.delete(_ONE, status_code=204, dependencies=[OperatorDep])
def remove(library: LibraryDep, state: StateDep) -> Response:
    """Remove a collection with its documents and answers. For operators; 409 for one of the configuration."""
    if not state.libraries.is_made(library.name):
        raise ProblemError(
            409, "configured", "The server was started with this collection: take it out of its configuration."
        )
    state.libraries.remove(library.name)
    return Response(status_code=204)


@collections.get("/events", response_class=EventSourceResponse, responses={200: EVENTS})
async def events(request: Request, state: StateDep) -> EventSourceResponse:
    """What changes in the collections that the token opens, whoever changes it: events `changed`."""
    access: Access = request.app.state.access

    async def happening() -> AsyncIterator[dict[str, str]]:
        before = await asyncio.to_thread(_marks, open_to(request))
        while not state.stopping:
            await asyncio.sleep(state.settings.look_seconds)
            request.scope[ALLOWED] = names = access.names_now(request.scope)
            if names is not None and not names:
                return  # the token was revoked: the next request reports it
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
        except SpanwiseError:  # it was removed, or cannot be read now: requests to it report that
            continue
    return found
