"""One run of a response mode: its question, sources and prompts (`Job`), and a record of what happened (`Ledger`).

A mode's flow takes calls from `Job.call` and passes their replies to `Job.receive`. Until the run ends, the spans of a
typed answer have the line numbers shown in the prompts; `citations.assemble` maps them to lines of documents.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import Item
from spanwise.contract.values import Span
from spanwise.errors import CallCancelledError
from spanwise.llm.port import Call, Reply, Usage, json_schema_of
from spanwise.synthesis.markers import Rejected, read_markers
from spanwise.synthesis.prompt import Budget, Template
from spanwise.synthesis.response import Omission, OmissionReason, omissions
from spanwise.synthesis.windows import Credits, Excerpt, Place, Source, Window, joined, shortened
from spanwise.text.injection.marks import as_data
from spanwise.text.tokens import token_bound

_METHODS = (
    "inferred",
    "computed",
    "verbatim",
)  # the weakest first, since a merged answer has the weakest of its methods


def accepted(
    answer: AnswerBase, credits_: Mapping[int, tuple[Excerpt, ...]]
) -> tuple[AnswerBase, dict[int, tuple[Excerpt, ...]], list[Rejected]]:
    """The answer without spans of lines that the model was not shown, the excerpts cited by label, and those spans."""
    used: dict[int, tuple[Excerpt, ...]] = {}
    rejected: list[Rejected] = []
    items: list[Item] = []
    for item in answer.items:
        spans = []
        for span in item.spans:
            excerpts = [excerpt for found in credits_.values() for excerpt in found if _holds(excerpt, span)]
            if excerpts:
                spans.append(span)
                label = excerpts[0].source.label or 0
                used[label] = tuple(dict.fromkeys((*used.get(label, ()), *excerpts)))
            else:
                named = f"lines {span.line_start} to {span.line_end}"
                rejected.append(Rejected(named, "these lines were not shown for this answer"))
        items.append(item.model_copy(update={"spans": spans}))
    return answer.model_copy(update={"items": items}), used, rejected


def placed(span: Span, credits_: Mapping[int, tuple[Excerpt, ...]]) -> tuple[Excerpt, int, int] | None:
    """The excerpt that contains a span, with the span's lines counted from 1 in the passage; None if there is none."""
    for found in credits_.values():
        for excerpt in found:
            if _holds(excerpt, span):
                base = excerpt.source.line_base or 0
                return excerpt, span.line_start - base, span.line_end - base
    return None


def lighter(answer: AnswerBase, tokens: int) -> AnswerBase:
    """The answer without its last items, so that its JSON has at most `tokens` tokens; it is marked as incomplete."""
    items = list(answer.items)
    while items:
        items = items[: len(items) // 2] if len(items) > 8 else items[:-1]
        answer = answer.model_copy(
            update={"items": items, "complete_answer_found": False, "answer_found": bool(items), "caveats": []}
        )
        if token_bound(answer.model_dump_json()) <= tokens:
            break
    return answer


def merged(answers: Sequence[AnswerBase]) -> AnswerBase:
    """One answer with the items of all answers; equal items are merged, with the spans of all of them.

    Its confidence and its extraction method are the lowest among the answers that have items.
    """
    items: dict[str, Item] = {}
    for answer in answers:
        for item in answer.items:
            key = item.model_dump_json(exclude={"spans"})
            earlier = items.get(key)
            spans = [*(earlier.spans if earlier else ()), *item.spans]
            unique = list({(span.line_start, span.line_end): span for span in spans}.values())
            items[key] = item.model_copy(update={"spans": unique})
    found = [answer for answer in answers if answer.items] or list(answers)
    methods = [answer.extraction_method for answer in found if answer.extraction_method in _METHODS]
    return found[0].model_copy(
        update={
            "items": list(items.values()),
            "extraction_method": min(methods, key=_METHODS.index) if items and methods else "na",
            "confidence": min((answer.confidence for answer in found), default=0.0),
            "caveats": _all(answer.caveats for answer in found),
            "answer_found": bool(items),
            "complete_answer_found": bool(items) and all(answer.complete_answer_found for answer in found),
            "context_completeness_weak": min((a.context_completeness_weak for a in found), default=0.0),
            "context_structured": all(answer.context_structured for answer in answers),
            "llm_discovered_keywords": _all(answer.llm_discovered_keywords for answer in answers),
            "keywords_found": _all(answer.keywords_found for answer in answers),
            "conflicting_evidence": any(answer.conflicting_evidence for answer in answers),
        }
    )


def nothing_found(output: type[AnswerBase], caveat: str) -> AnswerBase | None:
    """An answer of a class without items; None if the class has required fields beyond those of the contract."""
    from pydantic import ValidationError

    try:
        flags = {"answer_found": False, "complete_answer_found": False, "extraction_method": "na"}
        return output.of_items([], 0.0, caveats=[caveat], **flags)
    except ValidationError:
        return None


def _holds(excerpt: Excerpt, span: Span) -> bool:
    base = excerpt.source.line_base
    if base is None or not (math.isfinite(span.line_start) and math.isfinite(span.line_end)):
        return False
    first, last = excerpt.lines
    return base + first <= span.line_start <= span.line_end <= base + last


def _all(lists: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))


