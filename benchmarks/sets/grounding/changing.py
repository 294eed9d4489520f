"""Real sentences with one thing changed (number, sign, magnitude, date, negation, name, word), and untouched ones.

The changes are made by plain patterns of their own, not by the readers that the guard uses.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spanwise.text.sentences import sentences
from spanwise.text.terms import STOPWORDS

ChangeKind: TypeAlias = Literal["number", "sign", "magnitude", "date", "negation", "name", "word"]
CHANGES: tuple[ChangeKind, ...] = ("number", "sign", "magnitude", "date", "negation", "name", "word")

_MONTHS = "January February March April May June July August September October November December".split()
_NUMBER = re.compile(r"(?<![\w.,$(/-])\$?\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w/-]|[.,]\d)")
_AMOUNT = re.compile(r"(?<![\w.,(/-])(?P<amount>\$\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?%)(?![\w/-]|[.,]\d)")
_MAGNITUDE = re.compile(r"(?<=\d )(?:thousand|million|billion|trillion)\b")
_DATE = re.compile(
    rf"\b(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}})(?:, (?P<year>(?:19|20)\d\d))?\b|\b(?P<only>(?:19|20)\d\d)\b"
)
_POSITIVE = re.compile(
    r"\b(is|are|was|were|will|shall|must|may|can|should|would|could|has|have|had)\b(?! not\b|n['\u2019]t)"
)
_NEGATIVE = re.compile(r"\b(is|are|was|were|will|shall|must|may|can|should|would|could|has|have|had|does|do|did) not\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})?\b")
_NO_NAMES = frozenset([*_MONTHS, *"Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()])
_WHOLE = re.compile(r"[A-Z][^\n]{40,280}[.]")
_FEWEST_WORDS = 8
_WORD = re.compile(r"(?<![\w-])[a-z]{5,}(?![\w-])")
_ENDINGS = ("ing", "ed", "ly", "ions", "ion", "ments", "ment", "ity", "ies", "al", "ive", "er", "ers", "s", "")
"""A word takes the place of one with the same ending, so that the sentence stays one."""
_FAMILY = 4
"""Letters that words of one family share."""


@dataclass(frozen=True, slots=True)
class _Others:
    """What may be put in the place of something."""

    names: Sequence[str]
    words: Sequence[str]
    """Of the same passage."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A sentence of a source, changed or not."""

    id: str
    source: str
    passage: str
    """Where the sentence stands."""
    original: str
    text: str
    kind: ChangeKind | None
    """What was changed; None of an untouched one."""


