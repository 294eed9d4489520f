"""Several things that a question names: two beside each other, a list, a part and its whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from spanwise.contract.compute import Operation
from spanwise.synthesis.extractive.tables.matching import (
    NAMED,
    OPERATORS,
    Chooser,
    Place,
    Solution,
    best_named,
    plain,
    words_of,
)
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.tables.grid import is_year, without_note, years_of
from spanwise.text.terms import terms

_MOST_CHUNK = 6
_MOST_WORDS = 60
_SUMS = frozenset(terms("total sum"))
_JOINTS = frozenset(["and", "to", "versus", "vs", "vs.", "over", "&", "from", "than"])


def pair(question: TableQuestion, chooser: Chooser) -> tuple[Place, Place] | None:
    """Two cells of one row or column that a question sets beside each other ("between the low and the high price").

    Each is named by the question without the words that name the other.
    """
    words = OPERATORS.sub(" ", question.text).rstrip("? ").replace(",", " ").split()
    best: tuple[float, Place, Place] | None = None
    tops = _Tops(question, chooser)
    for at, left, right in _chunks(words):
        one = tops.of([*words[:at], *words[at + 1 + right :]], words[at - left : at])
        other = tops.of([*words[: at - left], *words[at + 1 :]], words[at + 1 : at + 1 + right])
        if one is None or other is None or (one.row == other.row) == (one.column == other.column):
            continue
        score = one.score + other.score
        if best is None or score > best[0] + 1e-9:
            best = (score, one, other)
    return None if best is None else (best[1], best[2])


def _chunks(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Every word that may join two things, with how many words before and behind it may name them."""
    for at, word in enumerate(words[:_MOST_WORDS]):
        if word in _JOINTS:
            for left in range(1, min(_MOST_CHUNK, at) + 1):
                for right in range(1, min(_MOST_CHUNK, len(words) - at - 1) + 1):
                    yield at, left, right


class _Tops:
    """The best named cells for what is left of a question; six of its chunks leave the same, which is read once."""

    def __init__(self, question: TableQuestion, chooser: Chooser) -> None:
        self._question, self._chooser = question, chooser
        self._found: dict[tuple[str, str | None], Place | None] = {}
        self._stems: dict[str, frozenset[str]] = {}

    def of(self, words: Sequence[str], chunk: Sequence[str]) -> Place | None:
        """The best named cell, of the year that the chunk names or else of the one year of the question."""
        said = " ".join(chunk)
        own, years = sorted(years_of(said)), self._question.years
        year = own[0] if own else years[0] if len(years) == 1 else None
        place = self._best(" ".join(words), year)
        if place is None or not (self._named(said) & self._chooser.index.words_at(place)):
            return None
        return place

    def _best(self, text: str, year: str | None) -> Place | None:
        if (text, year) not in self._found:
            words = words_of(text, self._chooser)
            self._found[text, year] = best_named(words, self._chooser, year, self._question.text)
        return self._found[text, year]

    def _named(self, chunk: str) -> frozenset[str]:
        if chunk not in self._stems:
            self._stems[chunk] = self._chooser.stems(chunk)
        return self._stems[chunk]


def of_things(question: TableQuestion, chooser: Chooser, operation: Operation) -> Solution | None:
    """An operation over several things that the question names, at one year."""
    two = pair(question, chooser)
    if two is not None:
        return Solution("computed", two, min(place.score for place in two), operation)
    # "What is the total cost of the optical parts?" names no row that is called "Total".
    things = [one for one in entities(question, chooser) if operation != "total" or not _SUMS.issuperset(terms(one))]
    if len(things) < 2 or (operation == "difference" and len(things) != 2):
        return None
    year = question.years[0] if question.years else None
    found = [best_named(entity, chooser, year) for entity in things]
    places = tuple(place for place in found if place is not None)
    distinct = {(place.row, place.column) for place in places}
    if len(places) != len(things) or len(distinct) != len(places):
        return None
    if len({place.row for place in places}) > 1 and len({place.column for place in places}) > 1:
        return None
    return Solution("computed", places, min(place.score for place in places), operation)


