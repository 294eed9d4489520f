"""Routes of background jobs: their state, a stream of its changes, and cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from sse_starlette import EventSourceResponse

from spanwise.errors import InputError, JobNotFoundError
from spanwise.extraction.sinks import csv_bytes, side_by_side, xlsx_bytes
from spanwise.server.http_problems import problem_of
from spanwise.server.models import DocumentInfo, JobInfo, JobList, RowRecord
from spanwise.server.running_state import LibraryDep, State, StateDep
from spanwise.server.shared import EVENTS, event, stream
from spanwise.serving.corpus_library import Library
from spanwise.serving.job_queue import ENDED, Job

router = APIRouter(prefix="/v1/corpora/{corpus}/jobs", tags=["jobs"])
_LOOK_SECONDS = 0.25
_TABLES = {
    "csv": ("text/csv", csv_bytes),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx_bytes),
}
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.get("")
def jobs(library: LibraryDep, request: Request, state: StateDep) -> JobList:
    """The jobs that are remembered, the newest first: what is read or extracted, and what failed."""
    here = {one.id: told(replace(one, rows=None), request.url.path) for one in library.jobs.all()}
    if state.shared is None:
        return JobList(jobs=list(here.values()))
    known = [JobInfo.model_validate_json(one) for one in state.shared.jobs(library.name)]
    everywhere = [here.pop(one.id) if one.id in here else one for one in known]
    return JobList(jobs=[*here.values(), *everywhere])


@router.get("/{id}")
def job(library: LibraryDep, id: JobId, request: Request, state: StateDep) -> JobInfo:
    """The present state of a job. Old jobs are forgotten; the documents that they stored are not."""
    return _found(library, id, request, state)


@router.get(
    "/{id}/table.{kind}",
    response_class=Response,
    responses={200: {"content": {one: {} for one, _ in _TABLES.values()}}},
)
def table(library: LibraryDep, id: JobId, kind: Literal["csv", "xlsx"], request: Request, state: StateDep) -> Response:
    """The result of an extraction as a table: a row a document, with value, place and quote of each field."""
    rows = _found(library, id, request, state).rows
    if rows is None:
        raise InputError("this job has no table: wait until the extraction is done, or start one")
    media_type, written = _TABLES[kind]
    named = {"Content-Disposition": f'attachment; filename="table.{kind}"'}
    return Response(written(side_by_side([row.model_dump() for row in rows])), media_type=media_type, headers=named)


@router.delete("/{id}")
def cancel(library: LibraryDep, id: JobId, request: Request, state: StateDep) -> JobInfo:
    """Stop a job; one that has ended stays as it is."""
    try:
        return told(library.jobs.cancel(id), request.url.path)
    except JobNotFoundError:
        known = _found(library, id, request, state)
        if state.shared is not None:
            state.shared.stop_job(library.name, id)
        return known


@router.get("/{id}/events", response_class=EventSourceResponse, responses={200: EVENTS})
async def events(library: LibraryDep, id: JobId, request: Request, state: StateDep) -> EventSourceResponse:
    """The job now and after each change, until it ends: events `job`."""
    _found(library, id, request, state)

    async def happening() -> AsyncIterator[dict[str, str]]:
        try:
            library.jobs.get(id)
        except JobNotFoundError:
            async for known in _elsewhere(library, id, request, state):
                yield event("job", known)
            return
        async for one in changes(library, id):
            yield event("job", told(one, request.url.path))

    return stream(happening(), state.settings)


def record(corpus: str, job: Job) -> str:
    """A job as JSON, for the other processes of this server."""
    return told(job, f"/v1/corpora/{corpus}/jobs/{job.id}").model_dump_json()


def _found(library: Library, id: str, request: Request, state: State) -> JobInfo:
    """A job of this process, or of another one of this server; raises `JobNotFoundError`."""
    try:
        return told(library.jobs.get(id), request.url.path)
    except JobNotFoundError:
        known = state.shared.job(library.name, id) if state.shared is not None else None
        if known is None:
            raise
        return JobInfo.model_validate_json(known)


async def _elsewhere(library: Library, id: str, request: Request, state: State) -> AsyncIterator[JobInfo]:
    """A job of another process now and after each change, until it has ended."""
    before = None
    while True:
        now = _found(library, id, request, state)
        if now != before:
            yield now
        if now.state in ENDED:
            return
        before = now
        await asyncio.sleep(_LOOK_SECONDS)


async def changes(library: Library, id: str) -> AsyncIterator[Job]:
    """A job now and after each change, until it has ended."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Job] = asyncio.Queue()

    def tell(job: Job) -> None:
        with suppress(RuntimeError):  # the loop has ended, and the consumer with it
            loop.call_soon_threadsafe(queue.put_nowait, job)

    unwatch = library.jobs.watch(id, tell)
    try:
        while True:
            job = await queue.get()
            while not queue.empty():  # a slow reader gets the current state only
                job = queue.get_nowait()
            yield job
            if job.ended:
                return
    finally:
        unwatch()


def told(job: Job, instance: str) -> JobInfo:
    """A job as it is sent to clients."""
    return JobInfo.from_source(
        job,
        document=None if job.document is None else DocumentInfo.from_source(job.document),
        problem=None if job.error is None else problem_of(job.error, instance)[0],
        rows=None if job.rows is None else [RowRecord.model_validate(row.to_dict()) for row in job.rows],
    )
