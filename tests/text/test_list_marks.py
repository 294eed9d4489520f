"""A list marker is added in one place: readers, answers, guard and what a person is shown know each of them."""

import pytest

import spanwise
from spanwise.guard.completeness.lines import marker_of
from spanwise.text.list_marks import BULLETS, OPENING
from spanwise.text.readable import readable

LIST = "The bag holds:\n\n{0} a brass whistle\n{0} a spare rope\n{0} two maps of the coast\n"


@pytest.mark.parametrize("mark", BULLETS)
def test_a_sign_opens_an_item_everywhere(mark):
    document = spanwise.read(LIST.format(mark).encode(), name="bag.txt")
    assert [line.role for line in document.lines[2:]] == ["list_item"] * 3
    assert readable(f"{mark} a spare rope") == "a spare rope"
    assert marker_of(f"{mark} a spare rope").is_bullet
    assert OPENING.fullmatch(f"  {mark} ")
    [claim] = spanwise.verify(f"{mark} The bag holds a spare rope.", ["The bag holds a spare rope."]).claims
    assert (claim.text, claim.support) == ("The bag holds a spare rope.", "supported")


def test_the_items_of_a_list_are_the_answer():
    answers = {
        spanwise.ask("What does the bag hold?", spanwise.read(LIST.format(mark).encode(), name="bag.txt")).text
        for mark in BULLETS
    }
    assert len(answers) == 1
    assert "spare rope" in answers.pop()


@pytest.mark.parametrize(
    ("opening", "is_one"), [("1. ", True), ("(2) ", True), ("b) ", True), ("1.", False), ("ab) ", False)]
)
def test_numbers_and_letters_open_an_item_too(opening, is_one):
    assert (OPENING.fullmatch(opening) is not None) is is_one
