"""Validation as its users meet it: an answer and a document go in, the names of what is wrong come out."""

import math
from typing import Literal

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import spanwise
from spanwise import (
    Address,
    AddressAnswer,
    AddressItem,
    Amount,
    AmountAnswer,
    AmountItem,
    DateAnswer,
    DateItem,
    DateRange,
    DateRangeAnswer,
    DateRangeItem,
    DateValue,
    Iban,
    IbanAnswer,
    IbanItem,
    PersonAnswer,
    PersonItem,
    PersonName,
    Price,
    PriceAnswer,
    PriceItem,
    Quantity,
    QuantityAnswer,
    QuantityItem,
    Span,
    TableAnswer,
    TableItem,
    TableValue,
    TextAnswer,
    TextItem,
)
from spanwise.contract.items import Item


def read(text: str):
    return spanwise.read(text.encode(), name="paper.txt")


def at(*places):
    """Spans: a number is one line, a pair a range, a triple a range with its quote."""
    wide = [(place, place) if isinstance(place, int) else place for place in places]
    return [Span(line_start=one[0], line_end=one[1], quote=one[2] if len(one) > 2 else None) for one in wide]


def answer(answer_class, *items, method="verbatim", **said):
    flags = {
        "caveats": [],
        "extraction_method": method,
        "confidence": 0.9,
        "answer_found": bool(items),
        "complete_answer_found": bool(items),
        "context_completeness_weak": 0.9,
        "context_structured": True,
        "conflicting_evidence": False,
    }
    return answer_class.model_construct(items=list(items), **(flags | said))


def problems(made, document, **asked):
    return spanwise.validate_answer(made, document, **asked)


def codes(made, document) -> set[str]:
    return {problem.code for problem in problems(made, document)} - {"verbatim_without_proof"}


def money(value, *places, currency="USD", unit=None):
    return AmountItem(amount=Amount(value=value, currency=currency, unit=unit), spans=at(*places))


def amount_codes(document, value, *places, **said) -> set[str]:
    return codes(answer(AmountAnswer, money(value, *places, **said)), document)


def quantity_codes(document, value, unit, original, *places) -> set[str]:
    item = QuantityItem(quantity=Quantity(value=value, unit=unit, original=original), spans=at(*places))
    return codes(answer(QuantityAnswer, item), document)


def date_codes(document, iso, original, *places) -> set[str]:
    return codes(answer(DateAnswer, DateItem(date=DateValue(iso=iso, original=original), spans=at(*places))), document)


def period_codes(document, start, end, *places) -> set[str]:
    item = DateRangeItem(date_range=DateRange(iso_start=start, iso_end=end), spans=at(*places))
    return codes(answer(DateRangeAnswer, item), document)


def table_codes(document, headers, rows, *places) -> set[str]:
    item = TableItem(table=TableValue(headers=headers, rows=rows), spans=at(*places))
    return codes(answer(TableAnswer, item), document)


def text_codes(document, text, *places, method="verbatim") -> set[str]:
    return codes(answer(TextAnswer, TextItem(text=text, spans=at(*places)), method=method), document)


# Amounts.

ACCOUNTS = read("""\
Accounts (in thousands, except per share data)
Goodwill            2019
Net sales           1,200
Earnings per share  0.35
We paid $40 to the auditor.
We paid $3 per share to the holders.
The lawsuit was settled for $1.5 million.
The penalty is between $5 and $10.
Sales rose, and 700 employees were hired.
Basic               0.36
""")


@every(
    ("value", "line", "expected"),
    [
        (1_200_000, 3, set()),
        (1_200, 3, {"magnitude_not_in_lines"}),
        (0.35, 4, set()),
        (0.36, 10, set()),
        (40, 5, set()),
        (40_000, 5, set()),
        (3, 6, set()),
        (3_000, 6, {"magnitude_not_in_lines"}),
        (1_500_000, 7, set()),
        (1_500_000_000, 7, {"magnitude_not_in_lines"}),
        (5_000, 8, set()),
        (10, 8, set()),
        (7, 8, {"amount_not_in_lines"}),
        (2_019_000, 2, set()),
        (2_019, 2, {"magnitude_not_in_lines"}),
    ],
)
def test_a_caption_scales_its_rows_and_may_scale_prose_but_nothing_that_has_a_scale_or_a_share(value, line, expected):
    assert amount_codes(ACCOUNTS, value, line, 1) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (500, set()),
        (499.9999999999, set()),
        (500.01, {"amount_not_in_lines"}),
        (499.99, {"amount_not_in_lines"}),
        (-500, {"sign_not_in_lines"}),
        (5, {"magnitude_not_in_lines"}),
        (-5, {"magnitude_not_in_lines"}),
        (0, {"amount_not_in_lines"}),
        (501, {"amount_not_in_lines"}),
    ],
)
def test_the_way_an_amount_differs_is_named(value, expected):
    document = read("The fee is $500.\nNothing else.\n")
    assert amount_codes(document, value, 1) == expected
    found = problems(answer(AmountAnswer, money(value, 1)), document)
    assert all("500" in problem.message for problem in found if problem.code.startswith(("sign", "magnitude")))


def test_messages_write_numbers_as_a_person_would():
    document = read("The fee is $1,500,000.25 and the loss $0.\n")
    (sign, *_) = problems(answer(AmountAnswer, money(-1500000.25, 1)), document)
    assert "-1,500,000.25" in sign.message
    assert "they state 1,500,000.25" in sign.message
    (small, *_) = problems(answer(AmountAnswer, money(1e-300, 1)), document)
    assert "1e-300" in small.message
    (zero, *_) = problems(answer(AmountAnswer, money(1e15, 1)), document)
    assert "1,000,000,000,000,000" in zero.message
    huge = read("The debt is $50,000,000 trillion.\n")
    (stated, *_) = problems(answer(AmountAnswer, money(5, 1)), huge)
    assert stated.message.endswith("they state 50,000,000,000,000,000,000")


