"""Quotations: words between quotation marks occur verbatim in a passage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Sources
from spanwise.text.fold import folded
from spanwise.text.quotes import stands_in

_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab]([^\"\u201c\u201d\u00ab\u00bb\n]{1,1500})[\"\u201c\u201d\u00bb]")
_LEFT_OUT = re.compile(r"\s*(?:\.\s?\.\s?\.|\u2026|\[[^\[\]]{0,60}\])\s*")
_FEWEST = 3
"""Words of a quotation; fewer may be a name or a doubt."""
_FEWEST_OF_A_PIECE = 2
_END = " .,;:!?'"


def quotations_stand(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A quotation occurs in a passage as whole words; one joined from pieces that lie apart is stitched."""
    del evidence
    return [
        fault
        for match in _QUOTED.finditer(said.text)
        if len(match[1].split()) >= _FEWEST
        for fault in _fault(match[1], (said.start + match.start(1), said.start + match.end(1)), context.sources)
    ]


def _fault(quote: str, at: tuple[int, int], sources: Sources) -> Iterator[Difference]:
    pieces = [piece for part in _LEFT_OUT.split(quote) if (piece := folded(part).strip(_END))]
    texts = [source.folded for source in sources.sources]
    if len(pieces) == 1 and any(stands_in(pieces[0], text) for text in texts):
        return
    if len(pieces) > 1 and any(_in_order(pieces, text) for text in texts):
        return
    words = " ".join(pieces).split()
    if len(pieces) > 1 or _in_two(words, texts):
        known = all(any(stands_in(piece, text) for text in texts) for piece in pieces) or len(pieces) == 1
        if known:
            yield Difference("stitched", "the quotation joins words that do not stand together in any passage", at)
            return
    yield Difference("fabricated", "no passage has the words that are quoted", at)


def _in_order(pieces: Sequence[str], text: str) -> bool:
    position = 0
    for piece in pieces:
        position = text.find(piece, position)
        if position < 0:
            return False
        position += len(piece)
    return True


def _in_two(words: Sequence[str], texts: Sequence[str]) -> bool:
    """True if a quotation is joined from two runs of words of the passages."""
    longest = 0
    for count in range(len(words), 0, -1):
        if any(stands_in(" ".join(words[:count]), text) for text in texts):
            longest = count
            break
    rest = " ".join(words[longest:])
    enough = longest >= _FEWEST_OF_A_PIECE and len(words) - longest >= _FEWEST_OF_A_PIECE
    return enough and any(stands_in(rest, text) for text in texts)
