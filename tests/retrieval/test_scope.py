import re
from dataclasses import replace

import pytest

import spanwise
from spanwise.domain.document import Document, Line, Page, Section
from spanwise.domain.passage import Passage
from spanwise.domain.question import Scope
from spanwise.errors import InputError
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.scope import (
    ScopedRange,
    clipped,
    in_scope,
    scope_of,
    scopes_of,
    stretches,
    wants_overlap,
    whole,
    within,
)


@pytest.fixture(scope="module")
def corpus():
    """Six pages of three lines; section 2 is page 5, section 3 page 6, with a child."""
    lines = tuple(Line(n, (n + 2) // 3, (n - 1) % 3 + 1, f"line {n} of text", block=n) for n in range(1, 19))
    pages = tuple(Page(n, str(n), 612, 792, 3 * n - 2, 3 * n) for n in range(1, 7))
    sections = (
        Section("1 Scope", 1, 1, 12, 1, 4),
        Section("2 Exclusions", 1, 13, 15, 5, 5),
        Section("3 Coverage Limits", 1, 16, 18, 6, 6),
        Section("3.1 Coverage Limits of Floods", 2, 17, 18, 6, 6),
    )
    document = Document("id", "a.pdf", "pdf", lines, pages, sections, paged=True)
    with spanwise.Corpus.of([document]) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("scope", "lines"),
    [
        (Scope(), [(1, 18)]),
        (Scope(first_page=2), [(4, 18)]),
        (Scope(last_page=2), [(1, 6)]),
        (Scope(first_page=2, last_page=3), [(4, 9)]),
        (Scope(first_line=5, last_line=6), [(5, 6)]),
        (Scope(section="exclusions"), [(13, 15)]),
        (Scope(section="exclusions", last_line=14), [(13, 14)]),
        (Scope(section="coverage limits"), [(16, 18)]),
        (Scope(section="coverage limits of floods"), [(17, 18)]),
        (Scope(section="warranty"), []),
        (Scope(first_page=9), []),
        (Scope(first_line=99), []),
        (Scope(section="exclusions", first_page=6), []),
    ],
)
def test_each_part_of_a_scope_changes_what_is_in_it(corpus, scope, lines):
    assert [(one.first_line, one.last_line) for one in stretches(scope, corpus, "a.pdf")] == lines


@pytest.mark.parametrize(
    ("question", "overlap", "wanted"),
    [
        ("What are the exclusions?", None, True),
        ("Show the exclusions as a table", None, True),
        ("What is the premium?", None, False),
        ("What is the premium?", True, True),
        ("What are the exclusions?", False, False),
    ],
)
def test_overlap_is_decided_by_the_shape_of_the_answer(question, overlap, wanted):
    assert wants_overlap(spanwise.parse_question(question), Scope(overlap=overlap)) is wanted


def test_the_scope_that_a_question_names():
    question = spanwise.parse_question("What are the exclusions in the warranty section on pages 5 to 7?")
    scope = scope_of(question, ["a.pdf"])
    assert (scope.documents, scope.section, scope.first_page, scope.last_page) == (("a.pdf",), "warranty", 5, 7)
    assert scope.limited
    assert not scope_of(spanwise.parse_question("What is the fee?")).limited


def test_a_passage_is_cut_to_the_lines_in_scope():
    passage = Passage("p", "a.pdf", 10, 15, 4, "a\nb\nc\nd\ne\nf", "T", ((1, "heading"), (2, "text"), (3, "list_item")))
    part = clipped(passage, ScopedRange("a.pdf", 12, 13))
    assert part is not None
    assert (part.line_start, part.line_end, part.text, part.blocks) == (12, 13, "c\nd", ((1, "text"), (1, "list_item")))
    assert clipped(passage, ScopedRange("a.pdf", 1, 99)) is passage
    assert clipped(passage, ScopedRange("a.pdf", 16, 99)) is None
    assert clipped(passage, ScopedRange("b.pdf", 1, 99)) is None


@pytest.mark.parametrize(
    ("written", "scope"),
    [
        ({"pages": "3"}, Scope(first_page=3, last_page=3)),
        ({"pages": "3-5"}, Scope(first_page=3, last_page=5)),
        ({"pages": "3-", "lines": " -9"}, Scope(first_page=3, last_line=9)),
        ({"section": "Exclusions"}, Scope(section="Exclusions")),
        ({}, None),
    ],
)
def test_a_scope_is_read_from_words(written, scope):
    assert Scope.read(**written) == scope


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"pages": "x"}, "names no pages: write 3, 3-5"),
        ({"pages": "-"}, "names no pages"),
        ({"lines": ""}, "names no lines"),
        ({"lines": "1-2-3"}, "names no lines"),
        ({"pages": "5-3"}, "comes before the first"),
        ({"pages": "0-3"}, "no page below 1"),
        ({"section": "  "}, "has no name"),
    ],
)
def test_what_makes_no_scope_is_told(written, told):
    with pytest.raises(InputError, match=told):
        Scope.read(**written)


