"""Comparisons, conversions, sums and wording as callers meet them, over the range of their input."""

from decimal import Decimal

import pytest
from every import every
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import Field

import spanwise
from spanwise import Amount, Computation, TableItem, TableValue, compare, convert
from spanwise.contract.compute import MAGNITUDES, OPERATIONS, Operand, compute
from spanwise.contract.rendering import number, worded
from spanwise.contract.schema_prompt import fragment
from spanwise.errors import ComputationError, MissingRateError, UnitError

FIGURES = st.integers(-(10**9), 10**9)
CENTS = st.decimals(-(10**9), 10**9, places=2)


def usd(value, unit=None) -> Amount:
    return Amount(value=value, currency="USD", unit=unit)


def figures(*values, unit="USD", magnitude="million"):
    return [Operand(str(value), unit, magnitude) for value in values]


@given(FIGURES, FIGURES)
def test_a_comparison_says_what_the_numbers_say(one, other):
    expected = {
        "<": one < other, "<=": one <= other, "==": one == other,
        "!=": one != other, ">=": one >= other, ">": one > other,
    }  # fmt: skip
    seen = {operator: compare(usd(one), operator, usd(other)) for operator in expected}
    assert {operator: comparison.result for operator, comparison in seen.items()} == expected
    assert {comparison.rate for comparison in seen.values()} == {None}
    for operator, comparison in seen.items():
        (step,) = comparison.steps
        assert step == f"{one} USD {operator} {other} USD: {str(expected[operator]).lower()}"


@given(st.integers(1, 10**9), st.sampled_from([0.5, 0.25, 2.0, 8.0]))
def test_a_conversion_multiplies_by_the_rate_and_its_inverse_divides(value, rate):
    there = convert(usd(value), "EUR", rates={"USD": {"EUR": rate}})
    assert (there.currency, there.value) == ("EUR", value * rate)
    assert convert(there, "USD", rates={"USD": {"EUR": rate}}).value == value
    both = {"USD": {"EUR": rate}, "EUR": {"USD": 100.0}}
    assert convert(usd(value), "EUR", rates=both).value == value * rate
    seen = compare(there, "==", usd(value), rates={"USD": {"EUR": rate}})
    assert (seen.result, seen.rate) == (True, 1 / rate)
    assert len(seen.steps) == 3


def test_an_amount_in_its_own_currency_needs_no_rate_and_stays():
    assert convert(usd(5, "per seat"), "USD", rates={}) == usd(5, "per seat")


@pytest.mark.parametrize("rate", [0.0, -0.5, float("nan"), float("inf")])
def test_a_rate_is_above_zero_whichever_way_it_is_given(rate):
    for rates in ({"USD": {"EUR": rate}}, {"EUR": {"USD": rate}}):
        with pytest.raises(ComputationError):
            convert(usd(1), "EUR", rates=rates)


def test_a_rate_between_other_currencies_is_none():
    with pytest.raises(MissingRateError) as caught:
        convert(usd(1), "EUR", rates={"USD": {"GBP": 0.8}, "GBP": {"EUR": 1.2}})
    assert caught.value.pair == ("USD", "EUR")


def test_both_amounts_are_counted_by_the_same():
    assert compare(usd(5, "per claim"), ">", usd(4, "per claim")).result
    with pytest.raises(UnitError, match="per claim and a plain amount"):
        compare(usd(5, "per claim"), ">", usd(4))
    with pytest.raises(UnitError, match="a plain amount and per claim"):
        compare(usd(5), ">", usd(4, "per claim"))


@given(st.lists(CENTS, min_size=1, max_size=12))
def test_totals_and_averages_are_exact(values):
    total, average = compute("total", figures(*values)), compute("average", figures(*values))
    assert Decimal(total.result) == sum(values)
    assert abs(Decimal(average.result) * len(values) - sum(values)) <= len(values) * Decimal("1e-12")
    assert compute("count", figures(*values)).result == str(len(values))
    assert total.replay() == total
    assert Computation.from_dict(total.to_dict()) == total


@given(CENTS, CENTS)
def test_of_two_figures_the_first_is_the_one_that_is_asked_about(one, other):
    assert Decimal(compute("difference", figures(one, other)).result) == one - other
    assume(abs(other) >= 1)
    room = Decimal("1e-11")
    assert abs(Decimal(compute("ratio", figures(one, other)).result) - one / other) <= room
    assert abs(Decimal(compute("percentage_share", figures(one, other)).result) - one / other * 100) <= room
    assert abs(Decimal(compute("percentage_change", figures(one, other)).result) - (one - other) / other * 100) <= room


@pytest.mark.parametrize(
    ("operation", "formula"),
    [
        ("total", "3 + (-2) = 1 million USD"),
        ("average", "(3 + (-2)) / 2 = 0.5 million USD"),
        ("difference", "3 - (-2) = 5 million USD"),
        ("ratio", "3 / (-2) = -1.5"),
        ("percentage_share", "3 / (-2) x 100 = -150 %"),
        ("percentage_change", "(3 - (-2)) / (-2) x 100 = -250 %"),
        ("count", "how many there are = 2"),
    ],
)
def test_the_last_step_is_the_formula_as_it_is_read(operation, formula):
    made = compute(operation, figures(3, -2))
    assert made.steps == ("3 million USD", "-2 million USD", formula)


def test_zeros_take_part_and_are_written_plainly():
    assert compute("total", figures(0, "-0")).steps[-1] == "0 + 0 = 0 million USD"
    assert compute("total", figures("2.500", "0.5")).result == "3"
    assert compute("total", figures("100", "0")).result == "100"


