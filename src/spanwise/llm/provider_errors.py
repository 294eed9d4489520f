"""What a provider says went wrong, as one typed error that says what to do and shows no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress

from pydantic_ai import exceptions as theirs

from spanwise.errors import (
    CutReplyError,
    ModelError,
    ModelTimeoutError,
    ProviderDownError,
    ProviderError,
    RateLimitedError,
    RefusedError,
    SchemaUnsupportedError,
    UnreachableError,
)
from spanwise.llm.redact import redact

_LONGEST = 300  # characters of what the provider says
_ABOUT_SCHEMAS = re.compile(
    r"schema|response_?format|structured|output_(?:config|format)|text\.format|guided_json|\btools?\b|tool_choice",
    re.IGNORECASE,
)
_ADVICE: tuple[tuple[tuple[type[Exception], ...], type[ModelError], str], ...] = (
    (
        (theirs.ModelTimeoutError, theirs.ModelRequestTimeout, TimeoutError),
        ModelTimeoutError,
        "{name} did not answer in time; allow more with timeout=.",
    ),
    (
        (theirs.ModelConnectionError, ConnectionError),
        UnreachableError,
        "{name} cannot be reached; check the address and that the server runs.",
    ),
    ((theirs.ModelAuthenticationError,), ProviderError, "{name} does not accept the key; check it."),
    ((theirs.ModelQuotaExceededError,), ProviderError, "The quota or credit for {name} is spent; see your account."),
    ((theirs.ModelRateLimitError,), RateLimitedError, "{name} has had too many requests; wait before the next."),
    (
        (theirs.ModelUnavailableError, theirs.ModelServerError),
        ProviderDownError,
        "{name} fails on its side; try again later.",
    ),
    (
        (theirs.ModelContextWindowExceededError,),
        ProviderError,
        "The prompt is longer than the window of {name}; give a smaller context_window.",
    ),
    ((theirs.ModelNotFoundError,), ProviderError, "The provider has no model {name}; check its name."),
    (
        (theirs.UnexpectedModelBehavior,),
        CutReplyError,
        "The reply of {name} cannot be read, or ends too early; try again.",
    ),
)
_REJECTED = (400, 404, 415, 422, 501)


def provider_error(error: Exception, name: str, *, with_schema: bool, secrets: Sequence[str] = ()) -> ModelError:
    """The typed error for what pydantic-ai, an SDK or the network raised.

    Args:
        error: What was raised.
        name: "provider:model", for the message.
        with_schema: The request carried a schema, so that a rejected request may mean the schema.
        secrets: Taken out of what the provider says.
    """
    said = redact(_words(error), secrets)[:_LONGEST]
    status = getattr(error, "status_code", None)
    if isinstance(error, theirs.ContentFilterError):
        return RefusedError(f"{name} refuses to answer this. {said}")
    if with_schema and _means_schema(error, status, said):
        return SchemaUnsupportedError(f"{name} does not take the schema. {said}", status=status)
    for kinds, typed, advice in _ADVICE:
        if isinstance(error, kinds):
            message = f"{advice.format(name=name)} {said}".strip()
            return typed(message, retry_after=getattr(error, "retry_after", None), status=status)
    if status is None and isinstance(error, theirs.ModelAPIError):
        return CutReplyError(f"The reply of {name} cannot be read; ask again. {said}")
    code = f" with status {status}" if status else ""
    return ProviderError(f"{name} rejects the request{code}: {said}{_hint(said)}", status=status)


def _hint(said: str) -> str:
    """The field of a profile that says what the provider has just said."""
    for parameter in ("max_tokens", "temperature"):
        if parameter in said:
            return f' If the model does not take it, give profile={{"rejects_{parameter}": True}}.'
    return ""


def _means_schema(error: Exception, status: int | None, said: str) -> bool:
    if isinstance(error, theirs.ModelContextWindowExceededError | theirs.ModelNotFoundError):
        return False
    if isinstance(error, theirs.UserError):
        return True  # the library knows that the model does not take what was asked for
    return status in _REJECTED and bool(_ABOUT_SCHEMAS.search(said))


def _words(error: Exception) -> str:
    body = getattr(error, "body", None)
    if isinstance(body, str):
        with suppress(ValueError, RecursionError):
            body = json.loads(body)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message", inner) if isinstance(inner, dict) else inner
        return f"It says: {message}"
    return str(body or error or type(error).__name__)
