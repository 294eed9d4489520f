"""The quick ways of the grammar of quantities change nothing that is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.quantities import quantities, quantity_reading

WORDS = """
    5 30 1,577 2024 007 12.5 thirty first second a an half dozen million may May June ended quarter fiscal year days
    weeks section note within for the th st of and or to above hereof pages employees am p percent $ ( ) . , - / :
    www.a.com and/or Article ISO phone K\u00fcche \u00bd
""".split()
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", " ", "", "\n", "  "])), max_size=12).map(
    lambda pieces: "".join(word + space for word, space in pieces)
)


@given(texts)
def test_a_text_without_a_figure_is_told_at_once(text):
    assert quantities(text) == list(quantity_reading._read(text, "USD"))


@given(texts)
def test_what_only_counts_would_be_read_the_same_by_every_rule(text):
    quick = list(quantity_reading._read(text, "USD"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantity_reading, "_only_counts", lambda *_: False)
        assert list(quantity_reading._read(text, "USD")) == quick


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("payable within 30 days of the notice", ["duration"]),
        ("under section 30 of the act", []),
        ("the 12 members met in 2 weeks", ["count", "duration"]),
        ("paid for 3 months ended June 30, 2023", ["period"]),
        ("on the 5 th of the month", ["ordinal"]),
        ("no figure here", []),
        ("\u2014", ["number"]),
    ],
)
def test_plain_numbers(text, kinds):
    assert [one.kind for one in quantities(text)] == kinds


def test_short_texts_are_kept_and_long_ones_are_not():
    quantity_reading._kept.cache_clear()
    quantities("It costs 5 dollars.")
    quantities("It costs 5 dollars." + " " * quantity_reading._SHORT)
    assert quantity_reading._kept.cache_info().currsize == 1
    assert quantity_reading._kept.cache_info().maxsize == quantity_reading._KEPT


def test_a_caller_may_change_the_list_it_was_given():
    quantities("It costs 5 dollars.").clear()
    assert len(quantities("It costs 5 dollars.")) == 1
