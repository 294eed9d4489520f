"""A second generator of pairs: other documents, looser sentences, more kinds of change, and more traps.

It shares no code or word with `changes`, so that what was tuned to one is seen on the other. Sentences are taken as they
are found: headings run into them, footers, long recitals and speech included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from random import Random
from tomllib import loads

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = "|".join(_MONTHS)
_DATES = re.compile(
    rf"\b(?:(?P<m1>{_MONTH}) (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y1>\d{{4}})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:day of )?(?P<m2>{_MONTH}),? (?P<y2>\d{{4}})"
    rf"|(?P<m3>{_MONTH}),? (?P<y3>\d{{4}}))\b"
)
_YEAR = re.compile(r"\b(?:in|by|since|until|of|from|during) (?P<year>(?:1[5-9]|20)\d\d)\b(?![-/]|\.\d)")
_FIGURE = re.compile(r"(?<![\w.,$/#-])(?P<value>\d{1,3}(?:,\d{3})+|\d{1,6})(?P<part>\.\d+)?(?= [a-z]{3,}| ?%)(?! of (?:the|this))")
_MONEY = re.compile(r"(?:US)?\$ ?(?P<value>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?(?![\d,])")
_PERCENT = re.compile(r"(?<![\w.,])(?P<value>\d{1,3})(?P<part>\.\d+)? ?(?:%|percent\b|per cent\b)")
_WORDS = "two three four five six seven eight nine ten twelve fifteen twenty thirty forty sixty ninety".split()
_VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 60, 90)
_WORD = re.compile(rf"\b(?P<value>{'|'.join(_WORDS)})\b(?= [a-z]{{3,}})(?! of\b)", re.IGNORECASE)
_SPAN = re.compile(
    rf"(?<![-\u2010-\u2013\w.,])(?<!to )(?<!or )(?<!and )\b(?P<value>\d{{1,3}}|{'|'.join(_WORDS)})(?P<digits> \(\d+\))?[ -](?P<unit>day|week|month|year|hour|minute)(?P<s>s?)\b"
)
_UNITS = ("minute", "hour", "day", "week", "month", "year")
_HALVED = {"year": (12, "months"), "week": (7, "days"), "hour": (60, "minutes"), "minute": (60, "seconds"), "day": (24, "hours")}
_NAMED = re.compile(r"(?<=[a-z] )(?<!(?:the|any|all|and|its|our) )(?<!(?:this|such|each|both|that|your|said) )(?<!(?:other|under) )(?:[A-Z][a-z]{2,14})(?: [A-Z][a-z]{2,14})?(?=[ ,.;])")
_SUBJECT = re.compile(r"(?P<name>[A-Z][a-z]{2,14})(?= (?:is|was|has|had|were|are|will|shall|may|must|[a-z]+ed|[a-z]+s) )")
_VERB = re.compile(r"\b(?P<verb>is|are|was|were|will|shall|must|should|would|has|have|had|can|could|did)\b(?! not\b|['\u2019]| no\b)")
_DENIED = re.compile(r"\b(?P<verb>is|are|was|were|will|shall|must|does|do|did|could|should) not\b(?! only| limited)|\b(?P<short>is|was|did|does|are|were)n't\b")
_DEEDS = (
    "defeated beat visited told asked killed married sold sent gave paid acquired owns owned helped sued joined called saw hired met bought "
    "followed thanked attacked praised criticised replaced succeeded founded supplied provided warned invited found heard"
).split()
_NAME = r"(?:[A-Z][a-z]{2,14})(?: [A-Z][a-z]{2,14})?"
_FACT = re.compile(rf"\b(?P<one>{_NAME})(?P<deed> (?:was |is |has )?(?:{'|'.join(_DEEDS)})(?: (?:by|to|from|the))? )(?P<two>{_NAME})(?=[ ,.;]|$)")
_PARTIES = "Company Customer Client Supplier Licensee Licensor Distributor Buyer Seller Landlord Tenant Recipient Discloser Party".split()
_DUTY = re.compile(
    rf"\b(?P<one>{'|'.join(_PARTIES)})(?P<deed> (?:shall|may|will|must|agrees) [^.;]{{8,90}} )(?P<two>{'|'.join(_PARTIES)})\b"
)
Rewriter = Callable[[str, Random], str | tuple[str, str] | None]


def _swapped(text: str, start: int, end: int, put: str) -> str:
    return text[:start] + put + text[end:]


def _pick(pattern: re.Pattern[str], text: str, rng: Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def _date(text: str, rng: Random) -> tuple[re.Match[str], str, int, int] | None:
    """A date with its month, day (0 where it has none) and year."""
    match = _pick(_DATES, text, rng)
    if match is None:
        return None
    month = match["m1"] or match["m2"] or match["m3"]
    return match, month, int(match["d1"] or match["d2"] or 0), int(match["y1"] or match["y2"] or match["y3"])


def _day(text: str, rng: Random) -> str | None:
    found = _date(text, rng)
    if found is None or not found[2]:
        return None
    match, _, day, _ = found
    group = "d1" if match["d1"] else "d2"
    other = rng.choice([one for one in range(4, 21) if one != day])
    tail = re.compile("st|nd|rd|th").match(text, match.end(group))
    return _swapped(text, match.start(group), tail.end() if tail else match.end(group), f"{other}{'th' if tail else ''}")


def _month(text: str, rng: Random) -> str | None:
    found = _date(text, rng)
    if found is None or found[2] > 28:
        return None
    group = next(name for name in ("m1", "m2", "m3") if found[0][name])
    other = rng.choice([one for one in _MONTHS if one != found[1]])
    return _swapped(text, found[0].start(group), found[0].end(group), other)


def _year(text: str, rng: Random) -> str | None:
    found = _pick(_YEAR, text, rng) if rng.random() < 0.4 else None  # else of a full date
    if found is not None:
        return _swapped(text, found.start("year"), found.end("year"), str(int(found["year"]) + rng.choice((-3, -2, -1, 1, 2))))
    date = _date(text, rng)
    if date is None or (date[1] == "February" and date[2] > 28):
        return None
    group = next(name for name in ("y1", "y2", "y3") if date[0][name])
    return _swapped(text, date[0].start(group), date[0].end(group), str(date[3] + rng.choice((-10, -2, -1, 1, 2, 5))))


def _forms(month: str, day: int, year: int) -> list[str]:
    number = _MONTHS.index(month) + 1
    if not day:
        return [f"{month[:3]} {year}", f"{month} of {year}", f"{year}-{number:02d}"]
    return [
        f"{year}-{number:02d}-{day:02d}",
        f"{day} {month} {year}",
        f"{month[:3]} {day}, {year}",
        f"{day}-{month[:3]}-{year}",
        f"{month} {day} {year}",
        f"{number}/{day}/{year}",
    ]


def _date_rewritten(text: str, rng: Random) -> str | None:
    found = _date(text, rng)
    if found is None:
        return None
    forms = [form for form in _forms(*found[1:]) if form != found[0][0]]
    return _swapped(text, *found[0].span(), rng.choice(forms))


def _date_moved(text: str, rng: Random) -> str | None:
    """Another date in another form."""
    found = _date(text, rng)
    if found is None:
        return None
    day = found[2] and rng.choice([one for one in range(13, 28) if one != found[2]])
    year = found[3] if day and rng.random() < 0.5 else found[3] + rng.choice((-1, 1, 2))
    return _swapped(text, *found[0].span(), rng.choice(_forms(found[1], day, year)))


def _other_value(digits: str, rng: Random) -> str:
    value = int(digits.replace(",", ""))
    choices = [value * 2, value + 1, value + 3, max(1, value // 2), value * 10, value + max(1, value // 5)]
    other = rng.choice([one for one in choices if one != value])
    return f"{other:,}" if "," in digits else str(other)


def _valued(pattern: re.Pattern[str]) -> Rewriter:
    def rewrite(text: str, rng: Random) -> str | None:
        match = _pick(pattern, text, rng)
        if match is None or match["value"][0] == "0" or _DATES.search(text, max(0, match.start() - 12), match.end() + 18):
            return None
        if "," not in match["value"] and "$" not in match[0] and 1500 <= int(match["value"]) < 2100:
            return None
        return _swapped(text, match.start("value"), match.end("value"), _other_value(match["value"], rng))

    return rewrite


def _number_word(text: str, rng: Random) -> str | None:
    match = _pick(_WORD, text, rng)
    if match is None or text[match.end() :].lstrip().startswith("("):
        return None
    other = rng.choice([word for word in _WORDS if word != match["value"].lower()])
    return _swapped(text, *match.span("value"), other.title() if match[0][0].isupper() else other)


def _duration(text: str, rng: Random) -> str | None:
    match = _pick(_SPAN, text, rng)
    if match is None:
        return None
    if rng.random() < 0.5:
        other = rng.choice([unit for unit in _UNITS if unit != match["unit"]])
        return _swapped(text, *match.span("unit"), other)
    value = rng.choice([one for one in _VALUES if str(one) not in match[0] and _WORDS[_VALUES.index(one)] != match["value"]])
    word = match["value"] if match["value"].isdigit() else ""
    put = str(value) if word else _WORDS[_VALUES.index(value)] + (f" ({value})" if match["digits"] else "")
    return _swapped(text, match.start("value"), match.end("digits" if match["digits"] else "value"), put)


def _unit_form(text: str, rng: Random) -> str | None:
    match = _pick(_SPAN, text, rng)
    if match is None or match["unit"] not in _HALVED or match[0].find("-") > 0:
        return None
    value = int(match["value"]) if match["value"].isdigit() else _VALUES[_WORDS.index(match["value"])]
    times, unit = _HALVED[match["unit"]]
    return _swapped(text, *match.span(), f"{value * times} {unit}")


def _figure_form(text: str, rng: Random) -> str | None:
    match = _pick(_WORD, text, rng)
    if match is not None:
        value = _VALUES[_WORDS.index(match["value"].lower())]
        if text[match.end() :].startswith(" ("):
            return None
        return _swapped(text, *match.span("value"), str(value))
    match = _pick(_MONEY, text, rng)
    if match is not None and not re.compile(r" (?:m|b|tr)illion").match(text, match.end()):
        value, part = int(match["value"].replace(",", "")), match["part"] or ""
        if not part and value >= 100_000 and value % 100_000 == 0:
            return _swapped(text, *match.span(), f"${value / 1_000_000:g} million")
        return _swapped(text, *match.span(), f"{value:,}{part} US dollars")
    match = _pick(_PERCENT, text, rng)
    return _swapped(text, *match.span(), f"{match['value']}{match['part'] or ''} per cent") if match else None


def _exchanged(table: str, *, both_ways: bool = True) -> Rewriter:
    """One word or phrase of a table in the place of its partner."""

    @cache
    def partners() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entry in _tables()[table].replace("\n", "/").split("/"):
            one, _, other = entry.strip().partition(":" if ":" in entry else " ")
            if other:
                found.setdefault(one, []).append(other)
                if both_ways:
                    found.setdefault(other, []).append(one)
        return found

    def rewrite(text: str, rng: Random) -> str | None:
        known = partners()
        match = _pick(re.compile(rf"(?<![-\\])(?<!at )(?<!after )(?<!(?:are|the) )\b(?:{'|'.join(sorted(known, key=len, reverse=True))})\b(?! not|['\u2019-])"), text, rng)
        if match is None:
            return None
        if table == "modals" and re.search(r"\b(?:no|not|nor|never|neither|nothing|none)\b|n't", text, re.IGNORECASE):
            return None
        if match[0] in ("most", "many", "few") and not re.match(r" (?:of|[a-z]+s)\b", text[match.end() :]):
            return None
        return _swapped(text, *match.span(), rng.choice(known[match[0]]))

    return rewrite


def _bound(text: str, rng: Random) -> str | None:
    """Turned only where a figure or a date follows: "after" before other words need not be a bound."""
    known = dict(entry.strip().split(":") for entry in _tables()["bounds"].replace("\n", "/").split("/") if ":" in entry)
    known |= {other: one for one, other in known.items()}
    figure = rf"(?= (?:the |a |an )?(?:\$|\d|(?:{'|'.join(_WORDS)})\b|(?:{_MONTH}) \d))"
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(known, key=len, reverse=True))})\b{figure}")
    match = _pick(pattern, text, rng)
    return _swapped(text, *match.span(), known[match[0]]) if match else None


def _negation(text: str, rng: Random) -> str | None:
    if rng.random() < 0.4 and (match := _pick(_DENIED, text, rng)):
        return _swapped(text, *match.span(), match["verb"] or match["short"])
    match = _pick(_VERB, text, rng)
    return _swapped(text, match.end(), match.end(), " not") if match else None


def _name(text: str, rng: Random) -> str | None:
    """Another name behind the verb."""
    verb = _VERB.search(text)
    found = [one for one in _NAMED.finditer(text) if verb and one.start() > verb.end() and one[0].split()[0] not in _MONTHS]
    found = [one for one in found if text.count(one[0]) == 1 and not re.match(r"[ ,]*[A-Z]", text[one.end() : one.end() + 3])]
    found = [one for one in found if one[0].split()[-1] not in _PARTIES and not re.search(r"\d", text[one.end() : one.end() + 3])]
    if not found:
        return None
    match = rng.choice(found)
    return _swapped(text, *match.span(), " ".join(rng.sample(_tables()["names"].split(), len(match[0].split()))))


def _roles(text: str, rng: Random) -> str | None:
    match = _pick(_FACT, text, rng)
    if match is None or match["one"] == match["two"] or re.search(r"met |married|joined", match["deed"]):
        return None
    return _swapped(text, *match.span(), match["two"] + match["deed"] + match["one"])


def _reciprocal(text: str, rng: Random) -> str | None:
    match = _pick(_DUTY, text, rng)
    if match is None or match["one"] == match["two"] or match["one"] in match["deed"] or match["two"] in match["deed"]:
        return None
    return _swapped(text, *match.span(), match["two"] + match["deed"] + match["one"])


def _figure_of_any_kind(text: str, rng: Random) -> str | None:
    for rewriter in rng.sample([_valued(_FIGURE), _number_word, _valued(_MONEY), _valued(_PERCENT)], 4):
        other = rewriter(text, rng)
        if isinstance(other, str):
            return other
    return None


def _other_subject(text: str, rng: Random) -> str | None:
    match = _SUBJECT.match(text)
    if match is None or match["name"] in "And But As At By For From On Of So To With Now Not One Our The This These Those That There They She Its Each All Any Some When What Who Such".split():
        return None
    other = _figure_of_any_kind(text[match.end() :], rng) or text[match.end() :]
    return rng.choice(_tables()["names"].split()) + other


def _framed(frames: Sequence[tuple[str, str]]) -> Rewriter:
    """A figure that differs under two scopes: another year, another version, a part of the whole."""

    def rewrite(text: str, rng: Random) -> tuple[str, str] | None:
        other = _figure_of_any_kind(text, rng)
        if other is None or not re.match(r"(?:The|A|An|It|There|This|In|We|All|Each) ", text):
            return None
        ours, theirs = rng.choice(frames)
        return tuple((f"{frame}{one[0].lower()}{one[1:]}" if frame else one) for frame, one in ((ours, text), (theirs, other)))  # type: ignore[return-value]

    return rewrite


def _versions() -> list[tuple[str, str]]:
    pairs = [entry.strip().split("/") for entry in _tables()["versions"].split(";")]
    return [(f"In {one}, ", f"In {other}, ") for one, other in pairs] + [(f"Under {one}, ", f"Under {other}, ") for one, other in pairs]


def _other_version(text: str, rng: Random) -> str | tuple[str, str] | None:
    return _framed(_versions())(text, rng)


def _hedged(text: str, rng: Random) -> str | None:
    """The contrary as somebody's doubt, hope or question."""
    other = _figure_of_any_kind(text, rng) or _negation(text, rng)
    if other is None or not re.match(r"(?:The|A|An|It|There|This|In|We|All|Each) ", text):
        return None
    frames = (
        "It is not true that {}",
        "Had it been otherwise, one could say that {}",
        "An earlier draft wrongly said that {}",
        "It was once proposed that {}",
        "Some critics allege that {}",
    )
    return rng.choice(frames).format(other[0].lower() + other[1:])


