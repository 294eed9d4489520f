"""Arithmetic on extracted values: comparisons, conversions and other computations, each with a record of its steps.

No model is involved: the record has the operands, the rates and every step, so that a computation can be repeated.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation, localcontext
from operator import eq, ge, gt, le, lt, ne
from typing import Literal, Self, TypeAlias, get_args

from pydantic import TypeAdapter, ValidationError

from spanwise.contract.values import Amount
from spanwise.errors import ComputationError, MissingRateError, UnitError

Operation: TypeAlias = Literal[
    "total", "difference", "average", "ratio", "percentage_change", "percentage_share", "count", "formula"
]
Comparator: TypeAlias = Literal["<", "<=", "==", "!=", ">=", ">"]
Rates: TypeAlias = Mapping[str, Mapping[str, float]]
"""Exchange rates: the value of one unit of the first currency in the second, such as `{"JPY": {"USD": 0.0067}}`."""

OPERATIONS: tuple[Operation, ...] = tuple(one for one in get_args(Operation) if one != "formula")
"""The operations that `compute` accepts; formulas are computed by `compute_formula`."""
MAGNITUDES: Mapping[str, int] = {"": 0, "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""From the word for a magnitude to its power of ten."""
MOST_OPERANDS = 10_000
_PLACES = 12
"""Decimal places of a result: enough to round it for any purpose, few enough to read."""
_LONGEST = 60
"""Most characters of a number; a longer one is no figure of a document."""
_LONGEST_FORMULA = 1_000
_OPERAND = re.compile(r"x(\d{1,3})")
_CONTEXT = Context(prec=50, rounding=ROUND_HALF_EVEN)
_COMPARATORS = {"<": lt, "<=": le, "==": eq, "!=": ne, ">=": ge, ">": gt}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of a comparison of two amounts."""

    result: bool
    rate: float | None
    """The exchange rate that was used; None if both currencies are the same."""
    steps: tuple[str, ...]
    """The steps in order, in words."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure as it was read, with its place in a document."""

    value: str
    """The number as decimal text, counted in `magnitude`: `-1577` for (1,577)."""
    unit: str = ""
    """An ISO 4217 code, `%`, `pp`, the noun that is counted, or empty."""
    magnitude: str = ""
    """The word for the magnitude, such as `thousand` or `million`, or empty."""
    document: str = ""
    line_start: int = 0
    """1-based; 0 if the figure was not read from a document."""
    line_end: int = 0
    label: str = ""
    """The name of the figure: the label of its row and the headers of its column."""

    @property
    def number(self) -> Decimal:
        """The value as a number, not multiplied by its magnitude."""
        return _decimal(self.value)

    def __str__(self) -> str:
        named = f"{self.label}: " if self.label else ""
        alone = self.line_start == self.line_end
        lines = f"line {self.line_start}" if alone else f"lines {self.line_start}-{self.line_end}"
        place = f" ({self.document}, {lines})" if self.document else ""
        return f"{named}{_words(self.value, self.unit, self.magnitude)}{place}"


