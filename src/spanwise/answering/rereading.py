"""Reads garbled documents again with another reader, and lets them stand in for the stored ones."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from spanwise.domain.document import Document
from spanwise.domain.passage import Hit
from spanwise.errors import SpanwiseError
from spanwise.ingest.corpus import Corpus
from spanwise.readers.reading import read
from spanwise.readers.registry import UnknownReaderError, available_readers
from spanwise.store.port import Store, StoredDocument, StoreView


@dataclass(frozen=True, slots=True)
class Rereader:
    """Reads documents again with another reader."""

    reader: str | None = None
    """Name of the reader; by default one that takes files of that kind and did not make the document."""
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the name."""
        if self.reader is not None and self.reader not in (known := [info.name for info in available_readers()]):
            raise UnknownReaderError(
                f"There is no reader {self.reader!r} to read again with; there are {', '.join(known)}."
            )

    def again(self, store: Store, names: Sequence[str], tried: Mapping[str, Collection[str]]) -> Reread:
        """Read documents once more."""
        documents: list[Document] = []
        readers: dict[str, str] = {}
        why: list[str] = []
        for name in names:
            stored = store.stored(name)
            reader = self._other(stored, {stored.format, *tried.get(name, ())})
            if stored.source is None or reader is None:
                why.append(f"no other reader takes {name}" if stored.source else f"{name} did not come from a file")
                continue
            try:
                document = read(stored.source.path, name=name, password=self.password, reader=reader)
            except (SpanwiseError, ImportError) as error:
                why.append(f"the reader {reader} failed: {error}")
                continue
            if document.id != stored.id:
                why.append(f"the file of {name} is another one by now")
                continue
            documents.append(replace(document, name=name))
            readers[name] = reader
        return Reread(Overlaid(store, documents) if documents else None, readers, tuple(why))

    def _other(self, stored: StoredDocument, tried: Collection[str]) -> str | None:
        if self.reader is not None:
            return None if self.reader in tried else self.reader
        known = available_readers()
        suffix = PurePath(stored.source.path if stored.source else stored.name).suffix.lower()
        kinds = {kind for info in known if info.name == stored.format for kind in info.mime}
        fitting = [info for info in known if suffix in info.suffixes or kinds & set(info.mime)]
        return next((info.name for info in reversed(fitting) if info.name not in tried), None)


@dataclass(frozen=True, slots=True)
class Reread:
    """The outcome of reading again."""

    store: Store | None
    """The store with the documents as they were read now; None where none of them could be."""
    readers: Mapping[str, str]
    """For each document that was read again, the name of the reader."""
    why: tuple[str, ...] = ()
    """Reasons why others were not."""


class Overlaid(StoreView):
    """A store in which some documents stand in for those of the same name in another one; it is a `Store`."""

    def __init__(self, below: Store, documents: Sequence[Document]) -> None:
        """Put `documents` over those of `below`."""
        super().__init__(below)
        self._above = Corpus.of(documents)
        weakref.finalize(self, self._above.close)  # nobody else knows of it
        self._sources = {document.name: below.stored(document.name).source for document in documents}

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return tuple(self.stored(one.name) for one in self._store.documents())

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document; the file of one that was read again is the same."""
        if name not in self._sources:
            return self._store.stored(name)
        return replace(self._above.stored(name), source=self._sources[name])

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match best: of what was read again first, since the answer was found to be there."""
        wanted = [one.name for one in self.documents()] if documents is None else list(documents)
        above = [name for name in wanted if name in self._sources]
        below = [name for name in wanted if name not in self._sources]
        hits = self._above.search(query, k, above) if above else []
        return [*hits, *(self._store.search(query, k - len(hits), below) if below and len(hits) < k else [])]

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word where a passage has it, otherwise the commonest that begin like it."""
        return {**self._store.similar_terms(word), **self._above.similar_terms(word)}

    def _of(self, name: str) -> Store:
        return self._above if name in self._sources else self._store
