"""Claims made from a sentence of a source with a few words changed: which change turns it into something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.aligning import LONGEST, Alignment, Change, Word, align
from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.contrasts import MONTHS, QUANTIFIERS, STRENGTHS, UNITS, opposite
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.quoting import is_quoted
from spanwise.guard.sources import Unit
from spanwise.guard.statements import is_negation
from spanwise.guard.verification import FindingKind
from spanwise.text.terms import stem

_CANDIDATES = 3
_LEAST_SHARE = 0.5
"""Share of the claim's weight that a unit has to hold to be put beside it."""
_FEWEST = 4
_MOST_REPLACED = 4
"""Words on either side of a change that still puts one thing in the place of another."""
_SURE_COPY = 0.9
"""Share from which a name is compared with the end of what stands in its place."""
_MOST_CHANGES = 4


def made_from_another(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """No number, date, name, negation, duty, quantity or direction differs from the sentence it was made from."""
    if is_quoted(said, evidence, context):
        return []
    nearest: tuple[Alignment, Unit] | None = None
    for unit, held in evidence.candidates[:_CANDIDATES]:
        if held < _LEAST_SHARE and nearest is not None:
            break
        if held < _LEAST_SHARE - 0.2 or len(unit.text) > LONGEST * 12:
            continue
        alignment = align(said.plain, unit.text)
        if nearest is None or alignment.share > nearest[0].share:
            nearest = alignment, unit
    if nearest is None or not nearest[0].near_copy or len(nearest[0].ours) < _FEWEST:
        return []
    alignment, unit = nearest
    if len(alignment.changes) > _MOST_CHANGES:
        return []
    return [fault for change in alignment.changes for fault in _faults(change, alignment, said, unit, context)]


def _faults(change: Change, alignment: Alignment, said: Said, unit: Unit, context: Context) -> Iterator[Fault]:
    if max(len(change.ours), len(change.theirs)) > _MOST_REPLACED and not _new_numbers(change, alignment):
        wild = len(change.ours) > _MOST_REPLACED or not _names(change.ours) or _negations_in(change)
        if wild or alignment.share < _SURE_COPY:
            return
        tail = change.theirs[-len(change.ours) - 1 :]  # what stands where the claim goes on with the same words
        change = Change(change.ours, tail, change.before)
    at = _range(change, alignment, said)
    told = f"the answer says {_shown(said.plain, change.ours)}, the source {_shown(unit.text, change.theirs)}"
    kind = _kind(change, alignment)
    if kind is not None:
        yield Fault(kind, told, at, unit, denies=True)
    elif _other_name(change):
        known = any(stem(name) in context.sources.postings for name in _names(change.ours))
        yield Fault("swapped" if known else "not_in_sources", told, at, unit, denies=True)


def _kind(change: Change, alignment: Alignment) -> FindingKind | None:
    """What a change makes of a statement, names aside; None where it may say the same."""
    ours, theirs = [word.plain for word in change.ours], [word.plain for word in change.theirs]
    numbers, others = _numbers(change.ours), _numbers(change.theirs)
    if _negations(ours) % 2 != _negations(theirs) % 2:
        return "negated"
    if _new_numbers(change, alignment) or (numbers and others and numbers != others):
        return "date_changed" if _in_a_date(change, alignment) else "number_changed"
    if _one_of_each(ours, theirs, MONTHS):
        return "date_changed"
    if _one_of_each(ours, theirs, UNITS):
        return "number_changed"
    if _firmer(ours, theirs, STRENGTHS) or _firmer(ours, theirs, QUANTIFIERS):
        return "overstated"
    return "negated" if any(opposite(one, other) for one in ours for other in theirs) else None


def _new_numbers(change: Change, alignment: Alignment) -> list[str]:
    """Numbers that the source's sentence does not have at all."""
    if not any(word.number and word.start for word in change.theirs):
        return []
    known = {word.plain for word in alignment.theirs if word.number}
    return [number for number in _numbers(change.ours) if number not in known]


def _other_name(change: Change) -> bool:
    """A name in the place of another name."""
    ours, theirs = _names(change.ours), _names(change.theirs)
    if not ours or not theirs or set(ours) & set(theirs):
        return False
    return not (_short_for(ours, theirs) or _short_for(theirs, ours))


def _names(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words if word.capital]


def _short_for(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether one shortens the other: "Corp" and "Corporation", "US" and "United States"."""
    initials = "".join(word[0] for word in long)
    return any(word == initials or any(other.startswith(word) for other in long) for word in short)


def _negations(words: Sequence[str]) -> int:
    return sum(is_negation(word) for word in words)


def _negations_in(change: Change) -> int:
    return _negations([word.plain for word in (*change.ours, *change.theirs)])


def _numbers(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words if word.number and word.start]


def _in_a_date(change: Change, alignment: Alignment) -> bool:
    near = alignment.ours[max(0, change.before - 3) : change.before + len(change.ours) + 3]
    whole = all(word.number and len(word.plain) == 4 and word.plain[:2] in ("19", "20") for word in change.ours)
    return whole or any(word.plain in MONTHS for word in near)


def _firmer(ours: Sequence[str], theirs: Sequence[str], group: dict[str, int]) -> bool:
    """Whether the claim says it more firmly, or of more, than the source."""
    left = [group[word] for word in ours if word in group]
    right = [group[word] for word in theirs if word in group]
    return bool(left and right) and max(left) > max(right)


def _one_of_each(ours: Sequence[str], theirs: Sequence[str], group: dict[str, str]) -> bool:
    """Whether both have a word of a group, and different ones."""
    left = {group[word] for word in ours if word in group}
    right = {group[word] for word in theirs if word in group}
    return bool(left and right and left.isdisjoint(right))


def _range(change: Change, alignment: Alignment, said: Said) -> tuple[int, int]:
    if change.ours:
        return said.start + change.ours[0].start, said.start + change.ours[-1].end
    beside = alignment.ours[max(0, change.before - 1) : change.before + 1]
    return said.start + beside[0].start, said.start + beside[-1].end


def _shown(text: str, words: Sequence[Word]) -> str:
    return f'"{text[words[0].start : words[-1].end]}"' if words else "nothing there"