@dataclass(frozen=True, slots=True)
class Computation:
    """A figure that code computed from others, with everything needed to repeat the computation."""

    operation: Operation
    operands: tuple[Operand, ...]
    """The operands in the order of the formula: later before earlier, part before whole, numerator before
    denominator."""
    result: str
    """The result as decimal text, counted in `magnitude` and rounded to at most 12 decimal places."""
    unit: str
    """The unit of the operands; `%` for a percentage, `pp` for a difference of percentages, empty for a pure ratio."""
    magnitude: str
    steps: tuple[str, ...]
    """Each operand with its place, then the formula with its result, in words."""
    expression: str = ""
    """For a formula, arithmetic over its operands named x1, x2 and so on, such as `(x1 - x2) / x3`; else empty."""

    @property
    def value(self) -> Decimal:
        """The result multiplied by its magnitude: 1.5 million is 1500000."""
        with localcontext(_CONTEXT):
            return _decimal(self.result).scaleb(_power(self.magnitude))

    def replay(self) -> Computation:
        """The computation repeated from the operands; equal to this one unless the record was altered.

        Raises:
            ComputationError: The operands do not allow the operation.
        """
        if self.operation == "formula":
            return compute_formula(self.expression, self.operands, unit=self.unit, magnitude=self.magnitude)
        return compute(self.operation, self.operands)

    def to_dict(self) -> dict[str, object]:
        """The computation as JSON values."""
        formula = {"expression": self.expression} if self.expression else {}
        return {
            "operation": self.operation,
            **formula,
            "operands": [asdict(operand) for operand in self.operands],
            "result": self.result,
            "unit": self.unit,
            "magnitude": self.magnitude,
            "steps": list(self.steps),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, object]) -> Self:
        """The computation from a record of `to_dict`; nothing is computed again.

        Raises:
            ComputationError: The record is not one of a computation.
        """
        try:
            return TypeAdapter(cls).validate_python(dict(record))
        except ValidationError as error:
            raise ComputationError(
                "this is not the record of a computation: use what Computation.to_dict() wrote "
                f"({error.errors()[0]['msg']})"
            ) from error


def compute(operation: Operation, operands: Sequence[Operand]) -> Computation:
    """Compute one figure from others.

    * `total` and `average` of one or more operands
    * `difference`: first - second
    * `ratio`: first / second
    * `percentage_change`: (first - second) / second x 100, so the later figure comes first
    * `percentage_share`: first / second x 100, so the part comes first
    * `count`: the number of operands

    Args:
        operation: One of the operations above.
        operands: Figures of the same unit and magnitude; but a ratio may also divide by a plain number, and a count
            accepts anything.

    Raises:
        ComputationError: The operation is unknown, or not possible with these operands.
        UnitError: The units or magnitudes differ.
    """
    if operation not in OPERATIONS:
        raise ComputationError(f"there is no operation {operation!r}: choose one of {', '.join(OPERATIONS)}")
    held = tuple(operands)
    _check_number_of(operation, held)
    unit, magnitude = _measure(operation, held)
    with localcontext(_CONTEXT):
        numbers = [operand.number for operand in held]
        formula, outcome = _outcome(operation, numbers)
    result = _text(outcome)
    steps = (*(str(operand) for operand in held), f"{formula} = {_words(result, unit, magnitude)}")
    return Computation(operation, held, result, unit, magnitude, steps)


def compute_formula(
    expression: str, operands: Sequence[Operand], *, unit: str = "", magnitude: str = ""
) -> Computation:
    """Compute a figure by a formula.

    Args:
        expression: Arithmetic (`+ - * / **`, brackets, `abs`) over numbers and the operands, which are named x1, x2 and
            so on.
        operands: Figures; those with a unit must have the same one, such as a currency, and likewise those with a
            magnitude.
        unit: Unit of the result.
        magnitude: Magnitude of the result: that of the operands, if the result is counted in their unit.

    Raises:
        ComputationError: The expression is no arithmetic, divides by zero, or has too many operands.
        UnitError: The units or magnitudes differ.
    """
    held = tuple(operands)
    if not held or len(held) > MOST_OPERANDS or len(expression) > _LONGEST_FORMULA:
        raise ComputationError("a formula takes operands, and not so many: split it")
    for kind in ({one.unit for one in held if one.unit}, {one.magnitude for one in held if one.magnitude}):
        if len(kind) > 1:
            raise UnitError(f"a formula needs one unit and one magnitude, and these differ: {', '.join(sorted(kind))}")
    numbers = [one.number for one in held]
    try:
        with localcontext(_CONTEXT):
            result = _text(_evaluated(ast.parse(expression, mode="eval").body, numbers))
    except ComputationError:
        raise
    except ArithmeticError as error:
        raise ComputationError(_TOO_LARGE) from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ComputationError(f"{expression[:_LONGEST]!r} is no arithmetic") from error
    spelled = _OPERAND.sub(lambda found: _bracketed(numbers[int(found[1]) - 1]), expression)
    steps = (*(str(one) for one in held), f"{spelled} = {_words(result, unit, magnitude)}")
    return Computation("formula", held, result, unit, magnitude, steps, expression)


