"""Denied words: a claim affirms what the sentence that says most of it denies, in any wording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.polarity import LIMITS
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import share
from spanwise.guard.sentence.contrasts import denies_softly
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import AUXILIARIES, is_negation, may_negate
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.terms import stem

_ABOUT = 0.35
"""Share of a claim's other words that a sentence holds which tells of one of them."""
_LONGEST = 30
"""Words of a sentence; in a longer one a negation may belong to something else."""
_SHORT = 2
"""Content words behind a negation that it denies, and of a clause that only denies ("Dogs are not allowed")."""
_OPEN = frozenset(["if", "when", "unless", "need", "needs", "without", "before", "except"])
_JOINTS = frozenset(["but", "and", "because", "until", "who", "which", "that", "if", "when"])
"""Words with which another clause begins."""


def nothing_denied_is_affirmed(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No word of a claim without any negation is one that every sentence about the same thing denies."""
    del context
    if any(_negative(word) for word in words_of(said.sentence)):
        return []
    near = [unit for unit, _ in evidence.candidates if unit.fact is None]
    denying = frozenset[str]().union(*(unit.known for unit in near if _holds_a_negation(unit.text)))
    for one in (one for one in said.wanted if one in denying):
        rest = {other: weight for other, weight in said.wanted.items() if other != one}
        units = [unit for unit in near if one in unit.known]
        if not rest or not units:
            continue
        most = max(share(unit.known, rest) for unit in units)
        for about in (unit for unit in units if share(unit.known, rest) >= most):
            beside = evidence.best and abs(about.number - evidence.best[0].number) <= 1
            if any(
                one in denied and (share(clause, rest) >= _ABOUT or (beside and len(clause) <= _SHORT))
                for denied, clause in (_denied(about.text) if len(about.stems) <= _LONGEST else ())
            ):
                reason = f'the source denies it: "{about.text}"'
                return [Difference("negated", reason, (said.start, said.end), about, doubts=True)]
    return []


def _holds_a_negation(text: str) -> bool:
    return may_negate(text) and any(is_negation(word.plain) for word in words_of(text))


def _negative(word: Word) -> bool:
    return is_negation(word.plain) or denies_softly(word.plain) or word.plain in words_of_class("scope", "negative")


def _denies(clause: Sequence[Word], at: int) -> bool:
    """True if a word denies what its clause says; in "a bill not paid within a month" it only tells which bill."""
    short = at == 0 and sum(map(is_content, clause)) <= _SHORT  # "..., not by the warden"
    told = clause[at].plain != "not" or short or (at > 0 and clause[at - 1].plain in AUXILIARIES)
    behind = clause[at + 1]
    return (
        is_negation(clause[at].plain)
        and clause[at].plain != "non"
        and told
        and behind.plain not in LIMITS
        and not behind.number
    )


def _unreal(clause: Sequence[Word]) -> bool:
    """True if a clause says what happens when something is not so, or that it need not be."""
    return not _OPEN.isdisjoint(word.plain for word in clause)


@lru_cache(maxsize=1024)
def _denied(text: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """What each clause with a negation denies and no other clause has, and all words of the clause, as stems."""
    found, clauses = [], list(_clauses(text))
    for clause in clauses:
        content = [stem(word.plain) for word in clause if is_content(word)]
        at = next((at for at in range(len(clause) - 1) if _denies(clause, at)), None)
        if at is None or _unreal(clause):
            continue
        behind = [stem(word.plain) for word in clause[at:] if is_content(word)][:_SHORT]
        affirmed = {stem(word.plain) for other in clauses if other is not clause for word in other}
        found.append((frozenset(content if len(content) <= _SHORT else behind) - affirmed, frozenset(content)))
    return tuple(found)


def _clauses(text: str) -> Iterator[list[Word]]:
    words = words_of(text)
    clause: list[Word] = []
    for word, behind in zip(words, (*words[1:], None), strict=True):
        clause.append(word)
        gap = text[word.end : behind.start] if behind is not None else "."
        if behind is None or any(mark in gap for mark in ",;:.()|") or behind.plain in _JOINTS:
            yield clause
            clause = []
