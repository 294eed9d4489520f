"""Asks every field of every document, over many cores, and writes the rows as they come."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.engine import Engine
from spanwise.errors import DocumentNotFoundError, ServiceError
from spanwise.extraction.fields import Field, fields_of_class
from spanwise.extraction.rows import Row, nothing, rows_of
from spanwise.extraction.sinks import Key, Sink, key_of
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import Failure

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of documents done, that of all, and the name of the one that was just written."""

_WAITING = 4
"""Documents that wait for each process: enough that none is idle, few enough that an interrupt is quick."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a run did: values found and fields without one that were written, and fields that were there already."""

    found: int
    not_found: int
    resumed: int
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """The fields that one document is still asked for."""

    document: str
    document_id: str
    fields: tuple[Field, ...]


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
    progress: Progress | None = None,
) -> Extracted:
    """Fill every field from every document of a corpus; what the sink already holds is not asked again.

    Args:
        fields: What to extract.
        corpus: The file of the corpus; or the corpus, opened, and then this process does it all.
        sink: Where the rows go; the rows of one document at a time, so an interrupted run can be resumed.
        documents: Names of the documents; all by default.
        failures: Files that could not be read: each gets a row that says so for every field.
        profile: What kind of documents these are (see `Engine`).
        registered: The class that the fields are of, so that other processes can register its parts too.
        workers: How many processes, for a corpus in a file; with more than one the caller's script needs a `__main__`
            guard.
        progress: Called after each document.

    Raises:
        CorpusError: The corpus cannot be opened.
        DocumentNotFoundError: One of `documents` is not in it.
        StorageError: A row cannot be written; what was written before is kept.
        ServiceError: A process ended before its time.
    """
    with _opened(corpus) as opened:
        chosen = opened.documents() if documents is None else [opened.stored(name) for name in documents]
    wanted = {one.name: {_key(one.name, one.id, field): field for field in fields} for one in chosen}
    unreadable = [_unreadable(failure, fields) for failure in failures]
    held = sink.held()
    sink.keep({key for keys in wanted.values() for key in keys} | {key_of(row) for rows in unreadable for row in rows})
    tasks = [
        Task(one.name, one.id, tuple(field for key, field in wanted[one.name].items() if key not in held))
        for one in chosen
    ]
    resumed = sum(len(keys) for keys in wanted.values()) - sum(len(task.fields) for task in tasks)
    for rows in unreadable:
        if any(key_of(row) not in held for row in rows):
            sink.write(rows)
    tasks = [task for task in tasks if task.fields]
    found = not_found = 0
    if isinstance(corpus, Corpus) or workers <= 1 or len(tasks) <= 1:
        run = _alone(tasks, corpus, profile)
    else:
        run = _together(tasks, corpus, profile, registered, workers)
    for done, (name, rows) in enumerate(run, start=1):
        sink.write(rows)
        found += sum(row.found for row in rows)
        not_found += sum(not row.found for row in rows)
        if progress is not None:
            progress(done, len(tasks), name)
    return Extracted(found, not_found, resumed, len(unreadable))


def _opened(corpus: str | os.PathLike[str] | Corpus) -> AbstractContextManager[Corpus]:
    return nullcontext(corpus) if isinstance(corpus, Corpus) else Corpus.open(corpus, create=False)


def _alone(
    tasks: Sequence[Task], corpus: str | os.PathLike[str] | Corpus, profile: str | None
) -> Iterator[tuple[str, list[Row]]]:
    with _opened(corpus) as opened:
        for task in tasks:
            yield task.document, _asked(opened, profile, task)


def _together(
    tasks: Sequence[Task], corpus: str | os.PathLike[str], profile: str | None, registered: str | None, workers: int
) -> Iterator[tuple[str, list[Row]]]:
    """The same over processes; the rows come in the order of the documents, whoever was first."""
    context = multiprocessing.get_context("spawn")  # the libraries that rank and read have threads of their own
    pool = ProcessPoolExecutor(
        min(workers, len(tasks)),
        mp_context=context,
        initializer=_begin,
        initargs=(os.fspath(corpus), profile, registered),
    )
    waiting: dict[int, Future[list[Row]]] = {}
    submitted = 0
    try:
        for at, task in enumerate(tasks):
            while submitted < len(tasks) and submitted < at + _WAITING * workers:
                waiting[submitted] = pool.submit(_serve, tasks[submitted])
                submitted += 1
            wait([waiting[at]], return_when=FIRST_COMPLETED)
            yield task.document, waiting.pop(at).result()
    except BrokenProcessPool as error:
        raise ServiceError(
            "a process of the extraction ended (out of memory?): what was written is kept; run again with fewer workers"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_OPENED: list[tuple[Corpus, str | None]] = []
"""The corpus of a worker process and the profile; empty in the process that gives the work."""


def _begin(corpus: str, profile: str | None, registered: str | None) -> None:
    if registered is not None:
        fields_of_class(registered)
    _OPENED.append((Corpus.open(corpus, create=False), profile))


def _serve(task: Task) -> list[Row]:
    return _asked(*_OPENED[-1], task)


def _asked(corpus: Corpus, profile: str | None, task: Task) -> list[Row]:
    """The rows of one document, all of the version that it has when its turn comes."""
    rows: list[Row] = []
    with corpus.snapshot() as now:
        try:
            version = now.stored(task.document).id
        except DocumentNotFoundError:
            gone = "the document was removed before its turn came"
            return [
                nothing(field, task.document, task.document_id, decision="removed", reason=gone)
                for field in task.fields
            ]
        engine = Engine(now, profile=profile)
        for field in task.fields:
            result = engine.ask(field.question, documents=[task.document], type=field.type, shape=field.shape)
            rows += rows_of(result, field, task.document, version)
    return rows


def _unreadable(failure: Failure, fields: Sequence[Field]) -> list[Row]:
    name = os.path.basename(failure.path)
    return [nothing(field, name, "", decision="unreadable", reason=failure.message) for field in fields]


def _key(document: str, document_id: str, field: Field) -> Key:
    return document, document_id, field.name, field.question, field.type or "", field.shape or ""
