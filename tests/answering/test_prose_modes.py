"""Running text of a model: what it says is verified claim by claim, and only what holds is shown."""

import asyncio
import json

import pytest

import spanwise
from spanwise import ScriptedModel
from spanwise.answering.ask import Answer, CallAnswered, CheckedText, CitedText
from spanwise.errors import AllCallsFailedError, InputError, ModeError, ProviderError
from spanwise.ingest.corpus import Corpus
from spanwise.messages import NOT_FOUND

FEES = """Fees

A late fee of 1.5% per month applies to any balance that is not paid within 30 days.

Invoices are sent monthly by e-mail to the address of the customer.
"""
MODES = ["compact", "refine", "tree_summarize", "simple_summarize", "accumulate", "compact_accumulate"]
GOOD = "A late fee of 1.5% per month applies to any balance not paid within 30 days [1]."
WRONG = "A late fee of 2.5% per month applies to any balance not paid within 30 days [1]."
QUESTION = "What is the late fee?"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "fees.txt"
    path.write_text(FEES)
    with Corpus.memory() as made:
        made.add(path, workers=1)
        yield made


def ask(corpus, reply, mode="compact", question=QUESTION):
    model = ScriptedModel(lambda _: reply)
    return spanwise.Engine(corpus, model=model, mode=mode).ask(question)


@pytest.mark.parametrize("mode", MODES)
def test_a_text_that_holds_is_shown_without_its_marks(corpus, mode):
    result = ask(corpus, GOOD, mode)
    assert result.decision.kind == "ship"
    assert result.text.startswith("A late fee of 1.5% per month applies to any balance not paid within 30 days.")
    assert "[1]" not in result.text
    for claim in result.claims:
        assert any("1.5%" in citation.quote for citation in result.citations if citation.id in claim.citations)
    assert {claim.support for claim in result.claims} == {"supported"}
    assert result.meta["mode"] == mode


def test_words_in_brackets_that_cite_nothing_stay(tmp_path):
    said = "Keep the [Ctrl] key pressed to open the hidden menu of the kiln."
    path = tmp_path / "kiln.txt"
    path.write_text(f"Kiln\n\n{said}\n")
    with Corpus.memory() as corpus:
        corpus.add(path, workers=1)
        result = ask(corpus, said.replace(".", " [1]."), question="How is the hidden menu of the kiln opened?")
    assert result.text == said
    assert [claim.text for claim in result.claims] == [said]


def test_a_changed_number_is_taken_out_and_named(corpus):
    result = ask(corpus, f"{WRONG} Invoices are sent monthly by e-mail [1].")
    assert result.text == "Invoices are sent monthly by e-mail."
    assert result.warnings == ("contradicted_claim",)
    assert "2.5%" in result.warning_details[0]["text"]
    assert result.answer.caveats == ["1 of 2 statements were left out: no source proves them."]


def test_a_policy_decides_what_ships(corpus):
    def asked(policy):
        model = ScriptedModel(lambda _: f"{WRONG} Invoices are sent monthly by e-mail [1].")
        return spanwise.Engine(corpus, model=model, mode="compact", policy=policy).ask(QUESTION)

    marked = asked("mark")
    assert marked.text.startswith(WRONG.replace(" [1]", ""))
    [detail] = marked.warning_details
    assert (detail["code"], marked.text[slice(*detail["at"])]) == ("contradicted_claim", WRONG.replace(" [1]", ""))
    assert [claim.verdict for claim in marked.claims] == ["flag", "keep"]
    assert marked.answer.caveats == []
    for policy in ("prune", "strict"):
        assert asked(policy).text == "Invoices are sent monthly by e-mail."
    with pytest.raises(InputError, match="no policy"):
        asked("loose")


def test_the_policy_of_one_question_wins_and_its_trace_is_proved_again(corpus, tmp_path):
    model = ScriptedModel(lambda _: f"{WRONG} Invoices are sent monthly by e-mail [1].")
    result = spanwise.Engine(corpus, model=model, mode="compact").ask(QUESTION, policy="mark")
    result.save_trace(tmp_path / "trace.json")
    assert spanwise.replay(tmp_path / "trace.json").text == result.text
    assert "2.5%" in result.text


def test_what_wraps_or_joins_a_statement_goes_with_it(corpus):
    rest = "Invoices are sent monthly by e-mail"
    result = ask(corpus, f"Did you know that {WRONG[0].lower()}{WRONG[1:-5]}? {rest} [1]. <!-- {WRONG} -->")
    assert result.text == f"{rest}."
    assert ask(corpus, f"The late fee is 2.5% per month, but {rest.lower()} [1].").text == f"{rest.lower()}."


@pytest.mark.parametrize("reply", [WRONG, "INSUFFICIENT_CONTEXT", "The moon is made of green cheese."])
def test_a_text_of_which_nothing_holds_is_no_answer(corpus, reply):
    result = ask(corpus, reply)
    assert result.decision.kind == "not_found"
    assert NOT_FOUND in result.text
    assert result.citations == ()
    assert result.missing.nearest


def test_a_passage_that_was_not_given_cannot_be_cited(corpus):
    result = ask(corpus, GOOD.replace("[1]", "[99]"))
    assert result.meta["rejected_markers"][0]["marker"] == "99" or "99" in json.dumps(result.meta["rejected_markers"])


