"""The engine, and the functions of the public interface: they choose the concrete corpus, writer, model and search.

Only this module knows the concrete classes. A question becomes a `Request`; `spanwise.answering.ask` turns it into a
flow (a generator that yields model calls), which is driven here: once, in async code, or many side by side. The result
gets a highlighter bound to the cited files.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

from spanwise.domain.claim import Policy, policy_named
from spanwise.domain.document import Document
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import InputError, ModeError, QuestionError, ServiceError, SpanwiseError, expect

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from spanwise.answering.ask import EngineEvent
    from spanwise.answering.decision import OnInvalid
    from spanwise.answering.grounding import Grounding
    from spanwise.answering.loop import Writer
    from spanwise.answering.request import Request
    from spanwise.answering.telemetry import Observation
    from spanwise.contract.answers import AnswerBase, AnswerWithEvidence
    from spanwise.contract.result import Highlighter, Result
    from spanwise.contract.validation.problems import Problem
    from spanwise.domain.claim import Citation
    from spanwise.domain.question import Question, Scope
    from spanwise.executors import Client
    from spanwise.ingest.corpus import Corpus
    from spanwise.ingest.ingest import IngestReport, Progress
    from spanwise.llm.embedding import Embedder
    from spanwise.llm.flow import Flow
    from spanwise.llm.port import Model
    from spanwise.retrieval.hybrid import Hybrid, Reranker
    from spanwise.store.port import Lines, Snapshots
    from spanwise.synthesis.generation.writing import Strategy
    from spanwise.synthesis.response import Plan

Documents: TypeAlias = "str | os.PathLike[str] | Document | Iterable[str | os.PathLike[str] | Document]"

WITHOUT_MODEL = "extractive"
TYPED = "typed"
TOGETHER = 32
"""Number of questions that `ask_many` runs concurrently by default."""


class Outcomes(list["Result | SpanwiseError"]):
    """A list with the result of each question, or the error that it met, in the order of the questions."""

    def results(self) -> list[Result]:
        """The results of all questions.

        Raises:
            SpanwiseError: The error of the first question that failed.
        """
        for outcome in self.errors():
            raise outcome
        return [outcome for outcome in self if not isinstance(outcome, SpanwiseError)]

    def errors(self) -> list[SpanwiseError]:
        """The errors of the questions that failed, in their order."""
        return [outcome for outcome in self if isinstance(outcome, SpanwiseError)]


class Demand(TypedDict, total=False):
    """The optional arguments of one question (see `Engine.ask`)."""

    documents: Collection[str] | None
    type: str | None
    shape: str | None
    scope: Scope | None
    policy: Policy | None


class AnswerOptions(TypedDict, total=False):
    """The optional arguments of `answer`."""

    model: Model | str | None
    mode: str | None
    policy: Policy
    type: str | None
    shape: str | None
    profile: str | None


class Engine:
    """Answers questions from one corpus; each question sees the documents as they were when it was asked.

    Example:
        >>> corpus = Corpus.open("corpus.db")
        >>> Engine(corpus).ask("What is the late payment penalty?").text
    """

    def __init__(
        self,
        corpus: Snapshots,
        *,
        model: Model | str | None = None,
        mode: str | None = None,
        profile: str | None = None,
        password: str | None = None,
        strategy: Strategy = "combined",
        on_invalid: OnInvalid = "retry",
        max_concurrency: int = 8,
        reader_for_reparse: str | None = None,
        keyword_table: str | os.PathLike[str] | None = None,
        telemetry: bool | Literal["content"] = False,
        examples: str | os.PathLike[str] | None = None,
        policy: Policy = "prune",
        language: str | None = None,
        whole: bool = False,
        stronger_model: str | None = None,
        embedder: Embedder | Hybrid | str | None = None,
        reranker: Reranker | str | os.PathLike[str] | None = None,
        vector_weight: float | None = None,
    ) -> None:
        """Configure how questions are answered.

        Args:
            corpus: The documents to search: a `Corpus`, or a snapshot of one (`Corpus.snapshot`).
            model: The model that writes the answers, or its name for `spanwise.model_from`. None: no model is called.
            mode: How answers are written: `extractive` calls no model and is the default without one; `typed` has the
                model fill the typed contract from numbered lines and is the default with one; `compact`, `refine`,
                `tree_summarize` and the other response modes (`spanwise.MODES`) have it write running text.
            profile: What kind of documents these are: contracts, filings, standards, or the path of a TOML file. By
                default each question is parsed with the built-in profiles that fit the documents searched.
            password: The password of encrypted documents, needed to highlight them.
            strategy: `combined` sends the passages of a document in one call, `sequential` one by one until an answer
                is found.
            on_invalid: What happens when a model's answer is invalid: `retry`, `flag` or `reject` (see `route`).
            max_concurrency: The most model calls at the same time.
            reader_for_reparse: The name of the reader for documents that the model reports as garbled; by default
                another one that accepts files of that format (see `register_reader`).
            keyword_table: A file in which the words discovered in answers are counted for each kind of document and
                question; none by default. `spanwise.answering.vocabulary.Vocabulary` reads it.
            telemetry: Whether questions, searches and model calls are recorded as spans of the OpenTelemetry provider
                that the program has configured (extra `otel`); "content" also records questions, passages and replies.
            examples: A folder of traces; their checked answers to similar questions are shown to the model as examples
                (mode `typed`).
            language: The code of the language of the questions (de, fr, ...; see docs/languages.md). By default it is
                detected from the words of each question; give it where questions are short. Messages of Spanwise stay
                English.
            policy: What is returned of a model's text that is not supported: `prune` removes what fails and marks what
                is uncertain, `mark` removes nothing and marks both, `strict` removes both. Typed values that their
                lines do not state are never returned.
            whole: Whether every passage of the corpus is read for each question, the best matches first: for passages
                that were retrieved elsewhere.
            stronger_model: The name of another model of the same provider. It writes when more than one value is asked
                for (a list, a table, several parts), and in every pass after the first; `model` writes the rest.
            embedder: Adds semantic search: an embedder, or its name for `spanwise.embedder_from`. Passages without a
                vector are embedded first. Or a `spanwise.retrieval.hybrid.Hybrid`, whose vectors several engines of one
                corpus can share.
            reranker: Reorders the best passages: a callable that takes the question and their texts and returns a score
                for each; or the path of a cross-encoder in an ONNX file.
            vector_weight: The weight of vector similarity relative to the full-text score; 1 weighs them equally.

        Raises:
            InputError: The mode, model, profile, policy, embedder or reranker does not exist, or the mode needs a
                model.
            MissingExtraError: `telemetry` is asked for and OpenTelemetry is not installed.
        """
        if not hasattr(corpus, "search"):
            raise InputError(
                f"an engine asks a Corpus, not {type(corpus).__name__}: give spanwise.Corpus.open('corpus.db'), or ask "
                "files by spanwise.ask(question, 'report.pdf')"
            )
        if language is not None:
            from spanwise.text.languages import known_language

            known_language(language)
        if profile is not None:
            from spanwise.questions.profiles import load_profile

            load_profile(profile)  # a wrong name fails here, not at the first question
        if reader_for_reparse is not None:
            from spanwise.answering.loop import Rereader

            Rereader(reader_for_reparse)
        self._corpus = corpus
        self._options: Mapping[str, object] = {
            "model": model,
            "mode": mode,
            "profile": profile,
            "password": password,
            "strategy": strategy,
            "on_invalid": on_invalid,
            "max_concurrency": max_concurrency,
            "policy": policy,
            "language": language,
            "whole": whole,
            "stronger_model": stronger_model,
        }
        self._model = chosen_model(model, mode=mode)
        self._writer = _writer(mode, self._model, strategy, max_concurrency)
        if examples is not None:
            self._writer = _with_examples(self._writer, examples)
        self._profile = profile
        self._language = language
        self._policy = policy_named(policy)
        self._whole = whole
        if stronger_model is not None and self._model is None:
            raise ModeError("a stronger model stands beside a usual one: name that as model too")
        self._stronger = stronger_model
        self._password = password
        self._on_invalid: OnInvalid = on_invalid
        self._max_concurrency = max_concurrency
        self._reader_for_reparse = reader_for_reparse
        self._keyword_table = keyword_table
        self._hybrid = hybrid_of(embedder, reranker, vector_weight)
        self._tracer: Tracer | None = None
        self._content = telemetry == "content"
        if telemetry:
            from spanwise.answering.telemetry import tracer

            self._tracer = tracer()

    def ask(
        self,
        question: str,
        *,
        documents: Collection[str] | None = None,
        type: str | None = None,
        shape: str | None = None,
        scope: Scope | None = None,
        policy: Policy | None = None,
    ) -> Result:
        """Answer one question.

        Args:
            question: The question in natural language.
            documents: Names of the documents to search; the whole corpus by default.
            type: The type that the answer's values must have: amount, date, boolean, address, iban, ... or a registered
                label. Where no such value is found the answer is `not_found`, never text in its place. By default the
                type is inferred from the question, and the answer is text where no value of that type is found.
            shape: The structure of the answer: single, listing, table, tree or nested_json. By default it is inferred
                from the question.
            scope: A section, pages or lines that the question is limited to; nothing outside is searched, cited or
                counted as proof. By default the question's own words decide where to look.
            policy: What is returned of text that is not supported; the engine's policy by default.

        Raises:
            QuestionError: The question is empty or too long.
            InputError: The shape does not exist, or no document has anything in scope.
            DocumentNotFoundError: One of `documents` is not in the corpus.
            ModelError: A model call failed.
        """
        demand: Demand = {"documents": documents, "type": type, "shape": shape, "scope": scope, "policy": policy}
        flow = self._flow(question, demand)
        if self._model is None:
            from spanwise.answering.ask import without_model

            return without_model(flow)
        from spanwise.llm.run import drive

        return drive(flow, self._model, max_concurrency=self._max_concurrency)

    async def aask(self, question: str, **demand: Unpack[Demand]) -> Result:
        """`ask` for async code; without a model the work is done in a thread."""
        await self._prepared(question)
        flow = self._flow(question, demand)
        if self._model is None:
            import asyncio

            from spanwise.answering.ask import without_model

            return await asyncio.to_thread(without_model, flow)
        from spanwise.llm.run import adrive

        return await adrive(flow, self._model, max_concurrency=self._max_concurrency)

    def stream(self, question: str, **demand: Unpack[Demand]) -> Generator[EngineEvent, None, None]:
        """Answer one question and yield events: each answered model call, then the checked text with its citations.

        Text is yielded only after the guard has checked it, since the guard may remove what a model wrote. The text
        pieces joined together are the result's text, and a citation's id is the same as in the result.

        Raises:
            QuestionError, InputError, DocumentNotFoundError, ModelError: As for `ask`.
        """
        from spanwise.answering.ask import streamed

        flow = self._flow(question, demand)
        yield from streamed(flow, self._model, self._max_concurrency)

    async def astream(self, question: str, **demand: Unpack[Demand]) -> AsyncGenerator[EngineEvent, None]:
        """`stream` for async code; without a model the work is done in a thread."""
        from spanwise.answering.ask import astreamed

        await self._prepared(question)
        flow = self._flow(question, demand)
        async with aclosing(astreamed(flow, self._model, self._max_concurrency)) as told:
            async for event in told:
                yield event

    def ask_many(
        self,
        questions: Sequence[str],
        *,
        together: int = TOGETHER,
        progress: Callable[[int, int], None] | None = None,
        client: Client | None = None,
        **demand: Unpack[Demand],
    ) -> Outcomes:
        """Answer many questions, `together` of them concurrently.

        Each round sends the model calls that all of the running questions wait for.

        To resume an interrupted run, run it again with a model that has a cache (`model_from(..., cache=FILE)`): calls
        that were answered are not paid for again.

        Args:
            questions: The questions in natural language.
            together: The number of questions that run concurrently, at least 1.
            progress: Called with the number of questions done and the total.
            client: An executor that asks in place of this process (see `spanwise.executors.Client`). Its workers open
                the corpus by its path or URL, so each question sees the corpus as it is at that moment; the model must
                be given by name.
            demand: As for `ask`.

        Returns:
            For each question its result, or the error that it met; a failure does not stop the other questions. Its
            method `results()` returns the results alone, or raises the first error.

        Raises:
            InputError: `together` is below 1.
        """
        if together < 1:
            raise InputError(f"together is {together}: at least one question has to run at a time")
        if isinstance(questions, str):
            raise InputError("ask_many takes a list of questions: put the one question in a list, or call ask")
        outcomes = Outcomes()
        if client is not None:
            from spanwise.executors import Died, mapped, pool_of

            asking = partial(_asked_elsewhere, self._elsewhere(), demand)
            with pool_of(client, 1) as pool:
                for outcome in mapped(asking, questions, pool):
                    outcomes.append(ServiceError(outcome.message) if isinstance(outcome, Died) else outcome)
                    if progress is not None:
                        progress(len(outcomes), len(questions))
            return outcomes
        for start in range(0, len(questions), together):
            flows = [self._flow(one, demand) for one in questions[start : start + together]]
            if self._model is None:
                outcomes += map(_outcome, flows)
            else:
                from spanwise.llm.run import drive_many

                outcomes += drive_many(flows, self._model, max_concurrency=self._max_concurrency)
            if progress is not None:
                progress(len(outcomes), len(questions))
        return outcomes

    def _elsewhere(self) -> tuple[str, Mapping[str, object]]:
        """The place of the corpus and the options, with which another process creates the same engine."""
        place = getattr(self._corpus, "place", None)
        if place is None:
            raise InputError("client= needs a Corpus in a file or a database: other processes open it themselves")
        if self._model is not None and not isinstance(self._options["model"], str):
            raise InputError("client= needs a model that is named, as text: other processes make their own")
        return place, self._options

    def plan(self, question: str, **demand: Unpack[Demand]) -> Plan:
        """The upper bound of the cost of `ask`, computed without calling the model.

        Raises:
            QuestionError, InputError, DocumentNotFoundError: As for `ask`.
        """
        from spanwise.answering.ask import planned

        with self._corpus.snapshot() as now:
            return planned(
                self._request(question, **demand),
                now if self._hybrid is None else self._hybrid.beside(now),
                self._writer,
            )

    async def _prepared(self, question: str) -> None:
        """Compute in a thread what would block the event loop: vectors of new passages, and of the question."""
        hybrid = self._hybrid
        if hybrid is None or hybrid.embedder is None:
            return
        import asyncio

        def prepare() -> None:
            with self._corpus.snapshot() as now:
                hybrid.beside(now)
            hybrid.vector(_words(question))

        await asyncio.to_thread(prepare)

    def _flow(self, question: str, demand: Demand) -> Flow[Result]:
        from spanwise.answering.ask import answering
        from spanwise.answering.loop import Rereader
        from spanwise.answering.vocabulary import Vocabulary

        request = self._request(question, **demand)
        observation = self._observation()
        with self._corpus.snapshot() as now:
            flow = answering(
                request,
                now if self._hybrid is None else self._hybrid.beside(now),
                self._writer,
                on_invalid=self._on_invalid,
                rereader=Rereader(self._reader_for_reparse, self._password),
                vocabulary=None if self._keyword_table is None else Vocabulary(self._keyword_table),
                retrieved=None if observation is None else observation.retrieved,
            )
            if observation is not None:
                flow = observation.observed(flow, request.text)
            result = yield from flow
            return replace(result, highlighter=_highlighter(result.citations, now, self._password))

    def _observation(self) -> Observation | None:
        if self._tracer is None:
            return None
        from spanwise.answering.telemetry import Observation

        return Observation(self._tracer, self._writer.name, self._writer.model, content=self._content)

    def _request(
        self,
        question: str,
        *,
        documents: Collection[str] | None = None,
        type: str | None = None,
        shape: str | None = None,
        scope: Scope | None = None,
        policy: Policy | None = None,
    ) -> Request:
        from spanwise.answering.request import Request

        documents = documents if documents is not None or scope is None else scope.documents
        named = (documents,) if isinstance(documents, str) else documents
        chosen = self._policy if policy is None else policy_named(policy)
        asked = None if named is None else tuple(named)
        return Request(
            _words(question),
            asked,
            self._profile,
            type,
            shape,
            chosen,
            scope,
            self._language,
            self._whole,
            self._stronger,
        )


def _highlighter(citations: Sequence[Citation], now: Lines, password: str | None) -> Highlighter:
    """A highlighter that needs only the files of the cited documents, so that it works after the corpus is closed."""
    from spanwise.export.highlight import SourceFile, highlight

    stored = [now.stored(name) for name in {citation.document: None for citation in citations}]
    files = {
        document.name: SourceFile(Path(document.source.path), document.id, password)
        for document in stored
        if document.source is not None
    }
    return partial(highlight, source_of=files.get)


def _words(question: str) -> str:
    """The question, once it is known to be a string; otherwise a `QuestionError`."""
    expect(question, str, "the question", "it as text", QuestionError)
    return question


@dataclass(frozen=True, slots=True)
class Search:
    """An embedder and a reranker given by name, so that another process can create them too."""

    embedder: str | None = None
    """A name for `spanwise.embedder_from`."""
    url: str | None = None
    """The address of the embedder's server."""
    reranker: str | None = None
    """The path of a cross-encoder in an ONNX file."""

    def hybrid(self) -> Hybrid | None:
        """The search with the named embedder and reranker; None if neither is named."""
        return hybrid_of(self.embedder, self.reranker, url=self.url)


