from decimal import Decimal

import pytest

import spanwise
from spanwise.synthesis.extractive.tables.asked import asked
from spanwise.text.tables.grid import read_cell, without_note, years_of
from spanwise.text.tables.cells import cell_grids
from spanwise.text.tables.printed import printed_grids
from spanwise.text.tables.scales import read_scale, scales_in


def grid_of(text):
    document = spanwise.read(text.encode(), name="a.md")
    [grid] = cell_grids("a.md", document.lines)
    return grid


def test_heads_that_span_columns_stand_above_each_of_them():
    grid = grid_of(
        "| | 2019 | | 2018 | |\n| - | - | - | - | - |\n| | Men | Women | Men | Women |\n| Age | 86 | 88 | 87 | 89 |\n"
    )
    assert grid.heads == ("2019 Men", "2019 Women", "2018 Men", "2018 Women")


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
    assert "(In thousands)" in grid.caption


def test_rows_of_a_page_stand_under_the_nearest_years():
    lines = spanwise.read(b"(in millions)\n2019  2018\nSales  1,000  900\nTax  (30)  -\nNotes  7\n", name="a.txt").lines
    [grid] = printed_grids("a.txt", lines)
    assert grid.heads == ("2019", "2018")
    assert [row.label for row in grid.rows] == ["Sales", "Tax"]
    assert grid.rows[1].cells[1].value == 0


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


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was the percentage increase / (decrease) in sales from 2017 to 2018?", "percentage_change"),
        ("What is the increase / (decrease) in sales from 2017 to 2018?", "change"),
        ("What was the weighted average exchange rate in 2019?", "value"),
        ("What was the average tax for 2018 and 2019?", "average"),
        ("What is the sum of sales and fees?", "total"),
        ("What were sales as a percentage of revenue?", "percentage_share"),
        ("In which year was tax less than 1,000 thousand?", "which"),
        ("How many years did tax exceed $5 million?", "count_periods"),
        ("Why did sales increase in 2019?", "text"),
        ("How is goodwill tested?", "text"),
        ("What was the revenue in 2019 and 2018, respectively?", "value"),
    ],
)
def test_what_a_question_wants(question, wanted):
    assert asked(question).wanted == wanted


def test_years_thresholds_and_directions_of_a_question():
    found = asked("From 2017 to 2019, in which years was tax less than $5 million?")
    assert found.years == ("2017", "2019")
    assert found.spans
    assert not found.more
    assert (found.threshold, found.threshold_bare) == (5_000_000, 5)


def test_a_hostile_question_is_read_in_bounded_time():
    assert asked("what percentage of " * 5000).wanted
