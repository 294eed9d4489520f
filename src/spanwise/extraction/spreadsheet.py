"""Extracted rows as a table for people: a row a document, and for each field its value, its place and its quote."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pydantic import TypeAdapter

from spanwise.domain.claim import Citation
from spanwise.export.plain import cell, where

Table: TypeAlias = Sequence[Sequence[str]]

_LONGEST = 32_000
"""Characters of a cell, a few fewer than a spreadsheet takes."""
_WIDE, _WIDEST = 16, 48
_MADE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""The date of every workbook: the same rows give the same bytes."""


def side_by_side(rows: Sequence[Mapping[str, object]]) -> Table:
    """The table of an extraction, its head first."""
    fields = list(dict.fromkeys(str(row["name"]) for row in rows))
    documents: dict[str, dict[str, list[Mapping[str, object]]]] = {}
    for row in rows:
        documents.setdefault(str(row["document"]), {}).setdefault(str(row["name"]), []).append(row)
    head = ["Document", *(name for field in fields for name in (field, f"{field}: where", f"{field}: quote"))]
    lines = [
        [document, *(text for field in fields for text in _cells(found.get(field, ())))]
        for document, found in documents.items()
    ]
    return [head, *lines]


def _cells(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Values, places and quotes of one field in one document; where nothing was found, the reason is the place."""
    return ["; ".join(filter(None, texts)) for texts in zip(*map(_texts, rows), strict=True)] or ["", "", ""]


def _texts(row: Mapping[str, object]) -> tuple[str, str, str]:
    if not row["found"]:
        return "", str(row["reason"]), ""
    citations = row["citations"]
    first = citations[0] if isinstance(citations, Sequence) and citations else None
    place = where(TypeAdapter(Citation).validate_python(first)) if first is not None else ""
    return str(row["value"] or ""), place, str(row["quote"] or "")


def csv_bytes(table: Table) -> bytes:
    """The table as CSV (RFC 4180) with a mark of its encoding; no cell runs as a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([[cell(one) for one in line] for line in table])
    return text.getvalue().encode("utf-8-sig", "replace")


def xlsx_bytes(table: Table) -> bytes:
    """The table as a workbook, its head and its documents always in view; every cell is text, none is a formula."""
    from xlsxwriter import Workbook

    made = io.BytesIO()
    with Workbook(made, {"in_memory": True}) as book:
        book.set_properties({"created": _MADE})
        sheet = book.add_worksheet("Table")
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bg_color": "#E9E7E2"})
        body = book.add_format({"text_wrap": True, "valign": "top"})
        for down, line in enumerate(table):
            for across, text in enumerate(line):
                readable = text[:_LONGEST].encode("utf-8", "replace").decode()
                sheet.write_string(down, across, readable, body if down else head)
        for across in range(len(table[0])):
            longest = max(len(line[across]) for line in table)
            sheet.set_column(across, across, min(_WIDEST, max(_WIDE, longest)))
        sheet.freeze_panes(1, 1)
    return made.getvalue()
