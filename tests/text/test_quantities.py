"""What is a quantity, and what it is worth: numbers, money, percentages, durations, counts and ranges."""

import pytest
from every import every

from spanwise.text.quantities import Quantity, quantities


def shown(quantity: Quantity) -> str:
    value = quantity.iso or (quantity.value if quantity.value is not None else f"{quantity.low}..{quantity.high}")
    return "|".join(str(part) for part in (quantity.kind, value, quantity.unit) if part != "")


def read(text: str) -> list[str]:
    return [shown(quantity) for quantity in quantities(text)]


@every(
    ("text", "value"),
    [
        *(("1,234,567.89", "1234567.89"), ("12,34,567", "1234567"), ("1.234,56", "1234.56"), ("1'234.50", "1234.50")),
        *(
            ("1 250 000", "1250000"),
            ("12 000", "12000"),
            ("1\u00a0234\u00a0567", "1234567"),
            ("1.5", "1.5"),
            (".75", "0.75"),
            ("+7", "7"),
        ),
        *(
            ("(1,577)", "-1577"),
            ("(0.4)", "-0.4"),
            ("-5", "-5"),
            ("\u22125", "-5"),
            ("\u20135.2", "-5.2"),
            ("1,577-", "-1577"),
        ),
        *(
            ("1.2 billion", "1200000000"),
            ("5 million", "5000000"),
            ("3bn", "3000000000"),
            ("2 hundred thousand", "200000"),
        ),
        *(("5 lakh", "500000"), ("2 crore", "20000000"), ("12M", "12000000"), ("7.5mn", "7500000")),
        *(
            ("twenty-five thousand", "25000"),
            ("one hundred and eighty", "180"),
            ("two million five hundred", "2000500"),
        ),
        *(("a dozen", "12"), ("two dozen", "24"), ("half a million", "500000"), ("three trillion", "3000000000000")),
        *(("thirty (30)", "30"), ("three and a half", "3.5"), ("3 1/2", "3.5"), ("3\u00bc", "3.25")),
    ],
)
def test_numbers(text, value):
    assert read(text) == [f"number|{value}"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/2", "0.5"),
        ("\u00bd", "0.5"),
        ("one-half", "0.5"),
        ("half of it", "0.5"),
        ("three-fourths", "0.75"),
        ("3/4", "0.75"),
    ],
)
def test_fractions(text, value):
    assert read(text) == [f"fraction|{value}"]


@every(
    ("text", "expected"),
    [
        *(("$5", "5|USD"), ("$ 13,988", "13988|USD"), ("$3.5bn", "3500000000|USD"), ("$40K", "40000|USD")),
        *(("$12mm", "12000000|USD"), ("\u20ac1,5 million", "1500000|EUR"), ("1 234 567,89 \u20ac", "1234567.89|EUR")),
        *(("$(12.3)", "-12.3|USD"), ("($190)", "-190|USD"), ("-$5", "-5|USD"), ("$ (567)", "-567|USD")),
        *(("US$ 12.5 million", "12500000|USD"), ("US $5", "5|USD"), ("U.S. $1,000", "1000|USD"), ("C$5", "5|CAD")),
        *(("A$3.2m", "3200000|AUD"), ("HK$20", "20|HKD"), ("R$7", "7|BRL"), ("S$1.75 billion", "1750000000|SGD")),
        *(("CHF 5", "5|CHF"), ("EUR 5m", "5000000|EUR"), ("RMB77 million", "77000000|CNY"), ("Rs. 500", "500|INR")),
        *(("5 dollars", "5|USD"), ("5 million euros", "5000000|EUR"), ("5 Canadian dollars", "5|CAD")),
        *(("75 cents", "0.75|USD"), ("500 pounds sterling", "500|GBP"), ("10 USD", "10|USD"), ("$10 CAD", "10|CAD")),
        *(("Fifty Thousand Dollars ($50,000.00)", "50000|USD"), ("five dollars (US $5)", "5|USD")),
        ("One Million Five Hundred Thousand and 00/100 Dollars ($1,500,000.00)", "1500000|USD"),
    ],
)
def test_money(text, expected):
    assert read(text) == [f"money|{expected}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            ("5%", "percent|5|%"),
            ("(5.1)%", "percent|-5.1|%"),
            ("(5.1%)", "percent|-5.1|%"),
            ("20 percent", "percent|20|%"),
        ),
        *(
            ("ten per cent (10%)", "percent|10|%"),
            ("one and one-half percent (1.5%)", "percent|1.5|%"),
            ("1,5 %", "percent|1.5|%"),
        ),
        *(("10 percentage points", "percentage_points|10|pp"), ("2-percentage-point", "percentage_points|2|pp")),
        *(("50 basis points", "percentage_points|50|bp"), ("120 bps", "percentage_points|120|bp")),
    ],
)
def test_percent_is_not_points(text, expected):
    assert read(text) == [expected]


