import pytest

from spanwise import snippets
from spanwise.contract.items import TextItem, boxes
from spanwise.contract.values import Span
from spanwise.domain.document import Box, Document, Line, Page


@pytest.fixture
def document():
    lines = tuple(
        Line(
            n,
            1 if n <= 3 else 2,
            (n - 1) % 3 + 1,
            f"line {n}",
            Box(1 if n <= 3 else 2, 10 + n, 20 * n, 100 + n, 20 * n + 10),
        )
        for n in range(1, 7)
    )
    pages = (Page(1, "i", 612, 792, 1, 3), Page(2, "ii", 612, 792, 4, 6))
    return Document("id", "a.pdf", "pdf", lines, pages, paged=True)


def test_a_snippet_is_the_exact_text_of_its_lines(document):
    assert snippets(Span(line_start=3, line_end=4, quote="Line  3"), document) == ["line 3\nline 4"]


def test_two_spans_give_two_snippets_and_nothing_between(document):
    item = TextItem(text="x", spans=[Span(line_start=1, line_end=1), Span(line_start=5, line_end=6)])
    assert snippets(item, document) == ["line 1", "line 5\nline 6"]


def test_boxes_are_one_envelope_a_page(document):
    assert boxes(Span(line_start=1, line_end=3), document) == [Box(1, 11, 20, 103, 70)]
    assert boxes(Span(line_start=3, line_end=4), document) == [Box(1, 13, 60, 103, 70), Box(2, 14, 80, 104, 90)]


def test_boxes_per_line(document):
    assert len(boxes(Span(line_start=1, line_end=3), document, mode="per_line")) == 3


@pytest.mark.parametrize(("start", "end"), [(0, 1), (4, 3), (6, 7), (-2, -1)])
def test_lines_that_do_not_exist_are_refused(document, start, end):
    span = Span(line_start=start, line_end=end)
    with pytest.raises(IndexError):
        snippets(span, document)
    with pytest.raises(IndexError):
        boxes(span, document)


def test_the_tables_have_one_row_a_line_and_the_toc_its_columns_even_when_empty(document):
    assert list(document.line_table()[0]) == ["number", "page", "line_in_page", "text", "x0", "y0", "x1", "y1"]
    assert [row["number"] for row in document.line_table()] == [1, 2, 3, 4, 5, 6]
    assert document.line(4).page == 2
    assert document.toc_table() == []
