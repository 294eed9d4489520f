"""Answers: a list of items (none if not found, one, or several) and the flags on which the decision is based."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from spanwise.contract.items import (
    AddressItem,
    AmountItem,
    BooleanItem,
    DateItem,
    DateRangeItem,
    IbanItem,
    Item,
    PersonItem,
    PriceItem,
    QuantityItem,
    TableItem,
    TextItem,
)
from spanwise.contract.values import Contract


class AnswerBase(Contract):
    """What every answer says of itself, whatever its values are."""

    extraction_method: Literal["verbatim", "computed", "inferred", "na"] = Field(
        description="word for word, combined from several elements, derived but not explicit, or no answer"
    )
    confidence: float = Field(ge=0, le=1, description="from 0 to 1; a signal for triage, not a probability")
    caveats: list[str] = Field(default_factory=list, description="what a reader has to know beside the answer")
    answer_found: bool = Field(description="whether there is any item")
    complete_answer_found: bool = Field(description="whether nothing that was asked for is missing")
    context_completeness_weak: float = Field(
        ge=0, le=1, description="from 0 to 1; whether the passages look sufficient from inside"
    )
    context_structured: bool = Field(description="false where the passages look garbled")
    llm_discovered_keywords: list[str] = Field(
        default_factory=list, description="words of the passages that would find more of the answer"
    )
    keywords_found: list[str] = Field(default_factory=list, description="words of the question that the passages have")
    conflicting_evidence: bool = Field(description="whether the passages contradict each other")
    suggested_clarification: str | None = Field(
        default=None, description="a question back to the user where the answer depends on it, or null"
    )

    @classmethod
    def of_items(cls, items: Sequence[Item], confidence: float, **flags: object) -> Self:
        """An answer made by code: verbatim, complete, its completeness equal to `confidence`; `flags` override this."""
        told = {
            "items": items,
            "extraction_method": "verbatim",
            "confidence": confidence,
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": confidence,
            "context_structured": True,
            "conflicting_evidence": False,
        }
        return cls.model_validate(told | flags)

    if TYPE_CHECKING:
        # Declared for type checkers only: each answer class has its own field `items`, and the base class has none.
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
"""The class for the label `list`, which says that several texts are expected; the class is the same."""


class QuantityAnswer(AnswerBase):
    """Percentages, counts, ratios, durations and other numbers that are no money."""

    items: list[QuantityItem]


class AddressAnswer(AnswerBase):
    """Postal addresses."""

    items: list[AddressItem]


class PersonAnswer(AnswerBase):
    """Names of people."""

    items: list[PersonItem]


class PriceAnswer(AnswerBase):
    """Prices."""

    items: list[PriceItem]


class DateRangeAnswer(AnswerBase):
    """Periods of days."""

    items: list[DateRangeItem]


class IbanAnswer(AnswerBase):
    """International bank account numbers."""

    items: list[IbanItem]


ANSWER_REGISTRY: dict[str, type[AnswerBase]] = {
    "text": TextAnswer,
    "amount": AmountAnswer,
    "date": DateAnswer,
    "boolean": BooleanAnswer,
    "table": TableAnswer,
    "list": ListAnswer,
}
"""From the label of an answer type to its class; `registry.register` adds to it."""


class AnswerWithEvidence(Contract):
    """The smallest contract: a direct answer and the one range of lines that proves it."""

    answer: str
    evidence_start: int = Field(ge=1, description="number of the first line, counted over the whole document")
    evidence_end: int = Field(ge=1, description="number of the last line, itself included")
    confidence: float = Field(ge=0, le=1, description="from 0 to 1; a signal for triage, not a probability")
    quotes: list[str] = Field(default_factory=list, description="words of these lines, exactly as they stand there")
    caveats: list[str] = Field(default_factory=list, description="what a reader has to know beside the answer")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.evidence_end < self.evidence_start:
            raise ValueError("evidence_end is before evidence_start: name the first line first")
        return self
