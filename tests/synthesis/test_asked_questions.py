"""What people ask without having read the document: questions in it are no answers, lists tell no time."""

from __future__ import annotations

import pytest

import spanwise
from spanwise.synthesis.extractive.ranking import ASKED_NAMES, models

FAQ = b"""# Questions

1. **I am unable to see the board from my seat. Can you please help?**

    Please talk to the instructor and ask for a seat in the front row.

2. **The whole class would like a day off for a good reason. Is this possible?**

    Any request must be made a week ahead by the class speaker.
"""
BOARD = b"""# News of the club

- At our annual meeting the following members were elected for two-year terms:

    - President: Ada Quist

    - Treasurer: Bert Olsen

    - Secretary: Cleo Marsh
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [("cant see the board", "front row"), ("how does the whole class get a day off", "a week ahead")],
)
def test_a_question_with_what_leads_to_it_is_no_answer(question, said):
    result = spanwise.ask(question, [spanwise.read(FAQ, name="faq.md")])
    assert said in result.text
    assert "unable to see" not in result.text
    assert "would like a day off" not in result.text


def test_a_list_is_not_shown_where_its_introduction_tells_the_time_that_is_asked_for():
    result = spanwise.ask("How long do the members of the board serve?", [spanwise.read(BOARD, name="news.md")])
    assert "two-year" in result.text
    assert "Bert Olsen" not in result.text


def test_who_was_elected_is_still_the_list():
    result = spanwise.ask("Which members were elected at the annual meeting?", [spanwise.read(BOARD, name="news.md")])
    assert "Bert Olsen" in result.text


def test_what_people_ask_is_judged_by_the_features_and_by_what_the_trees_say():
    fitted = models()
    assert len(fitted.asked_near.weights) == len(ASKED_NAMES)
    row = [0.0] * len(ASKED_NAMES)
    doubtful = fitted.asked_right.chance(row)
    row[ASKED_NAMES.index("right")] = 3.0
    assert 0 < doubtful < fitted.asked_right.chance(row) < 1


LETTER = b"""# Boathouse

The boathouse has two doors and a slip. Mooring is by the season. Tilda Brook keeps the keys of it.

The outstanding balance is 40 crowns and is paid by hand.

To open the slip, take these steps:
"""


@pytest.mark.parametrize(
    "question",
    ["Which colour has the outstanding balance?", "Which steps open the slip?"],
)
def test_a_line_without_what_is_asked_for_is_marked(question):
    result = spanwise.ask(question, [spanwise.read(LETTER, name="boathouse.md")])
    assert result.review or result.decision.kind == "not_found"
