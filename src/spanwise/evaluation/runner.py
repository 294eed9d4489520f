"""Runs sets over many cores, a document at a time; the rows come in the order of the data whoever was first."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeAlias

from spanwise.errors import InputError, ServiceError
from spanwise.evaluation.asking import run_job, warm_up
from spanwise.evaluation.cases import DataSet, Job, Row

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of questions that are done and that there are."""


def run_set(
    data_set: DataSet,
    data: Path,
    *,
    limit: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """Ask the questions of a set.

    Args:
        data_set: The set.
        data: The folder that holds the data.
        limit: How many questions; None the usual number, 0 all.
        workers: How many processes; one a core by default, and none beside this one when it is 1.
        progress: Called after each document.

    Raises:
        InputError: The data is missing or not in its schema, or a number makes no sense.
        ServiceError: A process ended before its time.
    """
    if limit is not None and limit < 0:
        raise InputError(f"--limit {limit} is no number of questions: give one from 1, or 0 for all")
    jobs = data_set.load(data, limit)
    count = min(workers or os.cpu_count() or 1, len(jobs))
    total = sum(len(job.cases) for job in jobs)
    done = 0
    results: dict[int, list[Row]] = {}
    for index, rows in _alone(data_set, jobs) if count <= 1 else _together(data_set, jobs, count):
        results[index] = rows
        done += len(rows)
        if progress is not None:
            progress(done, total)
    return [row for index in range(len(jobs)) for row in results[index]]


def _alone(data_set: DataSet, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Row]]]:
    warm_up()
    for index, job in enumerate(jobs):
        yield index, run_job(data_set.name, data_set.score, job, baseline=data_set.baseline)


def _ready() -> None:
    """Prepare a process; being interrupted is for the one that started it to tell, once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm_up()


def _together(data_set: DataSet, jobs: Sequence[Job], workers: int) -> Iterator[tuple[int, list[Row]]]:
    # Spawned, not forked: the libraries that read and rank have threads of their own. Long documents go first, so that
    # no core waits at the end.
    context = multiprocessing.get_context("spawn")
    order = sorted(range(len(jobs)), key=lambda index: -jobs[index].document.weight)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_ready) as pool:
        futures = {
            pool.submit(run_job, data_set.name, data_set.score, jobs[index], baseline=data_set.baseline): index
            for index in order
        }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise ServiceError(
                "a process of the evaluation ended (out of memory?): free memory, or ask fewer questions (--limit N)"
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
