"""The lines that an item cites, with their folded text, quantities, caption scales and currencies, computed once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from spanwise.domain.document import Document, Line
from spanwise.text.fold import folded, stands_in
from spanwise.text.quantities import Quantity, Scale, quantities, scale_of
from spanwise.text.quantities.currencies import CODES, DOLLAR_COUNTRIES, DOLLARS, HISTORIC, NAMES, SIGNS, WORDS_BEFORE
from spanwise.text.readable import readable

NEAR_BEFORE = 60
"""Number of lines above a cited one, on its page, that may name the currency of a table."""
NEAR_BEHIND = 20
"""Number of lines below a cited one that may do so."""
MOST_SHOWN = 20_000
"""Most characters of cited lines that are also compared in their readable form; longer ones only as they are."""
_MOST_CHARACTERS = 200_000
"""Most characters of the cited lines of one item that are searched for quantities."""
_REFERENCE = re.compile(r"\[\d{1,4}(?:\s?[,;\u2013-]\s?\d{1,4})*\]")
_MAY_SCALE = re.compile(
    r"thousand|million|billion|hundred|lakh|crore|(?<![\d,.])000|\b[mb]n\b|\bmm\b|[$\u20ac\u00a3]\s?[km]\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![a-z])")
_NO_CODES = frozenset(["ALL", "TOP", "TRY", "AMD", "MOP", "BOB", "COP", "GEL", "PEN", "LAK", "SOS", "CHE"])
_NAME = re.compile(
    rf"(?:\b(?P<country>{'|'.join(DOLLAR_COUNTRIES)})\s+dollars?|\b(?P<name>{'|'.join(NAMES)})s?)\b", re.IGNORECASE
)
_PREFIXED = re.compile(r"(?<![A-Za-z])(?P<before>[A-Z]{1,3})\s?\$")
_ABBREVIATED = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(WORDS_BEFORE)})(?![A-Za-z])", re.IGNORECASE)


class Stretch:
    """A contiguous range of lines, with values derived from its text."""

    __slots__ = ("__dict__", "lines", "text")

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(lines)
        self.text = "\n".join(line.text for line in lines)

    @cached_property
    def folded(self) -> str:
        """The folded text (see `spanwise.text.fold`)."""
        return folded(self.text)

    @cached_property
    def bare(self) -> str:
        """The folded text without references such as `[3]`."""
        return folded(_REFERENCE.sub(" ", self.text)) if "[" in self.text else self.folded

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities in the text."""
        return read_quantities(self.text)

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """The scales and currencies stated by captions among the lines; a caption may extend over two lines."""
        found = []
        for index, line in enumerate(self.lines):
            if _MAY_SCALE.search(line.text):
                behind = self.lines[index + 1].text if index + 1 < len(self.lines) else ""
                if scale := _scale(f"{line.text} {behind}") or _scale(line.text):
                    found.append(scale)
        return tuple(dict.fromkeys(found))

    def line_of(self, offset: int) -> str:
        """The line of the text at a character offset."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : end if end >= 0 else None]


class Cited:
    """All lines that one item cites."""

    __slots__ = ("__dict__", "stretches", "surroundings")

    def __init__(self, stretches: Sequence[Stretch], surroundings: Callable[[], str] | None = None) -> None:
        """Read the cited ranges.

        Args:
            stretches: The lines of each span; none of them empty.
            surroundings: Returns the lines around the first span, where a table header may name the currency.
        """
        self.stretches = tuple(stretches)
        self.surroundings = surroundings

    @cached_property
    def folded(self) -> str:
        """The folded text of all cited lines."""
        if len(self.stretches) == 1:
            return self.stretches[0].folded
        return folded("\n".join(stretch.text for stretch in self.stretches))

    @cached_property
    def bare(self) -> str:
        """The folded text of all cited lines without references such as `[3]`."""
        return " ".join(stretch.bare for stretch in self.stretches)

    @cached_property
    def text(self) -> str:
        """The text of all cited lines, in the order of the document."""
        there = [one for one in self.stretches if one.lines]  # in an edited trace, some lines may be missing
        return "\n".join(one.text for one in sorted(there, key=lambda one: one.lines[0].number))

    @cached_property
    def readable(self) -> tuple[str, ...]:
        """The folded text in its readable form; table rows also in document order, if a header is cited after them."""
        if len(self.text) > MOST_SHOWN:
            return ()
        given = "\n".join(one.text for one in self.stretches)
        return tuple(folded(readable(text)) for text in dict.fromkeys((given, self.text) if "|" in given else (given,)))

    @property
    def quantities(self) -> list[tuple[Quantity, Stretch]]:
        """The quantities of every range with the range, up to a bound on the characters."""
        found: list[tuple[Quantity, Stretch]] = []
        size = 0
        for stretch in self.stretches:
            size += len(stretch.text)
            if size > _MOST_CHARACTERS:
                break
            found += [(quantity, stretch) for quantity in stretch.quantities]
        return found

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """Every scale that a cited line states."""
        return tuple(dict.fromkeys(scale for stretch in self.stretches for scale in stretch.scales))

    @cached_property
    def currencies(self) -> frozenset[str]:
        """The currencies that the cited lines name, by code, sign or name."""
        return frozenset().union(*(currencies_in(stretch.text) for stretch in self.stretches))

    @cached_property
    def currencies_around(self) -> frozenset[str]:
        """The currencies that the surrounding lines name; they decide if the cited lines name none."""
        return currencies_in(self.surroundings()) if self.surroundings else frozenset()

    def holds(self, text: str) -> bool:
        """True if the text is in the cited lines as whole words, ignoring white space, typography and case.

        The readable form of the lines is also compared: without the marks of Markdown, lists and tables.
        """
        said = folded(text)
        if stands_in(said, self.folded) or any(stands_in(said, shown) for shown in self.readable):
            return True
        return ("[" in text or "[" in self.folded) and stands_in(without_references(text), self.bare)


class Reading:
    """A document whose cited ranges are each read only once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._stretches: dict[tuple[int, int], Stretch] = {}

    def stretch(self, first: int, last: int) -> Stretch:
        """The range of the lines `first..last`, which must exist."""
        found = self._stretches.get((first, last))
        if found is None:
            found = self._stretches[first, last] = Stretch(self.document.lines[first - 1 : last])
        return found

    def cited(self, ranges: Sequence[tuple[int, int]]) -> Cited:
        """The cited lines of some ranges, which must exist."""
        first = ranges[0][0] if ranges else 1
        return Cited([self.stretch(*one) for one in ranges], lambda: self._around(first))

    def _around(self, number: int) -> str:
        lines = self.document.lines
        return around(lines[max(0, number - 1 - NEAR_BEFORE) : number + NEAR_BEHIND], number)


