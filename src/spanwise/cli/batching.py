"""`spanwise batch`: documents x questions into typed rows, resumed where an earlier run stopped.

`spanwise extract`: fields of many documents into rows, each value with its citation.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from spanwise import batch
from spanwise.cli.output import print_json, printable, progress_bar, reading, stderr
from spanwise.cli.watching import tell_others
from spanwise.engine import Search, Written
from spanwise.errors import InputError
from spanwise.extraction.fields import Field, checked, fields_of_class, fields_of_file, fields_of_questions
from spanwise.extraction.run import Extracted, extract
from spanwise.extraction.sinks import open_sink, shown_place
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import IngestReport


def run_extract(
    paths: Sequence[str],
    corpus: str | None,
    questions: Sequence[str],
    fields: str | None,
    of_class: str | None,
    out: str | None,
    profile: str | None,
    password: str | None,
    workers: int | None,
    client: str | None,
    as_json: bool,
    search: Search,
) -> int:
    """Extract.

    Returns the exit code: 2 if a file could not be read, 3 if a question met an error, 0 if there is a value, else 1.
    """
    if not paths and corpus is None:
        raise InputError("documents are missing: give files, folders or globs, or --corpus FILE")
    if as_json and out is None:
        raise InputError("--json prints what was done, and the rows would be on the same output: give --out FILE too")
    wanted = _fields(questions, fields, of_class)
    search.hybrid()  # a wrong name fails before long work
    with (
        open_sink(out) as sink,
        _corpus(paths, corpus, password, client) as (file, report),
        progress_bar("extracting") as bar,
    ):
        done = extract(
            wanted,
            file,
            sink,
            failures=report.failed if report is not None else (),
            profile=profile,
            registered=of_class,
            workers=workers or os.cpu_count() or 1,
            client=client,
            progress=bar and (lambda at, total, name: bar(f"extracting {name[-50:]}", at, total)),
            search=search,
        )
    _tell(done, out, as_json)
    if report is not None:
        for failure in report.failed:
            stderr().print(printable(f"not read: {failure.path}: {failure.message}"), markup=False)
        tell_others(report)
        if report.failed:
            return 2
    return 3 if done.failed else 0 if done.found or done.resumed else 1


def _fields(questions: Sequence[str], fields: str | None, of_class: str | None) -> list[Field]:
    found = fields_of_questions(questions) if questions else []
    found += fields_of_file(Path(fields)) if fields is not None else []
    found += fields_of_class(of_class) if of_class is not None else []
    if not found:
        raise InputError('say what to extract: --ask "QUESTION", --fields FILE or --class FILE.py:Class')
    return checked(found)


@contextmanager
def _corpus(
    paths: Sequence[str], corpus: str | None, password: str | None, client: str | None
) -> Iterator[tuple[str, IngestReport | None]]:
    """The corpus file to ask, and the report on the paths read into it (None if there are none).

    Without `corpus`, the file is temporary.
    """
    with tempfile.TemporaryDirectory(prefix="spanwise-") as folder:
        file = corpus if corpus is not None else os.path.join(folder, "corpus.db")
        if not paths:
            yield file, None
            return
        with Corpus.open(file) as opened, reading("reading") as progress:
            report = opened.add(*paths, progress=progress, password=password, client=client)
        yield file, report


def _tell(done: Extracted, out: str | None, as_json: bool) -> None:
    if as_json:
        print_json({name: getattr(done, name) for name in ("found", "not_found", "resumed", "unreadable", "failed")})
    elif out is not None:
        parts = [
            f"{done.found} value{'s' if done.found != 1 else ''}, {done.not_found} not found",
            f"{done.resumed} fields were there already" if done.resumed else "",
            f"{done.failed} failed (the rows say why)" if done.failed else "",
        ]
        stderr().print(printable(f"{shown_place(out)}: {', '.join(filter(None, parts))}"), markup=False)


def run_batch(
    questions: str,
    corpus: str,
    out: str,
    documents: Sequence[str],
    client: str | None,
    workers: int | None,
    profile: str | None,
    written: Written,
    search: Search,
    budget: float | None,
    requests_per_minute: float | None,
    as_json: bool,
) -> int:
    """Run the batch.

    Returns the exit code: 0 for values, 1 for none, 2 for broken lines, 3 for failures or no budget.
    """
    with progress_bar("asking") as bar:
        report = batch.run(
            questions,
            corpus,
            out,
            documents=list(documents) or None,
            client=client,
            workers=workers or os.cpu_count() or 1,
            profile=profile,
            **asdict(written),
            embedder=search.embedder,
            embedder_url=search.url,
            reranker=search.reranker,
            budget_usd=budget,
            requests_per_minute=requests_per_minute,
            progress=bar and (lambda now: bar(_told(now), now.done + now.resumed, now.total + now.resumed)),
        )
    for line in report.broken:
        stderr().print(printable(f"{questions}, line {line.number}: not asked: {line.message}"), markup=False)
    _print(report, out, as_json)
    if report.broken:
        return 2
    if report.failed or report.unasked:
        return 3
    return 0 if report.found or report.resumed else 1


def _print(report: batch.Report, out: str, as_json: bool) -> None:
    if as_json:
        print_json(asdict(report))
        return
    parts = [
        f"{report.found} values, {report.not_found} not found",
        f"{report.resumed} fields were there already" if report.resumed else "",
        f"{report.failed} failed (the rows say why)" if report.failed else "",
        f"{report.unasked} not asked: raise the budget and run it again" if report.unasked else "",
        f"{report.cost_usd:.4f} US dollars" if report.cost_usd else "",
    ]
    told = ", ".join(part for part in parts if part)
    stderr().print(printable(f"{shown_place(out)}: {told}"), markup=False)


def _told(now: batch.Progressed) -> str:
    left = "" if now.seconds_left is None else f", {_duration(now.seconds_left)} left"
    cost = f", {now.cost_usd:.2f} USD" if now.cost_usd else ""
    failed = f", {now.failed} failed" if now.failed else ""
    return f"{now.name[-40:]}{left}{cost}{failed}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
