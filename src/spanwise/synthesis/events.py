"""The events of a streamed response: progress, text, citations as soon as their markers are complete, and the result.

`Showing` makes them from the events of the driver (`spanwise.llm.run`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.llm.run import Answered, Delta, Event, Finished
from spanwise.synthesis.citations import cited
from spanwise.synthesis.job import Job, Schedule
from spanwise.synthesis.markers import read_markers, unfinished
from spanwise.synthesis.response import PassageCitation, Response


@dataclass(frozen=True, slots=True)
class Progress:
    """A call was answered: how many passages have been read, and how many calls were made."""

    read: int
    """Number of passages that successful calls have shown."""
    total: int
    """Number of passages with text."""
    calls: int
    planned: int
    """The most calls that the run was to make."""

    def __str__(self) -> str:
        return f"read {self.read} of {self.total}"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the response's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in the text so far; it has the same id in the response."""

    citation: PassageCitation


@dataclass(frozen=True, slots=True)
class Done:
    """The last event, with the complete response."""

    response: Response


ResponseEvent: TypeAlias = Progress | TextDelta | Cited | Done


class Showing:
    """Converts the events of a run into those of a streamed response."""

    def __init__(self, job: Job, schedule: Schedule) -> None:
        self._job = job
        self._planned = schedule.calls
        self._total = sum(len(source.passages) for source in job.sources)
        self._labels: set[int] = set()
        self._calls = 0
        self._written = ""
        self._shown = 0
        self._cited = 0

    def of(self, event: Event[Response]) -> Iterator[ResponseEvent]:
        """The events for one event of the run."""
        if isinstance(event, Delta):
            self._written += event.text
            yield from self._text(self._written[: unfinished(self._written)])
        elif isinstance(event, Answered):
            yield self._progress(event)
        elif isinstance(event, Finished):
            yield from self._rest(event.result)
            yield Done(event.result)

    def _progress(self, event: Answered) -> Progress:
        self._calls += 1
        if event.reply.error is None:
            self._labels |= self._job.ledger.asked.get(id(event.call), frozenset())
        read = sum(len(source.passages) for source in self._job.sources if source.label in self._labels)
        return Progress(read, self._total, self._calls, self._planned)

    def _text(self, written: str) -> Iterator[ResponseEvent]:
        """The text and citations that `written` has beyond those already shown."""
        live = self._job.ledger.live
        clean = self._clean(written)
        if len(clean) > self._shown:
            yield TextDelta(clean[self._shown :])
            self._shown = len(clean)
        if "]" in written:
            citations = cited(clean, live, self._job.total)
            for citation in citations[self._cited :]:
                yield Cited(citation)
            self._cited = max(self._cited, len(citations))

    def _rest(self, response: Response) -> Iterator[ResponseEvent]:
        """The text and citations of the response that were not shown yet; none if the last call failed in its text."""
        if self._written and self._clean(self._written) == response.response:
            yield from self._text(self._written)
        elif not self._shown and response.response:
            yield TextDelta(response.response)
            for citation in response.citations:
                yield Cited(citation)

    def _clean(self, written: str) -> str:
        """The text without the markers that cite no passage shown."""
        return read_markers(written, self._job.ledger.live.keys(), self._job.ids, total=self._job.total).text
