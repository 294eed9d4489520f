"""`find_tables` over pages drawn for the purpose: cells, heads over columns, wrapped labels, units, several pages."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest
from pdf_making import HEIGHT, Draw, both, pdf, read, write
from reportlab.pdfgen.canvas import Canvas

import spanwise
from spanwise.readers.reading import read as read_file
from spanwise.text.tables.table_reading import read_tables

RIGHT = (300, 380, 460, 540)
"""Right edges of the columns of figures."""


def ledger(rows: Sequence[Sequence[str]], top: float, centred: Sequence[tuple[str, float]] = ()) -> Draw:
    """Rows of a label and figures that end at `RIGHT`, the currency at the left of its column, under centred heads."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for text, middle in centred:
            canvas.drawCentredString(middle, HEIGHT - top + 16, text)
        for at, (label, *figures) in enumerate(rows):
            y = HEIGHT - top - 14 * at
            canvas.drawString(60, y, label)
            for right, figure in zip(RIGHT, figures, strict=False):
                if figure.startswith("$"):
                    canvas.drawString(right - 50, y, "$")
                canvas.drawRightString(right, y, figure.removeprefix("$"))

    return draw


STATEMENT = (
    ("", "2031", "2030", "2031", "2030"),
    ("Harbour dues", "$1,204", "$1,190", "$402", "$388"),
    ("Mooring", "310", "-", "98", "(12)"),
    ("Costs:",),
    ("Repairs of piers and",),
    ("landing stages", "(77)", "(81)", "(20)", "(19)"),
    ("", "1,437", "1,109", "480", "357"),
)


def test_cells_heads_units_and_groups_of_a_statement() -> None:
    page = both(
        write(["The quay earned as follows (in thousands):"], x=60, top=80),
        ledger(STATEMENT, 140, (("Whole year", 315), ("Last quarter", 475))),
        write(["Nothing else was earned in either of these years, nor is anything else expected."], x=60, top=260),
    )
    [table] = spanwise.find_tables(read(pdf(page)))
    assert table.columns == ("", "Whole year 2031", "Whole year 2030", "Last quarter 2031", "Last quarter 2030")
    assert table.texts() == [
        ["Harbour dues", "$ 1,204", "$ 1,190", "$ 402", "$ 388"],
        ["Mooring", "310", "-", "98", "(12)"],
        ["Repairs of piers and landing stages", "(77)", "(81)", "(20)", "(19)"],
        ["", "1,437", "1,109", "480", "357"],
    ]
    assert [row.groups for row in table.rows] == [(), (), ("Costs:",), ("Costs:",)]
    dues = table.rows[0].cell(3)
    assert dues is not None
    assert (dues.value, dues.unit, dues.magnitude, dues.period) == (Decimal(402), "USD", "thousand", "2031")
    assert 405 < dues.boxes[0].x0 < 415
    assert 458 < dues.boxes[0].x1 < 462
    assert [(head.text, head.level, head.first, head.last) for head in table.heads if head.level == 0] == [
        ("Whole year", 0, 1, 2),
        ("Last quarter", 0, 3, 4),
    ]
    assert table.rows[2].line_end - table.rows[2].line_start == 1


def test_a_table_that_goes_on_over_the_page_is_one() -> None:
    first = [("", "2031", "2030"), *((f"Berth {at}", str(100 + at), str(90 + at)) for at in range(40))]
    second = [(f"Berth {at}", str(100 + at), str(90 + at)) for at in range(40, 60)]
    [table] = spanwise.find_tables(read(pdf(ledger(first, 120), ledger(second, 60))))
    assert table.pages == (1, 2)
    assert [row.label for row in table.rows] == [f"Berth {at}" for at in range(60)]
    assert {cell.period for row in table.rows for cell in row.cells if cell.column == 2} == {"2030"}


def test_figures_drawn_in_one_piece_and_in_brackets_are_cells() -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, first, second) in enumerate(
            (("Dues", "", ""), ("Fees", "310", "77"), ("Costs", "(8)", "(95)"))
        ):
            canvas.drawString(60, 600 - 14 * at, label)
            canvas.drawRightString(370, 600 - 14 * at, first)
            canvas.drawRightString(450, 600 - 14 * at, second)
        canvas.drawString(331, 600, "$ 1,944" + 19 * " " + "$ 4,273")
        canvas.drawRightString(370, 558, "(54)")
        canvas.drawRightString(450, 558, "507")

    [table] = spanwise.find_tables(read(pdf(draw)))
    assert table.texts() == [
        ["Dues", "$ 1,944", "$ 4,273"],
        ["Fees", "310", "77"],
        ["Costs", "(8)", "(95)"],
        ["", "(54)", "507"],
    ]


