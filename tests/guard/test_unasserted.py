"""What a source mentions without asserting it supports no claim; what it asserts still does."""

import pytest

from spanwise import verify

MENTIONED = [
    ("If only one candidate stands, there is no vote.", "Only one candidate has stood."),
    ("If the pump is too hot, switch it off for an hour.", "The pump is too hot."),
    ("The chimney will be swept in May, if the frost has gone.", "The frost has gone."),
    ("She carried the trunk in both arms as though it were heavy.", "The trunk was heavy."),
    ("He spoke as if he had won the prize.", "He won the prize."),
    ("The builder offered to inject the walls.", "The builder injected the walls."),
    ("The council was asked to close the lane for the fair.", "The lane was closed for the fair."),
    ("The club failed to sell the old boathouse last year.", "The old boathouse was sold last year."),
    (
        "We have been planning to convert the tool, allowing it to be used to sort letters.",
        "The tool has sorted letters.",
    ),
    (
        "To restore a parcel in the state 'held' to 'delivered', the clerk signs the blue form.",
        "A parcel in the state 'held' is delivered.",
    ),
    ("The new drivers must be taught about the brakes.", "The new drivers have been taught about the brakes."),
    ("Plant it every two years, in bark and not in soil.", "It should be planted in soil."),
    ("Cats may sleep in the hall, but not in the larder.", "Cats are allowed in the larder."),
    ("Guests may stay ten days, though not in June.", "Guests may stay in June."),
]
ASSERTED = [
    ("If it rains, the fair moves into the barn.", "The fair moves into the barn if it rains."),
    ("The trunk was heavy, and she carried it as though it were heavier.", "The trunk was heavy."),
    ("The club was able to sell the old boathouse last year.", "The club sold the old boathouse last year."),
    ("The tool is used to sort letters.", "The tool sorts letters."),
    ("The vicar was pleased to open the fair.", "The vicar opened the fair."),
    ("A motion to build a pool was defeated by 21 votes to 12.", "The motion to build a pool was defeated."),
    ("Plant it in bark and not in soil.", "It is planted in bark."),
    ("Cats may sleep in the hall, but not in the larder.", "Cats may sleep in the hall."),
]


@pytest.mark.parametrize(("source", "claim"), MENTIONED)
def test_what_is_only_mentioned_is_no_fact(source, claim):
    assert verify(claim, [source]).claims[0].support != "supported"


@pytest.mark.parametrize(("source", "claim"), ASSERTED)
def test_what_is_asserted_beside_it_still_holds(source, claim):
    assert verify(claim, [source]).claims[0].support == "supported"


def test_the_reason_names_the_sentence():
    source = "She carried the trunk in both arms as though it were heavy."
    claim = verify("The trunk was heavy.", [source]).claims[0]
    assert claim.reason == f'the source says it only of a case that it supposes: "{source}"'


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Last year 212 people applied.", "More people applied this year than last year."),
        ("In winter she sells loaves at the market.", "In winter she sells more loaves than in summer."),
    ],
)
def test_a_comparison_needs_something_to_compare(source, claim):
    assert verify(claim, [source]).claims[0].support != "supported"


def test_a_comparison_may_be_made_of_two_figures():
    sources = ["Last year 212 people applied. This year 240 people applied."]
    assert verify("More people applied this year than last year.", sources).claims[0].support == "supported"
