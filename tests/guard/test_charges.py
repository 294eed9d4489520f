"""A claim that something is free, of which a source gives a price."""

import pytest

import spanwise

FARES = (
    "Bicycles travel for 45 euros if the pedals are off. Children under six travel free, adults pay 4 euros.\n"
    "Parking is free of charge on Sundays. Lockers cost 2 euros a day."
)


@pytest.mark.parametrize(
    "claim", ["Bicycles travel free of charge.", "Lockers are free.", "Bicycles travel at no cost."]
)
def test_what_has_a_price_is_not_free(claim):
    assert not spanwise.verify(claim, [FARES]).supported


@pytest.mark.parametrize("claim", ["Children under six travel free.", "Parking is free of charge on Sundays."])
def test_what_is_free_is_free(claim):
    assert spanwise.verify(claim, [FARES]).supported