@every(
    ("text", "currency", "expected"),
    [
        ("The fee is 500.", "EUR", {"currency_not_in_lines"}),
        ("The fee is 500.\nAll sums are in euros.", "EUR", set()),
        ("The fee is 500.\nAll sums are in euros.", "GBP", {"currency_not_in_lines"}),
        ("The fee is 500 or some pounds sterling.\nAll sums are in euros.", "EUR", {"currency_not_in_lines"}),
        ("The fee is $500.", "CAD", {"currency_not_in_lines"}),
        ("The fee is $500.\nAll sums are in Canadian dollars.", "CAD", set()),
        ("The fee is $500.\nAll sums are in Canadian dollars.", "USD", set()),
        ("The fee is $500.\nAll sums are in euros.", "EUR", {"currency_not_in_lines"}),
        ("The fee is \u00a5500.\nAll sums are in Chinese yuan.", "CNY", set()),
        ("The fee is \u00a5500.", "CNY", {"currency_not_in_lines"}),
        ("The fee is \u00a5500.\nAll sums are in Australian dollars.", "AUD", {"currency_not_in_lines"}),
        ("The fee is A$500.", "AUD", set()),
        ("The fee is A$500.", "USD", {"currency_not_in_lines"}),
        ("The fee is CHF 500.", "CHF", set()),
        ("PAY 500 ALL.", "ALL", {"currency_not_in_lines"}),
        ("The fee is 500 DEM.", "DEM", set()),
        ("The fee is Rs. 500.", "INR", set()),
    ],
)
def test_a_currency_is_the_one_written_or_the_one_of_the_lines_around(text, currency, expected):
    assert amount_codes(read(text), 500, 1, currency=currency) == expected


@pytest.mark.parametrize("word", "ALL TOP TRY AMD MOP BOB COP GEL PEN LAK SOS CHE".split())
def test_a_word_in_capitals_that_is_also_a_code_names_no_currency(word):
    assert amount_codes(read(f"PAY 500, {word} OF IT.\n"), 500, 1, currency=word) == {"currency_not_in_lines"}
    assert amount_codes(read("PAY 500, EUR ONLY.\n"), 500, 1, currency="EUR") == set()


def test_the_currency_of_the_lines_around_is_that_of_the_page():
    head = "All sums are in euros.\n"
    row = "The fee is 500.\n"
    assert amount_codes(read(head + row), 500, 2, currency="EUR") == set()
    assert amount_codes(read(head + "\f" + row), 500, 2, currency="EUR") == {"currency_not_in_lines"}
    filler = "Nothing.\n"
    assert amount_codes(read(head + filler * 59 + row), 500, 61, currency="EUR") == set()
    assert amount_codes(read(head + filler * 60 + row), 500, 62, currency="EUR") == {"currency_not_in_lines"}
    assert amount_codes(read(row + filler * 19 + head), 500, 1, currency="EUR") == set()
    assert amount_codes(read(row + filler * 20 + head), 500, 1, currency="EUR") == {"currency_not_in_lines"}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("per claim", set()),
        ("claim", set()),
        ("claim/year", {"unit_not_in_lines"}),
        ("per seat", {"unit_not_in_lines"}),
        (" ", set()),
        (None, set()),
        ("per month", {"unit_not_in_lines"}),
    ],
)
def test_what_an_amount_is_counted_by_stands_in_its_lines(unit, expected):
    assert amount_codes(read("The excess is $500 per claim.\n"), 500, 1, unit=unit) == expected
    price = PriceItem(price=Price(value=500, currency="USD", unit=unit), spans=at(1))
    assert codes(answer(PriceAnswer, price), read("The excess is $500 per claim.\n")) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2.0**53, set()),
        (-(2.0**53), set()),
        (2.0**53 + 2, {"number_too_large"}),
        (-(2.0**53) - 2, {"number_too_large"}),
        (2**60, {"number_too_large"}),
        (math.inf, {"number_not_finite"}),
        (-math.inf, {"number_not_finite"}),
        (math.nan, {"number_not_finite"}),
    ],
)
def test_numbers_that_a_float_cannot_count_are_named_once(value, expected):
    item = AmountItem.model_construct(amount=Amount.model_construct(value=value, currency="USD"), spans=at(1))
    found = problems(answer(AmountAnswer, item, method="computed"), read("The fee is $500.\n"))
    assert [problem.code for problem in found] == list(expected)


@given(st.decimals(min_value="0.01", max_value=10**6, places=2))
def test_any_amount_is_proved_by_its_own_line_and_its_negative_and_multiples_are_not(value):
    document = read(f"The fee is ${value:,}.\n")
    assert amount_codes(document, float(value), 1) == set()
    assert amount_codes(document, -float(value), 1) == {"sign_not_in_lines"}
    assert amount_codes(document, float(value) * 1000, 1) == {"magnitude_not_in_lines"}
    assert amount_codes(document, float(value) + 0.01, 1) & {"amount_not_in_lines", "magnitude_not_in_lines"}


# Quantities and bare numbers.

MEASURES = read("""\
The rate rose by 25 basis points, or 0.25 percentage points, to 1.5 percent per month.
We have 2,500 full-time employees and 12 ships.
The term is 30 days.
The ratio is 3.5 and it grew 4 times.
The tank holds 40 litres.
The plant made 800 cars (in thousands).
The margin was between 5% and 7%.
The notice is 30 days or, in some months, more.
It also made 2 million bolts (in thousands).
""")


