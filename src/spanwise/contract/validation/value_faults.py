"""Checks of an item's value, of any class, against the cited lines.

For a table, every cell must be in the lines, and the cells of a row in one row and in order.
"""

from __future__ import annotations

import re
import types
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from spanwise.contract.items import Item
from spanwise.contract.validation import figure_faults
from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.problems import MOST_CELLS, Fault, shown
from spanwise.contract.values import (
    Address,
    Amount,
    DateRange,
    DateValue,
    Iban,
    PersonName,
    Price,
    Quantity,
    TableValue,
    compact,
    iban_fault,
)
from spanwise.text.fold import folded, place_after
from spanwise.text.quantities import is_currency

_MOST_FAULTS = 20
"""Most faults of one table that are reported."""
_MOST_LINES_A_ROW = 40
_FIGURE = re.compile(r"[$\u20ac\u00a3\u00a5]?\s?\d[\d,.]*\s?%?")
_MONEY_CELL = re.compile(
    r"(?P<minus>-|\()?\s?[$\u20ac\u00a3\u00a5]?\s?(?P<figure>\d[\d,.]*\d|\d)\s?(?:%|\)){0,2}", re.ASCII
)
_MARKS = re.compile(r"[\s|$\u20ac\u00a3\u00a5]+|\.{2,}|_{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_PIPES = str.maketrans("|", " ")


def table_format_faults(table: TableValue) -> Iterator[Fault]:
    """Faults of a table in itself: empty, too large, or rows of different width."""
    if not table.rows:
        yield Fault("empty_value", "the table has no rows")
    if sum(map(len, table.rows)) + len(table.headers) > MOST_CELLS:
        yield Fault(
            "too_large", f"the table has more than {MOST_CELLS:,} cells: answer with the rows that were asked for"
        )
        return
    ragged = [index for index, row in enumerate(table.rows) if len(row) != len(table.headers)]
    if ragged:
        first = ragged[0]
        yield Fault(
            "ragged_table",
            f"{len(ragged)} of {len(table.rows)} rows are not as wide as the {len(table.headers)} headers; "
            f"row {first + 1} has {len(table.rows[first])} cells",
        )


def table_faults(table: TableValue, cited: Cited) -> Iterator[Fault]:
    """Faults of cells that are not in the cited lines, or not in one row."""
    if sum(map(len, table.rows)) + len(table.headers) > MOST_CELLS:
        return
    lines = [_line(line.text) for stretch in cited.stretches for line in stretch.lines]
    compact = [_MARKS.sub("", line) for line in lines]
    yield from islice(_faults(table, lines, compact), _MOST_FAULTS)


@lru_cache(maxsize=1024)
def _line(text: str) -> str:
    return folded(text.translate(_PIPES))


def _faults(table: TableValue, lines: Sequence[str], compact: Sequence[str]) -> Iterator[Fault]:
    yield from _head_faults([folded(cell) for cell in table.headers], lines)
    everything = " ".join(lines)
    for number, row in enumerate(table.rows, start=1):
        cells = [cell for cell in map(folded, row) if cell]
        if not cells or _on_one_line(cells, _own_lines(row, lines)) or _on_several(cells, compact):
            continue
        missing = [cell for cell in cells if _place(cell, everything, 0) is None]
        if missing:
            yield Fault("cell_not_in_lines", f"the cited lines do not hold {shown(missing[0])} of row {number}")
        else:
            yield Fault("cell_in_wrong_row", f"no cited row has the cells of row {number} ({shown(' | '.join(cells))})")


def _head_faults(heads: Sequence[str], lines: Sequence[str]) -> Iterator[Fault]:
    """Faults of column headers: each must be in the lines, as a whole or word by word, and in order."""
    cells = [cell for cell in heads if cell]
    if _on_one_line(cells, lines):
        return
    everything = " ".join(lines)
    for cell in cells:
        if _place(cell, everything, 0) is None and any(_place(word, everything, 0) is None for word in cell.split()):
            yield Fault("cell_not_in_lines", f"the cited lines do not hold the head {shown(cell)}")
            return
    for one, other in pairwise(cells):
        if _swapped(one, other, lines):
            message = f"the heads {shown(one)} and {shown(other)} stand in the other order"
            yield Fault("cell_in_wrong_row", message)


def _swapped(one: str, other: str, lines: Sequence[str]) -> bool:
    """True if the words that distinguish two headers occur on the lines only in the other order."""
    ours, theirs = set(one.split()) - set(other.split()), set(other.split()) - set(one.split())
    orders = set()
    for line in lines:
        for mine in ours:
            for yours in theirs:
                first, second = _place(mine, line, 0), _place(yours, line, 0)
                if first is not None and second is not None:
                    orders.add(first[0] < second[0])
        if True in orders:
            return False
    return False in orders


def _own_lines(row: Sequence[str], lines: Sequence[str]) -> Sequence[str]:
    """The lines whose label is exactly the first cell of a row; all lines if there is none."""
    label = folded(row[0])
    if not _LETTER.search(label):
        return lines
    own = [
        line
        for line in lines
        if line.lstrip(" |").startswith(label) and not _LETTER.match(line.lstrip(" |")[len(label) :].lstrip())
    ]
    return own or lines


def _on_one_line(cells: Sequence[str], lines: Sequence[str]) -> bool:
    return any(_in_order(cells, line) for line in lines)


def _in_order(cells: Sequence[str], line: str) -> bool:
    at = 0
    for cell in cells:
        place = _place(cell, line, at)
        if place is None:
            return False
        at = place[1]
    return True


def _on_several(cells: Sequence[str], compact: Sequence[str]) -> bool:
    """True if consecutive lines contain exactly the cells of the row: a label that wraps, or one cell per line."""
    wanted = _MARKS.sub("", "".join(cells))
    for first in range(len(compact)):
        if not compact[first] or not wanted.startswith(compact[first]):
            continue
        joined = ""
        for line in compact[first : first + _MOST_LINES_A_ROW]:
            joined += line
            if joined == wanted:
                return True
            if not wanted.startswith(joined):
                break
    return False


def _place(cell: str, line: str, at: int) -> tuple[int, int] | None:
    """The range of a cell in a line from offset `at`, else None; a positive figure does not match a negative one."""
    for written in (cell, *_other_forms(cell)):
        start = at
        while (place := place_after(written, line, start)) is not None:
            if not _FIGURE.fullmatch(written) or not _negative(line, *place):
                return place
            start = place[1]
    return None


@lru_cache(maxsize=1024)
def _other_forms(cell: str) -> tuple[str, ...]:
    """Other notations of the same figure: without currency sign, brackets for a minus, commas between thousands."""
    found = _MONEY_CELL.fullmatch(cell)
    if found is None:
        return ()
    figure = found["figure"]
    if figure.isdigit() and len(figure) > 3:
        figure = f"{int(figure):,}" if not figure.startswith("0") else figure
    forms = (f"({figure})", f"-{figure}") if found["minus"] else (figure,)
    return tuple(form for form in forms if form != cell)


def _negative(line: str, start: int, end: int) -> bool:
    before = line[:start].rstrip(" $\u20ac\u00a3\u00a5")
    if before.endswith("("):
        return line[end:].lstrip(" %").startswith(")")
    return before.endswith("-") and not before[:-1].endswith(tuple("0123456789)%")) and len(before) == start


_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_WORD_OR_STOP = re.compile(rf"{_WORD.pattern}|[,;:!?&/]")
_PLAIN = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-"})
_BETWEEN = 3
"""Most words between a first and a last name, such as middle names and particles."""
_NO_MIDDLE_NAMES = frozenset(["and", "or", *",;:!?&/"])
"""Separators between two people, which never occur within one name."""


def text_faults(text: str, cited: Cited) -> Iterator[Fault]:
    """The fault of a text that is empty or not in the cited lines word for word."""
    if not text.strip():
        yield Fault("empty_value", "the text is empty")
    elif not cited.holds(text):
        yield Fault("value_not_in_lines", f"the cited lines do not hold {shown(text)}")


def address_faults(address: Address, cited: Cited) -> Iterator[Fault]:
    """Faults of the parts of an address that are not in the cited lines."""
    parts = {name: getattr(address, name) for name in type(address).model_fields}
    said = {name: part for name, part in parts.items() if part and part.strip()}
    if not said:
        yield Fault("empty_value", "no part of the address is given")
    for name, part in said.items():
        if not cited.holds(part):
            yield Fault(
                "address_not_in_lines", f"the cited lines do not hold the {name.replace('_', ' ')} {shown(part)}"
            )


def person_faults(person: PersonName, cited: Cited) -> Iterator[Fault]:
    """The fault of a name that is not in the cited lines as one person's name: first name first, or after a comma."""
    first, last = _words(person.first_name), _words(person.last_name)
    if not first or not last:
        yield Fault("empty_value", "a name needs a first name and a last name")
        return
    initial = "".join(_words(person.middle_initial or ""))
    written = _words("\n".join(stretch.text for stretch in cited.stretches), _WORD_OR_STOP)
    if not any(_named(written, at, first, last, initial) for at in range(len(written))):
        name = " ".join(part for part in (person.first_name, person.middle_initial, person.last_name) if part)
        yield Fault("name_not_in_lines", f"the cited lines do not hold the name {shown(name)}")


def iban_format_faults(iban: Iban) -> Iterator[Fault]:
    """The fault of an account number whose form, length or check digits are wrong."""
    if fault := iban_fault(iban.value):
        yield Fault("iban_invalid", f"{shown(iban.value)} is no account number: {fault}")


def iban_faults(iban: Iban, cited: Cited) -> Iterator[Fault]:
    """The fault of an account number that is not in the cited lines, whatever its spacing."""
    wanted = compact(iban.value)
    if not wanted:
        yield Fault("empty_value", "the account number is empty")
    elif not any(wanted in compact(stretch.text) for stretch in cited.stretches):
        yield Fault("iban_not_in_lines", f"the cited lines do not hold {shown(iban.value)}")


def _words(text: str, pattern: re.Pattern[str] = _WORD) -> list[str]:
    return pattern.findall(unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN))


