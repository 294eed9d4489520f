"""Cards of documents: the titles, kind, dates and parties of a document, taken from its name and first lines."""

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
"""Number of lines at the beginning of a document that are read."""
_CHARACTERS = 3_000
_TITLE_LINES = 3
_LONGEST_TITLE = 120
_SENTENCE = 6
"""Least number of words of a line that ends in a full stop and therefore is no title."""
_KIND_LINES = 8
_SAME_KIND = 0.7
"""Least Jaccard index of the kind words of two documents of the same kind."""
_OFTEN = 3
"""Least number of mentions in the first lines that make a name a subject of the document."""
_REST = 3
"""Most words that may follow a name in a line of its own: its legal form, or what its owner does."""
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
    """What a document says about itself in its name and first lines; rarely needed values are computed on demand."""

    name: str
    file: str
    """The file name without its extension."""
    opening: str
    """The first lines of the document."""
    headings: tuple[str, ...]
    """The headings in the first lines before the first text."""

    @cached_property
    def _lines(self) -> list[str]:
        """The first lines without blank ones."""
        return [line for line in self.opening.split("\n") if line.strip()]

    @cached_property
    def _file_words(self) -> list[str]:
        return [word for part in _FILE_PART.findall(self.file) for word in _FILE_WORD.findall(part)]

    @cached_property
    def _title(self) -> str:
        """The first title-like lines as written, and the headings."""
        first = takewhile(_like_a_title, self._lines[:_TITLE_LINES])
        return "\n".join(dict.fromkeys([*first, *self.headings]))

    @cached_property
    def title(self) -> str:
        """Stems of the file name, `|`, and stems of the title, separated and surrounded by spaces."""
        return f" {' '.join([*terms(' '.join(self._file_words)), '|', *terms(self._title)])} "

    @cached_property
    def files(self) -> frozenset[str]:
        """All runs of adjacent words of the file name, each joined without spaces."""
        return frozenset(_runs(self._file_words) + _runs(_FILE_PART.findall(self.file)))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """For each of the first lines its stems, separated and surrounded by spaces."""
        return tuple(f" {' '.join(terms(DOMAIN.sub(' ', line)))} " for line in self._lines)

    @cached_property
    def text(self) -> str:
        """The stems of all first lines, one line per line."""
        return "\n".join(self.lines)

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """Abbreviations that may be formed from the names of several words in the first lines."""
        return frozenset(abbreviations_of(self.opening))

    @cached_property
    def parties(self) -> tuple[str, ...]:
        """Stems of the names in the first lines that are followed by a legal form or a defining bracket."""
        named = (" ".join(terms(match["name"])) for match in _PARTY.finditer(self.opening))
        return tuple(dict.fromkeys(named))[:MOST_RUNS]

    @cached_property
    def common(self) -> frozenset[str]:
        """Stems of the words that the first lines write in lower case."""
        return frozenset(terms(" ".join(_SMALL_WORD.findall(self.opening))))

    @cached_property
    def kind(self) -> frozenset[str]:
        """Stems of the file name if it contains a year, else of the first lines, without times and numbers."""
        own = _kind(self._file_words) if _YEAR.search(self.file) else frozenset()
        return own or _kind(_WORDS.findall("\n".join(self._lines[:_KIND_LINES])))

    @cached_property
    def years(self) -> tuple[str, ...]:
        """The years in the file name, else the year of the first date in the opening, else those in the title."""
        years = _YEAR.findall(self.file) or _first_date(self._lines) or _YEAR.findall(self._title)
        return tuple(dict.fromkeys(years))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """All years in the first lines."""
        return frozenset(_YEAR.findall(self.opening))

    @cached_property
    def dates(self) -> frozenset[str]:
        """Dates in the file name and the title, as 2022-06-14 or 2022-06."""
        return frozenset(_dates(f"{self.file.replace('_', ' ')}\n{self._title}"))

    def knows(self, name: Name) -> int:
        """Grade of a name: 3 if file or title has it, 2 if the opening presents it, 1 if it is often there, else 0."""
        wanted = f" {' '.join(name.stems)} "
        if len(name.stems) == 1 and not name.sure and name.stems[0] in self.common:
            return 0
        if name.joined in self.files or wanted in self.title:
            return 3
        return 2 if self._presents(name, wanted) else int(self.text.count(wanted) >= _OFTEN)

    def _presents(self, name: Name, wanted: str) -> bool:
        """True if a name has a line of its own, is introduced like a party ("Acme Ltd. (the"), or abbreviates one."""
        if name.text.isupper() and name.joined in self.abbreviations:
            return True
        return wanted in self.text and (
            any(line.startswith(wanted) and len(line.split()) <= len(name.stems) + _REST for line in self.lines)
            or any(f" {party} ".startswith(wanted) for party in self.parties)
        )


@remembered
def card_of(name: str, store: Store) -> Card:
    """The card of a document in a store."""
    text, headings = _opening(store.passages(name, 1, READ_LINES))
    file = name.rsplit("/", 1)[-1]
    return Card(name, file[: file.rindex(".")] if "." in file[1:] else file, text, tuple(headings))


def _opening(passages: Sequence[Passage]) -> tuple[str, list[str]]:
    """The text of the first lines, and the headings before the first text in them."""
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
    """All runs of adjacent words, joined without spaces: "bestbuy" for Best_Buy_2019."""
    low = [word.casefold() for word in words[:12]]
    return ["".join(low[first:last]) for first in range(len(low)) for last in range(first + 1, len(low) + 1)]


def _like_a_title(line: str) -> bool:
    return len(line) <= _LONGEST_TITLE and not (line.rstrip().endswith(".") and len(line.split()) >= _SENTENCE)


def _kind(words: Sequence[str]) -> frozenset[str]:
    return frozenset(terms(" ".join(word for word in words if not _TIME_WORD.fullmatch(word))))


def _first_date(lines: Sequence[str]) -> list[str]:
    """The year of the first date in these lines that has at least a month; empty if there is none."""
    for line in lines:
        if _YEAR.search(line) and (found := _dates(line)):
            return [found[0][:4]]
    return []


def _dates(text: str) -> list[str]:
    return [found[0] for one in quantities(text) if one.iso and (found := _DATE.search(one.iso))]


def alike(cards: Sequence[Card]) -> bool:
    """True if documents are of the same kind but of different times, like the reports of several years."""
    times = [frozenset(card.dates or card.years) for card in cards]
    distinct = len(cards) > 1 and all(times) and len(set(times)) == len(times)
    return distinct and all(_same_kind(cards[0].kind, card.kind) for card in cards[1:])


def _same_kind(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= _SAME_KIND * len(one | other)
