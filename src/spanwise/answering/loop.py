"""The passes over a question: which model writes each, whether another one is worthwhile, and which is the best.

Between two passes, garbled documents can be read again with another reader; the new reading then replaces the stored
one.

A stronger model costs more and takes longer, and most questions ask for a single value stated in one place. It
therefore writes only if the question asks for more, or if a pass of the usual model was not enough.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Protocol

from spanwise.answering.decision import LAST_ATTEMPT, OnInvalid, Signals
from spanwise.answering.next_page import Continuation
from spanwise.answering.request import Request
from spanwise.contract.result import Decision, Draft
from spanwise.contract.validation.problems import Problem
from spanwise.domain.document import Document
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import SpanwiseError
from spanwise.guard.drafts.checked import Checked
from spanwise.ingest.corpus import Corpus
from spanwise.llm.flow import Flow
from spanwise.llm.port import Usage
from spanwise.readers.reading import read
from spanwise.readers.registry import UnknownReaderError, available_readers
from spanwise.store.port import Store, StoredDocument, StoreView
from spanwise.synthesis.response import Plan


@dataclass(frozen=True, slots=True)
class Drafted:
    """An unchecked draft, with its evidence and the model calls that wrote it."""

    draft: Draft
    hits: tuple[Hit, ...]
    """The evidence of the draft: the hits of the question, and those of its parts where they were searched for
    separately."""
    problems: tuple[Problem, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[Mapping[str, object], ...] = ()
    """Each model call with its reply, in the form in which a trace records it."""
    meta: Mapping[str, object] = field(default_factory=dict)


class Writer(Protocol):
    """Turns hits into a draft: extractive, or by a model in some mode."""

    @property
    def name(self) -> str:
        """The name of the mode."""

    @property
    def model(self) -> str | None:
        """The name of the model; None if none is called."""

    @property
    def strategy(self) -> str | None:
        """How passages are sent to the model; None if the mode has no such choice."""

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Draft an answer; `problems` are the messages about the previous draft, empty at first."""

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """The upper bound of the cost of all passes together."""


HITS = 20
"""Number of passages that are retrieved for one pass."""
CONFIDENCE_DROP = 0.1
"""Largest drop of confidence from one pass to the next; a larger one ends the loop."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: the question with its keywords, what was found, written and checked, and the decision."""

    number: int
    trigger: str
    question: Question
    drafted: Drafted
    checked: Checked
    continuation: Continuation
    decision: Decision
    store: Store
    """The store that was searched; it differs from the first one after a document was read again."""
    signals: Signals
    reread: Reread | None = None
    """The outcome of reading garbled documents again; None if that was not decided."""

    @property
    def confidence(self) -> float:
        """The confidence in the checked answer, in [0, 1]; 0 if nothing of it passed the check."""
        if not self.checked.answer.answer_found:
            return 0.0
        return self.drafted.draft.relevance if self.checked.confidence is None else self.checked.confidence

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """The sort key by which the best pass is chosen: found, then complete, then confidence."""
        answer = self.checked.answer
        return (
            answer.answer_found,
            answer.complete_answer_found and self.continuation.strong is not False,
            self.confidence,
        )

    def to_dict(self, before: float) -> dict[str, object]:
        """The record of the pass for the trace; `before` is the confidence of the previous pass."""
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
class Run:
    """All passes, the best of them, and the final decision."""

    passes: tuple[Pass, ...]
    best: Pass
    decision: Decision
    signals: Signals
    """The signals on which `decision` was based."""
    exhausted: str | None = None
    """The reason why no further pass was made although one was wanted; None if none was wanted."""

    @property
    def discovered(self) -> tuple[str, ...]:
        """The keywords that the answers of all passes suggested, without duplicates."""
        words = (word for one in self.passes for word in one.drafted.draft.answer.llm_discovered_keywords)
        return tuple(dict.fromkeys(words))


def readers_tried(passes: Sequence[Pass]) -> dict[str, list[str]]:
    """For each document that was read again, the readers that had read it before."""
    tried: dict[str, list[str]] = {}
    for one in passes:
        for name in one.reread.readers if one.reread is not None else ():
            tried.setdefault(name, []).append(one.store.stored(name).format)
    return tried


def nothing_new(passes: Sequence[Pass], trigger: str, asked: Question, hits: Sequence[Hit]) -> str | None:
    """The reason why another pass would repeat an earlier one, else None; rewording, retry and rereading never do."""
    if not passes or trigger in ("rephrase", "retry", "reparse"):
        return None
    candidates = {hit.passage.id for hit in hits}
    for earlier in passes:
        if earlier.question == asked and {hit.passage.id for hit in earlier.drafted.hits} >= candidates:
            return "the same candidates were found again"
    return None


def stopped(passes: Sequence[Pass], writer: Writer) -> str | None:
    """The reason why a further pass is not worthwhile; None if it is."""
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


def ended(passes: Sequence[Pass], exhausted: str | None, on_invalid: OnInvalid) -> Run:
    """The run of these passes: the last pass if it shipped or asked back, else the best one with a final decision."""
    last = passes[-1]
    if last.decision.kind in ("ship", "clarify"):
        exhausted = exhausted or ("three passes were made" if last.decision.action == "exhausted" else None)
        return Run(tuple(passes), last, last.decision, last.signals, exhausted)
    best = max(passes, key=lambda one: (one.rank, -one.number))
    # What the check kept of an invalid answer is proved, so it is returned, marked for review, unless `reject` forbids
    # that.
    kept = best.checked.answer.answer_found and on_invalid != "reject"
    signals = Signals(best.continuation.strong, best.drafted.problems, LAST_ATTEMPT, "flag" if kept else on_invalid)
    decision = signals.decide(best.drafted.draft, best.checked.answer)
    return Run(tuple(passes), best, decision, signals, exhausted)


