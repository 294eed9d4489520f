"""Raised numbers in formats of running text: exponents and marks of notes make no other figure."""

from __future__ import annotations

import io
import zipfile
from decimal import Decimal

import pptx
from every import every
from pptx.util import Inches

from spanwise.readers.flowing import raised_after
from spanwise.readers.registry import read_here as read
from spanwise.text.quantities import quantities
from spanwise.text.tables.grid import read_cell
from spanwise.text.tables.table_reading import split_row

PIECES = (("500", "1"), (" for 10", "6"), (" at the 1", "st"), (" fee of cedar", "2,3"), (" in 5 m", "2"))
WRITTEN = "500^1 for 10^6 at the 1st fee of cedar^2,3 in 5 m2"


@every(
    "before, text, written",
    [
        ("500", "1", "^1"),
        ("500.", "1", "^1"),
        ("10", "-3", "^-3"),
        ("1", "st", "st"),
        ("m", "2", "2"),
        ("50^1,", "2", "2"),
        ("", "2", "2"),
    ],
)
def test_only_what_would_be_another_figure_is_marked(before: str, text: str, written: str) -> None:
    assert raised_after(before, text) == written


def test_each_format_marks_raised_numbers(raw_docx) -> None:
    tagged = "".join(f"{base}<sup>{raised}</sup>" for base, raised in PIECES)
    run = '<w:r><w:rPr>{}</w:rPr><w:t xml:space="preserve">{}</w:t></w:r>'
    over = '<w:vertAlign w:val="superscript"/>'
    office = "".join(run.format("", base) + run.format(over, raised) for base, raised in PIECES)
    rich = "".join(rf"{base}{{\super {raised}}}" for base, raised in PIECES)
    files = {
        "a.html": f"<p>{tagged}</p>".encode(),
        "a.md": tagged.encode(),
        "a.docx": raw_docx(f"<w:p>{office}</w:p>"),
        "a.rtf": b"{\\rtf1 " + rich.encode() + b"\\par}",
        "a.odt": _open_document(),
        "a.pptx": _slide(),
    }
    found = {name: [line.text for line in read(data, name=name).lines] for name, data in files.items()}
    assert found == {name: [WRITTEN] for name in files}


def _open_document() -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "style")
    )
    style = (
        '<office:automatic-styles><style:style style:name="R" style:family="text"><style:text-properties '
        'style:text-position="33% 58%"/></style:style></office:automatic-styles>'
    )
    said = "".join(f'{base}<text:span text:style-name="R">{raised}</text:span>' for base, raised in PIECES)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}>{style}<office:body><office:text><text:p>{said}</text:p></office:text>"
            "</office:body></office:document-content>",
        )
    return packed.getvalue()


def _slide() -> bytes:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    paragraph = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(8), Inches(1)).text_frame.paragraphs[0]
    for base, raised in PIECES:
        paragraph.add_run().text = base
        over = paragraph.add_run()
        over.text = raised
        over._r.get_or_add_rPr().set("baseline", "30000")
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


def test_a_figure_with_a_raised_note_is_that_figure() -> None:
    assert [one.value for one in quantities("a fee of $1,200^3 a year")] == [Decimal(1200)]
    cell = read_cell("100^1")
    assert cell is not None
    assert cell.value == 100
    assert split_row("Oak  100^1  120") == ("Oak", ("100^1", "120"))


def test_a_hidden_raised_number_marks_nothing() -> None:
    page = read(b'<p>Room 5<sup style="display:none">1</sup>6 is let.</p>', name="a.html")
    assert page.lines[0].text == "Room 56 is let."


def test_powers_and_fractions_of_formulas_are_written_out(raw_docx) -> None:
    formula = "<math><msup><mn>10</mn><mn>6</mn></msup><mo>=</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
    page = read(f"<p>Let {formula} be. <button>Go</button><button>Stop</button></p>".encode(), name="a.html")
    assert [line.text for line in page.lines] == ["Let 10^6=a/b be.", "Go Stop"]
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    run = "<m:r><m:t>{}</m:t></m:r>".format
    power = f"<m:sSup><m:e>{run(10)}</m:e><m:sup>{run(6)}</m:sup></m:sSup>"
    share = f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b')}</m:den></m:f>"
    document = read(raw_docx(f"<w:p><m:oMath {space}>{power}{run('=')}{share}</m:oMath></w:p>"), name="a.docx")
    assert [line.text for line in document.lines] == ["10^6=a/b"]
