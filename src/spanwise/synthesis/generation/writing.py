"""Typed answers as flows: all rows of a document in one call (combined), or passage by passage (sequential).

The prompt consists of a fixed base, the fragments that this question needs, and rows of numbered lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias, TypeVar

from spanwise.contract.answers import AnswerBase
from spanwise.contract.registry import label_of
from spanwise.contract.schema_prompt import fragment
from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import ModelError, StructuredOutputError
from spanwise.llm.flow import Flow
from spanwise.llm.port import Call, ModelProfile, Reply, Usage, smaller_window
from spanwise.store.port import Store
from spanwise.synthesis.generation.examples import Example
from spanwise.synthesis.prompt import Budget, prompt_text
from spanwise.synthesis.response import Plan
from spanwise.text.injection.marks import as_data, as_written
from spanwise.text.tokens import count_tokens, token_bound

VERSION = "2"
"""Version of the base and the fragments; it changes when their texts do."""
HEADER = "GLOBAL_LINE\tpage\tline_in_page\ttext"
_SHAPED = frozenset({"amount", "date", "boolean", "table", "list"})
_SETS_APART = re.compile(
    r"\b(?:difference between|rather than|as opposed to|instead of|versus|vs\.?|as distinct from)(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The texts that a model is shown, and the fragments that they were assembled from."""

    system: str
    user: str
    fragments: tuple[str, ...]
    """Names of the fragments in `system`, in order: BASE, SHAPE:amount, FORMAT and so on."""

    @property
    def hash(self) -> str:
        """SHA-256 of both texts, in hexadecimal."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode("utf-8", "surrogatepass")).hexdigest()


def assemble(
    question: Question,
    lines: Sequence[Line],
    answer_class: type[AnswerBase],
    *,
    problems: Sequence[str] = (),
    examples: Sequence[Example] = (),
) -> Prompt:
    """The prompt for one question and lines of one document.

    Args:
        question: The question.
        lines: The lines that the model may answer from, in document order; the header is repeated after each gap in
        their
            numbers.
        answer_class: The class of the answer.
        problems: What was wrong with the previous answer, if this is another attempt.
        examples: Verified answers to similar questions.

    Raises:
        ContractError: The class has no items.
    """
    parts = dict(_parts(question, answer_class))
    if examples:
        parts["EXAMPLES"] = _filled("examples", examples="\n\n".join(map(_shown, examples)))
    keywords = [keyword.text for keyword in question.keywords if keyword.source == "direct"]
    user = _filled(
        "question", question=as_data(question.text), keywords=as_data(", ".join(keywords)) or "none", rows=rows(lines)
    )
    if problems:
        user += _filled("correction", problems="\n".join(f"- {_data(problem)}" for problem in problems))
    return Prompt("\n\n".join(parts.values()), user, tuple(parts))


def rows(lines: Sequence[Line]) -> str:
    """One row per line, of four columns separated by tabs; tabs and line breaks in a text become spaces."""
    blocks = []
    for _, group in groupby(enumerate(lines), key=lambda pair: pair[1].number - pair[0]):
        shown = [f"{line.number}\t{line.page}\t{line.line_in_page}\t{_data(line.text)}" for _, line in group]
        blocks.append("\n".join([HEADER, *shown]))
    return "\n\n".join(blocks)


def _parts(question: Question, answer_class: type[AnswerBase]) -> list[tuple[str, str]]:
    label = label_of(answer_class) or "text"
    if label == "text" and question.answer_shape == "listing":
        label = "list"
    shape = fragment(answer_class) + (f"\n{prompt_text(f'shape_{label}')}" if label in _SHAPED else "")
    wanted = question.generation_brief.instructions
    parts = [("BASE", prompt_text("base")), (f"SHAPE:{label}", shape)]
    if wanted:
        parts.append(("FORMAT", _filled("format", instructions=as_data("; ".join(wanted)))))
    if _SETS_APART.search(question.text):
        parts.append(("DISTINGUISH", prompt_text("distinguish")))
    if question.notes:
        parts.append(("DISAMBIGUATION", _filled("disambiguation", notes=as_data("; ".join(question.notes)))))
    if len(question.parts) > 1:
        parts.append(("DECOMPOSITION", _filled("decomposition", parts=as_data("; ".join(question.parts)))))
    return parts


def _shown(example: Example) -> str:
    question = _data(example.question)
    return _filled("example", question=question, rows=rows(example.lines), answer=_data(example.answer))


def _filled(name: str, **values: str) -> str:
    """The template filled in one pass, so that variables in a filled-in text are not filled in turn."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), prompt_text(name))


