"""pydantic-ai: the validator, the toolset and the message inside an agent."""

import asyncio

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from spanwise import ask
from spanwise.integrations.pydantic_ai import SpanwiseToolset, message, output_validator

PASSAGES = ["Rent means £8,400 a month."]


def scripted(parts):
    """A model that says these parts one after the other, and what it was asked."""
    asked = []

    def reply(messages, _info):
        asked.append(str(messages[-1]))
        return ModelResponse(parts=[parts[len(asked) - 1]])

    return FunctionModel(reply), asked


@pytest.mark.parametrize("passages", [PASSAGES, lambda run: run.deps])
def test_a_text_that_does_not_hold_goes_back_with_the_finding(passages):
    model, asked = scripted([TextPart("The Rent is £9,400 a month."), TextPart("The Rent is £8,400 a month.")])
    agent = Agent(model, deps_type=list)
    agent.output_validator(output_validator(passages))
    assert agent.run_sync("rent?", deps=PASSAGES).output == "The Rent is £8,400 a month."
    assert "the answer says" in asked[1]
    assert "£8,400" in asked[1]


class Lease(BaseModel):
    monthly_rent: int
    furnished: bool = False


def test_values_that_stand_nowhere_go_back_too():
    values = [{"monthly_rent": 9400}, {"monthly_rent": 8400, "furnished": True}]
    model, asked = scripted([ToolCallPart("final_result", one) for one in values])
    agent = Agent(model, output_type=Lease)
    agent.output_validator(output_validator(PASSAGES))
    assert asyncio.run(agent.run("rent?")).output == Lease(monthly_rent=8400, furnished=True)
    assert "monthly_rent = 9400" in asked[1]


def test_what_streams_is_judged_when_it_is_whole():
    agent = Agent(TestModel(custom_output_text="The Rent is £8,400 a month."))
    agent.output_validator(output_validator(PASSAGES))

    async def streamed():
        async with agent.run_stream("rent?") as run:
            return [text async for text in run.stream_text(debounce_by=None)]

    assert asyncio.run(streamed())[-1] == "The Rent is £8,400 a month."


def test_an_agent_has_the_tools(lease_corpus, rent):
    toolset = SpanwiseToolset(lease_corpus)
    test_model = TestModel()
    assert '"search"' in Agent(test_model, toolsets=[toolset]).run_sync("What is the Rent?").output
    assert {one.name for one in test_model.last_model_request_parameters.function_tools} == {"ask", "search", "verify"}
    told = toolset.ask("What is the Rent?")
    assert told["text"] == "£8,400 a month"
    assert rent(told["citations"][0])
    assert toolset.search("rent", 10_000)[0]["document"] == "lease.pdf"
    assert "£9,400" in toolset.verify("The Rent is £9,400 a month.")["finding"]


def test_a_result_becomes_a_message_with_its_places(lease_pdf, rent):
    result = ask("What is the Rent?", lease_pdf)
    made = message(result)
    [again] = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json([made]))
    [part] = again.parts
    assert rent(part.provider_details["citations"][0])
    if hasattr(part, "citations"):
        [citation] = part.citations
        assert citation.sources[0].excerpts == ["Rent means £8,400 a month."]
        assert part.content[citation.anchor.start : citation.anchor.end] == "£8,400 a month"
