"""Order of words: PDFs made for it, and public ones against their tags, or against labels made by eye.

    python benchmarks/order.py [--folder FOLDER] [--pages N] [--verbose]
    python benchmarks/order.py --labels [--half 0|1] [--verbose]

Sixty PDFs of ten kinds are drawn block by block (a paragraph, a row, a box of points) in an order drawn by lot, so that
nothing but the page tells in which one they are read. Of PDFs in the folders (by default those under $SPANWISE_DATA)
that say the order of their text by tags, the first pages are compared with these. What counts is the share of words
that stand in one order with the truth.

With `--labels` pages of public PDFs are asked whose blocks (a paragraph, or its part in a column, a heading, a point, a
row of a table) somebody put in order by eye (`reading_order.json`, of which `--half` takes every second page), and
pdfium's own text beside ours. The labels hold no text of others, only how many words a block has and short digests of
its first and last ones. A block's words count as in order if they lie in the heaviest chain of blocks each of which
ends before the next one begins; blocks that could as well stand elsewhere are left out. `--digest FILE` prints such
labels for those in a file, one page a line: `{"pdf": PATH, "page": 1, "blocks": [[first words, last words]],
"doubtful": [number of a block]}`.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import io
import json
import os
import random
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, chain, combinations, pairwise
from pathlib import Path
from statistics import mean

import pikepdf
import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from spanwise.domain.document import Document
from spanwise.errors import DocumentError
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Ocr, ReadOptions

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
LABELS = Path(__file__).with_name("reading_order.json")
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


@dataclass(slots=True)
class Label:
    """A block of a page: how many words it has, and its first and last ones as (count of characters, digest)."""

    words: int
    first: list[tuple[int, str]]
    last: list[tuple[int, str]]
    doubtful: bool = False


@dataclass(slots=True)
class Tally:
    """Pairs of blocks, blocks that another one follows, words, and pages; of each how many are in order, and all."""

    pairs: list[int] = field(default_factory=lambda: [0, 0])
    followed: list[int] = field(default_factory=lambda: [0, 0])
    words: list[int] = field(default_factory=lambda: [0, 0])
    pages: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, other: Tally) -> None:
        """Count what another one counted too."""
        for name in self.__slots__:
            setattr(self, name, [a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)])

    def __str__(self) -> str:
        shares = (
            f"{name} {right / max(1, every):.3f}" for name in self.__slots__ for right, every in [getattr(self, name)]
        )
        return (
            ", ".join(shares) + f" ({self.words[0]} of {self.words[1]} words, {self.pages[0]} of {self.pages[1]} pages)"
        )


def folded(word: str) -> str:
    """The letters and figures of a word, which are what all readers put alike."""
    return "".join(char for char in unicodedata.normalize("NFKC", word).casefold() if char.isalnum())


def anchors(words: Sequence[str], *, last: bool = False) -> list[tuple[int, str]]:
    """The digests by which an end of a block is found: of all its words, and of the outermost two."""
    said = [word for word in map(folded, words) if word]
    texts = dict.fromkeys("".join(part) for part in (said, said[-2:] if last else said[:2]))
    return [(len(text), digest(text)) for text in texts if text]


def digest(text: str) -> str:
    """What stands for a text in the labels."""
    return hashlib.blake2s(text.encode(), digest_size=4).hexdigest()


class Text:
    """Words as somebody read them, among which the ends of blocks are looked for."""

    def __init__(self, words: Sequence[str]) -> None:
        said = [word for word in map(folded, words) if word]
        self._text = "".join(said)
        self._ends = list(accumulate(map(len, said)))
        self._starts = [0, *self._ends[:-1]]
        self._word = {start: at for at, start in enumerate(self._starts)} | {len(self._text): len(said)}

    def places(self, label: Label) -> list[tuple[int, int]]:
        """Where a block may stand, from its first word to behind its last one."""
        found = []
        ends = [self._word[end] for end in self._found(label.last, self._ends, last=True)]
        for begin in (self._word[start] for start in self._found(label.first, self._starts, last=False)):
            behind = [end for end in ends if end > begin]
            if behind:
                found.append((begin, min(behind, key=lambda end: abs(end - begin - label.words))))
        return found

    def _found(self, wanted: Sequence[tuple[int, str]], places: Sequence[int], *, last: bool) -> list[int]:
        """The places of the longest digest that is found."""
        for size, said in wanted:
            cuts = ((at - size, at) if last else (at, at + size) for at in places)
            kept = [
                at
                for at, (start, end) in zip(places, cuts, strict=True)
                if start >= 0 and self._says(start, end) == said
            ]
            if kept:
                return kept
        return []

    @cache  # noqa: B019
    def _says(self, start: int, end: int) -> str:
        return digest(self._text[start:end])


def chained(places: Sequence[Sequence[tuple[int, int]]], weights: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The heaviest chain of blocks, given where each may stand, in which each one ends before the next one begins."""
    best: list[tuple[int, int, tuple[int, int], int]] = []  # weight up to here, block, its place, the one before it
    for block, found in enumerate(places):
        fresh = []
        for place in found:
            before = max(
                (at for at, one in enumerate(best) if one[2][1] <= place[0]), key=lambda at: best[at][0], default=-1
            )
            fresh.append((weights[block] + (best[before][0] if before >= 0 else 0), block, place, before))
        best += fresh
    taken: dict[int, tuple[int, int]] = {}
    at = max(range(len(best)), key=lambda at: best[at][0], default=-1)
    while at >= 0:
        _, block, taken[block], at = best[at]
    return taken


