"""Where pages and spans end: `completeness` and `span_boundaries` over documents made for the purpose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import Span, completeness, span_boundaries
from spanwise.domain.document import Box, Document, Line, Page


def paged(*pages: str, roles=None, blocks=None, readable=()):
    """A document of these pages; a line is a block of its own unless `blocks` names others, by the line's text."""
    lines, made = [], []
    for number, text in enumerate(pages, 1):
        first = len(lines) + 1
        for place, row in enumerate(text.split("\n") if text else [], 1):
            role = (roles or {}).get(row, "text" if row.strip() else "blank")
            block = (blocks or {}).get(row, 1000 + len(lines))
            lines.append(Line(len(lines) + 1, number, place, row, role=role, block=block))
        shown = readable[number - 1] if readable else True
        made.append(Page(number, str(number), 612, 792, first, len(lines), readable=shown))
    return Document("id", "policy.pdf", "pdf", tuple(lines), tuple(made), paged=True)


def bounded(tail: str, head: str, **said) -> bool | None:
    return completeness(paged(tail, head, "The end.", **said), first_page=1, last_page=1, overlap_page=2)


@given(st.integers(1, 25))
def test_any_next_item_of_a_list_goes_on_and_any_other_one_does_not(number):
    letters = "abcdefghijklmnopqrstuvwxyz"
    mark, after = letters[number - 1], letters[number]
    assert bounded(f"({mark}) the tenant.", f"({after}) the landlord.") is False
    assert bounded(f"{number}. the tenant pays.", f"{number + 1}. the landlord pays.") is False
    assert bounded(f"{number}. the tenant pays.", "1. The landlord pays.") is True


@pytest.mark.parametrize("distance", [1, 40, 78])
def test_the_item_before_may_stand_far_up_the_pages_that_were_read(distance):
    between = "\n".join(f"Sentence {at} is whole." for at in range(distance))
    tail = f"(a) the tenant.\n{between}"
    assert bounded(tail, "(b) the landlord.") is False


def test_the_pages_before_the_last_one_count_too():
    document = paged("(a) the tenant.", "Something whole.", "(b) the landlord.", "End.")
    assert completeness(document, first_page=1, last_page=2, overlap_page=3) is False
    assert completeness(document, first_page=2, last_page=2, overlap_page=3) is False  # nothing begins with (b)


@pytest.mark.parametrize(
    ("tail", "head", "whole"),
    [
        ("Exclusions\nWar.", "Exclusions (continued)\nFlood.", False),
        ("Exclusions\nWar.", "Exclusions - cont'd.\nFlood.", False),
        ("Exclusions\nWar.", "Limits (continued)\nThe limit is ten.", True),
        ("Exclusions\nWar.", "Limits (continued)\nand so on.", False),
        ("Notes (continued)\nWar.", "Notes (continued)\nFlood is covered.", True),
        ("War and flood (continued on page 7)", "Flood.", False),
    ],
)
def test_what_is_said_to_be_continued_goes_on_where_it_began(tail, head, whole):
    assert bounded(tail, head) is whole


LONG = "This is a line of running text that is quite a bit longer than fifty characters"


@pytest.mark.parametrize(
    ("tail", "head", "whole"),
    [
        (f"{LONG}\n{LONG} 2", "Another begins.", False),
        (f"{LONG}\n{LONG}.", "Another begins.", True),
        (f"{LONG}", "Another begins.", True),
        ("Short line\nAnother short", "Another begins.", True),
        (f"{LONG}\n{LONG} 2", "A TITLE IN CAPITALS", True),
    ],
)
def test_a_paragraph_without_its_full_stop_goes_on(tail, head, whole):
    blocks = {LONG: 1, f"{LONG} 2": 1, f"{LONG}.": 1, "Short line": 2, "Another short": 2}
    assert bounded(tail, head, blocks=blocks) is whole


def test_a_heading_or_a_row_at_the_foot_is_no_open_sentence():
    assert bounded("Text.\nthe rest of", "house rules.", roles={"the rest of": "heading"}) is True
    assert bounded("Text.\nthe rest of", "house rules.") is False
    assert bounded("Text.\nRow of", "another row", roles={"Row of": "table_row"}) is True


