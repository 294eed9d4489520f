"""Questions for yes or no become statements, and are answered for certain only where lines support or deny them."""

import pytest

from spanwise import ask
from spanwise.answering.statements import statement


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was the lane closed for the fair?", "The lane was closed for the fair."),
        ("Can a ticket be bought from the driver?", "A ticket can be bought from the driver."),
        ("Has the bell been mended?", "The bell has been mended."),
        ("Does the trust pay for the course?", "The trust pay for the course."),
        ("Is there a warranty?", "There is a warranty."),
        ("Is Ann Miller the chair?", "Ann Miller is the chair."),
        ("Is the plant poisonous to cats?", "The plant is poisonous to cats."),
        ("Was the grey box heavy?", "The grey box was heavy."),
        ("Is it free, or do I pay?", None),
        ("When is it free?", None),
    ],
)
def test_a_question_becomes_the_statement_that_it_asks_about(question, said):
    assert statement(question) == said


@pytest.fixture
def paper(tmp_path):
    def write(text):
        path = tmp_path / "paper.txt"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "To restore a parcel with pending forms to sorted, the clerk stamps the blue sheet.",
            "Is a parcel with pending forms sorted?",
        ),
        ("The man came out with a grey box, which he carried as though it were heavy.", "Was the grey box heavy?"),
        ("We are considering a Sunday bus from next summer.", "Will there be a Sunday bus next summer?"),
    ],
)
def test_what_lines_leave_open_is_no_certain_answer(paper, text, question):
    result = ask(question, paper(text))
    assert result.decision.kind != "ship" or result.review


@pytest.mark.parametrize(
    ("text", "question", "opens"),
    [
        ("The lane was closed for the fair.", "Was the lane closed for the fair?", "Yes"),
        ("The plant is not poisonous to cats or dogs.", "Is the plant poisonous to cats?", ""),
    ],
)
def test_what_they_say_is(paper, text, question, opens):
    result = ask(question, paper(text))
    assert result.decision.kind == "ship"
    assert result.text.startswith(opens)
    assert not result.review
