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
