import pytest

from spanwise.questions.decomposer import split_instructions

ASKED = "what is the net income of Acme?"


@pytest.mark.parametrize(
    "text",
    [
        "Based on the information provided in the income statement, what is the net income of Acme?",
        "Given the figures that stand in the P&L, what is the net income of Acme?",
        "We need a figure. Please help. You are an analyst. Here is the question: what is the net income of Acme?",
        "what is the net income of Acme? Answer in USD millions.",
        "what is the net income of Acme? Compute the answer from the income statement.",
        "what is the net income of Acme? If it is not stated, then say so.",
        "what is the net income of Acme (in USD billions)?",
    ],
)
def test_instructions_are_taken_out(text):
    query, instructions = split_instructions(text)
    assert query.replace(" ?", "?").endswith(ASKED)
    assert instructions
    for word in ("information", "statement", "billions", "analyst", "stated"):
        assert word not in query


@pytest.mark.parametrize(
    "text",
    [
        "According to section 5, what is the fee?",
        "By when, according to the plan, is the report due?",
        "If the tenant is late, what is the penalty?",
        "Please list the parties.",
    ],
)
def test_what_is_asked_stays(text):
    assert split_instructions(text)[0] == text


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        ("What is the fee?What is the rent?", "What is the fee? What is the rent?"),
        ("What is the 1.5 % fee?Answer in one word.", "What is the 1.5 % fee?"),
        ("Wait...what is it?", "Wait...what is it?"),
    ],
)
def test_a_question_without_a_space_behind_it_is_not_lost(asked, query):
    assert split_instructions(asked)[0] == query


@pytest.mark.parametrize("signs", ["." * 19_000, "?" * 19_000, ".?" * 9_500, "x" * 19_000 + "?x", "1." * 9_500])
def test_long_rows_of_marks_take_linear_time(signs):
    assert split_instructions(f"a{signs}x")[0]
