"""Quantities: numbers, money, percentages, dates, periods, durations and counts, as written and as values."""

from spanwise.text.quantities.captions import scale_of
from spanwise.text.quantities.currencies import is_currency
from spanwise.text.quantities.model import Bound, Kind, Quantity, Scale, agrees, measure
from spanwise.text.quantities.quantity_reading import parse_date, quantities

__all__ = [
    "Bound",
    "Kind",
    "Quantity",
    "Scale",
    "agrees",
    "is_currency",
    "measure",
    "parse_date",
    "quantities",
    "scale_of",
]
