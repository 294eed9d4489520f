"""A second generator of pairs: other documents, looser sentences, more kinds of change, and more traps.

It shares no code with `changes`, so that what was tuned to one is seen on the other. Sentences are taken as they are
found: headings run into them, footers, long recitals and speech included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from random import Random
from tomllib import loads
from typing import TypeAlias

from sets.conflicts import redating
from sets.conflicts.redating import DATES, MONTH, MONTHS, pick, put


@cache
def _tables() -> dict[str, str]:
    return dict(loads(resources.files("sets.conflicts").joinpath("rewrites.toml").read_text("utf-8")))


_OPENING = re.compile(r"(?:The|A|An|It|There|This|In|We|All|Each) ")
_DEEDS, _PARTIES, _STARTS = (_tables()[name].split() for name in ("deeds", "parties", "starts"))
_FIGURE = re.compile(
    r"(?<![\w.,$/#-])(?P<value>\d{1,3}(?:,\d{3})+|\d{1,6})(?P<part>\.\d+)?(?= [a-z]{3,}| ?%)(?! of (?:the|this))"
)
_MONEY = re.compile(r"(?:US)?\$ ?(?P<value>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?(?![\d,])")
_PERCENT = re.compile(r"(?<![\w.,])(?P<value>\d{1,3})(?P<part>\.\d+)? ?(?:%|percent\b|per cent\b)")
_WORDS = "two three four five six seven eight nine ten twelve fifteen twenty thirty forty sixty ninety".split()
_VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 60, 90)
_WORD = re.compile(rf"\b(?P<value>{'|'.join(_WORDS)})\b(?= [a-z]{{3,}})(?! of\b)", re.IGNORECASE)
_SPAN = re.compile(
    r"(?<![-\u2010-\u2013\w.,])(?<! to )(?<! or )(?<! and )"
    rf"\b(?P<value>\d{{1,3}}|{'|'.join(_WORDS)})(?P<digits> \(\d+\))?"
    r"[ -](?P<unit>day|week|month|year|hour|minute)s?\b"
)
_UNITS = ("minute", "hour", "day", "week", "month", "year")
_HALVED = {
    "year": (12, "months"),
    "week": (7, "days"),
    "hour": (60, "minutes"),
    "minute": (60, "seconds"),
    "day": (24, "hours"),
}
_NAMED = re.compile(
    r"(?<=[a-z] )(?<!(?:the|any|all|and|its|our) )(?<!(?:this|such|each|both|that|your|said) )"
    r"(?<!(?:other|under) )(?:[A-Z][a-z]{2,14})(?: [A-Z][a-z]{2,14})?(?=[ ,.;])"
)
_SUBJECT = re.compile(
    r"(?P<name>[A-Z][a-z]{2,14})(?= (?:is|was|has|had|were|are|will|shall|may|must|[a-z]+ed|[a-z]+s) )"
)
_VERB = re.compile(
    r"\b(?P<verb>is|are|was|were|will|shall|must|should|would|has|have|had|can|could|did)\b(?! not\b|['\u2019]| no\b)"
)
_DENIED = re.compile(
    r"\b(?P<verb>is|are|was|were|will|shall|must|does|do|did|could|should) not\b(?! only| limited)"
    r"|\b(?P<short>is|was|did|does|are|were)n't\b"
)
_NAME = r"(?:[A-Z][a-z]{2,14})(?: [A-Z][a-z]{2,14})?"
_FACT = re.compile(
    rf"\b(?P<one>{_NAME})(?P<deed> (?:was |is |has )?(?:{'|'.join(_DEEDS)})(?: (?:by|to|from|the))? )"
    rf"(?P<two>{_NAME})(?=[ ,.;]|$)"
)
_DUTY = re.compile(
    rf"\b(?P<one>{'|'.join(_PARTIES)})(?P<deed> (?:shall|may|will|must|agrees) [^.;]{{8,90}} )"
    rf"(?P<two>{'|'.join(_PARTIES)})\b"
)
Rewriter: TypeAlias = Callable[[str, Random], str | tuple[str, str] | None]


def _other_value(digits: str, rng: Random) -> str:
    value = int(digits.replace(",", ""))
    choices = [value * 2, value + 1, value + 3, max(1, value // 2), value * 10, value + max(1, value // 5)]
    other = rng.choice([one for one in choices if one != value])
    return f"{other:,}" if "," in digits else str(other)


def _valued(pattern: re.Pattern[str]) -> Rewriter:
    def rewrite(text: str, rng: Random) -> str | None:
        match = pick(pattern, text, rng)
        if (
            match is None
            or match["value"][0] == "0"
            or DATES.search(text, max(0, match.start() - 12), match.end() + 18)
        ):
            return None
        if "," not in match["value"] and "$" not in match[0] and 1500 <= int(match["value"]) < 2100:
            return None
        return put(text, match.start("value"), match.end("value"), _other_value(match["value"], rng))

    return rewrite


def _number_word(text: str, rng: Random) -> str | None:
    match = pick(_WORD, text, rng)
    if match is None or text[match.end() :].lstrip().startswith("("):
        return None
    other = rng.choice([word for word in _WORDS if word != match["value"].lower()])
    return put(text, *match.span("value"), other.title() if match[0][0].isupper() else other)


def _duration(text: str, rng: Random) -> str | None:
    match = pick(_SPAN, text, rng)
    if match is None:
        return None
    if rng.random() < 0.5:
        other = rng.choice([unit for unit in _UNITS if unit != match["unit"]])
        return put(text, *match.span("unit"), other)
    value = rng.choice(
        [one for one in _VALUES if str(one) not in match[0] and _WORDS[_VALUES.index(one)] != match["value"]]
    )
    word = match["value"] if match["value"].isdigit() else ""
    words = str(value) if word else _WORDS[_VALUES.index(value)] + (f" ({value})" if match["digits"] else "")
    return put(text, match.start("value"), match.end("digits" if match["digits"] else "value"), words)


def _unit_form(text: str, rng: Random) -> str | None:
    match = pick(_SPAN, text, rng)
    if match is None or match["unit"] not in _HALVED or match[0].find("-") > 0:
        return None
    value = int(match["value"]) if match["value"].isdigit() else _VALUES[_WORDS.index(match["value"])]
    times, unit = _HALVED[match["unit"]]
    return put(text, *match.span(), f"{value * times} {unit}")


def _figure_form(text: str, rng: Random) -> str | None:
    match = pick(_WORD, text, rng)
    if match is not None:
        value = _VALUES[_WORDS.index(match["value"].lower())]
        if text[match.end() :].startswith(" ("):
            return None
        return put(text, *match.span("value"), str(value))
    match = pick(_MONEY, text, rng)
    if match is not None and not re.compile(r" (?:m|b|tr)illion").match(text, match.end()):
        value, part = int(match["value"].replace(",", "")), match["part"] or ""
        if not part and value >= 100_000 and value % 100_000 == 0:
            return put(text, *match.span(), f"${value / 1_000_000:g} million")
        return put(text, *match.span(), f"{value:,}{part} US dollars")
    match = pick(_PERCENT, text, rng)
    return put(text, *match.span(), f"{match['value']}{match['part'] or ''} per cent") if match else None


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
        words = "|".join(sorted(known, key=len, reverse=True))
        before, behind = r"(?<![-\\])(?<!at )(?<!after )(?<!(?:are|the) )", r"(?! not|['\u2019-])"
        match = pick(re.compile(rf"{before}\b(?:{words})\b{behind}"), text, rng)
        if match is None:
            return None
        if table == "modals" and re.search(r"\b(?:no|not|nor|never|neither|nothing|none)\b|n't", text, re.IGNORECASE):
            return None
        if match[0] in ("most", "many", "few") and not re.match(r" (?:of|[a-z]+s)\b", text[match.end() :]):
            return None
        return put(text, *match.span(), rng.choice(known[match[0]]))

    return rewrite


def _bound(text: str, rng: Random) -> str | None:
    """Turned only where a figure or a date follows: "after" before other words need not be a bound."""
    known = dict(
        entry.strip().split(":") for entry in _tables()["bounds"].replace("\n", "/").split("/") if ":" in entry
    )
    known |= {other: one for one, other in known.items()}
    figure = rf"(?= (?:the |a |an )?(?:\$|\d|(?:{'|'.join(_WORDS)})\b|(?:{MONTH}) \d))"
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(known, key=len, reverse=True))})\b{figure}")
    match = pick(pattern, text, rng)
    return put(text, *match.span(), known[match[0]]) if match else None


def _negation(text: str, rng: Random) -> str | None:
    if rng.random() < 0.4 and (match := pick(_DENIED, text, rng)):
        return put(text, *match.span(), match["verb"] or match["short"])
    match = pick(_VERB, text, rng)
    return put(text, match.end(), match.end(), " not") if match else None


def _name(text: str, rng: Random) -> str | None:
    """Another name behind the verb."""
    verb = _VERB.search(text)
    found = [
        one for one in _NAMED.finditer(text) if verb and one.start() > verb.end() and one[0].split()[0] not in MONTHS
    ]
    found = [
        one for one in found if text.count(one[0]) == 1 and not re.match(r"[ ,]*[A-Z]", text[one.end() : one.end() + 3])
    ]
    found = [
        one
        for one in found
        if one[0].split()[-1] not in _PARTIES and not re.search(r"\d", text[one.end() : one.end() + 3])
    ]
    if not found:
        return None
    match = rng.choice(found)
    return put(text, *match.span(), " ".join(rng.sample(_tables()["names"].split(), len(match[0].split()))))


def _roles(text: str, rng: Random) -> str | None:
    match = pick(_FACT, text, rng)
    if match is None or match["one"] == match["two"] or re.search(r"met |married|joined", match["deed"]):
        return None
    return put(text, *match.span(), match["two"] + match["deed"] + match["one"])


def _reciprocal(text: str, rng: Random) -> str | None:
    match = pick(_DUTY, text, rng)
    if match is None or match["one"] == match["two"] or match["one"] in match["deed"] or match["two"] in match["deed"]:
        return None
    return put(text, *match.span(), match["two"] + match["deed"] + match["one"])


def _figure_of_any_kind(text: str, rng: Random) -> str | None:
    for rewriter in rng.sample([_valued(_FIGURE), _number_word, _valued(_MONEY), _valued(_PERCENT)], 4):
        other = rewriter(text, rng)
        if isinstance(other, str):
            return other
    return None


def _other_subject(text: str, rng: Random) -> str | None:
    match = _SUBJECT.match(text)
    if match is None or match["name"] in _STARTS:
        return None
    other = _figure_of_any_kind(text[match.end() :], rng) or text[match.end() :]
    return rng.choice(_tables()["names"].split()) + other


def _framed(table: str) -> Rewriter:
    """A figure that differs under two scopes: another year, another version, a part of the whole."""

    def rewrite(text: str, rng: Random) -> tuple[str, str] | None:
        other = _figure_of_any_kind(text, rng)
        if other is None or not _OPENING.match(text):
            return None
        frames = [entry.strip().split(" / ") for entry in _tables()[table].strip().split("\n")]
        ours, theirs = (frame.removesuffix("-") for frame in rng.choice(frames))
        return _under(ours, text), _under(theirs, other)

    return rewrite


def _under(frame: str, text: str) -> str:
    return f"{frame}, {text[0].lower()}{text[1:]}" if frame else text


def _hedged(text: str, rng: Random) -> str | None:
    """The contrary as somebody's doubt, hope or question."""
    other = _figure_of_any_kind(text, rng) or _negation(text, rng)
    if other is None or not _OPENING.match(text):
        return None
    frames = _tables()["hedges"].strip().split("\n")
    return rng.choice(frames).format(other[0].lower() + other[1:])


