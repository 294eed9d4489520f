"""Checks of one item: its lines exist, its quotes are in them, and they prove a verbatim item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property

from spanwise.contract.items import Item, TableItem
from spanwise.contract.validation import value_faults
from spanwise.contract.validation.cited import Cited, Reading, Stretch, without_references
from spanwise.contract.validation.figure_faults import states_figures
from spanwise.contract.validation.problems import (
    MOST_LINES,
    MOST_SPANS,
    MOST_TABLE_LINES,
    Fault,
    item_text_faults,
    shown,
)
from spanwise.contract.values import Span
from spanwise.domain.document import Document
from spanwise.text.fold import folded, stands_in

_NEARBY = 5
"""Number of lines on either side in which a misplaced quote is searched for."""
_MOST_LOOKUPS = 200
"""Most misplaced quotes of one answer that are searched for elsewhere."""


class Evidence:
    """The document that an answer cites, with lookups that are needed only if something is wrong."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.reading = Reading(document)
        self._lookups = 0

    @cached_property
    def _same_place(self) -> dict[int, list[int]]:
        """From a line's number within its page to the document's lines with that number, one for each page."""
        places = defaultdict(list)
        for line in self.document.lines:
            places[line.line_in_page].append(line.number)
        return places

    def elsewhere(self, quote: str, span: Span) -> Fault | None:
        """A fault that names the actual place of a quote, if it is near or the span counts lines by page; else None."""
        wanted, last = without_references(quote), len(self.document.lines)
        self._lookups += 1
        width = span.line_end - span.line_start
        if not wanted or self._lookups > _MOST_LOOKUPS or not 0 <= width < MOST_LINES:
            return None
        for first in self._same_place.get(span.line_start, ()):
            if first != span.line_start and first + width <= last:
                stretch = self.reading.stretch(first, first + width)
                if stands_in(wanted, stretch.bare):
                    return Fault("line_of_page", _of_page(self.document, span, first))
        for distance in range(1, _NEARBY + 1):
            for first in (span.line_start - distance, span.line_start + distance):
                if (
                    first >= 1
                    and first + width <= last
                    and stands_in(wanted, self.reading.stretch(first, first + width).bare)
                ):
                    return Fault("quote_not_in_lines", f"{shown(quote)} stands at line {first}, not at {_lines(span)}")
        return None


def item_faults(item: Item, method: str, evidence: Evidence) -> Iterator[Fault]:
    """All faults of one item."""
    yield from item_text_faults(item)
    yield from value_faults.format_faults(item)
    if not item.spans:
        yield Fault("no_spans", "the item cites no lines")
        return
    if len(item.spans) > MOST_SPANS:
        yield Fault("too_large", f"the item has {len(item.spans):,} spans; {MOST_SPANS} are looked at")
    spans = item.spans[:MOST_SPANS]
    widest = MOST_TABLE_LINES if isinstance(item, TableItem) else MOST_LINES
    stretches: list[Stretch | None] = []
    for index, span in enumerate(spans):
        fault = _span_fault(span, len(evidence.document.lines), widest)
        if fault:
            yield Fault(fault.code, fault.message, index)
        stretches.append(None if fault else evidence.reading.stretch(span.line_start, span.line_end))
    quoted = yield from _quote_faults(spans, stretches, evidence)
    if method in ("computed", "inferred"):
        return
    cited = evidence.reading.cited(
        [(span.line_start, span.line_end) for span, stretch in zip(spans, stretches, strict=True) if stretch]
    )
    proved = yield from _value_faults(item, cited, quoted=quoted, evidence=evidence)
    if method == "verbatim" and not proved and not quoted:
        yield Fault("verbatim_without_proof", "neither a quote nor the value itself stands in the cited lines")


def _value_faults(item: Item, cited: Cited, *, quoted: bool, evidence: Evidence) -> Generator[Fault, None, bool]:
    """Faults of the value against its lines; returns True if the lines prove it."""
    if not cited.stretches or isinstance(item.value, bool):
        return False
    faults = value_faults.line_faults(item, cited)
    if isinstance(item.value, str) and faults:
        # With a valid quote, a free wording is no fault, but a figure that is not in the lines is one.
        figure = states_figures(item.value, cited) if quoted else None
        unquoted = None if quoted or len(item.spans) > 1 else evidence.elsewhere(item.value, item.spans[0])
        found = figure if quoted else unquoted or faults[0]
        if found:
            yield found
        return False
    yield from faults
    return not faults


def _span_fault(span: Span, last: int, widest: int) -> Fault | None:
    if span.line_end < span.line_start:
        return Fault("span_reversed", f"{_lines(span)}: the first line is behind the last one")
    if span.line_start < 1 or span.line_end > last:
        return Fault("line_missing", f"{_lines(span)}: the document has lines 1 to {last}")
    if span.line_end - span.line_start >= widest:
        width = span.line_end - span.line_start + 1
        return Fault("span_too_wide", f"{_lines(span)}: {width} lines prove nothing; cite the ones that say it")
    return None


def _quote_faults(
    spans: Sequence[Span], stretches: Sequence[Stretch | None], evidence: Evidence
) -> Generator[Fault, None, bool]:
    """Faults of the quotes; returns True if at least one quote is in its lines."""
    verified = False
    for index, (span, stretch) in enumerate(zip(spans, stretches, strict=True)):
        if span.quote is None:
            continue
        plain = folded(span.quote)
        bare = without_references(span.quote) if "[" in plain else plain
        if not bare:
            yield Fault("empty_quote", f"nothing of the quote {shown(span.quote)} is left without references", index)
        elif stretch is None:
            continue
        elif stands_in(plain, stretch.folded) or stands_in(bare, stretch.bare):
            verified = True
        else:
            fault = evidence.elsewhere(span.quote, span) or Fault(
                "quote_not_in_lines", f"{_lines(span)}: {shown(span.quote)} does not stand there"
            )
            yield Fault(fault.code, fault.message, index)
    return verified


def _of_page(document: Document, span: Span, first: int) -> str:
    page = document.line(first).page
    return (
        f"line {span.line_start} of page {page} is line {first} of the document: "
        "lines are numbered over the whole document, not on each page"
    )


def _lines(span: Span) -> str:
    return (
        f"line {span.line_start}" if span.line_start == span.line_end else f"lines {span.line_start} to {span.line_end}"
    )
