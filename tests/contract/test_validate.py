import math
import re
import time
from enum import Enum
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import spanwise
from spanwise.contract.answers import (
    AmountAnswer,
    AnswerWithEvidence,
    BooleanAnswer,
    DateAnswer,
    DateRangeAnswer,
    PersonAnswer,
    QuantityAnswer,
    TableAnswer,
    TextAnswer,
)
from spanwise.contract.items import (
    AmountItem,
    BooleanItem,
    DateItem,
    DateRangeItem,
    Item,
    PersonItem,
    QuantityItem,
    TableItem,
    TextItem,
)
from spanwise.contract.validate import CODES, validate_answer
from spanwise.contract.values import Amount, DateRange, DateValue, PersonName, Quantity, Span, TableValue

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"

LINES = """\
CONSOLIDATED STATEMENTS (in millions, except per share data)
                      2019      2018
Net revenues        $ 6,489   $ 7,500
Purchases of
equipment             (116)     (131)
Net loss per share    (0.25)      1.10
We paid $1.2
billion in fees and 30 (thirty) days passed.
The term runs from January 5, 2020 to 4 March 2021.
Signed on 3/4/2020 and on 13.4.2020; year ended June 30,
A fee of \u20ac100 or GBP 90 [4, 5] is due, and C$70 in Canada.
Smith, John A. met Dr. Mary-Ann van Dyke.
The self-
service fee of 1.5% per month, 2,500 employees
"""


@pytest.fixture(scope="module")
def document():
    return spanwise.read(LINES.encode(), name="a.txt")


def spans(*lines) -> list[Span]:
    return [Span(line_start=line, line_end=line) if isinstance(line, int) else Span(**line) for line in lines]


def wide(first: int, last: int, quote: str | None = None) -> dict:
    return {"line_start": first, "line_end": last, "quote": quote}


def answer(answer_class, *items, method="verbatim", **said):
    flags = {
        "extraction_method": method,
        "confidence": 0.9,
        "answer_found": bool(items),
        "complete_answer_found": bool(items),
        "context_completeness_weak": 0.9,
        "context_structured": True,
        "conflicting_evidence": False,
    }
    return answer_class(items=list(items), **(flags | said))


def codes(made, document, **asked) -> set[str]:
    return {problem.code for problem in validate_answer(made, document, **asked)}


def amount(value, *lines, currency="USD", unit=None):
    return AmountItem(amount=Amount(value=value, currency=currency, unit=unit), spans=spans(*lines))


def test_every_code_has_an_example_in_the_documentation():
    block = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)[1]
    namespace: dict = {}
    exec(compile(block, "validation.md", "exec"), namespace)
    assert sorted(namespace["examples"]) == sorted(CODES)
    assert all(f"`{code}`" in PAGE.read_text() for code in CODES)


@pytest.mark.parametrize(
    "item",
    [
        amount(6_489_000_000, 3, 1),
        amount(-116e6, wide(4, 5), 1),
        amount(-0.25, 6, 1),
        amount(6489, 3),
        amount(1.2e9, wide(7, 8)),
        amount(100, 11, currency="EUR"),
        amount(90, 11, currency="GBP"),
        amount(70, 11, currency="CAD"),
    ],
    ids=["caption", "brackets", "per share", "no caption", "two lines", "euro", "code", "prefix"],
)
def test_amounts_that_their_lines_state(document, item):
    assert validate_answer(answer(AmountAnswer, item), document) == []


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (amount(6_498_000_000, 3, 1), "amount_not_in_lines"),
        (amount(6489, 3, 1), "magnitude_not_in_lines"),
        (amount(6_489_000, 3, 1), "magnitude_not_in_lines"),
        (amount(1.2, wide(7, 8)), "magnitude_not_in_lines"),
        (amount(116e6, wide(4, 5), 1), "sign_not_in_lines"),
        (amount(6489, 3, currency="GBP"), "currency_not_in_lines"),
        (amount(100, 11, currency="USD"), "currency_not_in_lines"),
        (amount(70, 11, currency="AUD"), "currency_not_in_lines"),
        (amount(100, 11, currency="US dollars"), "currency_unknown"),
        (amount(100, 11, currency="ABC"), "currency_unknown"),
        (amount(100, 11, currency="EUR", unit="per share"), "unit_not_in_lines"),
    ],
)
def test_amounts_that_their_lines_do_not_state(document, item, code):
    assert code in codes(answer(AmountAnswer, item), document)


