"""What mutants of the code showed that no test held: units, prefixes, scripts, fiscal parts of years, titles."""

import pytest

from spanwise import find_conflicts, verify
from spanwise.domain.document import Line
from spanwise.guard.contrasts import opposite
from spanwise.guard.figures import compared
from spanwise.guard.forms import is_heading
from spanwise.guard.languages import script_of
from spanwise.text.quantities import quantities

CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CAD", "CHF", "AUD"]


@pytest.mark.parametrize(("ours", "theirs"), list(zip(CURRENCIES, [*CURRENCIES[1:], CURRENCIES[0]], strict=True)))
def test_another_currency_is_another_figure(ours: str, theirs: str) -> None:
    source = f"The entrance fee of the old museum is {theirs} 40 for each visitor. The shop closes at six."
    (claim,) = verify(f"The entrance fee of the old museum is {ours} 40 for each visitor.", [source]).claims
    assert claim.support == "contradicted"


DENIED = [
    *[("limited", "unlimited"), ("standard", "nonstandard"), ("connected", "disconnected"), ("complete", "incomplete")],
    *[("possible", "impossible"), ("regular", "irregular"), ("legible", "illegible")],
]


@pytest.mark.parametrize(("one", "other"), DENIED)
def test_a_denying_syllable_makes_the_opposite(one: str, other: str) -> None:
    assert opposite(one, other)
    assert opposite(other, one)


@pytest.mark.parametrize(("one", "other"), [("legible", "legible"), ("form", "inform"), ("market", "supermarket")])
def test_other_syllables_and_short_words_make_none(one: str, other: str) -> None:
    assert not opposite(one, other)


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [
        ("Q2 2021", "Q3 2021", "different"),
        ("Q2 2021", "Q2 2021", "same"),
        ("Q2 2021", "Q2 2022", "different"),
        ("March 2021", "5 March 2021", "unknown"),
        ("5 March", "6 March 2021", "different"),
        ("5 March", "5 March 2021", "unknown"),
    ],
)
def test_times_differ_where_both_say_the_same_part(one: str, other: str, outcome: str) -> None:
    (ours,), (theirs,) = quantities(f"in {one}"), quantities(f"in {other}")
    assert (compared(ours, theirs) == "different") == (outcome == "different")
    assert (compared(ours, theirs) == "same") <= (outcome != "different")


@pytest.mark.parametrize(
    ("text", "script"),
    [
        *[("The gate", "latin"), ("42 %", ""), ("\u2026", "")],
        *[("caf\u00e9 \u0434\u0430", "latin"), ("\u0434\u0430", "other")],
    ],
)
def test_the_script_of_a_text_is_that_of_most_letters(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("text", "heading"),
    [("# Fees", True), ("Section 5. Limits", True), ("(a) the fee", False), ("The fee is due in May.", False)],
)
def test_a_heading_is_told_by_its_mark_or_its_title(text: str, heading: bool) -> None:
    assert is_heading(Line(number=1, page=1, line_in_page=1, text=text)) == heading


def test_a_series_of_like_sentences_is_no_conflict_with_itself() -> None:
    document = "Room 1 holds 20 guests. Room 2 holds 30 guests. Room 3 holds 40 guests. Room 4 holds 50 guests."
    assert not find_conflicts([document])
