"""`ResponseSynthesizer` from input to output, with a model whose replies are written beforehand."""

import asyncio
import json
from types import SimpleNamespace

import pytest

import spanwise
from spanwise.answering.guarded import ResponseSynthesizer
from spanwise.errors import ModelError, ModelSetupError, SynthesisError
from spanwise.llm.port import Call, ModelProfile, Reply
from spanwise.llm.scripted import ScriptedModel
from spanwise.messages import INSUFFICIENT_CONTEXT, NO_INFORMATION
from spanwise.synthesis.guarded.schema import Chunk, ModelConfig, SynthesisInput, SynthesisOutput

FEE = "A late fee of 1.5% per month will apply."
DUE = "Payment is due within 30 days of the invoice."
CHUNKS = [
    {"chunk_id": "c1", "text": FEE, "source_url": "https://example.org/1", "score": 0.9, "metadata": {"page": 5}},
    {"chunk_id": "c2", "text": DUE, "source_url": None, "score": 0.7, "metadata": {}},
]
ANSWER = "The late fee is 1.5% per month [c1]. Payment is due within 30 days of the invoice [c2]."


def given(chunks=CHUNKS, **more) -> SynthesisInput:
    return SynthesisInput(**({"trace_id": "t1", "query": "What is the late fee?", "retrieved_chunks": chunks} | more))


def run(reply=ANSWER, chunks=CHUNKS, *, options=None, **more) -> tuple[SynthesisOutput, ScriptedModel]:
    model = ScriptedModel(reply if isinstance(reply, list) or callable(reply) else [reply])
    return ResponseSynthesizer(model, **(options or {})).synthesize(given(chunks, **more)), model


def test_r072_r073_the_snippet_of_the_orchestrator():
    found = SynthesisInput(
        trace_id="t", query="q?", retrieved_chunks=CHUNKS, preferences=None, conversation_history=None
    )
    assert found.retrieved_chunks[0] == Chunk(**CHUNKS[0])
    assert {"trace_id", "query", "retrieved_chunks", "preferences", "conversation_history"} <= set(
        SynthesisInput.model_fields
    )
    assert found.allow_agentic is False
    assert SynthesisInput(trace_id="t", query="q", retrieved_chunks=[], user_id="u", session_id="s").model_name is None


def test_r074_r075_run_is_awaited_and_returns_the_output():
    output = asyncio.run(ResponseSynthesizer(ScriptedModel([ANSWER])).run(given()))
    assert isinstance(output, SynthesisOutput)
    assert output.answer == ANSWER
    assert output.trace_id == "t1"
    assert output.used_chunk_ids == ["c1", "c2"]
    assert output.confidence == 0.8
    assert output.warnings == []
    assert {"answer", "used_chunk_ids", "confidence", "warnings", "raw_model_output", "metrics", "citations"} <= set(
        SynthesisOutput.model_fields
    )
    for citation in output.citations:
        assert output.answer[citation.start : citation.end] == f"[{citation.chunk_id}]"
    assert [citation.quote for citation in output.citations] == [FEE, DUE]


def test_factual_answers_are_the_same_in_sync_and_async_code():
    def plain(output):
        return output.model_dump(exclude={"metrics": {"latency_ms"}})

    asynchronous = asyncio.run(ResponseSynthesizer(ScriptedModel([ANSWER])).run(given()))
    assert plain(asynchronous) == plain(run()[0]) == plain(run()[0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"trace_id": ""},
        {"query": " "},
        {"retrieved_chunks": None},
        {"retrieved_chunks": "x"},
        {"max_output_tokens": -1},
        {"preferences": {"max_length": 0}},
        {"preferences": {"max_length": "many"}},
        {"retrieved_chunks": [{"chunk_id": " ", "text": "A."}]},
        {"retrieved_chunks": [{"chunk_id": "c", "text": "A.", "score": float("nan")}]},
        {"retrieved_chunks": [5]},
        {"preference": {}},
    ],
    ids=str,
)
def test_r076_bad_input_is_a_value_error(wrong):
    with pytest.raises(ValueError, match="SynthesisInput"):
        given(**wrong)


@pytest.mark.parametrize("chunks", [[], [{"chunk_id": "c1", "text": " \n"}]], ids=["none", "blank"])
def test_r077_empty_context_asks_no_model(chunks):
    output, model = run("never", chunks)
    assert model.calls == []
    assert output.answer == NO_INFORMATION == "I don\u2019t have any information on that..."
    assert output.confidence == 0.0
    assert output.raw_model_output is None
    assert output.warnings == ["no_retrieved_chunks"]


