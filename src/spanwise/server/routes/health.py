"""What is not of one corpus: whether the server is up, which corpora there are, the session of the page."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from spanwise.server.access import Access
from spanwise.server.models import CorpusInfo, CorpusList, Health, Session
from spanwise.server.mounts import is_operator
from spanwise.server.problems import ProblemError
from spanwise.server.sessions import cookie_name, session_id
from spanwise.server.state import State, StateDep, open_to, state_of
from spanwise.serving.corpus_library import Library

router = APIRouter(prefix="/v1")


@router.get("/health", tags=["server"])
async def health() -> Health:
    """Whether the server is up; it needs no token."""
    return Health(status="ok")


@router.get("/ready", tags=["server"])
async def ready(state: StateDep) -> Health:
    """Whether the server takes requests; it needs no token."""
    if not state.ready or state.stopping:
        raise ProblemError(503, "not_ready", "The server is starting or stopping.", {"Retry-After": "1"})
    return Health(status="ok")


@router.get("/corpora", tags=["corpora"])
def corpora(request: Request) -> CorpusList:
    """The corpora that the token opens."""
    return CorpusList(
        corpora=[described(one, state_of(request)) for one in open_to(request)], operator=is_operator(request.scope)
    )


def described(library: Library, state: State) -> CorpusInfo:
    """What is told of a corpus."""
    return CorpusInfo(
        name=library.name,
        title=library.title,
        documents=library.count(),
        model=library.model,
        mode=library.engines.mode,
        removable=state.libraries.is_made(library.name),
    )


@router.post("/session", status_code=204, tags=["server"])
async def begin(session: Session, request: Request) -> Response:
    """Sign in: a cookie that scripts cannot read names a session that the server keeps, for the page."""
    access: Access = request.app.state.access
    client = request.client.host if request.client else "unknown"
    response = Response(status_code=204)
    if access.asks:
        names = access.opened_by(session.token, client)
        response.set_cookie(
            cookie_name(request.scope),
            access.sessions.begin(session.token, names),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
            path="/",
        )
    return response


@router.delete("/session", status_code=204, tags=["server"])
async def end(request: Request) -> Response:
    """Sign out: the session and its cookie are forgotten."""
    access: Access = request.app.state.access
    if (known := session_id(request.scope)) is not None:
        access.sessions.end(known)
    response = Response(status_code=204)
    response.delete_cookie(
        cookie_name(request.scope),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
    return response
