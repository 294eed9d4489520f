"""The documents of a served corpus with their files: read, replaced and removed; each change is atomic.

Everything read from an open document belongs to one version, whoever replaces it meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TypeVar

from spanwise.contract.adapters import Given
from spanwise.domain.document import Hidden, Line, Page, Section
from spanwise.errors import (
    CorpusBusyError,
    DocumentError,
    DocumentNotFoundError,
    DocumentReplacedError,
    EmptyDocumentError,
    InputError,
    LimitError,
)
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import IngestProgress, IngestReport
from spanwise.readers.members import CONTAINERS, Contents
from spanwise.readers.port import Failure
from spanwise.readers.reading import error_of
from spanwise.serving.cancellation import Stop, Watched
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.entries import SUFFIXES, Entry, KnownFacts, Uploaded, clean_path, entry_of, id_of
from spanwise.serving.job_queue import Progress
from spanwise.serving.uploaded_files import Files, Readers
from spanwise.store.codec import Record
from spanwise.store.port import Store, StoredDocument
from spanwise.text.fold import fold, folded

MOST_LINES = 2_000
"""Most lines that one call returns."""
_MOST_PLACES = 20
"""Most matches per line."""


@dataclass(frozen=True, slots=True)
class Found:
    """A line that contains the words searched for."""

    line: Line
    at: tuple[tuple[int, int], ...]
    """Start and end of each match, as character offsets in the line."""


class OpenDocument:
    """One version of a document, open for reading."""

    def __init__(self, stored: StoredDocument, store: Store, entry: Entry) -> None:
        """Read a document from a store that does not change, such as a snapshot."""
        self.entry = entry
        """Its entry."""
        self._store = store
        self._name = stored.name

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included, at most `MOST_LINES`; numbers outside the document are ignored."""
        return self._store.lines(self._name, first, min(last, first + MOST_LINES - 1))

    def pages(self) -> tuple[Page, ...]:
        """The pages; a single one for formats without pages."""
        return self._store.pages(self._name)

    def hidden(self) -> tuple[Hidden, ...]:
        """The hidden text in the file, which is in no line and never answered from."""
        return self._store.hidden(self._name)

    def find(self, words: str, most: int) -> tuple[list[Found], int]:
        """The first `most` lines that contain `words`, whatever case and accents, and the number of all such lines."""
        wanted, found, total = folded(words).strip(), list[Found](), 0
        for first in range(1, self.entry.lines + 1, MOST_LINES):
            for line in self.lines(first, self.entry.lines):
                if wanted and wanted in folded(line.text):
                    total += 1
                    if len(found) < most:
                        found.append(Found(line, _places(line.text, wanted)))
        return found, total

    def sections(self) -> tuple[Section, ...]:
        """The sections, which form the table of contents."""
        return self._store.sections(self._name)


def _places(text: str, wanted: str) -> tuple[tuple[int, int], ...]:
    """Start and end of the first occurrences of a folded text in another."""
    shown, places, start = fold(text), list[tuple[int, int]](), 0
    while len(places) < _MOST_PLACES and (start := shown.text.find(wanted, start)) >= 0:
        end = start + len(wanted)
        places.append((shown.origin[start], shown.origin[end - 1] + 1))
        start = end
    return tuple(places)


def check_version(stored: StoredDocument, sha256: str | None) -> None:
    """Raise `DocumentReplacedError` if a document is not the expected version; None expects none."""
    if sha256 is not None and stored.id != sha256:
        raise DocumentReplacedError(
            f"{stored.name} was replaced since: its lines are others now. The quotes of the answer are those of the "
            "version that it was given from; ask again for an answer from this one.",
            document=stored.name,
        )


T = TypeVar("T")
_STEPS = 3
_TOLD = 3
"""Failures that are quoted in a job's message."""
_LOOK_SECONDS = 0.2
_RETRY_SECONDS = 0.05


