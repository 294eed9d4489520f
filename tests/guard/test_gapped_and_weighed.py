"""Clauses whose verb is left out, deeds that were only thought of, and bounds in other words."""

import pytest

import spanwise

SUITS = "Women wear long black, men a dark suit without a tie."
WEIGHED = "We considered moving to another harbour but decided against it, since the lease runs until 2031."


def supported(claim, source):
    return spanwise.verify(claim, [source]).supported


def test_what_is_said_of_one_without_its_verb_is_not_said_of_the_other():
    assert not supported("Women wear a dark suit without a tie.", SUITS)
    assert supported("Men wear a dark suit without a tie.", SUITS)
    assert supported("Women wear long black.", SUITS)
    assert not supported("Children need a ticket.", "Adults need a ticket, children a pass.")


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The club moved to another harbour.", WEIGHED),
        ("The council closed the pool.", "The council voted against closing the pool."),
        ("The club sold the hall.", "The club avoided selling the hall."),
    ],
)
def test_what_was_only_thought_of_was_not_done(claim, source):
    assert not supported(claim, source)


def test_what_was_begun_or_done_by_us_is_told():
    assert supported("The club moved to another harbour.", "Last year we moved to another harbour.")
    assert supported("The board moved the office.", "After long talks, the board started moving the office.")


def test_as_many_as_is_a_bound_above():
    assert supported("As many as six hens may be kept on a plot.", "Up to six hens may be kept on a plot.")
    assert not supported("As many as six hens may be kept on a plot.", "At least six hens may be kept on a plot.")
