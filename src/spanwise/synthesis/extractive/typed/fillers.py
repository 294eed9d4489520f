"""Which filler reads which type."""

from __future__ import annotations

from pydantic import BaseModel

from spanwise.contract.values import Address, Amount, DateRange, DateValue, Iban, PersonName, Price, Quantity
from spanwise.synthesis.extractive.typed.addresses import find_addresses
from spanwise.synthesis.extractive.typed.extractors import (
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

FILLERS: dict[str, Filler] = {
    "address": find_addresses,
    "amount": find_amounts,
    "date": find_dates,
    "date_range": find_date_ranges,
    "iban": find_ibans,
    "person": find_people,
    "price": find_prices,
    "quantity": find_quantities,
}
"""By the label of the type."""
OF_CLAUSES: dict[str, Filler] = {**FILLERS, "date": find_days}
"""The same for clauses that a fitted model found: forms with blanks are usual there."""
TEXTS: dict[str, Filler] = {"law": find_laws, "party": find_parties, "title": find_titles}
"""Types that profiles name and that are texts: a short one in place of the sentence that holds it."""
NAMES = frozenset(["party", "title"])
"""Of these, those that are names: shown by themselves, since the sentence says nothing more that was asked."""
BY_CLASS: dict[type[BaseModel], Filler] = {
    Address: find_addresses,
    Amount: find_amounts,
    DateRange: find_date_ranges,
    DateValue: find_dates,
    Iban: find_ibans,
    PersonName: find_people,
    Price: find_prices,
    Quantity: find_quantities,
}
"""By the class of the value, for the fields of registered classes."""
ANYWHERE = frozenset(["address", "iban"])
"""Types that are recognised wherever they stand in the passages that were found."""
FLOORS = {"party": 0.05, "title": 0.02}
"""Least probability of the sentence where it is not the usual one: every contract has a name and parties."""
