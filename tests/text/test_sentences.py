import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.sentences import on_one_line, sentences


def split(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fee is 1.5% per month. See U.S. law.", ["The fee is 1.5% per month.", "See U.S. law."]),
        ("Acme Inc. shall pay $5. Then it ends.", ["Acme Inc. shall pay $5.", "Then it ends."]),
        ("One line\ngoes on here. Two.", ["One line\ngoes on here.", "Two."]),
        ("  padded.  ", ["padded."]),
        ("They serve in a row.\n5.2 Nobody is paid.", ["They serve in a row.", "5.2 Nobody is paid."]),
        ("The guard says so. Parking is free. A car pays.", ["The guard says so.", "Parking is free.", "A car pays."]),
        ("Nails, screws etc. and glue are sold.", ["Nails, screws etc. and glue are sold."]),
        ("2주마다 씻으십시오. 30센티미터를 두십시오.", ["2주마다 씻으십시오.", "30센티미터를 두십시오."]),
        ("no end", ["no end"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_sentences_of_legal_text(text, expected):
    assert split(text) == expected


@given(st.text(max_size=300))
def test_sentences_cover_every_visible_character_once_and_in_order(text):
    spans = sentences(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))


def test_on_one_line_a_broken_word_is_whole_again_and_a_dash_stays():
    assert on_one_line("limited user-\nspecific  settings, 2019-\n2021 and a -\nb") == (
        "limited user-specific settings, 2019- 2021 and a - b"
    )


def test_each_row_of_a_typed_price_list_is_one():
    rows = ["Wash and cut        18.00 EUR", "Beard trim          from 9.50 EUR", "Colour\t60 EUR"]
    text = "\n".join([*rows, "Please book. We call", "you back."])
    assert [text[slice(*one)] for one in sentences(text)] == [*rows, "Please book.", "We call\nyou back."]
    spread = "The hall   was built   by 12 men in\nthree   years   and a half, and   holds 300 people\nto this day."
    assert sentences(spread) == [(0, len(spread))]


def test_the_letter_of_a_unit_ends_one():
    text = "The bath is open until 9 h. A ticket costs 4 euros."
    assert len(sentences(text)) == 2
