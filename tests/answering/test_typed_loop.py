"""The loop with a model: what it is shown, what becomes of its answers, and when it ends."""

import asyncio
import json

import pytest

import spanwise
from spanwise import ScriptedModel
from spanwise.domain.document import Document, Line, Page, Section
from spanwise.errors import ModeError, StructuredOutputError
from spanwise.ingest.corpus import Corpus
from spanwise.messages import NOT_FOUND

PAGES = [
    ["Policy", "This policy covers the home of the insured."],
    [
        "4. Exclusions",
        "The following are excluded from the home policy:",
        "(a) damage by flood;",
        "(b) damage by war;",
        "(c) damage by wear;",
    ],
    [
        "Section 5. Coverage Limits",
        "The limit is USD 500,000 per claim for the home policy.",
        "SENTINEL of the last page.",
    ],
]
GOES_ON = [PAGES[0], PAGES[1], ["(d) damage by vermin; and", "(e) loss of profit.", "SENTINEL of the last page."]]


def document(pages, name="policy.pdf"):
    lines, where = [], []
    for number, texts in enumerate(pages, start=1):
        first = len(lines) + 1
        for place, text in enumerate(texts, start=1):
            role = "heading" if text[0].isdigit() or text.startswith(("Section", "Policy")) else "text"
            lines.append(Line(len(lines) + 1, number, place, text, role=role, block=len(lines)))
        where.append(Page(number, str(number), 600, 800, first, len(lines)))
    section = Section("4. Exclusions", 1, 3, 7, 2, 2)
    return Document("0" * 64, name, "pdf", tuple(lines), tuple(where), (section,), paged=True)


def reply(items, **flags):
    found = bool(items)
    return json.dumps(
        {
            "items": items,
            "extraction_method": "verbatim" if found else "na",
            "confidence": 0.9 if found else 0.0,
            "caveats": [],
            "answer_found": found,
            "complete_answer_found": found,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "llm_discovered_keywords": [],
            "keywords_found": [],
            "conflicting_evidence": False,
            "suggested_clarification": None,
            **flags,
        }
    )


def text(words, line):
    return {"text": words, "spans": [{"line_start": line, "line_end": line, "quote": None}]}


def amount(value, line, currency="USD"):
    spans = [{"line_start": line, "line_end": line, "quote": None}]
    return {"amount": {"value": value, "currency": currency, "unit": "per claim"}, "spans": spans}


EXCLUSIONS = [text("damage by flood", 5), text("damage by war", 6), text("damage by wear", 7)]


def run(model, question="What are the exclusions of the home policy?", pages=PAGES, **options):
    with Corpus.of([document(pages)]) as corpus:
        return spanwise.Engine(corpus, model=model).ask(question, **options)


def test_a_complete_answer_ships_as_it_is():
    model = ScriptedModel([reply(EXCLUSIONS)])
    result = run(model)
    assert (result.decision.kind, len(model.calls)) == ("ship", 1)
    assert [item.text for item in result.answer.items] == ["damage by flood", "damage by war", "damage by wear"]
    assert [citation.quote for citation in result.citations] == PAGES[1][2:]
    assert [citation.page for citation in result.citations] == [2, 2, 2]
    assert result.meta["mode"] == "typed"
    assert result.meta["model_name"] == "scripted"


def test_the_prompt_has_global_line_numbers_and_only_the_fragments_that_are_needed():
    model = ScriptedModel([reply([amount(500000, 9)])])
    result = run(model, "How much is the limit per claim of the home policy?", type="amount")
    (call,) = model.calls
    assert "GLOBAL_LINE" in call.system
    assert "GLOBAL_LINE\tpage\tline_in_page\ttext" in call.prompt
    assert "9\t3\t2\tThe limit is USD 500,000 per claim for the home policy." in call.prompt
    assert result.meta["fragments_applied"] == ["BASE", "SHAPE:amount"]
    assert "ISO 4217" in call.system
    assert "YYYY-MM-DD" not in call.system
    assert (result.answer.items[0].amount.value, result.decision.kind) == (500000.0, "ship")


def test_documents_beyond_the_first_five_are_named_as_left_out():
    documents = [document(PAGES, f"{name}.pdf") for name in "abcdefg"]
    with Corpus.of(documents) as corpus:
        model = ScriptedModel(lambda _: reply(EXCLUSIONS))
        result = spanwise.Engine(corpus, model=model).ask("What are the exclusions of the home policy?")
    assert len(model.calls) == 5
    [generation] = [step.record for step in result.trace.steps if step.name == "generation"]
    asked = {call["document"] for call in generation["calls"]}
    left_out = {one.partition(":")[0] for one in result.meta["left_out"]}
    assert left_out == {one.name for one in documents} - asked


