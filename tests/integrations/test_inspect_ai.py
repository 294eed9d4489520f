import inspect_ai
import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

from spanwise.integrations.inspect_ai import attribution

CONTEXT = ["The late fee is 1.5% per month.", "Payment is due within 30 days of the invoice."]
SAID = ["The late fee is 1.5% per month [1].", "The late fee is 2% per month [1]."]

pytestmark = pytest.mark.enable_socket


@solver
def saying():
    """Answers as it is written in the metadata, without a model."""

    async def solve(state, generate):  # noqa: ARG001
        state.output = ModelOutput.from_content("none", state.metadata["said"])
        return state

    return solve


def run(tmp_path, scorer, metadata):
    samples = [Sample(input="What is the late fee?", metadata={"said": said, **metadata}) for said in SAID]
    task = inspect_ai.Task(dataset=samples, solver=saying(), scorer=scorer)
    [log] = inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none", max_samples=1)
    return log


@pytest.mark.parametrize("passages", ["context", lambda state: state.metadata["context"]])
def test_a_task_is_scored_with_the_share_of_claims_that_hold(tmp_path, passages):
    log = run(tmp_path, attribution(passages), {"context": CONTEXT})
    assert log.status == "success", log.error
    scores = [sample.scores["attribution"] for sample in log.samples]
    assert sorted(score.value for score in scores) == [0.0, 1.0]
    assert any("1.5% per month" in score.explanation for score in scores)
    assert log.results.scores[0].metrics["mean"].value == 0.5


def test_a_sample_without_passages_is_an_error_that_names_the_key(tmp_path):
    log = run(tmp_path, attribution(), {})
    assert log.status == "error"
    assert "has no metadata 'context'" in log.error.message
