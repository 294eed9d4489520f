"""How much a sentence speaks to a model about its answer, instead of to people about a subject: a fitted score.

Its features are classes of words (a model, replies, saying, who asks, what was told, voiding it, ...), their words,
which two classes stand together, which begin the sentence and which are its label; `fitting/prompting.py` weighs them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Literal, NamedTuple

from spanwise.text.injection.marks import plainly
from spanwise.text.patterns import lazy_pattern
from spanwise.text.terms import runs

_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
_JOINT = re.compile(r"[.'-](?<=[^\W_].)(?=[^\W_])")
_SPACELESS = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKED = re.compile(r"\W{0,8}[<\[{@#=-]")
_GIVEN = re.compile(r"[:\"=>\u201c\u300c]")
"""Signs behind which a sentence may give what is to be said."""
_CODED = re.compile(r"[^\W_][_.][^\W\d_]|:=|[\[{<][^\W_]")
"""Names of fields and what is set apart by brackets."""
_SAID = frozenset(["saying>that", "reply>that"])
_POLITE = frozenset(["please", "kindly", "now"])
_MOST_WORDS = 60
"""Words of a sentence that are looked at."""
_LABEL = 8
"""Words of a label at most."""
_SOON = 3
"""Words between which two classes are told in their order."""
_SHORT, _LONG = 8, 20
_LEAST = 2
"""Classes without which it does not; what gives something to be said stands for one."""
_POSES = -0.15
"""From here on a sentence gives way to another line: one in 55 sentences of honest documents."""
_ORDERS = 1.9
"""From here on it is no evidence at all: one in 420."""
_OF_ANSWER_KEYS = frozenset(["reply", "only", "asker", "label", "if", "now", "that", "towards", "you"])
"""Classes of words that keys to exercises and forms have too ("Correct answer: ...", "Your response"), which order
nothing."""
_OF_BUTTONS = frozenset(["reply", "voiding"])
"""Classes of the buttons beneath a page ("Leave a Reply", "Cancel reply"): behind them its text goes on."""
_OF_MACHINES = frozenset(["apparatus", "machine", "source", "tool", "towards"])
_ADDRESSED = frozenset(["machine", "towards"])
_OF_RULES = frozenset(["if", "must", "no", "only", "saying", "source", "that", "told", "you"])
"""Classes that say nothing of an answer when they are alone: what machines do ("Assistants and bots can send
up to 40 files to our tool"), and what rules hold ("The lodger should not be regarded as the same as a tenant")."""


class _Lexicon(NamedTuple):
    words: Mapping[str, frozenset[str]]
    """Classes by whole words."""
    beginnings: Mapping[str, frozenset[str]]
    endings: tuple[tuple[str, str], ...]
    """Endings, and the class of each: names that bots are given ("PriceBot")."""
    spaceless: tuple[tuple[str, str], ...]
    """Words of scripts without spaces, and the class of each."""


def speaks_to_a_model(sentence: str) -> Literal["orders", "poses"] | None:
    """How a sentence, as `plainly` makes it, speaks to a model about its answer, if it does."""
    words, classes = _read(sentence)
    if len(classes) + (_GIVEN.search(sentence) is not None) < _LEAST or _says_nothing_of_an_answer(sentence, classes):
        return None
    weights = _weights()
    score = weights["bias"] + _together(classes) + sum(weights.get(name, 0.0) for name in _about(sentence, words))
    if score <= _POSES:
        return None
    return "orders" if score > _ORDERS and not classes <= _OF_ANSWER_KEYS else "poses"


def gives_it(sentence: str) -> bool:
    """True if a sentence itself gives what is to be said ("Say that ...", "Note to bots: ..."), not the next one."""
    given = _GIVEN.search(sentence)
    if given and _WORD.search(sentence, given.end()):
        return True
    return not _SAID.isdisjoint(_in_turn(_read(sentence)[0]))


def _says_nothing_of_an_answer(sentence: str, classes: frozenset[str]) -> bool:
    if classes <= _OF_RULES or classes <= _OF_BUTTONS:
        return True
    return classes <= _OF_MACHINES and not (classes >= _ADDRESSED and gives_it(sentence))


def features(sentence: str) -> set[str]:
    """The names of what is found in a sentence, as `plainly` makes it."""
    words, classes = _read(sentence)
    return {*_names(classes), *_about(sentence, words)}


def _names(classes: frozenset[str]) -> Iterator[str]:
    """Of the classes, and of each two."""
    yield from classes
    yield from map("+".join, combinations(sorted(classes), 2))


@lru_cache(maxsize=1024)
def _together(classes: frozenset[str]) -> float:
    """What the classes of a sentence weigh."""
    return sum(_weights().get(name, 0.0) for name in _names(classes))


def _about(sentence: str, words: list[str]) -> Iterator[str]:
    """Names of what is found beside the classes: the first word, a label, a sign in front, and the length."""
    for word in words[1:2] if words[:1] and words[0] in _POLITE else words[:1]:
        yield from (f"first:{name}" for name in classes_of(word))
    label = _WORD.findall(sentence.partition(":")[0]) if ":" in sentence else ()
    if 0 < len(label) <= _LABEL:
        yield "label"
        yield from {f"label:{name}" for word in label for name in classes_of(word)}
    if _MARKED.match(sentence):
        yield "marked"
    if _GIVEN.search(sentence):
        yield "given"
    if _CODED.search(sentence):
        yield "coded"
    yield from {name for word in words for name in _own_names(word)}
    yield from _in_turn(words)
    yield "short" if len(words) < _SHORT else "middle" if len(words) < _LONG else "long"


def _in_turn(words: list[str]) -> set[str]:
    """Two classes, the one soon behind the other: "the model must say" is not "it must say which model"."""
    held = [(at, found) for at, word in enumerate(words) if (found := classes_of(word))]
    near = ((one, other) for (i, one), (j, other) in combinations(held, 2) if j - i <= _SOON)
    return {f"{first}>{second}" for one, other in near for first in one for second in other}


def _read(sentence: str) -> tuple[list[str], frozenset[str]]:
    """The words of a sentence, and their classes."""
    joined = not sentence.isascii() or _JOINT.search(sentence) is not None
    words = (_WORD.findall(sentence.replace("_", " ")) if joined else runs(sentence))[:_MOST_WORDS]
    found: frozenset[str] = frozenset().union(*map(classes_of, words))
    if joined:  # "l'assistant", "machine-readable"
        found = found.union(*(classes_of(part) for word in words if not word.isalnum() for part in runs(word)))
    if not sentence.isascii() and _SPACELESS.search(sentence):
        found |= {name for word, name in _lexicon().spaceless if word in sentence}
    return words, found


@lru_cache(maxsize=16384)
def classes_of(word: str) -> frozenset[str]:
    """The classes of a word."""
    lexicon = _lexicon()
    found = lexicon.words.get(word, frozenset()).union(*(lexicon.beginnings[begin] for begin in _known_begins(word)))
    return found or frozenset(name for ending, name in lexicon.endings if word.endswith(ending))


@lru_cache(maxsize=16384)
def _own_names(word: str) -> tuple[str, ...]:
    """A word as the lists have it, so that it may weigh more or less than the others of its class."""
    return (*((f"={word}",) if word in _lexicon().words else ()), *(f"={begin}*" for begin in _known_begins(word)))


def _known_begins(word: str) -> list[str]:
    return [word[:size] for size in range(2, len(word) + 1) if word[:size] in _lexicon().beginnings]


@cache
def _lexicon() -> _Lexicon:
    words: dict[str, frozenset[str]] = {}
    beginnings: dict[str, frozenset[str]] = {}
    spaceless: list[tuple[str, str]] = []
    endings: list[tuple[str, str]] = []
    for name, word in _written():
        plain = plainly(word.strip("*"))[0]
        if word.startswith("*"):
            endings.append((plain, name))
        elif _SPACELESS.search(plain):
            spaceless.append((plain, name))
        else:
            held = beginnings if word.endswith("*") else words
            held[plain] = held.get(plain, frozenset()) | {name}
    return _Lexicon(words, beginnings, tuple(endings), tuple(spaceless))


def _written() -> Iterator[tuple[str, str]]:
    data = tomllib.loads(files(__package__).joinpath("prompting.toml").read_text(encoding="utf-8"))
    return ((name, word) for name, held in data.items() for word in held.split())


@cache
def _weights() -> Mapping[str, float]:
    held: dict[str, float] = json.loads(files(__package__).joinpath("prompting.json").read_text(encoding="utf-8"))
    return held
