"""Errors on the paths that OpenAI's clients call: the same problem, with the `error` that those clients look for."""

from __future__ import annotations

from typing import Final

from spanwise.server.models import OpenAIError, Problem

PATHS: Final = ("/v1/chat/completions", "/v1/models")
_KINDS: Final = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


def compatible(problem: Problem, error: Exception) -> Problem:
    """The problem as a client of that path understands it; another path's stays what it is."""
    if not problem.instance.startswith(PATHS):
        return problem
    # OpenAI tells what cannot be read in a request as 400, and its clients have a class for that.
    status = 400 if problem.status == 422 else problem.status
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    param = getattr(error, "param", None) or _param(problem)
    told = OpenAIError(message=problem.detail, type=kind, param=param, code=problem.code)
    title = "Bad Request" if status == 400 else problem.title
    return problem.model_copy(update={"status": status, "title": title, "error": told})


def _param(problem: Problem) -> str | None:
    """The part of the body that cannot be read, as OpenAI names it: `messages.0.role`."""
    at = problem.errors[0].at if problem.errors else []
    return ".".join(map(str, at[1:])) or None if at[:1] == ["body"] else None
