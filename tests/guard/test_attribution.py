"""Whether what a claim cites was given and supports it, apart from whether anything does."""

import pytest

from spanwise import verify
from spanwise.contract.adapters import given_passages
from spanwise.guard.attribution import Citing, misplaced

FEE = "The late fee is 1.5% per month."
DUE = "Payment is due within 30 days of the invoice."
PASSAGES = [FEE, DUE]


@pytest.mark.parametrize(
    ("text", "cited", "hold"),
    [
        (f"{FEE[:-1]} [1].", "holds", True),
        (f"{FEE[:-1]} [1][2].", "holds", True),
        (f"{FEE[:-1]} [2].", "wrong_place", False),
        (f"{FEE[:-1]} [9].", "fabricated", False),
        (f"{FEE[:-1]} [1][9].", "fabricated", False),
        (FEE, "none", True),
    ],
)
def test_a_citation_holds_or_fails_and_support_is_the_same(text, cited, hold):
    found = verify(text, PASSAGES)
    [claim] = found.claims
    assert (claim.support, claim.cited, found.citations_hold) == ("supported", cited, hold)
    assert found.supported
    assert found.supported_share == 1
    assert found.attributed_share == hold
    told = found.to_dict()
    assert told["citations_hold"] is hold
    assert told["claims"][0]["cited"] == cited


def test_what_nothing_supports_is_not_supported_by_what_it_cites():
    found = verify("Penguins breed on the coast of Antarctica during the winter [1].", PASSAGES)
    assert found.claims[0].cited == "wrong_place"
    assert not found.citations_hold


def test_each_passage_that_says_it_may_be_cited():
    found = verify(f"{FEE[:-1]} [2].", [FEE, f"{DUE} {FEE}"])
    assert found.claims[0].cited == "holds"


def test_a_citation_of_nothing_behind_words_that_claim_nothing_is_told():
    found = verify("I don't know [9].", PASSAGES)
    assert (found.claims, found.citations_hold) == ((), False)


def test_the_findings_say_where_it_stands():
    text = f"{FEE[:-1]} [2]."
    found = verify(text, PASSAGES)
    [finding] = found.findings_of(found.claims[0])
    assert (finding.kind, text[slice(*finding.at)]) == ("wrong_place", "[2]")
    assert finding.source == found.evidence_of(found.claims[0])[0].id


def test_passages_are_read_once_for_all_that_cite_them():
    given = given_passages(PASSAGES)
    read = []

    def check(text, passages):
        read.append(len(passages))
        return verify(text, passages)

    one = Citing(FEE, frozenset([2]), (1,))
    other = Citing(DUE, frozenset([2]), (1,))
    assert misplaced([one, other, one, Citing(FEE, frozenset([1]), (1,))], given, check) == [True, False, True, False]
    assert read == [1]


def test_passages_are_not_read_again_and_again():
    given = given_passages([*PASSAGES, "One.", "Two.", "Three."])
    sets = [frozenset([2, *extra]) for extra in ([], [3], [4], [5], [3, 4], [3, 5], [4, 5], [3, 4, 5])] * 2
    read = []

    def check(text, passages):
        read.append(sum(len(one.passage.text) for one in passages))
        return verify(text, passages)

    assert all(misplaced([Citing(FEE, cited, (1,)) for cited in sets], given, check))
    assert sum(read) <= 4 * sum(len(one.passage.text) for one in given)


def test_nothing_to_check_is_not_supported():
    for text in ("", "  ", "[1]"):
        found = verify(text, PASSAGES)
        assert (found.supported, found.score, found.claims) == (False, 0.0, ())
        assert "nothing to check" in found.reason
    refusal = verify("I don't know.", PASSAGES)
    assert (refusal.supported, refusal.score) == (False, 1.0)
    assert verify(FEE, PASSAGES).reason == ""
