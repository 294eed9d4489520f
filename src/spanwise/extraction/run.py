"""The run of an extraction: every field is asked of every document, and rows are written in the order of documents.

The fields of a document are divided into tasks. A task is answered by `answer`, in this process or by the workers of an
executor; `filled` skips what the sink already has, and divides a budget between the tasks.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

from spanwise.engine import BY_NOBODY, NO_SEARCH, Engine, Search, Written
from spanwise.errors import (
    BudgetError,
    CorpusError,
    DatabaseDownError,
    DocumentNotFoundError,
    InputError,
    SpanwiseError,
    StorageError,
)
from spanwise.executors import Client, Died, mapped, pool_of
from spanwise.extraction.fields import Field, fields_of_class
from spanwise.extraction.sinks import Sink
from spanwise.extraction.value_rows import DIED, FAILED, FieldKey, Row, keys_of, nothing, rows_of
from spanwise.ingest.corpus import Corpus, opened_here
from spanwise.ingest.ingest import Failure
from spanwise.llm.middleware.limits import Budget, Limits
from spanwise.llm.port import Model, Usage
from spanwise.store.address import is_address

if TYPE_CHECKING:
    from spanwise.retrieval.hybrid import Hybrid

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of documents done, their total, and the name of the one whose rows were just written."""

_FIELDS_A_TASK = 16
"""Number of questions that are asked and written together, and may be lost when a run is killed."""
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds to wait between attempts to reach a database that is being restarted."""
_EMBEDDING_SECONDS = 86_400.0
"""Most seconds that a worker waits for another one that is embedding; without vectors, its rows would differ."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The settings of the workers; picklable, and each worker creates the corpus and the models from them once."""

    corpus: str
    profile: str | None = None
    registered: str | None = None
    """The class that the fields come from, which each worker has to register."""
    written: Written = BY_NOBODY
    requests_per_minute: float | None = None
    """Most model calls per minute of one worker."""
    budgeted: bool = False
    """Whether model calls are limited by the `budget_usd` of a task."""
    search: Search = NO_SEARCH


@dataclass(frozen=True, slots=True)
class Task:
    """Fields to ask one document for, or to ask of several documents together."""

    document: str
    """Name of the document; empty if `among` are asked together."""
    document_id: str
    fields: tuple[Field, ...]
    among: tuple[str, ...] | None = None
    """Names of the documents that are asked together; None for all."""
    budget_usd: float | None = None
    """The most that the model calls of the task may cost."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The rows of a task, the cost of its model calls, and the fields that its budget did not suffice for."""

    rows: tuple[Row, ...]
    cost_usd: float = 0.0
    unasked: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """The counts of a run: written rows with and without a value, and fields whose rows the sink already had."""

    found: int
    not_found: int
    resumed: int
    unreadable: int = 0
    failed: int = 0
    """Rows of fields that met an error or killed their worker; their decision says which."""
    unasked: int = 0
    """Fields that were not asked because the budget was too small."""
    cost_usd: float = 0.0


def extract(
    fields: Sequence[Field],
    corpus: str | os.PathLike[str] | Corpus,
    sink: Sink,
    *,
    documents: Sequence[str] | None = None,
    failures: Sequence[Failure] = (),
    profile: str | None = None,
    registered: str | None = None,
    workers: int = 1,
    client: Client | None = None,
    progress: Progress | None = None,
    search: Search | Hybrid | None = NO_SEARCH,
) -> Extracted:
    """Extract every field from every document of a corpus; what the sink already has is not asked again.

    Args:
        fields: The fields to extract.
        corpus: The file or URL of the corpus; or an open corpus, which this process then asks without workers.
        sink: Where rows are written, a few fields of one document at a time, so that an interrupted run can be resumed.
        documents: Names of the documents; all by default.
        failures: Files that could not be read; each gets a row that says so for every field.
        profile: What kind of documents these are (see `Engine`).
        registered: The class that the fields come from, which every worker registers.
        workers: Number of processes, for a corpus given by its place; with more than one, the caller's script needs a
            `__main__` guard.
        client: The executor to use instead of own processes (see `spanwise.executors.Client`).
        progress: Called after each task.
        search: Embedder and reranker for the search; a `Hybrid` requires an open corpus.
    """
    with _opened(corpus) as opened:
        chosen = opened.documents() if documents is None else [opened.stored(name) for name in documents]
    unreadable = [_unreadable(failure, fields) for failure in failures]
    tasks = [Task(one.name, one.id, tuple(fields)) for one in chosen]
    here = corpus if isinstance(corpus, Corpus) and client is None else None
    place = "" if here is not None else place_of(corpus)
    named, hybrid = (search, search.hybrid()) if isinstance(search, Search) else (NO_SEARCH, search)
    asking = Asking(place, profile, registered, search=named)
    tally = Tally()
    with ExitStack() as stack:
        if here is None and workers <= 1 and client is None:
            here = stack.enter_context(_opened(corpus))
        for tally in filled(
            tasks, sink, asking, here=here, hybrid=hybrid, workers=workers, client=client, already=unreadable
        ):
            if progress is not None and tally.name:
                progress(tally.tasks_done, tally.tasks, tally.name)
    return replace(tally.outcome(), unreadable=len(unreadable))


