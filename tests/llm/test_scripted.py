import asyncio
import time

import pytest

from spanwise import Call, Reply, ScriptedModel, TextAnswer
from spanwise.errors import ModelError, RateLimitedError, ScriptExhausted, StructuredOutputError, UnreachableError


def test_replies_come_in_order_and_calls_are_recorded():
    model = ScriptedModel(["one", "two"])
    assert [model.complete(Call(prompt)).text for prompt in ("a", "b")] == ["one", "two"]
    assert [call.prompt for call in model.calls] == ["a", "b"]


def test_a_function_sees_the_call():
    model = ScriptedModel(lambda call: f"{call.purpose}: {call.prompt}")
    assert model.complete(Call("a", purpose="judge")).text == "judge: a"


def test_a_list_that_runs_out_says_so():
    model = ScriptedModel(["one"])
    model.complete(Call("a"))
    with pytest.raises(ScriptExhausted, match=r"Call 2 \(refine\) has no reply: the script has 1"):
        model.complete(Call("b", purpose="refine"))


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (RateLimitedError("wait"), RateLimitedError),
        (ConnectionRefusedError("no"), UnreachableError),
        (RuntimeError("boom"), ModelError),
    ],
    ids=["typed", "connection", "other"],
)
def test_an_exception_in_the_script_is_a_failed_call(failure, kind):
    def fail(_call):
        raise failure

    for model in (ScriptedModel([failure]), ScriptedModel(fail), ScriptedModel(lambda _call: failure)):
        reply = model.complete(Call("a"))
        assert type(reply.error) is kind
        assert reply.text == ""


def test_usage_is_an_estimate():
    usage = ScriptedModel(["one two three"]).complete(Call("a b", system="c")).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.estimated, usage.requests) == (3, 3, True, 1)


def test_a_schema_is_recorded_and_its_answer_is_an_instance(nothing_found):
    model = ScriptedModel([nothing_found, "no"])
    assert isinstance(model.complete(Call("a", schema=TextAnswer)).parsed, TextAnswer)
    assert model.calls[0].schema is TextAnswer
    assert isinstance(model.complete(Call("a", schema=TextAnswer)).error, StructuredOutputError)


def test_calls_take_the_latency_side_by_side():
    model = ScriptedModel(lambda call: call.prompt, latency=0.05)

    async def both():
        return await asyncio.gather(model.acomplete(Call("a")), model.acomplete(Call("b")))

    begun = time.monotonic()
    assert [reply.text for reply in asyncio.run(both())] == ["a", "b"]
    assert time.monotonic() - begun >= 0.05


def test_it_streams_word_by_word():
    *words, reply = ScriptedModel(["one  two\nthree "]).stream(Call("a"))
    assert words == ["one  ", "two\n", "three "]
    assert isinstance(reply, Reply)
    assert reply.text == "one  two\nthree "
