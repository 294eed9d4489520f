"""Documents as evidence: their lines and passages with what they order to say left blank, so that it proves nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spanwise.domain.document import Document, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.store.port import Lines, Store, StoredDocument
from spanwise.text.blocks import blocks_of_passage
from spanwise.text.ordered import asks_for_order, may_order, ordered_ranges


class EvidenceLines:
    """The lines of some documents as evidence for a question; it is a `spanwise.store.port.Lines`.

    Blanked text keeps its place, so every line and every offset is the one of the document.
    """

    def __init__(self, lines: Lines, question: str) -> None:
        self._lines = lines
        self._plain = not asks_for_order(question)

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        return self._lines.stored(name)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self._lines.pages(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`."""
        texts: dict[int, str] = {}
        for passage in self._lines.passages(name, first, last) if self._plain else ():
            if (blanked := self.passage(passage)) is not passage:
                texts |= _numbered(blanked)
        found = self._lines.lines(name, first, last)
        if not texts:
            return found
        return tuple(replace(line, text=texts.get(line.number, line.text)) for line in found)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`."""
        return tuple(map(self.passage, self._lines.passages(name, first, last)))

    def passage(self, passage: Passage) -> Passage:
        """A passage without its orders; the same one where it has none."""
        return _without_orders(passage) if self._plain else passage


class EvidenceStore(EvidenceLines):
    """The documents of a store as evidence for a question; it is a `spanwise.store.port.Store`."""

    def __init__(self, store: Store, question: str) -> None:
        super().__init__(store, question)
        self._store = store

    @property
    def written(self) -> Store:
        """The documents with their orders."""
        return self._store

    def hits(self, hits: Sequence[Hit]) -> list[Hit]:
        """Some hits, their passages without orders."""
        return [replace(hit, passage=self.passage(hit.passage)) for hit in hits]

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return self._store.documents()

    def document(self, name: str) -> Document:
        """The whole document, as it was read."""
        return self._store.document(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents in order."""
        return self._store.sections(name)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The passages that match the words of a query best."""
        return self.hits(self._store.search(query, k, documents))

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word where a passage has it, otherwise the commonest that begin like it."""
        return self._store.similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of the documents whose names or first lines have all words of one of some names."""
        return self._store.openings(names, near, k, documents)


def _numbered(passage: Passage) -> dict[int, str]:
    """The text of each line of a passage by its number."""
    return dict(enumerate(passage.text.split("\n"), passage.line_start))


def as_written(store: Store) -> Store:
    """The store behind evidence, for who only asks whether something may be there: its passages keep their orders."""
    return store.written if isinstance(store, EvidenceStore) else store


@lru_cache(maxsize=4096)
def _without_orders(passage: Passage) -> Passage:
    if not may_order(passage.text):
        return passage
    text = passage.text
    for block in blocks_of_passage(passage):
        for start, end in ordered_ranges(block.text):
            first, last = block.offset + start, block.offset + end
            # Every character keeps its place.
            kept = "".join("\n" if character == "\n" else " " for character in text[first:last])
            text = text[:first] + kept + text[last:]
    return passage if text == passage.text else replace(passage, text=text)