def _data(text: str) -> str:
    """A text on one line, without markup."""
    return as_data(re.sub(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", " ", text))


Strategy: TypeAlias = Literal["combined", "sequential"]

DOCUMENTS = 5
"""Most documents that one question is asked of, each separately, as line numbers refer to one document only."""
USABLE = 0.75
"""Share of the window that prompt and reply may fill: rows of figures have more tokens than estimated from letters."""
WINDOW = 8192
"""Tokens of prompt and reply if the model's profile does not say."""
OUTPUT = 1024
"""Tokens reserved for a reply."""
_LEAST_ROOM = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A call and its reply."""

    document: str
    prompt: Prompt
    reply: Reply


@dataclass(frozen=True, slots=True)
class Written:
    """The model's answers for each document, not yet checked."""

    answers: Mapping[str, AnswerBase]
    """Answers by document, in the order of the best hits; a document whose call failed has none."""
    asked: tuple[Asked, ...]
    failed: Mapping[str, ModelError] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Ids of the passages that did not fit, or are of a document beyond the first `DOCUMENTS`."""

    @property
    def usage(self) -> Usage:
        """Tokens and cost of all calls."""
        return sum((one.reply.usage for one in self.asked), Usage())


@dataclass(frozen=True, slots=True)
class Task:
    """A question for a model, with the class of the answer and everything else that goes into the prompt."""

    question: Question
    store: Store
    """The store that contains the lines of the hits."""
    answer_class: type[AnswerBase]
    profile: ModelProfile
    strategy: Strategy = "combined"
    """`combined` sends all rows of a document that fit in one call.

    `sequential` sends one passage after another, best first, and stops at an answer that is found and complete.
    """
    problems: Sequence[str] = ()
    """What was wrong with the previous answer."""
    examples: Sequence[Example] = ()
    """Verified answers to similar questions, omitted if the window has no room for them."""

    @property
    def window(self) -> int:
        """Tokens of prompt and reply."""
        return self.profile.context_window or WINDOW

    def write(self, hits: Sequence[Hit]) -> Flow[Written]:
        """Ask for a typed answer from the hits, best first; documents are asked at the same time, each separately.

        Raises:
            ModelError: The calls of all documents failed.
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
            (
                *(passage for one in written.values() for passage in one.left_out),
                *(hit.passage.id for hit in hits if hit.passage.document not in groups),
            ),
        )

    def plan(self, hits: Sequence[Hit]) -> Plan:
        """An upper bound of the cost of one `write`, without a call.

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
        """The hits for each call about a document."""
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
        """Tokens available for the rows, and the examples.

        No examples if they would take more than half of the room.
        """

        def instructions(shown: Sequence[Example]) -> int:
            empty = assemble(self.question, (), self.answer_class, problems=self.problems, examples=shown)
            return token_bound(empty.system) + token_bound(empty.user)

        bare = instructions(())
        room = Budget(int(window * USABLE), OUTPUT).room(bare, _LEAST_ROOM)
        beside = room - instructions(self.examples) + bare if self.examples else 0
        return (beside, self.examples) if 2 * beside >= room else (room, ())


@dataclass(frozen=True, slots=True)
class _One:
    """The outcome for one document."""

    answer: AnswerBase | None
    error: ModelError | None
    asked: tuple[Asked, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Packed:
    """The call for some passages, and those that did not fit."""

    lines: Sequence[Line]
    omitted: Sequence[str]
    prompt: Prompt
    call: Call | None
    """None if not even one passage fits."""


def _as_written(answer: AnswerBase, lines: Sequence[Line]) -> AnswerBase:
    """An answer with the document's own characters in place of those that the prompt showed instead of them."""
    said = answer.model_dump_json()
    written = as_written(said, (line.text for line in lines))
    return answer if written == said else type(answer).model_validate_json(written)


def better(one: AnswerBase, other: AnswerBase) -> bool:
    """True if the first of two answers about a document is better: found, then complete, then more confident."""
    return (one.answer_found, one.complete_answer_found, one.confidence) > (
        other.answer_found,
        other.complete_answer_found,
        other.confidence,
    )


def _fitting(hits: Sequence[Hit], store: Store, room: int) -> tuple[list[Line], list[str]]:
    """The lines of the best hits that fit, in document order and each once; and the ids of passages that do not fit."""
    lines: dict[int, Line] = {}
    omitted: list[str] = []
    for hit in hits:
        passage = hit.passage
        new = [
            line
            for line in store.lines(passage.document, passage.line_start, passage.line_end)
            if line.number not in lines and line.text.strip()
        ]
        cost = sum(token_bound(line.text) + 4 for line in new)  # the three numbers before it
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
    """Several flows as one: each round consists of the calls that all of them wait for."""
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