def test_r083_overflow_nothing_fits_and_no_model_is_asked():
    huge = [{"chunk_id": "c1", "text": "word " * 10_000 + ".", "score": 0.9}]
    output, model = run("never", huge, options={"config": ModelConfig(max_context_tokens=512)})
    assert model.calls == []
    assert output.answer == NO_INFORMATION
    assert output.warnings == ["no_room"]
    assert output.missing == [{"chunk_id": "c1", "reason": "no_room"}]


def test_token_overflow_shows_an_excerpt_and_leaves_the_chunk_alone():
    filler = " ".join(f"Sentence {n} is about something else entirely, such as weather." for n in range(400))
    chunks = [Chunk(chunk_id="c1", text=f"{filler} {FEE} {filler}", score=0.9)]
    output, model = run(
        "The late fee is 1.5% per month [c1].", chunks, options={"config": ModelConfig(max_context_tokens=1024)}
    )
    assert FEE in model.calls[0].prompt
    assert len(model.calls[0].prompt) < 4096
    assert output.answer == "The late fee is 1.5% per month [c1]."
    assert output.missing == [{"chunk_id": "c1", "reason": "excerpt"}]
    assert chunks[0].metadata == {}


def test_r094_r095_what_the_model_is_asked_for():
    _, model = run()
    call = model.calls[0]
    assert (call.temperature, call.max_output_tokens, call.model) == (0.0, 512, "mixtral-8x7b")
    _, model = run(model_name="llama-3", max_output_tokens=64)
    call = model.calls[0]
    assert (call.max_output_tokens, call.model) == (64, "llama-3")
    assert (ModelConfig().model_name, ModelConfig().max_context_tokens) == ("mixtral-8x7b", 8192)


@pytest.mark.parametrize(
    ("config", "name"),
    [(ModelConfig(), None), (ModelConfig(model_name="gemma"), "gemma")],
    ids=["nobody chose one", "chosen"],
)
def test_a_model_of_a_provider_keeps_its_own_name_unless_another_was_chosen(config, name):
    model = ScriptedModel([ANSWER], profile=ModelProfile("groq:llama-3.3-70b"))
    ResponseSynthesizer(model, config=config).synthesize(given())
    assert model.calls[0].model == name


@pytest.mark.parametrize(
    "reply",
    ["INSUFFICIENT_CONTEXT", "\n INSUFFICIENT_CONTEXT \n", "**INSUFFICIENT_CONTEXT**", "INSUFFICIENT_CONTEXT - none"],
    ids=["plain", "blanks", "bold", "more"],
)
def test_r097_the_sentinel_becomes_the_fallback(reply):
    output, _ = run(reply)
    assert output.answer == NO_INFORMATION
    assert output.confidence == 0.0
    assert output.raw_model_output == reply
    assert output.warnings == ["insufficient_context"]
    assert output.used_chunk_ids == []


@pytest.mark.parametrize("reply", ["", "  \n", "I don't know.", "Which contract do you mean?"], ids=repr)
def test_a_reply_that_states_nothing_is_no_answer(reply):
    output, _ = run(reply)
    assert output.answer == NO_INFORMATION
    assert "insufficient_context" in output.warnings


def test_the_sentinel_never_ships_among_other_sentences():
    output, _ = run(" ".join([*[ANSWER] * 3, "INSUFFICIENT_CONTEXT."]))
    assert INSUFFICIENT_CONTEXT not in output.answer
    assert output.answer.endswith("I don't know.")


@pytest.mark.parametrize("failure", [TimeoutError("slow"), RuntimeError("broken")], ids=["timeout", "crash"])
def test_r098_a_failing_model_is_a_typed_error(failure):
    with pytest.raises(ModelError):
        run([failure])
    with pytest.raises(ModelError):
        asyncio.run(ResponseSynthesizer(ScriptedModel([failure])).run(given()))


def test_without_a_model_the_error_says_what_to_do():
    assert ResponseSynthesizer().synthesize(given([])).answer == NO_INFORMATION
    with pytest.raises(ModelSetupError, match="give one with model="):
        ResponseSynthesizer().synthesize(given())
    with pytest.raises(SynthesisError, match="no style 'rude'"):
        ResponseSynthesizer(style="rude")


class Cutting:
    """A model whose reply ends at the limit on output."""

    profile = ModelProfile("cutting")

    def complete(self, call: Call) -> Reply:
        del call
        return Reply(f"{ANSWER} {ANSWER} The late fee is 1.5% per month unless", finish="length")

    async def acomplete(self, call: Call) -> Reply:
        return self.complete(call)


def test_a_sentence_that_the_limit_cut_is_left_out():
    output = ResponseSynthesizer(Cutting()).synthesize(given())
    assert output.answer == f"{ANSWER} {ANSWER}"
    assert output.warnings == ["model_output_cut"]
    assert output.raw_model_output.endswith("unless")


