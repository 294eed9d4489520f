"""What is known without aligning two sentences is what their alignment would say."""

from itertools import combinations

import pytest

from spanwise.guard.disagreements import comparing
from spanwise.guard.conflict.pair import COPIED, Disagreement, aligned
from spanwise.guard.disagreements.comparing import disagreement
from spanwise.guard.conflict.sentence import Wording, wording

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


def told_by_alignment(one: Wording, other: Wording) -> Disagreement | None:
    """What `disagreement` says, without its early ends."""
    alignment = aligned(one, other)
    if alignment is not None and alignment.share >= COPIED:
        return comparing._in_copies(one, other, alignment)
    return comparing._in_other_words(one, other)


@pytest.mark.parametrize(("one", "other"), list(combinations(SENTENCES, 2)))
def test_the_early_ends_change_nothing(one: str, other: str) -> None:
    left, right = wording(one), wording(other)
    assert disagreement(left, right) == told_by_alignment(left, right)


def test_some_of_them_disagree_and_some_do_not() -> None:
    said = [disagreement(wording(one), wording(other)) for one, other in combinations(SENTENCES, 2)]
    assert 5 < sum(one is not None for one in said) < len(said) / 2


@pytest.mark.parametrize(
    "other", ["The fee of Beta is due in 30 days after the notice.", "The fee is due in 30 days after the notice."]
)
def test_nothing_is_aligned_where_the_subjects_differ_or_all_is_the_same(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(one: Wording, other: Wording) -> None:
        raise AssertionError(f"{one.text} was put beside {other.text}")

    monkeypatch.setattr(comparing, "aligned", fail)
    same = "The fee of Alpha is due in 30 days after the notice." if "Beta" in other else other
    assert disagreement(wording(same), wording(other)) is None
