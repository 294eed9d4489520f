"""What is only planned is not told as done, and what was so once is not told as being so."""

import pytest

import spanwise

PLANS = (
    "The club is to open in January 2027 in the old mill. The council plans to sell the hall next year. "
    "The bridge will be repaired by Hartmann in May. The board will vote on the merger on 3 March. "
    "The archive is due to move to Leeds."
)
ONCE = (
    "Historically, the harbour office issued the permits. Until 2018 the society rented the barn. "
    "At one time the guild trained forty dyers. The school was founded in 1887 and is run by the parish. "
    "The road was closed in 2019."
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The club opened in January 2027 in the old mill.", PLANS),
        ("The council has sold the hall.", PLANS),
        ("The bridge was repaired by Hartmann in May.", PLANS),
        ("The board voted on the merger on 3 March.", PLANS),
        ("The archive moved to Leeds.", PLANS),
        ("The harbour office issues the permits.", ONCE),
        ("The society rents the barn.", ONCE),
        ("The guild trains forty dyers.", ONCE),
    ],
)
def test_a_deed_at_another_time_is_not_supported(claim, source):
    assert not spanwise.verify(claim, [source]).supported


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The council intends to sell the hall next year.", PLANS),
        ("Hartmann will repair the bridge in May.", PLANS),
        ("The archive is moving to Leeds.", PLANS),
        ("The society rented the barn until 2018.", ONCE),
        ("The road has been closed since 2019.", ONCE),
        ("The parish runs the school, founded in 1887.", ONCE),
        ("The winner is told by letter.", "Entries close in May, and the winner will be told by letter."),
    ],
)
def test_what_tells_the_same_time_stays_supported(claim, source):
    assert spanwise.verify(claim, [source]).supported
