"""What a source mentions and does not assert: conditions, likenesses, wishes, purposes, duties and exceptions.

"If only one person is nominated, there is no poll" does not say that one person was nominated, "a box that looked as
though it were heavy" not that it is, "the firm offered to inject the walls" not that it did, and "in bark and not in
soil" not that soil is used. A claim is in doubt that tells as fact what the sentences nearest to it say in no other
way, however freely it is worded; the comparators of frames ask for a close copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from spanwise.guard.evidence import ClaimStems, Context, Difference, Evidence, ReadClaim, claim_stems
from spanwise.guard.lexicon import entries, is_negation, lexicon
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.reading import Clause
from spanwise.guard.units import Unit
from spanwise.guard.verification import FindingKind
from spanwise.text.framing.frames import frames
from spanwise.text.terms import stem

_Kind: TypeAlias = Literal["supposed", "open", "due", "excluded"]

_AS_NEAR = 0.75
"""Share of what the nearest sentence has of a claim from which another one is as near."""
_LEAST = 0.2
"""Share of a claim that the nearest sentence has at least, for it to tell of the same."""
_RIGHT_BEHIND = 2
"""Characters between the words that make a condition and the clause under it."""
_NAMED = 0.6
"""Share of the content words of what is excluded that a claim has which names it."""
_NO_STATEMENT = frozenset("if unless when whenever whether can could may might must should shall would".split())
"""Words of claims that tell no fact, or one under a condition of their own."""
_READER = "you"
_CONTRASTS = frozenset("rather instead except excluding but unlike other only".split())
"""Words of claims that exclude something themselves."""
_DONE = frozenset(["has", "have", "had", "was", "were"])
_NEEDING = frozenset(["has", "have", "need", "needs"])
_TELLING = _DONE | {"is", "are"}
_DUTIES = frozenset("must should shall can could may might will would".split())
_REASONS: dict[_Kind, str] = {
    "supposed": "the source says it only of a case that it supposes",
    "open": "the source only wants, plans or offers it",
    "due": "the source says that it is due or possible, and not that it was done",
    "excluded": "the source excludes it",
}
_EXCEPTION = re.compile(
    r"(?:\b(?:but|and|though|although|yet|or)\s+|[,(]\s*)(?:certainly\s+|never\s+)?not\s+(?P<what>[^,;:.()\u2013\u2014]{2,80})",
    re.IGNORECASE,
)
"""What stands under a "not" of its own, without a verb: "in bark and not in soil"."""
_NO_FACT = re.compile(r"\b(?:ha[sd]|have|is|are|was|were|needs?|needed|ought) to\b|^\W*to\b|:", re.IGNORECASE)
"""Duties, purposes, and headings with what follows them."""
_LIKENESS = re.compile(r"\bas (?:if|though)\s(?P<what>[^,;:.]{2,200})", re.IGNORECASE)
_INITIAL = re.compile(r"^\W*(?:in order\s+|so as\s+)?to\s+\w", re.IGNORECASE)


class _Stretch(NamedTuple):
    """A part of a sentence that it does not assert."""

    kind: _Kind
    start: int
    end: int


def what_is_mentioned_is_asserted(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim tells as fact what the sentences nearest to it only mention."""
    units = [unit for unit, _ in evidence.candidates if unit.fact is None and not unit.titled]
    if not units:
        return []
    claim = claim_stems(said, context)
    every = claim.weights.keys()
    shares = [claim.share(claim.said_in(unit.known), every) for unit in units]
    if max(shares) < _LEAST:
        return []
    near = [unit for unit, told in zip(units, shares, strict=True) if told >= _AS_NEAR * max(shares)]
    for kind, stems in _told(said):
        unit = _only_mentioned(stems, kind, claim, near)
        if unit is not None:
            reason = f'{_REASONS[kind]}: "{unit.text}"'
            found: FindingKind = "negated" if kind == "excluded" else "overstated"
            return [Difference(found, reason, (said.start, said.end), unit, doubts=True)]
    return []


