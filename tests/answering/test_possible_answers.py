"""The second of three tiers: no line answers for certain, and up to three that may are shown, the most likely first."""

import io
import json

import pytest
from rich.console import Console

import spanwise
from spanwise import TextAnswer
from spanwise.answering import extractive
from spanwise.answering.decision import route
from spanwise.cli.render import show
from spanwise.contract.result import ANSWERED, Draft, Source
from spanwise.extraction.fields import Field
from spanwise.extraction.value_rows import rows_of
from spanwise.mcp.tool_results import answered
from spanwise.server.routes.chat import chunks, completion

NAME = "lease.txt"
TEXT = """The landlord keeps the roof in repair.
The tenant keeps the garden and the paths in order.
Both sides keep a copy of this lease.
The caretaker sweeps the stairs on Fridays.
"""
QUESTION = "Who keeps the yard tidy?"
FLAGS = {
    "extraction_method": "verbatim",
    "answer_found": True,
    "complete_answer_found": True,
    "context_completeness_weak": 0.4,
    "context_structured": True,
    "conflicting_evidence": False,
}


def item(number, words=None):
    return {
        "text": words or TEXT.splitlines()[number - 1],
        "spans": [{"line_start": number, "line_end": number}],
    }


def draft_of(*items, relevance=0.45, possible=True, **flags):
    answer = TextAnswer.model_validate({"items": items, "confidence": relevance, **FLAGS, **flags})
    sources = ((NAME,),) * len(items)
    return Draft(answer, sources, relevance, nearest=(Source(NAME, 1, 1),), possible=possible)


@pytest.fixture
def ask(monkeypatch, tmp_path):
    path = tmp_path / NAME
    path.write_text(TEXT)

    def asked(draft, question=QUESTION):
        monkeypatch.setattr(extractive, "extract", lambda *_: draft)
        return spanwise.ask(question, path)

    return asked


def test_possible_answers_ship_for_review_and_stand_one_on_a_line(ask):
    result = ask(draft_of(item(2), item(4)))
    decision = result.decision
    assert (decision.kind, decision.review, result.review, result.possible) == ("ship", "review", True, True)
    assert result.text == (
        "1. The tenant keeps the garden and the paths in order.\n2. The caretaker sweeps the stairs on Fridays."
    )
    assert decision.message == "No line answers this for certain. Possible answers, most likely first:"
    assert [result.text[slice(*one.at)] for one in result.citations] == [one.text for one in result.answer.items]
    assert (result.confidence, result.missing) == (0.45, None)


def test_a_single_possible_answer_is_its_own_words(ask):
    result = ask(draft_of(item(2)))
    assert result.text == "The tenant keeps the garden and the paths in order."
    assert result.decision.message == "No line answers this for certain. A possible answer:"
    assert result.review


def test_a_possible_answer_that_its_lines_do_not_hold_goes_and_the_others_stay(ask):
    result = ask(draft_of(item(2, "The tenant keeps the yard tidy."), item(4)))
    assert [one.text for one in result.answer.items] == ["The caretaker sweeps the stairs on Fridays."]
    assert (result.decision.kind, result.possible) == ("ship", True)
    assert "unsupported_claim" in result.warnings
    nothing = ask(draft_of(item(2, "The tenant keeps the yard tidy.")))
    assert (nothing.decision.kind, nothing.review, nothing.possible) == ("not_found", False, False)


def test_the_record_tells_of_the_tier(ask):
    record = ask(draft_of(item(2), item(4))).to_dict()
    assert (record["decision"], record["review"], record["possible"]) == ("ship", True, True)
    assert "for certain" in record["decision_reason"]
    sure = ask(draft_of(item(2), relevance=ANSWERED, possible=False)).to_dict()
    assert (sure["decision"], sure["review"], sure["possible"]) == ("ship", False, False)


def test_a_trace_of_possible_answers_is_decided_alike(ask, tmp_path):
    result = ask(draft_of(item(2), item(4)))
    path = tmp_path / "trace.json"
    result.save_trace(path)
    again = spanwise.replay(path)
    assert (again.text, again.decision, again.review) == (result.text, result.decision, True)
    assert again.to_dict()["answer"] == result.to_dict()["answer"]
    assert json.loads(path.read_text())["generation"]["draft"]["possible"] is True


def test_one_answer_that_is_not_likely_enough_is_a_possible_answer(ask):
    assert ask(draft_of(item(2), relevance=ANSWERED - 0.01, possible=False)).possible
    assert not ask(draft_of(item(2), relevance=ANSWERED, possible=False)).possible


def test_the_items_of_a_list_are_no_alternatives(ask):
    listed = draft_of(item(2), item(4), relevance=0.5, possible=False)
    result = ask(listed, "List the duties of the tenant.")
    assert (result.possible, result.review, result.text[:2]) == (False, True, "- ")


def answer(**flags):
    return TextAnswer.model_validate({"items": [item(1)], "confidence": 0.9, **FLAGS, **flags})


