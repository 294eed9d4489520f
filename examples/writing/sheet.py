"""A list of prices as XLSX: one sheet a heading, figures as figures."""

import io
from datetime import UTC, datetime

from blocks import Block, Heading, Table, plain
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

MADE = datetime(2025, 2, 1, tzinfo=UTC).replace(tzinfo=None)


def xlsx_of(record: dict[str, str], blocks: list[Block]) -> bytes:
    """The bytes of an XLSX."""
    book = Workbook()
    book.remove(book.active)
    about = book.properties
    about.title, about.creator, about.subject = record["title"], record["author"], record["subtitle"]
    about.created = about.modified = MADE
    for block in blocks:
        if isinstance(block, Heading):
            sheet = book.create_sheet(block.text)
            sheet.append([f"{record['author']}: {record['title']}, {block.text.lower()}"])
            sheet["A1"].font = Font(bold=True, size=14, color="0F4C5C")
        elif isinstance(block, Table):
            _fill(sheet, block)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: Worksheet, table: Table) -> None:
    sheet.append([])
    sheet.append([plain(runs) for runs in table.head])
    for cell in sheet[3]:
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor="0F4C5C")
        cell.alignment = Alignment(wrap_text=True, vertical="bottom")
    for row in table.rows:
        sheet.append([_value(plain(runs), right=right) for runs, right in zip(row, table.right, strict=True)])
    for at, right in enumerate(table.right, start=1):
        longest = max(len(plain(row[at - 1])) for row in table.rows)
        sheet.column_dimensions[get_column_letter(at)].width = min(70, max(12, longest + 2))
        for cell in sheet[get_column_letter(at)][3:] if right else ():
            cell.number_format = "#,##0.00" if isinstance(cell.value, float) else "#,##0"
            cell.alignment = Alignment(horizontal="right")
    sheet.freeze_panes = "A4"


def _value(text: str, *, right: bool) -> str | int | float:
    digits = text.replace(",", "")
    if not right or not digits.replace(".", "").isdigit():
        return text
    return float(digits) if "." in digits else int(digits)
