"""Footnotes and captions: blocks of their own, whole over the end of a page, and in nobody's sentence."""

from __future__ import annotations

from pdf_making import HEIGHT, Draw, both, pdf, read, write
from reportlab.pdfgen.canvas import Canvas

from spanwise.domain.document import Document

OPENING = [
    "The harbour board met on 4 May and heard the report of its",
    "treasurer, who had been ill. The board thanked her for it.",
]
BROKEN = ["The dredging of the inner basin was put off again, because the"]
REST = [
    "contractor had lost both of his barges in the storm of March.",
    "It is to begin in the autumn of the same year, if funds allow.",
]


def notes(*lines: str, top: float = 700) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 7)
        for number, line in enumerate(lines):
            canvas.drawString(72, HEIGHT - top - 9 * number, line)

    return draw


def blocks(document: Document) -> list[str]:
    found: dict[int, list[str]] = {}
    for line in document.lines:
        found.setdefault(line.block, []).append(line.text)
    return [" ".join(lines) for lines in found.values()]


def test_a_paragraph_goes_on_behind_the_footnotes_of_its_page() -> None:
    first = both(
        write([*OPENING, "", *BROKEN]), notes("1 Minutes of the board, page 3.", "2 Now called the North Basin.")
    )
    assert blocks(read(pdf(first, write(REST)))) == [
        " ".join(OPENING),
        "1 Minutes of the board, page 3.",
        "2 Now called the North Basin.",
        " ".join(BROKEN + REST),
    ]


def test_a_footnote_goes_on_over_the_end_of_a_page() -> None:
    first = both(
        write(OPENING), notes("1 Minutes of the board, page 3.", "2 The treasurer had written to the board that")
    )
    second = both(write(REST), notes("some barges would be needed, and a tug.", "3 Of 2019.", top=710))
    document = read(pdf(first, second))
    assert blocks(document)[1:] == [
        "1 Minutes of the board, page 3.",
        "2 The treasurer had written to the board that some barges would be needed, and a tug.",
        " ".join(REST),
        "3 Of 2019.",
    ]
    assert [line.page for line in document.lines] == [1] * 4 + [2] * 4


def test_a_figure_that_begins_a_line_of_a_footnote_is_no_mark() -> None:
    found = ["1 The treasurer had written to the board that she needed", "12 barges, and a tug.", "2 Of 2019."]
    document = read(pdf(both(write(OPENING), notes(*found))))
    assert blocks(document)[1:] == [" ".join(found[:2]), found[2]]


def test_a_caption_is_a_block_of_its_own() -> None:
    lines = [*OPENING, "Table 2. Barges by year of building", "", "The board may hire barges."]
    assert blocks(read(pdf(write(lines)))) == [" ".join(OPENING), *lines[2:3], lines[4]]
