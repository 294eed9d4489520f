"""Typed answers as flows: the rows of a document in one call (combined), or passage by passage (sequential)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from spanwise.contract.answers import AnswerBase
from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import ModelError, StructuredOutputError, WindowError
from spanwise.llm.flow import Flow
from spanwise.llm.port import Call, ModelProfile, Reply, Usage, smaller_window
from spanwise.store.port import Store
from spanwise.synthesis.generation.examples import Example
from spanwise.synthesis.generation.prompt import Prompt, assemble
from spanwise.synthesis.response import Plan
from spanwise.text.injection.marks import as_written
from spanwise.text.tokens import count_tokens

Strategy: TypeAlias = Literal["combined", "sequential"]

DOCUMENTS = 5
"""Documents that one question is asked of, each by itself: numbers of lines mean one document only."""
USABLE = 0.75
"""Share of the window that a prompt may fill: token counts are estimates."""
WINDOW = 8192
"""Tokens of prompt and reply where the model's profile does not say."""
OUTPUT = 1024
"""Tokens kept for a reply."""
_LEAST_ROOM = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """One call and what became of it."""

    document: str
    prompt: Prompt
    reply: Reply


@dataclass(frozen=True, slots=True)
class Written:
    """What the model said of each document, unchecked."""

    answers: Mapping[str, AnswerBase]
    """By document, best hit first; a document whose call failed has none."""
    asked: tuple[Asked, ...]
    failed: Mapping[str, ModelError] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Ids of the passages for which there was no room."""

    @property
    def usage(self) -> Usage:
        """Tokens and cost of all calls."""
        return sum((one.reply.usage for one in self.asked), Usage())


@dataclass(frozen=True, slots=True)
class Task:
    """A question to a model, with the form of the answer and what the model is shown beside the rows."""

    question: Question
    store: Store
    """Where the lines of the hits stand."""
    answer_class: type[AnswerBase]
    profile: ModelProfile
    strategy: Strategy = "combined"
    """`combined` sends all rows of a document that fit in one call; `sequential` one passage after another, best first,
    and stops at an answer that is found and complete."""
    problems: Sequence[str] = ()
    """What was wrong with the last answer."""
    examples: Sequence[Example] = ()
    """Checked answers to close questions, left out where the window has no room for them."""

    @property
    def window(self) -> int:
        """Tokens of prompt and reply."""
        return self.profile.context_window or WINDOW

    def write(self, hits: Sequence[Hit]) -> Flow[Written]:
        """Ask for a typed answer from the hits, best first; documents are asked at the same time, each by itself.

        Raises:
            ModelError: The call of every document failed.
            WindowError: The window has no room for the instructions and some rows.
        """
        groups = _by_document(hits)
        if not groups:
            return Written({}, ())
        flows = {name: self._of_document(found) for name, found in groups.items()}
        results = yield from _side_by_side(list(flows.values()))
        written = dict(zip(flows, results, strict=True))
        answers = {name: one.answer for name, one in written.items() if one.answer is not None}
        failed = {name: one.error for name, one in written.items() if one.answer is None and one.error is not None}
        if not answers and failed:
            raise next(iter(failed.values()))
        return Written(
            answers,
            tuple(asked for one in written.values() for asked in one.asked),
            failed,
            tuple(passage for one in written.values() for passage in one.left_out),
        )

    def plan(self, hits: Sequence[Hit]) -> Plan:
        """What one `write` costs at most, without a call.

        Raises:
            WindowError: As for `write`.
        """
        room, examples = self._room(self.window)
        calls = prompts = evidence = rounds = 0
        for found in _by_document(hits).values():
            chunks = self._chunks(found)
            rounds = max(rounds, len(chunks))
            for chunk in chunks:
                lines, _ = _fitting(chunk, self.store, room)
                if lines:
                    prompt = assemble(self.question, lines, self.answer_class, examples=examples)
                    calls += 1
                    prompts += count_tokens(prompt.system) + count_tokens(prompt.user)
                    evidence += sum(count_tokens(line.text) for line in lines)
        cost = self.profile.cost_usd(prompts, calls * OUTPUT)
        return Plan(calls, prompts, rounds, calls * OUTPUT, evidence, cost)

    def _chunks(self, hits: Sequence[Hit]) -> list[Sequence[Hit]]:
        """The hits of each call about a document."""
        return [[hit] for hit in hits] if self.strategy == "sequential" else [hits]

    def _of_document(self, hits: Sequence[Hit]) -> Flow[_One]:
        window = self.window
        asked: list[Asked] = []
        left_out: list[str] = []
        best: AnswerBase | None = None
        error: ModelError | None = None
        for chunk in self._chunks(hits):
            packed = self._packed(chunk, window)
            if packed.call is None:
                left_out += packed.omitted
                continue
            (reply,) = yield [packed.call]
            asked.append(Asked(hits[0].passage.document, packed.prompt, reply))
            if (smaller := smaller_window(reply.error, packed.call, window)) is not None:
                window = smaller
                packed = self._packed(chunk, window)
                if packed.call is not None:
                    (reply,) = yield [packed.call]
                    asked.append(Asked(hits[0].passage.document, packed.prompt, reply))
            left_out += packed.omitted
            answer = reply.parsed
            if reply.error is not None or not isinstance(answer, self.answer_class):
                error = reply.error or StructuredOutputError(
                    "the model gave no answer of the form asked for", text=reply.text
                )
                continue
            answer = _as_written(answer, packed.lines)
            best = answer if best is None or better(answer, best) else best
            if answer.answer_found and answer.complete_answer_found:
                break
        return _One(best, error, tuple(asked), tuple(left_out))

    def _packed(self, hits: Sequence[Hit], window: int) -> _Packed:
        room, examples = self._room(window)
        lines, omitted = _fitting(hits, self.store, room)
        prompt = assemble(self.question, lines, self.answer_class, problems=self.problems, examples=examples)
        call = Call(
            prompt=prompt.user,
            system=prompt.system,
            purpose="answer",
            schema=self.answer_class,
            max_output_tokens=min(OUTPUT, self.profile.max_output_tokens or OUTPUT),
            temperature=0.0,
            final=True,
        )
        return _Packed(lines, omitted, prompt, call if lines else None)

    def _room(self, window: int) -> tuple[int, Sequence[Example]]:
        """Tokens that the rows may have, and the examples; none where they would take more than half of the room."""

        def left(shown: Sequence[Example]) -> int:
            empty = assemble(self.question, (), self.answer_class, problems=self.problems, examples=shown)
            return int(window * USABLE) - OUTPUT - count_tokens(empty.system) - count_tokens(empty.user)

        room = left(())
        if room < _LEAST_ROOM:
            raise WindowError(f"a window of {window} tokens has no room for passages: use a model with a larger one")
        fits = bool(self.examples) and 2 * left(self.examples) >= room
        return (left(self.examples), self.examples) if fits else (room, ())


@dataclass(frozen=True, slots=True)
class _One:
    """What came of one document."""

    answer: AnswerBase | None
    error: ModelError | None
    asked: tuple[Asked, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Packed:
    """The call for some passages, without those for which there was no room."""

    lines: Sequence[Line]
    omitted: Sequence[str]
    prompt: Prompt
    call: Call | None
    """None where there is room for no passage at all."""


def _as_written(answer: AnswerBase, lines: Sequence[Line]) -> AnswerBase:
    """An answer with the signs of the document where it copied those that a prompt shows in their place."""
    said = answer.model_dump_json()
    written = as_written(said, (line.text for line in lines))
    return answer if written == said else type(answer).model_validate_json(written)


def better(one: AnswerBase, other: AnswerBase) -> bool:
    """True if one answer about a document is found, complete and sure before another one is."""
    return (one.answer_found, one.complete_answer_found, one.confidence) > (
        other.answer_found,
        other.complete_answer_found,
        other.confidence,
    )


def _fitting(hits: Sequence[Hit], store: Store, room: int) -> tuple[list[Line], list[str]]:
    """The lines of the best hits that fit, in the order of the document and each once; and who was left out."""
    lines: dict[int, Line] = {}
    omitted: list[str] = []
    for hit in hits:
        passage = hit.passage
        new = [
            line
            for line in store.lines(passage.document, passage.line_start, passage.line_end)
            if line.number not in lines and line.text.strip()
        ]
        cost = sum(count_tokens(line.text) + 4 for line in new)  # the three numbers before it
        if cost > room:
            omitted.append(passage.id)
            continue
        room -= cost
        lines |= {line.number: line for line in new}
    return [lines[number] for number in sorted(lines)], omitted


def _by_document(hits: Sequence[Hit]) -> dict[str, list[Hit]]:
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        if hit.passage.document in groups or len(groups) < DOCUMENTS:
            groups.setdefault(hit.passage.document, []).append(hit)
    return groups


def _side_by_side(flows: Sequence[Flow[T]]) -> Flow[list[T]]:
    """Flows as one: each round is made of the calls that all of them wait for."""
    done: dict[int, T] = {}
    waiting: dict[int, Sequence[Call]] = {}

    def advance(at: int, replies: Sequence[Reply] | None) -> None:
        try:
            waiting[at] = next(flows[at]) if replies is None else flows[at].send(replies)
        except StopIteration as stop:
            done[at] = stop.value
            waiting.pop(at, None)

    for at in range(len(flows)):
        advance(at, None)
    while waiting:
        calls = dict(waiting)
        replies = iter((yield [call for group in calls.values() for call in group]))
        for at, group in calls.items():
            advance(at, list(_taken(replies, len(group))))
    return [done[at] for at in range(len(flows))]


def _taken(replies: Iterator[Reply], count: int) -> Iterator[Reply]:
    for _ in range(count):
        yield next(replies)
