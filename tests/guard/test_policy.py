"""What ships: claims by their standing, sentences by their worst claim, and nothing when too many of them fail."""

import pytest

from spanwise.contract.adapters import given_passages
from spanwise.domain.claim import POLICIES, Claim, policy_named
from spanwise.errors import InputError
from spanwise.guard.claims.parts import finer
from spanwise.guard.confidence import answer_confidence
from spanwise.guard.conflicts.finding import find_conflicts
from spanwise.guard.policy import Sentence, judged, standing, too_little, verdict_of
from spanwise.guard.verification import Finding, Verification
from spanwise.text.sentences import sentences

PASSAGES = given_passages(
    [
        {"chunk_id": "a", "text": "The fee is 5 EUR. The Vendor shall not assign the agreement."},
        {"chunk_id": "b", "text": "The term is two years; the price may change each year."},
    ]
)


def claim(support: str, verdict: str, cited: str = "none") -> Claim:
    return Claim(0, 1, "x", support, verdict, "", 0.5, (), cited)


def checked(one: Claim, text: str = "x", *findings: Finding) -> Verification:
    return Verification(text, (one,), (), findings, (), (), 0.5)


def sentence(*, kept: bool, is_claim: bool = True) -> Sentence:
    verdict = "keep" if kept else "remove"
    return Sentence(0, 1, "x", "claim", is_claim, "supported" if kept else "unsupported", 1.0, "", verdict)


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (claim("supported", "keep"), "supported"),
        (claim("supported", "keep", "wrong_place"), "supported"),
        (claim("supported", "flag"), "uncertain"),
        (claim("unsupported", "flag"), "uncertain"),
        (claim("unsupported", "flag", "wrong_place"), "uncertain"),
        (claim("unsupported", "flag", "fabricated"), "failed"),
        (claim("unsupported", "remove"), "failed"),
        (claim("contradicted", "remove"), "failed"),
        (claim("contradicted", "flag"), "failed"),
        (claim("unchecked", "flag"), "failed"),
    ],
)
def test_what_is_not_proved_is_kept_apart_from_what_is_false(one, found):
    assert standing(one, checked(one)) == found


@pytest.mark.parametrize(
    ("support", "kind", "words", "found"),
    [
        ("unsupported", "not_in_sources", "1.5 EUR", "failed"),
        ("unsupported", "date_changed", "May 1, 2024", "failed"),
        ("unsupported", "not_in_sources", "Paris", "uncertain"),
        ("unsupported", "overstated", "7 must", "uncertain"),
        ("supported", "not_in_sources", "1.5 EUR", "uncertain"),
    ],
)
def test_r101_a_claim_that_is_not_proved_and_whose_figure_is_not_found_fails(support, kind, words, found):
    one = claim(support, "flag")
    finding = Finding(kind, "", 0, (4, 4 + len(words)))
    assert standing(one, checked(one, f"The {words}.", finding)) == found


def test_each_policy_says_what_becomes_of_a_claim():
    claims = [claim("supported", "keep"), claim("unsupported", "flag"), claim("contradicted", "remove")]
    verdicts = {policy: [verdict_of(one, checked(one), policy) for one in claims] for policy in POLICIES}
    assert verdicts == {
        "prune": ["keep", "flag", "remove"],
        "mark": ["keep", "flag", "flag"],
        "strict": ["keep", "remove", "remove"],
    }


def test_a_policy_that_does_not_exist_is_told():
    with pytest.raises(InputError, match="choose one of prune, mark, strict"):
        policy_named("loose")


@pytest.mark.parametrize(
    ("kept", "failed", "none"), [(4, 1, False), (3, 1, True), (8, 2, False), (7, 3, True), (0, 0, True), (0, 1, True)]
)
def test_r104_the_fifth(kept, failed, none):
    found = [sentence(kept=True)] * kept + [sentence(kept=False)] * failed
    found += [sentence(kept=True, is_claim=False)] * 9
    assert too_little(found) == none


def test_a_sentence_is_as_good_as_its_worst_clause():
    [found] = judged("The fee is 5 EUR, and the term is nine years.", PASSAGES)
    assert not found.kept
    assert (found.start, found.end) == (0, 45)


@pytest.mark.parametrize("text", ["The Vendor shall assign the agreement.", "The fee is not 5 EUR."])
def test_a_negation_that_comes_or_goes_is_no_support(text):
    [found] = judged(text, PASSAGES)
    assert found.verdict != "keep"


def test_the_place_is_told():
    [found] = judged("The term is two years.", PASSAGES)
    assert found.kept
    assert found.as_claim((3, 7)).citations == ("b",)
    assert found.places[0].quote in PASSAGES[1].passage.text


def test_characters_that_nobody_sees_hide_no_claim():
    [found] = judged("The fee\u200b is 7 \u202eEUR.", PASSAGES)
    assert (found.claim, found.kept) == (True, False)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_sentinel_ships_under_no_policy(policy):
    [found] = judged("INSUFFICIENT_CONTEXT.", PASSAGES, policy=policy)
    assert not found.kept


def test_a_verifier_rejects_and_under_mark_its_rejection_is_a_mark():
    text = "The fee is 5 EUR."
    assert judged(text, PASSAGES, verifier=lambda *_: 0.1)[0].verdict == "remove"
    assert judged(text, PASSAGES, verifier=lambda *_: 0.1, policy="mark")[0].verdict == "flag"
    assert judged(text, PASSAGES, verifier=lambda *_: True)[0].verdict == "keep"


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
    [found] = judged(text, passages, conflicts=find_conflicts(passages))
    assert (found.verdict == "keep") == kept
