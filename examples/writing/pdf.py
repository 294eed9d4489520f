"""Layouts of PDFs: a deed, a standard and a report, drawn by reportlab with the fonts that every viewer has."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sin
from xml.sax.saxutils import escape

from blocks import Block, Directive, Heading, Item, Paragraph, Runs, Table, plain
from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
)
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid
from reportlab.platypus.tableofcontents import TableOfContents

WIDTH, HEIGHT = A4
INK = HexColor("#1c2733")
SOFT = HexColor("#5d6b78")
RULE = HexColor("#b9c4cd")
SEA = HexColor("#0f4c5c")
FOAM = HexColor("#e8f1f2")
SAND = HexColor("#d98f3d")


@dataclass(frozen=True)
class Style:
    """Fonts, sizes and margins of one kind of document."""

    font: str
    bold: str
    head: str
    size: float
    left: float
    bottom: float
    colour: Color
    clause: float = 0

    def text(self, name: str, **options: object) -> ParagraphStyle:
        """A paragraph style on top of the plain one."""
        plain_text = {
            "fontName": self.font,
            "fontSize": self.size,
            "leading": self.size * 1.38,
            "textColor": INK,
            "allowWidows": 0,
            "allowOrphans": 0,
        }
        return ParagraphStyle(name, **{**plain_text, "spaceAfter": self.size * 0.62, **options})


STYLES = {
    "deed": Style("Times-Roman", "Times-Bold", "Times-Bold", 10.6, 31 * mm, 25 * mm, INK, clause=11 * mm),
    "standard": Style("Helvetica", "Helvetica-Bold", "Helvetica-Bold", 9.6, 30 * mm, 38 * mm, INK),
    "report": Style("Helvetica", "Helvetica-Bold", "Helvetica-Bold", 9.4, 25 * mm, 26 * mm, SEA),
    "scan": Style("Courier", "Courier-Bold", "Courier-Bold", 10.5, 28 * mm, 25 * mm, INK),
}


class _Note(Flowable):
    """A mark without size: where it is drawn, its footnote goes to the foot of the page."""

    width = height = 0

    def __init__(self, number: str, text: Text) -> None:
        super().__init__()
        self.number, self.text = number, text

    def draw(self) -> None:
        self.canv.spanwise_notes = [*getattr(self.canv, "spanwise_notes", ()), self.text]


class _Head(Text):
    """A heading that tells the table of contents and the outline where it is."""

    def __init__(self, text: str, style: ParagraphStyle, level: int) -> None:
        super().__init__(escape(text), style)
        self.spanwise_level, self.spanwise_text = level, text


class _Layout(BaseDocTemplate):
    def __init__(self, out: io.BytesIO, record: dict[str, str], style: Style, **options: object) -> None:
        super().__init__(
            out, pagesize=A4, leftMargin=style.left, rightMargin=style.left, bottomMargin=style.bottom,
            title=record["title"], author=record["author"], subject=record["subtitle"], invariant=1,
            pageCompression=0, **options,
        )  # fmt: skip
        self.record, self.style, self.front = record, style, 0

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802  # reportlab calls it so
        if not isinstance(flowable, _Head):
            return
        key = f"h{self.page}-{flowable.spanwise_text}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(flowable.spanwise_text, key, flowable.spanwise_level - 1, closed=True)
        if self.page > self.front:
            self.notify("TOCEntry", (flowable.spanwise_level - 1, flowable.spanwise_text, self.page - self.front, key))


def printed_label(page: int, front: int) -> str:
    """The number that is printed on a page: roman on the pages of the front matter."""
    return ("", "i", "ii", "iii", "iv", "v")[page] if page <= front else str(page - front)


def pdf_of(record: dict[str, str], blocks: list[Block]) -> bytes:
    """The bytes of a PDF."""
    style = STYLES[record["style"]]
    out = io.BytesIO()
    layout = _Layout(out, record, style)
    story = [*_OPENING[record["style"]](record, style), *_story(blocks, style)]
    layout.front = 3 if record["style"] == "standard" else 0
    top = 24 * mm
    frame = partial(Frame, style.left, style.bottom, WIDTH - 2 * style.left, HEIGHT - style.bottom - top)
    layout.addPageTemplates([
        PageTemplate("first", [frame(id="f", leftPadding=0, rightPadding=0)], onPage=_FIRST[record["style"]]),
        PageTemplate("page", [frame(id="p", leftPadding=0, rightPadding=0)], onPage=_running, onPageEnd=_foot),
    ])  # fmt: skip
    layout.multiBuild(story, canvasmaker=Canvas)
    return out.getvalue()


def _running(canvas: Canvas, layout: _Layout) -> None:
    """Header and footer."""
    record, style = layout.record, layout.style
    label = printed_label(layout.page, layout.front)
    if layout.page == layout.front + 1 and layout.front:
        canvas.addPageLabel(layout.page - 1, style="ARABIC", start=1)
    canvas.saveState()
    canvas.setFillColor(SOFT)
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.5)
    canvas.setFont(style.font, 8)
    if record["style"] == "deed":
        canvas.drawCentredString(WIDTH / 2, 16 * mm, f"– {label} –")
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 16 * mm, record["title"])
    elif record["style"] != "scan":
        canvas.line(style.left, HEIGHT - 18 * mm, WIDTH - style.left, HEIGHT - 18 * mm)
        canvas.drawString(style.left, HEIGHT - 16 * mm, record.get("number", record["author"]))
        canvas.drawRightString(WIDTH - style.left, HEIGHT - 16 * mm, record["title"])
        canvas.drawRightString(WIDTH - style.left, 14 * mm, label)
    canvas.restoreState()


def _foot(canvas: Canvas, layout: _Layout) -> None:
    """Footnotes of the page."""
    notes = getattr(canvas, "spanwise_notes", [])
    canvas.spanwise_notes = []
    if not notes:
        return
    y, width = layout.style.bottom - 4 * mm, WIDTH - 2 * layout.style.left
    canvas.setStrokeColor(RULE)
    canvas.line(layout.style.left, y, layout.style.left + 40 * mm, y)
    y -= 1 * mm
    for note in notes:
        _, height = note.wrap(width, HEIGHT)
        y -= height
        note.drawOn(canvas, layout.style.left, y)


def _deed_first(canvas: Canvas, layout: _Layout) -> None:
    canvas.setFont(layout.style.font, 8)
    canvas.setFillColor(SOFT)
    canvas.drawCentredString(WIDTH / 2, 16 * mm, "– 1 –")


def _standard_first(canvas: Canvas, layout: _Layout) -> None:
    record = layout.record
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
    canvas.setFillColor(INK)
    canvas.rect(0, HEIGHT - 62 * mm, WIDTH, 62 * mm, stroke=0, fill=1)
    canvas.setFillColor(white)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(30 * mm, HEIGHT - 28 * mm, record["author"].upper())
    canvas.setFont("Helvetica-Bold", 30)
    canvas.drawString(30 * mm, HEIGHT - 46 * mm, record["number"])
    canvas.setFillColor(INK)
    canvas.setFont("Helvetica-Bold", 24)
    canvas.drawString(30 * mm, HEIGHT - 118 * mm, record["title"])
    canvas.setFont("Helvetica", 15)
    canvas.drawString(30 * mm, HEIGHT - 129 * mm, record["subtitle"])
    canvas.setFont("Helvetica", 10)
    canvas.setFillColor(SOFT)
    canvas.drawString(30 * mm, 40 * mm, f"Second edition, {record['date']}")
    canvas.drawString(30 * mm, 34 * mm, "Replaces CMB 41:2016")


def _report_first(canvas: Canvas, layout: _Layout) -> None:
    record = layout.record
    canvas.setFillColor(SEA)
    canvas.rect(0, 0, WIDTH, HEIGHT, stroke=0, fill=1)
    for wave in range(14):
        path = canvas.beginPath()
        base = 40 * mm + wave * 7 * mm
        for step in range(61):
            x = WIDTH * step / 60
            y = base + (4 + wave) * sin(step / 7 + wave * 0.55) * 1.4
            (path.lineTo if step else path.moveTo)(x, y)
        canvas.setStrokeColor(Color(1, 1, 1, alpha=0.12 + wave * 0.03))
        canvas.setLineWidth(0.9)
        canvas.drawPath(path, stroke=1, fill=0)
    canvas.setFillColor(white)
    canvas.setFont("Helvetica", 13)
    canvas.drawString(25 * mm, HEIGHT - 40 * mm, record["author"])
    canvas.setFont("Helvetica-Bold", 40)
    canvas.drawString(25 * mm, HEIGHT - 92 * mm, record["title"])
    canvas.setFont("Helvetica", 14)
    canvas.drawString(25 * mm, HEIGHT - 103 * mm, record["subtitle"])
    canvas.setFillColor(SAND)
    canvas.rect(25 * mm, HEIGHT - 112 * mm, 28 * mm, 1.6 * mm, stroke=0, fill=1)


def _nothing(_canvas: Canvas, _layout: _Layout) -> None:
    """A first page without decoration."""


def _deed_opening(record: dict[str, str], style: Style) -> list[Flowable]:
    centred = {"alignment": TA_CENTER, "fontName": style.bold}
    return [
        NextPageTemplate("page"),
        Text(escape(record["title"]), style.text("title", **centred, fontSize=17, leading=22, spaceAfter=4)),
        Text(escape(record["subtitle"]), style.text("sub", alignment=TA_CENTER, textColor=SOFT)),
        _Rule(style),
    ]


def _cover(_record: dict[str, str], _style: Style) -> list[Flowable]:
    return [NextPageTemplate("page"), Spacer(1, 10), PageBreak()]


def _no_opening(_record: dict[str, str], _style: Style) -> list[Flowable]:
    return []


class _Rule(Flowable):
    """A thin line over the width of the text."""

    height = 14

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.width = WIDTH - 2 * style.left

    def draw(self) -> None:
        self.canv.setStrokeColor(RULE)
        self.canv.setLineWidth(0.6)
        self.canv.line(0, 3, self.width, 3)


_FIRST: dict[str, Callable[[Canvas, _Layout], None]] = {
    "deed": _deed_first,
    "standard": _standard_first,
    "report": _report_first,
    "scan": _nothing,
}
_OPENING: dict[str, Callable[[dict[str, str], Style], list[Flowable]]] = {
    "deed": _deed_opening,
    "standard": _cover,
    "report": _cover,
    "scan": _no_opening,
}


def _story(blocks: list[Block], style: Style) -> list[Flowable]:
    """What is laid out, in order; a heading stays with what follows it."""
    story: list[Flowable] = []
    chart = ""
    for block in blocks:
        if isinstance(block, Heading):
            story.append(_heading(block, style))
        elif isinstance(block, Paragraph):
            story += _paragraph(block, style)
        elif isinstance(block, Item):
            indent = style.clause + 5 * mm
            story.append(
                Text(_markup(block.runs), style.text("item", leftIndent=indent, bulletIndent=indent - 4 * mm), "•")
            )
        elif isinstance(block, Table):
            if chart:
                story.append(_Chart(block, chart, style))
            else:
                head = [story.pop()] if story and isinstance(story[-1], _Head) else []
                story.append(KeepTogether([*head, *_table(block, style)]))
            chart = ""
        elif block.name == "chart":
            chart = block.rest
        else:
            story += _DIRECTIVES[block.name](block, style)
    return story


def _heading(block: Heading, style: Style) -> Flowable:
    size = {1: 1.55, 2: 1.16}[block.level] * style.size if style.clause == 0 else style.size * 1.05
    return _Head(
        block.text,
        style.text(
            f"h{block.level}",
            fontName=style.head,
            fontSize=size,
            leading=size * 1.25,
            textColor=style.colour,
            spaceBefore=size * (0.9 if block.level == 1 else 0.6),
            spaceAfter=size * 0.45,
            keepWithNext=1,
        ),
        block.level,
    )


def _paragraph(block: Paragraph, style: Style) -> list[Flowable]:
    markup = _markup(block.runs)
    if block.label.startswith("("):
        indent = style.clause + 8 * mm
        text = Text(markup, style.text("sub", leftIndent=indent, bulletIndent=style.clause), block.label)
    elif block.label:
        text = Text(markup, style.text("clause", leftIndent=style.clause, bulletIndent=0), block.label)
    else:
        text = Text(markup, style.text("body", leftIndent=style.clause))
    small = style.text("note", fontSize=8, leading=10, spaceAfter=0)
    notes = [_Note(number, Text(f"<super>{number}</super> {_markup(runs)}", small)) for number, runs in block.notes]
    return [text, *notes]


def _markup(runs: Runs) -> str:
    tags = {"": "{}", "b": "<b>{}</b>", "i": "<i>{}</i>", "note": '<super size="6.5">{}</super>'}
    return "".join(tags[run.style].format(escape(run.text)) for run in runs)


def _table(table: Table, style: Style) -> list[Flowable]:
    """A table: thin rules, figures to the right, totals between rules, its caption above."""
    size = style.size - 0.8
    cell = style.text("cell", fontSize=size, leading=size * 1.25, spaceAfter=0)
    right = style.text("figure", fontSize=size, leading=size * 1.25, spaceAfter=0, alignment=2)
    bold = {"fontName": style.bold, "textColor": style.colour}
    head, head_right = (
        style.text("h", fontSize=size, leading=size * 1.2, spaceAfter=0, alignment=align, **bold) for align in (0, 2)
    )
    rows = [[Text(_markup(runs), head_right if r else head) for runs, r in zip(table.head, table.right, strict=True)]]
    rows += [
        [Text(_markup(runs), right if r else cell) for runs, r in zip(row, table.right, strict=True)]
        for row in table.rows
    ]
    looks: list[tuple[object, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.4),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("LINEBELOW", (0, 0), (-1, 0), 0.9, style.colour),
        ("LINEBELOW", (0, 1), (-1, -2), 0.25, RULE),
        ("LINEBELOW", (0, -1), (-1, -1), 0.9, style.colour),
    ]
    for at, row in enumerate(table.rows, start=1):
        if row[0] and row[0][0].style == "b":
            looks += [("BACKGROUND", (0, at), (-1, at), FOAM), ("LINEABOVE", (0, at), (-1, at), 0.6, style.colour)]
    grid = Grid(rows, _widths(table, style, size), style=looks, repeatRows=1, spaceAfter=10, spaceBefore=2)
    if not table.caption:
        return [grid]
    caption = style.text("caption", fontName=style.bold, fontSize=size, spaceAfter=3, spaceBefore=4)
    return [Text(escape(table.caption), caption), grid]


def _widths(table: Table, style: Style, size: float) -> list[float]:
    """The width of each column: as much as its longest words or cells need, the rest to columns of words."""
    room = WIDTH - 2 * style.left
    needs = []
    for at, right in enumerate(table.right):
        cells = [plain(row[at]) for row in table.rows]
        words = plain(table.head[at]).split() or [""]
        pieces = [*cells, *words] if right or max(map(len, cells)) < 12 else [*cells, plain(table.head[at])]
        needs.append(max(stringWidth(piece, style.bold, size) for piece in pieces) + 8)
    if sum(needs) > room:
        widest = needs.index(max(needs))
        needs[widest] = max(40 * mm, room - (sum(needs) - needs[widest]))
    figures = [at for at, right in enumerate(table.right) if right]
    spare = room - sum(needs)
    if figures:
        for at in figures:
            grown = min(spare / (len(figures) + 1), 22 * mm - needs[at]) if needs[at] < 22 * mm else 0
            needs[at] += grown
    needs[0] += room - sum(needs)
    if not figures and len(needs) > 1 and needs[0] > room / 3:
        needs[-1] += needs[0] - room / 3 if needs[0] > room / 2 else 0
        needs[0] -= max(0, needs[0] - room / 3) if needs[0] > room / 2 else 0
    return needs


def _thousands(figure: str) -> int:
    return int(figure.replace(",", ""))


def _million(thousands: int) -> str:
    """Thousands as millions with one decimal, a half rounded up."""
    return f"{(thousands + 50) // 100 / 10:.1f}"


class _Chart(Flowable):
    """A chart of stacked bars, one a row of its table."""

    def __init__(self, table: Table, title: str, style: Style) -> None:
        super().__init__()
        self.title, self.style = title, style
        self.names = [plain(runs) for runs in table.head[1:]]
        self.rows = [(plain(row[0]), [_thousands(plain(runs)) for runs in row[1:]]) for row in table.rows]
        self.width, self.height = WIDTH - 2 * style.left, 52 * mm

    def draw(self) -> None:
        canvas, style = self.canv, self.style
        canvas.setFont(style.bold, 9)
        canvas.setFillColor(style.colour)
        canvas.drawString(0, self.height - 12, self.title)
        colours = (SEA, HexColor("#5fa8a0"), SAND)
        scale = (self.width - 30 * mm) / max(sum(values) for _, values in self.rows)
        y = self.height - 34
        for year, values in self.rows:
            canvas.setFillColor(INK)
            canvas.setFont(style.font, 8.5)
            canvas.drawString(0, y + 4, year)
            x = 12 * mm
            for value, colour in zip(values, colours, strict=True):
                canvas.setFillColor(colour)
                canvas.rect(x, y, value * scale, 15, stroke=0, fill=1)
                canvas.setFillColor(white)
                canvas.drawString(x + 4, y + 4.5, _million(value))
                x += value * scale
            canvas.setFillColor(INK)
            canvas.setFont(style.bold, 8.5)
            canvas.drawString(x + 5, y + 4.5, _million(sum(values)))
            y -= 24
        x = 12 * mm
        canvas.setFont(style.font, 8)
        for name, colour in zip(self.names, colours, strict=True):
            canvas.setFillColor(colour)
            canvas.rect(x, y + 6, 7, 7, stroke=0, fill=1)
            canvas.setFillColor(SOFT)
            canvas.drawString(x + 11, y + 6.5, name)
            x += 16 + stringWidth(name, style.font, 8) + 14


def _highlights(block: Directive, style: Style) -> list[Flowable]:
    """Boxes with a figure each."""
    boxes = [[part.strip() for part in box.split("|")] for box in block.rest.split(" ; ")]
    small = style.text("small", fontSize=8.4, leading=10.5, textColor=SOFT, spaceAfter=0)
    large = style.text("large", fontName=style.bold, fontSize=15, leading=19, textColor=SEA, spaceAfter=0)
    cells = [[Text(escape(name), small), Text(escape(figure), large), Text(escape(rest), small)]
             for name, figure, rest in boxes]  # fmt: skip
    width = (WIDTH - 2 * style.left) / len(cells)
    looks = [("BACKGROUND", (0, 0), (-1, -1), FOAM), ("VALIGN", (0, 0), (-1, -1), "TOP"),
             ("LINEAFTER", (0, 0), (-2, -1), 4, white), ("TOPPADDING", (0, 0), (-1, -1), 8),
             ("BOTTOMPADDING", (0, 0), (-1, -1), 9)]  # fmt: skip
    return [Spacer(1, 4), Grid([cells], [width] * len(cells), style=looks), Spacer(1, 14)]


def _signatures(block: Directive, style: Style) -> list[Flowable]:
    """Two lines to sign on."""
    rows = [[part.strip() for part in box.split("|")] for box in block.rest.split(" ; ")]
    cell = style.text("sign", spaceAfter=0)
    cells = [Text(f"Signed for <b>{escape(firm)}</b><br/>{escape(who)}", cell) for firm, who in rows]
    width = (WIDTH - 2 * style.left) / 2
    grid = Grid([["", ""], cells], [width - 6, width - 6], [13 * mm, None],
                style=[("LINEBELOW", (0, 0), (0, 0), 0.6, INK), ("LINEBELOW", (1, 0), (1, 0), 0.6, INK),
                       ("LINEAFTER", (0, 0), (0, 0), 12, white)])  # fmt: skip
    return [KeepTogether([Spacer(1, 4 * mm), grid])]


def _contents(_block: Directive, style: Style) -> list[Flowable]:
    contents = TableOfContents(
        dotsMinLevel=0,
        levelStyles=[
            style.text("toc1", fontName=style.bold, leading=11, spaceAfter=1, spaceBefore=3),
            style.text("toc2", leftIndent=6 * mm, leading=11, spaceAfter=0),
        ],
    )
    head = style.text("ch", fontName=style.bold, fontSize=15, leading=19, spaceAfter=10)
    return [PageBreak(), Text("Contents", head), contents]


def _break(_block: Directive, _style: Style) -> list[Flowable]:
    return [PageBreak()]


def _near_end(block: Directive, _style: Style) -> list[Flowable]:
    return [CondPageBreak(float(block.rest) * mm)]


def _nothing_drawn(_block: Directive, _style: Style) -> list[Flowable]:
    return []


_DIRECTIVES: dict[str, Callable[[Directive, Style], list[Flowable]]] = {
    "break": _break,
    "contents": _contents,
    "front": _nothing_drawn,
    "highlights": _highlights,
    "main": _break,
    "need": _near_end,
    "signatures": _signatures,
}
