"""Citations as answers write them, in the usual styles, and which of the passages each one names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spanwise.contract.given import Given
from spanwise.text.fold import folded

_NAMED = r"(?:chunks?|sources?|passages?|docs?|documents?|refs?|references?|citations?|sections?|id|no)"
_NUMBERS = r"\d{1,3}(?:\s{0,3}(?:[,;&\u2013-]|and)\s{0,3}\^?\d{1,3}){0,30}"
_SHAPES = (
    rf"\[\[?\^?(?:{_NAMED}[\s:#.]{{0,3}})?(?P<numbers>{_NUMBERS})(?::[^\[\]\n]{{1,60}})?\]\]?(?!\()",
    r"\u3010(?P<dagger>\d{1,3})[^\u3010\u3011\n]{0,40}\u3011",
    rf"\((?:see\s+)?{_NAMED}[\s:#.]{{1,3}}(?P<worded>{_NUMBERS})(?::\d{{1,3}})?\)",
    r"\(See (?P<title>[^\n]{1,200}?), page (?P<page>[^\s()]{1,20})\)",
    r"\[\[?\^?(?P<id>[^\s\[\]()]{1,80})\]\]?(?!\()",
    r"<(?:cite|ref|source|sup)[^<>\n]{0,80}>\s{0,3}\[?(?P<tagged>\d{1,3})\]?\s{0,3}</(?:cite|ref|source|sup)>",
    r"(?<=[\w%.,;:!?\"\u201d)])(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})(?=[\s.,;)]|$)",
)
_ANY = re.compile("|".join(_SHAPES), re.IGNORECASE)
_LABEL = re.compile(r"\s{0,20}\[([^\s\[\]]{1,40})\]\s")
"""A label at the start of a passage, by which answers cite it."""
_RANGE = re.compile(r"(\d{1,3})(?:\s{0,3}[\u2013-]\s{0,3}(\d{1,3}))?")
_LOOKS_LIKE_AN_ID = re.compile(r"(?=[^\d]{0,40}\d)[A-Za-z][\w.:#/-]{0,60}\d[\w.:#/-]{0,20}", re.ASCII)
_RAISED = str.maketrans("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", "1230456789")
_UNITS_RAISED = re.compile(r"\b(?:[kcm]?m|ft|in|cm|km|yd|mi)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in an answer, `text[start:end]`."""

    start: int
    end: int
    cited: tuple[int, ...]
    """1-based positions of the passages it names."""
    unknown: tuple[str, ...]
    """What it names that was not given."""


def marks_in(text: str, passages: Sequence[Given]) -> list[Mark]:
    """The citations of an answer, in order; links, years and other brackets are none."""
    names = _names(passages)
    return [mark for match in _ANY.finditer(text) if (mark := _mark(match, text, names, len(passages)))]


def _names(passages: Sequence[Given]) -> Mapping[str, tuple[int, ...]]:
    names: dict[str, tuple[int, ...]] = {}
    for given in passages:
        label = _LABEL.match(given.passage.text)
        for key in {folded(given.passage.id), folded(given.passage.document), *([folded(label[1])] if label else [])}:
            names[key] = (*names.get(key, ()), given.position)
        if given.passage.section is not None:
            key = f"{folded(given.passage.section)}\n{'?' if given.page is None else given.page}"
            names[key] = (*names.get(key, ()), given.position)
    return names


def _mark(match: re.Match[str], text: str, names: Mapping[str, tuple[int, ...]], count: int) -> Mark | None:
    start, end = match.span()
    if match["id"]:
        found = names.get(folded(match["id"]))
        if found is None and not _LOOKS_LIKE_AN_ID.fullmatch(match["id"]):
            return None
        return Mark(start, end, found or (), () if found else (match["id"],))
    if match["title"]:
        found = names.get(f"{folded(match['title'])}\n{match['page']}", ())
        return Mark(start, end, found, () if found else (match.group()[1:-1],))
    if match["raised"] and _UNITS_RAISED.search(text[max(0, start - 4) : start]):
        return None
    numbers = match["numbers"] or match["dagger"] or match["worded"] or match["tagged"]
    wanted = list(_numbers(numbers or match["raised"].translate(_RAISED)))
    by_name = names.get(folded(match.group().strip("[]^()")))
    if by_name:
        return Mark(start, end, by_name, ())
    known = tuple(dict.fromkeys(number for number in wanted if 1 <= number <= count))
    return Mark(start, end, known, tuple(str(number) for number in wanted if not 1 <= number <= count))


def _numbers(written: str) -> Iterator[int]:
    for first, last in _RANGE.findall(written):
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high <= low + 50 else (low, high)
