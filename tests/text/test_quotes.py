import random

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.fold import MOST_PLACES, QuoteMatch, find_quote

TEXT = "A late fee of 1.5% per month\nwill apply to any out-\nstanding balance. Nothing else is due."


@pytest.mark.parametrize(
    ("quote", "method", "found"),
    [
        ("late fee of 1.5%", "exact", "late fee of 1.5%"),
        ("  per month\nwill  ", "exact", "per month\nwill"),
        ("per month will APPLY", "folded", "per month\nwill apply"),
        ("any outstanding balance", "folded", "any out-\nstanding balance"),
        ("a late fee of 1.5 % per mounth wil apply", "aligned", "A late fee of 1.5% per month\nwill apply"),
    ],
)
def test_a_quote_is_found_where_it_stands(quote, method, found):
    match = find_quote(quote, TEXT)
    assert match is not None
    assert (match.method, TEXT[match.start : match.end]) == (method, found)
    assert (match.score == 1.0) == (method != "aligned")
    assert not match.ambiguous


@pytest.mark.parametrize(
    "quote", ["", "   ", "\u200b", "the moon is made of green cheese", TEXT + " And more of it." * 9]
)
def test_what_is_not_there_is_not_found(quote):
    assert find_quote(quote, TEXT) is None


def test_alignment_can_be_switched_off():
    assert find_quote("a late fee of 1.5 % per mounth", TEXT, minimum=1.0) is None


def test_repeats_are_reported():
    text = "Pay the fee. Then the fee is due again."
    assert find_quote("the fee", text) == QuoteMatch(4, 11, "exact", 1.0, ((18, 25),))
    folded = find_quote("the  fee", "The fee is due. Pay the fee. No, THE FEE.")
    assert folded is not None
    assert (folded.start, len(folded.others)) == (0, 2)


def test_the_number_of_reported_repeats_is_bounded():
    match = find_quote("ab", "ab " * 10_000)
    assert match is not None
    assert len(match.others) == MOST_PLACES


@given(st.text(alphabet="abc -\n", min_size=1, max_size=60), st.data())
def test_every_piece_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    piece = text[start:end]
    match = find_quote(piece, text)
    assert (match is None) == (not piece.strip())


def test_damaged_quotes_are_aligned_to_their_place():
    words = [f"word{n} alpha{n * 7 % 97}" for n in range(400)]
    text = " ".join(words)
    generator = random.Random(7)
    for _ in range(20):
        start = generator.randrange(len(text) - 200)
        damaged = "".join(c for c in text[start : start + 150] if generator.random() > 0.1)
        match = find_quote(damaged, text, minimum=0.6)
        assert match is not None
        assert abs(match.start - start) < 25  # the damage is 10 % of 150 characters, and words stay whole


@every(
    ("quote", "text", "found"),
    [
        ("5%", "a fee of 1.5%", False),
        ("1.5", "about 1.55", False),
        ("1", "1,000 units", False),
        ("000", "1,000 units", False),
        ("profit", "a non-profit body", False),
        ("Profit", "a non-profit body", False),
        ("isn", "it isn't so", False),
        ("late", "it is related", False),
        ("1.5%", "a fee of 1.5%.", True),
        ("2024", "In 2024, it", True),
        ("the end", "This is the end.", True),
        ("40,000", "pay $40,000 per month", True),
        ("term", "the term-sheet and the (term)", True),
        ("10 days", "within 10 days-", True),
    ],
)
def test_whole_words_and_numbers(quote, text, found):
    assert (find_quote(quote, text, minimum=1.0, whole_words=True) is not None) == found