def passages_of_next_page(continuation: Continuation, store: Store) -> tuple[Hit, ...]:
    """The passages with the lines in which the text continues on the next page, as hits with score 0."""
    if continuation.document is None or not continuation.lines:
        return ()
    first, last = continuation.lines[0].number, continuation.lines[-1].number
    return tuple(
        Hit(passage, 0.0, {"next_page": 1.0}) for passage in store.passages(continuation.document, first, last)
    )


@dataclass(frozen=True, slots=True)
class Rereader:
    """Reads documents again with another reader."""

    reader: str | None = None
    """Name of the reader; by default one for files of that format that has not read the document yet."""
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check that the named reader exists."""
        if self.reader is not None and self.reader not in (known := [info.name for info in available_readers()]):
            raise UnknownReaderError(
                f"There is no reader {self.reader!r} to read again with; there are {', '.join(known)}."
            )

    def again(self, store: Store, names: Sequence[str], tried: Mapping[str, Collection[str]]) -> Reread:
        """Read the documents again from their files, and report those for which that failed."""
        documents: list[Document] = []
        readers: dict[str, str] = {}
        why: list[str] = []
        for name in names:
            stored = store.stored(name)
            reader = self._other(stored, {stored.format, *tried.get(name, ())})
            if stored.source is None or reader is None:
                why.append(f"no other reader takes {name}" if stored.source else f"{name} did not come from a file")
                continue
            try:
                document = read(stored.source.path, name=name, password=self.password, reader=reader)
            except (SpanwiseError, ImportError) as error:
                why.append(f"the reader {reader} failed: {error}")
                continue
            if document.id != stored.id:
                why.append(f"the file of {name} is another one by now")
                continue
            documents.append(replace(document, name=name))
            readers[name] = reader
        return Reread(Overlaid(store, documents) if documents else None, readers, tuple(why))

    def _other(self, stored: StoredDocument, tried: Collection[str]) -> str | None:
        if self.reader is not None:
            return None if self.reader in tried else self.reader
        known = available_readers()
        suffix = PurePath(stored.source.path if stored.source else stored.name).suffix.lower()
        kinds = {kind for info in known if info.name == stored.format for kind in info.mime}
        fitting = [info for info in known if suffix in info.suffixes or kinds & set(info.mime)]
        return next((info.name for info in reversed(fitting) if info.name not in tried), None)


@dataclass(frozen=True, slots=True)
class Reread:
    """The outcome of reading documents again."""

    store: Store | None
    """The store with the documents as newly read; None if none of them could be read again."""
    readers: Mapping[str, str]
    """Name of the new reader for each document that was read again."""
    why: tuple[str, ...] = ()
    """The reasons why other documents could not be read again."""


class Overlaid(StoreView):
    """A store in which some documents replace those of the same name in another store."""

    def __init__(self, below: Store, documents: Sequence[Document]) -> None:
        """Let `documents` replace those of the same name in `below`."""
        super().__init__(below)
        self._above = Corpus.of(documents)
        weakref.finalize(self, self._above.close)  # nothing else refers to this corpus
        self._sources = {document.name: below.stored(document.name).source for document in documents}

    def documents(self) -> tuple[StoredDocument, ...]:
        """Metadata of all documents, ordered by name."""
        return tuple(self.stored(one.name) for one in self._store.documents())

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document; a document that was read again keeps its source file."""
        if name not in self._sources:
            return self._store.stored(name)
        return replace(self._above.stored(name), source=self._sources[name])

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` best passages: first those of the reread documents, where the answer is expected to be."""
        wanted = [one.name for one in self.documents()] if documents is None else list(documents)
        above = [name for name in wanted if name in self._sources]
        below = [name for name in wanted if name not in self._sources]
        hits = self._above.search(query, k, above) if above else []
        return [*hits, *(self._store.search(query, k - len(hits), below) if below and len(hits) < k else [])]

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word if a passage contains it, otherwise the commonest stems with the same beginning."""
        return {**self._store.similar_terms(word), **self._above.similar_terms(word)}

    def _of(self, name: str) -> Store:
        return self._above if name in self._sources else self._store


def wants_stronger(question: Question, number: int = 1) -> str | None:
    """The reason why the stronger model writes pass `number` (from 1); None if the usual model suffices."""
    if number > 1:
        return "the first pass was not enough"
    if question.pattern != "single":
        return f"the question is {question.pattern}"
    if question.answer_shape != "single":
        return f"the answer is a {question.answer_shape.replace('_', ' ')}"
    return None


def written_by(flow: Flow[Drafted], model: str | None) -> Flow[Drafted]:
    """The flow of a writer with its calls directed to another model of the provider; None leaves them unchanged."""
    replies = None
    try:
        while True:
            calls = next(flow) if replies is None else flow.send(replies)
            replies = yield [call if model is None or call.model else replace(call, model=model) for call in calls]
    except StopIteration as stop:
        drafted: Drafted = stop.value
        return drafted
