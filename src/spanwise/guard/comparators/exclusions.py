"""What a sentence excludes ("except on Mondays", "but not in the rooms"): no claim says it of that.

Nor does a claim say that it holds "even" or "no matter" where the sentence says "only if".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, is_repeated
from spanwise.guard.lexicon import is_negation
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.units import Unit
from spanwise.text.terms import stem, terms

_PHRASES = (
    "except(?: for| that)?|other than|apart from|with the exception of|(?:ex|not in)cluding|save for|minus"
    "|(?:but|and|though|although) not"
)
_CUE = re.compile(rf"\b(?:{_PHRASES})\s", re.IGNORECASE)
_END = re.compile(r"[,;:.()]|\s(?:but|and then|which|who|that|because|if|when|unless)\s")
_CLAUSE = re.compile(rf"[,;:]\s(?=\w+ \w+)|\sand\s|\s(?=(?:{_PHRASES})\s)", re.IGNORECASE)
"""Where another clause of a claim begins."""
_LOOKED_AT = 5
"""Sentences whose exclusions are read for one claim, at most."""
_FEWEST, _MOST_OF = 2, 0.5
"""Content words of what a sentence says besides that a claim has which says the same, and their share."""
_SHORT = 4
"""Content words of what a sentence says besides, at most, of which one is enough for a claim that says the opposite."""
_ALL_OF = 0.6
"""Share of the content words of what is excluded that a claim has which names it."""


_WHATEVER = re.compile(
    r"\b(?:even|no matter|whatever|whether or not|regardless|irrespective|at any time|in (?:any|every) case"
    r"|not excepted|however(?= \w))\b",
    re.IGNORECASE,
)
"""Words with which a claim denies that something matters."""
_LIMIT = re.compile(
    r"\b(?:if|unless|only|except|provided|as long as|so long as|depending|within|below|beyond|above|without|until"
    r"|but not)\b",
    re.IGNORECASE,
)
_LIMITED, _LEAST_LIMITED = 3, 0.3
"""Sentences whose limits are read for one claim, and the share of the claim that each has to hold.

