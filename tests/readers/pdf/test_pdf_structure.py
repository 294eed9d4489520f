from __future__ import annotations

import pytest
from pdf_making import PROSE, Draw, both, pdf, read, texts, write
from reportlab.pdfgen.canvas import Canvas


def heading(text: str, top: float, size: float = 14, font: str = "Helvetica-Bold", x: float = 72) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        canvas.drawString(x, 792 - top, text)

    return draw


def titles(*pages: Draw) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in read(pdf(*pages)).sections]


def outlined(canvas: Canvas) -> None:
    canvas.bookmarkPage("a", fit="XYZ", top=792 - 85)
    canvas.addOutlineEntry("Scope", "a", 0)
    canvas.bookmarkPage("b", fit="XYZ", top=792 - 205)
    canvas.addOutlineEntry("Delivery of Goods", "b", 1)


def test_the_outline_gives_the_sections() -> None:
    first = both(
        outlined, heading("1. Scope", 90), write(PROSE), heading("1.1 Delivery of Goods", 210), write(PROSE, top=230)
    )

    def second(canvas: Canvas) -> None:
        canvas.bookmarkPage("c", fit="XYZ", top=792 - 85)
        canvas.addOutlineEntry("Price", "c", 0)
        both(heading("2. Price", 90), write(PROSE))(canvas)

    document = read(pdf(first, second))
    assert document.toc_table() == [
        {"level": 1, "title": "Scope", "start_page": 1, "section_end_page": 1, "first_line": 1, "last_line": 14},
        {
            "level": 2,
            "title": "Delivery of Goods",
            "start_page": 1,
            "section_end_page": 1,
            "first_line": 8,
            "last_line": 14,
        },
        {"level": 1, "title": "Price", "start_page": 2, "section_end_page": 2, "first_line": 15, "last_line": 21},
    ]
    assert [line.text for line in document.lines if line.role == "heading"] == [
        "1. Scope",
        "1.1 Delivery of Goods",
        "2. Price",
    ]


def test_a_document_without_headings_has_no_sections() -> None:
    assert titles(write(PROSE)) == []


def test_numbers_give_the_levels() -> None:
    page = both(
        heading("1. Supply", 60),
        write(PROSE[:2], top=80),
        heading("1.1 Orders", 120, size=11),
        write(PROSE[:2], top=140),
        heading("1.2 Carriage", 180, size=11),
        write(PROSE[:2], top=200),
        heading("2. Price", 240),
        write(PROSE[:2], top=260),
    )
    assert titles(page) == [(1, "1. Supply"), (2, "1.1 Orders"), (2, "1.2 Carriage"), (1, "2. Price")]


@pytest.mark.parametrize("text", ["ARTICLE IV", "Item 7A. Market Risk", "Section 3. Payment", "APPENDIX B", "Part II"])
def test_named_headings_are_found(text: str) -> None:
    assert titles(both(write(PROSE), heading(text, 210, size=10), write(PROSE, top=235))) == [(1, text)]


def test_a_title_under_its_number_belongs_to_it() -> None:
    page = both(
        heading("ARTICLE IV", 60, size=10), heading("PAYMENT TERMS", 74, size=10), write(PROSE), write(PROSE, top=200)
    )
    assert titles(page) == [(1, "ARTICLE IV PAYMENT TERMS")]


def test_larger_print_makes_a_heading_and_smaller_bold_one_goes_below() -> None:
    page = both(
        heading("Risks of the Business", 60, size=16),
        write(PROSE[:3], top=85),
        heading("Currency", 150, size=10),
        write(PROSE[:3], top=170),
    )
    assert titles(page) == [(1, "Risks of the Business"), (2, "Currency")]


def test_a_run_in_heading_starts_a_section_and_stays_text() -> None:
    lines = ["5. Term. The term of this agreement is two years from the day on", *PROSE[:3]]
    after = ["6. Notices. All notices are given in writing to the address that is", *PROSE[3:]]
    document = read(pdf(both(write(lines), write(after, top=180))))
    assert [section.title for section in document.sections] == ["5. Term", "6. Notices"]
    assert all(line.role == "text" for line in document.lines)


