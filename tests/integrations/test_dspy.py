"""DSPy: the metric inside an evaluation and an optimizer."""

import dspy
import pytest
from dspy.teleprompt import BootstrapFewShot
from dspy.utils import DummyLM

from spanwise.errors import InputError
from spanwise.integrations.dspy import SpanwiseMetric, SpanwiseRetriever

CONTEXT = ["Rent means £8,400 a month."]
EXAMPLE = dspy.Example(question="What is the Rent?", context=CONTEXT).with_inputs("question", "context")
ANOTHER = dspy.Example(question="And the Rent?", context=CONTEXT).with_inputs("question", "context")
RIGHT, WRONG = "The Rent is £8,400 a month.", "The Rent is £9,400 a month."


def lm(*answers):
    return DummyLM([{"answer": one} for one in answers])


def test_a_program_is_evaluated():
    program = dspy.Predict("question, context -> answer")
    with dspy.context(lm=lm(RIGHT, WRONG)):
        told = dspy.Evaluate(devset=[EXAMPLE, EXAMPLE], metric=SpanwiseMetric(), num_threads=1, display_progress=False)(
            program
        )
    assert told.score == 50.0
    assert [float(score) for _, _, score in told.results] == [1.0, 0.0]


def test_only_what_holds_becomes_a_demonstration():
    said = DummyLM({"What is the Rent?": {"answer": WRONG}, "And the Rent?": {"answer": RIGHT}})
    with dspy.context(lm=said):
        made = BootstrapFewShot(metric=SpanwiseMetric(), max_labeled_demos=0, max_bootstrapped_demos=1).compile(
            dspy.Predict("question, context -> answer"), trainset=[EXAMPLE, ANOTHER]
        )
    assert [one.answer for one in made.demos] == [RIGHT]


class InOneMessage(dspy.ChatAdapter):
    """Has the instruction in the last message too, which is all that a `DummyLM` looks at."""

    def format(self, signature, demos, inputs):
        messages = super().format(signature, demos, inputs)
        messages[-1]["content"] = f"{messages[0]['content']}\n{messages[-1]['content']}"
        return messages


def test_gepa_reads_the_feedback_and_keeps_the_instruction_after_which_claims_hold():
    student = DummyLM({"copy each figure": {"answer": RIGHT}, "": {"answer": WRONG}})
    better = {"new_instruction": "Answer from the context, and copy each figure."}
    reflecting = DummyLM([better] * 9, adapter=dspy.JSONAdapter())
    optimizer = dspy.GEPA(SpanwiseMetric(), max_metric_calls=12, reflection_lm=reflecting, num_threads=1)
    with dspy.context(lm=student, adapter=InOneMessage()):
        program = optimizer.compile(
            dspy.Predict("question, context -> answer"), trainset=[EXAMPLE, ANOTHER], valset=[EXAMPLE, ANOTHER]
        )
        assert program(question="What is the Rent?", context=CONTEXT).answer == RIGHT
    assert "copy each figure" in program.signature.instructions
    assert "why: the answer says" in str(reflecting.history[0])


def test_feedback_names_what_does_not_hold():
    told = SpanwiseMetric()(EXAMPLE, dspy.Prediction(answer=WRONG), [], "predict", [])
    assert told.score == 0
    assert "£8,400" in told.feedback
    with pytest.raises(InputError, match="'summary'"):
        SpanwiseMetric(answer="summary")(EXAMPLE, dspy.Prediction(answer=RIGHT))


def test_passages_are_found(lease_corpus):
    found = SpanwiseRetriever(lease_corpus)("deposit rent", k=2)
    assert len(found.passages) == len(found.places) == 2
    assert found.places[0]["document"] == "lease.pdf"
