import pytest

import spanwise
from spanwise.contract.answers import BooleanAnswer

TEXT = """\
The harbour museum opened in 1932 after a long dispute about money. It is run by the city of Porto.

Entry costs 12 euros for adults. Visitors may not touch the ships. Dogs are allowed in the yard if they are small.

The collection has three parts: engines, model ships and nautical maps.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    path = tmp_path_factory.mktemp("extract") / "museum.txt"
    path.write_text(TEXT)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus).ask


def test_a_short_answer_stands_in_its_cited_sentence(ask):
    result = ask("When was the harbour museum opened?")
    assert result.text == "1932"
    assert result.text in result.citations[0].quote


def test_confidence_is_the_relevance_of_the_best_sentence(ask):
    result = ask("When was the harbour museum opened?")
    assert 0.3 < result.confidence < 1
    assert result.confidence == result.answer.confidence


def test_no_said_explicitly(ask):
    result = ask("May visitors touch the ships?")
    assert isinstance(result.answer, BooleanAnswer)
    assert [item.boolean for item in result.answer.items] == [False]
    assert result.text == "No. Visitors may not touch the ships."
    [claim] = result.claims
    assert result.text[claim.start : claim.end] == claim.text
    assert claim.citations == ("c1",)


def test_a_condition_is_no_yes(ask):
    result = ask("Are dogs allowed in the yard?")
    assert not isinstance(result.answer, BooleanAnswer)
    if result.decision.kind == "ship":
        assert result.answer.caveats


def test_the_elements_that_a_sentence_names(ask):
    result = ask("What are the three parts of the collection?")
    assert [item.text for item in result.answer.items] == ["engines", "model ships", "nautical maps"]
    assert result.answer.complete_answer_found


def test_what_the_text_does_not_speak_of_is_not_found(ask):
    assert ask("Which lawyer wrote the merger agreement?").decision.kind == "not_found"
