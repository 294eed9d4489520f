"""What is left of a draft after the guard, and the citations that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import line_boxes
from spanwise.contract.result import Source
from spanwise.domain.claim import Citation, Claim
from spanwise.domain.document import Line, Recognition
from spanwise.store.port import Lines
from spanwise.text.tables.grid import cells_address

SHEETS = "sheets"
"""The format of documents whose lines are rows of cells."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a draft: only what its cited lines hold up, each part with its claim and citations."""

    answer: AnswerBase
    text: str
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    warning_details: tuple[dict[str, object], ...]
    confidence: float | None = None
    """In [0, 1], where checking measured it; None leaves it to the draft."""


def cite(
    source: Source, store: Lines, *, id: str, item: int = 0, at: tuple[int, int] = (0, 0), said: str = ""
) -> Citation:
    """The citation of some lines: text, page and rectangles come from the store, never from a draft.

    `said` is what the lines are cited for; of a row of a sheet it may be one cell.
    """
    lines = store.lines(source.document, source.line_start, source.line_end)
    stored = store.stored(source.document)
    page = lines[0].page if stored.paged else None
    label = next((page.label for page in store.pages(source.document) if page.number == lines[0].page), None)
    return Citation(
        id=id,
        item=item,
        document=source.document,
        line_start=source.line_start,
        line_end=source.line_end,
        page=page,
        page_label=label if stored.paged else None,
        boxes=tuple(line_boxes(lines, mode="per_line")),
        quote="\n".join(line.text for line in lines),
        at=at,
        cells=cells_address(label or "", lines, said) if stored.format == SHEETS else None,
        recognition=_recognition(lines),
    )


def _recognition(lines: Sequence[Line]) -> Recognition | None:
    found = [line.recognition for line in lines if line.recognition is not None]
    if not found:
        return None
    doubtful = dict.fromkeys(figure for one in found for figure in one.doubtful)
    return Recognition(min(one.confidence for one in found), tuple(doubtful))
