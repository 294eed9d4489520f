"""Where two statements contradict each other."""

import pytest

from spanwise.guard.conflicts import conflict, coverage, missing_figures
from spanwise.guard.statements import statement

LEASE = (
    "The Lessee shall pay the Lessor $500 per month and may sublet the rooms, but it shall not keep animals in them."
)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("The Lessee shall pay the Lessor $600 per month.", "$600"),
        ("The Lessee shall pay the Lessor $500 per year.", "$500 per year"),
        ("The Lessee may keep animals in the rooms.", "denies"),
        ("The Lessee shall not pay the Lessor $500 per month.", "pay"),
        ("The Lessor shall pay the Lessee $500 per month.", "lessor"),
        (LEASE.replace("may sublet", "must sublet"), "must"),
        (LEASE.replace("shall not", "shall"), "keep"),
        (LEASE.replace("shall pay", "shall never pay"), "pay"),
    ],
)
def test_a_changed_fact_is_told(claim: str, told: str) -> None:
    assert told in (conflict(statement(claim), statement(LEASE)) or "")


@pytest.mark.parametrize(
    "claim",
    [
        LEASE,
        "The Lessee pays the Lessor $500 monthly.",
        "Each month the Lessor is paid $500 by the Lessee.",
        "Animals may not be kept.",
        "The rooms may be sublet.",
        "The Lessee shall pay rent.",
    ],
)
def test_the_same_in_other_words_is_no_conflict(claim: str) -> None:
    assert conflict(statement(claim), statement(LEASE)) is None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Notice is given before delivery.", "Notice is given after delivery."),
        ("The licence is exclusive.", "The licence is non-exclusive."),
        ("Reports are due weekly.", "Reports are due every month."),
        ("Alpha will supply Beta.", "Beta will supply Alpha."),
        ("No fee is due.", "A fee is due."),
        ("Nobody can't leave.", "Nobody can leave."),
        ("It lasts two years.", "It lasts three years."),
    ],
)
def test_opposites(claim: str, source: str) -> None:
    assert conflict(statement(claim), statement(source))
    assert conflict(statement(source), statement(claim))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Notice no later than 30 days.", "Notice within 30 days."),
        ("Payment is due.", "A balance that is not paid bears interest."),
        ("Either party may leave.", "The Client may leave."),
        ("The agreement ends.", "The contract terminates."),
    ],
)
def test_no_conflict(claim: str, source: str) -> None:
    assert conflict(statement(claim), statement(source)) is None


def test_coverage_counts_words_of_one_meaning_as_one() -> None:
    assert coverage(statement("The contract terminates"), statement("the agreement ends").content) == 1.0


def test_figures_may_come_from_two_sentences() -> None:
    claim = statement("It costs $5 for 3 days.")
    assert missing_figures(claim, statement("It costs $5."), statement("It lasts 3 days.")) == []
    assert len(missing_figures(claim, statement("It costs $5."))) == 1
