"""The loop: find, write, check, decide; again with what was learned, at most three times and never the same twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from spanwise.contract.result import Decision
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.guard.checked import Checked
from spanwise.guard.guard import check
from spanwise.llm.flow import Flow
from spanwise.pipeline.asking import Request, with_keywords
from spanwise.pipeline.basis import Basis
from spanwise.pipeline.bounded import Beyond, bounded
from spanwise.pipeline.proof import cited
from spanwise.pipeline.rereading import Reread, Rereader
from spanwise.pipeline.routes import LAST_ATTEMPT, OnInvalid
from spanwise.pipeline.writers import Drafted, Writer
from spanwise.retrieval.retriever import retrieve
from spanwise.store.port import Store

HITS = 20
"""Passages that are retrieved for one pass."""
CONFIDENCE_DROP = 0.1
"""A pass that is less sure than the one before by more than this ends the loop."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One time around: what was looked for and found, written, checked and decided."""

    number: int
    trigger: str
    question: Question
    drafted: Drafted
    checked: Checked
    beyond: Beyond
    decision: Decision
    store: Store
    """Where it looked; another one than at first once a document was read again."""
    basis: Basis
    reread: Reread | None = None
    """What came of reading garbled documents again, where that was decided."""

    @property
    def confidence(self) -> float:
        """Of what is left of the answer after the check; 0 when nothing is."""
        if not self.checked.answer.answer_found:
            return 0.0
        return self.drafted.draft.relevance if self.checked.confidence is None else self.checked.confidence

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """By which the best pass is kept: found, complete, sure."""
        answer = self.checked.answer
        return (answer.answer_found, answer.complete_answer_found and self.beyond.strong is not False, self.confidence)

    def to_dict(self, before: float) -> dict[str, object]:
        """The record of the pass."""
        again: dict[str, object] = {}
        if self.reread is not None:
            again = {
                "pages": list(self.decision.pages),
                "readers": dict(self.reread.readers),
                "not_read": list(self.reread.why),
            }
        return {
            "iteration_number": self.number,
            "trigger": self.trigger,
            "action_taken": self.decision.action or self.decision.kind,
            "result_summary": self.decision.reason,
            "confidence_before": round(before, 4),
            "confidence_after": round(self.confidence, 4),
            "discovered": list(self.drafted.draft.answer.llm_discovered_keywords),
            **again,
        }


@dataclass(frozen=True, slots=True)
class Looped:
    """All passes, the best of them, and how it ended."""

    passes: tuple[Pass, ...]
    best: Pass
    decision: Decision
    basis: Basis
    """What `decision` was made from."""
    exhausted: str | None = None
    """Why no further pass was made though one was wanted; None when none was."""

    @property
    def discovered(self) -> tuple[str, ...]:
        """Words that the answers of all passes said to look for, each once."""
        words = (word for one in self.passes for word in one.drafted.draft.answer.llm_discovered_keywords)
        return tuple(dict.fromkeys(words))


def looped(
    question: Question,
    request: Request,
    store: Store,
    writer: Writer,
    *,
    on_invalid: OnInvalid = "retry",
    rereader: Rereader | None = None,
) -> Flow[Looped]:
    """Go around until an answer ships, a clarification is needed, or nothing new can be tried.

    Bounds: three passes; the same candidates for the same question again, the same suggested keywords again, or a drop
    of confidence by more than 0.1 end the loop; the best answer is kept, and the original keywords are never dropped.
    """
    passes: list[Pass] = []
    trigger, asked, found, problems = "asked", question, HITS, tuple[str, ...]()
    further: tuple[Hit, ...] = _every(store) if request.whole else ()
    exhausted: str | None = None
    while exhausted is None:
        best = retrieve(asked, store, documents=request.documents, k=found)
        known = {hit.passage.id for hit in best}
        hits = (*best, *(hit for hit in further if hit.passage.id not in known))
        exhausted = _nothing_new(passes, trigger, asked, hits)
        if exhausted is not None:
            break
        drafted = yield from writer.write(asked, request, hits, store, problems)
        drafted = replace(drafted, draft=replace(drafted.draft, policy=request.policy))
        made = _judged(drafted, asked, trigger, len(passes) + 1, store, on_invalid)
        made = _reread(made, rereader or Rereader(), _tried(passes)) if made.decision.kind == "reparse" else made
        passes.append(made)
        if made.decision.kind not in ("refetch", "reparse"):
            break
        trigger = made.decision.action or made.decision.kind
        exhausted = _stopped(passes, writer)
        asked = with_keywords(asked, made.decision.keywords)
        problems = tuple(problem.message for problem in drafted.problems) if trigger == "retry" else ()
        found = 2 * HITS if trigger == "rephrase" else found
        further = (*further, *_next_page(made.beyond, store)) if trigger == "widen" else further
        if made.reread is not None and made.reread.store is not None:
            store, further = made.reread.store, ()  # the lines have other numbers now
    return _looped(passes, exhausted, on_invalid)


