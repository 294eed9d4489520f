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


def write(
    question: Question,
    hits: Sequence[Hit],
    store: Store,
    answer_class: type[AnswerBase],
    profile: ModelProfile,
    *,
    strategy: Strategy = "combined",
    problems: Sequence[str] = (),
    examples: Sequence[Example] = (),
) -> Flow[Written]:
    """Ask a model for a typed answer from the hits; documents are asked at the same time, each by itself.

    Args:
        question: What is asked.
        hits: What was found, best first.
        store: Where their lines stand.
        answer_class: What the answer has to be.
        profile: Of the model that will answer.
        strategy: `combined` sends all rows of a document that fit in one call; `sequential` one passage after another,
            best first, and stops at an answer that is found and complete.
        problems: What was wrong with the last answer.
        examples: Checked answers to close questions, left out where the window has no room for them.

    Raises:
        ModelError: The call of every document failed.
        WindowError: The window has no room for the instructions and some rows.
    """
    groups = _by_document(hits)
    if not groups:
        return Written({}, ())
    flows = {
        name: _of_document(question, found, store, answer_class, profile, strategy, problems, examples)
        for name, found in groups.items()
    }
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


def planned(
    question: Question,
    hits: Sequence[Hit],
    store: Store,
    answer_class: type[AnswerBase],
    profile: ModelProfile,
    *,
    strategy: Strategy = "combined",
    examples: Sequence[Example] = (),
) -> Plan:
    """What one `write` costs at most, without a call.

    Raises:
        WindowError: As for `write`.
    """
    room, examples = _room(question, answer_class, profile.context_window or WINDOW, (), examples)
    calls = prompts = evidence = rounds = 0
    for found in _by_document(hits).values():
        chunks = [[hit] for hit in found] if strategy == "sequential" else [found]
        rounds = max(rounds, len(chunks))
        for chunk in chunks:
            lines, _ = _fitting(chunk, store, room)
            if lines:
                prompt = assemble(question, lines, answer_class, examples=examples)
                calls += 1
                prompts += count_tokens(prompt.system) + count_tokens(prompt.user)
                evidence += sum(count_tokens(line.text) for line in lines)
    return Plan(calls, prompts, rounds, calls * OUTPUT, evidence, profile.cost_usd(prompts, calls * OUTPUT))


@dataclass(frozen=True, slots=True)
class _One:
    """What came of one document."""

    answer: AnswerBase | None
    error: ModelError | None
    asked: tuple[Asked, ...]
    left_out: tuple[str, ...]


def _of_document(
    question: Question,
    hits: Sequence[Hit],
    store: Store,
    answer_class: type[AnswerBase],
    profile: ModelProfile,
    strategy: Strategy,
    problems: Sequence[str],
    examples: Sequence[Example],
) -> Flow[_One]:
    window = profile.context_window or WINDOW
    chunks = [[hit] for hit in hits] if strategy == "sequential" else [list(hits)]
    asked: list[Asked] = []
    left_out: list[str] = []
    best: AnswerBase | None = None
    error: ModelError | None = None
    for chunk in chunks:
        packed = _packed(question, chunk, store, answer_class, profile, window, problems, examples)
        if packed.call is None:
            left_out += packed.omitted
            continue
        (reply,) = yield [packed.call]
        asked.append(Asked(hits[0].passage.document, packed.prompt, reply))
        if (smaller := smaller_window(reply.error, packed.call, window)) is not None:
            window = smaller
            packed = _packed(question, chunk, store, answer_class, profile, window, problems, examples)
            if packed.call is not None:
                (reply,) = yield [packed.call]
                asked.append(Asked(hits[0].passage.document, packed.prompt, reply))
        left_out += packed.omitted
        lines = packed.lines
        answer = reply.parsed
        if reply.error is not None or not isinstance(answer, answer_class):
            error = reply.error or StructuredOutputError(
                "the model gave no answer of the form asked for", text=reply.text
            )
            continue
        answer = _as_written(answer, lines)
        best = answer if best is None or better(answer, best) else best
        if answer.answer_found and answer.complete_answer_found:
            break
    return _One(best, error, tuple(asked), tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Packed:
    """The call for some passages, without those for which there was no room."""

    lines: Sequence[Line]
    omitted: Sequence[str]
    prompt: Prompt
    call: Call | None
    """None where there is room for no passage at all."""


def _packed(
    question: Question,
    hits: Sequence[Hit],
    store: Store,
    answer_class: type[AnswerBase],
    profile: ModelProfile,
    window: int,
    problems: Sequence[str],
    examples: Sequence[Example],
) -> _Packed:
    room, examples = _room(question, answer_class, window, problems, examples)
    lines, omitted = _fitting(hits, store, room)
    prompt = assemble(question, lines, answer_class, problems=problems, examples=examples)
    call = Call(
        prompt=prompt.user,
        system=prompt.system,
        purpose="answer",
        schema=answer_class,
        max_output_tokens=min(OUTPUT, profile.max_output_tokens or OUTPUT),
        temperature=0.0,
        final=True,
    )
    return _Packed(lines, omitted, prompt, call if lines else None)


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


def _room(
    question: Question,
    answer_class: type[AnswerBase],
    window: int,
    problems: Sequence[str],
    examples: Sequence[Example],
) -> tuple[int, Sequence[Example]]:
    """Tokens that the rows may have, and the examples; none where they would take more than half of the room."""

    def left(shown: Sequence[Example]) -> int:
        empty = assemble(question, (), answer_class, problems=problems, examples=shown)
        return int(window * USABLE) - OUTPUT - count_tokens(empty.system) - count_tokens(empty.user)

    room = left(())
    if room < _LEAST_ROOM:
        raise WindowError(f"a window of {window} tokens has no room for passages: use a model with a larger one")
    fits = bool(examples) and 2 * left(examples) >= room
    return (left(examples), examples) if fits else (room, ())


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