@pytest.mark.parametrize(
    ("iso", "original", "lines", "expected"),
    [
        ("2020-01-05", "January 5, 2020", [9], set()),
        ("2020-01-05", "JANUARY 5,\n2020", [9], set()),
        ("2020-01", "January 5, 2020", [9], set()),
        ("2020-05-01", "January 5, 2020", [9], {"date_disagrees"}),
        ("2020-03-04", "3/4/2020", [10], set()),
        ("2020-04-03", "3/4/2020", [10], set()),
        ("2020-04-13", "13.4.2020", [10], set()),
        ("2019-06-30", "June 30", [10, 2], set()),
        ("2017-06-30", "June 30", [10, 2], {"date_disagrees"}),
        ("2020-1-5", "January 5, 2020", [9], {"date_not_iso"}),
        ("5 January", "January 5, 2020", [9], {"date_not_iso"}),
    ],
)
def test_dates(document, iso, original, lines, expected):
    item = DateItem(date=DateValue(iso=iso, original=original), spans=spans(*lines))
    assert codes(answer(DateAnswer, item), document) - {"verbatim_without_proof"} == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2020-01-05", "2021-03-04", set()),
        (None, "2021-03-04", set()),
        ("2020-01-05", "2021-04-03", {"date_not_in_lines"}),
        ("2021-03-04", "2020-01-05", {"range_reversed"}),
        (None, None, {"empty_value"}),
    ],
)
def test_periods(document, start, end, expected):
    item = DateRangeItem(date_range=DateRange(iso_start=start, iso_end=end), spans=spans(9))
    assert codes(answer(DateRangeAnswer, item), document) - {"verbatim_without_proof"} == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["Net revenues", "6,489", "7,500"], ["Purchases of equipment", "(116)", "(131)"]], set()),
        ([["Net revenues", "$6,489", "$7,500"]], set()),
        ([["Net revenues", "$7,500", ""]], set()),
        ([["Net revenues", "6489", "7500"]], set()),
        ([["equipment", "-116", "-131"]], set()),
        ([["equipment", "116", "(131)"]], {"cell_not_in_lines"}),
        ([["Net revenues", "7,500", "6,489"]], {"cell_in_wrong_row"}),
        ([["Net revenues", "6,489", "(131)"]], {"cell_in_wrong_row"}),
        ([["Purchases of equipment", "116", "131"]], {"cell_not_in_lines"}),
        ([["Net revenues", "6,489", "7,50"]], {"cell_not_in_lines"}),
        ([["Net revenues", "6,489"]], {"ragged_table"}),
        ([], {"empty_value"}),
    ],
)
def test_tables(document, rows, expected):
    item = TableItem(table=TableValue(headers=["", "2019", "2018"], rows=rows), spans=spans(wide(1, 6)))
    assert codes(answer(TableAnswer, item), document) - {"verbatim_without_proof"} == expected


def test_heads_in_the_other_order_are_a_fault(document):
    table = TableValue(headers=["", "2018", "2019"], rows=[["Net revenues", "6,489", "7,500"]])
    assert "cell_in_wrong_row" in codes(answer(TableAnswer, TableItem(table=table, spans=spans(wide(1, 6)))), document)


@pytest.mark.parametrize(
    ("first", "last", "initial", "fits"),
    [
        ("John", "Smith", "A", True),
        ("John", "Smith", "A.", True),
        ("John", "Smith", "B", False),
        ("Mary-Ann", "van Dyke", None, True),
        ("Mary-Ann", "Smith", None, False),
        ("Smith", "Mary-Ann", None, False),
    ],
)
def test_names_of_people(document, first, last, initial, fits):
    person = PersonName(first_name=first, last_name=last, middle_initial=initial)
    found = codes(answer(PersonAnswer, PersonItem(person=person, spans=spans(12))), document)
    assert ("name_not_in_lines" not in found) is fits


