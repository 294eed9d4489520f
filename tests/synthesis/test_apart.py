import pytest

from spanwise.synthesis.extractive.span_features import Wholes, end_features, start_features
from spanwise.synthesis.extractive.span_tokens import KINDS, MOST_WORDS, asking, pieces, take_apart
from spanwise.text.related import RARE, rarity
from spanwise.text.terms import stem


@pytest.mark.parametrize(
    ("question", "kind", "fine"),
    [
        ("When was it built?", "when", "when"),
        ("In what year was it built?", "when", "when"),
        ("How many people live there?", "many", "many"),
        ("Which painter lived there?", "which", "named"),
        ("Which bridge is the longest?", "which", "which"),
        ("Name the bridge.", "other", "other"),
    ],
)
def test_how_a_question_asks(question, kind, fine):
    assert (asking(question).kind, asking(question).fine) == (kind, fine)
    assert kind in KINDS


def test_words_beside_a_question():
    words = take_apart("Who designed the old bridge?", "Anna Keller designed bridges in 1932, quickly.")
    assert words.looks == ("Cap", "Cap", "ed", "pl", "in", "Y", ",", "ly", ".")
    assert words.roles == ("", "", "f", "l", "", "", "", "", "")


def test_no_piece_is_all_asked_or_too_long():
    words = take_apart("Who designed the bridge?", "The bridge " + "was designed by Anna Keller and " * 5 + "Bob.")
    found = list(pieces(words))
    assert found
    assert all(last - first < MOST_WORDS for first, last in found)
    assert not any(all(words.asked(at) for at in range(first, last + 1)) for first, last in found)


def test_features_of_a_piece_at_both_ends_of_a_sentence():
    words = take_apart("Who was it?", "Anna")
    assert "^" in start_features(words, 0)
    assert ">$" in end_features(words, 0)
    assert "Caps" in Wholes(words).features(0, 0)


def test_common_words_tell_less_than_rare_ones():
    assert 0 < rarity(stem("people")) < rarity(stem("emperor")) < RARE
    assert rarity("zyzzyva") == RARE
