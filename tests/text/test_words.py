"""Words with plurals folded."""

import pytest

from spanwise.text.terms import contains_phrase, folded_words, singular, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is it?", ["what", "is", "it"]),
        ("a 1.5% fee, $1,000", ["a", "1.5", "fee", "1,000"]),
        ("the Client's third-party claims", ["the", "client", "third", "party", "claims"]),
        ("30 days\u2019 notice", ["30", "days", "notice"]),
        ("", []),
        ("\u2026!?", []),
    ],
)
def test_words_leave_punctuation_behind(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        *(("penalties", "penalty"), ("fees", "fee"), ("clauses", "clause"), ("processes", "process")),
        *(("breaches", "breach"), ("taxes", "tax"), ("business", "business"), ("status", "status")),
        *(("basis", "basis"), ("gas", "gas"), ("ties", "tie"), ("related", "related")),
    ],
)
def test_plurals_fold_to_one_form(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@pytest.mark.parametrize(
    ("phrase", "found"),
    [("intellectual property", True), ("property intellectual", False), ("property law", False), ("", False)],
)
def test_a_phrase_is_words_next_to_each_other(phrase: str, *, found: bool) -> None:
    assert contains_phrase(folded_words("all intellectual property rights"), folded_words(phrase)) is found
