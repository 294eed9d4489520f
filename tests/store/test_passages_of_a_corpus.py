"""Passages and searches as a corpus gives them: sizes, breaks, order and what a change does to both."""

from __future__ import annotations

import pytest
from documents_by_hand import documents, make_document, words
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import Corpus
from spanwise.domain.document import Box, Document, Line, Page, Section
from spanwise.errors import DocumentNotFoundError, InputError
from spanwise.store.codec import encode
from spanwise.store.index import create_index


def passages(document: Document):
    with Corpus.of([document]) as corpus:
        return corpus.passages(document.name)


def sizes(document: Document) -> list[int]:
    return [len(passage.text.split()) for passage in passages(document)]


def ranges(document: Document) -> list[tuple[int, int]]:
    return [(one.line_start, one.line_end) for one in passages(document)]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        ([200], [200]),
        ([100, 100], [200]),
        ([100, 101], [100, 101]),
        ([150, 150], [150, 150]),
        ([60, 60, 60, 60], [120, 120]),
        ([20] * 12, [120, 120]),
        ([20] * 30, [140, 160, 160, 140]),
        ([39, 190], [229]),
        ([190, 5], [195]),
        ([90, 90, 90, 90], [180, 180]),
    ],
)
def test_paragraphs_are_packed_into_passages_of_equal_size(paragraphs, expected):
    found = sizes(make_document(*[words(count) for count in paragraphs]))
    assert sum(found) == sum(paragraphs)
    assert len(found) == len(expected)
    assert max(found) <= max(200, *paragraphs) + 39


@pytest.mark.parametrize(
    ("rows", "words_a_row", "count"),
    [(40, 10, 1), (41, 10, 2), (80, 10, 2), (81, 10, 3), (4, 100, 1), (3, 500, 3)],
)
def test_a_table_is_cut_above_four_hundred_words_into_equal_parts(rows, words_a_row, count):
    found = sizes(make_document(*[(words(words_a_row), "table_row")] * rows))
    assert len(found) == count
    assert max(found) - min(found) <= 2 * words_a_row


@pytest.mark.parametrize(("lines", "count"), [(20, 1), (21, 2), (40, 2), (41, 3)])
def test_a_paragraph_is_cut_above_two_hundred_words_into_equal_parts(lines, count):
    found = sizes(make_document(*[words(10)] * lines, one_block=True))
    assert len(found) == count
    assert max(found) - min(found) <= 20


def test_a_heading_and_a_lead_in_go_with_what_follows():
    heading = ranges(make_document(words(150), ("Fees", "heading"), words(150)))
    assert heading == [(1, 1), (2, 3)]
    lead_in = ranges(make_document(words(150), "The fees are these:", words(150)))
    assert lead_in == [(1, 1), (2, 3)]
    both = ranges(make_document(words(150), ("Fees", "heading"), "The fees are these:", words(150)))
    assert both == [(1, 1), (2, 4)]
    plain = ranges(make_document(words(150), "The fees are these.", words(150)))
    assert plain == [(1, 2), (3, 3)]
    long = ranges(make_document(words(120), f"{words(41)}:", words(150)))
    assert long == [(1, 2), (3, 3)]


def test_headings_at_the_end_of_a_section_go_with_the_next_one_and_keep_their_place():
    sections = [Section("One", 1, 2, 3, 1, 1), Section("Two", 1, 4, 5, 1, 1)]
    document = make_document("Intro.", ("One", "heading"), "Text.", ("Two", "heading"), "More.", sections=sections)
    assert [(one.line_start, one.line_end, one.section) for one in passages(document)] == [
        (1, 1, None), (2, 3, "One"), (4, 5, "Two"),
    ]  # fmt: skip
    early = [Section("One", 1, 1, 4, 1, 1), Section("Two", 1, 5, 5, 1, 1)]
    moved = make_document("Intro.", "Text.", ("Chapter", "heading"), ("Two", "heading"), "More.", sections=early)
    assert [(one.line_start, one.line_end, one.section) for one in passages(moved)] == [(1, 2, "One"), (3, 5, "Two")]
    last = make_document("Text.", ("End", "heading"), sections=[Section("One", 1, 1, 2, 1, 1)])
    assert ranges(last) == [(1, 2)]


def test_rows_of_a_table_stay_apart_from_text_and_blank_lines_are_counted():
    document = make_document("Text.", ("a 1", "table_row"), ("b 2", "table_row"), "", "", "End.")
    (passage,) = passages(document)
    assert passage.blocks == ((1, "text"), (1, "table_row"), (1, "table_row"), (1, "blank"), (1, "blank"), (1, "text"))


def test_a_passage_has_the_page_of_its_first_line():
    lines = tuple(Line(at, 1 if at < 3 else 2, at, f"Line {at}.", None, "text", at) for at in range(1, 5))
    document = Document("x", "a.txt", "text", lines, (Page(1, "1", 0, 0, 1, 2), Page(2, "2", 0, 0, 3, 4)), ())
    (passage,) = passages(document)
    assert (passage.page, passage.id, passage.document) == (1, "a.txt:1-4", "a.txt")


@settings(max_examples=25)
@given(documents(), st.integers(1, 12), st.integers(0, 12))
def test_lines_and_passages_of_a_range_are_those_that_share_a_line_with_it(document, first, more):
    last = first + more
    with Corpus.of([document]) as corpus:
        everything = corpus.passages(document.name)
        assert corpus.lines(document.name, first, last) == document.lines[first - 1 : last]
        assert corpus.passages(document.name, first, last) == tuple(
            one for one in everything if one.line_start <= last and one.line_end >= first
        )
        assert corpus.passages(document.name, first) == tuple(one for one in everything if one.line_end >= first)


