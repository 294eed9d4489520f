"""Opening a PDF: passwords, bounds, and files that need a repair first."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from spanwise.errors import DamagedDocumentError, EmptyDocumentError, LimitError, PasswordError
from spanwise.readers.port import ReadOptions

_PACKED = b"/ObjStm"


def _any_of(*names: str) -> re.Pattern[bytes]:
    """Names in a PDF, any letter of which may be written by its code."""
    spelled = ("".join(f"(?:{letter}|#(?i:{ord(letter):02x}))" for letter in name) for name in names)
    return re.compile(f"/(?:{'|'.join(spelled)})".encode())


_LAYERS, _FIELDS = _any_of("OCProperties", "ObjStm"), _any_of("AcroForm", "ObjStm")
"""What says that a file has layers, or fields; what is packed may say so, too."""
_BLENDS = re.compile(_any_of("BM", "SMask", "ObjStm").pattern + rb"(?!\s{0,9}/(?:Normal|Compatible|None)\b)")
"""What says that it may blend colours, or mask what it draws."""
_COUNT = re.compile(rb"/N\s{1,8}(\d{1,9})")


class OpenPdf(NamedTuple):
    """A document that pdfium has open."""

    document: pypdfium2.PdfDocument
    pages: int
    repaired: bool
    layers: bool
    """It may have optional content: parts that a viewer shows or does not show."""
    blends: bool
    """It may blend colours, or mask what it draws."""


@contextmanager
def open_pdf(data: bytes, name: str, options: ReadOptions) -> Iterator[OpenPdf]:
    """Open a PDF, repairing it where pdfium refuses it, and close it again.

    Raises:
        EmptyDocumentError: The file has no bytes or no pages.
        PasswordError: It is encrypted, and the password is missing or wrong.
        LimitError: It has more pages or objects than the limits allow.
        DamagedDocumentError: It cannot be opened, not even after a repair.
    """
    if not data:
        raise EmptyDocumentError(f"{name} is empty: check that it was saved or downloaded completely.", document=name)
    _check_objects(data, name, options)
    document, repaired = _opened(data, name, options), False
    if document is None or len(document) == 0:
        if document is not None:
            document.close()
        document, repaired = _opened(_repaired(data, name, options), name, options), True
    if document is None:
        raise _damaged(name)
    try:
        if _FIELDS.search(data) and document.get_formtype() == pdfium.FORMTYPE_ACRO_FORM:
            document.init_forms()
        pages = len(document)
        if pages == 0:
            raise EmptyDocumentError(f"{name} has no pages: check that it was saved completely.", document=name)
        if pages > options.limits.pages:
            raise LimitError(
                f"{name} has {pages:,} pages, more than {options.limits.pages:,}: split it, "
                "or raise the limit (Limits.pages).",
                document=name,
            )
        yield OpenPdf(document, pages, repaired, _LAYERS.search(data) is not None, _BLENDS.search(data) is not None)
    finally:
        document.close()


def _opened(data: bytes, name: str, options: ReadOptions) -> pypdfium2.PdfDocument | None:
    try:
        return pypdfium2.PdfDocument(data, password=options.password)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise _locked(name, options.password) from error
        return None


def _repaired(data: bytes, name: str, options: ReadOptions) -> bytes:
    """The file as pikepdf rebuilds it."""
    import pikepdf  # few files need it, and it takes longer to load than most take to read

    try:
        with pikepdf.open(io.BytesIO(data), password=options.password or "") as rebuilt:
            if len(rebuilt.objects) > options.limits.objects:
                raise _too_many_objects(name, options)
            buffer = io.BytesIO()
            rebuilt.save(buffer)
            return buffer.getvalue()
    except pikepdf.PasswordError as error:
        raise _locked(name, options.password) from error
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        # qpdf reports some kinds of damage as plain runtime errors.
        if isinstance(error, LimitError):
            raise
        raise _damaged(name) from error


def _check_objects(data: bytes, name: str, options: ReadOptions) -> None:
    """Count what the file says it holds, before anything is parsed."""
    count = data.count(b" obj")
    at = data.find(_PACKED)
    while at >= 0 and count <= options.limits.objects:
        # The number of packed objects stands in the same dictionary, before or after the word.
        around = _COUNT.findall(data[max(at - 150, 0) : at + 150])
        count += max((int(found) for found in around), default=0)
        at = data.find(_PACKED, at + len(_PACKED))
    if count > options.limits.objects:
        raise _too_many_objects(name, options)


def _too_many_objects(name: str, options: ReadOptions) -> LimitError:
    return LimitError(
        f"{name} has more than {options.limits.objects:,} objects: print it to a new PDF, "
        "or raise the limit (Limits.objects) if you trust it.",
        document=name,
    )


def _locked(name: str, password: str | None) -> PasswordError:
    if password is None:
        return PasswordError(f"{name} is encrypted: give its password with --password.", document=name)
    return PasswordError(f"The password for {name} is wrong: give the right one with --password.", document=name)


def _damaged(name: str) -> DamagedDocumentError:
    return DamagedDocumentError(
        f"{name} is damaged and could not be repaired: download or export it again.", document=name
    )