def whole_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that stand on one line and have a capital, a full stop and enough words."""
    for line in text.split("\n"):
        for start, end in sentences(line):
            sentence = line[start:end]
            if _WHOLE.fullmatch(sentence) and len(sentence.split()) >= _FEWEST_WORDS and sentence.count('"') % 2 == 0:
                yield sentence


def changed_pairs(source: str, passage: str, names: Sequence[str], most: int = 2) -> Iterator[Changed]:
    """Pairs of a changed and an untouched sentence, at most so many of each kind, the same every time.

    Args:
        source: Name of the document.
        passage: Its text.
        names: Names that may take the place of the text's own.
        most: How many pairs of each kind.
    """
    found = sorted(set(whole_sentences(passage)), key=_lot)
    used: set[str] = set()
    others = _Others(names, sorted(set(_WORD.findall(passage)) - STOPWORDS))
    for kind in CHANGES:
        count = 0
        for sentence in found:
            if count == most:
                break
            text = _MAKERS[kind](sentence, others) if sentence not in used else None
            if text is not None and text != sentence and text not in passage:
                used.add(sentence)
                count += 1
                name = f"{source}/{kind}/{count}"
                yield Changed(name, source, passage, sentence, text, kind)
                yield Changed(f"{name}/untouched", source, passage, sentence, sentence, None)


def names_in(text: str) -> list[str]:
    """Names that stand inside sentences."""
    found = dict.fromkeys(_NAME.findall(text))
    return [name for name in found if not any(word in _NO_NAMES or word.lower() in STOPWORDS for word in name.split())]


def _lot(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])


def _number(sentence: str, others: _Others) -> str | None:
    del others
    return _swap(
        sentence, [match for match in _NUMBER.finditer(sentence) if not _DATE.search(match.group())], _next_number
    )


def _next_number(written: str) -> str:
    place = _lot(written) % sum(character.isdigit() for character in written)
    at = [index for index, character in enumerate(written) if character.isdigit()][place]
    digit = (int(written[at]) + 1 + _lot(written + "digit") % 8) % 10
    return f"{written[:at]}{digit or 4 if written[at] != '4' else digit or 7}{written[at + 1 :]}"


def _sign(sentence: str, others: _Others) -> str | None:
    del others
    return _swap(
        sentence,
        list(_AMOUNT.finditer(sentence)),
        lambda written: f"({written})" if written[0] == "$" else f"-{written}",
    )


def _magnitude(sentence: str, others: _Others) -> str | None:
    del others
    other = {"thousand": "million", "million": "billion", "billion": "million", "trillion": "billion"}
    return _swap(sentence, list(_MAGNITUDE.finditer(sentence)), other.__getitem__)


def _date(sentence: str, others: _Others) -> str | None:
    del others
    return _swap(sentence, list(_DATE.finditer(sentence)), _next_date)


def _next_date(written: str) -> str:
    if written.isdigit():
        return str(int(written) + 1 + _lot(written) % 3)
    month, day = written.split(" ", 1)
    if _lot(written) % 2:
        return f"{_MONTHS[(_MONTHS.index(month) + 1 + _lot(day) % 10) % 12]} {day}"
    number = re.match(r"\d+", day)
    moved = str(int(number.group()) % 27 + 1) if number else ""
    return f"{month} {moved}{day[number.end() :]}" if number else written


def _negation(sentence: str, others: _Others) -> str | None:
    del others
    if taken := _swap(sentence, list(_NEGATIVE.finditer(sentence)), lambda written: written.removesuffix(" not")):
        return taken
    return _swap(sentence, list(_POSITIVE.finditer(sentence))[:1], lambda written: f"{written} not")


def _name(sentence: str, others: _Others) -> str | None:
    found = [match for match in _NAME.finditer(sentence) if match.group() in names_in(f"a {match.group()}")]
    new = [name for name in others.names if not set(name.split()) & set(sentence.replace(",", " ").split())]
    return _swap(sentence, found, lambda written: new[_lot(written + sentence) % len(new)]) if new else None


def _word(sentence: str, others: _Others) -> str | None:
    """A word of the passage in the place of another one: none of the sentence's own, nor of their families."""
    known = {word[:_FAMILY] for word in sentence.lower().split()}
    found = [match for match in _WORD.finditer(sentence) if match.group() not in STOPWORDS]
    new = [word for word in others.words if word[:_FAMILY] not in known]

    def other(written: str) -> str:
        fitting = [word for word in new if _ending(word) == _ending(written)]
        return fitting[_lot(written + sentence) % len(fitting)] if fitting else written

    return _swap(sentence, found, other)


def _ending(word: str) -> str:
    return next(ending for ending in _ENDINGS if word.endswith(ending))


def _swap(sentence: str, places: Sequence[re.Match[str]], other: Callable[[str], str]) -> str | None:
    if not places:
        return None
    match = places[_lot(sentence) % len(places)]
    return f"{sentence[: match.start()]}{other(match.group())}{sentence[match.end() :]}"


_MAKERS: Mapping[ChangeKind, Callable[[str, _Others], str | None]] = {
    "number": _number,
    "sign": _sign,
    "magnitude": _magnitude,
    "date": _date,
    "negation": _negation,
    "name": _name,
    "word": _word,
}