@every(
    ("text", "expected"),
    [
        *(
            ("thirty (30) days", "30|day"),
            ("five (5) years", "5|year"),
            ("24 months", "24|month"),
            ("18-month", "18|month"),
        ),
        *(
            ("one hundred eighty (180) days", "180|day"),
            ("90 business days", "90|business day"),
            ("a two-year term", "2|year"),
        ),
        *(("five (5) Business Days", "5|business day"), ("thirty (30) calendar day period", "30|day")),
        *(
            ("two and a half years", "2.5|year"),
            ("half a year", "0.5|year"),
            ("twenty-four (24) hours", "24|hour"),
            ("one (1)-year terms", "1|year"),
        ),
        *(("a fortnight of 2 fortnights", "4|week"), ("3 quarters", "3|quarter")),
    ],
)
def test_durations(text, expected):
    assert read(text) == [f"duration|{expected}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            ("3,500 employees", "3500|employee"),
            ("3,500 full-time employees", "3500|employee"),
            ("two copies", "2|copy"),
        ),
        *(("10,000 square feet", "10000|square foot"), ("4,800 km", "4800|kilometre"), ("5.2 GB", "5.2|gigabyte")),
        *(("5 million shares", "5000000|share"), ("a 500-person team", "500|person"), ("twelve people", "12|person")),
    ],
)
def test_counts(text, expected):
    assert read(text) == [f"count|{expected}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            ("5-10%", "percent|5..10|%"),
            ("between 5 and 10 years", "duration|5..10|year"),
            ("10% to 15%", "percent|10..15|%"),
        ),
        *(("$5-10 million", "money|5000000..10000000|USD"), ("\u20ac3 to 5 million", "money|3000000..5000000|EUR")),
        *(("$50-75", "money|50..75|USD"), ("between $5 and 7", "money|5..7|USD")),
        *(("$5 to $7 million", "money|5000000..7000000|USD"), ("5 to 7 million", "number|5000000..7000000")),
        *(("$1-$2 million", "money|1000000..2000000|USD"), ("30- to 60-day", "duration|30..60|day")),
        *(("from 5 to 7 years", "duration|5..7|year"), ("5\u20137 years", "duration|5..7|year")),
    ],
)
def test_ranges(text, expected):
    assert read(text) == [expected]


def test_a_change_from_one_amount_to_another_is_no_range():
    assert read("grew from $5 million to $7 million") == ["money|5000000|USD", "money|7000000|USD"]


@every(
    ("text", "bound"),
    [
        *(("about 5%", "about"), ("approximately $5", "about"), ("~5%", "about"), ("at least 30 days", "least")),
        *(
            ("not less than 30 days", "least"),
            ("more than $5", "more"),
            ("in excess of $5", "more"),
            ("over 5%", "more"),
        ),
        *(
            ("up to $5", "most"),
            ("no more than 5%", "most"),
            ("shall not exceed $5", "most"),
            ("not to exceed $5", "most"),
        ),
        *(
            ("less than 5%", "less"),
            ("30 days or more", "least"),
            ("5% or less", "most"),
            ("5+ years", "least"),
            ("$5", None),
        ),
    ],
)
def test_bounds(text, bound):
    assert quantities(text)[0].bound == bound


