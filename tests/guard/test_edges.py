"""The edges of what comparators look at: one word, syllable, unit or condition more or fewer is another finding."""

import json

import pytest

from spanwise import find_conflicts, verify
from spanwise.domain.document import Line
from spanwise.guard.completeness.lines import is_heading
from spanwise.guard.figures import compared
from spanwise.text.quantities import quantities
from spanwise.text.related import opposite


def kinds(claim: str, *sources: object) -> set[str]:
    return {finding.kind for finding in verify(claim, sources).findings}


@pytest.mark.parametrize(
    ("source", "swapped"),
    [
        ("Acme pays Gamma and Delta pays Beta.", True),
        ("Acme pays Gamma and Delta pays Epsilon.", False),
        ("Zeta pays Gamma and Delta pays Beta.", False),
    ],
    ids=["both", "the one who pays", "the one who is paid"],
)
def test_two_names_are_paired_otherwise_only_if_a_sentence_has_both(source: str, swapped: bool) -> None:
    assert ("swapped" in kinds("Acme pays Beta.", source)) == swapped


@pytest.mark.parametrize(("words", "quoted"), [("Dogs may enter.", False), ("Dogs may enter halls.", True)])
def test_four_words_in_a_row_are_a_quotation(words: str, quoted: bool) -> None:
    [claim] = verify(words, [f"The house opens at ten. {words} Cats stay outside."]).claims
    assert claim.support == "supported"
    assert claim.reason.startswith("its very words") == quoted


NAMED = "The committee of the harbour was chaired{} in the spring and met twice."


@pytest.mark.parametrize(("one", "other"), [("", " by Smith"), (" by Smith", " by Smith Brown")])
def test_a_name_that_only_one_of_two_sentences_has_is_no_other_name(one: str, other: str) -> None:
    sources = [NAMED.format(one), NAMED.format(other)]
    assert find_conflicts(sources) == find_conflicts(sources[::-1]) == []


def test_a_figure_is_compared_with_the_one_of_its_own_kind() -> None:
    [conflict] = find_conflicts(["The deposit of the flat is $900.", "The deposit of the flat is since 2023 $950."])
    assert (conflict.one.value, conflict.other.value) == ("$900", "$950")


def test_a_denial_narrows_what_is_spoken_of() -> None:
    assert not find_conflicts(
        ["The monthly fee for flats is $900.", "The monthly fee for not furnished flats is $950."]
    )
    assert find_conflicts(["The monthly fee for flats is $900.", "The monthly fee for flats is $950."])


@pytest.mark.parametrize("turned", [False, True])
def test_a_series_in_a_document_disagrees_with_no_sentence_of_it(turned: bool) -> None:
    series = [f"The monthly fee of the club is {fee} dollars for adults." for fee in (20, 30, 40, 50, 60)]
    texts = [*series, "The monthly fee of the club is not 20 dollars for adults."]
    passages = [{"document": "fees", "chunk_id": str(at), "text": text} for at, text in enumerate(texts)]
    assert find_conflicts(passages[::-1] if turned else passages) == []
    assert find_conflicts([passages[0], passages[-1]])


@pytest.mark.parametrize(
    ("claim", "denied"), [("The inn has a garage.", False), ("The inn has a garage for parking.", True)]
)
def test_a_word_of_a_record_denies_where_its_group_is_named_too(claim: str, denied: bool) -> None:
    record = json.dumps({"name": "Inn", "attributes": {"Parking": {"garage": False, "street": True}}})
    [said] = verify(claim, [record]).claims
    assert (said.support == "contradicted") == denied


@pytest.mark.parametrize(
    ("sentence", "dated"),
    [
        ("The old fair of the town opens {} weeks from May on in Oslo.", True),
        ("The old fair of the town opens {} weeks after early May in Oslo.", False),
        ("Late in May visitors paid {} coins for the old fair in Oslo.", True),
        ("Late in May many visitors paid {} coins for the old fair in Oslo.", False),
    ],
    ids=["third behind", "fourth behind", "third before", "fourth before"],
)
def test_a_number_within_three_words_of_a_month_is_part_of_a_date(sentence: str, dated: bool) -> None:
    found = kinds(sentence.format(31), sentence.format(17))
    assert ("date_changed" in found) == dated
    assert found & {"date_changed", "number_changed"}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Lanterns light the long stone bridge of the town.", "Torches light the long stone bridge of the town."),
        ("The town lit its long stone bridge with lanterns.", "The town lit its long stone bridge with torches."),
        ("The town lit with lanterns its long stone bridge.", "The town lit with torches its long stone bridge."),
    ],
    ids=["first", "last", "inside"],
)
def test_a_word_is_exchanged_wherever_it_stands_in_a_copy(claim: str, source: str) -> None:
    assert "not_in_sources" in kinds(claim, source)


@pytest.mark.parametrize(
    "key", ["effective_date", "effective", "date", "published", "publication_date", "updated", "last_modified"]
)
def test_every_key_of_the_metadata_that_dates_a_source_tells_its_order(key: str) -> None:
    sources = [{"text": f"The late fee is {rate}%.", "metadata": {key: f"20{20 + rate}-05-01"}} for rate in (1, 2)]
    [conflict] = find_conflicts(sources)
    assert (conflict.one.dated, conflict.later) == ("2021-05-01", "other")


@pytest.mark.parametrize(
    ("opening", "orders"),
    [
        ("Effective as from the {} May 2021, the monthly fee of the vendor is {}%.", True),
        ("Effective as from the very {} May 2021, the monthly fee of the vendor is {}%.", False),
    ],
    ids=["fourth word", "fifth word"],
)
def test_a_date_orders_two_sources_where_a_word_for_it_stands_near(opening: str, orders: bool) -> None:
    found = find_conflicts([opening.format(3, 1), opening.format(4, 2)])
    assert [conflict.kind for conflict in found] == (["number"] if orders else [])


CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CAD", "CHF", "AUD"]


@pytest.mark.parametrize(("ours", "theirs"), list(zip(CURRENCIES, [*CURRENCIES[1:], CURRENCIES[0]], strict=True)))
def test_another_currency_is_another_figure(ours: str, theirs: str) -> None:
    source = f"The entrance fee of the old museum is {theirs} 40 for each visitor. The shop closes at six."
    (claim,) = verify(f"The entrance fee of the old museum is {ours} 40 for each visitor.", [source]).claims
    assert claim.support == "contradicted"
    (claim,) = verify(f"The entrance fee is paid in {ours}.", [f"The entrance fee is paid in {theirs}."]).claims
    assert claim.support == "contradicted"


DENIED = [
    *[("limited", "unlimited"), ("standard", "nonstandard"), ("connected", "disconnected"), ("complete", "incomplete")],
    *[("possible", "impossible"), ("regular", "irregular"), ("legible", "illegible"), ("public", "nonpublic")],
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
    ("text", "heading"),
    [
        ("# Fees", True),
        ("Section 5. Limits", True),
        ("Section 5 binds both", False),
        ("(a) the fee", False),
        ("The fee is due in May.", False),
    ],
)
def test_a_heading_is_told_by_its_mark_or_its_title(text: str, heading: bool) -> None:
    assert is_heading(Line(number=1, page=1, line_in_page=1, text=text)) == heading


def test_a_series_of_like_sentences_is_no_conflict_with_itself() -> None:
    document = "Room 1 holds 20 guests. Room 2 holds 30 guests. Room 3 holds 40 guests. Room 4 holds 50 guests."
    assert not find_conflicts([document])