@dataclass(slots=True)
class Tally:
    """The progress of a run."""

    total: int = 0
    """Fields to be asked in this run, without those resumed."""
    resumed: int = 0
    tasks: int = 0
    tasks_done: int = 0
    done: int = 0
    found: int = 0
    not_found: int = 0
    failed: int = 0
    unasked: int = 0
    cost_usd: float = 0.0
    name: str = ""
    """The document whose rows were just written, or the question that was asked of several together."""

    def outcome(self) -> Extracted:
        """The final counts of the run."""
        return Extracted(
            self.found,
            self.not_found,
            self.resumed,
            failed=self.failed,
            unasked=self.unasked,
            cost_usd=round(self.cost_usd, 6),
        )

    def add(self, task: Task, answered: Answered) -> None:
        """Count the outcome of a task."""
        self.tasks_done += 1
        self.done += len(task.fields)
        self.found += sum(row.found for row in answered.rows)
        self.failed += sum(row.decision in {FAILED, DIED} for row in answered.rows)
        self.not_found += sum(not row.found and row.decision not in {FAILED, DIED} for row in answered.rows)
        self.unasked += len(answered.unasked)
        self.cost_usd += answered.cost_usd
        self.name = task.document or "".join(field.question for field in task.fields[:1])


def filled(
    tasks: Sequence[Task],
    sink: Sink,
    asking: Asking,
    *,
    here: Corpus | None = None,
    hybrid: Hybrid | None = None,
    workers: int = 1,
    client: Client | None = None,
    already: Sequence[Sequence[Row]] = (),
    budget_usd: float | None = None,
) -> Iterator[Tally]:
    """Write the rows of all tasks except those that the sink has; yield the progress before and after each task.

    Args:
        tasks: The tasks, in the order in which their rows are to be written.
        sink: Where rows are written.
        asking: The settings of the workers.
        here: An open corpus, which this process asks without workers.
        hybrid: The embedder and reranker for `here`.
        workers: Number of processes.
        client: The executor to use instead of them.
        already: Groups of rows that are known without asking.
        budget_usd: The most that the model calls of this run may cost; a part of it is reserved for each running task.
    """
    held = sink.held()
    wanted = keys_of(row for rows in already for row in rows)
    same: dict[int, FieldKey] = {}  # tasks share fields, so there are few different keys
    left: list[Task] = []
    tally = Tally()
    for task in tasks:
        version = task.document, task.document_id
        fields = {same.get(id(one)) or same.setdefault(id(one), _asked(one)): one for one in task.fields}
        wanted.setdefault(version, set()).update(fields)
        there = held.get(version, frozenset())
        if missing := [field for key, field in fields.items() if key not in there]:
            left += _parts(task, missing)
        tally.total += len(missing)
        tally.resumed += len(fields) - len(missing)
    tally.tasks = len(left)
    sink.keep(wanted)
    del wanted, held
    for rows in already:
        known = sink.held()
        if any(some - known.get(version, frozenset()) for version, some in keys_of(rows).items()):
            sink.write(rows)
    yield tally
    for task, answered in _answers(left, asking, here, hybrid, workers, client, budget_usd):
        if answered.rows:
            sink.write(answered.rows)
        tally.add(task, answered)
        yield tally