def around(lines: Sequence[Line], number: int) -> str:
    """The text of those lines that are on the same page as line `number`."""
    page = next((line.page for line in lines if line.number == number), None)
    return "\n".join(line.text for line in lines if line.page == page)


def without_references(text: str) -> str:
    """The folded text without references such as `[3]`."""
    return folded(_REFERENCE.sub(" ", text))


@lru_cache(maxsize=1024)
def currencies_in(text: str) -> frozenset[str]:
    """The currencies that a text names by code, sign or name; a bare `$` counts as USD."""
    found = {code for sign, code in SIGNS.items() if sign in text}
    found |= {code for code in _CODE.findall(text) if (code in CODES or code in HISTORIC) and code not in _NO_CODES}
    for match in _PREFIXED.finditer(text):
        if code := DOLLARS.get(match["before"].lower()):
            found.add(code)
    for match in _NAME.finditer(text):
        found.add(DOLLAR_COUNTRIES[match["country"].lower()] if match["country"] else NAMES[match["name"].lower()])
    found |= {WORDS_BEFORE[word.lower()] for word in _ABBREVIATED.findall(text) if word[0].isupper()}
    return frozenset(found)


@lru_cache(maxsize=1024)
def _scale(text: str) -> Scale | None:
    return scale_of(text)


@lru_cache(maxsize=1024)
def read_quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text, cached: the same lines are checked when an answer is written, guarded and replayed."""
    return tuple(quantities(text))