NEIGHBOUR = "neighbour"
"""The kind of two sentences that follow each other in a document."""
CONFLICTS: Mapping[str, Rewriter] = {
    "day": redating.day,
    "month": redating.month,
    "year": redating.year,
    "date in another form": redating.date_moved,
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
    "same date": redating.date_rewritten,
    "same figure": _figure_form,
    "same duration": _unit_form,
    "paraphrase": _exchanged("same"),
    "other subject": _other_subject,
    "other period": _framed("periods"),
    "other version": _framed("versions"),
    "part of the whole": _framed("parts"),
    "hedged": _hedged,
    "reciprocal duty": _reciprocal,
}


def rewritten(sentence: str, kind: str, key: str) -> tuple[str, str] | None:
    """Two sentences made from one by a change of that kind, the same for the same key; None where there is no place."""
    made = {**CONFLICTS, **TRAPS}[kind](sentence, Random(f"{key}:{kind}"))
    pair = (sentence, made) if isinstance(made, str) else made
    return None if pair is None or pair[0] == pair[1] else pair


def kinds() -> Iterator[tuple[str, bool]]:
    """Every kind of pair, and whether its two sentences contradict each other."""
    yield from ((kind, True) for kind in CONFLICTS)
    yield from ((kind, False) for kind in (*TRAPS, NEIGHBOUR))
