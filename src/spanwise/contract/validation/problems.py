"""Problems of an answer with their codes, the limits of validation, and the checks of flags, shapes and texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, get_args

from pydantic import BaseModel

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import Item
from spanwise.contract.registry import resolve

Code: TypeAlias = Literal[
    "address_not_in_lines",
    "amount_not_in_lines",
    "cell_in_wrong_row",
    "cell_not_in_lines",
    "complete_without_items",
    "control_characters",
    "currency_not_in_lines",
    "currency_unknown",
    "date_disagrees",
    "date_not_in_lines",
    "date_not_iso",
    "empty_quote",
    "empty_value",
    "found_without_items",
    "iban_invalid",
    "iban_not_in_lines",
    "items_without_found",
    "line_missing",
    "line_of_page",
    "magnitude_not_in_lines",
    "method_contradicts_items",
    "name_not_in_lines",
    "no_spans",
    "number_not_finite",
    "number_out_of_range",
    "number_too_large",
    "quantity_disagrees",
    "quantity_not_in_lines",
    "quote_not_in_lines",
    "ragged_table",
    "range_reversed",
    "shape_mismatch",
    "shared_span",
    "sign_not_in_lines",
    "span_reversed",
    "span_too_wide",
    "too_large",
    "too_many_items",
    "total_disagrees",
    "unit_not_in_lines",
    "value_not_in_lines",
    "verbatim_without_proof",
]
"""Codes of problems; docs/validation.md has an example of each."""
CODES: tuple[Code, ...] = get_args(Code)

MOST_ITEMS = 1000
"""Most items of an answer that are checked; having more is a problem too."""
MOST_SPANS = 300
"""Most spans of one item that are checked."""
MOST_LINES = 50
"""Most lines of one span, about a page; a wider one proves nothing to a reader."""
MOST_TABLE_LINES = 250
"""Most lines of one span of a table."""
MOST_CELLS = 5000
"""Most cells of one table."""
MOST_WORK = 50_000
"""Most cited lines and table cells of all items of an answer together."""
LONGEST_TEXT = 100_000
"""Most characters of one text in an answer."""
LARGEST = 2.0**53
"""Largest number; above it, a float no longer represents every integer."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an answer."""

    code: Code
    message: str
    """One sentence for people, and for a model that is asked to correct its answer."""
    item: int | None = None
    """Index of the item in `answer.items`, from 0; None if it concerns the answer as a whole."""
    span: int | None = None
    """Index of the span in that item's `spans`, from 0; None if it concerns the item as a whole."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of an item whose index is not yet known."""

    code: Code
    message: str
    span: int | None = None


def shown(text: object, most: int = 80) -> str:
    """A value as messages quote it: on one line, printable, and cut to `most` characters."""
    plain = " ".join(ascii(text)[1:-1].split()) if not str(text).isprintable() else str(text)
    return f'"{plain if len(plain) <= most else plain[: most - 3] + "..."}"'


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_DEEPEST = 12
_SHARES = ("confidence", "context_completeness_weak")


class Asked(Protocol):
    """The part of a parsed question that says what kind of answer is expected."""

    @property
    def answer_type(self) -> str:
        """The label of the expected answer type."""
        ...

    @property
    def answer_shape(self) -> str:
        """The expected shape, such as `single`, `listing` or `table`."""
        ...


def shape_problems(answer: AnswerBase, question: Asked | None) -> Iterator[Problem]:
    """Problems of an answer whose class differs from the one that the question asks for.

    If the type has no class of its own, every class is accepted.
    """
    if not isinstance(getattr(answer, "items", None), list):
        yield Problem("shape_mismatch", f"{type(answer).__name__} has no list of items")
    if question is None:
        return
    expected = resolve(question.answer_shape, question.answer_type)
    if not isinstance(answer, expected.answer_class) and not expected.notes:
        message = f"the question asks for {expected.answer_class.__name__}, the answer is {type(answer).__name__}"
        yield Problem("shape_mismatch", message)


def flag_problems(answer: AnswerBase) -> Iterator[Problem]:
    """Problems of flags that contradict the items or each other."""
    items = bool(getattr(answer, "items", None))
    method = answer.extraction_method
    if answer.answer_found and not items:
        yield Problem("found_without_items", "answer_found is true, and there is no item")
    if items and not answer.answer_found:
        yield Problem("items_without_found", "there are items, and answer_found is false")
    if answer.complete_answer_found and not (items and answer.answer_found):
        yield Problem("complete_without_items", "complete_answer_found is true, and nothing was found")
    if items == (method == "na"):
        have = "items" if items else "no items"
        yield Problem("method_contradicts_items", f"extraction_method is {shown(method)}, and there are {have}")
    for name in _SHARES:
        value = getattr(answer, name)
        if not 0 <= value <= 1:
            finite = isinstance(value, int) or math.isfinite(value)
            yield Problem("number_out_of_range" if finite else "number_not_finite", f"{name} is not between 0 and 1")


def item_text_faults(item: Item) -> Iterator[Fault]:
    """Faults of texts in an item that cannot be displayed: control characters, or too long."""
    for span in item.spans:
        if span.quote is not None and not _showable(span.quote):
            yield from text_faults(span.quote)
    for name, value in vars(item).items():
        if name != "spans":
            yield from text_faults(value)


def text_faults(value: object) -> Iterator[Fault]:
    """Faults of texts in any value that cannot be displayed."""
    for text in _texts(value, 0):
        if _showable(text):
            continue
        if len(text) > LONGEST_TEXT:
            yield Fault("too_large", f"a text of {len(text):,} characters: answer with what was asked for")
        elif found := _CONTROL.search(text):
            yield Fault("control_characters", f"{shown(text)} holds the character U+{ord(found.group()):04X}")


def _showable(text: str) -> bool:
    return text.isprintable() and len(text) <= LONGEST_TEXT


def base_text_problems(answer: AnswerBase) -> Iterator[Problem]:
    """Problems of texts in the other fields of an answer that cannot be displayed."""
    for name in AnswerBase.model_fields:
        for fault in text_faults(getattr(answer, name)):
            yield Problem(fault.code, f"{name}: {fault.message}")


def _texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and (parts := _parts(value)):
        for part in parts:
            if isinstance(part, str):
                yield part
            elif part is not None:
                yield from _texts(part, depth + 1)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, list | tuple):
        return value
    return vars(value).values() if isinstance(value, BaseModel) else ()
