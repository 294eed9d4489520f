"""DOCX: paragraphs, lists, tables and notes in order; hidden, deleted and hostile content."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from docx.shared import Pt, RGBColor
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError, EmptyDocumentError, LimitError, PasswordError
from spanwise.readers.port import Limits
from spanwise.readers.registry import read_here as read

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def parsed(data: bytes, limits: Limits | None = None) -> Document:
    return read(data, name="a.docx", limits=limits)


def roles(data: bytes) -> list[tuple[str, str]]:
    return [(line.text, line.role) for line in parsed(data).lines]


def p(text: str, properties: str = "") -> str:
    return f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def test_paragraphs_become_sentences(make_docx) -> None:
    def fill(document: docx.document.Document) -> None:
        paragraph = document.add_paragraph("The fee is 1.5%. It is due ")
        paragraph.add_run("month").bold = True
        paragraph.add_run("ly.")
        document.add_paragraph("Next.")

    document = parsed(make_docx(fill))
    assert [(line.text, line.block) for line in document.lines] == [
        ("The fee is 1.5%.", 1),
        ("It is due monthly.", 1),
        ("Next.", 2),
    ]
    assert (document.format, document.paged, len(document.pages)) == ("docx", False, 1)


def test_heading_styles_open_sections(make_docx) -> None:
    def fill(document: docx.document.Document) -> None:
        document.add_heading("Agreement", 0)
        document.add_heading("Terms", 1)
        document.add_paragraph("Body.")
        document.add_heading("Payment", 2)
        document.add_paragraph("Body.")

    sections = parsed(make_docx(fill)).sections
    assert [(section.level, section.title, section.first_line) for section in sections] == [
        (1, "Agreement", 1),
        (1, "Terms", 2),
        (2, "Payment", 4),
    ]


def test_an_outline_level_makes_a_heading(raw_docx) -> None:
    document = parsed(raw_docx(p("Deep", '<w:outlineLvl w:val="2"/>') + p("Body")))
    assert [(section.level, section.title) for section in document.sections] == [(3, "Deep")]


def test_styles_inherit_their_level_and_their_number(raw_docx) -> None:
    styles = (
        f'<w:styles {W}><w:style w:type="paragraph" w:styleId="A"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="B">'
        '<w:name w:val="Mine"/><w:basedOn w:val="A"/></w:style></w:styles>'
    )
    data = raw_docx(p("Title", '<w:pStyle w:val="B"/>'), {"styles.xml": styles, "numbering.xml": NUMBERING})
    assert [(section.level, section.title) for section in parsed(data).sections] == [(1, "1. Title")]


def test_a_clause_in_the_style_of_a_heading_stays_text(raw_docx) -> None:
    clause = "The Supplier shall deliver the goods on time. " * 6
    document = parsed(raw_docx(p(clause, '<w:outlineLvl w:val="0"/>')))
    assert {line.role for line in document.lines} == {"text"}
    assert document.sections[0].title == "The Supplier shall deliver the goods on time. …"


NUMBERING = f"""<w:numbering {W}>
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1.%3"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
</w:numbering>"""


def item(text: str, level: int = 0, number: int = 1) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_list_markers_are_counted_as_word_does(raw_docx) -> None:
    body = (
        item("one")
        + item("a", 1)
        + item("b. Second sentence.", 1)
        + item("deep", 2)
        + item("two")
        + item("a", 1)
        + item("dot", 0, 2)
        + item("five", 0, 3)
        + item("none", 0, 0)
        + item("lost", 0, 99)
    )
    assert [line.text for line in parsed(raw_docx(body, {"numbering.xml": NUMBERING})).lines] == [
        "1. one",
        "(a) a",
        "(b) b. Second sentence.",
        "1.I deep",
        "2. two",
        "(a) a",
        "- dot",
        "5. five",
        "none",
        "- lost",
    ]


def test_a_list_has_the_levels_of_its_style_and_its_own_instead(raw_docx) -> None:
    level = '<w:lvl w:ilvl="0"><w:numFmt w:val="{}"/><w:lvlText w:val="{}"/></w:lvl>'
    clause = level.format("decimal", "Clause %2.").replace('"0"><', '"1"><w:lvlRestart w:val="0"/><')
    numbering = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="Law"/></w:abstractNum>'
        f'<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Law"/>{level.format("upperRoman", "%1.")}{clause}'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2">'
        f'<w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">{level.format("lowerLetter", "(%1)")}</w:lvlOverride>'
        "</w:num></w:numbering>"
    )
    body = item("one") + item("first", 1) + item("two") + item("second", 1) + item("three", 0, 2)
    assert [line.text for line in parsed(raw_docx(body, {"numbering.xml": numbering})).lines] == [
        "I. one",
        "Clause 1. first",
        "II. two",
        "Clause 2. second",
        "(c) three",
    ]


def test_an_empty_item_has_a_number_unless_its_end_is_deleted(raw_docx) -> None:
    empty = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>{}</w:pPr></w:p>'
    body = item("one") + empty.format("") + item("three") + empty.format("<w:rPr><w:del/></w:rPr>") + item("four")
    lines = parsed(raw_docx(body, {"numbering.xml": NUMBERING})).lines
    assert [line.text for line in lines] == ["1. one", "3. three", "4. four"]


def test_a_level_that_does_not_exist_is_no_heading(raw_docx) -> None:
    assert not parsed(raw_docx(p("Body", '<w:outlineLvl w:val="-1"/>'))).sections


def test_cells_stand_under_the_columns_they_leave_free_before_them(raw_docx) -> None:
    row = "<w:tr>{}" + f"<w:tc>{p('7')}</w:tc><w:tc>{p('70')}</w:tc></w:tr>"
    before = '<w:trPr><w:gridBefore w:val="1"/></w:trPr>'
    document = parsed(raw_docx(f"<w:tbl>{row.format('')}{row.format(before)}</w:tbl>"))
    assert [line.edges for line in document.lines] == [(0, 1, 1, 2), (1, 2, 2, 3)]


def test_notes_are_numbered_as_the_text_refers_to_them(raw_docx) -> None:
    notes = "".join(
        f'<w:footnote w:id="{number}">{p(said)}</w:footnote>' for number, said in ((1, "Late."), (2, "Soon."))
    )
    marks = '<w:p><w:r><w:footnoteReference w:id="2"/><w:footnoteReference w:id="1"/></w:r></w:p>'
    data = raw_docx(p("Body.") + marks, {"footnotes.xml": f"<w:footnotes {W}>{notes}</w:footnotes>"})
    assert [line.text for line in parsed(data).lines] == ["Body.", "1 Soon.", "2 Late."]


def test_tables_are_rows_in_document_order(make_docx) -> None:
    def fill(document: docx.document.Document) -> None:
        document.add_paragraph("Before.")
        table = document.add_table(3, 3)
        for row in range(3):
            for column in range(3):
                table.cell(row, column).text = f"c{row}{column}"
        table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
        table.cell(1, 2).merge(table.cell(2, 2)).text = "tall"
        inner = table.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "in1", "in2"
        document.add_paragraph("After.")

    assert roles(make_docx(fill)) == [
        ("Before.", "text"),
        ("wide  c02", "table_row"),
        ("c10  c11  tall", "table_row"),
        ("in1  in2", "table_row"),
        ("c20  c21  tall", "table_row"),
        ("After.", "text"),
    ]


def test_a_box_of_one_cell_flows(raw_docx) -> None:
    body = f"<w:tbl><w:tr><w:tc>{p('One. Two.')}</w:tc></w:tr></w:tbl>{p('After')}"
    assert [line.text for line in parsed(raw_docx(body)).lines] == ["One.", "Two.", "After"]


def test_headers_and_footers_are_furniture(make_docx) -> None:
    def fill(document: docx.document.Document) -> None:
        document.add_paragraph("Body.")
        document.sections[0].header.paragraphs[0].text = "Acme Inc."
        document.sections[0].footer.paragraphs[0].text = "Confidential"

    document = parsed(make_docx(fill))
    assert [(entry.text, entry.kind) for entry in document.furniture] == [
        ("Acme Inc.", "header"),
        ("Confidential", "footer"),
    ]
    assert [line.text for line in document.lines] == ["Body."]


def test_notes_follow_the_text(raw_docx) -> None:
    separator = f'<w:footnote w:id="0" w:type="separator">{p("-")}</w:footnote>'
    note = f'<w:footnote w:id="1">{p("A note.")}</w:footnote>'
    notes = f"<w:footnotes {W}>{separator}{note}</w:footnotes>"
    ends = f'<w:endnotes {W}><w:endnote w:id="1">{p("An end.")}</w:endnote></w:endnotes>'
    marks = '<w:p><w:r><w:footnoteReference w:id="1"/><w:endnoteReference w:id="1"/></w:r></w:p>'
    data = raw_docx(p("Body.") + marks, {"footnotes.xml": notes, "endnotes.xml": ends})
    assert [line.text for line in parsed(data).lines] == ["Body.", "1 A note.", "1 An end."]


def _vanish(run: docx.text.run.Run) -> None:
    run.font.hidden = True


def _white(run: docx.text.run.Run) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


def _tiny(run: docx.text.run.Run) -> None:
    run.font.size = Pt(1)


@pytest.mark.parametrize(("hide", "reason"), [(_vanish, "hidden_markup"), (_white, "no_contrast"), (_tiny, "tiny")])
def test_hidden_runs_are_kept_apart(make_docx, hide, reason) -> None:
    document = parsed(make_docx(lambda document: hide(document.add_paragraph("Shown.").add_run(" secret words"))))
    assert [line.text for line in document.lines] == ["Shown."]
    assert [(entry.text, entry.reason) for entry in document.hidden] == [("secret words", reason)]


def test_white_text_on_a_shaded_cell_is_shown(raw_docx) -> None:
    white = '<w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Head</w:t></w:r></w:p>'
    cell = f'<w:tc><w:tcPr><w:shd w:fill="000080"/></w:tcPr>{white}</w:tc>'
    body = f"<w:tbl><w:tr>{cell}<w:tc>{p('b')}</w:tc></w:tr></w:tbl>"
    assert [line.text for line in parsed(raw_docx(body)).lines] == ["Head  b"]


def test_tracked_changes_are_accepted_and_told(raw_docx) -> None:
    body = (
        "<w:p><w:r><w:t>Fee is </w:t></w:r><w:del><w:r><w:delText>5</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>6</w:t></w:r></w:ins></w:p>"
    )
    document = parsed(raw_docx(body))
    assert [line.text for line in document.lines] == ["Fee is 6"]
    assert [notice.code for notice in document.notices] == ["tracked_changes", "hidden_text"]
    assert [(entry.text, entry.reason) for entry in document.hidden] == [("5", "deleted")]


def test_a_text_box_is_read_once(raw_docx) -> None:
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    run = (
        f"<w:p><w:r><w:t>Around.</w:t></w:r><w:r><mc:AlternateContent {MC}>"
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert [line.text for line in parsed(raw_docx(run)).lines] == ["Around.", "In the box."]


def test_fields_links_and_content_controls_show_their_text(raw_docx) -> None:
    body = (
        "<w:sdt><w:sdtContent><w:p><w:hyperlink><w:r><w:t>Link</w:t></w:r></w:hyperlink>"
        "<w:r><w:tab/><w:instrText>PAGEREF x</w:instrText><w:t>7</w:t><w:br/>"
        "<w:t>down</w:t><w:noBreakHyphen/></w:r></w:p>"
        "</w:sdtContent></w:sdt>"
    )
    assert [line.text for line in parsed(raw_docx(body)).lines] == ["Link 7", "down-"]


def test_a_document_without_text_is_empty(make_docx) -> None:
    with pytest.raises(EmptyDocumentError):
        parsed(make_docx(lambda document: document.add_paragraph("  ")))


def test_the_strict_variety_is_read(raw_docx) -> None:
    data = raw_docx(p("Strict."))
    strict = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(packed, "w") as target:
        for entry in source.namelist():
            usual = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            target.writestr(entry, source.read(entry).replace(usual, strict))
    assert [line.text for line in parsed(packed.getvalue()).lines] == ["Strict."]


def test_a_dangling_relationship_does_no_harm(raw_docx) -> None:
    data = raw_docx(p("Body."), {"styles.xml": f"<w:styles {W}/>"})
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(packed, "w") as target:
        for entry in source.namelist():
            if entry != "word/styles.xml":
                target.writestr(entry, source.read(entry))
    assert [line.text for line in parsed(packed.getvalue()).lines] == ["Body."]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_a_file_that_was_cut_off_is_damaged(make_docx, share: float) -> None:
    data = make_docx(lambda document: document.add_paragraph("Hello."))
    with pytest.raises(DamagedDocumentError, match=r"damaged Office file|not a Word document"):
        parsed(data[: int(len(data) * share)])


def test_flipped_bytes_are_damage(make_docx) -> None:
    data = bytearray(make_docx(lambda document: document.add_paragraph("Hello there. " * 500)))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        start = archive.getinfo("word/document.xml").header_offset + 60
    data[start : start + 40] = b"\xff" * 40
    with pytest.raises(DamagedDocumentError, match=r"document\.xml"):
        parsed(bytes(data))


def test_text_that_is_not_well_formed_is_damage(raw_docx) -> None:
    with pytest.raises(DamagedDocumentError, match="not well-formed"):
        parsed(raw_docx("<w:p>"))


def test_a_packed_password_is_said(raw_docx) -> None:
    data = bytearray(raw_docx(p("x")))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := data.find(signature, place + 1)) >= 0:
            data[place + flags] |= 1
    with pytest.raises(PasswordError):
        parsed(bytes(data))


ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 50}">' for n in range(9))


@pytest.mark.parametrize(
    "prologue",
    [f"<!DOCTYPE d [{ENTITIES}]>", '<!DOCTYPE d [<!ENTITY e8 SYSTEM "file:///etc/passwd">]>'],
)
def test_entities_are_never_expanded(raw_docx, prologue: str) -> None:
    with pytest.raises(DamagedDocumentError):
        parsed(raw_docx(p("&e8;"), prologue=prologue))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(raw_docx) -> None:
    bomb = raw_docx(p("x"), {"styles.xml": " " * 40_000_000})
    with pytest.raises(LimitError, match="zip bomb"):
        parsed(bomb)
    with pytest.raises(LimitError, match="unpacked_bytes"):
        parsed(bomb, Limits(unpacked_bytes=1_000_000))


def nested(depth: int) -> str:
    cells = f"<w:tc>{p('a')}</w:tc><w:tc>"
    return f"<w:tbl><w:tr>{cells}" * depth + p("x") + "</w:tc></w:tr></w:tbl>" * depth


@pytest.mark.parametrize(
    ("body", "limits", "message"),
    [
        (nested(8), Limits(depth=5), "Limits.depth"),
        (nested(2000), Limits(), "deeper"),
        (p("x") * 200, Limits(objects=100), "Limits.objects"),
        (p("x") * 200, Limits(lines=100), "Limits.lines"),
        (p("x") * 200, Limits(seconds=0.0), "Limits.seconds"),
    ],
)
def test_limits_are_kept(raw_docx, body: str, limits: Limits, message: str) -> None:
    with pytest.raises(LimitError, match=message):
        parsed(raw_docx(body), limits)


def test_reading_is_deterministic(make_docx) -> None:
    data = make_docx(lambda document: document.add_paragraph("One. Two."))
    assert parsed(data) == parsed(data)


def test_a_broken_part_beside_the_text_is_left_out(raw_docx) -> None:
    document = parsed(raw_docx(p("Body."), {"styles.xml": "<w:styles"}))
    assert [line.text for line in document.lines] == ["Body."]
    assert [notice.code for notice in document.notices] == ["repaired"]


SENTENCES = st.text(alphabet="abcdeXYZ 1.?!(),;", max_size=60)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(SENTENCES, st.sampled_from(["Normal", "List Number", "Heading 2", "Title"])), min_size=1, max_size=8
    )
)
def test_every_word_is_in_some_line(paragraphs: list[tuple[str, str]]) -> None:
    made = docx.Document()
    for text, style in paragraphs:
        made.add_paragraph(text, style=style)
    packed = io.BytesIO()
    made.save(packed)
    try:
        document = parsed(packed.getvalue())
    except EmptyDocumentError:
        assert not any(text.strip() for text, _ in paragraphs)
        return
    shown = "".join(line.text.replace(" ", "") for line in document.lines)
    assert all(text.replace(" ", "") in shown for text, _ in paragraphs)


REFERENCES = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def headed(raw_docx, sections: list[str], settings_part: str = "") -> Document:
    """A document with a header in "header1.xml", and sections that say with which pages it goes."""
    parts = {"header1.xml": f"<w:hdr {W}>{p('Header words')}</w:hdr>"}
    parts["settings.xml"] = f"<w:settings {W}>{settings_part}</w:settings>"
    *inner, last = [f"<w:sectPr>{one}</w:sectPr>" for one in sections]
    body = "".join(p("Text.") + p("", one) for one in inner) + p("Text.") + last
    data = raw_docx(body.replace("<w:sectPr>", f"<w:sectPr {REFERENCES}>"), parts)
    return parsed(with_header(data))


def with_header(data: bytes) -> bytes:
    """A document whose main part refers to "header1.xml" as rHead."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/header"
    relation = f'<Relationship Id="rHead" Type="{kind}" Target="header1.xml"/></Relationships>'
    name = "word/_rels/document.xml.rels"
    files[name] = files[name].replace(b"</Relationships>", relation.encode())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part, content in files.items():
            archive.writestr(part, content)
    return packed.getvalue()


