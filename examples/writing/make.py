"""Writes the documents of examples/documents: `python examples/writing/make.py [FOLDER]` (needs the group `dev`).

The words are in content/, one Markdown file a document; which document is laid out how is in documents.toml. The same
words and the same versions of the libraries give the same bytes.
"""

import io
import re
import sys
import tomllib
import zipfile
from pathlib import Path

from blocks import blocks_of
from pdf import pdf_of
from scan import scan_of
from sheet import xlsx_of
from word import docx_of

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent / "documents"
LEFT_OUT = {"docProps/thumbnail.jpeg"}
"""What python-docx puts into each file, and nobody here wrote."""


def made() -> dict[str, bytes]:
    """The bytes of each document by the name of its file."""
    records = tomllib.loads((HERE / "documents.toml").read_text(encoding="utf-8"))["document"]
    return {record["file"]: _bytes_of(record) for record in records}


def main(folder: Path) -> None:
    """Write them all."""
    for name, content in made().items():
        (folder / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")


def _bytes_of(record: dict[str, str]) -> bytes:
    blocks = blocks_of((HERE / "content" / record["content"]).read_text(encoding="utf-8"))
    match record["style"]:
        case "handbook":
            return _settled(docx_of(record, blocks))
        case "sheets":
            return _settled(xlsx_of(record, blocks))
        case "scan":
            return scan_of(record, pdf_of(record, blocks))
        case _:
            return pdf_of(record, blocks)


def _settled(package: bytes) -> bytes:
    """A ZIP package without the time of its making, its parts stored in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(set(old.namelist()) - LEFT_OUT, key=lambda part: (part != "[Content_Types].xml", part)):
            part = zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0))
            part.compress_type, part.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            new.writestr(part, _without_time(_without_thumbnail(name, old.read(name))))
    return out.getvalue()


def _without_thumbnail(name: str, content: bytes) -> bytes:
    if name != "_rels/.rels":
        return content
    before, mark, after = content.partition(b"thumbnail.jpeg")
    if not mark:
        return content
    return before[: before.rindex(b"<Relationship ")] + after[after.index(b"/>") + 2 :]


def _without_time(content: bytes) -> bytes:
    """Without the time of saving, which openpyxl writes whatever the properties say."""
    return re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2025-01-01T00:00:00Z", content)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS)
