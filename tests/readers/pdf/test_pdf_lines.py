from __future__ import annotations

from collections.abc import Sequence

import pytest
from pdf_making import HEIGHT, PROSE, Draw, both, changed, pdf, read, texts, write
from reportlab.pdfgen.canvas import Canvas

LEFT = ["The first column begins here", "and goes on in this line and", "then comes to its very end"]
RIGHT = ["The second column starts at", "the top of the page again and", "closes the whole of the text"]


def test_lines_are_numbered_over_the_whole_document() -> None:
    document = read(pdf(write(PROSE[:2]), write(PROSE[2:4])))
    assert [(line.number, line.page, line.line_in_page) for line in document.lines] == [
        (1, 1, 1),
        (2, 1, 2),
        (3, 2, 1),
        (4, 2, 2),
    ]
    assert texts(document) == list(PROSE[:4])


def test_a_box_is_measured_from_the_top_left() -> None:
    box = read(pdf(write(["Here it stands"], x=72, top=100))).lines[0].box
    assert box is not None
    assert box.x0 == pytest.approx(72, abs=1)
    assert box.y0 < 100 < box.y1
    assert box.y1 - box.y0 < 16


def test_two_columns_are_read_one_after_the_other() -> None:
    document = read(pdf(both(write(LEFT, x=72), write(RIGHT, x=330))))
    assert texts(document) == LEFT + RIGHT


def test_columns_with_shifted_lines_are_read_one_after_the_other() -> None:
    document = read(pdf(both(write(LEFT, x=72), write(RIGHT, x=330, top=107))))
    assert texts(document) == LEFT + RIGHT


@pytest.mark.parametrize("by_row", [True, False])
def test_three_columns_are_read_one_after_the_other_however_they_are_drawn(by_row: bool) -> None:
    third = ["A third column of the page is", "set beside the other two and", "ends where they end as well"]
    columns = LEFT, RIGHT, third
    places = [
        (x, row, text) for x, column in zip((54, 220, 386), columns, strict=True) for row, text in enumerate(column)
    ]

    def draw(canvas: Canvas) -> None:
        for x, row, text in sorted(places, key=lambda place: place[1]) if by_row else places:
            canvas.drawString(x, HEIGHT - 100 - 14 * row, text)

    assert texts(read(pdf(draw))) == [*LEFT, *RIGHT, *third]


@pytest.mark.parametrize(("gap", "line"), [(1.5, "emergency medical"), (0.3, "emergencymedical")])
def test_a_space_that_only_the_page_shows_parts_two_words(gap: float, line: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 700, "emergency")
        canvas.drawString(72 + canvas.stringWidth("emergency") + gap, 700, "medical")

    assert texts(read(pdf(draw))) == [line]


def test_a_title_over_two_columns_comes_first() -> None:
    title = "A long title that stands over both of the columns of this page and is wide"
    document = read(pdf(both(write([title], top=70), write(LEFT, x=72), write(RIGHT, x=330))))
    assert texts(document) == [title, *LEFT, *RIGHT]


def test_columns_above_and_below_a_table_over_both_are_read_one_after_the_other() -> None:
    cells = [("Depot", "Gas", "Power", "Staff"), ("Hollis", "220", "583", "11"), ("Quarry", "0", "129", "4")]

    def table(canvas: Canvas) -> None:
        for row, texts_of_row in enumerate(cells):
            for x, cell in zip((72, 200, 340, 460), texts_of_row, strict=True):
                canvas.drawString(x, HEIGHT - 170 - 14 * row, cell)

    halves = [both(write(LEFT, x=72, top=top), write(RIGHT, x=330, top=top)) for top in (100, 240)]
    document = read(pdf(both(halves[0], table, halves[1])))
    assert texts(document) == [*LEFT, *RIGHT, *map("  ".join, cells), *LEFT, *RIGHT]


def test_a_cell_that_hangs_half_a_line_lower_than_the_rest_of_its_row_is_part_of_it() -> None:
    rows = [("Part 3.1", "Ropes and their care", "12"), ("Part 3.2", "Sails", "15"), ("Part 3.3", "Paint", "18")]

    def draw(canvas: Canvas) -> None:
        for row, cells in enumerate(rows):
            for x, cell in zip((72, 160, 500), cells, strict=True):
                canvas.drawString(x, HEIGHT - 100 - 20 * row - (6.2 if x == 72 else 0), cell)

    assert texts(read(pdf(draw))) == ["  ".join(row) for row in rows]


