"""Other lines of a passage, and the keys and values of a record."""

import json

import pytest

from spanwise import verify
from spanwise.contract.adapters import given_passages
from spanwise.guard.records import attributes_in, clashes, flags_of, record_facts, schedule_of, words_of
from spanwise.guard.units import read_sources

NOTES = """The yard opens at seven. The kiln takes 240 litres.
A firing of the large kiln costs 41 euros. A firing of the small kiln costs 17 euros.
The evening market on Sunday needs a permit. The delivery takes 22 weeks.
Some members say that salt makes the glaze shine.
The shelf is cleaned by whoever fired, not by the warden.

Correction of 3 March: a firing of the large kiln costs 46 euros from now on.
The delivery will take 26 weeks instead of 22.
The evening market on Sunday has been cancelled.
"""
PASSING = "The rent is 900 euros a month.\n\nAn uncle of the tenant wrote on the wall that the rent is 40 euros.\n"


@pytest.mark.parametrize(
    "claim",
    [
        "A firing of the large kiln costs 41 euros.",
        "The delivery takes 22 weeks.",
        "The evening market on Sunday needs a permit.",
        "Salt makes the glaze shine.",
        "The warden cleans the shelf.",
    ],
)
def test_what_another_line_takes_back_is_not_supported(claim: str) -> None:
    assert not verify(claim, [NOTES]).supported


@pytest.mark.parametrize(
    "claim",
    [
        "A firing of the large kiln costs 46 euros.",
        "A firing of the small kiln costs 17 euros.",
        "The delivery will take 26 weeks.",
        "The kiln takes 240 litres.",
        "The evening market on Sunday has been cancelled.",
        "Whoever fired cleans the shelf.",
    ],
)
def test_what_holds_and_what_amends_is_supported(claim: str) -> None:
    assert verify(claim, [NOTES]).supported


def test_what_is_said_in_passing_gives_way_to_what_is_stated() -> None:
    assert not verify("The rent is 40 euros.", [PASSING]).supported
    assert verify("The rent is 900 euros a month.", [PASSING]).supported
    assert verify("The rent is 40 euros.", [PASSING.partition("\n\n")[2]]).supported


def test_what_stands_in_a_passage_is_in_its_language() -> None:
    text = "The fair was crowded and loud. I even watched one teacher propose to him. Nobody minded the rain."
    assert verify("I even watched one teacher propose to him.", [text]).supported


RECORD = {
    "name": 'The "Oak" Caf\u00e9',
    "stars": 4.0,
    "hours": {"Monday": "11:30-20:0", "Sunday": "0:0-0:0"},
    "attributes": {"BusinessParking": {"valet": False, "street": True}, "RestaurantsTakeOut": True, "WiFi": None},
    "reviews": [{"stars": 4.0, "text": "Nice. " * 30}],
}

_SAID = {"valet": "no", "take out": "yes", "wi fi": "unknown"}


@pytest.mark.parametrize("text", [json.dumps(RECORD), json.dumps(RECORD, indent=1, ensure_ascii=False), repr(RECORD)])
def test_every_value_is_found_again_in_the_text(text: str) -> None:
    facts = record_facts(text)
    assert facts is not None
    by_path = {".".join(fact.path): fact for fact in facts}
    assert by_path["attributes.business parking.valet"].value is False
    assert by_path["attributes.wi fi"].value is None
    assert "4.0" in text[by_path["reviews.1.stars"].start : by_path["reviews.1.stars"].end]
    assert by_path["reviews.1.stars"].start > by_path["stars"].end
    starts = [fact.start for fact in facts]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "[1, 2]", "{broken", "Plain {text}.", "[" * 5000 + "]" * 5000, "{" + "1" * 500_000 + "}"]
)
def test_what_is_no_record(text: str) -> None:
    assert record_facts(text) is None


def test_keys_in_plain_words() -> None:
    assert [words_of(key) for key in ("RestaurantsTakeOut", "business_stars", "WiFi")] == [
        "restaurants take out",
        "business stars",
        "wi fi",
    ]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("It offers valet parking.", {("valet", "no", False)}),
        ("It has street parking but no valet.", {("street", "yes", False), ("valet", "no", True)}),
        ("It offers no valet, takeout or WiFi.", {(name, said, True) for name, said in _SAID.items()}),
        ("Takeout is not available.", {("take out", "yes", True)}),
        ("Customers take a long time.", set()),
        ("Whether it has WiFi is not specified.", set()),
    ],
)  # fmt: skip
def test_attributes_and_what_denies_them(claim: str, found: set[tuple[str, str, bool]]) -> None:
    flags = flags_of(read_sources(given_passages([json.dumps(RECORD)])))
    attributes = attributes_in(claim, flags)
    said = {
        (one.flag.unit.fact.path[-1].removeprefix("restaurants "), one.flag.standing, one.denied)
        for one in attributes
        if one.flag.unit.fact is not None
    }
    assert said == found


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("It is open on Monday from 11:30 AM to 8 PM.", []),
        ("It is open on Mondays from 11:30 to 20:00.", []),
        ("It is open on Monday until 9 pm.", ["9 pm"]),
        ("It is open from Saturday to Monday.", ["Saturday to Monday"]),
        ("It is closed on Sunday.", []),
        ("It seats 9 people on Monday.", []),
    ],
)
def test_hours(claim: str, wrong: list[str]) -> None:
    schedule = schedule_of(read_sources(given_passages([json.dumps(RECORD)])))
    assert schedule is not None
    assert [clash.said for clash in clashes(claim, schedule)] == wrong


INVOICE = """Invoice 2291
Supplier: Tarn Glass Ltd
Customer: Meller Gardens
Invoice date: 14 March 2024
Net: GBP 1,362.00
VAT: GBP 272.40
Total: GBP 1,634.40
"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The invoice of 14 March 2024 totals GBP 1,634.40.", True),
        ("Tarn Glass Ltd invoiced a total of GBP 1,634.40.", True),
        ("VAT of GBP 272.40 is charged on GBP 1,362.00.", True),
        ("The total is GBP 1,362.00.", False),
        ("The VAT is GBP 1,634.40.", False),
        ("The customer is Tarn Glass Ltd.", False),
        ("The invoice of 15 March 2024 totals GBP 1,634.40.", False),
    ],
)
def test_a_label_keeps_its_value_beside_others_that_a_claim_names(claim: str, holds: bool) -> None:
    assert bool(verify(claim, [INVOICE]).supported) is holds
