"""The result as JSON values, as Markdown with footnotes, and as rows of a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from spanwise.contract.items import TableItem
from spanwise.contract.record import ResultDict
from spanwise.contract.rendering import worded
from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import NEARBY, caution, computed, documents, lead, pieces, place, state
from spanwise.text.injection.links import unlinked

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!&^])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+[.)])", re.MULTILINE)
FORMULA = ("=", "@", "+", "-", "\t", "\r")
"""How a cell begins that a spreadsheet runs as a formula."""
_PLACE = ("document", "page", "line_start", "line_end", "quote")


def record(result: Result) -> ResultDict:
    """The published record."""
    return result.to_dict()


def markdown(result: Result) -> str:
    """The text with a footnote mark after each proved stretch, and the places and quotes below (GitHub's footnotes).

    Nothing of a document is read as Markdown or HTML: what would be is escaped.
    """
    said = escaped(lead(result))
    for piece in pieces(result):
        marks = "".join(f"[^{one.id}]" for one in piece.citations if one.at[1] == piece.end)
        said += escaped(piece.text) + marks
    notes = [f"> {escaped(note)}" for note in (*_marks(result), *result.answer.caveats)]
    cited = [_footnote(citation) for citation in result.citations]
    near = [
        f"- {_named(one)}: {escaped(_one_line(one.quote))}"
        for one in (result.missing.nearest if result.missing is not None else ())
    ]
    if near:
        near = [f"{NEARBY} (not an answer):", "", *near]
    return "\n\n".join("\n".join(part) for part in ([said], notes, near, cited) if part) + "\n"


def rows(result: Result) -> str:
    """The answer as CSV (RFC 4180): a table as its own rows, else a row for each place that proves an item.

    Each row ends in the place that proves it. Where nothing is answered, there is the header alone.
    """
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\r\n").writerow
    names = frozenset(documents(result))
    for row in _table_rows(result) if _is_table(result) else _item_rows(result):
        write([cell(one if one in names else unlinked(one)) for one in row])
    return text.getvalue()


def cell(text: str) -> str:
    """A text as a cell; what a spreadsheet would run as a formula gets an apostrophe before it, as OWASP advises."""
    return f"'{text}" if text.startswith(FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_table(result: Result) -> bool:
    items = result.answer.items
    return result.decision.kind == "ship" and len(items) == 1 and isinstance(items[0], TableItem)


def _table_rows(result: Result) -> Iterator[list[str]]:
    [item] = result.answer.items
    if isinstance(item, TableItem):
        where = _place(result.citations[0] if result.citations else None)
        yield [*item.table.headers, *_PLACE[:-1]]
        for row in item.table.rows:
            yield [*row, *where[:-1]]


def _item_rows(result: Result) -> Iterator[list[str]]:
    yield ["item", "answer", "state", "confidence", *_PLACE]
    if result.decision.kind != "ship":
        return
    words = [worded(item) for item in result.answer.items] or [result.text]
    for at, said in enumerate(words):
        proofs: list[Citation | None] = [one for one in result.citations if one.item == at]
        for citation in proofs or [None]:
            yield [str(at + 1), said, state(result), f"{result.confidence:.4f}", *_place(citation)]


def _place(citation: Citation | None) -> list[str]:
    if citation is None:
        return [""] * len(_PLACE)
    page = "" if citation.page is None else str(citation.page)
    return [citation.document, page, str(citation.line_start), str(citation.line_end), citation.quote]


def _marks(result: Result) -> list[str]:
    """Notes before the caveats: how figures were computed, and that somebody should look."""
    return [*(f"Computed: {formula}" for formula in computed(result)), *filter(None, [caution(result)])]


def _footnote(citation: Citation) -> str:
    return f"[^{citation.id}]: {_named(citation)}: \u201c{escaped(_one_line(citation.quote))}\u201d"


def _named(citation: Citation) -> str:
    """The place of a citation; a name that would be read as a link is code, in which it is text, and stays as it is."""
    told = place(citation)
    if unlinked(told) == told:
        return escaped(told)
    fence = "`" * (1 + max(map(len, re.findall("`+", told)), default=0))
    return f"{fence} {told} {fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def escaped(text: str) -> str:
    """A text in which nothing is read as Markdown or HTML."""
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text)).replace("\n", "  \n")
