import pytest

import spanwise

TEXT = """\
The late fee is 7% per month. The deposit is 500 dollars and is paid to the landlord.

The lease ends on 3 May 2027. The tenant may not sublet the flat.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts") / "lease.txt"
    path.write_text(TEXT)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus).ask


def test_every_part_is_answered(ask):
    result = ask("What is the late fee and what is the deposit?")
    assert result.decision.kind == "ship"
    assert len(result.answer.items) == 2
    assert "7%" in result.answer.items[0].text
    assert "500 dollars" in result.answer.items[1].text
    assert len(result.citations) == 2


def test_a_part_without_an_answer_is_named(ask):
    result = ask("What is the late fee and who insured the elephants?")
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert not result.answer.complete_answer_found
    assert any("who insured the elephants?" in caveat for caveat in result.answer.caveats)


def test_no_part_with_an_answer_is_not_found(ask):
    assert ask("Who fed the tigers and who insured the elephants?").decision.kind == "not_found"


def test_yes_or_no_among_parts_is_the_sentence_that_says_it(ask):
    result = ask("What is the late fee and may the tenant sublet the flat?")
    assert "The tenant may not sublet the flat." in [item.text for item in result.answer.items]


def test_a_vague_question_is_asked_back_before_anything_is_looked_for(ask):
    result = ask("What's the limit?")
    assert result.decision.kind == "clarify"
    assert result.text == result.decision.message == result.answer.suggested_clarification
    assert "Which limit" in result.text
    assert result.meta["retrieved_context"] == []
    assert (result.confidence, result.citations, result.answer.items) == (0.0, (), [])
