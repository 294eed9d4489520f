"""Values with their evidence: from what could answer, from whole passages, from tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import Item
from spanwise.contract.result import Draft
from spanwise.contract.validation.cited import NEAR_BEFORE, NEAR_BEHIND, Cited, Stretch, around
from spanwise.contract.validation.value_faults import format_faults, line_faults
from spanwise.contract.values import TableValue
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.typed.custom import find_custom
from spanwise.synthesis.extractive.typed.evidence_texts import Piece, lines_of, passage_pieces, read_on
from spanwise.synthesis.extractive.typed.extractors import Around, Filler, Found
from spanwise.synthesis.extractive.typed.fillers import BY_CLASS
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.table_reading import read_tables
from spanwise.text.terms import placed_terms, terms

MOST_ITEMS = 100
COVERED = 0.3
"""Least share of the question's words that the passage of a value has which is recognised anywhere."""
SUREST = 0.85
"""How sure a value is that is recognised by its form, with all words of the question around it."""
CUSTOM_HITS = 8
"""Passages that are read for values of registered classes."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A value with its evidence."""

    value: BaseModel | str | bool
    document: str
    spans: tuple[tuple[int, int], ...]
    relevance: float
    written: str = ""
    """The words of the source that say it."""
    quoted: bool = False
    """Whether those words stand in the first span."""
    caveat: str = ""


def from_pieces(
    question: Question, filler: Filler, pieces: Iterable[Piece], store: Store, *, several: bool
) -> list[Picked]:
    """The value of the best piece that has one; of a list those of every piece of the same document."""
    picked: list[Picked] = []
    for piece in pieces:
        if picked and piece.document != picked[0].document:
            continue
        found = _in_text(question, filler, piece, store, several=several)
        if found and not several:
            return found[:1]
        if several and question.answer_type == "party" and len(found) > len(picked):
            picked = found  # the names stand together in one place
        elif several and question.answer_type != "party":
            picked += found
        if question.answer_type == "party" and len(picked) > 1:
            break
    return _distinct(picked)[:MOST_ITEMS]


def _in_text(question: Question, filler: Filler, piece: Piece, store: Store, *, several: bool) -> list[Picked]:
    found = list(filler(piece.text, Around()))
    if question.answer_type == "party" and len(found) < 2:
        wider = read_on(piece, store)
        more = list(filler(wider.text, Around()))
        piece, found = (wider, more) if len(more) > len(found) else (piece, found)
    if not found:
        return []
    if several:
        return [_picked(one, piece, store, narrow=True) for one in found]
    return [_picked(nearest(question, piece.text, found), piece, store, narrow=False)]


def _picked(one: Found, piece: Piece, store: Store, *, narrow: bool) -> Picked:
    words = on_one_line(piece.text[one.start : one.end])
    lines = lines_of(words, piece, store) if narrow else (piece.line_start, piece.line_end)
    return Picked(one.value, piece.document, (lines,), piece.relevance, words, quoted=True)


def of_the_text(question: Question, draft: Draft, filler: Filler, ranked: Sequence[Candidate]) -> list[Picked]:
    """The values that the words of the draft say, one each; nothing when one of them says none or several."""
    if not isinstance(draft.answer, TextAnswer) or not draft.answer.items or not ranked:
        return []
    picked = []
    for item, documents in zip(draft.answer.items, draft.sources, strict=True):
        lines = tuple((one.line_start, one.line_end) for one in item.spans)
        values = list(filler(item.text, Around()))
        if not values or (len(values) > 1 and len(draft.answer.items) > 1):
            return []
        one = values[0] if len(values) == 1 else _answering(question, item.text, values)
        if one is None:
            return []
        picked.append(Picked(one.value, documents[0], lines, draft.relevance, item.text, quoted=True))
    return picked


def _answering(question: Question, text: str, found: Sequence[Found]) -> Found | None:
    """The one value of a sentence that its best piece holds."""
    piece = best_piece(question.text, text)
    inside = [one for one in found if piece is not None and one.start < piece.end and piece.start < one.end]
    return inside[0] if len(inside) == 1 else None


def anywhere(question: Question, filler: Filler, hits: Sequence[Hit], store: Store, *, several: bool) -> list[Picked]:
    """Values in the passages that were found, those nearest to the question's words first."""
    scored: list[tuple[float, tuple[float, int], int, Picked]] = []
    for piece in passage_pieces(hits, 0.0):
        for one in filler(piece.text, Around()):
            share = covered(question, piece.text, one)
            if share >= COVERED:
                picked = replace(_picked(one, piece, store, narrow=True), relevance=round(share * SUREST, 4))
                scored.append((-share, apart(question, piece.text, one), len(scored), picked))
    best = _distinct([one for *_, one in sorted(scored, key=lambda entry: entry[:3])])
    return best[:MOST_ITEMS] if several else best[:1]


def tables_of(question: Question, pieces: Sequence[Piece], store: Store) -> list[Picked]:
    """The table that has most of the question's words."""
    wanted = set(question.stems)
    best: tuple[float, Picked] | None = None
    for table in find_tables(pieces, store):
        around = store.lines(table.document, max(1, table.spans[0][0] - 4), table.spans[0][0])
        said = set(terms(" ".join([table.words, *(line.text for line in around)])))
        share = len(wanted & said) / len(wanted) if wanted else 0.0
        if share >= COVERED and (best is None or share > best[0]):
            best = (share, Picked(table.value, table.document, table.spans, round(share, 4)))
    return [best[1]] if best else []


