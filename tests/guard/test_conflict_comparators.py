"""Two annotated sentences are compared the same way in both orders, and each comparator tells its own kind."""

from itertools import combinations

import pytest

from spanwise.guard.conflict import comparing
from spanwise.guard.conflict.comparing import difference
from spanwise.guard.conflict.pair import paired
from spanwise.guard.conflict.sentence import annotated

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


@pytest.mark.parametrize(("one", "other"), list(combinations(SENTENCES, 2)))
def test_the_order_of_two_sentences_changes_nothing(one: str, other: str) -> None:
    ours = difference(annotated(one), annotated(other))
    theirs = difference(annotated(other), annotated(one))
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert (ours.kind, ours.reason, ours.ours, ours.theirs) == (
            theirs.kind,
            theirs.reason,
            theirs.theirs,
            theirs.ours,
        )


def test_some_of_them_disagree_and_some_do_not() -> None:
    said = [difference(annotated(one), annotated(other)) for one, other in combinations(SENTENCES, 2)]
    assert 5 < sum(one is not None for one in said) < len(said) / 2


@pytest.mark.parametrize(
    ("comparator", "one", "other"),
    [
        ("turned", "The price will rise for all.", "The price will fall for all."),
        ("digits", "The lease of the mill ended on June 30, 2019.", "The lease of the mill ended on June 31, 2019."),
        ("bound", "The crew rests within 3 hours.", "The crew rests after 3 hours."),
        ("number", "The crew rests 3 hours.", "The crew rests 4 hours."),
        ("date", "The crew rests on 3 May 2019.", "The crew rests on 4 May 2019."),
        ("negation", "The crew may rest at sea.", "The crew may not rest at sea."),
        ("roles", "In the final of the old cup Anna beat Carl.", "In the final of the old cup Carl beat Anna."),
        ("name", "The crew was led through ice by Anna.", "The crew was led through ice by Carl."),
    ],
)
def test_each_difference_has_its_comparator(comparator: str, one: str, other: str) -> None:
    pair = paired(annotated(one), annotated(other))
    assert pair is not None
    told = [compare.__name__ for compare in comparing.COMPARATORS if compare(pair) is not None]
    assert told == [comparator]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("It lasts at least 5 days and no more than 9 days.", ["low", "high"]),
        ("It lasts 5 days.", [""]),
        ("It never exceeds 5 days.", [""]),
        ("It is sent prior to May 3, 2020.", ["high"]),
    ],
)
def test_the_words_of_a_bound_are_part_of_its_figure(text: str, sides: list[str]) -> None:
    said = annotated(text)
    assert [slot.side for slot in said.slots] == sides
    assert not {"least", "more", "prior"} & {token.plain for token in said.tokens}
