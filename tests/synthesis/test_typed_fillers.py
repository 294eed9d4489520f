import pytest
from every import every

from spanwise.contract.values import Address, Amount, DateRange, PersonName
from spanwise.synthesis.extractive.typed.addresses import find_addresses
from spanwise.synthesis.extractive.typed.extractors import (
    Around,
    Filler,
    find_amounts,
    find_date_ranges,
    find_dates,
    find_days,
    find_ibans,
    find_prices,
    find_quantities,
)
from spanwise.synthesis.extractive.typed.names import find_laws, find_parties, find_people, find_titles
from spanwise.text.quantities import scale_of

NOTHING = Around()


def values(filler: Filler, text: str, around: Around = NOTHING) -> list[object]:
    found = filler(text, around)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    return [one.value for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a fee of $1,200 per claim", [Amount(value=1200, currency="USD", unit="per claim")]),
        ("EUR 5 million and \u00a340", [Amount(value=5e6, currency="EUR"), Amount(value=40, currency="GBP")]),
        ("between $5 and $10 million", []),
        ("within thirty (30) days", []),
        ("pricing is negotiated", []),
    ],
)
def test_amounts(text: str, expected: list[Amount]) -> None:
    assert values(find_amounts, text) == expected


def test_the_caption_gives_a_cell_its_magnitude_and_its_currency() -> None:
    around = Around(scale_of("(in millions of dollars)"), "USD")
    assert values(find_amounts, "(1,577)", around) == [Amount(value=-1_577_000_000, currency="USD")]


def test_figures_per_share_are_excepted() -> None:
    around = Around(scale_of("(in millions, except per share data)"), "USD")
    assert values(find_amounts, "$1.25 per share", around) == [Amount(value=1.25, currency="USD", unit="per share")]


def test_a_price_is_for_something() -> None:
    (price,) = find_prices("The fee is \u20ac45 per user.", NOTHING)
    assert price.value.model_dump() == {"value": 45.0, "currency": "EUR", "unit": "per user"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("signed on 15 March 2024", ["2024-03-15"]),
        ("as of the 27th day of March, 2017", ["2017-03-27"]),
        ("in 2019", ["2019"]),
        ("in 2019, on May 2, 2019", ["2019-05-02"]),
        ("on May 2", []),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert [one.iso for one in values(find_dates, text)] == expected  # type: ignore[attr-defined]


def test_a_year_alone_is_no_date_of_a_contract() -> None:
    assert not find_days("made this __ day of ______, 2012", NOTHING)


def test_date_ranges() -> None:
    text = "from January 1, 2020 to December 31, 2021; renewed on May 2, 2022"
    assert values(find_date_ranges, text) == [DateRange(iso_start="2020-01-01", iso_end="2021-12-31")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within thirty (30) days", [(30, "day")]),
        ("5.1% of five employees", [(5.1, "%"), (5, "employee")]),
        ("a fraction of it", []),
    ],
)
def test_quantities(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(one.value, one.unit) for one in values(find_quantities, text)] == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFF", ["DE89370400440532013000"]),
        ("GB82WEST12345698765432.", ["GB82WEST12345698765432"]),
        ("DE89 3704 0044 0532 0130 01", []),
        ("XX89 3704 0044 0532 0130 00", []),
    ],
)
def test_ibans(text: str, expected: list[str]) -> None:
    assert [one.value for one in values(find_ibans, text)] == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("350 Fifth Avenue, New York, 10118, USA", ("350 Fifth Avenue", "10118", "New York", "USA")),
        ("at 3200 Walnut Street, Boulder, CO 80301 USA, (the", ("3200 Walnut Street", "80301", "Boulder", "USA")),
        ("Musterstra\u00dfe 12, 10115 Berlin, Germany", ("Musterstra\u00dfe 12", "10115", "Berlin", "Germany")),
        ("8405 Main Road\n6th Floor\nAustin, TX 78701", ("8405 Main Road 6th Floor", "78701", "Austin", None)),
        ("24 North Street, Pittsfield, MA 01210", ("24 North Street", "01210", "Pittsfield", None)),
        (
            "375 Greenwich Street, Suite 516, New York, New York 10013",
            ("375 Greenwich Street, Suite 516", "10013", "New York", None),
        ),
    ],
)
def test_addresses(text: str, expected: tuple[str, ...]) -> None:
    (address,) = values(find_addresses, text)
    assert isinstance(address, Address)
    assert (address.street, address.postal_code, address.city, address.country) == expected