@pytest.mark.parametrize("heads", [("Parameter", "Default", ""), ("Parameter", "", "Most"), ("", "Default", "Most")])
def test_a_look_up_where_a_head_is_missing_is_answered_with_the_cell_below_the_one_that_is_asked(
    heads: tuple[str, str, str],
) -> None:
    rows = (("", *heads[1:]), ("Timeout", "30", "60"), ("Retries", "3", "9"), ("Queue depth", "16", "128"))
    relay = both(write(["Settings of the relay"], x=60, top=100), ledger(rows, 140), write(heads[:1], x=60, top=140))
    document = read(pdf(relay))
    for at, head in enumerate(heads[1:], start=1):
        if head:
            assert spanwise.ask(f"What is the {head.lower()} timeout?", document).text == rows[1][at]


def test_a_head_over_two_columns_is_the_head_of_both_in_answers_too() -> None:
    rows = (("", "Oak", "Ash", "Elm", "Yew"), ("Flow", "12", "18", "9", "14"), ("Speed", "31", "41", "68", "85"))
    page = both(
        write(["Pumps of the mill"], x=60, top=80), ledger(rows, 140, (("Standard", 330), ("High pressure", 490)))
    )
    [grid] = read_tables("pump.pdf", read(pdf(page)).lines)
    assert grid.heads == ("Standard Oak", "Standard Ash", "High pressure Elm", "High pressure Yew")


def test_prose_lists_and_two_columns_hold_no_table() -> None:
    prose = [
        "The harbour was dredged in 2030 and again in 2031, at a cost of $1,204 and",
        "$310, of which 77 was paid.",
    ]
    columns = [f"Words that run on in line {at} of one column" for at in range(12)]
    data = pdf(write(prose), both(write(columns, x=60), write(columns, x=330)))
    assert spanwise.find_tables(read(data)) == []


def test_tables_of_other_formats_and_through_the_reading_process() -> None:
    [table] = spanwise.find_tables(read_file(b"Berth,Dues (EUR)\nNorth,1200\nSouth,950\n", name="dues.csv"))
    assert table.columns == ("Berth", "Dues (EUR)")
    assert [(cell.text, cell.value, cell.unit) for cell in table.rows[1].cells] == [
        ("South", None, ""),
        ("950", Decimal(950), "EUR"),
    ]
    data = pdf(ledger(STATEMENT, 140))
    [here] = spanwise.find_tables(read(data))
    assert spanwise.find_tables(read_file(data, name="test.pdf")) == [here]


WORDS = (
    ("Rule", "What it says", "Who sees to it"),
    ("Night berths", "No boat stays at the inner quay\nafter ten in the evening.", "The harbour\nmaster"),
    ("Fuel", "Tanks are filled at the\npump of the outer quay only.", "Crews"),
    (
        "Waste and\nbilge water",
        "Both are landed, and neither\nis let go in the basin.",
        "Crews, under\nthe eyes of a pilot",
    ),
)


def cells(rows: Sequence[Sequence[str]], space: float, *, ruled: bool) -> Draw:
    """Rows of cells of one or several lines, `space` points between them."""
    lefts = 60, 160, 330, 450

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        y = HEIGHT - 100.0
        levels = [y]
        for row in rows:
            for x, cell in zip(lefts, row, strict=False):
                for at, line in enumerate(cell.split("\n")):
                    canvas.drawString(x + 4, y - 9 - 10.8 * at, line)
            y -= 10.8 * max(cell.count("\n") + 1 for cell in row) + space
            levels.append(y)
        for at in levels if ruled else ():
            canvas.line(lefts[0], at, lefts[-1], at)
        for x in lefts if ruled else ():
            canvas.line(x, levels[0], x, levels[-1])

    return draw


@pytest.mark.parametrize(("space", "ruled"), [(8.0, False), (4.0, True), (1.0, True)])
def test_cells_of_words_over_several_lines_are_rows_whether_rules_or_space_part_them(
    space: float, *, ruled: bool
) -> None:
    [table] = spanwise.find_tables(read(pdf(cells(WORDS, space, ruled=ruled))))
    said = [[cell.replace("\n", " ") for cell in row] for row in WORDS]
    assert [list(table.columns), *table.texts()] == said
    assert [len(cell.boxes) for cell in table.rows[2].cells] == [2, 2, 2]