_LISTED = re.compile(
    r"\b(?:between|of|for|from|in|was|is|are|were|total|sum|combined|respective|"
    r"average)\s+(?:the )?(.+?)\s*(?:,?\s+(?:in|for|as of|as at|at|during|"
    r"on|by|over|under|altogether|respectively|reported)\b[^,]*)?\??$"
)
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+&\s+|\s+versus\s+|\s+vs\.?\s+|\s+to\s+")


def entities(question: TableQuestion, chooser: Chooser) -> list[str]:
    """The things that a question lists: labels that stand in it, else the parts of its list."""
    whole = _whole_labels(question.text, chooser)
    if len(whole) > 1:
        return whole
    found = _LISTED.search(question.text.rstrip("? "))
    if found is None:
        return []
    parts = [part for part in _AND.split(found.group(1)) if part and part.strip()]
    return parts if 1 < len(parts) <= 4 else []


def _whole_labels(text: str, chooser: Chooser) -> list[str]:
    """Labels of rows, or heads of columns, that stand in a text, in its order; the longest where several overlap."""
    spoken = f" {plain(text)} "
    written = (*chooser.grid.heads, *(without_note(row.label) for row in chooser.grid.rows))
    names = {plain(name): name for name in written}
    spots: list[tuple[int, int, str]] = []
    for name in sorted(names, key=lambda name: (-len(name), name)):
        if len(name) <= 2 or is_year(name):
            continue
        for found in re.finditer(rf"(?<= ){re.escape(name)}(?= )", spoken):
            if not any(start <= found.start() < end for start, end, _ in spots):
                spots.append((found.start(), found.end(), name))
                break
    return [names[name] for _, _, name in sorted(spots)]


_SHARES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<part>.+?) (?:expressed )?as an? (?:percentage|percent|proportion|ratio|fraction) (?:of|to) (?P<all>.+)",
        r"(?:percent(?:age)?|proportion|share|portion) of (?:the )?(?P<all>.+?) (?:(?:is|was|"
        r"were|are|did|does)(?: accounted for by| represented by| made up of| "
        r"made up by| attributable to| attributed to| contributed by| comprised of| from|"
        r" due to| related to)?|came from|comes from|consisted of|consists of) (?P<part>.+)",
        r"(?:percent(?:age)?|proportion) (?:of )?(?:constitution )?(?:of |"
        r"constitution of )?(?P<part>.+?) (?:in|over|to|among|amongst|out of|against|"
        r"relative to|"
        r"divided by|from|of|within) (?:the )?(?P<all>.+)",
        r"ratio (?:of|between) (?P<part>.+?) (?:to|over|and|against) (?P<all>.+)",
        r"(?P<part>.+?) divided by (?P<all>.+)",
    )
)  # fmt: skip


def share(operation: Operation) -> Callable[[TableQuestion, Chooser], Solution | None]:
    """What makes a share, or a ratio, of a part and its whole."""

    def solve(question: TableQuestion, chooser: Chooser) -> Solution | None:
        year = question.years[0] if question.years else None
        best: Solution | None = None
        for part, whole in _splits(question.text):
            one = best_named(words_of(part, chooser), chooser, year)
            if one is None:
                continue
            other = _whole_of(words_of(whole, chooser), one, chooser, year)
            if other is None or (one.row, one.column) == (other.row, other.column):
                continue
            made = Solution("computed", (one, other), min(one.score, other.score), operation)
            if best is None or made.score > best.score:
                best = made
        return best

    return solve


def _splits(text: str) -> Iterator[tuple[str, str]]:
    for pattern in _SHARES:
        if match := pattern.search(text.rstrip("? ")):
            yield match["part"], match["all"]


def _whole_of(words: str, part: Place, chooser: Chooser, year: str | None) -> Place | None:
    """What a part is a share of: in its column, or in its row."""
    places = chooser.places(words, year)
    column = [place for place in places if place.column == part.column and place.row != part.row]
    row = [place for place in places if place.row == part.row and place.column != part.column]
    tops = [held[0] for held in (column, row) if held and held[0].score >= NAMED]
    return max(tops, key=lambda place: place.score) if tops else None
