"""Any text at all: bounded time, no exception, offsets that hold, nothing overlapping."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.quantities import parse_date, quantities, scale_of

PIECES = """
    5 30 1,577 12,34,567 3.2 ( ) [ ] $ \u20ac % - \u2013 . , : / '
    five thirty hundred thousand million and a half dozen March May
    2024 98 of day fiscal quarter third ended year to between from days Section USD per month th st Q2 FY www. @ e9
""".split()


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "  ", "\n"])), max_size=14))
def test_offsets_hold_and_nothing_overlaps(pieces):
    text = "".join(piece + space for piece, space in pieces)
    found = quantities(text)
    assert all(text[quantity.start : quantity.end] == quantity.original for quantity in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(st.text())
def test_any_text_is_read(text):
    quantities(text)
    scale_of(text)
    parse_date(text)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "1,111",
        "1.",
        "(",
        "$ ",
        "hundred ",
        "thirty (30) ",
        "twenty-",
        "Jan ",
        "1/2/",
        "www.",
        "a@",
        "1-",
        "5 to ",
        "fiscal ",
    ],
)
def test_time_grows_with_length_only(piece):
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        began = time.process_time()
        quantities(text)
        return time.process_time() - began

    seconds(1000)
    long = min(seconds(40_000) for _ in range(3))  # the collector may stop one of them
    assert long < 20 * seconds(8_000) + 1


@pytest.mark.parametrize(
    "text", ["9" * 1_000_000, "1" + ",111" * 100_000, "(" * 100_000 + "5" + ")" * 100_000, "NaN inf 1e999"]
)
def test_monstrous_numbers_are_no_quantities(text):
    assert len(quantities(text)) < 2