TRUNCATED = "A reply of the model was cut by the limit on output tokens; allow more with max_output_tokens."


@dataclass(frozen=True, slots=True)
class Written:
    """An answer during a run: its text, and the excerpts that each label in it stands for."""

    text: str
    credits: Credits = field(default_factory=dict)
    answer: AnswerBase | None = None
    """The typed answer whose JSON is `text`, with the line numbers shown in the prompts; None for running text."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The windows of a run, and upper bounds of its cost.

    Attributes:
        windows: The windows, in order; of `TreeSummarize`, those of the first round.
        calls: The most calls.
        rounds: The most rounds of calls, which wait for one another.
        prompt_tokens: The most tokens of all prompts together.
        ends: For each window, the place up to which it reads; only modes that read one window after another need it.
        missing: The passages, or parts of them, that are not read.
    """

    windows: tuple[Window, ...]
    calls: int
    rounds: int
    prompt_tokens: int
    ends: tuple[Place, ...] = ()
    missing: tuple[Omission, ...] = ()


@dataclass(slots=True)
class Ledger:
    """What happened during a run so far; the response is assembled from it."""

    missing: list[Omission] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    """Labels of the passages that were read, as a whole or in part."""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    failed: int = 0
    cancelled: int = 0
    errors: list[Exception] = field(default_factory=list)
    model: str | None = None
    raw: str = ""
    """The text of the last reply, unchanged."""
    live: Credits = field(default_factory=dict)
    """The excerpts that each label in the final call's reply may cite, known before the reply is streamed."""
    asked: dict[int, frozenset[int]] = field(default_factory=dict)
    """The labels of the passages that each call shows, by the `id()` of the call."""