NO_SEARCH = Search()
"""Full-text search only."""


@dataclass(frozen=True, slots=True)
class Written:
    """A model (or none) and a mode that write answers, given by name so that another process can create them."""

    model: str | None = None
    mode: str | None = None
    base_url: str | None = None
    """The address of the model's server."""
    context_window: int | None = None
    """The model's context window in tokens, where it is not known from the name."""
    cache: str | None = None
    """The path of a file in which the model's replies are stored."""

    def chosen(self, **more: Any) -> Model | None:  # noqa: ANN401  # what `model_from` takes
        """The named model, or None if none is named, once the mode is known to exist and to have what it needs."""
        given = {"base_url": self.base_url, "cache": self.cache, **more}
        if self.model is None:
            if self.context_window is not None or any(one is not None for one in given.values()):
                raise InputError(
                    "the address of a server (--base-url), a window (--context-window) and a cache (--cache) are of a "
                    "model: name the model too"
                )
            return chosen_model(None, mode=self.mode)
        from spanwise.llm.providers import model_from

        known = {} if self.context_window is None else {"context_window": self.context_window}
        return chosen_model(model_from(self.model, profile=known, **given), mode=self.mode)


BY_NOBODY = Written()
"""No model: answers are extracted from the documents."""


def hybrid_of(
    embedder: Embedder | Hybrid | str | None,
    reranker: Reranker | str | os.PathLike[str] | None,
    weight: float | None = None,
    *,
    url: str | None = None,
) -> Hybrid | None:
    """The search by vectors and with a reranker; None if neither is wanted."""
    if embedder is None and weight is not None:
        raise InputError("vector_weight is of vectors: name an embedder too")
    if embedder is None and url is not None:
        raise InputError("the address of a server of embeddings (--embedder-url) needs a name: --embedder NAME")
    if embedder is None and reranker is None:
        return None
    from spanwise.retrieval.hybrid import WEIGHT, Hybrid, OnnxReranker

    if isinstance(embedder, Hybrid):
        if reranker is not None or weight is not None:
            raise InputError("a Hybrid has a reranker and a weight of its own: give them where it is made")
        return embedder
    if isinstance(embedder, str):
        from spanwise.llm.embedding import embedder_from

        embedder = embedder_from(embedder, base_url=url)
    if isinstance(reranker, str | os.PathLike):
        reranker = OnnxReranker(Path(reranker))
    return Hybrid(embedder, reranker=reranker, weight=WEIGHT if weight is None else weight)


