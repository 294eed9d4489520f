"""Answers from tables, all the way: read, asked, computed, checked by the guard."""

import pytest

import spanwise
from spanwise.contract.compute import Computation

REPORT = """\
Notes to the accounts (in millions, except per share data)

| Years ended December 31, | 2019 | 2018 | 2017 |
| --- | --- | --- | --- |
| Revenue | $1,200 | $1,000 | $800 |
| Cost of sales | (700) | (650) | (500) |
| Licence fees | 300 | 240 | 250 |
| Operating expenses: | | | |
| Marketing | 90 | 80 | 60 |
| Research | 110 | 120 | 130 |
| Total operating expenses | 200 | 200 | 190 |
| Basic earnings per share | 4.60 | 0.43 | 1.75 |

The pension charge of the group was $14.5 million in 2019.
"""


@pytest.fixture(scope="module")
def engine():
    with spanwise.Corpus.of([spanwise.read(REPORT.encode(), name="report.md")]) as corpus:
        yield spanwise.Engine(corpus)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the change in revenue from 2018 to 2019?", "$200 million"),
        ("What was the percentage change in revenue from 2018 to 2019?", "20 %"),
        ("How much did revenue grow compared to 2018?", "$200 million"),
        ("How much did revenue grow compared to 2017?", "$400 million"),
        ("What was the percentage change in revenue in 2018?", "25 %"),
        ("What was the average revenue for 2017, 2018 and 2019?", "$1,000 million"),
        ("What was the total revenue for 2018 and 2019?", "$2,200 million"),
        ("What is the difference between marketing and research in 2019?", "$20 million"),
        ("What is the ratio of licence fees to revenue in 2019?", "0.25"),
        ("What percentage of total operating expenses was marketing in 2019?", "45 %"),
        ("What was the average basic earnings per share in 2018 and 2019?", "$2.52"),
        ("How many years did licence fees exceed $245 million?", "2"),
        ("How many components are there under operating expenses?", "2"),
    ],
)
def test_figures_are_computed_from_cited_cells(engine, question, text):
    result = engine.ask(question)
    assert result.text == text
    assert result.answer.extraction_method == "computed"
    [record] = result.meta["computations"]
    made = Computation.from_dict(record)
    assert made.replay() == made
    cited = {number for span in result.answer.items[0].spans for number in range(span.line_start, span.line_end + 1)}
    assert all(operand.line_start in cited for operand in made.operands)
    assert 3 in cited  # the head of the columns


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the revenue in 2018?", "$1,000 million (2018)"),
        ("What was the cost of sales in 2017?", "$500 million (2017)"),
        ("In which year was research the highest?", "2017"),
        ("Which year had higher marketing, 2018 or 2019?", "2019"),
        ("What were the licence fees in 2019 and 2018 respectively?", "- $300 million (2019)\n- $240 million (2018)"),
        ("What are the components of operating expenses?", "- Marketing\n- Research"),
        ("In which years were licence fees recorded?", "- 2019\n- 2018\n- 2017"),
    ],
)
def test_figures_and_headings_are_given_as_they_stand(engine, question, text):
    assert engine.ask(question).text == text


def test_what_a_table_counts_in_is_told(engine):
    assert engine.ask("What was the revenue in 2018?").answer.caveats == ["The table counts in millions of USD."]


def test_figures_of_the_text_are_found_beside_the_table(engine):
    assert engine.ask("How much was the pension charge of the group in 2019?").text == "$14.5 million"


@pytest.mark.parametrize(
    "question",
    ["What was the percentage change in revenue from 2011 to 2012?", "What was the average goodwill in 2018 and 2019?"],
)
def test_what_is_in_no_column_or_row_is_not_computed(engine, question):
    assert engine.ask(question).meta["computations"] == []


def test_a_division_by_zero_is_no_answer():
    text = "| | 2019 | 2018 |\n| --- | --- | --- |\n| Grants | 50 | - |\n| Fees | 7 | 9 |\n"
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="zero.md")]) as corpus:
        result = spanwise.Engine(corpus).ask("What was the percentage change in grants from 2018 to 2019?")
    assert result.meta["computations"] == []


