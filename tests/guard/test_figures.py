"""Figures in a sentence and what they are worth."""

from decimal import Decimal

import pytest

from spanwise.guard.figures import agrees, figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5% per month", [("percent", Decimal("1.5"), "", "month")]),
        ("18 percent annually", [("percent", Decimal(18), "", "year")]),
        ("two (2) percent", [("percent", Decimal(2), "", "")]),
        ("50 basis points", [("percent", Decimal("0.5"), "", "")]),
        ("1,5 %", [("percent", Decimal("1.5"), "", "")]),
        ("$240,000 a year", [("money", Decimal(240000), "USD", "year")]),
        ("USD 1.2 million", [("money", Decimal(1200000), "USD", "")]),
        ("500 euros", [("money", Decimal(500), "EUR", "")]),
        ("twenty-four hours", [("duration", Decimal(24), "hour", "")]),
        ("thirty (30) business days", [("duration", Decimal(720), "business hour", "")]),
        ("a 24-month term", [("duration", Decimal(24), "month", "")]),
        ("2 years", [("duration", Decimal(24), "month", "")]),
        ("March 3, 2024", [("date", (2024, 3, 3), "", "")]),
        ("3rd of March 2024", [("date", (2024, 3, 3), "", "")]),
        ("2024-03-03", [("date", (2024, 3, 3), "", "")]),
        ("March 2024", [("date", (2024, 3, 0), "", "")]),
        ("three copies", [("number", Decimal(3), "", "")]),
        ("Q2 2023", [("date", (2023, 0, 0), "", ""), ("period", Decimal(2), "Q", "")]),
        ("year ended June 30, 2023", [("date", (2023, 6, 30), "", "")]),
        ("three months ended June 30", [("duration", Decimal(3), "month", ""), ("date", (0, 6, 30), "", "")]),
        ("5 to 10%", [("percent", Decimal(5), "", ""), ("percent", Decimal(10), "", "")]),
        ("1. See Note 5", []),
        ("-5", [("number", Decimal(-5), "", "")]),
        ("clause 4.2.1", []),
        ("one of the parties", []),
        ("no figure at all", []),
    ],
)
def test_reads(text: str, expected: list[object]) -> None:
    assert [(figure.kind, figure.value, figure.unit, figure.per) for figure in figures(text)] == expected


@pytest.mark.parametrize(
    ("claim", "source", "same"),
    [
        *(("30 days", "thirty days", True), ("12 months", "one year", True), ("2 weeks", "14 days", True)),
        *(
            ("30 days", "30 business days", False),
            ("1.5%", "1.5% per month", True),
            ("1.5% a year", "1.5% a month", False),
        ),
        *(("$5", "5 dollars", True), ("$5", "\u20ac5", False), ("$5", "5%", False), ("2024", "May 1, 2024", True)),
        *(("Q2", "second quarter", True), ("Q2", "third quarter", False), ("fiscal 2022", "FY22", True)),
        *(("May 2024", "May 1, 2024", True), ("May 1, 2024", "May 2024", False), ("30", "30 days", True)),
        *(("at least 5 units", "up to 5 units", False), ("5 units", "up to 5 units", True)),
    ],
)
def test_agreement(claim: str, source: str, *, same: bool) -> None:
    assert agrees(figures(claim)[0], figures(source)[0]) is same


@pytest.mark.parametrize("piece", ["1 ", "1,", "twenty ", "June 1 ", "$", "(30) ", "1.1.1."])
def test_hostile_repetition_is_read_to_the_end(piece: str) -> None:
    assert len(figures(piece * 3000)) <= 3000
