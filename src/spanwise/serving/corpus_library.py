"""One served corpus: the operations that the HTTP API and the MCP server offer."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, TypeAlias, Unpack

from spanwise.domain.document import Line
from spanwise.engine import Demand
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, InputError, ModelError, StorageError
from spanwise.extraction.value_rows import Row
from spanwise.questions.follow_up import follow_up
from spanwise.questions.suggestions import suggestions
from spanwise.serving.answer_history import Answers
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.engines import NO_MODEL, Engines
from spanwise.serving.entries import Entry, Uploaded, clean_path
from spanwise.serving.job_queue import Job, Jobs, Progress
from spanwise.serving.pictures import PageRequest, Pictures
from spanwise.serving.server_tables import beside_of
from spanwise.serving.stored_documents import CorpusDocuments, OpenDocument, check_version
from spanwise.store.address import address_of, is_address

if TYPE_CHECKING:
    from spanwise.answering.ask import EngineEvent
    from spanwise.contract.result import Result
    from spanwise.engine import Engine
    from spanwise.extraction.fields import Field
    from spanwise.guard.conflicts.values import Conflict
    from spanwise.guard.verification import Verification
    from spanwise.ingest.ingest import IngestReport
    from spanwise.llm.port import Model
    from spanwise.retrieval.hybrid import Hybrid
    from spanwise.serving.server_registry import Ledger
    from spanwise.synthesis.response import Plan

DEFAULT_NAME = "default"
_ID = re.compile(r"[0-9a-f]{16}")
_SUGGESTIONS = 6
_SUGGESTING = 24
"""Documents from which questions are suggested."""
_LINES_SUGGESTING = 400
"""Lines of each of them that are used for that."""
_TRIED = 16
"""Suggested questions that are tried, to keep those with an answer."""
Watchable: TypeAlias = Literal["documents", "jobs", "history", "collections"]
"""Parts of a library whose changes clients can watch."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class AskOptions(Demand, total=False):
    """How a question is to be answered; what is missing or None is as the operator configured it.

    Its `documents` are ids; all documents by default.
    """

    after: str | None
    """The previous question, in words or as the id of its answer.

    A question that leaves something out is completed from it (see `follow_up`), and the result has the complete
    question.
    """
    model: str | None
    """Name of the model that writes the answer, one of `engines.models`."""
    mode: str | None
    """The response mode (see `Engine`)."""
    profile: str | None
    """Name of a shipped profile, for the kind of documents."""
    language: str | None
    """Language code of the question (see `Engine`)."""
    stop: Stop | None
    """Cancels the work at reads from the corpus and between replies of the model."""


