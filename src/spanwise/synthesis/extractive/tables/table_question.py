"""What a question asks of a table: an operation, its periods, the period it compares with, and a threshold."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from typing import Literal, TypeAlias

from spanwise.text.quantities import quantities
from spanwise.text.tables.grid import years_of

Wanted: TypeAlias = Literal[
    "value", "change", "percentage_change", "average", "total", "difference", "ratio", "percentage_share",
    "count_periods", "count_parts", "count_rows", "which", "periods", "parts", "text",
]  # fmt: skip


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[Wanted, re.Pattern[str]], ...]:
    raw = tomllib.loads(resources.files(__package__).joinpath("intents.toml").read_text(encoding="utf-8"))
    return tuple((one["name"], re.compile("|".join(one["patterns"]))) for one in raw["intent"])


def wanted_by(plain: str) -> Wanted:
    """What a question in lower case wants: the first kind with a sign of it, else a figure as it stands."""
    return next((wanted for wanted, pattern in _patterns() if pattern.search(plain)), "value")


_LONGEST = 600
"""Characters of a question that are looked at."""
_RANGE = re.compile(
    r"\b(?:fy\s?)?((?:19|20)\d\d)\s?(?:-|\u2013|to|through|until)\s?(?:(?:the )?(?:year|fiscal|"
    r"financial|fy)\s?)*((?:19|20)\d\d)\b"
)
_FROM = re.compile(r"\bfrom\b.{0,60}?\b(?:19|20)\d\d\b.{0,40}?\bto\b.{0,40}?\b(?:19|20)\d\d\b", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:(?<![\d.,$])|(?<=\d\.\d\d\.)|(?<=\d\.\d\.))(?:19|20)\d\d(?!\d|,\d{3}(?!\d)|\.\d)"
    r"|\bF(?:Y|iscal)?\s?'?\d\d\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:higher|highest|greater|greatest|larger|largest|most|more|maximum|exceed\w*|biggest|best|above|over)\b"
)
_LESS = re.compile(r"\b(?:lower|lowest|smaller|smallest|least|less|fewer|minimum|worst|below|under)\b")
_THRESHOLD = re.compile(
    r"\b(?:exceed(?:ed|s|ing)?|more than|less than|above|below|greater than|over|under|"
    r"higher than|lower than|larger than|"
    r"smaller than|fewer than|at least|at most)\s?(?=[^a-z]{0,3}\d)"
)


_BASE = re.compile(
    r"\b(?:compar\w+ (?:to|with|against)|versus|vs\.?|over|from|since|relative to|than(?: in)?|against|on)\s(?:the\s)?"
    r"(?:(?:fiscal|financial|prior|previous)\s)?(?:year\s)?(?:of\s)?(?:fy\s?)?(?:19|20)\d\d"
)


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question as a table can be asked it."""

    text: str
    """On one line, in lower case but for nothing else changed."""
    wanted: Wanted
    years: tuple[str, ...]
    """Years that it names, in its order, each once."""
    spans: bool
    """Whether it names a range of years ("from 2017 to 2019")."""
    respectively: bool
    """Whether it asks for several figures at once."""
    more: bool = True
    """Of a comparison: whether the higher ones are asked for."""
    threshold: Decimal | None = None
    """Of a comparison: the figure to compare with, in full."""
    threshold_bare: Decimal | None = None
    """The same as written, without its magnitude."""
    sized: bool = False
    """Whether it asks how much something grew or fell, rather than for the change of its figure."""
    base: str = ""
    """The one year that it names, where a change is asked for since then ("compared to 2021")."""


def asked(text: str) -> TableQuestion:
    """Read a question."""
    plain = " ".join(text[:_LONGEST].lower().replace("\u2019", "'").split())
    wanted = wanted_by(plain)
    years = _years(text)
    if wanted in ("total", "average") and "respectively" in plain:
        wanted = "value"
    if re.match(r"(?:which|what) year", plain) and wanted == "parts":
        wanted = "periods"
    threshold, bare = _threshold(plain)
    return TableQuestion(
        text=plain,
        wanted=wanted,
        years=years,
        spans=bool(_RANGE.search(plain) or (_FROM.search(plain) and len(years) == 2)),
        respectively="respective" in plain,
        more=_wants_more(plain),
        threshold=threshold,
        threshold_bare=bare,
        sized=re.match(r"(?:by )?how much did\b", plain) is not None,
        base=years[0] if len(years) == 1 and _BASE.search(plain) else "",
    )


def _years(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _YEAR.finditer(text):
        for year in sorted(years_of(match.group())):
            found[year] = None
    return tuple(found)


def _wants_more(plain: str) -> bool:
    more, less = _MORE.search(plain), _LESS.search(plain)
    return less is None or (more is not None and more.start() < less.start())


def _threshold(plain: str) -> tuple[Decimal | None, Decimal | None]:
    match = _THRESHOLD.search(plain)
    if match is None:
        return None, None
    behind = re.sub(r"(?<=\d)(?=[a-z])", " ", plain[match.end() : match.end() + 60])
    found = [
        one for one in quantities(re.sub(r"\b(thousand|million|billion)s\b", r"\1", behind)) if one.value is not None
    ]
    if not found:
        return None, None
    digits = re.match(r"[^\d]*([\d,]*\d(?:\.\d+)?)", behind)
    bare = Decimal(digits.group(1).replace(",", "")) if digits else None
    return found[0].value, bare
