"""Chunks before they are chosen from: made of scored sections, each id once, scores that can be averaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.contract.adapters import given_passages
from spanwise.synthesis.guarded.schema import Chunk, chunk_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """Chunks, best first.

    Attributes:
        chunks: Those with text, each id once.
        scores: Of each id, in [0, 1].
        left_out: Chunks that are none of these, each with `chunk_id` and `reason`.
    """

    chunks: tuple[Chunk, ...]
    scores: Mapping[str, float]
    left_out: tuple[dict[str, object], ...]


def chunks_from_sections(sections: Iterable[object] | None) -> list[Chunk]:
    """Sections as a retriever returns them, or passages of any other form, as chunks.

    Scores are divided by the largest of the batch where that is above 1, so that the best is 1.0; `metadata` keeps what
    was given as `raw_score`. Without any score every chunk has 1.0. Passages without an id are named after their title
    and page, or their place.

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
    """Sort chunks by score, highest first, equal ones in their order; of several with one id the first counts."""
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
    """The id of a chunk; made of title and page where there is none, with a number where that is taken."""
    title, page = chunk.metadata.get("title"), chunk.metadata.get("page_num")
    made = f"{title}, page {page}" if page is not None else str(title)
    name = chunk.chunk_id if named or not title else "".join("()"["[]".index(c)] if c in "[]" else c for c in made)
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name} ({taken[name]})"
