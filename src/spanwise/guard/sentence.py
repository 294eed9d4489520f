"""A sentence as it is compared: its words with their places, and its operators, each with the word that it is about.

The classes of operators (bounds, quantifiers, exclusivity, modality, cause) are those by which monotonicity and
modality turn one statement into another (MacCartney and Manning 2009); the words are data (`lexicon.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Generic, NamedTuple, Self, TypeVar, overload

from spanwise.guard.lexicon import AUXILIARIES, MONTHS, NEGATORS, entries, lexicon, words_of_class
from spanwise.text.fold import folded
from spanwise.text.quantities.numerals import TENS, UNITS
from spanwise.text.terms import STOPWORDS

_Holder = TypeVar("_Holder")
_Value = TypeVar("_Value")


class Once(Generic[_Holder, _Value]):
    """A property whose value is kept in the object; two threads that ask at once may both work it out."""

    def __init__(self, work_out: Callable[[_Holder], _Value]) -> None:
        """Decorate a method that takes nothing but its object, which has to have a `__dict__`."""
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, kind: type[_Holder], name: str) -> None:
        """Remember under which name the value is kept: the next look-up finds it there before it comes here."""
        self._name = name

    @overload
    def __get__(self, holder: None, kind: type[_Holder]) -> Self: ...

    @overload
    def __get__(self, holder: _Holder, kind: type[_Holder]) -> _Value: ...

    def __get__(self, holder: _Holder | None, kind: type[_Holder]) -> Self | _Value:
        """The value, worked out now."""
        if holder is None:
            return self
        value = self._work_out(holder)
        vars(holder)[self._name] = value
        return value


_WORD = re.compile(
    r"[^\W\d_][^\W_]*(?:['\u2019][^\W_]+)*"  # what begins with a letter is most of a text, and no number
    r"|(?P<number>(?:(?<![\w.)])[-\u2212+](?=[$\u20ac\u00a3\u00a5]?\d)|\((?=[$\u20ac\u00a3\u00a5]?\s?\d[\d,.]*%?\)))?"
    r"(?:[$\u20ac\u00a3\u00a5]\s?)?\d+(?:[.,]\d+)*)|[^\W_]+(?:['\u2019][^\W_]+)*|[%$\u20ac\u00a3\u00a5]"
)


_ASCII_WORD = re.compile(_WORD.pattern, re.ASCII)
"""The same for text without other letters, in which it is quicker."""


_ENDS = frozenset([".", ":", "!", "?", ".)", ";", "-", "*", "\u2022"])


_SPELLED = {word: str(value) for word, value in (UNITS | TENS).items()}


_made = tuple.__new__


_SIGNS = str.maketrans("", "", "$\u20ac\u00a3\u00a5 ,+\u00a0\u2009\u202f")


class Word(NamedTuple):  # made for every word: frozen dataclasses take four times as long
    """A word, number or sign at `text[start:end]`."""

    plain: str
    """Lower case; a number in digits with its sign and without its commas."""
    start: int
    end: int
    capital: bool
    """True if it is capitalised and not the first word of a sentence."""
    number: bool
    initial: bool
    """True if it is capitalised, at any position."""
    content: bool
    """True for a content word."""


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, signs of numbers kept."""
    found: list[Word] = []
    for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        written, (start, end) = match[0], match.span()
        if match.lastgroup:
            negative = written[0] in "-\u2212("
            currency = next((sign for sign in written if sign in "$\u20ac\u00a3\u00a5"), "")
            plain = written.lstrip("-\u2212(").translate(_SIGNS)
            if currency:
                found.append(_made(Word, (currency, start, start + 1, False, False, False, False)))
            found.append(_made(Word, (f"-{plain}" if negative else plain, start, end, False, True, False, True)))
        else:
            plain, number, content = _plain(written)
            capital = written[0].isupper() and bool(found) and _goes_on(text[found[-1].end : start])
            found.append(_made(Word, (plain, start, end, capital, number, written[0].isupper(), content)))
    return tuple(found)


@lru_cache(maxsize=16384)
def _plain(written: str) -> tuple[str, bool, bool]:
    """A word folded, whether it spells a number, which then is in digits, and whether it is a content word."""
    plain = folded(written).removesuffix("'s")
    number = _SPELLED.get(plain)
    content = len(plain) > 1 and not plain.endswith("n't") and plain.partition("'")[0] not in _NO_CONTENT
    return number or plain, number is not None, number is not None or content


