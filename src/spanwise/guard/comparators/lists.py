"""Lists: a claim says that a thing holds only some of what a source lists of it.

"The cover includes only parts" is denied by "the cover includes parts, labour and travel"; "parts such as the pump"
lists parts only.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Word, words_of
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.operators import is_content, operators
from spanwise.guard.sentence.synonyms import interchangeable
from spanwise.text.terms import stem

_LIST = 40
"""Words behind the verb among which the members of the list stand."""
_FEWEST = 2
"""Members other than the claim's that make a list of several things."""
_BEFORE = 14
"""Words before the verb among which the thing stands that holds them."""
_JOINS = frozenset(["and", "or", "nor", "well"])


def nothing_else_is_listed(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a claim says that a thing holds only one kind, no sentence lists others of it."""
    del context
    words = words_of(said.plain)
    only = next((one for one in operators(words) if one.name == "only"), None)
    verb = next((at for at, word in enumerate(words) if _holds(word)), None)
    if only is None or verb is None:
        return []
    thing = [word.plain for word in words[:verb] if is_content(word)]
    kinds = [word.plain for word in words[verb + 1 :] if is_content(word)]
    kinds = [word for word in kinds if word not in thing] or kinds
    if not thing or not kinds:
        return []
    for unit, _ in evidence.candidates:
        theirs = () if unit.fact is not None else words_of(unit.text)
        if _lists_others(thing, kinds, theirs, unit.text):
            reason = "the answer names only one kind of what the source lists"
            return [Difference("negated", reason, (said.start, said.end), unit, denies=True)]
    return []


def _holds(word: Word) -> bool:
    return stem(word.plain) in words_of_class("lists", "holding")


def _lists_others(thing: Sequence[str], kinds: Sequence[str], words: Sequence[Word], text: str) -> bool:
    """True if a sentence says that the thing holds things of other kinds too."""
    for verb, word in enumerate(words):
        before = {other.plain for other in words[max(0, verb - _BEFORE) : verb]}
        if not _holds(word) or not before.issuperset(thing) or "not" in before:
            continue
        listed = words[verb + 1 : verb + 1 + _LIST]
        same = [at for at, one in enumerate(listed) if any(interchangeable(one.plain, kind) for kind in kinds)]
        others = [one for at, one in enumerate(listed) if is_content(one) and at not in same]
        if len(others) < _FEWEST or not _coordinated(listed, text):
            continue
        if not same or _beside(listed, same, text):
            return True
    return False


def _coordinated(listed: Sequence[Word], text: str) -> bool:
    """True if words of a list are joined, or it holds anything of its sort."""
    joined = sum(word.plain in _JOINS for word in listed) + text[listed[0].start : listed[-1].end].count(",")
    boundless = words_of_class("lists", "boundless")
    return joined > 1 or any(word.plain in boundless for word in listed)


def _beside(listed: Sequence[Word], same: Sequence[int], text: str) -> bool:
    """True if the claim's kind is one member of the list, rather than what its members are examples of."""
    for at in same:
        behind = text[listed[at].end : listed[at + 1].start] if at + 1 < len(listed) else ""
        around = {word.plain for word in (*listed[max(0, at - 1) : at], *listed[at + 1 : at + 2])}
        if ("," in behind or not around.isdisjoint(_JOINS)) and around.isdisjoint(words_of_class("lists", "examples")):
            return True
    return False
