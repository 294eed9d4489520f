"""Events of a streamed answer: calls that were answered, then checked text with its citations, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.answering.ask import without_model
from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import pieces
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model
from spanwise.llm.run import Answered, Finished, events


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
