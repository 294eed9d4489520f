"""The harness: it asks the questions of sets through the public API, one document at a time, on many cores."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import spanwise
from spanwise.contract.answers import BooleanAnswer
from spanwise.contract.items import BooleanItem, DateItem, Item, QuantityItem
from spanwise.contract.rendering import number, worded
from spanwise.contract.result import Result
from spanwise.domain.document import Document
from spanwise.errors import InputError, ServiceError, SpanwiseError
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Lines, Observation, Polarity, Row, Score
from spanwise.evaluation.metrics import DEPTHS
from spanwise.evaluation.run_rows import SentenceRanking
from spanwise.executors import outside_current_folder
from spanwise.text.fold import Folded, find_quote, fold

_SAID = re.compile(r"\W{0,5}(yes|no)\b", re.IGNORECASE)


def run_job(set_name: str, score: Score, job: Job, *, baseline: bool = False) -> list[Row]:
    """Read the document, ask every question, and score the answers.

    A document or question that fails does not end the run: its rows have the decision `error` and count as wrong.
    """
    rows = []
    for case, seen in zip(job.cases, _observations(job, baseline=baseline), strict=True):
        metrics = score(case, seen)
        rows.append(
            Row(
                set=set_name,
                part=job.part,
                id=case.id,
                document=job.document.name,
                question=case.question,
                answerable=case.answerable,
                kind=case.kind,
                tags=case.tags,
                gold=case.gold,
                gold_pages=case.pages,
                decision=seen.decision,
                text=seen.text,
                confidence=seen.confidence,
                score=seen.score,
                pages=seen.cited_pages,
                seconds=seen.seconds,
                metrics=metrics,
                review=seen.review,
                path=seen.path,
                lines=seen.cited_lines,
                gold_lines=seen.gold_lines,
            )
        )
    return rows


def warm_up() -> None:
    """Load what the first question of a process loads, so that the time is not measured."""
    text = DocumentSource("warm.txt", "The fee is 5 dollars a month.\n")
    _observations(Job("articles", text, (Case("warm", "What is the fee?", ("5 dollars",)),)), baseline=False)


def plain_value(item: Item) -> str:
    """The value of an item as one text, in a normalised form for dates, booleans and quantities."""
    if isinstance(item, DateItem):
        return item.date.iso
    if isinstance(item, BooleanItem):
        return "yes" if item.boolean else "no"
    if isinstance(item, QuantityItem):
        return f"{number(item.quantity.value)} {item.quantity.unit}".strip()
    return worded(item)


def _observations(job: Job, *, baseline: bool) -> Sequence[Observation]:
    try:
        document = _read(job.document)
    except SpanwiseError as error:
        return [_failed(error, 0.0) for _ in job.cases]
    places = EvidencePlaces(document)
    sentences = SentenceRanking(document) if baseline else None
    with spanwise.Corpus.of([document]) as corpus:
        engine = spanwise.Engine(corpus)
        return [
            replace(
                _ask(engine, document, case.question),
                gold_lines=places.lines_of(case.evidence),
                baseline=None if sentences is None else sentences.best(case.question),
            )
            for case in job.cases
        ]


def _read(source: DocumentSource) -> Document:
    if isinstance(source.content, Path):
        return spanwise.read(source.content)
    return spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)


def _ask(engine: spanwise.Engine, document: Document, question: str) -> Observation:
    began = time.perf_counter()
    try:
        result = engine.ask(question)
    except SpanwiseError as error:
        return _failed(error, time.perf_counter() - began)
    seconds = time.perf_counter() - began
    return Observation(
        decision=result.decision.kind,
        text=result.text,
        confidence=result.confidence,
        score=_score(result),
        polarity=_polarity(result),
        cited_pages=_cited_pages(document, result),
        hit_pages=_hit_pages(document, result),
        seconds=round(seconds, 4),
        notes=tuple(result.answer.caveats),
        values=tuple(plain_value(item) for item in result.answer.items) if result.decision.kind == "ship" else (),
        schema=result.answer.__class__.__name__,
        review=result.decision.kind == "ship" and bool(result.to_dict()["review"]),
        path=str(result.meta.get("path") or ""),
        cited_lines=tuple(
            (citation.line_start, citation.line_end)
            for citation in sorted(result.citations, key=lambda citation: citation.item)
        ),
    )


def _failed(error: SpanwiseError, seconds: float) -> Observation:
    return Observation("error", str(error), 0.0, 0.0, None, (), (), round(seconds, 4))


def _score(result: Result) -> float:
    if result.decision.kind == "ship":
        return result.confidence
    relevance = result.meta.get("relevance")
    return float(relevance) if isinstance(relevance, int | float) else 0.0


def _polarity(result: Result) -> Polarity | None:
    if isinstance(result.answer, BooleanAnswer) and result.answer.items:
        return "yes" if result.answer.items[0].boolean else "no"
    said = _SAID.match(result.text)
    if said is None or result.decision.kind != "ship":
        return None
    return "yes" if said[1].lower() == "yes" else "no"


def _cited_pages(document: Document, result: Result) -> tuple[int, ...]:
    places = [_pages(document, citation.line_start, citation.line_end) for citation in result.citations]
    return tuple(sorted({page for pages in places for page in pages}))


def _hit_pages(document: Document, result: Result) -> tuple[tuple[int, ...], ...]:
    """The pages of the best retrieved passages, those from which the answer was made."""
    found = result.meta.get("retrieved_context")
    ids = found if isinstance(found, list | tuple) else ()
    return tuple(_pages(document, *_lines_of(str(passage))) for passage in ids[: max(DEPTHS)])


def _lines_of(passage_id: str) -> tuple[int, int]:
    first, _, last = passage_id.rpartition(":")[2].partition("-")
    return int(first), int(last)


def _pages(document: Document, first: int, last: int) -> tuple[int, ...]:
    """The pages of the lines that are not blank, in order."""
    return tuple(sorted({line.page for line in document.lines[first - 1 : last] if line.text.strip()}))


Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of questions done and their total."""