@pytest.mark.parametrize(
    "scope",
    [Scope(first_page=2, last_page=3), Scope(section="exclusions"), Scope(first_line=5, last_line=14, section="scope")],
)
def test_nothing_out_of_scope_can_be_read(corpus, scope):
    inside = {n for one in stretches(scope, corpus, "a.pdf") for n in range(one.first_line, one.last_line + 1)}
    seen = within(scope, corpus, None)
    assert {line.number for line in seen.lines("a.pdf", 1, 99)} == inside
    for passages in (seen.passages("a.pdf"), [hit.passage for hit in seen.search("text line", 50)]):
        assert {n for one in passages for n in range(one.line_start, one.line_end + 1)} == inside
        assert all(len(one.text.split("\n")) == one.line_end - one.line_start + 1 for one in passages)
    assert all(one.first_line <= max(inside) and one.last_line >= min(inside) for one in seen.sections("a.pdf"))
    assert whole(seen) is corpus


@pytest.mark.parametrize(
    ("scope", "told"),
    [
        (Scope(first_page=9), "a.pdf has not got pages from 9: it has 6 pages and 18 lines."),
        (Scope(section="warranty"), "has not got the section 'warranty': its sections are '1 Scope',"),
    ],
)
def test_a_scope_that_no_document_has_is_told(corpus, scope, told):
    with pytest.raises(InputError, match=re.escape(told)):
        within(scope, corpus, None)


def test_pages_that_lie_apart_do_not_stand_for_those_between_them(corpus):
    question = parse_question("What is the text on pages 2 and 5?")
    assert [(one.first_page, one.last_page) for one in scopes_of(question)] == [(2, 2), (5, 5)]
    found = retrieve(question, corpus)
    assert {line for hit in found for line in range(hit.passage.line_start, hit.passage.line_end + 1)} == {
        *range(4, 7),
        *range(13, 16),
    }
    demanded = replace(question, limits=Scope(first_page=1, last_page=3))
    assert [(one.first_page, one.last_page) for one in scopes_of(demanded)] == [(1, 3)]
    assert len(scopes_of(parse_question("What is the text on pages 2-5?"))) == 1


def test_of_many_named_documents_the_likely_ones_are_looked_into_first():
    lines = (Line(1, 1, 1, "some text", block=0),)
    documents = [
        Document(
            f"id{n}", f"{n:02}.pdf", "pdf", lines, (Page(1, "1", 612, 792, 1, 1),), (Section("Fees", 1, 1, 1, 1, 1),)
        )
        for n in range(30)
    ]
    with spanwise.Corpus.of(documents) as corpus:
        names = tuple(one.name for one in documents)
        found = in_scope(Scope(documents=names, section="fees"), corpus, ["29.pdf", "other.pdf"])
    assert [one.document for one in found] == ["29.pdf", *names[:19]]