def _named(written: list[str], at: int, first: list[str], last: list[str], initial: str) -> bool:
    """True if the name begins at word `at`, in either order."""
    begin = at + len(last)
    if written[at:begin] == last:
        begin += written[begin : begin + 1] == [","]
        end = begin + len(first)
        if written[begin:end] == first and _fits(initial, [], written[end:]):
            return True
    begin = at + len(first)
    if written[at:begin] != first:
        return False
    for start in range(begin, begin + _BETWEEN + 1):
        between, end = written[begin:start], start + len(last)
        if _NO_MIDDLE_NAMES.intersection(between):
            return False
        if written[start:end] == last and _fits(initial, between, written[end:]):
            return True
    return False


def _fits(initial: str, between: list[str], behind: list[str]) -> bool:
    """True if a middle initial fits a name between first and last name, or the word after "last, first"."""
    if not initial:
        return True
    return any(word.startswith(initial) for word in between) or (not between and behind[:1] == [initial])


_MOST_LEAVES = 2000
"""Most faults of one value that are reported."""
_DEEPEST = 12

_Check: TypeAlias = tuple[type[BaseModel], Callable[..., Iterator[Fault]] | None, Callable[..., Iterator[Fault]]]
_CHECKS: tuple[_Check, ...] = (
    (Amount, figure_faults.format_faults, figure_faults.money_faults),
    (Price, figure_faults.format_faults, figure_faults.money_faults),
    (Quantity, figure_faults.format_faults, figure_faults.quantity_faults),
    (DateValue, figure_faults.date_format_faults, figure_faults.date_faults),
    (DateRange, figure_faults.range_format_faults, figure_faults.range_faults),
    (TableValue, table_format_faults, table_faults),
    (Iban, iban_format_faults, iban_faults),
    (Address, None, address_faults),
    (PersonName, None, person_faults),
)
"""For each value class, its check without the lines (or None) and its check against the cited lines."""


