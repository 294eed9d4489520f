"""Asks the questions of one job over its document, through the public face, and scores what comes back."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import spanwise
from spanwise.contract.answers import BooleanAnswer
from spanwise.contract.items import BooleanItem, DateItem, Item, QuantityItem
from spanwise.contract.result import Result
from spanwise.contract.wording import number, worded
from spanwise.domain.document import Document
from spanwise.errors import SpanwiseError
from spanwise.evaluation.baseline import SentenceRanking
from spanwise.evaluation.cases import Case, DocumentSource, Job, Observation, Polarity, Row, Score
from spanwise.evaluation.evidence_places import EvidencePlaces
from spanwise.evaluation.scoring import DEPTHS

_SAID = re.compile(r"\W{0,5}(yes|no)\b", re.IGNORECASE)


def run_job(set_name: str, score: Score, job: Job, *, baseline: bool = False) -> list[Row]:
    """Read the document once, ask every question, and score the answers.

    A document or question that fails is no end of the run: its rows have the decision `error` and are wrong.

    Args:
        set_name: Name of the set.
        score: Its measures of one answer.
        job: The document and its questions.
        baseline: True if plain BM25 is asked the same questions.
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
    """Load what the first question of a process loads, so that it is not measured."""
    text = DocumentSource("warm.txt", "The fee is 5 dollars a month.\n")
    _observations(Job("articles", text, (Case("warm", "What is the fee?", ("5 dollars",)),)), baseline=False)


def plain_value(item: Item) -> str:
    """The value of an item as one text."""
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
        review=_marked(result),
        path=str(result.meta.get("path") or ""),
        cited_lines=tuple(
            (citation.line_start, citation.line_end)
            for citation in sorted(result.citations, key=lambda citation: citation.item)
        ),
    )


def _marked(result: Result) -> bool:
    """True if what is shown is marked for review, as the published record tells it at every door."""
    return result.decision.kind == "ship" and bool(result.to_dict()["review"])


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
    """Pages of the passages that the answer was looked for in: what was retrieved for it, not another search."""
    found = result.meta.get("retrieved_context")
    ids = found if isinstance(found, list | tuple) else ()
    return tuple(_pages(document, *_lines_of(str(passage))) for passage in ids[: max(DEPTHS)])


def _lines_of(passage_id: str) -> tuple[int, int]:
    first, _, last = passage_id.rpartition(":")[2].partition("-")
    return int(first), int(last)


def _pages(document: Document, first: int, last: int) -> tuple[int, ...]:
    """Pages of the lines that say something; a blank one on an empty page is no evidence."""
    return tuple(sorted({line.page for line in document.lines[first - 1 : last] if line.text.strip()}))
