import asyncio
import importlib
import sys

import pytest

from spanwise.errors import MissingExtraError
from spanwise.integrations.ragas import Attribution

CONTEXTS = ["The late fee is 1.5% per month.", "Payment is due within 30 days of the invoice."]


def test_the_score_is_the_share_of_claims_that_hold():
    metric = Attribution()
    right = metric.score(response="The late fee is 1.5% per month [1].", retrieved_contexts=CONTEXTS)
    wrong = metric.score(response="The late fee is 1.5% per month [2].", retrieved_contexts=CONTEXTS)
    assert (right.value, wrong.value) == (1.0, 0.0)
    assert "citation" in wrong.reason
    assert metric.validate_result_value(right.value) is None


def test_a_batch_keeps_its_order():
    rows = [{"response": f"The late fee is {fee}% per month.", "retrieved_contexts": CONTEXTS} for fee in (1.5, 2, 3)]
    results = asyncio.run(Attribution(citations=False).abatch_score(rows))
    assert [result.value for result in results] == [1.0, 0.0, 0.0]


def test_a_ragas_that_cannot_be_imported_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ragas.metrics.collections.base", None)
    monkeypatch.delitem(sys.modules, "spanwise.integrations.ragas")
    with pytest.raises(MissingExtraError, match=r"cannot be imported.*\[ragas\]"):
        importlib.import_module("spanwise.integrations.ragas")
