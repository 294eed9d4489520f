"""When a deed is: planned, done or going on, told by the form of its verb and the words before it.

The tenses and prospective aspects of English grammar, as far as auxiliaries and endings tell them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias

from spanwise.text.framing.cues import cues

Time: TypeAlias = Literal["planned", "done", "going on"]

_BEFORE = 6
"""Words before a verb among which its auxiliaries are."""
_PASSED_OVER = frozenset("not never also now already still just soon later then first n't".split())
_BE = frozenset("is are am was were be been being 's 're".split())
_WAS = frozenset(["was", "were"])
_HAVE = frozenset(["has", "have", "had"])
_WILL = frozenset(["will", "shall", "'ll", "won't"])
_OTHER_MODALS = frozenset("would wouldn't can could may might must should cannot can't couldn't mustn't shouldn't do does did".split())
_LEAVING_OPEN = frozenset(
    "be is are was were due set expected scheduled planned planning about likely going hope hopes hoped hoping plan "
    "plans intend intends intended intending aim aims aimed aiming want wants wanted propose proposes proposed proposal "
    "proposals prepare prepares preparing seek seeks seeking promise promises promised expect expects wish wishes "
    "willing ready wait waiting plot plotting".split()
)
"""Words before "to" that say that what follows is still to come."""
_OVER = frozenset("historically formerly originally initially previously".split())
_LONG_AGO = re.compile(r"\b(?:in the past|at one time|at first|in those days|in former times|used to|(?:until|till) \d{4})\b")
_NOUNS_ONLY = frozenset("a an the its their his her our my your this that these those no every each of".split())


def time_of(words: Sequence[str], at: int) -> Time | None:
    """When the deed of a verb is.

    Args:
        words: The words of a sentence, in lower case.
        at: Index of the verb.

    Returns:
        None where the words do not tell it, or where the word stands as a noun or an adjective.
    """
    chain = _chain(words, at)
    before = chain[-1] if chain else ""
    if before in _NOUNS_ONLY:
        return None
    if "to" in chain:
        head = chain[chain.index("to") - 1] if chain.index("to") else ""
        return "planned" if head in _LEAVING_OPEN else None
    if not _WILL.isdisjoint(chain):
        return "planned" if _HAVE.isdisjoint(chain) else None
    if not _OTHER_MODALS.isdisjoint(chain):
        return None
    if _is_past(words[at]) and (not _HAVE.isdisjoint(chain) or before in _WAS):
        return "done"
    if before in _BE:
        return "going on"
    if words[at].endswith("ing"):
        return None
    return "done" if _is_past(words[at]) else "going on"


def is_over(text: str) -> bool:
    """True if a sentence says of what it tells that it was so at another time ("historically", "until 2019")."""
    lower = text.lower()
    return not _OVER.isdisjoint(re.findall(r"[a-z]+", lower)) or _LONG_AGO.search(lower) is not None


def has_auxiliary(words: Sequence[str], at: int) -> bool:
    """True if a form of "to be" or "to have" stands before a verb."""
    chain = _chain(words, at)
    return not _BE.isdisjoint(chain) or not _HAVE.isdisjoint(chain)


def _chain(words: Sequence[str], at: int) -> list[str]:
    """The auxiliaries before a verb in their order, with the word before "to"; or the one word before it."""
    found: list[str] = []
    for word in reversed(words[max(0, at - _BEFORE) : at]):
        if word in _PASSED_OVER or word.endswith("ly"):
            continue
        known = word in _BE or word in _HAVE or word in _WILL or word in _OTHER_MODALS or word == "to"
        if known or not found or found[-1] == "to":
            found.append(word)
        if not known:
            break
    return found[::-1]


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in _irregular()


@cache
def _irregular() -> frozenset[str]:
    """Past forms and participles that do not end in -ed."""
    return frozenset(cues().words["irregular_past"]) | _PARTICIPLES


_PARTICIPLES = frozenset(
    "been begun broken chosen done drawn driven eaten fallen flown forgotten given gone grown hidden known made ridden "
    "risen seen shown shut spoken stolen sung sunk taken thrown won worn written put set cut told said held bought built "
    "sold left lost found heard kept laid led let meant met paid read sent spent split struck taught thought understood".split()
)
