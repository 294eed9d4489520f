"""Ingest: each file is read once, in parallel, and again only when it or the version of the readers changes.

The paths are expanded to files, and files that contain documents (archives, messages) to their members. Each file is
compared with the stored document by size, time and hash; those that differ are read and stored one by one.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from spanwise.errors import DocumentError, StorageError
from spanwise.executors import Client, Died, mapped, pool_of
from spanwise.ingest.objects import Object, Objects, Place, is_object
from spanwise.ingest.paths import FoundFile, Search, Skipped, find, longer_names, nothing_at, nothing_found
from spanwise.readers.files import printable
from spanwise.readers.members import MESSAGES, file_of, may_hold, place_of
from spanwise.readers.port import Failure, Job, Limits, Ocr, Outcome, ocr_of_environment
from spanwise.readers.process import PagesRecognised, read_all, read_elsewhere
from spanwise.readers.reading import contents_of, file_bytes, here, read_job
from spanwise.readers.registry import IMAGES, supported_suffixes
from spanwise.store.indexed import IndexedStore, Writing
from spanwise.store.port import Source, StoredDocument

__all__ = ["Failure", "IngestProgress", "IngestReport", "IngestStatus", "Progress", "Skipped", "ingest", "source_of"]

# Increase when readers produce other documents from the same bytes: documents with a lower number are read again.
READING = 3
# Below this total size, starting more than one process takes longer than it saves.
_FEW_BYTES = 1_000_000
# A file modified so shortly before it was read may change again without a new modification time.
_RACY_NS = 2_000_000_000

IngestStatus: TypeAlias = Literal["added", "replaced", "unchanged", "failed", "removed", "skipped", "recognising"]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Outcome of an ingest: names of documents, each in one of the sorted lists, and the files that failed."""

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """Folder entries that were not read: pipes, sockets, devices, links that lead out of the folder or nowhere."""
    others: tuple[str, ...] = ()
    """Names of files in the folders whose type cannot be read."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """The state after a file was processed and its document stored, or after some of its pages were recognised."""

    done: int
    """Number of files processed so far."""
    total: int
    name: str
    """Name of the document, or the path of a file that failed."""
    status: IngestStatus
    page: int | None = None
    """Number of recognised pages so far; None unless `recognising`."""
    pages: int | None = None


Progress: TypeAlias = Callable[[IngestProgress], None]


def ingest(
    store: IndexedStore,
    paths: Sequence[str | os.PathLike[str]],
    *,
    progress: Progress | None = None,
    password: str | None = None,
    workers: int | None = None,
    follow_links: bool = False,
    limits: Limits | None = None,
    ocr: Ocr | None = None,
    client: Client | None = None,
) -> IngestReport:
    """Bring the store up to date with the files at `paths`, and remove documents gone from their folders and globs.

    Each document is stored in a transaction of its own before `progress` is called, so an interrupted ingest can be
    continued by running it again.
    """
    suffixes = supported_suffixes()
    limits = limits or Limits()
    failures: list[Failure] = []
    places = [Place(path) for path in paths if isinstance(path, str) and is_object(path)]
    listed = [(place, place.objects(suffixes)) for place in places]
    files = [path for path in paths if not is_object(path)]
    searches = [_with_members(search, limits, failures) for search in find(files, suffixes, follow_links=follow_links)]
    for search in searches:
        if search.origin and not search.files and not failures and not store.linked(search.origin):
            raise nothing_found(search, suffixes)
    with store.writing() as writing:
        options = limits, ocr or ocr_of_environment()
        return _Ingest(store, writing, searches, progress, password, *options, failures).run(workers, client, listed)


def _with_members(search: Search, limits: Limits, failures: list[Failure]) -> Search:
    """The search with the members of container files added; a container that cannot be opened is a failure."""
    files: list[FoundFile] = []
    for file in search.files:
        shown = printable(str(file.path))
        if not may_hold(file.path):
            files.append(file)
            continue
        try:
            held = contents_of(file.path, file.name, limits)
        except DocumentError as error:
            if file.path.suffix.lower() in MESSAGES:
                files.append(file)  # the reader of messages reports the same error
            else:
                failures.append(Failure(shown, str(error), type(error).__name__))
            continue
        files += [file] if held.itself and not search.within else []
        files += [
            FoundFile(file.path / name, f"{file.name}/{name}", size)
            for name, size in held.members
            if not search.within or Path(name).is_relative_to(search.within)
        ]
        failures += [Failure(f"{shown}/{name}", message, error) for name, message, error in held.failed]
    if search.within and not files and not failures:
        raise nothing_at(search.given)
    return replace(search, files=tuple(files))


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that has to be read, with what to store beside its document."""

    job: Job
    source: Source
    origins: tuple[str, ...]
    status: Literal["added", "replaced"]