def chosen_model(model: Model | str | None, *, mode: str | None = None) -> Model | None:
    """The model with that name, once the mode is known to exist and to have what it needs."""
    if isinstance(model, str):
        from spanwise.llm.providers import model_from

        model = model_from(model)
    if model is not None:
        from spanwise.llm.port import known_model

        known_model(model)
    _mode(mode, model)
    return model


def _mode(mode: str | None, model: Model | None) -> str:
    """The name of the mode, by default the one that fits the model; an error if it does not exist or needs a model."""
    chosen = mode or (WITHOUT_MODEL if model is None else TYPED)
    if chosen not in (WITHOUT_MODEL, TYPED):
        from spanwise.synthesis.modes import MODES

        if chosen not in MODES:
            raise ModeError(f"there is no mode {chosen!r}: choose {TYPED} or one of {', '.join(MODES)}")
    if chosen != WITHOUT_MODEL and model is None:
        raise ModeError(f"mode {chosen} needs a model: name one, or use mode {WITHOUT_MODEL}")
    return chosen


def _writer(mode: str | None, model: Model | None, strategy: Strategy, max_concurrency: int = 8) -> Writer:
    chosen = _mode(mode, model)
    if chosen == WITHOUT_MODEL or model is None:
        from spanwise.answering.extractive import Extractive
        from spanwise.answering.loop import HITS

        return Extractive(HITS)
    if chosen == TYPED:
        from spanwise.answering.model_writers import Typed

        return Typed(model.profile, strategy)
    from spanwise.answering.model_writers import Prose

    return Prose.of(chosen, model, max_concurrency=max_concurrency)


