"""ODT and ODS: comments and notes in cells, and lists that go on with the numbers of another."""

from __future__ import annotations

import io
import zipfile

from spanwise.domain.document import Document
from spanwise.readers.registry import read_here

SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{told}:1.0"'
    for name, told in (("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"))
)
COMMENT = "<office:annotation><text:p>Should be 1300</text:p></office:annotation>"


def opened(kind: str, suffix: str, body: str, styles: str = "") -> Document:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content {SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body>{body}</office:body></office:document-content>",
        )
    return read_here(packed.getvalue(), name=f"a.{suffix}")


def told(document: Document) -> tuple[list[str], list[tuple[str, str]]]:
    return [line.text for line in document.lines], [(one.text, one.reason) for one in document.hidden]


def test_a_comment_in_a_cell_of_a_sheet_is_no_part_of_its_number() -> None:
    cells = (
        f'<table:table-cell office:value-type="float" office:value="1200">{COMMENT}<text:p>1,200</text:p>'
        '</table:table-cell><table:table-cell office:value-type="string"><text:p>euros</text:p></table:table-cell>'
    )
    table = f'<table:table table:name="A"><table:table-row>{cells}</table:table-row></table:table>'
    document = opened("spreadsheet", "ods", f"<office:spreadsheet>{table}</office:spreadsheet>")
    assert told(document) == (["1,200 | euros"], [("Should be 1300", "comment")])


def test_a_comment_in_a_cell_of_a_text_is_hidden_and_a_note_is_read_once() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>net of tax</text:p>"
        "</text:note-body></text:note>"
    )
    cells = "".join(
        f"<table:table-cell><text:list><text:list-item><text:p>{one}</text:p></text:list-item></text:list>"
        "</table:table-cell>"
        for one in (f"Rent{note}", f"1200{COMMENT}")
    )
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    document = opened("text", "odt", f"<office:text>{table}</office:text>")
    assert told(document) == (["Rent net of tax  1200"], [("Should be 1300", "comment")])


def test_a_list_that_continues_another_goes_on_with_its_numbers() -> None:
    style = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-suffix="." '
        'style:num-format="1"/><text:list-level-style-number text:level="2" text:display-levels="2" '
        'style:num-suffix=")" style:num-format="1"/></text:list-style>'
    )

    def listed(*items: str, goes_on: bool = False, style: str = ' text:style-name="L"') -> str:
        inside = "".join(f"<text:list-item>{item}</text:list-item>" for item in items)
        continued = ' text:continue-numbering="true"' if goes_on else ""
        return f"<text:list{style}{continued}>{inside}</text:list>"

    body = (
        listed("<text:p>Scope</text:p>", "<text:p>Rent</text:p>")
        + "<text:p>Between.</text:p>"
        + listed("<text:p>Term</text:p>" + listed("<text:p>Begin</text:p>", style=""), goes_on=True)
        + "<text:p>Between.</text:p>"
        + listed(listed("<text:p>End</text:p>", style=""), "<text:p>Law</text:p>", goes_on=True)
        + "<text:p>Annex.</text:p>"
        + listed("<text:p>Anew</text:p>")
    )
    lines, _ = told(opened("text", "odt", f"<office:text>{body}</office:text>", style))
    assert lines == [
        *("1. Scope", "2. Rent", "Between.", "3. Term", "3.1) Begin", "Between.", "3.2) End", "4. Law", "Annex."),
        "1. Anew",
    ]


def test_lists_and_headings_show_the_numbers_of_their_styles() -> None:
    level = '<text:{} text:level="{}" style:num-format="{}" style:num-suffix="{}" text:display-levels="{}"/>'
    styles = (
        f'<text:list-style style:name="L">{level.format("list-level-style-number", 1, "a", ")", 1)}</text:list-style>'
        f"<text:outline-style>{level.format('outline-level-style', 1, 'I', '.', 1)}"
        f"{level.format('outline-level-style', 2, '1', '', 2)}</text:outline-style>"
    )
    items = "".join(f"<text:list-item><text:p>{one}</text:p></text:list-item>" for one in ("oak", "elm"))
    heads = "".join(
        f'<text:h text:outline-level="{depth}">{title}</text:h>'
        for depth, title in ((1, "Wood"), (2, "Hard"), (2, "Soft"), (1, "Stone"), (2, "Slate"))
    )
    document = opened(
        "text", "odt", f'<office:text>{heads}<text:list text:style-name="L">{items}</text:list></office:text>', styles
    )
    assert told(document)[0] == ["I. Wood", "I.1 Hard", "I.2 Soft", "II. Stone", "II.1 Slate", "a) oak", "b) elm"]


def test_a_wide_cell_stands_over_its_columns_and_a_reading_in_brackets() -> None:
    cells = "".join(f"<table:table-cell><text:p>{one}</text:p></table:table-cell>" for one in ("Pier", "3", "4"))
    reading = "<text:ruby><text:ruby-base>Boats</text:ruby-base><text:ruby-text>bouts</text:ruby-text></text:ruby>"
    head = (
        "<table:table-cell><text:p>Site</text:p></table:table-cell><table:table-cell "
        f'table:number-columns-spanned="2"><text:p>{reading}</text:p></table:table-cell><table:covered-table-cell/>'
    )
    cells = cells.replace("cell>", 'cell table:number-rows-spanned="2">', 1)
    under = "<table:covered-table-cell/><table:table-cell><text:p>5</text:p></table:table-cell>"
    rows = "".join(f"<table:table-row>{row}</table:table-row>" for row in (head, cells, under))
    document = opened("text", "odt", f"<office:text><table:table>{rows}</table:table></office:text>")
    assert told(document)[0] == ["Site  Boats(bouts)", "Pier  3  4", "Pier  5"]
    assert document.lines[0].edges == (0, 1, 1, 3)


def test_a_heading_is_no_deeper_than_programs_allow() -> None:
    level = 'text:{}level="999999999"'
    styles = (
        f"<text:outline-style><text:outline-level-style {level.format('')} style:num-format='1'/></text:outline-style>"
    )
    document = opened(
        "text", "odt", f"<office:text><text:h {level.format('outline-')}>Oak</text:h></office:text>", styles
    )
    assert [(one.level, one.title) for one in document.sections] == [(10, "Oak")]
