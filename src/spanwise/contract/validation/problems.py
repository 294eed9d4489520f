"""Problems of an answer: their codes, and the bounds within which it is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

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
"""Items of an answer that are checked; more are a problem of their own."""
MOST_SPANS = 300
"""Spans of one item that are checked."""
MOST_LINES = 50
"""Lines of one span, about a page: a wider one proves nothing to a reader."""
MOST_TABLE_LINES = 250
"""Lines of one span under a table."""
MOST_CELLS = 5000
"""Cells of one table."""
MOST_WORK = 50_000
"""Cited lines and cells of all items of an answer."""
LONGEST_TEXT = 100_000
"""Characters of one text in an answer."""
LARGEST = 2.0**53
"""Largest number; beyond it a float no longer counts units."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an answer."""

    code: Code
    message: str
    """One sentence for a person, or for a model that is asked again."""
    item: int | None = None
    """Index of the item in `answer.items`, from 0; None where it concerns the answer as a whole."""
    span: int | None = None
    """Index of the span in that item's `spans`, from 0; None where it concerns the item as a whole."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one item, before it is known which item that is."""

    code: Code
    message: str
    span: int | None = None


def shown(text: object, most: int = 80) -> str:
    """A value as messages quote it: on one line, printable, and short."""
    plain = " ".join(ascii(text)[1:-1].split()) if not str(text).isprintable() else str(text)
    return f'"{plain if len(plain) <= most else plain[: most - 3] + "..."}"'