def header(page: str) -> str:
    return f'<w:headerReference w:type="{page}" r:id="rHead"/>'


BEFORE = f"<w:sectPrChange><w:sectPr>{header('default')}</w:sectPr></w:sectPrChange>"


@pytest.mark.parametrize(
    ("shown", "sections", "said"),
    [
        (True, [header("default")], ""),
        (False, [header("even")], ""),
        (True, [header("even")], "<w:evenAndOddHeaders/>"),
        (False, [header("even")], '<w:evenAndOddHeaders w:val="false"/>'),
        (False, [header("first")], ""),
        (True, [header("first") + "<w:titlePg/>"], ""),
        (False, [header("first") + '<w:titlePg w:val="0"/>'], ""),
        (True, [header("first"), "<w:titlePg/>"], ""),
        (False, ["<w:titlePg/>", header("first")], ""),
        (False, [""], ""),
        (False, [BEFORE], ""),
    ],
)
def test_headers_that_no_page_shows_are_hidden(raw_docx, shown: bool, sections: list[str], said: str) -> None:
    document = headed(raw_docx, sections, said)
    assert [one.text for one in document.furniture] == ["Header words"] * shown
    assert [one.text for one in document.hidden] == ["Header words"] * (not shown)


SPACES = " ".join(
    f'xmlns:{name}="http://schemas.openxmlformats.org/drawingml/2006/{where}"'
    for name, where in (("wp", "wordprocessingDrawing"), ("a", "main"))
)
SPACES += ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
FILL = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'


