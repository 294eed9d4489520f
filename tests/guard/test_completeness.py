"""Whether the pages that were read end where the text ends, and the marks of lists that tell it."""

import pytest
from every import every

import spanwise
from spanwise import Span, completeness, span_boundaries
from spanwise.domain.document import Box, Document, Line, Page
from spanwise.errors import InputError
from spanwise.guard.completeness.lines import marker_of


def paged(*pages, roles=(), readable=True):
    """A document of these pages, each a text with a line a line; `roles` by the line's text."""
    known = dict(roles)
    lines, made = [], []
    for number, text in enumerate(pages, 1):
        first = len(lines) + 1
        for place, row in enumerate(text.split("\n") if text else [], 1):
            role = known.get(row, "text" if row.strip() else "blank")
            lines.append(Line(len(lines) + 1, number, place, row, role=role, block=len(lines)))
        made.append(Page(number, str(number), 612, 792, first, len(lines), readable=readable or bool(text)))
    return Document("id", "policy.pdf", "pdf", tuple(lines), tuple(made), paged=True)


def after(tail, head, **roles):
    document = paged(tail, head, "The last page.", **roles)
    return completeness(document, first_page=1, last_page=1, overlap_page=2)


EXCLUSIONS = "Section 4. Exclusions\nThis policy does not cover:\n(d) flood;\n(e) acts of war."


def test_an_enumeration_that_goes_on_is_truncated():
    assert after(EXCLUSIONS, "(f) nuclear events; and\n(g) wear and tear.") is False


def test_a_new_heading_bounds():
    assert after(EXCLUSIONS, "Section 5. Coverage Limits\nThe limit is USD 100.") is True


def test_the_last_page_is_bounded_and_what_was_not_retrieved_is_not_checked():
    document = paged(EXCLUSIONS, "(f) nuclear events.")
    assert completeness(document, first_page=1, last_page=2) is True
    assert completeness(document, first_page=1, last_page=1) is None


def test_running_headers_page_numbers_and_blank_lines_are_skipped():
    header = "Household Policy 2024"
    pages = [
        f"{header}\n\nFoo bar.\n\nPage 1 of 3",
        f"{header}\n\n{EXCLUSIONS}\n\nPage 2 of 3",
        f"{header}\n- 3 -\n\n(f) nuclear events.",
        f"{header}\nEnd.",
    ]
    assert completeness(paged(*pages), first_page=2, last_page=2, overlap_page=3) is False
    pages[2] = f"{header}\n- 3 -\n\nSection 5. Coverage Limits"
    assert completeness(paged(*pages), first_page=2, last_page=2, overlap_page=3) is True


def test_what_stands_above_the_page_number_is_no_heading():
    assert after(EXCLUSIONS, "HOUSEHOLD POLICY\n- 2 -\n(f) nuclear events.") is False


@every(
    ("tail", "head"),
    [
        ("4. Fire damage to the house.", "5. Water damage to the house."),
        ("4. Fire damage", "5. Water Damage"),
        ("(iv) the tenant;", "(v) the landlord."),
        ("(h) the tenant.", "(i) the landlord."),
        ("(z) the tenant.", "(aa) the landlord."),
        ("a) the tenant.", "b) the landlord."),
        ("4.2 The contractor shall pay.", "4.3 The contractor shall deliver."),
        ("\u2022 the tenant.", "\u2022 the landlord."),
        ("- the tenant", "- the landlord"),
        ("(c) the tenant.\nIt is all of them.", "The same holds for guests.\n(d) the landlord."),
        ("The insurer pays for the", "House and garden."),
        ("The insurer pays for the repair of the house", "and of the garden."),
        ("The insurer pays the replace-", "ment of the house."),
        ("The following is excluded:", "Flood."),
        ("The tenant, the landlord; and", "The neighbour."),
        ("Exclusions\n(a) war.", "Exclusions (continued)\nFlood."),
        ("Exclusions (continued on next page)", "Flood."),
        ("Year  Sales  Costs\n2023  1,577  1,300", "2022  1,400  1,200"),
        ("| Year | Sales |\n| --- | --- |\n| 2023 | 1,577 |", "| 2022 | 1,400 |"),
    ],
)
def test_what_goes_on_is_truncated(tail, head):
    assert after(tail, head) is False


