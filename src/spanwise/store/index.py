"""The search index: a tantivy index over passages, which records the state of the truth that it contains.

It can be rebuilt from the truth at any time. Tantivy analyses words in Latin letters as if they were English.
Everything else goes to a field of its own and is analysed here: words in other scripts, and those of texts in other
languages than English.
"""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tantivy

from spanwise.domain.passage import Passage
from spanwise.errors import StorageError
from spanwise.store.codec import damaged_file
from spanwise.store.port import NOTHING, Change
from spanwise.text.expectations.proper_names import abbreviations_of
from spanwise.text.languages import ENGLISH, function_words, is_latin, language_of, without_accents
from spanwise.text.terms import terms_in_other_scripts, without_unspaced

MOST_TERMS = 64
_MOST_QUERY_CHARACTERS = 20_000
_LONGEST_WORD = 60
_SAMPLE = 500
"""Number of characters of a text by which its language is recognised."""
_BEGINNING = 5
"""Number of letters by which a word of another language in Latin letters is found, because word endings vary."""

_WITHOUT_ENDINGS = frozenset([ENGLISH, "vi"])
"""Languages for which the analysis as English suffices."""

# Words that do not help to choose a passage; left out of a query that has others.
_STOP_WORDS = frozenset(
    """
    a about an and any are as at be been being but by can could d did do does doing for from had has have having he her
    here hers him his how i if in into is isn it its ll me my of on or our ours she should so such t s re than
    that the their theirs them then there these they this those to too us ve very was we were what when where which
    while who whom whose why will with would you your yours
    """.split()
)
# A word hyphenated at the end of a line is found as a whole as well as by its parts.
_BROKEN_WORD = re.compile(rf"\b(\w{{1,{_LONGEST_WORD}}})-\n\s{{0,8}}([a-z]\w{{0,{_LONGEST_WORD}}})")
_WORD = re.compile(r"[^\W_]+")


def query_terms(text: str) -> list[str]:
    """The distinct index terms of a query, at most `MOST_TERMS`, in order, without stop words if there are others."""
    text = without_unspaced(text[:_MOST_QUERY_CHARACTERS])
    found = _words().analyze(text.encode(errors="replace").decode())
    language = language_of(text)
    silent = _STOP_WORDS if language == ENGLISH else _STOP_WORDS | function_words(language)
    telling = [word for word in found if word not in silent] or found
    terms = (term for word in dict.fromkeys(telling) for term in analyzer().analyze(word))
    return list(dict.fromkeys(terms))[:MOST_TERMS]


def other_query_terms(text: str) -> list[str]:
    """The distinct `other_terms` of a query, at most `MOST_TERMS`."""
    return list(dict.fromkeys(other_terms(text[:_MOST_QUERY_CHARACTERS])))[:MOST_TERMS]


def other_terms(text: str) -> list[str]:
    """The additional terms of a text that the analysis as English does not cover, in order, with repetitions.

    These are terms in non-Latin scripts and, if the text is clearly in another language, the beginnings of its words.
    """
    found = [] if text.isascii() else terms_in_other_scripts(text)
    sample = text[:_SAMPLE]
    language = language_of(sample)
    if language in _WITHOUT_ENDINGS or not is_latin(language):
        return found
    words = (word for word in map(str.lower, _WORD.findall(text)) if word not in function_words(language))
    return found + [without_accents(word)[:_BEGINNING] for word in words]


def searchable(text: str) -> str:
    """The text of a passage as it is indexed, with hyphenated words also joined."""
    whole = [head + tail for head, tail in _BROKEN_WORD.findall(text)] if "-\n" in text else []
    return without_unspaced("\n".join([text, *whole]))


