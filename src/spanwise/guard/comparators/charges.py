"""What costs nothing: a claim says "free of charge" of what a source gives a price for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms

_FREE = re.compile(
    r"\b(?:free\s+of\s+charge|(?:for|at|is|are|was|were|be|travels?|go|goes|enter|come)\s+free(?:\s+of\s+charge)?|without\s+charge|gratis"
    r"|complimentary|(?:at|for)\s+no\s+(?:extra\s+|additional\s+)?(?:cost|charge)|(?:pays?|paid|costs?)\s+nothing)\b",
    re.IGNORECASE,
)


def what_costs_is_not_free(said: ReadClaim, evidence: Evidence, _context: Context) -> Sequence[Difference]:
    """Nothing is called free of which a sentence gives a price, and none says that it is free."""
    found = _FREE.search(said.plain)
    others = frozenset(terms(f"{said.plain[: found.start()]} {said.plain[found.end() :]}")) if found else frozenset()
    about = [unit for unit, _ in evidence.candidates if others <= unit.known] if others else []
    if found is None or any(_FREE.search(unit.text) for unit in about):
        return []
    for unit in about:
        price = next((one for one in quantities(unit.text) if one.kind == "money" and one.value), None)
        if price is not None:
            reason = f'the answer says "{found.group()}", the source "{unit.text[price.start : price.end]}"'
            at = said.start + found.start(), said.start + found.end()
            return [Difference("swapped", reason, at, unit, doubts=True)]
    return []
