"""`spanwise eval`: asks the questions of public sets, prints figures, keeps rows, compares with an earlier run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.errors import InputError
from spanwise.evaluation.cases import Row
from spanwise.evaluation.comparing import compare_runs
from spanwise.evaluation.conflicts import measuring as conflicts
from spanwise.evaluation.data import data_folder
from spanwise.evaluation.docqa import DOCQA
from spanwise.evaluation.grounding import guardsets, pairs, shipping
from spanwise.evaluation.grounding import measuring as grounding
from spanwise.evaluation.grounding.items import LOADERS
from spanwise.evaluation.planted.measuring import PLANTED, documents_in, measure
from spanwise.evaluation.report import as_text, as_values, report_of
from spanwise.evaluation.rows import read_rows_file, write_rows
from spanwise.evaluation.runner import Progress, run_set
from spanwise.evaluation.sets import SETS, chosen_sets
from spanwise.evaluation.traps import measuring as traps


def run_eval(
    set_name: str,
    data: str | None,
    rows: str | None,
    compare: str | None,
    limit: int | None,
    as_json: bool,
    workers: int | None = None,
) -> int:
    """Measure a set (or `all`) and return the exit code.

    Args:
        set_name: Name of the set, `docqa` for all sets of documents of many kinds, `planted` for faults planted in
            answers made from the documents of the data, `conflicts` for pairs of sources made from them, or `traps` for
            claims made from their sentences.
        data: Folder of the data; the environment and the usual place are looked at when it is None.
        rows: Where to write one line a question.
        compare: Rows file of an earlier run.
        limit: How many questions a set; None the usual number, 0 all.
        as_json: Print JSON instead of text.
        workers: How many processes; one a core by default.

    Raises:
        SpanwiseError: The data or an earlier run cannot be used, or the rows cannot be written.
    """
    if set_name in _MADE:
        return _run_made(set_name, data_folder(data), rows or compare, limit, as_json)
    if set_name not in ("all", DOCQA) and set_name not in SETS:
        raise InputError(f"there is no evaluation set {set_name!r}: choose {', '.join([*SETS, DOCQA, *_MADE])} or all")
    sets = chosen_sets(set_name)
    folder = data_folder(data)
    earlier = None if compare is None else read_rows_file(Path(compare))
    if rows is not None:
        write_rows([], Path(rows))  # a place that cannot be written to is told before minutes of work, not after
    reports, measured = [], list[Row]()
    for data_set in sets:
        began = time.perf_counter()
        with _asking(data_set.name) as progress:
            asked = run_set(data_set, folder, limit=limit, workers=workers, progress=progress)
        reports.append(report_of(data_set, asked, time.perf_counter() - began))
        measured += asked
    if rows is not None:
        write_rows(measured, Path(rows))
    comparison = None if earlier is None else compare_runs(earlier, measured)
    if as_json:
        print_json(as_values(reports, comparison))
    else:
        stdout().print(printable(as_text(reports, comparison)), markup=False)
    return 0


class _Measured(Protocol):
    """What was counted over cases that are made from documents, and not asked."""

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""

    def as_text(self) -> str:
        """The counts as a table for a person."""


def _planted(folder: Path, limit: int | None) -> _Measured:
    return measure(documents_in(folder / "pdfs", limit or None))


def _conflicts(folder: Path, limit: int | None) -> _Measured:
    return conflicts.measure(conflicts.sources_in(folder, limit))


def _grounding(name: str, folder: Path, limit: int | None) -> _Measured:
    return grounding.measure(name, folder, limit)


_MADE: Mapping[str, Callable[[Path, int | None], _Measured]] = {
    PLANTED: _planted,
    conflicts.SET: _conflicts,
    pairs.CHANGED: pairs.measure,
    traps.SET: traps.measure,
    guardsets.ALL_GUARD_SETS: guardsets.measure_all,
    shipping.GUARDED: shipping.measure,
    **{name: partial(_grounding, name) for name in LOADERS},
}
"""Sets that are not questions over documents: the guard and validation are measured on them."""


def _run_made(set_name: str, folder: Path, rows: str | None, limit: int | None, as_json: bool) -> int:
    """Measure on cases that are made from documents; `limit` counts documents."""
    if rows is not None:
        raise InputError(
            f"{set_name} is made from documents and has no rows to write or compare: leave --rows and --compare out"
        )
    measured = _MADE[set_name](folder, limit)
    if as_json:
        print_json(measured.as_values())
    else:
        stdout().print(printable(measured.as_text()), markup=False)
    return 0


@contextmanager
def _asking(label: str) -> Iterator[Progress | None]:
    """A progress bar over questions; None when stderr is not a terminal."""
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bar

    with Bar(console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
