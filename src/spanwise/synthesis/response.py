"""The result of a response mode: its text, its citations, and what was not read, with the reasons."""

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
"""Why something is not in the response, in this order: its call failed; only its beginning was sent; there was no room
for it; an answer during the run was longer than its room in the next prompt; answers could not be merged; the limit on
output tokens cut a reply."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A passage or part of one that the response is not based on, or an answer during the run that was cut."""

    id: str
    """Id of the passage; `answer N`, `answer` or `answers` if answers of the model are affected instead."""
    reason: OmissionReason
    detail: str
    """The reason as a sentence."""
    label: int | None = None
    """Position of the passage among the given ones, from 1; None for an answer."""
    document: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    whole: bool = True
    """True if the whole passage is missing, False if only a part of it."""
    item: object = field(default=None, repr=False, compare=False)
    """The passage as it was given."""


@dataclass(frozen=True, slots=True)
class PassageCitation(Citation):
    """A citation with the given passage that it refers to."""

    label: int = 0
    """The number in the text's marker: the position, from 1, of the passage that the model was shown."""
    passage: str = ""
    """Id of the passage."""
    source: object = field(default=None, repr=False, compare=False)
    """The passage as it was given."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Upper bounds of the cost of a run, known before the first call.

    Attributes:
        calls: The most calls that the run makes.
        prompt_tokens: The most tokens of all prompts together, instructions included.
        rounds: The most rounds of calls, each of which has to wait for the one before.
        completion_tokens: The most tokens of all replies together.
        evidence_tokens: Tokens of the passages that are sent, each counted once.
        cost_usd: The cost in US dollars; None if the model's prices are unknown.
        missing: The passages, or parts of them, that will not be read.
    """

    calls: int
    prompt_tokens: int
    rounds: int
    completion_tokens: int = 0
    evidence_tokens: int = 0
    cost_usd: float | None = None
    missing: tuple[Omission, ...] = ()

    def times(self, most: int) -> Plan:
        """The plan of up to `most` such runs; each passage still counts once."""
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
    """A response that no guard has checked: the model's words, with citation markers of passages that it was shown.

    Attributes:
        response: The text, without the markers in `rejected`.
        responses: The separate answers of `accumulate` and `compact_accumulate`; in other modes one answer, or none.
        source_nodes: The passages that were read as a whole or in part, in their order, as the caller gave them.
        citations: The citations, one for each marker and passage, in the order of the text.
        missing: What was not read, with the reasons.
        usage: Tokens and cost of all calls.
        calls: The number of calls that were made.
        mode: Name of the mode.
        rejected: Markers of the model that cite no passage it was shown.
        answer: The typed answer, or None; its spans are lines of the documents in `sources`.
        answers: The typed answers of `accumulate` and `compact_accumulate`; in other modes one answer, or none.
        sources: For each item of `answer`, the document name of each of its spans.
        meta: Metadata of a typed answer, under keys of `META_KEYS`.
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
        """True if a call failed, so that another run may read more."""
        return any(omission.reason in ("call_failed", "not_merged") for omission in self.missing)

    @property
    def result(self) -> GenerationResult | None:
        """The typed answer with its metadata; None if there is no typed answer."""
        return None if self.answer is None else GenerationResult(self.answer, dict(self.meta))

    def __str__(self) -> str:
        return self.response


def omissions(excerpts: Sequence[Excerpt], reason: OmissionReason, detail: str) -> list[Omission]:
    """One omission for each passage of the excerpts, including those with the same content or contained in them."""
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
    """The first and last line of the document that an excerpt shows of one of its source's passages.

    If the passage has the same content in another layout as the one shown, these are all of its lines.
    """
    passage = given.passage
    first = excerpt.source.given[0].passage
    if given is not excerpt.source.given[0] and passage.text != first.text:
        return passage.line_start, passage.line_start + passage.text.count("\n")
    start, end = excerpt.lines
    return passage.line_start + start - 1, passage.line_start + end - 1


def quote_of(excerpt: Excerpt, given: Given) -> str:
    """The part of a passage that an excerpt shows, in the passage's own characters."""
    first = excerpt.source.given[0].passage
    text = given.passage.text
    if text != first.text:
        return text.strip()
    if excerpt.source.line_base is None:
        return text[excerpt.start : excerpt.end]
    start, end = excerpt.lines
    return "\n".join(text.split("\n")[start - 1 : end])
