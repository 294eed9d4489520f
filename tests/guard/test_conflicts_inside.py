"""A sentence that contradicts another one of the same passage: planted or not, a claim that rests on it is marked."""

import pytest

import spanwise
from spanwise.guard.conflicts.finding import find_all_conflicts
from spanwise.llm.scripted import ScriptedModel

PLANTED = (
    "The late fee is 1.5 percent per month. Invoices are due in 30 days.\n\nThe late fee is 99 percent per month.\n"
)


@pytest.mark.parametrize(
    ("text", "many"),
    [
        (PLANTED, 1),
        ("The warranty lasts two years. It covers parts. The warranty lasts ten years.", 1),
        ("The late fee is 1.5 percent per month. The deposit is 99 euros.", 0),
        ("The late fee is 1.5 percent per month. The late fee is 1.5 percent per month.", 0),
        ("The pump of hall A runs at 40 bar. The pump of hall B runs at 60 bar.", 0),
        ("Monday opens at 9 and Tuesday at 10. The fee is 4 euros.", 0),
    ],
)
def test_sentences_of_one_passage_are_compared(text, many):
    assert len(find_all_conflicts([text])) == many


def test_passages_are_compared_as_before():
    one, other = "The late fee is 1.5 percent per month.", "The late fee is 2.5 percent per month."
    assert len(find_all_conflicts([one, other])) == 1


def test_nothing_and_a_very_long_passage_end_at_once():
    assert find_all_conflicts([]) == []
    assert (
        find_all_conflicts([" ".join(f"The fee of room {number} is {number} euros." for number in range(2000))]) == []
    )


@pytest.mark.parametrize("said", ["The late fee is 99 percent per month.", "The late fee is 1.5 percent per month."])
def test_an_answer_of_a_model_that_rests_on_one_side_is_marked(tmp_path, said):
    path = tmp_path / "fees.txt"
    path.write_text(PLANTED)
    result = spanwise.ask("What is the late fee?", path, model=ScriptedModel([said]), mode="compact")
    assert "contradictory_sources" in result.warnings
    assert [claim.verdict for claim in result.claims] == ["flag"]
    [told] = [one for one in result.warning_details if one["code"] == "contradictory_sources"]
    assert len(told["quotes"]) == 2


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Invoices are due in 30 days.", None),
        ("Invoices are due in 40 days.", "contradicted_claim"),
        ("Parcels travel by train.", "unsupported_claim"),
    ],
)
def test_another_sentence_of_the_document_is_told_what_became_of_it_alone(tmp_path, said, code):
    path = tmp_path / "fees.txt"
    path.write_text("Invoices are due in 30 days.\n\nThe late fee is 1.5 percent.\n\nThe late fee is 99 percent.\n")
    result = spanwise.ask("When are invoices due?", path, model=ScriptedModel(lambda _: said), mode="compact")
    assert {one["code"] for one in result.warning_details} == ({code} if code else set())