@pytest.mark.parametrize("left_first", [True, False])
def test_short_points_in_two_columns_are_read_one_column_after_the_other(left_first: bool) -> None:
    columns = ["Two cranes", "Nine berths", "A slipway", "Free water"], ["Fuel", "Showers", "A crew room", "Ice"]
    left, right = ([f"\u2022 {point}" for point in column] for column in columns)
    drawn = [write(left, x=72), write(right, x=330, top=103)]
    assert texts(read(pdf(both(*(drawn if left_first else reversed(drawn)))))) == [*left, *right]


def test_tables_side_by_side_are_read_one_after_the_other_where_the_file_writes_them_so() -> None:
    rows = [
        [(f"{name} dues", figure) for name, figure in zip("Deck Hull Mast Keel".split(), figures, strict=True)]
        for figures in (("110", "25", "7", "1,340"), ("90", "18", "6", "1,205"))
    ]

    def draw(canvas: Canvas) -> None:
        for x, table in zip((72, 330), rows, strict=True):
            for row, (label, figure) in enumerate(table):
                canvas.drawString(x, HEIGHT - 100 - 14 * row, label)
                canvas.drawRightString(x + 180, HEIGHT - 100 - 14 * row, figure)

    assert texts(read(pdf(draw))) == ["  ".join(row) for table in rows for row in table]


def test_a_chart_in_one_column_leaves_the_other_one_whole() -> None:
    column = [
        f"{'The yard keeps its own boats' if row % 2 else 'and lends them to all who ask'} {row}" for row in range(24)
    ]
    chart = [
        (x, row, f"{number}")
        for row in range(10)
        for x, number in ((330, 90 - 10 * row), (420, 7 * row), (520, 3 * row))
    ]

    def draw(canvas: Canvas) -> None:
        for row, text in enumerate(column):
            canvas.drawString(72, HEIGHT - 100 - 14 * row, text)
        for x, row, text in chart:
            canvas.drawString(x, HEIGHT - 100 - 14 * row, text)
        for row, text in enumerate(column[:14], 10):
            canvas.drawString(330, HEIGHT - 100 - 14 * row, text)

    lines = texts(read(pdf(draw)))
    assert lines[:24] == column
    assert lines[-14:] == column[:14]


def test_a_table_row_is_one_line() -> None:
    def table(canvas: Canvas) -> None:
        for row, cells in enumerate([("Cash and deposits", "1,250", "980"), ("Inventories", "310", "(295)")]):
            for x, cell in zip((72, 300, 400), cells, strict=True):
                canvas.drawString(x, HEIGHT - 100 - 14 * row, cell)

    document = read(pdf(table))
    assert texts(document) == ["Cash and deposits  1,250  980", "Inventories  310  (295)"]
    assert [line.role for line in document.lines] == ["table_row", "table_row"]


def test_a_table_drawn_column_by_column_is_still_read_row_by_row() -> None:
    labels, figures = ["Cash", "Land", "Loans", "Total"], ["1,250", "310", "95", "1,655"]
    document = read(pdf(both(write(labels, x=72), write(figures, x=300))))
    assert texts(document) == ["Cash  1,250", "Land  310", "Loans  95", "Total  1,655"]


def test_cells_of_several_lines_are_read_cell_by_cell() -> None:
    def draw(canvas: Canvas) -> None:
        for row in range(3):
            write([f"Name of measure {row} is given", "in these two left lines"], x=72, top=100 + 40 * row)(canvas)
            write([f"What measure {row} does is told", "in two lines on the right"], x=330, top=100 + 40 * row)(canvas)

    lines = texts(read(pdf(draw)))
    assert lines[:4] == [
        "Name of measure 0 is given",
        "in these two left lines",
        "What measure 0 does is told",
        "in two lines on the right",
    ]


def test_a_currency_sign_stays_with_its_amount() -> None:
    document = read(pdf(both(write(["Rent"], x=72), write(["$"], x=290), write(["1,200"], x=330))))
    assert texts(document) == ["Rent  $ 1,200"]


def test_a_hyphenated_end_is_kept_and_ends_its_line() -> None:
    document = read(pdf(write(["The parties agree on co-", "operation in all of these matters."])))
    assert texts(document) == ["The parties agree on co-", "operation in all of these matters."]


def test_a_bullet_stands_on_the_line_of_its_text() -> None:
    document = read(pdf(both(write(["•"], x=72), write(["first of all the things"], x=95))))
    assert texts(document) == ["• first of all the things"]
    assert document.lines[0].role == "list_item"