def _with_examples(writer: Writer, folder: str | os.PathLike[str]) -> Writer:
    from spanwise.answering.model_writers import Typed
    from spanwise.synthesis.generation.examples import load_examples

    if not isinstance(writer, Typed):
        raise ModeError(f"examples are shown to a model in mode {TYPED}: use it, or leave the examples out")
    return replace(writer, examples=load_examples(folder))


def _asked_elsewhere(engine: tuple[str, Mapping[str, Any]], demand: Demand, question: str) -> Result | SpanwiseError:
    """The outcome of one question of `ask_many`, computed in the worker process that calls this."""
    from spanwise.ingest.corpus import opened_here

    try:
        return Engine(opened_here(engine[0]), **engine[1]).ask(question, **demand)
    except SpanwiseError as error:
        return error


def _outcome(flow: Flow[Result]) -> Result | SpanwiseError:
    from spanwise.answering.ask import without_model

    try:
        return without_model(flow)
    except SpanwiseError as error:
        return error


def ask(
    question: str,
    documents: Documents,
    *,
    model: Model | str | None = None,
    mode: str | None = None,
    type: str | None = None,
    shape: str | None = None,
    scope: Scope | None = None,
    profile: str | None = None,
    password: str | None = None,
    policy: Policy = "prune",
    language: str | None = None,
) -> Result:
    """Answer one question from some documents; without a model, nothing is sent over the network.

    Args:
        question: The question in natural language.
        documents: A path, a folder, a glob, a Document, or several of them.
        model: The model that writes the answer (see `Engine`).
        mode: How the answer is written (see `Engine`).
        type: The type that the answer's values must have (see `Engine.ask`).
        shape: The structure of the answer (see `Engine.ask`).
        scope: A section, pages or lines that the question is limited to (see `Engine.ask`).
        profile: What kind of documents these are (see `Engine`).
        password: The password of encrypted PDFs.
        policy: What is returned of text that is not supported (see `Engine`).
        language: The code of the language of the question (see `Engine`).

    Returns:
        The answer with its citations, or the answer `not_found`.

    Raises:
        QuestionError: The question is empty or too long.
        InputError: The shape, mode, model, profile, policy or language does not exist.
        DocumentError: A document cannot be read; none is skipped silently.
        ModelError: A model call failed.

    Example:
        >>> result = ask("What is the late payment penalty?", "contract.pdf")
        >>> result.text, result.citations[0].page
    """
    from spanwise.readers.process import start_early

    if isinstance(documents, str | os.PathLike) and os.path.isfile(documents):
        start_early([os.fspath(documents)])  # the reader process loads its libraries while this process loads its own
    from spanwise.questions.parse import demanded, parse_question

    if isinstance(documents, str) and os.path.exists(_words(question)) and not os.path.exists(documents):
        raise InputError(f"the question comes first: spanwise.ask({documents!r}, {question!r})")
    # An invalid question fails before a long document is read.
    demanded(parse_question(_words(question), language=language), type, shape)
    chosen = chosen_model(model, mode=mode)
    policy_named(policy)
    # A reader process reads the file meanwhile; this one would only wait.
    Thread(target=_load_answering, daemon=True).start()
    with gather(documents, password=password) as corpus:
        engine = Engine(
            corpus, model=chosen, mode=mode, profile=profile, password=password, policy=policy, language=language
        )
        return engine.ask(question, type=type, shape=shape, scope=scope)


