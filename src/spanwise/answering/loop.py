"""The passes of a question: which model writes each, when another one is worth it, and which is the best.

Between two passes garbled documents are read again with another reader; the new reading stands in for the stored one.
A stronger model costs more and takes longer, and most questions ask for one value that stands in one place: it writes
only where the words of the question ask for more, and where a pass of the usual one was not enough.
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
    """An unchecked draft, and how it was written."""

    draft: Draft
    hits: tuple[Hit, ...]
    """The evidence of the draft: the hits that were found, and more where parts of the question found others."""
    problems: tuple[Problem, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[Mapping[str, object], ...] = ()
    """Each call to a model with its reply, as a trace records it."""
    meta: Mapping[str, object] = field(default_factory=dict)


class Writer(Protocol):
    """Turns hits into a draft."""

    @property
    def name(self) -> str:
        """The mode."""

    @property
    def model(self) -> str | None:
        """Name of the model; None where none is called."""

    @property
    def strategy(self) -> str | None:
        """Strategy of sending passages to a model; None where the mode has none."""

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Draft an answer; `problems` says what was wrong with the last one."""

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """Upper bound of the cost of all passes together."""


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
    continuation: Continuation
    decision: Decision
    store: Store
    """The store that was searched; another one than at first once a document was read again."""
    signals: Signals
    reread: Reread | None = None
    """Outcome of reading garbled documents again, where that was decided."""

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
        return (
            answer.answer_found,
            answer.complete_answer_found and self.continuation.strong is not False,
            self.confidence,
        )

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
class Run:
    """All passes, the best of them, and how it ended."""

    passes: tuple[Pass, ...]
    best: Pass
    decision: Decision
    signals: Signals
    """The signals of `decision`."""
    exhausted: str | None = None
    """Reason why no further pass was made though one was wanted; None when none was."""

    @property
    def discovered(self) -> tuple[str, ...]:
        """Words that the answers of all passes said to look for, each once."""
        words = (word for one in self.passes for word in one.drafted.draft.answer.llm_discovered_keywords)
        return tuple(dict.fromkeys(words))


def readers_tried(passes: Sequence[Pass]) -> dict[str, list[str]]:
    """The readers that documents were read with before they were read again."""
    tried: dict[str, list[str]] = {}
    for one in passes:
        for name in one.reread.readers if one.reread is not None else ():
            tried.setdefault(name, []).append(one.store.stored(name).format)
    return tried


def nothing_new(passes: Sequence[Pass], trigger: str, asked: Question, hits: Sequence[Hit]) -> str | None:
    """Reason why another pass would repeat an earlier one; other words, a retry and another reading never do."""
    if not passes or trigger in ("rephrase", "retry", "reparse"):
        return None
    candidates = {hit.passage.id for hit in hits}
    for earlier in passes:
        if earlier.question == asked and {hit.passage.id for hit in earlier.drafted.hits} >= candidates:
            return "the same candidates were found again"
    return None


def stopped(passes: Sequence[Pass], writer: Writer) -> str | None:
    """Reason why no further pass is worth it; None while one is."""
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
    """The run that these passes make: the last where it shipped or asked, else the best, decided for the last time."""
    last = passes[-1]
    if last.decision.kind in ("ship", "clarify"):
        exhausted = exhausted or ("three passes were made" if last.decision.action == "exhausted" else None)
        return Run(tuple(passes), last, last.decision, last.signals, exhausted)
    best = max(passes, key=lambda one: (one.rank, -one.number))
    # What the check left of an invalid answer holds, so it ships, marked for review; unless that is what is refused.
    kept = best.checked.answer.answer_found and on_invalid != "reject"
    signals = Signals(best.continuation.strong, best.drafted.problems, LAST_ATTEMPT, "flag" if kept else on_invalid)
    decision = signals.decide(best.drafted.draft, best.checked.answer)
    return Run(tuple(passes), best, decision, signals, exhausted)


def passages_of_next_page(continuation: Continuation, store: Store) -> tuple[Hit, ...]:
    """The passages of the page on which the text goes on."""
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
    """Name of the reader; by default one that takes files of that kind and did not make the document."""
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the name."""
        if self.reader is not None and self.reader not in (known := [info.name for info in available_readers()]):
            raise UnknownReaderError(
                f"There is no reader {self.reader!r} to read again with; there are {', '.join(known)}."
            )

    def again(self, store: Store, names: Sequence[str], tried: Mapping[str, Collection[str]]) -> Reread:
        """Read documents once more."""
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
    """The outcome of reading again."""

    store: Store | None
    """The store with the documents as they were read now; None where none of them could be."""
    readers: Mapping[str, str]
    """For each document that was read again, the name of the reader."""
    why: tuple[str, ...] = ()
    """Reasons why others were not."""


class Overlaid(StoreView):
    """A store in which some documents stand in for those of the same name in another one; it is a `Store`."""

    def __init__(self, below: Store, documents: Sequence[Document]) -> None:
        """Put `documents` over those of `below`."""
        super().__init__(below)
        self._above = Corpus.of(documents)
        weakref.finalize(self, self._above.close)  # nobody else knows of it
        self._sources = {document.name: below.stored(document.name).source for document in documents}

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return tuple(self.stored(one.name) for one in self._store.documents())

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document; the file of one that was read again is the same."""
        if name not in self._sources:
            return self._store.stored(name)
        return replace(self._above.stored(name), source=self._sources[name])

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match best: of what was read again first, since the answer was found to be there."""
        wanted = [one.name for one in self.documents()] if documents is None else list(documents)
        above = [name for name in wanted if name in self._sources]
        below = [name for name in wanted if name not in self._sources]
        hits = self._above.search(query, k, above) if above else []
        return [*hits, *(self._store.search(query, k - len(hits), below) if below and len(hits) < k else [])]

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word where a passage has it, otherwise the commonest that begin like it."""
        return {**self._store.similar_terms(word), **self._above.similar_terms(word)}

    def _of(self, name: str) -> Store:
        return self._above if name in self._sources else self._store


def wants_stronger(question: Question, number: int = 1) -> str | None:
    """Reason why the stronger model writes a pass, counted from 1; None where the usual one will do."""
    if number > 1:
        return "the first pass was not enough"
    if question.pattern != "single":
        return f"the question is {question.pattern}"
    if question.answer_shape != "single":
        return f"the answer is a {question.answer_shape.replace('_', ' ')}"
    return None


def written_by(flow: Flow[Drafted], model: str | None) -> Flow[Drafted]:
    """The flow of a writer with its calls sent to another model of the provider; None leaves them as they are."""
    replies = None
    try:
        while True:
            calls = next(flow) if replies is None else flow.send(replies)
            replies = yield [call if model is None or call.model else replace(call, model=model) for call in calls]
    except StopIteration as stop:
        drafted: Drafted = stop.value
        return drafted
