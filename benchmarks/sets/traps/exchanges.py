"""Traps that let two things of a sentence change places: parties and names, figures, years."""

from __future__ import annotations

import re
from itertools import pairwise

from sets.traps.place import NO_SUBJECT, Made, Place

_MONTHS = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday".split()
)
_NUMBER = (
    r"(?:\$ ?)?(?<![\w.,/-])(?:(?:[a-z]+(?:-[a-z]+)? )\(\d+\)|\d{1,3}(?:,\d{3})+(?:\.\d+)?|"
    r"\d+(?:\.\d+)?)(?![\w/-]|[.,:]\d)"
    r"(?:%| percent\b| million\b| billion\b| trillion\b)?"
)
_FIGURE = re.compile(_NUMBER)
_YEAR = re.compile(r"(?<![\w.,$/-])(?:1[5-9]|20)\d\d(?![\w/-]|[.,]\d)")
_NUMBERED = re.compile(
    r"(?:section|sections|article|articles|clause|item|items|note|notes|chapter|page|pages|figure|table|exhibit|"
    r"schedule|"
    r"part|rule|form|version|level|step|type|phase|paragraph|no\.|act|january|february|march|april|may|june|"
    r"july|august|"
    r"september|october|november|december|sept|sep|oct|nov|dec|jan|feb|mar|apr|jun|jul|aug|ages?|aged|covid) ?$",
    re.IGNORECASE,
)
_COORDINATED = re.compile(
    r"[\s,%()a-z-]{0,12}?\b(?:and|or|to|through|by|nor|versus|vs|out of|of)\b[\s,$(]*|[\s,/\u2013-]*"
)
_NAME = r"(?:[A-Z][\w'\u2019-]+(?: [A-Z][\w'\u2019-]+){0,2}|[Tt]he [a-z]{3,})"
_BETWEEN_NAMES = (
    (
        "deed",
        re.compile(
            rf"(?P<one>{_NAME}) (?:(?:was|were) (?=[a-z]+ by )|had )?(?!(?:married|met|joined|fought|divorced|"
            rf"wed|faced|related|based|titled|named|used|called) )"
            rf"(?:[a-z]{{3,}}ed|told|beat|sued|paid|led|taught|shot|struck|bought|sold|sent|gave|hit|ate|caught|"
            rf"took)(?: by)? (?P<other>{_NAME})"
        ),
    ),
    (
        "saying",
        re.compile(
            rf"(?P<one>{_NAME}) (?:said|says|claimed|argued|believes|"
            rf"announced)(?: that)? (?P<other>{_NAME})(?= (?:is|was|had|has|will|would)\b)"
        ),
    ),
    (
        "office",
        re.compile(rf"(?P<one>{_NAME}) (?:is|was|became) (?:the|a|an) (?:[a-z]+ )?[a-z]+ (?:of|to) (?P<other>{_NAME})"),
    ),
    ("from and to", re.compile(rf"\bfrom (?P<one>{_NAME}) to (?P<other>{_NAME})")),
)
"""Sorts of phrase in which two names have roles of their own."""
_MAY = re.compile(r" (?:shall|will|may|must|agrees to|warrants|represents) ")
_DOES = re.compile(
    r" (?:shall|will|may|must|agrees to|warrants|[a-z]{3,}ed|gave|told|sent|paid|took|sold|made|said|wrote|brought|led|"
    r"won|lost) "
)
_BESIDE = re.compile(r"(?:\b(?:and|or|with|than|in|at|on|near|as|a|an|his|her|their)|,|\w's) (?:the )?$")
"""Before a name that is no object of its own."""
_NOUN_GOES_ON = re.compile(
    r" (?!(?:of|to|in|at|with|for|on|from|that|about|how|what|why|into|by|before|after|when|as)\b)[a-z]"
)
_MUTUAL = re.compile(
    r"\b(?:both|each other|mutual(?:ly)?|jointly|either|neither|between|together|respective(?:ly)?|and/or)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:(?:receiving|disclosing) party|licensor|licensee|lessor|lessee|landlord|tenant|buyer|seller|"
    r"purchaser|supplier|customer|"
    r"company|recipient|discloser|disclosee|contractor|client|employer|employee|distributor|manufacturer|"
    r"franchisee|franchisor|"
    r"provider|sponsor|vendor|consultant|agent|bank|borrower|lender)\b",
    re.IGNORECASE,
)


