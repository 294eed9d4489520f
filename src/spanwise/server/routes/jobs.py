"""Jobs over HTTP: as they stand, as a stream of changes, and stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Path, Request
from sse_starlette import EventSourceResponse

from spanwise.server.models import DocumentInfo, JobInfo, RowRecord
from spanwise.server.problems import problem_of
from spanwise.server.sse import EVENTS, event, stream
from spanwise.server.state import LibraryDep, StateDep
from spanwise.serving.corpus_library import Library
from spanwise.serving.jobs import Job

router = APIRouter(prefix="/v1/corpora/{corpus}/jobs", tags=["jobs"])
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.get("/{id}")
def job(library: LibraryDep, id: JobId, request: Request) -> JobInfo:
    """A job as it stands. Jobs are forgotten when the server ends; what they stored is not."""
    return told(library.jobs.get(id), request.url.path)


@router.delete("/{id}")
def cancel(library: LibraryDep, id: JobId, request: Request) -> JobInfo:
    """Stop a job; one that has ended stays as it is."""
    return told(library.jobs.cancel(id), request.url.path)


@router.get("/{id}/events", response_class=EventSourceResponse, responses={200: EVENTS})
async def events(library: LibraryDep, id: JobId, request: Request, state: StateDep) -> EventSourceResponse:
    """The job now and after each change, until it ends: events `job`."""
    library.jobs.get(id)

    async def happening() -> AsyncIterator[dict[str, str]]:
        async for one in changes(library, id):
            yield event("job", told(one, request.url.path))

    return stream(happening(), state.settings)


async def changes(library: Library, id: str) -> AsyncIterator[Job]:
    """A job now and after each change, until it ends."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Job] = asyncio.Queue()

    def tell(job: Job) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it who watched
            loop.call_soon_threadsafe(queue.put_nowait, job)

    unwatch = library.jobs.watch(id, tell)
    try:
        while True:
            job = await queue.get()
            while not queue.empty():  # who reads slowly is told how it is now, not how it was
                job = queue.get_nowait()
            yield job
            if job.ended:
                return
    finally:
        unwatch()


def told(job: Job, instance: str) -> JobInfo:
    """A job as it goes over the wire."""
    return JobInfo(
        id=job.id,
        kind=job.kind,
        state=job.state,
        done=job.done,
        total=job.total,
        message=job.message,
        document=None if job.document is None else DocumentInfo.of(job.document),
        problem=None if job.error is None else problem_of(job.error, instance)[0],
        rows=None if job.rows is None else [RowRecord.model_validate(row.to_dict()) for row in job.rows],
    )
