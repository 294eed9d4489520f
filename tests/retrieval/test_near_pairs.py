"""Pairs of neighbouring words are found by the places of a question's words: the same ones as among all pairs."""

from itertools import pairwise, product

import pytest

from spanwise.domain.passage import Passage
from spanwise.retrieval.factors import _near
from spanwise.text.passage_reading import read_passage

ASKED = set(product(("board", "key", "gate"), repeat=2))


@pytest.mark.parametrize(
    "text",
    [
        "Nothing of the kind.",
        "The board has a key.",
        "The key of the northern gate, which the board keeps, is no key.",
        "Key key gate board, board. Gate northern southern key eastern board key!",
        "The board12 of the gates keyed board.",
    ],
)
def test_near_pairs_are_those_among_all_pairs(text):
    reading = read_passage(Passage("a:1-1", "a", 1, 1, 1, text))
    stems = [stem for _, stem in reading.words]
    assert _near(ASKED, reading) == ASKED.intersection((*pairwise(stems), *zip(stems, stems[2:], strict=False)))
