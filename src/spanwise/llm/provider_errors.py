"""Errors of providers as typed errors, with advice and without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
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
    WindowExceededError,
)

_LONGEST = 300  # characters of the provider's message that are kept
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
    ((theirs.ModelNotFoundError,), ProviderError, "The provider has no model {name}; check its name."),
    (
        (theirs.UnexpectedModelBehavior,),
        CutReplyError,
        "The reply of {name} cannot be read, or ends too early; try again.",
    ),
)
_REJECTED = (400, 404, 415, 422, 501)
_TOO_LONG_STATUS = (400, 413, 422, 500)
_TOO_LONG = re.compile(
    r"exceeds? the (?:available |maximum )?context|maximum context length|exceed_context_size|context_length_exceeded"
    r"|context (?:length|window|size) (?:is |was )?exceeded|prompt is too long",
    re.IGNORECASE,
)
_WINDOW = re.compile(r"(?:context (?:length|window|size)(?: is| of)? \(?|tokens > )([0-9]{1,9})", re.IGNORECASE)
_PROMPT = re.compile(r"(?:request \(|resulted in |requested |too long: )([0-9]{1,9})", re.IGNORECASE)
_CAUSES = 10
_MOST_TOKENS = 1_000_000_000
_LONGEST_WAIT = 86_400  # seconds; larger values are ignored
_HIDDEN = "[secret]"
_SHORTEST = 6  # a shorter "key" is a placeholder, and removing it would garble the text

_KEY_FORMS = re.compile(
    r"""\b(?:sk|pk|gsk|xai|ghp|hf|AKIA|AIza)[-_]?[A-Za-z0-9_\-*]{12,200}   # keys of providers, also half hidden ones
      | (?<=\bBearer\ )[^\s"',]{6,2000}
      | (?<=\bBasic\ )[^\s"',]{6,2000}
      | (?<=\bkey=)[^\s"'&,]{6,2000}
      | (?<=\bapi_key=)[^\s"'&,]{6,2000}
      | (?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)                       # user and password of an address
    """,
    re.VERBOSE,
)


def provider_error(error: Exception, name: str, *, with_schema: bool, secrets: Sequence[str] = ()) -> ModelError:
    """The typed error for an exception of pydantic-ai, an SDK or the network.

    Args:
        error: The exception.
        name: "provider:model", for the message.
        with_schema: True if the request had a schema, so that its rejection may be due to that.
        secrets: Texts that are removed from the provider's message.
    """
    said = redact(_words(error), secrets)[:_LONGEST]
    status = getattr(error, "status_code", None)
    if isinstance(error, theirs.ContentFilterError):
        return RefusedError(f"{name} refuses to answer this. {said}")
    too_long = status in _TOO_LONG_STATUS and _TOO_LONG.search(said)
    if too_long or isinstance(error, theirs.ModelContextWindowExceededError):
        body = _body(error)
        window, prompt = (
            _count(body.get(field)) or _count(found.group(1) if (found := told.search(said)) else None)
            for field, told in (("n_ctx", _WINDOW), ("n_prompt_tokens", _PROMPT))
        )
        message = f"The prompt is longer than the window of {name}; say how long that is with context_window. {said}"
        return WindowExceededError(message, window=window, prompt_tokens=prompt, status=status)
    if with_schema and _means_schema(error, status, said):
        return SchemaUnsupportedError(f"{name} does not take the schema. {said}", status=status)
    if _never_connected(error):
        nobody = UnreachableError(f"{name} takes no connection; check the address and that the server runs. {said}")
        nobody.retryable = False  # the wait was long already
        return nobody
    for kinds, typed, advice in _ADVICE:
        if isinstance(error, kinds):
            wait = _wait(error)
            what = _how_long(advice, wait) if typed is RateLimitedError else advice
            return typed(f"{what.format(name=name)} {said}".strip(), retry_after=wait, status=status)
    return _unknown(error, name, said, status)


def _never_connected(error: BaseException | None) -> bool:
    """True if the timeout expired before there was a connection, however the SDK wrapped that."""
    seen = 0
    while error is not None and seen < _CAUSES:
        if type(error).__name__ == "ConnectTimeout":  # of httpx and of its successor
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


def _unknown(error: Exception, name: str, said: str, status: int | None) -> ModelError:
    if status is None and isinstance(error, theirs.ModelAPIError):
        return CutReplyError(f"The reply of {name} cannot be read; ask again. {said}")
    if isinstance(error, LookupError | AttributeError | TypeError):  # of a library that relied on the form of the reply
        return CutReplyError(f"The reply of {name} holds no answer in the form of its protocol; check its address.")
    code = f" with status {status}" if status else ""
    return ProviderError(f"{name} rejects the request{code}: {said}{_hint(said)}", status=status)


def _count(value: object) -> int | None:
    """A number of tokens from outside; None if it is invalid."""
    try:
        number = int(value) if isinstance(value, int | str) else 0
    except ValueError:
        return None
    return number if 0 < number < _MOST_TOKENS else None


def _wait(error: Exception) -> float | None:
    """Seconds that the provider asks to wait; None if it does not say."""
    wait = getattr(error, "retry_after", None)
    return float(wait) if isinstance(wait, int | float) and 0 <= wait <= _LONGEST_WAIT else None


def _how_long(advice: str, wait: float | None) -> str:
    told = "it does not say how long" if wait is None else f"it asks for {wait:g} seconds"
    return f"{advice.removesuffix('.')}, {told}."


def _hint(said: str) -> str:
    """Advice to set the profile's field for the parameter that the provider complains about; empty if there is none."""
    for parameter in ("max_tokens", "temperature"):
        if parameter in said:
            return f' If the model does not take it, give profile={{"rejects_{parameter}": True}}.'
    return ""


def _means_schema(error: Exception, status: int | None, said: str) -> bool:
    if isinstance(error, theirs.ModelNotFoundError):
        return False
    if isinstance(error, theirs.UserError):
        return True  # the library knows that the model does not support the request
    return status in _REJECTED and bool(_ABOUT_SCHEMAS.search(said))


def _body(error: Exception) -> Mapping[str, object]:
    """The JSON body of the error; empty if it has none."""
    body = getattr(error, "body", None)
    if isinstance(body, str):
        with suppress(ValueError, RecursionError):
            body = json.loads(body)
    inner = body.get("error", body) if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else {"message": inner} if inner else {}


def _words(error: Exception) -> str:
    body = _body(error)
    if body:
        return f"It says: {body.get('message', body)}"
    return str(getattr(error, "body", None) or error or type(error).__name__)


def redact(text: str, secrets: Sequence[str] = ()) -> str:
    """The text without the given secrets, and without anything that looks like a key or a password in a URL."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    return _KEY_FORMS.sub(_HIDDEN, text)
