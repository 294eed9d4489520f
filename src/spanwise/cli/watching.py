"""`spanwise watch`: a corpus kept as its folders are, by looking at sizes and times every few seconds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanwise.cli.indexing import embed, show_report
from spanwise.cli.output import printable, stderr, stdout
from spanwise.engine import NO_SEARCH, Search
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, InputError, ModelError, SpanwiseError
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import IngestReport
from spanwise.ingest.paths import find
from spanwise.readers.registry import supported_suffixes

if TYPE_CHECKING:
    from spanwise.retrieval.hybrid import Hybrid

_LEAST_SECONDS, _MOST_SECONDS = 0.2, 3600.0
Look = tuple[tuple[str, int, int], ...]
"""What a look at the folders saw: each file with its size and time."""


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
    """Bring the corpus up to date whenever the folders have changed and come to rest; Ctrl-C ends it with 0.

    A file is read when two looks in a row see it alike, so that none is read half written.

    Args:
        paths: Folders, globs or files.
        corpus: The file of the corpus.
        every: Seconds between two looks.
        password: Opens encrypted PDFs.
        follow_links: Whether links that lead out of a folder are followed.
        as_json: Whether each change is a line of JSON.
        search: What embeds the passages.
        wait: Waits so many seconds.

    Raises:
        InputError: The time makes no sense, or nothing is at a path.
    """
    if not _LEAST_SECONDS <= every <= _MOST_SECONDS:
        raise InputError(f"--every {every:g}: give seconds from {_LEAST_SECONDS:g} to {_MOST_SECONDS:,.0f}")
    hybrid = search.hybrid()
    seen = _look(paths, follow_links)
    stderr().print(printable(f"watching {', '.join(paths)} for {corpus} (Ctrl-C ends it)"), markup=False)
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
    """What is there once two looks agree; a folder that is gone for a moment counts as it was."""
    seen = _there(paths, follow_links, before)
    while seen != before:
        wait(min(every, 1.0))
        before, seen = seen, _there(paths, follow_links, seen)
    return seen


def _there(paths: Sequence[str], follow_links: bool, before: Look) -> Look:
    try:
        return _look(paths, follow_links)
    except DocumentNotFoundError:  # a drive that is being mounted, an editor that replaces a file
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
    """Read what changed and tell it; False if it has to be tried again."""
    try:
        report = opened.add(*paths, password=password, follow_links=follow_links)
    except DocumentNotFoundError:
        return True  # an empty folder: something may come
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
