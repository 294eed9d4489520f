"""When a deed is: planned, under way, done or going on, told by the form of its verb and the words before it.

The tenses and the prospective aspect of English grammar, as far as auxiliaries and endings tell them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from spanwise.text.framing.cues import cues

Time: TypeAlias = Literal["planned", "under way", "done", "going on"]

_BEFORE = 6
"""Words before a verb among which its auxiliaries are."""
_LONGEST = 4000
"""Characters of a text that are looked at."""
_TOKEN = re.compile(r"'[a-z]+|[a-z]+(?:n't)?")
_LONG_AGO = re.compile(
    r"\b(?:in the past|at one time|at first|in those days|in former times|used to|(?:until|till) \d{4})\b"
)
_PAST = frozenset(["did", "was", "were", "had", "has", "have"])
_PRESENT = frozenset(["is", "are", "to"])


def time_of(words: Sequence[str], at: int) -> Time | None:
    """When the deed of a verb is, in the words of an English sentence in lower case.

    None where they do not tell it, or where the word stands as a noun or an adjective.
    """
    known, chain = _known(), _chain(words, at)
    before, past = chain[-1] if chain else "", words[at].endswith("ed") or words[at] in known["past"]
    if before in known["no_verb_behind"]:
        return None
    if "to" in chain and chain[0] not in known["leaving_open"]:
        return None
    if "to" in chain or (before in known["weighing"] and words[at].endswith("ing")):
        return "planned"
    if not (known["will"] | known["other_modals"]).isdisjoint(chain):
        return None if known["will"].isdisjoint(chain) or not known["have"].isdisjoint(chain) else "planned"
    if past and (before not in known["be"] or before in {*_PAST, "being"} or not known["have"].isdisjoint(chain)):
        return "done" if before != "being" else "under way" if chain[:-1] else None
    return "going on" if before in known["be"] or not words[at].endswith("ing") else None


def has_auxiliary(words: Sequence[str], at: int) -> bool:
    """True if a form of "to be" or "to have" stands before a verb."""
    return not (_known()["be"] | _known()["have"]).isdisjoint(_chain(words, at))


def is_set_up(words: Sequence[str], at: int) -> bool:
    """True if a verb follows "to" right behind words that leave it to come ("is to open", "plans to lay")."""
    return at > 0 and words[at - 1] == "to" and time_of(words, at) == "planned"


def asks_of_done(question: str) -> bool:
    """True if an English question takes for granted that something was done: "When did it open?", "Who built it?"."""
    words, known = tokens(question), _known()
    if not (known["will"] | (known["other_modals"] - _PAST) | _PRESENT).isdisjoint(words):
        return False
    return not _PAST.isdisjoint(words) or any(time_of(words, at) == "done" for at in range(len(words)))


def is_over(text: str) -> bool:
    """True if a sentence says of what it tells that it was so at another time ("historically", "until 2019")."""
    return not _known()["over"].isdisjoint(tokens(text)) or _LONG_AGO.search(text[:_LONGEST].lower()) is not None


def tokens(text: str) -> list[str]:
    """The words of an English text in lower case, with "'ll" and the like as words of their own."""
    return _TOKEN.findall(text[:_LONGEST].lower().replace("\u2019", "'"))


def _chain(words: Sequence[str], at: int) -> list[str]:
    """The auxiliaries before a verb in their order, behind the word before "to"; without any the one word before it."""
    known = _known()
    found: list[str] = []
    for word in reversed(words[max(0, at - _BEFORE) : at]):
        if word in known["passed_over"] or word.endswith("ly"):
            continue
        helps = word in known["helping"]
        if helps or not found or found[-1] == "to":
            found.append(word)
        if not helps or (len(found) > 1 and found[-2] == "to"):
            break
    return found[::-1]


@cache
def _known() -> Mapping[str, frozenset[str]]:
    """The word lists of the file beside this module."""
    data = tomllib.loads(files(__package__).joinpath("tense.toml").read_text(encoding="utf-8"))
    lists = {name: frozenset(written.split()) for name, written in data.items()}
    helping = lists["be"] | lists["have"] | lists["will"] | lists["other_modals"] | {"to"}
    return {**lists, "helping": helping, "past": lists["participles"] | cues().words["irregular_past"]}
