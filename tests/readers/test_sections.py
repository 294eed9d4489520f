from __future__ import annotations

import pytest

from spanwise.domain.document import Line
from spanwise.readers.builder import SectionStart, build_sections
from spanwise.readers.typed_headings import find_headings


def lines_on_pages(*pages: int) -> list[Line]:
    return [Line(number, page, 1, f"line {number}") for number, page in enumerate(pages, start=1)]


def ends(levels_and_lines: list[tuple[int, int]], lines: list[Line], page_count: int) -> list[int]:
    starts = [SectionStart(level, f"S{first}", first) for level, first in levels_and_lines]
    return [section.section_end_page for section in build_sections(starts, lines, page_count)]


NINE_PAGES = lines_on_pages(1, 2, 3, 4, 5, 6, 7, 8, 9)


def test_a_section_ends_on_the_page_before_the_next_one() -> None:
    assert ends([(1, 1), (1, 5), (1, 6)], NINE_PAGES, 9) == [4, 5, 9]


def test_sections_that_start_on_one_page_end_on_it() -> None:
    lines = lines_on_pages(5, 5, 7)
    assert ends([(1, 1), (1, 2), (1, 3)], lines, 8) == [5, 6, 8]


def test_a_parent_ends_with_its_last_child() -> None:
    parent, first, second, after = build_sections(
        [SectionStart(1, "A", 1), SectionStart(2, "A.1", 2), SectionStart(2, "A.2", 4), SectionStart(1, "B", 6)],
        NINE_PAGES,
        9,
    )
    assert (parent.last_line, second.last_line, first.last_line) == (5, 5, 3)
    assert parent.section_end_page == second.section_end_page == 5
    assert after.last_line == 9


def test_a_deeper_heading_does_not_end_its_parent() -> None:
    assert ends([(1, 1), (3, 2), (2, 3)], NINE_PAGES, 9) == [9, 2, 9]


def test_headings_are_put_in_document_order() -> None:
    sections = build_sections([SectionStart(1, "B", 6), SectionStart(1, "A", 1)], NINE_PAGES, 9)
    assert [section.title for section in sections] == ["A", "B"]


def test_two_headings_of_one_line_both_keep_that_line() -> None:
    sections = build_sections([SectionStart(1, "A", 3), SectionStart(1, "B", 3)], NINE_PAGES, 9)
    assert [(section.first_line, section.last_line) for section in sections] == [(3, 3), (3, 9)]


@pytest.mark.parametrize("first_line", [0, -1, 10])
def test_a_heading_without_a_line_is_left_out(first_line: int) -> None:
    assert build_sections([SectionStart(1, "A", first_line)], NINE_PAGES, 9) == ()


def test_no_headings_give_no_sections() -> None:
    assert build_sections([], NINE_PAGES, 9) == ()


def test_a_numbered_sentence_is_no_heading_where_every_noun_has_a_capital():
    lines = [
        "§ 3 Mietzins",
        "",
        "§ 4 Die Kaution beträgt 7.350 Euro.",
        "",
        "§ 6 Die Kündigungsfrist beträgt sechs Monate.",
    ]
    assert [*find_headings(lines)] == [0]
