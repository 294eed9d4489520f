"""Routes of documents: listing, uploading, removing, and reading them by lines, by pages or as the original file."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, unquote

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.types import Receive, Scope, Send

from spanwise.domain.document import Page
from spanwise.server.http_problems import ProblemError
from spanwise.server.models import (
    DocumentDetail,
    DocumentInfo,
    DocumentList,
    FoundLine,
    FoundList,
    HiddenInfo,
    HiddenList,
    JobInfo,
    LineInfo,
    LineList,
    PageInfo,
    PageLines,
    SectionInfo,
)
from spanwise.server.routes.jobs import told
from spanwise.server.running_state import LibraryDep, StateDep
from spanwise.server.uploads import LONGEST_PASSWORD, receive_upload
from spanwise.serving.cancellation import Stop
from spanwise.serving.entries import DRAWN, Entry, spelled
from spanwise.serving.stored_documents import OpenDocument

router = APIRouter(prefix="/v1/corpora/{corpus}/documents", tags=["documents"])
PageNumber = Annotated[int, Path(ge=1, le=1_000_000, description="Position in the file, from 1.")]
DocumentPath = Annotated[str, Path(description="Id of the document.", pattern=r"^[0-9a-f]{16}$")]
Version = Annotated[
    str | None,
    Query(
        pattern=r"^[0-9a-f]{64}$",
        description="The version that is meant, as `meta.versions` of a result names it; 409 where it was replaced.",
    ),
]
CHARACTERS = 1_000_000
"""Most characters of the lines in one response."""
MOST_FOUND = 500
"""Most lines in the result of a search."""
LONGEST_FOUND = 2_000
"""Most characters of each of them."""
MOST_HIDDEN = 1_000
"""Most hidden texts in one response."""
WIDEST = 8_192
"""Largest width of a picture in pixels."""
_FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"


def as_file(told: str, *kinds: str) -> dict[str, Any]:
    """The OpenAPI description of a response that is a file of one of these media types."""
    return {
        "description": told,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds},
    }


_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "minLength": 1},
                        "password": {
                            "type": "string",
                            "maxLength": LONGEST_PASSWORD,
                            "description": "Opens an encrypted PDF.",
                        },
                        "folder": {
                            "type": "string",
                            "maxLength": 500,
                            "description": "Where it was found, with slashes: stands before its name.",
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
    entries = library.documents()
    if any(entry.format in DRAWN for entry in entries):
        library.pictures.warm()  # a client that lists documents will probably open a page
    return DocumentList(documents=[DocumentInfo.from_source(entry) for entry in entries])


@router.post("", status_code=202, response_model=JobInfo, openapi_extra=_UPLOAD)
async def upload(library: LibraryDep, request: Request, state: StateDep) -> Response:
    """Upload one file. It is stored when its job is done; a document of the same name is replaced."""
    received = await receive_upload(
        request, library.partial(), most=library.limits.reading.file_bytes, seconds=state.settings.upload_seconds
    )
    job = library.add_later(received.filename, received.content, password=received.password, folder=received.folder)
    place = str(request.url_for("job", corpus=library.name, id=job.id).path)
    return JSONResponse(told(job, place).model_dump(mode="json"), 202, {"Location": place})


@router.get("/{id}")
def document(library: LibraryDep, id: DocumentPath, version: Version = None) -> DocumentDetail:
    """A document with its table of contents and its pages."""
    with library.opened(id, sha256=version) as opened:
        return DocumentDetail.from_source(
            opened.entry,
            sections=[
                SectionInfo.from_source(section, end_page=section.section_end_page) for section in opened.sections()
            ],
            page_list=[PageInfo.from_source(page) for page in opened.pages()],
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
    version: Version = None,
) -> LineList:
    """The lines `first..last`, both included; numbers outside the document are ignored.

    A response has at most 2,000 lines and 1,000,000 characters: `next` is where to continue.
    """
    with library.opened(id, sha256=version) as opened:
        end = opened.entry.lines
        found, following = _portion(opened, first, end if last is None else min(last, end))
    return LineList(lines=found, next=following)


@router.get("/{id}/pages/{number}")
def page(library: LibraryDep, id: DocumentPath, number: PageNumber, version: Version = None) -> PageLines:
    """One page with its lines, by its position in the file."""
    with library.opened(id, sha256=version) as opened:
        found: Page | None = next((one for one in opened.pages() if one.number == number), None)
        if found is None:
            raise _no_page(number)
        lines, following = _portion(opened, found.first_line, found.last_line)
    return PageLines(
        number=found.number, label=found.label, width=found.width, height=found.height, lines=lines, next=following
    )


@router.get(
    "/{id}/pages/{number}/image",
    response_class=Response,
    responses={
        200: as_file("The page", "image/png"),
        304: {"description": "It is as it was (the header If-None-Match named it)"},
    },
)
async def picture(
    library: LibraryDep,
    id: DocumentPath,
    number: PageNumber,
    request: Request,
    state: StateDep,
    width: Annotated[int, Query(ge=16, le=WIDEST, description="In pixels.")] = 1_200,
    version: Version = None,
    password: Annotated[
        str | None,
        Header(
            alias="X-Document-Password",
            pattern=r"^[!-~]*$",
            max_length=3 * LONGEST_PASSWORD,
            description="Opens an encrypted PDF; percent-encoded UTF-8.",
        ),
    ] = None,
) -> Response:
    """A page of a PDF as a picture, as its lines' boxes lie on it: turned, cropped, with annotations.

    A page whose picture would be larger than 16 million pixels is drawn at a lower resolution.
    """

    def drawn(stop: Stop) -> Response:
        stop.check()
        with library.opened(id, sha256=version) as opened:
            entry = opened.entry
        if entry.format not in DRAWN:
            raise ProblemError(
                409, "no_pages", f"{entry.name} is no PDF or picture and has no pages to draw: read its lines."
            )
        if number > (entry.pages or 0):
            raise _no_page(number)
        headers = _kept_for(entry, f'"{entry.sha256[:32]}-{number}-{width}"', version, password)
        if "ETag" in headers and request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        secret = None if password is None else unquote(password, errors="replace")
        return Response(library.picture(id, number, width, secret, stop), media_type="image/png", headers=headers)

    return await state.pictures.run(request, drawn)


def _kept_for(entry: Entry, tag: str, version: str | None, password: str | None) -> dict[str, str]:
    """The caching headers of a picture."""
    if password is not None:
        return {"Cache-Control": "no-store"}
    # At a URL that includes the version it never changes. With another token it has to be fetched again.
    lasting = "private, max-age=86400, immutable" if version == entry.sha256 else "private, no-cache"
    return {"ETag": tag, "Cache-Control": lasting, "Vary": "Authorization, Cookie, X-Document-Password"}


@router.get("/{id}/hidden")
def hidden(
    library: LibraryDep,
    id: DocumentPath,
    first: Annotated[int, Query(ge=1, le=100_000_000)] = 1,
    version: Version = None,
) -> HiddenList:
    """Text in the file that is invisible in the document: it is in no line, and never part of an answer.

    A response has at most 1,000 texts and 1,000,000 characters: `next` is where to continue.
    """
    with library.opened(id, sha256=version) as opened:
        found = opened.hidden()
    room, shown = CHARACTERS, list[HiddenInfo]()
    for one in found[first - 1 : first - 1 + MOST_HIDDEN]:
        if shown and len(one.text) > room:
            break
        left_out = max(0, len(one.text) - CHARACTERS)
        shown.append(HiddenInfo.from_source(one, text=spelled(one.text[:CHARACTERS]), left_out=left_out))
        room -= len(one.text)
    following = first + len(shown)
    return HiddenList(hidden=shown, total=len(found), next=following if following <= len(found) else None)


@router.get("/{id}/find")
async def find(
    library: LibraryDep,
    id: DocumentPath,
    words: Annotated[str, Query(min_length=1, max_length=200, pattern=r"\S")],
    request: Request,
    state: StateDep,
    version: Version = None,
) -> FoundList:
    """The lines that contain these words, whatever their case and accents; at most 500."""

    def found(stop: Stop) -> FoundList:
        with stop.watched(), library.opened(id, sha256=version) as opened:
            hits, total = opened.find(words, MOST_FOUND)
        lines = [FoundLine.cut(hit.line, LONGEST_FOUND, at=list(hit.at)) for hit in hits]
        return FoundList(lines=lines, total=total)

    return await state.work.run(request, found)


def _no_page(number: int) -> ProblemError:
    return ProblemError(404, "page_not_found", f"The document has no page {number}.")


def _portion(opened: OpenDocument, first: int, last: int) -> tuple[list[LineInfo], int | None]:
    """As many of the lines as fit into one response, at least one, and the number of the next; None if all fit."""
    room, shown = CHARACTERS, list[LineInfo]()
    for line in opened.lines(first, last):
        if shown and len(line.text) > room:
            break
        shown.append(LineInfo.cut(line, CHARACTERS))
        room -= len(line.text)
    following = shown[-1].number + 1 if shown else last + 1
    return shown, following if following <= last else None


@router.get(
    "/{id}/file",
    response_class=FileResponse,
    responses={200: as_file("The file", "application/pdf", "application/octet-stream")},
)
def file(library: LibraryDep, id: DocumentPath, version: Version = None) -> Response:
    """The file as it was read: a PDF to be shown, anything else to be saved. Ranges can be asked for."""
    with library.opened(id, sha256=version) as opened:
        entry = opened.entry
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
    """A file that may be removed before it is sent; then the response is a 404 problem."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file."""
        try:
            await super().__call__(scope, receive, send)
        except RuntimeError as error:  # raised by the framework if the file is missing
            raise ProblemError(404, "file_gone", "The file is not there any more.") from error


def disposition(kind: str, name: str) -> str:
    """The header Content-Disposition with a file name (RFC 6266); all special characters are encoded."""
    return f"{kind}; filename*=UTF-8''{quote(name.rpartition('/')[2], safe='')}"
