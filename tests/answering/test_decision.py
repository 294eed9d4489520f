"""Where an answer goes next: every combination of its flags has one route."""

import itertools

import pytest
from every import every

from spanwise import Amount, AmountAnswer, AmountItem, DateAnswer, Span, TextAnswer, TextItem, route
from spanwise.contract.validation.problems import Problem
from spanwise.domain.document import Document, Line, Page
from spanwise.errors import InputError
from spanwise.messages import NOT_FOUND


def answer(**flags):
    found = flags.get("answer_found", True)
    items = [TextItem(text="net 30", spans=[Span(line_start=3, line_end=3)])] if found else []
    return TextAnswer(
        **{
            "items": items,
            "extraction_method": "verbatim" if found else "na",
            "confidence": 0.9 if found else 0.0,
            "answer_found": found,
            "complete_answer_found": found,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "conflicting_evidence": False,
            **flags,
        }
    )


PROBLEM = Problem(code="line_missing", message="there is no line 900", item=0)


def expected(invalid, structured, conflict, clarification, found, complete, strong):
    """The order of the rules, written down once more, from the table of the specification."""
    if invalid or (complete and not found):
        return "refetch", "retry"
    if not structured:
        return "reparse", "reparse"
    if conflict or clarification:
        return "clarify", None
    if not found:
        return "refetch", "rephrase"
    if not complete or strong is False:
        return "refetch", "widen" if strong is False else "keywords"
    return "ship", None


COMBINATIONS = list(itertools.product((False, True), repeat=6))


@every("strong", [None, True, False])
@every(("invalid", "structured", "conflict", "clarification", "found", "complete"), COMBINATIONS)
def test_the_first_rule_that_applies_wins(invalid, structured, conflict, clarification, found, complete, strong):
    given = answer(
        context_structured=structured,
        conflicting_evidence=conflict,
        suggested_clarification="Which year?" if clarification else None,
        answer_found=found,
        complete_answer_found=complete,
    )
    decision = route(given, strong=strong, problems=[PROBLEM] if invalid else [])
    assert (decision.kind, decision.action) == expected(
        invalid, structured, conflict, clarification, found, complete, strong
    )


@pytest.mark.parametrize(
    ("attempt", "kind", "action"), [(1, "refetch", "retry"), (2, "refetch", "retry"), (3, "not_found", "reject")]
)
def test_an_invalid_answer_is_tried_again_and_rejected_in_the_end(attempt, kind, action):
    decision = route(answer(), problems=[PROBLEM], attempt=attempt)
    assert (decision.kind, decision.action) == (kind, action)
    assert "no line 900" in decision.reason


def test_an_empty_answer_costs_exactly_one_rephrase():
    empty = answer(answer_found=False, caveats=["The passages cover only home insurance."])
    assert route(empty, attempt=1).action == "rephrase"
    for attempt in (2, 3):
        decision = route(empty, attempt=attempt)
        assert decision.kind == "not_found"
        assert NOT_FOUND in decision.message
        assert "only home insurance" in decision.message


def test_an_empty_answer_on_the_only_attempt_is_not_found():
    assert route(answer(answer_found=False), last_attempt=1).kind == "not_found"


def test_a_partial_answer_asks_for_more_with_its_keywords():
    partial = answer(
        complete_answer_found=False, llm_discovered_keywords=["Section 7", "additional exclusions", "section 7", " "]
    )
    decision = route(partial)
    assert (decision.kind, decision.keywords) == ("refetch", ("Section 7", "additional exclusions"))


def test_keywords_alone_ask_for_nothing_more():
    assert route(answer(llm_discovered_keywords=["Section 7"])).kind == "ship"


def test_a_partial_answer_ships_on_the_last_attempt_and_says_so():
    decision = route(answer(complete_answer_found=False, caveats=["Only page 5 was read."]), attempt=3)
    assert (decision.kind, decision.action, decision.review) == ("ship", "exhausted", "check")
    assert "may not be complete" in decision.message
    assert "Only page 5 was read." in decision.message


def test_truncated_evidence_overrides_what_the_answer_says_of_itself():
    sure = answer(context_completeness_weak=1.0)
    assert route(sure, strong=True).kind == "ship"
    assert route(sure, strong=None).kind == "ship"
    assert route(sure, strong=False).kind == "refetch"


