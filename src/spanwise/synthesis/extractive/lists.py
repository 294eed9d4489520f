"""Lists in documents: what introduces them (a heading, a sentence that ends in a colon) and their elements.

Three forms are known: list items (bulleted, lettered, numbered), paragraphs that each begin with a short name
("Rapid elasticity. Capabilities can be ..."), and elements lettered inside one paragraph ("(a) ...; (b) ..."). Items
that nothing introduces are a list below the paragraph before them. A list may go on elsewhere ("continued in
Section 7"): `whole_list` has all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spanwise.domain.passage import Passage
from spanwise.store.cross_references import Reference, goes_on_in, place_of
from spanwise.store.port import Store
from spanwise.text.list_marks import BULLETS, DASHES, OF_SYMBOLS
from spanwise.text.patterns import lazy_pattern
from spanwise.text.sentences import Block, blocks_of_lines, on_one_line

MOST_ELEMENTS = 200
_NEAR_BEHIND = 3
"""Lines behind the last element among which it is said where a list goes on."""
MOST_BETWEEN = 4
"""Blocks without a name that may stand between two named paragraphs (the end of one after a page break, footnotes)."""

_MARKER = lazy_pattern(rf"\s*(?:[{BULLETS}{OF_SYMBOLS}o{DASHES}]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxlcIVXLC]{{1,6}})[.)])\s+")
_RUN_IN = lazy_pattern(
    r"\s*([A-Z](?:[^.:;!?\n()]|\([^()\n]{0,60}\)){2,70}?)(?:\.|:|\s[\u2013\u2014-])\s+(?=[A-Z\u201c\"(])"
)
# What stands before the bracket is looked at last: a pattern that begins with a plain character is found much faster.
_INLINE = lazy_pattern(r"\((?<!\w\()(?:[a-z]|[ivx]{1,5}|\d{1,2})\)\s+")
_LONGEST_POINTER = 160
"""Characters of a line that only says where a list goes on."""
_FEWEST_MARKS = 2
_INTRODUCES = (":", "\u2014", "following")


_SHORT_ENTRY = 6
"""Words behind the name of an item that are what it says, and no explanation of the name."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a list: its text as it stands in the source, and its lines."""

    text: str
    line_start: int
    line_end: int
    context: tuple[tuple[int, int], ...] = ()
    """Other lines that say what it means: the head of its columns, the scale of its figures."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list with what introduces it."""

    introduction: str
    elements: tuple[Element, ...]
    goes_on: Reference | None = None
    """Where it goes on."""


def whole_list(listing: Listing, document: str, store: Store) -> tuple[Element, ...]:
    """The elements of a list, and those of the section in which it says that it goes on."""
    place = place_of(listing.goes_on, document, store, listing.elements[-1].line_end) if listing.goes_on else None
    if place is None or place[0] <= listing.elements[-1].line_end:
        return listing.elements
    following = next(listings(blocks_of_lines(store.lines(document, *place))), None)
    return (*listing.elements, *(following.elements if following is not None else ()))[:MOST_ELEMENTS]


def unread_rest(document: str, line: int, store: Store) -> str | None:
    """The section, not to be found, in which a list that ends on a line says that it goes on: "Section 7"."""
    behind = "\n".join(one.text[-_LONGEST_POINTER:] for one in store.lines(document, line, line + _NEAR_BEHIND))
    found = goes_on_in(behind)
    return None if found is None or place_of(found, document, store, line) is not None else str(found)


def may_begin(passages: Iterable[Passage], last: int) -> bool:
    """Whether the lines of some passages can hold a list that something up to line `last` introduces.

    A look at the text of passages takes a small part of the time of making blocks of their lines. What it says no to
    has no list: a block may go on in the next passage, so that its end and its marks are looked for there too.
    """
    marks = items = 0
    for passage in passages:
        marks += len(_INLINE.findall(passage.text))
        if marks >= _FEWEST_MARKS:
            return True
        lines, start, before = passage.text.split("\n"), 0, "blank"
        for length, role in passage.blocks or ((len(lines), "text"),):
            if "blank" not in (before, role) and passage.line_start + start > last:
                return False  # surely a new block, and nothing that begins here or later counts
            items += role == "list_item"
            if items >= _FEWEST_MARKS:
                return True
            start += length
            if role == "heading" or lines[start - 1].rstrip().endswith(_INTRODUCES):
                return True
            before = role
    return False