class Library:
    """Documents, questions and answers of one corpus; safe to use from many threads.

    Documents are named by their public ids (`Entry.id`), answers by the ids of their traces.
    """

    def __init__(
        self,
        path: str | Path,
        name: str,
        limits: Limits,
        engines: Callable[..., Engines],
        hybrid: Hybrid | None,
        uploads: Path | None = None,
    ) -> None:
        """Not called directly: use `open`."""
        if not _NAME.fullmatch(name):
            raise InputError(f"{name!r} cannot name a corpus: use letters, digits, '.', '_' and '-', at most 64")
        self.name = name
        self.place = path
        """The corpus's file, or the URL of its database."""
        self.limits = limits
        self._making = engines
        self._uploads = uploads
        self._hybrid = None if hybrid is None else hybrid.elsewhere()
        self.title = name
        """Title for people."""
        self.beside = beside = beside_of(path)
        """Path prefix of its files on this machine."""
        self.ledger: Ledger | None = None
        """Records its questions; None until a server sets it."""
        self._documents = CorpusDocuments(path, beside, limits, uploads)
        try:
            self.engines = engines(self._documents.corpus, hybrid=self._hybrid)
            """The engines, by model, mode and profile."""
            self.model = None if self.engines.model == NO_MODEL else self.engines.model
            answers = path if isinstance(path, str) else beside.with_name(f"{beside.name}.answers.db")
            self.history = Answers(answers, limits.answers)
            """The newest answers with their traces."""
        except BaseException:
            self._documents.close()
            raise
        self.jobs = Jobs(limits)
        """Background jobs."""
        self.pictures = Pictures(limits)
        """Draws pages of PDFs."""
        self._suggested: tuple[tuple[tuple[str, str], ...], list[str]] | None = None

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        name: str = DEFAULT_NAME,
        model: Model | str | None = None,
        models: Sequence[Model | str] = (),
        mode: str | None = None,
        profile: str | None = None,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        hybrid: Hybrid | None = None,
        uploads: Path | None = None,
    ) -> Library:
        """Open the corpus in the file `path`, created if missing, with its uploads and answers.

        Args:
            path: The corpus; uploads are in `PATH.files/`, answers in `PATH.answers.db`. For a corpus in a database the
                answers are in the database, too, and the uploads in the user's data folder on this machine.
            name: Its name for clients.
            model: Writes the answers (see `Engine`).
            models: Further models that clients may choose.
            mode: The response mode (see `Engine`).
            profile: The kind of documents (see `Engine`).
            limits: Limits of this corpus.
            hybrid: Finds passages by meaning in addition to words (see `Engine`); the library uses a copy of its own.
            uploads: Another folder for uploads, on a file system with locks that all machines which serve the corpus
            reach
                under this path.
        """
        place = os.fspath(path) if is_address(path) else Path(path).absolute()
        making = partial(Engines, model=model, models=models, mode=mode, profile=profile)
        return cls(place, name, limits, making, hybrid, uploads)

    def another(self, place: str | Path, name: str, key: str) -> Library:
        """A library of another corpus with the same models and limits; `key` names its upload folder."""
        uploads = None if self._uploads is None else self._uploads.with_name(f"{key}.files")
        return Library(place, name, self.limits, self._making, self._hybrid, uploads)

    def remove_files(self) -> None:
        """Delete the files of a closed library on this machine: uploads, answers, index."""
        places = [self.beside]
        if isinstance(self.place, str):
            places.append(address_of(self.place).beside("XDG_CACHE_HOME", ".cache"))
        left = [one for place in places for one in place.parent.glob(f"{escape(place.name)}*")]
        for one in [*left, *filter(None, [self._uploads])]:
            shutil.rmtree(one, ignore_errors=True) if one.is_dir() else one.unlink(missing_ok=True)

    def marks(self) -> dict[Watchable, object]:
        """A value for each part that changes whenever the part does."""
        return {"documents": self._documents.mark(), "jobs": self.jobs.changes, "history": self.history.mark()}

    def storage(self) -> dict[str, int]:
        """Bytes on this machine: of the corpus with its index, of uploaded files, and of answers."""
        place = self.beside
        return {
            "corpus": sum(map(_size, (*place.parent.glob(f"{escape(place.name)}*.index/**/*"), place, _wal(place)))),
            "files": self._documents.bytes(),
            "answers": sum(map(_size, (answers := place.with_name(f"{place.name}.answers.db"), _wal(answers)))),
        }

    # Documents -------------------------------------------------------------------------------------------------------

    def documents(self) -> tuple[Entry, ...]:
        """The entries of all documents, ordered by name."""
        return self._documents.entries()

    def count(self) -> int:
        """The number of documents."""
        return self._documents.corpus.count()

    def entry(self, id: str) -> Entry:
        """The entry of one document; raises `DocumentNotFoundError` if there is none of that id."""
        return self._documents.entry_of(self._documents.stored(id))

    def partial(self) -> Path:
        """A new path for writing an upload before it is passed to `add`."""
        return self._documents.partial()

    def add(
        self,
        filename: str,
        content: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> Entry:
        """Read and store an uploaded file; returns its document, or the first of those inside it (see `add_all`)."""
        return self.add_all(filename, content, password=password, progress=progress, stop=stop).entries[0]

    def add_all(
        self,
        filename: str,
        content: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
        folder: str = "",
    ) -> Uploaded:
        """Read and store an uploaded file: when this returns, document and file are on disk.

        An archive, a mailbox or a message with attachments becomes as many documents as it contains. The format is
        determined by the content. A document of the same name is replaced.

        Args:
            filename: Name given by the client; only its last part is used, as a name, never as a path.
            content: The file; it is moved or removed in any case.
            password: Opens an encrypted PDF; it is not stored.
            progress: Called before each step.
            stop: Cancels the work; of an archive, the documents that were stored before stay.
            folder: The client's folder of the file; its parts become a prefix of the name, never a path.
        """
        added = self._documents.add(filename, content, password, progress or _nobody, stop or Stop(), folder)
        self._embed()
        return added

    def add_later(self, filename: str, content: Path, *, password: str | None = None, folder: str = "") -> Job:
        """Start `add` as a background job."""

        def work(progress: Progress, stop: Stop) -> Entry:
            added = self.add_all(filename, content, password=password, progress=progress, stop=stop, folder=folder)
            return added.entries[0]

        def dropped() -> None:
            content.unlink(missing_ok=True)

        name = clean_path(folder, filename)
        return self.jobs.start("ingest", work, name=name, weight=content.stat().st_size, dropped=dropped)

    def read(
        self, paths: Sequence[str | os.PathLike[str]], *, progress: Progress | None = None, stop: Stop | None = None
    ) -> IngestReport:
        """Read files of this machine in place, as `spanwise index` does: for a client that runs as its user.

        Args:
            paths: Files; the caller has to decide who may name them.
            progress: Called after each file.
            stop: Cancels the work after the current file; files read before are kept.

        Raises:
            CorpusBusyError: Another program has been writing to the corpus for too long.
            WorkStoppedError: It was stopped.
        """
        report = self._documents.read(paths, progress or _nobody, stop or Stop())
        self._embed()
        return report

    def _embed(self) -> None:
        """Embed new passages now, so that no question has to wait.

        An error here is raised again by the next question.
        """
        if self._hybrid is not None:
            with suppress(ModelError, CorpusBusyError, StorageError), self._documents.corpus.snapshot() as now:
                self._hybrid.follow(now)

    def remove(self, id: str) -> None:
        """Delete a document and its uploaded file. Answers that cite it stay."""
        self._documents.remove(id)

    def opened(self, id: str, *, sha256: str | None = None) -> AbstractContextManager[OpenDocument]:
        """A document opened for reading: everything read within the context belongs to one version.

        Args:
            id: Id of the document.
            sha256: The expected version, as cited by a result; the newest by default.

        Raises:
            DocumentNotFoundError: There is no document of that id.
            DocumentReplacedError: The document has another version now.
        """
        return self._documents.opened(id, sha256)

    def lines(self, id: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` of the current version of a document (see `OpenDocument.lines`)."""
        with self.opened(id) as document:
            return document.lines(first, last)

    def picture(self, id: str, page: int, width: int, password: str | None, stop: Stop) -> bytes:
        """A page of a PDF as a PNG of that width in pixels (see `Pictures.draw`, also for what it raises)."""
        stored, path = self._documents.stored(id), self._documents.file(id)
        if path is None:
            raise DocumentNotFoundError(
                f"The file of {stored.name} is not there any more, or has changed.", document=stored.name
            )
        return self.pictures.draw(PageRequest(path, stored.name, stored.id, page, width, password), stop)

    def file(self, id: str) -> Path | None:
        """The file of a document, if it still exists with the bytes that were read; else None."""
        return self._documents.file(id)

    # Questions -------------------------------------------------------------------------------------------------------

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Result:
        """Answer one question and store the answer.

        Raises:
            QuestionError, InputError, DocumentNotFoundError, ModelError: As for `Engine.ask`.
            AnswerNotFoundError: There is no answer of the id `after`.
            WorkStoppedError: It was stopped.
        """
        result = None
        for event in self.stream(question, **options):
            result = getattr(event, "result", None)
        if result is None:
            raise AssertionError("a stream ends with its result")
        answered: Result = result
        return answered

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Iterator[EngineEvent]:
        """Answer one question, yielding events (see `Engine.stream`); the answer is stored before it is yielded."""
        from spanwise.answering.ask import Answer

        stop = options.get("stop") or Stop()
        stop.check()
        engine, whole, wanted = self._wanted(question, options)
        told = engine.stream(whole, **wanted)
        noted: AbstractContextManager[list[Result]] = (
            nullcontext([]) if self.ledger is None else self.ledger.question(self.name, question)
        )
        with noted as results, closing(told) as events:
            for event in _watched(events, stop):
                stop.check()
                if isinstance(event, Answer):
                    self.history.keep(event.result)
                    results.append(event.result)
                yield event

    def plan(self, question: str, **options: Unpack[AskOptions]) -> Plan | None:
        """An upper bound of the cost of `ask`, without calling a model; None if no model would be called."""
        if (options.get("model") or self.engines.model) == NO_MODEL:
            return None
        with (options.get("stop") or Stop()).watched():
            engine, whole, wanted = self._wanted(question, options)
            return engine.plan(whole, **wanted)

    def _wanted(self, question: str, options: AskOptions) -> tuple[Engine, str, Demand]:
        """The engine, the complete question, and the engine's options for it."""
        after = options.get("after")
        wanted: Demand = {
            "documents": self._documents.names(options.get("documents")),
            "type": options.get("type"),
            "shape": options.get("shape"),
            "scope": options.get("scope"),
            "policy": options.get("policy"),
        }
        engine = self.engines.of(
            options.get("model"), options.get("mode"), options.get("profile"), options.get("language")
        )
        return engine, question if after is None else follow_up(question, self._asked(after)), wanted

    def _asked(self, before: str) -> str:
        """The question of the answer with that id, or the words themselves."""
        return self.history.question(before) if _ID.fullmatch(before) else before

    def suggestions(self, *, stop: Stop | None = None) -> list[str]:
        """Questions that the documents suggest and that are answered with certainty without a model.

        Cached until they change.
        """
        stop = stop or Stop()
        entries = self.documents()[:_SUGGESTING]
        state = tuple((entry.name, entry.sha256) for entry in entries)
        if self._suggested is not None and self._suggested[0] == state:
            return self._suggested[1]
        lines = []
        for entry in entries:
            with suppress(DocumentNotFoundError), self.opened(entry.id) as document:
                lines.append(document.lines(1, _LINES_SUGGESTING))
        engine, found = self.engines.of(NO_MODEL), list[str]()
        for question in suggestions(lines)[:_TRIED]:
            stop.check()
            with stop.watched():
                result = engine.ask(question)
            if result.decision.kind == "ship" and not result.possible and not result.review:
                found.append(question)
            if len(found) == _SUGGESTIONS:
                break
        self._suggested = state, found
        return found

    def conflicts(self, *, documents: Collection[str] | None = None, stop: Stop | None = None) -> list[Conflict]:
        """Places where documents contradict each other (see `find_conflicts`)."""
        from spanwise.guard.conflicts.finding import find_conflicts

        stop = stop or Stop()
        with stop.watched():
            passages = self._documents.passages(documents)
        stop.check()
        found = find_conflicts(passages)
        stop.check()
        return found

    def verify(
        self,
        text: str,
        *,
        passages: Sequence[object] | None = None,
        documents: Collection[str] | None = None,
        question: str | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> Verification:
        """Check an answer, claim by claim, against passages and documents; against all documents if neither is given.

        Args:
            text: The answer.
            passages: The evidence, in any form that `spanwise.verify` accepts.
            documents: Ids of documents that serve as evidence.
            question: The question that it answers.
            progress: Called before each part of the work.
            stop: Cancels the work between two parts.

        Raises:
            InputError: The answer is empty, or the documents have too many passages.
            PassageError: A passage has an unknown form.
            DocumentNotFoundError: There is no document of one of the ids.
            WorkStoppedError: It was stopped.
        """
        from spanwise.guard.verify import verify

        if not text.strip():
            raise InputError("the answer is empty: give the text that is to be checked")
        stop, tell = stop or Stop(), progress or _nobody

        def advance(done: int, total: int) -> None:
            stop.check()
            tell(done, total, "checking")

        stop.check()
        given: list[object] = list(passages or ())
        with stop.watched():
            if documents is not None or passages is None:
                given += self._documents.passages(documents)
        found = verify(text, given, question=question, progress=advance)
        stop.check()
        return found

    def extract(
        self,
        fields: Sequence[Field],
        *,
        documents: Collection[str] | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> list[Row]:
        """Fill every field from every document, without a model: rows of values, each with its citation."""
        from spanwise.extraction.fields import checked
        from spanwise.extraction.run import extract
        from spanwise.extraction.sinks import RowsInMemory

        stop = stop or Stop()
        wanted = checked(fields)
        names = self._documents.names(documents)
        count = self.count() if names is None else len(names)
        if count * len(wanted) > self.limits.rows:
            raise InputError(
                f"{len(wanted)} fields of {count} documents are too many rows: at most {self.limits.rows:,} are given "
                "at once; name some of the documents, or use `spanwise extract`"
            )
        tell = progress or _nobody

        def advance(done: int, total: int, name: str) -> None:
            stop.check()
            tell(done, total, name)

        tell(0, count, "asking")
        sink = RowsInMemory()
        with stop.watched():
            extract(
                wanted,
                self._documents.corpus,
                sink,
                documents=names,
                profile=self.engines.profile,
                progress=advance,
                search=self._hybrid,
            )
        return sink.rows

    def extract_later(self, fields: Sequence[Field], *, documents: Collection[str] | None = None) -> Job:
        """Start `extract` as a background job."""
        from spanwise.extraction.fields import checked

        wanted = checked(fields)
        self._documents.names(documents)
        chosen = None if documents is None else list(documents)

        def work(progress: Progress, stop: Stop) -> list[Row]:
            return self.extract(wanted, documents=chosen, progress=progress, stop=stop)

        return self.jobs.start("extract", work)

    def highlighted(self, trace_id: str, document_id: str) -> bytes:
        """A copy of a PDF with the citations of an answer highlighted; the nearest evidence if it cites none."""
        from spanwise.export.highlight import SourceFile, highlight

        result = self.history.result(trace_id)
        stored = self._documents.stored(document_id)
        check_version(stored, self.history.read_for(trace_id).get(stored.name))
        cited = result.citations or (result.missing.nearest if result.missing is not None else ())
        chosen = [citation for citation in cited if citation.document == stored.name]
        source = None if stored.source is None else SourceFile(Path(stored.source.path), stored.id)
        with tempfile.TemporaryDirectory(prefix="spanwise-") as folder:
            (written,) = highlight(chosen, Path(folder, "highlighted.pdf"), lambda _: source)
            return written.read_bytes()

    def close(self) -> None:
        """Close everything; closing twice is harmless."""
        self.jobs.close()
        self.pictures.close()
        if self._hybrid is not None:
            self._hybrid.close()
        self._documents.close()
        self.history.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _watched(events: Iterator[EngineEvent], stop: Stop) -> Iterator[EngineEvent]:
    """The same events; `stop` is watched while they are produced, but not while they are consumed."""
    while True:
        with stop.watched():
            event = next(events, None)
        if event is None:
            return
        yield event


def _nobody(done: int, total: int, message: str) -> None:
    """Ignore the progress."""


def _wal(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