class CorpusDocuments:
    """Documents by their public ids; safe to use from many threads."""

    def __init__(self, corpus: str | Path, beside: Path, limits: Limits, uploads: Path | None) -> None:
        """Open a corpus with its upload folder, and repair what a crash left behind.

        Args:
            corpus: Its file, or the URL of its database.
            beside: The path prefix of files on this machine that belong to it.
            limits: Limits of the corpus.
            uploads: Its upload folder; `BESIDE.files` if None.
        """
        self._limits = limits
        self._changes = threading.Lock()
        self._names: dict[str, str] = {}
        with ExitStack() as opened:
            # Two handles: a long write through one never blocks readers of the other.
            self.corpus = opened.enter_context(Watched.open(corpus))
            self._written = opened.enter_context(Corpus.open(corpus))
            self._files = Files(uploads or beside.with_name(f"{beside.name}.files"))
            opened.callback(self._files.close)
            self._readers = Readers(limits)
            opened.callback(self._readers.close)
            self.facts = KnownFacts(beside.with_name(f"{beside.name}.facts.db"), self.corpus.document)
            opened.callback(self.facts.close)
            self._reconcile()
            opened.pop_all()  # everything opened, so nothing is closed here

    def entries(self) -> tuple[Entry, ...]:
        """The entries of all documents, ordered by name."""
        documents = self.corpus.documents()
        self.facts.want((one.id, one.name) for one in documents)
        return tuple(map(self.entry_of, documents))

    def entry_of(self, stored: StoredDocument) -> Entry:
        """The entry of a document."""
        return entry_of(stored, self.facts.of(stored.id))

    def stored(self, id: str) -> StoredDocument:
        """The metadata of a document; raises `DocumentNotFoundError`."""
        name = self._names.get(id)
        if name is None:
            self._names = {id_of(one.name): one.name for one in self.corpus.documents()}
            name = self._names.get(id)
        known = None if name is None else self._known(name)
        if known is None:
            raise DocumentNotFoundError(
                f"There is no document with the id {id[:64]!r}: list the documents.", document=id
            )
        return known

    @contextmanager
    def opened(self, id: str, sha256: str | None) -> Iterator[OpenDocument]:
        """A document opened for reading (see `Library.opened`)."""
        name = self.stored(id).name
        with self.corpus.snapshot() as now:
            stored = now.stored(name)
            check_version(stored, sha256)
            yield OpenDocument(stored, now, self.entry_of(stored))

    def bytes(self) -> int:
        """Total bytes of the uploaded files."""
        return self._files.bytes()

    def mark(self) -> object:
        """A value that changes whenever the documents do."""
        return self.corpus.state()

    def names(self, ids: Collection[str] | None) -> list[str] | None:
        """The names of documents, each once; None, for all documents, stays None."""
        return None if ids is None else [self.stored(one).name for one in dict.fromkeys(ids)]

    def partial(self) -> Path:
        """A new path for writing an upload before it is passed to `add`."""
        return self._files.partial()

    def add(
        self, filename: str, content: Path, password: str | None, tell: Progress, stop: Stop, folder: str = ""
    ) -> Uploaded:
        """Read and store an uploaded file and the documents inside it (see `Library.add_all`)."""
        name = clean_path(folder, filename)
        suffix = PurePath(name).suffix.lower()
        try:
            if suffix in CONTAINERS:
                content = content.rename(content.with_suffix(suffix))  # paths of members need the suffix
            tell(0, _STEPS, "reading")
            held = self._readers.contents(content, name, stop) if suffix in CONTAINERS else Contents(itself=True)
            records = [self._readers.read(content, name, password, stop)] if held.itself else []
            tell(1, _STEPS, "storing")
            inside = self._add_members(name, content, held, password, stop)
            with self._changing(stop):
                own = [self._keep(record, content) for record in records]
                if suffix in CONTAINERS:  # only then, as a document may have the name of a folder
                    self._drop_inside(name, {one.name for one in inside.entries})
            tell(_STEPS, _STEPS, _told(len(own) + len(inside.entries), inside.failed))
        finally:
            content.unlink(missing_ok=True)
        return replace(inside, entries=(*map(self.entry_of, own), *inside.entries))

    def _add_members(self, name: str, content: Path, held: Contents, password: str | None, stop: Stop) -> Uploaded:
        """Read and store the documents inside a file, each as a file of its own."""
        entries: list[Entry] = []
        failed = [Failure(f"{name}/{inner}", message, error) for inner, message, error in held.failed]
        for member in held.members:
            called, copy = f"{name}/{member.name}", self._files.partial()
            try:
                copy.write_bytes(self._readers.member(content, member.name, called, stop))
                record = self._readers.read(copy, called, password, stop)
                with self._changing(stop):
                    entries.append(self.entry_of(self._keep(record, copy)))
            except DocumentError as error:
                failed.append(Failure(called, str(error), type(error).__name__))
            finally:
                copy.unlink(missing_ok=True)
        if not entries and not held.itself:
            raise (
                error_of(failed[0], name)
                if failed
                else EmptyDocumentError(
                    f"{name} holds no document that can be read: give one that does, or the documents themselves.",
                    document=name,
                )
            )
        return Uploaded(tuple(entries), tuple(failed))

    def _drop_inside(self, name: str, kept: Collection[str]) -> None:
        """Delete the members of an earlier file of that name that the new one lacks."""
        for one in self.corpus.documents():
            if one.name.startswith(f"{name}/") and one.name not in kept:
                self._retried(partial(self._written.remove, one.name))
                self._names.pop(id_of(one.name), None)
                if one.source is not None:
                    self._files.drop(Path(one.source.path))

    def read(self, paths: Sequence[str | os.PathLike[str]], tell: Progress, stop: Stop) -> IngestReport:
        """Read files of this machine in place (see `Library.read`)."""

        def told(one: IngestProgress) -> None:
            stop.check()
            page = f", page {one.page} of {one.pages}" if one.page is not None else ""
            tell(one.done, one.total, f"{one.name}{page}")

        with self._changing(stop):
            return self._retried(lambda: self._written.add(*paths, progress=told))

    def remove(self, id: str) -> None:
        """Delete a document and its uploaded file (see `Library.remove`)."""
        with self._changing(Stop()):
            stored = self.stored(id)
            self._retried(lambda: self._written.remove(stored.name))
            self._names.pop(id, None)
            if stored.source is not None:
                self._files.drop(Path(stored.source.path))

    def file(self, id: str) -> Path | None:
        """The file of a document, if it still exists with the bytes that were read; else None."""
        stored = self.stored(id)
        return None if stored.source is None else self._files.unchanged(stored.source, stored.id)

    def passages(self, ids: Collection[str] | None) -> list[Given]:
        """The passages of some documents, or of all, as evidence for verification; raises `InputError` if too many."""
        names = self.names(ids)
        with self.corpus.snapshot() as now:
            chosen = now.documents() if names is None else [now.stored(name) for name in names]
            total = sum(document.passages for document in chosen)
            if total > self._limits.passages:
                raise InputError(
                    f"{total:,} passages are too many to check one answer against (at most {self._limits.passages:,}): "
                    "name the documents that it rests on"
                )
            found: list[Given] = []
            for document in chosen:
                for passage in now.passages(document.name):
                    page = passage.page if document.paged else None
                    found.append(Given(passage, len(found) + 1, passage, page))
            return found

    def close(self) -> None:
        """Close everything; files that are being read are dropped."""
        self._readers.close()
        self.facts.close()
        self.corpus.close()
        self._written.close()
        self._files.close()

    @contextmanager
    def _changing(self, stop: Stop) -> Iterator[None]:
        """Hold the lock for changes, so that there is one at a time in this process."""
        while not self._changes.acquire(timeout=_LOOK_SECONDS):
            stop.check()
        try:
            stop.check()
            yield
        finally:
            self._changes.release()

    def _keep(self, record: Record, content: Path) -> StoredDocument:
        document_id = id_of(record.name)
        before = self._known(record.name)
        if before is None and self.corpus.count() >= self._limits.documents:
            raise LimitError(
                f"The corpus has {self._limits.documents:,} documents and takes no more: remove some.",
                document=record.name,
            )
        old = None if before is None or before.source is None else Path(before.source.path)
        size = content.stat().st_size
        if self._limits.files_bytes and self._files.bytes() + size > self._limits.files_bytes:
            raise LimitError(
                f"The files of this collection may have {self._limits.files_bytes:,} bytes together: remove some.",
                document=record.name,
            )
        path = self._files.keep(content, document_id, record.id, SUFFIXES.get(record.format, ".bin"))
        try:
            self._retried(lambda: self._written.keep(record, path))
        except BaseException:
            if path != old:
                self._files.drop(path)
            raise
        self._names[document_id] = record.name
        self.facts.learn(self.corpus.document(record.name))
        if old is not None and old != path:
            self._files.drop(old)
        return self._written.stored(record.name)

    def _known(self, name: str) -> StoredDocument | None:
        try:
            return self.corpus.stored(name)
        except DocumentNotFoundError:
            return None

    def _retried(self, change: Callable[[], T]) -> T:
        """Make a change, retrying for `busy_seconds` while another program is writing."""
        until = time.monotonic() + self._limits.busy_seconds
        while True:
            try:
                return change()
            except CorpusBusyError:
                if time.monotonic() > until:
                    raise
            time.sleep(_RETRY_SECONDS)

    def _reconcile(self) -> None:
        """Adjust the paths of files that were moved with the corpus, and delete files that no document uses."""
        used: set[Path] = set()
        for document in self.corpus.documents():
            if document.source is None:
                continue
            path = Path(document.source.path)
            place = None if path.exists() else self._files.place(id_of(document.name), document.id)
            if place is not None:
                self._retried(partial(self._written.moved, document.name, place))
            used.add(place or path)
        if self._files.alone:
            self._files.drop_all_but(used)
        self._files.settled()


def _told(count: int, failed: Sequence[Failure]) -> str:
    """The outcome of an upload, in words."""
    documents = "done" if count == 1 else f"{count} documents"
    return documents if not failed else f"{documents}; not read: {' '.join(one.message for one in failed[:_TOLD])}"
