import time
from decimal import Decimal

import pytest

import spanwise
from spanwise.text.tables.cell_units import Counted, Units
from spanwise.text.tables.cells import cell_grids, spaced_columns
from spanwise.text.tables.find import find_tables
from spanwise.text.tables.grid import read_cell, read_scale, scales_in, without_note, years_of
from spanwise.text.tables.table_reading import printed_grids, read_tables


def grid_of(text):
    document = spanwise.read(text.encode(), name="a.md")
    [grid] = cell_grids("a.md", document.lines)
    return grid


def test_heads_that_span_columns_stand_above_each_of_them():
    grid = grid_of(
        "| | 2019 | | 2018 | |\n| - | - | - | - | - |\n| | Men | Women | Men | Women |\n| Age | 86 | 88 | 87 | 89 |\n"
    )
    assert grid.heads == ("2019 Men", "2019 Women", "2018 Men", "2018 Women")


def test_heads_over_heads_that_repeat_span_one_turn_of_them_each():
    page = (
        "<table><tr><th rowspan=2>Boat</th><th colspan=2>Weekdays</th><th colspan=2>Weekend</th></tr>"
        "<tr><th>Half day</th><th>Full day</th><th>Half day</th><th>Full day</th></tr>"
        "<tr><td>Canoe</td><td>18</td><td>30</td><td>24</td><td>41</td></tr></table>"
    )
    [grid] = read_tables("a.html", spanwise.read(page.encode(), name="a.html").lines)
    assert grid.heads == ("Weekdays Half day", "Weekdays Full day", "Weekend Half day", "Weekend Full day")
    assert grid.corner == "Boat"


def test_years_over_heads_of_their_own_head_several_columns():
    page = (
        "<table><tr><th><th colspan=2>2023<th colspan=2>2024<tr><th>Boat<th>Spring<th>Autumn<th>Spring<th>Autumn"
        "<tr><td>Canoe<td>1<td>2<td>3<td>4<tr><td>Raft<td>5<td><td>7<td>8</table>"
    )
    [grid] = read_tables("a.html", spanwise.read(page.encode(), name="a.html").lines)
    assert grid.heads == ("2023 Spring", "2023 Autumn", "2024 Spring", "2024 Autumn")
    assert [row.texts for row in grid.rows] == [("1", "2", "3", "4"), ("5", "", "7", "8")]


def test_thousands_of_tables_take_time_in_proportion():
    document = spanwise.read(b"Item 2019 2020\nOak 1 2\n" * 3000, name="a.txt")
    started = time.process_time()
    assert len(find_tables(document)) == 3000
    assert time.process_time() - started < 1.8


def test_a_head_in_the_middle_spans_both_sides():
    grid = grid_of("| | | Year ended | |\n| - | - | - | - |\n| | 2019 | 2018 | 2017 |\n| Sales | 3 | 2 | 1 |\n")
    assert grid.heads == ("Year ended 2019", "Year ended 2018", "Year ended 2017")


def test_a_head_does_not_spread_over_what_has_its_own():
    grid = grid_of("| | F19 | F18 | | |\n| - | - | - | - | - |\n| $ MILLION | 53 WEEKS | 52 WEEKS | CHANGE | NOTE |\n"
                   "| Sales | 1,671 | 1,612 | 3.7% | 1 |\n")  # fmt: skip
    assert grid.heads[2:] == ("CHANGE", "NOTE")
    assert grid.rows[0].label == "Sales"


def test_labels_alone_open_groups_and_scales_are_captions():
    grid = grid_of(
        "| | 2019 | 2018 |\n| - | - | - |\n| (In thousands) | | |\n| Assets: | | |\n| Cash | 5 | 4 |\n| | 9 | 8 |\n"
    )
    assert [row.groups for row in grid.rows] == [("Assets:",), ("Assets:",)]
    assert "(In thousands)" in grid.corner


