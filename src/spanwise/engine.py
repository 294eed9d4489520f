"""The one place that knows concrete classes: puts a corpus, a mode and the way of a question together."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from spanwise import errors
from spanwise.contract.result import Highlighter, Result
from spanwise.domain.document import Document
from spanwise.errors import DocumentError, InputError

if TYPE_CHECKING:
    from spanwise.domain.claim import Citation
    from spanwise.pipeline.corpus import Corpus
    from spanwise.pipeline.ingest import Failure, Progress

Mode: TypeAlias = Literal["extractive"]
Documents: TypeAlias = "str | os.PathLike[str] | Document | Iterable[str | os.PathLike[str] | Document]"


class Engine:
    """Answers questions from one corpus.

    Example:
        >>> corpus = Corpus.open("corpus.db")
        >>> Engine(corpus).ask("What is the late payment penalty?").text
    """

    def __init__(
        self, corpus: Corpus, *, mode: Mode = "extractive", profile: str | None = None, password: str | None = None
    ) -> None:
        """Bind a corpus.

        Args:
            corpus: Where to look.
            mode: How answers are written; `extractive` calls no model.
            profile: What kind of documents these are: contracts, filings, standards, or the path of a TOML file. By
                default each question is read with the shipped profiles that cover the documents at hand.
            password: Of encrypted documents, to highlight them.

        Raises:
            InputError: There is no such mode or profile.
        """
        if mode != "extractive":
            raise InputError(f"there is no mode {mode!r}: choose 'extractive'")
        if profile is not None:
            from spanwise.questions.profiles import load_profile

            load_profile(profile)  # a wrong name fails here, not at the first question
        self._corpus = corpus
        self._profile = profile
        self._password = password

    def ask(self, question: str, *, documents: Collection[str] | None = None) -> Result:
        """Answer one question.

        Args:
            question: In words.
            documents: Names of the documents to look in; the whole corpus by default.

        Raises:
            QuestionError: The question is empty or too long.
            DocumentNotFoundError: One of `documents` is not in the corpus.
        """
        from spanwise.pipeline.loop import answer_extractively

        result = answer_extractively(question, self._corpus, documents=documents, profile=self._profile)
        return replace(result, highlighter=self._highlighter(result.citations))

    def _highlighter(self, citations: Sequence[Citation]) -> Highlighter:
        """Bound to the files of the cited documents, so that it outlives the corpus."""
        from spanwise.pipeline.highlight import SourceFile, highlight

        stored = [self._corpus.stored(name) for name in {citation.document: None for citation in citations}]
        files = {
            document.name: SourceFile(Path(document.source.path), document.id, self._password)
            for document in stored
            if document.source is not None
        }
        return partial(highlight, source_of=files.get)


def ask(
    question: str,
    documents: Documents,
    *,
    mode: Mode = "extractive",
    profile: str | None = None,
    password: str | None = None,
) -> Result:
    """Answer one question from some documents, offline and without a model.

    Args:
        question: In words.
        documents: A path, a folder, a glob, a Document, or several of them.
        mode: How the answer is written.
        profile: What kind of documents these are (see `Engine`).
        password: Of encrypted PDFs.

    Returns:
        The answer with its citations, or an honest `not_found`.

    Raises:
        QuestionError: The question is empty or too long.
        DocumentError: A document cannot be read; none is skipped in silence.

    Example:
        >>> result = ask("What is the late payment penalty?", "contract.pdf")
        >>> result.text, result.citations[0].page
    """
    from spanwise.questions.parse import parse_question

    parse_question(question)  # a question that cannot be asked fails before a long document is read
    with gather(documents, password=password) as corpus:
        return Engine(corpus, mode=mode, profile=profile, password=password).ask(question)


def gather(documents: Documents, *, password: str | None = None, progress: Progress | None = None) -> Corpus:
    """A corpus in memory of some documents, for one or a few questions.

    Raises:
        DocumentError: There is no document, or one of them cannot be read.
    """
    from spanwise.pipeline.corpus import Corpus

    given = [documents] if isinstance(documents, str | os.PathLike | Document) else list(documents)
    if not given:
        raise InputError("no document was given: name at least one file or folder")
    corpus = Corpus.memory()
    corpus.put(*(document for document in given if isinstance(document, Document)))
    paths = [document for document in given if not isinstance(document, Document)]
    if paths:
        report = corpus.add(*paths, progress=progress, password=password)
        if report.failed:  # one question about some documents: answering from the others would hide it
            raise _error(report.failed[0])
    return corpus


def _error(failure: Failure) -> DocumentError:
    """The error that reading the file raised, as far as it can be told from the report."""
    kind = getattr(errors, failure.error, DocumentError)
    return (kind if issubclass(kind, DocumentError) else DocumentError)(failure.message, document=failure.path)