@every(
    ("value", "unit", "original", "line", "expected"),
    [
        (25, "bps", "25 basis points", 1, set()),
        (25, "basis points", "25 basis points", 1, set()),
        (25, "%", "25 basis points", 1, {"unit_not_in_lines"}),
        (0.25, "percentage points", "0.25 percentage points", 1, set()),
        (0.25, "%", "0.25 percentage points", 1, {"unit_not_in_lines"}),
        (1.5, "percent", "1.5 percent", 1, set()),
        (1.5, "pct", "1.5 percent", 1, set()),
        (1.5, "% per month", "1.5 percent per month", 1, set()),
        (1.5, "% per months", "1.5 percent per month", 1, set()),
        (1.5, "% per year", "1.5 percent per month", 1, {"unit_not_in_lines"}),
        (1.5, "pp", "1.5 percent", 1, {"unit_not_in_lines"}),
        (2500, "employees", "2,500 full-time employees", 2, set()),
        (2500, "full-time employees", "2,500 full-time employees", 2, set()),
        (2500, "planes", "2,500 full-time employees", 2, {"unit_not_in_lines"}),
        (12, "ships", "12 ships", 2, set()),
        (12, "count", "12 ships", 2, set()),
        (12, "full-time ships", "12 ships", 2, set()),
        (12, "cargo ships", "12 ships", 2, {"unit_not_in_lines"}),
        (12, "ships", "2,500 full-time employees", 2, {"quantity_disagrees"}),
        (5, "%", "5", 7, set()),
        (30, "months", "30 days", 8, {"unit_not_in_lines"}),
        (12, "%", "12 ships", 2, {"unit_not_in_lines"}),
        (30, "days", "30 days", 3, set()),
        (30, "day", "30 days", 3, set()),
        (30, "months", "30 days", 3, {"unit_not_in_lines"}),
        (3.5, "ratio", "3.5", 4, set()),
        (4, "x", "4 times", 4, set()),
        (40, "litres", "40 litres", 5, set()),
        (40, "gallons", "40 litres", 5, {"unit_not_in_lines"}),
        (800, "cars", "800 cars", 6, set()),
        (800_000, "cars", "800 cars", 6, set()),
        (2_000_000, "bolts", "2 million bolts", 9, set()),
        (2_000_000_000, "bolts", "2 million bolts", 9, {"quantity_disagrees"}),
        (8_000, "cars", "800 cars", 6, {"quantity_disagrees"}),
        (5, "%", "between 5% and 7%", 7, set()),
        (7, "%", "between 5% and 7%", 7, set()),
        (6, "%", "between 5% and 7%", 7, {"quantity_disagrees"}),
        (30, "days", " ", 3, {"empty_value"}),
        (30, "days", "thirty days", 3, {"quantity_not_in_lines"}),
        (2.0**60, "days", "30 days", 3, {"number_too_large"}),
    ],
)
def test_a_quantity_is_written_there_with_its_number_and_its_unit(value, unit, original, line, expected):
    assert quantity_codes(MEASURES, value, unit, original, line) == expected


class Offer(BaseModel):
    name: str | None = None
    currency: str | None = None
    day: str | None = None
    count: float | int | None = None
    paid: Literal["monthly", "yearly"] | None = None
    firm: bool = False
    inner: list["Offer"] = []


class OfferItem(Item):
    offer: Offer


class OfferAnswer(TextAnswer):
    items: list[OfferItem]


OFFERS = read("""\
Blue chair, 15 March 2024, 1,200 pieces at \u20ac30 (in thousands)
Red table, in 2025, 7 pieces at a loss of -4
""")


@every(
    ("offer", "line", "expected"),
    [
        (Offer(name="Blue chair", currency="EUR", day="2024-03-15", count=1200, paid="yearly", firm=True), 1, set()),
        (Offer(name="Green chair"), 1, {"value_not_in_lines"}),
        (Offer(name=" "), 1, set()),
        (Offer(currency="USD"), 1, {"value_not_in_lines"}),
        (Offer(currency="EUR"), 2, set()),
        (Offer(day="2024-03"), 1, set()),
        (Offer(day="2024-03-16"), 1, {"value_not_in_lines"}),
        (Offer(day="2024"), 2, {"value_not_in_lines"}),
        (Offer(day="2025"), 2, set()),
        (Offer(count=1200), 1, set()),
        (Offer(count=1_200_000), 1, set()),
        (Offer(count=12), 1, {"magnitude_not_in_lines"}),
        (Offer(count=8), 2, {"value_not_in_lines"}),
        (Offer(count=4), 2, {"sign_not_in_lines"}),
        (Offer(count=2**60), 2, {"number_too_large"}),
        (Offer(inner=[Offer(inner=[Offer(name="Red table", count=7)])]), 2, set()),
        (Offer(inner=[Offer(inner=[Offer(name="Red chair")])]), 2, {"value_not_in_lines"}),
    ],
)
def test_a_class_of_ones_own_is_checked_however_deep(offer, line, expected):
    assert codes(answer(OfferAnswer, OfferItem(offer=offer, spans=at(line))), OFFERS) == expected


@pytest.mark.parametrize(("count", "expected"), [(12.5, set()), (12_500, {"magnitude_not_in_lines"})])
def test_a_caption_does_not_scale_percentages(count, expected):
    document = read("Results (in thousands)\nSales     700\nMargin    12.5%\n")
    assert codes(answer(OfferAnswer, OfferItem(offer=Offer(count=count), spans=at(3, 1))), document) == expected


# Dates and periods.

CALENDAR = read("""\
Signed on 15 March 2024, renewed in April 2025.
The second quarter of 2023 was the best, Q4 2022 the worst.
The first half of 2021 was quiet; fiscal 2020 was not.
Due on 3/4/2020 and each year on June 30.
                     2019
                     May 2018
It ran from 1 May 2016 to 31 July 2017.
""")


@every(
    ("iso", "expected"),
    [
        ("2024-03-15", set()),
        ("20240315", set()),
        ("2024-03", set()),
        ("2024", set()),
        ("--03-15", set()),
        ("2024-03-16", {"date_disagrees"}),
        ("2024-04", {"date_disagrees"}),
        ("2023", {"date_disagrees"}),
        ("--03-16", {"date_disagrees"}),
        ("2024-02-30", {"date_not_iso"}),
        ("2023-02-29", {"date_not_iso"}),
        ("2024-13", {"date_not_iso"}),
        ("2024-00", {"date_not_iso"}),
        ("0000", {"date_not_iso"}),
        ("0000-03", {"date_not_iso"}),
        ("24-03-15", {"date_not_iso"}),
        ("--02-30", {"date_not_iso"}),
        ("2024-03-15T00:00", {"date_not_iso"}),
        ("\u0662\u0660\u0662\u0664", {"date_not_iso"}),
        ("", {"date_not_iso"}),
    ],
)
def test_a_date_is_of_the_calendar_and_says_what_is_written(iso, expected):
    assert date_codes(CALENDAR, iso, "15 March 2024", 1) == expected


