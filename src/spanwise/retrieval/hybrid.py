"""Hybrid search: vectors and a reranker in addition to the full-text search, which they never replace.

The vector similarity of a passage becomes a further factor of its score (`vectors`), and the nearest passages become
candidates even if they share no word with the question. None of this happens unless an embedder or a reranker is given.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import SupportsFloat, TypeAlias

from spanwise.domain.passage import Hit
from spanwise.errors import CorpusBusyError, InputError
from spanwise.llm.embedding import Embedder, Vector
from spanwise.llm.onnx_model import OnnxModel
from spanwise.store.port import Snapshot
from spanwise.store.snapshot import StoreSnapshot
from spanwise.store.vectors import Followed, VectorIndex, Vectors

Reranker: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""From a question and texts to a score for each text, higher for a better answer."""

WEIGHT = 1.0
"""The weight of vector similarity relative to the full-text score, both normalised to [0, 1].

The default weighs them equally: a convex combination of normalised scores was at least as good as a fusion of ranks,
and not sensitive to the weight (S. Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). It is
not fitted, because the best weight depends on the embedder, and none is included.
"""
NEAREST = 200
"""Number of nearest passages that are scored; the farthest of them gets 0, because embedders differ in scale."""
RERANKED = 50
"""Number of hits that a reranker reorders."""
_REMEMBERED = 256
"""Number of question vectors that are cached, because one question is searched for several times."""


class Hybrid:
    """An embedder, a reranker, or both, for one corpus; thread-safe."""

    def __init__(
        self,
        embedder: Embedder | None = None,
        *,
        reranker: Reranker | None = None,
        weight: float = WEIGHT,
        told: Callable[[str], None] | None = None,
    ) -> None:
        """Check and store the components.

        Args:
            embedder: The model that computes the vectors.
            reranker: The function that reorders the best hits.
            weight: The weight of vector similarity relative to a full-text score of weight 1; above 0.
            told: Called with a message when all passages have to be embedded again; a warning by default.

        Raises:
            InputError: An argument is of the wrong type, or the weight is not above 0.
        """
        if not 0 < weight <= _MOST_WEIGHT:
            raise InputError(f"the weight of vectors is {weight}: give a number above 0, 1 for as much as the words")
        if embedder is not None and not isinstance(embedder, Embedder):
            raise InputError("an embedder has a name, a dimension and embed(texts, role): see docs/hybrid.md")
        if reranker is not None and not callable(reranker):
            raise InputError("a reranker is called with a question and texts, and gives a number for each text")
        self.embedder, self.reranker, self.weight = embedder, reranker, weight
        self._told = told or (lambda sentence: warnings.warn(sentence, stacklevel=2))
        self._guard = threading.Lock()
        self._index: VectorIndex | None = None
        self._asked: dict[str, Vector] = {}

    def beside(self, now: Snapshot) -> Snapshot:
        """The snapshot extended by the search with vectors and the reranker.

        Raises:
            ModelError: New passages could not be embedded.
            StorageError: The vectors cannot be stored.
        """
        if not isinstance(now, StoreSnapshot):
            return now
        vectors = None
        if self.embedder is not None:
            with suppress(CorpusBusyError):  # the process that is embedding will store what is missing here
                self.follow(now)
            vectors = self._opened(now).now()
        return now.with_companion(_Beside(self, now, vectors))

    def elsewhere(self) -> Hybrid:
        """A `Hybrid` with the same embedder and reranker for another corpus."""
        return Hybrid(self.embedder, reranker=self.reranker, weight=self.weight, told=self._told)

    def follow(self, now: Snapshot, progress: Callable[[int, int], None] | None = None, *, wait: float = 0) -> Followed:
        """Bring the vector index of a corpus up to date.

        Args:
            now: A snapshot of the corpus.
            progress: Called with the number of changed documents that are done and their total.
            wait: Most seconds to wait for another process that is embedding.

        Raises:
            CorpusBusyError: Another process is embedding.
            ModelError, StorageError: As for `beside`.
        """
        if self.embedder is None or not isinstance(now, StoreSnapshot):
            return Followed(0)
        followed = self._opened(now).follow(now.tables, self.embedder.embed, progress, wait)
        if followed.renewed is not None:
            self._told(followed.renewed)
        return followed

    def close(self) -> None:
        """Close the file of the vector index."""
        with self._guard:
            if self._index is not None:
                self._index.close()

    def vector(self, question: str) -> Vector:
        """The vector of a question, cached; empty without an embedder."""
        with self._guard:
            known = self._asked.get(question)
        if known is None and self.embedder is not None:
            [known] = self.embedder.embed([question], "query")
            with self._guard:
                if len(self._asked) >= _REMEMBERED:
                    self._asked.clear()
                self._asked[question] = known
        return () if known is None else known

    def _opened(self, now: StoreSnapshot) -> VectorIndex:
        with self._guard:
            if self._index is None and self.embedder is not None:
                self._index = VectorIndex(now.directory, self.embedder.name, self.embedder.dimension)
            if self._index is None:
                raise InputError("there is no embedder")
            return self._index


