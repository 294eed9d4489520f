"""Grounding: values that were extracted elsewhere, each placed on the lines of a document that state it.

A value is `found` if a line states it, in the same words or as an equal amount, date or number. Of several such lines,
the one with the largest share of the value's name (the words of its path) wins. A value `differs` if a line with its
name states another value of the same kind, or nearly the same words. Otherwise it is `not_found`.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict, cast

from spanwise.contract.result import Highlighter, Source
from spanwise.domain.claim import Citation, CitationDict
from spanwise.domain.passage import Passage
from spanwise.errors import HighlightError, InputError
from spanwise.guard.drafts.checked import cite
from spanwise.store.port import Store
from spanwise.text.fold import find_quote
from spanwise.text.quantities import Quantity, agrees, quantities
from spanwise.text.terms import terms

State: TypeAlias = Literal["found", "differs", "not_found"]

MOST_VALUES = 10_000
LARGEST_FILE = 20_000_000
_LONGEST = 20_000
"""The most characters of one value."""
_DEEPEST = 40
"""The most levels of nested values."""
_NEAREST = 20
"""Number of passages searched for similar words of a value, or for another value of the same name."""
_ABOVE = 0.5
"""Weight of a name's word that is in the line before, or in the heading, relative to one in the line itself."""
_NAMED = 2 / 3
"""Least share of a value's name that a line must contain to count as stating another value."""
_TELLING = 3
"""Least number of digits of a bare number that may be found without its name: "5" is everywhere."""
_PARTS = re.compile(r"[^\W\d_]+|\d{4}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_DIGITS = re.compile(r"\D+")
_ENTRY = re.compile(r"\s{0,9}(?P<label>[^:|\n]{1,80})[:|]\s{1,9}(?P<value>[^|\n]{1,200})")


class GroundedValueDict(TypedDict):
    """The value of `GroundedValue.to_dict`."""

    name: str
    value: str | bool | int | float | None
    state: State
    found: str | None
    reason: str
    citation: CitationDict | None


class GroundingDict(TypedDict):
    """The value of `Grounding.to_dict`: how many values there are of each state, and all of them."""

    holds: bool
    found: int
    differs: int
    not_found: int
    items: list[GroundedValueDict]


@dataclass(frozen=True, slots=True)
class GroundedValue:
    """One value with its state and the lines that state it, or that state another value."""

    name: str
    """Its path: `vendor.address`, `items[2].price`."""
    value: object
    state: State
    citation: Citation | None = None
    """The lines that state the value, or another one instead; None if not found."""
    found: str | None = None
    """What the document states, in its own words; None if not found."""
    reason: str = ""

    def to_dict(self) -> GroundedValueDict:
        """The value as JSON values."""
        plain = self.value if isinstance(self.value, str | bool | int | float | None) else str(self.value)
        return {
            "name": self.name,
            "value": plain,
            "state": self.state,
            "found": self.found,
            "reason": self.reason,
            "citation": None if self.citation is None else cast(CitationDict, asdict(self.citation)),
        }


@dataclass(frozen=True, slots=True)
class Grounding:
    """The grounding of all values of an extraction, in their order."""

    items: tuple[GroundedValue, ...]
    highlighter: Highlighter | None = field(default=None, repr=False, compare=False)

    @property
    def holds(self) -> bool:
        """True if every value was found; False if there are no values."""
        return bool(self.items) and all(item.state == "found" for item in self.items)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Citations of the values that were found or that differ."""
        return tuple(item.citation for item in self.items if item.citation is not None)

    def to_dict(self) -> GroundingDict:
        """The grounding as JSON values."""
        counts = Counter(item.state for item in self.items)
        return {
            "holds": self.holds,
            "found": counts["found"],
            "differs": counts["differs"],
            "not_found": counts["not_found"],
            "items": [item.to_dict() for item in self.items],
        }

    def highlight(self, path: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write copies of the PDFs in which the line of every value is highlighted, as `Result.highlight` does.

        Raises:
            HighlightError: No value was placed, or its document is no PDF or is no longer the one that was read.
            StorageError: The copy cannot be written.
        """
        if self.highlighter is None:
            raise HighlightError("these values were placed on passages: ground them in the PDF itself to highlight it")
        return self.highlighter(self.citations, Path(path))


def grounded(values: object, store: Store) -> tuple[GroundedValue, ...]:
    """Place values on the lines of some documents that state them.

    Args:
        values: A mapping, a Pydantic model, a dataclass, a result of langextract, a list of these, or the path of a
            file with JSON, or with one JSON value per line.
        store: The documents.

    Raises:
        InputError: There is no value, there are too many, or the file is not JSON.
    """
    leaves = list(_leaves(_loaded(values), "", 0))
    if not leaves:
        raise InputError("there is no value to place: give a mapping, a model, or a JSON file with at least one")
    pages = _Lines(store)
    return tuple(_placed(name, value, pages, f"g{number}") for number, (name, value) in enumerate(leaves, 1))


def _loaded(values: object) -> object:
    if not isinstance(values, str | os.PathLike):
        return values
    path = Path(values)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path} has more than {LARGEST_FILE:,} bytes: give the values in several files")
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".jsonl":
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        return json.loads(text)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): name a JSON file with the values") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON ({error}): give the values as JSON") from error


