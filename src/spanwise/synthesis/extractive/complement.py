"""The rest of a sentence that begins as the question does: "What does X consist of?" and "X consists of Y" give Y."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spanwise.text.terms import terms

LEAST_WORDS = 2
"""Words of a rest that says something."""
SHARED = 0.6
"""Least share of the question's stems that stand before the rest."""
_LONGEST = 1500
_ASKED = re.compile(
    r"^(?:for [^,]{1,60}, )?what (?P<aux>do|does|did|is|are|was|were|can|will) (?P<subject>.{2,160}?)\s+"
    r"(?:(?:primarily|mainly|mostly|largely) )?(?P<verb>[a-z]{4,20})(?: (?P<particle>of|to|"
    r"as|on|by|in|for|from|with))?\s?\?*$",
    re.IGNORECASE,
)
_BEING = re.compile(r"^what (?:is|are|was|were) (?P<subject>[^?]{2,60}?)\s?\?*$", re.IGNORECASE)
_CAUSE = re.compile(
    r"^why\b|\breasons?\b|\bwhat (?:has |have |had )?(?:caused|led|drove|resulted|explains|contributed)|"
    r"\bdriven by\b|\bdue to\b|\battribut",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"\b(?:due to|driven by|as a result of|attribut(?:able|ed) to|result(?:ed|ing)? (?:primarily |mainly )?from|"
    r"because of|because|reflecting|caused by)\s+",
    re.IGNORECASE,
)
_VERBS = frozenset(
    """
    consist comprise include represent reflect relate refer limit recognise recognize base influence engage
    attribute impact drive determine mean contain cover involve provide measure define compose exclude indicate
    correspond calculate
    """.split()
)
_IS = re.compile(r"\s(?:is|are|was|were|refers? to|means?|represents?)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rest:
    """A stretch of a sentence."""

    start: int
    end: int


def complement(question: str, sentence: str) -> Rest | None:
    """The stretch of a sentence that completes what a question says; None where the sentence does not begin like it."""
    text = sentence[:_LONGEST]
    plain = " ".join(question.split())
    if (match := _ASKED.match(plain)) and (rest := _behind_verb(plain, match["verb"].lower(), text)):
        return rest
    if match := _BEING.match(plain):
        return _behind_is(match["subject"], text)
    return _cause(plain, text) if _CAUSE.search(plain) else None


def _behind_verb(question: str, verb: str, text: str) -> Rest | None:
    """What follows the question's own verb."""
    stem = next(iter(terms(verb)), "")
    if not stem or stem not in _verb_stems():
        return None
    for word in re.finditer(r"[A-Za-z]+", text):
        if terms(word.group()) == [stem]:
            behind = re.compile(r"\s+(?:of|to|as|on|by|in|for|from)\s+|\s+").match(text, word.end())
            if behind and _speaks_of(question, text[: word.end()]):
                return _rest(text, behind.end())
    return None


def _behind_is(subject: str, text: str) -> Rest | None:
    match = _IS.search(text)
    if match is None or set(terms(subject)) != set(terms(text[: match.start()])):
        return None
    return _rest(text, match.end())


def _cause(question: str, text: str) -> Rest | None:
    match = _MARKER.search(text)
    if match is None or not _speaks_of(question, text[: match.start()]):
        return None
    return _rest(text, match.end())


def _speaks_of(question: str, head: str) -> bool:
    asked = set(terms(question)) - {"reason", "caus", "led", "primari", "main"}
    return bool(asked) and len(asked & set(terms(head))) >= SHARED * len(asked)


def _rest(text: str, start: int) -> Rest | None:
    end = len(text.rstrip().rstrip(".;"))
    return Rest(start, end) if len(text[start:end].split()) >= LEAST_WORDS else None


def _verb_stems() -> frozenset[str]:
    return frozenset(stem for verb in _VERBS for stem in terms(verb))
