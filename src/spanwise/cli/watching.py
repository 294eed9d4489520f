"""`spanwise index`: reads documents into a corpus, with a report on each; `spanwise watch` repeats it on changes.

Watching means comparing the sizes and times of all files every few seconds.
"""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, reading, stderr, stdout
from spanwise.engine import NO_SEARCH, Search
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, InputError, ModelError, SpanwiseError
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import IngestReport
from spanwise.ingest.paths import find
from spanwise.readers.registry import supported_suffixes
from spanwise.store.address import is_address, shown

if TYPE_CHECKING:
    from spanwise.engine import Search
    from spanwise.ingest.corpus import Corpus
    from spanwise.ingest.ingest import IngestReport
    from spanwise.retrieval.hybrid import Hybrid


_NAMED = 20
"""Most documents of each kind that are listed by name."""


def run_index(
    paths: Sequence[str],
    corpus: str,
    password: str | None,
    follow_links: bool,
    client: str | None,
    as_json: bool,
    search: Search,
) -> int:
    """Add the paths to the corpus; returns the exit code: 2 if a file failed (the others are stored), else 0."""
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
        tell_others(report, corpus)
        if embedded is not None:
            stdout().print(f"{embedded} passages embedded", markup=False)
    return 2 if report.failed else 0


def embed(corpus: Corpus, hybrid: Hybrid) -> int:
    """Embed new passages; returns their number. Warnings go to stderr."""
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
    """Print the outcome for the files; with `named`, list those that changed."""
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
    """Print on stderr the files that could not be read, and those that were skipped."""
    for failure in report.failed:
        stderr().print(f"failed: {printable(failure.message)}", markup=False)
    for one in report.skipped:
        stderr().print(f"skipped: {printable(one.path)} is {one.reason}", markup=False)


def tell_others(report: IngestReport, corpus: str | None = None) -> None:
    """Print on stderr, in one line, the files in the folders whose format is not read.

    The corpus's own files are ignored.
    """
    own = None if corpus is None or is_address(corpus) else os.path.basename(corpus)
    others = [one for one in report.others if own is None or not _is_of(own, one)]
    if others:
        count, more = len(others), len(others) - _NAMED
        named = ", ".join(others[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        told = f"left out: {count} file{'s' if count > 1 else ''} of a kind that is not read: {named}"
        stderr().print(printable(told), markup=False, soft_wrap=True)


def _is_of(corpus: str, name: str) -> bool:
    """True for a corpus's own files (index, lock, SQLite's journal): their names begin with its name."""
    return any(part == corpus or part.startswith((f"{corpus}.", f"{corpus}-")) for part in name.split("/"))


_LEAST_SECONDS, _MOST_SECONDS = 0.2, 3600.0
_RESTLESS_SECONDS = 60.0
"""Seconds after which folders that never settle are read nevertheless; a log may be written to all the time."""
Look = tuple[tuple[str, int, int], ...]
"""The state of the folders: each file with its size and modification time."""


def run_watch(
    paths: Sequence[str],
    corpus: str,
    every: float,
    password: str | None,
    *,
    follow_links: bool,
    as_json: bool,
    search: Search = NO_SEARCH,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Update the corpus whenever the folders have changed and settled; returns 0 after Ctrl-C.

    The files are read once two consecutive looks agree, so that none is read half-written, but at the latest after
    `_RESTLESS_SECONDS`.

    Args:
        paths: Folders, globs or files.
        corpus: The corpus.
        every: Seconds between two looks.
        password: Opens encrypted PDFs.
        follow_links: Whether symbolic links that lead out of a folder are followed.
        as_json: Whether each change is printed as a line of JSON.
        search: The embedder of the passages.
        wait: Waits for a number of seconds.

    Raises:
        InputError: The interval is out of range, or a path does not exist.
    """
    if not _LEAST_SECONDS <= every <= _MOST_SECONDS:
        raise InputError(f"--every {every:g}: give seconds from {_LEAST_SECONDS:g} to {_MOST_SECONDS:,.0f}")
    hybrid = search.hybrid()
    seen = _look(paths, follow_links)
    stderr().print(printable(f"watching {', '.join(paths)} for {shown(corpus)} (Ctrl-C ends it)"), markup=False)
    done: Look | None = None
    try:
        with Corpus.open(corpus) as opened:
            while True:
                if seen != done and _brought_up(opened, paths, corpus, password, follow_links, hybrid, as_json=as_json):
                    done = seen
                wait(every)
                seen = _settled(paths, follow_links, seen, every, wait)
    except KeyboardInterrupt:
        stderr().print("stopped watching; what was stored is kept", markup=False)
    return 0


def _settled(
    paths: Sequence[str], follow_links: bool, before: Look, every: float, wait: Callable[[float], None]
) -> Look:
    """The state of the folders once two looks agree, or after `_RESTLESS_SECONDS`.

    A folder that is missing for a moment counts as unchanged.
    """
    seen, pause, waited = _there(paths, follow_links, before), min(every, 1.0), 0.0
    while seen != before and waited < _RESTLESS_SECONDS:
        wait(pause)
        waited += pause
        before, seen = seen, _there(paths, follow_links, seen)
    return seen


def _there(paths: Sequence[str], follow_links: bool, before: Look) -> Look:
    try:
        return _look(paths, follow_links)
    except DocumentNotFoundError:  # for example a drive being mounted, or an editor replacing a file
        return before


def _look(paths: Sequence[str], follow_links: bool) -> Look:
    seen = []
    for search in find(paths, supported_suffixes(), follow_links=follow_links):
        for file in search.files:
            try:
                status = file.path.stat()
            except OSError:
                continue
            seen.append((str(file.path), status.st_size, status.st_mtime_ns))
    return tuple(sorted(seen))


def _brought_up(
    opened: Corpus,
    paths: Sequence[str],
    corpus: str,
    password: str | None,
    follow_links: bool,
    hybrid: Hybrid | None,
    *,
    as_json: bool,
) -> bool:
    """Read what changed and report it; False if it has to be tried again."""
    try:
        report = opened.add(*paths, password=password, follow_links=follow_links)
    except DocumentNotFoundError:
        return True  # an empty folder, which may be filled later
    except CorpusBusyError as error:
        return _again(error)
    if report.added or report.replaced or report.removed or report.failed:
        _tell(report, corpus, as_json=as_json)
    try:
        embedded = 0 if hybrid is None else embed(opened, hybrid)
    except (CorpusBusyError, ModelError) as error:
        return _again(error)
    if embedded and not as_json:
        stdout().print(f"  {embedded} passages embedded", markup=False)
    return True


def _again(error: SpanwiseError) -> bool:
    stderr().print(f"{printable(str(error))} It is tried again.", markup=False)
    return False


def _tell(report: IngestReport, corpus: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(report)), flush=True)  # noqa: T201 - a line for each change, for programs
        return
    show_report(report, corpus, named=True)