def answer(
    question: str,
    passages: Iterable[object],
    *,
    model: Model | str | None = None,
    mode: str | None = None,
    policy: Policy = "prune",
    type: str | None = None,
    shape: str | None = None,
    profile: str | None = None,
) -> Result:
    """Answer a question from passages that were retrieved elsewhere, checked and cited like any answer.

    Args:
        question: The question in natural language.
        passages: Passages in any form: strings, dicts, `Passage`, `Hit`, nodes and documents of other libraries. Where
            they have a document, page, section, first line (`line_start`) and boxes (one for each line), citations have
            them too.
        model: The model that writes the answer (see `Engine`).
        mode: How the answer is written (see `Engine`).
        policy: What is returned of text that is not supported (see `Engine`).
        type: The type that the answer's values must have (see `Engine.ask`).
        shape: The structure of the answer (see `Engine.ask`).
        profile: What kind of documents the passages come from (see `Engine`).

    Returns:
        The answer. Each citation is narrowed to the lines that prove it, or to sentences where a passage has no line
        numbers. `used_chunk_ids` are the ids of the passages as given, and `meta["passages"]` has the id, position and
        section of the passage of each citation.

    Raises:
        PassageError: A passage has an unknown form.
        QuestionError, InputError, ModelError: As for `ask`.

    Example:
        >>> answer("When is the rent due?", ["The rent is due on the first day of each month."]).text
    """
    with _given(passages) as (corpus, given):
        engine = Engine(corpus, model=model, mode=mode, profile=profile, policy=policy, whole=True)
        return given(engine.ask(question, type=type, shape=shape))


