"""What is told at a glance says the same as what is looked for: words of ranges, single sentences, text on one line."""

from bisect import bisect_left

import nupunkt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.sentences import on_one_line, sentences, trim
from spanwise.text.terms import _pattern, _words, placed_terms, terms, terms_of_ranges

PIECES = [
    "fee",
    "Notices",
    "1,000",
    "3.5",
    "self-service",
    "self-\n service",
    "don't",
    "U.S.",
    "(a)",
    "caf\u00e9",
    "x_y",
]
PIECES += ["\u2019s", "-", ",", ".", "!", "\u2026", " ", "\n", "\t", "\u00a0", "2019-2021", "end."]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).flatmap(
    lambda pieces: st.sampled_from([" ".join(pieces), "".join(pieces)])
)


@given(TEXTS)
def test_the_words_of_a_text(text):
    assert _words(text) == _pattern(text).findall(text)
    assert terms(text) == [stem for _, stem in placed_terms(text)]


@given(TEXTS, st.data())
def test_the_words_that_begin_in_a_range(text, data):
    place = st.integers(0, len(text))
    ranges = [tuple(sorted(pair)) for pair in data.draw(st.lists(st.tuples(place, place), max_size=4))]
    words = placed_terms(text)
    expected = [
        tuple(stem for _, stem in words[bisect_left(words, (start, "")) : bisect_left(words, (end, ""))])
        for start, end in ranges
    ]
    assert terms_of_ranges(text, ranges) == expected


@given(TEXTS)
def test_one_sentence_needs_no_finder(text):
    found = [trimmed for start, end in nupunkt.sent_spans(text) if (trimmed := trim(text, start, end))]
    assert sentences(text) == (found if text.strip() else [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One  line.", "One line."),
        (" One line. ", "One line."),
        ("One\tline\u00a0here.", "One line here."),
        ("A self-\n service", "A self-service"),
        ("", ""),
    ],
)
def test_a_text_on_one_line(text, line):
    assert on_one_line(text) == line