def test_r114_r115_metrics_and_hashes():
    first, second = run()[0].metrics, run()[0].metrics
    assert first["latency_ms"] >= 0
    assert first["prompt_tokens"] > first["completion_tokens"] > 0
    assert first["tokens_estimated"] is True
    assert first["llm_calls"] == 1
    for name in ("context_hash", "prompt_hash"):
        assert first[name] == second[name]
        assert len(first[name]) == 64
    changed = run(chunks=[{**CHUNKS[0], "text": FEE + "!"}, CHUNKS[1]])[0].metrics
    assert changed["context_hash"] != first["context_hash"]


def test_r116_the_raw_output_is_untouched():
    raw = f"\n{ANSWER}\n\n"
    output, _ = run(raw)
    assert output.raw_model_output == raw
    assert output.answer == ANSWER


def test_r121_a_stub_of_an_orchestrator():
    retrieval = SimpleNamespace(
        trace_id="t9", chunks=[SimpleNamespace(chunk_id="c1", text=FEE, score=0.8, source_url="u", metadata={"k": 1})]
    )
    synthesis_input = SynthesisInput(
        trace_id=retrieval.trace_id,
        query="What is the late fee?",
        retrieved_chunks=retrieval.chunks,
        preferences={"tone": "formal"},
        conversation_history=[{"role": "user", "content": "Hello"}],
    )
    output = ResponseSynthesizer(ScriptedModel(["The late fee is 1.5% per month [c1]."])).synthesize(synthesis_input)
    assert (output.trace_id, output.used_chunk_ids, output.confidence) == ("t9", ["c1"], 0.8)


def test_sections_and_passages_are_chunks_too():
    sections = [{"title": "Fees", "content": FEE, "page_num": 5, "_relevance_score": 13.0}]
    chunks = spanwise.chunks_from_sections(sections)
    output, _ = run(f"The late fee is 1.5% per month [{chunks[0].chunk_id}].", chunks)
    assert output.used_chunk_ids == ["Fees, page 5"]
    assert output.confidence == 1.0
    passage = spanwise.Passage("a.txt:1-1", "a.txt", 1, 1, 1, FEE)
    assert run("The late fee is 1.5% per month [a.txt:1-1].", [passage])[0].used_chunk_ids == ["a.txt:1-1"]


def test_r123_a_second_pass_plans_first():
    output, model = run(["1. the fee [c1] CONTEXT_END", ANSWER], options={"second_pass": True})
    assert len(model.calls) == 2
    assert "Do not answer yet" in model.calls[0].prompt
    assert "PLAN:\n1. the fee" in model.calls[1].prompt
    assert model.calls[1].prompt.count("CONTEXT_END") == 1
    assert output.answer == output.raw_model_output == ANSWER
    assert output.metrics["llm_calls"] == 2
    assert len(run()[1].calls) == 1


def test_the_old_name_still_works_and_says_which_is_the_new_one():
    synthesizer = ResponseSynthesizer(ScriptedModel(lambda _: ANSWER))
    with pytest.warns(DeprecationWarning, match="call synthesize"):
        old = synthesizer.run_sync(given())
    told = [asyncio.run(way(given())) for way in (synthesizer.run, synthesizer.arun, synthesizer.asynthesize)]
    assert {old.answer, *(one.answer for one in told)} == {synthesizer.synthesize(given()).answer} == {ANSWER}


def test_r125_the_second_identical_run_costs_nothing(tmp_path):
    model = ScriptedModel([ANSWER])
    synthesizer = ResponseSynthesizer(model, cache=tmp_path / "replies.db")
    first, second = synthesizer.synthesize(given()), asyncio.run(synthesizer.arun(given()))
    assert len(model.calls) == 1
    assert (first.metrics["cached"], second.metrics["cached"]) == (False, True)
    assert (second.metrics["llm_calls"], second.metrics["prompt_tokens"]) == (0, 0)
    assert second.answer == first.answer == ANSWER
    assert first.metrics["prompt_hash"] == second.metrics["prompt_hash"]


def test_the_output_is_json():
    output, _ = run()
    assert SynthesisOutput.model_validate_json(output.model_dump_json()) == output
    assert json.loads(output.model_dump_json())["claims"][0]["support"] == "supported"


@pytest.mark.parametrize(
    ("confidence", "action"), [(0.0, "clarify"), (0.2, "clarify"), (0.5, "review"), (0.75, "proceed"), (0.9, "proceed")]
)
def test_r111_confidence_decides_what_to_do(confidence, action):
    assert spanwise.confidence_action(confidence) == action
    assert spanwise.confidence_action(confidence, low=0.0, high=0.0) == "proceed"
    with pytest.raises(ValueError, match="from 0 to 1"):
        spanwise.confidence_action(confidence + 1.1)
    with pytest.raises(ValueError, match="thresholds"):
        spanwise.confidence_action(confidence, low=0.9, high=0.1)