async def aanswer(question: str, passages: Iterable[object], **options: Unpack[AnswerOptions]) -> Result:
    """`answer` for async code; without a model the work is done in a thread."""
    type_, shape = options.pop("type", None), options.pop("shape", None)
    with _given(passages) as (corpus, given):
        engine = Engine(corpus, whole=True, **options)  # type: ignore[misc]  # without the question's options
        return given(await engine.aask(question, type=type_, shape=shape))


def ground(values: object, document: object, *, password: str | None = None) -> Grounding:
    """Find the lines of a document that state values extracted elsewhere.

    Args:
        values: A mapping, a Pydantic model, a dataclass, a result of langextract, a list of these, or the path of a
            file with JSON (`.json`) or with one JSON value per line (`.jsonl`).
        document: A path, a Document, several of them, or passages in any form (see `answer`).
        password: The password of encrypted PDFs.

    Returns:
        For each value a state: `found` with the lines, page and boxes that state it, `differs` with what the document
            states instead, or `not_found`.

    Raises:
        InputError: There is no value, or there are too many.
        DocumentError: The document cannot be read.

    Example:
        >>> for item in ground({"rent": 1200, "due": "first day"}, "lease.pdf").items:
        ...     print(item.name, item.state, item.citation and item.citation.line_start)
    """
    from spanwise.answering.given_documents import documents_of
    from spanwise.answering.grounding import Grounding, grounded

    alone = isinstance(document, str | os.PathLike | Document | Mapping | Passage | Hit)
    given = list(document) if isinstance(document, Iterable) and not alone else [document]
    files = [one for one in given if isinstance(one, str | os.PathLike | Document)]
    of_files = len(files) == len(given)
    with gather(files if of_files else documents_of(given)[0], password=password) as corpus, corpus.snapshot() as now:
        items = grounded(values, now)
        cited = [item.citation for item in items if item.citation is not None]
        return Grounding(items, _highlighter(cited, now, password) if of_files else None)