def custom_values(question: Question, value_class: type[BaseModel], hits: Sequence[Hit]) -> list[Picked]:
    """Values of a registered class, one a passage."""
    picked = []
    for piece in passage_pieces(hits[:CUSTOM_HITS], 0.5):
        found = find_custom(piece.text, value_class, BY_CLASS)
        if found is not None:
            first = piece.line_start + piece.text.count("\n", 0, found.start)
            last = piece.line_start + piece.text.count("\n", 0, max(found.start, found.end - 1))
            picked.append(Picked(found.value, piece.document, ((first, last),), 0.5))
    return _distinct(picked)[: MOST_ITEMS if question.answer_shape == "listing" else 1]


def holds(item: Item, one: Picked, store: Store) -> bool:
    """Whether the guard will find the value in the lines that it cites."""
    if format_faults(item):
        return False
    stretches = [Stretch(store.lines(one.document, first, last)) for first, last in one.spans]
    number = one.spans[0][0]
    near = store.lines(one.document, max(1, number - NEAR_BEFORE), number + NEAR_BEHIND)
    return not line_faults(item, Cited(stretches, lambda: around(near, number)))


def _distinct(picked: Iterable[Picked]) -> list[Picked]:
    seen: dict[str, Picked] = {}
    for one in picked:
        said = one.value.model_dump_json() if isinstance(one.value, BaseModel) else str(one.value).casefold()
        seen.setdefault(said, one)
    return list(seen.values())


_CUES = 12
"""Words of a sentence model that count as the question's own."""
_BEFORE = 3
"""How much farther a word counts that stands behind the value: "effective as of May 1" says it before."""
_REACH = 400
"""Characters around a value in which the question's words are looked for."""


def nearest(question: Question, text: str, found: Sequence[Found]) -> Found:
    """The value that the best piece of the sentence holds, else the one nearest to a word that asks for it."""
    if len(found) == 1:
        return found[0]
    if question.model is None:
        piece = best_piece(question.text, text)
        inside = [one for one in found if piece is not None and one.start < piece.end and piece.start < one.end]
        if inside:
            return inside[0]
    stems = set(question.stems) | set(question.model.terms(_CUES) if question.model is not None else ())
    places = [place for place, stem in placed_terms(text) if stem in stems]
    if not places:
        return found[0]
    return min(found, key=lambda one: (_distance(one, places), one.start))


def _distance(one: Found, places: Sequence[int]) -> int:
    outside = [place for place in places if not one.start <= place < one.end]
    return min(
        (one.start - place if place < one.start else _BEFORE * (place - one.end) for place in outside), default=10**9
    )


def apart(question: Question, text: str, one: Found) -> tuple[float, int]:
    """How far a value is from the words that ask for it, those aside that only name its type.

    Returns:
        The share of them that its own sentence lacks, and the characters to the nearest one.
    """
    wanted = set(question.stems) - _TYPE_WORDS
    start = max(0, one.start - _REACH)
    around = text[start : one.end + _REACH]
    places = [(start + place, stem) for place, stem in placed_terms(around) if stem in wanted]
    first, last = next(
        ((start + low, start + high) for low, high in sentences(around) if low <= one.start - start < high), (0, 0)
    )
    said = {stem for place, stem in places if first <= place < last}
    return 1 - len(said) / max(1, len(wanted)), _distance(one, [place for place, _ in places])


def covered(question: Question, text: str, one: Found) -> float:
    """Share of the question's words that stand around a value; 1 for a question without words of its own."""
    wanted = set(question.stems) - _TYPE_WORDS
    if not wanted:
        return 1.0
    around = set(terms(text[max(0, one.start - _REACH) : one.end + _REACH]))
    return len(wanted & around) / len(wanted)


_TYPE_WORDS = frozenset(terms("iban account number bank address postal registered office located international"))


MOST_ROWS = 200
_AROUND = 60
"""Lines before and after a piece in which its table may go on."""


@dataclass(frozen=True, slots=True)
class TableFound:
    """A table with the lines of its head and of each row."""

    value: TableValue
    spans: tuple[tuple[int, int], ...]
    document: str

    @property
    def words(self) -> str:
        """Everything it says."""
        return " ".join([*self.value.headers, *(cell for row in self.value.rows for cell in row)])


def find_tables(pieces: Sequence[Piece], store: Store) -> Iterator[TableFound]:
    """The tables that the pieces stand in, in the order of the pieces, each once."""
    seen: set[tuple[str, int]] = set()
    for piece in pieces:
        lines = store.lines(piece.document, max(1, piece.line_start - _AROUND), piece.line_end + _AROUND)
        for grid in read_tables(piece.document, lines):
            touches = grid.first <= piece.line_end and piece.line_start <= grid.last
            if touches and len(grid.rows) > 1 and (grid.document, grid.first) not in seen:
                seen.add((grid.document, grid.first))
                yield _found(grid)


def _found(grid: Grid) -> TableFound:
    rows = [list(grid.texts(at)) for at in range(min(len(grid.rows), MOST_ROWS))]
    spans = (*grid.head_lines, *((row.first, row.last) for row in grid.rows[:MOST_ROWS]))
    return TableFound(TableValue(headers=list(grid.names), rows=rows), spans, grid.document)