@pytest.mark.parametrize(
    ("operation", "units", "expected"),
    [
        ("difference", ("%", "%"), ("pp", "")),
        ("total", ("%", "%"), ("%", "")),
        ("average", ("%", "%"), ("%", "")),
        ("ratio", ("%", "%"), ("", "")),
        ("percentage_change", ("USD", "USD"), ("%", "")),
        ("percentage_share", ("USD", "USD"), ("%", "")),
        ("ratio", ("USD", ""), ("USD", "")),
        ("ratio", ("", "USD"), None),
        ("difference", ("USD", ""), None),
        ("total", ("USD", "EUR"), None),
        ("count", ("USD", "ship"), ("", "")),
    ],
)
def test_the_unit_of_a_result_follows_from_those_of_its_operands(operation, units, expected):
    operands = [Operand("6", unit) for unit in units]
    if expected is None:
        with pytest.raises(UnitError, match=r"plain numbers|EUR"):
            compute(operation, operands)
    else:
        made = compute(operation, operands)
        assert (made.unit, made.magnitude) == expected


@every("operation", OPERATIONS)
@every("count", [0, 1, 2, 3])
def test_each_operation_takes_its_number_of_operands(operation, count):
    allowed = {"total": count > 0, "average": count > 0, "count": True}.get(operation, count == 2)
    if allowed:
        assert compute(operation, figures(*[4] * count)).operation == operation
    else:
        with pytest.raises(ComputationError):
            compute(operation, figures(*[4] * count))


def test_ten_thousand_operands_are_the_most():
    assert compute("count", figures(*[1] * 10_000)).result == "10000"
    with pytest.raises(ComputationError, match="at most 10000"):
        compute("count", figures(*[1] * 10_001))


def test_magnitudes_are_powers_of_ten():
    assert [compute("total", figures(1, magnitude=word)).value for word in MAGNITUDES] == [
        1, 100, 1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000,
    ]  # fmt: skip
    with pytest.raises(ComputationError, match="choose hundred, thousand"):
        _ = compute("total", figures(1, magnitude="dozen")).value


@pytest.mark.parametrize(
    ("text", "fits"),
    [("9" * 60, True), ("9" * 61, False), ("1e60", True), ("1e61", False), ("1e-60", True), ("1e-61", False),
     ("", False), ("Infinity", False), ("sNaN", False), ("-5", True), ("0", True)],
)  # fmt: skip
def test_a_figure_is_a_finite_number_of_at_most_sixty_digits(text, fits):
    if fits:
        assert compute("count", [Operand(text)]).result == "1"
        assert Operand(text).number == Decimal(text)
    else:
        with pytest.raises(ComputationError, match="no finite number"):
            _ = Operand(text).number


def test_places_are_told_only_where_there_is_a_document():
    assert str(Operand("5", "ships")) == "5 ships"
    assert str(Operand("5", "", "", "a.pdf", 2, 2)) == "5 (a.pdf, line 2)"
    assert str(Operand("5", "USD", "million", "a.pdf", 2, 3, "Net")) == "Net: 5 million USD (a.pdf, lines 2-3)"


@pytest.mark.parametrize(
    "change",
    [{"operation": "median"}, {"operands": None}, {"steps": None}, {"result": 5}, {"unit": None}, {"magnitude": 1},
     {"operands": ["x"]}, {"operands": [{}]}, {"operands": [{"value": 1}]}],
)  # fmt: skip
def test_a_record_with_a_part_missing_is_none(change):
    record = compute("total", figures(1, 2)).to_dict()
    with pytest.raises(ComputationError, match="to_dict"):
        Computation.from_dict(record | change)


def test_a_record_whose_lines_are_no_numbers_is_none():
    record = compute("total", [Operand("1", "", "", "a.pdf", 7, 8)]).to_dict()
    assert Computation.from_dict(record).operands[0].line_end == 8
    record["operands"][0]["line_start"] = "seven"
    with pytest.raises(ComputationError, match="to_dict"):
        Computation.from_dict(record)


@given(st.integers(-(10**20), 10**20))
def test_a_whole_number_reads_in_full_with_commas(value):
    assert number(value) == f"{value:,}"
    assert float(number(float(value)).replace(",", "")) == float(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1e21, "1e+21"), (-1e21, "-1e+21"), (9e20, "900,000,000,000,000,000,000"), (2.50, "2.5"), (100.0, "100")],
)
def test_numbers_larger_than_a_float_counts_have_an_exponent(value, expected):
    assert number(value) == expected


def test_a_column_is_as_wide_as_its_widest_cell_up_to_sixty_characters():
    def written(cell):
        return worded(TableItem(table=TableValue(headers=["a", "b"], rows=[[cell, "end"]])))

    assert written("x" * 5) == "a      b\nxxxxx  end"
    assert written("x" * 60).splitlines()[0] == "a" + " " * 61 + "b"
    assert written("x" * 61).splitlines()[0] == "a" + " " * 61 + "b"


def test_the_parts_of_an_answer_in_words():
    person = spanwise.PersonItem(person=spanwise.PersonName(first_name="Ada", last_name="King"))
    assert worded(person) == "Ada King"
    address = spanwise.AddressItem(address=spanwise.Address(city="Paris", country="France"))
    assert worded(address) == "Paris, France"
    assert worded(spanwise.IbanItem(iban=spanwise.Iban(value="GB82 WEST 1234 5"))) == "GB82 WEST 1234 5"
    assert worded(spanwise.BooleanItem(boolean=True)) == "Yes"


def test_a_prompt_says_what_an_answer_has_beyond_every_other_one():
    class Weighed(spanwise.TextAnswer):
        weight_known: bool = Field(default=False, description="whether the weight is given")

    assert "The answer also has `weight_known` (true or false): whether the weight is given" in fragment(Weighed)
    assert "also has" not in fragment("text")