_BY_CLASS: dict[type, _Check] = {checks[0]: checks for checks in _CHECKS}


def format_faults(item: Item) -> list[Fault]:
    """Faults of an item's value in itself: codes, dates, check digits, table widths."""
    return list(_formats(item.value, 0))


def line_faults(item: Item, cited: Cited) -> list[Fault]:
    """Faults of the parts of an item's value that are not in the cited lines; a boolean is never in them."""
    return list(islice(_held(item.value, cited, 0, choice=False), _MOST_LEAVES))


def _checks_of(value: object) -> _Check | None:
    return next((_BY_CLASS[base] for base in type(value).__mro__ if base in _BY_CLASS), None)


def _formats(value: object, depth: int) -> Iterator[Fault]:
    if isinstance(value, str):
        return
    if (checks := _checks_of(value)) is not None:
        _, alone, _ = checks
        if alone is not None:
            yield from alone(value)
        return
    if isinstance(value, float | int) and not isinstance(value, bool):
        yield from figure_faults.number_faults(value)
    if depth < _DEEPEST:
        for part in _parts(value):
            yield from _formats(part, depth + 1)


def _held(value: object, cited: Cited, depth: int, *, choice: bool) -> Iterator[Fault]:
    if value is None or isinstance(value, bool | Enum) or choice:
        return
    checks = _checks_of(value)
    if checks is not None:
        yield from checks[2](value, cited)
    elif isinstance(value, str):
        yield from _text(value, cited, whole=depth == 0)
    elif isinstance(value, float | int):
        if fault := figure_faults.states_number(value, cited):
            yield fault
    elif depth < _DEEPEST:
        chosen = _choices(value)
        for index, part in enumerate(_parts(value)):
            yield from _held(part, cited, depth + 1, choice=index in chosen)


def _text(text: str, cited: Cited, *, whole: bool) -> Iterator[Fault]:
    """Faults of a text that is not in the lines word for word; inside a registered value, normal forms count too."""
    if not whole:
        if not text.strip():
            return
        normal = figure_faults.normal_iso(text)
        if normal and len(normal) > 4 and figure_faults.states_date(normal, cited):
            return
        if is_currency(text) and text in (cited.currencies or cited.currencies_around):
            return
    yield from text_faults(text, cited)


def _parts(value: object) -> Sequence[object]:
    """The direct parts of a model or list; empty for anything else."""
    if isinstance(value, BaseModel):
        return [getattr(value, name, None) for name in type(value).model_fields]
    return value if isinstance(value, list | tuple) else ()


def _choices(value: object) -> set[int]:
    """Indexes of fields with fixed choices, which classify the text and need not occur in it."""
    if not isinstance(value, BaseModel):
        return set()
    fields = type(value).model_fields.values()
    return {index for index, field in enumerate(fields) if _is_choice(field.annotation)}


def _is_choice(annotation: object) -> bool:
    if get_origin(annotation) in (Union, types.UnionType):
        return any(_is_choice(part) for part in get_args(annotation))
    return get_origin(annotation) is Literal
