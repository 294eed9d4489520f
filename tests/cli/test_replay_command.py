"""`spanwise replay` says what was proved, and what has changed since."""

import json

import pytest

QUESTION = "What is the late payment penalty?"


@pytest.fixture
def trace(contract, spanwise):
    spanwise("ask", str(contract), QUESTION, "--trace", "trace.json")
    return "trace.json"


def test_the_answer_is_shown_with_what_was_proved(trace, spanwise):
    code, out, err = spanwise("replay", trace)
    assert (code, "1.5% per month" in out) == (0, True)
    assert "every citation holds" in err
    assert "no document has changed since" in err


def test_what_changed_is_told(trace, contract, spanwise):
    contract.write_text(contract.read_text() + "\nSigned in Paris.\n")
    code, out, err = spanwise("replay", trace)
    assert (code, "1.5% per month" in out) == (0, True)
    assert "changed since: contract.txt has changed since, but every cited line still says the same" in err


def test_a_cited_line_that_changed_is_an_error(trace, contract, spanwise):
    contract.write_text(contract.read_text().replace("1.5%", "2.5%"))
    code, out, err = spanwise("replay", trace)
    assert (code, out) == (2, "")
    assert "no longer holds" in err
    assert "2.5%" in err


def test_json_is_the_result(trace, spanwise):
    code, out, _ = spanwise("replay", trace, "--json")
    assert (code, json.loads(out)["question"]) == (0, QUESTION)


def test_an_answer_that_was_not_found_has_its_exit_code(contract, spanwise):
    spanwise("ask", str(contract), "Who is the president of France?", "--trace", "trace.json")
    code, _, err = spanwise("replay", "trace.json")
    assert (code, "it cites nothing" in err) == (1, True)
