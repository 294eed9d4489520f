"""`Engine.ask` from top to bottom: parse the question, retrieve, write, check, decide, then repeat or return.

Each step is a call, and the module that it comes from has the details: `request` (the question), `extractive` and
`model_writers` (the writers), the guard's `check`, `next_page` (whether the evidence continues), `decision` (the
rules), `loop` (which model writes, when to run another pass), `outcome` (the result and the trace).

A streamed answer yields an event for each answered model call, then the checked text with its citations, then the
result.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from spanwise.answering.decision import OnInvalid, Signals
from spanwise.answering.loop import (
    HITS,
    Drafted,
    Pass,
    Rereader,
    Run,
    Writer,
    ended,
    nothing_new,
    passages_of_next_page,
    readers_tried,
    stopped,
    wants_stronger,
    written_by,
)
from spanwise.answering.next_page import Continuation, bounded
from spanwise.answering.outcome import result_of
from spanwise.answering.request import Request, question_of, with_keywords
from spanwise.answering.vocabulary import Vocabulary
from spanwise.contract.result import Decision, Result
from spanwise.domain.claim import Citation
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import ModeError
from spanwise.export.plain import pieces
from spanwise.guard.drafts.check import check
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.scope import narrowed, within
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.synthesis.response import Plan

if TYPE_CHECKING:
    from spanwise.llm.run import Event

Retrieved: TypeAlias = Callable[[Question, Sequence[Hit], int], None]
"""A callback after each search: the question, its hits, and the time in nanoseconds at which the search began."""


def answering(
    request: Request,
    store: Store,
    writer: Writer,
    *,
    on_invalid: OnInvalid = "retry",
    rereader: Rereader | None = None,
    vocabulary: Vocabulary | None = None,
    retrieved: Retrieved | None = None,
) -> Flow[Result]:
    """Answer one question from a store.

    Args:
        request: The question and the demands on the answer.
        store: The documents to search.
        writer: Drafts the answers; nothing of a draft is returned unchecked.
        on_invalid: What happens when the answer is invalid (see `route`).
        rereader: Reads garbled documents again.
        vocabulary: Counts the words that answers discover; None counts nothing.
        retrieved: Called after each search with the question, the hits, and the time in nanoseconds at which the search
            began.
    """
    began = time.perf_counter()
    question = question_of(request, store)
    store = within(request.scope, store, request.documents)
    if question.clarification is not None:
        run = _unclear(question, store)
    else:
        run = yield from _looped(question, request, store, writer, on_invalid, rereader, retrieved)
        if vocabulary is not None:
            vocabulary.add(question, run.discovered)
    result = result_of(request, question, run, writer)
    return replace(result, metrics={**result.metrics, "latency_ms": round((time.perf_counter() - began) * 1000, 3)})


def _unclear(question: Question, store: Store) -> Run:
    """The run of a question that needs clarification: no search, and the decision `clarify`."""
    draft = nothing(question, question.clarification)
    decision = Decision("clarify", "the question could mean many things", message=question.clarification or "")
    signals, continuation = Signals(None), Continuation(None, "nothing was looked for")
    drafted, checked = Drafted(draft, ()), check(draft, store)
    unasked = Pass(1, "asked", question, drafted, checked, continuation, decision, store, signals)
    return Run((unasked,), unasked, decision, signals)


def _looped(
    question: Question,
    request: Request,
    store: Store,
    writer: Writer,
    on_invalid: OnInvalid,
    rereader: Rereader | None,
    retrieved: Retrieved | None,
) -> Flow[Run]:
    """Run passes until an answer is returned, a clarification is needed, or nothing new can be tried.

    The bounds: three passes; the loop also ends when the question and its candidates repeat, when the suggested
    keywords repeat, or when the confidence drops by more than 0.1. The best answer is kept, and the original keywords
    are never dropped.
    """
    passes: list[Pass] = []
    trigger, asked, found, problems = "asked", question, HITS, tuple[str, ...]()
    further: tuple[Hit, ...] = ()
    if request.whole:
        further = tuple(Hit(one, 0.0) for document in store.documents() for one in store.passages(document.name))
    exhausted: str | None = None
    while exhausted is None:
        # Retrieve.
        began = time.time_ns()
        best = retrieve(asked, store, documents=request.documents, k=found)
        if retrieved is not None:
            retrieved(asked, best, began)
        known = {hit.passage.id for hit in best}
        hits = (*best, *(hit for hit in further if hit.passage.id not in known))
        exhausted = nothing_new(passes, trigger, asked, hits)
        if exhausted is not None:
            break
        # Write, check, decide.
        number = len(passes) + 1
        model = request.stronger if wants_stronger(question, number) else None
        drafted = yield from written_by(writer.write(asked, request, hits, store, problems), model)
        drafted = replace(drafted, draft=replace(drafted.draft, policy=request.policy))
        made = _decided(drafted, asked, trigger, number, store, on_invalid)
        if made.decision.kind == "reparse":
            made = _reread(made, rereader or Rereader(), passes)
        passes.append(made)
        if made.decision.kind not in ("refetch", "reparse"):
            break
        # Prepare another pass with what this one found out.
        trigger = made.decision.action or made.decision.kind
        exhausted = stopped(passes, writer)
        asked = with_keywords(asked, made.decision.keywords)
        problems = tuple(problem.message for problem in drafted.problems) if trigger == "retry" else ()
        found = 2 * HITS if trigger == "rephrase" else found
        if made.continuation.strong is False and trigger in ("widen", "keywords"):
            further = (*further, *passages_of_next_page(made.continuation, store))
        if made.reread is not None and made.reread.store is not None:
            store, further = narrowed(made.reread.store, request.scope), ()  # its lines have other numbers
    return ended(passes, exhausted, on_invalid)


def _decided(drafted: Drafted, asked: Question, trigger: str, number: int, store: Store, on_invalid: OnInvalid) -> Pass:
    """The pass of one draft: the checked answer, whether the evidence continues on the next page, and the decision."""
    checked = check(drafted.draft, store)
    continuation = bounded(asked, drafted.draft, checked, store)
    # With `flag`, an invalid answer is returned and marked; but if nothing of it passed the check, that is decided on.
    as_drafted = bool(drafted.problems) and (on_invalid != "flag" or checked.answer.answer_found)
    signals = Signals(continuation.strong, drafted.problems, number, on_invalid, drafted=as_drafted)
    places = drafted.draft.cited
    decision = signals.decide(
        drafted.draft,
        checked.answer,
        store.document(places[0].document) if places and not checked.answer.context_structured else None,
    )
    return Pass(number, trigger, asked, drafted, checked, continuation, decision, store, signals)


def _reread(made: Pass, rereader: Rereader, earlier: Sequence[Pass]) -> Pass:
    """The pass after its cited documents (or the best hit's) were read again, or with the next rule's decision."""
    hits, places = made.drafted.hits, made.drafted.draft.cited
    names = list(dict.fromkeys(place.document for place in places)) or [hit.passage.document for hit in hits[:1]]
    reread = rereader.again(made.store, names, readers_tried(earlier))
    pages = made.decision.pages or tuple(sorted({hit.passage.page for hit in hits if hit.passage.document in names}))
    if reread.store is not None:
        return replace(made, reread=reread, decision=replace(made.decision, pages=pages))
    signals = made.signals.but_readable()
    decision = signals.decide(made.drafted.draft, made.checked.answer)
    told = f"{decision.reason}; the passages looked garbled, but {'; '.join(reread.why) or 'nothing was found'}"
    return replace(made, reread=reread, signals=signals, decision=replace(decision, reason=told, pages=pages))


def without_model(flow: Flow[Result]) -> Result:
    """The result of a flow that makes no model calls; a `ModeError` if it makes one."""
    try:
        next(flow)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    raise ModeError("this mode calls a model, and there is none")


def planned(request: Request, store: Store, writer: Writer) -> Plan:
    """The upper bound of an answer's cost, without a model call; zero if the question must be clarified first."""
    question = question_of(request, store)
    if question.clarification is not None:
        return Plan(0, 0, 0)
    store = within(request.scope, store, request.documents)
    hits = retrieve(question, store, documents=request.documents, k=2 * HITS)
    return writer.plan(question, hits, store)


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """A model call was answered: `done` of the `total` calls of this round so far."""

    purpose: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The next piece of the result's text, after the guard's check."""

    text: str


@dataclass(frozen=True, slots=True)
class CitedText:
    """A citation that proves the text piece before it."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class Answer:
    """The last event, with the complete result."""

    result: Result


EngineEvent: TypeAlias = CallAnswered | CheckedText | CitedText | Answer


def streamed(flow: Flow[Result], model: Model | None, max_concurrency: int) -> Iterator[EngineEvent]:
    """Run the flow of one question and yield its events."""
    if model is None:
        yield from _shown(without_model(flow))
        return
    from spanwise.llm.run import events

    for event in events(flow, model, max_concurrency=max_concurrency):
        yield from _told(event)


async def astreamed(flow: Flow[Result], model: Model | None, max_concurrency: int) -> AsyncGenerator[EngineEvent, None]:
    """`streamed` for async code; without a model the work is done in a thread."""
    import asyncio

    if model is None:
        for event in _shown(await asyncio.to_thread(without_model, flow)):
            yield event
        return
    from spanwise.llm.run import aevents

    async with aclosing(aevents(flow, model, max_concurrency=max_concurrency)) as happening:
        async for happened in happening:
            for event in _told(happened):
                yield event


def _told(event: Event[Result]) -> Iterator[EngineEvent]:
    """The user's events that follow from an event of the run; unchecked text yields none."""
    from spanwise.llm.run import Answered, Finished

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
