"""Order of words: PDFs made for it, and public ones against their tags.

    python benchmarks/order.py [--folder FOLDER] [--pages N] [--verbose]

Sixty PDFs of ten kinds are drawn block by block (a paragraph, a row, a box of points) in an order drawn by lot, so that
nothing but the page tells in which one they are read. Of PDFs in the folders (by default those under $SPANWISE_DATA)
that say the order of their text by tags, the first pages are compared with these. What counts is the share of words
that stand in one order with the truth.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path
from statistics import mean

import pikepdf
import pypdfium2.raw as pdfium
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from spanwise.domain.document import Document
from spanwise.errors import DocumentError
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Ocr, ReadOptions

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
EACH = 6
"""PDFs of each kind."""
LEAST_WORDS = 30
"""Words of a page that its tags hold at least, to be compared."""
LETTERS = "abcdefghilmnoprstuvw"


@dataclass(slots=True)
class Sheet:
    """A page while it is written: its blocks of pieces, and the words in the order in which a person reads them."""

    lot: random.Random
    width: float = 595.0
    height: float = 842.0
    size: float = 10.0
    turned: int = 0
    blocks: list[list[tuple[float, float, float, str, str]]] = field(default_factory=lambda: [[]])
    words: list[str] = field(default_factory=list)

    def word(self) -> str:
        """A word that hardly comes twice."""
        return "".join(self.lot.choices(LETTERS, k=self.lot.randint(2, 9)))

    def put(self, x: float, top: float, text: str, size: float = 0.0, font: str = "Helvetica") -> None:
        """Write a line."""
        self.blocks[-1].append((x, top, size or self.size, text, font))
        self.words += text.split()

    def prose(self, x: float, top: float, wide: float, lines: int, size: float = 0.0) -> float:
        """Write a paragraph of full lines, but for the last; the answer is where the next one begins."""
        size = size or self.size
        self.blocks.append([])
        for at in range(lines):
            room = wide * (self.lot.uniform(0.3, 0.8) if at == lines - 1 else 1.0)
            text = self.word().capitalize() if at == 0 else self.word()
            while stringWidth(longer := f"{text} {self.word()}", "Helvetica", size) < room - size:
                text = longer
            self.put(x, top, text + ("." if at == lines - 1 else ""), size)
            top += 1.25 * size
        return top + 0.6 * size

    def column(self, x: float, top: float, wide: float, bottom: float) -> None:
        """Fill a column with paragraphs."""
        while top < bottom - 4 * self.size:
            top = self.prose(x, top, wide, min(self.lot.randint(3, 8), int((bottom - top) / (1.25 * self.size))))

    def heading(self, x: float, top: float) -> float:
        """Write a heading."""
        self.blocks.append([])
        self.put(x, top, f"{self.word().capitalize()} {self.word()}", 1.3 * self.size, "Helvetica-Bold")
        return top + 2.2 * self.size

    def pdf(self) -> bytes:
        """The page, its blocks in an order drawn by lot."""
        packed = io.BytesIO()
        canvas = Canvas(packed, pagesize=(self.width, self.height), invariant=1)
        for x, top, size, text, font in chain.from_iterable(self.lot.sample(self.blocks, len(self.blocks))):
            canvas.setFont(font, size)
            canvas.drawString(x, self.height - top, text)
        canvas.save()
        if not self.turned:
            return packed.getvalue()
        turned = io.BytesIO()
        with pikepdf.open(packed) as opened:
            opened.pages[0].Rotate = self.turned
            opened.save(turned)
        return turned.getvalue()


def several_columns(sheet: Sheet, count: int, top: float, bottom: float) -> None:
    """Columns of prose side by side."""
    gutter = sheet.lot.uniform(14, 26)
    wide = (sheet.width - 120 - (count - 1) * gutter) / count
    for at in range(count):
        sheet.column(60 + at * (wide + gutter), top, wide, bottom - at * sheet.lot.uniform(0, 60))


def two_columns(sheet: Sheet) -> None:
    """A paper: a title over two columns."""
    top = sheet.heading(150, 70)
    top = sheet.prose(60, top, sheet.width - 120, 3)
    several_columns(sheet, 2, top + 10, 780)


def three_columns(sheet: Sheet) -> None:
    """A newsletter."""
    sheet.size = 8.5
    several_columns(sheet, 3, sheet.heading(60, 70) + 6, 760)


def side_notes(sheet: Sheet) -> None:
    """Prose with notes in its margin, which are read behind it."""
    top = sheet.heading(60, 70)
    beside = []
    while top < 700:
        begin = top
        top = sheet.prose(60, top, 340, sheet.lot.randint(6, 9))
        if sheet.lot.random() < 0.7:
            beside.append(begin)
    for begin in beside:
        sheet.prose(430, begin, 100, 3, 0.75 * sheet.size)


def footnotes(sheet: Sheet) -> None:
    """Prose whose page ends with notes."""
    top = sheet.heading(60, 70)
    while top < 620:
        top = sheet.prose(60, top, 475, sheet.lot.randint(3, 7))
    top = 720.0
    for number in range(1, sheet.lot.randint(2, 4)):
        sheet.put(60, top, f"{number} {sheet.word().capitalize()} {sheet.word()} {sheet.word()}.", 7.5)
        top += 10


def turned(sheet: Sheet) -> None:
    """A page that is shown turned."""
    sheet.turned = 90 * sheet.lot.randint(1, 3)
    several_columns(sheet, sheet.lot.randint(1, 2), 80, 760)
    sheet.turned %= 360


def slide(sheet: Sheet) -> None:
    """A title, and two boxes of points."""
    sheet.width, sheet.height, sheet.size = 720.0, 405.0, 16.0
    sheet.put(50, 60, " ".join(sheet.word() for _ in range(4)).capitalize(), 28, "Helvetica-Bold")
    for x in (60, 390) if sheet.lot.random() < 0.6 else (60,):
        top = 120.0
        sheet.blocks.append([])
        for _ in range(sheet.lot.randint(3, 6)):
            sheet.put(x, top, "\u2022 " + " ".join(sheet.word() for _ in range(sheet.lot.randint(2, 4))))
            top += 32


def invoice(sheet: Sheet) -> None:
    """Two addresses side by side, rows, a total."""
    sheet.put(60, 70, f"Invoice {sheet.lot.randint(1000, 9999)}", 18, "Helvetica-Bold")
    for x in (60, 340):
        sheet.blocks.append([])
        for at in range(4):
            sheet.put(x, 110 + 14 * at, f"{sheet.word().capitalize()} {sheet.word()} {sheet.lot.randint(1, 99)}")
    rows = [("Item", "Number", "Price", "Sum")]
    rows += [
        (f"{sheet.word()} {sheet.word()}", *(str(sheet.lot.randint(2, 999)) for _ in range(3)))
        for _ in range(sheet.lot.randint(5, 14))
    ]
    for at, row in enumerate([*rows, ("Total", "", "", str(sheet.lot.randint(1000, 9999)))]):
        sheet.blocks.append([])
        for x, cell in zip((60, 280, 380, 480), row, strict=True):
            if cell:
                sheet.put(x, 210 + 18 * at, cell)
    sheet.prose(60, 560, 475, 3)


def form(sheet: Sheet) -> None:
    """Labels with what is filled in behind them, in one or two pairs a row."""
    pairs = sheet.lot.randint(1, 2)
    top = sheet.heading(60, 70)
    for _ in range(sheet.lot.randint(8, 16)):
        sheet.blocks.append([])
        for at in range(pairs):
            sheet.put(60 + 250 * at, top, f"{sheet.word().capitalize()}:")
            sheet.put(150 + 250 * at, top, f"{sheet.word()} {sheet.lot.randint(1, 99)}")
        top += 24
    sheet.prose(60, top + 10, 475, 4)


def statement(sheet: Sheet) -> None:
    """Rows of figures under heads, between prose."""
    top = sheet.prose(60, 70, 475, 5)
    columns = sheet.lot.randint(2, 4)
    for row in range(sheet.lot.randint(8, 20)):
        sheet.blocks.append([])
        sheet.put(60, top, f"{sheet.word().capitalize()} {sheet.word()}" if row else "Thousands")
        for at in range(columns):
            sheet.put(300 + 65 * at, top, str(2030 - at if row == 0 else sheet.lot.randint(100, 9999)))
        top += 15
    sheet.prose(60, top + 14, 475, 5)


def table_across(sheet: Sheet) -> None:
    """Two columns above and below a table over both."""
    several_columns(sheet, 2, 80, 330)
    top = 370.0
    for _ in range(sheet.lot.randint(5, 9)):
        sheet.blocks.append([])
        for x in (60, 220, 330, 440):
            sheet.put(x, top, f"{sheet.word()} {sheet.lot.randint(1, 999)}")
        top += 16
    several_columns(sheet, 2, top + 30, 780)


KINDS: Sequence[Callable[[Sheet], None]] = (
    two_columns,
    three_columns,
    side_notes,
    footnotes,
    turned,
    slide,
    invoice,
    form,
    statement,
    table_across,
)


def words_of(document: Document, page: int) -> list[str]:
    """The words of a page in the order of its lines."""
    return [word for line in document.lines if line.page == page for word in line.text.split()]


def in_order(ours: Sequence[str], truth: Sequence[str]) -> float:
    """The share of the words of the truth that stand in one order with it."""
    found = SequenceMatcher(None, ours, truth, autojunk=False).get_matching_blocks()
    return sum(block.size for block in found) / len(truth)


def tagged_words(opened: pdfium.FPDF_DOCUMENT, at: int) -> list[str]:
    """The words of a page in the order of its tags; none where it has no tags."""
    page, texts = pdfium.FPDF_LoadPage(opened, at), defaultdict[int, str](str)
    held = pdfium.FPDFText_LoadPage(page)
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_TEXT:
            room = pdfium.FPDFTextObj_GetText(item, held, None, 0)
            text = (ctypes.c_ushort * (room // 2 + 1))()
            pdfium.FPDFTextObj_GetText(item, held, text, room)
            texts[pdfium.FPDFPageObj_GetMarkedContentID(item)] += (
                bytes(text).decode("utf-16-le", "replace").rstrip("\0")
            )
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    count = pdfium.FPDF_StructTree_CountChildren(tree) if tree else 0
    marks = [mark for one in range(count) for mark in _marks(pdfium.FPDF_StructTree_GetChildAtIndex(tree, one))]
    return " ".join(texts[mark] for mark in dict.fromkeys(marks) if mark in texts).split()


def _marks(element: pdfium.FPDF_STRUCTELEMENT) -> Iterator[int]:
    """The numbers of the marked stretches below an element, in their order."""
    for at in range(max(0, pdfium.FPDF_StructElement_CountChildren(element))):
        if inner := pdfium.FPDF_StructElement_GetChildAtIndex(element, at):
            yield from _marks(inner)
        elif (mark := pdfium.FPDF_StructElement_GetChildMarkedContentID(element, at)) >= 0:
            yield mark


def public(path: Path, pages: int) -> list[float]:
    """The share of words in order on the first tagged pages of a PDF."""
    data = path.read_bytes()
    opened = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    truths = [tagged_words(opened, at) for at in range(min(pages, pdfium.FPDF_GetPageCount(opened)))]
    pdfium.FPDF_CloseDocument(opened)
    if not any(len(truth) >= LEAST_WORDS for truth in truths):
        return []
    document = read_pdf(data, path.name, ReadOptions(ocr=Ocr("never")))
    found = []
    for number, truth in enumerate(truths, start=1):
        known = set(truth)
        ours = [word for word in words_of(document, number) if word in known]
        same = set(ours)
        shared = [word for word in truth if word in same]  # a header that is furniture is no question of order
        if len(shared) >= LEAST_WORDS:
            found.append(in_order(ours, shared))
    return found


def main() -> None:
    """Measure, and print one line a kind and a document."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--folder", type=Path, action="append", default=[])
    asked.add_argument("--pages", type=int, default=12)
    asked.add_argument("--verbose", action="store_true")
    given = asked.parse_args()
    shares: dict[str, list[float]] = {}
    for kind in KINDS:
        for number in range(EACH):
            sheet = Sheet(random.Random(f"{kind.__name__} {number}"), size=9.0 + number % 3)
            kind(sheet)
            ours = words_of(read_pdf(sheet.pdf(), "made.pdf", ReadOptions(ocr=Ocr("never"))), 1)
            shares.setdefault(kind.__name__, []).append(in_order(ours, sheet.words))
        print(f"{kind.__name__:16} {mean(shares[kind.__name__]):.3f}", [f"{one:.2f}" for one in shares[kind.__name__]])
    made = [one for found in shares.values() for one in found]
    print(f"made: mean {mean(made):.4f} of {len(made)}, at least .98: {sum(one >= 0.98 for one in made)}")
    read: list[float] = []
    for folder in given.folder or [DATA / "pdfs", DATA / "everyday" / "docs"]:
        for path in sorted(folder.glob("*.pdf")):
            try:
                found = public(path, given.pages)
            except DocumentError as error:
                print(f"{path.name[:40]:40} left out: {error}")
                continue
            if found:
                read.append(mean(found))
                low = f", lowest {min(found):.3f} on page {found.index(min(found)) + 1}" if given.verbose else ""
                print(f"{path.name[:40]:40} {mean(found):.3f} of {len(found)} pages{low}", flush=True)
    if read:
        print(f"tagged: mean {mean(read):.4f} of {len(read)}, at least .98: {sum(one >= 0.98 for one in read)}")


if __name__ == "__main__":
    main()
