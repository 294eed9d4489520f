"""The documents of examples/documents are what examples/writing writes, and their figures add up."""

import json
import zlib
from importlib.metadata import version
from pathlib import Path

import pypdfium2
import pytest
from every import every

import spanwise
from spanwise.errors import NoTextError

DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"
WRITERS = json.loads((DOCUMENTS / "made-with.json").read_text("utf-8"))
SAME = {name: zlib.ZLIB_RUNTIME_VERSION if name == "zlib" else version(name) for name in WRITERS} == WRITERS
QUESTIONS = [json.loads(line) for line in (DOCUMENTS / "questions.jsonl").read_text("utf-8").splitlines()]
NAMES = sorted(path.name for path in DOCUMENTS.iterdir() if path.suffix in {".pdf", ".docx", ".xlsx"})


@pytest.mark.parametrize("name", NAMES)
def test_made_again_a_document_is_the_same(made, name, tmp_path):
    """To the byte with the versions that made it; with others in what a reader finds there."""
    kept = (DOCUMENTS / name).read_bytes()
    if SAME:
        assert made[name] == kept
        return
    (tmp_path / name).write_bytes(made[name])
    if name.endswith(".xlsx") or "scan" in name:
        assert len(made[name]) == pytest.approx(len(kept), rel=0.2)
    else:
        lines = [[line.text for line in spanwise.read(folder / name).lines] for folder in (DOCUMENTS, tmp_path)]
        assert lines[0] == lines[1]


def test_all_are_made_and_none_is_large(made):
    assert sorted(made) == NAMES
    assert sum((DOCUMENTS / name).stat().st_size for name in NAMES) < 1_000_000


def test_what_is_not_read_yet_says_what_to_do():
    with pytest.raises(NoTextError, match="no text layer; run OCR first"):
        spanwise.read(DOCUMENTS / "minutes-scan.pdf")


def test_the_scan_has_no_text_and_one_page():
    with pypdfium2.PdfDocument(DOCUMENTS / "minutes-scan.pdf") as scan:
        assert [page.get_textpage().count_chars() for page in scan] == [0]


def place_id(case: tuple[str, dict]) -> str:
    return f"{case[1]['document']}-{case[1]['lines'][0]}-{case[0][:30]}"


@every("case", [(row["question"], place) for row in QUESTIONS for place in row.get("places", ())])
def test_the_place_of_an_answer_has_its_words(case):
    _, place = case
    document = spanwise.read(DOCUMENTS / place["document"])
    assert " ".join(place["says"].split()) in " ".join(document.text(*place["lines"]).split())
    assert document.line(place["lines"][0]).page == place["page"]


def figures(title: str) -> dict[str, list[int]]:
    """The rows of the table after a heading of the annual report, as numbers."""
    text = (DOCUMENTS.parent / "writing" / "content" / "annual-report-2025.md").read_text("utf-8")
    section = text.split(f"{title}\n", 1)[1].split("\n#", 1)[0]
    rows = {}
    for row in section.splitlines():
        if row.startswith("| ") and "£'000" not in row:
            name, *cells = (cell.strip().strip("*") for cell in row.strip("|").split("|"))
            rows.setdefault(name, [number(cell) for cell in cells])
    return rows


def number(cell: str) -> float:
    digits = cell.strip("()").replace(",", "")
    if not digits or digits == "–":
        return 0
    return -float(digits) if cell.startswith("(") else float(digits)


