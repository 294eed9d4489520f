"""What another line of the same document takes back, amends or states otherwise is not supported."""

import pytest

from spanwise import verify

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