class _Beside:
    """The vectors and the reranker for one snapshot, as a `spanwise.store.snapshot.Companion`."""

    def __init__(self, hybrid: Hybrid, now: StoreSnapshot, vectors: Vectors | None) -> None:
        self._hybrid, self._now, self._vectors = hybrid, now, vectors
        self.weight = hybrid.weight

    def near(self, question: str, documents: Collection[str] | None) -> Sequence[Hit]:
        """The passages with the nearest vectors, scored from 1 for the nearest to 0 for the farthest of `NEAREST`."""
        if self._vectors is None or not len(self._vectors):
            return ()
        ranked = self._vectors.nearest(self._hybrid.vector(question), NEAREST, documents)
        if not ranked:
            return ()
        # Passages that this snapshot lacks are left out.
        passages = self._now.tables.passages_numbered([one.passage for one in ranked])
        best, farthest = ranked[0].score, ranked[-1].score
        room = best - farthest
        hits = [
            Hit(passages[one.passage], (one.score - farthest) / room if room else 1.0)
            for one in ranked
            if one.passage in passages
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.line_start))

    def ordered(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with the best ones reordered; each rank keeps its score, since later steps were fitted on those."""
        if self._hybrid.reranker is None or not hits:
            return list(hits)
        best = list(hits[:RERANKED])
        found = list(self._hybrid.reranker(question, [hit.passage.text for hit in best]))
        numbers = all(isinstance(one, SupportsFloat) and math.isfinite(one) for one in found)
        if len(found) != len(best) or not numbers:
            raise InputError(f"the reranker gave {len(found)} scores for {len(best)} texts: give one number for each")
        order = sorted(range(len(best)), key=lambda at: (-found[at], at))
        moved = [
            replace(
                best[at], score=best[place].score, factors={**best[at].factors, "reranker": round(float(found[at]), 4)}
            )
            for place, at in enumerate(order)
        ]
        return [*moved, *hits[RERANKED:]]


class OnnxReranker:
    """A `Reranker` that runs the user's cross-encoder, an ONNX file with a `tokenizer.json` beside it."""

    def __init__(self, model: str | Path, tokenizer: str | Path | None = None, *, tokens: int = 512) -> None:
        """Load a model that scores pairs of question and text; if it has several outputs, the last one is the score.

        Raises:
            InputError: A file is missing or cannot be read.
            MissingExtraError: onnxruntime or tokenizers are not installed.
        """
        self._model = OnnxModel(model, tokenizer, tokens=tokens)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, higher if it answers the question better."""
        scores: list[float] = []
        for start in range(0, len(texts), _PAIRS):
            found, _ = self._model.run([(question, text) for text in texts[start : start + _PAIRS]])
            scores += found.reshape(len(found), -1)[:, -1].tolist()
        return scores


_PAIRS = 16
_MOST_WEIGHT = 100.0
