from __future__ import annotations

from dataclasses import replace

import pytest
from documents_by_hand import documents, make_document, read
from hypothesis import HealthCheck, given, settings

from spanwise.domain.document import Document, Line
from spanwise.errors import DamagedDocumentError
from spanwise.store.codec import MOST_LINES_A_RUN, PackedLines, decode_run, encode
from spanwise.store.sqlite import memory_truth


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents())
def test_document_comes_back_equal(document: Document) -> None:
    truth = memory_truth()
    truth.put(encode(document), None)
    assert read(truth, "document", document.name) == document
    truth.close()


def test_long_page_is_packed_in_several_runs() -> None:
    document = make_document(*map(str, range(3 * MOST_LINES_A_RUN)))
    runs = encode(document).runs
    assert len(runs) == 3
    assert [line for run in runs for line in decode_run(run.first, run.data)] == list(document.lines)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (Line(7, 1, 1, "seven"), "has to number the lines"),
        (Line(1, 1, 1, "two\nlines"), "no line break"),
        (Line(1, 1, 1, "half a \ud800 pair"), "not valid Unicode"),
    ],
)
def test_what_a_reader_may_not_leave(line: Line, words: str) -> None:
    with pytest.raises(DamagedDocumentError, match=words):
        encode(replace(make_document("One."), lines=(line,)))


def test_rows_packed_as_they_come_are_the_rows() -> None:
    document = make_document(*(f"Row {number}" for number in range(950)))
    moved = [replace(one, page=2, line_in_page=one.number - 430) if one.number > 430 else one for one in document.lines]
    document = replace(document, lines=tuple(moved))
    packed = PackedLines(document.lines)
    assert (len(packed), list(packed), list(packed.texts())) == (
        950,
        list(document.lines),
        [line.text for line in document.lines],
    )
    for first, last in ((0, 1), (0, 950), (150, 450), (429, 431), (860, 990), (7, 7)):
        assert packed[first:last] == list(document.lines[first:last])
    assert (packed[0], packed[431], packed[-1]) == (document.lines[0], document.lines[431], document.lines[-1])
    assert encode(replace(document, lines=packed)) == encode(document)