@pytest.mark.parametrize(
    ("text", "per"),
    [
        *(
            ("1.5% per month", "month"),
            ("$240,000 a year", "year"),
            ("$1.25 per share", "share"),
            ("18% per annum", "year"),
        ),
        *(("$5/month", "month"), ("$500 monthly", "month"), ("$5 per diluted share", "share"), ("$5 a piece", "")),
    ],
)
def test_rates(text, per):
    assert quantities(text)[0].per == per


@pytest.mark.parametrize(
    ("text", "disagrees"),
    [
        ("thirty (30) days", False),
        ("thirty (60) days", True),
        ("Five Dollars ($6)", True),
        ("five percent (5%)", False),
    ],
)
def test_words_and_digits_that_disagree_are_flagged(text, disagrees):
    (quantity,) = quantities(text)
    assert quantity.disagrees is disagrees


@pytest.mark.parametrize(
    ("text", "unit"), [("\u2014", ""), ("-", ""), ("$ \u2014", "USD"), ("\u2013 %", "%"), ("$\u2014", "USD")]
)
def test_a_dash_alone_in_a_cell_is_nil(text, unit):
    (quantity,) = quantities(text)
    assert (quantity.nil, quantity.value, quantity.unit) == (True, 0, unit)


@pytest.mark.parametrize(
    ("text", "value"), [("5th anniversary", 5), ("the 21st century", 21), ("third anniversary", 3)]
)
def test_ordinals(text, value):
    (quantity,) = quantities(text)
    assert (quantity.kind, quantity.value) == ("ordinal", value)


@pytest.mark.parametrize(
    ("text", "scale", "currency", "expected"),
    [
        ("1,577", 1e6, None, "number|1577000000"),
        ("(1,577)", 1e6, "EUR", "money|-1577000000|EUR"),
        ("$ 12.3", 1000, "CAD", "money|12300|CAD"),
        ("$1.2 billion", 1e6, "USD", "money|1200000000|USD"),
        ("12.5%", 1e6, "USD", "percent|12.5|%"),
        ("$1.25 per share", 1e6, "USD", "money|1.25|USD"),
        ("2022", 1e6, "USD", "date|2022"),
        ("5 to 7", 1000, None, "number|5000..7000"),
    ],
)
def test_figures_of_a_table_take_scale_and_currency(text, scale, currency, expected):
    assert [shown(quantity) for quantity in quantities(text, scale=scale, currency=currency)] == [expected]


def test_a_row_is_read_cell_by_cell():
    assert read("Net sales $ 1,234 $ (567) \u2014 89%") == ["money|1234|USD", "money|-567|USD", "percent|89|%"]


@pytest.mark.parametrize("text", ["a gain ($2.5 million) was booked", "margin (5%) fell"])
def test_brackets_in_a_sentence_are_no_minus(text):
    (quantity,) = quantities(text)
    assert quantity.value is not None
    assert quantity.value > 0


def test_each_knows_its_place():
    text = "Pay $5 within thirty (30) days."
    assert [(quantity.original, text[quantity.start : quantity.end]) for quantity in quantities(text)] == [
        ("$5", "$5"),
        ("thirty (30) days", "thirty (30) days"),
    ]


@every(
    ("text", "expected"),
    [
        ("Smokers fall ill twice as often.", ["count|2|time"]),
        ("The lamp is checked twice a day.", ["count|2|time"]),
        ("There were half as many eels.", ["count|0.5|time"]),
        ("They meet three times as often.", ["count|3|time"]),
        ("A quarter of the boats leak.", ["fraction|0.25"]),
        ("A tenth less was sold.", ["fraction|0.1"]),
        ("Sales grew by a fifth.", ["fraction|0.2"]),
        ("Sold by a third party, or by a third-party shop.", []),
        ("A third tour was added.", []),
    ],
)
def test_multiples_and_parts(text: str, expected: list[str]) -> None:
    assert read(text) == expected