@dataclass(frozen=True)
class Job:
    """A question with its sources, and what prompts are made of.

    Attributes:
        query: The question as written.
        sources: The sources of the passages, in order.
        budget: The sizes of the context window and the reply.
        templates: The prompt templates by name.
        system: The instructions above every prompt.
        ids: The labels of the passages by their ids, for citations by id.
        total: The number of given passages.
        output: The class of the typed answer; None for running text.
        overlap: The share of the room, in [0, 1), that neighbouring pieces of a split passage have in common.
        temperature: The temperature of every call; None leaves it to the provider.
        ledger: The record of the run.
    """

    query: str
    sources: tuple[Source, ...]
    budget: Budget
    templates: Mapping[str, Template]
    system: str
    ids: Mapping[str, int]
    total: int
    output: type[AnswerBase] | None = None
    overlap: float = 0.0
    temperature: float | None = 0.0
    ledger: Ledger = field(default_factory=Ledger)

    def packed_into(self, window: int) -> Job:
        """The same job for a smaller window, to be run again; of the calls so far only the cost is kept."""
        ledger, output = self.ledger, min(self.budget.output, window // 2)
        for kept in (ledger.missing, ledger.rejected, ledger.errors, ledger.read, ledger.asked):
            kept.clear()
        ledger.failed = ledger.calls  # no answer of theirs is used
        return replace(self, budget=Budget(window, max(1, output)))

    @cached_property
    def _fixed(self) -> int:
        schema = json.dumps(json_schema_of(self.output), separators=(",", ":")) if self.output else ""
        return token_bound(self.system) + token_bound(schema)

    @cached_property
    def _asked(self) -> str:
        """The question as prompts show it, with marks of prompts and chat templates replaced."""
        return as_data(self.query)

    @cached_property
    def _query_tokens(self) -> int:
        return token_bound(self._asked)

    def instructions(self, name: str) -> int:
        """Upper bound of the tokens of a prompt with a template, without the evidence and the answer so far."""
        template = self.templates[name]
        return template.tokens + template.uses("query_str") * self._query_tokens + self._fixed

    def room(self, *names: str) -> int:
        """Tokens that the largest of these templates leaves for evidence and the answer so far.

        Raises:
            WindowError: It leaves too few.
        """
        return min(self.budget.room(self.instructions(name)) for name in names)

    def call(self, name: str, window: Window, credits_: Credits, *, final: bool, draft: Written | None = None) -> Call:
        """A call with the template `name`; `final` if its reply is the response, which may then be streamed."""
        if final:
            self.ledger.live = credits_
        draft_text = as_data(draft.text, labels=False) if draft else ""
        values = {"context_msg": window.text, "existing_answer": draft_text} if draft else {"context_str": window.text}
        call = Call(
            prompt=self.templates[name].render({"query_str": self._asked, **values}),
            system=self.system,
            purpose=name,
            schema=self.output,
            max_output_tokens=self.budget.output,
            temperature=self.temperature,
            final=final,
        )
        self.ledger.asked[id(call)] = window.labels
        return call

    def receive(self, reply: Reply, window: Window, credits_: Credits) -> Written | None:
        """The answer in a reply; None if its call failed, which is recorded with the excerpts of the window."""
        ledger = self.ledger
        ledger.calls += not _cancelled(reply)
        ledger.usage += reply.usage
        ledger.model = reply.model or ledger.model
        if reply.error is not None:
            ledger.failed += 1
            ledger.cancelled += _cancelled(reply)
            ledger.errors.append(reply.error)
            self.lost(window.excerpts, "call_failed", str(reply.error))
            return None
        if reply.finish == "length":
            ledger.missing.append(Omission("answer", "truncated", TRUNCATED, whole=False))
        ledger.raw = reply.text
        ledger.read |= window.labels
        return self._written(reply, credits_)

    def _written(self, reply: Reply, credits_: Credits) -> Written:
        if self.output is not None and isinstance(reply.parsed, AnswerBase):
            answer, used, rejected = accepted(reply.parsed, credits_)
            self.ledger.rejected += rejected
            return Written(answer.model_dump_json(), used, answer)
        marked = read_markers(reply.text, credits_.keys(), self.ids, total=self.total)
        self.ledger.rejected += marked.rejected
        cited = {label for marker in marked.markers for label in marker.labels}
        return Written(marked.text, {label: found for label, found in credits_.items() if label in cited})

    def lost(self, excerpts: Sequence[Excerpt], reason: OmissionReason, detail: str) -> None:
        """Record the content of excerpts as missing: passages, or answers that could not be merged."""
        self.ledger.missing += omissions([excerpt for excerpt in excerpts if excerpt.source.given], reason, detail)
        answers = sum(not excerpt.source.given for excerpt in excerpts)
        if answers:
            detail = f"{answers} answers on the way stand side by side, since bringing them together failed: {detail}"
            self.ledger.missing.append(Omission("answers", "not_merged", detail, whole=False))

    def fitted(self, written: Written, tokens: int, number: int) -> Written:
        """The answer cut to at most `tokens` tokens, which is recorded; `number` names the answer in that record."""
        if token_bound(written.text) <= tokens:
            return written
        self.ledger.missing.append(
            Omission(
                f"answer {number}",
                "answer_cut",
                f"answer {number} on the way was longer than the {tokens} tokens that its next prompt has for it",
                whole=False,
            )
        )
        if written.answer is not None:
            answer = lighter(written.answer, tokens)
            return Written(answer.model_dump_json(), written.credits, answer)
        return Written(shortened(written.text, tokens), written.credits)


def together(written: Sequence[Written]) -> Written:
    """Several answers as one, side by side, because the call that should have merged them failed."""
    credits_: Credits = {}
    for one in written:
        credits_ = joined(credits_, one.credits)
    answers = [one.answer for one in written if one.answer is not None]
    if answers:
        answer = merged(answers)
        return Written(answer.model_dump_json(), credits_, answer)
    return Written("\n\n".join(one.text for one in written), credits_)


def _cancelled(reply: Reply) -> bool:
    return isinstance(reply.error, CallCancelledError)
