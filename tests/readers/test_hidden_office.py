"""What nobody sees on a slide or in a sheet is never a line; what is seen always is."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import openpyxl
import pptx
import pytest
from every import every
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, GradientFill, PatternFill
from openpyxl.styles.colors import COLOR_INDEX, Color
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableStyleInfo
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches, Pt

from spanwise.domain.document import Document
from spanwise.readers.registry import read_here as read

WORDS = "secret words"
WHITE, NAVY = "FFFFFFFF", "FF000080"


def check(document: Document, *, seen: bool) -> None:
    lines = " ".join(line.text for line in document.lines)
    hidden = " ".join(entry.text for entry in document.hidden)
    assert "before" in lines
    assert (WORDS in lines, WORDS in hidden) == (seen, not seen)


def dressed(letters: Color | str, ground: str | None = None, pattern: str = "solid") -> Callable[..., None]:
    def dress(_sheet, cell) -> None:
        cell.font = Font(color=letters)
        if ground is not None:
            cell.fill = PatternFill(pattern, fgColor=ground)

    return dress


def in_table(sheet, cell) -> None:
    cell.font = Font(color=WHITE)
    sheet["B3"] = "head"
    table = Table(displayName="T", ref="B3:B4")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleDark1")
    sheet.add_table(table)


def in_colour(sheet, cell) -> None:
    cell.font = Font(color=WHITE)
    sheet.conditional_formatting.add("A1:C9", FormulaRule(formula=["TRUE"], fill=PatternFill("solid", bgColor=NAVY)))


def rule(formula: str, **looks) -> Callable[..., None]:
    def add(sheet, _cell) -> None:
        sheet.conditional_formatting.add("B3:B4", FormulaRule(formula=[formula], **looks))

    return add


def filled(cell, ground: str) -> None:
    cell.font, cell.fill = Font(color=WHITE), GradientFill(stop=(ground, ground))


def numbered(_sheet, cell, number: str = "11") -> None:
    """A format that gives letters the colour of the ground by its number, 3 after 8 colours that have names."""
    cell.fill = PatternFill("solid", fgColor=NAVY)
    cell.number_format = f"[Color{number}]@"


def repainted(sheet, cell, colour: str) -> None:
    """A workbook with colours of its own: what is red elsewhere is another colour in it."""
    own = list(COLOR_INDEX)
    own[10] = f"00{colour}"
    sheet.parent._colors = own
    cell.font = Font(color=Color(indexed=10))


def without_palette(data: bytes) -> bytes:
    """A workbook as Excel writes it, which leaves out the usual colours; openpyxl lists them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["xl/styles.xml"], cut = re.subn(rb"<colors>.*?</colors>", b"", files["xl/styles.xml"])
    assert cut == 1
    return zipped(files)


def piece(colour: str) -> TextBlock:
    return TextBlock(InlineFont(color=colour), WORDS)


IN_WHITE = Font(color=WHITE)