@pytest.mark.parametrize(
    ("value", "unit", "original", "expected"),
    [
        (1.5, "%", "1.5% per month", set()),
        (1.5, "percent per month", "1.5% per month", set()),
        (1.5, "% per year", "1.5% per month", {"unit_not_in_lines"}),
        (2500, "employees", "2,500 employees", set()),
        (2500, "%", "2,500 employees", {"unit_not_in_lines"}),
        (25, "employees", "2,500 employees", {"quantity_disagrees"}),
        (5, "%", "5% per month", {"quantity_not_in_lines"}),
    ],
)
def test_quantities(document, value, unit, original, expected):
    item = QuantityItem(quantity=Quantity(value=value, unit=unit, original=original), spans=spans(wide(13, 14)))
    assert codes(answer(QuantityAnswer, item), document) - {"verbatim_without_proof"} == expected


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("self-service fee", wide(13, 14), set()),
        ("Self\u2011service  FEE", wide(13, 14), set()),
        ("GBP 90 is due", wide(11, 11), set()),
        ("a fee", wide(11, 11, "GBP 90 [4, 5] is"), set()),
        ("ninety pounds", wide(11, 11, "GBP 90 is due"), set()),
        ("80 pounds", wide(11, 11, "GBP 90 is due"), {"value_not_in_lines"}),
        ("5% per month", wide(14, 14), {"value_not_in_lines"}),
        ("a fee", wide(11, 11, "[4, 5]"), {"empty_quote"}),
        ("a fee", wide(11, 11, ""), {"empty_quote"}),
        ("a fee", wide(12, 12, "A fee of \u20ac100"), {"quote_not_in_lines"}),
        ("a fee", wide(0, 1), {"line_missing"}),
        ("a fee", wide(15, 15), {"line_missing"}),
        ("a fee", wide(11, 10), {"span_reversed"}),
    ],
)
def test_texts_and_quotes(document, text, span, expected):
    found = codes(answer(TextAnswer, TextItem(text=text, spans=spans(span))), document)
    assert found - {"verbatim_without_proof"} == expected


def test_a_misplaced_quote_is_told_where_it_stands(document):
    item = TextItem(text="x", spans=spans(wide(10, 10, "A fee of \u20ac100")))
    (problem, *_) = validate_answer(answer(TextAnswer, item), document)
    assert (problem.code, problem.item, problem.span) == ("quote_not_in_lines", 0, 0)
    assert "stands at line 11" in problem.message


@pytest.mark.parametrize("method", ["computed", "inferred"])
def test_values_that_are_not_verbatim_need_only_lines_that_exist(document, method):
    assert validate_answer(answer(AmountAnswer, amount(123, 3), method=method), document) == []
    assert codes(answer(AmountAnswer, amount(123, 99), method=method), document) == {"line_missing"}


def test_a_verbatim_yes_needs_a_quote(document):
    said = BooleanItem(boolean=True, spans=spans(11))
    quoted = BooleanItem(boolean=True, spans=spans(wide(11, 11, "a fee of")))
    assert codes(answer(BooleanAnswer, said), document) == {"verbatim_without_proof"}
    assert validate_answer(answer(BooleanAnswer, quoted), document) == []


def test_the_four_defects_of_one_answer(document):
    made = answer(AmountAnswer, amount(5, 99, currency="US dollars"))
    found = codes(made, document, question=spanwise.parse_question("What are the exclusions?"))
    assert found >= {"shape_mismatch", "line_missing", "currency_unknown", "verbatim_without_proof"}
    assert "shape_mismatch" in {
        problem.code for problem in spanwise.validate_answer(made, document, question="What are the exclusions?")
    }


