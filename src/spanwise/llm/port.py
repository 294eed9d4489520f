"""The interface between Spanwise and any language model: a `Call` goes in, a `Reply` comes out.

A failed call is a `Reply` whose `error` says why, so that one failure among fifty does not affect the other forty-nine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, Self, TypeAlias, runtime_checkable

from spanwise.contract.answers import AnswerBase
from spanwise.errors import (
    InputError,
    ModelError,
    ModelTimeoutError,
    ScriptExhausted,
    UnreachableError,
    WindowExceededError,
)
from spanwise.text.tokens import count_tokens

Schema: TypeAlias = type[AnswerBase] | Mapping[str, object]
"""The schema of an answer: a contract class, or a JSON schema."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model.

    Attributes:
        prompt: The user message, as plain text.
        system: The system message.
        purpose: What the call is for: "text_qa", "refine", "summary", "answer", "parse" or "judge".
        schema: The schema of the answer, which the reply then has in `parsed`; None for text.
        model: The name of another model of the same provider; None for the default.
        max_output_tokens: The most tokens of the reply; None leaves it to the provider.
        temperature: 0 or more; None leaves it to the provider.
        final: The reply is shown to the reader, so a driver that streams shows it as it comes.
    """

    prompt: str
    system: str = ""
    purpose: str = "answer"
    schema: Schema | None = None
    model: str | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    final: bool = field(default=False, compare=False)

    @property
    def hash(self) -> str:
        """SHA-256, in hex, of everything that the model sees: the same on every machine and in every process.

        `purpose` and `final` are not part of it, as they do not change what is sent.
        """
        seen = [
            self.prompt,
            self.system,
            self.model,
            self.max_output_tokens,
            self.temperature,
            None if self.schema is None else json.dumps(json_schema_of(self.schema), sort_keys=True),
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.hash)  # a schema may be a dict, which is not hashable


def json_schema_of(schema: Schema) -> Mapping[str, object]:
    """The JSON schema of a class; a JSON schema is returned unchanged."""
    return schema if isinstance(schema, Mapping) else _class_schema(schema)


@lru_cache(maxsize=256)
def _class_schema(schema: type[AnswerBase]) -> Mapping[str, object]:
    return schema.model_json_schema()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of calls. `estimated` is True if tokens were counted by `count_tokens` and not by the provider.

    Attributes:
        requests: Requests that reached the provider: 0 from a cache, 2 if a reply had to be repaired.
        cost_usd: The price in US dollars; None if unknown.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    requests: int = 0
    cost_usd: float | None = None

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.estimated or other.estimated,
            self.requests + other.requests,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to one call.

    Attributes:
        text: The unchanged text of the model; if `error` is set, what had come before the failure.
        parsed: The answer, if the call has a schema: an instance of the class, or a dict for a JSON schema.
        usage: Tokens, requests and cost.
        error: Why the call failed; None if it did not. Check it first: a failure never becomes an answer.
        model: The name of the model that answered, as the provider gives it.
        finish: Why the text ends: "stop", or "length" if the limit on output cut it.
        cached: The reply is from a cache or a recording, and cost nothing now.
    """

    text: str = ""
    parsed: object = None
    usage: Usage = field(default_factory=Usage)
    error: ModelError | None = None
    model: str | None = None
    finish: str = "stop"
    cached: bool = False

    def checked(self) -> Self:
        """The reply itself, if the call succeeded.

        Raises:
            ModelError: The call failed.
        """
        if self.error is not None:
            raise self.error
        return self

    def but(self, **changes: object) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]  # the names are checked when it runs


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """The abilities of a model as data: nothing else in Spanwise depends on a model's name.

    Attributes:
        name: "provider:model".
        context_window: Tokens of prompt and reply together; None if unknown.
        max_output_tokens: The most tokens of one reply; None if unknown.
        native_schema: It accepts a class and answers with an instance of it (the provider's structured output).
        json_schema: It accepts a JSON schema beside the prompt.
        rejects_temperature: A request with a temperature fails.
        rejects_max_tokens: The limit on output must be sent as `max_completion_tokens`; the old name fails.
        reasoning: It reasons before it answers, and may show its reasoning in the text.
        input_price: US dollars per million tokens of prompt; None if unknown.
        output_price: US dollars per million tokens of reply; None if unknown.
        structured: It accepts every kind of schema and repairs invalid answers itself, as a `Ladder` does.
    """

    name: str
    context_window: int | None = None
    max_output_tokens: int | None = None
    native_schema: bool = False
    json_schema: bool = False
    rejects_temperature: bool = False
    rejects_max_tokens: bool = False
    reasoning: bool = False
    input_price: float | None = None
    output_price: float | None = None
    structured: bool = False

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """The cost of these tokens in US dollars; None if a price is unknown."""
        if self.input_price is None or self.output_price is None:
            return None
        return (prompt_tokens * self.input_price + completion_tokens * self.output_price) / 1_000_000


