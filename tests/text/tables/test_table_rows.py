import pytest

from spanwise.text.tables.table_reading import split_row, table_rows


@pytest.mark.parametrize(
    ("line", "label", "cells"),
    [
        ("Total current assets  7,292  6,106", "Total current assets", ("7,292", "6,106")),
        ("Purchases of equipment  $  (116)  $ (131)", "Purchases of equipment", ("(116)", "(131)")),
        ("Goodwill  \u2014  12", "Goodwill", ("\u2014", "12")),
        ("Effective tax rate  21.6 %  24.6%", "Effective tax rate", ("21.6 %", "24.6%")),
        ("Net sales 816 1,201 1,508", "Net sales", ("816", "1,201", "1,508")),
        ("Revenue rose to 5", "Revenue rose to 5", ()),
        ("Fiscal years ended December 25, 2021", "Fiscal years ended December 25, 2021", ()),
        ("The plant was opened in May.", "The plant was opened in May.", ()),
        ("1,234  5,678", "", ("1,234", "5,678")),
        ("", "", ()),
    ],
)
def test_a_line_is_a_label_and_its_figures(line, label, cells):
    assert split_row(line) == (label, cells)


def test_figures_on_lines_of_their_own_belong_to_the_label_above():
    [head, row] = table_rows(enumerate(["(in millions)", "2021", "2020", "Net income", "$", "7,679 $", "(12) "], 5))
    assert (head.heads, head.first, head.last) == (True, 5, 7)
    assert (row.label, row.cells, row.first, row.last) == ("Net income", ("7,679", "(12)"), 8, 11)
    assert row.text == "Net income $ 7,679 $ (12)"


def test_figures_without_a_label_are_no_row():
    assert table_rows([(1, "12"), (2, "13")]) == []


def test_a_paragraph_takes_no_figures():
    assert table_rows([(1, "word " * 60), (2, "12")]) == []


def test_blank_lines_do_not_end_a_row():
    [row] = table_rows([(1, "Inventories"), (2, "\xa0"), (3, "1,559"), (4, ""), (5, "1,642")])
    assert row.cells == ("1,559", "1,642")


def test_hostile_lines_are_read_in_bounded_time():
    lines = [(1, "( $ " * 20_000), (2, "1 " * 20_000), (3, "1," * 20_000), (4, "a  " * 20_000)]
    assert len(table_rows(lines)) <= len(lines)