CELLS: list[tuple[str, bool, Callable[..., None]]] = [
    ("plain", True, lambda _sheet, _cell: None),
    ("white", False, dressed(WHITE)),
    ("nearly white on grey", False, dressed(WHITE, "FFF8F8F8")),
    ("theme", False, dressed(Color(theme=0))),
    ("tinted", False, dressed(Color(theme=1, tint=1.0))),
    ("indexed", False, dressed(Color(indexed=9))),
    ("indexed ground", False, dressed(Color(indexed=18), Color(indexed=18))),
    ("indexed as named", False, dressed(Color(indexed=32), NAVY)),
    ("indexed on another", True, dressed(Color(indexed=18), Color(indexed=41))),
    ("colour of paper", False, dressed(Color(indexed=65))),
    ("colour of letters", True, dressed(Color(indexed=64))),
    ("indexed tint", False, dressed(Color(indexed=18, tint=1.0))),
    ("unknown index", True, dressed(Color(indexed=70), Color(indexed=70))),
    ("number of a format", False, numbered),
    ("another number of a format", True, lambda sheet, cell: numbered(sheet, cell, "12")),
    ("own palette", False, lambda sheet, cell: repainted(sheet, cell, "FFFFFF")),
    ("own dark palette", True, lambda sheet, cell: repainted(sheet, cell, "202020")),
    ("ground", False, dressed(NAVY, NAVY)),
    ("white on navy", True, dressed(WHITE, NAVY)),
    ("pattern", True, dressed(WHITE, "FF000000", "lightGrid")),
    ("style of a table", True, in_table),
    ("condition", True, in_colour),
    ("condition that holds", False, rule('$A4<>"x"', font=IN_WHITE)),
    ("condition that does not hold", True, rule("B3=1", font=IN_WHITE)),
    ("condition nobody reckons", False, rule("MOD(ROW(),2)>=0", font=IN_WHITE)),
    ("condition with a ground", True, rule("TRUE", font=IN_WHITE, fill=PatternFill("solid", bgColor=NAVY))),
    ("colour of a format", False, lambda _sheet, cell: setattr(cell, "number_format", "[White]@")),
    ("size", False, lambda _sheet, cell: setattr(cell, "font", Font(size=1))),
    ("format", False, lambda _sheet, cell: setattr(cell, "number_format", '0;-0;0;""')),
    ("row", False, lambda sheet, _cell: setattr(sheet.row_dimensions[4], "height", 0.5)),
    ("column", False, lambda sheet, _cell: setattr(sheet.column_dimensions["B"], "width", 0.1)),
    ("another text", False, lambda _sheet, cell: setattr(cell, "number_format", '0;0;0;"x"')),
    ("gradient", False, lambda _sheet, cell: filled(cell, "FFFFFFFF")),
    ("dark gradient", True, lambda _sheet, cell: filled(cell, "FF202020")),
    ("piece", False, lambda sheet, _cell: setattr(sheet["B4"], "value", CellRichText("a ", piece(WHITE)))),
    ("dark piece", True, lambda sheet, _cell: setattr(sheet["B4"], "value", CellRichText("a ", piece(NAVY)))),
    ("low row", True, lambda sheet, _cell: setattr(sheet.row_dimensions[4], "height", 8)),
]