class Model(Protocol):
    """A language model. `complete` and `acomplete` do the same; both may be called from several threads at once.

    They return a failed call as a `Reply` with an `error`. Exceptions that they raise nevertheless are converted by the
    drivers.
    """

    @property
    def profile(self) -> ModelProfile:
        """The abilities of the model."""

    def complete(self, call: Call) -> Reply:
        """Send one call and wait for its reply."""

    async def acomplete(self, call: Call) -> Reply:
        """Send one call and await its reply."""


@runtime_checkable
class StreamingModel(Protocol):
    """A model that can stream its text: pieces of text, then the complete `Reply` as the last element."""

    def stream(self, call: Call) -> Iterator[str | Reply]:
        """Send one call; yield its text piece by piece, then its reply."""

    def astream(self, call: Call) -> AsyncGenerator[str | Reply, None]:
        """As `stream`, for async code."""


_SPARE = 0.95  # safety factor, as the next prompt has other words and other tokens
_BLIND = 0.5  # share of the assumed window that is tried if the server says nothing useful


def smaller_window(error: ModelError | None, call: Call, assumed: int) -> int | None:
    """The window for another attempt, in tokens as `count_tokens` estimates; None if the window was not the problem.

    Servers count tokens in their own way. If a server reports the length of the prompt, its window is converted to our
    tokens by that ratio; if it reports no window, or none smaller than the assumed one, half of that is tried.

    Args:
        error: The error of the call.
        call: The call.
        assumed: The window that its prompt was made to fit.
    """
    if not isinstance(error, WindowExceededError):
        return None
    window, ours = error.window, count_tokens(call.system) + count_tokens(call.prompt)
    if window is not None and error.prompt_tokens is not None:
        reply = min(call.max_output_tokens or 0, window // 2)
        share = min(1.0, _SPARE * ours / error.prompt_tokens)
        window = int((window - reply) * share) + reply
    if window is None or window >= assumed:
        window = int(assumed * _BLIND)
    return window


def attempt(model: Model, call: Call) -> Reply:
    """The reply to a call; an exception of the model becomes its error."""
    try:
        return model.complete(call)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # a model is foreign code: its failure is that call's, not the run's
        return Reply(error=as_model_error(error), model=model.profile.name)


async def aattempt(model: Model, call: Call) -> Reply:
    """As `attempt`, for async code."""
    try:
        return await model.acomplete(call)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as above
        return Reply(error=as_model_error(error), model=model.profile.name)


def as_model_error(error: Exception) -> ModelError:
    """The error itself if it is a `ModelError`, else the nearest one with its message."""
    if isinstance(error, ModelError):
        return error
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, TimeoutError):
        typed: ModelError = ModelTimeoutError(f"The model did not answer in time ({said}); allow more time.")
    elif isinstance(error, ConnectionError):
        typed = UnreachableError(f"The model cannot be reached ({said}); check the address and that it runs.")
    else:
        typed = ModelError(f"The call to the model failed with {said}.")
    typed.__cause__ = error
    return typed


def known_model(model: Model | None) -> Model | None:
    """The given model, checked; None stays None.

    Raises:
        InputError: It is not a model.
    """
    if model is None or isinstance(getattr(model, "profile", None), ModelProfile):  # models of others have profiles too
        return model
    kind = type(model).__name__
    raise InputError(
        f"a model is a name such as 'ollama:llama3.3', or what spanwise.model_from gives, not {kind}; what another "
        "library's model wrote is checked by spanwise.verify"
    )
