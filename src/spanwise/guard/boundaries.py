"""Ends of sentences that are certain: a plain word in lower case, a full stop, and a capital after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_END = re.compile(
    r"(?<![^\s\"'(\[*_\u201c\u2018-])[a-z]{3,}[.!?][\"'\u201d\u2019)*_]{0,4}\s+(?=[\"'(*_\u201c\u2018]{0,4}[A-Z])"
)
_ABBREVIATED = frozenset(
    "approx art cert cf corp dept dist div est etc excl ext fig gen gov incl inc ltd max min misc nos para pct pos "
    "prof pts ref resp sec seq tel vol vols viz".split()
)


def finer(text: str, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut sentences where one ends for certain.

    The finder of sentences (Punkt) takes some pairs of words for fixed ones and cuts nothing between them, such as
    "per month. Payment": right for a corpus, where it costs little, but here two claims would be judged as one.
    """
    for start, end in ranges:
        position = start
        for match in _END.finditer(text, start, end):
            if _word(match.group()) not in _ABBREVIATED:
                yield position, match.start() + len(match.group().rstrip())
                position = match.end()
        yield position, end


def _word(ended: str) -> str:
    return re.split(r"[.!?]", ended, maxsplit=1)[0]