def _leaves(value: object, name: str, depth: int) -> Iterator[tuple[str, object]]:
    """Every value with its path; None and empty texts are left out."""
    for number, leaf in enumerate(_walked(value, name, depth)):
        if number == MOST_VALUES:
            raise InputError(f"there are more than {MOST_VALUES:,} values: place them in several calls")
        yield leaf


def _walked(value: object, name: str, depth: int) -> Iterator[tuple[str, object]]:
    if depth > _DEEPEST:
        raise InputError(f"the value {name!r} lies more than {_DEEPEST} levels deep: give it in a flat form")
    value = _as_plain(value)
    if isinstance(value, Mapping):
        if isinstance(found := value.get("extractions"), Sequence) and not isinstance(found, str):
            for at, one in enumerate(found):
                yield from _walked(_extraction(one), f"{name}[{at}]" if name else "", depth + 1)
            return
        for key, inner in value.items():
            yield from _walked(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        inside = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        for at, inner in enumerate(inside):
            yield from _walked(inner, f"{name}[{at}]" if name else f"[{at}]", depth + 1)
    elif value is not None and str(value).strip():
        if len(str(value)) > _LONGEST:
            raise InputError(f"the value {name!r} has more than {_LONGEST:,} characters: give what a line can say")
        yield name or "value", value


def _as_plain(value: object) -> object:
    """Models, dataclasses and enumerations as plain mappings or values."""
    if isinstance(value, Enum):
        return value.value
    dump, extractions = getattr(value, "model_dump", None), getattr(value, "extractions", None)
    if callable(dump) and not isinstance(value, type):
        return dump()
    if extractions is not None:
        return {"extractions": list(extractions)}
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _extraction(one: object) -> object:
    """An extraction of langextract as a mapping from its class to its text, without its further attributes."""
    if isinstance(one, Mapping):
        return {str(one.get("extraction_class", "value")): one.get("extraction_text")}
    return {str(getattr(one, "extraction_class", "value")): getattr(one, "extraction_text", None)}


@dataclass(frozen=True, slots=True)
class _Place:
    """A range of a passage that states something, with the share of the value's name that is near it."""

    passage: Passage
    start: int
    end: int
    likeness: float

    @property
    def said(self) -> str:
        return " ".join(self.passage.text[self.start : self.end].split())


class _Lines:
    """The passages of some documents, with caches of their figures and stems."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._figures: dict[tuple[str, int], list[Quantity]] = {}
        self._stems: dict[str, frozenset[str]] = {}

    @cached_property
    def passages(self) -> list[Passage]:
        return [one for document in self.store.documents() for one in self.store.passages(document.name)]

    @cached_property
    def digits(self) -> list[tuple[Passage, int, str]]:
        """Each line: its passage, its offset there, and its digits joined together."""
        return [
            (passage, start, _NOT_DIGITS.sub("", line)) for passage in self.passages for start, line in _lines(passage)
        ]

    def near(self, words: str) -> list[Passage]:
        return [hit.passage for hit in self.store.search(words, _NEAREST)] if words.strip() else []

    def figures(self, passage: Passage, start: int, line: str) -> list[Quantity]:
        if (passage.id, start) not in self._figures:
            self._figures[passage.id, start] = list(quantities(line))
        return self._figures[passage.id, start]

    def likeness(self, name: frozenset[str], passage: Passage, start: int) -> float:
        """The share of a name's words that are in a line; those in the line before or in the heading count half."""
        if not name:
            return 0.0
        end = passage.text.find("\n", start)
        begin = passage.text.rfind("\n", 0, start) + 1
        line = passage.text[begin : end if end >= 0 else len(passage.text)]
        before = passage.text[passage.text.rfind("\n", 0, max(0, begin - 1)) + 1 : max(0, begin - 1)]
        own = name & self._read(line)
        around = (name & (self._read(before) | self._read(passage.section or ""))) - own
        return (len(own) + _ABOVE * len(around)) / len(name)

    def _read(self, text: str) -> frozenset[str]:
        if text not in self._stems:
            self._stems[text] = frozenset(terms(text))
        return self._stems[text]

    def cited(self, place: _Place, number: str) -> Citation:
        first = place.passage.line_start + place.passage.text.count("\n", 0, place.start)
        last = first + place.passage.text.count("\n", place.start, place.end)
        return cite(Source(place.passage.document, first, last), self.store, id=number)


def _placed(name: str, value: object, lines: _Lines, number: str) -> GroundedValue:
    if isinstance(value, bool):
        return GroundedValue(
            name, value, "not_found", reason="no line says a yes or no by itself: ask it as a question"
        )
    words = " ".join(_PARTS.findall(_CAMEL.sub(" ", name)))
    stems = frozenset(terms(words))
    figure = _figure(value)
    best = _best([*_said(value, stems, lines), *(_counted(figure, stems, lines) if figure is not None else ())])
    other = None
    if best is None or best.likeness < 1:
        rivals = _other_figures(figure, words, stems, lines) if figure else _entered(words, stems, lines)
        other = _best(rivals if best is not None or rivals or figure else _nearly(value, stems, lines))
    if best is not None and other is not None and other.likeness > best.likeness:
        best = None
    if best is not None and (best.likeness or not _bare(value)):
        reason = "a line says it" if best.likeness else "a line says it, though nothing of its name stands near"
        return GroundedValue(name, value, "found", lines.cited(best, number), best.said, reason)
    if other is not None:
        reason = f"the document says {other.said!r} there"
        return GroundedValue(name, value, "differs", lines.cited(other, number), other.said, reason)
    return GroundedValue(name, value, "not_found", reason="no line says it, and none says another value of its name")


def _best(places: Sequence[_Place]) -> _Place | None:
    """The place with the largest share of the name, the first of equal ones; None if there is no place."""
    return max(places, key=lambda place: place.likeness, default=None)


def _bare(value: object) -> bool:
    """True for a number of so few digits that it may be anywhere."""
    written = str(value).strip()
    return written.replace(".", "").replace(",", "").isdecimal() and len(_NOT_DIGITS.sub("", written)) < _TELLING


def _figure(value: object) -> Quantity | None:
    """The amount, date or number that the whole value is; None for words."""
    if isinstance(value, date):
        written = value.isoformat()[:10]
    elif isinstance(value, int | float | Decimal):
        number = float(value) if isinstance(value, float) else value
        if isinstance(number, float) and not math.isfinite(number):
            return None
        written = f"{Decimal(str(number)):f}"
        written = written.rstrip("0").rstrip(".") if "." in written else written
    else:
        written = " ".join(str(value).split())
    found = list(quantities(written))
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(written)) else None


