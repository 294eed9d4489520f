"""Figures keep their years, and the words that their sentence gives them."""

import time

import pytest
from every import every

import spanwise
from spanwise import verify

APART = "Revenue was $1,577 million in 2018 and $1,310 million in 2017."
BEFORE = "In 2018 revenue was $1,577 million, and in 2017 it was $1,310 million."
TOGETHER = "Revenue was $1,577 million and $1,310 million in 2018 and 2017, respectively."
SOURCES = [APART, BEFORE, TOGETHER]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "claim",
    [
        "Revenue was $1,577 million in 2017.",
        "In 2018, revenue was $1,310 million.",
        "Revenue of $1,577 million in 2017.",
    ],
)
def test_a_year_of_another_figure_is_named(source, claim):
    checked = verify(claim, [source])
    assert checked.claims[0].support != "supported"
    assert "swapped" in [finding.kind for finding in checked.findings]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "claim",
    [
        "Revenue was $1,577 million in 2018.",
        "In 2017, revenue was $1,310 million.",
        "Revenue rose from $1,310 million in 2017 to $1,577 million in 2018.",
    ],
)
def test_the_right_year_is_no_fault(source, claim):
    assert "swapped" not in [finding.kind for finding in verify(claim, [source]).findings]


def test_a_sentence_that_pairs_nothing_denies_nothing():
    source = "In 2018 and 2017 we had 12 stores, 30 offices and revenue of $5 million."
    assert "swapped" not in [finding.kind for finding in verify("Revenue was $5 million in 2017.", [source]).findings]


SENTENCES = (
    "In 2022, revenue was 8.4 million in Europe and 6.1 million in Asia.",
    "The rate fell from 12.5 percent to 9.8 percent.",
    "Unemployment dropped from 7.2 percent in 2012 to 4.1 percent in 2018.",
    "HbA1c fell from 8.4 to 6.1 in the treatment group and from 8.3 to 8.0 in the placebo group.",
    "Smith scored 21 points, while Jones added 14 rebounds.",
    "Of the applicants, 62% were women and 38% were men.",
    "The bridge is 310 meters long and 22 meters wide.",
    "Team A won 3 games and lost 9 games.",
    "The trial enrolled 240 patients in Boston and 180 patients in Denver.",
    "Net margin improved from 3.4% to 5.9%, and gross margin declined from 41% to 38%.",
    "The loan carries 4% interest for members and 6% interest for others.",
)
SOURCE = " ".join(SENTENCES)


def support(claim: str) -> str:
    return spanwise.verify(claim, [SOURCE]).claims[0].support


@pytest.mark.parametrize(
    "claim",
    [
        "Revenue in Asia was 8.4 million.",
        "The rate fell from 9.8 percent to 12.5 percent.",
        "Unemployment dropped from 4.1 percent to 7.2 percent.",
        "HbA1c fell from 8.4 to 6.1 in the placebo group.",
        "HbA1c fell from 8.3 to 8.0 in the treatment group.",
        "Smith scored 14 points.",
        "62% of the applicants were men.",
        "The bridge is 22 meters long.",
        "Team A lost 3 games.",
        "The trial enrolled 180 patients in Boston.",
        "Gross margin declined from 38% to 41%.",
        "The loan carries 6% interest for members.",
    ],
)
def test_a_figure_of_another_part_is_not_supported(claim):
    checked = spanwise.verify(claim, [SOURCE])
    assert checked.claims[0].support in ("unsupported", "contradicted")
    assert any(finding.kind in ("swapped", "number_changed") for finding in checked.findings)


@every(
    "claim",
    [
        *SENTENCES,
        "Revenue in Asia was 6.1 million.",
        "In Asia revenue was 6.1 million, against 8.4 million in Europe.",
        "Unemployment dropped to 4.1 percent in 2018, from 7.2 percent.",
        "HbA1c fell to 8.0 in the placebo group from 8.3.",
        "HbA1c fell from 8.4 to 6.1 in the treatment group.",
        "62% of the applicants were women.",
        "The bridge is 22 meters wide.",
        "Team A lost 9 games.",
        "The trial enrolled 180 patients in Denver.",
        "Gross margin fell from 41% to 38%.",
        "The loan carries 6% interest for others.",
    ],
)
def test_a_figure_in_its_own_place_is_supported(claim):
    assert support(claim) == "supported"


def test_another_sentence_may_say_it():
    told = (
        "The trial enrolled 240 patients in Boston and 180 patients in Denver. Later, Boston enrolled 180 patients too."
    )
    assert spanwise.verify("Boston enrolled 180 patients.", [told]).claims[0].support == "supported"


def test_the_reason_shows_what_the_source_says():
    checked = spanwise.verify("The rate fell from 9.8 percent to 12.5 percent.", [SOURCE])
    assert "the source goes from 12.5 percent to 9.8 percent" in [finding.reason for finding in checked.findings]


@pytest.mark.parametrize("part", ["from 5 ", "5 and ", "to 5 a, ", "from 5 to "])
def test_hostile_sentences_take_no_time(part):
    began = time.process_time()
    spanwise.verify(part * 400 + "in Asia.", [part * 4_000 + "in Asia and 6 in Europe."])
    assert time.process_time() - began < 30


CANAL = (
    "He reckoned on three years and £62,000. Digging began in April 1793 under the engineer William Horne.\n\n"
    "In the end it took six years and cost £118,000, mainly because the tunnel kept filling with water.\n\n"
    "The club has £9,000 of the £14,000 needed for the path along the canal, and work could begin in May if it raises"
    " the money.\n\nThe keeper has a house by the third lock, which may be visited on Sundays."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The canal cost £56,000 more than Horne had reckoned.", True),
        ("The club still needs £5,000 before it has all the money for the path.", True),
        ("The canal cost £65,000 more than Horne had reckoned.", False),
        ("The club still needs £8,000 before it has all the money for the path.", False),
        ("The keeper's house cost £56,000 more than the path.", False),
    ],
)
def test_a_sum_or_a_difference_of_figures_that_stand_near_is_said_there(claim: str, supported: bool) -> None:
    assert verify(claim, [CANAL]).supported is supported