@every(
    ("iso", "original", "places", "expected"),
    [
        ("2020-03-04", "3/4/2020", [4], set()),
        ("2020-04-03", "3/4/2020", [4], set()),
        ("2020-03-03", "3/4/2020", [4], {"date_disagrees"}),
        ("2019-06-30", "June 30", [4, 5], set()),
        ("2019-06-29", "June 30", [4, 5], {"date_disagrees"}),
        ("2018-06-30", "June 30", [4, 5], {"date_disagrees"}),
        ("2018-06-30", "June 30", [4, 6], set()),
        ("--06-30", "June 30", [4], set()),
        ("2019-06-30", "June 30", [4], {"date_disagrees"}),
        ("2019-06-30", "2019", [4, 5], set()),
        ("2018-05-06", "May 2018", [6], {"date_disagrees"}),
        ("2025-04", "April 2025", [1], set()),
        ("2025-04-01", "April 2025", [1], {"date_disagrees"}),
        ("2024-03-15", "15  MARCH 2024", [1], set()),
        ("2024-03-15", "March 15, 2024", [1], {"date_not_in_lines"}),
        ("2024-03-15", " ", [1], {"empty_value"}),
    ],
)
def test_other_cited_lines_may_complete_a_date_and_never_change_it(iso, original, places, expected):
    assert date_codes(CALENDAR, iso, original, *places) == expected


@every(
    ("start", "end", "line", "expected"),
    [
        ("2023-04-01", "2023-06-30", 2, set()),
        ("2022-10-01", "2022-12-31", 2, set()),
        ("2023-04-02", "2023-06-30", 2, {"date_not_in_lines"}),
        ("2023-04-01", "2023-07-31", 2, {"date_not_in_lines"}),
        ("2023-06-30", None, 2, {"date_not_in_lines"}),
        (None, "2023-04-01", 2, {"date_not_in_lines"}),
        ("2021-01-01", "2021-06-30", 3, set()),
        ("2021-07-01", "2021-12-31", 3, {"date_not_in_lines"}),
        ("2020-01-01", "2020-12-31", 3, set()),
        ("2020-12-31", None, 3, {"date_not_in_lines"}),
        ("2025-04-01", "2025-04-30", 1, set()),
        ("2025-04-01", "2025-04-29", 1, {"date_not_in_lines"}),
        ("2016-05-01", "2017-07-31", 7, set()),
        ("2016-05", "2017-07", 7, set()),
        ("2016-05-02", "2017-07-31", 7, {"date_not_in_lines"}),
        ("2016-05-01", "2016-05-01", 7, set()),
        ("2016-05-01", "2016", 7, set()),
        ("2017", "2016-05-01", 7, {"range_reversed"}),
        ("2016-13", None, 7, {"date_not_iso"}),
        (None, "2017-07-32", 7, {"date_not_iso"}),
        (None, None, 7, {"empty_value"}),
        ("", "", 7, {"empty_value"}),
    ],
)
def test_the_ends_of_a_period_are_dates_of_the_lines_or_the_ends_of_their_periods(start, end, line, expected):
    assert period_codes(CALENDAR, start, end, line) == expected


@given(st.dates(), st.dates())
def test_a_period_is_reversed_exactly_when_it_ends_before_it_starts(start, end):
    document = read(f"From {start.isoformat()} to {end.isoformat()}.\n")
    item = DateRangeItem(date_range=DateRange(iso_start=start.isoformat(), iso_end=end.isoformat()), spans=at(1))
    found = codes(answer(DateRangeAnswer, item, method="computed"), document)
    assert found == ({"range_reversed"} if end < start else set())


# Tables.

LEDGER = read("""\
Balance sheet    2019     2018
Total             900      800
Total assets    1,700    1,600
Current
liabilities      (116)    (131)
Change            -20      $50
Pages             5-10     4 %
Empty             \u2014       30
Cash at the end of the year
40
60
Shares           5%-10%      7
""")
HEADS = ["", "2019", "2018"]


@every(
    ("headers", "rows", "expected"),
    [
        (HEADS, [["Total", "900", "800"]], set()),
        (HEADS, [["Total", "1,700", "1,600"]], {"cell_in_wrong_row"}),
        (HEADS, [["Total assets", "1,700", "1,600"]], set()),
        (HEADS, [["Total assets", "1700", "1600"]], set()),
        (HEADS, [["Total assets", "900", "800"]], {"cell_in_wrong_row"}),
        (HEADS, [["Current liabilities", "(116)", "(131)"]], set()),
        (HEADS, [["liabilities", "-116", "-131"]], set()),
        (HEADS, [["liabilities", "116", "131"]], {"cell_not_in_lines"}),
        (HEADS, [["Change", "-20", "$50"]], set()),
        (HEADS, [["Change", "(20)", "50"]], set()),
        (HEADS, [["Change", "20", "50"]], {"cell_not_in_lines"}),
        (HEADS, [["Shares", "10%", "7"]], set()),
        (HEADS, [["Pages", "5-10", "4%"]], set()),
        (HEADS, [["Empty", "", "30"]], set()),
        (HEADS, [["", "", ""]], set()),
        (HEADS, [["Cash at the end of the year", "40", "60"]], set()),
        (HEADS, [["Cash at the end of the year", "60", "40"]], {"cell_in_wrong_row"}),
        (HEADS, [["Cash at the end", "40", "60"]], {"cell_in_wrong_row"}),
        (HEADS, [["Total", "900"]], {"ragged_table"}),
        (HEADS, [["Total", "900", "800", ""]], {"ragged_table"}),
        (HEADS, [], {"empty_value"}),
        (["", "2018", "2019"], [["Total", "900", "800"]], {"cell_in_wrong_row"}),
        (["", "2017", "2018"], [["Total", "900", "800"]], {"cell_not_in_lines"}),
        (["Balance sheet", "2019", "2018"], [["Total", "900", "800"]], set()),
        (["Year 2019", "2018 year"], [["900", "800"]], set()),
    ],
)
def test_the_cells_of_a_row_stand_in_one_row_of_the_lines_in_order(headers, rows, expected):
    assert table_codes(LEDGER, headers, rows, (1, 12)) == expected


