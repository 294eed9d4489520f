import enum
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

import spanwise
from spanwise.contract.answers import (
    AddressAnswer,
    AmountAnswer,
    BooleanAnswer,
    DateAnswer,
    IbanAnswer,
    PersonAnswer,
    QuantityAnswer,
    TableAnswer,
    TextAnswer,
)
from spanwise.contract.result import Result

TEXT = """Service Agreement

The late payment penalty is $1,200 per claim and is due within thirty (30) days.
The agreement was signed on 15 March 2024 by Mary T. Jones for Acme GmbH.
Pricing for the premium support is negotiated case by case.
Invoices are sent to Musterstra\u00dfe 12, 10115 Berlin, Germany.
Payments go to the account DE89 3704 0044 0532 0130 00 at Test Bank.
The contractor must not use subcontractors for the migration.
The fines for late delivery are $500 for a day, $900 for a week and $2,000 for a month.

| Plan | Seats | Price |
| --- | --- | --- |
| Basic | 5 | $10 |
| Pro | 50 | $90 |
"""
INCOME = """# Income

(in millions of dollars, except per share)

| | 2023 | 2022 |
|---|---|---|
| Revenue | 1,577 | 1,400 |
| Net loss | (35) | (12) |
"""
CONTRACT = """Exhibit 10.2
SPONSORSHIP AGREEMENT

WHEREAS, the parties wish to work together.

This Sponsorship Agreement (this "Agreement") is made and entered into as of March 5, 2019, by and between Acme Widgets,
Inc., a Delaware corporation ("Acme"), and Globex GmbH, a German company ("Globex", each a "Party", the "Parties").

1. Governing Law. The laws of the State of New York govern this Agreement and how it is construed; its rules on
the conflict of laws are left aside.

2. Assignment. The parties hereby agree: neither party may assign this Agreement unless the other party has given its
prior written consent.
"""


@pytest.fixture(scope="module")
def documents() -> Iterator[spanwise.Corpus]:
    named = {"service.md": TEXT, "income.md": INCOME, "contract.txt": CONTRACT}
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name) for name, text in named.items()]) as corpus:
        yield corpus


def ask(corpus: spanwise.Corpus, name: str, question: str, **demand: str) -> Result:
    return spanwise.Engine(corpus).ask(question, documents=[name], **demand)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "kind", "answer_class", "value", "text"),
    [
        (
            "What is the late payment penalty?",
            "amount",
            AmountAnswer,
            {"value": 1200.0, "currency": "USD", "unit": "per claim"},
            "$1,200 per claim",
        ),
        (
            "When was the agreement signed?",
            "date",
            DateAnswer,
            {"iso": "2024-03-15", "original": "15 March 2024"},
            "15 March 2024",
        ),
        (
            "When is the late payment penalty due?",
            "quantity",
            QuantityAnswer,
            {"value": 30.0, "unit": "day", "original": "thirty (30) days"},
            "thirty (30) days",
        ),
        (
            "Who signed the agreement for Acme?",
            "person",
            PersonAnswer,
            {"first_name": "Mary", "last_name": "Jones", "middle_initial": "T"},
            "Mary T. Jones",
        ),
        (
            "Where are invoices sent?",
            "address",
            AddressAnswer,
            {"street": "Musterstra\u00dfe 12", "postal_code": "10115", "city": "Berlin", "country": "Germany"},
            "Musterstra\u00dfe 12, 10115 Berlin, Germany",
        ),
        (
            "Which account do payments go to?",
            "iban",
            IbanAnswer,
            {"value": "DE89370400440532013000"},
            "DE89 3704 0044 0532 0130 00",
        ),
    ],
)
def test_a_demanded_type_is_filled_and_shown_as_the_source_writes_it(
    documents: spanwise.Corpus,
    question: str,
    kind: str,
    answer_class: type[object],
    value: dict[str, object],
    text: str,
) -> None:
    result = ask(documents, "service.md", question, type=kind)
    assert isinstance(result.answer, answer_class)
    assert [item.value.model_dump() for item in result.answer.items] == [value]  # type: ignore[attr-defined]
    assert result.text == text
    assert result.decision.kind == "ship"
    assert text in result.citations[0].quote


