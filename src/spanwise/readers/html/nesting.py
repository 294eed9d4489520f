"""Refuses pages that would keep the HTML parser busy for minutes, before it starts."""

from __future__ import annotations

import re

from spanwise.errors import LimitError
from spanwise.readers.bounds import Budget

_VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr "
    "circle ellipse image line path polygon polyline rect stop use".split()  # closed as in XML within a drawing
)
_CLOSED_BY_OTHERS = frozenset("p li td th tr tbody thead tfoot dt dd option optgroup colgroup rp rt".split())
_BARRIERS = frozenset("table td th caption template object applet marquee html".split())
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_PARSER_WORK = 300_000_000
"""Steps that the parser may need: it looks through all open elements whenever a block starts (3 s)."""
_SEARCHED = 64


def check_nesting(text: str, budget: Budget) -> None:
    """Count the steps of the parser roughly as HTML nests elements; it cannot be interrupted once it runs.

    Raises:
        LimitError: There are too many.
    """
    stack: list[str] = []
    work = 0
    for match in _TAG.finditer(text):
        budget.step()
        tag = match[2].lower()
        if tag in _VOID or tag in _CLOSED_BY_OTHERS:
            work += len(stack)
        elif match[1]:
            _close(stack, tag)
        else:
            work += len(stack)
            stack.append(tag)
        if work > _PARSER_WORK:
            raise LimitError(
                f"{budget.name} has elements nested {len(stack):,} deep: "
                "save it again from a browser as a simple page.",
                document=budget.name,
            )


def _close(stack: list[str], tag: str) -> None:
    for depth in range(1, min(_SEARCHED, len(stack)) + 1):
        if stack[-depth] == tag:
            del stack[-depth:]
            return
        if stack[-depth] in _BARRIERS:
            return