def _lines(passage: Passage) -> Iterator[tuple[int, str]]:
    start = 0
    for line in passage.text.split("\n"):
        yield start, line
        start += len(line) + 1


def _said(value: object, name: frozenset[str], lines: _Lines) -> list[_Place]:
    """The places with the words of a value, exactly or apart from case, dashes, quotes and spaces."""
    if not isinstance(value, str):
        return []
    wanted = value.strip()
    found: list[_Place] = []
    for passage in lines.passages:
        if wanted in passage.text:
            found += _matches(wanted, passage, name, lines)
    if not found:
        for passage in lines.near(wanted):
            found += _matches(wanted, passage, name, lines)
    return found


def _matches(wanted: str, passage: Passage, name: frozenset[str], lines: _Lines) -> list[_Place]:
    match = find_quote(wanted, passage.text, minimum=1.0, whole_words=True)
    places = [] if match is None else [(match.start, match.end), *match.others]
    return [_Place(passage, start, end, lines.likeness(name, passage, start)) for start, end in places]


def _counted(figure: Quantity, name: frozenset[str], lines: _Lines) -> list[_Place]:
    """The places that state the same amount, date or number in another form."""
    own = _NOT_DIGITS.sub("", figure.iso or figure.original)
    significant = own[:4] if figure.iso else own.strip("0")
    likely = [(passage, start) for passage, start, digits in lines.digits if significant and significant in digits]
    spelled = [(passage, start) for passage in lines.near(" ".join(name)) for start, _ in _lines(passage)]
    found = []
    for passage, start in dict.fromkeys([*likely, *spelled]):
        line = passage.text[start:].split("\n", 1)[0]
        for one in lines.figures(passage, start, line):
            if _same(figure, one):
                at = start + one.start
                found.append(_Place(passage, at, start + one.end, lines.likeness(name, passage, at)))
    return found


