import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.text.fold import fold, folded


@pytest.mark.parametrize(
    ("written", "quoted"),
    [
        ("The Late Fee", "the late fee"),
        ("eﬃcient ﬁling", "efficient filing"),
        ("infor-\nmation", "information"),
        ("infor\ufffe\nmation", "information"),
        ("on-demand self-\nservice", "on-demand self-service"),
        ("the “Term” isn’t", 'the "term" isn\'t'),
        ("a \u2013 b", "a - b"),
        ("zero\u200bwidth\u00adsoft", "zerowidthsoft"),
        ("two  spaces\n\tand a break", "two spaces and a break"),
        ("caf\u00e9", "cafe\u0301"),
        ("STRASSE", "straße"),
    ],
)
def test_the_same_words_written_differently_fold_alike(written, quoted):
    assert folded(written) == folded(quoted)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-5", "5"),
        ("2019-2021", "20192021"),
        ("(1,577)", "1,577"),
        ("1.5", "15"),
        ("not", "no t"),
        ("10²", "102"),
        ("1½", "11⁄2"),
    ],
)
def test_what_changes_the_meaning_stays_different(one, other):
    assert folded(one) != folded(other)


@given(st.text(max_size=200))
def test_every_folded_character_comes_from_its_original_place(text):
    result = fold(text)
    assert len(result.text) == len(result.origin)
    assert list(result.origin) == sorted(result.origin)
    for start in range(len(result.text)):
        first, last = result.original(start, start + 1)
        assert 0 <= first < last <= len(text)


@given(st.text(max_size=200))
def test_folding_twice_is_folding_once(text):
    once = folded(text)
    assert folded(once) == once


def test_a_range_maps_back_to_the_original_words():
    text = "All  infor-\nmation is SECRET."
    result = fold(text)
    start = result.text.index("information")
    first, last = result.original(start, start + len("information"))
    assert text[first:last] == "infor-\nmation"


@pytest.mark.parametrize(("start", "end"), [(0, 0), (-1, 2), (0, 99), (3, 2)])
def test_a_range_outside_is_refused(start, end):
    with pytest.raises(IndexError, match="no characters"):
        fold("short").original(start, end)


@given(st.text(alphabet="aB1 -\n\t\x1c\x85\u2019\u2014\u2022\u00a0\u00e9\ufb01", max_size=40) | st.text(max_size=100))
def test_the_fast_way_agrees_with_the_one_that_keeps_offsets(text):
    assert folded(text) == fold(text).text