def _told(said: ReadClaim) -> Iterator[tuple[_Kind, frozenset[str]]]:
    """What a claim tells as fact, as stems: its predicate, and each content word of a claim that denies nothing."""
    words = words_of(said.plain)
    plain = {word.plain for word in words}
    if plain.isdisjoint(_CONTRASTS) and not any(is_negation(word) for word in plain):
        yield from (("excluded", frozenset([stem(word.plain)])) for word in words if word.content)
    statement = None if not plain.isdisjoint(_NO_STATEMENT) else _statement(said.plain, words)
    if statement is None:
        return
    # Of what only is, or is called something, the word behind says what it is.
    told = words[statement.verb :] if words[statement.verb].content else words[statement.verb + 1 :]
    predicate = next((frozenset([stem(word.plain)]) for word in told if word.content), None)
    if predicate is None:
        return
    yield "supposed", predicate
    if statement.past or not plain.isdisjoint(_TELLING):  # "Open the options by typing ..." is no statement
        yield "open", predicate
    if not plain.isdisjoint(_DONE):
        yield "due", predicate


def _statement(text: str, words: Sequence[Word]) -> Clause | None:
    """The clause that a claim is, about somebody or something but its reader; None where it has several or none."""
    finite = [one for one in clauses_of(text) if one.kind == "finite"]
    if len(finite) != 1 or not finite[0].subjects or finite[0].connective or _NO_FACT.search(text):
        return None
    subject = {words[at].plain for one in finite[0].subjects for at in range(one.first, one.last)}
    return None if _READER in subject else finite[0]


def _only_mentioned(stems: frozenset[str], kind: _Kind, claim: ClaimStems, near: Sequence[Unit]) -> Unit | None:
    """The first of some sentences that has one of the stems, where they all have it in such a part and nowhere else."""
    found: Unit | None = None
    for unit in near:
        stretches = [one for one in _stretches(unit.text) if one.kind == kind]
        for word in words_of(unit.text):
            if not word.content or stems.isdisjoint(claim.said_in(frozenset([stem(word.plain)]))):
                continue
            if not any(one.start <= word.start < one.end for one in stretches):
                return None
            found = found or unit
    return found


@lru_cache(maxsize=4096)
def _stretches(text: str) -> tuple[_Stretch, ...]:
    """The parts of a sentence that it does not assert."""
    return (*_supposed(text), *_excluded(text), *_of_verbs(text))


def _supposed(text: str) -> Iterator[_Stretch]:
    """Conditions without what depends on them, and what something is only like."""
    for frame in frames(text):
        behind = 0 <= frame.start - frame.cue[1] <= _RIGHT_BEHIND
        # "If it rains we move": no comma tells where such a condition ends.
        whole = frame.cue[0] <= _RIGHT_BEHIND and not text[frame.end :].strip(" .")
        if frame.kind in ("conditional", "hypothetical") and behind and not whole:
            yield _Stretch("supposed", frame.start, frame.end)
    for match in _LIKENESS.finditer(text):
        yield _Stretch("supposed", *match.span("what"))


def _excluded(text: str) -> Iterator[_Stretch]:
    for match in _EXCEPTION.finditer(text):
        if not any(one.kind == "finite" for one in clauses_of(match["what"])):
            yield _Stretch("excluded", *match.span("what"))


def _of_verbs(text: str) -> Iterator[_Stretch]:
    """Infinitives that somebody wants, offers or plans, or that tell the purpose of a sentence; verbs under a duty."""
    words = words_of(text)
    clauses = clauses_of(text)
    initial = _INITIAL.match(text) is not None
    for at, clause in enumerate(clauses):
        start = words[clause.verb].start
        if clause.kind == "infinitive" and (_is_open(clause, words) or (initial and at == 0)):
            behind = (words[other.verb].start for other in clauses[at + 1 :] if other.kind == "finite")
            yield _Stretch("open", start, next(behind, len(text)))
        elif _is_due(clause, words):
            yield _Stretch("due", start, start + 1)


def _is_due(clause: Clause, words: Sequence[Word]) -> bool:
    """True for what somebody must, "has to" or "needs to" do."""
    before = [word.plain for word in words[max(0, clause.verb - 2) : clause.verb]]
    needed = before[-1:] == ["to"] and before[0] in _NEEDING
    return needed or (clause.kind == "finite" and clause.modal in _DUTIES)


def _is_open(clause: Clause, words: Sequence[Word]) -> bool:
    """True if a word before "to" leaves open whether it is done: "offered to", "plans to", "a proposal to"."""
    around = clause.parent
    to = next((at for at in range(clause.verb - 1, -1, -1) if words[at].plain == "to"), 0)
    return (to > 0 and words[to - 1].plain in _governors()) or (
        around is not None and words[around.verb].plain in _governors()
    )


@cache
def _governors() -> frozenset[str]:
    return frozenset(word for words in entries(lexicon()["unasserted"]["governors"], " ") for word in words)
