"""Questions that take for granted what the document denies: no answer, and a sentence that says why."""

import pytest

import spanwise

DEPOT = """\
The tram depot of Lindau

The old depot was built by the Kessler brothers in 1961 and holds 40 trams.

The keys are counted at the end of each shift by the foreman.

The second workshop repairs wheels. Visitors are let in before nine o'clock.

The limit of nitrate in the water of the depot is 50 mg/l.

The workshop manager may order up to 80 litres of paint.

The new hall is to open in January 2027. The council plans to sell the yard for 240,000 euros.

It was suggested that bees be kept on the roof.

Anyone who is ill should tell the dispatcher before six.
"""


@pytest.fixture
def ask(tmp_path):
    path = tmp_path / "depot.txt"
    path.write_text(DEPOT)
    return lambda question: spanwise.ask(question, path)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who built the old depot in 1971?", "The question says 1971, the source 1961."),
        (
            "When are the keys counted at the beginning of each shift?",
            'The question says "beginning", the source "end".',
        ),
        ("How many litres of paint may the workshop manager not order?", "The question denies what the source says."),
    ],
)
def test_what_the_source_denies_is_not_answered_for_sure(ask, question, told):
    result = ask(question)
    assert result.decision.kind == "not_found" or result.review
    assert told in result.decision.message


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built the old depot in 1961?", "Kessler"),
        ("Who counts the keys at the end of each shift?", "foreman"),
        ("What does the second workshop repair?", "wheels"),
        ("How many trams does the old depot hold?", "40"),
    ],
)
def test_what_the_source_says_is_answered(ask, question, answer):
    assert answer in ask(question).text


@pytest.mark.parametrize(
    "question",
    ["When did the new hall open?", "For how much was the yard sold?", "For how much has the council sold the yard?"],
)
def test_what_is_only_planned_is_no_sure_answer_to_when_it_was_done(ask, question):
    result = ask(question)
    assert result.review or result.decision.kind == "not_found"
    assert result.decision.kind == "not_found" or "only plans" in result.decision.message


def test_what_is_planned_answers_what_is_asked_of_the_future(ask):
    assert "January 2027" in ask("When will the new hall open?").text
    assert not ask("When is the new hall to open?").review


def test_a_line_without_the_verb_of_the_question_says_neither_yes_nor_no_for_sure(ask):
    assert ask("Was the keeping of bees on the roof approved?").review


def test_a_word_with_another_letter_may_be_another_word(ask):
    assert not ask("What is the limit of nitrate in the water?").review
    assert not ask("What is the limit of nitrate in the watter?").review
    other = ask("What is the limit of nitrite in the water?")
    assert other.review
    assert other.warnings == ("corrected_word",)


def test_who_should_is_asked_by_have_to_as_well(ask):
    assert "before six" in ask("By when do I have to tell the dispatcher?").text
