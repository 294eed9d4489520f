"""Embedders, which turn texts into vectors: from an OpenAI-compatible server, or from an ONNX file of the user's."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable
from weakref import finalize

from spanwise.errors import CutReplyError, InputError, ModelError, WindowExceededError
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.onnx_model import Array, OnnxModel

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel

Vector: TypeAlias = Sequence[float]
Role: TypeAlias = Literal["passage", "query"]
"""What a text is, as some embedders treat the two differently."""

_MOST_DIMENSIONS = 16_384
_LEAST_TEXT = 64
"""Characters below which a text that a server rejects as too long is not halved any further."""
_TOGETHER = 64
_TOO_MUCH = (400, 413, 422)
"""HTTP statuses by which servers reject a request that is too large."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors whose cosine measures how similar their meanings are.

    Safe to use from several threads.
    """

    @property
    def name(self) -> str:
        """A name that changes with anything that changes the vectors: vectors of the same name are compared."""

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""

    def embed(self, texts: Sequence[str], role: Role = "passage") -> Sequence[Vector]:
        """A vector for each text, in the same order."""


class EndpointEmbedder:
    """A model behind `/v1/embeddings` of OpenAI, Ollama, llama.cpp, vLLM, or any compatible server."""

    def __init__(
        self,
        name: str,
        theirs: EmbeddingModel,
        *,
        timeout: float,
        retry: Retry | None,
        together: int = _TOGETHER,
        query_prefix: str = "",
        passage_prefix: str = "",
        secrets: Sequence[str] = (),
    ) -> None:
        """Not called directly: use `embedder_from`; `theirs` is an embedding model of pydantic-ai."""
        self.name = f"{name} {passage_prefix!r}" if passage_prefix else name
        self._theirs = theirs
        self._timeout = timeout
        self._retry = retry or Retry(attempts=1)
        self._together = together
        self._prefixes: dict[Role, str] = {"query": query_prefix, "passage": passage_prefix}
        self._secrets = tuple(secrets)
        self._dimension: int | None = None

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self.name!r})"

    @property
    def dimension(self) -> int:
        """The number of components of a vector; determined once, by embedding a word."""
        if self._dimension is None:
            self.embed(["dimension"])
        return self._dimension or 0

    def embed(self, texts: Sequence[str], role: Role = "passage") -> list[Vector]:
        """A vector for each text, in the same order; a text that is too long for the server is cut."""
        prefix, left = self._prefixes[role], iter(texts)
        vectors: list[Vector] = []
        while batch := list(islice(left, self._together)):
            vectors += self._fitting([prefix + text for text in batch])
        return vectors

    def _fitting(self, texts: list[str]) -> list[Vector]:
        """The vectors of a batch.

        If the server rejects it as too long, of its halves, and finally of half of a single text.
        """
        try:
            return self._retried(texts)
        except ModelError as error:
            if not isinstance(error, WindowExceededError) and error.status not in _TOO_MUCH:
                raise
            if len(texts) > 1:
                half = len(texts) // 2
                return self._fitting(texts[:half]) + self._fitting(texts[half:])
            if len(texts[0]) < _LEAST_TEXT:
                raise
            return self._fitting([texts[0][: len(texts[0]) // 2]])

    def _retried(self, texts: list[str]) -> list[Vector]:
        from spanwise.llm.run import wait_for

        attempt = 0
        while True:
            try:
                return self._checked(texts, wait_for(self._request(texts)))
            except ModelError as error:
                attempt += 1
                wait = self._retry.wait(attempt, error.retry_after) if error.retryable else None
                if wait is None:
                    raise
                time.sleep(wait)

    async def _request(self, texts: list[str]) -> Sequence[Vector]:
        import asyncio

        from pydantic_ai.embeddings.settings import EmbeddingSettings

        from spanwise.llm.provider_errors import provider_error

        # Vectors as plain numbers: not every server supports base64, which the SDK asks for.
        settings = EmbeddingSettings(extra_body={"encoding_format": "float"})
        try:
            asked = self._theirs.embed(texts, input_type="document", settings=settings)
            found: Sequence[Vector] = (await asyncio.wait_for(asked, self._timeout)).embeddings
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001  # SDKs raise what they like; each becomes one of our errors
            raise provider_error(error, self.name, with_schema=False, secrets=self._secrets) from None
        return found

    def _checked(self, texts: Sequence[str], vectors: Sequence[Vector]) -> list[Vector]:
        lengths = {len(one) if isinstance(one, list) else 0 for one in vectors}
        wanted = self._dimension or next(iter(lengths), 0)
        if len(vectors) != len(texts) or lengths != {wanted} or not 0 < wanted <= _MOST_DIMENSIONS:
            raise CutReplyError(
                f"{self.name} sent {len(vectors)} vectors of {sorted(lengths)[:3]} numbers for {len(texts)} texts"
                f"{f', and had sent {self._dimension} before' if self._dimension else ''}; check its address and name."
            )
        if not all(_is_number(value) for one in vectors for value in one):
            raise CutReplyError(f"{self.name} sent vectors with something that is no number; check its address.")
        self._dimension = wanted
        return list(vectors)


class OnnxEmbedder:
    """An embedding model in an ONNX file of the user's, with its `tokenizer.json` beside it.

    A vector is the mean of the token vectors, or the first of them if the model's own files (`1_Pooling`) or `pooling`
    say so, normalised to length 1. If the model's first output is already one vector per text, that is used.
    """

    def __init__(
        self,
        model: str | Path,
        tokenizer: str | Path | None = None,
        *,
        pooling: Literal["mean", "first"] | None = None,
        tokens: int = 512,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
    ) -> None:
        """Load a model.

        Args:
            model: The ONNX file.
            tokenizer: Its `tokenizer.json`; beside the model by default.
            pooling: How token vectors are combined; by default as the model's files say, else their mean.
            tokens: The most tokens of a text, 8 or more; longer texts are cut.
            query_prefix: Text put before a question; by default as in `config_sentence_transformers.json`, else none.
            passage_prefix: Text put before a passage; likewise.

        Raises:
            InputError: A file is missing or cannot be read.
            MissingExtraError: onnxruntime or tokenizers are not installed.
        """
        self._model = OnnxModel(model, tokenizer, tokens=tokens)
        pooled = self._model.told("1_Pooling/config.json").get("pooling_mode_cls_token")
        self._pooling = pooling or ("first" if pooled is True else "mean")
        told = self._model.told("config_sentence_transformers.json").get("prompts")
        prompts = told if isinstance(told, dict) else {}
        self._prefixes: dict[Role, str] = {
            "query": str(prompts.get("query", "")) if query_prefix is None else query_prefix,
            "passage": str(prompts.get("passage", prompts.get("document", "")))
            if passage_prefix is None
            else passage_prefix,
        }
        with self._model.path.open("rb") as file:
            bytes_ = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        self.name = " ".join(
            ["onnx", self._model.path.name, bytes_, self._pooling, f"{tokens}", repr(self._prefixes["passage"])]
        )
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""
        if self._dimension is None:
            self._dimension = len(self.embed(["dimension"])[0])
        return self._dimension

    def embed(self, texts: Sequence[str], role: Role = "passage") -> list[Vector]:
        """A vector for each text, in the same order.

        Raises:
            InputError: The model's output is not vectors.
        """
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))  # texts of similar length need little padding
        found: dict[int, Vector] = {}
        for start in range(0, len(order), _TOGETHER // 4):
            batch = order[start : start + _TOGETHER // 4]
            states, mask = self._model.run([self._prefixes[role] + texts[at] for at in batch])
            found |= zip(batch, self._pooled(states, mask), strict=True)
        return [found[at] for at in range(len(texts))]

    def _pooled(self, states: Array, mask: Array) -> list[Vector]:
        import numpy as np

        if states.ndim == 3:
            kept = mask[:, :, None].astype("float32")
            mean = (states * kept).sum(axis=1) / np.maximum(kept.sum(axis=1), 1)
            states = states[:, 0] if self._pooling == "first" else mean
        if states.ndim != 2 or not np.isfinite(states).all():
            raise InputError(f"{self._model.path} gives no vectors: is it an embedding model?")
        vectors: list[Vector] = (states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)).tolist()
        return vectors


def embedder_from(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    dimensions: int | None = None,
    timeout: float = 60.0,
    retry: Retry | None = None,
    together: int = _TOGETHER,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
) -> Embedder:
    """An embedder from its name; no request is made yet.

    Args:
        spec: The path of an ONNX file (`model.onnx`), "openai:text-embedding-3-small", "ollama:nomic-embed-text", or,
            with a `base_url`, the model's name alone.
        base_url: The address of an OpenAI-compatible server, such as http://localhost:8080/v1.
        api_key: The API key; found as by `model_from` if not given.
        dimensions: Number of components of a vector, for models that can shorten them.
        timeout: Seconds for a request, above 0.
        retry: How failed requests are retried; three attempts by default.
        together: The most texts of one request, at least 1.
        query_prefix: Text put before a question, as some models require ("query: ").
        passage_prefix: Text put before a passage ("passage: ").

    Raises:
        InputError: The name, a file, the address or a number is invalid, or the key is missing.
        MissingExtraError: An extra is not installed: `llm` for a server, `nli` for a file.
    """
    if spec.endswith(".onnx"):
        return OnnxEmbedder(spec, query_prefix=query_prefix, passage_prefix=passage_prefix)
    from spanwise.llm.providers import embedding_model

    if together < 1 or timeout <= 0:
        raise InputError(f"together is {together} and timeout {timeout}: give at least 1 text and more than 0 seconds")
    name, theirs, close, secrets = embedding_model(spec, base_url, api_key, dimensions)
    embedder = EndpointEmbedder(
        name,
        theirs,
        timeout=timeout,
        retry=retry or Retry(),
        together=together,
        query_prefix=query_prefix or "",
        passage_prefix=passage_prefix or "",
        secrets=secrets,
    )
    finalize(embedder, _close, close)
    return embedder


def _close(close: Callable[[], Coroutine[object, object, None]]) -> None:
    from spanwise.llm.run import submit

    with suppress(RuntimeError):  # the interpreter ends
        submit(close())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
