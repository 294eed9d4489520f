"""Families of controls: claims made from a real sentence in other words, which the passage it stands in supports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from sets.traps.place import Generator, Made, Place, framed

_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(rf"\b(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>(?:19|20)\d\d)\b")
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)}) (?P<year>(?:19|20)\d\d)\b")
_SMALL = "two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = {word: str(number) for number, word in enumerate(_SMALL, 2)} | {
    "twenty": "20",
    "thirty": "30",
    "sixty": "60",
    "ninety": "90",
}
_WORDS = {digits: word for word, digits in _DIGITS.items()}
_WRITTEN = re.compile(
    rf"(?<![\w-])(?P<word>{'|'.join(_DIGITS)})(?: \((?P<digits>\d+)\))?(?= [a-z]{{3,}}s\b)(?! hundreds|"
    rf" thousands| millions)"
)
_FIGURE = re.compile(r"(?<![\w.,$/:-])(?P<digits>\d{1,2})(?= [a-z]{4,}s\b)")
_ONE_OF_MANY = re.compile(r"\b(?:or|and|to|of|than|between|-) ?$")
_UNITS = re.compile(
    r"(?<![\w.,/:-])(?P<sign>\$)?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d{1,2})? ?"
    r"(?P<unit>%|percent\b|million\b|billion\b|thousand\b|months\b|weeks\b|hours\b|years\b|minutes\b|km\b|"
    r"kilometers\b|meters\b|kg\b)"
)
_COUNTED = re.compile(r"(?<![\w.,/:-])(?P<word>twelve|twenty-four|thirty-six)(?: \((?:12|24|36)\))? months\b(?! old)")
_YEARS = {"twelve": "one year", "twenty-four": "two years", "thirty-six": "three years"}
_PAIRS = (
    re.compile(
        r"\b(?:of|in|by|or|with|for) (?P<one>[a-z]{4,}) (?P<and>and|or) (?P<other>[a-z]{4,})(?=[.,]| (?:shall|"
        r"will|may|are|were|have|had)\b)"
    ),
    re.compile(r"(?<![\w,&] )\b(?P<one>[A-Z][a-z]{2,}) (?P<and>and|or) (?P<other>[A-Z][a-z]{2,})(?=[.,]| [a-z])"),
    re.compile(
        r"\b(?P<one>[Tt]he [a-z]{3,}) (?P<and>and) (?P<other>the [a-z]{3,})(?=\.| (?:were|are|have|had|went|"
        r"came|began)\b)"
    ),
    re.compile(
        r"\b(?:of|in|by|with|for|as|including) (?P<one>[a-z]{4,})(?P<and>,) (?P<other>[a-z]{4,})(?=,? (?:and|"
        r"or) [a-z]{4,}[.,])"
    ),
)
"""Two words of one kind that are joined, nothing said of one of them alone."""
_NO_PAIR = frozenset(
    "other others more then them that this also such their there thereof thereto less back forth again over "
    "later former".split()
)
_NO_PASSIVE = frozenset(
    "need agreed lasted remained decided wanted liked seemed turned served based named called".split()
)
_OBLIQUE = {"he": "him", "she": "her", "they": "them", "we": "us", "i": "me"}
_NO_OBJECT = frozenset("own other same more most first time and or that as to of".split())
_LED = re.compile(
    r"(?:[Ii]n|[Oo]n|[Dd]uring) (?:the year |fiscal )?(?:(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?(?:19|20)\d\d), (?P<rest>.+)"
)
_ABBREVIATED = re.compile(r"\b(?P<name>[A-Z][\w-]+(?: (?:of|for|and|the|[A-Z][\w-]+)){1,5}) \((?P<short>[A-Z]{2,6})\)")
_SUBJECT = (
    r"(?:The |Each |Either )?[A-Z][\w-]+(?: [A-Z][\w-]+)?|"
    r"(?:The|Our|Each) [a-z]{4,}(?: (?!shall|will|must|may|can)[a-z]{4,})?"
)
_PHRASE = (
    r"(?:the|a|an|its|all|any|such|this|these|each|his|her|their) (?:[\w-]+ ){0,2}[A-Za-z][\w-]+"
    r"(?: of (?:the|this|its) [A-Za-z][\w-]+)?"
)
_TAIL = (
    r"\.|,? (?:within|upon|prior|in|during|before|after|through|on|at|by the end|to|for|from|with|under|as|without) .+"
)
_BY = re.compile(
    r"(?P<object>(?:The|This|A|An) (?:[\w-]+ ){1,4}?|(?:[A-Z][\w-]+ ){1,3})(?:was|were) (?P<verb>[a-z]{3,}ed|"
    r"built|led|bought|sold|found) by "
    r"(?P<subject>[A-Z][\w-]+(?: [A-Z][\w-]+){0,3}|(?:the|a|an) [a-z]{4,})(?P<tail>\.| (?:in|on|at|during|from|"
    r"for|after|before) .+)"
)


def _untouched(place: Place) -> Made:
    return Made(place.sentence)


def _factive(place: Place) -> Made | None:
    frames = place.wordings.factive
    stands = framed(place, frames[place.draw("factive") % len(frames)])
    return Made(place.sentence, stands) if stands else None


@cache
def _active(passive: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    bases = "|".join(base for base, _ in passive)
    return re.compile(
        rf"(?P<subject>{_SUBJECT}) (?:(?P<modal>shall|will|must|may|can) (?P<verb>{bases})|"
        rf"(?P<past>[a-z]{{3,}}ed|built|bought|sold|paid|found|caught|brought)) "
        rf"(?P<object>{_PHRASE})(?P<tail>{_TAIL})"
    )


def _voice(place: Place) -> Made | None:
    """Passive for active, and active for passive."""
    if match := _BY.fullmatch(place.sentence):
        subject, thing = match["subject"], place.inside(match["object"].strip())
        return Made(f"{subject[0].upper()}{subject[1:]} {match['verb']} {thing}{match['tail']}", kind="active")
    match = _active(place.wordings.passive).fullmatch(place.sentence)
    if match is None or match["past"] in _NO_PASSIVE:
        return None
    thing, doer = match["object"], place.inside(match["subject"])
    if thing.split()[0] in ("any", "all", "each") or thing.split()[-1] in _NO_OBJECT or " to " in f" {thing} ":
        return None
    doer = _OBLIQUE.get(doer.lower(), doer)
    noun = thing.split(" of ")[0]
    many = noun.endswith("s") and not noun.endswith(("ss", "series"))
    verb = (
        f"{match['modal']} be {dict(place.wordings.passive)[match['verb']]}"
        if match["modal"]
        else f"{'were' if many else 'was'} {match['past']}"
    )
    return Made(f"{thing[0].upper()}{thing[1:]} {verb} by {doer}{match['tail']}", kind="passive")


def _synonym(place: Place) -> Made | None:
    claim = place.wordings.tables["synonyms"].exchanged(place.sentence, place.draw("synonyms"))
    return Made(claim) if claim else None


def _conjunction(place: Place) -> Made | None:
    for pattern in _PAIRS:
        for match in pattern.finditer(place.sentence):
            one, other = match["one"], match["other"]
            if one == other or {one.lower(), other.lower()} & _NO_PAIR:
                continue
            if (
                any(one.endswith(ending) != other.endswith(ending) for ending in ("s", "ing", "ed", "ly"))
                and one[0].islower()
            ):
                continue
            if one[0].isupper() and other[0].islower():
                one, other = one[0].lower() + one[1:], other[0].upper() + other[1:]
            exchanged = f"{other}{match['and'] if match['and'] == ',' else ' ' + match['and']} {one}"
            return Made(place.sentence[: match.start("one")] + exchanged + place.sentence[match.end("other") :])
    return None


def _unit(place: Place) -> Made | None:
    if match := _COUNTED.search(place.sentence):
        return Made(_put(place.sentence, match, _YEARS[match["word"]]))
    for match in _UNITS.finditer(place.sentence):
        if _ONE_OF_MANY.search(place.sentence[: match.start()]) or re.match(
            r" ?(?:to|or|and|-) \d", place.sentence[match.end() :]
        ):
            continue
        if other := _converted(
            match["sign"] or "", match["digits"].replace(",", ""), match["decimals"] or "", match["unit"]
        ):
            return Made(_put(place.sentence, match, other))
    return None


def _converted(sign: str, digits: str, decimals: str, unit: str) -> str | None:
    value = int(digits)
    thousandths = round(float(f"0{decimals or '.0'}") * 1000)
    if unit in ("%", "percent"):
        return f"{digits}{decimals} percent" if unit == "%" else f"{digits}{decimals}%"
    if unit in ("thousand", "million", "billion"):
        scale = {"thousand": 1, "million": 10**3, "billion": 10**6}[unit]
        return f"{sign}{(value * 1000 + thousandths) * scale:,}"
    if sign or decimals or value == 0:
        return None
    larger = {
        "months": (12, "year"),
        "weeks": (-7, "day"),
        "hours": (24, "day"),
        "years": (-12, "month"),
        "minutes": (60, "hour"),
    }
    larger |= {
        "km": (-1000, "meter"),
        "kilometers": (-1000, "meter"),
        "meters": (1000, "kilometer"),
        "kg": (-1000, "gram"),
    }
    factor, name = larger[unit]
    if (factor < 0 and value > 5) or (factor > 0 and value % factor):
        return None
    other = value * -factor if factor < 0 else value // factor
    return f"{other:,} {name}s" if other > 1 else f"one {name}"


def _number(place: Place) -> Made | None:
    for match in _WRITTEN.finditer(place.sentence):
        if match["digits"] in (None, _DIGITS[match["word"]]) and not _ONE_OF_MANY.search(
            place.sentence[: match.start()]
        ):
            return Made(_put(place.sentence, match, _DIGITS[match["word"]]), kind="digits")
    for match in _FIGURE.finditer(place.sentence):
        before = place.sentence[: match.start()]
        if match["digits"] in _WORDS and not _ONE_OF_MANY.search(before) and not re.search(r"[A-Z]\w* $|\($", before):
            return Made(_put(place.sentence, match, _WORDS[match["digits"]]), kind="words")
    return None


def _date(place: Place) -> Made | None:
    match = _DATE.search(place.sentence) or _DAY_FIRST.search(place.sentence)
    if match is None or int(match["day"]) not in range(1, 32):
        return None
    behind = re.match(r" ?,? (?:and|or|to) (?:19|20)\d\d", place.sentence[match.end() :])
    if behind or re.search(r"\d,? (?:and|or|to|through|-) $", place.sentence[: match.start()]):
        return None  # one of two dates that share words
    month, day, year = match["month"], int(match["day"]), match["year"]
    number = _MONTHS.index(month) + 1
    forms = [
        f"{day} {month} {year}",
        f"{month} {day}, {year}",
        f"{year}-{number:02d}-{day:02d}",
        f"{month[:3]} {day}, {year}",
    ]
    forms = [form for form in forms if form != match.group()]
    return Made(_put(place.sentence, match, forms[place.draw("date") % len(forms)]))


def _opener(place: Place) -> Made | None:
    """The sentence without the words that join it to the one before, or without the time that leads it."""
    for opener in place.wordings.lists["openers"]:
        if place.sentence.startswith(f"{opener}, "):
            rest = place.sentence[len(opener) + 2 :]
            return Made(rest[0].upper() + rest[1:], kind="connective")
    match = _LED.fullmatch(place.sentence)
    if match is None or re.match(r"and |when |where |which ", match["rest"]):
        return None
    return Made(match["rest"][0].upper() + match["rest"][1:], kind="time")


def _abbreviation(place: Place) -> Made | None:
    match = _ABBREVIATED.search(place.sentence)
    if match is None:
        return None
    words = match["name"].split()
    for first in range(len(words)):
        capitals = "".join(word[0] for word in words[first:] if word[0].isupper())
        if capitals == match["short"]:
            name = " ".join(words[first:])
            start = match.start() + match["name"].rfind(name)
            return Made(place.sentence[:start] + match["short"] + place.sentence[match.end() :])
    return None


def _put(sentence: str, match: re.Match[str], text: str) -> str:
    return sentence[: match.start()] + text + sentence[match.end() :]


CONTROLS: Mapping[str, Generator] = {
    "abbreviated name": _abbreviation,
    "voice": _voice,
    "date in another form": _date,
    "opening dropped": _opener,
    "unit converted": _unit,
    "number in another form": _number,
    "conjunction reordered": _conjunction,
    "synonym": _synonym,
    "factive frame": _factive,
    "untouched": _untouched,
}
"""Families by name, those with the fewest sentences of their form first."""
