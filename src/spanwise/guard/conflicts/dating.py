"""The time of a source: since when it holds, the date of its document, the number of the amendment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from spanwise.contract.adapters import Given
from spanwise.guard.conflicts.values import Side, Which
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import parse_date, quantities

_READ = 20_000
"""Characters of a passage that are searched for its date."""
_LONGEST_DATE = 40
_SAID = lazy_pattern(
    r"\b(?:effective(?:\s+(?:date|as\s+of|on|from))?|dated(?:\s+as\s+of)?|as\s+(?:last\s+)?(?:amended|revised|updated)"
    r"(?:\s+(?:on|as\s+of|effective))?|last\s+(?:updated|revised|amended|modified)|(?:updated|revised|amended)\s+on"
    r"|entered\s+into(?:\s+as\s+of|\s+on)?|made\s+as\s+of|version\s+of|published(?:\s+on)?|issued\s+on)\b[\s:,(]{0,3}",
    re.IGNORECASE,
)
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
).split()
_AMENDMENT = lazy_pattern(
    rf"\b(?:amendment\s+(?:no\.?|number|\#)\s*(?P<number>\d{{1,3}})|(?P<word>{'|'.join(_ORDINALS)})\s+amendment)\b",
    re.IGNORECASE,
)
_AMENDS = lazy_pattern(
    r"\b(?:(?:is|are)\s+hereby\s+(?:amended|deleted|replaced|modified)|amended\s+and\s+restated|as\s+amended"
    r"|amendment\s+to|amends?\s+(?:the|section|article|clause)|supersedes|in\s+lieu\s+of\s+section)\b",
    re.IGNORECASE,
)
_TITLED = lazy_pattern(
    r"(?<![^\W_])(?:amendment|addendum|corrigendum|erratum|errata|corrections?|corrected|changes\s+to|update)(?![^\W_])",
    re.IGNORECASE,
)
"""Words in the name or the first line of a source that changes an earlier one."""
_AMENDING = tuple("amend addendum corrigendum errat correct changes update hereby supersedes lieu".split())
"""One of these is in all that the three patterns find."""
_TITLE = 200
_KEYS = ("effective_date", "effective", "date", "published", "publication_date", "updated", "last_modified")
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Dating:
    """The time of one source; see `Side`."""

    dated: str | None = None
    amendment: int | None = None
    amends: bool = False
    years: frozenset[str] = frozenset()
    """Years that its name, its title or its metadata tell; not its sentences, which may be what is compared."""


def dating(given: Given) -> Dating:
    """Read what a passage, its title, its document's name and its metadata tell; linear in what is read."""
    text = given.passage.text[:_READ]
    names = f"{given.passage.document} {given.passage.section or ''}"
    said = _from_metadata(given)
    match = _AMENDMENT.search(names) or _AMENDMENT.search(text)
    return Dating(
        dated=said or _from_text(text),
        amendment=_number(match) if match else None,
        amends=amends(given),
        years=frozenset(_YEAR.findall(f"{names} {said or ''}")),
    )


def amends(given: Given) -> bool:
    """True if a passage, its title or its document's name says that it changes an earlier source."""
    names = f"{given.passage.document} {given.passage.section or ''}"
    text = f"{names}\n{given.passage.text[:_READ]}"
    if not may_amend(text):
        return False
    title = given.passage.text[:_TITLE].lstrip().partition("\n")[0]
    if _TITLED.search(names) or (_TITLED.search(title) and not title.endswith((".", "!", "?"))):
        return True
    return _AMENDMENT.search(text) is not None or _AMENDS.search(text) is not None


def may_amend(text: str) -> bool:
    """True unless nothing in a text can say that it changes another: a look for letters, in a tenth of the time."""
    low = text.lower()
    return not text.isascii() or any(word in low for word in _AMENDING)


def later(one: Side | Dating, other: Side | Dating) -> Which | None:
    """Which side the texts tell to be the later one: by amendment, then by date; None where they do not."""
    if one.amendment is not None and other.amendment is not None and one.amendment != other.amendment:
        return "one" if one.amendment > other.amendment else "other"
    if one.dated and other.dated and not one.dated.startswith("--") and not other.dated.startswith("--"):
        shared = min(len(one.dated), len(other.dated))
        if one.dated[:shared] != other.dated[:shared]:
            return "one" if one.dated > other.dated else "other"
    if one.amends != other.amends:
        return "one" if one.amends else "other"
    return None


def _from_metadata(given: Given) -> str | None:
    values = (given.metadata.get(key) for key in _KEYS)
    return _first(value for value in values if isinstance(value, str))


def _from_text(text: str) -> str | None:
    """The date behind "effective", "dated as of", "as amended on" and the like."""
    return _first(_leading(text[match.end() : match.end() + _LONGEST_DATE]) for match in _SAID.finditer(text))


def _leading(text: str) -> str:
    found = next(iter(quantities(text)), None)
    return found.original if found is not None and found.kind == "date" and found.start <= len("the ") else ""


def _first(texts: Iterable[str]) -> str | None:
    return next((iso for text in texts if text and (iso := parse_date(text[:10]) or parse_date(text))), None)


def _number(match: re.Match[str]) -> int:
    return int(match["number"]) if match["number"] else _ORDINALS.index(match["word"].lower()) + 1
