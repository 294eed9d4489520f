import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import count_tokens, split_tokens
from spanwise.text.tokens import reach, token_bound

PIECES = ["a", "word", "internationalisation", "你", "好", "😀", "👨‍👩‍👧", "e\u0301", " ", "  ", "\n", "x" * 40]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def test_pieces_have_as_much_in_common_as_asked_for():
    text = " ".join(map(str, range(1, 11)))
    assert split_tokens(text, 4, 2) == ["1 2 3 4", "3 4 5 6", "5 6 7 8", "7 8 9 10"]
    assert split_tokens(text, 4) == ["1 2 3 4", "5 6 7 8", "9 10"]


@pytest.mark.parametrize(("size", "overlap"), [(4, 4), (4, 5), (0, 0), (4, -1)])
def test_an_overlap_as_large_as_a_piece_is_an_error(size, overlap):
    with pytest.raises(ValueError, match="overlap < size"):
        split_tokens("a b c", size, overlap)


@settings(deadline=None)
@given(TEXTS, st.integers(1, 12), st.integers(0, 11))
def test_pieces_fit_and_nothing_is_lost(text, size, overlap):
    pieces = split_tokens(text, size, overlap % size)
    assert all(0 < count_tokens(piece) <= size for piece in pieces)
    assert all(piece in text for piece in pieces)
    if overlap % size == 0:
        assert "".join("".join(pieces).split()) == "".join(text.split())


@settings(deadline=None)
@given(TEXTS, st.integers(0, 30), st.integers(0, 12))
def test_reach_is_the_furthest_end_that_fits(text, start, tokens):
    start = min(start, len(text))
    ends = [end for end in range(start, len(text) + 1) if token_bound(text[start:end]) <= tokens]
    assert reach(text, start, tokens) == ends[-1]


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=6))
def test_bounds_of_parts_bound_the_whole(parts):
    assert count_tokens("".join(parts)) <= sum(map(token_bound, parts))


def test_an_emoji_is_not_cut_in_two():
    family = "👨‍👩‍👧"
    assert "".join(split_tokens(family * 4, 6)) == family * 4
    assert all(piece == family * (len(piece) // len(family)) for piece in split_tokens(family * 4, 6))
