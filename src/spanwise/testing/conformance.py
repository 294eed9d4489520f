"""Conformance tests for models: subclass `ModelConformance` in a test file, and pytest runs the checks.

    class TestMyModel(ModelConformance):
        def make(self, replies):
            return MyModel(...)  # gives these texts, and fails for each error among them

Each method `test_...` is one requirement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from spanwise.errors import ModelError, ProviderDownError, StructuredOutputError
from spanwise.llm.flow import Flow
from spanwise.llm.layer import apieces, pieces
from spanwise.llm.port import Call, Model, Reply
from spanwise.llm.run import adrive, drive

_SCHEMA = {"type": "object", "title": "Capital", "properties": {"name": {"type": "string"}}, "required": ["name"]}


class ModelConformance:
    """The tests; a subclass defines `make`."""

    def make(self, replies: Sequence[str | ModelError]) -> Model:
        """A model that gives these replies, in the order of its calls."""
        raise NotImplementedError

    def test_it_has_a_profile_with_a_name(self) -> None:
        """The name is used in messages, caches and traces."""
        _check(bool(self.make([]).profile.name), "profile.name is empty")

    def test_it_answers_sync_and_async_alike(self) -> None:
        """The same call gives the same text."""
        said = self.make(["Paris."]).complete(Call("capital of France?"))
        awaited = asyncio.run(self.make(["Paris."]).acomplete(Call("capital of France?")))
        _check(said.text == awaited.text == "Paris.", f"{said.text!r} and {awaited.text!r} are not 'Paris.'")
        _check(said.error is None and awaited.error is None, "a reply that is there has no error")

    def test_it_says_what_a_call_cost(self) -> None:
        """Tokens are counted or estimated, and above 0."""
        usage = self.make(["Paris."]).complete(Call("capital of France?")).usage
        _check(usage.prompt_tokens > 0 and usage.completion_tokens > 0, f"{usage} has no tokens")
        _check(usage.requests == 1, f"{usage.requests} requests for one call")

    def test_a_failure_is_an_error_in_the_reply(self) -> None:
        """It is neither raised nor an answer."""
        reply = self.make([ProviderDownError("the provider is down")]).complete(Call("capital of France?"))
        _check(isinstance(reply.error, ModelError), f"the error is {reply.error!r}")

    def test_one_failure_leaves_the_others(self) -> None:
        """Replies keep the order of their calls, whichever of them fails."""
        for failed in range(3):
            replies: list[str | ModelError] = ["a", "b", "c"]
            replies[failed] = ProviderDownError("the provider is down")
            got = drive(_round(3), self.make(replies), max_concurrency=1)
            wrong = [reply.error is not None for reply in got]
            _check(wrong == [index == failed for index in range(3)], f"errors at {wrong}, wanted one at {failed}")

    def test_calls_of_a_round_can_run_together(self) -> None:
        """From several threads, and in one event loop."""
        texts = [f"answer {number}" for number in range(8)]
        for got in (drive(_round(8), self.make(texts)), asyncio.run(adrive(_round(8), self.make(texts)))):
            _check(sorted(reply.text for reply in got) == texts, "a reply is lost or doubled")

    def test_a_schema_gives_a_parsed_answer_or_a_typed_error(self) -> None:
        """Never an unchecked text."""
        good = drive(_typed(), self.make(['{"name": "Paris"}']))
        _check(good.parsed == {"name": "Paris"}, f"parsed is {good.parsed!r}")
        bad = drive(_typed(), self.make(["Paris, I think.", "Paris!"]))
        _check(isinstance(bad.error, StructuredOutputError), f"the error is {bad.error!r}")

    def test_a_stream_ends_with_its_reply(self) -> None:
        """The pieces, if there are any, make up the text."""
        streamed = list(pieces(self.make(["Paris is the capital."]), Call("capital of France?")))
        awaited = asyncio.run(_all(self.make(["Paris is the capital."])))
        for got in (streamed, awaited):
            *texts, reply = got
            _check(isinstance(reply, Reply) and reply.text == "Paris is the capital.", f"{reply!r} is not the reply")
            _check(not texts or "".join(map(str, texts)) == "Paris is the capital.", f"{texts} are not the text")

    def test_it_does_not_show_a_key(self) -> None:
        """Neither does an object that contains one."""
        _check("test-key" not in repr(self.make([])), "repr shows the key")


def _round(count: int) -> Flow[Sequence[Reply]]:
    return (yield [Call(f"question {number}") for number in range(count)])


def _typed() -> Flow[Reply]:
    [reply] = yield [Call("capital of France?", schema=_SCHEMA)]
    return reply


async def _all(model: Model) -> list[str | Reply]:
    return [piece async for piece in apieces(model, Call("capital of France?"))]


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