Of claims of our own, half of them false, that nothing else doubted, twelve false ones and no true one fell; none of
2,900 right claims of models.
"""


_BANS = frozenset("forbidden prohibited banned barred exempt excluded".split())
"""Words that deny what else a sentence says, besides the negations."""


class _Exclusion(NamedTuple):
    rest: frozenset[str]
    """Stems of what the sentence says of all others."""
    excluded: frozenset[str]
    """Stems of what it excludes, and says nowhere else."""
    denies: bool
    """True if what holds of all others is denied."""
    unit: Unit


def nothing_excluded_is_claimed(said: ReadClaim, evidence: Evidence, context: Context) -> list[Difference]:
    """No claim says of what a sentence excludes what that says of all others."""
    repeated = is_repeated(said, evidence) or is_quoted(said, evidence, context)
    for one, told in () if repeated else _told_of(said, evidence):
        if told == one.denies:
            reason = f'the source excludes it: "{one.unit.text}"'
            return [Difference("negated", reason, (said.start, said.end), one.unit, doubts=True, always=True)]
    return []


def what_matters_is_not_denied(said: ReadClaim, evidence: Evidence, context: Context) -> list[Difference]:
    """No claim says that something holds whatever that is on which a sentence makes it depend."""
    del context
    whatever = _WHATEVER.search(said.plain)
    if whatever is None or any(_WHATEVER.search(unit.text) for unit, _ in evidence.candidates[:_LOOKED_AT]):
        return []
    named = frozenset(terms(said.plain[whatever.end() :]) or terms(said.plain[: whatever.start()]))
    for unit, held in evidence.candidates[:_LIMITED]:
        limit = _LIMIT.search(unit.text) if held >= _LEAST_LIMITED else None
        if limit is not None and not named.isdisjoint(terms(unit.text[limit.start() :])):
            reason = f'the answer says "{whatever.group()}", the source "{limit.group()}"'
            return [Difference("overstated", reason, (said.start, said.end), unit, doubts=True)]
    return []


_BOUNDLESS = re.compile(
    r"\bas (?:many|much|often|long|far|late|early)(?: \w+){0,2} as (?:\w+ )?(?:likes?|wants?|wish(?:es)?|pleases?)\b"
    r"|\b(?:any number of|without (?:any )?limit|unlimited|for (?:any|whatever) reason|at any (?:hour|time)"
    r"|unanimous(?:ly)?)\b",
    re.IGNORECASE,
)
"""Words with which a claim says that there is no limit."""
_ONCE = re.compile(r"\b(?:once|twice|one|because|due|only|at most|up to)\b", re.IGNORECASE)
_REFUSED = re.compile(
    r"\b(?:refus(?:ed?|es|al)|reject(?:s|ed|ion)?|declin(?:ed|es)|turned (?:\w+ )?down"
    r"|voted (?:\w+ )?down|dismissed|failed|defeated)\b",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"\b(?:accept(?:s|ed)?|agree[ds]?|grant(?:s|ed)?|approv(?:ed|es)|adopt(?:s|ed)?|allow(?:s|ed)?|carried|passed"
    r"|welcom(?:ed|es)|upheld|uph(?:old|olds))\b",
    re.IGNORECASE,
)
_TO_OPPOSE = re.compile(r"(?<!,)\sagainst\s(?!\S{0,3}\d)", re.IGNORECASE)
"""No comparison (", against 8.4 million")."""
_AGAINST = re.compile(
    r"\bagainst\b|\b(?:oppos|object|hostil|critic|resist|protect|fought|fight|den(?:y|ied)|refus|reject|insur|su(?:ed|ing)"
    r"|beat|defeat|versus|vs|play|no\b|not\b|never\b)|n't\b",
    re.IGNORECASE,
)


def nothing_is_boundless(said: ReadClaim, evidence: Evidence, context: Context) -> list[Difference]:
    """No claim says that there is no limit where the sentence nearest to it sets one."""
    del context
    found = _BOUNDLESS.search(said.plain)
    near = [unit for unit, held in evidence.candidates[:_LIMITED] if held >= _LEAST_LIMITED] if found else []
    if found is None or any(_BOUNDLESS.search(unit.text) for unit, _ in evidence.candidates):
        return []
    for unit in near:
        if unit.quantities or _ONCE.search(unit.text) or _LIMIT.search(unit.text):
            reason = f'the answer says "{found.group()}", the source "{unit.text}"'
            return [Difference("overstated", reason, (said.start, said.end), unit, doubts=True)]
    return []


def what_is_refused_is_not_granted(said: ReadClaim, evidence: Evidence, context: Context) -> list[Difference]:
    """No claim says that something was accepted which its sentence says was refused, nor puts "against" to a deed."""
    del context
    if not evidence.candidates or any(is_negation(word.plain) for word in words_of(said.plain)):
        return []
    unit = evidence.candidates[0][0]
    turned = _ACCEPTED.search(said.plain) and not _REFUSED.search(said.plain) and not _ACCEPTED.search(unit.text)
    against = _TO_OPPOSE.search(said.plain) and not any(
        _AGAINST.search(one.text) for one, _ in evidence.candidates[:_LOOKED_AT]
    )
    if (turned and _REFUSED.search(unit.text)) or against:
        reason = f'the source says it the other way round: "{unit.text}"'
        return [Difference("negated", reason, (said.start, said.end), unit, doubts=True)]
    return []


def excluded_rightly(said: ReadClaim, evidence: Evidence) -> bool:
    """True if a claim denies of what a sentence excludes what that says of all others, or the other way round."""
    return any(told != one.denies for one, told in _told_of(said, evidence))


def _told_of(said: ReadClaim, evidence: Evidence) -> Iterator[tuple[_Exclusion, bool]]:
    """The exclusions that a claim names, each with True if the claim denies something."""
    near = [unit for unit, _ in evidence.candidates[:_LOOKED_AT] if unit.fact is None and _CUE.search(unit.text)]
    own = _stems(words_of(said.sentence)) if near else frozenset()
    for one in (one for unit in near for one in _exclusions(unit)):
        denies = _denies(said.sentence, one.excluded)
        shared, named = len(own & one.rest), len(own & one.excluded)
        # What says the opposite of the excluded needs few of the words: "forbidden except here", "allowed here".
        few = denies != one.denies and len(one.rest) <= _SHORT
        least = 1 if few else max(min(_FEWEST, len(one.rest)), _MOST_OF * len(one.rest))
        if named >= _ALL_OF * len(one.excluded) and shared >= least:
            yield one, denies


def _denies(text: str, named: frozenset[str]) -> bool:
    """True if a claim denies something of what it names: with a negation, or by excluding it from what holds."""
    clauses = _CLAUSE.split(text)
    own = [clause for clause in clauses if not named.isdisjoint(_stems(words_of(clause)))]
    if excluding := [clause for clause in own if _CUE.match(clause)]:
        return not any(_negated(clause) for clause in clauses if clause not in excluding)
    return any(map(_negated, own))


def _negated(text: str) -> bool:
    """True if a text holds an odd number of negations and bans: "not forbidden" is no denial."""
    return sum(is_negation(word.plain) or word.plain in _BANS for word in words_of(text)) % 2 == 1


def _exclusions(unit: Unit) -> Iterator[_Exclusion]:
    for match in _CUE.finditer(unit.text):
        end = _END.search(unit.text, match.end())
        last = end.start() if end else len(unit.text)
        first = max(unit.text.rfind(";", 0, match.start()), unit.text.rfind(". ", 0, match.start())) + 1
        before = unit.text[first : match.start()]
        rest = _stems(words_of(before))
        excluded = _stems(words_of(unit.text[match.end() : last])) - rest
        if rest and excluded:
            yield _Exclusion(rest, excluded, _negated(before), unit)


def _stems(words: tuple[Word, ...]) -> frozenset[str]:
    return frozenset(stem(word.plain) for word in words if word.content)