@pytest.mark.parametrize(
    ("flags", "options", "review"),
    [
        ({}, {}, None),
        ({"confidence": 0.69}, {}, "check"),
        ({"extraction_method": "inferred"}, {}, "review"),
        ({"extraction_method": "inferred"}, {"proved": True}, None),
        ({"extraction_method": "computed"}, {"proved": True}, "check"),
        ({"complete_answer_found": False}, {"possible": True}, "review"),
    ],
)
def test_marks(flags, options, review):
    decision = route(answer(**flags), **options)
    assert (decision.kind, decision.review) == ("ship", review)


def test_sides_of_a_conflict_and_nothing_at_all_are_no_possible_answers():
    assert route(answer(conflicting_evidence=True), possible=True).kind == "clarify"
    empty = answer(items=[], answer_found=False, complete_answer_found=False)
    assert route(empty, possible=True, attempt=2).kind == "not_found"


def test_a_yes_that_the_guard_concludes_again_is_not_marked(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("The tenant may keep a dog in the flat.\n")
    yes = spanwise.ask("May the tenant keep a dog in the flat?", path)
    assert (yes.answer.items[0].value, yes.review) == (True, yes.confidence < ANSWERED)


def test_of_a_part_without_a_certain_answer_the_most_likely_is_told_with_a_caveat(monkeypatch, tmp_path):
    path = tmp_path / NAME
    path.write_text(TEXT)
    drafts = iter([draft_of(item(1), relevance=0.9, possible=False), draft_of(item(2), item(4))])
    monkeypatch.setattr(extractive, "extract", lambda *_: next(drafts))
    result = spanwise.ask("Who repairs the roof and who sweeps the stairs?", path)
    assert [one.spans[0].line_start for one in result.answer.items] == [1, 2]
    assert (result.possible, result.review, result.confidence) == (False, True, 0.405)
    assert any("who sweeps the stairs" in caveat for caveat in result.answer.caveats)


def terminal(result):
    console = Console(file=io.StringIO(), width=100, color_system=None)
    show(result, console)
    return console.file.getvalue()


def test_the_terminal_names_the_tier_and_puts_each_possible_answer_above_its_lines(ask):
    shown = terminal(ask(draft_of(item(2), item(4)))).splitlines()
    assert shown[0] == "Possible answers, most likely first. No line answers this for certain."
    assert shown[2:5] == [
        "1. The tenant keeps the garden and the paths in order.",
        "[c1] lease.txt, line 2",
        "    The tenant keeps the garden and the paths in order.",
    ]
    assert shown[6:8] == ["2. The caretaker sweeps the stairs on Fridays.", "[c2] lease.txt, line 4"]
    assert shown[-1] == "Possible answer, confidence 0.45"


def test_the_terminal_warns_of_an_answer_that_is_not_likely_enough(ask):
    listed = draft_of(item(2), item(4), relevance=0.5, possible=False)
    assert "Read the cited lines before you rely on this" in terminal(ask(listed, "List the duties of the tenant."))


def test_the_terminal_shows_how_a_figure_was_computed(tmp_path):
    path = tmp_path / "report.md"
    path.write_text("| | 2022 | 2021 |\n|---|---|---|\n| Net revenue (USD) | 4,200 | 4,000 |\n")
    result = spanwise.ask("How much did net revenue grow from 2021 to 2022?", path)
    assert "computed: 4,200 - 4,000 = 200" in terminal(result)
    assert (result.text, result.review) == ("$200", True)


def test_tools_and_clients_of_other_protocols_are_told(ask):
    result = ask(draft_of(item(2), item(4)))
    told = answered(result)
    assert told.startswith("No line answers this for certain. Possible answers, most likely first")
    assert "> 1. The tenant keeps the garden and the paths in order. [c1]" in told
    assert completion(result, "default", "spanwise", 0).choices[0].message.spanwise.review
    pieces = [one["choices"][0]["delta"].get("content", "") for one in chunks(result, "d", "m", 0, with_usage=False)]
    assert "".join(pieces) == completion(result, "d", "m", 0).choices[0].message.content


def test_rows_of_possible_values_are_marked(ask):
    result = ask(draft_of(item(2), item(4)))
    rows = rows_of(result, Field("tidy", QUESTION), NAME, "0" * 64)
    assert [(row.item, row.of, row.review, row.decision) for row in rows] == [
        (0, 2, "review", "ship"),
        (1, 2, "review", "ship"),
    ]
    assert "for certain" in rows[0].reason


def test_two_parts_that_one_line_answers_show_it_once(monkeypatch, tmp_path):
    path = tmp_path / NAME
    path.write_text(TEXT)
    monkeypatch.setattr(extractive, "extract", lambda *_: draft_of(item(3), relevance=0.9, possible=False))
    result = spanwise.ask("Who keeps the lease and who copies it?", path)
    assert [one.text for one in result.answer.items] == ["Both sides keep a copy of this lease."]
    assert result.answer.complete_answer_found
