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


CREW = (
    "# Notes of the ORBEL-2 survey\n\nThe survey covered 61 farms in the valley. "
    "An earlier survey, ORBEL-1, had covered 12 farms.\n"
    "The warehouse manager is Martin Oduya. He answers for the cold rooms and signs every note.\n"
    "The drivers report to Petra Lind. She has worked for the firm since 2011. She is allowed to hire drivers.\n"
    "Prepared by Olga Fenn, cook. Approved by Samir Noor, safety officer, on 8 May 2025.\n"
    "A driver who misses two shifts in a row loses the bonus but keeps the van.\n"
    "The depot pays for the ramps and the carrier pays for the pallets.\n"
    "Thirty-one drivers left early, 17 in the northern group and 14 in the southern group.\n"
    "The vans carry 12 crates each, and the truck carries 60.\n"
    "Drivers return at least 70 percent of their boxes and all of their crates.\n"
    "The foreman signs orders up to $4,000 alone; above that amount the manager must sign as well.\n"
    "Trainees pay half of the fare. The brakes are tested in May; the foreman keeps the test sheets.\n"
    "Decisions need a simple majority; changes of these notes need two thirds of the votes."
)


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
        pytest.param(
            CREW,
            "Martin Oduya answers for the cold rooms.",
            "Petra Lind answers for the cold rooms.",
            id="whom a pronoun means",
        ),
        pytest.param(
            CREW,
            "Petra Lind is allowed to hire drivers.",
            "Martin Oduya is allowed to hire drivers.",
            id="pronouns in a row",
        ),
        pytest.param(
            CREW,
            "Samir Noor approved the notes on 8 May 2025.",
            "Olga Fenn approved the notes on 8 May 2025.",
            id="name of the fragment before",
        ),
        pytest.param(
            CREW,
            "ORBEL-2 covered 61 farms in the valley.",
            "ORBEL-1 covered 61 farms in the valley.",
            id="what the title numbers",
        ),
        pytest.param(
            CREW,
            "A driver who misses two shifts in a row keeps the van.",
            "A driver who misses two shifts in a row loses the van.",
            id="deed behind but",
        ),
        pytest.param(
            CREW, "The carrier pays for the pallets.", "The depot pays for the pallets.", id="subject behind and"
        ),
        pytest.param(
            CREW,
            "Seventeen drivers in the northern group left early.",
            "Seventeen drivers in the southern group left early.",
            id="figure in words",
        ),
        pytest.param(CREW, "The truck carries 60 crates.", "The vans carry 60 crates.", id="figure without its noun"),
        pytest.param(
            CREW, "Drivers return all of their crates.", "Drivers return all of their boxes.", id="share in percent"
        ),
        pytest.param(
            CREW,
            "For orders of more than $4,000 the manager must sign as well.",
            "The foreman signs orders of more than $4,000 alone.",
            id="bound that a pronoun names",
        ),
        pytest.param(CREW, "Trainees pay 50 % of the fare.", "Trainees pay 60 % of the fare.", id="half in percent"),
        pytest.param(CREW, "The foreman keeps the test sheets.", "The brakes are tested in June.", id="month of May"),
        pytest.param(
            CREW,
            "Changes of these notes need a two-thirds majority of the votes.",
            "Changes of these notes need the unanimous consent of all voters.",
            id="qualified majority",
        ),
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
