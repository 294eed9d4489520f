"""The files of the page as they are sent: scripts and style sheets without what only their authors need."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rcssmin import cssmin
from rjsmin import jsmin
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

PAGE = Path(__file__).parent / "page"
INDEX = "index.html"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_INDENT = re.compile(r"(?m)^[ \t]+")
# What a script does not need between its words; in a template inside a template, rjsmin takes spaces for such.
_SMALLER: Mapping[str, Callable[[str], str]] = {
    ".js": jsmin,
    ".css": cssmin,
    ".html": lambda text: _INDENT.sub("", text),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """One file."""

    content: bytes
    media_type: str
    tag: str


@cache
def page_files() -> Mapping[str, Sent]:
    """The files by their paths below the page's folder."""
    found = {}
    for path in sorted(PAGE.rglob("*")):
        if path.suffix not in _TYPES:
            continue
        content = path.read_bytes()
        if smaller := _SMALLER.get(path.suffix):
            content = smaller(content.decode()).encode()
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[path.relative_to(PAGE).as_posix()] = Sent(content, _TYPES[path.suffix], tag)
    return found


async def send_page_file(request: Request) -> Response:
    """Send a file of the page, or say that the browser has it."""
    sent = page_files().get(request.path_params.get("path", INDEX))
    if sent is None:
        raise HTTPException(404)
    if request.headers.get("if-none-match") == sent.tag:
        return Response(status_code=304, headers={"ETag": sent.tag})
    return Response(sent.content, media_type=sent.media_type, headers={"ETag": sent.tag})