def test_a_fault_of_a_table_names_its_row_and_at_most_twenty_are_named():
    rows = [["Total", "900", "800"], *[["Total", "900", "801"]] * 30]
    item = TableItem(table=TableValue(headers=HEADS, rows=rows), spans=at((1, 12)))
    found = problems(answer(TableAnswer, item), LEDGER)
    named = [problem.message for problem in found if problem.code == "cell_not_in_lines"]
    assert len(named) == 20
    assert named[0] == 'the cited lines do not hold "801" of row 2'
    ragged = TableItem(table=TableValue(headers=HEADS, rows=[*rows[:1], ["Total"]]), spans=at((1, 12)))
    assert "1 of 2 rows" in problems(answer(TableAnswer, ragged), LEDGER)[0].message
    assert "row 2 has 1 cells" in problems(answer(TableAnswer, ragged), LEDGER)[0].message


# Texts, names, addresses, account numbers.

PEOPLE = read("""\
Signed by Maria Luisa Garcia Lopez Perez de la Cruz and John A. Smith.
Smith, John A., and O\u2019Neill, Anne\u2011Marie, were absent.
He lives at 12 High Street, 10115 Berlin, Germany.
Pay to DE89 3704 0044 0532 0130 00 or GB82WEST12345698765432.
""")


@every(
    ("first", "last", "initial", "line", "fits"),
    [
        ("Maria", "Garcia", None, 1, True),
        ("Maria", "Lopez", None, 1, True),
        ("Maria", "Perez", None, 1, True),
        ("Maria", "de la Cruz", None, 1, False),
        ("Maria Luisa", "Garcia Lopez", None, 1, True),
        ("Maria", "Garcia", "L", 1, True),
        ("Maria", "Garcia", "K", 1, False),
        ("John", "Smith", "A.", 1, True),
        ("John", "Smith", None, 1, True),
        ("John", "Smith", "B", 1, False),
        ("John", "Smith", "A", 2, True),
        ("John", "Smith", "B", 2, False),
        ("Smith", "John", None, 1, False),
        ("Anne-Marie", "O'Neill", None, 2, True),
        ("Anne", "O'Neill", None, 2, False),
        ("John", "O'Neill", None, 2, False),
    ],
)
def test_a_name_is_that_of_one_person_of_the_lines(first, last, initial, line, fits):
    person = PersonName(first_name=first, last_name=last, middle_initial=initial)
    found = codes(answer(PersonAnswer, PersonItem(person=person, spans=at(line))), PEOPLE)
    assert found == (set() if fits else {"name_not_in_lines"})


@pytest.mark.parametrize(("first", "last"), [("", "Smith"), ("John", ""), (" ", "-")])
def test_half_a_name_is_no_name(first, last):
    item = PersonItem(person=PersonName(first_name=first, last_name=last), spans=at(1))
    assert codes(answer(PersonAnswer, item), PEOPLE) == {"empty_value"}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (Address(street="12 High Street", postal_code="10115", city="Berlin", country="Germany"), []),
        (Address(city="berlin"), []),
        (Address(city="Berlin", country=" "), []),
        (Address(street="13 High Street", city="Paris"), ["address_not_in_lines", "address_not_in_lines"]),
        (Address(postal_code="1011"), ["address_not_in_lines"]),
        (Address(), ["empty_value"]),
        (Address(city=" "), ["empty_value"]),
    ],
)
def test_every_part_of_an_address_stands_in_the_lines(address, expected):
    found = problems(answer(AddressAnswer, AddressItem(address=address, spans=at(3))), PEOPLE)
    assert [problem.code for problem in found if problem.code != "verbatim_without_proof"] == expected


def test_a_part_of_an_address_is_named_in_words():
    found = problems(answer(AddressAnswer, AddressItem(address=Address(postal_code="99999"), spans=at(3))), PEOPLE)
    assert "the postal code" in found[0].message


@pytest.mark.parametrize(
    ("value", "line", "expected"),
    [
        ("DE89 3704 0044 0532 0130 00", 4, set()),
        ("de89370400440532013000", 4, set()),
        ("GB82 WEST 1234 5698 7654 32", 4, set()),
        ("DE89 3704 0044 0532 0130 00", 3, {"iban_not_in_lines"}),
        ("DE88 3704 0044 0532 0130 00", 4, {"iban_invalid", "iban_not_in_lines"}),
        (" ", 4, {"iban_invalid", "empty_value"}),
    ],
)
def test_an_account_number_is_one_and_stands_in_the_lines(value, line, expected):
    assert codes(answer(IbanAnswer, IbanItem(iban=Iban(value=value), spans=at(line))), PEOPLE) == expected


# Spans and quotes.

LONG = read("\f".join("".join(f"Word{page}x{line} stays.\n" for line in range(1, 101)) for page in range(1, 5)))


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (1, 50, set()),
        (1, 51, {"span_too_wide"}),
        (351, 400, set()),
        (400, 401, {"line_missing"}),
        (0, 1, {"line_missing"}),
        (2, 1, {"span_reversed"}),
        (400, 400, set()),
    ],
)
def test_a_span_is_of_lines_that_exist_and_no_wider_than_a_page(first, last, expected):
    made = answer(TextAnswer, TextItem(text="it", spans=at((first, last))), method="inferred")
    assert codes(made, LONG) == expected


def test_a_table_may_cite_more_lines_than_a_text():
    item = TableItem(table=TableValue(headers=["stays."], rows=[["Word1x7 stays."]]), spans=at((1, 250)))
    assert codes(answer(TableAnswer, item), LONG) == set()
    wider = item.model_copy(update={"spans": at((1, 251))})
    assert codes(answer(TableAnswer, wider, method="computed"), LONG) == {"span_too_wide"}