def run_set(
    data_set: DataSet,
    data: Path,
    *,
    limit: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """Ask the questions of a set; return the scored rows in the order of the data.

    Args:
        data_set: The set.
        data: The folder with the data.
        limit: The number of questions; None for the usual number, 0 for all.
        workers: The number of processes; one per core by default. With 1, everything runs in this process.
        progress: Called after each document.
    """
    if limit is not None and limit < 0:
        raise InputError(f"--limit {limit} is no number of questions: give one from 1, or 0 for all")
    jobs = data_set.load(data, limit)
    count = min(workers or os.cpu_count() or 1, len(jobs))
    total = sum(len(job.cases) for job in jobs)
    done = 0
    results: dict[int, list[Row]] = {}
    for index, rows in _alone(data_set, jobs) if count <= 1 else _together(data_set, jobs, count):
        results[index] = rows
        done += len(rows)
        if progress is not None:
            progress(done, total)
    return [row for index in range(len(jobs)) for row in results[index]]


def _alone(data_set: DataSet, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Row]]]:
    warm_up()
    for index, job in enumerate(jobs):
        yield index, run_job(data_set.name, data_set.score, job, baseline=data_set.baseline)


def _ready() -> None:
    """Prepare a worker process; only the parent process handles an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm_up()


def _together(data_set: DataSet, jobs: Sequence[Job], workers: int) -> Iterator[tuple[int, list[Row]]]:
    # Spawned, not forked, because the libraries that read and rank have threads. Long documents go first, so that
    # no core is idle at the end.
    context = multiprocessing.get_context("spawn")
    order = sorted(range(len(jobs)), key=lambda index: -jobs[index].document.weight)
    with outside_current_folder():
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_ready)
    with pool:
        with outside_current_folder():
            futures = {
                pool.submit(run_job, data_set.name, data_set.score, jobs[index], baseline=data_set.baseline): index
                for index in order
            }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise ServiceError(
                "a process of the evaluation ended (out of memory?): free memory, or ask fewer questions (--limit N)"
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class EvidencePlaces:
    """The lookup of evidence lines in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def lines_of(self, evidence: Sequence[Lines | str]) -> tuple[Lines, ...]:
        """The lines of each place; a quote yields every place where it occurs, and none if it is not found."""
        return tuple(
            lines
            for place in evidence
            for lines in (self._lines_of_quote(place) if isinstance(place, str) else (place,))
        )

    @cached_property
    def _text(self) -> Folded:
        return fold(self._written)

    @cached_property
    def _written(self) -> str:
        return "\n".join(line.text for line in self._document.lines)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each line begins."""
        starts, offset = [], 0
        for line in self._document.lines:
            starts.append(offset)
            offset += len(line.text) + 1
        return starts

    def _lines_of_quote(self, quote: str) -> tuple[Lines, ...]:
        found = find_quote(quote, self._written, folded_text=self._text)
        if found is None:
            return ()
        return tuple(
            (bisect_right(self._starts, start), bisect_right(self._starts, max(start, end - 1)))
            for start, end in ((found.start, found.end), *found.others)
        )
