import pytest

from spanwise.errors import InputError
from spanwise.questions.parse import parse_question


def metrics(text: str) -> list[str]:
    return [metric.name for metric in parse_question(text, profile="filings").metrics]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What was the capex in FY2021?", ["capital expenditure"]),
        ("What are total current liabilities?", ["current liabilities"]),
        ("What is D&A?", ["depreciation and amortization"]),
        ("What is the free cash flow?", ["free cash flow", "operating cash flow", "capital expenditure"]),
        ("What is the quick ratio?", ["current assets", "inventories", "current liabilities"]),
        ("What is the working capital?", ["working capital", "current assets", "current liabilities"]),
        ("Where is the head office?", []),
    ],
)
def test_the_figures_asked_for(text, names):
    assert metrics(text) == names


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("What is the revenue? Use only the P&L statement.", ["income"]),
        ("What was capex? Base your judgments on the statement of cash flows.", ["cash"]),
        ("By using the details shown in the statement of financial position, what is the goodwill?", ["balance"]),
        ("What is the asset turnover?", ["income", "balance"]),
        ("Who is the auditor?", []),
    ],
)
def test_the_statements_that_are_named_or_hold_them(text, statements):
    assert [one.name for one in parse_question(text, profile="filings").statements] == statements


def test_a_metric_that_is_only_mentioned_has_a_small_share():
    asked = parse_question("What was the net income of Acme in FY2020?", profile="filings")
    mentioned = parse_question("Which lawsuit against the Texas subsidiary lowered net income most?", profile="filings")
    assert asked.metric_share == 1
    assert mentioned.metric_share < 0.5


def test_other_profiles_have_no_metrics():
    assert parse_question("What was the capex?", profile="contracts").metrics == ()


@pytest.mark.parametrize(("year", "stem"), [("FY2021", "2021"), ("FY21", "2021"), ("2021", "2021")])
def test_a_fiscal_year_is_looked_for_as_documents_write_it(year, stem):
    assert stem in parse_question(f"What was the dividend in {year}?").stems


def test_a_metric_of_unknown_parts_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[[metric]]\nname = "x"\nasked = ["x"]\nof = ["y"]\n')
    with pytest.raises(InputError, match="'x' is computed of 'y', which has no rows"):
        parse_question("What is x?", profile=str(path))