@pytest.mark.parametrize(
    ("place", "expected", "told"),
    [
        ((7, 7, "Word2x7 stays"), "line_of_page", "line 7 of page 2 is line 107"),
        ((7, 7, "Word4x7 stays"), "line_of_page", "line 7 of page 4 is line 307"),
        ((10, 10, "Word1x15 stays"), "quote_not_in_lines", "stands at line 15"),
        ((10, 10, "Word1x5 stays"), "quote_not_in_lines", "stands at line 5"),
        ((10, 10, "Word1x16 stays"), "quote_not_in_lines", "does not stand there"),
        ((10, 10, "Word1x4 stays"), "quote_not_in_lines", "does not stand there"),
        ((3, 3, "Word1x1 stays"), "quote_not_in_lines", "stands at line 1, not at line 3"),
        ((100, 101, "Word4x100 stays"), "quote_not_in_lines", "does not stand there"),
        ((398, 399, "Word4x100 stays"), "quote_not_in_lines", "stands at line 399, not at lines 398 to 399"),
    ],
)
def test_a_misplaced_quote_is_told_where_it_stands(place, expected, told):
    made = answer(TextAnswer, TextItem(text="it", spans=at(place)), method="inferred")
    (problem,) = problems(made, LONG)
    assert problem.code == expected
    assert told in problem.message


def test_a_misplaced_value_is_told_where_it_stands_when_one_span_without_a_quote_is_cited():
    (told, _) = problems(answer(TextAnswer, TextItem(text="Word1x15", spans=at(14))), LONG)
    assert (told.code, "stands at line 15" in told.message) == ("quote_not_in_lines", True)
    (told, _) = problems(answer(TextAnswer, TextItem(text="Word1x15", spans=at(14, 16))), LONG)
    assert told.code == "value_not_in_lines"
    (told, _) = problems(answer(TextAnswer, TextItem(text="Word1x25", spans=at(14))), LONG)
    assert told.code == "value_not_in_lines"


def test_three_hundred_spans_are_looked_at():
    item = TextItem(text="Word1x1", spans=at(*[1] * 300))
    assert codes(answer(TextAnswer, item), LONG) == set()
    more = TextItem(text="Word1x1", spans=at(*[1] * 301))
    assert codes(answer(TextAnswer, more), LONG) == {"too_large"}


def test_a_problem_names_its_item_and_its_span():
    good = TextItem(text="Word1x1", spans=at(1))
    bad = TextItem(text="Word1x1", spans=at(1, (2, 2, "never"), 999))
    found = problems(answer(TextAnswer, good, bad), LONG)
    assert [(one.code, one.item, one.span) for one in found] == [
        ("line_missing", 1, 2),
        ("quote_not_in_lines", 1, 1),
    ]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("the fee", "The fee is $500", set()),
        ("a fee of $500", "The fee is $500", set()),
        ("a fee of 500 dollars", "The fee is $500", set()),
        ("a fee of $600", "The fee is $500", {"value_not_in_lines"}),
        ("a fee of $500 in 12 rates", "The fee is $500", {"value_not_in_lines"}),
        ("the charge", None, {"value_not_in_lines"}),
    ],
)
def test_beside_a_good_quote_words_are_free_and_figures_are_not(text, quote, expected):
    assert text_codes(read("The fee is $500 [3].\n"), text, (1, 1, quote)) == expected


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("the fee is due", True),
        ("the fee [3] is due", True),
        ("the fee [3], [4-6] is due", False),
        ("the fee [1,2] is due", True),
        ("the fee is", True),
        ("he fee is due", False),
        ("the fee is du", False),
    ],
)
def test_references_and_typography_are_no_difference_and_half_words_are(text, stands):
    assert (text_codes(read("So the fee [3] is due.\nNo more.\n"), text, 1) == set()) is stands


def test_an_item_without_spans_is_checked_no_further():
    made = answer(TextAnswer, TextItem(text="never", spans=[]))
    assert [one.code for one in problems(made, LONG)] == ["no_spans"]


def test_a_value_proved_by_no_existing_line_is_without_proof():
    found = problems(answer(TextAnswer, TextItem(text="Word1x1", spans=at(999))), LONG)
    assert [one.code for one in found] == ["line_missing", "verbatim_without_proof"]


# Flags and texts.


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"confidence": 0}, set()),
        ({"confidence": 1}, set()),
        ({"confidence": 1.001}, {"number_out_of_range"}),
        ({"confidence": -0.001}, {"number_out_of_range"}),
        ({"confidence": 2}, {"number_out_of_range"}),
        ({"context_completeness_weak": 1.001}, {"number_out_of_range"}),
        ({"confidence": math.nan}, {"number_not_finite"}),
        ({"confidence": math.inf}, {"number_not_finite"}),
        ({"extraction_method": "na"}, {"method_contradicts_items"}),
        ({"answer_found": False}, {"items_without_found", "complete_without_items"}),
        ({"caveats": ["fine", "bad\x07"]}, {"control_characters"}),
        ({"caveats": ["x" * 100_000]}, set()),
        ({"caveats": ["x" * 100_001]}, {"too_large"}),
    ],
)
def test_what_an_answer_says_of_itself_fits_its_items(said, expected):
    assert codes(answer(TextAnswer, TextItem(text="Word1x1", spans=at(1)), **said), LONG) == expected


def test_texts_deep_inside_a_value_are_looked_at_too():
    offer = Offer(inner=[Offer(name="Red table\x07")])
    assert "control_characters" in codes(answer(OfferAnswer, OfferItem(offer=offer, spans=at(2))), OFFERS)


def test_a_unit_may_stand_in_words_that_are_read_as_no_unit():
    document = read("For every insured person the excess is $500.\n")
    assert amount_codes(document, 500, 1, unit="per insured person") == set()
    assert amount_codes(document, 500, 1, unit="per insured car") == {"unit_not_in_lines"}


