"""`spanwise eval`: asks the questions of a set, prints metrics, writes rows, compares runs, and writes a report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from spanwise.cli.output import print_json, printable, progress_bar, stderr, stdout, write_report
from spanwise.cli.proof_page import Draw, drawing
from spanwise.domain.document import Document
from spanwise.errors import DocumentError, InputError
from spanwise.evaluation.cases import Job, Row
from spanwise.evaluation.html_report import Key, PagePicture, Run, missed, report_page
from spanwise.evaluation.run_rows import compare_runs, read_rows_file, write_rows
from spanwise.evaluation.runner import run_set
from spanwise.evaluation.sets import Measured, own_set, sets_of
from spanwise.evaluation.summary import as_text, as_values, report_of
from spanwise.readers.reading import read

OWN = ".jsonl"
"""Suffix of a file with one's own questions."""
_WIDTH = 760
"""Width in pixels of a page in a report."""
_PICTURES = 24_000_000
"""Most bytes of the pictures in a report, about 150 pages: more than a browser shows with ease."""


def run_eval(
    set_name: str,
    data: str | None,
    rows: str | None,
    compare: str | None,
    limit: int | None,
    as_json: bool,
    workers: int | None = None,
    module: str | None = None,
    report: str | None = None,
) -> int:
    """Measure a set (or `all`); returns the exit code.

    Args:
        set_name: A file of one's own questions (JSON Lines), or the name of a set or group of `module`.
        data: Folder of the data; None for the environment's or the usual one.
        rows: Path for one line per question.
        compare: Rows file of an earlier run.
        limit: Number of questions per set; None for the usual number, 0 for all.
        as_json: Print JSON instead of text.
        workers: Number of processes; one per core by default.
        module: Module that defines the sets; the public ones of the repository by default.
        report: Path for an HTML page with charts and misses.

    Raises:
        SpanwiseError: The set, its data or an earlier run cannot be used, or the rows cannot be written.
    """
    if set_name.endswith(OWN):
        sets, folder = [own_set(Path(set_name))], Path(set_name).parent
    else:
        known = sets_of(module)
        if set_name in known.measured:
            if rows or compare or report:
                told = f"{set_name} is made from documents and has no rows to write or compare"
                raise InputError(f"{told}: leave --rows, --compare and --report out")
            return _shown(known.measured[set_name](known.folder(set_name, data), limit), as_json=as_json)
        sets, folder = known.chosen(set_name), known.folder(set_name, data)
    earlier = None if compare is None else read_rows_file(Path(compare))
    jobs = [job for data_set in sets for job in data_set.load(folder, limit)] if rows or report else []
    if rows is not None:
        write_rows([], Path(rows))  # so that an unwritable path is reported before minutes of work, not after
    if report is not None:
        write_report(Path(report), "")
    reports, measured = [], list[Row]()
    for data_set in sets:
        began = time.perf_counter()
        with progress_bar(data_set.name) as bar:
            progress = bar and partial(bar, data_set.name)
            asked = run_set(data_set, folder, limit=limit, workers=workers, progress=progress)
        reports.append(report_of(data_set, asked, time.perf_counter() - began))
        measured += asked
    if rows is not None:
        write_rows(measured, Path(rows))
    comparison = None if earlier is None else compare_runs(earlier, measured)
    if report is not None:
        pictures, left = _pictures(missed(measured), jobs)
        run = Run(Path(set_name).name, reports, measured, comparison, earlier or (), pictures, left)
        write_report(Path(report), report_page(run))
        stderr().print(printable(f"written: {report}"), markup=False)
    if as_json:
        print_json(as_values(reports, comparison))
    else:
        console = stdout()  # tables are only fitted to the width of a terminal
        width = console.width if console.is_terminal else None
        console.print(printable(as_text(reports, comparison, width)), markup=False)
    return 0


def _pictures(misses: Sequence[Row], jobs: Sequence[Job]) -> tuple[dict[Key, PagePicture], int]:
    """The pages of misses in PDFs, and the number of those that did not fit."""
    files = {(job.part, case.id): job.document.content for job in jobs for case in job.cases}
    by_file: dict[Path, list[Row]] = {}
    for row in misses:
        file = files.get((row.part, row.id))
        if isinstance(file, Path) and file.suffix.lower() == ".pdf" and (row.gold_lines or row.lines):
            by_file.setdefault(file, []).append(row)
    found: dict[Key, PagePicture] = {}
    left = _PICTURES
    with drawing() as draw:
        for file, rows in by_file.items():
            if left <= 0:
                break
            document = None
            for row in rows:
                if left > 0:
                    with suppress(DocumentError):  # a page that cannot be drawn is left out
                        document = document or read(file)
                        found[row.key] = _picture(draw, file, document, row)
                        left -= len(found[row.key].png)
    return found, sum(map(len, by_file.values())) - len(found)


def _picture(draw: Draw, file: Path, document: Document, row: Row) -> PagePicture:
    """The page that should have been found, or else the one that was cited, with both sets of boxes."""
    expected, cited = (
        [line for first, last in places for line in document.lines[first - 1 : last]]
        for places in (row.gold_lines, row.lines)
    )
    page = document.pages[[*expected, *cited][0].page - 1]
    return PagePicture(
        draw(file, document.name, page.number, _WIDTH),
        page.number,
        page.width,
        page.height,
        *(
            tuple(line.box for line in lines if line.box is not None and line.page == page.number)
            for lines in (cited, expected)
        ),
    )


def _shown(measured: Measured, *, as_json: bool) -> int:
    if as_json:
        print_json(measured.as_values())
    else:
        stdout().print(printable(measured.as_text()), markup=False)
    return 0