def roles(place: Place) -> Made | None:
    """The sentence with its two parties, or two names with roles of their own, exchanged."""
    sentence = place.sentence
    if _MUTUAL.search(sentence):
        return None
    names = [name for name in place.source.parties if re.search(rf"\b{re.escape(name)}\b", sentence)]
    mentioned = list(dict.fromkeys(match.group() for match in _ROLE.finditer(sentence)))
    for found, kind in ((names, "parties"), (mentioned, "roles"), (_names(place), "names")):
        if len(found) != 2 or found[0].lower() == found[1].lower():
            continue
        one, other = sorted(found, key=sentence.find)
        if _acts(sentence, one, other, kind):
            return Made(_swapped(sentence, one, other), kind=kind)
    for kind, pattern in _BETWEEN_NAMES:
        match = pattern.search(sentence)
        if match is None or _barred(match, sentence):
            continue
        one, other = match["one"], match["other"]
        if match.start("one") == 0:
            other = other[0].upper() + other[1:]
            one = place.inside(one)
        start, end = match.start("one"), match.end("other")
        return Made(
            f"{sentence[:start]}{other}{sentence[match.end('one') : match.start('other')]}{one}{sentence[end:]}",
            kind=kind,
        )
    return None


def _names(place: Place) -> list[str]:
    """The names in a sentence that begins with one of them."""
    if place.sentence.split()[0] not in place.source.names:
        return []
    runs = list(dict.fromkeys(re.findall(r"\b[A-Z][\w-]+(?: [A-Z][\w-]+)*", place.sentence)))
    named = all(run.split()[0] in place.source.names and not _MONTHS & set(run.split()) for run in runs)
    return runs if named else []


def _acts(sentence: str, one: str, other: str, kind: str) -> bool:
    """True where the first of two is the subject and the second stands apart as an object."""
    if one in other or other in one or sentence.find(one) > len("The "):
        return False
    gap = sentence[sentence.find(one) + len(one) : sentence.find(other)]
    verb = _DOES if kind == "names" else _MAY
    return verb.match(gap) is not None and not _BESIDE.search(gap)


def _barred(match: re.Match[str], sentence: str) -> bool:
    """True where the two names may be no names of their own or may change places."""
    one, other = match["one"], match["other"]
    if (
        {*one.split(), *other.split()} & _MONTHS
        or {one.split()[0].lower(), other.split()[0].lower()} & (NO_SUBJECT - {"the"})
        or one.lower() == other.lower()
    ):
        return True
    if one.lower().startswith("the ") != other.lower().startswith("the "):
        return True
    before, behind = sentence[: match.start("one")], sentence[match.end("other") :]
    return bool(
        re.match(r" (?:[A-Z]|and\b|or\b|[a-z]+s\b)|[-'\u2019,]|\.[A-Z]|\. ?\d", behind)
        or re.search(r"(?:\b(?:and|or|of|[A-Z][\w.]*)|,|') $", before)
    ) or (one.lower().startswith("the ") and _NOUN_GOES_ON.match(behind) is not None)


def _swapped(sentence: str, one: str, other: str) -> str:
    """The sentence with two names exchanged wherever they stand."""
    both = re.compile(rf"\b(?:{re.escape(one)}|{re.escape(other)})\b")
    return both.sub(lambda match: other if match.group() == one else one, sentence)


def figures(place: Place) -> Made | None:
    """The sentence with two figures of one unit exchanged that belong to two things."""
    found = [match for match in _FIGURE.finditer(place.sentence) if _counts(place.sentence, match)]
    for one, other in pairwise(found):
        gap = place.sentence[one.end() : other.start()]
        if _unit(one) != _unit(other) or _value(one) == _value(other) or len(gap.split()) < 2:
            continue
        if _COORDINATED.fullmatch(gap) and not re.search(r"\brespectively\b", place.sentence):
            continue
        return Made(_exchanged(place.sentence, one, other))
    return None


def _counts(sentence: str, match: re.Match[str]) -> bool:
    """True of a figure that counts or measures: no year, number of a section, day of a month."""
    text = match.group()
    before, behind = sentence[: match.start()], sentence[match.end() :]
    if _YEAR.fullmatch(text) or _value(match) == 0 or re.match(r",? [A-Z]", behind):
        return False
    return not (_NUMBERED.search(before) or re.search(r" [A-Z]\w* $|\($", before))


def _unit(match: re.Match[str]) -> tuple[bool, str]:
    text = match.group()
    return text.startswith("$"), re.sub(r"[\d.,$() ]|^[a-z-]+(?= \()", "", text)


def _value(match: re.Match[str]) -> float:
    return float(re.findall(r"\d[\d,]*(?:\.\d+)?", match.group())[-1].replace(",", ""))


def _exchanged(sentence: str, one: re.Match[str], other: re.Match[str]) -> str:
    between = sentence[one.end() : other.start()]
    return sentence[: one.start()] + other.group() + between + one.group() + sentence[other.end() :]


def years(place: Place) -> Made | None:
    """The sentence with its two years exchanged."""
    found = list(_YEAR.finditer(place.sentence))
    if len(found) != 2 or found[0].group() == found[1].group():
        return None
    gap = place.sentence[found[0].end() : found[1].start()]
    if _COORDINATED.fullmatch(gap) and not re.search(r"\brespectively\b", place.sentence):
        return None
    return Made(_exchanged(place.sentence, *found))
