"""Families of controls: claims made from a real sentence in other words, which the passage it stands in supports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from spanwise.evaluation.traps.traps import Generator, Made, Place, framed

_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(rf"\b(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>(?:19|20)\d\d)\b")
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)}) (?P<year>(?:19|20)\d\d)\b")
_SMALL = "two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = {word: str(number) for number, word in enumerate(_SMALL, 2)} | {"twenty": "20", "thirty": "30", "sixty": "60", "ninety": "90"}
_WORDS = {digits: word for word, digits in _DIGITS.items()}
_WRITTEN = re.compile(rf"(?<![\w-])(?P<word>{'|'.join(_DIGITS)})(?: \((?P<digits>\d+)\))?(?= [a-z]{{3,}}s\b)(?! hundreds| thousands| millions)")
_FIGURE = re.compile(r"(?<![\w.,$/:-])(?P<digits>\d{1,2})(?= [a-z]{4,}s\b)")
_ONE_OF_MANY = re.compile(r"\b(?:or|and|to|of|than|between|-) ?$")
_UNITS = re.compile(
    r"(?<![\w.,/:-])(?P<sign>\$)?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d{1,2})? ?"
    r"(?P<unit>%|percent\b|million\b|billion\b|thousand\b|months\b|weeks\b|hours\b|years\b|minutes\b|km\b|kilometers\b|meters\b|kg\b)"
)
_COUNTED = re.compile(r"(?<![\w.,/:-])(?P<word>twelve|twenty-four|thirty-six)(?: \((?:12|24|36)\))? months\b(?! old)")
_YEARS = {"twelve": "one year", "twenty-four": "two years", "thirty-six": "three years"}
_PAIR = re.compile(
    r"(?<=\bof |\bin |\bby |\bto )(?P<one>[a-z]{4,}) (?P<and>and|or) (?P<other>[a-z]{4,})(?=[.,]| (?:of|in|for|to|from|at|on|by|with|shall|will|may|are|were)\b)"
)
_NAMES = re.compile(r"(?<![\w,&] )\b(?P<one>[A-Z][a-z]{2,}) (?P<and>and|or) (?P<other>[A-Z][a-z]{2,})(?=[.,]| [a-z])")
_NO_PAIR = frozenset("other others more then them that this also such their there thereof thereto less back forth again over later former".split())
_LED = re.compile(r"(?:[Ii]n|[Oo]n|[Dd]uring) (?:the year |fiscal )?(?:(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?(?:19|20)\d\d), (?P<rest>.+)")
_ABBREVIATED = re.compile(r"\b(?P<name>[A-Z][\w-]+(?: (?:of|for|and|the|[A-Z][\w-]+)){1,5}) \((?P<short>[A-Z]{2,6})\)")
_SIMPLE = r"(?:[Tt]he |[Ee]ach |[Ee]ither )?[A-Z][\w-]+(?: [A-Z][\w-]+)?|The [a-z]{4,}(?: [a-z]{4,})?"
_PHRASE = r"(?:the|a|an|its|all|any) (?:[a-z-]+ |[A-Z][a-z-]+ ){0,2}[A-Za-z][\w-]+(?: of (?:the|this|its) [A-Za-z][\w-]+)?"
_TAIL = r"(?:\.| (?:within|upon|prior|in accordance|during|before|after|through|on or before|at least|by the end) .+)"
_PAST = "written|built|founded|created|directed|acquired|bought|purchased|painted|designed|developed|produced|invented|discovered|killed|defeated|led"


def _untouched(place: Place) -> Made:
    return Made(place.sentence)


def _factive(place: Place) -> Made | None:
    frames = place.wordings.factive
    stands = framed(place, frames[place.draw("factive") % len(frames)])
    return Made(place.sentence, stands) if stands else None


@cache
def _active(passive: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    verbs = "|".join(base for base, _ in passive)
    return re.compile(
        rf"(?P<subject>{_SIMPLE}) (?P<modal>shall|will|must|may|can) (?P<verb>{verbs}) (?P<object>{_PHRASE})(?P<tail>{_TAIL})"
    )


_BY = re.compile(
    rf"(?P<object>The (?:[\w-]+ ){{1,3}}?)(?P<was>was|were) (?P<verb>{_PAST.replace('written|', '')}) by "
    r"(?P<subject>[A-Z][\w.-]+(?: [A-Z][\w.-]+){1,2}|the [a-z]{4,})(?P<tail>\.| (?:in|on) \d.*\.)"
)


def _voice(place: Place) -> Made | None:
    """Passive for active, and active for passive."""
    if " by " in place.sentence and (match := _BY.fullmatch(place.sentence)):
        verb = {"built": "built", "led": "led"}.get(match["verb"], match["verb"])
        subject, thing = match["subject"], place.inside(match["object"].strip())
        return Made(f"{subject[0].upper()}{subject[1:]} {verb} {thing}{match['tail']}", kind="active")
    match = _active(place.wordings.passive).fullmatch(place.sentence)
    if match is None:
        return None
    participle = dict(place.wordings.passive)[match["verb"]]
    thing, subject = match["object"], match["subject"]
    if thing.startswith("any ") and match["modal"] in ("shall", "must", "will"):
        return None
    doer = place.inside(subject) if subject.split()[0] in ("The", "Each", "Either") else subject
    tail = match["tail"]
    return Made(f"{thing[0].upper()}{thing[1:]} {match['modal']} be {participle} by {doer}{tail}", kind="passive")


def _synonym(place: Place) -> Made | None:
    claim = place.wordings.tables["synonyms"].exchanged(place.sentence, place.draw("synonyms"))
    return Made(claim) if claim else None


def _conjunction(place: Place) -> Made | None:
    for pattern in (_PAIR, _NAMES):
        for match in pattern.finditer(place.sentence):
            one, other = match["one"], match["other"]
            if one == other or {one.lower(), other.lower()} & _NO_PAIR or match.start() == 0 and pattern is _PAIR:
                continue
            if pattern is _PAIR and (one.endswith("s") != other.endswith("s") or one.endswith("ly") or other.endswith("ing") != one.endswith("ing")):
                continue
            exchanged = f"{other} {match['and']} {one}"
            return Made(place.sentence[: match.start()] + exchanged + place.sentence[match.end() :])
    return None


def _unit(place: Place) -> Made | None:
    if match := _COUNTED.search(place.sentence):
        return Made(_put(place.sentence, match, _YEARS[match["word"]]))
    for match in _UNITS.finditer(place.sentence):
        if _ONE_OF_MANY.search(place.sentence[: match.start()]) or re.match(r" ?(?:to|or|and|-) \d", place.sentence[match.end() :]):
            continue
        if other := _converted(match["sign"] or "", match["digits"].replace(",", ""), match["decimals"] or "", match["unit"]):
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
    larger = {"months": (12, "year"), "weeks": (-7, "day"), "hours": (24, "day"), "years": (-12, "month"), "minutes": (60, "hour")}
    larger |= {"km": (-1000, "meter"), "kilometers": (-1000, "meter"), "meters": (1000, "kilometer"), "kg": (-1000, "gram")}
    factor, name = larger[unit]
    if factor < 0 and value > 40 or factor > 0 and value % factor:
        return None
    other = value * -factor if factor < 0 else value // factor
    return f"{other:,} {name}{'s' if other > 1 else ''}"


def _number(place: Place) -> Made | None:
    for match in _WRITTEN.finditer(place.sentence):
        if match["digits"] in (None, _DIGITS[match["word"]]) and not _ONE_OF_MANY.search(place.sentence[: match.start()]):
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
    month, day, year = match["month"], int(match["day"]), match["year"]
    number = _MONTHS.index(month) + 1
    forms = [f"{day} {month} {year}", f"{month} {day}, {year}", f"{year}-{number:02d}-{day:02d}", f"{month[:3]} {day}, {year}"]
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
    words = [word for word in match["name"].split()]
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
