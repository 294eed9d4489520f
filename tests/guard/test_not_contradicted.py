"""What a source neither says nor denies is not called contradicted, however near its words are."""

import pytest

from spanwise import verify

HOUSE = "The owner mends the roof, and the lodger cleans the gutters. A stay can be prolonged once, unless it rains."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The lodger does not mend the roof.", HOUSE),
        ("A stay cannot be prolonged twice.", HOUSE),
        ("A raft of 9 metres may not pass the lock.", "Rafts longer than 7 metres may not pass the lock."),
        ("Three hours of skating cost 12 euros.", "Skating costs 4 euros an hour, or 20 euros a day."),
        ("Exports fell by 20 million.", "Exports fell from 90 million in spring to 70 million in autumn."),
        ("No bread is baked on Mondays.", "Bread is baked from Tuesday to Saturday; on Mondays the oven is cleaned."),
        ("Do not plant the bulbs before the first rain.", "The bulbs should be planted after the first rain."),
        ("Smoking is allowed in the yard.", "Smoking is forbidden everywhere except in the yard."),
        ("At 8 Tom goes to bed.", "Tom may read till 8; then he goes to bed."),
        ("The fare went up from 3 euros to 4 euros.", "The fare, so far 3 euros, will be 4 euros."),
        ("The price goes up by 70 pence on 1 June.", "From 1 June a ticket costs 2.70 pounds instead of 2 pounds."),
        ("The crew worked for more than two years.", "The crew worked for 26 months."),
        ("Pupils pay 8 euros a term.", "Members pay 16 euros a term; pupils pay half."),
        ("The blue kit isn't sold any more.", "The blue kit is no longer sold."),
        ("Broth may be drunk in the ward.", "Wine may not be drunk in the ward; broth is allowed."),
        (
            "The hirer may not cancel if the van is two days late.",
            "If the van is more than four days late, the hirer may cancel.",
        ),
        ("Four grown-ups pay 48 euros.", "Under-sixes enter free; everybody else pays 12 euros."),
        ("A fourteen-year-old skipper may not race.", "Neither crews nor skippers under 15 may race."),
        ("You cannot pause the box for four months.", "The box may be paused for at most three months."),
        ("Without water the moss lived 19 days.", "Moss with water lived 28 days, moss without water only 19."),
        ("Yields were lower in 2019 than in 2017.", "Yields were highest in 2017 and lowest in 2019."),
    ],
)
def test_what_a_source_does_not_deny_is_not_contradicted(claim: str, source: str) -> None:
    assert "contradicted" not in {one.support for one in verify(claim, [source]).claims}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The owner does not mend the roof.", HOUSE),
        ("A stay cannot be prolonged.", "A stay can be prolonged."),
        (
            "The dial may differ from noon by up to five minutes.",
            "The dial never differs from noon by more than two minutes.",
        ),
        ("A raft of 5 metres may not pass the lock.", "Rafts longer than 7 metres may not pass the lock."),
        ("Three hours of skating cost 13 euros.", "Skating costs 4 euros an hour."),
        ("The feast is moved from Sunday to Friday.", "The feast is moved from Friday to Sunday."),
        ("The bulbs should be planted before the first rain.", "The bulbs should be planted after the first rain."),
        ("The crew of the buoy worked for less than two years.", "The crew of the buoy worked for three years."),
        ("Smoking is allowed in the hall.", "Smoking is forbidden in the hall, but not in the yard."),
    ],
)
def test_what_a_source_denies_still_is(claim: str, source: str) -> None:
    assert "contradicted" in {one.support for one in verify(claim, [source]).claims}


def test_what_a_source_has_word_for_word_excludes_nothing() -> None:
    source = (
        "Anchoring in the bay is prohibited and not just frowned upon by the warden; crews are told. The bay is deep."
    )
    claim = "Anchoring in the bay is prohibited and not just frowned upon by the warden"
    assert verify(claim, [source]).supported
