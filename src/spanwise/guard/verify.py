"""`verify`: an answer against passages, claim by claim, without a model; a verifier of one's own joins the list."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import SupportsFloat, TypeAlias

from spanwise.contract.adapters import Given, given_passages
from spanwise.domain.claim import Claim, Support, Verdict
from spanwise.errors import InputError, expect
from spanwise.guard.attribution import attributed
from spanwise.guard.claims.citations import marks_in
from spanwise.guard.claims.parts import LONGEST_CLAIM, Part, comments_in, parts_of, plain_text
from spanwise.guard.comparators.comparator_list import decided, differences
from spanwise.guard.comparators.figures import is_worked_out, written_otherwise
from spanwise.guard.evidence import (
    Context,
    Difference,
    ReadClaim,
    find_evidence,
    is_quoted,
    nearest_stretch,
    stem_weights,
)
from spanwise.guard.rewording import reworded
from spanwise.guard.support import CheckedClaim, features_of, support_model
from spanwise.guard.units import Unit, VisibleText, read_sources, seen
from spanwise.guard.verification import AccountedPart, AccountedPassage, Finding, Place, Verification, where
from spanwise.text.languages import ENGLISH
from spanwise.text.terms import terms

Verifier: TypeAlias = Callable[[str, Sequence[str]], float | bool]
"""A check of one's own: from a claim and its evidence to how well it is supported, in [0, 1], or whether it is."""

SHOWN = 5
"""Places of evidence that are named for one claim, at most."""
_CONTRADICTED = 0.1
"""Highest score of a claim that a source denies."""
_JUST_BELOW = 0.001
"""Least distance of a claim in doubt from the threshold of support."""
_QUOTED = 0.98
"""Least score of a claim that a passage has verbatim."""
_SAID_AT_ONCE = 0.9
"""Share of a claim's weight in one sentence, without a finding, that makes it supported."""
_NEARLY = 0.6
"""Least score of a claim that this lifts."""
_COPIED = 0.9
"""Least score of a supported claim that repeats a sentence with changes: what only rewords it scores higher."""
_NOTHING_NEAR = 0.3
"""Highest score of a claim of which no passage has a word."""
_NO_PASSAGE = 0.02
"""Highest score of a claim where there is no passage with words."""