def test_instructions_about_the_form_add_a_fragment():
    model = ScriptedModel([reply([amount(500000, 9)])])
    result = run(model, "How much is the limit per claim of the home policy in USD?", type="amount")
    assert result.meta["fragments_applied"] == ["BASE", "SHAPE:amount", "FORMAT"]


def test_a_text_with_a_tab_stays_in_its_column():
    pages = [["Fees", "The home fee\tis 5 USD.\x0bIt is due."]]
    model = ScriptedModel([reply([text("The home fee is 5 USD.", 2)])])
    run(model, "What is the home fee?", pages)
    row = next(line for line in model.calls[0].prompt.split("\n") if line.startswith("2\t"))
    assert len(row.split("\t")) == 4


def test_an_empty_answer_costs_exactly_one_rephrase():
    model = ScriptedModel(lambda _: reply([], caveats=["Only home insurance is covered."]))
    result = run(model)
    assert len(model.calls) == 2
    assert result.decision.kind == "not_found"
    assert NOT_FOUND in result.text
    assert "Only home insurance is covered." in result.text
    assert result.missing.nearest


def test_a_partial_answer_ends_at_the_bound_and_says_so():
    model = ScriptedModel(
        lambda _: reply(EXCLUSIONS[:1], complete_answer_found=False, llm_discovered_keywords=["Section 7"])
    )
    result = run(model)
    assert 2 <= len(model.calls) <= 3
    assert result.meta["exhausted"]
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert [item.text for item in result.answer.items] == ["damage by flood"]


def test_the_best_answer_is_kept():
    replies = [
        reply(EXCLUSIONS[:2], complete_answer_found=False, llm_discovered_keywords=["vermin"]),
        reply(EXCLUSIONS[:1], complete_answer_found=False, confidence=0.2, llm_discovered_keywords=["profit"]),
    ]
    result = run(ScriptedModel(replies))
    assert len(result.answer.items) == 2
    assert "less sure" in result.meta["exhausted"]


def test_discovered_keywords_join_the_original_ones():
    replies = [
        reply(EXCLUSIONS[:1], complete_answer_found=False, llm_discovered_keywords=["limit", "Limit"]),
        reply(EXCLUSIONS),
    ]
    result = run(ScriptedModel(replies))
    steps = {step.name: step.record for step in result.trace.steps}
    keywords = [word.casefold() for word in steps["retrieval"]["keywords"]]
    assert keywords.count("limit") == 1
    assert "exclusions" in keywords


def test_a_conflict_is_shown_and_asked_about():
    pages = [["Terms", "The home fee is USD 500 per claim.", "Annex", "The home fee is USD 750 per claim."]]
    model = ScriptedModel(
        [
            reply(
                [amount(500, 2), amount(750, 4)],
                confidence=0.5,
                conflicting_evidence=True,
                suggested_clarification="Terms or annex?",
            )
        ]
    )
    result = run(model, "How much is the home fee per claim?", pages, type="amount")
    assert (result.decision.kind, result.decision.reason) == ("clarify", "conflicting_evidence")
    for part in ("500", "750", "Terms or annex?"):
        assert part in result.text
    assert [citation.line_start for citation in result.citations] == [2, 4]


EXCLUDED = "What are the exclusions of the home policy?"


def stubborn(items, on_invalid, **flags):
    with Corpus.of([document(PAGES)]) as corpus:
        model = ScriptedModel(lambda _: reply(items, **flags))
        return spanwise.Engine(corpus, model=model, on_invalid=on_invalid).ask(EXCLUDED), len(model.calls)


@pytest.mark.parametrize(
    ("on_invalid", "kind", "review", "calls"),
    [("retry", "ship", "review", 3), ("flag", "ship", "review", 3), ("reject", "not_found", None, 1)],
)
def test_flags_that_contradict_the_items_never_pass_for_a_sound_answer(on_invalid, kind, review, calls):
    result, made = stubborn([text("damage by flood;", 5)], on_invalid, answer_found=False)
    assert (result.decision.kind, result.decision.review, made) == (kind, review, calls)
    assert "answer_found is false" in result.decision.reason


