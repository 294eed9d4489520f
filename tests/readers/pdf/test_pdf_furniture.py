from __future__ import annotations

import pytest
from pdf_making import PROSE, Draw, both, changed, pdf, read, texts, write
from reportlab.pdfgen.canvas import Canvas


def header(text: str) -> Draw:
    return write([text], top=40)


def footer(text: str) -> Draw:
    return write([text], x=300, top=750)


def page(number: int, *more: Draw) -> Draw:
    return both(write([f"{line} ({number})" for line in PROSE]), *more)


def kinds(data: bytes) -> set[tuple[str, str]]:
    return {(found.kind, found.text) for found in read(data).furniture}


def test_headers_and_page_numbers_are_no_lines() -> None:
    data = pdf(*[page(n, header("Supply Agreement"), footer(str(n))) for n in range(1, 5)])
    document = read(data)
    assert len(document.lines) == 4 * len(PROSE)
    assert {(f.kind, f.text) for f in document.furniture if f.page == 3} == {
        ("header", "Supply Agreement"),
        ("page_number", "3"),
    }


@pytest.mark.parametrize("pattern", ["{}", "Page {}", "Page {} of 4", "- {} -", "F-{}"])
def test_page_numbers_are_recognised_however_written(pattern: str) -> None:
    found = kinds(pdf(*[page(n, footer(pattern.format(n))) for n in range(1, 5)]))
    assert found == {("page_number", pattern.format(n)) for n in range(1, 5)}


def test_roman_page_numbers_become_labels() -> None:
    document = read(pdf(*[page(n, footer(label)) for n, label in enumerate(["i", "ii", "iii", "iv"], start=1)]))
    assert [page.label for page in document.pages] == ["i", "ii", "iii", "iv"]


def test_printed_numbers_become_labels() -> None:
    document = read(pdf(*[page(n, footer(f"Annual Report | {n + 40}")) for n in range(1, 5)]))
    assert [page.label for page in document.pages] == ["41", "42", "43", "44"]


def test_labels_of_the_file_come_first() -> None:
    def label(opened: object) -> None:
        from pikepdf import Array, Dictionary, Name

        ranges = Array([0, Dictionary(S=Name.r), 2, Dictionary(S=Name.D, P="A-")])
        opened.Root.PageLabels = Dictionary(Nums=ranges)  # type: ignore[attr-defined]

    document = read(changed(pdf(*[page(n) for n in range(1, 5)]), label))
    assert [page.label for page in document.pages] == ["i", "ii", "A-1", "A-2"]


def test_without_any_number_the_label_is_the_position() -> None:
    assert [page.label for page in read(pdf(page(1), page(2))).pages] == ["1", "2"]


def test_odd_and_even_headers_are_both_recognised() -> None:
    names = ["The Agreement", "The Parties"] * 4
    assert kinds(pdf(*[page(n, header(name)) for n, name in enumerate(names)])) == {
        ("header", "The Agreement"),
        ("header", "The Parties"),
    }


def test_evenly_spaced_lines_that_count_lose_nothing() -> None:
    pages = [[f"Page {number} line {line}" for line in range(1, 46)] for number in range(1, 6)]
    document = read(pdf(*[write(lines, top=50) for lines in pages]))
    assert texts(document) == [line for lines in pages for line in lines]
    assert document.furniture == ()


def test_a_line_that_repeats_on_two_pages_only_stays() -> None:
    document = read(pdf(page(1, header("Draft")), page(2, header("Draft")), page(3), page(4)))
    assert texts(document).count("Draft") == 2


def test_the_head_of_a_table_that_goes_on_stays() -> None:
    def table(number: int) -> Draw:
        def draw(canvas: Canvas) -> None:
            for x, head in zip((72, 250, 400), ("Item", "Amount", "Due"), strict=True):
                canvas.drawString(x, 700, head)
            for row in range(30):
                for x, cell in zip((72, 250, 400), (f"Thing {number}-{row}", f"{row * 37}", "May"), strict=True):
                    canvas.drawString(x, 675 - 14 * row, cell)

        return draw

    document = read(pdf(*[table(number) for number in range(5)]))
    assert texts(document).count("Item  Amount  Due") == 5


def test_a_repeated_sentence_within_the_text_stays() -> None:
    lines = ["As agreed above.", *PROSE]
    document = read(pdf(*[write([*lines[:1], *[f"{line} {n}" for line in lines[1:]]]) for n in range(4)]))
    assert texts(document).count("As agreed above.") == 4


def test_numbers_that_do_not_count_the_pages_stay() -> None:
    document = read(pdf(*[page(n, footer(str(value))) for n, value in enumerate([17, 3, 250, 8])]))
    assert {"17", "3", "250", "8"} <= set(texts(document))