@pytest.mark.parametrize(
    ("tail", "head", "whole"),
    [
        ("Year  Sales\n2023  1,577", "2022  1,400", False),
        ("Year  Sales\n2023  1,577", "In millions\nof dollars\n2022  1,400", False),
        ("Year  Sales\n2023  1,577", "In millions.\nOf dollars.\nAll told.\n2022  1,400", True),
        ("Year  Sales\n2023  1,577", "2022  1,400  1,300", True),
        ("Year  Sales\n2023  1,577", "Section 5. Costs\n2022  1,400", True),
    ],
)
def test_a_table_goes_on_where_one_of_the_first_three_lines_has_as_many_cells(tail, head, whole):
    assert bounded(tail, head) is whole


@pytest.mark.parametrize(("lines", "whole"), [(1, False), (11, False), (12, True), (20, True)])
def test_an_open_list_may_go_on_below_a_few_paragraphs(lines, whole):
    head = "\n".join(f"Sentence {at} of the item." for at in range(lines))
    assert bounded("(b) the tenant.", f"{head}\n(c) the landlord.") is whole


@pytest.mark.parametrize(("tail", "head"), [(0, 0), (10, 10), (10, 14)])
def test_bullets_of_one_indent_are_one_list(tail, head):
    document = paged("\u2022 the tenant.", "\u2022 the landlord.", "End.")
    lines = [
        Line(line.number, line.page, 1, line.text, Box(line.page, x0, 10, 200, 20))
        for line, x0 in zip(document.lines, (tail, head, 0), strict=True)
    ]
    moved = Document("id", "a.pdf", "pdf", tuple(lines), document.pages, paged=True)
    assert completeness(moved, first_page=1, last_page=1, overlap_page=2) is False
    spaced = paged("  \u2022 the tenant.", "  \u2022 the landlord.", "End.")
    assert completeness(spaced, first_page=1, last_page=1, overlap_page=2) is False
    apart = paged("\u2022 the tenant.", "    \u2022 the landlord.", "End.")
    assert completeness(apart, first_page=1, last_page=1, overlap_page=2) is True


def test_the_overlap_page_is_any_later_page_with_something_to_read():
    document = paged("(a) war.", "", "(b) flood.", "End.")
    for overlap in (2, 3):
        assert completeness(document, first_page=1, last_page=1, overlap_page=overlap) is False
    assert completeness(document, first_page=1, last_page=1, overlap_page=4) is True
    unread = paged("(a) war.", "", "(b) flood.", "End.", readable=(True, False, True, True))
    assert completeness(unread, first_page=1, last_page=1, overlap_page=2) is None
    assert completeness(unread, first_page=1, last_page=1, overlap_page=3) is False


@pytest.mark.parametrize(
    ("last_line", "overlap", "whole"),
    [(1, 2, False), (2, 2, False), (3, 2, False), (None, 2, False), (1, None, True), (1, 3, True), (None, None, None)],
)
def test_a_section_that_ends_above_the_foot_is_open_only_where_its_next_item_begins_the_next_page(
    last_line, overlap, whole
):
    document = paged("(a) war;\nThat is the list.\nAnd this is all.", "(b) flood.\nThat is all.", "End.")
    assert completeness(document, first_page=1, last_page=1, overlap_page=overlap, last_line=last_line) is whole


def span(document, start, end):
    check = span_boundaries(Span(line_start=start, line_end=end), document)
    return check.starts_clean, check.ends_clean, check.contiguous


def test_a_span_lies_well_or_not_in_its_text():
    document = paged(
        "Fees\nThe fee is due.\nIt is paid at once\nby the tenant.\n\n(a) war;\nYear 2023\nLast words",
        roles={"Fees": "heading", "Year 2023": "table_row"},
        blocks={"The fee is due.": 1, "It is paid at once": 1, "by the tenant.": 1, "(a) war;": 2, "Year 2023": 2},
    )
    assert span(document, 1, 1) == (True, True, True)
    assert span(document, 2, 2) == (True, True, True)
    assert span(document, 3, 4) == (True, True, True)
    assert span(document, 3, 3) == (True, False, True)
    assert span(document, 4, 4) == (False, True, True)
    assert span(document, 5, 6) == (False, False, False)
    assert span(document, 6, 6) == (True, False, True)
    assert span(document, 7, 7) == (False, True, True)
    assert span(document, 1, 2) == (True, True, True)
    assert span(document, 4, 6) == (False, False, False)
    assert span(document, 8, 8) == (True, False, True)
