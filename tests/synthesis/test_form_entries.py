"""Forms: of entries below one another the one that is asked for is the answer, and its value is typed."""

import pytest

import spanwise

INVOICE = """Invoice

Brightwater Plumbing Ltd., 12 Quay Road, Bristol

Invoice number: BW-20391
Invoice date: 14 February 2023
Due date: 16 March 2023
Bill to: Hollins and Daughters,
8 Mill Lane, Bath

Subtotal: \u00a31,116.00
VAT (20%): \u00a3223.20
Total due: \u00a31,339.20

All work is guaranteed for 24 months.
"""


@pytest.fixture
def invoice(tmp_path):
    path = tmp_path / "invoice.txt"
    path.write_text(INVOICE)
    return path


@pytest.mark.parametrize(
    ("question", "text", "line"),
    [
        ("What is the invoice number?", "BW-20391", 5),
        ("What is the invoice date?", "14 February 2023", 6),
        ("When is the invoice due?", "16 March 2023", 7),
        ("What is the subtotal?", "\u00a31,116.00", 11),
        ("What is the total due?", "\u00a31,339.20", 13),
    ],
)
def test_the_entry_that_is_asked_for_answers(invoice, question, text, line):
    result = spanwise.ask(question, invoice)
    assert result.text == text
    assert [(one.line_start, one.line_end) for one in result.citations] == [(line, line)]


def test_a_demanded_value_comes_from_its_entry(invoice):
    due = spanwise.ask("When is the invoice due?", invoice, type="date").answer.items
    assert [item.date.iso for item in due] == ["2023-03-16"]
    total = spanwise.ask("What is the total due?", invoice, type="amount").answer.items
    assert [(item.amount.value, item.amount.currency) for item in total] == [(1339.2, "GBP")]


def test_a_word_that_both_have_does_not_choose(tmp_path):
    path = tmp_path / "form.txt"
    path.write_text("Opening\n\nSummer season opens: 3 May\nWinter season opens: 9 November\nPaid by: the visitor\n")
    winter = spanwise.ask("When does the winter season open?", path)
    assert "9 November" in winter.text
    assert "3 May" not in winter.text
