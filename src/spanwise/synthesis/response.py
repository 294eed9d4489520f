"""What a response mode gives back: text, citations, and everything that was not read, by name and with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from spanwise.contract.adapters import Given
from spanwise.contract.answers import AnswerBase
from spanwise.contract.result import GenerationResult
from spanwise.domain.claim import Citation
from spanwise.llm.port import Usage
from spanwise.synthesis.markers import Rejected
from spanwise.synthesis.windows import Excerpt

OmissionReason: TypeAlias = Literal["call_failed", "cut", "no_room", "answer_cut", "not_merged", "truncated"]
"""Why something is not in the answer: its call failed, only its beginning was sent, there was no room for it, an answer
was longer than the room kept for it, answers could not be brought together, or the limit on output cut a reply."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A passage, whole or in part, that the response does not rest on, or an answer on the way that was cut."""

    id: str
    """Of the passage; "answer N" for an answer on the way."""
    reason: OmissionReason
    detail: str
    """In a sentence."""
    label: int | None = None
    """Place of the passage among those given, from 1."""
    document: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    whole: bool = True
    """True if nothing of the passage was read."""
    item: object = field(default=None, repr=False, compare=False)
    """The passage as it was given."""


@dataclass(frozen=True, slots=True)
class PassageCitation(Citation):
    """A citation that also says which of the given passages it leads to."""

    label: int = 0
    """Number in the text's marker: the place among the passages given, from 1, of the one that was shown."""
    passage: str = ""
    """Id of the passage."""
    source: object = field(default=None, repr=False, compare=False)
    """The passage as it was given."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will cost at most, known before the first call.

    Attributes:
        calls: The most calls that the run makes.
        prompt_tokens: The most tokens of all prompts together, instructions included.
        rounds: The most calls that have to wait for one another.
        completion_tokens: The most tokens of all replies together.
        evidence_tokens: Tokens of the passages that are sent, each counted once.
        cost_usd: The most it costs, where the model's prices are known.
        missing: What is already known not to be read.
    """

    calls: int
    prompt_tokens: int
    rounds: int
    completion_tokens: int = 0
    evidence_tokens: int = 0
    cost_usd: float | None = None
    missing: tuple[Omission, ...] = ()

    def times(self, most: int) -> Plan:
        """The plan of doing it again and again, so many times at most; each passage still counts once."""
        return replace(
            self,
            calls=self.calls * most,
            prompt_tokens=self.prompt_tokens * most,
            rounds=self.rounds * most,
            completion_tokens=self.completion_tokens * most,
            cost_usd=None if self.cost_usd is None else self.cost_usd * most,
        )


@dataclass(frozen=True, slots=True)
class Response:
    """A response that no guard has checked yet: the model's words, with the markers that lead to passages.

    Attributes:
        response: The text. Markers that cite nothing are taken out of it, and named in `rejected`.
        responses: The single answers of `accumulate` and `compact_accumulate`; else the one answer, or none.
        source_nodes: The passages that were read at least in part, as they were given, in their order.
        citations: One for each marker and passage, in the order of the text.
        missing: Everything that was not read, with the reason.
        usage: Tokens and cost of all calls.
        calls: How many calls were made.
        mode: The mode that wrote it.
        rejected: Markers of the model that cite nothing.
        answer: The typed answer, where one was asked for; its spans are lines of the documents in `sources`.
        answers: The typed answers of `accumulate` and `compact_accumulate`; else the one answer, or none.
        sources: For each item of `answer`, the names of the documents that its spans are of.
        meta: How a typed answer was made, by the keys of `META_KEYS`.
    """

    response: str
    responses: list[str] = field(default_factory=list)
    source_nodes: list[object] = field(default_factory=list)
    citations: tuple[PassageCitation, ...] = ()
    missing: tuple[Omission, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    mode: str = ""
    rejected: tuple[Rejected, ...] = ()
    answer: AnswerBase | None = None
    answers: tuple[AnswerBase, ...] = ()
    sources: tuple[tuple[str, ...], ...] = ()
    meta: Mapping[str, object] = field(default_factory=dict)

    @property
    def partial(self) -> bool:
        """True if a call failed, so that running it again may bring more."""
        return any(omission.reason in ("call_failed", "not_merged") for omission in self.missing)

    @property
    def result(self) -> GenerationResult | None:
        """The typed answer with how it was made, where one was asked for."""
        return None if self.answer is None else GenerationResult(self.answer, dict(self.meta))

    def __str__(self) -> str:
        return self.response


def omissions(excerpts: Sequence[Excerpt], reason: OmissionReason, detail: str) -> list[Omission]:
    """One omission for each passage behind the excerpts, those that say the same or stand in them included."""
    found = []
    for excerpt in excerpts:
        source = excerpt.source
        whole = (excerpt.start, excerpt.end) == (source.first, source.last)
        for given in source.passages:
            start, end = lines_of(excerpt, given)
            found.append(
                Omission(
                    given.passage.id,
                    reason,
                    detail,
                    given.position,
                    given.passage.document,
                    start,
                    end,
                    whole,
                    given.item,
                )
            )
    return found


def lines_of(excerpt: Excerpt, given: Given) -> tuple[int, int]:
    """Lines of the document that an excerpt shows of one of the passages behind its source.

    Of a further passage that says the same in another layout, it is all of its lines.
    """
    passage = given.passage
    first = excerpt.source.given[0].passage
    if given is not excerpt.source.given[0] and passage.text != first.text:
        return passage.line_start, passage.line_start + passage.text.count("\n")
    start, end = excerpt.lines
    return passage.line_start + start - 1, passage.line_start + end - 1


def quote_of(excerpt: Excerpt, given: Given) -> str:
    """The words of the passage that an excerpt shows, from the passage itself."""
    first = excerpt.source.given[0].passage
    text = given.passage.text
    if text != first.text:
        return text.strip()
    if excerpt.source.line_base is None:
        return text[excerpt.start : excerpt.end]
    start, end = excerpt.lines
    return "\n".join(text.split("\n")[start - 1 : end])
