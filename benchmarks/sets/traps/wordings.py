"""Wordings that traps and controls are made with: frames, absurdities, and pairs of words to exchange."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias, TypeVar

Half: TypeAlias = Literal["first half", "second half"]
HALVES: tuple[Half, ...] = ("first half", "second half")
TABLES = ("direction", "quantifier", "exclusivity", "modality", "bounds", "synonyms")

T = TypeVar("T")

_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred"
).split()
_PLACEHOLDERS = {
    "{n}": rf"(\$?(?:\d[\d,.]*\d|\d|(?:{'|'.join(_NUMBER_WORDS)})\b))",
    "{s}": r"((?:[a-z-]{4,} )?[a-z]{3,}(?<!ou)(?<!s)(?<!i)s\b)",
    "{w}": r"([a-z-]+)",
    "{t}": r"(the\b|a\b|an\b|his\b|her\b|its\b|their\b|this\b|\d|[A-Z]|[a-z]+ing\b)",
}
_SUBORDINATE = re.compile(
    r"\b(?:if|as|that|which|who|whom|whose|when|where|while|unless|until|provided|except|to the extent|because|"
    r"whether|what|how|no|nothing|neither|none|nor|never|not)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Pair:
    sign: str
    """Its words before the first placeholder: a sentence without them is not searched."""
    pattern: re.Pattern[str]
    instead: str
    main: bool
    """Only in the main clause."""


@dataclass(frozen=True, slots=True)
class Table:
    """Pairs of wordings, of which the second may take the place of the first, and phrases in which it may not."""

    pairs: tuple[_Pair, ...]
    unless: tuple[re.Pattern[str], ...]

    def exchanged(self, sentence: str, lot: int) -> str | None:
        """The sentence with one of its wordings exchanged; None where it has none of them."""
        found = list(self._places(sentence))
        if not found:
            return None
        match, pair = found[lot % len(found)]
        text = match.expand(pair.instead)
        if match.group()[0].isupper():
            text = text[0].upper() + text[1:]
        before = sentence[: match.start()]
        return _with_article(before, text) + text + sentence[match.end() :]

    def _places(self, sentence: str) -> Iterator[tuple[re.Match[str], _Pair]]:
        lowered = sentence.lower()
        matches = [
            (match, pair) for pair in self.pairs if pair.sign in lowered for match in pair.pattern.finditer(sentence)
        ]
        barred = [match.span() for phrase in self.unless for match in phrase.finditer(sentence)] if matches else []
        for match, pair in matches:
            idiom = any(start < match.end() and match.start() < end for start, end in barred)
            dependent = pair.main and (" only " in lowered or _SUBORDINATE.search(sentence[: match.start()]))
            titled = match.start() > 0 and match.group()[0].isupper()
            if not (idiom or dependent or titled):
                yield match, pair


def _with_article(before: str, text: str) -> str:
    """The words before it, where "a" or "an" is the last of them the right one for what follows."""
    article = re.search(r"\b([Aa])n? $", before)
    if article is None or not text[0].isalpha():
        return before
    return before[: article.start(1) + 1] + ("n " if text[0] in "aeiou" else " ")


@dataclass(frozen=True, slots=True)
class Wordings:
    """Everything that the generators of one half draw from."""

    half: Half
    frames: tuple[tuple[str, str], ...]
    """Sorts of frame and their wordings, none of which says that the sentence holds."""
    factive: tuple[str, ...]
    """Frames that say that it does."""
    lists: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Table]
    passive: tuple[tuple[str, str], ...]


@cache
def wordings(half: Half) -> Wordings:
    """The wordings of a half."""
    data = tomllib.loads(resources.files(__package__).joinpath("wordings.toml").read_text(encoding="utf-8"))
    own, shared = data[half.split()[0]], data["shared"]
    lists = {name: tuple(words) for name, words in own.items() if isinstance(words, list)}
    return Wordings(
        half,
        tuple((kind, frame) for kind, frames in own["frames"].items() for frame in frames),
        tuple(own["factive"]["known"]),
        lists | {"openers": tuple(shared["openers"])},
        {name: _table(own[name]["pairs"], own[name]["unless"]) for name in TABLES},
        tuple((base, participle) for base, participle in shared["passive"]),
    )


def lot(*parts: object) -> int:
    """A number drawn from a text: the same for the same text."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])


def drawn(options: Sequence[T], *parts: object) -> T:
    """One of the options, drawn by a text."""
    return options[lot(*parts) % len(options)]


def _table(pairs: Sequence[Sequence[str]], unless: Sequence[str]) -> Table:
    return Table(tuple(_pair(*pair) for pair in pairs), tuple(_pattern(phrase) for phrase in unless))


def _pair(wording: str, instead: str) -> _Pair:
    main = wording.startswith("~")
    wording = wording.removeprefix("~")
    for placeholder in _PLACEHOLDERS:
        instead = instead.replace(placeholder, r"\g<1>")
    return _Pair(wording.split("{")[0].lower(), _pattern(wording), instead, main)


def _pattern(wording: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w\})", wording)
    body = "".join(_PLACEHOLDERS.get(part) or re.escape(part).replace(r"\ ", " ") for part in parts)
    if wording[0].isalpha():
        body = f"[{wording[0].upper()}{wording[0]}]{body[1:]}"
    return re.compile(rf"(?<![\w'\u2019-]){body}(?![\w'\u2019-])")
