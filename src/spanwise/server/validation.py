"""What the framework finds wrong in a request, in the one shape of errors."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError

from spanwise.server.models import Flaw
from spanwise.server.problems import ProblemError, told

_SHOWN = 20
"""Flaws that are told."""


def handle_validation(app: FastAPI) -> None:
    """Have what cannot be read in requests answered as a problem with its flaws."""

    async def unreadable(request: Request, error: Exception) -> Response:
        return await told(request, _problem(error) if isinstance(error, RequestValidationError) else error)

    app.add_exception_handler(RequestValidationError, unreadable)


def _problem(error: RequestValidationError) -> ProblemError:
    flaws = [Flaw(at=list(one["loc"]), message=one["msg"]) for one in error.errors()[:_SHOWN]]
    return ProblemError(422, "invalid_request", _detail(error, flaws), flaws=flaws)


def _detail(error: RequestValidationError, flaws: Sequence[Flaw]) -> str:
    if not flaws:
        return "The request cannot be read."
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return f"The body is no JSON, at character {first['loc'][-1]}: {first.get('ctx', {}).get('error', 'it ends')}."
    return f"{'.'.join(str(part) for part in flaws[0].at)}: {flaws[0].message}"
