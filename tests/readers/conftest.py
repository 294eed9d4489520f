"""Small documents that the reader tests share, made on the spot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator

import docx
import pytest

from spanwise.domain.document import Document
from spanwise.readers import registry

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.fixture
def make_docx() -> Callable[[Callable[[docx.document.Document], None]], bytes]:
    """A function that lets another fill a Word document and returns its bytes."""

    def make(fill: Callable[[docx.document.Document], None]) -> bytes:
        document = docx.Document()
        fill(document)
        packed = io.BytesIO()
        document.save(packed)
        return packed.getvalue()

    return make


@pytest.fixture
def raw_docx() -> Callable[..., bytes]:
    """A function that packs the XML of a body, and other parts by path, into a DOCX."""

    def make(body: str, parts: dict[str, str] | None = None, *, prologue: str = "", page: str = "") -> bytes:
        relations = "".join(
            f'<Relationship Id="r{number}" Type="http://x/relationships/{path.split(".")[0]}" Target="{path}"/>'
            for number, path in enumerate(parts or {})
        )
        files = {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": '<Relationships><Relationship Id="r1" Type="http://x/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
            "word/document.xml": f'{prologue}<w:document xmlns:w="{W}">{page}<w:body>{body}</w:body></w:document>',
            **{f"word/{path}": text for path, text in (parts or {}).items()},
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        return packed.getvalue()

    return make


@pytest.fixture
def registered() -> Iterator[Callable[..., None]]:
    """`register_reader`, taken back when the test ends."""
    names: list[str] = []

    def register(name: str, reader: Callable[[bytes, str], Document], **options: tuple[str, ...]) -> None:
        registry.register_reader(name, reader, **options)
        names.append(name)

    yield register
    for name in names:
        registry.unregister_reader(name)
