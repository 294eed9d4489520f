"""Events of a streamed answer: calls that were answered, then checked text with its citations, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.answering.ask import without_model
from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.plain import pieces
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model
from spanwise.llm.run import Answered, Event, Finished, aevents, events


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """The model has answered; `done` of the `total` calls of this round are."""

    purpose: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The next piece of the result's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CitedText:
    """A citation that proves the piece before it."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class Answer:
    """The end: the whole result."""

    result: Result


EngineEvent: TypeAlias = CallAnswered | CheckedText | CitedText | Answer


def streamed(flow: Flow[Result], model: Model | None, max_concurrency: int) -> Iterator[EngineEvent]:
    """Run the flow of one question and tell what happens."""
    if model is None:
        yield from _shown(without_model(flow))
        return
    for event in events(flow, model, max_concurrency=max_concurrency):
        yield from _told(event)


async def astreamed(flow: Flow[Result], model: Model | None, max_concurrency: int) -> AsyncGenerator[EngineEvent, None]:
    """`streamed` for async code; without a model the work is done in a thread."""
    if model is None:
        for event in _shown(await asyncio.to_thread(without_model, flow)):
            yield event
        return
    async with aclosing(aevents(flow, model, max_concurrency=max_concurrency)) as happening:
        async for happened in happening:
            for event in _told(happened):
                yield event


def _told(event: Event[Result]) -> Iterator[EngineEvent]:
    """The events for a user that follow from one of the run; text that nobody has checked is none."""
    if isinstance(event, Answered):
        yield CallAnswered(event.call.purpose, event.done, event.total)
    elif isinstance(event, Finished):
        yield from _shown(event.result)


def _shown(result: Result) -> Iterator[EngineEvent]:
    told: set[str] = set()
    for piece in pieces(result):
        yield CheckedText(piece.text)
        for citation in piece.citations:
            if citation.at[1] == piece.end and citation.id not in told:
                told.add(citation.id)
                yield CitedText(citation)
    yield Answer(result)
