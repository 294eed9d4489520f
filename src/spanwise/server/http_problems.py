"""Errors as problem details (RFC 9457), and the table from our exceptions to HTTP statuses and messages."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spanwise import errors
from spanwise.server.models import Flaw, OpenAIError, Problem

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger("spanwise.server")

_SERVICE = "What writes the answers is not available; the server's log says more. Try again later."

STATUSES: tuple[tuple[type[errors.SpanwiseError], int, str | None], ...] = (
    # The first class that matches decides. A text in the last column replaces the error's own message,
    # which may name paths, addresses or accounts of the server.
    (errors.AnswerNotFoundError, 404, None),
    (errors.JobNotFoundError, 404, None),
    (errors.DocumentNotFoundError, 404, None),
    (errors.DocumentReplacedError, 409, None),
    (errors.LimitError, 413, None),
    (errors.QuotaError, 429, None),
    (errors.NameTakenError, 409, None),
    (errors.UnsupportedFormatError, 415, None),
    (errors.DocumentError, 422, None),
    (errors.CorpusBusyError, 503, "Another program is writing to the corpus: try again."),
    (errors.CorpusError, 500, "The corpus cannot be used; the server's log says why."),
    (errors.DatabaseDownError, 503, "The database of the corpus does not answer: try again."),
    (errors.StorageError, 507, "It cannot be kept: the server has no room or no permission; its log says more."),
    (errors.HighlightError, 409, None),
    (errors.TraceError, 409, None),
    (errors.ModelSetupError, 500, "The server's model is not set up as it has to be; its log says more."),
    (errors.ScriptExhausted, 502, _SERVICE),
    (errors.InputError, 422, None),
    (errors.WorkStoppedError, 503, None),
    (errors.BusyError, 503, None),
    (errors.RateLimitedError, 503, "The model's provider takes no more requests now: try again later."),
    (errors.ModelTimeoutError, 504, "The model did not answer in time: try again, or ask for less."),
    (errors.BudgetError, 503, "What the server may spend on its model is spent; the server's log says more."),
    (errors.ServiceError, 502, _SERVICE),
)
_RETRY_SECONDS = 1
# As in RFC 9110; Python's own phrases for these differ between versions.
_TITLES = {413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST = 2_000
_OPENAI_PATHS: Final = ("/v1/chat/completions", "/v1/models")
_OPENAI_KINDS: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


class ProblemError(Exception):
    """A request that the server itself refuses.

    Attributes:
        status: HTTP status of the response.
        code: A stable identifier for programs.
        detail: A message for people: what is wrong, and what to do.
        headers: Further headers of the response.
        flaws: The invalid parts of the request; None if the problem is not in a part.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        headers: Mapping[str, str] | None = None,
        *,
        flaws: Sequence[Flaw] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.flaws = None if flaws is None else list(flaws)


def problem_of(error: Exception, instance: str) -> tuple[Problem, dict[str, str]]:
    """Problem and headers for the client; details that are not meant for clients are logged."""
    headers: dict[str, str] = {}
    flaws = None
    if isinstance(error, ProblemError):
        status, code, detail, headers, flaws = error.status, error.code, error.detail, error.headers, error.flaws
    elif isinstance(error, HTTPException):
        status, headers = error.status_code, dict(error.headers or {})
        code = re.sub(r"\W+", "_", _title(status).lower())
        detail = _HTTP_DETAILS.get(status, str(error.detail))
    elif isinstance(error, errors.SpanwiseError):
        status, code, detail = _told(error)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            headers["Retry-After"] = str(math.ceil(getattr(error, "retry_after", None) or _RETRY_SECONDS))
    else:
        log.error("unexpected error in %s", instance, exc_info=error)
        status, code, detail = 500, "internal_error", "Something went wrong here; the server's log says more."
    return _as_openai(_problem(status, code, detail, instance, flaws), error), headers


def _problem(status: int, code: str, detail: str, instance: str, flaws: list[Flaw] | None) -> Problem:
    return Problem(
        type=f"urn:spanwise:problem:{code}",
        title=_title(status),
        status=status,
        detail=_encodable(detail[:_LONGEST]),
        instance=_encodable(instance[:_LONGEST]),
        code=code,
        errors=flaws,
    )


def _title(status: int) -> str:
    return _TITLES.get(status) or HTTPStatus(status).phrase


_HTTP_DETAILS = {
    400: "The request cannot be read.",
    404: "There is nothing here: the paths are in /v1/openapi.json.",
    416: "The file has no such range of bytes.",
    405: "This method is not for this path: the header Allow names those that are.",
}


def _told(error: errors.SpanwiseError) -> tuple[int, str, str]:
    code = _WORDS.sub("_", type(error).__name__.removesuffix("Error")).lower()
    for kind, status, instead in STATUSES:
        if isinstance(error, kind):
            if instead is not None:
                log.warning("%s: %s", code, error)
            return status, code, str(error) if instead is None else instead
    return 500, code, "Something went wrong here; the server's log says more."


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def response_of(error: Exception, instance: str) -> Response:
    """The response that reports an error to the client."""
    problem, headers = problem_of(error, instance)
    content = problem.model_dump(mode="json", exclude_none=True)
    return JSONResponse(content, problem.status, headers, media_type=MEDIA_TYPE)


async def told(request: Request, error: Exception) -> Response:
    """The response to a failed request, as an exception handler."""
    return response_of(error, request.url.path)


def handle_problems(app: Starlette) -> None:
    """Register the handlers that answer all errors of an app with problem details."""
    for kind in (ProblemError, HTTPException, errors.SpanwiseError):
        app.add_exception_handler(kind, told)


def _as_openai(problem: Problem, error: Exception) -> Problem:
    """The problem with an OpenAI error added, on the paths that OpenAI's clients call; others are unchanged."""
    if not problem.instance.startswith(_OPENAI_PATHS):
        return problem
    # OpenAI answers invalid requests with 400, and its clients have a class for that.
    status = 400 if problem.status == 422 else problem.status
    kind = _OPENAI_KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    param = getattr(error, "param", None) or _openai_param(problem)
    told = OpenAIError(message=problem.detail, type=kind, param=param, code=problem.code)
    title = "Bad Request" if status == 400 else problem.title
    return problem.model_copy(update={"status": status, "title": title, "error": told})


def _openai_param(problem: Problem) -> str | None:
    """The invalid part of the body, as OpenAI names it (`messages.0.role`); None if it is not in the body."""
    at = problem.errors[0].at if problem.errors else []
    return ".".join(map(str, at[1:])) or None if at[:1] == ["body"] else None
