"""What code decides about the way of a question, and that it decides the same twice."""

import pytest
from trace_cases import POLICY, reply, text

import spanwise
from spanwise import ScriptedModel
from spanwise.errors import ModeError

PAGED = """Policy

The following are excluded from the home policy:
(a) flood;
(b) war.

\fLimits

The limit is USD 5.
"""
EXCLUSIONS = "What are the exclusions of the home policy?"


def decided(content, question, name="policy.md", model=None, **options):
    with spanwise.Corpus.of([spanwise.read(content.encode(), name=name)]) as corpus:
        records = []
        for _ in range(2):
            result = spanwise.Engine(corpus, model=model).ask(question, **options)
            records.append(next(step.record for step in result.trace.steps if step.name == "dispatch"))
    assert records[0] == records[1]
    return records[0]


@pytest.mark.parametrize(
    ("content", "name", "question", "on"),
    [
        (POLICY, "policy.md", EXCLUSIONS, set()),
        (PAGED, "policy.txt", EXCLUSIONS, {"page_numbers", "overlap"}),
        (PAGED, "policy.txt", "What is the limit of the home policy?", {"page_numbers"}),
        (POLICY, "policy.md", "What is the limit in the section Limits?", {"outline_navigation"}),
        (PAGED, "policy.txt", "What is the limit in the section Limits?", {"page_numbers"}),
        (POLICY, "policy.md", "What is the limit per claim and what is excluded from the home policy?", {"parts"}),
    ],
    ids=["a list", "a paged list", "a paged value", "a section", "no outline", "parts"],
)
def test_activations_follow_from_question_and_documents(content, name, question, on):
    record = decided(content, question, name)
    assert {part for part, one in record["activations"].items() if one["on"]} == on
    assert all(one["why"] for one in record["activations"].values())
    assert (record["mode"], record["strategy"], record["most_passes"]) == ("extractive", None, 3)


def test_what_the_caller_decides_is_told():
    record = decided(PAGED, "What is excluded?", "policy.txt", type="text", shape="listing")
    assert record["chosen"] == ("type", "shape")
    assert record["activations"]["overlap"]["on"]


def test_a_model_is_told_the_parts():
    model = ScriptedModel(lambda _: reply([text("damage by flood", 5)]))
    question = "What is the limit per claim and what is excluded from the home policy?"
    record = decided(POLICY, question, model=model)
    assert (record["model"], record["strategy"]) == ("scripted", "combined")
    assert not record["activations"]["parts"]["on"]
    assert record["activations"]["rephrase"]["on"]


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("What is the limit per claim?", False),
        ("What are the exclusions of the home policy?", True),
        ("What is the limit per claim and what is excluded from the home policy?", True),
    ],
)
def test_a_stronger_model_writes_where_more_is_asked_than_one_value(question, on):
    asked = []

    def said(call):
        asked.append(call.model)
        return reply([text("damage by flood", 5)])

    with spanwise.Corpus.of([spanwise.read(POLICY.encode(), name="policy.md")]) as corpus:
        engine = spanwise.Engine(corpus, model=ScriptedModel(said), stronger_model="scripted-large")
        result = engine.ask(question)
    record = next(step.record for step in result.trace.steps if step.name == "dispatch")
    assert record["activations"]["stronger_model"]["on"] is on
    assert asked[0] == ("scripted-large" if on else None)
    assert set(asked[1:]) <= {"scripted-large"}, "every pass after the first is the stronger one's"


def test_a_stronger_model_without_a_usual_one_is_refused():
    with (
        spanwise.Corpus.of([spanwise.read(POLICY.encode(), name="policy.md")]) as corpus,
        pytest.raises(ModeError, match="name that as model too"),
    ):
        spanwise.Engine(corpus, stronger_model="scripted-large")