def test_rows_of_a_page_stand_under_the_nearest_years():
    lines = spanwise.read(b"(in millions)\n2019  2018\nSales  1,000  900\nTax  (30)  -\nNotes  7\n", name="a.txt").lines
    [grid] = printed_grids("a.txt", lines)
    assert grid.heads == ("2019", "2018")
    assert [row.label for row in grid.rows] == ["Sales", "Tax"]
    assert grid.rows[1].cells[1].value == 0


def test_a_date_above_a_letter_heads_no_columns():
    text = b"3 March 2024\n\nDear readers, here is what you need to know about our courses and the roof.\n\nTea  3  4\n"
    assert not list(printed_grids("a.txt", spanwise.read(text, name="a.txt").lines))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$(89.7)", "-89.7", "USD"),
        ("(5.1)%", "-5.1", "%"),
        ("\u2014", "0", ""),
        ("12 (1)", "12", ""),
        ("1,027", "1027", ""),
        ("2019", "2019", ""),
        ("\u00a341.5m", "41500000", "GBP"),
    ],
)
def test_cells(text, value, unit):
    cell = read_cell(text)
    assert (cell.value, cell.unit) == (Decimal(value), unit)


@pytest.mark.parametrize("text", ["", "N/A", "see note 5 below", "5.5 - 6.2", "x" * 500])
def test_what_is_no_single_figure_is_no_cell(text):
    assert read_cell(text) is None


@pytest.mark.parametrize(
    ("text", "years"),
    [("Fiscal 2019", {"2019"}), ("F19", {"2019"}), ("31 December 2018, restated", {"2018"}), ("2,019 shares", set())],
)
def test_years(text, years):
    assert years_of(text) == years


@pytest.mark.parametrize(
    ("label", "plain"),
    [("Cash (1)", "Cash"), ("Transfers (Note (b))", "Transfers"), ("Other (see Note 16):", "Other"), ("(1)", "(1)")],
)
def test_labels_lose_their_notes(label, plain):
    assert without_note(label) == plain


@pytest.mark.parametrize(
    ("text", "factor"),
    [("RMB\u2019Million", 10**6), ("(in million)", 10**6), ("$'000", 1000), ("Number of shares (1,000)", 1000)],
)
def test_scales_of_heads(text, factor):
    assert read_scale(text).factor == factor


def test_scales_of_a_row_are_those_of_its_cells():
    assert [scale.factor for scale in scales_in("| | 2019 $M | 2018 $M |")] == [10**6, 10**6]
    assert scales_in("Tens of thousands of homes") == []


def tables_of(text, name):
    return list(read_tables(name, spanwise.read(text.encode(), name=name).lines))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("| Tool | Use | Price |\n|---|---|---|\n| Saw | wood | $12 |\n| Vice | metal | $40 |\n", "a.md"),
        ("Tool,Use,Price\nSaw,wood,$12\nVice,metal,$40\n", "a.csv"),
        ("Tool;Use;Price\nSaw;wood;$12\nVice;metal;$40\n", "a.csv"),
        ("Tool     Use     Price\nSaw      wood    $12\nVice     metal   $40\n", "a.txt"),
        (
            "<table><tr><th>Tool<th>Use<th>Price</tr><tr><td>Saw<td>wood<td>$12</tr><tr><td>Vice<td>metal<td>$40</tr></table>",
            "a.html",
        ),
    ],
)
def test_a_table_is_the_same_in_every_format(text, name):
    [grid] = tables_of(text, name)
    assert grid.names == ("Tool", "Use", "Price")
    assert [grid.texts(at) for at in range(2)] == [("Saw", "wood", "$12"), ("Vice", "metal", "$40")]


def test_records_of_texts_are_no_heads():
    [grid] = tables_of("| Year | Play | Part |\n|---|---|---|\n| 2015 | The Mill | Ann |\n| 2016 | - | Bo |\n", "a.md")
    assert grid.names == ("Year", "Play", "Part")
    assert len(grid.rows) == 2


def test_a_text_over_all_columns_opens_a_group():
    [grid] = tables_of("| Dish | Price |\n|---|---|\n| Soups | Soups |\n| Leek | $4 |\n| Pea | $5 |\n", "a.md")
    assert [row.groups for row in grid.rows] == [("Soups",), ("Soups",)]


