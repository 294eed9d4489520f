"""Answers that other lines contradict, without a model: both sides are shown with their lines, and none is picked."""

import pytest

import spanwise
from spanwise import BooleanAnswer, DateAnswer, QuantityAnswer, TextAnswer
from spanwise.contract.rendering import worded

PAY = "How many days does the customer have to pay an invoice?"
CONTRACT = "Master Agreement\n\n4. Payment\n\nThe Customer shall pay each invoice within thirty (30) days of receipt."
LATER = "Amendment No. 1 to the Master Agreement\n\n"


def ask(question, *texts, **options):
    documents = [spanwise.read(text.encode(), name=f"{name}.txt") for name, text in zip("abcd", texts, strict=False)]
    with spanwise.Corpus.of(documents) as corpus:
        return spanwise.Engine(corpus).ask(question, **options)


def places(result):
    return [(one.document, one.quote) for one in result.citations]


@pytest.mark.parametrize(
    ("question", "one", "other", "kind"),
    [
        (PAY, CONTRACT, f"{LATER}The Customer shall pay each invoice within 45 days of receipt.", QuantityAnswer),
        (
            "When does the agreement expire?",
            "Lease\n\nThis agreement expires on December 31, 2025.",
            "Lease, restated\n\nThis agreement expires on June 30, 2026.",
            DateAnswer,
        ),
        (
            "What are the payment terms?",
            "Supplies\n\nPayment terms are net 30 days from the invoice date.",
            "Supplies, copy\n\nPayment terms are net 45 days from the invoice date.",
            TextAnswer,
        ),
        (
            "Who is the project manager?",
            "Plan\n\nThe project manager is Anna Berg.",
            "Plan B\n\nThe project manager is Carl Moss.",
            TextAnswer,
        ),
        (
            "Is the tenant allowed to sublet the premises?",
            "Lease\n\nThe tenant is allowed to sublet the premises.",
            "House rules\n\nThe tenant is not allowed to sublet the premises.",
            BooleanAnswer,
        ),
        (
            "How many people does Lumen employ worldwide?",
            "Lumen, annual report 2015\n\nAs of November 27, 2015, we employed 13,893 people worldwide.",
            "Lumen, annual report 2016\n\nAs of December 2, 2016, we employed 15,706 people worldwide.",
            QuantityAnswer,
        ),
    ],
)
def test_two_documents_that_disagree_are_both_shown(question, one, other, kind):
    result = ask(question, one, other)
    # The text lists the sides, and each citation and claim stands where its side does.
    shown = [result.text[slice(*one.at)] for one in result.citations]
    assert shown == [worded(item) for item in result.answer.items]
    assert [result.text[slice(*one.at)] for one in result.claims] == shown
    lines = result.text.split("\n")
    assert [lines[number].startswith(f"{number}. {said} (") for number, said in enumerate(shown, 1)] == [True, True]
    assert (result.decision.kind, result.decision.reason) == ("clarify", "conflicting_evidence")
    assert result.decision.review == "review"
    assert isinstance(result.answer, kind)
    assert result.answer.conflicting_evidence
    assert places(result) == [("a.txt", one.splitlines()[-1]), ("b.txt", other.splitlines()[-1])]
    assert result.warnings == ("contradictory_sources",)
    assert [quote["document"] for quote in result.warning_details[0]["quotes"]] == ["a.txt", "b.txt"]
    assert result.missing.kind == "conflicting"
    assert result.answer.suggested_clarification in result.text
    assert any("a.txt: " in caveat and "b.txt: " in caveat for caveat in result.answer.caveats)


def test_the_latest_document_is_named_and_not_preferred():
    amended = "The Customer shall pay each invoice within 45 days of receipt."
    result = ask(PAY, CONTRACT, f"{LATER}{amended}")
    assert "By what the documents say of themselves, b.txt is the latest." in result.answer.caveats
    assert [item.quantity.original for item in result.answer.items] == ["thirty (30) days", "45 days"]
    assert result.confidence < ask(PAY, CONTRACT).confidence


def test_an_amendment_that_replaces_the_words():
    change = (
        'Section 4 (Payment of invoices by the Customer) is amended by replacing "thirty (30) days" with "sixty days".'
    )
    result = ask(PAY, CONTRACT, f"{LATER}{change}")
    assert result.decision.reason == "conflicting_evidence"
    assert places(result)[1] == ("b.txt", change)
    assert [item.quantity.value for item in result.answer.items] == [30, 60]


