import pytest

from spanwise.domain.document import Page
from spanwise.text.sentences import LONGEST, PIECE, place_of


def page(number: int, first: int, last: int) -> Page:
    return Page(number, str(number), 0, 0, first, last)


@pytest.mark.parametrize(("line", "place"), [(1, (1, 30)), (30, (1, 30)), (31, (31, 60))])
def test_the_page_of_a_line(line, place):
    assert place_of(line, [page(1, 1, 30), page(2, 31, 60)]) == place


def test_a_format_without_pages_is_read_in_pieces():
    only = [page(1, 1, LONGEST * 3)]
    assert place_of(1, only) == (1, PIECE)
    assert place_of(PIECE + 1, only) == (PIECE + 1, 2 * PIECE)
    assert place_of(LONGEST * 3, only)[1] == LONGEST * 3


def test_an_empty_page_holds_no_line():
    assert place_of(3, [page(1, 1, 2), page(2, 3, 2), page(3, 3, 5)]) == (3, 5)
