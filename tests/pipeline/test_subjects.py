import pytest

import spanwise

FILING = """\
UNITED STATES SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
Annual report pursuant to the Securities Exchange Act for the fiscal year ended December 31, 2022
Commission file number 1-2345
ACME HOLDINGS INC
(Exact name of registrant)
\f\
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


@pytest.fixture(scope="module")
def filing(tmp_path_factory):
    path = tmp_path_factory.mktemp("filing") / "acme.txt"
    path.write_text(FILING, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "question",
    [
        "What were Acme's inventories in FY2022?",
        "What were the inventories in FY2022 for Acme Holdings?",
        "What were the total assets in 2022?",
        "What was the amount of Accounts Payable in FY2022?",
    ],
)
def test_figures_of_the_company_itself_or_of_none(filing, question):
    assert spanwise.ask(question, filing).decision.kind == "ship"


@pytest.mark.parametrize(
    "question",
    [
        "What were Globex's inventories in FY2022?",
        "What were the inventories in FY2022 for Globex?",
        "How much inventories did Acme Globex Limited have in FY2022?",
    ],
)
def test_figures_of_another_company_are_not_given(filing, question):
    result = spanwise.ask(question, filing)
    assert result.decision.kind == "not_found"
    assert "Globex" in result.missing.what
    assert result.missing.nearest