def _judged(drafted: Drafted, asked: Question, trigger: str, number: int, store: Store, on_invalid: OnInvalid) -> Pass:
    checked = check(drafted.draft, store)
    beyond = bounded(asked, drafted.draft, checked, store)
    # Flagging ships what is wrong, marked as such, but not nothing at all: then what the check left is decided on.
    as_drafted = bool(drafted.problems) and (on_invalid != "flag" or checked.answer.answer_found)
    basis = Basis(beyond.strong, drafted.problems, number, on_invalid, drafted=as_drafted)
    places = cited(drafted.draft)
    decision = basis.decide(
        drafted.draft,
        checked.answer,
        store.document(places[0].document) if places and not checked.answer.context_structured else None,
    )
    return Pass(number, trigger, asked, drafted, checked, beyond, decision, store, basis)


def _reread(made: Pass, rereader: Rereader, tried: Mapping[str, Sequence[str]]) -> Pass:
    """The pass with the documents read again that it cites, or else the best hit's; the next rule where none can be."""
    hits, places = made.drafted.hits, cited(made.drafted.draft)
    names = list(dict.fromkeys(place.document for place in places)) or [hit.passage.document for hit in hits[:1]]
    reread = rereader.again(made.store, names, tried)
    pages = made.decision.pages or tuple(sorted({hit.passage.page for hit in hits if hit.passage.document in names}))
    if reread.store is not None:
        return replace(made, reread=reread, decision=replace(made.decision, pages=pages))
    basis = made.basis.but_readable()
    decision = basis.decide(made.drafted.draft, made.checked.answer)
    told = f"{decision.reason}; the passages looked garbled, but {'; '.join(reread.why) or 'nothing was found'}"
    return replace(made, reread=reread, basis=basis, decision=replace(decision, reason=told, pages=pages))


def _tried(passes: Sequence[Pass]) -> dict[str, list[str]]:
    """The readers that documents were read with before they were read again."""
    tried: dict[str, list[str]] = {}
    for one in passes:
        for name in one.reread.readers if one.reread is not None else ():
            tried.setdefault(name, []).append(one.store.stored(name).format)
    return tried


def _nothing_new(passes: Sequence[Pass], trigger: str, asked: Question, hits: Sequence[Hit]) -> str | None:
    """Why another pass would be the same as an earlier one; other words, a retry and another reading never are."""
    if not passes or trigger in ("rephrase", "retry", "reparse"):
        return None
    candidates = {hit.passage.id for hit in hits}
    for earlier in passes:
        if earlier.question == asked and {hit.passage.id for hit in earlier.drafted.hits} >= candidates:
            return "the same candidates were found again"
    return None


def _stopped(passes: Sequence[Pass], writer: Writer) -> str | None:
    """Why no further pass is worth it."""
    last = passes[-1]
    if writer.model is None and last.decision.action == "rephrase":
        return "without a model there is no other wording to try"
    suggested = {word.casefold() for word in last.decision.keywords}
    for earlier in passes[:-1]:
        if suggested and suggested == {word.casefold() for word in earlier.decision.keywords}:
            return "the same keywords were suggested again"
    if len(passes) > 1 and passes[-2].confidence - last.confidence > CONFIDENCE_DROP:
        return "the answer became less sure"
    return None


def _looped(passes: Sequence[Pass], exhausted: str | None, on_invalid: OnInvalid) -> Looped:
    last = passes[-1]
    if last.decision.kind in ("ship", "clarify"):
        exhausted = exhausted or ("three passes were made" if last.decision.action == "exhausted" else None)
        return Looped(tuple(passes), last, last.decision, last.basis, exhausted)
    best = max(passes, key=lambda one: (one.rank, -one.number))
    # What the check left of an invalid answer holds, so it ships, marked for review; unless that is what is refused.
    kept = best.checked.answer.answer_found and on_invalid != "reject"
    basis = Basis(best.beyond.strong, best.drafted.problems, LAST_ATTEMPT, "flag" if kept else on_invalid)
    decision = basis.decide(best.drafted.draft, best.checked.answer)
    return Looped(tuple(passes), best, decision, basis, exhausted)


def _every(store: Store) -> tuple[Hit, ...]:
    """All passages of all documents."""
    return tuple(Hit(one, 0.0) for document in store.documents() for one in store.passages(document.name))


def _next_page(beyond: Beyond, store: Store) -> tuple[Hit, ...]:
    """The passages of the page on which the text goes on."""
    if beyond.document is None or not beyond.lines:
        return ()
    first, last = beyond.lines[0].number, beyond.lines[-1].number
    return tuple(Hit(passage, 0.0, {"next_page": 1.0}) for passage in store.passages(beyond.document, first, last))
