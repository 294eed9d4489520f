"""Right answers made from the lines of a document: amounts, dates, tables and quotes.

They are read here by plain patterns of the most usual forms, and not by the reader that validation uses: a fault of
that reader shows as a false alarm instead of being agreed with.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spanwise.contract.answers import AmountAnswer, AnswerBase, DateAnswer, TableAnswer, TextAnswer
from spanwise.contract.items import AmountItem, DateItem, TableItem, TextItem
from spanwise.contract.values import Amount, DateValue, Span, TableValue
from spanwise.domain.document import Document, Line

Kind: TypeAlias = Literal["amount", "row amount", "date", "table", "quote"]
KINDS: tuple[Kind, ...] = ("amount", "row amount", "date", "table", "quote")

_MONTHS = "January February March April May June July August September October November December".split()
_MONEY = re.compile(
    r"(?<![\w$(])\$\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d{1,4}(?:\.\d{1,2})?)(?![\d,.]*\d)"
    r"(?:\s(?P<scale>thousand|million|billion|trillion)\b)?"
)
_DATE = re.compile(
    rf"(?P<month>{'|'.join(_MONTHS)})\s(?P<day>\d{{1,2}}),\s(?P<year>(?:19|20)\d\d)(?!\d)"
    rf"|(?<![\d.])(?P<day2>\d{{1,2}})\s(?P<month2>{'|'.join(_MONTHS)})\s(?P<year2>(?:19|20)\d\d)(?!\d)"
)
_CELL = r"\(?\d{1,3}(?:,\d{3})+\)?|\(?\d{1,3}\.\d\)?"
_ROW = re.compile(rf"(?P<label>[A-Z][A-Za-z ,'-]{{3,60}}?)(?P<cells>(?:\s*\$?\s*(?:{_CELL})(?=\s|$)){{2,6}})\s*")
_HEAD = re.compile(r"(?:(?:19|20)\d\d)(?:\s+(?:19|20)\d\d){1,5}")
_CAPTION = re.compile(r"\((?:dollars |amounts )?in (?P<scale>thousands|millions|billions)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:[A-Za-z]{2,20} ){7,16}[A-Za-z]{2,20}")
_FACTORS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_MOST_ROWS = 6


@dataclass(frozen=True, slots=True)
class Original:
    """A right answer with one item."""

    kind: Kind
    id: str
    answer: AnswerBase


def originals(document: Document, most: int) -> list[Original]:
    """At most so many right answers of each kind, the same every time."""
    made: list[Original] = []
    for kind in KINDS:
        found = sorted(_MAKERS[kind](document), key=lambda original: hashlib.sha256(original.id.encode()).digest())
        made += found[:most]
    return made


def _amounts(document: Document) -> Iterator[Original]:
    """Dollars in a sentence: "$5.2 million"."""
    for line in document.lines:
        for match in _MONEY.finditer(line.text):
            value = float(match["digits"].replace(",", "")) * _FACTORS.get(match["scale"] or "", 1)
            if match["scale"] is None and _goes_on(document, line, match.end()):
                continue  # "million" may stand on the next line
            item = AmountItem(amount=Amount(value=round(value, 2), currency="USD"), spans=[_span(line, match.group())])
            yield Original("amount", _id(document, "amount", line, match.start()), _answer(AmountAnswer, [item]))


def _row_amounts(document: Document) -> Iterator[Original]:
    """A figure of a table's row under a caption such as "(in millions)", which is cited too."""
    caption: Line | None = None
    for line in document.lines:
        if caption and caption.page != line.page:
            caption = None
        if stated := _CAPTION.search(line.text):
            caption, factor = line, _FACTORS[stated["scale"].lower().removesuffix("s")]
            continue
        row = _ROW.fullmatch(line.text)
        if caption is None or row is None or "." in row["cells"] or "share" in row["label"].lower():
            continue
        cell = re.findall(_CELL, row["cells"])[0]
        sign = -1 if cell.startswith("(") else 1
        value = float(sign * int(re.sub(r"\D", "", cell)) * factor)
        if "$" in "".join(one.text for one in document.lines[caption.number - 1 : line.number]):
            item = AmountItem(amount=Amount(value=value, currency="USD"), spans=[_span(line), _span(caption)])
            yield Original("row amount", _id(document, "row", line), _answer(AmountAnswer, [item]))


def _dates(document: Document) -> Iterator[Original]:
    for line in document.lines:
        for match in _DATE.finditer(line.text):
            month = _MONTHS.index(match["month"] or match["month2"]) + 1
            try:
                day = dt.date(int(match["year"] or match["year2"]), month, int(match["day"] or match["day2"]))
            except ValueError:
                continue
            value = DateValue(iso=day.isoformat(), original=match.group())
            item = DateItem(date=value, spans=[_span(line, match.group())])
            yield Original("date", _id(document, "date", line, match.start()), _answer(DateAnswer, [item]))


def _tables(document: Document) -> Iterator[Original]:
    """Rows of equally many figures below each other, with the years above them as heads where they are."""
    block: list[tuple[Line, list[str]]] = []
    for line in (*document.lines, None):
        cells = _row_cells(line.text) if line else None
        if line and cells and (not block or len(block[0][1]) == len(cells)) and len(block) < _MOST_ROWS:
            block.append((line, cells))
            continue
        if len(block) > 1:
            yield _table(document, block)
        block = [(line, cells)] if line and cells else []


def _row_cells(text: str) -> list[str] | None:
    row = _ROW.fullmatch(text)
    return [row["label"].strip(), *re.findall(_CELL, row["cells"])] if row else None


def _table(document: Document, block: Sequence[tuple[Line, list[str]]]) -> Original:
    first, last, width = block[0][0], block[-1][0], len(block[0][1])
    above = document.lines[first.number - 2].text.split() if first.number > 1 else []
    headed = len(above) == width - 1 and _HEAD.fullmatch(" ".join(above)) is not None
    table = TableValue(headers=["", *above] if headed else [""] * width, rows=[cells for _, cells in block])
    span = Span(line_start=first.number - headed, line_end=last.number)
    answer = _answer(TableAnswer, [TableItem(table=table, spans=[span])])
    return Original("table", _id(document, "table", first), answer)


def _quotes(document: Document) -> Iterator[Original]:
    for line in document.lines:
        if match := _SENTENCE.search(line.text):
            start = line.text.rfind(" ", 0, match.start()) + 1  # not from the middle of a word
            end = line.text.find(" ", match.end())
            words = line.text[start : end if end >= 0 else None]
            item = TextItem(text=words, spans=[_span(line, words)])
            yield Original("quote", _id(document, "quote", line), _answer(TextAnswer, [item]))


_MAKERS = {"amount": _amounts, "row amount": _row_amounts, "date": _dates, "table": _tables, "quote": _quotes}


def _goes_on(document: Document, line: Line, end: int) -> bool:
    return not line.text[end:].strip() and line.number < len(document.lines)


def _span(line: Line, quote: str | None = None) -> Span:
    return Span(line_start=line.number, line_end=line.number, quote=quote)


def _id(document: Document, kind: str, line: Line, place: int = 0) -> str:
    return f"{document.name}:{kind}:{line.number}:{place}"


def _answer(answer_class: type[AnswerBase], items: Sequence[object]) -> AnswerBase:
    return answer_class.model_validate(
        {
            "items": list(items),
            "extraction_method": "verbatim",
            "confidence": 0.9,
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "conflicting_evidence": False,
        }
    )
