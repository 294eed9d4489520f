import dataclasses
import json

import pytest
from pydantic import ValidationError

from spanwise import ANSWER_REGISTRY, AmountAnswer, BooleanAnswer, DateAnswer, ListAnswer, TableAnswer, TextAnswer
from spanwise.contract.answers import AnswerBase, AnswerWithEvidence
from spanwise.contract.items import TextItem
from spanwise.contract.result import META_KEYS, GenerationResult
from spanwise.contract.values import Amount, Span

FLAGS = {
    "extraction_method": "verbatim",
    "confidence": 0.9,
    "answer_found": True,
    "complete_answer_found": True,
    "context_completeness_weak": 0.9,
    "context_structured": True,
    "conflicting_evidence": False,
}


def test_the_registry_has_exactly_the_six_labels():
    assert {
        "text": TextAnswer,
        "amount": AmountAnswer,
        "date": DateAnswer,
        "boolean": BooleanAnswer,
        "table": TableAnswer,
        "list": ListAnswer,
    } == ANSWER_REGISTRY
    assert ListAnswer is TextAnswer


def test_the_base_has_the_shared_fields_and_no_items():
    required = {name for name, field in AnswerBase.model_fields.items() if field.is_required()}
    assert required == set(FLAGS)
    assert set(AnswerBase.model_fields) - required == {
        "caveats",
        "llm_discovered_keywords",
        "keywords_found",
        "suggested_clarification",
    }


def test_a_complete_answer_of_five_items_validates():
    items = [
        {"text": word, "spans": [{"line_start": n, "line_end": n, "quote": None}]} for n, word in enumerate("abcde", 88)
    ]
    answer = TextAnswer.model_validate_json(json.dumps({"items": items, **FLAGS}))
    assert [item.spans[0].line_start for item in answer.items] == [88, 89, 90, 91, 92]


@pytest.mark.parametrize("field", ["confidence", "context_completeness_weak"])
@pytest.mark.parametrize("value", [1.3, -0.1, float("nan")])
def test_scores_outside_their_range_are_refused(field, value):
    with pytest.raises(ValidationError):
        TextAnswer(items=[], **{**FLAGS, field: value})


def test_an_unknown_method_or_field_is_refused():
    with pytest.raises(ValidationError):
        TextAnswer(items=[], **{**FLAGS, "extraction_method": "guessed"})
    with pytest.raises(ValidationError):
        TextAnswer(items=[], **FLAGS, trace={})


def test_items_do_not_share_their_spans():
    one, other = TextItem(text="x"), TextItem(text="y")
    one.spans.append(Span(line_start=1, line_end=1))
    assert other.spans == []


def test_an_amount_needs_its_currency():
    assert Amount(value=1200, currency="USD", unit="per claim").unit == "per claim"
    with pytest.raises(ValidationError):
        Amount(value=1200)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_are_finite_everywhere(value):
    with pytest.raises(ValidationError, match="finite"):
        Amount(value=value, currency="USD")


def test_the_smallest_contract_needs_its_evidence():
    said = {"answer": "5 %", "evidence_start": 3, "evidence_end": 4, "confidence": 0.5}
    assert AnswerWithEvidence(**said).quotes == []
    for broken in ({**said, "evidence_start": 5}, {**said, "evidence_start": 0}, {**said, "confidence": 1.3}):
        with pytest.raises(ValidationError):
            AnswerWithEvidence(**broken)
    del said["evidence_start"]
    with pytest.raises(ValidationError, match="evidence_start"):
        AnswerWithEvidence(**said)


def test_the_trace_stands_beside_the_answer_and_is_not_shared():
    answer = TextAnswer(items=[], **FLAGS)
    one, other = GenerationResult(answer), GenerationResult(answer, {})
    one.meta["model_name"] = "scripted"
    assert dataclasses.is_dataclass(GenerationResult)
    assert other.meta == {}
    assert {"model_name", "prompt_version", "retrieved_context"} < set(META_KEYS)
