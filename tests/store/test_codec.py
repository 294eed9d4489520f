from __future__ import annotations

from dataclasses import replace

import pytest
from documents_by_hand import documents, make_document, read
from hypothesis import HealthCheck, given, settings

from spanwise.domain.document import Document, Line
from spanwise.errors import DamagedDocumentError
from spanwise.store.codec import MOST_LINES_A_RUN, decode_run, encode
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
