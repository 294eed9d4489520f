"""The factors that the weights of plain documents rest on, on documents made so that one factor decides."""

import pytest

import spanwise
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve

FILLER = "The committee met and spoke of the weather, of travel and of the budget for chairs.\n\n" * 6


def best(text: str, question: str):
    document = spanwise.read(text.encode(), name="a.md")
    with spanwise.Corpus.of([document]) as corpus:
        return retrieve(parse_question(question, document=document), corpus)[0]


@pytest.mark.parametrize(
    ("text", "question", "factor", "words"),
    [
        (
            "# One\n\nThe control of access, which the board has, and the board of the plant.\n\n" + FILLER
            + "# Two\n\nThe access control board decides on keys.\n",
            "What does the access control board decide?",
            "pairs",
            "decides on keys",
        ),
        (
            "# One\n\nA data vault must be closed, a data vault must be red and cold.\n\n" + FILLER
            + "# Two\n\nA data vault is a room without windows in which nobody may stay for a day or two.\n",
            "What is a data vault?",
            "definition",
            "without windows",
        ),
        (
            "# One\n\nDuties of keepers were duties of keepers in 1990, too, and keepers knew it.\n\n" + FILLER
            + "# Two\n\nThe duties of keepers are:\n\n- to open\n- to close\n",
            "What are the duties of keepers?",
            "introduction",
            "to open",
        ),
    ],
)  # fmt: skip
def test_a_factor_brings_what_answers_to_the_front(text, question, factor, words):
    hit = best(text, question)
    assert words in hit.passage.text
    assert hit.factors[factor] == 1


def test_the_long_form_of_a_question_finds_the_abbreviation_of_the_document():
    text = (
        "# One\n\nThe Cold Room Officer (CRO) is named by the board.\n\n" + FILLER
        + "# Two\n\nEvery month the CRO signs the list of temperatures.\n\n" + FILLER
        + "# Three\n\nAn officer may sign for a cold or a room.\n"
    )  # fmt: skip
    hit = best(text, "What does the Cold Room Officer sign every month?")
    assert "list of temperatures" in hit.passage.text
    assert hit.factors["sentence"] == pytest.approx(1)


def test_a_footnote_mark_glued_to_a_word_does_not_hide_it():
    hit = best(f"# One\n\n{FILLER}# Two\n\nKeepers use approved modules12 only.\n", "Which modules do keepers use?")
    assert "modules12" in hit.passage.text
    assert hit.factors["words"] == pytest.approx(1)
