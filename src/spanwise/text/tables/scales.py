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
_ABROAD = re.compile(
    r"(?<!\w)(?:(?P<thousand>tausend|tsd\.?|milliers|miles|migliaia|duizend|tusen)"
    r"|(?P<million>millionen|mio\.?|millones|milioni|miljoen|millions))\s+(?:d['\u2019]|de\s|di\s|von\s)?"
    r"(?P<of>euros?|\u20ac|eur|chf)(?!\w)|(?<!\w)[tk]\u20ac",
    re.IGNORECASE,
)
"""How captions in other languages of Europe say it: "in Tausend Euro", "en milliers d'euros", "T\u20ac"."""
_THOUSAND = re.compile(r"\((?:in )?1,000s?\)")
_PIPE = re.compile(r"(?<!\\)\|")


@lru_cache(maxsize=1024)
def read_scale(text: str) -> Scale | None:
    """The scale that a text states, also as a head does without a word before it ("RMB'Million", "(in million)")."""
    found = scale_of(text[:_LONGEST])
    if found is not None or len(text) > _LONGEST_HEAD:
        return found
    if match := _BARE.search(text.strip()):
        currency = f"{match[1]} " if match[1] else ""
        return scale_of(f"(in {currency}{match[2].lower()}s)")
    if match := _ABROAD.search(text):
        factor = "millions" if match["million"] else "thousands"
        return scale_of(f"(in {'CHF' if (match['of'] or '').lower() == 'chf' else 'EUR'} {factor})")
    return scale_of(_THOUSAND.sub("(in thousands)", text))


def scales_in(line: str) -> list[Scale]:
    """The scales that a line states: of a row of a pipe table those of its cells."""
    parts = _PIPE.split(line) if "|" in line else [line]
    return [scale for part in parts if (scale := read_scale(part.strip())) is not None]
