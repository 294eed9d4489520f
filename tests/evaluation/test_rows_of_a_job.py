import pytest
from sets import SETS, squad2

from spanwise.evaluation.cases import Case, DocumentSource, Job
from spanwise.evaluation.runner import run_job

TEXT = "The first page speaks of nothing at all.\n\f\n\fA late fee of 12 dollars applies to unpaid bills.\n"
ASKED = Case("a", "What late fee applies to unpaid bills?", ("12 dollars",), (3,))
UNKNOWN = Case("b", "Which encryption algorithm protects telephones?", (), ())


def rows(*cases: Case, text: object = TEXT) -> list:
    return run_job("squad2", squad2.score, Job("articles", DocumentSource("bill.txt", text), cases))


def test_an_answer_with_its_page_and_its_length():
    (row,) = rows(ASKED)
    assert (row.decision, row.pages, row.answerable) == ("ship", (3,), True)
    assert row.metrics["hit@1"]
    assert row.metrics["cited"]
    assert row.metrics["contained"]
    assert row.metrics["right"]
    assert row.metrics["words"] == len(row.text.split())
    assert row.score == row.confidence > 0


def test_form_feeds_part_pages_and_empty_ones_count():
    (row,) = rows(Case("a", ASKED.question, ASKED.gold, (2,)))
    assert row.metrics["hit@10"] is False
    assert row.metrics["cited"] is False


def test_silence_is_right_where_there_is_no_answer():
    (row,) = rows(UNKNOWN)
    assert row.decision == "not_found"
    assert row.metrics["right"]
    assert row.metrics["contained"] is None
    assert row.metrics["words"] is None


def test_a_document_that_cannot_be_read_is_wrong_and_ends_nothing(tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing else")
    found, silent = rows(ASKED, UNKNOWN, text=broken)
    assert found.decision == silent.decision == "error"
    assert not found.metrics["right"]
    assert not silent.metrics["right"]


def test_a_question_that_cannot_be_asked_is_wrong():
    (row,) = rows(Case("a", " ", ("x",)))
    assert row.decision == "error"
    assert not row.metrics["right"]


@pytest.mark.parametrize("name", ["nist", "financebench", "cuad", "squad2"])
def test_every_set_scores_silence(name):
    job = Job("part", DocumentSource("bill.txt", TEXT), (UNKNOWN,))
    (row,) = run_job(name, SETS[name].score, job)
    assert row.metrics["right"]