def listings(blocks: Sequence[Block], last: int | None = None) -> Iterator[Listing]:
    """Every list that these contiguous blocks hold, in order; up to line `last`, those that something there introduces.

    A list may go on after that line.
    """
    for position, block in enumerate(blocks):
        if last is not None and block.first > last:
            break
        if inline := _inline_elements(block):
            yield inline
        if _introduces(block):
            following = blocks[position + 1 :]
            elements = _items(following) or _named_paragraphs(following)
            if len(elements) >= 2:
                yield _listing(block.text, elements, following)
        elif block.role == "list_item" and not _goes_before(blocks, position):
            elements = _items(blocks[position:])
            before = blocks[position - 1].text if position and blocks[position - 1].role == "text" else ""
            if len(elements) >= 2:
                yield _listing(before, elements, blocks[position:])


def _listing(introduction: str, elements: Sequence[Element], blocks: Sequence[Block]) -> Listing:
    """A list without what only says where it goes on: an item, or the block behind the last one."""
    behind = next((block.text for block in blocks if block.first > elements[-1].line_end), "")
    for pointer, kept in ((elements[-1].text, elements[:-1]), (behind, elements)):
        place = goes_on_in(pointer) if len(pointer) <= _LONGEST_POINTER else None
        if place is not None and kept:
            return Listing(introduction, tuple(kept[:MOST_ELEMENTS]), place)
    return Listing(introduction, tuple(elements[:MOST_ELEMENTS]))


def _introduces(block: Block) -> bool:
    return block.role == "heading" or block.text.rstrip().endswith(_INTRODUCES)


def _goes_before(blocks: Sequence[Block], position: int) -> bool:
    """True if the block before an item introduces it or is an item of the same list."""
    before = blocks[position - 1] if position else None
    return before is not None and (before.role == "list_item" or _introduces(before))


def _items(blocks: Sequence[Block]) -> list[Element]:
    """The items from the first block on; a numbered heading ends them, unless they are headings themselves."""
    elements: list[Element] = []
    for block in blocks:
        marker = _MARKER.match(block.text)
        if block.role != "list_item" and not marker:
            break
        if elements and block.role == "heading" != blocks[0].role:
            break
        elements.append(_element(block, marker.end() if marker else 0))
    return elements


def _element(block: Block, start: int) -> Element:
    """The name that an item begins with where it is then explained, else the whole item ("President: Ada Quist")."""
    named = _RUN_IN.match(block.text, start)
    if named is not None and len(block.text[named.end(1) :].split()) > _SHORT_ENTRY:
        return _cut(block, named.start(1), named.end(1))
    return _cut(block, start, len(block.text) - _trailing_joint(block.text))


def _named_paragraphs(blocks: Sequence[Block]) -> list[Element]:
    """Paragraphs that begin with a name, at one left edge; footnotes and rest of paragraphs may stand between them."""
    elements: list[Element] = []
    left: float | None = None
    between = 0
    for block in blocks:
        named = _RUN_IN.match(block.text) if block.role in ("text", "list_item") else None
        if named is not None and (not elements or _aligned(left, block.left)):
            left = block.left if not elements else left
            elements.append(_cut(block, named.start(1), named.end(1)))
            between = 0
        elif not elements or block.role == "heading" or between == MOST_BETWEEN:
            break
        else:
            between += 1
    return elements


def _aligned(one: float | None, other: float | None) -> bool:
    return one is None or other is None or abs(one - other) < 3


def _inline_elements(block: Block) -> Listing | None:
    marks = list(_INLINE.finditer(block.text))
    if len(marks) < _FEWEST_MARKS or block.role == "table_row":
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(block.text)]
    elements = [
        _cut(block, mark.end(), end - _trailing_joint(block.text[mark.end() : end]))
        for mark, end in zip(marks, ends, strict=True)
    ]
    said = tuple(element for element in elements if element.text)
    return Listing(block.text[: marks[0].start()], said) if said else None