@every(("seen", "change"), [case[1:] for case in CELLS])
def test_cells(seen: bool, change: Callable[..., None]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["B4"] = "before", WORDS
    change(sheet, sheet["B4"])
    packed = io.BytesIO()
    book.save(packed)
    data = packed.getvalue()
    check(read(data if book._colors != COLOR_INDEX else without_palette(data), name="a.xlsx"), seen=seen)


def noted(sheet) -> None:
    sheet["B4"].comment = Comment(WORDS, "author")


def checked(sheet, formula: str = '"a,b"', **messages: str) -> None:
    validation = DataValidation(type="list", formula1=formula, **messages)
    sheet.add_data_validation(validation)
    validation.add("B4")


@every(
    "say",
    [
        noted,
        lambda sheet: checked(sheet, prompt=WORDS),
        lambda sheet: checked(sheet, promptTitle=WORDS),
        lambda sheet: checked(sheet, error=WORDS),
        lambda sheet: checked(sheet, f'"a,{WORDS},b"'),
    ],
)
def test_what_a_sheet_says_beside_its_cells(say: Callable[..., None]) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "before"
    say(book.active)
    packed = io.BytesIO()
    book.save(packed)
    check(read(packed.getvalue(), name="a.xlsx"), seen=False)


def text_box(slide, left: float = 1, top: float = 2, *, letters: str = "", shapes=None):
    box = (slide.shapes if shapes is None else shapes).add_textbox(Inches(left), Inches(top), Inches(6), Inches(1))
    box.text_frame.text = WORDS
    if letters:
        font(box).color.rgb = RGBColor.from_string(letters)
    return box


def font(box):
    return box.text_frame.paragraphs[0].runs[0].font


def bar(slide, left: float = 0.9, kind: int = 1, *, fill: str = "", shapes=None):
    shape = (slide.shapes if shapes is None else shapes).add_shape(
        kind, Inches(left), Inches(1.9), Inches(6.3), Inches(1.3)
    )
    if fill:
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor.from_string(fill)
    return shape


def picture(slide) -> None:
    packed = io.BytesIO()
    Image.new("RGB", (9, 9), "white").save(packed, "PNG")
    slide.shapes.add_picture(packed, Inches(0.9), Inches(1.9), Inches(6.3), Inches(1.3))


def group(slide, *, hidden: bool = False, left: float = 0) -> None:
    made = slide.shapes.add_group_shape()
    text_box(slide, shapes=made.shapes)
    made.left += Inches(left)
    if hidden:
        made._element.nvGrpSpPr.cNvPr.set("hidden", "1")


def animated(slide) -> None:
    text_box(slide)
    moving = bar(slide)
    timing = slide._element.makeelement(qn("p:timing"), {})
    timing.append(slide._element.makeelement(qn("p:spTgt"), {"spid": str(moving.shape_id)}))
    slide._element.append(timing)


def clear(slide) -> None:
    run = font(text_box(slide, letters="000000"))
    colour = next(run._element.iter(qn("a:srgbClr")))
    colour.append(colour.makeelement(qn("a:alpha"), {"val": "0"}))


def on_ground(slide, letters: str) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = RGBColor.from_string("003300")
    text_box(slide, letters=letters)


STOP = '<a:gs pos="0"><a:srgbClr val="FFFFFF"/></a:gs>'


def changed(colour: str, how: str) -> str:
    return f'<a:srgbClr val="{colour}">{how}</a:srgbClr>'


def inked(slide, fill: str) -> None:
    run = font(text_box(slide))._element
    run.append(parse_xml(fill.replace(">", f" {nsdecls('a')}>", 1)))


SLIDES: list[tuple[str, bool, Callable[..., object]]] = [
    ("plain", True, text_box),
    *(
        (f"off {left} {top}", False, lambda s, x=left, y=top: text_box(s, x, y))
        for left, top in ((-8, 2), (12, 2), (1, 9))
    ),
    ("over the edge", True, lambda s: text_box(s, -0.3)),
    ("white", False, lambda s: text_box(s, letters="FDFDFE")),
    ("theme", False, lambda s: setattr(font(text_box(s)).color, "theme_color", MSO_THEME_COLOR.BACKGROUND_1)),
    ("background", False, lambda s: on_ground(s, "003300")),
    ("white on background", True, lambda s: on_ground(s, "FFFFFF")),
    ("on a bar", False, lambda s: (bar(s, fill="111111"), text_box(s, letters="101010"))),
    ("white on a bar", True, lambda s: (bar(s), text_box(s, letters="FFFFFF"))),
    ("white on a picture", True, lambda s: (picture(s), text_box(s, letters="FFFFFF"))),
    ("tiny", False, lambda s: setattr(font(text_box(s)), "size", Pt(1.5))),
    ("clear", False, clear),
    ("no fill", False, lambda s: font(text_box(s)).fill.background()),
    ("one colour in turn", False, lambda s: inked(s, f"<a:gradFill><a:gsLst>{STOP * 2}</a:gsLst></a:gradFill>")),
    ("hue", False, lambda s: inked(s, '<a:solidFill><a:hslClr hue="0" sat="0" lum="100000"/></a:solidFill>')),
    *(
        (
            f"{name} {colour}",
            seen,
            lambda s, c=colour, how=how: inked(s, f"<a:solidFill>{changed(c, how)}</a:solidFill>"),
        )
        for name, seen, colour, how in (
            ("inverse", False, "000000", "<a:inv/>"),
            ("inverse", True, "FFFFFF", "<a:inv/>"),
            ("gray", False, "FFFFFF", "<a:gray/>"),
            ("complement", False, "FFFFFF", "<a:comp/>"),
            ("complement", True, "FF0000", "<a:comp/>"),
            ("lightness", False, "FF0000", '<a:lum val="100000"/>'),
            ("saturation", False, "FFFFFF", '<a:satMod val="150000"/>'),
            ("saturation", True, "FF0000", '<a:satMod val="150000"/>'),
        )
    ),
    ("dark hue", True, lambda s: inked(s, '<a:solidFill><a:hslClr hue="0" sat="0" lum="9000"/></a:solidFill>')),
    ("under a bar", False, lambda s: (text_box(s), bar(s))),
    ("under a picture", False, lambda s: (text_box(s), picture(s))),
    ("under a group", False, lambda s: (text_box(s), bar(s, shapes=s.shapes.add_group_shape().shapes))),
    ("half under a bar", True, lambda s: (text_box(s), bar(s, 3))),
    ("under a circle", True, lambda s: (text_box(s), bar(s, kind=9))),
    ("in a frame", True, lambda s: (text_box(s), bar(s).fill.background())),
    ("under what moves", True, animated),
    ("hidden group", False, lambda s: group(s, hidden=True)),
    ("group beside", False, lambda s: group(s, left=-20)),
    ("group", True, group),
]


@every(("seen", "fill"), [case[1:] for case in SLIDES])
def test_slides(seen: bool, fill: Callable[..., object]) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "before"
    fill(slide)
    packed = io.BytesIO()
    deck.save(packed)
    check(read(packed.getvalue(), name="a.pptx"), seen=seen)


def zipped(files: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


OASIS = "urn:oasis:names:tc:opendocument:xmlns"
SPACES = " ".join(
    [f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "text", "style", "table")]
    + [f'xmlns:{short}="{OASIS}:{name}-compatible:1.0"' for short, name in (("fo", "xsl-fo"), ("svg", "svg"))]
    + [
        f'xmlns:draw="{OASIS}:drawing:1.0"',
        'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"',
    ]
)


def styled(text: str = "", around: str = "") -> str:
    inside = f"<style:paragraph-properties {around}/><style:text-properties {text}/>"
    return f'<style:style style:name="H" style:family="paragraph">{inside}</style:style>'


MARKED = f'<text:p text:style-name="H">{WORDS}</text:p>'
BLACK = 'fo:background-color="#000000"'
IN_WHITE_ODT = 'fo:color="#ffffff"'


def framed(look: str) -> str:
    return f"<text:p><draw:frame {look}><draw:text-box><text:p>{WORDS}</text:p></draw:text-box></draw:frame></text:p>"


def row_of(high: str) -> tuple[str, str, str]:
    style = f'<style:table-row-properties style:row-height="{high}"/>'
    made = f'<style:style style:name="R" style:family="table-row">{style}</style:style>'
    row = f'<table:table-row table:style-name="R"><table:table-cell>{MARKED}</table:table-cell></table:table-row>'
    return made, "", f"<table:table>{row}</table:table>"


TEXTS: list[tuple[str, bool, str, str, str]] = [
    ("plain", True, "", "", MARKED),
    ("white", False, styled(IN_WHITE_ODT), "", MARKED),
    ("white on its paragraph", True, styled(IN_WHITE_ODT, BLACK), "", MARKED),
    ("black on its paragraph", False, styled('fo:color="#010101"', BLACK), "", MARKED),
    ("clear", False, styled('loext:opacity="0%"'), "", MARKED),
    ("half clear", True, styled('loext:opacity="50%"'), "", MARKED),
    ("narrow", False, styled('style:text-scale="1%"'), "", MARKED),
    ("usual style", False, "", styled("fo:font-size='1pt'").replace("style:style ", "style:default-style "), MARKED),
    ("frame", True, "", "", framed('svg:width="5cm" svg:height="2cm"')),
    ("frame beside", False, "", "", framed('svg:x="-60cm" svg:width="5cm" svg:height="2cm"')),
    ("frame of nothing", False, "", "", framed('svg:width="0cm" svg:height="0cm"')),
    ("flat row", False, *row_of("0.001cm")),
    ("usual colour", True, styled('fo:color="#ffffff" style:use-window-font-color="true"'), "", MARKED),
    ("no usual colour", False, styled('fo:color="#ffffff" style:use-window-font-color="false"'), "", MARKED),
    ("share of a size", False, styled('fo:font-size="2%"'), "", MARKED),
    ("no size", False, styled('fo:font-size="0pt"'), "", MARKED),
    ("beyond the page", False, styled("", 'fo:margin-left="90cm"'), "", MARKED),
    ("flat lines", False, styled("", 'fo:line-height="0.01cm"'), "", MARKED),
    ("on one another", False, styled('fo:letter-spacing="-1cm"'), "", MARKED),
    ("covered cell", False, *(line.replace("table:table-cell", "table:covered-table-cell") for line in row_of("1cm"))),
    ("row", True, *row_of("1cm")),
]


@pytest.mark.parametrize(
    ("seen", "own", "usual", "body"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS]
)
def test_open_documents(seen: bool, own: str, usual: str, body: str) -> None:
    usual = usual.replace("</style:style>", "</style:default-style>")
    plain = styled("fo:font-size='12pt'").replace('"H"', '"B"')
    files = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {SPACES}><office:automatic-styles>{plain}{own}"
        "</office:automatic-styles><office:body><office:text>"
        f'<text:p text:style-name="B">before</text:p>{body}</office:text></office:body></office:document-content>',
        "styles.xml": f"<office:document-styles {SPACES}><office:styles>{usual}</office:styles>"
        "</office:document-styles>",
    }
    check(read(zipped(files), name="a.odt"), seen=seen)