@pytest.mark.parametrize(
    ("found", "complete", "items", "expected"),
    [
        (True, True, 1, set()),
        (True, False, 1, set()),
        (False, False, 0, set()),
        (True, False, 0, {"found_without_items"}),
        (False, False, 1, {"items_without_found"}),
        (False, True, 0, {"complete_without_items"}),
        (False, True, 1, {"items_without_found", "complete_without_items"}),
    ],
)
def test_flags_against_items(document, found, complete, items, expected):
    held = [TextItem(text="a fee", spans=spans(11))] * items
    made = answer(
        TextAnswer,
        *held,
        method="verbatim" if items else "na",
        answer_found=found,
        complete_answer_found=complete,
    )
    assert codes(made, document) == expected


class Cover(Enum):
    FULL = "full cover"


class Part(BaseModel):
    name: str
    price: float


class Fee(BaseModel):
    percent: float
    cover: Cover
    paid: Literal["monthly", "yearly"] | None = None
    start_date: str | None = None
    end_date: str | None = None
    parts: list[Part] = []
    total: float | None = None


class FeeItem(Item):
    fee: Fee


class FeeAnswer(TextAnswer):
    items: list[FeeItem]


@pytest.mark.parametrize(
    ("fee", "expected"),
    [
        (Fee(percent=1.5, cover=Cover.FULL, paid="monthly", start_date="2020-01-05", end_date="2021-03-04"), set()),
        (Fee(percent=2.7, cover=Cover.FULL), {"value_not_in_lines"}),
        (Fee(percent=15, cover=Cover.FULL), {"magnitude_not_in_lines"}),
        (Fee(percent=1.5, cover=Cover.FULL, start_date="2020-01-06"), {"value_not_in_lines"}),
        (
            Fee(percent=1.5, cover=Cover.FULL, start_date="2021-03-04", end_date="2020-01-05"),
            {"range_reversed"},
        ),
        (
            Fee(
                percent=1.5, cover=Cover.FULL, parts=[Part(name="fee", price=100), Part(name="fee", price=90)], total=70
            ),
            {"total_disagrees"},
        ),
    ],
    ids=["right", "number", "magnitude", "date", "order", "total"],
)
def test_every_text_and_number_of_a_registered_class_is_looked_up(document, fee, expected):
    made = answer(FeeAnswer, FeeItem(fee=fee, spans=spans(wide(9, 14))))
    assert codes(made, document) - {"verbatim_without_proof"} == expected


PARTS = "Part A  $100\nPart B  $250\nTotal  $400\nThe sum is paid.\n"


@pytest.mark.parametrize(
    ("items", "said", "wrong"),
    [
        ([amount(100, 1), amount(250, 2), amount(400, 3)], {}, True),
        ([amount(100, 1), amount(250, 2), amount(400, 1, 2)], {"method": "computed"}, True),
        ([amount(100, 1), amount(250, 2), amount(350, 1, 2)], {"method": "computed"}, False),
        ([amount(400, 1, 2)], {"method": "computed", "caveats": ["the total of both parts"]}, True),
        ([amount(350, 1, 2)], {"method": "computed", "caveats": ["the total of both parts"]}, False),
        ([amount(150, 1, 2)], {"method": "computed"}, False),
        ([amount(350, 1, 2)], {"method": "computed", "caveats": ["100 + 250 = 400"]}, True),
        ([amount(100, 1), amount(400, 3)], {}, False),
    ],
)
def test_parts_make_their_total(items, said, wrong):
    document = spanwise.read(PARTS.encode(), name="parts.txt")
    assert ("total_disagrees" in codes(answer(AmountAnswer, *items, **said), document)) is wrong


def test_several_items_under_one_wide_span(document):
    held = [TextItem(text=text, spans=spans(wide(9, 11))) for text in ("The term", "Signed on", "A fee")]
    narrow = [item.model_copy(update={"spans": spans(line)}) for line, item in enumerate(held, start=9)]
    assert codes(answer(TextAnswer, *held), document) == {"shared_span"}
    assert codes(answer(TextAnswer, *narrow), document) == set()


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, 1e300, 10**5000], ids=["nan", "inf", "-inf", "large", "larger"]
)
def test_numbers_that_are_none_are_named(document, value):
    item = amount(1, 3)
    item.amount.value = value
    found = codes(answer(AmountAnswer).model_copy(update={"items": [item]}), document)
    assert found & {"number_not_finite", "number_too_large"}


