"""English words: other forms, words of one family and near in meaning, words that ask nothing, and how rare each is.

Words that exclude each other ("before" and "after") stand beside them. Tables written for this project:
`fitting/related.txt`, `fitting/implied.txt`, `fitting/fillers.txt`, `fitting/opposites.txt` and
`fitting/families.txt`, of which `fitting/related.py` makes `related.json`, and `fitting/paraphrases.txt`
(`paraphrases.py`); `fitting/rarity.py` counts in how many
stretches of public text each stem occurs and writes `rarity.json`.

`abbreviations` finds names that documents introduce with their initials, "Self-Encrypting Drives (SEDs)", as one
subject. Its rule is that of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in
biomedical text", narrowed to initials: each capital begins a word of the long form, in order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType

from spanwise.domain.passage import Passage
from spanwise.text.languages.data import MONTHS
from spanwise.text.terms import stem, terms

FORM, FAMILY, NEAR = 0.8, 0.6, 0.3
"""How much of a word another form of it, a word of its family, and a word near in meaning stand for."""
_MARKS = {"=": FORM, "~": FAMILY}
_NONE: Mapping[str, float] = MappingProxyType({})


def related(word: str) -> Mapping[str, float]:
    """English stems that may stand for a stem, each with the share, in (0, 1), of it that it stands for.

    What is near in meaning to another form of the word is near to it, too ("bought", "purchase").
    """
    return _related().get(word, _NONE)


def implied(word: str) -> frozenset[str]:
    """English stems of a document that may stand for an asked one, one way: "married" for "husband"."""
    return _implied().get(word, frozenset())


def other_forms(word: str) -> frozenset[str]:
    """The stems of an English word's irregular forms, its own among them: "got" for "get"."""
    return frozenset(_of(word, _forms()))


def is_filler(word: str) -> bool:
    """True for the stem of a word that a document need not have to answer a question with it ("please", "exactly")."""
    return word in _fillers()


@cache
def _fillers() -> frozenset[str]:
    return frozenset(tables()["fillers"])


@cache
def _related() -> Mapping[str, Mapping[str, float]]:
    groups = [
        (_MARKS.get(words[0], NEAR), [word for word in words if word not in _MARKS])
        for words in map(str.split, tables()["related"])
    ]
    forms = _forms()
    found: dict[str, dict[str, float]] = {}
    for share, stems in groups:
        spread = [(one, other) for one in stems for other in stems]
        if share != FORM:  # a form that is listed nowhere else stands where its word does
            spread = [(form, like) for one, other in spread for form in _of(one, forms) for like in _of(other, forms)]
        for one, other in spread:
            if one != other:
                known = found.setdefault(one, {})
                known[other] = max(share, known.get(other, 0.0))
    return found


@cache
def _implied() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in tables()["implied"]:
        asked, _, said = line.partition(":")
        words = {form for one in said.split() for form in _of(one, _forms())}
        for one in asked.split():
            found.setdefault(one, set()).update(words - {one})
    return {word: frozenset(words) for word, words in found.items()}


@cache
def _forms() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for words in map(str.split, tables()["related"]):
        for one in words[1:] if words[0] == "=" else ():
            found.setdefault(one, {one}).update(words[1:])
    return found


def _of(word: str, forms: Mapping[str, set[str]]) -> list[str]:
    return sorted(forms.get(word, {word}))


@cache
def tables() -> Mapping[str, list[str]]:
    """The tables, as lines of stems."""
    found: Mapping[str, list[str]] = json.loads(
        resources.files(__package__).joinpath("related.json").read_text(encoding="utf-8")
    )
    return found


_SHORTEST = 6
"""Letters of a word that a syllable denies; "form" and "inform" have nothing to do with each other."""
_SYLLABLES = ("un", "non", "dis", "in", "im", "ir", "il")


def opposite(one: str, other: str) -> bool:
    """True if two lower-case words say the opposite of each other."""
    if one == other:
        return False
    return other in opposites(one) or stem(other) in opposites(stem(one)) or _denies(one, other)


def opposites(word: str) -> frozenset[str]:
    """Words that exclude a lower-case word, or the stems that exclude its stem."""
    return _opposites().get(word, frozenset())