SHEET = '<link rel="stylesheet" href="../s/s.css"/>'
BOOKS: list[tuple[str, bool, dict[str, str | bytes], str, str]] = [
    ("sheet", False, {"s/s.css": ".x{display:none}"}, SHEET, ""),
    ("imported", False, {"s/s.css": "@import 'o.css';", "s/o.css": ".x{display:none}"}, SHEET, ""),
    ("imported by itself", True, {"s/s.css": "@import 's.css';"}, SHEET, ""),
    ("UTF-16", False, {"s/s.css": "\ufeff.x{display:none}".encode("utf-16-le")}, SHEET, ""),
    ("instruction", False, {"s/s.css": ".x{display:none}"}, "", '<?xml-stylesheet href="../s/s.css"?>'),
    ("literal", False, {}, "<style><![CDATA[ body > .x { display: none } ]]></style>", ""),
    ("another look", True, {"s/s.css": ".x{display:none}"}, SHEET.replace('"stylesheet', '"alternate stylesheet'), ""),
    ("case of a class", True, {"s/s.css": ".X{display:none}"}, SHEET, ""),
]


@pytest.mark.parametrize(("seen", "files", "head", "front"), [one[1:] for one in BOOKS], ids=[one[0] for one in BOOKS])
def test_books(seen: bool, files: dict[str, str | bytes], head: str, front: str) -> None:
    chapter = '<item id="c" href="t/c.xhtml" media-type="application/xhtml+xml"/>'
    page = f'<p>before</p><p class="x"><![CDATA[{WORDS}]]></p>'
    book = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        "b.opf": f'<package><manifest>{chapter}</manifest><spine><itemref idref="c"/></spine></package>',
        "t/c.xhtml": f'<?xml version="1.0"?>{front}<html><head><title>t</title>{head}</head><body>{page}</body></html>',
    }
    check(read(zipped(book | files), name="a.epub"), seen=seen)