@pytest.mark.parametrize(
    "head",
    [
        "                     2021      2020\n",
        "Years ended June 30,  2021      2020\n",
        "June 30, 2021   June 30, 2020\n",
        "June 30,\n2021\nJune 30,\n2020\n",
        "                     2021      2020      Change\n",
        "(tons)               2021      2020      2021 vs. 2020\n",
    ],
)
def test_heads_of_printed_periods(head):
    more = "   1" if "hange" in head or "vs" in head else ""
    body = f"Current stock\nWheat   70   60{more}\nTotal current stock   90   85{more}\n"
    [grid] = tables_of(head + body, "a.txt")
    assert [sorted(years_of(head)) for head in grid.heads] == [["2021"], ["2020"]]
    assert [row.texts for row in grid.rows] == [("70", "60"), ("90", "85")]
    assert grid.rows[0].groups == ("Current stock",)


def test_a_head_over_several_periods_stands_above_each():
    text = (
        "Three months ended   Six months ended\n2021   2020   2021   2020\nFees   1   2   3   4\nTips   5   6   7   8\n"
    )
    [grid] = tables_of(text, "a.txt")
    assert grid.heads[0] == "Three months ended 2021"
    assert grid.heads[3] == "Six months ended 2020"


@pytest.mark.parametrize(
    ("row", "counted"),
    [
        ("Sales  $ 900  $ 800", Counted("USD", "million", (3,))),
        ("Margin, in percent  4  5", Counted("%")),
        ("Earnings per share  4.60  4.10", Counted("USD", "", (3,))),
    ],
)
def test_what_a_cell_is_counted_in(row, counted):
    lines = spanwise.read(
        f"(in millions)\n            2021   2020\n{row}\nCosts  $ 5  $ 4\n".encode(), name="a.txt"
    ).lines
    [grid] = read_tables("a.txt", lines)
    found = Units(grid, lines).of(0, 0)
    assert (found.unit, found.magnitude) == (counted.unit, counted.magnitude)


def test_figures_under_a_row_that_is_full_are_the_total_of_their_group():
    [grid] = tables_of(
        "             2021   2020\nCurrent stock:\nWheat   70   60\nRye   20   25\n        90   85\nFuel    11   12\n",
        "a.txt",
    )
    assert [(row.label, row.texts) for row in grid.rows][1:3] == [("Rye", ("20", "25")), ("", ("90", "85"))]
    assert grid.rows[2].name == "total Current stock:"
    assert grid.rows[3].groups == ()


def test_short_rows_leave_the_cell_empty_whose_kind_they_lack():
    html = "<table><tr><th>Quality<th>Condition<th>Min<th>Max<th>Unit</tr>" + "".join(
        f"<tr>{''.join(f'<td>{cell}' for cell in row.split('|'))}</tr>"
        for row in ("Drift|hot|2|9|mV", "Gain|cold|3|8|dB", "Offset||25|120|mV")
    )
    [grid] = tables_of(f"{html}</table>", "a.html")
    assert grid.texts(2) == ("Offset", "", "25", "120", "mV")


@pytest.mark.parametrize("missing", ["Course", "Fee", "Places"])
def test_cells_stay_in_their_columns_where_a_head_is_missing(missing):
    rows = (("Course", "Fee", "Places"), ("Seals", "85", "12"), ("Frogs", "72", ""), ("Dolphins", "104", "8"))
    rows = (tuple("" if cell == missing else cell for cell in rows[0]), *rows[1:])
    html = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    [grid] = tables_of(f"<table>{html}</table>", "a.html")
    assert grid.names == rows[0]
    assert [grid.texts(at) for at in range(3)] == list(rows[1:])