def test_three_documents_and_two_answers():
    same, other = f"Copy\n{CONTRACT}", CONTRACT.replace("thirty (30)", "ten (10)")
    result = ask(PAY, CONTRACT, other, f"{other}\n\nSigned twice.", same)
    assert [item.quantity.value for item in result.answer.items] == [30, 10]
    assert [one.document for one in result.citations if one.item == 1] == ["b.txt", "c.txt"]


def test_two_places_of_one_document():
    text = "Policy\n\nThe deductible is USD 500 per claim.\n\nAnnex\n\nThe deductible is USD 750 per claim."
    result = ask("How much is the deductible per claim?", text, type="amount")
    assert result.decision.reason == "conflicting_evidence"
    assert [item.amount.value for item in result.answer.items] == [500, 750]
    assert [one.line_start for one in result.citations] == [3, 7]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (PAY, [CONTRACT, f"{LATER}The Customer shall pay each invoice within 30 days of receipt."]),
        (PAY, [CONTRACT, f"{CONTRACT}\n\nThe Supplier shall answer each letter within 10 days of receipt."]),
        (
            "How many people does Lumen employ worldwide?",
            [
                "Lumen, annual report\n\nAs of May 1, 2015, we employed 13,893 people worldwide.",
                "Corvane, annual report\n\nAs of May 1, 2015, we employed 900 people worldwide.",
            ],
        ),
        (
            "What is the new five year agreement worth?",
            [
                "Loans\n\nOn May 26, Lumen entered into a new $4,200,000 five year agreement worth its name.\n\n"
                "On May 26, Lumen entered into a new $4,200,000 364 day agreement worth its name."
            ],
        ),
        (
            "How much is the fee of the first year?",
            ["Fees\n\nThe fee of the first year is $100.\n\nThe fee of the second year is $200."],
        ),
    ],
)
def test_what_is_no_conflict_ships(question, texts):
    result = ask(question, *texts)
    assert result.decision.kind == "ship"
    assert not result.answer.conflicting_evidence
    assert result.warnings == ()


def test_a_part_of_a_question_in_conflict_is_not_lost():
    result = ask(
        "Who is the project manager and when does the project end?",
        "Plan\n\nThe project manager is Anna Berg.\n\nThe project ends on May 1, 2026.",
        "Plan B\n\nThe project manager is Anna Berg.\n\nThe project ends on June 1, 2026.",
    )
    assert result.decision.reason == "conflicting_evidence"
    assert all(words in result.text for words in ("Anna Berg", "May 1, 2026", "June 1, 2026"))


def test_a_conflict_is_proved_again_from_its_trace(tmp_path):
    result = ask(PAY, CONTRACT, f"{LATER}The Customer shall pay each invoice within 45 days of receipt.")
    result.save_trace(tmp_path / "trace.json")
    again = spanwise.replay(tmp_path / "trace.json")
    assert (again.text, again.citations) == (result.text, result.citations)
    assert "contradictory_sources" in again.warnings


BERTH = """Berth agreement of Orla Finch and Port Sund

1.1 In this agreement the following words have these meanings:

Bond means the sum of 900 euros, which is paid on signing.

1.2 The tenant may use the winch between 08:00 and 18:00 on working days.
"""
AMENDED = """First amendment to the berth agreement of Orla Finch and Port Sund

1. Bond. The tenant pays a further 300 euros, so that the Bond is 1,200 euros.

2. Clause 1.2 is replaced by the following: "The tenant may use the winch between 08:00 and 21:00 on working days and \
between 09:00 and 12:00 on Sundays."
"""


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("Until what time may the tenant use the winch on working days?", "18:00", "21:00"),
    ],
)
def test_what_an_amendment_puts_in_the_place_of_the_first_words_is_told(question, old, new):
    result = ask(question, BERTH, AMENDED)
    assert result.decision.reason == "conflicting_evidence"
    assert old in result.text
    assert new in result.text
    assert {one.document for one in result.citations} == {"a.txt", "b.txt"}
    assert "b.txt is the latest" in result.text


def test_a_document_of_others_amends_nothing():
    result = ask("What is the Bond?", BERTH, AMENDED.replace("the berth agreement of Orla Finch and Port Sund", "x"))
    assert result.decision.reason != "conflicting_evidence"


def test_a_line_without_the_figure_of_the_question_is_no_other_answer():
    statuses = "Exit status:\n\n  126  the command is found but cannot be run.\n\n  127  the command cannot be found.\n"
    result = ask("What does exit status 127 mean?", statuses)
    assert result.decision.kind == "ship"
    assert any("127  the command cannot be found" in one.quote for one in result.citations)
