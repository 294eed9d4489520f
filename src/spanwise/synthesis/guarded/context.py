"""From chunks to the context block: ranked, the best shown as a whole while they fit, others as excerpts.

The block is enclosed in marks that no text in a chunk can imitate.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.contract.adapters import given_passages
from spanwise.synthesis.guarded.schema import Chunk, chunk_of
from spanwise.text.injection.marks import as_data
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import STOPWORDS, terms, words
from spanwise.text.tokens import token_bound


@dataclass(frozen=True, slots=True)
class Ranked:
    """Chunks, best first.

    Attributes:
        chunks: The chunks with text, each id once.
        scores: Score (0 to 1) by id.
        left_out: The other chunks, each with `chunk_id` and `reason`.
    """

    chunks: tuple[Chunk, ...]
    scores: Mapping[str, float]
    left_out: tuple[dict[str, object], ...]


def chunks_from_sections(sections: Iterable[object] | None) -> list[Chunk]:
    """Sections as a retriever returns them, or passages of any other form, as chunks.

    If the largest score of the batch is above 1, scores are divided by it, so that the best is 1.0; `metadata` keeps
    the original as `raw_score`. Chunks without a score have 1.0. Passages without an id are named after their title and
    page, or their position.

    Raises:
        PassageError: One of them is in no form that can be read.
    """
    given = given_passages(sections)
    chunks = [chunk_of(one) for one in given]
    largest = max((chunk.score for chunk in chunks), default=0.0)
    names: dict[str, int] = {}
    for chunk, one in zip(chunks, given, strict=True):
        if one.score is not None:
            chunk.metadata["raw_score"] = one.score
            chunk.score = _in_range(one.score, largest)
        chunk.chunk_id = _name(chunk, named=one.passage.id != f"passage {one.position}", taken=names)
    return chunks


def ranked(chunks: Sequence[Chunk]) -> Ranked:
    """The chunks sorted by score, highest first, ties in the given order; for a repeated id, the first counts."""
    largest = max((chunk.score for chunk in chunks), default=0.0)
    kept: dict[str, Chunk] = {}
    left_out: list[dict[str, object]] = []
    for chunk in sorted(chunks, key=lambda one: -one.score):
        if not chunk.text.strip():
            left_out.append({"chunk_id": chunk.chunk_id, "reason": "blank"})
        elif chunk.chunk_id not in kept:
            kept[chunk.chunk_id] = chunk
        elif kept[chunk.chunk_id].text != chunk.text:
            left_out.append({"chunk_id": chunk.chunk_id, "reason": "duplicate_chunk_id"})
    scores = {name: _in_range(chunk.score, largest) for name, chunk in kept.items()}
    return Ranked(tuple(kept.values()), scores, tuple(left_out))


def _in_range(score: float, largest: float) -> float:
    return max(0.0, score / largest if largest > 1 else score)


def _name(chunk: Chunk, *, named: bool, taken: dict[str, int]) -> str:
    """The id of a chunk; if it has none, title and page, with a number if that is taken."""
    title, page = chunk.metadata.get("title"), chunk.metadata.get("page_num")
    made = f"{title}, page {page}" if page is not None else str(title)
    name = chunk.chunk_id if named or not title else "".join("()"["[]".index(c)] if c in "[]" else c for c in made)
    number = taken.get(name, 0) + 1
    made = name if number == 1 else f"{name} ({number})"
    while made in taken:
        number += 1
        made = f"{name} ({number})"
    taken[name] = number
    taken.setdefault(made, 1)
    return made


START, END = "CONTEXT_START", "CONTEXT_END"
TOPICS = 5
_LONGEST_TOPIC = 20
_SHORTEST_TOPIC = 3
_LONGEST_METADATA = 300
_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Included:
    """A chunk as the prompt shows it."""

    chunk: Chunk
    """A copy with `truncated` in its metadata if only an excerpt is shown."""
    shown: str
    """The part of its text that is shown."""

    @property
    def truncated(self) -> bool:
        """True if only an excerpt is shown."""
        return bool(self.chunk.metadata.get("truncated"))

    def block(self, index: int) -> str:
        """The chunk's header, text and metadata in the context block."""
        chunk = self.chunk
        return (
            f"CHUNK HEADER: [CHUNK {index}] | {as_header(chunk.source_url or '-')} | {as_header(chunk.chunk_id)}\n"
            f"CHUNK BODY:\n{self.shown}\nMETADATA:\n{_metadata(chunk.metadata)}---END CHUNK---\n"
        )

    @property
    def tokens(self) -> int:
        """Upper bound of the tokens of its block, whatever its index."""
        return token_bound(self.block(10**6))


_LONGEST_TOPICS = ", ".join(["x" * _LONGEST_TOPIC] * TOPICS)
OVERHEAD = token_bound(f"{START}\nContext summary: {10**6} chunks included; top_topics: {_LONGEST_TOPICS}\n{END}\n")
"""Upper bound of the tokens of everything but the chunks."""


