"""Routes of past answers: the history, one answer, its trace, its highlighted PDF, and other formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import StringConstraints

from spanwise.contract.record import ResultRecord
from spanwise.export.formats import FORMATS
from spanwise.server.http_problems import ProblemError
from spanwise.server.models import EXAMPLES, AskedInfo, CitedDocument, CitedDocuments, History
from spanwise.server.routes.documents import DocumentPath, as_file, disposition
from spanwise.server.running_state import LibraryDep, StateDep
from spanwise.server.shared import AnyJSON
from spanwise.serving.answer_history import MOST_ANSWERS, bundle
from spanwise.serving.cancellation import Stop

router = APIRouter(prefix="/v1/corpora/{corpus}/results", tags=["results"])
TraceId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
TracePath = Annotated[str, Path(description="Id of the answer's trace.", pattern=r"^[0-9a-f]{16}$")]
MOST = 1_000
LONGEST_SEARCH = 200
_TEXTS = {
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
}
_TEXT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


@router.get("")
def history(
    library: LibraryDep,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    before: Annotated[str | None, Query(pattern=r"^[0-9a-f]{16}$", description="Id of the last one seen.")] = None,
    words: Annotated[str, Query(max_length=LONGEST_SEARCH, description="Words that the questions have.")] = "",
) -> History:
    """Answers that are kept, the newest first."""
    return History(results=[AskedInfo.from_source(asked) for asked in library.history.newest(limit, before, words)])


@router.get(
    ".zip",
    response_class=Response,
    responses={200: as_file("The file", "application/zip")},
)
async def conversation(
    library: LibraryDep,
    id: Annotated[list[TraceId], Query(min_length=1, max_length=MOST_ANSWERS, description="Ids of the answers.")],
    request: Request,
    state: StateDep,
) -> Response:
    """A conversation as a ZIP file: its answers as Markdown, the cited PDFs with highlights, the traces."""
    content = await state.work.run(request, lambda stop: bundle(library, id, stop))
    shown = disposition("attachment", f"{library.name}-conversation.zip")
    return Response(content, media_type="application/zip", headers={"Content-Disposition": shown})


@router.get(
    "/{trace_id}",
    response_model=ResultRecord,
    responses={200: {"content": {"application/json": {"example": EXAMPLES["result"]}}}},
)
def result(library: LibraryDep, trace_id: TracePath) -> Response:
    """One answer."""
    return AnyJSON(library.history.record(trace_id))


@router.delete("/{trace_id}", status_code=204)
def forget(library: LibraryDep, trace_id: TracePath) -> Response:
    """Remove an answer and its trace."""
    library.history.forget(trace_id)
    return Response(status_code=204)


@router.get("/{trace_id}/documents")
def cited(library: LibraryDep, trace_id: TracePath) -> CitedDocuments:
    """The documents that the answer cites, each with the file that was read for it, and whether it is still there."""
    record, read = library.history.record(trace_id), library.history.read_for(trace_id)
    now = {entry.name: entry.sha256 for entry in library.documents()}
    names = sorted(_cited(record) & read.keys())
    return CitedDocuments(
        documents=[CitedDocument(name=one, sha256=read[one], state=_state(read[one], now.get(one))) for one in names]
    )


def _cited(record: Mapping[str, Any]) -> set[str]:
    """Names of the documents that an answer cites, also in its warnings and its nearest evidence."""
    nearest = (record.get("missing") or {}).get("nearest", [])
    quoted = [
        quote for detail in record["warning_details"] for quote in detail.get("quotes", []) if type(quote) is dict
    ]
    return {one["document"] for one in [*record["citations"], *nearest, *quoted]}


def _state(then: str, now: str | None) -> Literal["current", "replaced", "removed"]:
    return "removed" if now is None else "current" if then == now else "replaced"


@router.get("/{trace_id}/trace", response_model=dict[str, Any])
def trace(library: LibraryDep, trace_id: TracePath) -> Response:
    """How the answer was made: a trace file, which `spanwise replay` proves again."""
    return AnyJSON(library.history.trace(trace_id))


@router.get(
    "/{trace_id}/highlight/{document_id}",
    response_class=Response,
    responses={200: as_file("The PDF", "application/pdf")},
)
async def highlight(
    library: LibraryDep, trace_id: TracePath, document_id: DocumentPath, request: Request, state: StateDep
) -> Response:
    """A copy of a cited PDF with the cited lines highlighted."""

    def marked(stop: Stop) -> tuple[bytes, str]:
        stop.check()
        name = library.entry(document_id).name
        return library.highlighted(trace_id, document_id), name

    content, name = await state.work.run(request, marked)
    shown = disposition("inline", f"{PurePosixPath(name).stem}-highlighted.pdf")
    return Response(content, media_type="application/pdf", headers={"Content-Disposition": shown})


@router.get(
    "/{trace_id}/as/{format}",
    response_class=Response,
    responses={
        200: {
            "description": "The answer in that form",
            "content": {
                "application/json": {"schema": {}},
                "text/markdown": {"schema": {"type": "string"}},
                "text/html": {"schema": {"type": "string"}},
                "text/csv": {"schema": {"type": "string"}},
            },
        }
    },
)
async def converted(
    library: LibraryDep,
    trace_id: TracePath,
    format: Annotated[str, Path(json_schema_extra={"enum": list(FORMATS)}, pattern=r"^[a-z0-9-]{1,40}$")],
    request: Request,
    state: StateDep,
) -> Response:
    """The answer in a format that another system reads."""
    if format not in FORMATS:
        raise ProblemError(404, "format_not_found", f"There is no such form: choose {', '.join(FORMATS)}.")
    made = await state.work.run(request, lambda _: library.history.result(trace_id).to(format))
    if format in _TEXTS:
        headers = {"Content-Security-Policy": _TEXT_POLICY}
        return Response(str(made).encode("utf-8", "replace"), media_type=_TEXTS[format], headers=headers)
    return AnyJSON(made)
