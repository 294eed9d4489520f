"""Haystack: a generator of checked answers, a retriever, a converter, and an evaluator of faithfulness."""

# No `from __future__ import annotations`: Haystack inspects the types of sockets when a component is created.
import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, Unpack

from spanwise.integrations.answers import framework

with framework("haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.core import serialization
    from haystack.dataclasses import GeneratedAnswer

from spanwise.contract.result import Result
from spanwise.engine import AnswerOptions
from spanwise.errors import InputError
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.integrations.answers import Answerer, found, opened, passages_of, source_of

if hasattr(serialization, "allow_deserialization_module"):  # allows loading pipelines with these components
    serialization.allow_deserialization_module(__name__)


@component
class SpanwiseGenerator:
    """Answers a query from documents, checked; the documents of the answer are the lines that prove it.

    Each has the metadata and score of the document that it is part of, and lines, page and boxes; `meta` of the answer
    has decision and confidence.
    """

    def __init__(self, **options: Unpack[AnswerOptions]) -> None:
        """Set how answers are written: `model`, `mode`, `policy`, ... as for `spanwise.answer`."""
        self._options = options
        self._answerer = Answerer(options)

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[GeneratedAnswer]]:
        """Answer a query."""
        return {"answers": [_answer(self._answerer.answer(query, _passages(documents)), documents)]}

    @component.output_types(answers=list[GeneratedAnswer])
    async def run_async(self, query: str, documents: list[Document]) -> dict[str, list[GeneratedAnswer]]:
        """Answer a query."""
        return {"answers": [_answer(await self._answerer.aanswer(query, _passages(documents)), documents)]}

    def to_dict(self) -> dict[str, Any]:
        """The serialised form for pipelines.

        Raises:
            InputError: The model is an object: only a name can be serialised.
        """
        if not isinstance(self._options.get("model"), str | None):
            raise InputError('a pipeline keeps the name of a model, not the object: give model="provider:name"')
        return default_to_dict(self, **self._options)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The generator from its serialised form."""
        return default_from_dict(cls, data)


@component
class SpanwiseRetriever:
    """Finds the passages of a corpus that match the words of a query, each with lines, page and boxes."""

    def __init__(self, corpus: Corpus | str | os.PathLike[str], top_k: int = 10) -> None:
        """Search a corpus, or the one at a path."""
        self._corpus, self._path, self._top_k = opened(corpus), corpus, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """The best passages for a query."""
        hits = found(self._corpus, query, self._top_k if top_k is None else top_k)
        return {"documents": [_document(hit.passage, place, hit.score) for hit, place in hits]}

    def to_dict(self) -> dict[str, Any]:
        """The serialised form for pipelines.

        Raises:
            InputError: The corpus is an object: only a path can be serialised.
        """
        if isinstance(self._path, Corpus):
            raise InputError("a pipeline keeps the path of a corpus, not the object: give the path")
        return default_to_dict(self, corpus=os.fspath(self._path), top_k=self._top_k)


@component
class SpanwiseConverter:
    """Reads files into documents of a few paragraphs each, with lines, page and boxes."""

    @component.output_types(documents=list[Document])
    def run(self, sources: list[str]) -> dict[str, list[Document]]:
        """The passages of files, folders and globs."""
        return {"documents": [_document(passage, place) for passage, place in passages_of(sources)]}


@component
class SpanwiseEvaluator:
    """Checks answers against their contexts without a model, with the sockets of `FaithfulnessEvaluator`."""

    @component.output_types(individual_scores=list[float], score=float, results=list[dict[str, Any]])
    def run(self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]) -> dict[str, Any]:
        """The share of each answer's statements that its contexts support, and the mean of all."""
        del questions  # support depends only on the statement and the contexts
        if len(contexts) != len(predicted_answers):
            raise InputError(f"there are {len(predicted_answers)} answers and {len(contexts)} contexts: give one each")
        results = [_evaluated(answer, own) for answer, own in zip(predicted_answers, contexts, strict=True)]
        scores = [one["score"] for one in results]
        return {"individual_scores": scores, "score": sum(scores) / (len(scores) or 1), "results": results}

    @component.output_types(individual_scores=list[float], score=float, results=list[dict[str, Any]])
    async def run_async(
        self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]
    ) -> dict[str, Any]:
        """As `run`, in a thread."""
        return await asyncio.to_thread(self.run, questions, contexts, predicted_answers)


def _evaluated(answer: str, contexts: Sequence[str]) -> dict[str, Any]:
    checked = verify(answer, contexts)
    return {
        "statements": [claim.text for claim in checked.claims],
        "statement_scores": [int(claim.support == "supported") for claim in checked.claims],
        "score": checked.supported_share,
        "status": "evaluated",
        "reasons": [claim.reason for claim in checked.claims],
    }


def _passages(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """The documents as passages; those without text (pictures) are empty."""
    return [{"id": one.id, "text": one.content or "", "metadata": one.meta} for one in documents]


def _answer(result: Result, documents: Sequence[Document]) -> GeneratedAnswer:
    answer = GeneratedAnswer.from_dict(result.to("haystack"))
    parts = []
    for citation, one in zip(result.citations, answer.documents, strict=True):
        source = source_of(result, citation.id, documents)
        parts.append(replace(one, meta=source.meta | one.meta, score=source.score))
    return replace(answer, documents=parts)


def _document(passage: Any, meta: dict[str, object], score: float | None = None) -> Document:
    return Document(id=passage.id, content=passage.text, meta=meta, score=score)
