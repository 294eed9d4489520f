"""`spanwise extract`: fields of many documents into rows, each value with its citation."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from spanwise.cli.output import print_json, printable, reading, stderr
from spanwise.cli.watching import tell_others
from spanwise.engine import Search
from spanwise.errors import InputError
from spanwise.extraction.fields import Field, checked, fields_of_class, fields_of_file, fields_of_questions
from spanwise.extraction.run import Extracted, Progress, extract
from spanwise.extraction.sinks import open_sink
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
    """Extract, and return the exit code: 2 when a file could not be read, 0 when a value is there, else 1."""
    if not paths and corpus is None:
        raise InputError("documents are missing: give files, folders or globs, or --corpus FILE")
    if as_json and out is None:
        raise InputError("--json prints what was done, and the rows would be on the same output: give --out FILE too")
    wanted = _fields(questions, fields, of_class)
    search.hybrid()  # a wrong name fails before long work
    with (
        open_sink(out) as sink,
        _corpus(paths, corpus, password, client) as (file, report),
        _asking() as progress,
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
            progress=progress,
            search=search,
        )
    _tell(done, out, as_json)
    if report is None:
        return 0 if done.found or done.resumed else 1
    for failure in report.failed:
        stderr().print(printable(f"not read: {failure.path}: {failure.message}"), markup=False)
    tell_others(report)
    return 2 if report.failed else 0 if done.found or done.resumed else 1


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
    """The file of the corpus to ask, with the paths read into it; a temporary one when none was named."""
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
        print_json(
            {
                "found": done.found,
                "not_found": done.not_found,
                "resumed": done.resumed,
                "unreadable": done.unreadable,
                "failed": done.failed,
            }
        )
    elif out is not None:
        there = f", {done.resumed} fields were there already" if done.resumed else ""
        stderr().print(
            printable(f"{out}: {done.found} value{'s' if done.found != 1 else ''}, {done.not_found} not found{there}"),
            markup=False,
        )


@contextmanager
def _asking() -> Iterator[Progress | None]:
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bar

    with Bar(console=console, transient=True) as bar:
        task = bar.add_task("extracting", total=None)

        def show(done: int, total: int, name: str) -> None:
            named = printable(name).replace("[", "\\[")
            bar.update(task, completed=done, total=total, description=f"extracting {named[-50:]}")

        yield show