def test_rows_of_a_printed_page_are_computed_with():
    page = (
        "STATEMENT OF INCOME\n(in thousands)\n\n"
        "                          2019        2018\n"
        "Net product sales        5,000       4,000\n"
        "Net service sales        1,500       1,000\n"
        "Cost of sales            2,000       1,800\n"
    )
    with spanwise.Corpus.of([spanwise.read(page.encode(), name="page.txt")]) as corpus:
        result = spanwise.Engine(corpus).ask("What was the percentage change in net service sales from 2018 to 2019?")
    assert result.text == "50 %"
    assert "Net service sales" in result.citations[0].quote


BIKES = """\
# Bikes

A deposit of $3,000 is due.

| Model | Weight | Range | Price |
| --- | --- | --- | --- |
| Pedalo Trek | 22.4 kg | 140 km | $3,199 |
| Pedalo Cargo | 34 kg | 75 km | $4,850 |
"""


@pytest.fixture(scope="module")
def bikes():
    with spanwise.Corpus.of([spanwise.read(BIKES.encode(), name="bikes.md")]) as corpus:
        yield spanwise.Engine(corpus)


def test_a_price_is_no_weight(bikes):
    assert "$4,850" in bikes.ask("How much does the Pedalo Cargo cost?").text


def test_a_sum_of_thousands_beside_a_table_is_not_its_scale(bikes):
    result = bikes.ask("What is the price of the Pedalo Trek?")
    assert [(item.amount.value, item.amount.currency) for item in result.answer.items] == [(3199, "USD")]
    assert list(result.answer.caveats) == []


ACCOUNTS = """\
THE FERRY COMPANY
STATEMENTS OF INCOME
(in millions)

Year ended December 31,                   2022          2021
Net sales                            $  4,118.0    $  3,742.5
Cost of sales                          (2,306.1)     (2,170.7)
Gross profit                             1,811.9       1,571.8
Operating income                           640.2         501.3
Finance costs                              (61.3)        (66.0)

Net sales by route                         2022          2021
Island                               $  2,350.4    $  2,101.9
Fjord                                   1,767.6       1,640.6
Total                                $  4,118.0    $  3,742.5

BALANCE SHEETS
(in millions)

                             December 31, 2022    December 31, 2021
Current assets:
  Cash                                 310.0                 455.2
  Inventories (Note 4)                 701.9                 540.7
                                     1,011.9                 995.9
Total assets                     $   3,464.2           $   3,208.6
Current liabilities:
  Accounts payable                     402.7                 377.9
  Total current liabilities            505.9                 497.9
"""


@pytest.fixture(scope="module")
def accounts():
    with spanwise.Corpus.of([spanwise.read(ACCOUNTS.encode(), name="accounts.txt")]) as corpus:
        yield spanwise.Engine(corpus)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What were total assets at December 31, 2021?", "$3,208.6 million (2021)"),
        ("What were inventories at December 31, 2021?", "$540.7 million (2021)"),
        ("What were total current assets at December 31, 2022?", "$1,011.9 million (2022)"),
        ("What were the net sales of the Fjord route in 2021?", "$1,640.6 million (2021)"),
        ("What was the gross margin in 2022?", "44 %"),
        ("What share of net sales came from Island in 2022?", "57.08 %"),
        ("By how much did finance costs fall in 2022?", "-$4.7 million"),
    ],
)
def test_figures_of_printed_statements(accounts, question, text):
    assert accounts.ask(question).text == text


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Was operating income above 600 million in 2022?", True),
        ("Was operating income above 600 million in 2021?", False),
        ("Did finance costs fall in 2022?", True),
        ("Did net sales fall in 2022?", False),
    ],
)
def test_yes_and_no_of_figures(accounts, question, yes):
    result = accounts.ask(question)
    assert result.answer.items[0].boolean is yes
    assert result.meta["computations"]


def test_a_figure_for_each_row_is_a_table(accounts):
    result = accounts.ask("List the net sales for each route in 2022.")
    table = result.answer.items[0].table
    assert table.rows == [["Island", "2,350.4"], ["Fjord", "1,767.6"]]