def floating(
    height: int, place: tuple[int, int], size: tuple[int, int], *, inside: str = "", fill: str = "<a:noFill/>",
    beside: str = "page", told: str = "", shape: str = "rect", turned: str = "",
) -> str:  # fmt: skip
    """A box that floats over the text: its place in the stack, where it is and how large, in points."""
    across, down = ((12_700 * one) for one in place)
    wide, high = ((12_700 * one) for one in size)
    positions = "".join(
        f'<wp:position{axis} relativeFrom="{beside}"><wp:posOffset>{offset}</wp:posOffset></wp:position{axis}>'
        for axis, offset in (("H", across), ("V", down))
    )
    text = f"<wps:txbx><w:txbxContent>{p(inside)}</w:txbxContent></wps:txbx>" if inside else ""
    return (
        f'<w:p><w:r><w:drawing><wp:anchor {SPACES} relativeHeight="{height}" {told}>{positions}'
        f'<wp:extent cx="{wide}" cy="{high}"/><a:graphic><a:graphicData><wps:wsp><wps:spPr><a:xfrm {turned}/>'
        f'<a:prstGeom prst="{shape}"/>{fill}</wps:spPr>{text}</wps:wsp></a:graphicData></a:graphic></wp:anchor>'
        "</w:drawing></w:r></w:p>"
    )


