from enum import Enum

import pytest
from every import every
from pydantic import BaseModel

from spanwise import ANSWER_REGISTRY, register, unregister
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
from spanwise.contract.registry import item_class_of
from spanwise.contract.rendering import number, worded


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (300.0, "300"),
        (-1577e6, "-1,577,000,000"),
        (0.1, "0.1"),
        (1234.5, "1,234.5"),
        (1e-7, "0.0000001"),
        (-0.0, "0"),
        (3, "3"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
    ],
)
def test_numbers_are_in_full_digits_without_noise(value, expected):
    assert number(value) == expected


@every(
    ("item", "expected"),
    [
        (TextItem(text="as it is"), "as it is"),
        (AmountItem(amount={"value": 1577e6, "currency": "USD"}), "USD 1,577,000,000"),
        (AmountItem(amount={"value": 1200, "currency": "EUR", "unit": "per claim"}), "EUR 1,200 per claim"),
        (PriceItem(price={"value": 9.5, "currency": "GBP", "unit": "per seat"}), "GBP 9.50 per seat"),
        (QuantityItem(quantity={"value": 12.5, "unit": "%", "original": "12.5\n percent"}), "12.5 percent"),
        (QuantityItem(quantity={"value": 30.0, "unit": "days", "original": " "}), "30 days"),
        (DateItem(date={"iso": "2024-03-15", "original": "15 March 2024"}), "15 March 2024"),
        (DateItem(date={"iso": "2024-03-15", "original": ""}), "2024-03-15"),
        (DateRangeItem(date_range={"iso_start": "2024-01-01", "iso_end": "2024-12-31"}), "2024-01-01 to 2024-12-31"),
        (DateRangeItem(date_range={"iso_start": "2024-01-01"}), "from 2024-01-01"),
        (DateRangeItem(date_range={"iso_end": "2024-12-31"}), "until 2024-12-31"),
        (DateRangeItem(date_range={}), ""),
        (BooleanItem(boolean=False), "No"),
        (AddressItem(address={"street": "Rue X 1", "postal_code": "75001", "city": "Paris"}), "Rue X 1, 75001 Paris"),
        (PersonItem(person={"first_name": "Ada", "last_name": "King", "middle_initial": "M."}), "Ada M. King"),
        (IbanItem(iban={"value": "DE89370400440532013000"}), "DE89 3704 0044 0532 0130 00"),
        (Item(), ""),
    ],
)
def test_each_shipped_value_reads_plainly(item, expected):
    assert worded(item) == expected


def test_a_table_is_aligned_rows_even_when_it_is_ragged():
    item = TableItem(table={"headers": ["Year", "Net\nsales"], "rows": [["2024", "1,577"], ["Total"], ["a", "b", "c"]]})
    assert worded(item) == "Year   Net sales\n2024   1,577\nTotal\na      b          c"
    assert worded(TableItem(table={"headers": [], "rows": []})) == ""


def test_one_long_cell_does_not_widen_every_row():
    rows = [["x", "y"]] * 1000
    said = worded(TableItem(table={"headers": ["a" * 100_000, "b"], "rows": rows}))
    assert len(said) < 200_000


class Kind(Enum):
    PLANT = "plant"


class Place(BaseModel):
    latitude: float


class Site(BaseModel):
    full_name: str
    kind: Kind
    place: Place
    floors: list[int]
    note: str | None = None


def test_a_registered_value_is_its_fields():
    item_class = item_class_of(register("site", Site))
    try:
        item = item_class(
            site={"full_name": "Lyon", "kind": "plant", "place": {"latitude": 45.0}, "floors": [1, 2], "note": None}
        )
    finally:
        unregister("site")
    assert worded(item) == "full name: Lyon; kind: plant; place: (latitude: 45); floors: (1, 2)"
    assert "site" not in ANSWER_REGISTRY


@pytest.mark.parametrize(
    ("value", "currency", "expected"),
    [
        (1634.4, "GBP", "GBP 1,634.40"),
        (1500.0, "GBP", "GBP 1,500"),
        (0.2345, "EUR", "EUR 0.2345"),
        (1.5, "KWD", "KWD 1.500"),
        (0.5, "JPY", "JPY 0.5"),
    ],
)
def test_money_has_the_decimals_of_its_currency(value, currency, expected):
    assert worded(AmountItem(amount={"value": value, "currency": currency})) == expected
