"""Models of pydantic-ai, one small function a provider, and what is known of them as our profile."""

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
"""Ends connections."""

_NO_KEY = "no-key"  # clients want one, servers of one's own do not
_OLLAMA = "http://localhost:11434/v1"
_SILENCE = 3600.0  # seconds without a byte; the deadline of a whole request is ours, and shorter
_CONNECT = 10.0  # seconds
_WINDOW_SECONDS = 5.0  # to ask a server for its window
_MOST_WINDOW = 100_000_000  # tokens; whoever says more says nothing
_SAMPLE = 1000  # tokens whose price is asked for; prices of some models rise with the length of a prompt
_MOST_BYTES = 32 * 1024 * 1024
"""Of one reply; a streamed one takes some hundred bytes a token."""
_MOST_PACKED_BYTES = 256 * 1024
"""Of a reply that comes compressed though nobody asked for it: what it unpacks to is a thousand times that at most."""
_PLAIN = {"Accept-Encoding": "identity"}
"""The header that asks for replies as they are."""


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a provider.

    Attributes:
        base_url: Its address; None for its own.
        key: The key, never shown; None where the server needs none.
        renamed: It knows the limit on output as `max_completion_tokens`; None where the model's name tells.
    """

    base_url: str | None
    key: str | None = field(repr=False)
    renamed: bool | None = None


@dataclass(frozen=True, slots=True)
class Client:
    """Makes the models of a provider from their names; all of them share its connections, which `close` ends."""

    make: Callable[[str], TheirModel]
    close: Closing


def client(provider: str, access: Access) -> Client:
    """The client of a provider; nothing is sent yet."""
    return _CLIENTS[provider](access)


def embeddings(provider: str, to: Access, name: str, dimensions: int | None) -> tuple[EmbeddingModel, Closing]:
    """An embedding model of a provider, and what ends its connections; nothing is sent yet."""
    from openai import AsyncOpenAI
    from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
    from pydantic_ai.embeddings.settings import EmbeddingSettings
    from pydantic_ai.providers.openai import OpenAIProvider

    http = _http()
    url = {"ollama": to.base_url or _OLLAMA, "openai": to.base_url}[provider]
    # The SDK tries nothing again by itself: our own retries know how long to wait.
    sdk = AsyncOpenAI(base_url=url, api_key=to.key or _NO_KEY, http_client=http, max_retries=0)
    settings = EmbeddingSettings() if dimensions is None else EmbeddingSettings(dimensions=dimensions)
    theirs = OpenAIEmbeddingModel(name, provider=OpenAIProvider(openai_client=sdk), settings=settings)
    return theirs, http.aclose


def request_settings(provider: str) -> ModelSettings:
    """Settings of every request: no retries by the SDK, since ours know the budget and the limits."""
    return ModelSettings() if provider in ("google", "mistral") else ModelSettings(max_retries=0)


def _http(library: str = "httpx2") -> httpx2.AsyncClient:
    """A client; `library` is httpx or its successor, which are called alike."""
    httpx = import_module(library)
    made: httpx2.AsyncClient = httpx.AsyncClient(
        timeout=httpx.Timeout(_SILENCE, connect=_CONNECT),
        follow_redirects=True,
        headers=_PLAIN,
        event_hooks={"response": [_bounded]},
    )
    return made


async def served_window(base_url: str, key: str | None, name: str) -> int | None:
    """Tokens of the window of a model, from a server's list of models; None where it is not told.

    llama.cpp tells it as `meta.n_ctx`, vLLM as `max_model_len`, others as `context_length` or `context_window`.
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
        # Servers that only speak like OpenAI's know the limit by its first name; reasoning models refuse that one.
        renamed = _rejects_temperature(theirs) or to.base_url is None if to.renamed is None else to.renamed
        profile = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=renamed,
            openai_chat_streaming_requires_finish_reason=True,  # else a stream that was cut looks complete
        )
        return OpenAIChatModel(name, provider=provider, profile=profile)

    return Client(make, http.aclose)


def _named(name: str, to: Access, http: httpx2.AsyncClient, **more: object) -> Client:
    """The client of a provider whose classes are called after it, as `GroqModel` and `GroqProvider` are."""
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
    """Profile of a model, from pydantic-ai's own profile."""
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
    """US dollars for a million tokens of prompt and of reply, from the list that comes with the library."""
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
    """Have a reply end with an error where it grows over the bound: a hook of httpx and its successors."""
    packed = response.headers.get("content-encoding", "identity") != "identity"
    response.stream = _kept(response.stream, _MOST_PACKED_BYTES if packed else _MOST_BYTES)


def _kept(stream: _Bytes, most: int) -> _Bytes:
    """The stream, an instance of its own class for the checks of the client, that counts."""

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