def validate_answer(
    answer: AnswerBase | AnswerWithEvidence, document: Document, *, question: Question | str | None = None
) -> list[Problem]:
    """Everything that is wrong with an answer; an empty list if its lines prove it.

    Checked are the flags, every span and quote, and every value: an item marked `verbatim` must have its value, or a
    quote, in the lines that it cites. A `computed` or `inferred` value need not be written there, but its lines must
    exist.

    Args:
        answer: The answer of a model or an extractor.
        document: The document to which the line numbers of the spans refer.
        question: The question in natural language or parsed, if the answer must be of the class that it asks for.

    Returns:
        The problems: those of the answer as a whole, then those of each item in order, then those between items. Each
            has a `code` (docs/validation.md shows an example of every one) and, where it concerns one, the index of the
            item and of its span.

    Raises:
        QuestionError: The question is empty or too long.
    """
    from spanwise.contract import validate
    from spanwise.questions.parse import parse_question

    asked = parse_question(question) if isinstance(question, str) else question
    return validate.validate_answer(answer, document, question=asked)


@contextmanager
def _given(passages: Iterable[object]) -> Iterator[tuple[Corpus, Callable[[Result], Result]]]:
    """A corpus of some passages, and a function that refers to them in a result by their original ids."""
    from spanwise.answering.given_documents import documents_of, with_passages
    from spanwise.ingest.corpus import Corpus

    documents, places = documents_of(passages)
    with Corpus.of(documents) as corpus:
        yield corpus, partial(with_passages, places=places)


