"""Clauses behind words of which nothing is known: "The brochure trumpets that S", "Few historians hold that S"."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.text.framing.clauses import Clauses
from spanwise.text.framing.complements import Claimed, is_relative, negation
from spanwise.text.framing.cues import cues

_SAYING = frozenset("say says said tell tells told".split())
_UNNAMED = frozenset("some others many certain several".split())
"""Words with which a clause begins that names nobody: "some members say that S"."""


def unknown_heads(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses behind words in no list of predicates."""
    words = cues().words
    turned = not cues().turning.isdisjoint(clauses.words) or any(word.endswith("n't") for word in clauses.words)
    for that in (k for k, word in enumerate(clauses.words) if word == "that"):
        head, first = clauses.at(that - 1), clauses.first[that]
        if that - first < 2 or head in words["factive"] or is_relative(clauses, that):
            continue
        falsely = next((k for k in range(max(first, that - 3), that) if clauses.words[k] in words["falsely"]), None)
        if falsely is not None:
            yield Claimed("denied", that + 1, clauses.last[that], (falsely, that))
        elif head in words["telling"] or head in words["text"]:
            made_up = next((k for k in range(max(first, that - 4), that - 1) if _disowned(clauses.words[k])), None)
            if made_up is not None and not negation(clauses, made_up, noun=False)[0]:
                yield Claimed("denied", that + 1, clauses.last[that], (made_up, that))
        elif turned and head not in cues().predicates and (negated := negation(clauses, that - 1, noun=False))[0]:
            so = head == "so" and clauses.words[that - 2] == "not" and clauses.at(that - 3) in words["be"]
            if not clauses.finite(that + 1, clauses.last[that]) or head in words["prepositions"]:
                continue
            if so or (head not in words["indifferent"] and not _nominal(clauses, that - 1)):
                yield Claimed("denied", that + 1, clauses.last[that], (negated[1], that))
        elif _unknown_verb(clauses, that - 1) or (head in _SAYING and clauses.words[first] in _UNNAMED):
            yield Claimed("alleged", that + 1, clauses.last[that], (that - 1, that))


def _disowned(word: str) -> bool:
    predicate = cues().predicates.get(word)
    return predicate is not None and predicate.name == "negative"


def _nominal(clauses: Clauses, at: int) -> bool:
    """True if a word is in a position of nouns and adjectives only."""
    words, before = cues().words, clauses.at(at - 1)
    return (
        not before[:1].isalpha()
        or before in words["determiners"] - words["subjects"]
        or before in words["prepositions"] - {"to"}
        or before in words["joins"] - {"not", "who", "which", "that"}
        or before in words["noun_adjectives"]
    )


def _unknown_verb(clauses: Clauses, at: int) -> bool:
    """True if a word that no list has ends as a verb does and is the first verb of its clause."""
    held, verb, first = cues(), clauses.words[at], clauses.first[at]
    if not verb.endswith(("ed", "s")) or verb.endswith(("ss", "'s", "us")) or _nominal(clauses, at):
        return False
    if verb in held.predicates or verb in held.words["asserting"] or verb in held.words["auxiliaries"]:
        return False
    before = clauses.words[at - 1]
    if before in held.words["be"] or before.endswith("ly") or clauses.words[first] in held.words["prepositions"]:
        return False
    follows = clauses.at(at + 2)
    subject = follows in held.words["pronouns"] or follows in held.words["determiners"]
    alone = at - first == 2 and clauses.words[first] in held.words["determiners"]
    return (alone or (subject and verb.endswith("ed"))) and not clauses.finite(first, at - 1)
