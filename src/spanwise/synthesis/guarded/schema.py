"""Input and output of guarded synthesis: a question with its chunks, and the checked answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from typing_extensions import TypedDict

from spanwise.contract.adapters import Given, given_passages
from spanwise.domain.claim import Claim

SMALLEST_WINDOW = 512
"""Tokens of the smallest window with room for the instructions, some evidence and a reply."""
DEFAULT_OUTPUT = 512


class ModelConfig(BaseModel):
    """Every number of the guarded synthesis that may be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model_name: str = Field(default="mixtral-8x7b", min_length=1)
    """Name of the model if the input gives none.

    If the model itself has a name, it is used unless this field is set explicitly.
    """
    max_context_tokens: int = Field(default=8192, ge=SMALLEST_WINDOW)
    """Tokens of prompt and reply together; a smaller window of the model takes precedence."""
    max_output_tokens: int = Field(default=DEFAULT_OUTPUT, ge=1)
    """Tokens of the reply if the input does not say; at most a quarter of the window."""
    temperature: float = Field(default=0.0, ge=0)
    top_sentences: int = Field(default=3, ge=1)
    """Most sentences of an excerpt."""
    history_share: float = Field(default=0.25, ge=0, le=0.5)
    """Largest share of the room beside the instructions that earlier turns may take."""
    plan_tokens: int = Field(default=256, ge=16)
    """Tokens of the plan that is written first if there is a second pass; at most an eighth of the window."""
    most_unsupported: float = Field(default=0.2, ge=0, le=1)
    """Share of unsupported sentences above which the whole answer is dropped."""
    unsupported_penalty: float = Field(default=0.2, ge=0, le=1)
    uncertain_penalty: float = Field(default=0.1, ge=0, le=1)
    unknown_citation_penalty: float = Field(default=0.05, ge=0, le=1)
    contradiction_penalty: float = Field(default=0.15, ge=0, le=1)


