"""Documents over HTTP: listed, uploaded, removed, and read by lines and pages or as the file that was uploaded."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.types import Receive, Scope, Send

from spanwise.domain.document import Page
from spanwise.server.jobs import told
from spanwise.server.models import (
    DocumentDetail,
    DocumentInfo,
    DocumentList,
    JobInfo,
    LineInfo,
    LineList,
    PageInfo,
    PageLines,
    SectionInfo,
)
from spanwise.server.problems import ProblemError
from spanwise.server.state import LibraryDep, StateDep
from spanwise.server.uploads import LONGEST_PASSWORD, receive_upload
from spanwise.serving.served import Library

router = APIRouter(prefix="/v1/corpora/{corpus}/documents", tags=["documents"])
DocumentPath = Annotated[str, Path(description="Id of the document.", pattern=r"^[0-9a-f]{16}$")]
CHARACTERS = 1_000_000
"""Of the lines in one answer."""
_FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"
_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "minLength": 1},
                        "password": {
                            "type": "string",
                            "maxLength": LONGEST_PASSWORD,
                            "description": "Opens an encrypted PDF.",
                        },
                    },
                }
            }
        },
    }
}


@router.get("")
def documents(library: LibraryDep) -> DocumentList:
    """All documents, by name."""
    return DocumentList(documents=[DocumentInfo.of(entry) for entry in library.documents()])


@router.post("", status_code=202, response_model=JobInfo, openapi_extra=_UPLOAD)
async def upload(library: LibraryDep, request: Request, state: StateDep) -> Response:
    """Upload one file. It is kept when its job is done; a name that is there already replaces that document."""
    received = await receive_upload(
        request,
        library.partial(),
        most=library.limits.upload_bytes,
        seconds=state.settings.upload_seconds,
    )
    job = library.add_later(received.filename, received.content, password=received.password)
    place = str(request.url_for("job", corpus=library.name, id=job.id).path)
    return JSONResponse(told(job, place).model_dump(mode="json"), 202, {"Location": place})


@router.get("/{id}")
def document(library: LibraryDep, id: DocumentPath) -> DocumentDetail:
    """A document with its table of contents and its pages."""
    info = DocumentInfo.of(library.entry(id))
    return DocumentDetail(
        **info.model_dump(),
        sections=[SectionInfo.of(section) for section in library.sections(id)],
        page_list=[PageInfo.of(page) for page in library.pages(id)],
    )


@router.delete("/{id}", status_code=204)
def remove(library: LibraryDep, id: DocumentPath) -> Response:
    """Remove a document and its file. Answers that cite it stay."""
    library.remove(id)
    return Response(status_code=204)


@router.get("/{id}/lines")
def lines(
    library: LibraryDep,
    id: DocumentPath,
    first: Annotated[int, Query(ge=1, le=100_000_000)] = 1,
    last: Annotated[int | None, Query(ge=1, le=100_000_000)] = None,
) -> LineList:
    """The lines `first..last`, both included; what lies outside the document is left out.

    At most 2,000 lines and 1,000,000 characters come at once: `next` is where to go on.
    """
    end = library.entry(id).lines
    found, following = _portion(library, id, first, end if last is None else min(last, end))
    return LineList(lines=found, next=following)


@router.get("/{id}/pages/{number}")
def page(library: LibraryDep, id: DocumentPath, number: Annotated[int, Path(ge=1, le=1_000_000)]) -> PageLines:
    """One page with its lines, by its position in the file."""
    found: Page | None = next((one for one in library.pages(id) if one.number == number), None)
    if found is None:
        raise ProblemError(404, "page_not_found", f"The document has no page {number}.")
    lines, following = _portion(library, id, found.first_line, found.last_line)
    return PageLines(
        number=found.number,
        label=found.label,
        width=found.width,
        height=found.height,
        lines=lines,
        next=following,
    )


def _portion(library: Library, id: str, first: int, last: int) -> tuple[list[LineInfo], int | None]:
    """As many of some lines as one answer holds, at least one, and the number of the first one left."""
    room, shown = CHARACTERS, list[LineInfo]()
    for line in library.lines(id, first, last):
        if shown and len(line.text) > room:
            break
        shown.append(LineInfo.of(line, CHARACTERS))
        room -= len(line.text)
    following = shown[-1].number + 1 if shown else last + 1
    return shown, following if following <= last else None


@router.get(
    "/{id}/file",
    response_class=FileResponse,
    responses={
        200: {
            "description": "The file",
            "content": {
                "application/pdf": {"schema": {"type": "string", "format": "binary"}},
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            },
        }
    },
)
def file(library: LibraryDep, id: DocumentPath) -> Response:
    """The file as it was read: a PDF to be shown, anything else to be saved. Ranges can be asked for."""
    entry = library.entry(id)
    path = library.file(id)
    if path is None:
        raise ProblemError(404, "file_gone", f"The file of {entry.name} is not there any more, or has changed.")
    shown = entry.format == "pdf"
    return _KeptFile(
        path,
        media_type=entry.media_type if shown else "application/octet-stream",
        headers={
            "Content-Disposition": disposition("inline" if shown else "attachment", entry.name),
            "Content-Security-Policy": _FILE_POLICY,
        },
    )


class _KeptFile(FileResponse):
    """A file that somebody may remove before it is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            await super().__call__(scope, receive, send)
        except RuntimeError as error:  # how the framework says that it is not there
            raise ProblemError(404, "file_gone", "The file is not there any more.") from error


def disposition(kind: str, name: str) -> str:
    """The header that says what a file is called (RFC 6266); every character that could end it is encoded."""
    return f"{kind}; filename*=UTF-8''{quote(name.rpartition('/')[2], safe='')}"
