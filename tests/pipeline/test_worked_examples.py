"""The four situations of the typed contract, end to end: complete, partial, none, conflicting (R-155 to R-158)."""

import json

import pytest
from trace_cases import reply

import spanwise
from spanwise import AmountAnswer, ScriptedModel, TextAnswer
from spanwise.contract.result import ANSWERED
from spanwise.messages import NOT_FOUND
from spanwise.pipeline.conflicting_answers.showing import WHICH

FILLING = (
    "The insurer keeps a record of every notice that it receives.",
    "Letters are sent to the last known address.",
    "A copy of this document is kept at the office.",
    "Words in the singular include the plural.",
)
LIST = {
    86: "Section 4. Exclusions",
    87: "The following are excluded from the warranty:",
    88: "(a) damage by flood;",
    89: "(b) damage by war;",
    90: "(c) damage by wear;",
    91: "(d) loss of profit; and",
    92: "(e) damage by vermin.",
    93: "",
    94: "Section 5. Notices",
    95: "",
}
SCATTERED = {
    150: "Section 7. Further terms",
    151: "Additional exclusions: damage by frost is never covered.",
    234: "The warranty excludes damage by flood; see Section 7.",
}
CONFLICT = {
    56: "The deductible is USD 500 per claim.",
    178: "The deductible is USD 750 per claim.",
}
EXCLUSIONS = "What are the exclusions of the warranty?"
DEDUCTIBLE = "How much is the deductible per claim?"
CAVEAT = "The document covers exclusions and notices, no cancellation fee."
CLARIFICATION = "Does the body or the annex of the policy apply?"


def policy(placed, last=240):
    """A policy of six pages; `placed` says which lines are about the question."""
    lines = [placed.get(number, FILLING[number % 4] if number % 2 else "") for number in range(1, last + 1)]
    pages = ["\n".join(lines[start : start + 40]) for start in range(0, last, 40)]
    return spanwise.read("\n\f".join(pages).encode(), name="policy.txt")


def ask(placed, question, model=None, **options):
    document = policy(placed)
    assert all(document.line(number).text == words for number, words in placed.items())
    with spanwise.Corpus.of([document]) as corpus:
        return spanwise.Engine(corpus, model=model).ask(question, **options)


def item(document_lines, number, words):
    return {
        "text": words,
        "spans": [{"line_start": number, "line_end": number, "quote": document_lines[number]}],
    }


def listed():
    words = {
        number: text.split(") ", 1)[1].rstrip(".;").removesuffix("; and")
        for number, text in LIST.items()
        if text.startswith("(")
    }
    return [item(LIST, number, words[number]) for number in sorted(words)]


def record(result, name):
    return next(step.record for step in result.trace.steps if step.name == name)


def money(value, number):
    spans = [{"line_start": number, "line_end": number, "quote": CONFLICT[number]}]
    return {"amount": {"value": value, "currency": "USD", "unit": "per claim"}, "spans": spans}


@pytest.mark.parametrize("with_model", [True, False])
def test_complete_ships_as_it_is(with_model):
    model = ScriptedModel([reply(listed(), confidence=0.95)]) if with_model else None
    result = ask(LIST, EXCLUSIONS, model)
    assert result.decision.kind == "ship"
    assert result.review is (result.confidence < ANSWERED)
    assert [citation.line_start for citation in result.citations] == [88, 89, 90, 91, 92]
    assert [citation.line_end for citation in result.citations] == [88, 89, 90, 91, 92]
    assert {claim.support for claim in result.claims} == {"supported"}
    assert result.answer.extraction_method == "verbatim"
    assert TextAnswer.model_validate_json(json.dumps(result.to_dict()["answer"])) == result.answer
    if with_model:
        assert (len(model.calls), result.confidence, result.completeness.weak) == (1, 0.95, 0.9)
        assert result.decision.review is None


def test_partial_is_fetched_again_with_the_discovered_keywords():
    first = item(SCATTERED, 234, "damage by flood")
    flags = {"confidence": 0.7, "context_completeness_weak": 0.5, "complete_answer_found": False}
    replies = [
        reply([first], llm_discovered_keywords=["Section 7", "additional exclusions"], **flags),
        reply([first, item(SCATTERED, 151, "damage by frost")]),
    ]
    model = ScriptedModel(replies)
    result = ask(SCATTERED, EXCLUSIONS, model)
    asked, found = record(result, "passes")["records"]
    assert (asked["action_taken"], asked["discovered"]) == ("keywords", ["Section 7", "additional exclusions"])
    assert found["trigger"] == "keywords"
    keywords = record(result, "retrieval")["keywords"]
    assert {"Section 7", "additional exclusions"} <= set(keywords)
    assert [word.casefold() for word in keywords].count("exclusions") == 1
    assert (result.decision.kind, [one.line_start for one in result.citations]) == ("ship", [234, 151])


def test_partial_without_a_model_names_the_half_that_is_missing():
    result = ask(SCATTERED, "What does the warranty exclude and who signs the warranty?")
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert result.answer.complete_answer_found is False
    assert any("who signs the warranty" in caveat for caveat in result.answer.caveats)
    assert 234 in [citation.line_start for citation in result.citations]


@pytest.mark.parametrize("with_model", [True, False])
def test_none_is_an_honest_not_found(with_model):
    model = ScriptedModel(lambda _: reply([], caveats=[CAVEAT])) if with_model else None
    result = ask(LIST, "How much is the cancellation fee of the warranty?", model)
    assert (result.decision.kind, result.answer.items, result.answer.extraction_method) == ("not_found", [], "na")
    assert (result.confidence, result.citations) == (0.0, ())
    assert NOT_FOUND in result.text
    assert result.missing.what
    if with_model:
        assert CAVEAT in result.text
        assert len(model.calls) == 2


@pytest.mark.parametrize("with_model", [True, False])
def test_a_conflict_is_shown_and_no_side_is_taken(with_model):
    flags = {"confidence": 0.5, "conflicting_evidence": True, "suggested_clarification": CLARIFICATION}
    model = ScriptedModel([reply([money(500, 56), money(750, 178)], **flags)]) if with_model else None
    result = ask(CONFLICT, DEDUCTIBLE, model, type="amount")
    assert (result.decision.kind, result.decision.reason) == ("clarify", "conflicting_evidence")
    asked = CLARIFICATION if with_model else WHICH
    assert all(part in result.text for part in ("500", "750", asked))
    assert [citation.line_start for citation in result.citations] == [56, 178]
    assert isinstance(result.answer, AmountAnswer)
    assert result.answer.complete_answer_found
    assert result.answer.confidence <= 0.5
    assert result.missing.kind == "conflicting"
