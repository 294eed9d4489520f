from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import spanwise
from spanwise.contract.compute import Computation

COVER = """\
UNITED STATES SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
Annual report pursuant to the Securities Exchange Act for the fiscal year ended December 31, 2022
Commission file number 1-2345
ACME HOLDINGS INC
(Exact name of registrant)
"""
TALK = """\
Business
Acme makes anvils. Our largest customer is the Roadrunner Trading Company, which bought a third of our anvils.
Capital expenditures are expected to grow. Working capital is watched closely by the board.
"""
BALANCE = """\
Consolidated Balance Sheets
(in millions)
December 31,  2022  2021
Cash and cash equivalents  120  100
Inventories  80  70
Total current assets  300  250
Goodwill  40  40
Total assets  840  740
Accounts payable  60  50
Total current liabilities  150  140
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


PAGES = [COVER, TALK, BALANCE, CASH]


@contextmanager
def engine(text: str) -> Iterator[spanwise.Engine]:
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="acme.txt")]) as corpus:
        yield spanwise.Engine(corpus)


@pytest.fixture(scope="module")
def ask():
    with engine("\f".join(PAGES)) as opened:
        yield opened.ask


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was Acme's FY2022 capex? Answer in USD millions.", "75 million (2022)"),
        ("What are the year end FY2021 total current liabilities?", "140 million (2021)"),
        ("How much (in USD millions) did Acme pay out in cash dividends in 2022?", "10 million (2022)"),
        ("What were goodwill and total assets in 2022?", "- 40 million (2022)\n- 840 million (2022)"),
    ],
)
def test_the_cell_answers(ask, question, answer):
    assert ask(question).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the FY2022 quick ratio of Acme?", "1.47"),
        ("What was the free cash flow in 2022?", "55 million"),
        ("What is the return on assets for 2022?", "11.39 %"),
        ("How much did net income grow compared to 2021?", "10 million"),
        ("What was net income less dividends paid in 2022?", "80 million"),
        ("What is Acme's 2022 liquidity, defined as cash and cash equivalents / total current liabilities?", "0.8"),
    ],
)
def test_figures_are_computed_by_formulas(ask, question, answer):
    result = ask(question)
    assert result.text == answer
    [record] = result.meta["computations"]
    made = Computation.from_dict(record)
    assert made.replay() == made
    cited = {number for span in result.answer.items[0].spans for number in range(span.line_start, span.line_end + 1)}
    assert all(operand.line_start in cited for operand in made.operands)


def test_the_latest_period_is_meant_where_none_is_named(ask):
    result = ask("What is the capex?")
    assert result.text == "75 million (2022)"
    assert list(result.answer.caveats)[-1] == "The question names no period; this is 2022."


def test_a_cell_cites_the_head_of_its_columns_and_the_scale(ask):
    result = ask("What was the capex in 2022?")
    quotes = [citation.quote for citation in result.citations]
    assert quotes[0].startswith("Additions to property and equipment")
    assert any("2022" in quote for quote in quotes[1:])
    assert any("in millions" in quote for quote in quotes[1:])
    assert {citation.page for citation in result.citations} <= {4, None}


def test_a_currency_that_other_rows_print_is_cited_and_typed():
    signed = BALANCE.replace("equivalents  120  100", "equivalents  $ 120  $ 100")
    pages = [COVER, TALK, signed, CASH]
    with engine("\f".join(pages)) as opened:
        result = opened.ask("What were the inventories in 2022?")
    assert result.text == "$80 million (2022)"
    assert result.answer.items[0].amount.value == 80_000_000
    assert any("$ 120" in citation.quote for citation in result.citations)


def test_cells_on_lines_of_their_own_are_one_row():
    apart = "\f".join([COVER, TALK, *(page.replace("  ", "\n") for page in (BALANCE, CASH))])
    with engine(apart) as opened:
        result = opened.ask("What was the capex in 2022?")
    assert result.text == "75 million (2022)"
    assert result.citations[0].line_end - result.citations[0].line_start == 2


def test_figures_of_a_segment_are_not_those_of_the_company():
    segment = "Domestic segment\n(in millions)\nDecember 31,  2022  2021\nInventories  30  20\nGoodwill  5  5\n"
    with engine("\f".join([COVER, segment, *PAGES[1:]])) as opened:
        assert opened.ask("What were the inventories in 2022?").text == "80 million (2022)"
        assert opened.ask("What were the inventories of the domestic segment in 2022?").text == "30 million (2022)"


def test_a_row_that_the_filing_lacks_is_not_made_up(ask):
    assert "Restructuring" not in ask("What were the restructuring costs in FY2022?").text


def test_the_figures_of_another_year_are_no_answer(ask):
    assert "Additions" not in ask("What was the capex in FY2009?").text


@pytest.mark.parametrize(
    "question",
    [
        "Which encryption algorithm protects the passwords?",
        "Who won the World Cup in 2018?",
        "Where is the museum of clocks?",
    ],
)
def test_what_the_filing_does_not_speak_of_is_not_found(ask, question):
    result = ask(question)
    assert result.decision.kind == "not_found"
    assert result.citations == ()


def test_a_question_about_no_figure_gets_a_sentence(ask):
    assert "Roadrunner" in ask("Who is the largest customer of Acme?").text
