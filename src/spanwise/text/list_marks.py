"""List markers: the signs that open an item of a list, for patterns.

A new one is added here, and readers, answers and guard know it.
"""

from __future__ import annotations

import re

BULLETS = (
    "\u2022\u25cf\u25cb\u25e6\u25aa\u25ab\u25a0\u25a1\u25c6\u25c7\u25b6\u25ba\u27a2\u27a4\u2756\u2219\u2023\u2043\u00b7"
)
"""Signs that open an item and are nothing else, to stand in a set of a pattern."""
OF_SYMBOLS = "\uf000-\uf0ff"
"""The same in fonts of symbols, whose signs have no character of their own."""
TICKS = "\u2713\u2714"
"""Signs that open an item of a printed list, and say yes elsewhere."""
DASHES = "*\u2013\u2014-"
"""Signs that open an item where a space follows; they stand last in a set."""
NUMBER = r"\(?(?:\d{1,3}|[a-zA-Z])[.)]"
"""The number or letter of an item: 1. (2) a) B."""
OPENING = re.compile(rf"\s*(?:[{BULLETS}+{DASHES}]|{NUMBER})\s+")
"""All of a marker in running text, with the spaces around it."""