@pytest.mark.parametrize("on_invalid", ["retry", "flag", "reject"])
def test_an_answer_of_which_nothing_is_left_is_not_shipped_empty(on_invalid):
    result, _ = stubborn([text("damage by moths", 5)], on_invalid)
    assert result.decision.kind == "not_found"
    assert NOT_FOUND in result.text


@pytest.mark.parametrize("items", [[], [("damage by flood;", 5)]])
def test_a_conflict_that_shows_no_two_sides_is_no_warning_of_contradictory_sources(items):
    result, _ = stubborn([text(*one) for one in items], "retry", conflicting_evidence=True)
    assert (result.decision.reason, result.warnings) == ("conflicting_evidence", ())


def test_a_list_that_goes_on_over_the_page_is_fetched_again_with_that_page():
    model = ScriptedModel(
        [reply(EXCLUSIONS), reply([*EXCLUSIONS, text("damage by vermin", 8), text("loss of profit", 9)])]
    )
    result = run(model, "What are the exclusions of the home policy on page 2?", GOES_ON)
    first, second = model.calls
    assert "SENTINEL" not in first.prompt
    assert "damage by vermin" in second.prompt
    assert (result.decision.kind, len(result.answer.items)) == ("ship", 5)
    assert result.completeness.strong is True


def test_a_new_heading_on_the_next_page_bounds_the_list():
    model = ScriptedModel([reply(EXCLUSIONS)])
    result = run(model, "What are the exclusions of the home policy on page 2?")
    assert "SENTINEL" not in model.calls[0].prompt
    assert (result.decision.kind, result.completeness.strong) == ("ship", True)
    overlap = next(step.record for step in result.trace.steps if step.name == "validation")["overlap"]
    assert overlap["page"] == 3
    assert "SENTINEL" in json.dumps(overlap["lines"])


@pytest.mark.parametrize("line", [4, 900], ids=["another line", "no line"])
def test_an_invalid_answer_is_told_what_was_wrong(line):
    model = ScriptedModel([reply([text("damage by flood", line)]), reply(EXCLUSIONS)])
    result = run(model)
    assert len(model.calls) == 2
    assert "was not accepted" in model.calls[1].prompt
    assert result.decision.kind == "ship"


def test_an_answer_that_stays_invalid_is_rejected():
    model = ScriptedModel(lambda _: reply([text("damage by meteorites", 5)]))
    result = run(model)
    assert len(model.calls) == 3
    assert (result.decision.kind, result.decision.action) == ("not_found", "reject")
    assert result.citations == ()


def test_what_is_no_answer_is_a_typed_error():
    with pytest.raises(StructuredOutputError):
        run(ScriptedModel(lambda _: "I would rather not."))


def test_garbage_around_the_answer_does_no_harm():
    model = ScriptedModel([f"Sure!\n```json\n{reply(EXCLUSIONS)}\n```"])
    assert run(model).decision.kind == "ship"


def test_each_document_is_asked_by_itself_and_equal_values_come_once():
    other = document(PAGES, "second.pdf")
    model = ScriptedModel(lambda _: reply([amount(500000, 9)]))
    with Corpus.of([document(PAGES), other]) as corpus:
        result = spanwise.Engine(corpus, model=model).ask("How much is the limit of the home policy?", type="amount")
    assert len(model.calls) == 2
    assert result.decision.kind == "ship"
    (item,) = result.answer.items
    assert len(item.spans) == 2
    assert sorted(citation.document for citation in result.citations) == ["policy.pdf", "second.pdf"]


def test_documents_that_differ_are_a_conflict():
    pages = [
        PAGES[0],
        PAGES[1],
        ["Section 5. Coverage Limits", "The limit is USD 900,000 per claim for the home policy."],
    ]
    with Corpus.of([document(PAGES), document(pages, "second.pdf")]) as corpus:
        model = ScriptedModel(lambda call: reply([amount(500000 if "500,000" in call.prompt else 900000, 9)]))
        result = spanwise.Engine(corpus, model=model).ask("How much is the limit of the home policy?", type="amount")
    assert result.decision.reason == "conflicting_evidence"
    assert "policy.pdf" in result.text
    assert "second.pdf" in result.text


