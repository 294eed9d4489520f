"""Columns of a table that is set with spaces: what stands between places where no line has a letter."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOST_LINES = 400
_LONGEST = 400
_LEAST_LINES = 3
_GAP = re.compile(r"\s{2,}")


def spaced_columns(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Where each column begins, and where the next one does; nothing where lines are not set in columns.

    One space parts two cells where it stands below and above others. What few lines fill is no column of its own, and
    no gap of two spaces may lie within a cell.
    """
    if not _LEAST_LINES <= len(texts) <= _MOST_LINES or any("\t" in one or len(one) > _LONGEST for one in texts):
        return []
    wide = range(max(map(len, texts)))
    inked = [any(at < len(one) and not one[at].isspace() for one in texts) for at in wide]
    starts: list[int] = []
    for start in (at for at, ink in enumerate(inked) if ink and not (at and inked[at - 1])):
        end = next(at for at in range(start, len(inked) + 1) if at == len(inked) or not inked[at])
        filled = sum(bool(one[start:end].strip()) for one in texts)
        if not starts or 2 * filled >= len(texts):
            starts.append(start)
    columns = list(zip(starts, [*starts[1:], _LONGEST], strict=True))
    cut = [[one[left:right].strip() for left, right in columns] for one in texts]
    return columns if len(columns) > 1 and not any(_GAP.search(cell) for row in cut for cell in row) else []
