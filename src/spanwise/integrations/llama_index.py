"""LlamaIndex: a response synthesizer, a retriever, a reader and an evaluator; none needs a provider's API key."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any, NamedTuple, Unpack

from spanwise.integrations.answers import framework

with framework("llama-index"):
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.llms import MockLLM
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.response_synthesizers import BaseSynthesizer
    from llama_index.core.schema import Document, NodeRelationship, NodeWithScore, QueryBundle, TextNode

from spanwise.contract.result import Result
from spanwise.engine import AnswerOptions
from spanwise.errors import InputError
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.integrations.answers import PLACE, Answerer, finding, found, opened, passages_of, source_of

_UNSEEN = {"excluded_llm_metadata_keys": [*PLACE], "excluded_embed_metadata_keys": [*PLACE]}


class _NoPrompts:
    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: dict[str, Any]) -> None:
        if prompts:
            raise InputError("these prompts are not used: spanwise.Synthesizer takes templates of your own")


class _Answered(NamedTuple):
    """A text that carries its result through LlamaIndex, so that the response can show the citations."""

    result: Result
    given: Sequence[NodeWithScore]
    awaited: bool


class SpanwiseSynthesizer(_NoPrompts, BaseSynthesizer):
    """Answers from the nodes, checked; `source_nodes` are the lines that prove the answer, in order.

    A source node has the metadata and score of the node that it is part of (its relationship `SOURCE`), and document,
    lines, page and boxes. `metadata["spanwise"]` of the response has decision and confidence.
    """

    def __init__(
        self, *, streaming: bool = False, callback_manager: Any = None, **options: Unpack[AnswerOptions]
    ) -> None:
        """Set how answers are written: `model`, `mode`, `policy`, ... as for `spanwise.answer`."""
        super().__init__(llm=MockLLM(), callback_manager=callback_manager, streaming=streaming)
        self._answerer = Answerer(options)

    def synthesize(self, query: Any, nodes: list[NodeWithScore], *added: Any, **kwargs: Any) -> Any:
        """Answer a query from nodes."""
        if not nodes:  # LlamaIndex's own response does not say that nothing was found
            return self._prepare_response_output(self.get_response(getattr(query, "query_str", query), [], []), [])
        # LlamaIndex would render every node that it is given into a prompt.
        return super().synthesize(query, nodes[:1], *added, given=nodes, **kwargs)

    async def asynthesize(self, query: Any, nodes: list[NodeWithScore], *added: Any, **kwargs: Any) -> Any:
        """Answer a query from nodes."""
        if not nodes:
            return self._prepare_response_output(
                await self.aget_response(getattr(query, "query_str", query), [], []), []
            )
        return await super().asynthesize(query, nodes[:1], *added, given=nodes, **kwargs)

    def get_response(self, query_str: str, text_chunks: Sequence[str], given: Any = None, **_: Any) -> Any:
        """Answer a query from texts."""
        result = self._answerer.answer(query_str, text_chunks if given is None else _passages(given))
        return _text(result) if given is None else _Answered(result, given, awaited=False)

    async def aget_response(self, query_str: str, text_chunks: Sequence[str], given: Any = None, **_: Any) -> Any:
        """Answer a query from texts."""
        result = await self._answerer.aanswer(query_str, text_chunks if given is None else _passages(given))
        return _text(result) if given is None else _Answered(result, given, awaited=True)

    def _prepare_response_output(self, response_str: _Answered, source_nodes: list[NodeWithScore]) -> Any:
        result, given, awaited = response_str
        shown: Any = result.to("llamaindex")
        pairs = zip(result.citations, shown["source_nodes"], strict=True)
        cited = [_cited(one["node"], source_of(result, citation.id, given)) for citation, one in pairs]
        metadata = {one.node_id: one.metadata for one in cited} | {"spanwise": shown["metadata"]}
        told = {"source_nodes": [*cited, *source_nodes[1:]], "metadata": metadata}
        if not self._streaming:
            return Response(shown["response"], **told)
        pieces = shown["response"].splitlines(keepends=True)  # already checked, so nothing has to be withdrawn later
        return AsyncStreamingResponse(_awaited(pieces), **told) if awaited else StreamingResponse(iter(pieces), **told)


class SpanwiseRetriever(BaseRetriever):
    """Finds the passages of a corpus that match the words of a query, each with lines, page and boxes."""

    def __init__(self, corpus: Corpus | str | os.PathLike[str], k: int = 10) -> None:
        """Search a corpus, or the one at a path, for the best `k` passages."""
        self._corpus, self._k = opened(corpus), k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = found(self._corpus, query_bundle.query_str, self._k)
        nodes = [TextNode(id_=one.passage.id, text=one.passage.text, metadata=place, **_UNSEEN) for one, place in hits]
        return [NodeWithScore(node=node, score=one.score) for node, (one, _) in zip(nodes, hits, strict=True)]


class SpanwiseReader(BaseReader):
    """Reads files into documents of a few paragraphs each, with lines, page and boxes."""

    def lazy_load_data(
        self, file: str | os.PathLike[str], extra_info: dict[str, Any] | None = None, password: str | None = None
    ) -> Iterator[Document]:
        """The passages of a file, a folder or a glob; `extra_info` is added to the metadata of each."""
        for one, place in passages_of([file], password):
            yield Document(id_=one.id, text=one.text, metadata=(extra_info or {}) | place, **_UNSEEN)


class SpanwiseEvaluator(_NoPrompts, BaseEvaluator):
    """Checks a response against its contexts without a model; the feedback lists each claim that does not hold."""

    async def aevaluate(self, query: Any = None, response: Any = None, contexts: Any = None, **_: Any) -> Any:
        """Check a response; the score (0 to 1) is the probability that every claim is supported."""
        if response is None or contexts is None:
            raise InputError("the evaluator checks a response against contexts: give both")
        checked = await asyncio.to_thread(verify, response, contexts)
        told = {"query": query, "response": response, "contexts": contexts, "feedback": finding(checked)}
        return EvaluationResult(passing=checked.supported and checked.citations_hold, score=checked.score, **told)


def _text(result: Result) -> str:
    """The answer as a response shows it: possible answers are told to be such."""
    shown: Any = result.to("llamaindex")
    return str(shown["response"])


def _passages(nodes: Sequence[NodeWithScore]) -> list[dict[str, Any]]:
    """The nodes as passages, without what templates add to their text."""
    return [{"id": one.node_id, "text": one.node.get_content(), "metadata": one.metadata} for one in nodes]


def _cited(shown: dict[str, Any], source: NodeWithScore) -> NodeWithScore:
    """The node of a citation, made from the node that it is part of."""
    told = {"metadata": source.metadata | shown["metadata"], **_UNSEEN}
    whole = {NodeRelationship.SOURCE: source.node.as_related_node_info()}
    node = TextNode(id_=shown["id_"], text=shown["text"], relationships=whole, **told)
    return NodeWithScore(node=node, score=source.score)


async def _awaited(pieces: Sequence[str]) -> AsyncGenerator[str, None]:
    for piece in pieces:
        yield piece