@pytest.mark.parametrize("label", ["(a)", "(iv)", "1.", "b)"])
def test_a_labelled_line_is_a_list_item(label: str) -> None:
    document = read(pdf(both(write([label], x=72), write(["goods that were sold and delivered;"], x=110))))
    assert texts(document) == [f"{label} goods that were sold and delivered;"]
    assert document.lines[0].role == "list_item"


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(turn: int) -> None:
    plain = pdf(write(PROSE[:3]))
    document = read(changed(plain, lambda opened: opened.pages[0].rotate(turn, relative=False)))
    assert texts(document) == list(PROSE[:3])
    page = document.pages[0]
    assert (page.width, page.height) == ((792, 612) if turn != 180 else (612, 792))
    for line in document.lines:
        assert line.box is not None
        assert 0 <= line.box.x0 < line.box.x1 <= page.width
        assert 0 <= line.box.y0 < line.box.y1 <= page.height


def test_text_that_runs_upwards_is_read_in_its_own_direction() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rotate(90)
        for number, line in enumerate(PROSE[:3]):
            canvas.drawString(100, -100 - 14 * number, line)

    assert texts(read(pdf(draw))) == list(PROSE[:3])


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_columns_of_a_turned_page_are_read_one_after_the_other(turn: int) -> None:
    plain = pdf(both(write(LEFT, x=72), write(RIGHT, x=330)))
    turned = read(changed(plain, lambda opened: opened.pages[0].rotate(turn, relative=False)))
    assert texts(turned) == [*LEFT, *RIGHT]


def test_columns_whose_lines_end_for_want_of_room_are_read_one_after_the_other() -> None:
    left = [f"{'word ' * (3 + at % 3)}unforeseeability" for at in range(6)]
    right = [f"{'here ' * (3 + at % 3)}unforeseeability" for at in range(6)]
    blocks = [
        write(column[at : at + 2], x=x, top=100 + 14 * at)
        for at in (4, 0, 2)
        for x, column in ((72, left), (330, right))
    ]
    assert texts(read(pdf(both(*blocks)))) == [*left, *right]


def test_boxes_count_from_the_corner_of_the_crop_box() -> None:
    def crop(opened: object) -> None:
        opened.pages[0].cropbox = [50, 100, 562, 742]  # type: ignore[attr-defined]

    document = read(changed(pdf(write(["Here it stands"], x=72, top=100)), crop))
    box = document.lines[0].box
    assert box is not None
    assert (document.pages[0].width, document.pages[0].height) == (512, 642)
    assert box.x0 == pytest.approx(22, abs=1)
    assert box.y0 < 50 < box.y1


def test_a_raised_mark_stays_on_its_line() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 600, "a metering capability")
        canvas.setFont("Helvetica", 6)
        canvas.drawString(72 + canvas.stringWidth("a metering capability", "Helvetica", 10), 604, "1")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 586, "at some level of abstraction")

    assert texts(read(pdf(draw))) == ["a metering capability^1", "at some level of abstraction"]


def test_a_line_that_rises_is_one_line() -> None:
    def stamped(canvas: Canvas) -> None:
        for at in range(12):
            canvas.drawString(72, 700 - 14 * at, f"Line {at} of what was let.")
        canvas.translate(300, 600)
        canvas.rotate(20)
        canvas.drawString(0, 0, "Paid on 3 May 2024 in full")

    lines = texts(read(pdf(stamped)))
    assert [line for line in lines if not line.startswith("Line")] == ["Paid on 3 May 2024 in full"]

    def scanned(canvas: Canvas) -> None:
        canvas.rotate(4)
        for at in range(12):
            canvas.drawString(
                72, 650 - 14 * at, f"Line {at} says that the rent of the pier and of the boat is {at} euros a month."
            )

    lines = texts(read(pdf(scanned)))
    assert lines == [
        f"Line {at} says that the rent of the pier and of the boat is {at} euros a month." for at in range(12)
    ]


def test_a_large_initial_begins_the_first_of_the_lines_beside_it() -> None:
    def draw(canvas: Canvas) -> None:
        for at, (initial, first) in enumerate(
            (("T", "he boat is let by the month"), ("A", "boat is let by the month"))
        ):
            canvas.setFont("Helvetica", 36)
            canvas.drawString(72, 660 - 100 * at, initial)
            canvas.setFont("Helvetica", 10)
            for line, text in enumerate((first, "and is paid for on its first day,", "or brought back.")):
                canvas.drawString(98, 682 - 100 * at - 12 * line, text)

    rest = ["and is paid for on its first day,", "or brought back."]
    lines = texts(read(pdf(draw)))
    assert lines == ["The boat is let by the month", *rest, "A boat is let by the month", *rest]


