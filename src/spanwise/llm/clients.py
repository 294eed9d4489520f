"""Clients of pydantic-ai, one small function per provider, and our profile of each model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeAlias

import genai_prices
import httpx2
from pydantic_ai.models import Model as TheirModel
from pydantic_ai.profiles import ModelProfile as TheirProfile
from pydantic_ai.settings import ModelSettings

from spanwise.errors import CutReplyError, ModelError
from spanwise.llm.port import ModelProfile

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel

Closing: TypeAlias = Callable[[], Coroutine[object, object, None]]
"""Closes connections."""

_NO_KEY = "no-key"  # clients require one, local servers do not
_OLLAMA = "http://localhost:11434/v1"
_SILENCE = 3600.0  # seconds without a byte; our own limit for a whole request is shorter
_CONNECT = 10.0  # seconds
_WINDOW_SECONDS = 5.0  # to ask a server for its window
_MOST_WINDOW = 100_000_000  # tokens; larger values are not believed
_SAMPLE = 1000  # tokens that are priced; prices of some models rise with the length of a prompt
_MOST_BYTES = 32 * 1024 * 1024
"""Most bytes of a reply; a streamed one takes some hundred bytes per token."""
_MOST_PACKED_BYTES = 256 * 1024
"""Most bytes of a reply that is compressed without being asked to; it can unpack to a thousand times that."""
_PLAIN = {"Accept-Encoding": "identity"}
"""The request header for uncompressed replies."""


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a provider.

    Attributes:
        base_url: Address of the server; None for the provider's own.
        key: API key, never shown; None if the server needs none.
        renamed: True if the limit on output is sent as `max_completion_tokens`; None to decide by the model's name.
    """

    base_url: str | None
    key: str | None = field(repr=False)
    renamed: bool | None = None


@dataclass(frozen=True, slots=True)
class Client:
    """Makes the models of a provider from their names; they share its connections, which `close` closes."""

    make: Callable[[str], TheirModel]
    close: Closing


def client(provider: str, access: Access) -> Client:
    """The client of a provider; nothing is sent yet."""
    return _CLIENTS[provider](access)


def embeddings(provider: str, to: Access, name: str, dimensions: int | None) -> tuple[EmbeddingModel, Closing]:
    """An embedding model of a provider, and the function that closes its connections; nothing is sent yet."""
    from openai import AsyncOpenAI
    from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
    from pydantic_ai.embeddings.settings import EmbeddingSettings
    from pydantic_ai.providers.openai import OpenAIProvider

    http = _http()
    url = {"ollama": to.base_url or _OLLAMA, "openai": to.base_url}[provider]
    # The SDK must not retry: our own retries know how long to wait.
    sdk = AsyncOpenAI(base_url=url, api_key=to.key or _NO_KEY, http_client=http, max_retries=0)
    settings = EmbeddingSettings() if dimensions is None else EmbeddingSettings(dimensions=dimensions)
    theirs = OpenAIEmbeddingModel(name, provider=OpenAIProvider(openai_client=sdk), settings=settings)
    return theirs, http.aclose


def request_settings(provider: str) -> ModelSettings:
    """Settings of every request: no retries by the SDK, since ours respect the budget and the limits."""
    return ModelSettings() if provider in ("google", "mistral") else ModelSettings(max_retries=0)


def _http(library: str = "httpx2") -> httpx2.AsyncClient:
    """An HTTP client; `library` is httpx or its successor, which have the same interface."""
    httpx = import_module(library)
    made: httpx2.AsyncClient = httpx.AsyncClient(
        timeout=httpx.Timeout(_SILENCE, connect=_CONNECT),
        follow_redirects=True,
        headers=_PLAIN,
        event_hooks={"response": [_bounded]},
    )
    return made


async def served_window(base_url: str, key: str | None, name: str) -> int | None:
    """The context window of a model in tokens, from a server's list of models; None if it is not stated.

    llama.cpp states it as `meta.n_ctx`, vLLM as `max_model_len`, others as `context_length` or `context_window`.
    """
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with suppress(httpx2.HTTPError, ValueError, RecursionError, ModelError):
        async with _http() as http:
            listed = await http.get(f"{base_url.rstrip('/')}/models", headers=headers, timeout=_WINDOW_SECONDS)
        found = listed.raise_for_status().json()
        models = found.get("data") if isinstance(found, dict) else None
        known = [one for one in models if isinstance(one, dict)] if isinstance(models, list) else []
        model = next((one for one in known if one.get("id") == name), known[0] if len(known) == 1 else {})
        meta = model.get("meta")
        told = [meta.get("n_ctx")] if isinstance(meta, dict) else []
        told += [model.get(field) for field in ("max_model_len", "context_length", "context_window")]
        return next((one for one in told if isinstance(one, int) and 0 < one <= _MOST_WINDOW), None)
    return None


def _openai(to: Access) -> Client:
    return _openai_chat(to) if to.base_url else _openai_responses(to)


def _openai_responses(to: Access) -> Client:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    http = _http()
    provider = OpenAIProvider(base_url=to.base_url, api_key=to.key or _NO_KEY, http_client=http)
    return Client(lambda name: OpenAIResponsesModel(name, provider=provider), http.aclose)


