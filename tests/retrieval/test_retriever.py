from dataclasses import replace

import pytest

import spanwise
from spanwise.domain.document import Section
from spanwise.questions.parse import parse_question
from spanwise.retrieval.factors import FACTORS, PAGE_FACTORS
from spanwise.retrieval.retriever import factor_weights, retrieve

COVER = """\
UNITED STATES SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
Annual report pursuant to the Securities Exchange Act for the fiscal year ended December 31, 2022
Commission file number 1-2345
ACME HOLDINGS INC
(Exact name of registrant)
"""
TALK = """\
Management's discussion
Capital expenditures and total assets matter to Acme. In 2022 our balance sheet was strong, cash flow was strong, and
capital expenditures in the balance sheet and the cash flow statement of Acme for 2022 and 2021 were in line with plans.
Acme expects capital expenditures to grow. Acme has total assets that it is proud of.
"""
LONG_TALK = "".join(
    f"Acme spoke of capital expenditures in note {number} and of nothing else.\n" for number in range(60)
)
BALANCE = """\
Consolidated Balance Sheets
(in millions)
December 31,  2022  2021
Cash and cash equivalents  120  100
Inventories  80  70
Total current assets  300  250
Property, plant and equipment, net  500  450
Goodwill  40  40
Total assets  840  740
Accounts payable  60  50
Total current liabilities  150  140
Long-term debt  200  200
Total liabilities  350  340
Retained earnings  490  400
"""
CASH = """\
Consolidated Statements of Cash Flows
(in millions)
Year ended December 31,  2022  2021
Net income  90  80
Depreciation and amortization  30  28
Net cash provided by operating activities  130  115
Additions to property and equipment  (75)  (60)
Net cash used in investing activities  (75)  (60)
Dividends paid  (10)  (9)
Net cash used in financing activities  (10)  (9)
"""
PAGES = [COVER, TALK, LONG_TALK, BALANCE, CASH]


@pytest.fixture(scope="module")
def filing():
    read = spanwise.read("\f".join(PAGES).encode(), name="acme.txt")
    parts = [Section(f"Part {p.number}", 1, p.first_line, p.last_line, p.number, p.number) for p in read.pages]
    document = replace(read, sections=tuple(parts))
    with spanwise.Corpus.of([document]) as corpus:
        yield document, corpus


def pages(filing, text: str) -> list[set[int]]:
    """The pages of each hit."""
    document, corpus = filing
    hits = retrieve(parse_question(text, document=document), corpus)
    return [{line.page for line in document.lines[h.passage.line_start - 1 : h.passage.line_end]} for h in hits]


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("What was Acme's capex in FY2022? Answer in USD millions.", 5),
        ("What are the total current liabilities of Acme in 2022?", 4),
        ("What is the quick ratio of Acme for FY2022?", 4),
        ("How much did Acme pay in cash dividends? Use only the statement of cash flows.", 5),
        ("What did management say about being proud?", 2),
    ],
)
def test_the_statement_is_found_before_those_who_speak_of_it(filing, text, page):
    assert page in pages(filing, text)[0]


def test_one_page_does_not_crowd_out_the_others(filing):
    found = pages(filing, "Of what capital expenditures did Acme speak in its notes, and of nothing else?")
    assert any(3 in one for one in found[:4])
    assert any(3 not in one for one in found[:3])
    assert sum(3 in one for one in found) > 2


def test_each_hit_says_why(filing):
    document, corpus = filing
    best = retrieve(parse_question("What was the capex?", document=document), corpus)[0]
    assert best.factors["metric_rows"] > 0.7
    assert best.factors["statement_title"] == 1
    assert set(best.factors) <= set(FACTORS) | set(PAGE_FACTORS)


def test_the_same_question_gives_the_same_hits(filing):
    document, corpus = filing
    question = parse_question("What was the capex in 2022?", document=document)
    assert retrieve(question, corpus) == retrieve(question, corpus)


def test_every_weight_has_a_factor():
    for profile in (None, "contracts", "filings"):
        assert set(factor_weights(profile)) == {*FACTORS, *PAGE_FACTORS, "crowding"}


def test_contracts_do_without_pages():
    weights = factor_weights("contracts")
    assert not any(weights[name] for name in (*PAGE_FACTORS, "crowding"))


def test_an_empty_corpus_has_no_hits():
    with spanwise.Corpus.of([]) as corpus:
        assert retrieve(parse_question("What was the capex?", profile="filings"), corpus) == []
