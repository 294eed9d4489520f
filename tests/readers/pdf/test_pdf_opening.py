from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pikepdf
import pytest
from pdf_making import PROSE, both, changed, codes, pdf, picture, read, texts, write
from reportlab.pdfgen.canvas import Canvas

import spanwise
from spanwise.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    LimitError,
    NoTextError,
    PasswordError,
)
from spanwise.readers.port import Limits

PLAIN = pdf(write(PROSE))


def nothing(opened: pikepdf.Pdf) -> None:
    """Changes nothing."""


def scan(canvas: Canvas) -> None:
    canvas.drawImage(picture(), 0, 0, 612, 792)


def blank(canvas: Canvas) -> None:
    """Draws nothing."""


def locked() -> bytes:
    return changed(PLAIN, nothing, encryption=pikepdf.Encryption(owner="boss", user="open sesame"))


def test_the_password_opens_an_encrypted_file() -> None:
    assert texts(read(locked(), password="open sesame")) == list(PROSE)


@pytest.mark.parametrize(("password", "told"), [(None, "is encrypted"), ("guess", "is wrong")])
def test_a_password_that_is_missing_or_wrong_is_told_apart(password: str | None, told: str) -> None:
    with pytest.raises(PasswordError, match=told) as caught:
        read(locked(), password=password)
    assert "--password" in str(caught.value)
    assert caught.value.document == "test.pdf"


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(EmptyDocumentError, match="empty"):
        read(b"")


@pytest.mark.parametrize("data", [b"\x00\x01\x02" * 500, b"%PDF-1.7\n", b"%PDF-1.4\n" + b"rubbish " * 400])
def test_what_cannot_be_repaired_is_refused(data: bytes) -> None:
    with pytest.raises((DamagedDocumentError, EmptyDocumentError)):
        read(data)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.97])
def test_a_truncated_file_is_read_or_refused_in_words(share: float) -> None:
    data = pdf(*[write(PROSE)] * 4)
    told = ""
    try:
        told = " ".join(texts(read(data[: int(len(data) * share)])))
    except DocumentError as error:
        told = str(error)
    assert "test.pdf" in told or PROSE[0] in told


def test_a_file_that_pdfium_refuses_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    # What pdfium refuses changes with its version; refusing the first attempt stands for all of it.
    from spanwise.readers.pdf import opened_pdf

    attempts: list[bytes] = []
    really = opened_pdf.pypdfium2.PdfDocument

    def refuse_first(data: bytes, password: str | None = None) -> object:
        attempts.append(data)
        if len(attempts) == 1:
            raise opened_pdf.pypdfium2.PdfiumError("Failed to load document", err_code=3)
        return really(data, password=password)

    monkeypatch.setattr(opened_pdf.pypdfium2, "PdfDocument", refuse_first)
    document = read(PLAIN)
    assert codes(document) == {"repaired"}
    assert texts(document) == list(PROSE)


def test_a_page_without_text_layer_is_named() -> None:
    document = read(pdf(write(PROSE), scan, write(PROSE)))
    assert [page.readable for page in document.pages] == [True, False, True]
    assert [(notice.code, notice.page) for notice in document.notices] == [("unreadable_page", 2)]
    assert document.pages[1].last_line == document.pages[1].first_line - 1


def test_a_blank_page_is_readable() -> None:
    document = read(pdf(write(PROSE), blank, write(PROSE)))
    assert all(page.readable for page in document.pages)
    assert document.notices == ()


def test_a_scan_without_any_text_says_to_run_ocr() -> None:
    with pytest.raises(NoTextError, match="OCR"):
        read(pdf(scan, scan))


def test_blank_pages_alone_are_an_empty_document() -> None:
    with pytest.raises(EmptyDocumentError):
        read(pdf(blank))


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        (Limits(pages=2), "Limits.pages"),
        (Limits(objects=3), "Limits.objects"),
        (Limits(lines=5), "Limits.lines"),
        (Limits(seconds=0.0), "Limits.seconds"),
    ],
)
def test_every_bound_is_kept_and_named(limits: Limits, named: str) -> None:
    with pytest.raises(LimitError, match=named):
        read(pdf(*[write(PROSE)] * 3), limits=limits)


def test_a_page_with_very_many_characters_ends_in_time() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        text.setFont("Helvetica", 3, leading=3)
        for _ in range(225):
            text.textLine("word " * 100)
        canvas.drawText(text)

    document = read(pdf(both(write(PROSE), draw)), limits=Limits(seconds=120))
    assert len(document.lines) > 220


def test_errors_cross_process_borders() -> None:
    with pytest.raises(PasswordError) as caught:
        read(locked())
    assert pickle.loads(pickle.dumps(caught.value)).document == "test.pdf"


def test_threads_may_read_at_once(standard: Path, lease_pdf: Path) -> None:
    files = [standard, lease_pdf] * 6
    alone = {path: spanwise.read(path).lines for path in (standard, lease_pdf)}
    with ThreadPoolExecutor(6) as pool:
        assert [document.lines for document in pool.map(spanwise.read, files)] == [alone[path] for path in files]
