"""llama.cpp's own server with a tiny model of random weights: the protocol is real, the text is garbage."""

import importlib.util
import json
import os
import select
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from spanwise import Call, ResponseSynthesizer, SynthesisInput, Synthesizer, TextAnswer, model_from
from spanwise.cli import main
from spanwise.contract.registry import ANSWER_REGISTRY
from spanwise.engine import Engine, gather
from spanwise.errors import CallCancelledError, WindowExceededError
from spanwise.llm.flow import Flow
from spanwise.llm.rounds import Cancel
from spanwise.llm.run import Delta, Finished, events
from spanwise.synthesis.guarded.schema import ModelConfig

HERE = Path(__file__).parent
START, WINDOW, SMALL = 60, 16_384, 2_048
GREEDY = {"temperature": 0.0}
LEASE = "Lease\n\nThe monthly rent is EUR 1,250.00.\nThe deposit amounts to EUR 3,750.00.\n"

pytestmark = pytest.mark.enable_socket


@contextmanager
def serving(model, tokens):
    """The address of a server, which is gone afterwards whatever happens."""
    command = [sys.executable, str(HERE / "llama_server.py"), str(model), str(tokens)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        ready, _, _ = select.select([process.stdout], [], [], START)
        address = process.stdout.readline().decode().strip() if ready else ""
        assert address.startswith("http://127.0.0.1:"), f"llama.cpp's server did not start: {address!r}"
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait(START)
        process.stdin.close()
        process.stdout.close()


def write(path):
    spec = importlib.util.spec_from_file_location("tiny_gguf", HERE / "tiny_gguf.py")
    tiny = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tiny)
    tiny.write(path)
    return path


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    if not os.environ.get("CI"):
        pytest.importorskip("xllamacpp")
        pytest.importorskip("gguf")
    return write(tmp_path_factory.mktemp("weights") / "tiny.gguf")


@pytest.fixture(scope="module")
def url(weights):
    with serving(weights, WINDOW) as address:
        yield address


@pytest.fixture(scope="module")
def narrow(weights):
    """A server whose window is smaller than anybody assumes."""
    with serving(weights, SMALL) as address:
        yield address


@pytest.fixture
def lease(tmp_path):
    path = tmp_path / "lease.md"
    path.write_text(LEASE)
    return str(path)


def local(address, **options):
    return model_from("tiny", base_url=address, retry=None, timeout=60, **options)


def test_the_file_is_small_and_the_same_every_time(weights, tmp_path):
    assert weights.read_bytes() == write(tmp_path / "again.gguf").read_bytes()
    assert weights.stat().st_size < 300_000


@pytest.mark.parametrize("name", ANSWER_REGISTRY)
def test_the_grammar_makes_every_answer_one_that_can_be_read(name, url):
    schema = ANSWER_REGISTRY[name]
    reply = local(url).complete(Call("What?", schema=schema, max_output_tokens=2000, **GREEDY))
    assert isinstance(reply.parsed, schema), reply.error
    assert reply.usage.prompt_tokens > 0
    assert not reply.usage.estimated


def test_a_schema_as_a_tool_is_called_and_no_other(url):
    tools = local(url, profile={"native_schema": False})
    reply = tools.complete(Call("What?", schema=TextAnswer, max_output_tokens=2000, **GREEDY))
    assert isinstance(reply.parsed, TextAnswer) or reply.error is not None
    assert reply.text.lstrip().startswith("{") or reply.error is not None


@pytest.mark.parametrize("mode", ["typed", "compact"])
def test_garbage_is_never_an_answer(mode, url, lease):
    with gather([lease]) as corpus:
        result = Engine(corpus, model=local(url), mode=mode).ask("What is the monthly rent?")
    assert result.decision.kind != "ship"
    assert result.metrics["llm_calls"] >= 1


def test_what_is_streamed_is_the_reply(url):
    *deltas, reply = local(url).stream(Call("Hello?", max_output_tokens=40, **GREEDY))
    assert len(deltas) > 1
    assert "".join(deltas) == reply.text
    assert reply.finish in ("stop", "length")


def test_a_run_that_is_cancelled_comes_back_while_the_server_still_writes(url):
    cancel = Cancel()

    def flow() -> Flow[object]:
        [reply] = yield [Call("Tell all.", max_output_tokens=12_000, final=True, **GREEDY)]
        return reply.error

    started, shown = time.monotonic(), 0
    for event in events(flow(), local(url), cancel=cancel):
        if isinstance(event, Delta):
            shown += 1
            cancel.cancel()
        if isinstance(event, Finished):
            error = event.result
    assert shown
    assert isinstance(error, CallCancelledError)
    assert time.monotonic() - started < START


def test_a_text_that_the_limit_cuts_is_asked_for_with_more_room(url):
    reply = local(url).complete(Call("Tell all.", max_output_tokens=5, **GREEDY))
    assert reply.usage.requests == 2
    assert reply.usage.completion_tokens > 10


def test_a_prompt_over_the_window_comes_with_the_window(narrow):
    reply = local(narrow).complete(Call("word " * 2000))
    assert isinstance(reply.error, WindowExceededError)
    assert reply.error.window == SMALL
    assert reply.error.prompt_tokens > SMALL


@pytest.mark.parametrize("mode", ["compact", "tree_summarize", "simple_summarize"])
def test_what_does_not_fit_is_packed_again_in_the_tokens_of_the_server(mode, narrow):
    passages = [f"Article {number} says that the fee is {number} euros a month. " * 4 for number in range(8)]
    writer = Synthesizer(mode, local(narrow), context_window=8192, max_output_tokens=60)
    response = writer.synthesize("What is the fee?", passages)
    assert not any(omission.reason == "call_failed" for omission in response.missing)
    assert response.source_nodes


def test_typed_and_guarded_answers_are_packed_again_too(url, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("\n".join(f"The rent of flat {number} is EUR {number},000 a month." for number in range(1, 900)))
    with gather([str(path)]) as corpus:
        engine = Engine(corpus, model=local(url), mode="typed")
        result = engine.ask("What is the rent of each flat?", type="amount", documents=["long.txt"])
    calls = [call for step in result.trace.steps for call in step.record.get("calls", ())]
    assert result.decision.kind != "ship"
    assert "available context" in calls[0]["error"]
    assert calls[1]["error"] is None
    assert len(calls[1]["prompt"]) < len(calls[0]["prompt"])
    chunks = [{"chunk_id": f"c{n}", "text": f"The rent of flat {n} is EUR {n},000. " * 20} for n in range(60)]
    given = SynthesisInput(trace_id="t", query="What is the rent of flat 7?", retrieved_chunks=chunks)
    answer = ResponseSynthesizer(local(url), config=ModelConfig(max_context_tokens=14_000)).synthesize(given)
    assert answer.metrics["llm_calls"] == 1


def test_doctor_says_that_the_protocol_works_and_the_answers_do_not(url, monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["spanwise", "doctor", "--model", "tiny", "--base-url", url, "--json"])
    with pytest.raises(SystemExit) as left:
        main()
    window, typed, prose = json.loads(capfd.readouterr().out)["model"]
    assert left.value.code == 1
    assert f"{WINDOW} tokens" in window["detail"]
    assert not typed["ok"]
    assert "the schema goes as native" in typed["detail"]
    assert not prose["ok"]
