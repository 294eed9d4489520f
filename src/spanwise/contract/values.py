"""Value classes of the elements of an answer, their evidence (`Span`), and the rules of IBANs."""

from __future__ import annotations

import re

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


_LENGTHS = """
    AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
    FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
    LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
    RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""
LENGTHS = {entry[:2]: int(entry[2:]) for entry in _LENGTHS.split()}
"""Length of the account numbers of each country that has them, from the registry of ISO 13616."""
_FORM = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}")


def compact(iban: str) -> str:
    """The account number in its electronic format: upper case, without white space and hyphens."""
    return "".join(iban.split()).replace("-", "").upper()


def iban_fault(iban: str) -> str | None:
    """What is wrong with an account number, in a few words; None if its form, length and check digits are right."""
    plain = compact(iban)
    if not plain.isascii() or not _FORM.fullmatch(plain):
        return "it is not two letters, two digits and up to 30 letters or digits"
    length = LENGTHS.get(plain[:2])
    if length is None:
        return f"no country with account numbers of this kind has the code {plain[:2]}"
    if len(plain) != length:
        return f"{plain[:2]} has {length} characters, this one has {len(plain)}"
    digits = "".join(str(int(character, 36)) for character in plain[4:] + plain[:4])
    return None if int(digits) % 97 == 1 else "its check digits do not fit the rest"
