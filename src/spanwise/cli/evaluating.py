"""`spanwise eval`: asks the questions of a set, prints figures, keeps rows, compares with an earlier run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.errors import InputError
from spanwise.evaluation.cases import Row
from spanwise.evaluation.data import data_folder
from spanwise.evaluation.own import own_set
from spanwise.evaluation.report import as_text, as_values, report_of
from spanwise.evaluation.rows import compare_runs, read_rows_file, write_rows
from spanwise.evaluation.runner import Progress, run_set
from spanwise.evaluation.sets import Measured, sets_of

OWN = ".jsonl"
"""Ending of a file of one's own questions."""


def run_eval(
    set_name: str,
    data: str | None,
    rows: str | None,
    compare: str | None,
    limit: int | None,
    as_json: bool,
    workers: int | None = None,
    module: str | None = None,
) -> int:
    """Measure a set (or `all`) and return the exit code.

    Args:
        set_name: A file of one's own questions (JSON lines), or the name of a set or group of `module`.
        data: Folder of the data; the environment and the usual place are looked at when it is None.
        rows: Where to write one line a question.
        compare: Rows file of an earlier run.
        limit: How many questions a set; None the usual number, 0 all.
        as_json: Print JSON instead of text.
        workers: How many processes; one a core by default.
        module: Where the sets are defined; the public ones of the repository by default.

    Raises:
        SpanwiseError: The set, its data or an earlier run cannot be used, or the rows cannot be written.
    """
    if set_name.endswith(OWN):
        sets, folder = [own_set(Path(set_name))], Path(set_name).parent
    else:
        known = sets_of(module)
        if set_name in known.measured:
            if rows or compare:
                told = f"{set_name} is made from documents and has no rows to write or compare"
                raise InputError(f"{told}: leave --rows and --compare out")
            return _shown(known.measured[set_name](data_folder(data), limit), as_json=as_json)
        sets, folder = known.chosen(set_name), data_folder(data)
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


def _shown(measured: Measured, *, as_json: bool) -> int:
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