def _openai_chat(to: Access) -> Client:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    http = _http()
    provider = OpenAIProvider(base_url=to.base_url, api_key=to.key or _NO_KEY, http_client=http)

    def make(name: str) -> TheirModel:
        theirs = provider.model_profile(name) or {}
        # OpenAI-compatible servers expect the limit under its old name (max_tokens), which reasoning models refuse.
        renamed = _rejects_temperature(theirs) or to.base_url is None if to.renamed is None else to.renamed
        profile = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=renamed,
            openai_chat_streaming_requires_finish_reason=True,  # else a stream that was cut looks complete
        )
        return OpenAIChatModel(name, provider=provider, profile=profile)

    return Client(make, http.aclose)


def _named(name: str, to: Access, http: httpx2.AsyncClient, **more: object) -> Client:
    """The client of a provider whose classes have its name, such as `GroqModel` and `GroqProvider`."""
    models, providers = (import_module(f"pydantic_ai.{kind}.{name}") for kind in ("models", "providers"))
    made = getattr(providers, f"{name.title()}Provider")
    provider = made(api_key=to.key, base_url=to.base_url, http_client=http, **more)
    model = getattr(models, f"{name.title()}Model")
    return Client(lambda called: model(called, provider=provider), http.aclose)


def _google(to: Access) -> Client:
    from google.genai.types import HttpRetryOptions

    return _named("google", to, _http(), retry_options=HttpRetryOptions(attempts=1))


def _ollama(to: Access) -> Client:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider

    http = _http()
    provider = OllamaProvider(base_url=to.base_url or _OLLAMA, api_key=to.key or _NO_KEY, http_client=http)
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)  # as above
    return Client(lambda name: OllamaModel(name, provider=provider, profile=profile), http.aclose)


_CLIENTS: Mapping[str, Callable[[Access], Client]] = {
    "openai": _openai,
    "openai-chat": _openai_chat,
    "openai-responses": _openai_responses,
    "groq": lambda to: _named("groq", to, _http("httpx")),
    "anthropic": lambda to: _named("anthropic", to, _http()),
    "google": _google,
    "mistral": lambda to: _named("mistral", to, _http()),
    "ollama": _ollama,
}


def profile_of(theirs: TheirModel, name: str, *, on_own_server: bool) -> ModelProfile:
    """Our profile of a model, from that of pydantic-ai."""
    abilities = theirs.profile
    native = bool(abilities.get("supports_json_schema_output"))
    input_price, output_price = (None, None) if on_own_server else _prices(theirs)
    return ModelProfile(
        name=name,
        context_window=None if on_own_server else abilities.get("context_window"),
        native_schema=native,
        json_schema=native or bool(abilities.get("supports_tools", True)),
        rejects_temperature=_rejects_temperature(abilities),
        rejects_max_tokens=_rejects_temperature(abilities),
        reasoning=bool(abilities.get("thinking_always_enabled") or abilities.get("thinking_enabled_by_default")),
        input_price=input_price,
        output_price=output_price,
    )


def _rejects_temperature(abilities: TheirProfile | Mapping[str, object]) -> bool:
    if abilities.get("anthropic_disallows_sampling_settings"):
        return True
    thinks = abilities.get("openai_supports_reasoning")
    can_stop = abilities.get("openai_supports_reasoning_effort_none")
    return bool(thinks and (abilities.get("thinking_enabled_by_default") or not can_stop))


def _prices(theirs: TheirModel) -> tuple[float | None, float | None]:
    """US dollars per million tokens of prompt and of reply, from the list in genai-prices; None if unknown."""
    with suppress(LookupError, ValueError):
        used = [genai_prices.Usage(input_tokens=_SAMPLE), genai_prices.Usage(output_tokens=_SAMPLE)]
        costs = [genai_prices.calc_price(usage, theirs.model_name, provider_id=theirs.system) for usage in used]
        million = 1_000_000 / _SAMPLE
        return float(costs[0].total_price) * million, float(costs[1].total_price) * million
    return None, None


class _Bytes(Protocol):
    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class _Response(Protocol):
    stream: _Bytes

    @property
    def headers(self) -> Mapping[str, str]: ...


async def _bounded(response: _Response) -> None:
    """A response hook of httpx that ends a reply with an error if it grows beyond the limit."""
    packed = response.headers.get("content-encoding", "identity") != "identity"
    response.stream = _kept(response.stream, _MOST_PACKED_BYTES if packed else _MOST_BYTES)


def _kept(stream: _Bytes, most: int) -> _Bytes:
    """The stream with a counter; it is an instance of the stream's own class, which the client checks for."""

    class Counted(type(stream)):  # type: ignore[misc]  # its base is known when it runs
        """Passes on what the stream gives, up to the bound."""

        def __init__(self) -> None:
            self._left = most

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in stream:
                self._left -= len(piece)
                if self._left < 0:
                    error = CutReplyError(f"The server sent more than {most:,} bytes for one reply; check its address.")
                    error.retryable = False
                    raise error
                yield piece

        async def aclose(self) -> None:
            await stream.aclose()

    counted: _Bytes = Counted()
    return counted
