"""What is shown instead of a whole sentence: one sentence's words, and never a bare number where "when" is asked."""

import pytest

import spanwise
from spanwise.synthesis.extractive.answer import cuts_a_quotation
from spanwise.synthesis.extractive.spans import best_piece

LEASE = """Lease

Monthly rent is $2,150, due on the first day of each month. Rent that is late bears a charge of $75.

Up to 5 unused days may be carried over to the next year; they expire on 31 March.

| Role | Days |
| --- | --- |
| Engineer | 3 |
| Designer | 4 |
"""


@pytest.fixture
def lease(tmp_path):
    path = tmp_path / "lease.md"
    path.write_text(LEASE)
    return path


def test_a_piece_ends_where_its_sentence_does(lease):
    lease.write_text(LEASE.partition("|")[0])
    assert spanwise.ask("What is the monthly rent?", lease).text == "$2,150, due on the first day of each month"


def test_when_is_not_answered_by_a_number_near_a_table(lease):
    result = spanwise.ask("When do unused days expire?", lease)
    assert "31 March" in result.text


@pytest.mark.parametrize(
    ("sentence", "fits"),
    [
        ("The council of 12 members met.", False),
        ("The council met in 1912.", True),
        ("The council met after lunch.", True),
    ],
)
def test_a_number_alone_does_not_say_when(sentence, fits):
    piece = best_piece("When did the council meet?", sentence)
    assert piece is not None
    assert piece.fits is fits


def test_a_ratio_is_not_answered_by_a_thing_that_it_is_made_of():
    document = spanwise.read(b"The mixing ratio of sand to lime is 2:3.", name="mortar.txt")
    assert "2:3" in spanwise.ask("What is the mixing ratio?", document).text


def test_a_time_of_day_may_have_an_h():
    document = spanwise.read(b"The bus leaves at 7h45.", name="bus.txt")
    assert "7h45" in spanwise.ask("When does the bus leave?", document).text


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        ("A desk costs 18 euros a day, a fixed desk 240 euros a month.", "What does a fixed desk cost?", "240 euros"),
        ("Adults pay 12 euros, adults in groups 9 euros.", "What do adults in groups pay?", "9 euros"),
        ("The rent is 1,200 euros a month and the deposit is 2,400 euros.", "How much is the rent?", "1,200 euros"),
    ],
)
def test_a_piece_is_not_the_value_of_another_thing(text, question, said):
    assert said in spanwise.ask(question, spanwise.read(text.encode(), name="rules.txt")).text


@pytest.mark.parametrize(("piece", "cut"), [('"the king', True), ('"the king is dead"', False), ("\u201cno", True)])
def test_a_piece_ends_no_quotation_in_its_middle(piece, cut):
    assert cuts_a_quotation(piece) is cut
