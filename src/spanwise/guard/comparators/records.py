"""Records: what a claim says of a key against the value that the record has there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.records.attributes import Attribute, attributes_in
from spanwise.guard.records.schedules import clashes


def record_agrees(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim affirms what the record says is so, denies what it says is not so, and keeps to its hours."""
    del evidence
    if not context.records:
        return []
    return [*_attributes(said, context), *_hours(said, context)]


def _attributes(said: ReadClaim, context: Context) -> Iterator[Difference]:
    for found in attributes_in(said.plain, context.flags):
        at = said.start + found.start, said.start + found.end
        name = found.flag.unit.text.partition(":")[0]
        if found.flag.standing == "unknown":
            yield Difference("not_in_sources", f"the record leaves {name} open", at, found.flag.unit)
        elif found.denied == (found.flag.standing == "yes"):
            reason = f"the record says {found.flag.standing} to {name}, the answer does not"
            yield Difference("negated", reason, at, found.flag.unit, denies=_sure(found))


def _sure(found: Attribute) -> bool:
    """True if a key can be meant by nothing else: it has two words, or the claim names the key above it as well."""
    return found.grouped or len(found.flag.keys) > 1 or not found.flag.group


def _hours(said: ReadClaim, context: Context) -> Iterator[Difference]:
    schedule = context.schedule
    for clash in clashes(said.plain, schedule) if schedule else ():
        at = said.start + clash.start, said.start + clash.end
        yield Difference(
            "date_changed", f"the hours of the record do not have {clash.said}", at, clash.unit, denies=True
        )
