"""The checks that are shipped, run on every reader that is shipped; and on one that breaks promises."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from ole_files import attachment, ole_file, outlook
from reportlab.pdfgen.canvas import Canvas
from test_sheets import old_workbook

import spanwise
from spanwise.domain.document import Document, Line, Page
from spanwise.testing import ReaderConformance

CELLS = "Item Price Bread 4.20 Milk 1.10"
LETTER = "Lease The rent is 1200 euros It is due on the third"


def packed(files: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


class TestPdf(ReaderConformance):
    reader, name, visible, hidden = "pdf", "a.pdf", LETTER, "secret bonus"

    def sample(self):
        made = io.BytesIO()
        canvas = Canvas(made, invariant=1)
        canvas.setFont("Helvetica", 16)
        canvas.drawString(72, 760, "Lease")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 730, "The rent is 1200 euros.")
        canvas.drawString(72, 715, "It is due on the third.")
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(72, 690, "secret bonus")
        canvas.save()
        return made.getvalue()


class TestDocx(ReaderConformance):
    reader, name, visible, hidden = "docx", "a.docx", f"{LETTER} {CELLS}", "secret bonus"

    def sample(self):
        document = docx.Document()
        document.add_heading("Lease", 1)
        document.add_paragraph("The rent is 1200 euros. It is due on the third.")
        document.add_paragraph().add_run("secret bonus").font.hidden = True
        table = document.add_table(3, 2)
        for at, text in enumerate(CELLS.split()):
            table.cell(at // 2, at % 2).text = text
        made = io.BytesIO()
        document.save(made)
        return made.getvalue()


class TestSheets(ReaderConformance):
    reader, name, visible, hidden = "sheets", "a.xlsx", CELLS, "secret bonus"

    def sample(self):
        book = openpyxl.Workbook()
        sheet = book.active
        for row in (["Item", "Price"], ["Bread", 4.2], ["secret", "bonus"], ["Milk", 1.1]):
            sheet.append(row)
        sheet["B2"].number_format = sheet["B4"].number_format = "0.00"
        sheet.row_dimensions[3].hidden = True
        made = io.BytesIO()
        book.save(made)
        return made.getvalue()


class TestOldSheets(ReaderConformance):
    reader, name, visible, hidden = "sheets", "a.xls", "Share 12 50 Rent 1 200 00 EUR", "Secret"

    def sample(self):
        return old_workbook()


class TestSlides(ReaderConformance):
    reader, name, visible, hidden = "slides", "a.pptx", LETTER, "secret bonus"

    def sample(self):
        show = pptx.Presentation()
        for title, text in (("Lease", "The rent is 1200 euros. It is due on the third."), ("secret", "bonus")):
            slide = show.slides.add_slide(show.slide_layouts[1])
            slide.shapes.title.text, slide.placeholders[1].text = title, text
        show.slides[1]._element.set("show", "0")
        made = io.BytesIO()
        show.save(made)
        return made.getvalue()


class TestHtml(ReaderConformance):
    reader, name, visible, hidden = "html", "a.html", f"{LETTER} {CELLS} 1 First", "secret bonus"

    def sample(self):
        rows = "".join(
            f"<tr><td>{a}<td>{b}</tr>" for a, b in ("Item Price".split(), ["Bread", "4.20"], ["Milk", "1.10"])
        )
        return (
            "<!doctype html><script>fetch('http://example.org')</script><img src='http://example.org/x.png'>"
            "<h1>Lease</h1><p>The rent is 1200 euros. It is due on the third.</p><p hidden>secret bonus</p>"
            f"<ol><li>First</ol><table>{rows}</table>"
        ).encode()


class TestMarkdown(ReaderConformance):
    reader, name, visible, hidden = "markdown", "a.md", f"{LETTER} {CELLS}", "secret bonus"

    def sample(self):
        table = "| Item | Price |\n| --- | --- |\n| Bread | 4.20 |\n| Milk | 1.10 |\n"
        return (
            f"# Lease\n\nThe rent is 1200 euros. It is due on the third.\n\n<!-- secret bonus -->\n\n{table}".encode()
        )


class TestText(ReaderConformance):
    reader, name, visible = "text", "a.txt", f"{LETTER} 1 First"

    def sample(self):
        return b"LEASE\n\nThe rent is 1200 euros.\nIt is due on the third.\n\n1. First\n"


class TestCsv(ReaderConformance):
    reader, name, visible = "csv", "a.csv", f"{CELLS} High Street 12"

    def sample(self):
        return b'Item;Price\nBread;4.20\nMilk;1.10\n"High\nStreet";12\n'


class TestRtf(ReaderConformance):
    reader, name, visible, hidden = "rtf", "a.rtf", f"{LETTER} {CELLS} Page footer", "secret bonus white"

    def sample(self):
        rows = "".join(
            rf"\trowd\intbl {a}\cell {b}\cell\row " for a, b in (["Item", "Price"], ["Bread", "4.20"], ["Milk", "1.10"])
        )
        return (
            r"{\rtf1\ansi{\colortbl;\red255\green255\blue255;}{\stylesheet{\s1 heading 1;}}{\footer Page footer\par}"
            r"\pard\s1 Lease\par\pard\plain The rent is 1200 euros. {\v secret bonus}{\cf1 white} It is due "
            r"{\field{\*\fldinst HYPERLINK http://example.org}{\fldrslt on the third}}.\par " + rows + r"\pard\par}"
        ).encode()


class TestOdt(ReaderConformance):
    reader, name, visible, hidden = "odt", "a.odt", f"{LETTER} {CELLS} As agreed", "secret bonus removed row"

    def sample(self):
        spaces = " ".join(
            f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            for short, name in (("office", "office"), ("text", "text"), ("style", "style"), ("table", "table"))
        )
        style = (
            '<style:style style:name="T" style:family="text"><style:text-properties text:display="none"/></style:style>'
        )
        rows = "".join(
            f"<table:table-row{look}>"
            + "".join(f"<table:table-cell><text:p>{one}</text:p></table:table-cell>" for one in cells)
            + "</table:table-row>"
            for look, *cells in (
                ("", "Item", "Price"),
                ("", "Bread", "4.20"),
                (' table:visibility="collapse"', "row"),
                ("", "Milk", "1.10"),
            )
        )
        body = (
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>removed</text:p></text:deletion>"
            "</text:changed-region></text:tracked-changes>"
            '<text:h text:outline-level="1">Lease</text:h><text:p>The rent is 1200 euros.'
            '<text:span text:style-name="T">'
            "secret bonus</text:span> It is due on<text:note><text:note-citation>1</text:note-citation><text:note-body>"
            f"<text:p>As agreed</text:p></text:note-body></text:note> the third.</text:p>"
            f"<table:table>{rows}</table:table>"
        )
        return packed(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": f"<office:document-content {spaces}><office:automatic-styles>{style}"
                f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
                "</office:document-content>",
            }
        )


class TestEpub(ReaderConformance):
    reader, name, visible, hidden = "epub", "a.epub", f"{LETTER} The storm", "secret bonus"

    def sample(self):
        head = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>'
        return packed(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": "<container><rootfiles>"
                '<rootfile full-path="b/c.opf"/></rootfiles></container>',
                "b/c.opf": '<package><manifest><item id="1" href="1.xhtml" media-type="application/xhtml+xml"/>'
                '<item id="2" href="2%20b.xhtml" media-type="application/xhtml+xml"/><item id="n" href="n.ncx" '
                'media-type="application/x-dtbncx+xml"/></manifest><spine>'
                '<itemref idref="2"/><itemref idref="1"/></spine>'
                "</package>",
                "b/n.ncx": '<!DOCTYPE ncx SYSTEM "http://example.org/ncx.dtd"><ncx><navMap><navPoint>'
                "<navLabel><text>A lease"
                '</text></navLabel><content src="2%20b.xhtml#top"/></navPoint></navMap></ncx>',
                "b/s.css": ".x { display: none }",
                "b/1.xhtml": f"{head}</head><body><p>The storm</p></body></html>",
                "b/2 b.xhtml": f'{head}<link rel="stylesheet" href="s.css"/></head><body>'
                "<h1>Lease</h1><p>The rent is 1200 "
                'euros. It is due on the third.</p><p class="x">secret bonus</p></body></html>',
            }
        )

    def test_chapters_follow_the_spine_and_are_called_as_its_contents_say(self):
        document = self.read(self.sample())
        assert document.line(1).text == "Lease"
        assert [(one.level, one.title) for one in document.sections] == [(1, "A lease"), (2, "Lease")]


MAIL = "From Jane jane example org Subject Lease Date Attachments costs csv"


class TestMail(ReaderConformance):
    reader, name, visible, hidden = (
        "mail",
        "a.eml",
        f"{MAIL} Fri 01 Mar 2024 10 00 00 0100 The rent is 1200 euros Bob wrote When is it due",
        "secret bonus",
    )

    def sample(self):
        page = (
            "<p>The rent is 1200 euros.</p><p style='display:none'>secret bonus</p><p>Bob wrote:</p>"
            "<blockquote>When is it due?</blockquote>"
        )
        return (
            "Received: by nobody\r\nFrom: Jane <jane@example.org>\r\nSubject: =?utf-8?q?Lease?=\r\n"
            "Date: Fri, 01 Mar 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\n"
            "Content-Type: multipart/mixed; boundary=m\r\n\r\n"
            "--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n"
            "--a\r\nContent-Type: text/plain\r\n\r\nOther.\r\n"
            f"--a\r\nContent-Type: text/html\r\n\r\n{page}\r\n--a--\r\n"
            "--m\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=costs.csv\r\n\r\n"
            "Item,Cost\r\n--m--\r\n"
        ).encode()

    def test_what_is_quoted_is_a_section(self):
        sections = [(one.level, one.title, one.first_line) for one in self.read(self.sample()).sections]
        assert sections == [(1, "Lease", 1), (2, "Quoted message", 7)]


class TestOutlook(ReaderConformance):
    reader, name = "mail", "a.msg"
    visible = f"{MAIL} 2024 01 17 21 20 UTC The rent is 1200 euros"

    def sample(self):
        told = {0x0C1A: "Jane", 0x5D01: "jane@example.org", 0x0037: "Lease", 0x1000: "The rent is 1200 euros.\r\n"}
        return ole_file(outlook(told, [attachment("costs.csv", b"Item,Cost\n")]))


class Promising(ReaderConformance):
    """A reader of somebody who uses Spanwise, and a sample that it does not do justice to."""

    reader, name, visible, hidden = "words", "a.words", "one two", "secret"

    def sample(self):
        return b"one\ntwo\n"


def words(data: bytes, name: str) -> Document:
    texts = data.decode("ascii", "replace").split()
    lines = tuple(Line(number, 1, number, text) for number, text in enumerate(texts, 1))
    return Document("", name, "", lines, (Page(1, "1", 0.0, 0.0, 1, len(lines)),))


def fetching(data: bytes, name: str) -> Document:
    with pytest.raises(FileNotFoundError):
        Path("/nowhere/at/all").write_bytes(data)
    return words(data, name)


@pytest.mark.parametrize(
    ("reader", "check"),
    [
        (lambda data, name: words(data[4:], name), "test_nothing_is_lost_and_nothing_added"),
        (lambda data, name: words(b"zero " + data, name), "test_nothing_is_lost_and_nothing_added"),
        (words, "test_hidden_text_is_apart"),
        (
            lambda data, name: replace(words(data, name), pages=(Page(1, "", 0.0, 0.0, 1, 1),)),
            "test_its_lines_are_numbered_without_a_gap",
        ),
        (fetching, "test_nothing_is_executed_fetched_or_written"),
    ],
    ids=["loses", "adds", "does not hide", "pages", "writes"],
)
def test_a_reader_that_breaks_a_promise_is_found(registered, reader, check):
    registered("words", reader)
    with pytest.raises((AssertionError, spanwise.errors.DocumentError)):
        getattr(Promising(), check)()


def test_an_honest_reader_of_somebody_passes(registered):
    registered("words", words)
    suite = type("Suite", (Promising,), {"hidden": ""})()
    for check in (name for name in dir(suite) if name.startswith("test_")):
        getattr(suite, check)()
