import json
from decimal import getcontext

import pytest

from spanwise import Amount, Computation, compare, convert
from spanwise.contract.compute import Operand, compute, compute_formula
from spanwise.errors import ComputationError, InputError, MissingRateError, UnitError

JPY = Amount(value=100_000_000, currency="JPY")
USD = Amount(value=1_000_000, currency="USD")


def operand(value, unit="USD", magnitude="million", **more):
    return Operand(str(value), unit, magnitude, **more)


def test_a_comparison_across_currencies_names_its_rate_and_its_steps():
    seen = compare(JPY, ">", USD, rates={"JPY": {"USD": 0.0067}})
    assert seen.result is False
    assert seen.rate == 0.0067
    assert seen.steps == (
        "1 JPY = 0.0067 USD",
        "100000000 JPY = 670000 USD",
        "670000 USD > 1000000 USD: false",
    )


def test_the_inverse_of_a_rate_will_do_and_the_steps_say_so():
    seen = compare(JPY, "<", USD, rates={"USD": {"JPY": 160}})
    assert seen.result is True
    assert seen.rate == pytest.approx(1 / 160)
    assert "1 USD = 160 JPY, used the other way round" in seen.steps


@pytest.mark.parametrize(
    ("op", "result"), [("<", True), ("<=", True), ("==", False), ("!=", True), (">=", False), (">", False)]
)
def test_amounts_of_one_currency_need_no_rate(op, result):
    seen = compare(Amount(value=0.1, currency="EUR"), op, Amount(value=0.3, currency="EUR"))
    assert (seen.result, seen.rate) == (result, None)


def test_tenths_are_exact():
    total = compute("total", [operand("0.1"), operand("0.2")])
    assert total.result == "0.3"


def test_without_a_rate_nothing_is_guessed():
    with pytest.raises(MissingRateError, match="no rate from JPY to USD") as caught:
        compare(JPY, ">", USD)
    assert caught.value.pair == ("JPY", "USD")
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ComputationError):
        convert(JPY, "USD", rates={"JPY": {"USD": rate}})


def test_amounts_counted_by_different_things_are_not_compared():
    per_claim = Amount(value=5, currency="USD", unit="per claim")
    with pytest.raises(UnitError, match="per claim"):
        compare(per_claim, ">", USD)


def test_an_unknown_comparison_is_refused():
    with pytest.raises(ComputationError, match="choose one of"):
        compare(USD, "=>", USD)


def test_conversion_keeps_what_is_counted():
    fee = Amount(value=10, currency="EUR", unit="per user")
    assert convert(fee, "USD", rates={"EUR": {"USD": 1.1}}) == Amount(value=11, currency="USD", unit="per user")


@pytest.mark.parametrize(
    ("operation", "values", "result", "unit", "magnitude"),
    [
        ("total", ("100", "250"), "350", "USD", "million"),
        ("difference", ("1169", "116"), "1053", "USD", "million"),
        ("average", ("1", "2", "2"), "1.666666666667", "USD", "million"),
        ("ratio", ("3", "2"), "1.5", "", ""),
        ("percentage_change", ("497", "533"), "-6.754221388368", "%", ""),
        ("percentage_share", ("53.0", "55.5"), "95.495495495495", "%", ""),
        ("count", ("1", "2"), "2", "", ""),
    ],
)
def test_operations(operation, values, result, unit, magnitude):
    made = compute(operation, [operand(value) for value in values])
    assert (made.result, made.unit, made.magnitude) == (result, unit, magnitude)


def test_a_difference_of_percentages_is_in_points():
    assert compute("difference", [operand("3.8", "%", ""), operand("2.9", "%", "")]).unit == "pp"


def test_a_value_is_given_in_full():
    assert compute("total", [operand("1.5"), operand("-0.25")]).value == 1_250_000


def test_something_for_each_keeps_its_unit():
    made = compute("ratio", [operand("53"), Operand("1060")])
    assert (made.result, made.unit, made.magnitude) == ("0.05", "USD", "million")


@pytest.mark.parametrize("other", [operand("1", "EUR"), operand("1", magnitude="thousand"), Operand("1")])
def test_units_and_magnitudes_have_to_agree(other):
    with pytest.raises(UnitError, match="these differ"):
        compute("total", [operand("1"), other])


@pytest.mark.parametrize(
    ("operation", "values"),
    [
        ("ratio", ("1", "0")),
        ("percentage_change", ("1", "0")),
        ("difference", ("1",)),
        ("difference", ("1", "2", "3")),
        ("average", ()),
        ("total", ("NaN",)),
        ("total", ("1e999999",)),
        ("total", ("9" * 100,)),
        ("total", ("one",)),
        ("median", ("1",)),
    ],
)
def test_what_cannot_be_computed_is_a_typed_error(operation, values):
    with pytest.raises(ComputationError):
        compute(operation, [operand(value) for value in values])


def test_the_steps_tell_every_operand_with_its_place():
    made = compute(
        "difference",
        [
            operand("7", document="a.pdf", line_start=4, line_end=4, label="Net income, 2019"),
            operand("-5", document="a.pdf", line_start=4, line_end=5, label="Net income, 2018"),
        ],
    )
    assert made.steps == (
        "Net income, 2019: 7 million USD (a.pdf, line 4)",
        "Net income, 2018: -5 million USD (a.pdf, lines 4-5)",
        "7 - (-5) = 12 million USD",
    )


def test_a_record_survives_json_and_can_be_replayed_whatever_the_precision():
    made = compute("average", [operand("1", document="a.pdf", line_start=1, line_end=1), operand("2.5")])
    again = Computation.from_dict(json.loads(json.dumps(made.to_dict())))
    assert again == made
    before = getcontext().prec
    try:
        getcontext().prec = 3
        assert again.replay() == made
    finally:
        getcontext().prec = before


def test_an_altered_record_is_told_by_its_replay():
    record = compute("total", [operand("1"), operand("2")]).to_dict()
    altered = Computation.from_dict({**record, "result": "4"})
    assert altered.replay() != altered


@pytest.mark.parametrize(
    "record",
    [{}, {"operation": "total", "operands": [1], "steps": []}, {"operation": "x", "operands": [], "steps": []}],
)
def test_what_is_no_record_is_refused(record):
    with pytest.raises(ComputationError, match="to_dict"):
        Computation.from_dict(record)


@pytest.mark.parametrize("operation", ["ratio", "percentage_change", "percentage_share"])
def test_a_result_that_cannot_be_written_out_is_a_typed_error(operation):
    with pytest.raises(ComputationError, match="too many digits"):
        compute(operation, [Operand("1e60"), Operand("1e-60")])


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("((x1**100)**100)**100", "too many digits"),
        ("x1*1e60*1e60", "too many digits"),
        ("1/(x1**-100)", "too many digits"),
        ("x1/(x1-x1)", "divides by zero"),
        ("(0-x1)**2", "a power that is no number"),
        ("x1 if x1 else 2", "a formula has only numbers"),
        ("x1 +", "is no arithmetic"),
    ],
)
def test_a_formula_says_what_is_wrong_with_it(formula, why):
    with pytest.raises(ComputationError, match=why):
        compute_formula(formula, [Operand("123456789")])


def test_amounts_too_large_to_be_compared_are_a_typed_error():
    large = Amount(value=1e60, currency="USD")
    with pytest.raises(ComputationError, match="too many digits"):
        compare(large, "<", Amount(value=1, currency="EUR"), rates={"USD": {"EUR": 1e60}})
