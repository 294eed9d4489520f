"""Questions that compare two values: each is extracted, code compares, and the guard compares again."""

from dataclasses import replace

import pytest

import spanwise
from spanwise import AmountAnswer, BooleanAnswer
from spanwise.answering.trace import Proof, draft_of
from spanwise.contract.compute import compute
from spanwise.guard.drafts.check import check
from spanwise.text.expectations.asked_comparisons import asked_comparison

LEASE = """# Residential lease

## 1. Rent

The rent is GBP 1,450 per month and is due on the third day of each month.

The deposit of GBP 2,900 is held by the agent. It bears no interest.

## 2. Term

The notice period is 60 days. The tenant is given 14 days to object.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    path = tmp_path_factory.mktemp("compared") / "lease.md"
    path.write_text(LEASE)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus).ask


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Is the rent above GBP 1,000?", True),
        ("Is the rent higher than 2,000 pounds?", False),
        ("Does the deposit exceed GBP 2,900?", False),
        ("Is the deposit at least GBP 2,900?", True),
        ("Is the deposit below GBP 3,000?", True),
        ("Is the deposit more than the rent?", True),
        ("Is the rent more than the deposit?", False),
        ("Is the notice period longer than 30 days?", True),
        ("Is the notice period no more than 45 days?", False),
    ],
)
def test_a_test_is_answered_by_code(ask, question, yes):
    result = ask(question)
    assert isinstance(result.answer, BooleanAnswer), result.text
    assert result.answer.items[0].value is yes
    assert result.answer.extraction_method == "computed"
    assert result.text.startswith("Yes. The" if yes else "No. The")
    assert len(result.meta["computations"]) == 1


def test_the_operands_are_cited_and_the_steps_are_told(ask):
    result = ask("Is the deposit more than the rent?")
    assert [citation.line_start for citation in result.citations] == [7, 5]
    [made] = result.meta["computations"]
    assert made["steps"][-1] == "2900 - 1450 = 1450 GBP"


def test_a_difference_is_computed(ask):
    for question in (
        "What is the difference between the deposit and the rent?",
        "What is the difference between the rent and the deposit?",
        "How much higher is the deposit than the rent?",
    ):
        result = ask(question)
        assert isinstance(result.answer, AmountAnswer)
        assert (result.answer.items[0].amount.value, result.answer.items[0].amount.currency) == (1450, "GBP")


def test_the_one_that_is_higher_is_told_with_its_sentence(ask):
    assert ask("Which is higher, the deposit or the rent?").text == "The deposit of GBP 2,900 is held by the agent."
    assert ask("Which is lower, the deposit or the rent?").text.startswith("The rent is GBP 1,450")


@pytest.mark.parametrize(
    "question",
    ["Is the rent above USD 1,000?", "Is the lift above GBP 5?", "Is the rent longer than 30 days?"],
)
def test_what_cannot_be_compared_is_no_yes_and_no_no(ask, question):
    assert not isinstance(ask(question).answer, BooleanAnswer)


def test_two_things_without_figures_are_told_side_by_side(tmp_path):
    path = tmp_path / "media.md"
    path.write_text(
        "# Media\n\nClear is a method that overwrites the data with other data.\n\n"
        "# Other methods\n\nPurge is a method that makes recovery infeasible in a laboratory.\n"
    )
    result = spanwise.ask("What is the difference between Clear and Purge?", path)
    assert [citation.line_start for citation in result.citations] == [3, 7]


def test_a_comparison_is_replayed(ask, tmp_path):
    result = ask("Is the rent above GBP 1,000?")
    result.save_trace(tmp_path / "trace.json")
    assert spanwise.replay(tmp_path / "trace.json").text == result.text


@pytest.mark.parametrize("change", ["answer", "threshold", "question", "operand"])
def test_the_guard_refuses_a_comparison_that_does_not_follow(ask, change):
    result = ask("Is the rent above GBP 1,000?")
    steps = {step.name: step.record for step in result.trace.steps}
    draft, proof = draft_of(steps["generation"]["draft"]), Proof.from_json(steps["proof"]["documents"])
    assert check(draft, proof).answer == result.answer
    one, other = draft.computations[0].operands
    if change == "answer":
        item = draft.answer.items[0].model_copy(update={"boolean": False})
        draft = replace(draft, answer=draft.answer.model_copy(update={"items": [item]}))
    elif change == "threshold":
        draft = replace(draft, computations=(compute("difference", (one, replace(other, value="900"))),))
    elif change == "operand":
        draft = replace(draft, computations=(compute("difference", (replace(one, value="1451"), other)),))
    else:
        draft = replace(draft, asked="Is the rent below GBP 1,000?")
    assert check(draft, proof).answer.items == []


@pytest.mark.parametrize(
    "question",
    [
        "Is termination allowed under the lease?",
        "Is the tenant over the age limit in section 5?",
        "Is smoking allowed?",
        "What is the rent?",
        "May the tenant keep more than one dog?",
    ],
)
def test_other_questions_compare_nothing(question):
    asked = asked_comparison(question)
    assert asked is None or asked.threshold is None
