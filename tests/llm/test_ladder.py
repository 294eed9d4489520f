import dataclasses

import pytest

from spanwise import Call, ModelProfile, Reply, ScriptedModel, TextAnswer
from spanwise.contract.strict import strict_json_schema
from spanwise.errors import RateLimitedError, SchemaUnsupportedError, StructuredOutputError
from spanwise.llm.ladder import Ladder, Rung, laddered

REFUSED = SchemaUnsupportedError("response_format is not supported", status=400)


class Plain(ScriptedModel):
    """A script whose texts nobody parses: as a provider's model that reads no schema."""

    def complete(self, call):
        reply = super().complete(dataclasses.replace(call, schema=None))
        self.calls[-1] = call
        return reply


def model(replies, **abilities):
    return Plain(replies, profile=ModelProfile("plain", **abilities))


def test_there_is_no_rung_without_a_schema():
    assert [rung.value for rung in Rung] == ["native", "json_schema", "prompted"]


def test_native_the_class_itself_is_sent_and_the_result_is_an_instance(nothing_found):
    inner = model([nothing_found], native_schema=True, json_schema=True)
    reply = laddered(inner).complete(Call("?", schema=TextAnswer))
    assert isinstance(reply.parsed, TextAnswer)
    assert inner.calls[0].schema is TextAnswer


def test_json_schema_the_strict_schema_is_sent(nothing_found):
    inner = model([nothing_found], json_schema=True)
    assert isinstance(laddered(inner).complete(Call("?", schema=TextAnswer)).parsed, TextAnswer)
    assert inner.calls[0].schema == strict_json_schema(TextAnswer)


def test_prompted_the_schema_is_in_the_instructions(nothing_found):
    inner = model([nothing_found])
    assert isinstance(laddered(inner).complete(Call("?", system="Be brief.", schema=TextAnswer)).parsed, TextAnswer)
    [call] = inner.calls
    assert call.schema is None
    assert call.prompt == "?"
    assert call.system.startswith("Be brief.\n\n")
    assert '"additionalProperties":false' in call.system


@pytest.mark.parametrize("abilities", [{}, {"json_schema": True}, {"native_schema": True}], ids=["none", "json", "all"])
def test_an_invalid_answer_is_repaired_once(abilities, nothing_found):
    inner = model(["not this", nothing_found], **abilities)
    reply = laddered(inner).complete(Call("?", schema=TextAnswer, max_output_tokens=9))
    assert isinstance(reply.parsed, TextAnswer)
    assert reply.usage.requests == 2
    repair = inner.calls[1]
    assert "no JSON object was found" in repair.prompt
    assert '"additionalProperties":false' in repair.system
    assert repair.max_output_tokens == 9


def test_always_invalid_is_a_typed_error_after_two_calls():
    inner = model(["not this", "nor this"])
    reply = laddered(inner).complete(Call("?", schema=TextAnswer))
    assert isinstance(reply.error, StructuredOutputError)
    assert reply.parsed is None
    assert reply.text == "nor this"
    assert len(inner.calls) == 2


def test_a_refused_schema_steps_down_and_is_remembered(nothing_found):
    inner = model([REFUSED, REFUSED, nothing_found, nothing_found], native_schema=True, json_schema=True)
    ladder = laddered(inner)
    assert isinstance(ladder.complete(Call("?", schema=TextAnswer)).parsed, TextAnswer)
    assert isinstance(ladder.complete(Call("again?", schema=TextAnswer)).parsed, TextAnswer)
    kinds = [call.schema if call.schema is TextAnswer else type(call.schema) for call in inner.calls]
    assert kinds == [TextAnswer, dict, type(None), type(None)]


def test_a_cut_answer_is_not_repaired_but_told(capital):
    class Cut(Plain):
        def complete(self, call):
            return super().complete(call).but(finish="length")

    inner = Cut(['{"name": "Par'], profile=ModelProfile("plain"))
    error = laddered(inner).complete(Call("?", schema=capital)).error
    assert isinstance(error, StructuredOutputError)
    assert "max_output_tokens" in str(error)


def test_other_errors_pass_as_they_are(capital):
    reply = laddered(model([RateLimitedError("wait")])).complete(Call("?", schema=capital))
    assert isinstance(reply.error, RateLimitedError)


def test_calls_without_a_schema_pass_unchanged():
    inner = model(["hello"])
    assert laddered(inner).complete(Call("?")).text == "hello"
    assert inner.calls == [Call("?")]


def test_a_model_with_a_ladder_gets_no_second_one():
    ladder = laddered(model(["no", "no", "no", "no"]))
    assert isinstance(ladder, Ladder)
    assert laddered(ladder) is ladder


def test_a_typed_call_streams_only_its_reply(nothing_found):
    [reply] = laddered(model([nothing_found])).stream(Call("?", schema=TextAnswer))
    assert isinstance(reply, Reply)
    assert isinstance(reply.parsed, TextAnswer)
