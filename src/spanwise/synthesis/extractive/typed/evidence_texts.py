"""The evidence that values are read from: what could answer, the best first, with its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.domain.passage import Hit
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.text.fold import find_quote
from spanwise.text.sentences import on_one_line

FLOOR = 0.15
"""Least probability, by a sentence model, of a sentence that a value is taken from.

It lies below the one from which a sentence alone is shown, since a value of the right type is evidence too (chosen on
contracts that the models never saw).
"""
SHARE = 0.5
"""Least relevance of other sentences, as a share of the best: a value in one of them is not what was asked for else."""
SHARE_OF_SEVERAL = 0.1
"""The same where all values are asked for."""
LEAST = 0.35
"""Least relevance of a sentence whose value is the one that is demanded."""
WIDER = 30
"""Lines that a piece may be read on for."""
WIDER_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one document: its text, and its lines."""

    document: str
    text: str
    line_start: int
    line_end: int
    relevance: float


def candidate_pieces(
    candidates: Sequence[Candidate], *, modelled: bool, floor: float = FLOOR, several: bool = False
) -> Iterator[Piece]:
    """The elements of the candidates that may be right, in their order; of one sentence only once."""
    seen: set[tuple[str, int, int, str]] = set()
    best = candidates[0].relevance if candidates else 0.0
    for one in candidates:
        if one.relevance < (floor if modelled else (SHARE_OF_SEVERAL * best if several else max(LEAST, SHARE * best))):
            continue
        for element in one.elements:
            place = (one.passage.document, element.line_start, element.line_end, element.text)
            if place not in seen:
                seen.add(place)
                yield Piece(place[0], element.text, *place[1:3], one.relevance)


def passage_pieces(hits: Sequence[Hit], relevance: float) -> Iterator[Piece]:
    """Whole passages, for values that are recognised wherever they stand."""
    for hit in hits:
        passage = hit.passage
        yield Piece(passage.document, passage.text, passage.line_start, passage.line_end, relevance)


def read_on(piece: Piece, store: Store) -> Piece:
    """A piece with what follows it: an opening is often broken into several sentences."""
    lines = store.lines(piece.document, piece.line_start, piece.line_start + WIDER)
    text = on_one_line("\n".join(line.text for line in lines))
    at = text.find(piece.text[:40])
    if at < 0:
        return piece
    return Piece(
        piece.document,
        text[at : at + max(WIDER_CHARACTERS, len(piece.text))],
        piece.line_start,
        lines[-1].number,
        piece.relevance,
    )


def lines_of(words: str, piece: Piece, store: Store) -> tuple[int, int]:
    """The lines of a piece that hold some words; all of its lines where they are not found as they stand."""
    lines = store.lines(piece.document, piece.line_start, piece.line_end)
    text = "\n".join(line.text for line in lines)
    match = find_quote(words, text, minimum=1.0)
    if match is None:
        return piece.line_start, piece.line_end
    first = piece.line_start + text.count("\n", 0, match.start)
    return first, first + text.count("\n", match.start, match.end)
