"""Values: what one element of an answer is. `Span` is where its evidence stands."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Contract(BaseModel):
    """Base of everything in the contract: no field but the declared ones, no number but finite ones."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True)


class Span(Contract):
    """One contiguous range of lines, numbered 1.. over the whole document, both ends included.

    `quote` only serves to check the line numbers; what a reader is shown always comes from the source.
    """

    line_start: int = Field(description="number of the first line, counted over the whole document")
    line_end: int = Field(description="number of the last line, itself included")
    quote: str | None = Field(default=None, description="words of these lines, exactly as they stand there, or null")


class Amount(Contract):
    """An amount of money: `currency` is an ISO 4217 code, `unit` what it is counted by ("per claim")."""

    value: float = Field(description="the number meant, 5000000 where the text says 5 million; a loss is negative")
    currency: str = Field(description="ISO 4217 code, such as USD")
    unit: str | None = Field(default=None, description='what it is counted by, such as "per claim", or null')


class Quantity(Contract):
    """A number that is no money: a percentage, a count, a ratio, a duration, a measure."""

    value: float = Field(description="the number; a percentage as it is written, 12.5 for 12.5 %")
    unit: str = Field(description='what is counted or measured, such as "%", "days" or "employees"')
    original: str = Field(description="the quantity as the text writes it")


class DateValue(Contract):
    """A date: ISO 8601, and as the document writes it."""

    iso: str = Field(description="ISO 8601, such as 2024-03-15")
    original: str = Field(description="the date as the text writes it")


class DateRange(Contract):
    """A period of days, both ends included; an end that the document leaves open is null."""

    iso_start: str | None = Field(default=None, description="first day, ISO 8601, or null")
    iso_end: str | None = Field(default=None, description="last day, ISO 8601, or null")


class TableValue(Contract):
    """A table: every row is as wide as the headers."""

    headers: list[str] = Field(description="one text a column")
    rows: list[list[str]] = Field(description="one list a row, one cell a column, as the text writes them")


class Address(Contract):
    """A postal address; what the document does not say is null."""

    street: str | None = Field(default=None, description="street and number")
    postal_code: str | None = None
    city: str | None = None
    country: str | None = None


class PersonName(Contract):
    """The name of a person."""

    first_name: str
    last_name: str
    middle_initial: str | None = Field(default=None, description="one letter without its full stop, or null")


class Price(Contract):
    """What one thing costs: `currency` is an ISO 4217 code, `unit` what the price is for ("per seat and month")."""

    value: float = Field(description="the number meant, in whole units of the currency")
    currency: str = Field(description="ISO 4217 code, such as USD")
    unit: str | None = Field(default=None, description='what it is the price of, such as "per seat", or null')


class Iban(Contract):
    """An international bank account number (ISO 13616)."""

    value: str = Field(description="the account number, country code first")
