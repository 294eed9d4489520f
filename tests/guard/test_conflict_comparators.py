"""Two sentences are compared the same way in both orders, and each difference is of its own kind."""

from itertools import combinations

import pytest
from every import every

from spanwise.guard.conflicts.comparing import contradiction
from spanwise.guard.conflicts.sentence import Sentence

SENTENCES = [
    "The annual fee that Alpha pays to the vendor is 30 dollars.",
    "The annual fee that Alpha pays to the vendor is $30.",
    "The annual fee that Alpha pays to the vendor is 45 dollars.",
    "The annual fee that Beta pays to the vendor is 45 dollars.",
    "The yearly charge that Alpha owes the vendor comes to 45 dollars.",
    "The vendor may terminate the agreement after 30 days.",
    "The vendor must terminate the agreement after 30 days.",
    "The vendor may not terminate the agreement after 30 days.",
    "The customer may terminate the agreement after 30 days.",
    "Smoking is permitted in the northern hall of the building.",
    "Smoking is prohibited in the northern hall of the building.",
    "Smoking is prohibited in the southern hall of the building.",
    "The price will increase on 1 March 2024 for every provider.",
    "The price will decrease on 1 March 2024 for every provider.",
    "The price will decrease on 1 April 2024 for every licensee who provides it.",
    "The term begins on September 30, 2019 and lasts 5 years.",
    "The term begins on September 31, 2019 and lasts 5 years.",
    "The term begins on September 30, 2019 and lasts at least 5 years.",
]


@every(("one", "other"), list(combinations(SENTENCES, 2)))
def test_the_order_of_two_sentences_changes_nothing(one: str, other: str) -> None:
    ours = contradiction(Sentence(one), Sentence(other))
    theirs = contradiction(Sentence(other), Sentence(one))
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert (ours.kind, ours.reason, ours.ours, ours.theirs) == (
            theirs.kind,
            theirs.reason,
            theirs.theirs,
            theirs.ours,
        )


def test_some_of_them_disagree_and_some_do_not() -> None:
    said = [contradiction(Sentence(one), Sentence(other)) for one, other in combinations(SENTENCES, 2)]
    assert 5 < sum(one is not None for one in said) < len(said) / 2


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("polarity", "The price will rise for all.", "The price will fall for all."),
        ("date", "The lease of the mill ended on June 30, 2019.", "The lease of the mill ended on June 31, 2019."),
        ("number", "The crew rests within 3 hours.", "The crew rests after 3 hours."),
        ("number", "The crew rests 3 hours.", "The crew rests 4 hours."),
        ("date", "The crew rests on 3 May 2019.", "The crew rests on 4 May 2019."),
        ("polarity", "The crew may rest at sea.", "The crew may not rest at sea."),
        ("name", "In the final of the old cup Anna beat Carl.", "In the final of the old cup Carl beat Anna."),
        ("name", "The crew was led through ice by Anna.", "The crew was led through ice by Carl."),
    ],
)
def test_each_difference_has_its_kind(kind: str, one: str, other: str) -> None:
    found = contradiction(Sentence(one), Sentence(other))
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        (
            "The fair in the old town lasts at least 5 days in all.",
            "The fair in the old town lasts no more than 5 days in all.",
            "no more than",
        ),
        (
            "The licence costs three percent (3%) a year.",
            "The licence costs three percent (6%) a year.",
            "three percent (6%) a year",
        ),
        ("Two of the mares (63%) grazed by the mill.", "Two of the mares (64%) grazed by the mill.", "64%"),
    ],
    ids=["a bound", "words and digits", "in brackets"],
)
def test_a_figure_is_compared_as_a_whole(one: str, other: str, value: str) -> None:
    found = contradiction(Sentence(one), Sentence(other))
    assert found is not None
    assert found.kind == "number"
    assert other[slice(*found.theirs)] == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Two of the mares (63%) grazed by the mill.", "Two of the mares (63 percent) grazed by the mill."),
        ("The samples were drawn from the bank in January 2011.", "The samples were drawn from the bank in 2011-01."),
        ("The five riders crossed the old bridge.", "In the event of a storm, the nine riders crossed the old bridge."),
        ("The mill never exceeds 5 tons a day.", "The mill does not exceed 5 tons a day."),
    ],
    ids=["in brackets", "a month", "a case", "a denial"],
)
def test_what_says_the_same_or_is_of_a_narrower_case(one: str, other: str) -> None:
    assert contradiction(Sentence(one), Sentence(other)) is None