def test_a_provider_that_fails_never_becomes_an_answer(corpus):
    model = ScriptedModel(lambda _: ProviderError("out of order"))
    with pytest.raises(AllCallsFailedError):
        spanwise.Engine(corpus, model=model, mode="compact").ask(QUESTION)


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_stream_shows_only_what_was_checked(corpus, way):
    model = ScriptedModel(lambda _: f"{WRONG} Invoices are sent monthly by e-mail [1].")
    engine = spanwise.Engine(corpus, model=model, mode="compact")

    async def collect():
        return [event async for event in engine.astream(QUESTION)]

    events = asyncio.run(collect()) if way == "astream" else list(engine.stream(QUESTION))
    shown = "".join(event.text for event in events if isinstance(event, CheckedText))
    final = events[-1]
    assert isinstance(final, Answer)
    assert isinstance(events[0], CallAnswered)
    assert shown == final.result.text == "Invoices are sent monthly by e-mail."
    assert [event.citation for event in events if isinstance(event, CitedText)] == list(final.result.citations)


def test_a_stream_without_a_model_shows_the_same_as_asking(corpus):
    engine = spanwise.Engine(corpus)
    *events, final = engine.stream(QUESTION)
    assert "".join(event.text for event in events if isinstance(event, CheckedText)) == engine.ask(QUESTION).text
    assert final.result.text == engine.ask(QUESTION).text

    async def last():
        return [event async for event in engine.astream(QUESTION)][-1]

    assert asyncio.run(last()).result.to_dict()["text"] == final.result.text


def test_a_plan_holds(corpus):
    model = ScriptedModel(lambda _: "The moon is made of green cheese.")
    engine = spanwise.Engine(corpus, model=model, mode="refine")
    plan = engine.plan(QUESTION)
    engine.ask(QUESTION)
    assert 0 < len(model.calls) <= plan.calls


def test_a_trace_of_prose_is_proved_again(corpus, tmp_path):
    result = ask(corpus, f"{WRONG} Invoices are sent monthly by e-mail [1].")
    result.save_trace(tmp_path / "trace.json")
    again = spanwise.replay(tmp_path / "trace.json")
    assert again.text == result.text
    assert again.citations == result.citations


@pytest.mark.parametrize("mode", ["compact", "no_such_mode"])
def test_a_mode_that_cannot_be_used_is_told_before_anything_is_read(mode):
    with pytest.raises(ModeError):
        spanwise.ask(QUESTION, "missing.pdf", mode=mode)


def typed_reply(value):
    return json.dumps(
        {
            "items": [value],
            "extraction_method": "verbatim",
            "confidence": 0.9,
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "conflicting_evidence": False,
        }
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_type_that_is_demanded_is_filled_in_every_mode(corpus, mode):
    spans = [{"line_start": 3, "line_end": 3}]
    reply = typed_reply({"quantity": {"value": 1.5, "unit": "percent", "original": "1.5%"}, "spans": spans})
    model = ScriptedModel(lambda _: reply)
    result = spanwise.Engine(corpus, model=model, mode=mode).ask(QUESTION, type="quantity")
    assert (result.decision.kind, result.answer.items[0].quantity.value) == ("ship", 1.5)


def test_a_typed_answer_in_place_of_prose_is_checked_by_its_lines(corpus):
    words = "A late fee of 1.5% per month applies to any balance that is not paid within 30 days."
    result = ask(corpus, typed_reply({"text": words, "spans": [{"line_start": 3, "line_end": 3}]}))
    assert (result.decision.kind, result.text) == ("ship", words)
    assert [citation.line_start for citation in result.citations] == [3]


WINTER = """The following are excluded from the winter policy:

(a) damage by frost;

(b) damage by hail;
\f(c) damage by melting snow;

(d) damage by ice.
"""
SUMMER = (
    "The policy covers damage by fire, and it pays for the water that was used\n\f\nto put it out, and for the smoke.\n"
)


def prose_of(text, replies, question):
    model = ScriptedModel(replies)
    with Corpus.of([spanwise.read(text.encode(), name="policy.txt")]) as corpus:
        return spanwise.Engine(corpus, model=model, mode="compact").ask(question), model


def test_a_list_that_goes_on_over_the_page_is_noticed_in_prose():
    first = "Excluded are damage by frost [1] and damage by hail [1]."
    result, _ = prose_of(WINTER, lambda _: first, "What are the exclusions of the winter policy on page 1?")
    assert result.completeness.strong is False
    assert result.completeness.weak > 0.5
    assert result.completeness.why == "the text goes on over page 2"
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert "may not be complete" in result.decision.message


def test_a_list_that_ends_with_its_page_is_bounded_in_prose():
    text = WINTER.partition("\f")[0].replace("hail;", "hail.") + "\fNotices are sent by e-mail to the customer.\n"
    reply = "Excluded are damage by frost [1] and damage by hail [1]."
    result, model = prose_of(text, lambda _: reply, "What are the exclusions of the winter policy on page 1?")
    assert (result.completeness.strong, result.decision.kind) == (True, "ship")
    assert len(model.calls) == 1


@pytest.mark.parametrize(("text", "strong"), [(SUMMER, False), (SUMMER.replace("used\n\f\nto", "used.\n\f\nTo"), None)])
def test_prose_that_rests_on_half_a_sentence_is_looked_at_whatever_was_asked(text, strong):
    reply = "The policy covers damage by fire and pays for the water that was used [1]."
    result, _ = prose_of(text, lambda _: reply, "What does the policy cover?")
    assert result.completeness.strong is strong
