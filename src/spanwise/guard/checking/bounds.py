"""Bounds: "at least 4 percent" where the source says "not more than 4 percent"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.sources import Unit
from spanwise.text.polarity import NEGATION
from spanwise.text.quantities import Quantity, agrees

_SIDES = {"least": "from", "more": "from", "most": "to", "less": "to"}
_NEAR = 0.5
"""Share of the claim that a sentence holds which bounds the same thing."""
_DEADLINE = re.compile(r"\b(?:before|prior|advance|ahead|ago)\b", re.IGNORECASE)
"""Beside these, "at least 60 days" and "no later than 60 days" say the same."""
_OF_BOUNDS = re.compile(r"\b(?:no|not)\s(?:more|less|fewer|greater|later|earlier|to\sexceed|exceed)", re.IGNORECASE)
_WORDS_BEFORE = 4


def bounds_agree(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """What the claim calls the least is not the most in the source, nor the other way round."""
    del context
    bounded = [one for one in said.quantities if one.bound in _SIDES]
    if not bounded or _unclear(said.plain):
        return []
    units = [unit for unit, held in evidence.candidates if held >= _NEAR and unit.fact is None]
    return [fault for ours in bounded if (fault := _turned(ours, units, said)) is not None]


def _turned(ours: Quantity, units: Sequence[Unit], said: Said) -> Fault | None:
    """Where every near sentence with the figure bounds it from the other side."""
    theirs = [(unit, one) for unit in units for one in unit.quantities if agrees(ours, one)]
    if not theirs or any(_side(one) in (None, _side(ours)) or _unclear(unit.text) for unit, one in theirs):
        return None
    unit, other = theirs[0]
    reason = f'the answer says "{_shown(ours, said.plain)}", the source "{_shown(other, unit.text)}"'
    at = said.start + ours.start, said.start + ours.end
    return Fault("number_changed", reason, at, unit, denies=True, doubts=True)


def _side(quantity: Quantity) -> str | None:
    return _SIDES.get(quantity.bound or "")


def _unclear(text: str) -> bool:
    """Whether a denial or a deadline may turn a bound around."""
    return _DEADLINE.search(text) is not None or NEGATION.search(_OF_BOUNDS.sub("", text)) is not None


def _shown(quantity: Quantity, text: str) -> str:
    return " ".join([*text[: quantity.start].split()[-_WORDS_BEFORE:], text[quantity.start : quantity.end].strip()])
