"""`spanwise.answer`: from passages that somebody else retrieved to a checked answer that cites their lines."""

import asyncio
import os

import pytest

from spanwise import Corpus, ScriptedModel, aanswer, answer, ask, read, replay
from spanwise.answering.given_documents import documents_of
from spanwise.errors import InputError, PassageError

LEASE = "examples/documents/lease.pdf"
RENT = {
    "chunk_id": "c7",
    "text": "3. Rent\nThe tenant pays the rent by bank transfer.\nThe rent is due on the first day of each month.",
    "metadata": {
        "document": "lease.pdf",
        "page": 3,
        "title": "Rent",
        "line_start": 42,
        "boxes": [{"page": 3, "x0": 72, "y0": top, "x1": 300, "y1": top + 12} for top in (100, 112, 124)],
    },
}
DEPOSIT = "The deposit is held in a bank. It is returned 30 days after the lease ends. Keys are handed over at noon."


def test_a_citation_has_document_page_section_line_and_box_of_its_passage():
    result = answer("When is the rent due?", [DEPOSIT, RENT])
    [citation] = result.citations
    assert result.text == "The rent is due on the first day of each month."
    assert (citation.document, citation.page, citation.line_start, citation.line_end) == ("lease.pdf", 3, 44, 44)
    assert [(box.page, box.y0) for box in citation.boxes] == [(3, 124)]
    assert citation.quote == "The rent is due on the first day of each month."
    assert result.used_chunk_ids == ("c7",)
    assert result.meta["passages"] == {"c1": {"passage": "c7", "position": 2, "section": "Rent"}}


def test_of_a_passage_without_lines_the_sentence_is_cited():
    result = answer("When is the deposit returned?", [DEPOSIT])
    assert "30 days" in result.text
    assert [citation.quote for citation in result.citations] == ["It is returned 30 days after the lease ends."]


def test_every_passage_is_read_though_it_shares_no_word_with_the_question():
    def reply(call):
        assert "Dogs are welcome" in call.prompt
        return "The deposit is returned 30 days after the lease ends [1]. The moon is green [1]."

    model = ScriptedModel(reply)
    result = answer("When do I get my money back?", [DEPOSIT, "Dogs are welcome."], model=model, mode="compact")
    assert result.text == "The deposit is returned 30 days after the lease ends."
    assert result.citations[0].quote == "It is returned 30 days after the lease ends."
    marked = answer(
        "When do I get my money back?", [DEPOSIT, "Dogs are welcome."], model=model, mode="compact", policy="mark"
    )
    assert "moon" in marked.text


def test_passages_of_one_document_keep_their_lines_whatever_their_order():
    later = {"text": "The landlord maintains the roof.", "document": "lease.pdf", "page": 5, "line_start": 80}
    same = {"text": "The tenant maintains the garden.", "document": "lease.pdf"}
    result = answer("Who maintains the roof?", [later, same, RENT])
    assert [(one.document, one.line_start, one.page) for one in result.citations] == [("lease.pdf", 80, 5)]
    other = answer("Who maintains the garden?", [later, same, RENT])
    assert other.citations[0].document == "lease.pdf (passage 2)"
    assert other.used_chunk_ids == ("passage 2",)


def test_passages_that_overlap_are_one_text():
    first = {"text": "1. Roof\nThe landlord maintains the roof.", "document": "a.txt", "line_start": 7}
    second = {
        "text": "The landlord maintains the roof.\nThe tenant cuts the hedge.",
        "document": "a.txt",
        "line_start": 8,
    }
    other = {"text": "The tenant maintains the roof.", "document": "a.txt", "line_start": 8}
    result = answer("Who cuts the hedge?", [second, first])
    assert [(one.document, one.line_start) for one in result.citations] == [("a.txt", 9)]
    told = answer("Who maintains the roof?", [first, other])
    assert {one.document for one in told.citations} == {"a.txt", "a.txt (passage 2)"}


def test_passages_of_a_corpus_lead_to_the_lines_of_the_file():
    document = read(LEASE)
    asked = "What is the monthly rent?"
    hit = ask(asked, document).citations[0]
    with Corpus.of([document]) as corpus:
        result = answer(asked, corpus.search(asked, k=5))
    assert {line for one in result.citations for line in range(one.line_start, one.line_end + 1)} >= {hit.line_start}
    assert all(document.text(one.line_start, one.line_end) == one.quote for one in result.citations)


def test_async_and_a_trace_that_proves_it_again(tmp_path):
    result = asyncio.run(aanswer("When is the rent due?", [RENT]))
    result.save_trace(tmp_path / "trace.json")
    assert replay(tmp_path / "trace.json").text == result.text
    assert result.to_dict()["used_chunk_ids"] == ["c7"]


@pytest.mark.parametrize("passages", [[], None, ["", " \n"]])
def test_no_text_is_no_answer(passages):
    assert answer("When is the rent due?", passages).decision.kind == "not_found"


def test_bad_input_is_told():
    with pytest.raises(PassageError, match="passage 1"):
        answer("When?", [object()])
    with pytest.raises(PassageError, match="at most"):
        answer("When is rent due?", [{"text": "Rent is due in May.", "line_start": 999_999_999}])
    with pytest.raises(InputError, match="policy"):
        answer("When is rent due?", [RENT], policy="loose")


def test_strange_signs_keep_their_lines():
    strange = {
        "text": "One\x0ctwo.\n\n\u2028The parking fee is 5 dollars.\r\n",
        "document": os.fspath("a.txt"),
        "line_start": 3,
    }
    result = answer("How much is the parking fee?", [strange])
    assert result.citations[0].line_start == 5


def test_a_split_passage_has_no_line_rather_than_a_wrong_one():
    whole = {"document": "lease.pdf", "page": 3, "line_start": 42, "line_end": 43}
    pieces = [
        {"text": "3. Rent", "metadata": whole},
        {"text": "The rent is due on the first day of each month.", "metadata": whole},
    ]
    [citation] = answer("When is the rent due?", pieces).citations
    assert (citation.quote, citation.page, citation.line_start) == (
        "The rent is due on the first day of each month.",
        3,
        1,
    )


def test_boxes_without_numbers_are_no_boxes():
    for edge in (float("nan"), float("inf"), 10**400):
        box = {"page": 1, "x0": edge, "y0": 1, "x1": 2, "y1": 3}
        passage = {
            "text": "The rent is due on the first day of each month.",
            "metadata": {"line_start": 4, "boxes": [box]},
        }
        assert answer("When is the rent due?", [passage]).citations[0].boxes == ()


def test_passages_of_one_document_take_time_in_proportion_to_their_number(calls):
    def given(count):
        return [{"text": f"Line {at}.", "metadata": {"document": "a", "line_start": at}} for at in range(1, count + 1)]

    assert calls(lambda: documents_of(given(1600))) < 5 * calls(lambda: documents_of(given(400)))


def test_documents_of_more_lines_than_are_made_are_told():
    passages = [{"text": "The fee is 5.", "document": f"{n}.pdf", "line_start": 900_000} for n in range(3)]
    with pytest.raises(PassageError, match="2,700,000 lines together"):
        documents_of(passages)