def test_an_answer_without_items_has_the_method_na():
    assert codes(answer(TextAnswer, method="na"), LONG) == set()
    assert codes(answer(TextAnswer, method="verbatim"), LONG) == {"method_contradicts_items"}
    (empty,) = problems(answer(TextAnswer, method="verbatim"), LONG)
    (full,) = problems(answer(TextAnswer, TextItem(text="Word1x1", spans=at(1)), method="na"), LONG)
    assert (empty.message[-8:], full.message[-9:]) == ("no items", "are items")


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\x00", False), ("\x1b", False), ("\x7f", False), ("\x9f", False), ("\u202e", False), ("\u2066", False),
        ("\n", True), ("\t", True), ("\u00a0", True), ("\u200b", True), ("\u00e9", True), ("\u2060", True),
    ],
)  # fmt: skip
def test_characters_that_cannot_be_shown_are_named(character, shown):
    item = TextItem(text="Word1x1", spans=at((1, 1, f"Word1x1{character} stays")))
    found = "control_characters" in codes(answer(TextAnswer, item, method="inferred"), LONG)
    assert found is not shown
    code = f"U+{ord(character):04X}"
    assert any(code in one.message for one in problems(answer(TextAnswer, item), LONG)) is not shown


# What items say together.


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(1, 3), (1, 3)], {"shared_span"}),
        ([(1, 2), (1, 2)], set()),
        ([(1, 3), (1, 4)], set()),
        ([(1, 3), (7, 7), (1, 3)], {"shared_span"}),
        ([(1, 3)], set()),
    ],
)
def test_items_that_share_three_lines_or_more_are_named(places, expected):
    items = [TextItem(text=f"Word1x{place[0]}", spans=at(place)) for place in places]
    found = problems(answer(TextAnswer, *items), LONG)
    assert {one.code for one in found} == expected
    assert all((one.item, "lines 1 to 3" in one.message) == (0, True) for one in found)


def test_of_several_shared_spans_the_wide_one_is_named():
    shared = [TextItem(text=f"Word1x{line}", spans=at((1, 2), (5, 8))) for line in (1, 2)]
    (found,) = problems(answer(TextAnswer, *shared), LONG)
    assert found.message.startswith("2 items share lines 5 to 8")


SUMS = read("""\
Costs and fees
Rent      100
Heating    50
Light      25
Total     175
Other      10
Total     185
Shares
A share of 33.3
A share of 33.3
A share of 33.3
In total 100
""")


@pytest.mark.parametrize(
    ("values", "said", "wrong"),
    [
        ({2: 100, 3: 50, 4: 25, 5: 175}, {}, False),
        ({2: 100, 3: 50, 4: 25, 5: 180}, {}, True),
        ({2: 100, 4: 25, 5: 180}, {}, False),
        ({3: 50, 4: 25, 5: 180}, {}, False),
        ({2: 100, 5: 180}, {}, False),
        ({2: 100, 3: 50, 4: 25}, {}, False),
        ({9: 33.3, 10: 33.3, 11: 33.3, 12: 100}, {}, False),
        ({9: 33.3, 10: 33.3, 11: 33.3, 12: 100.2}, {}, True),
        ({2: 100, 3: 50, 4: 25, 5: 175, 6: 10, 7: 190}, {}, False),
        ({2: 100, 4: 25, 5: 180}, {"method": "computed"}, True),
        ({2: 100, 4: 25, 5: 125}, {"method": "computed"}, False),
    ],
)
def test_a_whole_block_of_rows_makes_its_total(values, said, wrong):
    items = [money(value, line) for line, value in values.items()]
    assert ("total_disagrees" in codes(answer(AmountAnswer, *items, **said), SUMS)) is wrong


@every(
    ("caveat", "wrong"),
    [
        ("100 + 250 = 350", False),
        ("100 + 250 = 351", True),
        ("$100 + $250 = $400", True),
        ("100 + 250", False),
        ("350 = 100 + 250", False),
        ("100 + 250 = 300 + 60", False),
        ("100 + 250 = 400 = 400", False),
        ("100 and 2 + 250 = 400", False),
        ("fee + 250 = 400", False),
        ("33.3 + 33.3 + 33.3 = 100", False),
        ("33.4 + 33.4 + 33.4 = 100", False),
        ("33.3 + 33.3 = 66.7", True),
        ("1 + 1 + 1 = 6", True),
        (f"{' + '.join(['7'] * 200)} = 2", True),
        (f"{' + '.join(['7'] * 201)} = 2", False),
        (f"1 + 2 = 4{' ' * 1991}", True),
        (f"1 + 2 = 4{' ' * 1992}", False),
        ("1 + 1 + 1 = 4", False),
    ],
)
def test_an_addition_written_out_is_right(caveat, wrong):
    made = answer(TextAnswer, TextItem(text="Word1x1", spans=at(1)), caveats=[caveat])
    assert codes(made, LONG) == ({"total_disagrees"} if wrong else set())


def test_a_wrong_sum_is_written_out_with_at_most_eight_parts():
    made = answer(TextAnswer, method="na", caveats=["1 + 2 = 4", " + ".join(["7"] * 9) + " = 1"])
    short, long = [one.message for one in problems(made, LONG)]
    assert short == "1 + 2 makes 3, not 4"
    assert long == " + ".join(["7"] * 8) + " + ... makes 63, not 1"


class Stay(BaseModel):
    start_date: str | None = None
    end_date: str | None = None
    valid_from: DateValue | None = None
    valid_to: DateValue | None = None
    parts: list[float] = []
    total: float | None = None
    inner: "Stay | None" = None


class StayItem(Item):
    stay: Stay


class StayAnswer(TextAnswer):
    items: list[StayItem]


def day(iso: str) -> DateValue:
    return DateValue(iso=iso, original=iso)


