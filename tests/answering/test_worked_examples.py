"""The four situations of the typed contract, end to end: complete, partial, none, conflicting (R-155 to R-158)."""

import json

import pytest
from trace_cases import reply

import spanwise
from spanwise import AmountAnswer, ScriptedModel, TextAnswer
from spanwise.answering.conflicting_answers import WHICH
from spanwise.contract.result import ANSWERED
from spanwise.messages import NOT_FOUND

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
    result = ask(SCATTERED, "What does the warranty exclude and who painted the lobby?")
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert result.answer.complete_answer_found is False
    assert any("who painted the lobby" in caveat for caveat in result.answer.caveats)
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


CONTINUED = {
    230: "Section 4. Exclusions",
    231: "This policy does not cover:",
    232: "(a) damage from war;",
    233: "(b) damage from nuclear events;",
    234: "(c) damage from earthquake or seismic events;",
    236: "Exclusions are continued in Section 7.",
    300: "Section 7. Additional exclusions",
    301: "(d) damage from flood or storm surge;",
    302: "(e) damage from volcanic eruption.",
}
AMENDED = {
    56: "Effective: 15 March 2024 (original)",
    178: "Effective date: 1 April 2024 (amended)",
}
ORIGINAL_OR_AMENDED = "Original date (2024-03-15) or amended (2024-04-01)?"


def apart(placed, last):
    """A policy of pages of 40 lines in which nothing but filling stands beside what is placed."""
    lines = [placed.get(number, "") for number in range(1, last + 1)]
    for number in range(2, last, 4):
        if not any(near in placed for near in (number - 1, number, number + 1)):
            lines[number - 1] = FILLING[number // 4 % 3]
    pages = ["\n".join(lines[start : start + 40]) for start in range(0, last, 40)]
    return spanwise.read("\n\f".join(pages).encode(), name="policy.txt")


def ask_apart(placed, question, model=None, last=340, **options):
    with spanwise.Corpus.of([apart(placed, last)]) as corpus:
        return spanwise.Engine(corpus, model=model).ask(question, **options)


def test_a_list_that_is_continued_elsewhere_is_whole_without_a_model():
    result = ask_apart(CONTINUED, "What are the exclusions?")
    assert result.decision.kind == "ship"
    assert [citation.line_start for citation in result.citations] == [232, 233, 234, 301, 302]
    assert result.answer.items[2].text == "damage from earthquake or seismic events"
    assert result.answer.complete_answer_found


def test_a_list_whose_rest_is_not_there_is_called_incomplete():
    cut = {number: words for number, words in CONTINUED.items() if number < 300}
    result = ask_apart(cut, "What are the exclusions?")
    assert (result.decision.kind, result.review) == ("ship", True)
    assert not result.answer.complete_answer_found
    assert "The list goes on in Section 7, which was not found." in result.answer.caveats
    assert result.answer.llm_discovered_keywords == ["Section 7"]


def test_a_model_that_sees_a_part_is_asked_again_with_the_words_that_it_discovered():
    first = item(CONTINUED, 234, "Damage from earthquake or seismic events")
    flags = {
        "confidence": 0.7,
        "caveats": ["Only one exclusion is in the passages; line 236 points to Section 7."],
        "context_completeness_weak": 0.5,
        "complete_answer_found": False,
        "llm_discovered_keywords": ["Section 7", "additional exclusions"],
    }
    more = {301: "damage from flood or storm surge", 302: "damage from volcanic eruption"}
    rest = [item(CONTINUED, number, words) for number, words in more.items()]
    model = ScriptedModel([reply([first], **flags), reply([first, *rest])])
    result = ask_apart(CONTINUED, "What are the natural-disaster exclusions?", model)
    assert (result.decision.kind, len(model.calls)) == ("ship", 2)
    asked, found = record(result, "passes")["records"]
    assert (asked["action_taken"], found["trigger"]) == ("keywords", "keywords")
    assert {"Section 7", "additional exclusions"} <= set(record(result, "retrieval")["keywords"])
    assert [citation.line_start for citation in result.citations] == [234, 301, 302]


@pytest.mark.parametrize("with_model", [True, False])
def test_an_original_and_an_amended_date_are_both_shown(with_model):
    said = {56: "2024-03-15", 178: "2024-04-01"}
    flags = {
        "confidence": 0.5,
        "caveats": ["Two effective dates: 15 March 2024 (original) and 1 April 2024 (amendment)."],
        "context_completeness_weak": 0.85,
        "llm_discovered_keywords": ["amendment"],
        "conflicting_evidence": True,
        "suggested_clarification": ORIGINAL_OR_AMENDED,
    }
    items = [item(AMENDED, number, words) for number, words in said.items()]
    model = ScriptedModel(lambda _: reply(items, **flags)) if with_model else None
    result = ask_apart(AMENDED, "What is the effective date?", model, last=240, type="text" if with_model else None)
    assert (result.decision.kind, result.decision.reason, result.review) == ("clarify", "conflicting_evidence", True)
    assert sorted(citation.line_start for citation in result.citations) == [56, 178]
    shown = (*said.values(), ORIGINAL_OR_AMENDED) if with_model else ("15 March 2024", "1 April 2024", WHICH)
    assert all(words in result.text for words in shown)
    assert result.answer.confidence <= 0.5


def test_a_day_in_figures_that_no_line_states_is_refused():
    model = ScriptedModel(lambda _: reply([item(AMENDED, 56, "2024-03-16")]))
    result = ask_apart(AMENDED, "What is the effective date?", model, last=240, type="text")
    assert result.decision.kind == "not_found"


def test_a_comparison_with_a_number_in_words_is_yes_or_no():
    policy = spanwise.read(b"The premium is EUR 1,200,000 a year.\n\nThe term is two years.\n", name="policy.txt")
    answers = [spanwise.ask(f"Is the premium above {bound} million?", policy) for bound in ("one", "two")]
    assert [one.answer.items[0].boolean for one in answers] == [True, False]
    assert not any(one.review for one in answers)


def test_one_thing_for_each_of_another_is_a_table():
    plans = spanwise.read(b"| Plan | Fee |\n| --- | --- |\n| Basic | EUR 5 |\n| Studio | EUR 19 |\n", name="plans.md")
    result = spanwise.ask("List me the fee for each plan", plans)
    assert isinstance(result.answer, spanwise.TableAnswer)
    assert [row.split() for row in result.text.splitlines()] == [
        ["Plan", "Fee"],
        ["Basic", "EUR", "5"],
        ["Studio", "EUR", "19"],
    ]