def long_document(count: int, name: str = "long.txt") -> Document:
    """Pages of 450 lines, so that a page is packed in three runs."""
    lines = tuple(
        Line(at + 1, at // 450 + 1, at % 450 + 1, f"line {at + 1}", Box(at // 450 + 1, 1, at, 9, at + 1), "text", at)
        for at in range(count)
    )
    pages = tuple(
        Page(number + 1, str(number + 1), 0, 0, number * 450 + 1, min(count, number * 450 + 450))
        for number in range(-(-count // 450))
    )
    return Document("y" * 64, name, "text", lines, pages, paged=True)


@pytest.mark.parametrize(
    ("first", "last"), [(1, 1), (200, 201), (201, 201), (399, 451), (450, 451), (1, 1000), (998, 2000), (1001, 1002)]
)
def test_any_lines_of_a_long_document_come_back_as_they_were(first, last):
    document = long_document(1000)
    with Corpus.of([document]) as corpus:
        assert corpus.lines("long.txt", first, last) == document.lines[first - 1 : last]
    assert [len(range(run.first, run.last + 1)) for run in encode(document).runs] == [200, 200, 50, 200, 200, 50, 100]


ANIMALS = ["The cat sleeps.", "The dog barks at the cat.", "The owl hunts.", "The cat and the other cat play."]


@pytest.fixture
def animals():
    with Corpus.of([make_document(text, name=f"{at}.txt") for at, text in enumerate(ANIMALS)]) as corpus:
        yield corpus


def found(corpus, *arguments, **options) -> list[str]:
    return [hit.passage.document for hit in corpus.search(*arguments, **options)]


def test_a_search_gives_the_best_first_and_as_many_as_asked(animals):
    assert set(found(animals, "cat")) == {"0.txt", "1.txt", "3.txt"}
    scores = [hit.score for hit in animals.search("cat")]
    assert scores == sorted(scores, reverse=True)
    assert found(animals, "cat", k=1) == found(animals, "cat")[:1]
    assert found(animals, "cat", k=2) == found(animals, "cat")[:2]
    assert found(animals, "owls hunting") == ["2.txt"]
    assert all(hit.factors == {"bm25": hit.score} for hit in animals.search("cat"))


def test_a_search_may_be_bounded_to_documents(animals):
    assert found(animals, "cat", documents=["1.txt", "2.txt"]) == ["1.txt"]
    assert found(animals, "cat", documents="0.txt") == ["0.txt"]
    assert found(animals, "cat", documents=[]) == []
    with pytest.raises(DocumentNotFoundError):
        animals.search("cat", documents=["9.txt"])


@pytest.mark.parametrize("k", [0, -1, 10_001])
def test_between_one_and_ten_thousand_hits_can_be_asked_for(animals, k):
    assert len(animals.search("cat", k=10_000)) == 3
    with pytest.raises(InputError, match=str(k)):
        animals.search("cat", k=k)


def test_words_that_say_nothing_count_only_where_there_are_no_others(animals):
    assert found(animals, "the owl") == ["2.txt"]
    assert len(found(animals, "the")) == 4
    assert found(animals, "") == []
    assert found(animals, "?!") == []


def test_equal_passages_are_in_the_order_of_their_documents_however_many():
    same = [make_document("The same words.", name=f"{at:03}.txt") for at in range(60)]
    with Corpus.of(reversed(same)) as corpus:
        for k in (1, 5, 20, 21, 59, 60, 61):
            assert found(corpus, "same words", k=k) == [f"{at:03}.txt" for at in range(min(k, 60))]


def test_the_title_of_a_section_finds_its_passage():
    section = Section("Penalties", 1, 2, 2, 1, 1)
    with Corpus.of([make_document("Nothing.", "Ten per cent.", sections=[section])]) as corpus:
        (hit,) = corpus.search("penalty")
        assert (hit.passage.line_start, hit.passage.section) == (2, "Penalties")


def test_a_word_that_is_broken_at_the_end_of_a_line_is_found_whole_and_in_parts():
    with Corpus.of([make_document("the compen-", "sation is due", one_block=True)]) as corpus:
        for words_asked in ("compensation", "compen", "sation"):
            assert found(corpus, words_asked) == ["a.txt"]


def test_what_changes_is_found_at_once_and_what_is_gone_is_not(animals):
    before = found(animals, "cat")
    assert found(animals, "cat") == before
    animals.put(make_document("The cat is a lion.", name="5.txt"))
    assert found(animals, "lion") == ["5.txt"]
    assert set(found(animals, "cat")) == {*before, "5.txt"}
    animals.put(make_document("The dog is a wolf.", name="5.txt"))
    assert found(animals, "lion") == []
    animals.remove("0.txt")
    assert set(found(animals, "cat")) == {*before} - {"0.txt"}
    assert (animals.count(), len(animals.documents())) == (4, 4)
    for call in (animals.document, animals.stored, animals.pages, animals.sections, animals.passages, animals.remove):
        with pytest.raises(DocumentNotFoundError):
            call("0.txt")


def test_a_list_of_hits_that_a_caller_changes_is_its_own(animals):
    first = animals.search("cat")
    first.clear()
    assert len(animals.search("cat")) == 3


def test_a_stop_from_the_keyboard_is_no_damaged_index():
    class Stopped(list):
        def __iter__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        create_index(None).now.search(Stopped(), 1, None)


@pytest.mark.parametrize(("lines", "expected"), [([85, 50, 75], [85, 125]), ([85, 35, 90], [120, 90])])
def test_a_long_paragraph_is_cut_where_its_parts_are_most_equal(lines, expected):
    assert sizes(make_document(*[words(count) for count in lines], one_block=True)) == expected
