"""The words that deny, found wherever they stand as words and nowhere else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.expectations.polarity import NEGATION

PLAIN = re.compile(
    r"\b(?:not|never|cannot|without|neither|nor|no|none|nothing|nobody|unable|prohibited|forbidden)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
PARTS = (
    "not never cannot without neither nor no none nothing nobody unable prohibited forbidden n't N\u2019T isn't Not NO "
    "CANNOT knot notes know s _ - . x 1 W\u0131thout"
).split()


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from([" ", "", "-", "\n"])), max_size=8))
def test_it_finds_what_the_plain_list_finds(parts):
    text = "".join(word + gap for word, gap in parts)
    assert [one.span() for one in NEGATION.finditer(text)] == [one.span() for one in PLAIN.finditer(text)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is NOT so.", "NOT"),
        ("They don\u2019t.", "n\u2019t"),
        ("A knot is not one.", "not"),
        ("notable nodes", None),
    ],
)
def test_words_that_deny(text, said):
    found = NEGATION.search(text)
    assert (found.group() if found else None) == said
