"""What a generation gives back: the answer, and beside it the trace of how it was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from typing_extensions import TypeVar

from spanwise.contract.answers import AnswerBase

AnswerT = TypeVar("AnswerT", bound=AnswerBase, default=AnswerBase)

META_KEYS = (
    "context_completeness_strong",
    "schema_used",
    "answer_shape",
    "answer_type",
    "fragments_applied",
    "prompt_version",
    "model_name",
    "retrieved_context",
    "raw_response",
    "notes",
)
"""What the pipeline records of every generation.

`context_completeness_strong` is True (bounded), False (truncated) or None (not checked), see `completeness`;
`schema_used` the name of the answer's class; `answer_shape` and `answer_type` what was asked for; `fragments_applied`
the labels whose fragment the prompt had; `retrieved_context` what the model saw; `raw_response` its reply as it came;
`notes` why another class or way was taken than the one asked for.
"""


@dataclass
class GenerationResult(Generic[AnswerT]):
    """An answer and its trace. The trace stands only here: no class that a model fills has a field for it."""

    answer: AnswerT
    meta: dict[str, object] = field(default_factory=dict)
    """By the keys of `META_KEYS`."""
