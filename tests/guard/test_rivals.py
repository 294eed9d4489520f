"""Words of neighbouring sentences are not put together to what none of them says."""

import pytest

from spanwise import verify

CLUB = (
    "The boat club has 64 members. The rent of a locker is 180 euros a year. A deposit of 250 euros is paid for the "
    "key and returned with it. The slipway is repaired by the harbour office in March. Mr Bolt reads the meters on the "
    "first Monday of every month. The summer party takes place on the pier; the general meeting takes place in the "
    "Red Lion on 4 November. Visitors may moor for two nights. Children under ten wear a life jacket on the pontoon."
)
STITCHED = {
    "figure": "The rent of a locker is 250 euros a year.",
    "figure of another thing": "Visitors may moor for ten nights.",
    "actor": "Mr Bolt repairs the slipway in March.",
    "circumstance": "The slipway is repaired by the harbour office on the first Monday.",
}
TRUE = [
    "The rent of a locker is 180 euros a year.",
    "A locker costs 180 euros a year.",
    "A deposit of 250 euros is paid for the key.",
    "The harbour office repairs the slipway in March.",
    "Visitors may moor for two nights.",
    "The meters are read by Mr Bolt every month.",
    "The general meeting takes place in the Red Lion.",
]


@pytest.mark.parametrize("claim", STITCHED.values(), ids=STITCHED.keys())
def test_a_part_of_another_sentence_is_noticed(claim: str) -> None:
    (found,) = verify(claim, [CLUB]).claims
    assert found.support != "supported"
    assert not verify(claim, [CLUB]).supported


@pytest.mark.parametrize("claim", TRUE)
def test_what_one_sentence_says_is_supported(claim: str) -> None:
    (found,) = verify(claim, [CLUB]).claims
    assert found.support == "supported", found.reason


def test_the_sentence_that_says_the_rest_is_shown() -> None:
    found = verify(STITCHED["figure"], [CLUB])
    assert any("180 euros" in finding.reason for finding in found.findings)
