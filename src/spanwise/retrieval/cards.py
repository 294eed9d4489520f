"""Cards of documents: what a document is called and about, and from when, by its own name and first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile

from spanwise.domain.passage import Passage
from spanwise.store.port import Store, remembered
from spanwise.text.expectations.proper_names import DOMAIN, LEGAL_FORMS, MOST_RUNS, Name, abbreviations_of
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms

READ_LINES = 60
"""Lines at the beginning of a document that are read."""
_CHARACTERS = 3_000
_TITLE_LINES = 3
_LONGEST_TITLE = 120
_SENTENCE = 6
"""Words of a line that ends in a full stop and is no title."""
_KIND_LINES = 8
_SAME_KIND = 0.7
"""Share of their words that two documents of one kind have in common."""
_OFTEN = 3
"""Mentions in the first lines that make a name be what a document is about."""
_REST = 3
"""Words that may follow a name in a line of its own: its legal form, what its owner does."""
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE = lazy_pattern(r"(?:19|20)\d\d-\d\d(?:-\d\d)?")
_FILE_WORD = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
_FILE_PART = lazy_pattern(r"[^\W_]+")
_WORDS = lazy_pattern(r"\w+")
_TIME_WORD = lazy_pattern(
    r"\d+|q[1-4]|h[12]|fy\d*|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
_PARTY = lazy_pattern(
    r"(?P<name>\b[A-Z][\w&.\u2019'-]{0,40}(?:[ \n]+(?:of |and |& )?[A-Z][\w&.\u2019'-]{0,40}){0,5})"
    r",?[ \n]{1,2}(?:(?i:"
    + "|".join(sorted(LEGAL_FORMS))
    + r"|l\.l\.c|l\.p|s\.a|b\.v|n\.v)\b|\((?:the[ \n]|hereinafter\b|[\"\u201c\u2018']))"
)
_SMALL_WORD = lazy_pattern(r"(?<![\w.'-])[a-z][a-z]+(?![\w'-])")


@dataclass(frozen=True)
class Card:
    """A document by its own words; what few questions ask for is read when one does."""

    name: str
    file: str
    """Its file name without what ends it."""
    opening: str
    """Its first lines."""
    headings: tuple[str, ...]
    """The headings before the first text among them."""

    @cached_property
    def _lines(self) -> list[str]:
        """The first lines that are not blank."""
        return [line for line in self.opening.split("\n") if line.strip()]

    @cached_property
    def _file_words(self) -> list[str]:
        return [word for part in _FILE_PART.findall(self.file) for word in _FILE_WORD.findall(part)]

    @cached_property
    def _title(self) -> str:
        """The first lines as they are written, and the headings."""
        first = takewhile(_like_a_title, self._lines[:_TITLE_LINES])
        return "\n".join(dict.fromkeys([*first, *self.headings]))

    @cached_property
    def title(self) -> str:
        """Stems of its file name and its first lines, with blanks around each."""
        return f" {' '.join([*terms(' '.join(self._file_words)), '|', *terms(self._title)])} "

    @cached_property
    def files(self) -> frozenset[str]:
        """Runs of the words of its file name, each in one piece."""
        return frozenset(_runs(self._file_words) + _runs(_FILE_PART.findall(self.file)))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Stems of each of its first lines, with blanks around each stem."""
        return tuple(f" {' '.join(terms(DOMAIN.sub(' ', line)))} " for line in self._lines)

    @cached_property
    def text(self) -> str:
        """All of these."""
        return "\n".join(self.lines)

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """What the names of several words in its first lines may be called for short."""
        return frozenset(abbreviations_of(self.opening))

    @cached_property
    def parties(self) -> tuple[str, ...]:
        """Stems of the names in it that are introduced by a legal form or a bracket."""
        named = (" ".join(terms(match["name"])) for match in _PARTY.finditer(self.opening))
        return tuple(dict.fromkeys(named))[:MOST_RUNS]

    @cached_property
    def common(self) -> frozenset[str]:
        """Stems of words that are written in small letters there."""
        return frozenset(terms(" ".join(_SMALL_WORD.findall(self.opening))))

    @cached_property
    def kind(self) -> frozenset[str]:
        """Stems of its file name, or of its first lines where that tells no time, but for times and numbers."""
        own = _kind(self._file_words) if _YEAR.search(self.file) else frozenset()
        return own or _kind(_WORDS.findall("\n".join(self._lines[:_KIND_LINES])))

    @cached_property
    def years(self) -> tuple[str, ...]:
        """Years of its file name, or else of the first date in it, or else of its title."""
        years = _YEAR.findall(self.file) or _first_date(self._lines) or _YEAR.findall(self._title)
        return tuple(dict.fromkeys(years))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """All years in its first lines."""
        return frozenset(_YEAR.findall(self.opening))

    @cached_property
    def dates(self) -> frozenset[str]:
        """Whole dates of its file name and title, as 2022-06-14 or 2022-06."""
        return frozenset(_dates(f"{self.file.replace('_', ' ')}\n{self._title}"))

    def knows(self, name: Name) -> int:
        """How much a document is about a name: 3 it is called so, 2 it presents itself so, 1 it begins with it."""
        wanted = f" {' '.join(name.stems)} "
        if len(name.stems) == 1 and not name.sure and name.stems[0] in self.common:
            return 0
        if name.joined in self.files or wanted in self.title:
            return 3
        return 2 if self._presents(name, wanted) else int(self.text.count(wanted) >= _OFTEN)

    def _presents(self, name: Name, wanted: str) -> bool:
        """Whether a name has a line of its own, is introduced like a party ("Acme Ltd. (the"), or abbreviates one."""
        if name.text.isupper() and name.joined in self.abbreviations:
            return True
        return wanted in self.text and (
            any(line.startswith(wanted) and len(line.split()) <= len(name.stems) + _REST for line in self.lines)
            or any(f" {party} ".startswith(wanted) for party in self.parties)
        )


