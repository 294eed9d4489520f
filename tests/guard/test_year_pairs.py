"""A figure keeps its year."""

import pytest

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