@pytest.mark.parametrize(
    ("tail", "head"),
    [
        ("(e) acts of war.", "# Coverage limits"),
        ("(e) acts of war.", "ARTICLE IV"),
        ("(e) acts of war.", "Notes to the statements (continued)\nArticle 5 Limits"),
        ("4. Exclusions\nNothing is excluded.", "5. Coverage Limits\nThe limit is USD 100."),
        ("4.9 Disputes are settled by arbitration.", "5 Limits"),
        ("The insurer pays.", "The insured tells the insurer of any loss."),
        ("\u2022 the tenant\n\u2022 the landlord", "Coverage Limits"),
        ("2023  1,577  1,300", "Coverage Limits\n2023  1,577  1,300"),
        ("(iv) the tenant.", "(i) the landlord."),
        ("(c) the tenant.\nIt is all of them.", "Coverage\nSection 5. Limits\n(d) the landlord."),
        ("", "(f) nuclear events."),
    ],
)
def test_what_begins_anew_is_bounded(tail, head):
    assert after(tail, head) is True


def test_a_heading_that_the_reader_saw_bounds_though_it_is_numbered_on():
    roles = {"4. How it ends early": "heading", "5. What it costs": "heading"}
    assert after("4. How it ends early\nBy notice.", "5. What it costs\nNothing.", roles=roles) is True


def test_bullets_of_another_indent_are_another_list():
    document = paged("\u2022 the tenant", "\u2022 the landlord", "End.")
    lines = [
        Line(line.number, line.page, 1, line.text, Box(line.page, x0, 10, 200, 20))
        for line, x0 in zip(document.lines, (50, 120, 50), strict=True)
    ]
    moved = Document("id", "a.pdf", "pdf", tuple(lines), document.pages, paged=True)
    assert completeness(moved, first_page=1, last_page=1, overlap_page=2) is True


def test_a_blank_page_is_passed_over_and_a_scan_is_not_checked():
    assert completeness(paged(EXCLUSIONS, "", "(f) war."), first_page=1, last_page=1, overlap_page=2) is False
    assert completeness(paged(EXCLUSIONS, ""), first_page=1, last_page=1, overlap_page=2) is True
    scanned = paged(EXCLUSIONS, "", "(f) war.", readable=False)
    assert completeness(scanned, first_page=1, last_page=1, overlap_page=2) is None


def test_a_section_that_ends_mid_page_is_bounded_by_what_follows_it_there():
    document = paged("(a) war.\nSection 5. Limits\nThe limit of the", "insurer is USD 100.", "End.")
    assert completeness(document, first_page=1, last_page=1, overlap_page=2, last_line=1) is True
    assert completeness(document, first_page=1, last_page=1, overlap_page=2, last_line=3) is False


@pytest.mark.parametrize(
    ("foot", "head", "strong"),
    [
        ("(a) war;\nwhich ends the cover.\nA-4\nForm of Agreement", "(b) flood.", False),
        ("(a) war;\nSection 5. Limits\nNone.", "(b) flood.", True),
        ("(a) war;\nThe limits are these.", "(d) flood.", True),
        ("\u2022 war;19\n19 Of any kind.\nFree of charge from example.com", "\u2022 flood.", False),
        ("\u2022 war.\nThat is all.\nThe exclusions of the annex are:", "\u2022 flood.", True),
        ("\u2022 war;\nAnnex", "(a) flood.", True),
    ],
)
def test_a_list_whose_next_item_begins_the_next_page_is_truncated_whatever_stands_at_the_foot(foot, head, strong):
    document = paged(foot, head, "End.", roles={"Section 5. Limits": "heading"})
    assert completeness(document, first_page=1, last_page=1, overlap_page=2, last_line=1) is strong


def test_a_text_file_with_form_feeds_is_checked_like_any_other():
    text = f"Policy\n{EXCLUSIONS}\nPage 1\n\fPolicy\n(f) nuclear events.\nPage 2\n\fPolicy\nEnd.\n"
    document = spanwise.read(text.encode(), name="policy.txt")
    assert completeness(document, first_page=1, last_page=1, overlap_page=2) is False