@cache
def analyzer() -> tantivy.TextAnalyzer:
    """The analyser of words in Latin letters: lower case, no accents, English stems."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST_WORD))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


@cache
def _words() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase()).build()


# Part of the folder's name, so that an index of another version is not found.
VERSION = 3
_TITLE_BOOST = 1.5
_MOST_SIMILAR = 2_000
"""Most terms with the same beginning that are looked up for a word that does not occur."""
OPENING = 3_000
"""Number of characters at the beginning of a document that are searched for its subject."""
_MEMORY = 64_000_000
_MEMORY_FOR_FEW = 16_000_000
_WORN = 250
"""Number of commits after which an open index is reopened: tantivy keeps a kilobyte for each until it is closed."""


class IndexUnusableError(Exception):
    """The index is missing, damaged or of another version, and has to be rebuilt."""


class Ranked(NamedTuple):
    """The id and the score of a passage."""

    passage: int
    score: float


class Ranking:
    """One commit of an index, in which passages can be searched while the index changes."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        """Use `PassageIndex.now` instead."""
        self._searcher = searcher
        self._schema = schema
        states = searcher.search(tantivy.Query.term_query(schema, "key", "state"), 2).hits
        self.passages = searcher.num_docs - len(states)
        """Number of passages in the index."""
        self.state = self._state(states[0][1]) if states else NOTHING
        """The state of the truth that the index contains."""

    def search(
        self, terms: Collection[str], limit: int, documents: Collection[str] | None, others: Collection[str] = ()
    ) -> list[Ranked]:
        """The passages that match best, in order of score; equal ones in arbitrary order."""
        return self._found(self._within(self._query(terms, others), documents), limit)

    def openings(
        self, names: Sequence[Collection[str]], near: Collection[str], limit: int, documents: Collection[str] | None
    ) -> list[Ranked]:
        """The first passages of documents whose name or first lines contain all terms of one of `names`.

        Those that also contain terms of `near` come first.
        """
        either = [
            (
                tantivy.Occur.Should,
                tantivy.Query.boolean_query([(tantivy.Occur.Must, self._opening(one)) for one in name]),
            )
            for name in names
        ]
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.boolean_query(either)),
                *((tantivy.Occur.Should, self._opening(one)) for one in near),
            ]
        )
        return self._found(self._within(query, documents), limit)

    def similar_terms(self, word: str) -> dict[str, int]:
        """The term of a word with the number of passages that contain it, else the commonest terms that begin alike."""
        terms = analyzer().analyze(word)
        if len(terms) != 1:
            return {}
        with _unusable():
            searcher, term = self._searcher, terms[0]
            if count := searcher.doc_freq("body", term) + searcher.doc_freq("title", term):
                return {term: count}
            # The second letter may be wrong, superfluous or missing.
            beginnings = dict.fromkeys([word[:2], word[:1] + word[2:3], word[:1]])
            return dict(
                one for start in beginnings for one in searcher.terms_with_prefix("body", start, limit=_MOST_SIMILAR)
            )

    def rarities(self, terms: Collection[str]) -> dict[str, float]:
        """The inverse document frequency of each term, by which the scores of two rankings can be compared."""
        with _unusable():
            every = self._searcher.num_docs
            counts = {term: min(every, self._searcher.doc_freq("body", term)) for term in terms}
        return {term: math.log1p((every - count + 0.5) / (count + 0.5)) for term, count in counts.items()}

    def _found(self, query: tantivy.Query, limit: int) -> list[Ranked]:
        with _unusable():
            found = self._searcher.search(query, limit, count=False).hits
            numbers = self._searcher.fast_field_values("passage", [address for _, address in found])
        return [
            Ranked(number, score) for (score, _), number in zip(found, numbers, strict=True) if isinstance(number, int)
        ]

    def _opening(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "opening", term, "freq")

    def _query(self, terms: Collection[str], others: Collection[str]) -> tantivy.Query:
        either = []
        for term in terms:
            title = tantivy.Query.term_query(self._schema, "title", term, "freq")
            either.append((tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "body", term, "freq")))
            either.append((tantivy.Occur.Should, tantivy.Query.boost_query(title, _TITLE_BOOST)))
        either += [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "other", term, "freq")) for term in others
        ]
        return tantivy.Query.boolean_query(either)

    def _within(self, query: tantivy.Query, documents: Collection[str] | None) -> tantivy.Query:
        """The query restricted to some documents."""
        if documents is None:
            return query
        named = tantivy.Query.term_set_query(self._schema, "document", sorted(documents))
        only = tantivy.Query.const_score_query(named, 0.0)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, only)])

    def _state(self, address: tantivy.DocAddress) -> Change:
        sequence, token = str(self._searcher.doc(address).get_first("state")).split(" ")
        return Change(int(sequence), token)


class PassageIndex:
    """A passage index that can be changed; commits of other processes are visible after `refresh`."""

    def __init__(self, index: tantivy.Index, schema: tantivy.Schema) -> None:
        """Use `create_index` or `open_index` instead."""
        self._index = index
        self._schema = schema
        index.register_tokenizer("words", analyzer())
        index.register_tokenizer("ready", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        index.config_reader("manual")
        self.now: Ranking
        """The newest commit that was seen."""
        self._seen = 0
        self.refresh()

    @property
    def worn(self) -> bool:
        """True if so many commits were seen that the index should be reopened."""
        return self._seen > _WORN

    def refresh(self) -> None:
        """Load the newest commit."""
        with _unusable():
            self._index.reload()
            self._seen += 1
            self.now = Ranking(self._index.searcher(), self._schema)

    @contextmanager
    def writing(self, *, much: bool = True) -> Iterator[IndexWriting]:
        """Change the index; changes that are not committed at the end are discarded."""
        with _unwritable():
            # A single thread for few changes, since starting more takes longer than it saves.
            writer = self._index.writer(heap_size=_MEMORY, num_threads=2) if much else self._small_writer()
        changes = IndexWriting(self, writer)
        try:
            yield changes
        finally:
            # This also releases tantivy's own lock, which would otherwise wait for the garbage collector.
            with _unwritable():
                if changes.pending:
                    writer.rollback()
                writer.wait_merging_threads()

    def _small_writer(self) -> tantivy.IndexWriter:
        return self._index.writer(heap_size=_MEMORY_FOR_FEW, num_threads=1)


class IndexWriting:
    """Changes that become visible together at `commit`, with the state of the truth that they lead to."""

    def __init__(self, index: PassageIndex, writer: tantivy.IndexWriter) -> None:
        """Use `PassageIndex.writing` instead."""
        self._index = index
        self._writer = writer
        self.pending = 0
        """Number of passages and documents that are not yet committed."""

    def replace(self, document: str, passages: Mapping[int, Passage]) -> None:
        """Replace all passages of `document` by these; an empty mapping removes it."""
        self.pending += 1 + len(passages)
        with _unwritable():
            self._writer.delete_documents_by_term("document", document)
            first = next(iter(passages), None)
            for number, passage in passages.items():
                entry = tantivy.Document()
                if number == first:
                    entry.add_text("opening", opening(document, passages.values()))
                entry.add_unsigned("passage", number)
                entry.add_text("document", document)
                entry.add_text("body", searchable(passage.text))
                if passage.section:
                    entry.add_text("title", passage.section)
                if others := other_terms(f"{passage.text}\n{passage.section or ''}"):
                    entry.add_text("other", " ".join(others))
                self._writer.add_document(entry)

    def commit(self, state: Change) -> None:
        """Make the changes visible and durable; the index then contains `state` of the truth."""
        with _unwritable():
            self._writer.delete_documents_by_term("key", "state")
            entry = tantivy.Document()
            entry.add_text("key", "state")
            entry.add_text("state", f"{state.sequence} {state.token}")
            self._writer.add_document(entry)
            self._writer.commit()
        self.pending = 0
        self._index.refresh()


def open_index(directory: Path) -> PassageIndex:
    """The index in a folder; an `IndexUnusableError` if there is none that can be used."""
    place = directory / str(VERSION)
    with _unusable():
        if not tantivy.Index.exists(str(place)):
            raise IndexUnusableError(f"no index at {place}")
        if (damaged := _damaged(place)) is not None:
            raise IndexUnusableError(f"{damaged} is damaged")
        return PassageIndex(tantivy.Index.open(str(place)), _schema())


def _damaged(place: Path) -> Path | None:
    try:
        return damaged_file(place)
    except FileNotFoundError:  # another process has just replaced the file
        return None
    except (KeyError, TypeError) as error:
        raise IndexUnusableError(f"the list of files at {place} is damaged") from error


def create_index(directory: Path | None) -> PassageIndex:
    """An empty index that replaces the one in the folder `directory`; in memory if that is None."""
    schema = _schema()
    with _unwritable():
        if directory is None:
            return PassageIndex(tantivy.Index(schema), schema)
        place = directory / str(VERSION)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        return PassageIndex(tantivy.Index(schema, str(place)), schema)


def opening(document: str, passages: Iterable[Passage]) -> str:
    """The text by which a document's subject is found: its name and its first `OPENING` characters."""
    parts, length = [document], 0
    for passage in passages:
        parts.append(passage.text[: OPENING - length])
        length += len(passage.text)
        if length >= OPENING:
            break
    # A question about "AMD" means the document that begins with the full name.
    return "\n".join([*parts, " ".join(abbreviations_of("\n".join(parts)))])


def _schema() -> tantivy.Schema:
    # In tantivy, deleting by a number has no effect, so fields used for deleting are raw text.
    return (
        tantivy.SchemaBuilder()
        .add_unsigned_field("passage", fast=True)
        .add_text_field("document", tokenizer_name="raw", index_option="basic")
        .add_text_field("body", tokenizer_name="words", index_option="freq")
        .add_text_field("title", tokenizer_name="words", index_option="freq")
        .add_text_field("other", tokenizer_name="ready", index_option="freq")
        .add_text_field("opening", tokenizer_name="words", index_option="freq")
        .add_text_field("key", tokenizer_name="raw", index_option="basic")
        .add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
        .build()
    )


@contextmanager
def _unusable() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        # Which error tantivy raises depends on the file that is missing or damaged.
        raise IndexUnusableError(str(error)) from error
    except BaseException as error:
        # A panic of the Rust code is no `Exception`, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnusableError(str(error)) from error


@contextmanager
def _unwritable() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        why = " ".join(str(error).split())[:300]
        raise StorageError(
            f"The search index cannot be written ({why}); make room on the disk, check the permissions of its folder "
            "and run it again: the documents themselves are safe."
        ) from error
