"""Items: one value with its own evidence. Evidence that is not contiguous is several spans."""

from __future__ import annotations

from pydantic import Field

from spanwise.contract.values import Amount, Contract, DateValue, Span, TableValue


class Item(Contract):
    """What every item has: the spans that prove its value."""

    spans: list[Span] = Field(default_factory=list)


class TextItem(Item):
    """A text: a sentence, a name, a definition, one element of a list."""

    text: str


class AmountItem(Item):
    """An amount of money."""

    amount: Amount


class DateItem(Item):
    """A date."""

    date: DateValue


class BooleanItem(Item):
    """Yes or no; nuance goes into the answer's caveats."""

    boolean: bool


class TableItem(Item):
    """A table."""

    table: TableValue
