"""Servers that do not keep to their protocol, do not answer, or send too much: each is an error in words, and soon."""

import contextlib
import json
import socket
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from spanwise import Call, Synthesizer, TextAnswer, model_from
from spanwise.errors import (
    AllCallsFailedError,
    CutReplyError,
    ModelTimeoutError,
    RateLimitedError,
    StructuredOutputError,
    UnofferedToolError,
    UnreachableError,
    WindowExceededError,
)
from spanwise.llm import clients
from spanwise.llm.ladder import laddered
from spanwise.llm.middleware.cache import from_json, to_json
from spanwise.llm.middleware.retry import Breaker
from spanwise.llm.port import ModelProfile
from spanwise.llm.run import drive
from spanwise.llm.scripted import ScriptedModel
from spanwise.llm.structured import parse_structured
from spanwise.testing import FakeProvider, Fault

pytestmark = pytest.mark.enable_socket


@contextmanager
def serving(react):
    """The address of a server that does with each request what it is told, and the paths that were asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            """Say nothing."""

        def _go(self):
            asked.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with suppress(ConnectionError):
                react(self)

        do_GET = do_POST = _go  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def send(handler, body, status=200, **headers):
    encoded = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", "Content-Length": len(encoded), **headers}.items():
        handler.send_header(name.replace("_", "-"), str(value))
    handler.end_headers()
    handler.wfile.write(encoded)


def chat(message, finish="stop"):
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def tool(name):
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": '{"answer_found": false}'}}
    return chat({"content": None, "tool_calls": [call]}, "tool_calls")


def model(url, **options):
    return model_from("m", base_url=url, **{"retry": None, "timeout": 20} | options)


ODD = {
    "no choices": ({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}, CutReplyError),
    "nothing": ({}, CutReplyError),
    "a list": ([], CutReplyError),
    "a page": (b"<html>Welcome</html>", CutReplyError),
    "a tool": (tool("search_web"), UnofferedToolError),
}


@pytest.mark.parametrize("body", ODD)
@pytest.mark.parametrize("schema", [None, TextAnswer])
def test_a_reply_that_is_none_is_an_error_in_words(body, schema):
    said, error = ODD[body]
    with serving(lambda handler: send(handler, said)) as (url, _):
        reply = model(url).complete(Call("What?", schema=schema))
    assert type(reply.error) is error
    assert "list index" not in str(reply.error)


def test_an_answer_without_end_is_cut_off(monkeypatch):
    monkeypatch.setattr(clients, "_MOST_BYTES", 100_000)
    with serving(lambda handler: send(handler, b"x" * 1_000_000)) as (url, asked):
        reply = model_from("m", base_url=url, timeout=20).complete(Call("What?"))
    assert isinstance(reply.error, CutReplyError)
    assert "more than 100,000 bytes" in str(reply.error)
    assert len(asked) == 1, "what is too much once is too much again"


def test_a_compressed_flood_is_cut_off_sooner(monkeypatch):
    monkeypatch.setattr(clients, "_MOST_PACKED_BYTES", 1_000)
    with serving(lambda handler: send(handler, b"\x1f\x8b" + b"x" * 2_000, Content_Encoding="gzip")) as (url, _):
        reply = model(url).complete(Call("What?"))
    assert isinstance(reply.error, CutReplyError)


@pytest.mark.parametrize(("header", "told"), [("77", "asks for 77 seconds"), (None, "does not say how long")])
def test_too_many_requests_say_how_long_to_wait(header, told):
    headers = {} if header is None else {"Retry_After": header}
    with serving(lambda handler: send(handler, {"error": {"message": "slow down"}}, 429, **headers)) as (url, _):
        error = model(url).complete(Call("What?")).error
    assert isinstance(error, RateLimitedError)
    assert told in str(error)


LONG = {
    "llama.cpp": ({"message": "request (9019 tokens) exceeds the available context size (2048 tokens)",
                   "type": "exceed_context_size_error", "n_prompt_tokens": 9019, "n_ctx": 2048}, 2048, 9019),
    "vLLM": ({"message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"
              " (4000 in the messages, 1000 in the completion). Please reduce the length."}, 4096, 5000),
    "silent": ({"message": "the prompt is too long"}, 8192, None),
    "a liar": ({"message": "prompt is too long", "n_ctx": "many", "n_prompt_tokens": -1}, 8192, None),
}  # fmt: skip


@pytest.mark.parametrize("said", LONG)
def test_a_prompt_that_is_too_long_comes_with_the_window(said):
    body, window, prompt = LONG[said]
    listed = {"data": [{"id": "other", "max_model_len": 7}, {"id": "m", "max_model_len": 8192}]}

    def react(handler):
        send(handler, listed) if handler.path.endswith("/models") else send(handler, {"error": body}, 400)

    with serving(react) as (url, _):
        reply = model(url).complete(Call("What?"))
    assert isinstance(reply.error, WindowExceededError)
    assert (reply.error.window, reply.error.prompt_tokens) == (window, prompt)
    kept = from_json(Call("What?"), to_json(reply)).error
    assert (kept.window, kept.prompt_tokens) == (window, prompt), "a replay has to go the same way"


def test_a_server_whose_window_is_never_large_enough_is_asked_twice_at_most():
    error = {"error": {"message": "exceeds the available context size", "n_ctx": 1_000_000_000}}
    with serving(lambda handler: send(handler, error, 400)) as (url, asked):
        writer = Synthesizer("compact", model(url), context_window=4096)
        with pytest.raises(AllCallsFailedError, match="context_window"):
            writer.synthesize("What is the fee?", ["The fee is ten euros a month. " * 400])
    assert len([path for path in asked if path.endswith("completions")]) <= 4


def ask(count):
    replies = []
    for number in range(count):
        replies += yield [Call(f"Question {number}?")]
    return replies


def test_a_server_that_is_gone_is_asked_once_a_run():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    seen = []

    class Counting(ScriptedModel):
        def complete(self, call):
            seen.append(call)
            return model(address).complete(call)

    replies = drive(ask(20), Counting([]))
    assert all(isinstance(reply.error, UnreachableError) for reply in replies)
    assert len(seen) == 1


def test_a_hole_in_the_network_keeps_one_call_waiting_and_no_other():
    silent = threading.Event()
    with serving(lambda _: silent.wait(30)) as (url, asked):
        try:
            replies = drive(ask(20), model(url, timeout=0.5))
        finally:
            silent.set()
    assert all(isinstance(reply.error, ModelTimeoutError) for reply in replies)
    assert len(asked) == 1


def test_an_address_that_takes_no_connection_is_not_tried_again(monkeypatch):
    monkeypatch.setattr(clients, "_CONNECT", 0.3)
    with socket.socket() as full, contextlib.ExitStack() as opened:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):  # more than wait in its queue
            one = opened.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        address = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        error = model_from("m", base_url=address, timeout=20).complete(Call("?")).error
    assert isinstance(error, UnreachableError)
    assert not error.retryable


def test_one_failure_among_answers_gives_nobody_up():
    script = ["one", UnreachableError("gone"), "three", *[UnreachableError("gone")] * 5, "never"]
    inner = ScriptedModel(script)
    breaker = Breaker(inner)
    errors = [breaker.complete(Call("?")).error for _ in range(9)]
    assert [error is None for error in errors] == [True, False, True, *[False] * 6]
    assert len(inner.calls) == 8, "the ninth was not sent"


def test_a_repair_stays_on_the_grammar_and_both_problems_are_told():
    wrong = {"items": [], "extraction_method": "na"}
    inner = ScriptedModel([json.dumps(wrong), "No idea."], profile=ModelProfile("m", json_schema=True))
    error = laddered(inner).complete(Call("What?", schema=TextAnswer)).error
    first, second = inner.calls
    assert first.schema == second.schema
    assert second.schema is not None
    assert '"additionalProperties":false' in second.system, "a server that reads no schema reads the prompt"
    assert isinstance(error, StructuredOutputError)
    assert "confidence: Field required" in str(error)
    assert "no JSON object was found" in str(error)
    assert len(error.problems) > 1


@pytest.mark.parametrize(("said", "read"), [(7, 1.0), (-0.5, 0.0), (85.0, 1.0), (0.4, 0.4)])
def test_an_estimate_that_no_grammar_bounds_is_clamped(nothing_found, said, read):
    answer = json.loads(nothing_found) | {"confidence": said, "context_completeness_weak": said}
    parsed = parse_structured(json.dumps(answer), TextAnswer)
    assert (parsed.confidence, parsed.context_completeness_weak) == (read, read)


@pytest.mark.parametrize("said", ["1", True, None, [1]])
def test_an_estimate_that_is_no_number_stays_a_problem(nothing_found, said):
    answer = json.loads(nothing_found) | {"confidence": {"value": said}}
    with pytest.raises(StructuredOutputError, match="confidence"):
        parse_structured(json.dumps(answer), TextAnswer)


def test_a_cut_text_is_asked_for_once_more_and_says_so():
    with FakeProvider([Fault.too_long("It begins and"), Fault.too_long("It begins and goes on [1]")]) as provider:
        writer = Synthesizer("compact", model(provider.url), context_window=4096, max_output_tokens=50)
        response = writer.synthesize("What happens?", ["It begins and goes on for long."])
    limits = [next(v for k, v in r.body.items() if k.startswith("max_")) for r in provider.requests]
    assert limits == [50, 150]
    assert response.response.startswith("It begins and goes on")
    assert [omission.reason for omission in response.missing] == ["truncated"]


def test_a_cut_text_that_was_whole_the_second_time_says_nothing():
    with FakeProvider([Fault.too_long("It begins and"), "It begins and ends [1]."]) as provider:
        response = Synthesizer("compact", model(provider.url)).synthesize("What?", ["It begins and ends."])
    assert response.response == "It begins and ends [1]."
    assert response.missing == ()


@pytest.mark.parametrize("known", [{"context_window": 120}, {"max_output_tokens": 50}])
def test_where_there_is_no_more_room_nothing_is_asked_again(known):
    with FakeProvider([Fault.too_long("It begins and")] * 2) as provider:
        reply = model(provider.url, profile=known).complete(Call("Tell all. " * 20, max_output_tokens=50))
    assert reply.finish == "length"
    assert len(provider.requests) == 1
