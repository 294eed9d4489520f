"""Routes that belong to no single corpus: health, metrics, the list of corpora, and the page's session."""

from __future__ import annotations

import json
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fastapi import APIRouter, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.server.access import Access, cookie_name, session_id
from spanwise.server.http_problems import ProblemError
from spanwise.server.models import CorpusInfo, CorpusList, Health, Session
from spanwise.server.running_state import State, StateDep, open_to, state_of
from spanwise.server.server_settings import is_operator
from spanwise.serving.corpus_library import Library

router = APIRouter(prefix="/v1")


@router.get("/health", tags=["server"])
async def health() -> Health:
    """Whether the server runs; needs no token."""
    return Health(status="ok")


@router.get("/ready", tags=["server"])
async def ready(state: StateDep) -> Health:
    """Whether the server accepts requests; needs no token."""
    if not state.ready or state.stopping:
        raise ProblemError(503, "not_ready", "The server is starting or stopping.", {"Retry-After": "1"})
    return Health(status="ok")


@router.get("/corpora", tags=["corpora"])
def corpora(request: Request) -> CorpusList:
    """The corpora that the token gives access to."""
    return CorpusList(
        corpora=[described(one, state_of(request)) for one in open_to(request)], operator=is_operator(request.scope)
    )


def described(library: Library, state: State) -> CorpusInfo:
    """The description of a corpus in the list."""
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
    """Sign in: open a session for the page, with a cookie that scripts cannot read."""
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
    """Sign out: end the session and delete its cookie."""
    access: Access = request.app.state.access
    if (known := session_id(request.scope)) is not None:
        access.sessions.end(known)
    response = Response(status_code=204)
    response.delete_cookie(
        cookie_name(request.scope), httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/"
    )
    return response


PATH = "/metrics"
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_ELSEWHERE = "other"
_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())


@dataclass(slots=True)
class Times:
    """The histogram of request durations of one route: counts per bucket, and the sum."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one request."""
        self.buckets[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds


class Metrics:
    """The middleware that counts requests by route, never by path, corpus or client."""

    def __init__(self, gauges: Mapping[str, Callable[[], float]]) -> None:
        """Take the gauges, functions that are called when the metrics are read."""
        self._gauges = gauges
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._times: dict[str, Times] = defaultdict(Times)

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app with its requests counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            status, began = 500, time.perf_counter()

            async def watched(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await app(scope, receive, watched)
            finally:
                route = getattr(scope.get("route"), "path", None) or _ELSEWHERE
                method = scope["method"] if scope["method"] in _METHODS else _ELSEWHERE
                with self._lock:
                    self._requests[method, route, status] += 1
                    self._times[route].add(time.perf_counter() - began)

        return counted

    def to_json(self) -> str:
        """The counters of this process as JSON."""
        with self._lock:
            return json.dumps(
                {
                    "requests": [[*key, count] for key, count in self._requests.items()],
                    "times": [[route, one.buckets, one.seconds] for route, one in self._times.items()],
                    "gauges": {name: value() for name, value in self._gauges.items()},
                }
            )

    def text(self, others: Sequence[str] = ()) -> str:
        """All metrics in Prometheus's text format, those of other processes added."""
        requests: dict[tuple[str, str, int], int] = defaultdict(int)
        times: dict[str, Times] = defaultdict(Times)
        gauges: dict[str, float] = defaultdict(float)
        for told in map(json.loads, (self.to_json(), *others)):
            for method, route, status, count in told["requests"]:
                requests[method, route, status] += count
            for route, buckets, seconds in told["times"]:
                one = times[route]
                one.buckets = [ours + theirs for ours, theirs in zip(one.buckets, buckets, strict=True)]
                one.seconds += seconds
            for name, value in told["gauges"].items():
                gauges[name] += value
        return "\n".join((*_requests(requests), *_times(times), *_gauges(gauges), ""))


def _requests(counts: Mapping[tuple[str, str, int], int]) -> Iterable[str]:
    yield "# HELP spanwise_requests_total Requests that were answered."
    yield "# TYPE spanwise_requests_total counter"
    for (method, route, status), count in sorted(counts.items()):
        yield f'spanwise_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}'


def _times(times: Mapping[str, Times]) -> Iterable[str]:
    yield "# HELP spanwise_request_seconds Seconds until a request was answered to its end."
    yield "# TYPE spanwise_request_seconds histogram"
    for route, one in sorted(times.items()):
        below = 0
        for bound, count in zip((*BUCKETS, "+Inf"), one.buckets, strict=True):
            below += count
            yield f'spanwise_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}'
        yield f'spanwise_request_seconds_sum{{route="{route}"}} {one.seconds:.6f}'
        yield f'spanwise_request_seconds_count{{route="{route}"}} {below}'


def _gauges(gauges: Mapping[str, float]) -> Iterable[str]:
    for name, value in sorted(gauges.items()):
        yield f"# TYPE spanwise_{name} gauge"
        yield f"spanwise_{name} {value:g}"