def _goes_on(between: str) -> bool:
    """True if the gap between two words is not a sentence boundary."""
    return between.strip(" \"'\u201c\u201d(") not in _ENDS


_NO_CONTENT = STOPWORDS | AUXILIARIES | NEGATORS
REACH = 6
"""Words between an operator and the word that it is about, at most."""
_NEAR = 3
"""Words behind a bound among which its figure stands."""
_OF_SIZES = frozenset(["most", "least", "inside", "outside"])
"""Bounds of figures."""
_PERCENT = frozenset(["percent", "%"])
_POINTING = frozenset(["that", "this", "the", "which"])
_FIGURES = frozenset("amount sum limit figure value threshold maximum minimum level age date day time".split())
"""Words behind a bound that stand for the figure before it ("up to 40 euros; above that amount")."""
_DETERMINERS = frozenset(["the", "its", "their", "our", "his", "her", "these", "those"])
_SUBJECTS = frozenset("the our your their his her its my they we it he she you there these those this no".split())
"""Words that a clause begins with."""
_CLOCK = MONTHS.keys() | {"am", "pm", "a", "p", "o'clock", "hours"}
"""Words behind a figure that is a time."""
_OF_TIMES = frozenset(
    (word,)
    for word in ("from", "to", "through", "since", "by", "upon", "once", "starting", "beginning", "commencing", "past")
)
"""Words that bound a time where a date or figure follows, and say something else elsewhere."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Words `first` to `last` (exclusive) of a sentence, by index."""

    group: str
    """`bounds`, `quantity`, `exclusivity`, `modality` or `cause`."""
    name: str
    """The class within the group: `most`, `least`, `all`, `duty` ..."""
    first: int
    last: int
    anchor: int
    """Index of the word that it is about; -1 where none is near."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: tuple[str, ...]
    group: str
    name: str
    side: str


@lru_cache(maxsize=1024)
def operators(words: tuple[Word, ...]) -> tuple[Operator, ...]:
    """The operators of a sentence, in order; where phrases overlap, the longest that has a word to be about."""
    found: list[Operator] = []
    taken = 0
    phrases, plain = _phrases(), tuple([word.plain for word in words])
    for index, word in enumerate(words):
        if index < taken:
            continue
        if word.number and (part := _part(words, index)) is not None:
            found.append(part)
            taken = part.last
            continue
        if word.plain == "as" and _gives_reason(words, index):
            found.append(Operator("cause", "cause", index, index + 1, _anchor_behind(words, index + 1)))
            continue
        for phrase in phrases.get(word.plain, ()):
            last = index + len(phrase.words)
            if last < taken:  # the "no" of "no more than"
                break
            if plain[index:last] != phrase.words or _is_month(words, index):
                continue
            anchor = _anchor(words, index, last, phrase)
            counted = phrase.words[-1] == "of" and any(word.number for word in words[max(0, index - 2) : index])
            if counted or not _fits(phrase, words, anchor):  # "a two-thirds majority of" says how much by its figure
                continue
            found.append(_turned(Operator(phrase.group, phrase.name, index, last, anchor), found, plain))
            taken = last
            if phrase.group != "bounds":
                break
    return tuple(found)


_TURNED = {"most": "least", "least": "most"}


def _turned(bound: Operator, before: list[Operator], plain: Sequence[str]) -> Operator:
    """A bound with the ban right before its verb, which it takes up: "may not last longer than" is at most."""
    if bound.name not in _TURNED or plain[bound.last - 1] != "than" or not before:
        return bound
    if before[-1].name != "ban" or bound.first - before[-1].last != 1:
        return bound
    return replace(bound, name=_TURNED[bound.name], first=before.pop().first)


def _part(words: Sequence[Word], index: int) -> Operator | None:
    """A part in figures: "three of the six lanes" are some of them, "nine of the ten" and "70 percent of the" most."""
    unit = [word.plain for word in words[index + 1 : index + 3]]
    share = 2 if unit == ["per", "cent"] else int(bool(unit) and unit[0] in _PERCENT)
    first = index + 1 + share
    behind = [word.plain for word in words[first : first + 2]]
    if len(behind) < 2 or behind[0] != "of" or behind[1] not in _DETERMINERS:
        return None
    anchor = next((at for at in range(first + 2, min(len(words), first + 2 + REACH)) if _names(words[at])), -1)
    whole = words[first + 2].plain if first + 2 < len(words) and words[first + 2].number else ""
    part, of = words[index].plain.partition(".")[0], "100" if share else whole
    if share and part == of:
        return Operator("quantity", "all", index, first + 2, anchor)
    most = part.isdecimal() and of.isdecimal() and 2 * int(part) > int(of)
    return Operator("quantity", "many" if most else "some", index, first + 2, anchor)


def _gives_reason(words: Sequence[Word], index: int) -> bool:
    """True if "as" begins a clause behind a comma ("not allowed, as the neighbours sleep")."""
    behind = [word.plain for word in words[index + 1 : index + 3]]
    comma = index > 0 and words[index].start - words[index - 1].end > 1
    return comma and len(behind) == 2 and behind[0] in _SUBJECTS and behind[1] != "case"


def _anchor_behind(words: Sequence[Word], first: int) -> int:
    return next((at for at in range(first, min(len(words), first + REACH)) if words[at].content), -1)


def _names(word: Word) -> bool:
    return word.content and not word.number


def _is_month(words: Sequence[Word], index: int) -> bool:
    """True if "May" is the month: a capital beside a number, or inside of a sentence before a word without one."""
    behind = words[index + 1 : index + 2]
    beside = (*words[max(0, index - 1) : index], *behind)
    alone = words[index].capital and not any(word.initial for word in behind)
    return words[index].plain == "may" and words[index].initial and (alone or any(word.number for word in beside))


def _fits(phrase: _Phrase, words: Sequence[Word], anchor: int) -> bool:
    """True if a bound has something to bound, on a size a figure; times may be bounded by events too."""
    if anchor < 0:
        return phrase.group in ("exclusivity", "cause", "modality")  # "the more we can"
    if phrase.words[-1] == "from" and any(word.plain == "to" for word in words[anchor + 1 : anchor + 1 + _NEAR]):
        return False  # a change or a stretch
    near = words[max(0, anchor - 1) : anchor + 2]
    if phrase.group == "bounds" and phrase.name in _OF_SIZES:
        return phrase.words[0] == "within" or any(word.number for word in near)
    if phrase.group == "bounds" and phrase.words in _OF_TIMES:
        return any(word.number or word.plain in MONTHS for word in near) and not _counts(words, anchor)
    return True


def _counts(words: Sequence[Word], at: int) -> bool:
    """True if a figure is no time: "by 21 million", "from 92 degrees"."""
    behind = words[at + 1] if words[at].number and at + 1 < len(words) else None
    beside = behind is not None and behind.start - words[at].end <= 1
    return beside and behind is not None and behind.content and not behind.number and behind.plain not in _CLOCK


def _anchor(words: Sequence[Word], first: int, last: int, phrase: _Phrase) -> int:
    """The next content word on the side of the phrase; of a bound on a size the next figure."""
    right = phrase.side == "right"
    behind = [word.plain for word in words[last : last + 2]]
    if right and phrase.group == "bounds" and behind[:1] and behind[0] in _POINTING and behind[-1] in _FIGURES:
        meant = next((at for at in range(first - 1, -1, -1) if words[at].number), -1)
        if meant >= 0:
            return meant
    places = range(last, min(len(words), last + REACH)) if right else range(first - 1, max(-1, first - REACH), -1)
    found = [place for place in places if words[place].content]
    if phrase.group == "bounds" and phrase.name in _OF_SIZES:
        near = [place for place in found if words[place].number and (not right or place < last + _NEAR)]
        return next(iter([*near, *found]), -1)
    if not found and not right:  # "Without exception, the plates were broken"
        return _anchor_behind(words, last)
    return next(iter(found), -1)


def discourse_words() -> frozenset[str]:
    """Words that join sentences or speak of the text, and claim nothing by themselves."""
    return words_of_class("discourse", "words")


@cache
def quantifiers() -> frozenset[str]:
    """Single words that say of how much something holds."""
    return frozenset(phrase.words[0] for phrase in _read() if phrase.group == "quantity" and len(phrase.words) == 1)


@cache
def _phrases() -> Mapping[str, Sequence[_Phrase]]:
    """The phrases by their first word, the longest first."""
    found: dict[str, list[_Phrase]] = {}
    for phrase in _read():
        found.setdefault(phrase.words[0], []).append(phrase)
    return {first: sorted(own, key=lambda phrase: -len(phrase.words)) for first, own in found.items()}


def _read() -> Iterator[_Phrase]:
    for group, classes in lexicon().items():
        if "anchor" not in classes:
            continue
        for name, written in classes.items():
            for words in entries(written, "|") if name != "anchor" else ():
                plain = tuple(word.plain for word in words_of(" ".join(words)))
                yield _Phrase(plain, group.removesuffix("_behind"), name, classes["anchor"])
