"""Which chunks a prompt shows: the best first, whole while they fit, else an excerpt of the sentences that matter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spanwise.synthesis.guarded.chunks import Ranked
from spanwise.synthesis.guarded.context import Included
from spanwise.synthesis.guarded.schema import Chunk
from spanwise.text.injection.marks import as_data
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import terms
from spanwise.text.tokens import token_bound

_GAP = " ... "


@dataclass(frozen=True, slots=True)
class Selected:
    """The chunks of a prompt, best first, and the others, each with `chunk_id` and `reason`."""

    included: tuple[Included, ...]
    missing: tuple[dict[str, object], ...]


def select(candidates: Ranked, query: str, room: int, *, top_sentences: int = 3) -> Selected:
    """Take chunks until the room is full.

    A chunk that does not fit becomes an excerpt. Of those that are larger than the whole room there may be several;
    among the others the first that does not fit any more is the last excerpt, and only what fits whole comes after it.

    Args:
        candidates: Best first.
        query: The question; sentences that share words with it are taken.
        room: Tokens for all blocks.
        top_sentences: The most sentences of an excerpt.
    """
    ids = frozenset(chunk.chunk_id for chunk in candidates.chunks)
    included: list[Included] = []
    missing = list(candidates.left_out)
    left, full = room, False
    for chunk in candidates.chunks:
        whole = _whole(chunk, ids)
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


def _whole(chunk: Chunk, ids: Collection[str]) -> Included:
    return Included(chunk, as_data(chunk.text.strip(), ids=ids))


def _excerpt(chunk: Chunk, query: str, room: int, ids: Collection[str], most: int) -> Included | None:
    """The sentences that share most words with the query, in their order; None when not even one fits."""
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
