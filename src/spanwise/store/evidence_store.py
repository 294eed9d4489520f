"""Documents as evidence: text addressed to a language model is replaced by spaces, so that it cannot prove anything.

Instructions to a model ("orders") are always blanked. Text that only poses as a ready answer is blanked if the document
states something else about the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from spanwise.domain.document import Line, Page
from spanwise.domain.passage import Hit, Passage
from spanwise.store.port import Lines, Store, StoredDocument, StoreView
from spanwise.text.injection.directed import directed_in, gives_way, may_speak_of
from spanwise.text.injection.orders import asks_for_order, may_order, ordered_ranges
from spanwise.text.sentences import blocks_of_passage, sentences
from spanwise.text.terms import terms

_SHORT = 200
"""Length in characters below which a range may answer without a word of the question ("Answer: 99 percent")."""
_MOST_PASSAGES = 2000
"""Most passages of one document that are searched for contradicting statements."""


class EvidenceLines:
    """The lines of some documents as evidence for a question, as a `spanwise.store.port.Lines`.

    Blanked text keeps its length, so that every line number and offset is that of the document.
    """

    def __init__(self, lines: Lines, question: str) -> None:
        self._lines = lines
        self._asked = question
        self._plain = not asks_for_order(question)
        self._speaking: dict[str, list[Passage]] = {}
        self._plainly: dict[Passage, Passage] = {}

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._lines.stored(name)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self._lines.pages(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, with blanked text."""
        texts: dict[int, str] = {}
        for passage in self._lines.passages(name, first, last) if self._plain else ():
            if (blanked := self.passage(passage)) is not passage:
                texts |= dict(set(_numbered(blanked).items()) - set(_numbered(passage).items()))
        found = self._lines.lines(name, first, last)
        if not texts:
            return found
        return tuple(replace(one, text=texts[one.number]) if one.number in texts else one for one in found)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, with blanked text."""
        return tuple(map(self.passage, self._lines.passages(name, first, last)))

    def passage(self, passage: Passage) -> Passage:
        """The passage with blanked text; the same object if there is nothing to blank."""
        if not self._plain:
            return passage
        if passage not in self._plainly:
            self._plainly[passage] = self._without_poses(passage)
        return self._plainly[passage]

    def _without_poses(self, passage: Passage) -> Passage:
        posing = [(one.start, one.end) for one in directed_in(passage) if not one.orders]
        plain = _without_orders(passage)
        if not posing:
            return plain
        # A long range that shares no word with the question answers nothing, so it need not be compared.
        subject = set(terms(self._asked))
        posing = [(a, b) for a, b in posing if b - a < _SHORT or not subject.isdisjoint(terms(passage.text[a:b]))]
        told = [at for at in posing if gives_way(passage.text[slice(*at)], self._stated(passage.document), self._asked)]
        return _blanked(plain, told)

    def _stated(self, name: str) -> Iterator[str]:
        """The sentences of a document that may be about the question, without any text addressed to a model."""
        if name not in self._speaking:
            passages = self._lines.passages(name)[:_MOST_PASSAGES]
            self._speaking[name] = [one for one in passages if may_speak_of(self._asked, one.text)]
        return chain.from_iterable(map(_statements_of, self._speaking[name]))  # the first one may suffice


class EvidenceStore(EvidenceLines, StoreView):
    """The documents of a store as evidence for a question, as a `spanwise.store.port.Store`."""

    def __init__(self, store: Store, question: str) -> None:
        EvidenceLines.__init__(self, store, question)
        StoreView.__init__(self, store)

    @property
    def written(self) -> Store:
        """The underlying store, in which nothing is blanked."""
        return self._store

    def hits(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with blanked text in their passages."""
        return [replace(hit, passage=self.passage(hit.passage)) for hit in hits]

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The passages that best match the query, with blanked text."""
        return self.hits(self._store.search(query, k, documents))


def _numbered(passage: Passage) -> dict[int, str]:
    """The text of each line of a passage, by line number."""
    return dict(enumerate(passage.text.split("\n"), passage.line_start))


def as_written(store: Store) -> Store:
    """The store without blanking, for checks of whether a document contains some wording at all."""
    return store.written if isinstance(store, EvidenceStore) else store


@lru_cache(maxsize=1024)
def _without_orders(passage: Passage) -> Passage:
    ranges = [(one.start, one.end) for one in directed_in(passage) if one.orders]
    if may_order(passage.text):
        for block in blocks_of_passage(passage):
            ranges += [(block.offset + start, block.offset + end) for start, end in ordered_ranges(block.text)]
    return _blanked(passage, ranges)


@lru_cache(maxsize=1024)
def _statements_of(passage: Passage) -> tuple[str, ...]:
    """The sentences of a passage without any text addressed to a model."""
    ranges = [(one.start, one.end) for one in directed_in(passage)]
    blocks = blocks_of_passage(_blanked(_without_orders(passage), ranges))
    return tuple(block.text[start:end] for block in blocks for start, end in sentences(block.text))


def _blanked(passage: Passage, ranges: Sequence[tuple[int, int]]) -> Passage:
    """The passage with spaces in place of some ranges; line breaks and all other characters keep their offsets."""
    text = passage.text
    for start, end in ranges:
        kept = "".join("\n" if character == "\n" else " " for character in text[start:end])
        text = text[:start] + kept + text[end:]
    return passage if text == passage.text else replace(passage, text=text)
