"""What an operator looks after: how the server and its corpora do, and the tokens that open them."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from spanwise.server.access import Access
from spanwise.server.models import CorpusState, ServerState, TokenInfo, TokenList, TokenMade, TokenSent
from spanwise.server.problems import ProblemError
from spanwise.server.state import OperatorDep, StateDep
from spanwise.serving.corpus_library import Library
from spanwise.serving.jobs import JobState

router = APIRouter(prefix="/v1/operator", tags=["operator"], dependencies=[OperatorDep])
_BEGAN = time.monotonic()
TokenId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}$")]


@router.get("")
def server(state: StateDep, request: Request) -> ServerState:
    """How the server and its corpora do: health, jobs, limits, storage."""
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
        answers=library.count_answers(),
        most_answers=library.limits.answers,
        bytes=library.storage(),
        most_file_bytes=library.limits.files_bytes or None,
        jobs=dict(jobs),
    )


@router.get("/tokens")
def tokens(state: StateDep) -> TokenList:
    """The tokens that were made by command or on the page."""
    asked = state.registry.asked_today()
    return TokenList(tokens=[TokenInfo.of(one, asked) for one in state.registry.tokens()])


@router.post("/tokens", status_code=201)
def make_token(sent: TokenSent, state: StateDep, request: Request) -> TokenMade:
    """Make a token. It is told this once; what is kept is its SHA-256."""
    access: Access = request.app.state.access
    for name in sent.corpora or ():
        if name not in state.libraries:
            raise ProblemError(404, "corpus_not_found", f"There is no corpus {name!r}.")
    made, token = state.registry.make_token(sent.label, sent.corpora, questions=sent.questions, closed=access.fixed)
    return TokenMade(**TokenInfo.of(made, {}).model_dump(), token=token)


@router.delete("/tokens/{id}", status_code=204)
def revoke(id: TokenId, state: StateDep, request: Request) -> Response:
    """Revoke a token: it opens nothing any more, and who signed in with it is out."""
    access: Access = request.app.state.access
    state.registry.revoke(id, closed=access.fixed)
    return Response(status_code=204)