SUMS = [
    ("# Consolidated income statement", "Gross profit", ["Revenue", "Cost of sales"]),
    (
        "# Consolidated income statement",
        "Operating profit",
        ["Gross profit", "Research and development", "Selling and distribution", "Administration",
         "Impairment of goodwill", "Other operating income"],
    ),
    ("# Consolidated income statement", "Profit before tax", ["Operating profit", "Finance income", "Finance costs"]),
    ("# Consolidated income statement", "Profit for the year", ["Profit before tax", "Income tax"]),
    (
        "# Consolidated balance sheet",
        "Total non-current assets",
        ["Goodwill", "Other intangible assets", "Property, plant and equipment", "Right-of-use assets",
         "Deferred tax assets"],
    ),
    (
        "# Consolidated balance sheet",
        "Total current assets",
        ["Inventories", "Trade and other receivables", "Cash and cash equivalents"],
    ),
    ("# Consolidated balance sheet", "Total assets", ["Total non-current assets", "Total current assets"]),
    (
        "# Consolidated balance sheet",
        "Total current liabilities",
        ["Trade and other payables", "Contract liabilities", "Borrowings due within one year",
         "Lease liabilities due within one year", "Current tax liabilities"],
    ),
    (
        "# Consolidated balance sheet",
        "Total non-current liabilities",
        ["Borrowings due after one year", "Lease liabilities due after one year", "Provisions",
         "Deferred tax liabilities"],
    ),
    (
        "# Consolidated balance sheet",
        "Total liabilities",
        ["Total current liabilities", "Total non-current liabilities"],
    ),
    ("# Consolidated balance sheet", "Total assets", ["Total liabilities", "Net assets"]),
    (
        "# Consolidated balance sheet",
        "Total equity",
        ["Share capital", "Share premium", "Translation reserve", "Retained earnings"],
    ),
    ("# Consolidated balance sheet", "Total equity", ["Net assets"]),
    (
        "# Consolidated cash flow statement",
        "Cash generated from operations",
        ["Profit for the year", "Income tax", "Net finance costs", "Depreciation and amortisation",
         "Impairment of goodwill", "Share-based payments", "Increase in inventories", "Increase in receivables",
         "Increase in payables and contract liabilities", "Increase in provisions"],
    ),
    (
        "# Consolidated cash flow statement",
        "Net cash from operating activities",
        ["Cash generated from operations", "Interest paid", "Tax paid"],
    ),
    (
        "# Consolidated cash flow statement",
        "Net cash used in investing activities",
        ["Purchase of property, plant and equipment", "Purchase of intangible assets",
         "Proceeds from the sale of equipment", "Interest received"],
    ),
    (
        "# Consolidated cash flow statement",
        "Net cash used in financing activities",
        ["Repayment of borrowings", "Payment of lease liabilities", "Dividends paid"],
    ),
    (
        "# Consolidated cash flow statement",
        "Cash at the end of the year",
        ["Net increase in cash", "Cash at the beginning of the year", "Effect of exchange rates"],
    ),
    (
        "## Changes in equity",
        "At 30 June 2025",
        ["At 30 June 2024", "Profit for the year", "Exchange differences", "Dividends", "Share-based payments"],
    ),
    ("## 3 Staff costs", "Total", ["Wages and salaries", "Social security", "Pensions", "Share-based payments"]),
    ("## 4 Income tax", "Income tax", ["Current tax", "Deferred tax"]),
    ("## 6 Goodwill", "At 30 June 2025", ["At 30 June 2024", "Impairment"]),
    (
        "## 7 Property, plant and equipment",
        "At 30 June 2025",
        ["At 30 June 2024", "Additions", "Disposals", "Depreciation"],
    ),
    ("## 8 Inventories", "Total", ["Raw materials and parts", "Work in progress", "Finished goods"]),
    (
        "## 9 Borrowings and finance costs",
        "Total",
        ["Within one year", "Between one and two years", "Between two and five years", "After five years"],
    ),
    ("## 10 Provisions and contingent liabilities", "At 30 June 2025",
     ["At 30 June 2024", "Added in the year", "Used in the year"]),
]  # fmt: skip


@every(("title", "total", "parts"), SUMS)
def test_the_figures_of_the_annual_report_add_up(title, total, parts):
    rows = figures(title)
    assert rows[total][-2:] == [sum(column) for column in zip(*(rows[part][-2:] for part in parts), strict=True)]


def test_statements_agree_with_one_another():
    income, balance = figures("# Consolidated income statement"), figures("# Consolidated balance sheet")
    cash = figures("# Consolidated cash flow statement")
    assert income["Profit for the year"][1:3] == cash["Profit for the year"]
    assert balance["Cash and cash equivalents"][1:] == cash["Cash at the end of the year"]
    assert figures("## 6 Goodwill")["At 30 June 2025"][-1] == balance["Goodwill"][1]
    assert (
        figures("## 7 Property, plant and equipment")["At 30 June 2025"][-1]
        == (balance["Property, plant and equipment"][1])
    )
    assert figures("## 8 Inventories")["Total"] == balance["Inventories"][1:]