def test_cells_over_and_beside_several_keep_their_columns():
    html = (
        "<table><tr><th>Pier<th colspan=2>Summer<th colspan=2>Winter<tr><th><th>Open<th>Close<th>Open<th>Close"
        "<tr><td rowspan=2>North<td>7<td>22<td>9<td>17<tr><td>8<td><td>10<td>16<tr><td>South<td>6<td>23<td><td>15"
        "</table>"
    )
    [grid] = tables_of(html, "a.html")
    assert grid.names == ("Pier", "Summer Open", "Summer Close", "Winter Open", "Winter Close")
    assert [row.texts for row in grid.rows] == [("7", "22", "9", "17"), ("8", "", "10", "16"), ("6", "23", "", "15")]


def test_a_label_alone_opens_a_group_of_the_table_that_goes_on_below_it():
    [grid] = tables_of("Line,Bottles,Head\nGlass\nOne,410,Klint\nTwo,382,Holt\nPlastic\nThree,950,Stein\n", "a.csv")
    assert grid.names == ("Line", "Bottles", "Head")
    assert [(row.groups, row.label) for row in grid.rows] == [
        (("Glass",), "One"),
        (("Glass",), "Two"),
        (("Plastic",), "Three"),
    ]


def test_a_label_above_a_row_of_heads_is_the_title_of_another_table():
    first, second = tables_of("Line,Bottles\nOne,410\nTwo,382\nStaff\nName,Shift\nKlint,early\nHolt,late\n", "a.csv")
    assert (first.last, second.names) == (3, ("Name", "Shift"))


def test_a_table_set_with_spaces_is_read_by_its_columns():
    text = (
        "Course     Zone 1 Room   Fee\nTadpoles   7             85\nSeals      12     Blue    98\n"
        "Water polo 15     Green  104\n"
    )
    [grid] = tables_of(text, "a.txt")
    assert grid.names == ("Course", "Zone 1", "Room", "Fee")
    assert [grid.texts(at) for at in range(3)] == [
        ("Tadpoles", "7", "", "85"),
        ("Seals", "12", "Blue", "98"),
        ("Water polo", "15", "Green", "104"),
    ]


def test_a_wide_gap_within_a_cell_says_that_lines_stand_in_no_columns():
    assert spaced_columns(["Rent    due", "Fee     5", "Deposit 9"])
    assert not spaced_columns(["Rent   is due", "on the first.   12", "Of May,   and late   fees   are 5"])


def test_a_row_between_marks_ends_early_where_its_last_cells_are_empty():
    [grid] = tables_of("Boat,Half day,Day,Deposit\nSloop,95,160,400\nCanoe,18,30\n", "a.csv")
    assert grid.texts(1) == ("Canoe", "18", "30", "")


def test_a_caption_ends_where_another_table_stands():
    text = "Stock\n           2021      2020\nWheat   70   60\n\nDebts\n           2021      2020\nBank    5    6\n"
    first, second = tables_of(text, "a.txt")
    assert "Wheat" not in second.caption
    assert second.corner == "Debts"
    assert first.corner == "Stock"


@pytest.mark.parametrize(
    ("text", "value"), [("48 215", "48215"), ("(27\u202f904)", "-27904"), ("3,40", "3.40"), ("1 204,5", "1204.5")]
)
def test_figures_of_cells_as_other_languages_write_them(text, value):
    cell = read_cell(text)
    assert (cell.text, cell.value) == (text, Decimal(value))


@pytest.mark.parametrize("text", ["4 12", "5,1 6", "12 345 6"])
def test_several_figures_are_no_cell(text):
    assert read_cell(text) is None


@pytest.mark.parametrize(
    ("text", "factor", "currency"),
    [
        ("Beträge in Tausend Euro", 1000, "EUR"),
        ("(T€)", 1000, "EUR"),
        ("En milliers d'euros", 1000, "EUR"),
        ("in Mio. CHF", 10**6, "CHF"),
        ("importi in milioni di euro", 10**6, "EUR"),
    ],
)
def test_scales_in_other_languages(text, factor, currency):
    assert (read_scale(text).factor, read_scale(text).currency) == (factor, currency)


def test_years_of_dates_in_figures():
    assert years_of("31.12.2023") == {"2023"}
    assert years_of("4.2.2021 bis 1.5.2022") == {"2021", "2022"}
    assert years_of("1.2019") == frozenset()
