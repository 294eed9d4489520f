"""Results as JSON values, as Markdown with footnotes, and as CSV; and what several formats have in common.

In common are: the text divided into pieces by its citations, places in words, disarmed links, and the names of an
answer's states.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spanwise.contract.items import TableItem
from spanwise.contract.record import ResultDict
from spanwise.contract.rendering import worded
from spanwise.contract.result import ANSWERED, Result
from spanwise.domain.claim import Citation
from spanwise.text.injection.marks import steady, unlinked

_BREAK = re.compile(r"[\r\n]")
_FOUR_DIGITS = re.compile(r"(?<![\d.])\d{4,30}(?!\d)")
PROVED, POSSIBLE, NEARBY = "Proved answer", "Possible answer", "Quoted nearby"
"""The names of an answer's states, the same in all interfaces: code proved it from its lines; lines may state it and a
person has to check; nothing answers, and the nearest lines are quoted."""
MOST_STEPS = 12
"""Most computed figures of one result whose steps are shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The range `[start, end)` of the result's text, with all citations that cover it."""

    start: int
    end: int
    text: str
    citations: tuple[Citation, ...]


def pieces(result: Result) -> list[Piece]:
    """The whole text divided at the boundaries of citations, in order; the pieces join to the text again."""
    cuts = sorted({0, len(result.text), *(cut for one in result.citations for cut in one.at)})
    return [
        Piece(
            start,
            end,
            result.text[start:end],
            tuple(one for one in result.citations if one.at[0] <= start and end <= one.at[1]),
        )
        for start, end in itertools.pairwise(cuts)
        if start < end
    ]


def unlinked_result(result: Result) -> Result:
    """The result with all links and images turned into plain text; every offset stays valid.

    Nothing that a document or a model wrote may become clickable, or be loaded, in a chat window, a page or a renderer
    of Markdown. `json` and `w3c` are data and keep the original text; `html` escapes it.
    """
    missing = result.missing
    return replace(
        result,
        question=unlinked(result.question),
        text=unlinked(result.text),
        answer=result.answer.model_copy(update={"caveats": [unlinked(one) for one in result.answer.caveats]}),
        decision=replace(
            result.decision, message=unlinked(result.decision.message), reason=unlinked(result.decision.reason)
        ),
        citations=_unlinked(result.citations),
        claims=tuple(replace(one, text=unlinked(one.text), reason=unlinked(one.reason)) for one in result.claims),
        missing=missing and replace(missing, nearest=_unlinked(missing.nearest)),
    )


