"""One corpus being served: the calls that the HTTP API and the MCP server stand on."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
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
"""Documents that questions are suggested from."""
_LINES_SUGGESTING = 400
"""Of each of them."""
_TRIED = 16
"""Questions that are asked to see whether they are answered."""
Watchable: TypeAlias = Literal["documents", "jobs", "history", "collections"]
"""Parts of a library that can change while somebody looks at it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class AskOptions(Demand, total=False):
    """How a question is asked of a library; what is left out or None is as its operator has it.

    Its `documents` are ids; all by default.
    """

    after: str | None
    """What was asked before, in words or as the id of its answer: a question that leaves something out takes it from
    there (see `follow_up`), and the result's question is the whole one."""
    model: str | None
    """Name of the model that writes the answer, one of `engines.models`."""
    mode: str | None
    """How it writes (see `Engine`)."""
    profile: str | None
    """What kind of documents these are: one that is shipped."""
    language: str | None
    """Code of the language that the question is asked in (see `Engine`)."""
    stop: Stop | None
    """Ends it between two looks into the corpus, and between replies of the model."""


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
        """Use `open` instead."""
        if not _NAME.fullmatch(name):
            raise InputError(f"{name!r} cannot name a corpus: use letters, digits, '.', '_' and '-', at most 64")
        self.name = name
        self.place = path
        """Its file, or the URL of its database."""
        self.limits = limits
        self._making = engines
        self._uploads = uploads
        self._hybrid = None if hybrid is None else hybrid.elsewhere()
        self.title = name
        """Title for people."""
        self.beside = beside = beside_of(path)
        """Path prefix of its files on this machine."""
        self.ledger: Ledger | None = None
        """Where its questions are noted."""
        self._documents = CorpusDocuments(path, beside, limits, uploads)
        try:
            self.engines = engines(self._documents.corpus, hybrid=self._hybrid)
            """Engines by model, mode and profile."""
            self.model = None if self.engines.model == NO_MODEL else self.engines.model
            answers = path if isinstance(path, str) else beside.with_name(f"{beside.name}.answers.db")
            self.history = Answers(answers, limits.answers)
            """Kept answers with their traces."""
        except BaseException:
            self._documents.close()
            raise
        self.jobs = Jobs(limits)
        """Work that goes on after its request was answered."""
        self.pictures = Pictures(limits)
        """Pages of PDFs, drawn."""
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
        """Open the corpus in the file `path`, made if there is none, with the files and answers beside it.

        Args:
            path: The corpus; uploads lie in `PATH.files/`, answers in `PATH.answers.db`. Of a corpus in a database
                the answers are kept there too; uploads lie on this machine, in the folder for data of its user.
            name: How clients call it.
            model: Writes the answers (see `Engine`).
            models: Others that a question may be given to instead.
            mode: How answers are written (see `Engine`).
            profile: What kind of documents these are (see `Engine`).
            limits: What is allowed.
            hybrid: What finds passages beside their words (see `Engine`); the library makes one like it.
            uploads: The folder of uploads, where it is to be another one: on a file system with locks that all machines
                which serve the corpus reach under that path.
        """
        place = os.fspath(path) if is_address(path) else Path(path).absolute()
        making = partial(Engines, model=model, models=models, mode=mode, profile=profile)
        return cls(place, name, limits, making, hybrid, uploads)

    def another(self, place: str | Path, name: str, key: str) -> Library:
        """A library of another corpus, written by the same model under the same limits; `key` names its uploads."""
        uploads = None if self._uploads is None else self._uploads.with_name(f"{key}.files")
        return Library(place, name, self.limits, self._making, self._hybrid, uploads)

    def remove_files(self) -> None:
        """Remove what it has on this machine, closed as it is: uploads, answers, the index."""
        places = [self.beside]
        if isinstance(self.place, str):
            places.append(address_of(self.place).beside("XDG_CACHE_HOME", ".cache"))
        left = [one for place in places for one in place.parent.glob(f"{place.name}*")]
        for one in [*left, *filter(None, [self._uploads])]:
            shutil.rmtree(one, ignore_errors=True) if one.is_dir() else one.unlink(missing_ok=True)

    def marks(self) -> dict[Watchable, object]:
        """Of each part of it: another one when something has changed there."""
        return {"documents": self._documents.mark(), "jobs": self.jobs.changes, "history": self.history.mark()}

    def storage(self) -> dict[str, int]:
        """Bytes on this machine: of the corpus with its index, of uploaded files, of answers."""
        place = self.beside
        return {
            "corpus": sum(map(_size, (*place.parent.glob(f"{place.name}*.index/**/*"), place, _wal(place)))),
            "files": self._documents.bytes(),
            "answers": sum(map(_size, (answers := place.with_name(f"{place.name}.answers.db"), _wal(answers)))),
        }

    # Documents -------------------------------------------------------------------------------------------------------

    def documents(self) -> tuple[Entry, ...]:
        """All documents, ordered by name."""
        return self._documents.entries()

    def count(self) -> int:
        """How many documents there are."""
        return self._documents.corpus.count()

    def entry(self, id: str) -> Entry:
        """One document."""
        return self._documents.entry_of(self._documents.stored(id))

    def partial(self) -> Path:
        """Where to write an upload before it is given to `add`."""
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
        """Read an uploaded file and keep it: the document, or the first one of those inside of it (see `add_all`)."""
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
        """Read an uploaded file and keep it: when this returns, document and file are on the disk.

        An archive, a mailbox and a message with attachments are as many documents as there are inside of them.

        What the file is, its content decides. A name that a document has already replaces that document.

        Args:
            filename: What the client calls it; only its last part is used, as a name, never as a path.
            content: The file; it is moved or removed, whatever happens.
            password: Opens an encrypted PDF; it is not kept.
            progress: Called before each step.
            stop: Ends it between and in the steps; nothing is kept then.
            folder: Where the client found it; its parts stand before the name, and are no path either.
        """
        added = self._documents.add(filename, content, password, progress or _nobody, stop or Stop(), folder)
        self._embed()
        return added

    def add_later(self, filename: str, content: Path, *, password: str | None = None, folder: str = "") -> Job:
        """`add` as a job."""

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
        """Read files of this machine where they lie, as `spanwise index` does: for a client that is its user.

        Args:
            paths: Files; who may name them, the caller has decided.
            progress: Called after each file.
            stop: Ends it after the file that is being read; what was read is kept.

        Raises:
            CorpusBusyError: Another program has been writing to the corpus for too long.
            WorkStoppedError: It was stopped.
        """
        report = self._documents.read(paths, progress or _nobody, stop or Stop())
        self._embed()
        return report

    def _embed(self) -> None:
        """Embed what came in, so that no question waits for it; what fails here is told to whoever asks next."""
        if self._hybrid is not None:
            with suppress(ModelError, CorpusBusyError, StorageError), self._documents.corpus.snapshot() as now:
                self._hybrid.follow(now)

    def remove(self, id: str) -> None:
        """Forget a document and its uploaded file. Answers that cite it stay."""
        self._documents.remove(id)

    def opened(self, id: str, *, sha256: str | None = None) -> AbstractContextManager[OpenDocument]:
        """A document to read from, all of it of one version: while the context lasts nobody replaces what is read.

        Args:
            id: Of the document.
            sha256: The version that is meant, as the results that cite it name it; the newest by default.
        """
        return self._documents.opened(id, sha256)

    def lines(self, id: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` of a document as it is now (see `OpenDocument.lines`)."""
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
        """The file of a document if it is still there with the bytes that were read."""
        return self._documents.file(id)

    # Questions -------------------------------------------------------------------------------------------------------

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Result:
        """Answer one question and keep the answer.

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
        """Answer one question and tell what happens (see `Engine.stream`); the answer is kept before it is told."""
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
        """Upper bound of the cost of `ask`, without a call; None if no model would be called."""
        if (options.get("model") or self.engines.model) == NO_MODEL:
            return None
        with (options.get("stop") or Stop()).watched():
            engine, whole, wanted = self._wanted(question, options)
            return engine.plan(whole, **wanted)

    def _wanted(self, question: str, options: AskOptions) -> tuple[Engine, str, Demand]:
        """The engine, the whole question, and the demands for it."""
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
        """The question of a kept answer, or the words themselves."""
        return self.history.question(before) if _ID.fullmatch(before) else before

    def suggestions(self, *, stop: Stop | None = None) -> list[str]:
        """Questions that some of the documents suggest and answer for certain, without a model."""
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
        """Places where documents say different things of the same (see `find_conflicts`)."""
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
        """Check an answer, claim by claim, against passages and documents; against all documents when neither is given.

        Args:
            text: The answer.
            passages: What it is held against, in any form that `spanwise.verify` takes.
            documents: Ids of documents that it is held against.
            question: What it answers.
            progress: Called before each of its parts.
            stop: Ends it between two of its parts.

        Raises:
            InputError: The answer is empty, or the documents have too many passages.
            PassageError: A passage has no form that is known.
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
        """Fill every field from every document: rows of values, each with its citation; no model is called."""
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
        """`extract` as a job."""
        from spanwise.extraction.fields import checked

        wanted = checked(fields)
        self._documents.names(documents)
        chosen = None if documents is None else list(documents)

        def work(progress: Progress, stop: Stop) -> list[Row]:
            return self.extract(wanted, documents=chosen, progress=progress, stop=stop)

        return self.jobs.start("extract", work)

    def highlighted(self, trace_id: str, document_id: str) -> bytes:
        """A copy of a cited PDF with the citations highlighted; the nearest evidence if the answer cites none."""
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
        """Let go of everything; closing twice does no harm."""
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
    """The same events; what makes them looks at `stop`, and what is done with each of them does not."""
    while True:
        with stop.watched():
            event = next(events, None)
        if event is None:
            return
        yield event


def _nobody(done: int, total: int, message: str) -> None:
    """Progress that nobody watches."""


def _wal(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
