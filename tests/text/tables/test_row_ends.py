"""The end of a line tells at once that it is no row of a table, or holds no head of columns."""

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.tables.table_reading import _CELL, _MARKS, may_have_head, split_row, table_rows

PIECES = ["Sales", "net", "5", "1,577", "(12)", "(1.5%)", "$", "%", "\u2014", "-", "*", "N/M", "2x", "3pp", "2021", "."]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5), st.sampled_from([" ", "  ", "\t"]))
def test_a_line_without_figures_ends_as_none_does(pieces, gap):
    line = gap.join(pieces)
    last = line.split()[-1]
    if not (_CELL.fullmatch(last) or _MARKS.fullmatch(last)):
        assert split_row(line) == (" ".join(line.split()), ())


@every("end", ["7", "7,000", "(7)", "7%", "7 %", "7pp", "7x", "$", "\u20ac", "\u2014", "-", "*", "N/M", "n/m"])
def test_every_way_in_which_a_figure_ends_is_still_read(end):
    assert split_row(f"Net sales  9  {end}")[1]


@pytest.mark.parametrize(
    ("lines", "heads"),
    [
        (["(in millions)", "2021", "2020", "Sales  5  6"], True),
        (["Year ended", "$ 2021", "Sales  5"], True),
        (["In 1995 it began.", "Sales  5  6"], False),
        (["Founded in (1995)", "Sales  5"], False),
    ],
)
def test_a_head_is_only_where_a_line_ends_with_a_year(lines, heads):
    rows = table_rows(enumerate(lines, 1))
    assert any(row.heads for row in rows) == heads
    if heads:
        assert may_have_head("\n".join(lines))


@given(st.lists(st.lists(st.sampled_from([*PIECES, "FY2020", "(2019)", "1999"]), max_size=4).map(" ".join), max_size=6))
def test_no_head_is_missed(lines):
    if any(row.heads for row in table_rows(enumerate(lines, 1))):
        assert may_have_head("\n".join(lines))