def _other_figures(figure: Quantity, words: str, name: frozenset[str], lines: _Lines) -> list[_Place]:
    """The places that state another value of the same kind in a line with the name."""
    found = []
    for passage in lines.near(words):
        for start, line in _lines(passage):
            likeness = lines.likeness(name, passage, start)
            if likeness < _NAMED:
                continue
            same = [one for one in lines.figures(passage, start, line) if _of_kind(figure, one)]
            if len(same) == 1 and not _same(figure, same[0]):
                found.append(_Place(passage, start + same[0].start, start + same[0].end, likeness))
    return found


def _same(figure: Quantity, other: Quantity) -> bool:
    """True if two figures are equal; a number without unit matches one with it, and 0.05 matches 5 %."""
    if agrees(figure, other):
        return True
    if figure.kind != "number" or figure.value is None or other.value is None or other.iso:
        return False
    return figure.value in (other.value, other.value / 100 if other.unit == "%" else other.value)


def _of_kind(figure: Quantity, other: Quantity) -> bool:
    """True if two figures are of one kind; a bare number matches any kind but dates and ordinals."""
    if figure.iso or other.iso:
        return bool(figure.iso) and bool(other.iso)
    return figure.kind in (other.kind, "number") and other.kind != "ordinal"


def _entered(words: str, name: frozenset[str], lines: _Lines) -> list[_Place]:
    """The values of entries that have the name as their label ("Governing law: Delaware")."""
    found = []
    for passage in lines.near(words):
        for start, line in _lines(passage):
            entry = _ENTRY.match(line)
            if entry is not None and name and name == frozenset(terms(entry["label"])):
                found.append(_Place(passage, start + entry.start("value"), start + entry.end("value"), 1.0))
    return found


def _nearly(value: object, name: frozenset[str], lines: _Lines) -> list[_Place]:
    """The places with nearly the words of a value."""
    wanted = str(value).strip()
    matches = [(passage, find_quote(wanted, passage.text, whole_words=True)) for passage in lines.near(wanted)]
    return [
        _Place(passage, match.start, match.end, match.score + lines.likeness(name, passage, match.start))
        for passage, match in matches
        if match is not None
    ]
