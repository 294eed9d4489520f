"""Words of one situation or kind: those of one group stand for each other, those of another say something else."""

import pytest

from spanwise import verify
from spanwise.text.related import apart, family_rows, tables
from spanwise.text.terms import stem


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("promised", "ordered", True),
        ("rain", "snow", True),
        ("bought", "sold", True),
        ("bought", "purchased", False),
        ("plumbers", "carpenter", True),
        ("carpenter", "joiner", False),
        ("rain", "carpenter", False),
        ("rain", "rain", False),
    ],
)
def test_two_words_are_apart_in_two_groups_of_one_family(one: str, other: str, different: bool) -> None:
    assert apart(stem(one), stem(other)) == apart(stem(other), stem(one)) == different


def test_a_family_has_two_groups_or_more_and_a_word_once() -> None:
    for line in tables()["families"]:
        groups = [group.split() for group in line.split("|")]
        words = [word for group in groups for word in group]
        assert len(groups) > 1
        assert len(words) == len(set(words)), line
    assert ["carpent", "joiner"] in family_rows()


@pytest.mark.parametrize(
    ("source", "kept", "changed"),
    [
        (
            "The harbour master promised an inspection of the crane.",
            "An inspection of the crane was promised by the harbour master.",
            "The harbour master ordered an inspection of the crane.",
        ),
        (
            "The treasurer keeps the spare key in a red box by the door.",
            "The spare key is kept by the treasurer in a red box.",
            "The secretary keeps the spare key in a red box.",
        ),
        (
            "A joiner repaired the counter after the flood.",
            "A carpenter mended the counter after the flood.",
            "A plumber repaired the counter after the flood.",
        ),
        (
            "Deliveries are accepted in the morning at the rear gate.",
            "In the morning deliveries are accepted at the rear gate.",
            "Deliveries are accepted in the evening at the rear gate.",
        ),
        (
            "Fares stay as they are until the end of the season.",
            "Until the end of the season fares stay as they are.",
            "Fares rise until the end of the season.",
        ),
    ],
)
def test_a_claim_keeps_to_the_group_of_the_word_in_whose_place_it_has_another(
    source: str, kept: str, changed: str
) -> None:
    text = f"{source} The office is closed on public holidays. Visitors sign the book at the lodge."
    assert [claim.support for claim in verify(kept, [text]).claims] == ["supported"]
    assert "supported" not in {claim.support for claim in verify(changed, [text]).claims}


HOSES = "The hose at the front is dry. At the rear the hose is slightly torn, but the clamps are tight."
MOTHS = (
    "The house closed in May, when a guest found moths in the small wardrobe. The large wardrobe was never affected."
)


@pytest.mark.parametrize(
    ("source", "claim", "support"),
    [
        (HOSES, "The rear hose is slightly torn.", "supported"),
        (HOSES, "The front hose is slightly torn.", "unsupported"),
        (MOTHS, "The moths were found in the small wardrobe.", "supported"),
        (MOTHS, "The moths were found in the large wardrobe.", "unsupported"),
    ],
)
def test_the_word_of_a_sentence_beside_it_is_another_one(source: str, claim: str, support: str) -> None:
    assert [one.support for one in verify(claim, [source]).claims] == [support]