def _denies(one: str, other: str) -> bool:
    """True if a syllable before one word makes the other: "limited" and "unlimited"."""
    short, long = sorted((one, other), key=len)
    return long.endswith(short) and len(short) >= _SHORTEST and long.removesuffix(short) in _SYLLABLES


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in map(str.split, tables()["opposites"]):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def apart(one: str, other: str) -> bool:
    """True if two English stems are of one family of words, in which they say different things ("rain", "snow")."""
    ours, theirs = family_groups(one), family_groups(other)
    if not ours or not theirs or not ours.isdisjoint(theirs):
        return False
    return not {family for family, _ in ours}.isdisjoint([family for family, _ in theirs])


def family_groups(word: str) -> frozenset[tuple[int, int]]:
    """The groups of interchangeable words that an English stem is in, each with its family."""
    return _families().get(word, frozenset())


@cache
def _families() -> Mapping[str, frozenset[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(tables()["families"]):
        for group, words in enumerate(line.split("|")):
            for word in words.split():
                for form in _of(word, _forms()):
                    found.setdefault(form, set()).add((number, group))
    return {word: frozenset(groups) for word, groups in found.items()}


def family_rows() -> list[list[str]]:
    """The groups of stems that may stand for each other, of all families."""
    return [words for line in tables()["families"] for group in line.split("|") if len(words := group.split()) > 1]


RARE = 1.0
"""The rarity of a stem that is in none of the lists: a name, a technical word, a number."""


def rarity(stem: str) -> float:
    """Share, in (0, 1], of the most that a stem can tell: its inverse document frequency, 1 for one never counted."""
    return _rarities().get(stem, RARE)


@cache
def _rarities() -> Mapping[str, float]:
    text = resources.files(__package__).joinpath("rarity.json").read_text(encoding="utf-8")
    lists: dict[str, str] = json.loads(text)
    return {stem: float(share) for share, stems in lists.items() for stem in stems.split()}


_INTRODUCED = re.compile(r"\(\s{0,3}[\"\u201c]?([A-Z][A-Za-z&]{0,8}[A-Z])(s?)[\"\u201d]?\s{0,3}[);,]")
_WORD = re.compile(r"[^\W\d_]+")
_SKIPPED = frozenset("a an and as at by for from in of on or the to with".split())
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_BEFORE = 160
"""Characters before an abbreviation in which its long form stands."""


def abbreviations(passages: Iterable[Passage], asked: Iterable[str]) -> dict[str, frozenset[str]]:
    """From each abbreviation that some passages introduce to the stems of its long form, as far as a question has them.

    Those of the days and months that a question names need no introduction.

    Args:
        passages: Where they may be introduced; the first long form of an abbreviation counts.
        asked: Stems of the question: an abbreviation is kept when they have it, or all of its long form.
    """
    wanted = frozenset(asked)
    found = {short: long for short, long in _calendar().items() if long <= wanted}
    for passage in passages:
        for short, long in _introduced(passage.text):
            if short in wanted or long <= wanted:
                found.setdefault(short, long)
    return found


@cache
def _calendar() -> Mapping[str, frozenset[str]]:
    """The stems of the days and the months by their abbreviations: "Sat", "Thurs", "Sept"."""
    short = {name[:3]: name for name in (*_DAYS, *MONTHS)} | {"thur": "thursday", "sept": "september"}
    return {one: frozenset([stem(name)]) for one, name in short.items() if one != name}


def spelled_out(stems: frozenset[str], known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Some stems with those of the long forms whose abbreviation they have, and the other way round."""
    for short, long in known.items():
        if short in stems:
            stems |= long
        elif long <= stems:
            stems |= {short}
    return stems


@lru_cache(maxsize=512)
def _introduced(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Abbreviations in a text with the stems of their long forms."""
    found = []
    for match in _INTRODUCED.finditer(text):
        short = terms(match[1])
        long = _long_form(match[1], text[max(0, match.start() - _BEFORE) : match.start()])
        if len(short) == 1 and len(long) > 1:
            found.append((short[0], long))
    return tuple(found)


def _long_form(short: str, before: str) -> frozenset[str]:
    """The stems of the words right before an abbreviation that begin with its letters; none where they do not."""
    words = list(_WORD.finditer(before))
    capitals = [letter.lower() for letter in short if letter.isupper()]  # the small ones of "IaaS" are skipped words
    at = len(words) - 1
    for letter in reversed(capitals):
        while at >= 0 and words[at].group().lower() in _SKIPPED:
            at -= 1
        if at < 0 or words[at].group()[0].lower() != letter:
            return frozenset()
        at -= 1
    return frozenset(stem for stem in terms(before[words[at + 1].start() :]) if stem.isalpha())
