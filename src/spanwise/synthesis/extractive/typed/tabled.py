"""Cells of tables as typed values: with the magnitude and the currency that the lines around the table state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanwise.contract.answers import TextAnswer
from spanwise.contract.result import Draft
from spanwise.domain.document import Line
from spanwise.store.port import Store
from spanwise.synthesis.extractive.typed.cells import currency_in
from spanwise.synthesis.extractive.typed.found import Around, Filler
from spanwise.synthesis.extractive.typed.picking import Picked
from spanwise.text.quantities import scale_of

REACH = 40
"""Lines above a row among which the scale and the currency of its table are stated."""


def cell_values(draft: Draft, filler: Filler, store: Store) -> list[Picked]:
    """The value of every item of a draft that gives cells; nothing when one of them has none, or several."""
    if not isinstance(draft.answer, TextAnswer):
        return []
    picked = []
    for item, documents in zip(draft.answer.items, draft.sources, strict=True):
        spans = [(span.line_start, span.line_end) for span in item.spans]
        first = min(start for start, _ in spans)
        above = store.lines(documents[0], max(1, first - REACH), spans[0][1])
        around, line = _around(above)
        found = filler(item.text, around)
        if len(found) != 1:
            return []
        if line is not None and not any(start <= line <= end for start, end in spans):
            spans.append((line, line))
        one = Picked(found[0].value, documents[0], tuple(spans), draft.relevance, item.text)
        picked.append(replace(one, quoted=True))
    return picked


def _around(lines: Sequence[Line]) -> tuple[Around, int | None]:
    """What the nearest caption states, and its line; the currency may be a sign that only some cells have."""
    for line in reversed(lines):
        scale = scale_of(line.text)
        if scale is not None:
            return Around(scale, scale.currency or currency_in([one.text for one in lines])), line.number
    return Around(None, currency_in([one.text for one in lines])), None