def test_what_no_reader_can_be_shown_is_named(document):
    hostile = [
        TextItem(text="a fee\u202e", spans=spans(11)),
        TextItem(text="a fee \ud800", spans=spans(11)),
        TextItem(text="a fee", spans=spans(wide(11, 11, "a fee\x1b[2J"))),
    ]
    problems = validate_answer(answer(TextAnswer, *hostile, caveats=["\x00"]), document)
    named = [problem.item for problem in problems if problem.code == "control_characters"]
    assert named == [None, 0, 1, 2]
    assert all(problem.message.isprintable() for problem in problems)


def test_ten_thousand_items_are_named_in_bounded_time(document):
    held = [amount(number, wide(1, 12, f"quote {number}")) for number in range(10_000)]
    began = time.process_time()
    problems = validate_answer(answer(AmountAnswer, *held), document)
    assert time.process_time() - began < 60
    assert "too_many_items" in {problem.code for problem in problems}


@pytest.mark.parametrize(
    "made",
    [
        answer(TextAnswer, *[TextItem(text="a fee", spans=spans(*[wide(1, 12)] * 5000))] * 900),
        answer(
            TableAnswer,
            *[TableItem(table=TableValue(headers=["a"], rows=[["fee"]] * 4999), spans=spans(wide(1, 12)))] * 900,
        ),
        answer(TextAnswer, TextItem(text="[1]" * 30_000, spans=spans(wide(1, 12, "[" * 90_000)))),
        answer(TextAnswer, method="na", caveats=["1 + " * 150 + "1 = 2", "1 + " * 50_000, "=+" * 900] * 100),
    ],
    ids=["spans", "cells", "references", "sums"],
)
def test_hostile_answers_take_bounded_time(document, made):
    began = time.process_time()
    assert validate_answer(made, document)
    assert time.process_time() - began < 60


@given(
    text=st.text(max_size=40),
    number=st.floats() | st.integers(),
    first=st.integers(-2, 20),
    last=st.integers(-2, 20),
    quote=st.none() | st.text(max_size=20),
)
def test_no_answer_makes_validation_fail(text, number, first, last, quote):
    document = spanwise.read(LINES.encode(), name="a.txt")
    cited = [Span(line_start=first, line_end=last, quote=quote)]
    values = [
        (AmountItem, "amount", Amount.model_construct(value=number, currency=text, unit=text)),
        (QuantityItem, "quantity", Quantity.model_construct(value=number, unit=text, original=text)),
        (DateItem, "date", DateValue(iso=text, original=text)),
        (DateRangeItem, "date_range", DateRange(iso_start=text, iso_end=text)),
        (TableItem, "table", TableValue(headers=[text], rows=[[text], []])),
        (PersonItem, "person", PersonName(first_name=text, last_name=text)),
    ]
    for item_class, field, value in values:
        item = item_class.model_construct(**{"spans": cited, field: value})
        for problem in validate_answer(answer(TextAnswer).model_copy(update={"items": [item]}), document):
            assert problem.code in CODES
            assert problem.message.isprintable()


@pytest.mark.parametrize(
    ("first", "quotes", "expected"),
    [
        (11, ["GBP 90 [4, 5] is due"], set()),
        (11, [], set()),
        (12, ["GBP 90 is due"], {"quote_not_in_lines", "verbatim_without_proof"}),
        (99, [], {"line_missing"}),
    ],
)
def test_the_smallest_contract(document, first, quotes, expected):
    made = AnswerWithEvidence(
        answer="ninety pounds", evidence_start=first, evidence_end=first, confidence=0.5, quotes=quotes
    )
    assert codes(made, document) - {"value_not_in_lines"} == expected


def test_an_answer_without_items_of_its_own_is_named(document):
    from spanwise.contract.answers import AnswerBase

    bare = AnswerBase(
        extraction_method="na",
        confidence=0,
        answer_found=False,
        complete_answer_found=False,
        context_completeness_weak=0,
        context_structured=True,
        conflicting_evidence=False,
    )
    assert codes(bare, document) == {"shape_mismatch"}