def test_sequential_stops_at_the_first_complete_answer():
    pages = [[f"Part {n}", *(f"The home policy has words about {n}." for _ in range(60))] for n in range(3)]
    pages[0][1] = "The home limit is USD 5 per claim."
    model = ScriptedModel(lambda call: reply([amount(5, 2)] if "USD 5" in call.prompt else []))
    with Corpus.of([document(pages)]) as corpus:
        engine = spanwise.Engine(corpus, model=model, strategy="sequential")
        result = engine.ask("How much is the home limit per claim?", type="amount")
    assert result.decision.kind == "ship"
    assert len(model.calls) == 1


def test_nothing_is_asked_before_the_question_is_clear():
    model = ScriptedModel([])
    result = run(model, "What's the limit?")
    assert (result.decision.kind, model.calls) == ("clarify", [])


def test_a_run_keeps_its_plan():
    model = ScriptedModel(lambda _: reply([]))
    with Corpus.of([document(PAGES)]) as corpus:
        engine = spanwise.Engine(corpus, model=model)
        plan = engine.plan("What are the exclusions of the home policy?")
        assert model.calls == []
        result = engine.ask("What are the exclusions of the home policy?")
    assert len(model.calls) <= plan.calls
    assert result.metrics["prompt_tokens"] <= plan.prompt_tokens


@pytest.mark.parametrize("mode", ["typed", "foo"])
def test_a_mode_without_what_it_needs_is_refused(mode):
    with Corpus.of([document(PAGES)]) as corpus, pytest.raises(ModeError):
        spanwise.Engine(corpus, mode=mode)


def test_many_questions_run_side_by_side_and_one_that_fails_stops_no_other():
    model = ScriptedModel(lambda _: reply(EXCLUSIONS))
    with Corpus.of([document(PAGES)]) as corpus:
        engine = spanwise.Engine(corpus, model=model)
        outcomes = engine.ask_many(
            ["What are the exclusions of the home policy?", " ", "Which home damage is excluded?"]
        )
    first, empty, third = outcomes
    assert first.decision.kind == third.decision.kind == "ship"
    assert isinstance(empty, spanwise.errors.QuestionError)
    assert outcomes.errors() == [empty]
    with pytest.raises(spanwise.errors.QuestionError, match="the question is empty"):
        outcomes.results()


@pytest.mark.parametrize("together", [1, 2, 10])
def test_many_questions_tell_how_far_they_are(together):
    told = []
    model = ScriptedModel(lambda _: reply(EXCLUSIONS))
    with Corpus.of([document(PAGES)]) as corpus:
        engine = spanwise.Engine(corpus, model=model)
        questions = [f"What are the exclusions of the home policy, part {n}?" for n in range(3)]
        results = engine.ask_many(questions, together=together, progress=lambda done, total: told.append((done, total)))
        assert [result.question for result in results.results()] == questions
        with pytest.raises(spanwise.errors.InputError):
            engine.ask_many(questions, together=0)
    assert told[-1] == (3, 3)
    assert len(told) == -(-3 // together)


@pytest.mark.parametrize("with_model", [True, False])
def test_async_gives_the_same_answer(with_model):
    model = ScriptedModel(lambda _: reply(EXCLUSIONS)) if with_model else None
    with Corpus.of([document(PAGES)]) as corpus:
        engine = spanwise.Engine(corpus, model=model)
        question = "What are the exclusions of the home policy?"
        sync, other = engine.ask(question), asyncio.run(engine.aask(question))
    assert sync.to_dict() | {"metrics": 0} == other.to_dict() | {"metrics": 0}


@pytest.mark.parametrize(
    ("method", "kind", "review", "support"),
    [("inferred", "ship", "review", "unchecked"), ("verbatim", "not_found", None, None)],
)
def test_what_a_model_infers_ships_for_review_only(method, kind, review, support):
    inferred = text("Only damage from outside is covered.", 5)
    model = ScriptedModel(lambda _: reply([inferred], extraction_method=method))
    result = run(model)
    assert (result.decision.kind, result.decision.review) == (kind, review)
    assert [claim.support for claim in result.claims] == ([support] if support else [])


def test_yes_or_no_of_a_model_is_checked_by_its_lines():
    yes = {"boolean": True, "spans": [{"line_start": 2, "line_end": 2, "quote": None}]}
    result = run(
        ScriptedModel(lambda _: reply([yes])), "Does the policy cover the home of the insured?", type="boolean"
    )
    assert (result.decision.kind, result.answer.items[0].boolean) == ("ship", True)
    assert result.claims[0].support == "supported"
