"""Answers: a list of items (none: not found, one: single, several: a list) and the fields that steer the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from spanwise.contract.items import AmountItem, BooleanItem, DateItem, Item, TableItem, TextItem
from spanwise.contract.values import Contract


class AnswerBase(Contract):
    """What every answer says of itself, whatever its values are."""

    extraction_method: Literal["verbatim", "computed", "inferred", "na"]
    """Word for word, combined from several elements, derived but not explicit, or no answer."""
    confidence: float = Field(ge=0, le=1)
    """A signal for triage, not a probability that the answer is right."""
    caveats: list[str] = Field(default_factory=list)
    answer_found: bool
    complete_answer_found: bool
    context_completeness_weak: float = Field(ge=0, le=1)
    """Whether the passages looked sufficient from inside; see `completeness` for the signal from outside."""
    context_structured: bool
    """False when the passages looked garbled, so that another reader should try those pages."""
    llm_discovered_keywords: list[str] = Field(default_factory=list)
    keywords_found: list[str] = Field(default_factory=list)
    conflicting_evidence: bool
    suggested_clarification: str | None = None

    if TYPE_CHECKING:
        # Declared for type checkers only: each answer has its own field `items`, and the base itself has none.
        @property
        def items(self) -> Sequence[Item]:
            """The elements of the answer, each with its evidence."""


class TextAnswer(AnswerBase):
    """Texts, single or a list."""

    items: list[TextItem]


class AmountAnswer(AnswerBase):
    """Amounts of money."""

    items: list[AmountItem]


class DateAnswer(AnswerBase):
    """Dates."""

    items: list[DateItem]


class BooleanAnswer(AnswerBase):
    """Yes or no."""

    items: list[BooleanItem]


class TableAnswer(AnswerBase):
    """Tables."""

    items: list[TableItem]


ListAnswer = TextAnswer
"""A list of texts: the label says that several are expected, the class is the same."""

ANSWER_REGISTRY: dict[str, type[AnswerBase]] = {
    "text": TextAnswer,
    "amount": AmountAnswer,
    "date": DateAnswer,
    "boolean": BooleanAnswer,
    "table": TableAnswer,
    "list": ListAnswer,
}
"""From the label of a question's expected answer to its class."""