@pytest.mark.parametrize(
    "line",
    [
        "Section 3.2 of this agreement is not touched by what is said in this paragraph, and",
        "(a) the goods that have been delivered and accepted;",
        "1. the buyer pays the price within thirty days after the invoice;",
        "2,450 of the shares were sold.",
    ],
)
def test_sentences_and_list_items_are_no_headings(line: str) -> None:
    assert titles(both(write(PROSE), write([line], top=210), write(PROSE, top=240))) == []


def test_a_printed_table_of_contents_makes_no_sections() -> None:
    entries = [("Item 1.", "Business", "3"), ("Item 1A.", "Risk Factors", "9"), ("Item 2.", "Properties", "17")]

    def contents(canvas: Canvas) -> None:
        for row, cells in enumerate([*entries, ("Item 3.", "Legal Proceedings", "18")]):
            for x, cell in zip((72, 130, 520), cells, strict=True):
                canvas.drawString(x, 700 - 16 * row, cell)

    assert titles(contents, both(heading("Item 1. Business", 90, size=10), write(PROSE, top=110))) == [
        (1, "Item 1. Business")
    ]


def test_dot_leaders_make_no_sections() -> None:
    lines = [f"{number}. Title Number {number} {'.' * 60} {number * 4}" for number in range(1, 6)]
    assert titles(write(lines, font="Helvetica-Bold"), write(PROSE)) == []


def test_rows_between_rows_are_no_headings() -> None:
    def table(canvas: Canvas) -> None:
        for row in range(10):
            if row == 5:
                canvas.setFont("Helvetica-Bold", 10)
                canvas.drawString(72, 600 - 14 * row, "Long-term Assets")
                canvas.setFont("Helvetica", 10)
                continue
            canvas.drawString(72, 600 - 14 * row, f"Asset number {row}")
            canvas.drawString(400, 600 - 14 * row, f"{row * 311}")

    assert titles(both(write(PROSE), table)) == []


def test_bold_cells_of_a_table_of_descriptions_are_no_headings() -> None:
    def table(canvas: Canvas) -> None:
        for row in range(4):
            heading(f"Product Group {row}", 106 + 42 * row, size=10)(canvas)
            described = [
                f"What group {row} holds is told here",
                "and goes on in the second line",
                "and in the third one.",
            ]
            write(described, x=250, top=100 + 42 * row, step=12)(canvas)

    assert titles(table) == []


def blocks(*draws: Draw) -> list[int]:
    return [line.block for line in read(pdf(both(*draws))).lines]


def test_a_gap_parts_paragraphs() -> None:
    assert blocks(write(PROSE[:3]), write(PROSE[3:], top=160)) == [1, 1, 1, 2, 2, 2]


def test_an_indent_after_a_full_stop_parts_paragraphs() -> None:
    first = ["The whole of the price is due when the goods have been unloaded at noon."]
    assert blocks(write([*PROSE[:3], *first]), write(PROSE[4:5], x=90, top=156)) == [1, 1, 1, 1, 2]


def test_every_list_item_and_row_is_its_own_block() -> None:
    items = ["(a) the goods that were sold;", "(b) the papers that belong to them;", "(c) all else."]
    assert blocks(write(items)) == [1, 2, 3]


def test_the_second_line_of_an_item_belongs_to_it() -> None:
    document = read(
        pdf(both(write(["(a) the goods that were sold and that have been"]), write(["paid;"], x=90, top=114)))
    )
    assert [(line.role, line.block) for line in document.lines] == [("list_item", 1), ("list_item", 1)]


def test_a_sentence_that_goes_on_over_the_page_keeps_its_block() -> None:
    document = read(pdf(write(PROSE[:1]), write(PROSE[1:2])))
    assert [line.block for line in document.lines] == [1, 1]


def test_a_sentence_that_ends_with_the_page_ends_its_block() -> None:
    document = read(pdf(write(PROSE[1:2]), write(PROSE[2:3])))
    assert [line.block for line in document.lines] == [1, 2]
    assert texts(document) == [PROSE[1], PROSE[2]]
