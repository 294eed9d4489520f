"""Forms: of entries below one another the one that is asked for is the answer, and its value is typed."""

import pytest

import spanwise
from spanwise.answering.extractive import with_all_of_little
from spanwise.questions.parse import parse_question

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


MAIL = b"""From: Odile Ferris <odile@ferris.example>
To: Bram Okafor <bram@okafor.example>
Date: Thu, 13 Mar 2025 08:12:00 +0000
Subject: The boat

Dear Bram,

the boat was sold on Monday.
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who sent the mail?", "Odile Ferris"),
        ("Who wrote this e-mail?", "Odile Ferris"),
        ("To whom was the message sent?", "Bram Okafor"),
        ("When was the mail sent?", "13 Mar 2025"),
    ],
)
def test_headers_of_a_mail_say_who_wrote_to_whom_and_when(tmp_path, question, text):
    path = tmp_path / "boat.eml"
    path.write_bytes(MAIL)
    result = spanwise.ask(question, path)
    assert text in result.text
    assert not result.review


LOG = """date,hut,warden,snow_cm,remarks
2024-11-03,Fern,Ida Brask,4,roof swept
2024-12-08,Fern,Olav Dahl,31,stove mended
2024-12-08,Moss,Ida Brask,27,door stuck
2025-01-19,Moss,Olav Dahl,55,wood delivered
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who had the wood delivered?", "Olav Dahl"),
        ("How much snow did Moss have on 19 January?", "55"),
        ("How much snow did Fern have?", "date        snow_cm\n2024-11-03  4\n2024-12-08  31"),
    ],
)
def test_a_cell_answers_and_not_its_row(tmp_path, question, text):
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    assert spanwise.ask(question, path).text == text


def test_a_row_is_shown_under_its_heads(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    [item] = spanwise.ask("What was wrong with the door?", path).answer.items
    assert item.table.headers == ["date", "hut", "warden", "snow_cm", "remarks"]
    assert item.table.rows[0] == ["2024-12-08", "Moss", "Ida Brask", "27", "door stuck"]


LETTER = """# Stonebrook Library

3 March 2024

Dear readers, here is what you need to know about our courses and about the repairs of the roof.

| Course | Day | Length | Fee |
| --- | --- | --- | --- |
| Bookbinding | Tuesday | 6 weeks | 40 |
| Calligraphy | Friday | 10 weeks | 55 |

The roof leaks above the reading room. It will be mended in May by a firm from Selby.
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("For how many weeks does bookbinding run?", "6 weeks"),
        ("Who will mend it?", "The roof leaks above the reading room. It will be mended in May by a firm from Selby."),
    ],
)
def test_a_value_is_found_by_its_form_and_a_pronoun_has_its_subject(tmp_path, question, text):
    path = tmp_path / "letter.md"
    path.write_text(LETTER)
    assert text in spanwise.ask(question, path).text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was the lever lost?", "1.9 (4 June 2021)"),
        ("Which version has a second tap?", "2.0 (9 May 2022)"),
    ],
)
def test_a_heading_answers_when_and_which_version(tmp_path, question, text):
    path = tmp_path / "pump.md"
    path.write_text(
        "# Pump\n\n## 2.0 (9 May 2022)\n\n- A second tap was added.\n\n## 1.9 (4 June 2021)\n\n- The lever was lost.\n"
    )
    result = spanwise.ask(question, path)
    assert result.text.split("\n")[0].removeprefix("1. ") == text
    assert len(result.citations) > 1


def test_entries_stand_beside_one_another(tmp_path):
    path = tmp_path / "card.txt"
    path.write_text("Boat card\n\nName: Petrel        Length of hull: 7.2 m\nBerth: 14          Owner: Ruth Amble\n")
    assert spanwise.ask("Who is the owner?", path).text == "Ruth Amble"


def test_a_short_text_is_read_whole(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("Repairs\n\nWe mend clocks.\n\nAsk Ines Marlow for a key.\n")
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        hits = corpus.search("What is the phone number of the shop?")
        seen = with_all_of_little(parse_question("What is the phone number of the shop?"), hits, corpus)
    assert "".join(hit.passage.text for hit in seen).count("Marlow") == 1
