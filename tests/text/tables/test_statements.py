import pytest

from spanwise.domain.question import Metric, Statement
from spanwise.text.tables.financial_statements import alike, match, plain, read_table, titled

BALANCE = Statement("balance", ("balance sheets",), ("total current assets", "total assets", "goodwill"))
SALES = Metric("revenue", ("net sales", "total revenues"))


def test_a_statement_is_known_by_title_and_rows():
    table = read_table(
        enumerate(["CONSOLIDATED BALANCE SHEETS", "2022  2021", "Total assets  5  4", "Goodwill  1  1"], 1)
    )
    assert titled(BALANCE, table)
    assert 0 < alike(BALANCE, table) < 1
    assert [row.label for row in table.rows] == ["Total assets", "Goodwill"]


def test_a_sentence_that_mentions_it_is_no_title():
    sentence = (
        "As shown in the consolidated balance sheets, which were audited, we had more assets than in the year before."
    )
    assert not titled(BALANCE, read_table([(1, sentence)]))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Net sales", "Net sales to affiliates"),
        ("Net sales to affiliates", "Growth of net sales"),
        ("Net sales", "Total revenues"),
        ("Growth of net sales", "Goodwill"),
    ],
)
def test_the_closer_label_matches_better(better, worse):
    assert match(SALES, plain(better)) > match(SALES, plain(worse))