def tally(labels: Sequence[Label], words: Sequence[str]) -> tuple[Tally, dict[int, tuple[int, int]], list[int]]:
    """What of a page is in order; where its blocks stand, and which of them are not in the chain."""
    text = Text(words)
    sure = [at for at, label in enumerate(labels) if not label.doubtful and label.first and label.last]
    places = [text.places(labels[at]) for at in sure]
    weights = [labels[at].words for at in sure]
    chain_of = {sure[at]: place for at, place in chained(places, weights).items()}
    stand, taken = dict(chain_of), set(chain_of.values())
    for at, found in zip(sure, places, strict=True):
        for place in found if at not in stand else ():
            if place not in taken:
                stand[at] = place
                taken.add(place)
                break
    order = {at: rank for rank, at in enumerate(sorted(stand, key=stand.__getitem__))}
    both = [stand[one][0] < stand[other][0] for one, other in combinations(sorted(stand), 2)]
    nexts = [pair for pair in pairwise(sure) if pair[1] == pair[0] + 1]
    follow = [
        one in order and other in order and order[other] == order[one] + 1 and stand[one][1] <= stand[other][0]
        for one, other in nexts
    ]
    right, every = sum(labels[at].words for at in chain_of), sum(weights)
    found = Tally([sum(both), len(both)], [sum(follow), len(follow)], [right, every], [int(right >= 0.98 * every), 1])
    return found, stand, [at for at in sure if at not in chain_of]


@cache
def read(path: Path) -> Document:
    """A document as Spanwise reads it."""
    return read_pdf(path.read_bytes(), path.name, ReadOptions(ocr=Ocr("never")))


def raw_words(path: Path, page: int) -> list[str]:
    """The words of a page in the order in which pdfium gives its text."""
    opened = PdfDocument(path)
    text = opened[page - 1].get_textpage().get_text_range()
    opened.close()
    return text.replace("\ufffe", "").split()


def labelled(half: int | None) -> Iterator[tuple[str, int, list[Label]]]:
    """Public pages whose blocks somebody put in order: all of them, or every second one."""
    for at, page in enumerate(json.loads(LABELS.read_text("utf-8"))):
        if half is None or at % 2 == half:
            blocks = [
                Label(words, _pairs(first), _pairs(last), bool(rest)) for words, first, last, *rest in page["blocks"]
            ]
            yield page["pdf"], page["page"], blocks


def _pairs(packed: str) -> list[tuple[int, str]]:
    return [(int(one[8:]), one[:8]) for one in packed.split()]


def digested(file: Path) -> str:
    """Labels with digests in the place of texts; how many words a block has is taken from who has the fewest."""
    lines = []
    for line in file.read_text("utf-8").splitlines():
        page = json.loads(line)
        path = Path(page["pdf"])
        texts = [Text(words_of(read(path), page["page"])), Text(raw_words(path, page["page"]))]
        blocks: list[list[object]] = []
        for at, (first, last) in enumerate(page["blocks"]):
            label = Label(0, anchors(first.split()), anchors(last.split(), last=True))
            least = max(len(first.split()), len(last.split()))
            spans = [end - begin for text in texts for begin, end in text.places(label) if end - begin >= least]
            packed = (" ".join(f"{said}{size}" for size, said in one) for one in (label.first, label.last))
            blocks.append([min(spans, default=least), *packed, *([1] if at in page["doubtful"] else [])])
        name = str(path.relative_to(DATA.resolve()))
        lines.append(json.dumps({"pdf": name, "page": page["page"], "blocks": blocks}, separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def by_labels(half: int | None, verbose: bool) -> None:
    """Measure against the labels, and print one line a page where asked for."""
    sums = {"spanwise": Tally(), "pdfium": Tally()}
    for name, page, labels in labelled(half):
        path = DATA / name
        for reader, words in (("spanwise", words_of(read(path), page)), ("pdfium", raw_words(path, page))):
            found, stand, missed = tally(labels, words)
            sums[reader].add(found)
            if verbose:
                lost = [f"{at}{'' if at in stand else ' not found'}" for at in missed]
                print(f"{reader:8} {name[-40:]} {page}: {found} {lost or ''}")
    for reader, found in sums.items():
        print(f"{reader:8} {found}")


def main() -> None:
    """Measure, and print one line a kind and a document."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--folder", type=Path, action="append", default=[])
    asked.add_argument("--pages", type=int, default=12)
    asked.add_argument("--labels", action="store_true")
    asked.add_argument("--half", type=int, choices=(0, 1))
    asked.add_argument("--digest", type=Path)
    asked.add_argument("--verbose", action="store_true")
    given = asked.parse_args()
    if given.digest:
        print(digested(given.digest), end="")
        return
    if given.labels:
        by_labels(given.half, given.verbose)
        return
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
    tagged: list[float] = []
    for folder in given.folder or [DATA / "pdfs", DATA / "everyday" / "docs"]:
        for path in sorted(folder.glob("*.pdf")):
            try:
                found = public(path, given.pages)
            except DocumentError as error:
                print(f"{path.name[:40]:40} left out: {error}")
                continue
            if found:
                tagged.append(mean(found))
                low = f", lowest {min(found):.3f} on page {found.index(min(found)) + 1}" if given.verbose else ""
                print(f"{path.name[:40]:40} {mean(found):.3f} of {len(found)} pages{low}", flush=True)
    if tagged:
        print(f"tagged: mean {mean(tagged):.4f} of {len(tagged)}, at least .98: {sum(one >= 0.98 for one in tagged)}")


if __name__ == "__main__":
    main()
