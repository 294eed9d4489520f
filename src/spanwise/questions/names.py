"""Names in a question: runs of capitalised words that do not begin it."""

from __future__ import annotations

import re

_NAME = re.compile(
    r"(?<![.?!]\s)(?<!^)\b[A-Z][\w&'.\u2019-]{0,40}(?:\s+(?:of|and|the|&|[A-Z0-9][\w&'.\u2019-]{0,40})){0,7}"
)


def entities(text: str) -> tuple[str, ...]:
    """Names as written, each once, in order."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = re.sub(r"(?:\s+(?:of|and|the|&))+$", "", match.group()).strip(" .'\u2019")
        if len(name) > 1:
            found[name] = None
    return tuple(found)