@pytest.mark.parametrize(
    ("stay", "expected"),
    [
        (Stay(start_date="2024-01-02", end_date="2024-01-03"), set()),
        (Stay(start_date="2024-01-03", end_date="2024-01-03"), set()),
        (Stay(start_date="2024-01-04", end_date="2024-01-03"), {"range_reversed"}),
        (Stay(start_date="2024-01-04", end_date="2024-01"), set()),
        (Stay(start_date="2024-02-04", end_date="2024-01"), {"range_reversed"}),
        (Stay(start_date="2024-01-04"), set()),
        (Stay(valid_from=day("2024-01-04"), valid_to=day("2024-01-03")), {"range_reversed"}),
        (Stay(valid_from=day("2024-01-04"), end_date="2024-01-03"), set()),
        (Stay(parts=[1, 2, 3], total=6), set()),
        (Stay(parts=[10, 20], total=31), {"total_disagrees"}),
        (Stay(parts=[10], total=31), set()),
        (Stay(parts=[10, 20]), set()),
        (Stay(inner=Stay(inner=Stay(parts=[10, 20], total=31))), {"total_disagrees"}),
    ],
)
def test_fields_of_a_class_of_ones_own_fit_each_other(stay, expected):
    made = answer(StayAnswer, StayItem(stay=stay, spans=at(1)), method="computed")
    assert codes(made, LONG) == expected


def test_the_words_for_a_total_may_stand_in_the_quote_the_line_or_the_unit():
    plain = read("Costs\nRent 100\nHeating 50\nLight 25\n180\n")
    parts = [money(100, 2), money(50, 3), money(25, 4)]
    lone = answer(AmountAnswer, *parts, money(180, 5))
    named = answer(AmountAnswer, *parts, money(180, 5, unit="in total"))
    quoted = read("Costs\nRent 100\nHeating 50\nLight 25\nSum 180\n")
    said = answer(AmountAnswer, *parts, money(180, (5, 5, "Sum 180")))
    assert "total_disagrees" not in codes(lone, plain)
    assert "total_disagrees" in codes(named, plain)
    assert "total_disagrees" in codes(said, quoted)


PARTS = read("""\
Part A costs $100.
Part B costs $250.
Parts C and D cost $300 and $400.
Part E weighs 5 tons and costs \u20ac7.
70 litres of oil
30 litres of milk
""")


@pytest.mark.parametrize(
    ("item", "wrong"),
    [
        (money(400, 1, 2), True),
        (money(350, 1, 2), False),
        (money(500, 1), False),
        (money(500, 1, 3), False),
        (money(500, 1, 99), False),
        (money(90, 5, 6), True),
        (money(100, 5, 6), False),
    ],
)
def test_a_computed_total_is_the_sum_of_the_one_figure_of_each_span(item, wrong):
    made = answer(AmountAnswer, item, method="computed", caveats=["the total of both"])
    assert ("total_disagrees" in codes(made, PARTS)) is wrong
    silent = answer(AmountAnswer, item, method="computed", caveats=["as asked"])
    assert "total_disagrees" not in codes(silent, PARTS)


def test_the_answer_to_a_question_is_of_the_class_that_it_asks_for():
    made = answer(TextAnswer, TextItem(text="Part A", spans=at(1)))
    asked = {one.code for one in problems(made, PARTS, question="When does the contract start?")}
    free = {one.code for one in problems(made, PARTS, question="What is part A?")}
    assert (asked, free) == ({"shape_mismatch"}, set())


def test_a_message_quotes_at_most_eighty_characters_on_one_line():
    long = "\u00e9 word\n" * 40
    (found, *_) = problems(answer(TextAnswer, TextItem(text=long, spans=at(1, 2))), PARTS)
    quoted = found.message.partition("do not hold ")[2]
    assert quoted.startswith('"\\xe9 word\\n')
    assert (len(quoted), quoted[-4:]) == (82, '..."')
    (found, *_) = problems(answer(TextAnswer, TextItem(text="x" * 80, spans=at(1, 2))), PARTS)
    assert found.message.endswith(f'"{"x" * 80}"')
    (found, *_) = problems(answer(TextAnswer, TextItem(text="x" * 81, spans=at(1, 2))), PARTS)
    assert found.message.endswith(f'"{"x" * 77}..."')


def test_quotes_and_values_may_stand_in_any_of_the_cited_spans():
    document = read("The blue\nchair is\nnot here.\n")
    assert text_codes(document, "blue", 2, 1) == set()
    assert text_codes(document, "blue chair", (1, 2)) == set()
    assert text_codes(document, "blue chair", 2, 1) == {"value_not_in_lines"}


def test_a_caption_may_go_over_two_lines_and_scales_only_what_is_cited_with_it():
    document = read("Sales, all figures in\nthousands of dollars\nEurope    70\nAsia      80\n")
    assert amount_codes(document, 70_000, 3, (1, 2)) == set()
    assert amount_codes(document, 70, 3) == set()
    assert amount_codes(document, 70_000, 3) == {"magnitude_not_in_lines"}
    plain = read("Sales of one year\nEurope    70\n")
    assert amount_codes(plain, 70, 2, 1) == {"currency_not_in_lines"}


def test_two_hundred_misplaced_quotes_are_looked_for_elsewhere():
    items = [TextItem(text="it", spans=at((20, 20, "Word1x22 stays"))) for _ in range(201)]
    told = ["stands at line 22" in one.message for one in problems(answer(TextAnswer, *items, method="inferred"), LONG)]
    assert told == [True] * 200 + [False]


def test_figures_that_were_computed_from_the_same_lines_are_no_parts_of_each_other():
    items = [money(100, 1), money(300, 1, 2), money(400, 1, 2)]
    assert "total_disagrees" not in codes(answer(AmountAnswer, *items, method="computed"), PARTS)


@pytest.mark.parametrize("places", [((1, 2), 3), (3, (1, 2)), (3,)], ids=["head first", "row first", "row alone"])
def test_a_row_is_read_below_its_head_wherever_that_is_cited(places):
    document = read("| Item | Amount |\n|---|---|\n| Late fee | 40 |\n| Rent | 900 |")
    found = text_codes(document, "Item: Late fee; Amount: 40", *places)
    assert ("value_not_in_lines" in found) == (len(places) == 1)
