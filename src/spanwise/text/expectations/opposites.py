"""Words that say the opposite: a question about the first does not ask for the last."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from spanwise.text.terms import stem

_PAIRS = """
first last;most least;more less;more fewer;before after;north south;northern southern;east west;eastern western
increase decrease;increased decreased;increasing decreasing;high low;higher lower;highest lowest;large small
larger smaller;largest smallest;early late;earlier later;earliest latest;old new;older newer;oldest newest;long short
longer shorter;longest shortest;strong weak;stronger weaker;positive negative;win lose;won lost;male female;men women
man woman;upper lower;inside outside;internal external;major minor;always never;all none;begin end;began ended
start end;started ended;start stop;rise fall;rose fell;hot cold;warm cool;fast slow;faster slower;good bad;best worst
better worse;rich poor;easy hard;easy difficult;simple complex;public private;equal unequal;true false;left right
top bottom;maximum minimum;allow prevent;allow forbid;accept reject;accepted rejected;support oppose
supported opposed;gain loss;gain lose;gained lost;love hate;open closed;open close;young old;light dark;wet dry
include exclude;included excluded;deny confirm;attack defend;create destroy;created destroyed;arrive leave;arrived left
enter leave;entered left;buy sell;dead alive;born died;ancient modern;former latter;majority minority;push pull
add remove;added removed;present absent;same different;similar different;central local;common rare;dense sparse
thick thin;wide narrow;near far;day night;summer winter;war peace;victory defeat;friend enemy;ally enemy;parent child
teacher student;import export;rural urban;single multiple;even odd;active passive;include lack;contain lack;profit loss
expensive cheap;heavy light
"""
_DENYING = ("un", "in", "im", "non", "dis", "il", "ir")
_SHORTEST = 4
"""Letters that stay when a denying prefix goes."""


def opposed(question: AbstractSet[str], text: AbstractSet[str]) -> int:
    """How many words of the question the text lacks while it has their opposite, or denies by a prefix.

    Args:
        question: Stems of all its words, function words included.
        text: Those of the text.
    """
    lacking, news = question - text, text - question
    opposites = _opposites()
    found = sum(not opposites[one].isdisjoint(news) for one in lacking if one in opposites)
    found += sum(_plain(one) in text for one in lacking)
    # What is lacking is little beside what is new, so its denials are made instead of undoing those of all the text.
    return found + sum(prefix + one in news for one in lacking if len(one) >= _SHORTEST for prefix in _DENYING)


@lru_cache(maxsize=16384)
def _plain(word: str) -> str:
    """What a word denies; nothing when it denies nothing."""
    prefix = next((one for one in _DENYING if word.startswith(one) and len(word) - len(one) >= _SHORTEST), None)
    return word.removeprefix(prefix) if prefix else ""


@lru_cache(maxsize=1)
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.replace("\n", ";").split(";"):
        if pair:
            one, other = (stem(word) for word in pair.split())
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
