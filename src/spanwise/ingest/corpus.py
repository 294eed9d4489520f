"""The corpus: documents that are kept, searched and read from, on disk or in memory."""

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
    """A set of documents with unique names; it is a `spanwise.store.port.Store`, safe to use from several threads.

    `Corpus.open(path)` keeps it in a file, `Corpus.open("postgresql://…")` in a database, `Corpus.memory()` and
    `Corpus.of(documents)` in memory.
    """

    place: str | None = None
    """The file or URL by which another process opens it; None for one in memory."""

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Corpus:
        """Open the corpus in the file `path`, and make it if there is none (unless `create` is False).

        Args:
            path: A file, or `postgresql://USER@HOST:PORT/DATABASE` (extra `postgres`).
            create: Whether to make what is not there.

        Raises:
            NotACorpusError: The file is not a corpus, is one of a newer version, or is missing and not to be made.
            StorageError: The file cannot be written or read, or the database cannot be reached (`DatabaseDownError`).
            MissingExtraError: The driver of the database is not installed.
        """
        expect(path, (str, os.PathLike), "the path of a corpus", "a file, or the URL of a database, as text")
        corpus = cls(*parts_of(path, create=create))
        corpus.place = path if isinstance(path, str) else os.fspath(path)
        return corpus

    @classmethod
    def memory(cls) -> Corpus:
        """An empty corpus that is gone when it is closed."""
        return cls(memory_truth(), None, WriteLock(None))

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Corpus:
        """A corpus in memory that holds `documents`."""
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
        """Read files, folders (with all below them) and globs into the corpus.

        A file that did not change since it was added is not read again; one that changed is replaced; one that is
        gone from a folder or glob that was added before is removed. A file that fails is reported and stops no other.

        Args:
            paths: Files, folders, globs.
            progress: Called after each file, when what it says is stored; and after each page that is recognised.
            password: Opens encrypted PDFs.
            workers: How many processes read; one a core by default.
            follow_links: Whether links that lead out of a folder are followed; what is not is in `skipped`.
            limits: Bounds of reading one file (see `spanwise.readers.port.Limits`).
            ocr: Whether text is recognised in pictures, and in which languages; as the environment says by default.
            client: What reads in place of processes of our own (see `spanwise.executors.Client`): its workers have to
                see the files under the same paths.

        Raises:
            DocumentNotFoundError: A path does not exist, or a folder or glob has no file that can be read.
            DocumentError: A path is a pipe, a socket or a device, or lies in /proc or /sys.
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
        """Store documents that were read elsewhere; one that has the name of a stored one replaces it."""
        if documents:
            with self.writing() as writing:
                for document in documents:
                    writing.put(encode(document))

    def keep(self, record: Record, path: Path) -> None:
        """Store a document that was read elsewhere, with the file `path` that it was read from.

        Raises:
            CorpusBusyError: Someone else is writing to this corpus.
            StorageError: The corpus cannot be written, or the file is gone.
        """
        with self.writing() as writing:
            writing.put(record, source_of(path))

    def moved(self, name: str, path: Path) -> None:
        """Say that the file of a document, unchanged, lies at `path` now."""
        with self.writing() as writing:
            writing.set_source(name, source_of(path))

    def remove(self, name: str) -> None:
        """Forget a document.

        Raises:
            DocumentNotFoundError: There is no document of that name.
            CorpusBusyError: Another process is writing to this corpus.
        """
        with self.writing() as writing:
            writing.remove(name)

    def embed(self, embedder: Embedder, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that are new or changed, so that no question waits for it (see `Engine(embedder=...)`).

        Args:
            embedder: Makes the vectors.
            progress: Called with the numbers of changed documents that are done and that there are.

        Returns:
            How many texts were embedded; a text that stays as it was is not embedded again.

        Raises:
            ModelError: The embedder failed; what is done is kept.
            CorpusBusyError: Another process is embedding.
            StorageError: The vectors cannot be kept.
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
    """A corpus that this process opens once and keeps: for functions that any process may be sent, again and again."""
    try:
        file = None if is_address(place) else os.stat(place)
        known = place, file and (file.st_dev, file.st_ino)
    except OSError:
        known = place, None  # opening it says why
    with _OPENING:
        if known not in _HERE:
            _HERE[known] = Corpus.open(place, create=False)
        return _HERE[known]


@atexit.register
def _close_all() -> None:
    for corpus in _HERE.values():
        corpus.close()
