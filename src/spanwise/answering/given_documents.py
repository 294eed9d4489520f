"""Documents built from passages that were retrieved elsewhere, in which every line keeps its number, page and box.

Passages of one document that have line numbers are placed at those lines, with blank lines in the gaps. A passage
without line numbers, or with other text for lines that are already there, becomes a document of its own. Without line
numbers, each sentence is made a line, so that a citation is no longer than the proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spanwise.contract.adapters import Given, given_passages
from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.domain.document import Box, Document, Line, LineRole, Page, Section
from spanwise.errors import PassageError
from spanwise.readers.plain import read_text
from spanwise.readers.port import ReadOptions
from spanwise.text.sentences import sentences

MOST_LINES = 1_000_000
MOST_TOGETHER = 2_000_000
"""Most lines of all documents together: the lines before a passage exist too, though they are blank."""
MOST_PAGES = 50_000
_EDGES = ("x0", "y0", "x1", "y1")
_WIDEST = 1e9
"""Largest coordinate of a box, in points; the comparison also rejects NaN."""


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """A passage as it was given, and the lines of the document that it became part of."""

    given: Given
    document: str
    first: int
    last: int


def documents_of(passages: Iterable[object] | None) -> tuple[list[Document], list[GivenPlace]]:
    """The documents built from the passages, and the place of each passage that has text."""
    written = [one for one in given_passages(passages) if one.passage.text.strip()]
    for one in written:
        if one.passage.line_end > MOST_LINES or (one.page or 0) > MOST_PAGES:
            raise PassageError(
                f"passage {one.position} stands in line {one.passage.line_start} on page {one.page}: a document has at "
                f"most {MOST_LINES:,} lines and {MOST_PAGES:,} pages, so leave the place out or mend it",
                item=one.item,
            )
    held: dict[str, list[Given]] = {}
    furthest: dict[str, Given] = {}
    # Passages with line numbers come first, so that they get the document's name; the others get names of their own.
    order = sorted(written, key=lambda one: (not one.placed, one.passage.line_start, one.position))
    for one in order:
        name = one.passage.document
        if name in held and not _fits(one, held[name][-1], furthest[name]):
            name = next(other for other in _other_names(one) if other not in held)
        held.setdefault(name, []).append(one)
        if one.passage.line_end > furthest.setdefault(name, one).passage.line_end:
            furthest[name] = one
    together = sum(one.passage.line_end for one in furthest.values() if one.placed)
    if together > MOST_TOGETHER:
        raise PassageError(
            f"the passages stand in documents of {together:,} lines together, more than {MOST_TOGETHER:,}: give fewer "
            "passages at a time, or leave the places out"
        )
    made = [_document(name, given) for name, given in held.items()]
    return [document for document, _ in made], [place for _, places in made for place in places]


def _fits(one: Given, before: Given, last: Given) -> bool:
    """True if a passage fits into a document: its page is not before the previous one's, and shared lines are equal.

    `last` is the passage that reaches furthest so far.
    """
    if not (one.placed and last.placed) or (one.page or 1) < (before.page or 1):
        return False
    shared = last.passage.line_end - one.passage.line_start + 1
    if shared <= 0:
        return True
    theirs = last.passage.text.split("\n")[one.passage.line_start - last.passage.line_start :]
    ours = one.passage.text.split("\n")[:shared]
    return ours == theirs[: len(ours)]


def _other_names(one: Given) -> Iterator[str]:
    yield f"{one.passage.document} ({one.passage.id})"
    yield f"{one.passage.document} (passage {one.position})"


def with_passages(result: Result, places: Sequence[GivenPlace]) -> Result:
    """The result with the ids of the given passages it uses; `meta["passages"]` has one entry for each citation."""
    found = {citation.id: one for citation in result.citations if (one := _given_of(citation, places)) is not None}
    told = {
        number: {"passage": one.passage.id, "position": one.position, "section": one.passage.section}
        for number, one in found.items()
    }
    used = dict.fromkeys(one.passage.id for one in found.values())
    return replace(result, used_chunk_ids=tuple(used), meta={**result.meta, "passages": told})


def _given_of(citation: Citation, places: Sequence[GivenPlace]) -> Given | None:
    for one in places:
        if one.document == citation.document and one.first <= citation.line_start <= one.last:
            return one.given
    return None


def _document(name: str, given: Sequence[Given]) -> tuple[Document, list[GivenPlace]]:
    lines: list[Line] = []
    sections: list[Section] = []
    places: list[GivenPlace] = []
    for one in given:
        page = max(one.page or 1, lines[-1].page if lines else 1)
        for number in range(len(lines) + 1, one.passage.line_start if one.placed else 1):
            lines.append(_line(lines, number, lines[-1].page if lines else 1, "", "blank"))
        first = one.passage.line_start if one.placed else 1
        known, block = len(lines), lines[-1].block + 1 if lines else 0
        boxes = _boxes(one)
        for number, (text, role, own) in enumerate(_read(one), first):
            if number > known:  # passages may overlap
                box = boxes[number - first] if boxes else None
                lines.append(replace(_line(lines, number, page, text, role), block=block + own, box=box))
        if one.passage.section and known < len(lines):
            sections.append(Section(one.passage.section, 1, known + 1, len(lines), page, page))
        places.append(GivenPlace(one, name, first, max(first, one.passage.line_end if one.placed else len(lines))))
    identity = hashlib.sha256("\n".join([name, *(line.text for line in lines)]).encode("utf-8", "replace"))
    document = Document(
        id=identity.hexdigest(),
        name=name,
        format="passages",
        lines=tuple(lines),
        pages=tuple(_pages(lines)),
        sections=tuple(sections),
        paged=any(one.page for one in given),
    )
    return document, places


def _line(before: Sequence[Line], number: int, page: int, text: str, role: LineRole) -> Line:
    last = before[-1] if before else None
    in_page = last.line_in_page + 1 if last is not None and last.page == page else 1
    block = 0 if last is None else last.block + (last.role != role)
    return Line(number, page, in_page, text, role=role, block=block)


def _read(one: Given) -> Iterator[tuple[str, LineRole, int]]:
    """Each line of a passage with its role and its block number."""
    for text, role, block in _as_written(one):
        ranges = [] if one.placed else sentences(text)
        yield from ((text[start:end], role, block) for start, end in ranges or [(0, len(text))])


def _as_written(one: Given) -> Iterator[tuple[str, LineRole, int]]:
    texts = one.passage.text.split("\n")
    if one.passage.blocks:
        at = 0
        for block, (size, role) in enumerate(one.passage.blocks):
            yield from ((text, role, block) for text in texts[at : at + size])
            at += size
        return
    read = read_text("\n".join(texts).encode("utf-8", "replace"), "passage.txt", ReadOptions()).lines
    if [line.text for line in read] == texts:
        yield from ((line.text, line.role, line.block) for line in read)
        return
    block = 0  # the text has control characters that a text file would not have, or trailing blank lines
    for text in texts:
        block += not text.strip()
        yield " ".join(text.splitlines()), "text" if text.strip() else "blank", block


def _boxes(one: Given) -> list[Box]:
    """A box for each line if the metadata of a passage has valid `boxes`, as in a citation's JSON; else none."""
    written = one.metadata.get("boxes") if one.placed else None
    boxes = [_box(box, one.page or 1) for box in written] if isinstance(written, list | tuple) else []
    lines = one.passage.text.count("\n") + 1
    known = [box for box in boxes if box is not None]
    if len(known) != len(boxes) or len(boxes) not in (1, lines):
        return []
    return known * (lines // len(known))


def _box(written: object, page: int) -> Box | None:
    if isinstance(written, Box):
        return written
    if not isinstance(written, Mapping):
        return None
    given = [written.get(name) for name in _EDGES]
    edges = [float(edge) for edge in given if isinstance(edge, int | float) and abs(edge) < _WIDEST]
    number = written.get("page", page)
    return Box(number, *edges) if len(edges) == len(_EDGES) and isinstance(number, int) else None


def _pages(lines: Sequence[Line]) -> Iterator[Page]:
    """The pages from 1 to the last one, including those without lines, because page numbers are positions."""
    starts = [1, *(later.number for before, later in pairwise(lines) if later.page != before.page)]
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    held = {lines[start - 1].page: (start, end) for start, end in zip(starts, ends, strict=True)}
    before = 1
    for number in range(1, lines[-1].page + 1):
        first, last = held.get(number, (before, before - 1))
        before = last + 1
        yield Page(number, str(number), 0.0, 0.0, first, last)