def _unlinked(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    return tuple(replace(one, quote=unlinked(one.quote)) for one in citations)


def state(result: Result) -> str:
    """The state of an answer: `PROVED`, `POSSIBLE` or `NEARBY`."""
    if result.decision.kind != "ship":
        return NEARBY
    return POSSIBLE if result.review else PROVED


def lead(result: Result) -> str:
    """The sentence to put before possible answers where only text is shown; empty for other results.

    It is a message of Spanwise and no part of `Result.text`, which is what the documents say.
    """
    return f"{result.decision.message.split(chr(10), 1)[0]}\n\n" if result.possible else ""


def caution(result: Result) -> str:
    """The reason to check a returned answer before using it; empty if there is none."""
    if result.decision.kind != "ship" or result.possible or not result.review:
        return ""
    if result.confidence < ANSWERED:
        return f"Read the cited lines before you rely on this: it is likely by {result.confidence:.0%} only."
    return f"Read the cited lines before you rely on this: {result.decision.reason}."


def computed(result: Result) -> list[str]:
    """The formula of each computed figure: `32,765 - 31,657 = 1,108 million USD`."""
    made = result.meta.get("computations")
    records = [one for one in made if isinstance(one, Mapping)] if isinstance(made, list) else []
    formulas = [steps[-1] for one in records[:MOST_STEPS] if isinstance(steps := one.get("steps"), list) and steps]
    return [_FOUR_DIGITS.sub(lambda found: f"{int(found.group()):,}", str(formula)) for formula in formulas]


def documents(result: Result) -> list[str]:
    """Names of the cited documents, without duplicates, in the order of first citation; basis of a `document_index`."""
    return list(dict.fromkeys(citation.document for citation in result.citations))


def place(citation: Citation) -> str:
    """The place of a citation in words: `a.pdf, page 6 (printed 2), lines 120-123`, `prices.xlsx, Sheet1!A2:C2`."""
    return f"{_unbroken(citation.document)}, {where(citation)}"


def where(citation: Citation) -> str:
    """The place of a citation in its document: `page 6 (printed 2), lines 120-123`, `Sheet1!A2:C2`."""
    if citation.cells is not None:
        return _unbroken(citation.cells)
    lines = f"line {citation.line_start}"
    if citation.line_end > citation.line_start:
        lines = f"lines {citation.line_start}-{citation.line_end}"
    if citation.page is None:
        return lines
    printed = (
        ""
        if citation.page_label in (None, str(citation.page))
        else f" (printed {_unbroken(citation.page_label or '')})"
    )
    return f"page {citation.page}{printed}, {lines}"


def _unbroken(name: str) -> str:
    """A name from a file on one line: a line break in it would end a footnote, or the code that it is shown as."""
    return _BREAK.sub(" ", steady(name))


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!&^])")
_LINE_START = re.compile(r"^([^\S\n]*)(?:([-+=])|(\d+)([.)])(?=\s|$))", re.MULTILINE)
"""Beginning of a line that Markdown reads as a list or the rule of a heading; only signs can be escaped, not digits."""
_INDENT = re.compile(r"(?<=\n)[^\S\n]+")
"""Indentation, of which Markdown makes code, where footnotes and escapes are shown as they are written."""
FORMULA = ("=", "@", "+", "-", "\t", "\r", "\n", "\uff1d", "\uff20", "\uff0b", "\uff0d")
"""Beginnings of a cell that a spreadsheet runs as a formula."""
_PLACE = ("document", "page", "line_start", "line_end", "quote")


def record(result: Result) -> ResultDict:
    """The result in its published form."""
    return result.to_dict()


def markdown(result: Result) -> str:
    """The text with a footnote marker after each proved range, and places and quotes below (GitHub's footnotes).

    Text from documents is escaped, so that nothing of it is read as Markdown or HTML.
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
    """The answer as CSV (RFC 4180): a table as its own rows, else one row for each citation of an item.

    Each row ends in the place that proves it. If there is no answer, there is only a header.
    """
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\r\n").writerow
    names = frozenset(documents(result))
    for row in _table_rows(result) if _is_table(result) else _item_rows(result):
        write([cell(one if one in names else unlinked(one)) for one in row])
    return text.getvalue()


def cell(text: str) -> str:
    """A text for a cell; an apostrophe is put before what a spreadsheet would run as a formula, as OWASP advises."""
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
        yield [*item.table.headers, *_PLACE[:-1]]
        for row in item.table.rows:
            yield [*row, *_place(_proof(row, result.citations))[:-1]]


def _proof(row: Sequence[str], citations: Sequence[Citation]) -> Citation | None:
    """The citation whose quote contains all cells of a row; None rather than one of another row."""
    cells = [said for cell in row if (said := " ".join(cell.split()))]
    quotes = [(" ".join(one.quote.split()), one) for one in citations]
    return next((one for quote, one in quotes if all(cell in quote for cell in cells)), None)


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
    """Notes that precede the caveats: how figures were computed, and that a person should check."""
    return [*(f"Computed: {formula}" for formula in computed(result)), *filter(None, [caution(result)])]


def _footnote(citation: Citation) -> str:
    return f"[^{citation.id}]: {_named(citation)}: \u201c{escaped(_one_line(citation.quote))}\u201d"


def _named(citation: Citation) -> str:
    """The place of a citation; a name that would become a link is shown as code, where it stays plain text."""
    told = place(citation)
    if unlinked(told) == told:
        return escaped(told)
    fence = "`" * (1 + max(map(len, re.findall("`+", told)), default=0))
    return f"{fence} {told} {fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def escaped(text: str) -> str:
    """The text with everything escaped that would be read as Markdown or HTML."""
    lines = _INDENT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _LINE_START.sub(r"\1\3\\\2\4", _SPECIAL.sub(r"\\\1", lines)).replace("\n", "  \n")
