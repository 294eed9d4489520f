from __future__ import annotations

import pytest
from documents_by_hand import documents, make_document, words
from hypothesis import given

from spanwise.domain.document import Document, Section
from spanwise.domain.passage import Passage
from spanwise.store.passages import MOST_TABLE_WORDS, MOST_WORDS, build_passages, innermost_sections


def section(title: str, first: int, last: int, level: int = 1) -> Section:
    return Section(title, level, first, last, 1, 1)


def cut(document: Document) -> list[Passage]:
    return list(build_passages(document))


def ranges(document: Document) -> list[tuple[int, int]]:
    return [(passage.line_start, passage.line_end) for passage in cut(document)]


def size(passage: Passage) -> int:
    return len(passage.text.split())


@given(documents())
def test_every_written_line_is_in_exactly_one_passage(document: Document) -> None:
    passages = cut(document)
    covered = [number for p in passages for number in range(p.line_start, p.line_end + 1)]
    assert len(covered) == len(set(covered))
    written = {line.number for line in document.lines if line.role != "blank" and line.text.strip()}
    assert written <= set(covered)


@given(documents())
def test_text_and_blocks_agree_with_the_lines(document: Document) -> None:
    for passage in cut(document):
        assert passage.text == document.text(passage.line_start, passage.line_end)
        assert sum(length for length, _ in passage.blocks) == passage.line_end - passage.line_start + 1
        assert passage.page == document.line(passage.line_start).page
        assert passage.id == f"{document.name}:{passage.line_start}-{passage.line_end}"


def test_short_document_is_one_passage() -> None:
    assert ranges(make_document("One.", "", "Two.")) == [(1, 3)]


def test_blank_lines_at_the_edges_are_left_out() -> None:
    assert ranges(make_document("", "One.", "")) == [(2, 2)]


def test_document_without_text_has_no_passage() -> None:
    assert cut(make_document("", "")) == []


def test_long_text_is_cut_into_passages_of_about_equal_size() -> None:
    sizes = [size(p) for p in cut(make_document(*[words(20)] * 50))]
    assert sum(sizes) == 1000
    assert all(120 <= count <= 200 for count in sizes)


def test_paragraph_is_not_cut_when_it_fits() -> None:
    document = make_document(*[words(60)] * 10)
    assert all(size(p) % 60 == 0 for p in cut(document))


def test_one_huge_paragraph_is_cut_between_lines() -> None:
    passages = cut(make_document(*[words(12)] * 100, one_block=True))
    assert len(passages) > 4
    assert all(size(p) <= MOST_WORDS for p in passages)


def test_table_stays_whole_up_to_its_bound() -> None:
    document = make_document(*[(words(10), "table_row")] * 35)
    assert ranges(document) == [(1, 35)]


def test_huge_table_is_cut_between_rows() -> None:
    passages = cut(make_document(*[(words(10), "table_row")] * 200))
    assert len(passages) > 4
    assert all(size(p) <= MOST_TABLE_WORDS for p in passages)


def test_passage_ends_with_its_section() -> None:
    document = make_document("One.", "Two.", sections=[section("A", 1, 1), section("B", 2, 2)])
    assert [(p.line_start, p.section) for p in cut(document)] == [(1, "A"), (2, "B")]


def test_section_is_the_innermost() -> None:
    document = make_document("One.", "Two.", "Three.", sections=[section("A", 1, 3), section("A.1", 2, 2, level=2)])
    assert [p.section for p in cut(document)] == ["A", "A.1", "A"]


def test_text_before_the_first_heading_has_no_section() -> None:
    document = make_document("Intro.", "One.", sections=[section("A", 2, 2)])
    assert [p.section for p in cut(document)] == [None, "A"]


def test_heading_without_text_goes_with_the_section_below_it() -> None:
    document = make_document(
        ("1 Terms", "heading"),
        ("1.1 Fees", "heading"),
        "The fee is ten.",
        sections=[section("1 Terms", 1, 3), section("1.1 Fees", 2, 3, level=2)],
    )
    [passage] = cut(document)
    assert (passage.line_start, passage.line_end, passage.section) == (1, 3, "1.1 Fees")


def test_heading_is_not_left_at_the_end_of_a_passage() -> None:
    document = make_document(words(150), ("Fees", "heading"), words(150), words(20))
    assert all(not p.text.endswith("Fees") for p in cut(document))


def test_lead_in_stays_with_its_list() -> None:
    items = [(words(15), "list_item")] * 9
    document = make_document(words(150), "The following apply:", *items)
    assert all(not p.text.endswith(":") for p in cut(document))


def test_only_headings_are_still_covered() -> None:
    assert ranges(make_document(("A", "heading"), ("B", "heading"))) == [(1, 2)]


def test_many_headings_do_not_pile_up() -> None:
    passages = cut(make_document(*[(words(10), "heading")] * 200))
    assert all(size(p) <= 2 * MOST_WORDS for p in passages)


def test_headings_of_one_word_are_no_more_work_than_others(calls) -> None:
    def work(count: int) -> int:
        lines = [("Word", "heading")] * count
        document = make_document(*lines, sections=[section("Word", at, at) for at in range(1, count + 1)])
        return calls(lambda: cut(document))

    short, long = work(400), work(1600)  # those in hand are up to 200, so that fewer would hide what each costs
    assert long < 5 * short
    assert long < 1600 * 50


def test_line_without_spaces_counts_by_its_length() -> None:
    passages = cut(make_document(*["字" * 400] * 20))
    assert len(passages) > 3


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ([], [-1, -1, -1]),
        ([section("A", 2, 3)], [-1, 0, 0]),
        ([section("A", 1, 3), section("B", 2, 2, level=2)], [0, 1, 0]),
        ([section("A", 1, 1), section("B", 1, 3)], [1, 1, 1]),
        ([section("A", 1, 99)], [0, 0, 0]),
    ],
)
def test_innermost_sections(sections: list[Section], expected: list[int]) -> None:
    assert innermost_sections(sections, 3) == expected


def test_innermost_sections_of_many_that_overlap_is_fast() -> None:
    sections = [section("A", 1, 100_000 - at, level=at) for at in range(10_000)]
    assert len(innermost_sections(sections, 100_000)) == 100_000