_ARITHMETIC: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_STEEPEST = 100
"""Largest absolute exponent of a power."""
_TOO_LARGE = "the result has too many digits to be written out"


def _evaluated(node: ast.expr, numbers: Sequence[Decimal]) -> Decimal:
    """The value of an arithmetic expression; a `ComputationError` for any other syntax."""
    if isinstance(node, ast.Name) and (named := _OPERAND.fullmatch(node.id)) and 0 < int(named[1]) <= len(numbers):
        return numbers[int(named[1]) - 1]
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _decimal(repr(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand, numbers)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abs" and len(node.args) == 1:
        return abs(_evaluated(node.args[0], numbers))
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _evaluated(node.left, numbers), _evaluated(node.right, numbers)
        if isinstance(node.op, ast.Div) and not right:
            raise ComputationError("the formula divides by zero")
        if isinstance(node.op, ast.Pow) and (left <= 0 or abs(right) > _STEEPEST):
            raise ComputationError("the formula has a power that is no number")
        return _ARITHMETIC[type(node.op)](left, right)
    raise ComputationError("a formula has only numbers, its operands, + - * / **, brackets and abs")


def compare(a: Amount, op: Comparator, b: Amount, *, rates: Rates | None = None) -> Comparison:
    """Whether `a op b` is true; the first amount is converted if the currencies differ.

    Args:
        a: An amount.
        op: `<`, `<=`, `==`, `!=`, `>=` or `>`.
        b: An amount counted by the same unit.
        rates: The value of one unit of a currency in another; if only the inverse rate is given, it is inverted.

    Raises:
        MissingRateError: The currencies differ and no rate between them is given.
        UnitError: The amounts are counted by different units ("per claim").
        ComputationError: The comparison is unknown, or a value or rate is not a finite number.
    """
    if op not in _COMPARATORS:
        raise ComputationError(f"there is no comparison {op!r}: choose one of {', '.join(_COMPARATORS)}")
    if a.unit != b.unit:
        raise UnitError(f"{a.unit or 'a plain amount'} and {b.unit or 'a plain amount'} cannot be compared")
    with localcontext(_CONTEXT):
        value, rate, steps = _in_currency(a, b.currency, rates or {})
        other = _finite(b.value)
        result = _COMPARATORS[op](value, other)
    said = f"{_text(value)} {b.currency} {op} {_text(other)} {b.currency}: {'true' if result else 'false'}"
    return Comparison(result, rate, (*steps, said))


def convert(amount: Amount, currency: str, *, rates: Rates) -> Amount:
    """The amount converted into another currency.

    Args:
        amount: The amount to convert; its unit ("per claim") is kept.
        currency: ISO 4217 code.
        rates: See `compare`.

    Raises:
        MissingRateError: No rate between the currencies is given.
        ComputationError: A value or rate is not a finite number.
    """
    with localcontext(_CONTEXT):
        value, _, _ = _in_currency(amount, currency, rates)
    return amount.model_copy(update={"value": float(value), "currency": currency})


def _in_currency(amount: Amount, currency: str, rates: Rates) -> tuple[Decimal, float | None, tuple[str, ...]]:
    """The value in the given currency, the rate (None if not converted), and the steps in words."""
    value = _finite(amount.value)
    if amount.currency == currency:
        return value, None, ()
    direct = rates.get(amount.currency, {}).get(currency)
    inverse = rates.get(currency, {}).get(amount.currency)
    given = direct if direct is not None else inverse
    if given is None:
        raise MissingRateError(
            f"no rate from {amount.currency} to {currency}: give one, such as "
            f'rates={{"{amount.currency}": {{"{currency}": ...}}}}',
            pair=(amount.currency, currency),
        )
    rate = _finite(given)
    if rate <= 0:
        raise ComputationError(f"the rate between {amount.currency} and {currency} is {given}: it has to be above zero")
    if direct is not None:
        how = f"1 {amount.currency} = {_plain(rate)} {currency}"
        converted = value * rate
    else:
        how = f"1 {currency} = {_plain(rate)} {amount.currency}, used the other way round"
        converted, rate = value / rate, 1 / rate
    return (converted, float(rate), (how, f"{_text(value)} {amount.currency} = {_text(converted)} {currency}"))


_EXACTLY_TWO = frozenset(("difference", "ratio", "percentage_change", "percentage_share"))


def _check_number_of(operation: Operation, operands: Sequence[Operand]) -> None:
    if len(operands) > MOST_OPERANDS:
        raise ComputationError(f"{len(operands)} operands are too many: at most {MOST_OPERANDS}")
    if operation in _EXACTLY_TWO and len(operands) != 2:
        raise ComputationError(f"a {operation} takes two operands, not {len(operands)}")
    if not operands and operation != "count":
        raise ComputationError(f"there is no {operation} of nothing: give at least one operand")


def _measure(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str]:
    """The unit and the magnitude of the result; a `UnitError` if those of the operands do not fit together."""
    if operation == "count":
        return "", ""
    first = operands[0]
    measures = {(operand.unit, operand.magnitude) for operand in operands}
    if operation == "ratio" and measures == {(first.unit, first.magnitude), ("", "")}:
        return first.unit, first.magnitude
    if len(measures) > 1:
        found = ", ".join(sorted(f"{magnitude} {unit}".strip() or "plain numbers" for unit, magnitude in measures))
        raise UnitError(f"a {operation} needs one unit and one magnitude, and these differ: {found}")
    if operation in ("percentage_change", "percentage_share"):
        return "%", ""
    if operation == "ratio":
        return "", ""
    return ("pp" if operation == "difference" and first.unit == "%" else first.unit), first.magnitude


def _outcome(operation: Operation, numbers: Sequence[Decimal]) -> tuple[str, Decimal]:
    """The formula as text, and its value."""
    if operation == "count":
        return "how many there are", Decimal(len(numbers))
    if operation == "total":
        return _sum(numbers), sum(numbers, Decimal(0))
    if operation == "average":
        return f"({_sum(numbers)}) / {len(numbers)}", sum(numbers, Decimal(0)) / len(numbers)
    return _of_two(operation, *numbers)


def _of_two(operation: Operation, one: Decimal, other: Decimal) -> tuple[str, Decimal]:
    left, right = _bracketed(one), _bracketed(other)
    if operation == "difference":
        return f"{left} - {right}", one - other
    if not other:
        raise ComputationError(f"a {operation} of {_plain(one)} to zero does not exist")
    if operation == "ratio":
        return f"{left} / {right}", one / other
    if operation == "percentage_share":
        return f"{left} / {right} x 100", one / other * 100
    return f"({left} - {right}) / {right} x 100", (one - other) / other * 100


def _sum(numbers: Sequence[Decimal]) -> str:
    return " + ".join(_bracketed(number) for number in numbers)


def _bracketed(number: Decimal) -> str:
    return f"({_plain(number)})" if number < 0 else _plain(number)


def _words(value: str, unit: str, magnitude: str) -> str:
    return " ".join(part for part in (value, magnitude, unit) if part)


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text) if len(text) <= _LONGEST else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number.adjusted()) > _LONGEST:
        raise ComputationError(f"{text[:_LONGEST]!r} is no finite number that can be computed with")
    return number


def _finite(value: float) -> Decimal:
    return _decimal(repr(float(value)))


def _power(magnitude: str) -> int:
    if magnitude not in MAGNITUDES:
        raise ComputationError(f"there is no magnitude {magnitude!r}: choose {', '.join(filter(None, MAGNITUDES))}")
    return MAGNITUDES[magnitude]


def _text(number: Decimal) -> str:
    """A number as plain decimal text, rounded to 12 decimal places, without trailing zeros."""
    with localcontext(Context(prec=2 * _LONGEST + _PLACES, rounding=ROUND_HALF_EVEN)):
        try:
            return _plain(number.quantize(Decimal(1).scaleb(-_PLACES)))
        except InvalidOperation as error:
            raise ComputationError(_TOO_LARGE) from error


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
