"""`spanwise index`: documents into a corpus, with a report of what happened to each."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, reading, stderr, stdout
from spanwise.store.address import shown

if TYPE_CHECKING:
    from spanwise.engine import Search
    from spanwise.ingest.corpus import Corpus
    from spanwise.ingest.ingest import IngestReport
    from spanwise.retrieval.hybrid import Hybrid

_NAMED = 20
"""Documents of each kind that are named."""


def run_index(
    paths: Sequence[str],
    corpus: str,
    password: str | None,
    follow_links: bool,
    client: str | None,
    as_json: bool,
    search: Search,
) -> int:
    """Add the paths to the corpus and return the exit code: 2 when a file failed (the others are stored)."""
    from spanwise.ingest.corpus import Corpus

    hybrid = search.hybrid()  # a wrong name fails before long work
    with Corpus.open(corpus) as opened:
        with reading("indexing") as progress:
            report = opened.add(*paths, progress=progress, password=password, follow_links=follow_links, client=client)
        embedded = None if hybrid is None else embed(opened, hybrid)
    if as_json:
        print_json(asdict(report) | ({} if embedded is None else {"embedded": embedded}))
    else:
        show_report(report, corpus)
        tell_others(report)
        if embedded is not None:
            stdout().print(f"{embedded} passages embedded", markup=False)
    return 2 if report.failed else 0


def embed(corpus: Corpus, hybrid: Hybrid) -> int:
    """Embed what is new; how many passages that were. What there is to say about it goes to stderr."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with stderr().status("embedding") as status, corpus.snapshot() as now:
            embedded = hybrid.follow(
                now, lambda done, total: status.update(f"embedding {done} of {total} documents")
            ).embedded
    for one in told:
        stderr().print(printable(str(one.message)), markup=False)
    return embedded


def show_report(report: IngestReport, corpus: str, *, named: bool = False) -> None:
    """Print what became of the files; with the names of those that changed where that is wanted."""
    counts: dict[str, Sequence[object]] = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed,
    }
    summary = ", ".join(f"{len(names)} {word}" for word, names in counts.items() if names) or "nothing to do"
    stdout().print(printable(f"{shown(corpus)}: {summary}"), markup=False)
    for word in ("added", "replaced", "removed") if named else ():
        for name in counts[word][:_NAMED]:
            stdout().print(printable(f"  {word}: {name}"), markup=False)
        if len(counts[word]) > _NAMED:
            stdout().print(f"  {word}: {len(counts[word]) - _NAMED} more", markup=False)
    tell_skipped(report)


def tell_skipped(report: IngestReport) -> None:
    """Name on stderr what could not be read, and what lies in the folders and was not read."""
    for failure in report.failed:
        stderr().print(f"failed: {printable(failure.message)}", markup=False)
    for one in report.skipped:
        stderr().print(f"skipped: {printable(one.path)} is {one.reason}", markup=False)


def tell_others(report: IngestReport) -> None:
    """Say on stderr, in one line, what lies in the folders and is of no kind that is read."""
    if report.others:
        count, more = len(report.others), len(report.others) - _NAMED
        named = ", ".join(report.others[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        told = f"left out: {count} file{'s' if count > 1 else ''} of a kind that is not read: {named}"
        stderr().print(printable(told), markup=False, soft_wrap=True)
