"""Models from names such as "openai:gpt-5-mini", and the settings file with keys and profiles (docs/models.md)."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from spanwise.errors import (
    InputError,
    MissingExtraError,
    MissingKeyError,
    ModelSetupError,
    UnknownModelError,
    install_line,
)
from spanwise.llm.ladder import Ladder
from spanwise.llm.layer import Layer
from spanwise.llm.middleware.cache import Cache
from spanwise.llm.middleware.limits import Budget, Limits
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.middleware.stack import wrapped
from spanwise.llm.port import Model, ModelProfile, Schema
from spanwise.llm.scripted import ScriptedModel

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel

    from spanwise.llm.clients import Closing


TIMEOUT = 120.0
"""Default limit of a request, in seconds."""

DEFAULT_RETRY = Retry()
"""Default retries of failed requests."""

_LARGEST = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Provider:
    """A supported provider.

    Attributes:
        keys: Environment variables that may contain the key, in order; empty if no key is needed.
        package: The package that must be installed besides pydantic-ai.
    """

    keys: tuple[str, ...]
    package: str


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(("OPENAI_API_KEY",), "openai"),
    "openai-chat": Provider(("OPENAI_API_KEY",), "openai"),
    "openai-responses": Provider(("OPENAI_API_KEY",), "openai"),
    "groq": Provider(("GROQ_API_KEY",), "groq"),
    "anthropic": Provider(("ANTHROPIC_API_KEY",), "anthropic"),
    "google": Provider(("GOOGLE_API_KEY", "GEMINI_API_KEY"), "google.genai"),
    "mistral": Provider(("MISTRAL_API_KEY",), "mistralai"),
    "ollama": Provider((), "openai"),
}
"""The providers that `model_from` knows; with a `base_url`, any OpenAI-compatible server can be used, too."""


def model_from(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = TIMEOUT,
    profile: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    retry: Retry | None = DEFAULT_RETRY,
    budget: Budget | None = None,
    cache: Cache | str | os.PathLike[str] | None = None,
    recording: str | os.PathLike[str] | None = None,
) -> Model:
    """A model of a provider, ready for calls; no request is made yet.

    Args:
        spec: "provider:model", such as "openai:gpt-5-mini" or "ollama:llama3.3"; with a `base_url` also the model's
            name alone; or "scripted:replies.json", a file with a list of texts that are the replies.
        base_url: The address of the server: another OpenAI-compatible one (vLLM, llama.cpp, LM Studio), or a gateway to
            the named provider.
        api_key: The API key; by default from the environment, then from the settings file.
        timeout: Seconds for a whole request, above 0.
        profile: Fields of `ModelProfile` to override, such as {"context_window": 32768}.
        limits: Rate and concurrency limits.
        retry: How failed requests are retried; None for no retries.
        budget: What may be spent.
        cache: A cache of replies, or its path.
        recording: The path of a file that replies are appended to, for `Replay`.

    Raises:
        UnknownModelError: There is no such provider, or the model's name is missing.
        MissingExtraError: The extra `llm` is not installed.
        MissingKeyError: The provider needs a key and there is none.
        ModelSetupError: The address, the settings file or the profile is invalid.
    """
    provider, name = _parsed(spec, base_url)
    if provider == "scripted":
        model: Model = _scripted(name)
        return wrapped(model, limits=limits, retry=retry, budget=budget, cache=cache, recording=recording)
    if timeout <= 0:
        raise InputError(f"timeout is {timeout}; it has to be above 0 seconds.")
    settings = read_settings()
    key = _access(provider, base_url, api_key, settings)
    known = {**settings.models.get(f"{provider}:{name}", {}), **(profile or {})}
    model = _model(provider, name, base_url, key, timeout, _abilities(known))
    return wrapped(model, limits=limits, retry=retry, budget=budget, cache=cache, recording=recording)


def embedding_model(
    spec: str, base_url: str | None, api_key: str | None, dimensions: int | None
) -> tuple[str, EmbeddingModel, Closing, Sequence[str]]:
    """Full name, embedding model, closing function and secrets for the name of an embedding model."""
    provider, name = _parsed(spec, base_url)
    if provider not in ("openai", "ollama"):
        raise UnknownModelError(
            f"{spec!r} is no embedder: give openai:NAME, ollama:NAME, a name with the address of its server "
            "(base_url), or the path of an ONNX file that ends in .onnx"
        )
    key = _access(provider, base_url, api_key, read_settings())
    from spanwise.llm.clients import Access, embeddings

    theirs, close = embeddings(provider, Access(base_url, key), name, dimensions)
    return f"{provider}:{name}", theirs, close, [key] if key else []


def _access(provider: str, base_url: str | None, api_key: str | None, settings: Settings) -> str | None:
    """The key of a provider, or None if it needs none, after checking address and installed packages."""
    if base_url is not None and urlsplit(base_url).scheme not in ("http", "https"):
        raise ModelSetupError(f"{base_url!r} is no address of a server; give one like http://localhost:8000/v1.")
    for package in ("pydantic_ai", PROVIDERS[provider].package):
        try:
            missing = find_spec(package) is None
        except ModuleNotFoundError:
            missing = True
        if missing:
            raise MissingExtraError(f"The library {package} is not installed; models need: {install_line('llm')}")
    key = api_key or _key(provider, settings.keys)
    if key is None and PROVIDERS[provider].keys and (base_url is None or provider in _KEY_IN_ANY_CASE):
        raise MissingKeyError(
            f"The provider {provider} needs a key: set {' or '.join(PROVIDERS[provider].keys)}, pass api_key=, "
            f'or write {provider} = "..." under [keys] in the settings file.'
        )
    return key


def served_window(model: Model) -> int | None:
    """The context window in tokens as the model's server states it, from one short request; None if it does not."""
    from spanwise.llm.adapter import ProviderModel

    found = next((one for one in _layers(model) if isinstance(one, ProviderModel)), None)
    return None if found is None else found.served_window()


