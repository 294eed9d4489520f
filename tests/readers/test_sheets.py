"""Workbooks as people make them, and as nobody should."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import re
import struct
import time
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from every import every
from ole_files import ole_file
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from spanwise import ask
from spanwise import read as spanwise_read
from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError, EmptyDocumentError, LimitError, PasswordError
from spanwise.readers.port import Limits
from spanwise.readers.registry import read_here as read
from spanwise.readers.sheets.number_formats import shown
from spanwise.text.tables.table_reading import read_tables

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def workbook(fill: Callable[[openpyxl.Workbook, Worksheet], None]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Prices"
    fill(book, sheet)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def texts(document: Document) -> list[str]:
    return [line.text for line in document.lines]


def prices(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
    sheet.append(["Halden Bakery, prices from March"])
    sheet.merge_cells("A1:C1")
    sheet.append([])
    sheet.append(["Bread", "Weight (g)", "Price"])
    sheet.append(["Rye loaf", 850, 4.2])
    sheet.append(["Seed roll", 90, 0.9])
    for row in (4, 5):
        sheet.cell(row, 3).number_format = "[$€-407]#,##0.00"


def test_a_row_is_a_line_whose_number_in_the_page_is_the_rows() -> None:
    document = read(workbook(prices), name="prices.xlsx")
    assert document.format == "sheets"
    assert texts(document) == [
        "Halden Bakery, prices from March",
        "",
        "Bread | Weight (g) | Price",
        "Rye loaf | 850 | €4.20",
        "Seed roll | 90 | €0.90",
    ]
    assert [line.line_in_page for line in document.lines] == [1, 2, 3, 4, 5]
    assert [line.role for line in document.lines] == ["text", "blank", "table_row", "table_row", "table_row"]
    assert [(page.label, page.first_line, page.last_line) for page in document.pages] == [("Prices", 1, 5)]


def test_a_citation_names_the_cells() -> None:
    result = ask("How much is the rye loaf?", [read(workbook(prices), name="prices.xlsx")])
    assert result.text == "€4.20"
    assert result.citations[0].cells == "Prices!C4"
    assert result.citations[0].page_label == "Prices"


def test_sheets_are_pages_and_sections_and_odd_names_are_quoted() -> None:
    def fill(book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Room", "Seats"])
        sheet.append(["Blue room", 12])
        other = book.create_sheet("Team 'A' 2024")
        other.append(["Name", "Extension"])
        other.append(["Ines Okafor", 417])

    document = read(workbook(fill), name="plan.xlsx")
    assert [section.title for section in document.sections] == ["Prices", "Team 'A' 2024"]
    assert [line.page for line in document.lines] == [1, 1, 2, 2]
    result = ask("What is the extension of Ines Okafor?", [document])
    assert "417" in result.text
    assert result.citations[0].cells == "'Team ''A'' 2024'!B2"


def test_an_empty_first_cell_moves_no_column() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append([None, "2023", "2024"])
        sheet.append(["Visitors", 4100, 5200])
        sheet.append(["Tours", None, 31])

    document = read(workbook(fill), name="a.xlsx")
    assert texts(document) == ["|  | 2023 | 2024", "Visitors | 4100 | 5200", "Tours |  | 31"]
    assert ask("How many visitors were there in 2024?", [document]).text.startswith("5200")


def test_a_head_over_several_columns_is_the_head_of_each() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Site", "Open", None, "Closed"])
        sheet.merge_cells("B1:C1")
        sheet.append([None, "May", "June", "July"])
        sheet.merge_cells("A1:A2")
        sheet.append(["Pier", 3, 4, 5])

    document = read(workbook(fill), name="a.xlsx")
    assert texts(document)[:2] == ["Site | Open | Open | Closed", "Site | May | June | July"]
    [grid] = read_tables("a.xlsx", document.lines)
    assert grid.heads == ("Open May", "Open June", "Closed July")


def test_two_tables_of_a_sheet_are_two() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        for row in (
            ["Drink", "Price"],
            ["Tea", 2],
            ["Coffee", 3],
            [],
            ["Cake", "Slices"],
            ["Plum cake", 12],
            ["Tart", 8],
        ):
            sheet.append(row)

    document = read(workbook(fill), name="cafe.xlsx")
    assert ask("How many slices does the plum cake have?", [document]).text == "12"


def test_what_nobody_sees_is_hidden() -> None:
    def fill(book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Item", "Cost", "Margin"])
        sheet.append(["Lamp", 40, 0.31])
        sheet.append(["Desk", 210, 0.12])
        sheet.append(["Secret", 999, 0.9])
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["C"].hidden = True
        sheet["B5"] = 77123
        sheet["B5"].number_format = ";;;"
        hidden = book.create_sheet("Notes")
        hidden.append(["The supplier is Varga"])
        hidden.sheet_state = "hidden"
        very = book.create_sheet("Deep")
        very.append(["The discount is 70 percent"])
        very.sheet_state = "veryHidden"

    document = read(workbook(fill), name="a.xlsx")
    assert texts(document)[:3] == ["Item | Cost", "Lamp | 40", "Desk | 210"]
    shown_text = " ".join(texts(document))
    hidden = " ".join(one.text for one in document.hidden)
    for secret in ("Secret", "0.31", "Margin", "77123", "Varga", "70 percent"):
        assert secret not in shown_text
        assert secret in hidden
    assert any(notice.code == "hidden_text" for notice in document.notices)
    assert len(document.pages) == 1


@every(
    ("value", "code", "text"),
    [
        (0.125, "0.0%", "12.5%"),
        (0.125, "0%", "13%"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (1200, "[$€-407]#,##0.00", "€1,200.00"),
        (1234567, '0.0,,"M"', "1.2M"),
        (12, "#,##0.##", "12"),
        (12.25, "0.###", "12.25"),
        (5, '0 "days"', "5 days"),
        (1234, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$1,234.00"),
        (0, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$-"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, "General", "3"),
        (1e-5, "General", "0.00001"),
        (7, ";;;", ""),
        (True, "General", "TRUE"),
        (dt.datetime.fromisoformat("2024-03-01"), "General", "2024-03-01"),
        (dt.datetime.fromisoformat("2024-03-01T14:30"), "General", "2024-03-01 14:30"),
        (dt.time(9, 5), "General", "09:05"),
        (0.5, "# ?/?", "0.5"),
        (12345, "0.00E+00", "12345"),
        (float("inf"), "0.0", "inf"),
        (1, "0" * 300, "1"),
        (1500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "1.5K"),
        (2_500_000, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "2.5M"),
        (-3, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "-3"),
        (-3, "[<0]0.0;0", "3.0"),
        (5, "[<1]0%;General", "5"),
        (1234, "00000", "01234"),
        (7, "000.00", "007.00"),
        (5551234, "000\\-0000", "555-1234"),
        (123456789, "000-00-0000", "123-45-6789"),
        (2055551234, "(###) ###-####", "(205) 555-1234"),
        (1234567, "#\\ ###\\ ##0.0", "1 234 567.0"),
        (5, "#\\ ##0", "5"),
        (1e27, "0.0", "1" + "0" * 27 + ".0"),
        (-5, '0;"neg"', "-5"),
        (dt.timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        (-dt.timedelta(hours=2), "[h]:mm:ss", "-2:00:00"),
    ],
)
def test_values_are_written_as_their_cells_show_them(value: object, code: str, text: str) -> None:
    assert shown(value, code) == text  # type: ignore[arg-type]


def test_dates_of_a_sheet_are_dates() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Event", "Day"])
        sheet.append(["Opening", dt.date(2025, 6, 14)])

    document = read(workbook(fill), name="a.xlsx")
    assert texts(document)[1] == "Opening | 2025-06-14"


def test_a_pipe_in_a_cell_is_no_border() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Rule", "Fee"])
        sheet.append(["a|b", 3])

    assert texts(read(workbook(fill), name="a.xlsx"))[1] == "a\\|b | 3"


def test_a_sheet_of_emptiness_is_refused_before_it_takes_the_memory() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet["A1"] = 1
        sheet["XFD1048576"] = 2

    with pytest.raises(LimitError, match="spans more than"):
        read(workbook(fill), name="wide.xlsx")


def test_a_workbook_without_cells_is_empty() -> None:
    with pytest.raises(EmptyDocumentError, match="no visible text"):
        read(workbook(lambda _book, _sheet: None), name="a.xlsx")


def test_too_many_lines_are_refused() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        for number in range(30):
            sheet.append([number, number])

    with pytest.raises(LimitError, match="lines"):
        read(workbook(fill), name="a.xlsx", limits=Limits(lines=20))


def test_damage_of_every_kind_is_one_sentence() -> None:
    good = workbook(prices)
    for data in (good[: len(good) // 2], OLE + "Workbook".encode("utf-16-le") + b"x" * 4096):
        with pytest.raises(DamagedDocumentError, match=r"a\.xlsx"):
            read(data, name="a.xlsx")
    for at in range(40, len(good), len(good) // 40):
        flipped = good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]
        with contextlib.suppress(DamagedDocumentError, LimitError, PasswordError):
            read(flipped, name="a.xlsx")


def test_a_workbook_that_refers_outside_fetches_nothing() -> None:
    data = workbook(prices)
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for entry in old.infolist():
            text = old.read(entry)
            if entry.filename == "xl/worksheets/sheet1.xml":
                declared = b'<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>'
                text = text.replace(b"<worksheet", declared + b"<worksheet", 1)
            new.writestr(entry, text)
    try:
        document = read(packed.getvalue(), name="a.xlsx")
    except DamagedDocumentError:
        return
    assert "€4.20" in " ".join(texts(document))


def test_rows_and_cells_that_do_not_say_where_they_are_follow_each_other() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["Tree", "Share"])
        sheet.append(["Oak", 0.25])
        sheet.append(["Larch", 0.5])
        sheet["B2"].number_format = "0.0%"
        sheet.row_dimensions[3].hidden = True

    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(fill))) as made, zipfile.ZipFile(packed, "w") as archive:
        for name in made.namelist():
            data = made.read(name)
            archive.writestr(name, re.sub(rb' r="[A-Z]*\d+"', b"", data) if "sheet1.xml" in name else data)
    document = read(packed.getvalue(), name="a.xlsx")
    assert texts(document) == ["Tree | Share", "Oak | 25.0%", ""]
    assert [one.text for one in document.hidden] == ["Larch | 0.5"]


def test_a_label_over_several_rows_is_that_of_each_where_it_begins_alone() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        sheet.append(["North"])
        sheet.append([None, "Oak", 12])
        sheet.merge_cells("A1:A2")

    assert texts(read(workbook(fill), name="a.xlsx")) == ["North", "North | Oak | 12"]


def test_a_label_over_several_rows_is_that_of_a_row_with_one_more_cell() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        for row in (["Forest plan"], [], ["Region", "Wood"], ["North", "Oakley"], [None, "Elmham"]):
            sheet.append(row)
        sheet.merge_cells("A1:B2")
        sheet.merge_cells("A4:A5")

    shown = ["Forest plan", "", "Region | Wood", "North | Oakley", "North | Elmham"]
    assert texts(read(workbook(fill), name="a.xlsx")) == shown


def test_many_conditional_formats_are_looked_up_by_row() -> None:
    def fill(_book: openpyxl.Workbook, sheet: Worksheet) -> None:
        for number in range(400):
            sheet.append([number] * 10)
        white = CellIsRule(operator="lessThan", formula=["3"], font=Font(color="FFFFFFFF"))
        for begin in range(1, 31):
            sheet.conditional_formatting.add(" ".join(f"A{row}:J{row}" for row in range(begin, 400)), white)

    started = time.process_time()
    document = read(workbook(fill), name="a.xlsx")
    assert time.process_time() - started < 1.5
    assert texts(document)[2:4] == ["", " | ".join("3" * 10)]


def test_an_open_document_spreadsheet_is_read() -> None:
    rows = (
        ("", "Tree", "Height", "Share"),
        (' table:visibility="collapse"', "Oak", 12.0, 0.1),
        ("", "Larch", 31.5, 0.125),
    )
    cells = "".join(f"<table:table-row{look}>{''.join(map(cell, row))}</table:table-row>" for look, *row in rows)
    spaces = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="Trees">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    document = read(packed.getvalue(), name="trees.ods")
    assert texts(document) == ["Tree | Height | Share", "", "Larch | 31.5 | 12.5 %"]
    assert [one.text for one in document.hidden] == ["Oak | 12 | 10.0 %"]
    assert document.pages[0].label == "Trees"


def cell(value: object) -> str:
    if isinstance(value, float) and value < 1:
        shown = f"<text:p>{value:.1%}</text:p>".replace("%", " %")
        return f'<table:table-cell office:value-type="percentage" office:value="{value}">{shown}</table:table-cell>'
    if isinstance(value, float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'


def record(kind: int, *content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(b"".join(content))) + b"".join(content)


def old_workbook() -> bytes:
    """An XLS file (BIFF8) of one sheet: two columns, a share and a price, and a row that is hidden."""
    named = lambda text: struct.pack("<HB", len(text), 0) + text.encode()  # noqa: E731
    begin = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    styles = b"".join(record(0xE0, struct.pack("<HH", 0, code) + bytes(16)) for code in (0, 10, 164))
    formats = record(0x41E, struct.pack("<H", 164), named('#,##0.00 "EUR"'))
    rows = b"".join(
        record(0x208, struct.pack("<HHHHIHH", row, 0, 2, 255, 0, hidden, 0)[:16])
        for row, hidden in ((0, 0), (1, 0x20), (2, 0))
    )
    cells = b"".join(
        record(0x204, struct.pack("<HHH", row, 0, 0), named(text))
        + record(0x203, struct.pack("<HHHd", row, 1, style, value))
        for row, text, style, value in ((0, "Share", 1, 0.125), (1, "Secret", 2, 7.0), (2, "Rent", 2, 1200.0))
    )
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 16, 0, 0, 0, 0)) + rows + cells + record(0x0A)
    place = len(begin) + len(formats) + len(styles) + 4 + 8 + 4 + 4
    bound = record(0x85, struct.pack("<IHBB", place, 0, 4, 0), b"Data")
    return ole_file({"Workbook": begin + formats + styles + bound + record(0x0A) + sheet})


def test_an_old_workbook_is_read_as_its_cells_show_it() -> None:
    document = read(old_workbook(), name="a.xls")
    assert texts(document) == ["Share | 12.50%", "", "Rent | 1,200.00 EUR"]
    assert [one.text for one in document.hidden] == ["Secret | 7.00 EUR"]


def test_many_rows_are_read_without_breaking_the_library() -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    for number in range(5_000):
        sheet.append([number, f"Name {number}", number / 2])
    packed = io.BytesIO()
    book.save(packed)
    assert len(spanwise_read(packed.getvalue(), name="a.xlsx").lines) == 5_000  # in a process that may die


def test_a_name_that_promises_a_workbook_without_one_is_damage() -> None:
    with pytest.raises(DamagedDocumentError, match="is not a spreadsheet"):
        read(b"just words", name="a.xlsx")