@every(
    ("seen", "text"),
    [
        (False, rf"{{\charscalex1 {WORDS}}}"),
        (True, rf"{{\charscalex90 {WORDS}}}"),
        (False, rf"{{\expndtw-400 {WORDS}}}"),
        (False, rf"\pard\li60000 {WORDS}\par"),
        (True, rf"\pard\li60000\pard {WORDS}\par"),
        (False, rf"\pard\sl-1\slmult0 {WORDS}\par"),
        (True, rf"\pard\sl240\slmult1 {WORDS}\par"),
        (False, rf"\trowd\trrh-1\cellx4000\intbl {WORDS}\cell\row"),
        (True, rf"\trowd\trrh1\cellx4000\intbl {WORDS}\cell\row"),
        (True, rf"{{\upr{{a}}{{\*\ud {WORDS}}}}}"),
        (False, rf"{{\*\zork {WORDS}}}"),
        (False, rf"{{\*\zork {{\b {WORDS[:3]}}}{WORDS[3:]}}}"),
        (False, rf"{{\*\docvar {{name}}{{{WORDS}}}}}"),
        (False, rf"{{\*\company {WORDS}}}"),
        (True, rf"{{\*\do\dptxbx{{\dptxbxtext {WORDS}}}}}"),
    ],
)
def test_rich_text(seen: bool, text: str) -> None:
    check(read(rf"{{\rtf1\ansi\pard before\par {text}}}".encode(), name="a.rtf"), seen=seen)


def test_data_in_destinations_that_nobody_knows_is_no_text() -> None:
    data = rb"{\rtf1\ansi before\par {\*\zork 00ff 12ab}{\*\zork Text1}{\*\zork{\pict 89504e47}}}"
    assert not read(data, name="a.rtf").hidden


@every(("seen", "requires"), [(True, "a14"), (False, "zork")])
def test_shapes_in_several_forms(seen: bool, requires: str) -> None:
    """Of a new and an old form of a shape, the first that PowerPoint understands is shown, and the other is not."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "before"
    spaces = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:zork="urn:zork" '
    spaces += 'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
    both = parse_xml(f'<mc:AlternateContent {spaces}><mc:Choice Requires="{requires}"/><mc:Fallback/>'
                     "</mc:AlternateContent>")  # fmt: skip
    slide._element.cSld.spTree.append(both)
    for form, words in zip(both, (WORDS, "other words"), strict=True):
        box = text_box(slide)
        box.text_frame.text = words
        form.append(box._element)
    packed = io.BytesIO()
    deck.save(packed)
    document = read(packed.getvalue(), name="a.pptx")
    check(document, seen=seen)
    assert ("other words" in " ".join(line.text for line in document.lines)) != seen
