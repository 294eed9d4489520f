import pytest

import spanwise
from spanwise.domain.document import Box, Line
from spanwise.synthesis.extractive.lists import Element, enumeration, listings, may_begin
from spanwise.text.sentences import blocks_of_lines


def blocks(*paragraphs):
    """From (role, text with line breaks[, left]) to blocks of numbered lines."""
    lines = []
    for block, (role, text, *left) in enumerate(paragraphs, start=1):
        for row in text.split("\n"):
            box = Box(1, left[0], 0, left[0] + 100, 10) if left else None
            lines.append(Line(len(lines) + 1, 1, len(lines) + 1, row, box, role, block))
    return blocks_of_lines(lines)


def found(*paragraphs):
    return [
        (listing.introduction, [(e.text, e.line_start, e.line_end) for e in listing.elements])
        for listing in listings(blocks(*paragraphs))
    ]


def test_items_under_a_heading():
    assert found(
        ("heading", "Exclusions"),
        ("list_item", "(a) flood;"),
        ("list_item", "(b) damage by\nearthquake."),
        ("text", "Nothing else."),
    ) == [("Exclusions", [("flood", 2, 2), ("damage by earthquake.", 3, 4)])]


def test_a_numbered_heading_ends_a_list_and_headings_may_be_one():
    ends = [("text", "Excluded are:"), ("list_item", "- flood"), ("list_item", "- war"), ("heading", "5. Limits")]
    assert found(*ends) == [("Excluded are:", [("flood", 2, 2), ("war", 3, 3)])]
    chapters = [("text", "The chapters are:"), ("heading", "1. Cover"), ("heading", "2. Limits")]
    assert found(*chapters)[0] == ("The chapters are:", [("Cover", 2, 2), ("Limits", 3, 3)])


def test_named_paragraphs_after_a_colon_and_over_a_page_break_with_a_footnote():
    listing = found(
        ("text", "There are three:", 72.0),
        ("text", "Rapid elasticity. Capabilities can be\nreleased.", 90.0),
        ("text", "Measured service (metered). Cloud systems control\nuse by a", 90.0),
        ("text", "1 Typically this is pay per use. It is common.", 72.0),
        ("text", "metering capability.", 110.0),
        ("text", "Broad access. Capabilities are available.", 90.0),
        ("heading", "Next", 72.0),
        ("text", "Other thing. It is not in the list.", 90.0),
    )
    assert listing == [
        ("There are three:", [("Rapid elasticity", 2, 2), ("Measured service (metered)", 4, 4), ("Broad access", 8, 8)])
    ]


def test_elements_lettered_inside_a_paragraph():
    [(introduction, elements)] = found(("text", "The plan covers: (a) fire and\nsmoke; (b) theft, and (c) hail."))
    assert introduction == "The plan covers: "
    assert elements == [("fire and smoke", 1, 2), ("theft", 2, 2), ("hail.", 2, 2)]


def test_one_item_is_no_list_and_prose_is_none():
    assert found(("heading", "Term"), ("list_item", "(a) only one."), ("text", "Prose follows here.")) == []
    assert found(("text", "Plain prose."), ("text", "More plain prose, without names.")) == []


@pytest.mark.parametrize(
    ("sentence", "count", "expected"),
    [
        ("Clear, Purge, and Destroy are actions.", 3, ["Clear", "Purge", "Destroy"]),
        ("It has three parts: planning, detailed design and tests.", 3, ["planning", "detailed design", "tests"]),
        ("It has two parts: planning and tests.", 2, ["planning", "tests"]),
        ("It has two parts: planning and tests.", None, []),
        ("Clear, Purge, and Destroy are actions.", 4, []),
        ("He went home.", None, []),
        ("and", None, []),
    ],
)
def test_elements_that_a_sentence_names_in_a_row(sentence, count, expected):
    assert [element.text for element in enumeration(Element(sentence, 3, 4), count)] == expected


