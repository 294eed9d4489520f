"""One run of a mode: what it is asked, what it may use, and the ledger of what became of everything.

Typed answers on their way have spans in the numbers that prompts show, mapped to lines of documents at the end.
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

_METHODS = ("inferred", "computed", "verbatim")  # the weakest first: what is put together is as weak as its weakest


def accepted(
    answer: AnswerBase, credits_: Mapping[int, tuple[Excerpt, ...]]
) -> tuple[AnswerBase, dict[int, tuple[Excerpt, ...]], list[Rejected]]:
    """The answer without spans of lines that were not shown, the excerpts it rests on, and the spans taken out."""
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
    """The excerpt that a span lies in, and its lines counted from 1 in the passage."""
    for found in credits_.values():
        for excerpt in found:
            if _holds(excerpt, span):
                base = excerpt.source.line_base or 0
                return excerpt, span.line_start - base, span.line_end - base
    return None


def lighter(answer: AnswerBase, tokens: int) -> AnswerBase:
    """The answer with its last items left out until its JSON fits; it says that it is not complete."""
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
    """One answer of all the items, equal ones once with the spans of all, as sure as the least sure of those found."""
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
    """An answer of that class without items; None where the class asks for more than the contract."""
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
    """An answer on the way: its text, and what each label in it stands for."""

    text: str
    credits: Credits = field(default_factory=dict)
    answer: AnswerBase | None = None
    """The typed answer that `text` is the JSON of, its spans in the numbers that the prompts show."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The windows of a run and what they cost at most; `ends` says how far each window reads."""

    windows: tuple[Window, ...]
    calls: int
    rounds: int
    prompt_tokens: int
    ends: tuple[Place, ...] = ()
    missing: tuple[Omission, ...] = ()


@dataclass(slots=True)
class Ledger:
    """What became of everything: kept while a run goes on, read at its end."""

    missing: list[Omission] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    """Labels of the passages that were read at least in part."""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    failed: int = 0
    cancelled: int = 0
    errors: list[Exception] = field(default_factory=list)
    model: str | None = None
    raw: str = ""
    """The last reply as it came."""
    live: Credits = field(default_factory=dict)
    """What the labels stand for in the reply that is being written."""
    asked: dict[int, frozenset[int]] = field(default_factory=dict)
    """By the identity of a call, the labels of the passages that it shows."""


@dataclass(frozen=True)
class Job:
    """A question, the sources, and how prompts are made."""

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
        """The same job for a smaller window, with what the calls so far cost and nothing else of them."""
        ledger, output = self.ledger, min(self.budget.output, window // 2)
        for kept in (ledger.missing, ledger.rejected, ledger.errors, ledger.read, ledger.asked):
            kept.clear()
        ledger.failed = ledger.calls  # none of them brought anything that counts
        return replace(self, budget=Budget(window, max(1, output)))

    @cached_property
    def _fixed(self) -> int:
        schema = json.dumps(json_schema_of(self.output), separators=(",", ":")) if self.output else ""
        return token_bound(self.system) + token_bound(schema)

    @cached_property
    def _asked(self) -> str:
        """The question as prompts show it."""
        return as_data(self.query)

    @cached_property
    def _query_tokens(self) -> int:
        return token_bound(self._asked)

    def instructions(self, name: str) -> int:
        """Tokens of a prompt with that template, without evidence and draft."""
        template = self.templates[name]
        return template.tokens + template.uses("query_str") * self._query_tokens + self._fixed

    def room(self, *names: str) -> int:
        """What every one of these templates leaves for evidence and draft."""
        return min(self.budget.room(self.instructions(name)) for name in names)

    def call(self, name: str, window: Window, credits_: Credits, *, final: bool, draft: Written | None = None) -> Call:
        """A call with that template; `final` when its reply is the response."""
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
        """What a reply says; None when its call failed, and then what its window shows is named as missing."""
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
        """Name what the excerpts show as missing: passages, or answers that are not brought together."""
        self.ledger.missing += omissions([excerpt for excerpt in excerpts if excerpt.source.given], reason, detail)
        answers = sum(not excerpt.source.given for excerpt in excerpts)
        if answers:
            detail = f"{answers} answers on the way stand side by side, since bringing them together failed: {detail}"
            self.ledger.missing.append(Omission("answers", "not_merged", detail, whole=False))

    def fitted(self, written: Written, tokens: int, number: int) -> Written:
        """An answer in so many tokens; what that cuts off is named."""
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
    """Answers side by side, where no model could bring them together."""
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
