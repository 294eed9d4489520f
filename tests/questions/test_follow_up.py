"""What a follow-up question asks, made whole from the question before it."""

import pytest
from every import every

from spanwise.questions.follow_up import follow_up

WHOLE = [
    ("What was revenue in 2025?", "and in 2021?", "What was revenue in 2021?"),
    ("What was revenue in 2025?", "2021?", "What was revenue in 2021?"),
    ("What was revenue in 2025?", "und 2021?", "What was revenue in 2021?"),
    ("What was revenue?", "What about 2021?", "What was revenue in 2021?"),
    ("How much did revenue grow from 2024 to 2025?", "and in 2023?", "How much did revenue grow in 2023?"),
    ("What is the rent of the unit in London?", "and of the office?", "What is the rent of the office in London?"),
    ("What is the notice period?", "for the tenant?", "What is the notice period for the tenant?"),
    ("What is the rent under the lease?", "and the deposit?", "What is the deposit under the lease?"),
    ("What is the rent?", "what about the service charges?", "What are the service charges?"),
    ("When does the lease end?", "How about the insurance?", "When does the insurance end?"),
    ("What does Rent mean?", "and Deposit?", "What does Deposit mean?"),
    ("Who audits Tarnholt Instruments?", "and Brackwater Estates?", "Who audits Brackwater Estates?"),
    ("Is subletting allowed?", "Why not?", "Why is subletting not allowed?"),
    ("Is subletting allowed?", "Why?", "Why is subletting allowed?"),
    ("How much did revenue grow?", "why?", "Why did revenue grow?"),
    ("What is the late fee?", "Why?", "What is the reason for the late fee?"),
    ("When does the lease end?", "When does it begin?", "When does the lease begin?"),
    ("How long is the warranty?", "Does it cover rust?", "Does the warranty cover rust?"),
    ("How long does the ferry to Ouse take?", "and to Nairn?", "How long does the ferry to Nairn take?"),
    ("What is exact time?", "How is it measured?", "How is exact time measured?"),
    ("Who is the landlord?", "What is its address?", "What is the landlord's address?"),
    ("What does Rent mean?", "when is that due?", "When is Rent due?"),
    ("Which law governs the lease?", "and the amendment?", "Which law governs the amendment?"),
    ("Which law governs the lease?", "does it renew?", "Does the lease renew?"),
    ("Does the tenant pay for insurance?", "how much?", "How much does the tenant pay for insurance?"),
    ("Who is the landlord?", "And who signed for it?", "Who signed for the landlord?"),
]


@every(("before", "said", "whole"), WHOLE)
def test_what_is_left_out_comes_from_the_question_before(before, said, whole):
    assert follow_up(said, before) == whole
    assert follow_up(whole, before) == whole  # and then it stands by itself


@pytest.mark.parametrize(
    "said",
    [
        "What is the deposit?",
        "What does the tenant pay when it leaves?",
        "How long does it take to read a gauge?",
        "Is it allowed to keep a dog?",
        "List all risks",
        "By how much did revenue grow from 2024 to 2025?",
        "For which months is no rent due?",
        "Does Tarnholt insure its stations?",
        "?",
        "the board",
        "and " * 5_000,
        "why " * 5_000,
    ],
)
def test_what_stands_by_itself_stays(said):
    assert follow_up(said, "What is the rent under the lease?") == said
    assert follow_up(said, "") == said