def _trailing_joint(text: str) -> int:
    """How many characters at the end only join an element to the next one: "; and ", ", or "."""
    joint = re.search(r"[;,]\s*(?:(?:and|or|and/or)\s*)?$", text[-12:])
    return len(joint.group()) if joint else 0


def _cut(block: Block, start: int, end: int) -> Element:
    piece = block.text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    line_start, line_end = block.lines_of(start, end)
    return Element(on_one_line(block.text[start:end]), line_start, line_end)


_WORD_OR_MARK = lazy_pattern(r"[^\s,;:().?!]+(?:\.[^\s,;:().?!]+)*|[,;:().?!]")
_JOINS = frozenset([*",;:().?!", "and", "or"])
_EDGES = frozenset(
    """
    is are was were be been being include includes including included such as like of the following from for by with
    that which who to in on at has have had can may must shall should will into between both either namely
    """.split()
)
_MOST_ELEMENT_WORDS = 6
_MOST_PIECE_WORDS = 25
_FEWEST = 3
"""Elements from which on a row is a list when the question does not say how many it wants."""
_LONGEST_SENTENCE = 2000
_SEMICOLON = lazy_pattern(r"\s*;\s*(?:(?:and|or|and/or)\s+)?")


def enumeration(sentence: Element, count: int | None) -> tuple[Element, ...]:
    """The elements that a sentence names in a row ("Clear, Purge, and Destroy are actions ..."): `count`, or 3 or more.

    Returns:
        Nothing when the sentence has no such row, or one of another length.
    """
    if apart := _parted_by_semicolons(sentence, count):
        return apart
    words = list(_WORD_OR_MARK.finditer(sentence.text[:_LONGEST_SENTENCE]))
    for at, word in enumerate(words):
        if word.group().lower() in ("and", "or") and (ranges := _row_around(words, at)):
            elements = tuple(
                Element(sentence.text[start:end], sentence.line_start, sentence.line_end) for start, end in ranges
            )
            if len(elements) == count or (count is None and len(elements) >= _FEWEST):
                return elements
    return ()


def _parted_by_semicolons(sentence: Element, count: int | None) -> tuple[Element, ...]:
    """The elements after a colon with semicolons between them, which may hold "and" and commas themselves."""
    text = sentence.text[:_LONGEST_SENTENCE]
    first = text.find(";")
    if first < 0:
        return ()
    start = text.rfind(":", 0, first) + 1
    pieces = _SEMICOLON.split(text[start:].strip().rstrip(".")) if start else []
    if len(pieces) != count and (count is not None or len(pieces) < _FEWEST):
        return ()
    if not all(0 < len(piece.split()) <= _MOST_PIECE_WORDS for piece in pieces):
        return ()
    return tuple(Element(piece.strip(), sentence.line_start, sentence.line_end) for piece in pieces)


def _row_around(words: Sequence[re.Match[str]], joint: int) -> list[tuple[int, int]]:
    """The ranges of the elements before and after the word that joins the last of them; empty when it joins none."""
    last = _run(words, joint + 1, 1)
    at = joint - 1
    if at >= 0 and words[at].group() == ",":
        at -= 1
    rows: list[list[re.Match[str]]] = []
    while at >= 0 and (run := _run(words, at, -1)):
        rows.insert(0, run)
        at -= len(run)
        if at < 0 or words[at].group() != ",":
            break
        at -= 1
    if not last or not rows:
        return []
    return [(run[0].start(), run[-1].end()) for run in [*rows, last]]


def _run(words: Sequence[re.Match[str]], at: int, step: int) -> list[re.Match[str]]:
    """The words of one element from a place on, forwards or backwards; none when it would be too long."""
    run: list[re.Match[str]] = []
    while 0 <= at < len(words) and len(run) <= _MOST_ELEMENT_WORDS:
        word = words[at].group()
        if word in _JOINS or word.lower() in _EDGES:
            break
        run.append(words[at])
        at += step
    if len(run) > _MOST_ELEMENT_WORDS:
        return []
    return run if step > 0 else run[::-1]