def test_a_word_broken_over_two_lines_is_one_word_again():
    [(_, elements)] = found(
        ("heading", "Limits"), ("list_item", "(a) user-\nspecific settings;"), ("list_item", "(b) ports.")
    )
    assert elements[0] == ("user-specific settings", 2, 3)


def test_marks_without_anything_behind_them_are_no_list():
    assert found(("text", "Tick one: (a) (b) ")) == []


@pytest.mark.parametrize(
    ("text", "last", "begins"),
    [
        ("Excluded are:\n\n- flood\n- war\n", 1, True),
        ("# Exclusions\n\n- flood\n- war\n", 1, True),
        ("The plan covers (a) fire and (b) theft.\n", 1, True),
        ("The plan covers (a) fire.\n", 1, False),
        ("The plan covers fire: all of it.\n", 1, False),
        ("The plan covers fire.\n", 1, False),
        ("The plan covers fire.\n\nExcluded are:\n\n- flood\n- war\n", 1, True),  # said though it begins later
    ],
)
def test_what_cannot_begin_a_list_is_told_from_the_passages(text, last, begins):
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="a.md")]) as corpus:
        assert may_begin(corpus.passages("a.md"), last) is begins
        lines = blocks_of_lines(corpus.lines("a.md", 1, 99))
        assert begins or not list(listings(lines, last))


@pytest.mark.parametrize(("end", "begins"), [(":", True), (".", False)])
def test_a_block_may_go_on_in_the_next_passage(end, begins):
    sentence = "The keeper of the northern gate opens it at dawn and closes it at dusk,"
    text = "\n".join([sentence] * 40) + f" except for{end}\n\n- flood\n- war\n"
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="a.md")]) as corpus:
        passages = corpus.passages("a.md")
        assert len(passages) > 2
        assert may_begin(passages, passages[0].line_end) is begins


def test_lists_up_to_a_line_go_on_after_it():
    paragraphs = blocks(
        ("text", "Excluded are:"), ("list_item", "- flood"), ("list_item", "- war"),
        ("text", "Included are:"), ("list_item", "- hail"), ("list_item", "- fire"),
    )  # fmt: skip
    assert [one.introduction for one in listings(paragraphs)] == ["Excluded are:", "Included are:"]
    [only] = listings(paragraphs, 1)
    assert [element.text for element in only.elements] == ["flood", "war"]


def test_items_that_nothing_introduces_are_a_list_below_the_paragraph_before_them():
    items = [("list_item", "- to clean;"), ("list_item", "- to heat.")]
    said = [("to clean", 2, 2), ("to heat.", 3, 3)]
    assert found(("text", "These duties are the tenant's."), *items) == [("These duties are the tenant's.", said)]
    assert [elements for _, elements in found(*items)] == [[("to clean", 1, 1), ("to heat.", 2, 2)]]
    assert found(("text", "One duty."), items[0], ("text", "No more.")) == []


@pytest.mark.parametrize(
    "pointer",
    [
        ("text", "The list is continued in Section 7."),
        ("text", "Further duties are set out in section 7."),
        ("list_item", "- further items: see Section 7"),
        ("list_item", "- additional duties (see Section 7)"),
    ],
)
def test_a_list_that_says_where_it_goes_on(pointer):
    given = [("text", "The duties are:"), ("list_item", "- to clean;"), ("list_item", "- to heat."), pointer]
    [listing] = listings(blocks(*given))
    assert [element.text for element in listing.elements] == ["to clean", "to heat."]
    assert str(listing.goes_on).lower() == "section 7"


@pytest.mark.parametrize("behind", ["Section 7 binds the landlord.", "See Section 7 for the rent.", "Nothing else."])
def test_a_list_that_only_stands_beside_a_reference_goes_on_nowhere(behind):
    given = [("text", "The duties are:"), ("list_item", "- to clean;"), ("list_item", "- to heat."), ("text", behind)]
    [listing] = listings(blocks(*given))
    assert listing.goes_on is None
