"""Items: one value with its own evidence; evidence that is not contiguous has several spans.

The field of the value is named after the label of its type (`text`, `amount`, ...), and the property `value` returns it
under any name. `snippets` and `boxes` take the evidence from the source document, never from a model's quote.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

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
from spanwise.domain.document import Box, Document, Line


class Item(Contract):
    """What every item has: the spans that prove its value."""

    spans: list[Span] = Field(default_factory=list, description="the lines that prove it; several where they are apart")

    @property
    def value(self) -> object:
        """The value of the item, without its evidence."""
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


def snippets(item_or_span: Item | Span, document: Document) -> list[str]:
    """The exact text of each cited range, one string for each span, its lines joined by line breaks.

    Raises:
        IndexError: A span is reversed or names lines that the document does not have.
    """
    return [document.text(span.line_start, span.line_end) for span in _spans(item_or_span)]


def boxes(item_or_span: Item | Span, document: Document, *, mode: Literal["union", "per_line"] = "union") -> list[Box]:
    """The rectangles of the cited lines, in points, with the origin at the top left.

    Args:
        item_or_span: The item or span that cites the lines.
        document: The document of the lines.
        mode: `union` returns one enclosing rectangle for each page and span, `per_line` one rectangle for each line.

    Raises:
        IndexError: A span is reversed or names lines that the document does not have.
    """
    found: list[Box] = []
    for span in _spans(item_or_span):
        document.text(span.line_start, span.line_end)  # raises the same errors for a range as `snippets`
        found += line_boxes(document.lines[span.line_start - 1 : span.line_end], mode=mode)
    return found


def line_boxes(lines: Iterable[Line], *, mode: Literal["union", "per_line"] = "union") -> list[Box]:
    """The rectangles of some lines: one for each line (`per_line`), or one around all lines of a page (`union`)."""
    known = [line.box for line in lines if line.box is not None]
    if mode == "per_line":
        return known
    return [_envelope(list(group)) for _, group in groupby(known, key=lambda box: box.page)]


def _envelope(found: Sequence[Box]) -> Box:
    return Box(
        page=found[0].page,
        x0=min(box.x0 for box in found),
        y0=min(box.y0 for box in found),
        x1=max(box.x1 for box in found),
        y1=max(box.y1 for box in found),
    )


def _spans(item_or_span: Item | Span) -> Sequence[Span]:
    return [item_or_span] if isinstance(item_or_span, Span) else item_or_span.spans
