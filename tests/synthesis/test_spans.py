import time

import pytest

from spanwise.synthesis.extractive.spans import best_piece


def answer(question, sentence):
    piece = best_piece(question, sentence)
    return sentence[piece.start : piece.end]


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("When was the bridge opened?", "The bridge was opened in 1932 by the premier of the state.", "1932"),
        ("How many people live in the town?", "About 12,500 people live in the town.", "12,500"),
        ("Who designed the bridge?", "The bridge was designed by Anna Keller.", "Anna Keller"),
        ("Where is the museum located?", "The museum is located in Lisbon.", "Lisbon"),
        ("When does the gate close on Sundays?", "The gate closes at 18:30 on Sundays.", "18:30"),
        ("How long does the train take to Leeds?", "The train takes 2 h 15 min to Leeds.", "2 h 15 min"),
        ("How large is the pitch?", "The pitch is 105 m by 68 m.", "105 m by 68 m"),
        ("When does the gate close on Sundays?", "The gate closes at 6:30 pm on Sundays.", "6:30 pm"),
        ("How long is the pipe?", "The pipe is 1.5 to 2 metres long.", "1.5 to 2 metres"),
        ("How cold is it in January?", "The temperature falls to -12 °C in January.", "-12"),
    ],
)
def test_the_piece_that_answers(question, sentence, expected):
    assert answer(question, sentence) == expected


def test_chances_are_shares_of_all_pieces():
    piece = best_piece("When was the bridge opened?", "The bridge was opened in 1932 by the premier.")
    assert 0 < piece.chance <= 1


@pytest.mark.parametrize("sentence", ["", "...", "the of is"])
def test_a_sentence_without_content_has_no_piece(sentence):
    assert best_piece("When was it?", sentence) is None


def test_a_sentence_without_end_takes_no_time():
    began = time.process_time()
    best_piece("Who was it?", "Anna met 12 Bobs, " * 2000)
    assert time.process_time() - began < 20  # a runaway takes minutes


def test_an_initial_does_not_end_a_name():
    question = "Who was appointed Chief Executive Officer?"
    sentence = "Mary N. Dillon, 61, has been appointed Chief Executive Officer of the Company."
    piece = best_piece(question, sentence)
    assert piece is not None
    assert not sentence[piece.start : piece.end].endswith("N")
