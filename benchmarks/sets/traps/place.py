"""A sentence that claims are made from, and what is made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sets.traps.sources import Source
from sets.traps.wordings import Wordings, lot
from spanwise.text.terms import STOPWORDS

_MODALS = "shall|will|must|may|can|should|would|could|is|are|was|were|has|have|had"
_HEAD = re.compile(rf"(?P<subject>[A-Z][\w'\u2019&-]*(?: [\w'\u2019&-]+){{0,6}}) (?P<verb>{_MODALS}) (?P<rest>.+)\.")
NO_SUBJECT = frozenset(
    "there it this that these those which who what he she they we you i if when as where while although because "
    "unless until "
    "in on at by for from with within under upon after before during since to not however each nothing one both either "
    "neither said says reported according via per despite through between any no all some most many few such".split()
)
STATIVE = frozenset("is are was were".split())
ABLE = frozenset("shall will must may can should would could".split())


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
        first = re.split(r"[\s,'\u2019]", text, maxsplit=1)[0]
        word = first.lower()
        if first == "I" or first[1:] != word[1:] or first in self.source.names:
            return text
        if re.match(r"\w+ [A-Z]", text) and word not in STOPWORDS | NO_SUBJECT:
            return text
        if word in self.source.small or word in STOPWORDS or word in NO_SUBJECT or word.endswith(("ed", "ing", "ly")):
            return text[0].lower() + text[1:]
        return text


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
    """The sentence in a frame; None of an order, and where the frame parts it behind a subject that is not plain."""
    if place.sentence.split()[0].lower() in place.source.verbs:
        return None  # an order
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
    return (match["subject"], match["verb"], match["rest"]) if plain(match["subject"]) else None


def plain(subject: str) -> bool:
    """True of a noun phrase without a clause or phrase of time and place in it."""
    verbs = ABLE | STATIVE | {"has", "have", "had"}
    return not any(word.lower() in NO_SUBJECT or word in verbs or word.endswith("ly") for word in subject.split())
