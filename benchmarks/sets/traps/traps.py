"""Families of traps: claims made from a real sentence that the passage it stands in does not support.

Each family makes a claim only of sentences of the right form, so that it is certain that the claim is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sets.traps.exchanges import figures, roles, years
from sets.traps.place import ABLE, STATIVE, Generator, Made, Place, framed, head, plain
from sets.traps.wordings import drawn

_REASONED = re.compile(
    r"\b(?:because|due to|since|as a result|owing|thanks to|therefore|so that|account of)\b", re.IGNORECASE
)
_THING = re.compile(r"\bthe [a-z]{4,}(?: of the [a-z]{4,})?(?= (?:is|are|was|were|has|have|had|will|shall|may|can)\b)")
_OBJECT = re.compile(
    r"(?P<verb>provide|pay|deliver|use|sell|buy|keep|maintain|receive|return|purchase|supply|acquire|own|hold|"
    r"have|had|bought|"
    r"sold|received|acquired|found|provided|paid|used|made|produced|produce|carry|carried|install|build|built|"
    r"took|take|"
    r"contains?|includes?|requires?|required|uses|provides|sells|offers?|offered|brought|bring)"
    r" (?:the|a|an|its|his|her|their|any|all|each) .+"
)
_DONE = re.compile(
    r"(?P<subject>[A-Z][\w'\u2019-]*(?: [\w'\u2019-]+){0,4}) (?P<verb>bought|sold|received|acquired|found|used|"
    r"made|produced|carried|"
    r"built|took|brought|saw|put|wrote|won|lost|opened|caught|gave|sent|developed|created|contains|includes|"
    r"uses|provides|offers)"
    r" (?:the|a|an|its|his|her|their|two|three|several|some|many) .+"
)
_CONTENT = re.compile(r"[a-z]{5,}")
_MOST_SHARED = 0.6
"""Share of a stranger's words that a passage may have."""


def _frames(place: Place) -> Made | None:
    draw = place.draw("frames")
    for step in range(3):
        kind, frame = place.wordings.frames[(draw + step * 7) % len(place.wordings.frames)]
        if stands := framed(place, frame):
            return Made(place.sentence, stands, kind)
    return None


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
        if plain(match["subject"]):
            return _unless_said(
                place, Made(f"{match['subject']} {match['verb']} {drawn(lists['objects'], draw)}.", kind="object")
            )
        return None
    parts = head(place.sentence)
    if parts is None or parts[0].split()[0].lower() in ("a", "an"):
        return None
    subject, verb, rest = parts
    if verb in STATIVE and draw % 2:
        return _unless_said(place, Made(f"{subject} {verb} {drawn(lists['states'], draw // 2)}.", kind="state"))
    if (match := _OBJECT.fullmatch(rest)) and verb in ABLE and draw % 2:
        claim = f"{subject} {verb} {match['verb']} {drawn(lists['objects'], draw // 2)}."
        return _unless_said(place, Made(claim, kind="object"))
    modal = verb if verb in ABLE else drawn(("may", "will", "can"), draw)
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
    "years turned round": years,
    "roles": roles,
    "attachment of figures": figures,
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
