import pytest

from spanwise.synthesis.extractive.complement import complement


@pytest.mark.parametrize(
    ("question", "sentence", "rest"),
    [
        (
            "What does goodwill consist of?",
            "Goodwill consists of the excess of the price paid.",
            "the excess of the price paid",
        ),
        (
            "What does order intake represent?",
            "Order intake represents commitments to buy goods.",
            "commitments to buy goods",
        ),
        (
            "What do the additions in the year relate to?",
            "The additions in the year relate to share-based payments.",
            "share-based payments",
        ),
        (
            "What is liquidity risk?",
            "Liquidity risk is the risk of unmet obligations.",
            "the risk of unmet obligations",
        ),
        (
            "Why did interest expense increase in 2019?",
            "Interest expense increased in 2019 due to a higher average debt balance.",
            "a higher average debt balance",
        ),
    ],
)
def test_the_rest_of_a_sentence_completes_the_question(question, sentence, rest):
    found = complement(question, sentence)
    assert sentence[found.start : found.end] == rest


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What does goodwill consist of?", "The board consists of nine members."),
        ("What is liquidity risk?", "Credit risk is the risk of a default."),
        ("Why did revenue fall?", "Interest expense rose due to higher rates."),
        ("Who signed the lease?", "The lease was signed by the tenant."),
    ],
)
def test_a_sentence_that_begins_otherwise_has_none(question, sentence):
    assert complement(question, sentence) is None
