"""An answer held against its passages: its parts, and for each claim the evidence and what the checks find."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from spanwise.contract.adapters import Given, given_passages
from spanwise.guard.claims.citations import marks_in
from spanwise.guard.claims.parts import LONGEST_CLAIM, Part, parts_of, plain_text
from spanwise.guard.comparators.comparator_list import differences
from spanwise.guard.comparators.decision import decided
from spanwise.guard.comparators.figures import written_otherwise
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import ReadClaim, find_evidence, stem_weights
from spanwise.guard.evidence.stretches import is_quoted
from spanwise.guard.evidence.units import read_sources
from spanwise.guard.support.features import CheckedClaim
from spanwise.text.languages import ENGLISH
from spanwise.text.terms import terms

MOST_CLAIMS = 5000
"""Claims of one answer that are checked; those after are told to be unchecked."""

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
        unchecked = _unchecked(own, count, context)
        parts.append(
            (
                part,
                None if unchecked else _held(part, text, (own, _sentence(whole[part.sentence], plain)), count, context),
                unchecked,
            )
        )
        count += 1
    return Examined(given, context, tuple(parts))


def _sentence(parts: Sequence[Part], plain: str) -> str:
    return plain[parts[0].start : parts[-1].end][:LONGEST_CLAIM]


def _held(part: Part, text: str, words: tuple[str, str], index: int, context: Context) -> CheckedClaim:
    own, sentence = words
    language = context.language_of(own)
    stems = tuple(_stems(f"{part.context} {own}", context, language))
    weights = stem_weights(stems, context.sources)
    written = text[part.start : part.end]
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


def _unchecked(own: str, index: int, context: Context) -> str:
    """Why a claim cannot be checked; nothing when it can."""
    if index >= MOST_CLAIMS:
        return f"only {MOST_CLAIMS} claims are checked"
    if len(own) > LONGEST_CLAIM:
        return f"it is longer than {LONGEST_CLAIM} characters"
    if context.languages and context.language_of(own) not in context.languages:
        return "it is in another language than the passages"
    return ""
