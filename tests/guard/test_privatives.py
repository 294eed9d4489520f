"""A former chair is not the chair, a deputy judge not the judge; what a claim says of the past or of others stays."""

import pytest

import spanwise

FORMER = "The board thanked the former chair, Ruth Ammann, who was followed by Peter Zgraggen in May 2024."
DEPUTY = "Jonas Holm, deputy judge at the court of Lindau, heard the case."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The chair is Ruth Ammann.", FORMER),
        ("Ruth Ammann is the chair.", FORMER),
        ("Jonas Holm is the judge at the court of Lindau.", DEPUTY),
        ("Maja Friis is the president of the union.", "Maja Friis, vice president of the union, opened the meeting."),
        ("The museum shows a coin of Nero.", "The museum shows a counterfeit coin of Nero."),
    ],
)
def test_a_word_that_takes_away_is_not_left_out(claim, source):
    assert spanwise.verify(claim, [source]).claims[0].support == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Ruth Ammann was the chair.", FORMER),
        ("Peter Zgraggen became chair in May 2024.", FORMER),
        ("Jonas Holm heard the case.", DEPUTY),
        ("A deputy judge heard the case in Lindau.", DEPUTY),
        ("The town left its barter trade.", "The town left its former barter trade and joined the market."),
        ("Employees may use the lift.", "Employees and former employees may use the lift."),
        ("The committee elects a chair every year.", "The committee elects a chair and a deputy chair every year."),
    ],
)
def test_what_it_does_not_touch_stays_supported(claim, source):
    assert spanwise.verify(claim, [source]).supported
