"""Families of traps: claims made from a real sentence that the passage it stands in does not support.

Each family makes a claim only of sentences of the right form, so that it is certain that the claim is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.evaluation.traps.sources import Source
from spanwise.evaluation.traps.wordings import Wordings, drawn, lot

_MODALS = "shall|will|must|may|can|should|would|could|is|are|was|were|has|have|had"
_HEAD = re.compile(rf"(?P<subject>[A-Z][\w'\u2019&-]*(?: [\w'\u2019&-]+){{0,6}}) (?P<verb>{_MODALS}) (?P<rest>.+)\.")
_NO_SUBJECT = frozenset(
    "there it this that these those which who what he she they we you i if when as where while although because unless until "
    "in on at by for from with within under upon after before during since to not however each nothing one both either "
    "neither said says reported according via per despite through between any no all some most many few such".split()
)
_MONTHS = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday".split()
)
_NUMBER = (
    r"(?:\$ ?)?(?<![\w.,/-])(?:(?:[a-z]+(?:-[a-z]+)? )\(\d+\)|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w/-]|[.,:]\d)"
    r"(?:%| percent\b| million\b| billion\b| trillion\b)?"
)
_FIGURE = re.compile(_NUMBER)
_YEAR = re.compile(r"(?<![\w.,$/-])(?:1[5-9]|20)\d\d(?![\w/-]|[.,]\d)")
_NUMBERED = re.compile(
    r"(?:section|sections|article|articles|clause|item|items|note|notes|chapter|page|pages|figure|table|exhibit|schedule|"
    r"part|rule|form|version|level|step|type|phase|paragraph|no\.|act|january|february|march|april|may|june|july|august|"
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
            rf"(?P<one>{_NAME}) (?:(?:was|were) (?=[a-z]+ by )|had )?(?!(?:married|met|joined|fought|divorced|wed|faced|related|based|titled|named|used|called) )"
            rf"(?:[a-z]{{3,}}ed|told|beat|sued|paid|led|taught|shot|struck|bought|sold|sent|gave|hit|ate|caught|took)(?: by)? (?P<other>{_NAME})"
        ),
    ),
    (
        "saying",
        re.compile(
            rf"(?P<one>{_NAME}) (?:said|says|claimed|argued|believes|announced)(?: that)? (?P<other>{_NAME})(?= (?:is|was|had|has|will|would)\b)"
        ),
    ),
    (
        "office",
        re.compile(rf"(?P<one>{_NAME}) (?:is|was|became) (?:the|a|an) (?:[a-z]+ )?[a-z]+ (?:of|to) (?P<other>{_NAME})"),
    ),
    ("from and to", re.compile(rf"\bfrom (?P<one>{_NAME}) to (?P<other>{_NAME})")),
)
"""Sorts of phrase in which two names have roles of their own."""
_MUTUAL = re.compile(
    r"\b(?:both|each other|mutual(?:ly)?|jointly|either|neither|between|together|respective(?:ly)?|and/or)\b",
    re.IGNORECASE,
)
_REASONED = re.compile(
    r"\b(?:because|due to|since|as a result|owing|thanks to|therefore|so that|account of)\b", re.IGNORECASE
)
_THING = re.compile(r"\bthe [a-z]{4,}(?: of the [a-z]{4,})?(?= (?:is|are|was|were|has|have|had|will|shall|may|can)\b)")
_ROLE = re.compile(
    r"\b(?:(?:receiving|disclosing) party|licensor|licensee|lessor|lessee|landlord|tenant|buyer|seller|purchaser|supplier|customer|"
    r"company|recipient|discloser|disclosee|contractor|client|employer|employee|distributor|manufacturer|franchisee|franchisor|"
    r"provider|sponsor|vendor|consultant|agent|bank|borrower|lender)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"(?P<verb>provide|pay|deliver|use|sell|buy|keep|maintain|receive|return|purchase|supply|acquire|own|hold|have|had|bought|"
    r"sold|received|acquired|found|provided|paid|used|made|produced|produce|carry|carried|install|build|built|took|take|"
    r"contains?|includes?|requires?|required|uses|provides|sells|offers?|offered|brought|bring)"
    r" (?:the|a|an|its|his|her|their|any|all|each) .+"
)
_DONE = re.compile(
    r"(?P<subject>[A-Z][\w'\u2019-]*(?: [\w'\u2019-]+){0,4}) (?P<verb>bought|sold|received|acquired|found|used|made|produced|carried|"
    r"built|took|brought|saw|put|wrote|won|lost|opened|caught|gave|sent|developed|created|contains|includes|uses|provides|offers)"
    r" (?:the|a|an|its|his|her|their|two|three|several|some|many) .+"
)
_STATIVE = frozenset("is are was were".split())
_ABLE = frozenset("shall will must may can should would could".split())
_CONTENT = re.compile(r"[a-z]{5,}")
_MOST_SHARED = 0.6
"""Share of a stranger's words that a passage may have."""


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence and everything that a claim may be made from."""

    sentence: str
    source: Source
    passage: str
    others: Sequence[str]
    """Other sentences of the passage, none of them a neighbour of this one."""
    strangers: Sequence[tuple[Source, str]]
    """Sentences of another document of the same set."""
    wordings: Wordings

    def draw(self, family: str) -> int:
        """A number for one family: the same for the same document and sentence."""
        return lot(self.source.name, self.sentence, family)

    def inside(self, sentence: str) -> str:
        """A sentence as it stands inside another one: without full stop, its first word small unless it is a name."""
        text = sentence.removesuffix(".")
        first = text.split()[0]
        if first == "I" or first[1:] != first[1:].lower() or first.strip(",") in self.source.names:
            return text
        if first.strip(",").lower() not in self.source.small and first.lower() not in _NO_SUBJECT:
            return text
        return text[0].lower() + text[1:]


@dataclass(frozen=True, slots=True)
class Made:
    """A claim made from a sentence."""

    claim: str
    stands: str | None = None
    """What the passage says in place of the sentence; None: the sentence itself."""
    kind: str = ""
    """Sort of its family."""


Generator = Callable[[Place], Made | None]


def framed(place: Place, frame: str) -> str | None:
    """The sentence in a frame; None where its subject is not plain and the frame parts it."""
    inner = place.inside(place.sentence)
    if "{subject}" not in frame:
        return frame.replace("{s}", inner).replace("{S}", place.sentence.removesuffix("."))
    parts = head(place.sentence)
    return frame.format(subject=parts[0], rest=f"{parts[1]} {parts[2]}") if parts else None


def head(sentence: str) -> tuple[str, str, str] | None:
    """Subject, first verb and the rest, where the subject is one plain noun phrase."""
    match = _HEAD.fullmatch(sentence)
    if match is None:
        return None
    return (match["subject"], match["verb"], match["rest"]) if _plain(match["subject"]) else None


def _plain(subject: str) -> bool:
    """True of a noun phrase without a clause or phrase of time and place in it."""
    verbs = _ABLE | _STATIVE | {"has", "have", "had"}
    return not any(word.lower() in _NO_SUBJECT or word in verbs or word.endswith("ly") for word in subject.split())


def _frames(place: Place) -> Made | None:
    draw = place.draw("frames")
    for step in range(3):
        kind, frame = place.wordings.frames[(draw + step * 7) % len(place.wordings.frames)]
        if stands := framed(place, frame):
            return Made(place.sentence, stands, kind)
    return None


def _roles(place: Place) -> Made | None:
    sentence = place.sentence
    if _MUTUAL.search(sentence):
        return None
    names = [name for name in place.source.parties if re.search(rf"\b{re.escape(name)}\b", sentence)]
    roles = list(dict.fromkeys(match.group() for match in _ROLE.finditer(sentence)))
    for found, kind in ((names, "parties"), (roles, "roles"), (_names(place), "names")):
        if (
            len(found) == 2
            and found[0].lower() != found[1].lower()
            and _acts(sentence, *sorted(found, key=sentence.find), kind)
        ):
            return Made(_swapped(sentence, *found), kind=kind)
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
    verb = r" (?:shall|will|may|must|agrees to|warrants|[a-z]{3,}ed|gave|told|sent|paid|took|sold|made|said|wrote|brought|led|won|lost) "
    before = r"(?:\b(?:and|or|with|than|in|at|on|near|as|a|an|his|her|their)|,|\w's) (?:the )?$"
    return bool(
        re.match(verb if kind == "names" else r" (?:shall|will|may|must|agrees to|warrants|represents) ", gap)
    ) and not re.search(before, gap)


def _barred(match: re.Match[str], sentence: str) -> bool:
    """True where the two names may be no names of their own or may change places."""
    one, other = match["one"], match["other"]
    if (
        {*one.split(), *other.split()} & _MONTHS
        or {one.split()[0].lower(), other.split()[0].lower()} & (_NO_SUBJECT - {"the"})
        or one.lower() == other.lower()
    ):
        return True
    if one.lower().startswith("the ") != other.lower().startswith("the "):
        return True
    before, behind = sentence[: match.start("one")], sentence[match.end("other") :]
    return bool(
        re.match(r" (?:[A-Z]|and\b|or\b|[a-z]+s\b)|[-'\u2019,]|\.[A-Z]|\. ?\d", behind)
        or re.search(r"(?:\b(?:and|or|of|[A-Z][\w.]*)|,|') $", before)
    ) or (
        one.lower().startswith("the ")
        and bool(re.match(r" (?!of\b|to\b|in\b|at\b|with\b|for\b|on\b|from\b|that\b|and\b)[a-z]", behind))
    )


def _swapped(sentence: str, one: str, other: str) -> str:
    """The sentence with two names exchanged wherever they stand."""
    both = re.compile(rf"\b(?:{re.escape(one)}|{re.escape(other)})\b")
    return both.sub(lambda match: other if match.group() == one else one, sentence)


def _figures(place: Place) -> Made | None:
    found = [match for match in _FIGURE.finditer(place.sentence) if _counts(place.sentence, match)]
    for one, other in zip(found, found[1:], strict=False):
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


def _years(place: Place) -> Made | None:
    found = list(_YEAR.finditer(place.sentence))
    if len(found) != 2 or found[0].group() == found[1].group():
        return None
    gap = place.sentence[found[0].end() : found[1].start()]
    if _COORDINATED.fullmatch(gap) and not re.search(r"\brespectively\b", place.sentence):
        return None
    return Made(_exchanged(place.sentence, *found))


def _wordings(table: str) -> Generator:
    """The family that exchanges wordings of a table."""

    def make(place: Place) -> Made | None:
        claim = place.wordings.tables[table].exchanged(place.sentence, place.draw(table))
        return Made(claim) if claim else None

    return make


def _exclusivity(place: Place) -> Made | None:
    if made := _wordings("exclusivity")(place):
        return made
    parts = head(place.sentence)
    if parts is None or parts[1] not in ("may", "can") or " only " in place.sentence:
        return None
    return Made(f"Only {place.inside(place.sentence)}.")


def _cause(place: Place) -> Made | None:
    if _REASONED.search(place.sentence) or len(place.sentence) > 160 or place.sentence.count(",") > 1:
        return None
    draw = place.draw("cause")
    others = [other for other in place.others if len(other) < 140 and not _REASONED.search(other) and "," not in other]
    own = place.sentence.lower()
    things = [thing for other in place.others for thing in _THING.findall(other) if thing not in own]
    lists = place.wordings.lists
    if things and (draw % 2 or not others):
        return Made(
            place.sentence[:-1] + drawn(lists["due"], draw).replace("{np}", drawn(things, draw)) + ".", kind="phrase"
        )
    if others:
        reason = place.inside(drawn(others, draw))
        return Made(place.sentence[:-1] + drawn(lists["because"], draw).replace("{s}", reason) + ".", kind="clause")
    return None


def _reach(place: Place) -> Made | None:
    draw = place.draw("reach")
    kind = ("places", "times", "reaches")[draw % 3]
    added = drawn(place.wordings.lists[kind], draw)
    key = max(re.findall(r"\w+", added), key=len)
    if re.search(rf"\b{key}\b", place.passage) or place.sentence.endswith(("respectively.", "etc.")):
        return None
    end = added if kind == "reaches" else f" {added}"
    return Made(f"{place.sentence[:-1]}{end}.", kind=kind)


def _absurd(place: Place) -> Made | None:
    """The subject of the sentence with a state, a deed or an object that nobody would think of."""
    draw = place.draw("absurd")
    lists = place.wordings.lists
    if match := _DONE.fullmatch(place.sentence):
        if _plain(match["subject"]):
            return _unless_said(
                place, Made(f"{match['subject']} {match['verb']} {drawn(lists['objects'], draw)}.", kind="object")
            )
        return None
    parts = head(place.sentence)
    if parts is None or parts[0].split()[0].lower() in ("a", "an"):
        return None
    subject, verb, rest = parts
    if verb in _STATIVE and draw % 2:
        return _unless_said(place, Made(f"{subject} {verb} {drawn(lists['states'], draw // 2)}.", kind="state"))
    if (match := _OBJECT.fullmatch(rest)) and verb in _ABLE and draw % 2:
        claim = f"{subject} {verb} {match['verb']} {drawn(lists['objects'], draw // 2)}."
        return _unless_said(place, Made(claim, kind="object"))
    modal = verb if verb in _ABLE else drawn(("may", "will", "can"), draw)
    return _unless_said(place, Made(f"{subject} {modal} {drawn(lists['deeds'], draw // 2)}.", kind="deed"))


def _unless_said(place: Place, made: Made) -> Made | None:
    words = re.findall(r"[a-z]{5,}", made.claim)
    return made if not all(word in place.passage.lower() for word in words[-2:]) else None


def _stranger(place: Place) -> Made | None:
    """A sentence of another document, about this one's parties where both have some."""
    known = set(_CONTENT.findall(place.passage.lower()))
    start = place.draw("stranger")
    for step in range(min(4, len(place.strangers))):
        source, sentence = place.strangers[(start + step) % len(place.strangers)]
        claim = sentence
        for theirs, ours in zip(source.parties, place.source.parties, strict=False):
            claim = re.sub(rf"\b{re.escape(theirs)}\b", ours, claim)
        words = set(_CONTENT.findall(claim.lower()))
        if len(words) >= 4 and len(words & known) <= _MOST_SHARED * len(words):
            return Made(claim, kind="other parties" if claim != sentence else "as it stands")
    return None


TRAPS: Mapping[str, Generator] = {
    "years turned round": _years,
    "roles": _roles,
    "attachment of figures": _figures,
    "frames": _frames,
    "direction": _wordings("direction"),
    "exclusivity": _exclusivity,
    "absurd": _absurd,
    "bounds": _wordings("bounds"),
    "quantifier": _wordings("quantifier"),
    "modality": _wordings("modality"),
    "added cause": _cause,
    "another document": _stranger,
    "added place, time or reach": _reach,
}
"""Families by name; a sentence goes to the first of them that needs it."""