@remembered
def card_of(name: str, store: Store) -> Card:
    """The card of a document of a store."""
    text, headings = _opening(store.passages(name, 1, READ_LINES))
    file = name.rsplit("/", 1)[-1]
    return Card(name, file[: file.rindex(".")] if "." in file[1:] else file, text, tuple(headings))


def _opening(passages: Sequence[Passage]) -> tuple[str, list[str]]:
    """The first lines, and the headings before the first text among them."""
    texts: list[str] = []
    headings: list[str] = []
    length, speaking = 0, False
    for passage in passages:
        lines = iter(passage.text.split("\n"))
        for size, role in passage.blocks:
            block = list(islice(lines, size))
            texts += block
            if role == "heading" and not speaking:
                headings += block
            speaking = speaking or role in ("text", "list_item")
        length += len(passage.text)
        if length >= _CHARACTERS:
            break
    return "\n".join(texts)[:_CHARACTERS], headings[:_TITLE_LINES]


def _runs(words: Sequence[str]) -> list[str]:
    """Each run of neighbouring words in one piece: "BestBuy" of Best_Buy_2019."""
    low = [word.casefold() for word in words[:12]]
    return ["".join(low[first:last]) for first in range(len(low)) for last in range(first + 1, len(low) + 1)]


def _like_a_title(line: str) -> bool:
    return len(line) <= _LONGEST_TITLE and not (line.rstrip().endswith(".") and len(line.split()) >= _SENTENCE)


def _kind(words: Sequence[str]) -> frozenset[str]:
    return frozenset(terms(" ".join(word for word in words if not _TIME_WORD.fullmatch(word))))


def _first_date(lines: Sequence[str]) -> list[str]:
    """The year of the first date, with its month, that a document names."""
    for line in lines:
        if _YEAR.search(line) and (found := _dates(line)):
            return [found[0][:4]]
    return []


def _dates(text: str) -> list[str]:
    return [found[0] for one in quantities(text) if one.iso and (found := _DATE.search(one.iso))]


def alike(cards: Sequence[Card]) -> bool:
    """Whether documents are of one kind and of different times, as the reports of several years are."""
    times = [frozenset(card.dates or card.years) for card in cards]
    distinct = len(cards) > 1 and all(times) and len(set(times)) == len(times)
    return distinct and all(_same_kind(cards[0].kind, card.kind) for card in cards[1:])


def _same_kind(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= _SAME_KIND * len(one | other)
