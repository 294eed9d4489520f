"""Citations at the ends of sentences."""

import pytest

from spanwise.guard.judge import CitedText, cited_texts

TERMS = {"title": "Fees (Annex A, page 2)", "content": "Fees (See Annex B, page 9) are due.", "page_num": 4}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("No citation.", [("No citation.", None, None)]),
        ("Due. (See Fees (Annex A, page 2), page 4)", [("Due. ", "Fees (Annex A, page 2)", "4"), ("", None, None)]),
        ("Due. (See Other (x), page A-3) More.", [("Due. ", "Other (x)", "A-3"), (" More.", None, None)]),
        ("Due. (See Unknown, page ?)", [("Due. ", "Unknown", "?"), ("", None, None)]),
        ("Fees (See Annex B, page 9) are due.", [("Fees (See Annex B, page 9) are due.", None, None)]),
        ("(See nothing", [("(See nothing", None, None)]),
    ],
)
def test_answers_are_cut_at_their_citations(response: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert cited_texts(response, [TERMS]) == [CitedText(*part) for part in expected]


def test_many_openings_take_no_long_time() -> None:
    assert len(cited_texts("(See " * 20_000, [TERMS])) == 1
