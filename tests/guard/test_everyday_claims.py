"""Claims as a language model writes them about everyday texts: paraphrases, and what merges, drops or moves a fact."""

import pytest

from spanwise import verify

ROOMS = (
    "Prices of the rooms\n\n| Time | Small hall | Large hall |\n"
    "| --- | --- | --- |\n| Weekday | 40 | 65 |\n| Weekend | 55 | 80 |\n"
)
HOURS = (
    "The desk\n\n| Day | Library | Archive |\n"
    "| --- | --- | --- |\n| Monday | 10:00-18:00 | 12:00-16:00 |\n| Friday | 09:00-20:00 | 12:00-17:00 |\n"
)
MENU = "Menu of the week\n\nMonday: pea soup, bread\nTuesday: baked fish, rice\nWednesday: noodles, salad\n"
CLUB = (
    "The members may end their membership after one year by giving two months' notice in writing.\n"
    "The club may exclude a member who has not paid, unless the member is ill.\n"
    "The members pay for balls and lights.\nThe club pays the hall charges and the insurance.\n"
    "Guests may bring one racket. Radios are not allowed.\n"
    "The yearly card is personal and does not include the tournament."
)
SHIP = (
    "The mate says that the rope slipped when he tied it; a passenger thinks that he was pulling too hard.\n"
    "The board will discuss whether all sailors should wear helmets at its meeting in May.\n"
    "The cabin was locked in June because the lamp had broken.\n"
    "Knots are taught by Ada Brunn on Mondays, rowing by Leo Marsh on Fridays.\n"
    "Four of the nine boats are kept for the school.\nAda Brunn proposed selling the old raft in spring."
)


STALL = """The market stall
Each stall has one table free of charge. A second table costs 15 euros, a third one 30 euros.
Greta opens the stall; her cousin Anton counts the money.
Bicycles are not allowed in the yard, except bicycles of the crew.
Oat bar: oats, nuts, honey.
| Jam | Price | Weight |
|---|---|---|
| Plum jam | 4.50 | 340 g |
| Cherry jam | 5.20 | 280 g |
"""


@pytest.mark.parametrize(
    ("text", "kept", "changed"),
    [
        pytest.param(ROOMS, "The large hall costs 80 on a weekend.", "The large hall costs 65 on a weekend.", id="row"),
        pytest.param(
            HOURS, "On Friday the archive closes at 17:00.", "On Friday the archive closes at 20:00.", id="column"
        ),
        pytest.param(MENU, "On Tuesday there is baked fish.", "On Monday there is baked fish.", id="label of a line"),
        pytest.param(
            CLUB, "Guests may bring one racket.", "Guests may bring one racket or radios.", id="denied beside"
        ),
        pytest.param(
            CLUB,
            "The yearly card does not include the tournament.",
            "The yearly card gives entry to the hall and the tournament.",
            id="denied with another verb",
        ),
        pytest.param(
            CLUB,
            "The members may end their membership by giving two months' notice.",
            "Guests may end their membership by giving two months' notice.",
            id="subject",
        ),
        pytest.param(
            CLUB,
            "The club pays the hall charges.",
            "The club covers the lights and the hall charges.",
            id="member of another's list",
        ),
        pytest.param(
            CLUB,
            "Unless the member is ill, the club may exclude a member who has not paid.",
            "The club may exclude a member who has not paid.",
            id="condition",
        ),
        pytest.param(
            SHIP,
            "A passenger thinks that the mate was pulling too hard.",
            "The rope slipped since the mate was pulling too hard.",
            id="view as a fact",
        ),
        pytest.param(
            SHIP,
            "The board will discuss whether sailors should wear helmets.",
            "The board has decided that all sailors should wear helmets.",
            id="question as a decision",
        ),
        pytest.param(
            SHIP,
            "The cabin was locked in June because of a broken lamp.",
            "The cabin was locked in June for painting.",
            id="another reason",
        ),
        pytest.param(
            SHIP, "Rowing is taught by Leo Marsh.", "Leo Marsh teaches knots on Mondays.", id="part of a sentence"
        ),
        pytest.param(
            SHIP, "Four boats are kept for the school.", "All boats are kept for the school.", id="part in figures"
        ),
        pytest.param(
            SHIP, "Ada Brunn proposed selling the raft.", "Ada Brunn is selling the old raft in spring.", id="plan"
        ),
        pytest.param(
            STALL,
            "Bicycles are not allowed in the yard, except bicycles of the crew.",
            "Bicycles of the crew are never allowed.",
            id="exception",
        ),
        pytest.param(STALL, "The plum jam weighs 340 g.", "The cherry jam weighs 340 g.", id="figure of another row"),
        pytest.param(
            STALL, "The oat bar contains nuts.", "The oat bar contains no nuts.", id="member of a list denied"
        ),
        pytest.param(STALL, "Greta opens the stall.", "Anton opens the stall.", id="deed of another part"),
    ],
)
def test_what_a_model_says_of_a_text_is_supported_only_where_the_text_says_it(
    text: str, kept: str, changed: str
) -> None:
    assert [one.support for one in verify(kept, [text]).claims] == ["supported"]
    assert all(one.support != "supported" for one in verify(changed, [text]).claims)


def test_a_sum_or_a_difference_of_two_figures_is_no_foreign_figure() -> None:
    text = "The balance is 3,400 pounds. A year ago the balance was 2,900 pounds."
    kinds = [
        {one.kind for one in verify(f"The balance is {more} pounds higher.", [text]).findings} for more in (500, 600)
    ]
    assert kinds == [set(), {"not_in_sources"}]
