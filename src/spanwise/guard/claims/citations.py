"""Citations as answers write them, in the usual styles, and which of the passages each one names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spanwise.contract.adapters import Given
from spanwise.text.fold import folded
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities.numerals import TENS, UNITS

_NAMED = r"(?:chunks?|sources?|passages?|docs?|documents?|refs?|references?|citations?|sections?|id|no)"
_NUMBERS = r"\d{1,3}(?:\s{0,3}(?:[,;&\u2013-]|and)\s{0,3}\^?\d{1,3}){0,30}"
_PAGE = r"(?:pp?|pages?|pg)\.?\s?\d{1,4}(?:\s?[\u2013-]\s?\d{1,4})?"
_SHAPES = (
    rf"\[\[?\^?(?:{_NAMED}[\s:#.]{{0,3}})?(?P<numbers>{_NUMBERS})(?::[^\[\]\n]{{1,60}})?\]\]?(?!\()",
    r"\u3010(?P<dagger>\d{1,3})[^\u3010\u3011\n]{0,40}\u3011",
    rf"\((?:see\s+)?{_NAMED}[\s:#.]{{1,3}}(?P<worded>{_NUMBERS})(?::\d{{1,3}}|,?\s{_PAGE})?\)",
    rf"[(\[]{_PAGE}[)\]]",
    r"\[\^?(?P<linked>\d{1,3})\]\([^()\s]{1,300}\)",
    r"[({](?P<bare>\d{1,2})[)}](?=\s{0,2}(?:[.,;!?]|$))",
    r"\(See (?P<title>[^\n]{1,200}?), page (?P<page>[^\s()]{1,20})\)",
    r"\[\[?\^?(?P<id>[^\s\[\]()]{1,80})\]\]?(?!\()",
    r"<(?:cite|ref|source|sup)[^<>\n]{0,80}>\s{0,3}\[?(?P<tagged>\d{1,3})\]?\s{0,3}</(?:cite|ref|source|sup)>",
    r"(?<=[\w%.,;:!?\"\u201d)])\s{0,2}(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})(?=[\s.,;)]|$)",
)
_ANY = lazy_pattern("|".join(_SHAPES), re.IGNORECASE)
_OPENING = re.compile("[\\[({<\u3010\u00b9\u00b2\u00b3\u2070\u2074-\u2079]")
"""What every shape has somewhere; most answers have none of it."""
_LABEL = re.compile(r"\s{0,20}\[([^\s\[\]]{1,40})\]\s")
"""A label at the start of a passage, by which answers cite it."""
_RANGE = re.compile(r"(\d{1,3})(?:\s{0,3}[\u2013-]\s{0,3}(\d{1,3}))?")
_LOOKS_LIKE_AN_ID = re.compile(r"(?=[^\d]{0,40}\d)[A-Za-z][\w.:#/-]{0,60}\d[\w.:#/-]{0,20}", re.ASCII)
_RAISED = str.maketrans("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", "1230456789")
_SPELLED = UNITS.keys() | TENS.keys()
_WORD_BEFORE = re.compile(r"([A-Za-z]{1,20})\W{0,2}$")
_LOOK_BACK = 24
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
    if not _OPENING.search(text):
        return []
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
    if match["id"] or match["title"]:
        return _of_name(match, names)
    if match["linked"] or match["bare"]:
        return _of_number(match, text, count)
    numbers = match["numbers"] or match["dagger"] or match["worded"] or match["tagged"] or ""
    if match["raised"] and not _UNITS_RAISED.search(text[max(0, match.start() - 4) : match.start()]):
        numbers = match["raised"].translate(_RAISED)
    if match["raised"] and not numbers:
        return None
    wanted = list(_numbers(numbers))  # none of a page, which is one of whatever was cited before
    by_name = names.get(folded(match.group().strip("[]^()"))) if wanted else None
    if by_name:
        return Mark(*match.span(), by_name, ())
    known = tuple(dict.fromkeys(number for number in wanted if 1 <= number <= count))
    return Mark(*match.span(), known, tuple(str(number) for number in wanted if not 1 <= number <= count))


def _of_name(match: re.Match[str], names: Mapping[str, tuple[int, ...]]) -> Mark | None:
    """The passage of an id, or of a title and page."""
    if match["title"]:
        found = names.get(f"{folded(match['title'])}\n{match['page']}", ())
        return Mark(*match.span(), found, () if found else (match.group()[1:-1],))
    found = names.get(folded(match["id"]), ())
    if not found and not _LOOKS_LIKE_AN_ID.fullmatch(match["id"]):
        return None
    return Mark(*match.span(), found, () if found else (match["id"],))


def _of_number(match: re.Match[str], text: str, count: int) -> Mark | None:
    """A number in brackets, "(2)", or with a link, "[2](https://...)": a citation where so many passages were given."""
    number = int(match["linked"] or match["bare"])
    cited = (number,) if 1 <= number <= count else ()
    if match["linked"]:
        return Mark(*match.span(), cited, ())
    before = _WORD_BEFORE.search(text[max(0, match.start() - _LOOK_BACK) : match.start()])
    spelled = before is not None and before[1].lower() in _SPELLED  # "sixty (60)" says a number twice
    return Mark(*match.span(), cited, ()) if cited and not spelled else None


def _numbers(written: str) -> Iterator[int]:
    for first, last in _RANGE.findall(written):
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high <= low + 50 else (low, high)
