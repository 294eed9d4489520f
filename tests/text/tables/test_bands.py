"""Rows that hold for a range of figures: which one a figure of a question falls into."""

import pytest

import spanwise
from spanwise.text.tables.bands import banded_rows
from spanwise.text.tables.table_reading import read_tables

MARKS = "| Points from | to | Grade |\n|---|---|---|\n| 0 | 34 | F |\n| 35 | 59 | D |\n| 60 | 100 | B |\n"
ORDERS = (
    "| From (£) | below (£) | Discount |\n|-|-|-|\n| 0 | 500 | none |\n| 500 | 900 | 2 % |\n| 900 | no limit | 5 % |\n"
)
DISTANCES = (
    "| Distance | Grant |\n|---|---|\n| less than 5 km | none |\n| 5 to 15 km | £28 |\n| more than 15 km | £90 |\n"
)
AGES = "| Age | Course |\n|---|---|\n| 3-5 | Ducklings |\n| 6-9 | Dolphins |\n| 10 and over | Sharks |\n"
PARCELS = "| Weight up to (kg) | Price |\n|---|---|\n| 1 | 4.20 |\n| 5 | 6.40 |\n| 20 | 13.70 |\n"
PLAIN = "| Item | Price |\n|---|---|\n| Bolt | 4 |\n| Nut | 9 |\n"


def asked(table, question):
    document = spanwise.read(table.encode(), name="table.md")
    [grid] = read_tables("table.md", document.lines)
    rows, columns, figure = banded_rows(grid, question)
    return [grid.texts(at)[-1] for at in rows], columns, figure


@pytest.mark.parametrize(
    ("table", "question", "row"),
    [
        (MARKS, "Which grade do 37 points give?", "D"),
        (MARKS, "Which grade do 100 points give?", "B"),
        (ORDERS, "What discount has an order of £500?", "2 %"),
        (ORDERS, "What discount has an order of £20,000?", "5 %"),
        (DISTANCES, "What is the grant for 4 km?", "none"),
        (DISTANCES, "What is the grant for 60 km?", "£90"),
        (AGES, "Which course is for a child aged 8?", "Dolphins"),
        (AGES, "Which course is for someone aged 40?", "Sharks"),
        (PARCELS, "What does a parcel of 1 kg cost?", "4.20"),
        (PARCELS, "What does a parcel of 3 kg cost?", "6.40"),
    ],
)
def test_the_row_whose_band_holds_the_figure(table, question, row):
    rows, columns, figure = asked(table, question)
    assert rows == [row]
    assert columns
    assert figure in question


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (PARCELS, "What does a parcel of 30 kg cost?"),  # over all of them
        (DISTANCES, "What is the grant for 12 years?"),  # another unit
        (AGES, "Which course began in 2008?"),  # a year is no age
        (MARKS, "Is 37 a prime?"),  # counted in nothing that a head names
        (PLAIN, "What costs 5?"),
        (MARKS, "Which grades are there?"),
    ],
)
def test_no_row_where_no_band_is_asked(table, question):
    assert asked(table, question) == ([], (), "")