@dataclass(slots=True)
class _Tally:
    """The growing report, which also calls `progress`."""

    total: int
    progress: Progress | None
    names: dict[IngestStatus, list[str]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def note(self, status: IngestStatus, name: str) -> None:
        self.names.setdefault(status, []).append(name)
        if self.progress is not None:
            done = sum(map(len, self.names.values()))
            self.progress(IngestProgress(done, self.total, name, status))

    def recognising(self, name: str, pages: PagesRecognised) -> None:
        if self.progress is not None:
            done = sum(map(len, self.names.values()))
            self.progress(IngestProgress(done, self.total, name, "recognising", pages.done, pages.total))

    def fail(self, failure: Failure) -> None:
        self.failures.append(failure)
        self.note("failed", failure.path)

    def report(self) -> IngestReport:
        return IngestReport(
            added=self._sorted("added"),
            replaced=self._sorted("replaced"),
            unchanged=self._sorted("unchanged"),
            removed=self._sorted("removed"),
            failed=tuple(sorted(self.failures, key=lambda failure: failure.path)),
        )

    def _sorted(self, status: IngestStatus) -> tuple[str, ...]:
        return tuple(sorted(self.names.get(status, ())))


class _Ingest:
    """One run of `ingest`."""

    def __init__(
        self,
        store: IndexedStore,
        writing: Writing,
        searches: Sequence[Search],
        progress: Progress | None,
        password: str | None,
        limits: Limits,
        ocr: Ocr,
        failures: Sequence[Failure],
    ) -> None:
        self._store = store
        self._writing = writing
        self._password = password
        self._limits = limits
        self._ocr = ocr
        self._skipped = {one.path: one for search in searches for one in search.skipped}
        self._others = sorted({name for search in searches for name in search.others})
        self._origins: dict[Path, list[str]] = {}
        self._files: dict[Path, FoundFile] = {}
        for search in searches:
            for file in search.files:
                self._files.setdefault(file.path, file)
                self._origins.setdefault(file.path, []).extend([search.origin] if search.origin else [])
        documents = store.documents()
        self._by_name = {document.name: document for document in documents}
        self._by_path = {document.source.path: document for document in documents if document.source}
        self._failures = failures
        self._gone = self._missing(searches)
        self._tally = _Tally(len(self._files) + len(self._gone) + len(failures), progress)

    def run(
        self, workers: int | None, client: Client | None, listed: Sequence[tuple[Place, Sequence[Object]]]
    ) -> IngestReport:
        for failure in self._failures:
            self._tally.fail(failure)
        for name in self._gone:
            self._writing.remove(name)
            del self._by_name[name]
            self._tally.note("removed", name)
        reads = [read for file in self._files.values() if (read := self._plan(file)) is not None]
        self._link_unchanged()
        by_job = {read.job: read for read in reads}
        jobs = list(by_job)
        for job, outcome in _outcomes(jobs, workers) if client is None else _read_by(client, jobs):
            if isinstance(outcome, PagesRecognised):
                self._tally.recognising(job.name, outcome)
            else:
                self._store_outcome(by_job[job], outcome)
        self._tally.total += sum(len(objects) for _, objects in listed)
        for place, objects in listed:
            self._objects(workers).run(place, objects)
        skipped = tuple(one for _, one in sorted(self._skipped.items()))
        return replace(self._tally.report(), skipped=skipped, others=tuple(self._others))

    def _objects(self, workers: int | None) -> Objects:
        def outcomes(jobs: list[Job]) -> Iterator[tuple[Job, Outcome]]:
            for job, outcome in _outcomes(jobs, workers):
                if isinstance(outcome, PagesRecognised):
                    self._tally.recognising(job.name, outcome)
                else:
                    yield job, outcome

        def skip(one: Skipped) -> None:
            self._skipped[one.path] = one
            self._tally.note("skipped", one.path)

        return Objects(
            store=self._store,
            writing=self._writing,
            reading=READING,
            limits=self._limits,
            ocr=self._ocr,
            password=self._password,
            read=outcomes,
            note=self._tally.note,
            fail=self._tally.fail,
            skip=skip,
        )

    def _missing(self, searches: Sequence[Search]) -> list[str]:
        """Names of documents of the folders and globs whose files are gone."""
        closed = {failure.path for failure in self._failures}
        linked = {name for search in searches if search.origin for name in self._store.linked(search.origin)}
        return sorted(
            name
            for name in linked
            if (source := self._by_name[name].source)
            and Path(source.path) not in self._files
            and not any(str(above) in closed for above in Path(source.path).parents)
        )

    def _plan(self, file: FoundFile) -> _Read | None:
        """The job of reading a file; None if the store has it unchanged, or if it cannot be accessed."""
        path = printable(str(file.path))
        try:
            source = _source(file.path, path, file.size)
            stored = self._by_path.get(path) or self._moved(file)
            if stored is not None and self._unchanged(file.path, stored, source):
                self._by_path[path] = self._by_name[stored.name] = replace(stored, source=source)
                self._tally.note("unchanged", stored.name)
                return None
        except OSError as error:
            reason = error.strerror or str(error)
            self._tally.fail(
                Failure(path, f"{path} cannot be read ({reason}); check its permissions.", "DocumentError")
            )
            return None
        name = stored.name if stored else next(name for name in longer_names(file) if name not in self._by_name)
        if stored is None:
            self._by_name[name] = StoredDocument(name, "", "", False, 0, 0, 0, source)
        job = Job(str(file.path), name, self._password, self._limits, ocr=self._ocr)
        return _Read(job, source, tuple(self._origins[file.path]), "replaced" if stored else "added")

    def _unchanged(self, path: Path, stored: StoredDocument, source: Source) -> bool:
        if stored.source == source and source.mtime_ns:
            return True
        known = stored.source
        if known is None or known.reading != source.reading or known.size != source.size or _digest(path) != stored.id:
            return False
        self._writing.set_source(stored.name, source)
        return True

    def _moved(self, file: FoundFile) -> StoredDocument | None:
        """The stored document with the same content if its own file is gone, because the file was moved; else None."""
        stored = self._by_name.get(file.name)
        if stored is None or stored.source is None or not stored.id or file_of(stored.source.path).exists():
            return None
        return stored if _digest(file.path) == stored.id else None

    def _link_unchanged(self) -> None:
        """Link unchanged documents to folders and globs that did not contain them before."""
        names: dict[str, list[str]] = {}
        for path, origins in self._origins.items():
            if document := self._by_path.get(printable(str(path))):
                for origin in origins:
                    names.setdefault(origin, []).append(document.name)
        for origin, found in names.items():
            new = sorted(set(found) - set(self._store.linked(origin)))
            if new:
                self._writing.link(origin, new)

    def _store_outcome(self, read: _Read, outcome: Outcome) -> None:
        if isinstance(outcome, Failure):
            if read.origins and read.job.path.lower().endswith(IMAGES) and outcome.error == "EmptyDocumentError":
                self._skipped[read.source.path] = Skipped(read.source.path, "a picture without text")
                self._tally.note("skipped", read.source.path)
            else:
                self._tally.fail(outcome)
            return
        self._writing.put(outcome, read.source, read.origins)
        self._tally.note(read.status, outcome.name)


def _outcomes(jobs: list[Job], workers: int | None) -> Iterator[tuple[Job, Outcome | PagesRecognised]]:
    """The outcomes of the jobs: large files are read in other processes, then small ones in this process."""
    near: list[Job] = []
    far: list[Job] = []
    for job in jobs:
        try:
            (near if here(job) else far).append(job)
        except DocumentError as error:
            yield job, Failure(job.path, str(error), type(error).__name__)
    if far:
        most = workers or os.cpu_count() or 1
        yield from read_all(far, most if sum(map(_size, far)) >= _FEW_BYTES else 1)
    for job in near:
        yield job, read_job(job)


def _read_by(client: Client, jobs: list[Job]) -> Iterator[tuple[Job, Outcome]]:
    """The outcomes of the jobs, read by an executor's workers; a job that kills its worker is a failure."""
    with pool_of(client, 1) as pool:
        for job, outcome in zip(jobs, mapped(read_apart, jobs, pool), strict=True):
            if isinstance(outcome, Died):
                yield job, Failure(job.path, f"{job.name} was not read: {outcome.message}.", "DamagedDocumentError")
            else:
                yield job, outcome


def read_apart(job: Job) -> Outcome:
    """Read one file in any process that can access its path."""
    try:
        if here(job):
            return read_job(job)
    except DocumentError as error:
        return Failure(job.path, str(error), type(error).__name__)
    return read_elsewhere(job)


def _size(job: Job) -> int:
    try:
        return os.stat(file_of(job.path)).st_size
    except OSError:
        return 0


def source_of(path: Path) -> Source:
    """The file's path, size and modification time, and the version of the readers."""
    try:
        return _source(path, printable(str(path)))
    except OSError as error:
        raise StorageError(f"{printable(str(path))} cannot be read ({error.strerror}): is it still there?") from error


def _source(path: Path, shown: str, size: int | None = None) -> Source:
    status = file_of(path).stat()
    settled = time.time_ns() - status.st_mtime_ns > _RACY_NS
    return Source(shown, status.st_size if size is None else size, status.st_mtime_ns if settled else 0, READING)


def _digest(path: Path) -> str:
    if place_of(path) is not None:
        return hashlib.sha256(file_bytes(path)).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
