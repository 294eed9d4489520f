"""Values: what one element of an answer is. `Span` is where its evidence stands."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """Base of everything in the contract: no field but the declared ones."""

    model_config = ConfigDict(extra="forbid")


class Span(Contract):
    """One contiguous range of lines, numbered 1.. over the whole document, both ends included.

    `quote` only serves to check the line numbers; what a reader is shown always comes from the source.
    """

    line_start: int
    line_end: int
    quote: str | None = None


class Amount(Contract):
    """An amount of money: `currency` is an ISO 4217 code, `unit` what it is counted by ("per claim")."""

    value: float
    currency: str
    unit: str | None = None


class DateValue(Contract):
    """A date: ISO 8601, and as the document writes it."""

    iso: str
    original: str


class TableValue(Contract):
    """A table: every row is as wide as the headers."""

    headers: list[str]
    rows: list[list[str]]
