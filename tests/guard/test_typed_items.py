from dataclasses import replace

import pytest

import spanwise
from spanwise.contract.answers import (
    AddressAnswer,
    AmountAnswer,
    BooleanAnswer,
    DateAnswer,
    IbanAnswer,
    QuantityAnswer,
    TableAnswer,
    TextAnswer,
)
from spanwise.contract.compute import Operand, compute
from spanwise.contract.items import (
    AddressItem,
    AmountItem,
    BooleanItem,
    DateItem,
    IbanItem,
    QuantityItem,
    TableItem,
    TextItem,
)
from spanwise.contract.result import Draft
from spanwise.contract.values import Address, Amount, DateValue, Iban, Quantity, Span, TableValue
from spanwise.domain.question import SentenceModel
from spanwise.guard.drafts.check import check

LINES = """\
Statement of income ($ in millions)
             2019     2018
Net revenues  6,489   7,500
Impairments    (116)   (131)
Paid on March 15, 2024 to DE89 3704 0044 0532 0130 00, 350 Fifth Avenue, New York.
No fee is due.
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("typed") / "a.txt"
    path.write_text(LINES)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield corpus


def spans(*lines) -> list[Span]:
    return [Span(line_start=line, line_end=line) for line in lines]


def draft(answer_class, *items, method="verbatim", computations=()) -> Draft:
    answer = answer_class(
        items=list(items),
        extraction_method=method,
        confidence=1,
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=1,
        context_structured=True,
        conflicting_evidence=False,
    )
    return Draft(answer, tuple(("a.txt",) * len(item.spans) for item in items), 1.0, computations=tuple(computations))


def money(value, *lines, currency="USD"):
    return AmountItem(amount=Amount(value=value, currency=currency), spans=spans(*lines))


RIGHT = [
    (AmountAnswer, money(6_489_000_000, 3, 1), "USD 6,489,000,000"),
    (AmountAnswer, money(-116_000_000, 4, 1), "USD -116,000,000"),
    (DateAnswer, DateItem(date=DateValue(iso="2024-03-15", original="March 15, 2024"), spans=spans(5)), "March 15"),
    (IbanAnswer, IbanItem(iban=Iban(value="DE89370400440532013000"), spans=spans(5)), "DE89 3704"),
    (AddressAnswer, AddressItem(address=Address(street="350 Fifth Avenue", city="New York"), spans=spans(5)), "350"),
    (
        TableAnswer,
        TableItem(
            table=TableValue(headers=["", "2019", "2018"], rows=[["Net revenues", "6,489", "7,500"]]),
            spans=spans(2, 3),
        ),
        "Net revenues",
    ),
]


@pytest.mark.parametrize(("answer_class", "item", "words"), RIGHT)
def test_a_value_that_its_lines_state_is_kept_and_proved(corpus, answer_class, item, words):
    checked = check(draft(answer_class, item), corpus)
    assert checked.answer.items == [item]
    assert checked.warnings == ()
    assert words in checked.text
    assert checked.claims[0].text == checked.text
    assert [citation.line_start for citation in checked.citations] == [span.line_start for span in item.spans]


WRONG = [
    (AmountAnswer, money(6_498_000_000, 3, 1), "amount_not_in_lines"),
    (AmountAnswer, money(6_489, 3, 1), "magnitude_not_in_lines"),
    (AmountAnswer, money(116_000_000, 4, 1), "sign_not_in_lines"),
    (AmountAnswer, money(6_489, 3, currency="EUR"), "currency_not_in_lines"),
    (AmountAnswer, money(6_489, 3, currency="dollars"), "currency_unknown"),
    (AmountAnswer, money(6_489, 99), "line_missing"),
    (AmountAnswer, money(6_489), "no_spans"),
    (
        DateAnswer,
        DateItem(date=DateValue(iso="2024-05-13", original="March 15, 2024"), spans=spans(5)),
        "date_disagrees",
    ),
    (IbanAnswer, IbanItem(iban=Iban(value="DE88370400440532013000"), spans=spans(5)), "iban_invalid"),
    (AddressAnswer, AddressItem(address=Address(city="Boston"), spans=spans(5)), "address_not_in_lines"),
    (
        TableAnswer,
        TableItem(
            table=TableValue(headers=["", "2019", "2018"], rows=[["Net revenues", "6,489", "(131)"]]),
            spans=spans(2, 3, 4),
        ),
        "cell_in_wrong_row",
    ),
]


@pytest.mark.parametrize(("answer_class", "item", "code"), WRONG, ids=[code for *_, code in WRONG])
def test_any_other_value_is_removed_and_named(corpus, answer_class, item, code):
    checked = check(draft(answer_class, item), corpus)
    assert checked.answer.items == []
    assert not checked.answer.answer_found
    assert checked.warnings == ("unsupported_claim",)
    assert [detail["problem"] for detail in checked.warning_details] == [code]
    assert checked.claims == checked.citations == ()


def change(**altered) -> tuple[QuantityItem, object]:
    """The change of net revenues in percent, with its record."""
    made = compute(
        "percentage_change",
        [
            Operand("6489", "USD", "million", "a.txt", 3, 3, "Net revenues 2019"),
            Operand("7500", "USD", "million", "a.txt", 3, 3, "Net revenues 2018"),
        ],
    )
    item = QuantityItem(quantity=Quantity(value=-13.48, unit="%", original=""), spans=spans(3))
    return item, replace(made, **altered)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("-13.48%", True), ("13.48%", False), ("-13%", False), ("-13.48% or so", False), ("Net revenues", False)],
)
def test_a_computed_value_in_words_is_the_figure_and_nothing_else(corpus, text, kept):
    item, made = change()
    said = TextItem(text=text, spans=item.spans)
    assert bool(check(draft(TextAnswer, said, method="computed", computations=[made]), corpus).answer.items) is kept


def fell() -> object:
    """By how much net revenues fell, in millions."""
    years = [("6489", "2019"), ("7500", "2018")]
    operands = [Operand(of, "USD", "million", "a.txt", 3, 3, f"Net revenues {year}") for of, year in years]
    return compute("difference", operands)


@pytest.mark.parametrize(("model", "kept"), [(None, True), (SentenceModel(9.0, {}), False)])
def test_that_there_is_no_clause_of_a_kind_follows_from_no_line(corpus, model, kept):
    said = draft(BooleanAnswer, BooleanItem(boolean=False, spans=spans(6)), method="inferred")
    said = replace(said, asked="Is a fee due?", sentences=("No fee is due.",), model=model)
    assert bool(check(said, corpus).answer.items) is kept


@pytest.mark.parametrize(
    ("text", "kept"), [("-1,011", True), ("-1,011 million", True), ("-1,011 thousand", False), ("-1,012", False)]
)
def test_a_computed_value_may_be_said_in_full_or_in_the_magnitude_of_its_operands(corpus, text, kept):
    said = draft(TextAnswer, TextItem(text=text, spans=spans(3, 1)), method="computed", computations=[fell()])
    assert bool(check(said, corpus).answer.items) is kept


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize(("verb", "so"), [("decrease", True), ("increase", False)])
def test_a_yes_follows_from_a_difference_only_in_its_direction(corpus, verb, so, yes):
    said = draft(BooleanAnswer, BooleanItem(boolean=yes, spans=spans(3, 1)), method="computed", computations=[fell()])
    asked = f"Did net revenues {verb} from 2018 to 2019?"
    said = replace(said, asked=asked, sentences=("Net revenues  6,489   7,500",))
    assert bool(check(said, corpus).answer.items) is (yes is so)


def test_a_computed_value_is_computed_again(corpus):
    item, made = change()
    checked = check(draft(QuantityAnswer, item, method="computed", computations=[made]), corpus)
    assert checked.answer.items == [item]
    assert "computed again" in checked.claims[0].reason


@pytest.mark.parametrize(
    ("value", "operands", "code"),
    [
        (-13.5, None, "total_disagrees"),
        (-13.49, None, "total_disagrees"),
        (13.48, None, "total_disagrees"),
        (-13.48, [("6489", "million", 3), ("7500", "million", 4)], "line_missing"),
        (-14.67, [("6400", "million", 3), ("7500", "million", 3)], "amount_not_in_lines"),
        (-13.48, [("6489", "thousand", 3), ("7500", "thousand", 3)], "magnitude_not_in_lines"),
        (88.55, [("116", "million", 4), ("131", "million", 4)], "amount_not_in_lines"),
    ],
    ids=["rounded", "digit", "sign", "not cited", "other figure", "magnitude", "sign of an operand"],
)
def test_what_does_not_come_out_again_is_removed(corpus, value, operands, code):
    item, made = change()
    if operands is not None:
        made = compute(
            "percentage_share" if value > 0 else "percentage_change",
            [Operand(number, "USD", magnitude, "a.txt", line, line) for number, magnitude, line in operands],
        )
        item = item.model_copy(update={"spans": spans(operands[0][2])})
    item = item.model_copy(update={"quantity": Quantity(value=value, unit="%", original="")})
    checked = check(draft(QuantityAnswer, item, method="computed", computations=[made]), corpus)
    found = [detail["problem"] for detail in checked.warning_details]
    assert found == [code]


def test_a_record_that_was_altered_is_not_believed(corpus):
    item, made = change(result="-15")
    item = item.model_copy(update={"quantity": Quantity(value=-15, unit="%", original="")})
    checked = check(draft(QuantityAnswer, item, method="computed", computations=[made]), corpus)
    assert [detail["problem"] for detail in checked.warning_details] == ["total_disagrees"]


def test_a_yes_without_a_sentence_is_removed(corpus):
    item = BooleanItem(boolean=True, spans=spans(5))
    assert check(draft(BooleanAnswer, item), corpus).answer.items == []