def test_a_conflict_shows_every_value_and_the_question():
    both = AmountAnswer(
        items=[
            AmountItem(amount=Amount(value=500, currency="USD"), spans=[Span(line_start=56, line_end=56)]),
            AmountItem(amount=Amount(value=750, currency="USD"), spans=[Span(line_start=178, line_end=179)]),
        ],
        extraction_method="verbatim",
        confidence=0.5,
        caveats=["The annex differs from the body."],
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=0.85,
        context_structured=True,
        conflicting_evidence=True,
        suggested_clarification="Body or annex?",
    )
    decision = route(both)
    assert (decision.kind, decision.reason) == ("clarify", "conflicting_evidence")
    for part in ("500", "750", "line 56", "lines 178-179", "Body or annex?", "The annex differs from the body."):
        assert part in decision.message


@pytest.mark.parametrize(("found", "words"), [(False, "no answer was found in them"), (True, "this is the one answer")])
def test_a_conflict_without_two_sides_does_not_speak_of_several_answers(found, words):
    decision = route(answer(answer_found=found, complete_answer_found=found, conflicting_evidence=True))
    assert (decision.kind, decision.review) == ("clarify", "review")
    assert words in decision.message
    assert "more than one answer" not in decision.message


def test_a_clarification_is_asked_even_when_nothing_was_found():
    decision = route(answer(answer_found=False, suggested_clarification="Which limit?"))
    assert (decision.kind, decision.message) == ("clarify", "Which limit?")


@pytest.mark.parametrize(
    ("flags", "review"),
    [
        ({}, None),
        ({"confidence": 0.5}, "check"),
        ({"confidence": 0.69}, "check"),
        ({"confidence": 0.7}, None),
        ({"extraction_method": "computed"}, "check"),
        ({"extraction_method": "inferred"}, "review"),
    ],
)
def test_what_is_shipped_may_be_marked_for_a_second_look(flags, review):
    decision = route(answer(**flags))
    assert (decision.kind, decision.review) == ("ship", review)


def test_confidence_alone_ships_nothing():
    assert route(answer(answer_found=False, confidence=0.99)).kind != "ship"


def test_caveats_go_out_with_what_is_shipped():
    assert "Excluding VAT." in route(answer(caveats=["Excluding VAT."])).message


@pytest.mark.parametrize("found", [True, False])
def test_flags_that_contradict_the_items_are_invalid(found):
    item = TextItem(text="x", spans=[Span(line_start=1, line_end=1)])
    odd = answer(answer_found=found, complete_answer_found=found, items=[] if found else [item])
    assert route(odd).action == "retry"
    assert route(odd, on_invalid="flag").action == "retry"


@pytest.mark.parametrize(
    ("on_invalid", "kind", "review"),
    [("retry", "refetch", None), ("flag", "ship", "review"), ("reject", "not_found", None)],
)
def test_what_is_at_stake_decides_what_an_invalid_answer_costs(on_invalid, kind, review):
    decision = route(answer(), problems=[PROBLEM], on_invalid=on_invalid)
    assert (decision.kind, decision.review) == (kind, review)


def document(lines_a_page, pages):
    numbers = range(1, lines_a_page * pages + 1)
    lines = tuple(Line(n, (n - 1) // lines_a_page + 1, (n - 1) % lines_a_page + 1, f"line {n}") for n in numbers)
    where = tuple(Page(p, str(p), 0, 0, (p - 1) * lines_a_page + 1, p * lines_a_page) for p in range(1, pages + 1))
    return Document("0" * 64, "made.txt", "text", lines, where, paged=True)


def test_garbled_pages_are_named():
    spans = [Span(line_start=9, line_end=11), Span(line_start=2, line_end=2), Span(line_start=900, line_end=901)]
    garbled = answer(context_structured=False, items=[TextItem(text="x", spans=spans)])
    assert route(garbled, document=document(5, 4)).pages == (1, 2, 3)
    assert route(garbled).pages == ()
    assert route(garbled, attempt=3).kind == "ship"


def test_a_route_is_a_pure_function():
    given = answer(confidence=0.5)
    before = given.model_dump_json()
    assert route(given) == route(given)
    assert given.model_dump_json() == before


def test_a_date_answer_without_items_takes_the_same_way():
    empty = DateAnswer(items=[], **answer(answer_found=False).model_dump(exclude={"items"}))
    assert route(empty, attempt=2).kind == "not_found"


@pytest.mark.parametrize("options", [{"attempt": 0}, {"last_attempt": 0}, {"on_invalid": "hope"}])
def test_senseless_options_are_told(options):
    with pytest.raises(InputError):
        route(answer(), **options)
