"""What a source says of the past, the future or a former holder only, and what a claim may say of it."""

import pytest

import spanwise

FORMER = "The board thanked the former chair, Ruth Ammann, who was followed by Peter Zgraggen in May 2024."
BESIDE = "The office is in the old school. Keys are with the caretaker."
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


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("We are thinking of replacing the roof of the hut in autumn.", "The roof of the hut has been replaced."),
        ("The society has asked the council to put the clock back.", "The clock was put back by the council."),
        ("A web version may be added next year; we are considering it.", "A web version was added."),
        ("We are wondering about opening on Sundays.", "The club will open on Sundays."),
    ],
)
def test_what_a_source_leaves_open_is_not_told_as_done(source: str, claim: str) -> None:
    (found,) = spanwise.verify(
        claim, [f"{source} The office is in the old school. Keys are with the caretaker."]
    ).claims
    assert found.support != "supported"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (
            "The proposal to replace the roof was carried by nine votes.",
            "The proposal to replace the roof was carried.",
        ),
        ("We are thinking of replacing the roof.", "They are thinking of replacing the roof."),
        ("The clock was put back after the society had asked the council for it.", "The clock was put back."),
    ],
)
def test_what_is_settled_or_told_with_its_reserve_is_supported(source: str, claim: str) -> None:
    (found,) = spanwise.verify(
        claim, [f"{source} The office is in the old school. Keys are with the caretaker."]
    ).claims
    assert found.support == "supported", found.reason


@pytest.mark.parametrize(
    ("source", "claim", "support"),
    [
        ("Never mix the blue powder with bleach.", "The blue powder must never be mixed with bleach.", "supported"),
        ("Please do not paint the benches in the park.", "The benches in the park must not be painted.", "supported"),
        ("Serve the soup with rye bread.", "The soup must be served with rye bread.", "unsupported"),
        ("The tools are returned to the shed by Ben.", "The tools must be returned to the shed.", "unsupported"),
    ],
)
def test_what_is_forbidden_must_not_be_done_and_what_is_advised_need_not_be(
    source: str, claim: str, support: str
) -> None:
    (found,) = spanwise.verify(claim, [f"{source} {BESIDE}"]).claims
    assert found.support == support, found.reason


@pytest.mark.parametrize(
    ("source", "claim", "supported"),
    [
        (
            "The lamps are lit at dusk unless the moon is full.",
            "The lamps are lit at dusk even if the moon is full.",
            False,
        ),
        (
            "The loan holds only if the boat was checked by a certified builder and is insured.",
            "The loan holds no matter who checked the boat.",
            False,
        ),
        (
            "The lamps are lit at dusk, even if the moon is full.",
            "The lamps are lit at dusk even if the moon is full.",
            True,
        ),
        (
            "The lamps are lit at dusk unless the moon is full.",
            "Unless the moon is full, the lamps are lit at dusk.",
            True,
        ),
        (
            "Repair evenings, begun in May, brought in 90 euros and are expected to cover their costs next year.",
            "The repair evenings, begun in May, already cover their costs.",
            False,
        ),
        ("The new boiler heats the hall already.", "The new boiler already heats the hall.", True),
    ],
)
def test_nothing_holds_in_any_case_or_already_that_a_source_limits(source: str, claim: str, supported: bool) -> None:
    assert spanwise.verify(claim, [f"{source} {BESIDE}"]).supported is supported


def test_a_shortened_verb_makes_no_noun_of_its_pronoun() -> None:
    source = "Six otters were found in the harbour on Monday. They'll be taken to the rescue centre in Holm."
    assert spanwise.verify("The otters will be taken to the rescue centre in Holm.", [f"{source} {BESIDE}"]).supported
    assert spanwise.verify(
        "The roof cost more than the club had thought.", [f"The roof cost more than we'd thought. {BESIDE}"]
    ).supported
