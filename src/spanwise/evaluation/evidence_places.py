"""Evidence of a question as lines of the document that was read: lines stay, quotes are found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from spanwise.domain.document import Document
from spanwise.evaluation.cases import Lines
from spanwise.text.fold import Folded, fold
from spanwise.text.quotes import find_quote


class EvidencePlaces:
    """The lines of evidence in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def lines_of(self, evidence: Sequence[Lines | str]) -> tuple[Lines, ...]:
        """Lines of each place; a quote that stands in several places gives all of them, one that is not found none."""
        return tuple(
            lines
            for place in evidence
            for lines in (self._lines_of_quote(place) if isinstance(place, str) else (place,))
        )

    @cached_property
    def _text(self) -> Folded:
        return fold(self._written)

    @cached_property
    def _written(self) -> str:
        return "\n".join(line.text for line in self._document.lines)

    @cached_property
    def _starts(self) -> list[int]:
        """Offset at which each line begins."""
        starts, offset = [], 0
        for line in self._document.lines:
            starts.append(offset)
            offset += len(line.text) + 1
        return starts

    def _lines_of_quote(self, quote: str) -> tuple[Lines, ...]:
        found = find_quote(quote, self._written, folded_text=self._text)
        if found is None:
            return ()
        return tuple(
            (bisect_right(self._starts, start), bisect_right(self._starts, max(start, end - 1)))
            for start, end in ((found.start, found.end), *found.others)
        )
