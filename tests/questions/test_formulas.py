"""Formulas that questions write themselves."""

from itertools import pairwise

import pytest

from spanwise.questions.asked_figures import asked_formula
from spanwise.questions.profiles import load_profile

FILINGS = load_profile("filings")


@pytest.mark.parametrize(
    ("question", "wanted", "formula"),
    [
        ("What was revenue minus cost of sales for 2021?", "revenue", "{revenue} - {cost of sales}"),
        ("What is EBITDA less capex?", "EBITDA", "{EBITDA} - {capital expenditure}"),
        (
            "Define cover as operating income / (interest expense + dividends paid). What is it?",
            "operating income",
            "{operating income} / ( {interest expense} + {dividends paid} )",
        ),
        (
            "What is asset use? It is calculated as 2020 revenue / (average total assets between 2019 and 2020).",
            "revenue",
            "{revenue@2020} / ( {total assets:average@2020} )",
        ),
        (
            "What is the CCC? CCC is defined as DIO - DPO. DIO is defined as 365 * inventories / COGS. "
            "DPO is defined as 365 * payables / COGS.",
            "cash conversion cycle",
            "(365 * {inventories} / {cost of sales}) - (365 * {accounts payable} / {cost of sales})",
        ),
        ("What were revenue and net income?", "revenue", ""),
        ("What is revenue divided by the number of employees?", "revenue", ""),
    ],
)
def test_arithmetic_over_metrics(question, wanted, formula):
    assert asked_formula(question, FILINGS, wanted) == formula


def test_a_hostile_question_is_read_in_bounded_time():
    assert asked_formula("(" * 5000 + "revenue / " * 5000, FILINGS, "revenue") == ""


def test_definitions_that_double_each_other_are_given_up():
    short = ["AR", "AP", "EBT", "R&D", "EPS", "PPE", "CFO", "CFI", "CFF", "D&A", "COGS", "EBIT", "capex", "EBITDA"]
    question = " ".join(f"{one} = {other} + {other}." for one, other in pairwise(short))
    assert asked_formula(question, FILINGS, "accounts receivable") == ""
    assert asked_formula("Revenue = revenue + revenue.", FILINGS, "revenue") != ""
