"""How a structured answer is requested: by class, else by JSON schema, else by a schema in the prompt; then one repair.

The rungs follow what providers offer (structured output by class, JSON schema mode, plain text). A model's profile says
which of them it supports; a schema that the provider refuses nevertheless is requested one rung lower, and the refusal
is remembered. There is no rung for JSON without a schema: nothing could be checked against it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from spanwise.contract.answers import AnswerBase
from spanwise.contract.strict import strict_json_schema
from spanwise.errors import SchemaUnsupportedError, StructuredOutputError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.port import Call, Model, ModelProfile, Reply, Schema, Usage
from spanwise.llm.structured import parse_reply
from spanwise.text.injection.marks import as_data
from spanwise.text.tokens import count_tokens


class Rung(Enum):
    """How a schema is sent to a model, best first."""

    NATIVE = "native"
    JSON_SCHEMA = "json_schema"
    PROMPTED = "prompted"


_PROMPTED = """Answer with one JSON object that obeys this JSON Schema, and with nothing before or after it:
{schema}"""
_REPAIR = """Your last answer to this could not be used: {problems}
Answer again, with the JSON object only."""
_PROBLEM_CHARACTERS = 800
_MORE_ROOM = 3  # factor by which the limit on output is raised after it cut a text
_WORTH_ASKING = 1.25  # least factor that is worth a second request; with less the text would be cut again


def laddered(model: Model) -> Model:
    """The model wrapped so that it supports every schema; the model itself if it already does."""
    return model if model.profile.structured else Ladder(model)


class Ladder(Layer):
    """Makes any model support any schema; replies have `Reply.parsed` or a typed error.

    A call with a schema becomes one call; two if the first answer has to be repaired; and one more for each rung that
    the provider refuses with an error, which never reaches the model and costs nothing.
    """

    def __init__(self, inner: Model) -> None:
        super().__init__(inner)
        self._refused: set[tuple[object, ...]] = set()

    @property
    def profile(self) -> ModelProfile:
        """The profile of the model, with `structured` set."""
        return replace(self.inner.profile, structured=True)

    def steps(self, call: Call) -> Steps:
        """Ask on the highest possible rung, and once more if the answer cannot be used."""
        if call.schema is None:
            return (yield from self._prose(call))
        reply, usage, asked = Reply(), Usage(), call
        for rung in self._rungs(call):
            asked = _on(rung, call)
            reply = yield asked
            usage += reply.usage
            if not isinstance(reply.error, SchemaUnsupportedError):
                break
            self._refused.add(_refusal(call, rung))
        answer = _answer(call, reply)
        if isinstance(answer.error, StructuredOutputError) and reply.finish != "length":
            # The schema stays where it was, since a grammar may enforce it, and is put into the prompt, too: a
            # server that did not obey the schema may have ignored it.
            told = f"{call.prompt}\n\n{_repair(answer.error)}"
            reply = yield replace(_on(Rung.PROMPTED, call), prompt=told, schema=asked.schema)
            usage += reply.usage
            answer = _both(answer.error, _answer(call, reply))
        return answer.but(usage=usage)

    def _prose(self, call: Call) -> Steps:
        """Ask, and once more with a higher limit on output if that cut the reply."""
        reply: Reply = yield call
        room = self._more_room(call) if reply.finish == "length" and reply.error is None else None
        if room is None:
            return reply
        again: Reply = yield replace(call, max_output_tokens=room)
        return (reply if again.error else again).but(usage=reply.usage + again.usage)

    def _more_room(self, call: Call) -> int | None:
        """A limit on output that is worth a second request; None if model or context window do not allow it."""
        if call.max_output_tokens is None:
            return None
        profile = self.inner.profile
        room = call.max_output_tokens * _MORE_ROOM
        if profile.max_output_tokens is not None:
            room = min(room, profile.max_output_tokens)
        if profile.context_window is not None:
            room = min(room, profile.context_window - 2 * (count_tokens(call.system) + count_tokens(call.prompt)))
        return room if room >= call.max_output_tokens * _WORTH_ASKING else None

    def stream(self, call: Call) -> Iterator[str | Reply]:
        """Yield text as it comes; for a call with a schema only the reply."""
        if call.schema is None:
            yield from super().stream(call)
        else:
            yield self.complete(call)

    async def astream(self, call: Call) -> AsyncGenerator[str | Reply, None]:
        """As `stream`, for async code."""
        if call.schema is None:
            async with aclosing(super().astream(call)) as stream:
                async for piece in stream:
                    yield piece
        else:
            yield await self.acomplete(call)

    def rung(self, schema: Schema) -> Rung:
        """The highest rung that has not been refused for a schema so far."""
        return next(self._rungs(Call("", schema=schema)))

    def _rungs(self, call: Call) -> Iterator[Rung]:
        profile = self.inner.profile
        has = {
            Rung.NATIVE: profile.native_schema and not isinstance(call.schema, Mapping),
            Rung.JSON_SCHEMA: profile.json_schema,
            Rung.PROMPTED: True,
        }
        return (rung for rung in Rung if has[rung] and _refusal(call, rung) not in self._refused)


def _refusal(call: Call, rung: Rung) -> tuple[object, ...]:
    return call.model, json.dumps(call.schema) if isinstance(call.schema, Mapping) else call.schema, rung


def _on(rung: Rung, call: Call) -> Call:
    if rung is Rung.NATIVE or call.schema is None:
        return call
    if rung is Rung.JSON_SCHEMA:
        return replace(call, schema=_schema(call.schema))
    system = f"{call.system}\n\n{_prompted_schema(call.schema)}" if call.system else _prompted_schema(call.schema)
    return replace(call, schema=None, system=system)


def _schema(schema: Schema) -> Mapping[str, object]:
    return schema if isinstance(schema, Mapping) else _strict(schema)


@lru_cache(maxsize=256)
def _strict(schema: type[AnswerBase]) -> Mapping[str, object]:
    return strict_json_schema(schema)


def _prompted_schema(schema: Schema) -> str:
    return _PROMPTED.format(schema=json.dumps(_schema(schema), ensure_ascii=False, separators=(",", ":")))


def _answer(call: Call, reply: Reply) -> Reply:
    """The reply parsed against the caller's own schema, whatever was parsed on the rung."""
    unread = isinstance(reply.error, StructuredOutputError)
    parsed = parse_reply(call, reply.but(parsed=None, error=None) if unread or reply.error is None else reply)
    if isinstance(parsed.error, StructuredOutputError) and reply.finish == "length":
        error = StructuredOutputError(
            "The answer was cut by the limit on output tokens; raise max_output_tokens.",
            text=reply.text,
            problems=("cut by the limit on output tokens",),
        )
        return parsed.but(error=error)
    return parsed


def _both(first: StructuredOutputError, answer: Reply) -> Reply:
    """The answer after a repair; if it cannot be used either, its error lists the problems of both."""
    second = answer.error
    if not isinstance(second, StructuredOutputError):
        return answer
    problems = (*first.problems, *(f"after the repair: {problem}" for problem in second.problems))
    message = f"{second} Before the repair: {'; '.join(first.problems)}."
    return answer.but(error=StructuredOutputError(message, text=second.text, problems=problems))


def _repair(error: StructuredOutputError) -> str:
    return _REPAIR.format(problems=as_data("; ".join(error.problems)[:_PROBLEM_CHARACTERS]))