def context_block(included: Sequence[Included]) -> str:
    """All chunks between the two marks, with their number and topics."""
    topics = ", ".join(_topics([one.shown for one in included])) or "none"
    blocks = "".join(one.block(index) for index, one in enumerate(included))
    return f"{START}\nContext summary: {len(included)} chunks included; top_topics: {topics}\n{blocks}{END}"


def as_text(value: object) -> str:
    """A value as a prompt shows it: a string verbatim, anything else as deterministic JSON, or as Python writes it."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=_repeatable)
    except (TypeError, ValueError, RecursionError):  # keys that are no text, what holds itself
        return str(value)


def _repeatable(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def as_header(text: str) -> str:
    """An id or address as the header of a chunk shows it: on one line, without marks of prompts, and not too long."""
    return as_data(" ".join(text.split()))[:_LONGEST_HEADER]


def _metadata(metadata: Mapping[str, object]) -> str:
    """The metadata, one pair per line, as many as fit in `_LONGEST_METADATA` characters."""
    lines, left = [], _LONGEST_METADATA
    for key, value in metadata.items():
        if value is None:
            continue
        line = as_data(" ".join(f"{key}: {as_text(value)}".split()), headings=False) + "\n"
        if len(line) > left:
            continue
        lines.append(line)
        left -= len(line)
    return "".join(lines)


def _topics(texts: Sequence[str]) -> list[str]:
    """The words that are in the most chunks, then those that are most frequent; ties in the order of the texts."""
    counts, chunks = Counter[str](), Counter[str]()
    for text in texts:
        found = [word for word in words(text) if _is_topic(word)]
        counts.update(found)
        chunks.update(list(dict.fromkeys(found)))
    order = {word: place for place, word in enumerate(counts)}
    return sorted(counts, key=lambda word: (-chunks[word], -counts[word], order[word]))[:TOPICS]


def _is_topic(word: str) -> bool:
    return _SHORTEST_TOPIC <= len(word) <= _LONGEST_TOPIC and word.isalpha() and word not in STOPWORDS


_GAP = " ... "


@dataclass(frozen=True, slots=True)
class Selected:
    """The chunks of a prompt, best first, and the others, each with `chunk_id` and `reason`."""

    included: tuple[Included, ...]
    missing: tuple[dict[str, object], ...]


def select(candidates: Ranked, query: str, room: int, *, top_sentences: int = 3) -> Selected:
    """Choose chunks until the room is full.

    A chunk that does not fit becomes an excerpt. There may be several excerpts of chunks that are larger than the whole
    room; among the others, the first that does not fit is the last excerpt, and after it only whole chunks are added.

    Args:
        candidates: The ranked chunks.
        query: The question; excerpts consist of sentences that share words with it.
        room: Tokens for all blocks.
        top_sentences: The most sentences of an excerpt.
    """
    ids = frozenset(chunk.chunk_id for chunk in candidates.chunks)
    included: list[Included] = []
    missing = list(candidates.left_out)
    left, full = room, False
    for chunk in candidates.chunks:
        whole = Included(chunk, as_data(chunk.text.strip(), ids=ids))
        size = whole.tokens if len(chunk.text) <= room * 8 else room + 1  # no text that long fits
        found: Included | None = whole
        if size > left:
            found = None if full and size <= room else _excerpt(chunk, query, left, ids, top_sentences)
            full = full or size <= room
        if found is None:
            missing.append({"chunk_id": chunk.chunk_id, "reason": "no_room"})
            continue
        if found is not whole:
            missing.append({"chunk_id": chunk.chunk_id, "reason": "excerpt"})
        included.append(found)
        left -= found.tokens
    return Selected(tuple(included), tuple(missing))


def _excerpt(chunk: Chunk, query: str, room: int, ids: Collection[str], most: int) -> Included | None:
    """The sentences that share the most words with the query, in their order; None if not even one fits."""
    copy = chunk.model_copy(update={"metadata": {"truncated": True} | chunk.metadata | {"truncated": True}})
    left = room - Included(copy, "").tokens
    if left < 1:
        return None
    asked = set(terms(query))
    spans = sentences(chunk.text)
    shares = [len(asked.intersection(terms(chunk.text[start:end]))) for start, end in spans]
    chosen: list[int] = []
    for place in sorted(range(len(spans)), key=lambda at: (-shares[at], at)):
        start, end = spans[place]
        if len(chosen) == most:
            break
        if end - start > left * 8:
            continue
        cost = token_bound(as_data(on_one_line(chunk.text[start:end]), ids=ids) + _GAP)
        if cost <= left:
            chosen.append(place)
            left -= cost
    if not chosen:
        return None
    return Included(copy, as_data(_joined(chunk.text, spans, sorted(chosen)), ids=ids))


def _joined(text: str, spans: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    shown = ""
    for before, place in zip([None, *chosen[:-1]], chosen, strict=True):
        start, end = spans[place]
        gap = "" if before is None else " " if place == before + 1 else _GAP
        shown += gap + on_one_line(text[start:end])
    return shown
