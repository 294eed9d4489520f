"""The FastAPI app: the API under /v1, apps mounted beside it, its description, and the page with minified files."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from rcssmin import cssmin
from rjsmin import jsmin
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spanwise.errors import InputError
from spanwise.server.access import Access
from spanwise.server.http_problems import MEDIA_TYPE, ProblemError, handle_problems, told
from spanwise.server.middleware import Gate
from spanwise.server.models import Flaw, Problem
from spanwise.server.routes import chat, documents, health, history, jobs, operator, questions
from spanwise.server.routes.health import MEDIA_TYPE as METRICS_TYPE
from spanwise.server.routes.health import PATH as METRICS
from spanwise.server.routes.health import Metrics
from spanwise.server.running_state import State, Work
from spanwise.server.server_settings import MountedApp, Opened, ServerSettings
from spanwise.server.shared import Shared
from spanwise.server.uploads import OVERHEAD
from spanwise.serving.corpus_library import Library
from spanwise.serving.served_collections import Collections
from spanwise.serving.server_registry import Ledger, Registry

PAGE = Path(__file__).parent / "page"
INDEX = "index.html"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_INDENT = re.compile(r"(?m)^[ \t]+")
# Minifiers by suffix. In a template literal inside another one, rjsmin takes text for code and removes its spaces.
_SMALLER: Mapping[str, Callable[[str], str]] = {
    ".js": jsmin,
    ".css": cssmin,
    ".html": lambda text: _INDENT.sub("", text),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it is sent, with its ETag."""

    content: bytes
    media_type: str
    tag: str


@cache
def page_files() -> Mapping[str, Sent]:
    """The files of the page, by their paths below its folder."""
    found = {}
    for path in sorted(PAGE.rglob("*")):
        if path.suffix not in _TYPES:
            continue
        content = path.read_bytes()
        if smaller := _SMALLER.get(path.suffix):
            content = smaller(content.decode()).encode()
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[path.relative_to(PAGE).as_posix()] = Sent(content, _TYPES[path.suffix], tag)
    return found


async def send_page_file(request: Request) -> Response:
    """Send a file of the page, or 304 if the browser has it."""
    sent = page_files().get(request.path_params.get("path", INDEX))
    if sent is None:
        raise HTTPException(404)
    if request.headers.get("if-none-match") == sent.tag:
        return Response(status_code=304, headers={"ETag": sent.tag})
    return Response(sent.content, media_type=sent.media_type, headers={"ETag": sent.tag})


DRAWING = 4
"""Pages that are drawn, or looked up in the cache, at the same time."""
DRAWING_WAITING = 256
DRAWING_SECONDS = 60.0
"""Seconds that a page may take to be drawn, waiting included."""
_SHOWN = 20
"""Most flaws of a request that are reported."""
_PATTERNS = {
    r"\w": "There is no word in it",
    r"\S": "It is empty",
    r"^[0-9a-f]{16}$": "It is no id: the list of what there is has the ids",
}
"""Messages for texts that do not match their pattern."""


def create_app(
    libraries: Sequence[Library],
    *,
    settings: ServerSettings | None = None,
    beside: Sequence[MountedApp] = (),
    shared: Shared | None = None,
) -> FastAPI:
    """The app that serves some libraries, which it does not close.

    Args:
        libraries: The corpora; the first one is the default.
        settings: Access and limits.
        beside: Other apps to mount.
        shared: State shared by the processes of this server, if there are several.
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
        *(health.router, operator.collections, documents.router, jobs.router, questions.router, history.router),
        *(questions.checking, operator.router, chat.router),
    ):
        app.include_router(router)
    for one in beside:
        app.router.routes.append(Route(one.path, Opened(one), include_in_schema=False))
    _serve_metrics(app, metrics, shared)
    serve_description(app)
    _serve_page(app)
    return app


_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}}


def _drawing(settings: ServerSettings) -> ServerSettings:
    """The settings for drawing pages: many requests, each of them quick."""
    return replace(settings, threads=DRAWING, waiting=DRAWING_WAITING, question_seconds=DRAWING_SECONDS)


def _tell_others(shared: Shared | None, library: Library) -> None:
    """Report the jobs of a library to the other processes of the server."""
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
    """Answer requests that fail validation with a problem that lists their flaws."""

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


_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.05rem;margin:2rem 0 .3rem;overflow-wrap:anywhere}h2 code{font-weight:700}p{margin:.3rem 0}
pre{overflow-x:auto;border:1px solid #8888;border-radius:.4rem;padding:.6rem;font-size:.85rem}
table{border-collapse:collapse}td,th{text-align:left;padding:.1rem .8rem .1rem 0;vertical-align:top}
""".strip()
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
Described = Mapping[str, Any]


def serve_description(app: FastAPI) -> None:
    """Add the page at /v1/docs, which describes the API."""

    @app.get("/v1/docs", include_in_schema=False)
    async def docs(_: Request) -> HTMLResponse:
        return HTMLResponse(page(app.openapi()), headers={"Content-Security-Policy": _POLICY})


def page(described: Described) -> str:
    """The HTML page for an OpenAPI document."""
    info = described["info"]
    operations = "".join(
        _operation(described, method, path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(info['title'])} API</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(info['title'])} API {escape(info['version'])}</h1>\n<p>{escape(info.get('summary', ''))} "
        f'Errors are <code>application/problem+json</code>. <a href="/v1/openapi.json">openapi.json</a></p>\n'
        f"{operations}</main>\n</body>\n</html>\n"
    )


def _operation(described: Described, method: str, path: str, operation: Described) -> str:
    parameters = "".join(map(_parameter, operation.get("parameters", ())))
    table = f"<table><tbody>{parameters}</tbody></table>\n" if parameters else ""
    bodies = "".join(_bodies(described, operation))
    return (
        f"<section>\n<h2><code>{method.upper()} {escape(path)}</code></h2>\n"
        f"<p>{escape(operation.get('description', ''))}</p>\n{table}{bodies}</section>\n"
    )


def _parameter(parameter: Described) -> str:
    needed = "" if parameter.get("required") else " (optional)"
    said = parameter.get("description") or json.dumps(parameter.get("schema", {}))
    return f"<tr><th><code>{escape(parameter['name'])}</code></th><td>{escape(said)}{needed}</td></tr>"


def _bodies(described: Described, operation: Described) -> Iterator[str]:
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        schema = _followed(described, body.get("schema", {}))
        shown = schema.get("examples", [schema.get("properties", {})])[0]
        yield f"<p>Send {escape(kind)}:</p>\n<pre>{escape(json.dumps(shown, indent=2, ensure_ascii=False))}</pre>\n"
    for status, response in operation.get("responses", {}).items():
        for kind, body in response.get("content", {}).items():
            if "example" in body:
                text = json.dumps(body["example"], indent=2, ensure_ascii=False)
                yield f"<p>{escape(status)}, {escape(kind)}:</p>\n<pre>{escape(text)}</pre>\n"


def _followed(described: Described, schema: Described) -> Described:
    """The schema that a reference points to within the document."""
    reference: str = schema.get("$ref", "")
    found: Any = schema if not reference else described
    for name in reference.removeprefix("#/").split("/") if reference else ():
        found = found[name]
    followed: Described = found
    return followed
