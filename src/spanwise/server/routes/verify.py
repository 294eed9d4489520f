"""Checking answers and documents, and extracting fields, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from spanwise.extraction.fields import Field
from spanwise.guard.record import VerificationReport
from spanwise.server.models import MOST_DOCUMENTS, ConflictInfo, ConflictList, DocumentId, Extract, JobInfo, Verify
from spanwise.server.routes.jobs import told
from spanwise.server.state import LibraryDep, StateDep
from spanwise.server.wire import json_text
from spanwise.serving.cancellation import Stop

router = APIRouter(prefix="/v1/corpora/{corpus}")


@router.post("/verify", response_model=VerificationReport, tags=["checking"])
async def verify(library: LibraryDep, given: Verify, request: Request, state: StateDep) -> Response:
    """Check an answer, claim by claim, against passages and documents; all documents where neither is given."""
    passages = None if given.passages is None else [_passage(one) for one in given.passages]

    def checked(stop: Stop) -> bytes:
        found = library.verify(
            given.text, passages=passages, documents=given.documents, question=given.question, stop=stop
        )
        return json_text(VerificationReport.model_validate(found.to_dict())).encode()

    # Written in the thread as well: the report of a text of many lines is long.
    return Response(await state.work.run(request, checked), media_type="application/json")


@router.get("/conflicts", response_model=ConflictList, tags=["checking"])
async def conflicts(
    library: LibraryDep,
    request: Request,
    state: StateDep,
    document: Annotated[
        list[DocumentId] | None,
        Query(max_length=MOST_DOCUMENTS, description="Ids of the documents; all where none is named."),
    ] = None,
) -> Response:
    """Places where documents say different things of the same, without a model."""

    def found(stop: Stop) -> bytes:
        told = [ConflictInfo.of(one) for one in library.conflicts(documents=document or None, stop=stop)]
        return json_text(ConflictList(conflicts=told)).encode()

    return Response(await state.work.run(request, found), media_type="application/json")


@router.post("/extract", status_code=202, response_model=JobInfo, tags=["extraction"])
def extract(library: LibraryDep, wanted: Extract, request: Request) -> Response:
    """Fill fields from every document, without a model; the rows are in the job when it is done."""
    names = _unique([one.name for one in wanted.fields])
    fields = [Field(name, one.question, one.type, one.shape) for name, one in zip(names, wanted.fields, strict=True)]
    job = library.extract_later(fields, documents=wanted.documents)
    place = str(request.url_for("job", corpus=library.name, id=job.id).path)
    return JSONResponse(told(job, place).model_dump(mode="json"), 202, {"Location": place})


def _passage(given: str | BaseModel) -> object:
    return given if isinstance(given, str) else given.model_dump(exclude_none=True)


def _unique(names: Sequence[str]) -> list[str]:
    """The names; one that was there before gets a number."""
    found: dict[str, None] = {}
    for name in names:
        number, chosen = 2, name
        while chosen in found:
            chosen, number = f"{name}_{number}", number + 1
        found[chosen] = None
    return list(found)
