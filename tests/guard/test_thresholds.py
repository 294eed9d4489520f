"""Words and figures at the edge of what a comparator looks at: one more, one fewer, and the finding is another one."""

import pytest

from spanwise import find_conflicts, verify


def kinds(claim: str, source: str) -> set[str]:
    return {finding.kind for finding in verify(claim, [source]).findings}


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