def test_an_amount_that_is_not_stated_is_not_found_and_says_what_is(documents: spanwise.Corpus) -> None:
    result = ask(documents, "service.md", "How much does the premium support cost?", type="amount")
    assert isinstance(result.answer, AmountAnswer)
    assert not result.answer.items
    assert result.decision.kind == "not_found"
    assert result.answer.caveats[0].startswith("No amount is stated; the nearest evidence says: ")


@pytest.mark.parametrize(
    ("question", "yes"),
    [("Must the contractor use subcontractors for the migration?", [False]), ("Is premium support free?", [])],
)
def test_yes_or_no_only_where_it_is_explicit(documents: spanwise.Corpus, question: str, yes: list[bool]) -> None:
    result = ask(documents, "service.md", question, type="boolean")
    assert isinstance(result.answer, BooleanAnswer)
    assert [item.boolean for item in result.answer.items] == yes
    assert yes or result.answer.caveats[0].startswith("Neither yes nor no is stated explicitly")


def test_a_listing_has_an_item_for_every_value(documents: spanwise.Corpus) -> None:
    result = ask(documents, "service.md", "What are the fines for late delivery?", type="amount", shape="listing")
    assert isinstance(result.answer, AmountAnswer)
    assert [item.amount.value for item in result.answer.items] == [500, 900, 2000]


def test_a_table_is_rows_and_headers_with_a_span_per_row(documents: spanwise.Corpus) -> None:
    result = ask(documents, "service.md", "Which seats does each plan have?", shape="table")
    assert isinstance(result.answer, TableAnswer)
    (item,) = result.answer.items
    assert item.table.headers == ["Plan", "Seats", "Price"]
    assert item.table.rows == [["Basic", "5", "$10"], ["Pro", "50", "$90"]]
    assert [(span.line_start, span.line_end) for span in item.spans] == [(11, 11), (13, 13), (14, 14)]


@pytest.mark.parametrize(
    ("question", "value"),
    [("What was the revenue in 2023?", 1_577_000_000), ("What was the net loss in 2022?", -12_000_000)],
)
def test_a_cell_is_worth_what_the_caption_makes_of_it(documents: spanwise.Corpus, question: str, value: float) -> None:
    result = ask(documents, "income.md", question, type="amount")
    assert isinstance(result.answer, AmountAnswer)
    (item,) = result.answer.items
    assert (item.amount.value, item.amount.currency) == (value, "USD")
    assert 3 in [span.line_start for span in item.spans]  # the line that states the scale


@pytest.mark.parametrize(
    ("type", "told"),
    [("zzz", "there is no type 'zzz': choose one of address, amount"), ("ammount", "did you mean 'amount'")],
)
def test_an_unknown_type_names_all_there_are(documents: spanwise.Corpus, type: str, told: str) -> None:
    with pytest.raises(spanwise.errors.InputError, match=told):
        ask(documents, "service.md", "What is the late payment penalty?", type=type)


def test_an_unknown_shape_names_the_five(documents: spanwise.Corpus) -> None:
    with pytest.raises(spanwise.errors.InputError, match="single, listing, table, tree, nested_json"):
        ask(documents, "service.md", "What is the penalty?", shape="round")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which name does the contract bear?", ["SPONSORSHIP AGREEMENT"]),
        ("Which parties have signed the contract?", ["Acme Widgets, Inc.", "Globex GmbH"]),
        ("By the law of which state or country is the contract interpreted and governed?", ["New York"]),
    ],
)
def test_facts_of_a_contract_are_short_texts(documents: spanwise.Corpus, question: str, values: list[str]) -> None:
    result = ask(documents, "contract.txt", question)
    assert isinstance(result.answer, TextAnswer)
    assert [item.text.upper() for item in result.answer.items] == [value.upper() for value in values]