@cache
def _tables() -> dict[str, str]:
    return dict(loads(resources.files("spanwise.evaluation.conflicts").joinpath("rewrites.toml").read_text("utf-8")))


CONFLICTS: Mapping[str, Rewriter] = {
    "day": _day,
    "month": _month,
    "year": _year,
    "date in another form": _date_moved,
    "figure": _valued(_FIGURE),
    "number word": _number_word,
    "amount": _valued(_MONEY),
    "percent": _valued(_PERCENT),
    "duration": _duration,
    "name": _name,
    "negation": _negation,
    "opposite": _exchanged("opposites"),
    "quantifier": _exchanged("quantifiers"),
    "modality": _exchanged("modals", both_ways=False),
    "bound": _bound,
    "roles": _roles,
}
TRAPS: Mapping[str, Rewriter] = {
    "same date": _date_rewritten,
    "same figure": _figure_form,
    "same duration": _unit_form,
    "paraphrase": _exchanged("same"),
    "other subject": _other_subject,
    "other period": _framed([("In 2017, ", "In 2019, "), ("In the first quarter, ", "In the third quarter, "), ("Last year, ", "This year, "), ("Before the reform, ", "Since the reform, ")]),
    "other version": _other_version,
    "part of the whole": _framed([("", "In the northern part, "), ("", "Among women, "), ("", "For new members, "), ("", "In the event of a merger, ")]),
    "hedged": _hedged,
    "reciprocal duty": _reciprocal,
    "neighbour": lambda text, rng: None,
}  # fmt: skip


def rewritten(sentence: str, kind: str, key: str) -> tuple[str, str] | None:
    """Two sentences made from one by a change of that kind; None where there is no place for it. Same key, same pair."""
    made = (CONFLICTS | TRAPS)[kind](sentence, Random(f"{key}:{kind}"))  # noqa: S311 - a lot, no secret
    pair = (sentence, made) if isinstance(made, str) else made
    return None if pair is None or pair[0] == pair[1] else pair


def kinds() -> Iterator[tuple[str, bool]]:
    """Every kind of pair, and whether its two sentences contradict each other."""
    yield from ((kind, True) for kind in CONFLICTS)
    yield from ((kind, False) for kind in TRAPS)