def verify(
    text: str,
    passages: Iterable[object] | None,
    *,
    question: str | None = None,
    verifier: Verifier | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Check an answer against passages.

    Every claim gets the evidence that comes nearest over all passages, the findings of every check, and a score: how
    likely it is supported, calibrated on answers of models that people judged (RAGTruth, Niu et al. 2024).

    Args:
        text: The answer, plain or Markdown, with or without citations.
        passages: In any form: strings, dicts, `Passage`, `Hit`, nodes and documents of other libraries.
        question: What was asked. Support rests on the claim and the passages alone, so it changes nothing.
        verifier: A check of your own, called for each claim with its evidence, best first. Its result and the guard's
            score are averaged; a claim that a source denies stays denied.
        progress: Called before each part of the answer with the number of parts that are done and that there are; what
            it raises ends the check.

    Raises:
        PassageError: A passage has no form that is known.
        InputError: The answer is no text, or the verifier returned something that is no number in [0, 1] and no bool.
    """
    del question
    expect(text, str, "the answer", "it as text")
    shown = seen(text)
    examined = examine(shown.text, passages, progress)
    found = _Report(text, shown, examined, verifier).made()
    return attributed(found, [part for part, *_ in examined.parts], examined.given, verify, shown.place)


class _Report:
    """Claims, evidence and findings as they are collected."""

    def __init__(self, text: str, shown: VisibleText, examined: Examined, verifier: Verifier | None) -> None:
        self.text, self.shown, self.examined, self.verifier = text, shown, examined, verifier
        self.claims: list[Claim] = []
        self.places: dict[tuple[int, int, int], Place] = {}
        self.findings: list[Finding] = []
        self.account: list[AccountedPart] = []
        self.used: dict[int, list[int]] = {}

    def made(self) -> Verification:
        """The whole report."""
        for part, held, unchecked in self.examined.parts:
            if held is not None:
                self._checked(held, features_of(held, self.examined.context), part.sentence)
            else:
                self._not_checked(part, unchecked)
        sources = self.examined.context.sources.sources
        passages = tuple(
            AccountedPassage(
                source.given.position,
                source.given.passage.id,
                not source.unread,
                source.unread,
                tuple(self.used.get(index, ())),
            )
            for index, source in enumerate(sources)
        )
        comments = [AccountedPart(*self.shown.place(*at), "comment") for at in comments_in(self.shown.text)]
        account = tuple(sorted([*self.account, *comments], key=lambda part: (part.start, part.end)))
        parts = (tuple(self.claims), tuple(self.places.values()), tuple(self.findings), account)
        scores = [claim.score for claim in self.claims if claim.support != "unchecked"]
        # Claims of one answer are right or wrong together: with the root the product tells answers apart best.
        score = math.prod(scores) ** (1 / math.sqrt(len(scores) or 1)) if account else 0.0
        return Verification(self.text, *parts, passages, round(score, 4))

    def _not_checked(self, part: Part, reason: str) -> None:
        start, end = self.shown.place(part.start, part.end)
        if part.kind != "claim":
            self.account.append(AccountedPart(start, end, part.kind, sentence=part.sentence))
            return
        self.account.append(AccountedPart(start, end, "unchecked", reason, len(self.claims), part.sentence))
        self.claims.append(Claim(start, end, self.text[start:end], "unchecked", "flag", reason, 0.0))

    def _checked(self, held: CheckedClaim, row: Sequence[float], sentence: int) -> None:
        index = len(self.claims)
        start, end = self.shown.place(held.said.start, held.said.end)
        score = self._score(held, row)
        support, verdict = _decided(score, held)
        shown = [self._place(unit) for unit in _shown(held)]
        ids = tuple(place.id for place in shown)
        reason = _reason(support, held, shown)
        self.claims.append(Claim(start, end, self.text[start:end], support, verdict, reason, round(score, 4), ids))
        self.account.append(AccountedPart(start, end, "claim", claim=index, sentence=sentence))
        for fault in _told_once(held.faults):
            proof = self._place(fault.unit).id if fault.unit is not None else None
            self.findings.append(
                Finding(fault.kind, fault.reason, index, self.shown.place(*fault.at), proof, fault.denies)
            )
        for unit in held.evidence.best[:1]:
            self.used.setdefault(unit.source, []).append(index)

    def _score(self, held: CheckedClaim, row: Sequence[float]) -> float:
        score = support_model().score(row)
        if held.quoted and not held.faults:
            score = max(score, _QUOTED)
        elif not held.faults and self._said_at_once(held, score):
            score = max(score, support_model().sure_from)
        elif not held.faults and score < support_model().supported_from and is_worked_out(held.said, held.evidence):
            score = support_model().supported_from
        elif score < _COPIED and self._copied_with_changes(held):
            score = min(score, support_model().supported_from - _JUST_BELOW)
        if held.said.weights.keys().isdisjoint(self.examined.context.sources.postings):
            score = min(score, _NOTHING_NEAR if self.examined.context.sources.units else _NO_PASSAGE)
        if self.verifier is not None:
            score = (score + told_by(self.verifier, held.said.plain, [unit.text for unit in _shown(held)])) / 2
        if _denied(held.faults):
            return min(score, _CONTRADICTED)
        doubted = any(fault.doubts for fault in held.faults)
        return min(score, support_model().supported_from - _JUST_BELOW) if doubted else score

    def _said_at_once(self, held: CheckedClaim, score: float) -> bool:
        """True if one sentence says all of a claim: each of its words in its order, or nearly all by weight."""
        if held.said.language != ENGLISH:  # `words_are_found` compared every word
            return True
        stretch = nearest_stretch(held.said, held.evidence, self.examined.context)
        in_order = stretch is not None and stretch.sure and stretch.alignment.common == len(stretch.alignment.ours)
        return in_order or (held.evidence.single >= _SAID_AT_ONCE and score >= _NEARLY)

    def _copied_with_changes(self, held: CheckedClaim) -> bool:
        stretch = nearest_stretch(held.said, held.evidence, self.examined.context)
        return stretch is not None and stretch.alignment.near_copy and bool(stretch.alignment.changes)

    def _place(self, unit: Unit) -> Place:
        key = (unit.source, unit.start, unit.end)
        if key not in self.places:
            given = self.examined.given[unit.source]
            self.places[key] = Place(
                id=f"e{len(self.places) + 1}",
                passage=given.position,
                passage_id=given.passage.id,
                document=given.passage.document,
                page=given.page,
                line_start=unit.line_start,
                line_end=unit.line_end,
                start=unit.start,
                end=unit.end,
                quote=given.passage.text[unit.start : unit.end],
            )
        return self.places[key]


def told_by(verifier: Verifier, said: str, evidence: Sequence[str]) -> float:
    """What a verifier says of a claim, in [0, 1].

    Raises:
        InputError: It says something else.
    """
    found: object = verifier(said, evidence)
    if not isinstance(found, SupportsFloat) or not 0 <= float(found) <= 1:
        raise InputError(f"the verifier returned {found!r}: it has to return a bool or a number from 0 to 1")
    return float(found)


def _shown(held: CheckedClaim) -> list[Unit]:
    """The evidence that together says most of the claim, then what else comes near."""
    best = held.evidence.best
    known = frozenset[str]().union(*(unit.known for unit in best))
    shown = dict.fromkeys(best[:SHOWN])
    for unit, _ in held.evidence.candidates:
        if len(shown) == SHOWN:
            break
        if not unit.titled or not unit.known.intersection(held.said.wanted) <= known:
            shown[unit] = None
    return list(shown)


def _told_once(faults: Sequence[Difference]) -> list[Difference]:
    """Without what another check says of the same words."""
    found: list[Difference] = []
    for fault in faults:
        low, high = fault.at
        if not any(one.kind == fault.kind and one.at[0] < high and low < one.at[1] for one in found):
            found.append(fault)
    return found


def _denied(faults: Sequence[Difference]) -> bool:
    return any(fault.denies for fault in faults)


def _decided(score: float, held: CheckedClaim) -> tuple[Support, Verdict]:
    model = support_model()
    if _denied(held.faults):
        return "contradicted", "remove"
    if any(fault.doubts for fault in held.faults):
        return "unsupported", "flag"
    if score >= model.supported_from:
        return "supported", "keep" if score >= model.sure_from and not held.faults else "flag"
    return "unsupported", "remove" if score < model.removed_below else "flag"


def _reason(support: Support, held: CheckedClaim, shown: Sequence[Place]) -> str:
    """Why, in words; what a check found comes first."""
    denied = [fault for fault in held.faults if fault.denies]
    if denied or held.faults:
        return (denied or list(held.faults))[0].reason
    if not shown:
        return "no passage has any of its words"
    place = where(shown[0])
    if support == "supported":
        return f"its very words stand in {place}" if held.quoted else f"{place} says it"
    share = round(100 * held.evidence.together)
    return f"{place} comes nearest, with {share} % of its words by weight; too much of it is not said there"


MOST_CLAIMS = 5000
"""Claims of one answer that are checked; those after are told to be unchecked."""

_NEAREST = 4
"""Sentences whose words a claim is put into where its own are not theirs."""
_COMPOUND = re.compile(r"\b[^\W\d_]{3,40}(?:-[^\W\d_]{3,40}){1,4}\b")


@dataclass(frozen=True, slots=True)
class Examined:
    """An answer with what was found out about each of its parts."""

    given: tuple[Given, ...]
    context: Context
    parts: tuple[tuple[Part, CheckedClaim | None, str], ...]
    """Each part; of a claim what it is held against, or why it was not checked."""

    @property
    def held(self) -> list[CheckedClaim]:
        """The claims that were checked."""
        return [held for _, held, _ in self.parts if held is not None]


def examine(
    text: str,
    passages: Iterable[object] | None,
    progress: Callable[[int, int], None] | None = None,
) -> Examined:
    """Cut an answer into claims, find the evidence of each, and run every check.

    Args:
        text: The answer.
        passages: In any form.
        progress: Called before each part with the number of those that are examined and that there are.

    Raises:
        PassageError: A passage has no form that is known.
    """
    given = given_passages(passages)
    context = Context(read_sources(given))
    marks = marks_in(text, given)
    plain = plain_text(text, marks)
    parts: list[tuple[Part, CheckedClaim | None, str]] = []
    count = 0
    cut = parts_of(plain, marks)
    whole = {number: list(own) for number, own in groupby(cut, key=lambda part: part.sentence)}
    for done, part in enumerate(cut):
        if progress is not None:
            progress(done, len(cut))
        if part.kind != "claim":
            parts.append((part, None, ""))
            continue
        own = plain[part.start : part.end]
        unchecked, language = _unchecked(own, count, context)
        sentence = plain[whole[part.sentence][0].start : whole[part.sentence][-1].end][:LONGEST_CLAIM]
        words = (text[part.start : part.end], own, sentence)
        held = None if unchecked else _in_either_words(part, count, words, language, context)
        parts.append((part, held, unchecked))
        count += 1
    return Examined(given, context, tuple(parts))


def _in_either_words(
    part: Part, index: int, words: tuple[str, str, str], language: str, context: Context
) -> CheckedClaim:
    """A claim with its evidence, in the passages' words where those support it and its own do not."""
    held = _held(part, index, words, language, context)
    written, own, sentence = words
    near = (unit.text for unit, _ in held.evidence.candidates[:_NEAREST])
    other = reworded(own, near) if language == ENGLISH and not held.quoted else None
    if other is None or (not held.faults and _supports(held, context)):
        return held
    again = _held(part, -1 - index, (written, other, sentence.replace(own, other)), language, context)
    return again if not again.faults and (again.quoted or _supports(again, context)) else held


def _supports(held: CheckedClaim, context: Context) -> bool:
    return support_model().score(features_of(held, context)) >= support_model().supported_from


def _held(part: Part, index: int, words: tuple[str, str, str], language: str, context: Context) -> CheckedClaim:
    """A claim with its evidence; its words come as they are written, without citations, and with their sentence."""
    written, own, sentence = words
    stems = tuple(_stems(f"{part.context} {own}", context, language))
    weights = stem_weights(stems, context.sources)
    said = ReadClaim(
        index, part.start, part.end, written, own, sentence, part.context, part.marks, stems, *weights, language
    )
    evidence = find_evidence(said, context.sources)
    if rewritten := written_otherwise(said, evidence):
        ours, theirs = (
            {stem: weight for stem, weight in part.items() if stem not in rewritten}
            for part in (said.weights, said.wanted)
        )
        said = replace(said, weights=ours, wanted=theirs)
        evidence = find_evidence(said, context.sources)
    faults = decided(differences(said, evidence, context), said, evidence, context)
    return CheckedClaim(said, evidence, faults, is_quoted(said, evidence, context))


def _stems(text: str, context: Context, language: str) -> list[str]:
    """The stems of a claim; of a compound that the passages lack those of its parts ("third-party information")."""
    if language != ENGLISH:
        return terms(text, language)
    compounds = _COMPOUND.findall(text) if "-" in text else ()
    for written in compounds:
        if not all(stem in context.sources.postings for stem in terms(written)):
            text = text.replace(written, written.replace("-", " "))
    return terms(text)


def _unchecked(own: str, index: int, context: Context) -> tuple[str, str]:
    """Why a claim cannot be checked, nothing when it can, and the language that it is compared in."""
    if index >= MOST_CLAIMS:
        return f"only {MOST_CLAIMS} claims are checked", ""
    if len(own) > LONGEST_CLAIM:
        return f"it is longer than {LONGEST_CLAIM} characters", ""
    language = context.language_of(own)
    if context.languages and language not in context.languages:
        return "it is in another language than the passages", ""
    return "", language
