"""What tokens have is added up once for all pieces of a sentence: each piece still has what it would have alone."""

import pytest

from spanwise.synthesis.extractive import spans
from spanwise.synthesis.extractive.span_features import Wholes
from spanwise.synthesis.extractive.span_tokens import pieces, take_apart
from spanwise.synthesis.extractive.spans import SpanWeights, best_piece

QUESTION = "Which company sold the northern ferry line in 1998?"
SENTENCES = [
    'In 1998 the "Blue (Star) Group" of Hull sold its northern ferry line [the oldest one] for 3.5 million dollars.',
    "The line, which Stena bought and which had been built in 1951, was sold (in part) to the company.",
    "Nothing.",
]


def counted(words, first, last):
    """Some of the features, counted token by token."""
    inside = range(first, last + 1)
    texts = words.texts
    asked = sum(bool(words.roles[at]) for at in inside)
    found = {f"n{len(inside)}", f"o{min(2, asked)}", f"h{any(words.nouns[at] for at in inside)}"}
    opened = texts[:first].count("(") - texts[:first].count(")")
    found.add(f"par{max(0, min(1, opened))}")
    if sum(texts[at] in "()[]" for at in inside) % 2:
        found.add("unb")
    if sum(texts[at] in '"\u201c\u201d' for at in inside) % 2:
        found.add("unq")
    if "of" in words.looks[first : last + 1]:
        found.add("of")
    return found


COUNTED = ("n", "o", "h", "par", "unb", "unq")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_piece_has_what_its_tokens_have(sentence):
    words = take_apart(QUESTION, sentence)
    wholes = Wholes(words)
    for first, last in pieces(words):
        features = wholes.features(first, last)
        told = {one for one in features if one in ("unb", "unq", "of") or one.rstrip("-0123456789TrueFals") in COUNTED}
        assert counted(words, first, last) <= set(features)
        assert told - {"hl"} <= counted(words, first, last)


def test_a_piece_is_looked_for_once_with_each_model():
    spans.best_piece.cache_clear()
    weights = SpanWeights({"n1": 5.0})
    assert best_piece(QUESTION, SENTENCES[0]) == best_piece(QUESTION, SENTENCES[0])
    assert best_piece(QUESTION, SENTENCES[0], weights) != best_piece(QUESTION, SENTENCES[0])
    assert best_piece.cache_info().misses == 2
    assert best_piece.cache_info().maxsize == 64