def _parts(task: Task, fields: Sequence[Field]) -> Iterator[Task]:
    for start in range(0, len(fields), _FIELDS_A_TASK):
        yield replace(task, fields=tuple(fields[start : start + _FIELDS_A_TASK]))


def _answers(
    tasks: Sequence[Task],
    asking: Asking,
    here: Corpus | None,
    hybrid: Hybrid | None,
    workers: int,
    client: Client | None,
    budget_usd: float | None,
) -> Iterator[tuple[Task, Answered]]:
    if here is not None:
        for task in tasks:
            yield task, answer_from(here, asking, task, hybrid)
        return
    with pool_of(client, workers) as pool:
        if asking.requests_per_minute is not None:
            pool.start()
            asking = replace(asking, requests_per_minute=asking.requests_per_minute / pool.size())
        while tasks:
            funded = _Funded(tasks, budget_usd, 2 * pool.size())
            again: list[Task] = []
            for task, outcome in zip(tasks, mapped(partial(answer, asking), funded, pool), strict=True):
                answered = _died(task, outcome.message) if isinstance(outcome, Died) else outcome
                funded.settle(answered, died=isinstance(outcome, Died))
                if answered.unasked:
                    again.append(replace(task, fields=answered.unasked))
                done = tuple(one for one in task.fields if one not in answered.unasked)
                yield replace(task, fields=done), replace(answered, unasked=())
            if sum(len(task.fields) for task in again) == sum(len(task.fields) for task in tasks):
                yield from ((task, Answered((), unasked=task.fields)) for task in again)
                return
            # Their reserved parts were too small while other tasks were running; more may be left now.
            tasks, budget_usd = again, funded.left


class _Funded(Sequence[Task]):
    """The tasks as a sequence that reserves a part of the remaining budget for each task when it is fetched."""

    def __init__(self, tasks: Sequence[Task], budget_usd: float | None, parts: int) -> None:
        self._tasks = tasks
        self._parts = parts
        self._set_aside: dict[int, float] = {}
        self._settled = 0
        self.left = budget_usd

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, at: int) -> Task:  # type: ignore[override]  # slices are never used
        task = self._tasks[at]
        if self.left is None:
            return task
        if at not in self._set_aside:
            self._set_aside[at] = self.left / self._parts
            self.left -= self._set_aside[at]
        return replace(task, budget_usd=self._set_aside[at])

    def settle(self, answered: Answered, *, died: bool) -> None:
        """Release what a task did not spend; for a task that died its whole part counts as spent."""
        given = self._set_aside.pop(self._settled, 0.0)
        self._settled += 1
        if self.left is not None and not died:
            self.left += given - answered.cost_usd


def answer(asking: Asking, task: Task) -> Answered:
    """The rows of one task; depends only on the task and the corpus, so any executor can run it.

    Raises:
        CorpusError, StorageError: The corpus cannot be opened or read where this runs.
        ModelError: The embedder failed.
    """
    hybrid = _hybrid_here(asking.corpus, asking.search)
    if asking.registered is not None:
        fields_of_class(asking.registered)
    for pause in _PAUSES:
        try:
            return answer_from(opened_here(asking.corpus), asking, task, hybrid)
        except DatabaseDownError:
            time.sleep(pause)
    return answer_from(opened_here(asking.corpus), asking, task, hybrid)


@cache
def _hybrid_here(_corpus: str, search: Search) -> Hybrid | None:
    """The embedder and reranker for a corpus, created once per process."""
    return search.hybrid()


