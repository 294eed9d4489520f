"""Faults planted in right answers, each so that the cited lines do not hold what the answer then says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sets.planted.originals import Original
from spanwise.contract.answers import AmountAnswer, AnswerBase, DateAnswer, TableAnswer, TextAnswer
from spanwise.contract.values import Span
from spanwise.domain.document import Document

FaultName: TypeAlias = Literal[
    "wrong line",
    "shifted digit",
    "sign",
    "magnitude",
    "currency",
    "date order",
    "swapped cell",
    "invented quote",
]
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Planted:
    """A right answer with one fault."""

    fault: FaultName
    id: str
    answer: AnswerBase


def planted(original: Original, document: Document) -> list[Planted]:
    """The answer with each fault that can be planted in it."""
    made = []
    for name, plant in _FAULTS.items():
        answer = original.answer.model_copy(deep=True)
        if plant(answer, document, _lot(f"{original.id}:{name}")):
            made.append(Planted(name, original.id, answer))
    return made


def _lot(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _wrong_line(answer: AnswerBase, document: Document, lot: int) -> bool:
    """The same evidence some lines off, where none of it stands."""
    spans = answer.items[0].spans
    span = spans[0]
    said = _said(answer)
    for step in (1, -1, 2, -2, 3, -3, 7, -7):
        move = step if lot % 2 else -step
        first, last = span.line_start + move, span.line_end + move
        if first < 1 or last > len(document.lines):
            continue
        text = _plain(document.text(first, last))
        if not any(_plain(part) in text for part in said):
            spans[0] = span.model_copy(update={"line_start": first, "line_end": last})
            return True
    return False


def _said(answer: AnswerBase) -> list[str]:
    """Parts of an answer that lines of other evidence do not have all of."""
    if isinstance(answer, TableAnswer):
        return [row[1] for row in answer.items[0].table.rows]
    if isinstance(answer, AmountAnswer):
        return [answer.items[0].spans[0].quote or f"{abs(answer.items[0].amount.value):.0f}".rstrip("0")]
    return [answer.items[0].spans[0].quote or ""]


def _plain(text: str) -> str:
    return re.sub(r"[\s,$()]", "", text).lower()


def _shifted_digit(answer: AnswerBase, document: Document, lot: int) -> bool:
    if isinstance(answer, DateAnswer):
        date = answer.items[0].date
        year = int(date.iso[:4]) + (1 if lot % 2 else -1)
        date.iso = f"{year}{date.iso[4:]}" if date.iso[5:] != "02-29" else f"{year}-02-28"
        return str(year) not in _cited(answer, document)
    if not isinstance(answer, AmountAnswer):
        return False
    amount = answer.items[0].amount
    digits = f"{abs(amount.value):.2f}" if amount.value % 1 else f"{abs(amount.value):.0f}"
    significant = digits.rstrip("0").rstrip(".") or digits
    places = [index for index, character in enumerate(significant) if character.isdigit()]
    place = places[lot % len(places)]
    changed = str((int(digits[place]) + 1 + lot % 8) % 10)
    if changed == digits[place]:
        return False
    amount.value = float(digits[:place] + changed + digits[place + 1 :]) * (-1 if amount.value < 0 else 1)
    return not _figures_like(amount.value, answer, document)


def _sign(answer: AnswerBase, document: Document, lot: int) -> bool:
    del lot
    if not isinstance(answer, AmountAnswer) or not answer.items[0].amount.value:
        return False
    answer.items[0].amount.value *= -1
    return _figures_like(answer.items[0].amount.value, answer, document) < 2


def _magnitude(answer: AnswerBase, document: Document, lot: int) -> bool:
    if not isinstance(answer, AmountAnswer) or not answer.items[0].amount.value:
        return False
    amount = answer.items[0].amount
    amount.value = amount.value * (10, 1000, 100)[lot % 3] if lot % 2 else amount.value / 1000
    return _figures_like(amount.value, answer, document) < 2


def _currency(answer: AnswerBase, document: Document, lot: int) -> bool:
    if not isinstance(answer, AmountAnswer):
        return False
    answer.items[0].amount.currency = ("EUR", "GBP", "JPY")[lot % 3]
    first = answer.items[0].spans[0].line_start
    around = document.text(max(1, first - 70), min(len(document.lines), first + 30))
    return not re.search(
        r"[\u20ac\u00a3\u00a5]|\beuros?\b|\byen\b|pounds?\b|sterling|EUR|GBP|JPY", around, re.IGNORECASE
    )


def _date_order(answer: AnswerBase, document: Document, lot: int) -> bool:
    del document, lot
    if not isinstance(answer, DateAnswer):
        return False
    date = answer.items[0].date
    year, month, day = date.iso.split("-")
    date.iso = f"{year}-{day}-{month}"
    return month != day


def _swapped_cell(answer: AnswerBase, document: Document, lot: int) -> bool:
    """Two figures of one column, or of one row, in each other's place."""
    del document
    if not isinstance(answer, TableAnswer):
        return False
    rows = answer.items[0].table.rows
    row, column = lot % (len(rows) - 1), 1 + lot % (len(rows[0]) - 1)
    other = (row, 1 + column % (len(rows[0]) - 1)) if lot % 3 == 0 else (row + 1, column)
    one, two = rows[row][column], rows[other[0]][other[1]]
    rows[row][column], rows[other[0]][other[1]] = two, one
    return one != two


def _invented_quote(answer: AnswerBase, document: Document, lot: int) -> bool:
    """A quote with one word exchanged; of a text, the text says the same."""
    span: Span = answer.items[0].spans[0]
    if not span.quote:
        return False
    words = span.quote.split(" ")
    place = lot % len(words)
    words[place] = "seventeen" if words[place].lower() != "seventeen" else "eighteen"
    span.quote = " ".join(words)
    if isinstance(answer, TextAnswer):
        answer.items[0].text = span.quote
    return span.quote.lower() not in _cited(answer, document).lower()


def _figures_like(value: float, answer: AnswerBase, document: Document) -> int:
    """How many figures of the cited lines have the digits of a value, at whatever magnitude."""
    digits = _significant(f"{abs(value):.3f}")
    return sum(_significant(figure) == digits for figure in re.findall(r"\d[\d,.]*", _cited(answer, document)))


def _significant(figure: str) -> str:
    return re.sub(r"\D", "", figure).strip("0")


def _cited(answer: AnswerBase, document: Document) -> str:
    return "\n".join(document.text(span.line_start, span.line_end) for span in answer.items[0].spans)


_FAULTS: dict[FaultName, Callable[[AnswerBase, Document, int], bool]] = {
    "wrong line": _wrong_line,
    "shifted digit": _shifted_digit,
    "sign": _sign,
    "magnitude": _magnitude,
    "currency": _currency,
    "date order": _date_order,
    "swapped cell": _swapped_cell,
    "invented quote": _invented_quote,
}
FAULT_NAMES: tuple[FaultName, ...] = tuple(_FAULTS)
