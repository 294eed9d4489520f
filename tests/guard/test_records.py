"""Records as facts with places, their yes and no, and their hours."""

import json

import pytest

from spanwise.contract.adapters import given_passages
from spanwise.guard.evidence.units import read_sources
from spanwise.guard.records.attributes import attributes_in, flags_of
from spanwise.guard.records.facts import record_facts, words_of
from spanwise.guard.records.schedules import clashes, schedule_of

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