def test_a_description_in_two_lines_is_one_cell_of_its_row_of_figures() -> None:
    rows = (
        ("Article", "Description", "Price"),
        ("Fender", "A fender of the best rubber\nfor the side of a boat", "12.50"),
        ("Line", "A line of hemp", "7.00"),
        ("Anchor", "An anchor with four arms\nand a ring", "31.00"),
    )
    [table] = spanwise.find_tables(read(pdf(cells(rows, 6.0, ruled=False))))
    assert [list(table.columns), *table.texts()] == [[cell.replace("\n", " ") for cell in row] for row in rows]


def test_narrow_columns_of_figures_are_cells_and_their_heads_are_parted() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for at, row in enumerate(
            (("", "Jan.", "Feb.", "Mar."), ("Quay", "812", "640", "377"), ("Pier", "95", "101", "8"))
        ):
            canvas.drawString(60, 700 - 14 * at, row[0])
            for right, cell in zip((140, 164, 188), row[1:], strict=True):
                canvas.drawRightString(right, 700 - 14 * at, cell)

    document = read(pdf(draw))
    assert [line.text for line in document.lines][1:] == ["Quay  812  640  377", "Pier  95  101  8"]
    [table] = spanwise.find_tables(document)
    assert table.columns == ("", "Jan.", "Feb.", "Mar.")


def test_a_gap_behind_many_narrow_letters_parts_two_cells() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for at, (left, right) in enumerate((("little tilting ferries all in a file", "Those"), ("Nine", "These"))):
            canvas.drawString(60, 700 - 14 * at, left)
            canvas.drawString(200, 700 - 14 * at, right)

    assert next(line.text for line in read(pdf(draw)).lines) == "little tilting ferries all in a file  Those"


def test_tables_on_two_pages_with_the_same_heads_are_one_only_where_nothing_stands_between_them() -> None:
    heads = ("", "2031", "2030")
    first = [heads, *((f"Berth {at}", str(100 + at), str(90 + at)) for at in range(20))]
    second = [heads, *((f"Pier {at}", str(300 + at), str(90 + at)) for at in range(5))]
    assert [table.pages for table in spanwise.find_tables(read(pdf(ledger(first, 120), ledger(second, 60))))] == [
        (1, 2)
    ]
    closing = both(
        ledger(first, 120), write(["Berths are let by the year, and the council sets the dues."], x=60, top=450)
    )
    assert [table.pages for table in spanwise.find_tables(read(pdf(closing, ledger(second, 60))))] == [(1,), (2,)]


def test_a_row_that_is_drawn_in_one_piece_is_cut_into_cells_and_typewriting_is_not() -> None:
    def draw(canvas: Canvas) -> None:
        for at, (row, gap) in enumerate(((("Oslo", "12", "9.5"), 40), (("Bergen", "7", "3.1"), 30))):
            text = canvas.beginText(60, 700 - 14 * at)
            text.setFont("Helvetica", 9)
            text.setWordSpace(gap)
            text.textOut(" ".join(row))
            canvas.drawText(text)
        canvas.setFont("Courier", 9)
        canvas.drawString(60, 600, "The  quay  is  let  by  the  year")

    assert [line.text for line in read(pdf(draw)).lines] == [
        "Oslo  12  9.5",
        "Bergen  7  3.1",
        "The quay is let by the year",
    ]


def test_rows_of_names_in_small_letters_are_rows_of_their_own() -> None:
    rows = ["Pin,Kind,Purpose", "spi_sdo,digital out,serial output", "vddio_supply,power,pad frame", "vssd,ground,core"]
    drawn = [
        write([cell], x=x, top=100 + 21 * at)
        for at, row in enumerate(rows)
        for x, cell in zip((60, 140, 240), row.split(","), strict=True)
    ]
    [table] = spanwise.find_tables(read(pdf(both(*drawn))))
    assert table.texts()[-3:] == [row.split(",") for row in rows[1:]]


def test_the_last_row_without_a_figure_and_the_end_of_its_label_belong_to_the_table() -> None:
    rows = [
        ("Receipt Point", "Meter", "Place"),
        ("Northern Camp", "10012", "Lincoln"),
        ("Cardinal Storage of Arcadia", "TBD", "Lincoln"),
    ]
    drawn = [
        write([cell], x=x, top=100 + 11 * at)
        for at, row in enumerate(rows)
        for x, cell in zip((60, 300, 400), row, strict=True)
    ]
    page = both(*drawn, write(["The meters are read every week of the year, by whoever is there."], x=60, top=200))
    [table] = spanwise.find_tables(read(pdf(page)))
    assert [row[1] for row in table.texts()] == ["10012", "TBD"]
