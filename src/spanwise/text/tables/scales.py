"""What the heads and captions of a table count in, cell by cell: as captions say it, and as heads shorten it."""

from __future__ import annotations

import re
from functools import lru_cache

from spanwise.text.quantities import Scale, scale_of

_LONGEST_HEAD = 120
_LONGEST = 4000
_BARE = re.compile(
    r"(?:^|[\s(])(?:in )?(RMB|US\$|USD|EUR|GBP|JPY|[$\u20ac\u00a3\u00a5])?[\s\u2019']?(thousand|million|billion)s?\)?$",
    re.IGNORECASE,
)
_THOUSAND = re.compile(r"\((?:in )?1,000s?\)")
_PIPE = re.compile(r"(?<!\\)\|")


@lru_cache(maxsize=4096)
def read_scale(text: str) -> Scale | None:
    """The scale that a text states, also as a head does without a word before it ("RMB'Million", "(in million)")."""
    found = scale_of(text[:_LONGEST])
    if found is not None or len(text) > _LONGEST_HEAD:
        return found
    if match := _BARE.search(text.strip()):
        currency = f"{match[1]} " if match[1] else ""
        return scale_of(f"(in {currency}{match[2].lower()}s)")
    return scale_of(_THOUSAND.sub("(in thousands)", text))


def scales_in(line: str) -> list[Scale]:
    """The scales that a line states: of a row of a pipe table those of its cells."""
    parts = _PIPE.split(line) if "|" in line else [line]
    return [scale for part in parts if (scale := read_scale(part.strip())) is not None]
