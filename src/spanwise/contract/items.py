"""Items: one value with its own evidence. Evidence that is not contiguous is several spans.

The field that holds the value has the name of the type's label (`text`, `amount`, ...), and `value` gives it whatever
its name is.
"""

from __future__ import annotations

from pydantic import Field

from spanwise.contract.values import (
    Address,
    Amount,
    Contract,
    DateRange,
    DateValue,
    Iban,
    PersonName,
    Price,
    Quantity,
    Span,
    TableValue,
)


class Item(Contract):
    """What every item has: the spans that prove its value."""

    spans: list[Span] = Field(default_factory=list, description="the lines that prove it; several where they are apart")

    @property
    def value(self) -> object:
        """What the item says, without its evidence."""
        label = next((name for name in type(self).model_fields if name != "spans"), None)
        return None if label is None else getattr(self, label)


class TextItem(Item):
    """A text: a sentence, a name, a definition, one element of a list."""

    text: str

    @property
    def value(self) -> str:
        """The text."""
        return self.text


class AmountItem(Item):
    """An amount of money."""

    amount: Amount

    @property
    def value(self) -> Amount:
        """The amount."""
        return self.amount


class DateItem(Item):
    """A date."""

    date: DateValue

    @property
    def value(self) -> DateValue:
        """The date."""
        return self.date


class BooleanItem(Item):
    """Yes or no; nuance goes into the answer's caveats."""

    boolean: bool

    @property
    def value(self) -> bool:
        """Yes or no."""
        return self.boolean


class TableItem(Item):
    """A table."""

    table: TableValue

    @property
    def value(self) -> TableValue:
        """The table."""
        return self.table


class QuantityItem(Item):
    """A percentage, a count, a ratio, a duration or another number that is no money."""

    quantity: Quantity

    @property
    def value(self) -> Quantity:
        """The quantity."""
        return self.quantity


class AddressItem(Item):
    """A postal address."""

    address: Address

    @property
    def value(self) -> Address:
        """The address."""
        return self.address


class PersonItem(Item):
    """The name of a person."""

    person: PersonName

    @property
    def value(self) -> PersonName:
        """The name."""
        return self.person


class PriceItem(Item):
    """What one thing costs."""

    price: Price

    @property
    def value(self) -> Price:
        """The price."""
        return self.price


class DateRangeItem(Item):
    """A period of days."""

    date_range: DateRange

    @property
    def value(self) -> DateRange:
        """The period."""
        return self.date_range


class IbanItem(Item):
    """An international bank account number."""

    iban: Iban

    @property
    def value(self) -> Iban:
        """The account number."""
        return self.iban
