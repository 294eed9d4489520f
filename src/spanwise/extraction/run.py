"""Asks every field of every document, here or on any executor, and writes the rows in the order of the documents."""

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
"""Called with the number of documents done, that of all, and the name of the one that was just written."""

_FIELDS_A_TASK = 16
"""Questions that are asked and written together: what a kill can cost."""
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between attempts to reach a database that is being started anew."""
_EMBEDDING_SECONDS = 86_400.0
"""Seconds for which a worker waits while another one embeds: the rows shall not depend on who was first."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Settings of a worker; they can be sent to another process, and their parts are opened there once."""

    corpus: str
    profile: str | None = None
    registered: str | None = None
    """The class that the fields are of, so that other processes can register its parts too."""
    written: Written = BY_NOBODY
    requests_per_minute: float | None = None
    """Of one worker."""
    budgeted: bool = False
    search: Search = NO_SEARCH


@dataclass(frozen=True, slots=True)
class Task:
    """Some fields that one document is still asked for, or all of some documents at once."""

    document: str
    """Empty where `among` are asked at once."""
    document_id: str
    fields: tuple[Field, ...]
    among: tuple[str, ...] | None = None
    """Names of the documents that are asked at once; None for all."""
    budget_usd: float | None = None
    """Budget."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The rows of a task, what its models cost, and the fields for which its budget was too small."""

    rows: tuple[Row, ...]
    cost_usd: float = 0.0
    unasked: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """Counts of a run: values found and fields without one that were written, and fields that were there already."""

    found: int
    not_found: int
    resumed: int
    unreadable: int = 0
    failed: int = 0
    """Fields that met an error, or ended their process; their rows say which."""
    unasked: int = 0
    """Fields for which the budget was too small."""
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
    """Fill every field from every document of a corpus; what the sink already holds is not asked again.

    Args:
        fields: What to extract.
        corpus: The file or URL of the corpus; or the corpus, opened, and then this process does it all.
        sink: Where the rows go; some of one document at a time, so an interrupted run can be resumed.
        documents: Names of the documents; all by default.
        failures: Files that could not be read: each gets a row that says so for every field.
        profile: What kind of documents these are (see `Engine`).
        registered: The class that the fields are of, so that other processes can register its parts too.
        workers: How many processes, for a corpus in a file; with more than one the caller's script needs a `__main__`
            guard.
        client: What asks in place of processes of our own (see `spanwise.executors.Client`).
        progress: Called after each task.
        search: What finds passages beside their words; a `Hybrid` is for a corpus that is opened.
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
    """A run as far as it is."""

    total: int = 0
    """Fields that are asked in this run."""
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
    """The document that was just written, or the question asked of all."""

    def outcome(self) -> Extracted:
        """The run when it is done."""
        return Extracted(
            self.found,
            self.not_found,
            self.resumed,
            failed=self.failed,
            unasked=self.unasked,
            cost_usd=round(self.cost_usd, 6),
        )

    def add(self, task: Task, answered: Answered) -> None:
        """Note what a task gave."""
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
    """Write the rows of all tasks, but for those that the sink holds; tells how far it is, first and after each task.

    Args:
        tasks: What is wanted in all, in the order in which rows are written.
        sink: Where the rows go.
        asking: What a worker has to know.
        here: The corpus, opened: this process does it all.
        hybrid: What finds its passages beside their words.
        workers: How many processes.
        client: What asks in place of them.
        already: Groups of rows that are known without asking.
        budget_usd: What the models of this run may cost; each task under way has a part of it set aside.
    """
    held = sink.held()
    wanted = keys_of(row for rows in already for row in rows)
    same: dict[int, FieldKey] = {}  # tasks share their fields: a million keys are few
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
            # What was set aside for these was too little while others were under way: there may be more now.
            tasks, budget_usd = again, funded.left


class _Funded(Sequence[Task]):
    """Tasks, each of which is given a part of what is left of the budget when it is sent away."""

    def __init__(self, tasks: Sequence[Task], budget_usd: float | None, parts: int) -> None:
        self._tasks = tasks
        self._parts = parts
        self._set_aside: dict[int, float] = {}
        self._settled = 0
        self.left = budget_usd

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, at: int) -> Task:  # type: ignore[override]  # nobody asks for a slice
        task = self._tasks[at]
        if self.left is None:
            return task
        if at not in self._set_aside:
            self._set_aside[at] = self.left / self._parts
            self.left -= self._set_aside[at]
        return replace(task, budget_usd=self._set_aside[at])

    def settle(self, answered: Answered, *, died: bool) -> None:
        """Give back what a task left over; what one that died has spent, nobody knows."""
        given = self._set_aside.pop(self._settled, 0.0)
        self._settled += 1
        if self.left is not None and not died:
            self.left += given - answered.cost_usd


def answer(asking: Asking, task: Task) -> Answered:
    """The rows of one task: a pure function of what the corpus holds, for any executor to map.

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
    """Vectors and reranker of a corpus: made once, and shared by all threads."""
    return search.hybrid()


def answer_from(corpus: Corpus, asking: Asking, task: Task, hybrid: Hybrid | None = None) -> Answered:
    """`answer` from a corpus that is open: all rows of the version that the document has when its turn comes."""
    rows: list[Row] = []
    unasked: list[Field] = []
    with corpus.snapshot() as now:
        names, version = task.among, task.document_id
        if task.document:
            try:
                names, version = (task.document,), now.stored(task.document).id
            except DocumentNotFoundError:
                gone = "the document was removed before its turn came" if version else "there is no such document"
                # Of no version: where it is there again, or this worker alone has not got it, the next run asks.
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
    except Exception as error:  # noqa: BLE001  # the border between one question and the batch
        return [_nothing(task, field, FAILED, f"{type(error).__name__}: {error}")]
    return rows_of(result, field, task.document, version)


class _Share(Budget):
    """A part of a budget that remembers whether it was too small for a call, whatever became of the answer."""

    refused = False

    def reserve(self, usage: Usage) -> None:
        """Set aside what a call may cost at most."""
        try:
            super().reserve(usage)
        except BudgetError:
            self.refused = True
            raise


@dataclass(slots=True)
class _Models(threading.local):
    """The models of one thread: each worker keeps to its own part of rates and budget."""

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
    """Where another process finds a corpus."""
    place = corpus.place if isinstance(corpus, Corpus) else os.fspath(corpus)
    if place is None:
        raise InputError("a corpus in memory cannot be asked by other processes: keep it in a file or a database")
    return place if is_address(place) else os.path.abspath(place)


def state_of(corpus: Corpus, among: Collection[str] | None) -> str:
    """Digest of the versions of some documents: a different one when any of them changed."""
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