class Chunk(BaseModel):
    """A retrieved text. What else a retriever says about it is kept beside these fields."""

    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    chunk_id: str = Field(min_length=1)
    text: str
    source_url: str | None = None
    score: float = Field(default=0.0, allow_inf_nan=False)
    """Score of the retrieval, ideally from 0 to 1; scores beyond 1 are divided by the largest of the batch."""
    metadata: dict[str, object] = Field(default_factory=dict)

    @field_validator("chunk_id")
    @classmethod
    def _has_a_name(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a chunk needs an id that can be cited")
        return value.strip()

    @field_validator("metadata", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return {} if value is None else value


class Turn(TypedDict):
    """One turn of the conversation before the question."""

    role: str
    content: str


def _as_chunk(value: object) -> object:
    """Sections, passages, hits and nodes as chunks; a chunk or a string is returned unchanged."""
    if isinstance(value, Chunk) or (isinstance(value, Mapping) and {"chunk_id", "text"} <= value.keys()):
        return value
    if isinstance(value, str):
        return value
    return chunk_of(given_passages((value,))[0])


def chunk_of(given: Given) -> Chunk:
    """A passage of any form as a chunk; a missing score becomes 1.0."""
    record = given.chunk()
    metadata = {key: value for key, value in given.chunk()["metadata"].items() if value is not None}  # type: ignore[attr-defined]  # `chunk` makes it a dict
    return Chunk.model_validate(record | {"score": 1.0 if given.score is None else given.score, "metadata": metadata})


class SynthesisInput(BaseModel):
    """A question and the chunks that were retrieved for it."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    trace_id: str
    query: str
    retrieved_chunks: list[Annotated[Chunk, BeforeValidator(_as_chunk)]]
    """Chunks, dicts of their fields, sections, passages and hits, in any order."""
    preferences: dict[str, object] = Field(default_factory=dict)
    """The reader's preferences, shown to the model unchanged.

    Two are enforced: `max_length` (words of the answer), and `citations` (False removes the markers from the answer
    after they were checked).
    """
    conversation_history: list[Turn] = Field(default_factory=list)
    """Earlier turns, oldest first."""
    model_name: str | None = None
    max_output_tokens: int | None = Field(default=None, ge=0)
    user_id: str | None = None
    session_id: str | None = None
    allow_agentic: bool = False

    if TYPE_CHECKING:
        # Declared for type checkers only: the fields take more forms than they hold.
        def __init__(
            self,
            *,
            trace_id: str,
            query: str,
            retrieved_chunks: Sequence[object],
            preferences: Mapping[str, object] | None = None,
            conversation_history: Sequence[Turn] | None = None,
            model_name: str | None = None,
            max_output_tokens: int | None = None,
            user_id: str | None = None,
            session_id: str | None = None,
            allow_agentic: bool = False,
        ) -> None: ...

    @field_validator("trace_id", "query")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("it is blank; give the id of the request and the question")
        return value

    @field_validator("preferences", "conversation_history", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object, info: object) -> object:
        if value is not None:
            return value
        return {} if getattr(info, "field_name", "") == "preferences" else []

    @field_validator("preferences")
    @classmethod
    def _length_is_a_number(cls, value: dict[str, object]) -> dict[str, object]:
        words_of(value)
        return value


def words_of(preferences: Mapping[str, object]) -> int | None:
    """The most words that the answer may have; None if there is no such preference.

    Raises:
        ValueError: `max_length` is not a positive integer.
    """
    wanted = preferences.get("max_length")
    if wanted is None:
        return None
    number = int(wanted) if isinstance(wanted, str) and wanted.strip().isdecimal() else wanted
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"max_length is {wanted!r}; it has to be a number of words, 1 or more")
    return number


class ChunkCitation(BaseModel):
    """A citation of the answer."""

    model_config = ConfigDict(frozen=True)

    chunk_id: str
    start: int
    end: int
    """Range `[start, end)` of its marker in the answer; empty, at the marker's place, if citations are not shown."""
    quote: str | None = None
    """The text of the chunk that supports the sentence before the marker, verbatim; None if no single place does."""


class Metrics(TypedDict):
    """What a run cost."""

    latency_ms: float
    prompt_tokens: int
    completion_tokens: int
    tokens_estimated: bool
    """True if no provider counted the tokens, so that `spanwise.count_tokens` did."""
    context_hash: str | None
    """SHA-256 of the context block, in hexadecimal."""
    prompt_hash: str | None
    """SHA-256, in hexadecimal, of everything that the model sees and is asked for: the key of the cache."""
    cached: bool
    """True if every reply came from the cache."""
    llm_calls: int
    """Number of calls that reached a model."""


class SynthesisOutput(BaseModel):
    """The checked answer, or the text that says that there is none."""

    model_config = ConfigDict(protected_namespaces=())

    trace_id: str
    answer: str
    used_chunk_ids: list[str]
    """Ids of the cited chunks, in the order of their first use, each once."""
    citations: list[ChunkCitation] = Field(default_factory=list)
    confidence: float = Field(ge=0, le=1)
    """From the evidence alone; the model's own statements about its confidence do not count."""
    warnings: list[str] = Field(default_factory=list)
    """Codes of the warnings, each once."""
    warning_details: list[dict[str, object]] = Field(default_factory=list)
    """For each warning, one or more dicts with `code`, `message` and the affected parts."""
    raw_model_output: str | None = None
    """The unchanged text of the model; None if it was not called."""
    metrics: Metrics
    claims: list[Claim] = Field(default_factory=list)
    """Every statement of the model with its verdict.

    `start` and `end` are its range in the answer, both 0 for a statement that the answer does not contain.
    """
    missing: list[dict[str, object]] = Field(default_factory=list)
    """Chunks that the model did not see, or not completely, each with `chunk_id` and `reason`."""
    reasoning: str | None = None
    """Why this is the answer, in one sentence."""
