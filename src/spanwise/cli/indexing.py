"""`spanwise index`: documents into a corpus, with a report of what happened to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.cli.progress import reading
from spanwise.store.address import shown

if TYPE_CHECKING:
    from spanwise.ingest.ingest import IngestReport


def run_index(paths: Sequence[str], corpus: str, password: str | None, follow_links: bool, as_json: bool) -> int:
    """Add the paths to the corpus and return the exit code: 2 when a file failed (the others are stored)."""
    from spanwise.ingest.corpus import Corpus

    with Corpus.open(corpus) as opened, reading("indexing") as progress:
        report = opened.add(*paths, progress=progress, password=password, follow_links=follow_links)
    if as_json:
        print_json(asdict(report))
    else:
        _show(report, corpus)
    return 2 if report.failed else 0


def _show(report: IngestReport, corpus: str) -> None:
    counts = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed,
    }
    summary = ", ".join(f"{len(names)} {word}" for word, names in counts.items() if names) or "nothing to do"
    stdout().print(printable(f"{shown(corpus)}: {summary}"), markup=False)
    for failure in report.failed:
        stderr().print(f"failed: {printable(failure.message)}", markup=False)
    tell_skipped(report)


def tell_skipped(report: IngestReport) -> None:
    """Name on stderr what lies in the folders and was not read."""
    for one in report.skipped:
        stderr().print(f"skipped: {printable(one.path)} is {one.reason}", markup=False)
