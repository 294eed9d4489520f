"""Sentences against passages, and when too many of them fail."""

import pytest

from spanwise.contract.given import given_passages
from spanwise.guard.boundaries import finer
from spanwise.guard.pruning import Sentence, misplaced, sentences_checked, too_little
from spanwise.guard.trust import answer_confidence
from spanwise.text.sentences import sentences

PASSAGES = given_passages(
    [
        {"chunk_id": "a", "text": "The fee is 5 EUR. The Vendor shall not assign the agreement."},
        {"chunk_id": "b", "text": "The term is two years; the price may change each year."},
    ]
)


def sentence(*, kept: bool, claim: bool = True) -> Sentence:
    return Sentence(0, 1, "x", "claim", claim, "supported" if kept else "unsupported", 1.0, "")


@pytest.mark.parametrize(
    ("kept", "failed", "none"), [(4, 1, False), (3, 1, True), (8, 2, False), (7, 3, True), (0, 0, True), (0, 1, True)]
)
def test_r104_the_fifth(kept, failed, none):
    found = [sentence(kept=True)] * kept + [sentence(kept=False)] * failed + [sentence(kept=True, claim=False)] * 9
    assert too_little(found) == none


def test_a_sentence_is_as_good_as_its_worst_clause():
    [found] = sentences_checked("The fee is 5 EUR, and the term is nine years.", PASSAGES)
    assert not found.kept
    assert (found.start, found.end) == (0, 45)


@pytest.mark.parametrize("text", ["The Vendor shall assign the agreement.", "The fee is not 5 EUR."])
def test_a_negation_that_comes_or_goes_is_no_support(text):
    [found] = sentences_checked(text, PASSAGES)
    assert not found.kept


def test_the_place_is_told():
    [found] = sentences_checked("The term is two years.", PASSAGES)
    assert found.kept
    assert found.as_claim((3, 7)).citations == ("b",)
    assert found.places[0].quote in PASSAGES[1].passage.text


def test_sentences_that_another_passage_supports():
    fee, term = sentences_checked("The fee is 5 EUR. The term is two years.", PASSAGES)
    one, other = PASSAGES[:1], PASSAGES[1:]
    assert misplaced([(fee, one), (term, one), (fee, PASSAGES), (term, other), (fee, other)]) == [
        *(False, True, False, False, True)
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The late fee is 1.5% per month. Payment is due within 30 days.", 2),
        ("It is due every month. Payment is late otherwise.", 2),
        ("It costs approx. Five of them.", 1),
        ("He works for Acme Inc. The fee is 5.", 2),
    ],
)
def test_sentences_end_where_it_is_certain(text, count):
    found = list(finer(text, sentences(text) if count > 1 else [(0, len(text))]))
    assert len(found) == count
    assert " ".join(text[start:end] for start, end in found) == text


def test_r107_r108_confidence():
    assert answer_confidence([0.9, 0.7], []) == 0.8
    assert answer_confidence([0.9, 0.7], [0.2, 0.05]) == 0.55
    assert answer_confidence([0.1], [0.2]) == 0.0
    assert answer_confidence([], []) == 0.0


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Sources disagree: one says 1.5% per month while another says 2% per month.", True),
        (
            "The sources contradict each other: the late fee is 1.5% per month in one and 2% per month in the other.",
            True,
        ),
        ("Sources disagree: one says 1.5% per month while another says 3% per month.", False),
        ("The late fee is 1.5% per month for clients and 2% per month for vendors.", False),
        ("Sources disagree: the interest is 1.5% per month for clients in Rome, or 2% per month.", False),
    ],
)
def test_r089_a_sentence_may_tell_of_a_contradiction(text, kept):
    passages = given_passages(["The late fee is 1.5% per month.", "The late fee is 2% per month."])
    [found] = sentences_checked(text, passages)
    assert found.kept == kept