def rung(model: Model, schema: Schema) -> str:
    """How a schema is sent to a model, as far as known: "native", "json_schema" or "prompted"."""
    return next((one.rung(schema).value for one in _layers(model) if isinstance(one, Ladder)), "native")


def _layers(model: Model) -> Iterator[Model]:
    """A model and the models wrapped in it, from the outside in."""
    yield model
    while isinstance(model, Layer):
        model = model.inner
        yield model


_KEY_IN_ANY_CASE = ("groq", "anthropic", "google", "mistral")  # their SDKs do not start without one


def _parsed(spec: str, base_url: str | None) -> tuple[str, str]:
    if not isinstance(spec, str):
        raise UnknownModelError(f"a model is named by text such as 'ollama:llama3.3', not by {type(spec).__name__}")
    provider, colon, name = spec.strip().partition(":")
    known = [*PROVIDERS, "scripted"]
    if provider in known and name:
        return provider, name
    if base_url is not None and spec.strip() and provider not in known:
        return "openai", spec.strip()
    if provider in known:
        raise UnknownModelError(f"{spec!r} names no model; write {provider}:NAME.")
    near = get_close_matches(provider, known, n=1)
    hint = f"did you mean {near[0]}:{name or 'NAME'}?" if near else f"known are {', '.join(known)}."
    what = f"There is no provider {provider!r}" if colon else f"{spec!r} names no provider"
    raise UnknownModelError(f"{what}; {hint} For a server of your own give its address too (base_url, or --base-url).")


def _scripted(path: str) -> ScriptedModel:
    try:
        with open(path, "rb") as file:
            replies = json.loads(file.read())
    except OSError as error:
        raise ModelSetupError(f"The replies {path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, RecursionError):
        raise ModelSetupError(f"The replies {path} are not JSON; write a list of texts.") from None
    if not isinstance(replies, list) or not all(isinstance(reply, str) for reply in replies):
        raise ModelSetupError(f"The replies {path} are not a list of texts.")
    return ScriptedModel(replies)


def _key(provider: str, kept: Mapping[str, str]) -> str | None:
    for variable in PROVIDERS[provider].keys:
        if os.environ.get(variable):
            return os.environ[variable]
    return kept.get(provider) or kept.get(provider.partition("-")[0]) or None


def _abilities(known: Mapping[str, object]) -> Mapping[str, object]:
    allowed = {field.name for field in fields(ModelProfile)} - {"name", "structured"}
    wrong = sorted(known.keys() - allowed)
    if wrong:
        raise ModelSetupError(f"A profile has no {', '.join(wrong)}; it has {', '.join(sorted(allowed))}.")
    return known


def _model(
    provider: str, name: str, base_url: str | None, key: str | None, timeout: float, known: Mapping[str, object]
) -> Model:
    from spanwise.llm.adapter import ProviderModel
    from spanwise.llm.clients import Access, client, profile_of, request_settings
    from spanwise.llm.clients import served_window as window_at

    renamed = known.get("rejects_max_tokens")
    theirs = client(provider, Access(base_url, key, None if renamed is None else bool(renamed)))
    found = profile_of(theirs.make(name), f"{provider}:{name}", on_own_server=base_url is not None)
    return ProviderModel(
        theirs.make,
        name,
        replace(found, **known),  # type: ignore[arg-type]  # the names are checked, the values are the user's
        timeout=timeout,
        settings=request_settings(provider),
        close=theirs.close,
        window=partial(window_at, base_url or "", key, name),
        secrets=[key] if key else [],
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The content of a settings file.

    Attributes:
        keys: API keys by provider; never shown.
        models: Fields of the `ModelProfile` by "provider:model".
    """

    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    models: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


def settings_path() -> Path:
    """The path of the settings file: `SPANWISE_SETTINGS`, else `spanwise/settings.toml` in the user's configuration."""
    named = os.environ.get("SPANWISE_SETTINGS")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME")
    return Path(base or Path.home() / ".config") / "spanwise" / "settings.toml"


def read_settings() -> Settings:
    """The content of the settings file, empty if there is none; raises `ModelSetupError` if it is invalid."""
    path = settings_path()
    try:
        with path.open("rb") as file:
            said = tomllib.loads(file.read(_LARGEST).decode())
    except (FileNotFoundError, NotADirectoryError):
        if os.environ.get("SPANWISE_SETTINGS"):
            raise ModelSetupError(f"There is no settings file {path}; unset SPANWISE_SETTINGS or write it.") from None
        return Settings()
    except OSError as error:
        raise ModelSetupError(f"The settings file {path} cannot be read ({error.strerror or error}).") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # The parser's own message may quote the line, and with it a key.
        raise ModelSetupError(f"The settings file {path} is not TOML; see docs/models.md for its form.") from None
    keys, models = said.get("keys", {}), said.get("models", {})
    if not _strings(keys) or not isinstance(models, dict) or not all(isinstance(one, dict) for one in models.values()):
        raise ModelSetupError(
            f'The settings file {path} needs texts under [keys] and tables like [models."openai:name"].'
        )
    return Settings(keys=keys, models=models)


def _strings(table: object) -> bool:
    return isinstance(table, dict) and all(isinstance(value, str) for value in table.values())
