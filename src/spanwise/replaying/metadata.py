"""Checks a result's metadata against its trace: nothing of it is taken on trust."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from spanwise.answering.conflicting_answers.showing import CONTRADICTORY_SOURCES, contradictory
from spanwise.answering.evidence_snapshot import Proof
from spanwise.contract.result import Draft, Result, Source
from spanwise.errors import TraceError
from spanwise.guard.drafts.checked import Checked, cite

_DIGITS = 4


def check_told(
    result: Result, draft: Draft, checked: Checked, proof: Proof, sections: Mapping[str, object], *, shown: bool
) -> None:
    """Hold confidence, completeness, warnings, computations and the nearest evidence against what they come from.

    Args:
        result: As the trace has it.
        draft: The draft in the trace.
        checked: What the guard left of it, just now.
        proof: The lines in the trace.
        sections: The whole trace.
        shown: Whether the answer, or both sides of a conflict, are shown.

    Raises:
        TraceError: One of them says something else.
    """
    for what in _differing(result, draft, checked, proof, sections, shown=shown):
        raise TraceError(f"{what} of the trace does not come out of the rest of it")


def _differing(
    result: Result, draft: Draft, checked: Checked, proof: Proof, sections: Mapping[str, object], *, shown: bool
) -> Iterator[str]:
    asked, validation = _of(sections, "question"), _of(sections, "validation")
    if (result.trace_id, result.question) != (sections.get("id"), asked.get("text")):
        yield "the question"
    found = checked.answer.answer_found and shown
    sure = (draft.relevance if checked.confidence is None else checked.confidence) if found else 0.0
    if result.confidence != round(sure, _DIGITS):
        yield "the confidence"
    complete = result.completeness
    told = {"strong": complete.strong, "why": complete.why}
    if complete.weak != checked.answer.context_completeness_weak or told != validation.get("completeness"):
        yield "the completeness"
    warned = [*checked.warning_details]
    if _plain(result.warning_details[: len(warned)]) != _plain(warned):
        yield "a warning"
    for detail in result.warning_details:
        if detail.get("code") == CONTRADICTORY_SOURCES and _plain(detail) != _plain(contradictory(checked)):
            yield "a warning"
    made = [one.to_dict() if one else None for one in draft.computations]
    if _plain(result.meta.get("computations")) != _plain(made):
        yield "a computation"
    if not _nearest_stands(result, proof):
        yield "the nearest evidence"


def _nearest_stands(result: Result, proof: Proof) -> bool:
    """True if the nearest evidence is what stands in the lines of the trace, as far as it carries them."""
    known = {stored.name for stored in proof.documents()}
    for near in result.missing.nearest if result.missing is not None else ():
        place = Source(near.document, near.line_start, near.line_end)
        if near.document in known and proof.has(place) and cite(place, proof, id=near.id) != near:
            return False
    return True


def _of(sections: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = sections.get(name)
    return section if isinstance(section, Mapping) else {}


def _plain(value: object) -> object:
    """As JSON holds it."""
    return json.loads(json.dumps(value))
