"""From a draft nobody checked to a result that proves itself. Only the guard turns the first into the second."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast

from spanwise.contract.answers import AnswerBase
from spanwise.contract.compute import Computation
from spanwise.domain.claim import Citation, Claim, Policy
from spanwise.domain.question import SentenceModel
from spanwise.domain.trace import Trace
from spanwise.errors import HighlightError

if TYPE_CHECKING:
    from spanwise.contract.record import ResultDict

ANSWERED = 0.7
"""Least calibrated confidence of an answer; what is less likely ships as a possible answer, marked for review."""
POSSIBLE = "possible"
"""The action of a decision that ships possible answers."""
DecisionKind: TypeAlias = Literal["ship", "clarify", "refetch", "reparse", "not_found"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a line of a draft comes from: the document, and global line numbers."""

    document: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that nobody has checked yet."""

    answer: AnswerBase
    sources: tuple[tuple[str, ...], ...]
    """For each item, the names of the documents that its spans are of, in their order."""
    relevance: float
    """How well the evidence covers the question, in [0, 1]."""
    nearest: tuple[Source, ...] = ()
    """The best evidence that was seen, also when it did not answer."""
    lacking: tuple[str, ...] = ()
    """Words of the question that no evidence had."""
    asked: str = ""
    """The question, where what is said of it is checked against it: yes and no."""
    sentences: tuple[str, ...] = ()
    """For each item that says yes or no, the sentence from which that follows."""
    written: tuple[str, ...] = ()
    """For each item, the words of the source that say its value, shown in its place; empty where there are none."""
    model: SentenceModel | None = field(default=None, repr=False)
    """How clauses of the kind that is asked for speak, where a yes rests on there being one."""
    computations: tuple[Computation | None, ...] = ()
    """For each item, how code computed it; empty when nothing was computed."""
    reworded: bool = False
    """Whether a model wrote it: what it says to be inferred or put together need not stand in the lines as it is."""
    prose: str | None = None
    """What a model wrote as running text, with its citation marks; the answer has no items before it is checked."""
    policy: Policy = "prune"
    """What of it ships that is not supported."""
    read: tuple[Source, ...] = ()
    """The passages that the prose was written from, in the order of their numbers in its marks."""
    path: str = ""
    """How it was found: `sentence`, `list`, `definition`, `clause`, `cell`, `computed` or `yes_or_no`, each of which
    is calibrated by itself; empty where a model wrote it."""
    possible: bool = False
    """True if the items are possible answers instead of one answer: at most three, each with its own spans, the most
    likely first; `relevance` is the probability of the first."""

    @property
    def proved(self) -> bool:
        """True if code drew every conclusion and figure, so that the guard draws each again; no model wrote a word."""
        return not self.reworded and self.prose is None


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens next, and why; made by code that only reads flags."""

    kind: DecisionKind
    reason: str
    action: str | None = None
    keywords: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    message: str = ""
    review: Literal["check", "review"] | None = None

    @property
    def possible(self) -> bool:
        """True if what ships are possible answers."""
        return self.action == POSSIBLE


MissingKind: TypeAlias = Literal[
    "off_corpus", "wrong_shape", "unreadable_page", "truncated", "conflicting", "too_vague", "rejected"
]
"""Nothing speaks of it; something does, but not in the form asked for; pages without text may hold it; the evidence
goes on where nobody read; sources differ; the question could mean many things; the checks refused the answer."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Not knowing, typed: why, the nearest evidence, and what would answer the question."""

    reason: str
    nearest: tuple[Citation, ...]
    what: str
    kind: MissingKind = "off_corpus"


@dataclass(frozen=True, slots=True)
class Completeness:
    """Whether the evidence was enough: seen from inside (`weak`, in [0, 1]) and from outside (`strong`)."""

    weak: float
    strong: bool | None
    """True bounded, False truncated, None not checked."""
    why: str


class Highlighter(Protocol):
    """Writes copies of the cited PDFs with highlight annotations, and says where."""

    def __call__(self, citations: Sequence[Citation], path: Path) -> tuple[Path, ...]:
        """Mark `citations` in copies that start at `path`."""


@dataclass(frozen=True, slots=True)
class Result:
    """An answer and everything that proves it."""

    trace_id: str
    question: str
    decision: Decision
    text: str
    """What the documents say, one line an item: of several possible answers a numbered list, of a list bullets; where
    nothing ships, why."""
    answer: AnswerBase
    confidence: float
    """In [0, 1], computed from evidence."""
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    warnings: tuple[str, ...] = ()
    warning_details: tuple[Mapping[str, object], ...] = ()
    completeness: Completeness = field(default_factory=lambda: Completeness(0.0, None, "not checked"))
    missing: Missing | None = None
    used_chunk_ids: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)
    meta: Mapping[str, object] = field(default_factory=dict)
    trace: Trace = field(default_factory=lambda: Trace(""))
    highlighter: Highlighter | None = field(default=None, repr=False, compare=False)

    @property
    def possible(self) -> bool:
        """True if the items are possible answers, the most likely first, and none of them is certain."""
        return self.decision.possible

    @property
    def review(self) -> bool:
        """True if somebody should look at the cited lines before the answer is used.

        So it is for possible answers, and for an answer that is less likely than `ANSWERED`, may not be complete, or
        holds anything that was not proved. What code computed or concluded from its lines is proved like a quotation.
        """
        decision = self.decision
        if decision.kind != "ship" or decision.review == "review":
            return decision.review is not None
        unsure = self.confidence < ANSWERED or decision.action is not None
        return unsure or any(claim.verdict != "keep" for claim in self.claims)

    def to_dict(self) -> ResultDict:
        """The result as JSON values, schema version 1 (`spanwise schema result` prints the schema)."""
        from spanwise.contract.record import record_of

        return cast("ResultDict", record_of(self).model_dump(mode="json"))

    def to(self, format: str) -> object:
        """The result in the shape that another system reads.

        Args:
            format: `anthropic` (pages), `anthropic-blocks` (lines), `openai` (Responses), `openai-chat`, `cohere`,
                `w3c`, `sarif` and `json` give JSON values; `markdown` (with footnotes) and `html` give text.

        Raises:
            InputError: There is no such format.
        """
        from spanwise.contract.formats import formatted

        return formatted(self, format)

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write how the answer was made as one JSON file, which `spanwise.replay` proves again.

        Raises:
            StorageError: The file cannot be written.
        """
        from spanwise.contract.tracing import save_trace

        save_trace(self, Path(path))

    def highlight(self, path: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write copies of the cited PDFs in which every cited rectangle is highlighted.

        Returns:
            What was written: `path` for the first cited PDF, `STEM-2.pdf` and so on for others. The documents
            themselves are not touched.

        Raises:
            HighlightError: Nothing was cited, the cited document is not a PDF or is no longer the one that was read.
            StorageError: The copy cannot be written.
        """
        if self.highlighter is None:
            raise HighlightError("this result does not know its documents: ask again with the documents at hand")
        return self.highlighter(self.citations, Path(path))
