import asyncio

import pytest
from deepeval import evaluate
from deepeval.errors import MissingTestCaseParamsError
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.test_case import LLMTestCase

from spanwise.integrations.deepeval import AttributionMetric

CONTEXT = ["The late fee is 1.5% per month.", "Payment is due within 30 days of the invoice."]


def case(output, context=CONTEXT):
    return LLMTestCase(input="What is the late fee?", actual_output=output, retrieval_context=context)


@pytest.mark.parametrize(
    ("output", "score", "told"),
    [
        ("The late fee is 1.5% per month [1].", 1.0, "every claim is supported"),
        ("The late fee is 2% per month. Payment is due within 30 days of the invoice.", 0.5, "passage 1, line 1"),
        ("The late fee is 1.5% per month [2].", 0.0, "citation"),
        ("I do not know.", 0.0, "nothing"),
    ],
)
def test_the_score_is_the_share_of_claims_that_hold(output, score, told):
    metric = AttributionMetric()
    assert metric.measure(case(output)) == score
    assert asyncio.run(metric.a_measure(case(output))) == score
    assert metric.is_successful() is (score == 1.0)
    assert told in metric.reason


def test_citations_need_not_count():
    assert AttributionMetric(citations=False).measure(case("The late fee is 1.5% per month [2].")) == 1.0


def test_a_case_without_context_is_an_error_of_the_library():
    with pytest.raises(MissingTestCaseParamsError):
        AttributionMetric().measure(case("The late fee is 2%.", context=None))


@pytest.mark.parametrize("run_async", [True, False])
def test_it_runs_in_an_evaluation(run_async, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases = [case("The late fee is 1.5% per month."), case("The late fee is 2% per month.")]
    results = evaluate(
        test_cases=cases,
        metrics=[AttributionMetric()],
        async_config=AsyncConfig(run_async=run_async),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )
    assert sorted(result.success for result in results.test_results) == [False, True]
    assert {result.metrics_data[0].name for result in results.test_results} == {"Spanwise Attribution"}