UNDER = floating(5, (80, 400), (300, 40), inside="Secret words.")
OVER = (70, 390), (330, 70)


@pytest.mark.parametrize(
    ("seen", "cover"),
    [
        (False, floating(9, *OVER, fill=FILL)),
        (False, floating(5, *OVER, fill=FILL)),
        (False, floating(9, *OVER, fill=FILL, inside="Over it.")),
        (False, floating(9, *OVER, fill="<a:gradFill><a:gsLst/></a:gradFill>")),
        (False, floating(9, (0, 390), (230, 70), fill=FILL) + floating(9, (230, 390), (200, 70), fill=FILL)),
        (False, floating(9, (-2, 318), (330, 70), fill=FILL, beside="margin")),
        (True, floating(4, *OVER, fill=FILL)),
        (True, floating(9, *OVER, fill=FILL, told='behindDoc="1"')),
        (True, floating(9, *OVER)),
        (True, floating(9, *OVER, fill=FILL, shape="ellipse")),
        (True, floating(9, *OVER, fill=FILL, turned='rot="2700000"')),
        (True, floating(9, *OVER, fill=FILL.replace("/>", '><a:alpha val="40000"/></a:srgbClr>', 1))),
        (True, floating(9, (70, 390), (150, 70), fill=FILL)),
        (True, floating(9, (70, 300), (330, 70), fill=FILL)),
        (True, floating(9, *OVER, fill=FILL, beside="paragraph")),
        (True, p("", "<w:pageBreakBefore/>") + floating(9, *OVER, fill=FILL)),
        (True, p("A sentence of some length. " * 60) + floating(9, *OVER, fill=FILL)),
    ],
)
def test_boxes_under_later_ones_are_hidden(raw_docx, seen: bool, cover: str) -> None:
    margins = '<w:sectPr><w:pgMar w:left="1440" w:top="1440"/></w:sectPr>'
    document = parsed(raw_docx(p("Before.") + UNDER + cover + margins))
    assert ("Secret words." in [line.text for line in document.lines]) == seen
    assert [(one.text, one.reason) for one in document.hidden] == ([] if seen else [("Secret words.", "covered")])