def answer_from(corpus: Corpus, asking: Asking, task: Task, hybrid: Hybrid | None = None) -> Answered:
    """`answer` for an open corpus; the rows belong to the version that the document has at this moment."""
    rows: list[Row] = []
    unasked: list[Field] = []
    with corpus.snapshot() as now:
        names, version = task.among, task.document_id
        if task.document:
            try:
                names, version = (task.document,), now.stored(task.document).id
            except DocumentNotFoundError:
                gone = "the document was removed before its turn came" if version else "there is no such document"
                # Without a version, so that the next run asks again, in case the document is back or only this worker
                # lacks it.
                nowhere = replace(task, document_id="")
                return Answered(tuple(_nothing(nowhere, one, "removed", gone) for one in task.fields))
        if hybrid is not None:
            hybrid.follow(now, wait=_EMBEDDING_SECONDS)
        model, budget = _model_of(asking)
        if budget is not None:
            budget.cost_usd = (budget.spent.cost_usd or 0.0) + (task.budget_usd or 0.0)
        before = budget.spent.cost_usd or 0.0 if budget is not None else 0.0
        engine = Engine(now, model=model, mode=asking.written.mode, profile=asking.profile, embedder=hybrid)
        for one in task.fields:
            if budget is not None:
                budget.refused = False
            made = _rows(engine, task, one, names, version)
            if budget is not None and budget.refused:
                unasked.append(one)
            else:
                rows += made
    told = sum(row.cost_usd or 0.0 for row in rows)
    cost = told if budget is None else (budget.spent.cost_usd or 0.0) - before
    return Answered(tuple(rows), cost, tuple(unasked))


def _rows(engine: Engine, task: Task, field: Field, names: tuple[str, ...] | None, version: str) -> list[Row]:
    try:
        result = engine.ask(field.question, documents=names, type=field.type, shape=field.shape)
    except (CorpusError, StorageError):
        raise
    except SpanwiseError as error:
        return [_nothing(task, field, FAILED, str(error))]
    except Exception as error:  # noqa: BLE001  # an error of one question must not end the batch
        return [_nothing(task, field, FAILED, f"{type(error).__name__}: {error}")]
    return rows_of(result, field, task.document, version)


class _Share(Budget):
    """A part of the budget that remembers whether it was too small for a call."""

    refused = False

    def reserve(self, usage: Usage) -> None:
        """Reserve the highest cost of a call; a `BudgetError` if the budget is too small."""
        try:
            super().reserve(usage)
        except BudgetError:
            self.refused = True
            raise


@dataclass(slots=True)
class _Models(threading.local):
    """The models of one thread by settings, since each worker has its own share of rate and budget."""

    known: dict[Asking, tuple[Model | None, _Share | None]] = field(default_factory=dict)


_MODELS = _Models()


def _model_of(asking: Asking) -> tuple[Model | None, _Share | None]:
    if asking not in _MODELS.known:
        rate = asking.requests_per_minute
        limits = None if rate is None else Limits(requests_per_minute=rate)
        budget = _Share() if asking.budgeted else None
        _MODELS.known[asking] = asking.written.chosen(limits=limits, budget=budget), budget
    return _MODELS.known[asking]


def place_of(corpus: str | os.PathLike[str] | Corpus) -> str:
    """The path or URL with which another process opens a corpus; an error for a corpus in memory."""
    place = corpus.place if isinstance(corpus, Corpus) else os.fspath(corpus)
    if place is None:
        raise InputError("a corpus in memory cannot be asked by other processes: keep it in a file or a database")
    return place if is_address(place) else os.path.abspath(place)


def state_of(corpus: Corpus, among: Collection[str] | None) -> str:
    """A hash of the versions of some documents, which changes if any of them does."""
    known = sorted((one.name, one.id) for one in corpus.documents() if among is None or one.name in among)
    return hashlib.sha256(repr(known).encode("utf-8", "surrogatepass")).hexdigest()


def _opened(corpus: str | os.PathLike[str] | Corpus) -> AbstractContextManager[Corpus]:
    return nullcontext(corpus) if isinstance(corpus, Corpus) else Corpus.open(corpus, create=False)


def _died(task: Task, message: str) -> Answered:
    return Answered(tuple(_nothing(task, one, DIED, message) for one in task.fields))


def _nothing(task: Task, field: Field, decision: str, reason: str) -> Row:
    return nothing(field, task.document, task.document_id, decision=decision, reason=reason)


def _unreadable(failure: Failure, fields: Sequence[Field]) -> list[Row]:
    name = os.path.basename(failure.path)
    return [nothing(one, name, "", decision="unreadable", reason=failure.message) for one in fields]


def _asked(field: Field) -> FieldKey:
    return field.name, field.question, field.type or "", field.shape or ""
