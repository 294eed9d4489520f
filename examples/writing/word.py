"""A manual as DOCX: python-docx with its own styles, set in one look."""

import io
from datetime import UTC, datetime

import docx
from blocks import Block, Heading, Item, Paragraph, Runs, Table
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph as Line

SEA = RGBColor(0x0F, 0x4C, 0x5C)
MADE = datetime(2025, 1, 1, tzinfo=UTC)


def docx_of(record: dict[str, str], blocks: list[Block]) -> bytes:
    """The bytes of a DOCX."""
    document = docx.Document()
    _dress(document, record)
    document.add_paragraph(record["title"], style="Title")
    document.add_paragraph(f"{record['author']} · {record['subtitle']}", style="Subtitle")
    for block in blocks:
        if isinstance(block, Heading):
            document.add_heading(block.text, block.level)
        elif isinstance(block, Item):
            _write(document.add_paragraph(style="List Bullet"), block.runs)
        elif isinstance(block, Table):
            _table(document, block)
        elif isinstance(block, Paragraph):
            _write(document.add_paragraph(), block.runs)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _dress(document: Document, record: dict[str, str]) -> None:
    """Fonts, colours, margins, the running footer, and properties that never change."""
    core = document.core_properties
    core.title, core.author, core.subject, core.comments = record["title"], record["author"], record["subtitle"], ""
    core.last_modified_by, core.created, core.modified, core.language = record["author"], MADE, MADE, "en-GB"
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(28)
    section.footer.paragraphs[0].text = f"{record['author']}: {record['title']}"
    for name, size, bold in (
        ("Normal", 10.5, False), ("Title", 26, True), ("Subtitle", 12, False), ("Heading 1", 16, True),
        ("Heading 2", 12, True),
    ):  # fmt: skip
        font = document.styles[name].font
        font.name, font.size, font.bold, font.italic = "Calibri", Pt(size), bold, False
        if name != "Normal":
            font.color.rgb = SEA
    document.styles["Normal"].paragraph_format.space_after = Pt(6)


def _table(document: Document, table: Table) -> None:
    grid = document.add_table(rows=1, cols=len(table.head), style="Light List Accent 1")
    for cell, runs in zip(grid.rows[0].cells, table.head, strict=True):
        _write(cell.paragraphs[0], runs)
    for row in table.rows:
        for cell, runs, right in zip(grid.add_row().cells, row, table.right, strict=True):
            _write(cell.paragraphs[0], runs)
            if right:
                cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    document.add_paragraph()


def _write(line: Line, runs: Runs) -> None:
    for run in runs:
        written = line.add_run(run.text)
        if run.style:
            written.bold, written.italic = run.style == "b", run.style == "i"