def test_a_number_of_things_is_no_address() -> None:
    assert not find_addresses("In 2019 Acme sold 300 Units, London was closed, 1000 times", NOTHING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by Mr. John F. Kennedy and others", [("John", "F", "Kennedy")]),
        ("Mary O'Brien, Chief Executive Officer of Acme Inc.", [("Mary", None, "O'Brien")]),
        ("Ludwig van Beethoven", [("Ludwig", None, "van Beethoven")]),
        ("the Board of Directors of United States Steel", []),
    ],
)
def test_people(text: str, expected: list[tuple[str, str | None, str]]) -> None:
    found = values(find_people, text)
    assert [
        (one.first_name, one.middle_initial, one.last_name) for one in found if isinstance(one, PersonName)
    ] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'This Agreement is made by and between Acme Widgets, Inc., a Delaware corporation ("Acme"), and Globex GmbH'
            ', a company organized under the laws of Germany ("Globex").',
            ["Acme Widgets, Inc.", "Globex GmbH"],
        ),
        (
            'between salesforce-like.com, inc. ("SL") and eTrade Partners LLC (the "Reseller"). Recitals A. Foo Inc.',
            ["salesforce-like.com, inc.", "eTrade Partners LLC"],
        ),
        ("by and between ALPHA CORP and BETA LTD.", ["ALPHA CORP", "BETA LTD."]),
        ("This clause names nobody.", []),
    ],
)
def test_parties(text: str, expected: list[str]) -> None:
    assert values(find_parties, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('SERVICES AGREEMENT This Services Agreement (this "Agreement") is', "SERVICES AGREEMENT"),
        ("Exhibit 10.2 CELEBRITY ENDORSEMENT AGREEMENT THIS AGREEMENT is made", "CELEBRITY ENDORSEMENT AGREEMENT"),
        (
            "LICENSE, DEVELOPMENT AND COMMERCIALIZATION AGREEMENT",
            "LICENSE, DEVELOPMENT AND COMMERCIALIZATION AGREEMENT",
        ),
        ("MAINTENANCE AGREEMENT MAINTENANCE AGREEMENT (this", "MAINTENANCE AGREEMENT"),
    ],
)
def test_titles(text: str, expected: str) -> None:
    assert values(find_titles, text)[0] == expected


def test_agreement_alone_is_no_title() -> None:
    assert not find_titles("THIS AGREEMENT is made", NOTHING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read by the laws of the State of New York, whatever its rules on conflicts of law", ["New York"]),
        ("BY THE LAWS OF THE STATE OF TEXAS, WHATEVER ELSE", ["TEXAS"]),
        ("the laws of England and Wales", ["England and Wales"]),
        ("entered into in the State of New Jersey, under the laws of that State", ["New Jersey"]),
        ("governed by Singapore law", ["Singapore"]),
        (
            "the laws of the United States and by the laws of the Commonwealth of Kentucky",
            ["Kentucky", "United States"],
        ),
        ("the laws applicable to it", []),
    ],
)
def test_laws(text: str, expected: list[str]) -> None:
    assert values(find_laws, text) == expected


@every("filler", [find_addresses, find_amounts, find_laws, find_parties, find_people, find_titles])
@every("text", ["A " * 20_000, "1 A, " * 8_000, "(\u201cA\u201d " * 5_000, "A, B and C " * 5_000, ""])
def test_hostile_text_ends(filler: Filler, text: str) -> None:
    filler(text, NOTHING)
