"""What the guard looks up instead of building it: pairs of words, the nearest units, the sources that hold a word."""

import heapq
from itertools import pairwise, product

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from spanwise.contract.adapters import given_passages
from spanwise.guard import units as reading
from spanwise.guard.alignment import align, most_shared
from spanwise.guard.evidence import _CANDIDATES, _nearest
from spanwise.guard.units import read_sources

PASSAGES = [
    "The vendor keeps records of each delivery. The customer pays the vendor within thirty days.",
    "Each delivery is recorded. A customer may return goods to the vendor.",
    "Nothing else is said.",
]


@pytest.fixture
def sources():
    return read_sources(given_passages(PASSAGES))


def test_words_side_by_side(sources):
    pairs = {
        pair
        for unit in sources.units
        for pair in (*pairwise(unit.stems), *zip(unit.stems, unit.stems[2:], strict=False))
    }
    stems = [*sources.postings, "unknown"]
    assert {pair for pair in product(stems, stems) if sources.side_by_side(*pair)} == pairs


def test_the_sources_that_hold_a_word(sources):
    for stem in [*sources.postings, "unknown"]:
        held = {index for index, source in enumerate(sources.sources) if any(stem in u.known for u in source.units)}
        assert set(sources.holders[stem]) == held
    assert len(sources.holders) == len(sources.postings) + 1


@given(st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0, 1.5, 2.25]), max_size=60))
def test_the_nearest_units(rated):
    held = [(number, rate) for number, rate in enumerate(rated) if rate]
    expected = heapq.nsmallest(_CANDIDATES, held, key=lambda item: (-item[1], item[0]))
    assert _nearest(rated) == expected


def test_the_same_passages_are_read_once_and_belong_to_whoever_gave_them():
    first = read_sources(given_passages([{"id": "a", "text": text} for text in PASSAGES]))
    again = read_sources(given_passages([{"id": "b", "text": text} for text in PASSAGES]))
    assert all(one is other for one, other in zip(first.units, again.units, strict=True))
    assert [source.given.passage.id for source in again.sources] == ["b", "b", "b"]


@pytest.mark.parametrize(
    "other",
    [
        [{"text": PASSAGES[0], "title": "Records"}],
        [{"text": PASSAGES[0], "line_start": 7}],
        [{"text": PASSAGES[1]}, {"text": PASSAGES[0]}],
    ],
)
def test_other_places_and_headings_are_other_passages(other):
    alone = read_sources(given_passages([PASSAGES[0]]))
    assert all(one is not unit for one in alone.units for unit in read_sources(given_passages(other)).units)


def test_long_passages_are_not_kept(monkeypatch):
    monkeypatch.setattr(reading, "_KEPT_CHARACTERS", 10)
    given = given_passages(PASSAGES)
    assert read_sources(given).units[0] is not read_sources(given).units[0]
    assert [vars(unit) for unit in read_sources(given).units] == [vars(unit) for unit in read_sources(given).units]
    assert reading._read_again.cache_info().maxsize == 4


@every("ours", [*PASSAGES, "Customers pay within thirty days.", ""])
@every("theirs", PASSAGES)
def test_no_alignment_shares_more_than_is_possible(ours, theirs):
    assert align(ours, theirs).share <= most_shared(ours, theirs)
