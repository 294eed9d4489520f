"""Quantities that say the same thing in other words, and currencies."""

import pytest
from every import every

from spanwise.text.quantities import agrees, is_currency, measure, quantities


@every(
    ("one", "other", "same"),
    [
        *(
            ("$1.2 billion", "USD 1,200 million", True),
            ("$5", "5 dollars", True),
            ("$5", "\u20ac5", False),
            ("$5", "5%", False),
        ),
        *(("12 months", "one year", True), ("2 weeks", "14 days", True), ("30 days", "30 business days", False)),
        *(("30 days", "thirty (30) days", True), ("30", "30 days", True), ("30 days", "30", False)),
        *(("5%", "5 percentage points", False), ("50 basis points", "0.5 percentage points", True)),
        *(("two thirds", "2/3", True), ("half of it", "0.5", True), ("1.5% per month", "1.5% per year", False)),
        *(("2024", "May 1, 2024", True), ("May 1, 2024", "2024", False), ("May 1", "May 1, 2024", True)),
        *(("Q2 2023", "second quarter of 2023", True), ("Q2 2023", "Q3 2023", False), ("FY22", "fiscal 2022", True)),
        *(("June 30, 2023", "three months ended June 30, 2023", True), ("2022", "fiscal 2022", True)),
        *(("3 hectares", "30,000 square metres", True), ("2 km", "200 metres", False), ("750 ml", "0.75 litres", True)),
        *(("5-10%", "5% to 10%", True), ("5-10%", "5%", False), ("3,500 employees", "3,500 shares", False)),
    ],
)
def test_agreement(one, other, *, same):
    assert agrees(quantities(one)[0], quantities(other)[0]) is same


@pytest.mark.parametrize(("tolerance", "same"), [(0, False), (0.001, True)])
def test_tolerance(tolerance, *, same):
    assert agrees(quantities("$394.3 billion")[0], quantities("$394,328 million")[0], tolerance=tolerance) is same


def test_measure_has_one_unit_for_each_dimension():
    assert measure(quantities("2 weeks")[0]) == measure(quantities("14 days")[0]) == ("days", 14, 14)


@pytest.mark.parametrize(
    ("code", "valid"),
    [("USD", True), ("CHF", True), ("ABC", False), ("usd", False), ("US dollars", False), ("", False)],
)
def test_currency_codes(code, *, valid):
    assert is_currency(code) is valid
