"""The corpus: a store of documents, on disk, in a database or in memory."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from spanwise.domain.document import Document
from spanwise.errors import expect
from spanwise.executors import Client
from spanwise.ingest.ingest import IngestReport, Progress, ingest, source_of
from spanwise.readers.port import Limits, Ocr
from spanwise.store.address import is_address
from spanwise.store.changes import WriteLock
from spanwise.store.codec import Record, encode
from spanwise.store.indexed import IndexedStore, parts_of
from spanwise.store.sqlite import memory_truth

if TYPE_CHECKING:
    from spanwise.llm.embedding import Embedder


class Corpus(IndexedStore):
    """A set of documents with unique names, as a `spanwise.store.port.Store`; thread-safe.

    `Corpus.open(path)` stores it in a file, `Corpus.open("postgresql://…")` in a database, `Corpus.memory()` and
    `Corpus.of(documents)` in memory.
    """

    place: str | None = None
    """The file or URL with which another process can open it; None for one in memory."""

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Corpus:
        """Open the corpus in a file or database, and create it if there is none (unless `create` is False).

        Args:
            path: A file, or `postgresql://USER@HOST:PORT/DATABASE` (extra `postgres`).
            create: Whether to create a missing corpus.

        Raises:
            NotACorpusError: The file is not a corpus, has a newer format, or is missing and must not be created.
            StorageError: The file cannot be written or read, or the database cannot be reached (`DatabaseDownError`).
            MissingExtraError: The driver of the database is not installed.
        """
        expect(path, (str, os.PathLike), "the path of a corpus", "a file, or the URL of a database, as text")
        corpus = cls(*parts_of(path, create=create))
        corpus.place = path if isinstance(path, str) else os.fspath(path)
        return corpus

    @classmethod
    def memory(cls) -> Corpus:
        """An empty corpus in memory, which is lost when it is closed."""
        return cls(memory_truth(), None, WriteLock(None))

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Corpus:
        """A corpus in memory with these documents."""
        corpus = cls.memory()
        try:
            corpus.put(*documents)
        except BaseException:
            corpus.close()
            raise
        return corpus

    def add(
        self,
        *paths: str | os.PathLike[str],
        progress: Progress | None = None,
        password: str | None = None,
        workers: int | None = None,
        follow_links: bool = False,
        limits: Limits | None = None,
        ocr: Ocr | None = None,
        client: Client | None = None,
    ) -> IngestReport:
        """Read files, folders (recursively) and globs into the corpus.

        A file that has not changed since it was added is not read again, one that has changed is replaced, and one that
        is gone from a previously added folder or glob is removed. A file that fails is reported and does not stop the
        others.

        Args:
            paths: Files, folders, globs, and addresses of objects (`s3://`, `https://`).
            progress: Called after each file, when its document is stored, and after each recognised page.
            password: The password of encrypted PDFs.
            workers: Number of processes that read; one per core by default.
            follow_links: Whether to follow links that lead out of a folder; links not followed are in `skipped`.
            limits: Bounds on reading one file (see `spanwise.readers.port.Limits`).
            ocr: Whether to recognise text in pictures, and in which languages; set by the environment by default.
            client: The executor to use instead of own processes (see `spanwise.executors.Client`); its workers must see
                the files under the same paths.

        Raises:
            DocumentNotFoundError: A path does not exist, or a folder or glob has no file that can be read.
            DocumentError: A path is a pipe, a socket or a device, or is in /proc or /sys.
            CorpusBusyError: Another process is writing to this corpus.
            StorageError: The corpus cannot be written; what was reported to `progress` is stored.
        """
        return ingest(
            self,
            paths,
            progress=progress,
            password=password,
            workers=workers,
            follow_links=follow_links,
            limits=limits,
            ocr=ocr,
            client=client,
        )

    def put(self, *documents: Document) -> None:
        """Store documents that were read elsewhere; a stored document with the same name is replaced."""
        if documents:
            with self.writing() as writing:
                for document in documents:
                    writing.put(encode(document))

    def keep(self, record: Record, path: Path) -> None:
        """Store a document that was read elsewhere, together with its source file `path`.

        Raises:
            CorpusBusyError: Another process is writing to this corpus.
            StorageError: The corpus cannot be written, or the file is gone.
        """
        with self.writing() as writing:
            writing.put(record, source_of(path))

    def moved(self, name: str, path: Path) -> None:
        """Record that the unchanged file of a document is now at `path`."""
        with self.writing() as writing:
            writing.set_source(name, source_of(path))

    def remove(self, name: str) -> None:
        """Remove a document.

        Raises:
            DocumentNotFoundError: There is no document with that name.
            CorpusBusyError: Another process is writing to this corpus.
        """
        with self.writing() as writing:
            writing.remove(name)

    def embed(self, embedder: Embedder, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed new and changed passages now, so that no question has to wait for it (see `Engine(embedder=...)`).

        Args:
            embedder: The model that computes the vectors.
            progress: Called with the number of changed documents that are done and their total.

        Returns:
            The number of texts that were embedded; an unchanged text is not embedded again.

        Raises:
            ModelError: The embedder failed; vectors computed so far are stored.
            CorpusBusyError: Another process is embedding.
            StorageError: The vectors cannot be stored.
        """
        from spanwise.retrieval.hybrid import Hybrid

        hybrid = Hybrid(embedder)
        try:
            with self.snapshot() as now:
                return hybrid.follow(now, progress).embedded
        finally:
            hybrid.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_HERE: dict[tuple[str, object], Corpus] = {}
_OPENING = threading.Lock()


def opened_here(place: str) -> Corpus:
    """The corpus at a place, opened once per process and cached, for functions that run in worker processes."""
    try:
        file = None if is_address(place) else os.stat(place)
        known = place, file and (file.st_dev, file.st_ino)
    except OSError:
        known = place, None  # opening the corpus raises the error
    with _OPENING:
        if known not in _HERE:
            _HERE[known] = Corpus.open(place, create=False)
        return _HERE[known]


@atexit.register
def _close_all() -> None:
    for corpus in _HERE.values():
        corpus.close()