def test_the_date_of_a_contract_is_a_date_and_shown_with_its_sentence(documents: spanwise.Corpus) -> None:
    result = ask(documents, "contract.txt", "The date of the contract")
    assert isinstance(result.answer, DateAnswer)
    assert [item.date.iso for item in result.answer.items] == ["2019-03-05"]
    assert "March 5, 2019" in result.text


def test_a_clause_that_is_there_is_a_yes_and_one_that_is_not_is_no_answer(documents: spanwise.Corpus) -> None:
    asked = "To assign the contract to a third party, does a party require consent or have to give notice?"
    there = ask(documents, "contract.txt", asked, type="boolean")
    assert isinstance(there.answer, BooleanAnswer)
    assert [item.boolean for item in there.answer.items] == [True]
    assert there.answer.extraction_method == "inferred"
    missing = ask(documents, "contract.txt", "Is a party required not to disparage its counterparty?", type="boolean")
    assert isinstance(missing.answer, BooleanAnswer)
    assert not missing.answer.items


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Offer(BaseModel):
    """An offer."""

    city: str
    seats: int
    size: Size | None = None
    fee: spanwise.Amount | None = None
    contact: spanwise.PersonName | None = None


def test_a_registered_class_is_filled_by_the_names_of_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "offer.txt"
    path.write_text("Offer to Acme\n\nCity: Berlin\nSeats: 25\nSize: Large\nFee: $1,200 per year\nContact: Jane Doe\n")
    spanwise.register("offer", Offer)
    try:
        result = spanwise.ask("What is offered to Acme?", path, type="offer")
    finally:
        spanwise.unregister("offer")
    (item,) = result.answer.items
    fee = spanwise.Amount(value=1200, currency="USD", unit="per year")
    contact = spanwise.PersonName(first_name="Jane", last_name="Doe")
    assert item.value == Offer(city="Berlin", seats=25, size=Size.LARGE, fee=fee, contact=contact)


def test_a_registered_class_without_a_required_field_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "offer.txt"
    path.write_text("Offer to Acme\n\nCity: Berlin\n")
    spanwise.register("offer", Offer)
    try:
        result = spanwise.ask("What is offered to Acme?", path, type="offer")
    finally:
        spanwise.unregister("offer")
    assert result.decision.kind == "not_found"
    assert not result.answer.items


def test_the_parts_of_a_question_keep_their_type(documents: spanwise.Corpus) -> None:
    asked = "What is the late payment penalty and what are the fines for late delivery?"
    result = ask(documents, "service.md", asked, type="amount")
    assert isinstance(result.answer, AmountAnswer)
    assert result.answer.items[0].amount.value == 1200


def test_addresses_and_accounts_are_recognised_from_the_words_of_a_question(tmp_path):
    path = tmp_path / "lease.md"
    path.write_text(
        "# Lease\n\n"
        "Between Mara Lindqvist, 12 Harbour Lane, Bristol BS1 4ND, United Kingdom (the landlord)\n"
        "and Tom Okafor, 7 Mill Street, Bath BA1 2AB, United Kingdom (the tenant).\n\n"
        "The rent of GBP 1,450 is paid to the landlord's account GB29 NWBK 6016 1331 9268 19 by the third day.\n\n"
        "The deposit is held by the agent. It is paid to the account DE89 3704 0044 0532 0130 00.\n"
    )
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        ask = spanwise.Engine(corpus).ask
        for question, line, street in (
            ("What is the address of the landlord?", 3, "12 Harbour Lane"),
            ("What is the tenant's address?", 4, "7 Mill Street"),
        ):
            result = ask(question)
            assert isinstance(result.answer, AddressAnswer)
            assert (result.answer.items[0].value.street, result.citations[0].line_start) == (street, line)
        for question, start in (
            ("To which account must the rent be paid?", "GB29"),
            ("What is the IBAN for the deposit?", "DE89"),
        ):
            result = ask(question)
            assert isinstance(result.answer, IbanAnswer)
            assert result.text.startswith(start)
        assert not isinstance(ask("What is the email address of the agent?").answer, AddressAnswer)