def _load_answering() -> None:
    """Import the modules that answer a question, which takes half a second.

    An error is suppressed: it is raised again where the module is needed.
    """
    with suppress(Exception):
        from spanwise.answering import ask, extractive

        del ask, extractive


def gather(
    documents: Documents,
    *,
    password: str | None = None,
    progress: Progress | None = None,
    report: Callable[[IngestReport], None] | None = None,
) -> Corpus:
    """A corpus in memory of some documents, for one or a few questions.

    Args:
        documents: Paths and documents.
        password: The password of encrypted PDFs.
        progress: Called after each file.
        report: Called with the report of reading the files; by default, a file inside another one that cannot be read
            causes a warning.
    """
    from spanwise.ingest.corpus import Corpus
    from spanwise.readers.members import place_of
    from spanwise.readers.reading import error_of

    if isinstance(documents, Corpus):
        raise InputError("a Corpus is asked by spanwise.Engine(corpus).ask(question); this takes paths or Documents")
    if isinstance(documents, bytes | bytearray) or not isinstance(documents, Iterable | os.PathLike | Document):
        kind = type(documents).__name__
        raise InputError(
            f"documents are paths or Documents, not {kind}; bytes become one by spanwise.read(data, name=...)"
        )
    given = [documents] if isinstance(documents, str | os.PathLike | Document) else list(documents)
    if not given:
        raise InputError("no document was given: name at least one file or folder")
    paths = [document for document in given if not isinstance(document, Document)]
    with ExitStack() as opened:
        corpus = opened.enter_context(Corpus.of(document for document in given if isinstance(document, Document)))
        if paths:
            added = corpus.add(*paths, progress=progress, password=password)
            # With one question about some documents, answering from the others would hide a failure, so it is raised.
            # Only a failure inside a given file, such as a message's broken attachment, is reported instead.
            hidden = [one for one in added.failed if place_of(one.path) is None or not corpus.count()]
            if hidden:
                raise error_of(hidden[0], hidden[0].path)
            (report or _warn)(added)
        opened.pop_all()  # success: the corpus stays open
    return corpus


def _warn(report: IngestReport) -> None:
    for failure in report.failed:
        warnings.warn(failure.message, stacklevel=4)
