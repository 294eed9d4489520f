"""Rows of a run: a file with one question a line, written in the order of the data, read back, and compared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from spanwise.errors import InputError, StorageError
from spanwise.evaluation.cases import Row
from spanwise.evaluation.metrics import mean


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """Write a rows file."""
    try:
        with path.open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}): name another file for the rows") from error


def read_rows_file(path: Path) -> list[Row]:
    """The rows of an earlier run."""
    adapter = TypeAdapter(Row)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): name the --rows file of an earlier run") from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text: name the --rows file of an earlier run") from None
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(adapter.validate_json(line))
        except ValidationError:
            raise InputError(f"line {number} of {path} is no row of a run: name the --rows file of one") from None
    return rows


SHOWN = 10
"""Questions that are named for each direction of a change."""
_NOT_COMPARED = frozenset(("words", "sure"))
"""Metrics of which more is not better."""


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one metric in one part of a set, over the questions that both runs asked."""

    set: str
    part: str
    metric: str
    before: float
    after: float
    n: int
    better: tuple[str, ...]
    """Ids of all questions that got better, in the order of the data."""
    worse: tuple[str, ...]

    @property
    def net(self) -> int:
        """Questions that got better less those that got worse."""
        return len(self.better) - len(self.worse)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side."""

    changes: tuple[Change, ...]
    only_before: int
    """Questions of these sets that only the earlier run asked."""
    only_after: int


def compare_runs(before: Sequence[Row], after: Sequence[Row]) -> Comparison:
    """Compare an earlier run with a later one; sets that the later one did not run are left out."""
    sets = {row.set for row in after}
    earlier = {row.key: row for row in before if row.set in sets}
    pairs = [(earlier[row.key], row) for row in after if row.key in earlier]
    groups: dict[tuple[str, str, str], list[tuple[str, float, float]]] = {}
    for old, new in pairs:
        for metric, number in new.metrics.items():
            was = old.metrics.get(metric)
            if number is not None and was is not None and metric not in _NOT_COMPARED:
                groups.setdefault((new.set, new.part, metric), []).append((new.id, float(was), float(number)))
    changes = tuple(_change(name, numbers) for name, numbers in groups.items())
    return Comparison(changes, len(earlier) - len(pairs), len(after) - len(pairs))


def _change(name: tuple[str, str, str], numbers: Sequence[tuple[str, float, float]]) -> Change:
    return Change(
        *name,
        before=mean([was for _, was, _ in numbers]) or 0.0,
        after=mean([now for _, _, now in numbers]) or 0.0,
        n=len(numbers),
        better=tuple(case for case, was, now in numbers if now > was),
        worse=tuple(case for case, was, now in numbers if now < was),
    )
