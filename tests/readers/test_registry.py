"""Choosing a reader, bad paths, and what holds for every document."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from every import every

from spanwise.domain.document import Document, Line, Page, Section
from spanwise.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentNotFoundError,
    EmptyDocumentError,
    LimitError,
    PasswordError,
    UnsupportedFormatError,
)
from spanwise.readers.port import Limits
from spanwise.readers.reading import read
from spanwise.readers.registry import UnknownReaderError, available_readers, supported_suffixes

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PDF = b"%PDF-1.7\n1 0 obj\nendobj\nstartxref\n0\n%%EOF"


def document_of(*texts: str) -> Document:
    lines = tuple(Line(number, 1, number, text, block=number) for number, text in enumerate(texts, start=1))
    return Document("x", "x", "x", lines, (Page(1, "1", 0, 0, 1, len(lines)),))


def packed(*paths: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in paths:
            archive.writestr(path, "content")
    return buffer.getvalue()


def test_importing_the_registry_loads_no_heavy_library() -> None:
    heavy = "pypdfium2 pikepdf docx lxml selectolax markdown_it nupunkt pydantic charset_normalizer"
    code = f"import sys, spanwise.readers.registry; print([m for m in {heavy.split()!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_id_is_the_hash_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Hello.\n")
    document = read(path)
    assert (document.id, document.name) == (hashlib.sha256(b"Hello.\n").hexdigest(), "a.txt")


@every(
    ("name", "data", "expected"),
    [
        ("a.txt", b"plain", "text"),
        ("a.TXT", b"plain", "text"),
        ("README", b"plain", "text"),
        ("a.log", b"plain", "text"),
        ("a.csv", b"a,b", "csv"),
        ("a.eml", b"From: a@b.org\n\nHello", "mail"),
        ("a", b"From: a@b.org\nTo: c@d.org\nSubject: x\n\nHello", "mail"),
        ("a.doc", b"{\\rtf1 hello}", "rtf"),
        ("a.md", b"# T", "markdown"),
        ("a.markdown", b"# T", "markdown"),
        ("a.html", b"<p>x</p>", "html"),
        ("a.xhtml", b"<p>x</p>", "html"),
        ("page", b"<!DOCTYPE html><p>x</p>", "html"),
        ("page", b"\xef\xbb\xbf<html><p>x</p>", "html"),
        ("odd.v2", b"plain", "text"),
        ("standard input", b"# T\n\nSome words.\n", "markdown"),
        ("standard input", b"a | b\n--- | ---\n1 | 2\n", "markdown"),
        ("standard input", b"Name,Role,Since\nAda,cook,2019\nBen,driver,2020\n", "csv"),
        ("standard input", "Name;Role;Since\nÅsa;cook;2019\n".encode() * 2000, "csv"),
        ("standard input", b"First, second, third.\nOne, two.\nRed, green, blue.\n", "text"),
        ("standard input", b"# a comment\nvalue = 1\n", "text"),
    ],
)
def test_the_suffix_chooses_among_text_formats(name: str, data: bytes, expected: str) -> None:
    assert read(data, name=name).format == expected


def test_a_text_that_talks_about_pdf_stays_text() -> None:
    assert read(b"A PDF starts with %PDF-1.7 as its header.", name="notes.txt").format == "text"


def test_content_wins_over_the_suffix_with_a_notice(make_docx) -> None:
    data = make_docx(lambda document: document.add_paragraph("Hello there."))
    document = read(data, name="a.pdf")
    assert (document.format, document.notices[0].code) == ("docx", "content_type")
    assert not read(data, name="a.docx").notices
    assert read(data, name="bare").format == "docx"


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"<!doctype html><p>Not found</p>", "an HTML page"),
        (b"just words", "plain text"),
        (bytes(range(256)) * 20, "binary data"),
    ],
)
@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_a_name_that_promises_another_format_is_damage(data: bytes, looks: str, suffix: str) -> None:
    with pytest.raises(DamagedDocumentError, match=looks) as caught:
        read(data, name=f"a{suffix}")
    assert str(caught.value).startswith(f"a{suffix} is not a")
    assert caught.value.document == f"a{suffix}"


@every(
    ("data", "message"),
    [
        (OLE + "WordDocument".encode("utf-16-le"), "save it as .docx"),
        (OLE, "old Office"),
        (packed("a.txt"), "holds documents and is none itself"),
        (b"\x7fELF\x02", "program"),
        (bytes(range(256)) * 20, "binary"),
    ],
)
@every("name", ["a.doc", "a.txt", "a"])
def test_other_formats_are_named(data: bytes, message: str, name: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=message):
        read(data, name=name)


@pytest.mark.parametrize("name", ["a.docx", "a.doc", "a"])
def test_an_encrypted_office_file_asks_for_one_without_password(name: str) -> None:
    with pytest.raises(PasswordError, match="remove the password"):
        read(OLE + "EncryptedPackage".encode("utf-16-le"), name=name)


@pytest.mark.parametrize("data", [b"", b" \n\n\t", "\u200b\ufeff\n".encode()])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_nothing_to_read_is_empty(data: bytes, name: str) -> None:
    with pytest.raises(EmptyDocumentError):
        read(data, name=name)


def test_an_empty_pdf_is_empty_not_damaged() -> None:
    with pytest.raises(EmptyDocumentError, match="0 bytes"):
        read(b"", name="a.pdf")


def test_a_missing_file_names_close_ones(tmp_path: Path) -> None:
    (tmp_path / "Contract.txt").write_text("x")
    with pytest.raises(DocumentNotFoundError, match=r"did you mean .*Contract\.txt\?"):
        read(tmp_path / "contrct.txt")


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match=r"folder .* does not exist"):
        read(tmp_path / "none" / "a.txt")


@pytest.mark.parametrize("path", ["a\0b.txt", "x" * 5000])
def test_impossible_paths_are_errors_with_one_sentence(path: str) -> None:
    with pytest.raises(DocumentError):
        read(path)


def test_a_folder_is_not_a_document(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="is a folder"):
        read(tmp_path)


def test_a_device_is_not_a_document() -> None:
    with pytest.raises(DocumentError, match="is a device"):
        read("/dev/zero")


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A file that this process may not read, even where tests run as root."""
    path = tmp_path / "a.txt"
    path.write_text("x")
    path.chmod(0)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
    except OSError:
        pytest.skip("this root may not become anybody else")
    yield path
    if root:
        os.seteuid(0)