@pytest.mark.parametrize(("first", "last", "overlap"), [(0, 1, 2), (2, 1, 2), (1, 9, None), (1, 1, 1), (1, 1, 9)])
def test_pages_that_are_not_there_are_refused(first, last, overlap):
    with pytest.raises(InputError, match=r"policy\.pdf"):
        completeness(paged("a.", "b.", "c."), first_page=first, last_page=last, overlap_page=overlap)


def test_very_long_lines_and_pages_are_read_in_time():
    page = "\n".join(["(" * 200_000, "1." * 100_000, " " * 200_000 + "x", "a\t" * 100_000])
    assert after(page, page) in (True, False)


@pytest.fixture(scope="module")
def prose():
    texts = ["Heading", "The tenant pays", "the rent monthly. The", "landlord repairs.", "", "Next paragraph"]
    blocks = [1, 2, 2, 2, 3, 4]
    roles = ["heading", "text", "text", "text", "blank", "text"]
    lines = [
        Line(number, 1, number, text, role=role, block=block)
        for number, (text, role, block) in enumerate(zip(texts, roles, blocks, strict=True), 1)
    ]
    return Document("id", "a.txt", "text", tuple(lines), (Page(1, "1", 0, 0, 1, 6),))


@pytest.mark.parametrize(
    ("start", "end", "flags"),
    [
        (2, 4, (True, True, True)),
        (3, 4, (False, True, True)),
        (4, 4, (False, True, True)),
        (2, 3, (True, False, True)),
        (2, 6, (True, False, False)),
        (1, 1, (True, True, True)),
        (1, 4, (True, True, True)),
    ],
)
def test_a_span_says_how_it_lies_in_its_text(prose, start, end, flags):
    check = span_boundaries(Span(line_start=start, line_end=end), prose)
    assert (check.starts_clean, check.ends_clean, check.contiguous) == flags


def test_a_span_outside_the_document_is_refused(prose):
    with pytest.raises(IndexError):
        span_boundaries(Span(line_start=6, line_end=7), prose)


def test_a_heading_with_a_mark_in_brackets_ends_no_list():
    tail = "Section 4. Exclusions\nThis policy covers some things.\n1. floods are out.\n{} Storms."
    roles = {"(a) Storms.": "heading", "Storms.": "heading"}
    head = "2. nuclear events are out.\nAll else is covered."
    assert after(tail.format("(a)"), head, roles=roles) is False
    assert after(tail.replace("{} ", ""), head, roles=roles) is True


def test_two_texts_with_a_gap_are_no_rows_of_a_table():
    assert after("The rule ends here.   Yes.", "Another one begins.   No.") is True
    rows = dict.fromkeys(["The rule ends here.   Yes.", "Another one begins.   No."], "table_row")
    assert after("The rule ends here.   Yes.", "Another one begins.   No.", roles=rows) is False


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("(e) one", "(f) two"),
        ("4. one", "5. two"),
        ("iv. one", "v. two"),
        ("IV. one", "V. two"),
        ("(ix) one", "(x) two"),
        ("[1] one", "[2] two"),
        ("4.2.9 one", "4.2.10 two"),
        ("\u2022 one", "\u2022 two"),
        ("9) one", "10) two"),
        ("A. one", "B. two"),
    ],
)
def test_one_mark_follows_the_other_but_not_the_other_way_round(text, after):
    one, other = marker_of(text), marker_of(after)
    assert other.follows(one)
    assert one.is_bullet or not one.follows(other)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("(e) one", "f) two"),
        ("(e) one", "(g) two"),
        ("4. one", "(5) two"),
        ("4.2 one", "5.3 two"),
        ("\u2022 one", "\u25e6 two"),
        ("a. one", "B. two"),
        ("\u2022 one", "1. two"),
    ],
)
def test_marks_of_different_lists_do_not_follow_each_other(text, after):
    assert not marker_of(after).follows(marker_of(text))


@pytest.mark.parametrize(
    "text",
    ["", "The tenant", "5 houses", "2024. It was", "No. 5", "Inc. and", "(see below)", "a roof", "-5", "(12.5)x"],
)
def test_what_is_no_mark(text):
    assert marker_of(text) is None


def test_a_mark_may_stand_alone_and_the_rest_is_what_follows():
    assert marker_of("  (a)").rest == ""
    assert marker_of("\u2022").is_bullet
    assert marker_of("4. Term").rest == "Term"
