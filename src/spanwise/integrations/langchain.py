"""LangChain and LangGraph: checked answers, a retriever, a loader, and a graph node that checks what a graph wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Unpack

from spanwise.integrations.answers import framework

with framework("langchain"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig

from spanwise.contract.result import Result
from spanwise.engine import AnswerOptions
from spanwise.errors import InputError
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.integrations.answers import Answerer, finding, found, opened, passages_of


class GuardedAnswer(Runnable[dict[str, Any], AIMessage]):
    """From `{"question": ..., "documents": [...]}` to a message whose text block cites the lines that prove it.

    The annotations of the block are `Citation`s; their `extras` have document, lines, page and boxes. The message's
    `response_metadata` has decision and confidence.
    """

    def __init__(self, **options: Unpack[AnswerOptions]) -> None:
        """Set how answers are written: `model`, `mode`, `policy`, ... as for `spanwise.answer`."""
        self._answerer = Answerer(options)

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> AIMessage:
        """Answer a question from documents."""
        return self._call_with_config(self._answer, input, config)

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> AIMessage:
        """Answer a question from documents."""
        return await self._acall_with_config(self._aanswer, input, config)

    def _answer(self, given: Mapping[str, Any]) -> AIMessage:
        return _message(self._answerer.answer(*_asked(given)))

    async def _aanswer(self, given: Mapping[str, Any]) -> AIMessage:
        return _message(await self._answerer.aanswer(*_asked(given)))


class SpanwiseRetriever(BaseRetriever):
    """Finds the passages of a corpus that match the words of a query, each with lines, page and boxes."""

    corpus: Any
    k: int = 10

    def __init__(self, corpus: Corpus | str | os.PathLike[str], **options: Any) -> None:
        """Search a corpus, or the one at a path."""
        super().__init__(corpus=opened(corpus), **options)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del run_manager
        return [
            _document(hit.passage, place | {"score": hit.score}) for hit, place in found(self.corpus, query, self.k)
        ]


class SpanwiseLoader(BaseLoader):
    """Reads files into documents of a few paragraphs each, with lines, page and boxes."""

    def __init__(self, *paths: str | os.PathLike[str], password: str | None = None) -> None:
        """Load files, folders and globs; `password` opens encrypted PDFs."""
        self._paths, self._password = paths, password

    def lazy_load(self) -> Iterator[Document]:
        """The passages of one file after another."""
        for passage, place in passages_of(self._paths, self._password):
            yield _document(passage, place)


class SpanwiseGuard:
    """A LangGraph node that checks an answer in the state against documents in the state.

    It writes `{into: {"holds", "score", "finding"}}`; `route`, for conditional edges, is "holds" or "fails".

        graph.add_node("guard", guard := SpanwiseGuard())
        graph.add_conditional_edges("guard", guard.route, {"holds": END, "fails": "write"})
    """

    def __init__(self, *, answer: str = "answer", documents: str = "documents", into: str = "guard") -> None:
        """Set the keys of the state: `answer` is a text, a message, or messages, of which the last is checked."""
        self._answer, self._documents, self._into = answer, documents, into

    def __call__(self, state: Any) -> dict[str, Any]:
        """Check the answer; `finding` has a line for each claim that does not hold."""
        text, documents = (_of_state(state, key) for key in (self._answer, self._documents))
        checked = verify(_text(text), documents)
        holds = checked.supported and checked.citations_hold
        return {self._into: {"holds": holds, "score": checked.score, "finding": finding(checked)}}

    def route(self, state: Any) -> Literal["holds", "fails"]:
        """The target of a conditional edge."""
        return "holds" if _of_state(state, self._into)["holds"] else "fails"


def _asked(given: Mapping[str, Any]) -> tuple[str, Any]:
    if not isinstance(given, Mapping) or not {"question", "documents"} <= given.keys():
        told = sorted(given) if isinstance(given, Mapping) else type(given).__name__
        raise InputError(f'GuardedAnswer is invoked with {{"question": ..., "documents": [...]}}, not {told}')
    return given["question"], given["documents"]


def _message(result: Result) -> AIMessage:
    told: Any = result.to("langchain")
    return AIMessage(**{name: value for name, value in told.items() if name != "type"})


def _document(passage: Any, metadata: dict[str, object]) -> Document:
    return Document(page_content=passage.text, metadata=metadata, id=passage.id)


def _of_state(state: Any, key: str) -> Any:
    """A value of the state, which may be a mapping, a dataclass or a model."""
    value = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    if value is None:
        raise InputError(f"the state has no {key!r}: name the keys of the state where SpanwiseGuard is made")
    return value


def _text(answer: Any) -> str:
    last = answer[-1] if isinstance(answer, list) and answer else answer
    text = getattr(last, "text", last)
    return str(text() if callable(text) and not isinstance(text, str) else text)
