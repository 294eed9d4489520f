"""What a question asks of a table: an operation, its periods, the period it compares with, and a threshold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from spanwise.text.tables.grid import years_of
from spanwise.text.quantities import quantities

Wanted: TypeAlias = Literal[
    "value", "change", "percentage_change", "average", "total", "difference", "ratio", "percentage_share",
    "count_periods", "count_parts", "count_rows", "which", "periods", "parts", "text",
]  # fmt: skip

PERCENT = r"(?:percent(?:age)?s?|per cent|%)"
CHANGE = r"\b(?:change|increase|decrease|growth|difference|decline|reduction|movement)"
_COMPARED = r"exceed\w*|more|less|above|below|greater|over|under|higher|lower|at least"
_COMPARED_THAN = r"exceed\w*|more than|less than|above|below|greater than|over|under|higher than|lower than"
_EXTREME = (
    r"higher|highest|greater|greatest|larger|largest|most|more|maximum|exceed\w*|biggest|best|above|"
    r"lower|lowest|smaller|smallest|least|less|fewer|minimum|worst|below"
)
_PARTS = r"components?|items?|categor\w+|types?|segments?|elements?|classes|regions|countries"
_GIVEN = (
    r"calculated|recorded|shown?|included|computed|provided|presented|reported|listed|measured|given|disclosed|determined|"
    r"covered"
)
_OF_A_WHOLE = (
    r"in|over|to|among|of|as|out of|were|was|is|are|from|accounted|represent\w*|made|comprise\w*|"
    r"attribut\w+|contribut\w+|constitut\w+"
)
_NO_SHARE = "".join(
    f"(?<!{word} )"
    for word in (
        *("average", "total", "increase in", "change in", r"\(decrease\) in"),
        *("increase in the", "change in the"),
    )
)
"""Not before "percentage of": what is wanted then is said before it."""
_NO_AVERAGE = "".join(
    f"(?<!{word})"
    for word in (
        "weighted ",
        "weighted-",
        "weighted - ",
        "change in ",
        "change in the ",
        "increase in the ",
        "current ",
    )
)

_SIGNS: Sequence[tuple[Wanted, Sequence[str]]] = (
    ("text", (
        r"^(?:why|how (?!much|many)|who|whom|whose|is|are|was|were|does|do|did|has|have|can)\b",
        rf"^(?:when|where|may|must|should|could|would|will|shall)\b(?!.*\b(?:{_EXTREME})\b)",
        r"^(?:for )?what (?:\w+ )?(?:caused?|led|drove|resulted|contributed to|do|does|did|reasons?)\b",
        r"\breasons?\b",
        r"\b(?:driven by|due to|relate(?:d|s)? to|attributable to|recogni[sz]ed as|caused by|refer)\b.{0,12}\??$",
    )),
    ("count_periods", (
        r"^(?:.{0,40}, )?(?:in |for )?how many (?:of the )?(?:fiscal )?(?:years|quarters|months|periods)\b"
        rf".*\b(?:{_COMPARED})\b",
    )),
    ("count_rows", (rf"^how many .{{2,60}}\b(?:{_COMPARED_THAN})\b[^a-z]{{0,5}}\d",)),
    ("count_parts", (
        rf"^how many (?:different |major |main |types of |kinds of )?(?:{_PARTS}|factors?|"
        r"geographical regions|products?|sources|parts)\b",
    )),
    ("which", (
        r"^(?:(?:in|for|at|during|under|of|between|from|among) )?(?:.{0,60}, )?(?:which|what) "
        rf"(?!is|are|was|were|does|do|did|the\b)(?:\w+ ){{1,5}}?.*\b(?:{_EXTREME})\b",
    )),
    ("periods", (
        r"^(?:for |in |over |during )?(?:which|what) (?:fiscal |financial )?(?:years?|year\(s\)|periods?)\b"
        rf".{{0,160}}\b(?:{_GIVEN})\b",
        r"^what (?:are the )?years (?:are|were|does|is)\b",
    )),
    ("parts", (
        rf"^what (?:are|were|is) (?:all )?(?:the )?(?:\w+ ){{0,3}}?(?:{_PARTS}|constituents?|parts|scopes|line items)\b"
        r"(?! of the (?:year|period))",
        r"^what .{2,90}\b(?:consist of|comprise of|comprised? of|made up of|include)\??$",
        r"^which .{2,60} are (?:included|shown|listed)",
    )),
    ("percentage_share", (
        rf"{_NO_SHARE}{PERCENT} of (?!{CHANGE}).{{2,160}}\b(?:{_OF_A_WHOLE})\b",
        rf"as an? {PERCENT} of",
        rf"{PERCENT} constitution",
        rf"constitut\w+ .{{0,80}}\b{PERCENT}",
        rf"{PERCENT} .{{2,60}} (?:represented|accounted|contributed|made up)",
        rf"{PERCENT} (?:share|portion|proportion|contribution|composition)",
    )),
    ("percentage_change", (
        rf"{PERCENT} (?:\w+ )?{CHANGE}",
        rf"{PERCENT} (?:did|does|has|have)\b",
        rf"{CHANGE} (?:in|of) {PERCENT}",
        rf"{CHANGE} rate",
        rf"{CHANGE}\b.{{0,120}}\(?in (?:units of )?percents?\b",
        rf"rate of {CHANGE}",
        rf"by (?:what|how much) {PERCENT}",
        rf"year[- ](?:on|over)[- ]year {CHANGE}",
        rf"(?:grow\w*|chang\w*|increas\w*|decreas\w*) .{{0,120}}(?:in )?{PERCENT}( terms)?\?*$",
    )),
    ("ratio", (
        r"\bratio (?:of|between)\b",
        r"\bas an? (?:proportion|ratio|fraction) (?:of|to)\b",
        r"\bproportion of .{2,120}\b(?:over|to|in|of|as)\b",
        r"\bdivided by\b",
        r"\bas an? ratio\b",
    )),
    ("average", (rf"{_NO_AVERAGE}\b(?:average|mean)\b",)),
    ("difference", (
        r"\bdifference\b",
        r"\bhow much (?:more|less|higher|lower|greater)\b",
        r"\bby how much (?:more|less|higher|is|was|does|did|are|were)\b",
    )),
    ("change", (
        r"\b(?:the|a|much|nominal|net|total|year|annual)\s+(?:\w+ )?"
        r"(?:change|increase|decrease|growth|decline|movement)s?\b(?!s)",
        r"\bincrease\s?/\s?\(?decrease\)?",
        r"\bhow much did .{2,120} (?:change|increase|decrease|grow|fall|rise|decline)\b",
    )),
    ("total", (
        r"\bsum\b", r"\baltogether\b", r"\bcombined\b", r"\bin total\b", r"\bcumulative\b",
        r"\badd(?:ed)? (?:up|together)\b", r"\btotal\b",
    )),
)  # fmt: skip
_PATTERNS = tuple((wanted, re.compile("|".join(signs))) for wanted, signs in _SIGNS)


def wanted_by(plain: str) -> Wanted:
    """What a question in lower case wants: the first kind with a sign of it, else a figure as it stands."""
    return next((wanted for wanted, pattern in _PATTERNS if pattern.search(plain)), "value")


_LONGEST = 600
"""Characters of a question that are looked at."""
_RANGE = re.compile(
    r"\b(?:fy\s?)?((?:19|20)\d\d)\s?(?:-|\u2013|to|through|until)\s?(?:(?:the )?(?:year|fiscal|"
    r"financial|fy)\s?)*((?:19|20)\d\d)\b"
)
_FROM = re.compile(r"\bfrom\b.{0,60}?\b(?:19|20)\d\d\b.{0,40}?\bto\b.{0,40}?\b(?:19|20)\d\d\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?!\d|,\d{3}(?!\d)|\.\d)|\bF(?:Y|iscal)?\s?'?\d\d\b", re.IGNORECASE)
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
