"""The app: everything under /v1, the page, and what is mounted beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.middleware import Middleware
from starlette.routing import Route

from spanwise.errors import InputError
from spanwise.server.access import Access
from spanwise.server.description import serve_description
from spanwise.server.metrics import MEDIA_TYPE as METRICS_TYPE
from spanwise.server.metrics import PATH as METRICS
from spanwise.server.metrics import Metrics
from spanwise.server.middleware import Gate
from spanwise.server.models import Flaw, Problem
from spanwise.server.mounts import Beside, Opened
from spanwise.server.page_files import send_page_file
from spanwise.server.problems import MEDIA_TYPE, ProblemError, handle_problems, told
from spanwise.server.routes import answers, ask, collections, documents, health, jobs, operator, verify
from spanwise.server.settings import ServerSettings
from spanwise.server.shared import Shared
from spanwise.server.state import State
from spanwise.server.uploads import OVERHEAD
from spanwise.server.work import Work
from spanwise.serving.collections import Collections
from spanwise.serving.corpus_library import Library
from spanwise.serving.ledger import Ledger
from spanwise.serving.registry import Registry

DRAWING = 4
"""Pages that are drawn at the same time, or looked for among those that were."""
DRAWING_WAITING = 256
DRAWING_SECONDS = 60.0
"""How long a page may wait to be drawn, and be drawn."""
_SHOWN = 20
"""Flaws that are told."""
_PATTERNS = {
    r"\w": "There is no word in it",
    r"\S": "It is empty",
    r"^[0-9a-f]{16}$": "It is no id: the list of what there is has the ids",
}
"""What is wrong where a text has not got its pattern, in words."""


def create_app(
    libraries: Sequence[Library],
    *,
    settings: ServerSettings | None = None,
    beside: Sequence[Beside] = (),
    shared: Shared | None = None,
) -> FastAPI:
    """The app over some libraries, which stay open when it ends.

    Args:
        libraries: The corpora, the first one is the default.
        settings: Who may come in and what it may cost.
        beside: Other apps to mount.
        shared: What the processes of this server know together, where there are several.

    Raises:
        InputError: There is no library, or two have one name.
    """
    settings = settings or ServerSettings()
    by_name = {library.name: library for library in libraries}
    if not libraries or len(by_name) < len(libraries):
        raise InputError("serve at least one corpus, each under a name of its own")
    registry = Registry(libraries[0].place)
    ledger = Ledger(registry, settings.audit, settings.audit_content)
    corpora = Collections(libraries, registry, ledger, partial(_tell_others, shared))
    state = State(corpora, settings, Work(settings), Work(_drawing(settings)), registry, ledger, shared=shared)
    access = Access(settings, registry)
    metrics = Metrics({"questions_going": lambda: state.work.going, "pictures_going": lambda: state.pictures.going})
    if shared is not None:
        access.sessions = shared.sessions
        shared.watch(corpora, metrics.to_json)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with AsyncExitStack() as stack:
            for one in beside:
                if one.running is not None:
                    await stack.enter_async_context(one.running())
            corpora.open()
            state.work, state.pictures = Work(settings), Work(_drawing(settings))
            state.stopping, state.ready = False, True
            yield
            state.stop()
            access.sessions.clear()
            await asyncio.to_thread(corpora.close)

    largest = max(library.limits.reading.file_bytes for library in libraries) + OVERHEAD
    app = FastAPI(
        title="Spanwise",
        summary="Answers from your documents, proved line by line.",
        version=version("spanwise"),
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
        middleware=[
            Middleware(metrics.around),
            Middleware(Gate, state=state, access=access, upload_bytes=largest, beside=beside),
        ],
        responses={
            "4XX": {"description": "The request cannot be served", "content": _PROBLEM},
            "5XX": {"description": "The server failed", "content": _PROBLEM},
        },
    )
    app.state.serving = state
    app.state.access = access
    handle_problems(app)
    _handle_validation(app)
    for router in (
        *(health.router, collections.router, documents.router, jobs.router, ask.router, answers.router),
        *(verify.router, operator.router),
    ):
        app.include_router(router)
    if (chat := _chat()) is not None:
        app.include_router(chat)
    for one in beside:
        app.router.routes.append(Route(one.path, Opened(one), include_in_schema=False))
    _serve_metrics(app, metrics, shared)
    serve_description(app)
    _serve_page(app)
    return app


_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}}


def _drawing(settings: ServerSettings) -> ServerSettings:
    """The same settings for pages that are drawn, of which many are asked for and each is quick."""
    return replace(settings, threads=DRAWING, waiting=DRAWING_WAITING, question_seconds=DRAWING_SECONDS)


def _chat() -> APIRouter | None:
    if find_spec("spanwise.server.routes.chat") is None:
        return None
    from importlib import import_module

    router: APIRouter = import_module("spanwise.server.routes.chat").router
    return router


def _tell_others(shared: Shared | None, library: Library) -> None:
    """Jobs of a library are known to all processes of the server."""
    if shared is not None:
        library.jobs.told = partial(shared.tell, library.name, record=partial(jobs.record, library.name))


def _serve_metrics(app: FastAPI, metrics: Metrics, shared: Shared | None) -> None:
    @app.get(METRICS, include_in_schema=False)
    def figures() -> Response:
        text = metrics.text(shared.counted() if shared is not None else ())
        return Response(text, media_type=METRICS_TYPE)


def _serve_page(app: FastAPI) -> None:
    for path in ("/", "/page/{path:path}"):
        app.router.routes.append(Route(path, send_page_file, methods=["GET"], include_in_schema=False))


def _handle_validation(app: FastAPI) -> None:
    """Have what cannot be read in requests answered as a problem with its flaws."""

    async def unreadable(request: Request, error: Exception) -> Response:
        return await told(request, _unreadable(error) if isinstance(error, RequestValidationError) else error)

    app.add_exception_handler(RequestValidationError, unreadable)


def _unreadable(error: RequestValidationError) -> ProblemError:
    flaws = [
        Flaw(at=list(one["loc"]), message=_PATTERNS.get(one.get("ctx", {}).get("pattern"), one["msg"]))
        for one in error.errors()[:_SHOWN]
    ]
    return ProblemError(422, "invalid_request", _detail(error, flaws), flaws=flaws)


def _detail(error: RequestValidationError, flaws: Sequence[Flaw]) -> str:
    if not flaws:
        return "The request cannot be read."
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return f"The body is no JSON, at character {first['loc'][-1]}: {first.get('ctx', {}).get('error', 'it ends')}."
    return f"{'.'.join(str(part) for part in flaws[0].at)}: {flaws[0].message}"