def test_no_permission(locked: Path) -> None:
    with pytest.raises(DocumentError, match="No permission to read"):
        read(locked)


def test_a_name_with_odd_bytes_can_be_printed(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")
    Path(path).write_bytes(b"Hello.")
    assert read(path).name.encode("utf-8")


def test_the_size_limit_holds_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 100)
    with pytest.raises(LimitError, match="file_bytes"):
        read(path, limits=Limits(file_bytes=99))
    with pytest.raises(LimitError, match="file_bytes"):
        read(b"x" * 100, limits=Limits(file_bytes=99))


def test_a_reader_can_be_forced() -> None:
    assert read(b"# T", name="a.md", reader="text").format == "text"


def test_an_unknown_reader_names_those_there_are() -> None:
    with pytest.raises(
        UnknownReaderError,
        match="pdf, ocr, image, docx, sheets, slides, odt, rtf, epub, mail, archive, html, markdown, csv, text",
    ) as caught:
        read(b"x", reader="tika")
    assert isinstance(caught.value, ValueError)


def test_a_registered_reader_takes_its_suffix_and_mime(registered) -> None:
    registered("post", lambda *_: document_of("Hello"), suffixes=("EML",), mime=("application/pdf",))
    document = read(b"Hello", name="a.eml")
    assert (document.format, document.name, document.id) == ("post", "a.eml", hashlib.sha256(b"Hello").hexdigest())
    assert read(PDF, name="a.pdf").format == "post"
    assert ".eml" in supported_suffixes()
    assert available_readers()[-1].name == "post"
    assert not available_readers()[-1].built_in


def test_the_reader_registered_last_is_asked_first(registered) -> None:
    registered("one", lambda *_: document_of("one"), suffixes=(".x",))
    registered("two", lambda *_: document_of("two"), suffixes=(".x",))
    assert read(b"Hello", name="a.x").format == "two"


def test_a_failing_reader_is_named(registered) -> None:
    def fail(*_: object) -> Document:
        raise KeyError("boom")

    registered("mine", fail)
    with pytest.raises(DamagedDocumentError, match="'mine' \\(KeyError"):
        read(b"x", reader="mine")


GOOD = document_of("one", "two", "three")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("a string", "returned str"),
        (dataclasses.replace(GOOD, lines=GOOD.lines[1:]), "numbered line 1 as 2"),
        (document_of("one\ntwo"), "line break in line 1"),
        (document_of("one\u2028two"), "line break in line 1"),
        (document_of("half \ud800"), "surrogate"),
        (dataclasses.replace(GOOD, pages=()), "left line 1 on no page"),
        (dataclasses.replace(GOOD, pages=(Page(1, "1", 0, 0, 1, 2),)), "left line 3 on no page"),
        (dataclasses.replace(GOOD, pages=(Page(1, "1", 0, 0, 1, 4),)), "lines of another page"),
        (dataclasses.replace(GOOD, pages=(Page(2, "1", 0, 0, 1, 3),)), "numbered page 1 as 2"),
        (dataclasses.replace(GOOD, sections=(Section("S", 1, 2, 9, 1, 1),)), "section 'S'"),
        (
            dataclasses.replace(GOOD, lines=(*GOOD.lines[:2], dataclasses.replace(GOOD.lines[2], block=1))),
            "block number fall at line 3",
        ),
        (
            dataclasses.replace(GOOD, lines=(*GOOD.lines[:2], dataclasses.replace(GOOD.lines[2], line_in_page=7))),
            "out of order",
        ),
    ],
)
def test_a_reader_that_breaks_a_promise_is_named(registered, bad: Document, message: str) -> None:
    registered("mine", lambda *_: bad)
    with pytest.raises(DocumentError, match=message) as caught:
        read(b"x", reader="mine")
    assert "'mine'" in str(caught.value)
