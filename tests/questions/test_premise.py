import time

import pytest

from spanwise.questions.decomposer import premise


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many wells did the club dig in 2024?", "Wells the club dig in 2024."),
        ("Who repaired the pump in March?", "Repaired the pump in March."),
        ("When was the dam built by monks?", "The dam built by monks."),
        ("In which year was the dam built?", "Year was the dam built."),
        ("At the end of each term, what are the pupils given?", "At the end of each term, the pupils given."),
        ("What must not be stored in the shed?", "Not be stored in the shed."),
        ("The treaty of 1706 allowed the guilds to do what?", "The treaty of 1706 allowed the guilds to do."),
        ("Is the dam closed in winter?", None),
        ("When?", None),
        ("Wann wurde der Damm gebaut?", None),
        ("What " + "x" * 500 + "?", None),
    ],
)
def test_what_a_question_takes_for_granted(question, said):
    assert premise(question) == said


def test_a_hostile_question_costs_little():
    began = time.process_time()
    premise("how many " * 50_000)
    premise("is " * 100)
    assert time.process_time() - began < 1
