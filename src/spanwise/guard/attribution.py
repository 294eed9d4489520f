"""Attribution: whether the passages that a claim cites were given, and support it without the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from spanwise.contract.adapters import Given
from spanwise.domain.claim import Cited, Claim
from spanwise.guard.claims.citations import Mark
from spanwise.guard.claims.parts import Part
from spanwise.guard.verification import Finding, Verification, where

_BETWEEN = "\n\n"
_MOST_READ = 4
"""How often the passages are read again, at most; what is left counts as cited in the right place if its first evidence
is in a cited passage, and else in a wrong one."""


@dataclass(frozen=True, slots=True)
class Citing:
    """A supported statement, the passages that it cites, and where all passages together support it.

    Attributes:
        text: As it is read alone.
        cited: 1-based positions of passages.
        found: 1-based positions of the passages with its evidence, the best first.
    """

    text: str
    cited: frozenset[int]
    found: tuple[int, ...]


def misplaced(
    statements: Sequence[Citing], given: Sequence[Given], check: Callable[[str, Sequence[Given]], Verification]
) -> list[bool]:
    """For each supported statement, True if the passages that it cites do not support it by themselves.

    Where the best evidence is in a cited passage nothing is read again; the others are checked against what they cite,
    all that cite the same passages at once.
    """
    wrong = [one.found[:1] == () or one.found[0] not in one.cited for one in statements]
    groups: dict[frozenset[int], list[int]] = {}
    for index, one in enumerate(statements):
        if wrong[index]:
            groups.setdefault(one.cited, []).append(index)
    sizes = {one.position: len(one.passage.text) for one in given}
    room = _MOST_READ * sum(sizes.values())
    for cited, indices in groups.items():
        room -= sum(sizes[position] for position in cited)
        if room < 0:
            break
        texts = [statements[index].text for index in indices]
        for index, holds in zip(indices, _each_holds(texts, [given[p - 1] for p in sorted(cited)], check), strict=True):
            wrong[index] = not holds
    return wrong


def attributed(
    found: Verification,
    parts: Sequence[Part],
    given: Sequence[Given],
    check: Callable[[str, Sequence[Given]], Verification],
    place: Callable[[int, int], tuple[int, int]],
) -> Verification:
    """A verification in which every claim says whether its citations hold.

    Args:
        found: Claims and evidence, whatever is cited.
        parts: The parts of the answer with their citations; the claims among them are those of `found`, in order.
        given: The passages.
        check: Checks a text against some of the passages.
        place: The range in the answer of a range in the text that `parts` were cut from.
    """
    if not any(part.marks for part in parts):
        return found
    own = [part for part in parts if part.kind == "claim"]
    cited = _states(list(zip(found.claims, own, strict=True)), found, given, check)
    claims = tuple(replace(claim, cited=state) for claim, state in zip(found.claims, cited, strict=True))
    told = list(_findings(claims, own, found, place))
    known = {(finding.claim, finding.kind, finding.at) for finding in found.findings}
    findings = (*found.findings, *(one for one in told if (one.claim, one.kind, one.at) not in known))
    stray = any(mark.unknown for part in parts for mark in part.marks)
    hold = not stray and all(state in ("holds", "none") for state in cited)
    return replace(found, claims=claims, findings=findings, citations_hold=hold)


def _states(
    claims: Sequence[tuple[Claim, Part]],
    found: Verification,
    given: Sequence[Given],
    check: Callable[[str, Sequence[Given]], Verification],
) -> list[Cited]:
    places = {place.id: place.passage for place in found.evidence}
    states: list[Cited] = []
    asked: list[Citing] = []
    waiting: list[int] = []
    for index, (claim, part) in enumerate(claims):
        cited = frozenset(position for mark in part.marks for position in mark.cited)
        if any(mark.unknown for mark in part.marks):
            states.append("fabricated")
        elif not cited:
            states.append("none")
        else:
            states.append("wrong_place")
            if claim.support == "supported":
                text = f"{part.context}: {claim.text}" if part.context else claim.text
                asked.append(Citing(text, cited, tuple(places[name] for name in claim.citations)))
                waiting.append(index)
    for index, wrong in zip(waiting, misplaced(asked, given, check), strict=True):
        states[index] = "wrong_place" if wrong else "holds"
    return states


def _findings(
    claims: Sequence[Claim],
    parts: Sequence[Part],
    found: Verification,
    place: Callable[[int, int], tuple[int, int]],
) -> Iterator[Finding]:
    places = {one.id: one for one in found.evidence}
    for index, (claim, part) in enumerate(zip(claims, parts, strict=True)):
        for mark in part.marks:
            for name in mark.unknown:
                reason = f"it cites {name}, which was not given"
                yield Finding("fabricated", reason, index, place(mark.start, mark.end))
        if claim.cited == "wrong_place" and claim.support == "supported" and claim.citations:
            mark = _first(part.marks)
            reason = f"{where(places[claim.citations[0]])} says it, not the one that is cited"
            yield Finding("wrong_place", reason, index, place(mark.start, mark.end), claim.citations[0])


def _first(marks: Iterable[Mark]) -> Mark:
    return next(mark for mark in marks if mark.cited)


def _each_holds(
    texts: Sequence[str], passages: Sequence[Given], check: Callable[[str, Sequence[Given]], Verification]
) -> list[bool]:
    """For each text, True if these passages support it; they are read once for all."""
    ends = list(accumulate(len(text) + len(_BETWEEN) for text in texts))
    claims = check(_BETWEEN.join(texts), passages).claims
    owners = [(bisect_right(ends, claim.start), claim.support == "supported") for claim in claims]
    stated = {owner for owner, _ in owners}
    failed = {owner for owner, supported in owners if not supported}
    return [index in stated and index not in failed for index in range(len(texts))]
