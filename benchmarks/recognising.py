"""Recognised pages against the text that their files hold: words, boxes of lines, order.

Pages of PDFs are drawn as pictures, as a scanner makes them, and read again. Run it with
`python benchmarks/recognising.py --folder FOLDER --pages 60`; it needs tesseract, and Pillow (the extra `ocr`).
"""

from __future__ import annotations

import argparse
import io
import random
import re
import unicodedata
from collections import Counter
from pathlib import Path
from time import perf_counter

import pikepdf
import pypdfium2
from PIL import Image

from spanwise.domain.document import Document, Line
from spanwise.errors import DocumentError
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Ocr, ReadOptions

NEAR = 3.0
"""Points by which an edge of a box may differ."""
LEAST_WORDS = 80
_DIGITS = re.compile(r"[\d.,]*\d[\d.,]*")


def scanned(data: bytes, dots: int, *, skew: float = 0.0, quality: int = 85) -> bytes:
    """A PDF as a scanner makes it: one grey picture a page, nothing else."""
    out = pikepdf.new()
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            picture = page.render(scale=dots / 72, grayscale=True).to_pil().convert("L")
            if skew:
                picture = picture.rotate(skew, resample=Image.Resampling.BICUBIC, fillcolor=255)
            packed = io.BytesIO()
            picture.save(packed, "JPEG", quality=quality)
            width, height = page.get_size()
            out.add_blank_page(page_size=(width, height))
            image = pikepdf.Stream(
                out,
                packed.getvalue(),
                Type=pikepdf.Name.XObject,
                Subtype=pikepdf.Name.Image,
                Width=picture.width,
                Height=picture.height,
                ColorSpace=pikepdf.Name.DeviceGray,
                BitsPerComponent=8,
                Filter=pikepdf.Name.DCTDecode,
            )
            shown = out.pages[-1]
            name = shown.add_resource(image, pikepdf.Name.XObject)
            shown.contents_add(f"q {width} 0 0 {height} 0 0 cm {name} Do Q".encode())
    packed = io.BytesIO()
    out.save(packed)
    return packed.getvalue()


def sample(folder: Path, pages: int, only: str, chance: random.Random) -> list[tuple[str, bytes]]:
    """About so many pages of the PDFs of a folder, the same number of each, as PDFs of their own."""
    paths = sorted(folder.glob("*.pdf"))
    each = max(1, -(-pages // len(paths)))
    chosen = []
    for path in paths:
        if only not in path.name:
            continue
        with pikepdf.open(path) as whole:
            numbers = sorted(chance.sample(range(len(whole.pages)), min(each, len(whole.pages))))
            part = pikepdf.new()
            for number in numbers:
                part.pages.append(whole.pages[number])
            packed = io.BytesIO()
            part.save(packed)
        chosen.append((path.name, packed.getvalue()))
    return chosen


def words(document: Document, page: int) -> Counter[str]:
    """The words of a page, furniture included."""
    texts = [line.text for line in document.lines if line.page == page]
    texts += [one.text for one in document.furniture if one.page == page]
    return Counter(
        word for text in texts for word in unicodedata.normalize("NFKC", text).split() if any(map(str.isalnum, word))
    )


def boxed(document: Document, page: int) -> list[tuple[str, tuple[float, ...]]]:
    """The lines of a page with their boxes, furniture included."""
    found: list[Line] = [line for line in document.lines if line.page == page]
    rest = [one for one in document.furniture if one.page == page]
    return [
        (one.text, (one.box.x0, one.box.y0, one.box.x1, one.box.y1)) for one in [*found, *rest] if one.box is not None
    ]


def figures(found: Counter[str]) -> Counter[str]:
    """The figures among words, without the signs around them."""
    bare: Counter[str] = Counter()
    for word, count in found.items():
        if figure := "".join(_DIGITS.findall(word)).strip(".,"):
            bare[figure] += count
    return bare


def compared(recognised: Document, digital: Document, page: int, *, verbose: bool) -> Counter[str]:
    """Counts of one page; none where it has few words."""
    counts: Counter[str] = Counter()
    ours, theirs = words(recognised, page), words(digital, page)
    if theirs.total() < LEAST_WORDS:
        return counts
    doubts = [
        figure
        for line in recognised.lines
        if line.page == page and line.recognition is not None
        for figure in line.recognition.doubtful
    ]
    told = "".join(doubts)
    wrong = figures(ours) - figures(theirs)
    counts["pages"] = 1
    counts["words"], counts["right"] = theirs.total(), (ours & theirs).total()
    counts["figures"], counts["figures right"] = figures(theirs).total(), (figures(ours) & figures(theirs)).total()
    counts["doubts"] = len(doubts)
    counts["figures wrong and sure"] = sum(count for figure, count in wrong.items() if figure not in told)
    found = boxed(recognised, page)
    same = {"".join(text.split()) for text, _ in found}
    for text, box in boxed(digital, page):
        near = any(all(abs(a - b) <= NEAR for a, b in zip(other, box, strict=True)) for _, other in found)
        counts["lines"] += 1
        counts["lines near"] += near
        counts["lines same"] += "".join(text.split()) in same
        if verbose and not near:
            print("   ", page, text[:60], [round(edge) for edge in box])
    if verbose:
        print("    doubts", doubts, "wrong and sure", [figure for figure in wrong if figure not in told])
        print("    words", list((theirs - ours).elements())[:12], list((ours - theirs).elements())[:12])
    return counts


def main() -> None:
    """Measure, and print one line a document and the totals."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--folder", type=Path, required=True)
    asked.add_argument("--pages", type=int, default=54)
    asked.add_argument("--dots", type=int, default=300)
    asked.add_argument("--skew", type=float, default=0.0)
    asked.add_argument("--language", default="eng")
    asked.add_argument("--only", default="", metavar="NAME", help="documents with this in their names")
    asked.add_argument("--verbose", action="store_true")
    given = asked.parse_args()
    total: Counter[str] = Counter()
    seconds = 0.0
    for name, data in sample(given.folder, given.pages, given.only, random.Random(7)):
        try:
            digital = read_pdf(data, name, ReadOptions(ocr=Ocr("never")))
            picture = scanned(data, given.dots, skew=given.skew)
            started = perf_counter()
            recognised = read_pdf(picture, name, ReadOptions(ocr=Ocr("auto", given.language)))
        except DocumentError as error:
            print(f"{name[:40]:40} left out: {error}")
            continue
        seconds += perf_counter() - started
        counts: Counter[str] = Counter()
        for page in digital.pages:
            counts += compared(recognised, digital, page.number, verbose=given.verbose)
        total += counts
        print(f"{name[:40]:40} {told_of(counts)}", flush=True)
    print(f"{'all':40} {told_of(total)}, {seconds / max(total['pages'], 1):.2f} s a page")


def told_of(counts: Counter[str]) -> str:
    """The shares."""

    def share(part: str, whole: str) -> str:
        return f"{counts[part] / counts[whole]:.4f}" if counts[whole] else "-"

    return (
        f"{counts['pages']} pages, words {share('right', 'words')}, figures {share('figures right', 'figures')} of "
        f"{counts['figures']} (wrong and sure {counts['figures wrong and sure']}, doubtful {counts['doubts']}), "
        f"lines near {share('lines near', 'lines')}, same text {share('lines same', 'lines')} of {counts['lines']}"
    )


if __name__ == "__main__":
    main()
