import pytest

from spanwise import parse_question
from spanwise.errors import QuestionError
from spanwise.questions.parse import MOST_CHARACTERS


@pytest.mark.parametrize(
    ("text", "shape", "count"),
    [
        ("What are the five essential characteristics of cloud computing?", "listing", 5),
        ("List all exclusions.", "listing", None),
        ("Which services are excluded?", "listing", None),
        ("What is the late payment penalty?", "single", None),
        ("How many of the three models are there?", "single", None),
        ("When does the agreement end?", "single", None),
        ("What business does the company run?", "single", None),
    ],
)
def test_shape_and_count(text, shape, count):
    question = parse_question(text)
    assert (question.answer_shape, question.count) == (shape, count)


def test_keywords_are_stems_each_once_and_without_the_count():
    question = parse_question("What are the five  essential characteristics of the characteristics?")
    assert question.stems == ("essenti", "characterist")
    assert question.text == "What are the five essential characteristics of the characteristics?"


@pytest.mark.parametrize("text", ["", "  \n ", "???", "\u200b", "x" * (MOST_CHARACTERS + 1)])
def test_what_is_no_question_is_refused_in_a_sentence(text):
    with pytest.raises(QuestionError, match=r"the question .+: "):
        parse_question(text)


def test_a_question_without_content_words_has_no_keywords():
    assert parse_question("What is it?").keywords == ()