def test_a_raised_number_makes_no_other_figure() -> None:
    def draw(canvas: Canvas) -> None:
        for at, pieces in enumerate((("The fee is $500", "1"), ("About 10", "-3"), ("The 2", "nd"), ("5 km", "2"))):
            written = canvas.beginText(72, 700 - 20 * at)
            for place, piece in enumerate(pieces):
                written.setFont("Helvetica", 6 if place else 10)
                written.setRise(4 if place else 0)
                written.textOut(piece)
            canvas.drawText(written)
        canvas.setFont("Helvetica", 10)
        for at, row in enumerate((("Oak", "100", "120"), ("Elm", "5", "6"))):
            for x, cell in zip((100, 300, 400), row, strict=True):
                canvas.drawRightString(x, 500 - 14 * at, cell)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(300.3, 504, "1")

    lines = texts(read(pdf(draw)))
    assert lines == ["The fee is $500^1", "About 10^-3", "The 2nd", "5 km2", "Oak  100^1  120", "Elm  5  6"]


def test_characters_beyond_the_basic_plane_do_not_shift_the_text() -> None:
    document = read(pdf(write(["Fees are due – at once", "“Goods” means things"])))
    assert texts(document) == ["Fees are due – at once", "“Goods” means things"]


def test_reading_twice_gives_the_same_document() -> None:
    data = pdf(both(write(LEFT, x=72), write(RIGHT, x=330)), write(PROSE))
    assert read(data) == read(data)


def _ruled(
    rows: Sequence[Sequence[Sequence[str]]], edges: Sequence[float], high: float, *, between: bool = True
) -> Draw:
    """A table whose cells hold lines, with rules down at some edges and across, between its rows or around all."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.setLineWidth(0.5)
        for at, row in enumerate(rows):
            for left, lines in zip(edges, row, strict=False):
                for number, line in enumerate(lines):
                    # The lines of a cell stand around its middle, as they do in most tables.
                    y = at * high + high / 2 + 14 * (number - (len(lines) - 1) / 2)
                    canvas.drawString(left + 4, HEIGHT - 200 - y, line)
        for at in range(len(rows) + 1) if between else (0, len(rows)):
            canvas.line(edges[0], HEIGHT - 197 - at * high, edges[-1], HEIGHT - 197 - at * high)
        for edge in edges:
            canvas.line(edge, HEIGHT - 197, edge, HEIGHT - 197 - len(rows) * high)

    return draw


RULED = (
    (
        ("Winter mooring", "in the inner dock"),
        ("The berth is kept", "free of ice, and the", "lamps are lit"),
        ("Harbour office",),
    ),
    (("Towing",), ("Ordered a day ahead,", "by telephone"), ("Pilots of the", "north pier")),
)


def test_cells_of_several_lines_between_rules_are_read_one_after_the_other() -> None:
    table = _ruled(RULED, (72, 200, 340, 480), 50)
    document = read(pdf(both(write(["What the harbour offers:"], top=180), table, write(["Nothing else."], top=330))))
    cells = [line for row in RULED for cell in row for line in cell]
    assert texts(document) == ["What the harbour offers:", *cells, "Nothing else."]
    assert len({line.block for line in document.lines if line.text in RULED[0][1]}) == 1


def test_a_line_under_a_word_divides_no_cell() -> None:
    under = both(_ruled(RULED, (72, 200, 340, 480), 50), lambda canvas: canvas.line(204, 568, 240, 568))
    assert texts(read(pdf(under))) == [line for row in RULED for cell in row for line in cell]


def test_rows_of_figures_between_rules_stay_rows_under_their_heads() -> None:
    heads = (("Earned in", "the year"), ("Spent on", "the piers", "of the quay"), ("Left",))
    rows = (heads, (("1,204",), ("310",), ("894",)), (("1,190",), ("298",), ("892",)))
    lines = texts(read(pdf(_ruled(rows, (72, 200, 340, 480), 50))))
    assert lines[:2] == ["Spent on", "Earned in"], "from side to side, as the rows under them"
    assert lines[-2:] == ["1,204  310  894", "1,190  298  892"]


def test_rows_in_one_frame_stay_rows() -> None:
    columns = [["Mooring", "Towing", "Dues"], ["310", "55", "1,204"], ["298", "61", "1,190"]]
    assert texts(read(pdf(_ruled([columns], (72, 200, 340, 480), 60, between=False)))) == [
        "Mooring  310  298",
        "Towing  55  61",
        "Dues  1,204  1,190",
    ]
