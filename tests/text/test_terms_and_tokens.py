import pytest

from spanwise.text.terms import terms
from spanwise.text.tokens import count_tokens


def test_terms_are_stems_of_content_words():
    assert terms("What are the late payment penalties?") == ["late", "payment", "penalti"]
    assert terms("penalty") == ["penalti"]


def test_numbers_and_joined_words_are_terms():
    assert terms("On-demand use of 1.5% in 2024") == ["ondemand", "use", "1.5", "2024"]


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("   ", 0), ("a", 1), ("the", 1), ("a b c", 3), ("x" * 400, 100), ("你好", 2)]
)
def test_token_estimates(text, tokens):
    assert count_tokens(text) == tokens
