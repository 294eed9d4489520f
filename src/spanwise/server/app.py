"""The app: everything under /v1, the page, and what is mounted beside them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware import Middleware
from starlette.routing import Route

from spanwise.errors import InputError
from spanwise.server.access import Access
from spanwise.server.description import serve_description
from spanwise.server.middleware import Gate
from spanwise.server.models import Problem
from spanwise.server.mounts import Beside, Opened
from spanwise.server.problems import MEDIA_TYPE, ProblemError, handle_problems
from spanwise.server.routes import answers, ask, documents, health, jobs, verify
from spanwise.server.settings import ServerSettings
from spanwise.server.state import State
from spanwise.server.uploads import OVERHEAD
from spanwise.server.validation import handle_validation
from spanwise.server.work import Work
from spanwise.serving.corpus_library import Library

PAGE = Path(__file__).parent / "page"
DRAWING = 4
"""Pages that are drawn at the same time, or looked for among those that were."""
DRAWING_WAITING = 256
DRAWING_SECONDS = 60.0
"""How long a page may wait to be drawn, and be drawn."""


def create_app(
    libraries: Sequence[Library], *, settings: ServerSettings | None = None, beside: Sequence[Beside] = ()
) -> FastAPI:
    """The app over some libraries, which stay open when it ends.

    Args:
        libraries: The corpora, the first one is the default.
        settings: Who may come in and what it may cost.
        beside: Other apps to mount.

    Raises:
        InputError: There is no library, or two have one name.
    """
    settings = settings or ServerSettings()
    by_name = {library.name: library for library in libraries}
    if not libraries or len(by_name) < len(libraries):
        raise InputError("serve at least one corpus, each under a name of its own")
    state = State(by_name, settings, Work(settings), Work(_drawing(settings)))
    access = Access(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with AsyncExitStack() as stack:
            for one in beside:
                if one.running is not None:
                    await stack.enter_async_context(one.running())
            state.work, state.pictures = Work(settings), Work(_drawing(settings))
            state.stopping, state.ready = False, True
            yield
            state.stop()
            access.sessions.clear()

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
        middleware=[Middleware(Gate, state=state, access=access, upload_bytes=largest, beside=beside)],
        responses={
            "4XX": {"description": "The request cannot be served", "content": _PROBLEM},
            "5XX": {"description": "The server failed", "content": _PROBLEM},
        },
    )
    app.state.serving = state
    app.state.access = access
    handle_problems(app)
    handle_validation(app)
    for router in (health.router, documents.router, jobs.router, ask.router, answers.router, verify.router):
        app.include_router(router)
    if (chat := _chat()) is not None:
        app.include_router(chat)
    for one in beside:
        app.router.routes.append(Route(one.path, Opened(one), include_in_schema=False))
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


def _serve_page(app: FastAPI) -> None:
    app.mount("/page", StaticFiles(directory=PAGE, check_dir=False), name="page")

    @app.get("/", include_in_schema=False)
    async def index(_: Request) -> Response:
        path = PAGE / "index.html"
        if not path.is_file():
            raise ProblemError(404, "no_page", "This installation has no page: use the API under /v1.")
        return FileResponse(path, media_type="text/html; charset=utf-8")
