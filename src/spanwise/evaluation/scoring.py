"""Metrics of every set: pages, right or rightly silent, length, time; and the figures made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from spanwise.evaluation.cases import Case, Figure, Metric, Observation, Row
from spanwise.evaluation.metrics import auroc, mean, page_hit, percentile

DEPTHS = (1, 5, 10)
"""Depths, in passages, at which a gold page is looked for."""


def common_metrics(case: Case, seen: Observation, *, contained: bool) -> dict[str, Metric]:
    """The measures that do not depend on the set.

    Args:
        case: The question.
        seen: What came back.
        contained: Whether the answer holds the gold; only looked at when there is a gold and an answer.
    """
    holds = contained and seen.answered
    paged = bool(case.pages)
    # A possible answer says that no line answers for certain.
    silent = seen.decision not in ("ship", "error") or (seen.decision == "ship" and seen.review)
    hits: dict[str, Metric] = {
        f"hit@{depth}": page_hit(seen.hit_pages, case.pages, depth) if paged else None for depth in DEPTHS
    }
    return {
        **hits,
        "cited": not set(seen.cited_pages).isdisjoint(case.pages) if paged else None,
        "contained": holds if case.answerable else None,
        "right": holds if case.answerable else silent,
        "words": answer_words(seen.text) if seen.answered else None,
    }


def average(rows: Sequence[Row], metric: str, part: str, name: str | None = None) -> Figure:
    """The average of a metric over the rows to which it applies."""
    numbers = [float(number) for row in rows if (number := row.metrics.get(metric)) is not None]
    return Figure(part, name or metric, mean(numbers), len(numbers))


def right(rows: Sequence[Row], part: str, name: str = "right or rightly silent") -> Figure:
    """Right or rightly silent, beside what a system that never answers gets."""
    figure = average(rows, "right", part, name)
    return Figure(part, name, figure.value, figure.n, mean([float(not row.answerable) for row in rows]))


def standard_figures(rows: Sequence[Row], part: str) -> list[Figure]:
    """The figures that every set reports; those that do not apply to it are left out."""
    figures = [
        average(rows, "contained", part, "gold contained in the answer"),
        *(average(rows, f"hit@{depth}", part, f"gold page hit@{depth}") for depth in DEPTHS),
        average(rows, "cited", part, "citation on a gold page"),
        right(rows, part),
        *_silence(rows, part),
        _answerable_or_not(rows, part),
        *_length_and_time(rows, part),
    ]
    return [figure for figure in figures if figure.n]


def by_group(rows: Sequence[Row], group: Callable[[Row], Iterable[str]]) -> Mapping[str, list[Row]]:
    """The rows of each group, groups in order of their names."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        for name in group(row):
            groups.setdefault(name, []).append(row)
    return dict(sorted(groups.items()))


def answer_words(text: str) -> int:
    """Number of words of an answer; bullets and dashes are none."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def _silence(rows: Sequence[Row], part: str) -> list[Figure]:
    silent = [row for row in rows if row.decision not in ("ship", "error")]
    unanswerable = [row for row in rows if not row.answerable]
    base = mean([float(not row.answerable) for row in rows])
    if not unanswerable:
        return [Figure(part, "silent", mean([float(row in silent) for row in rows]), len(rows), 1.0)]
    precision = mean([float(not row.answerable) for row in silent])
    recall = mean([float(row.decision not in ("ship", "error")) for row in unanswerable])
    return [
        Figure(part, "silent precision", precision, len(silent), base),
        Figure(part, "silent recall", recall, len(unanswerable), 1.0),
    ]


def _answerable_or_not(rows: Sequence[Row], part: str) -> Figure:
    area = auroc([row.score for row in rows], [row.answerable for row in rows])
    return Figure(part, "AUROC answerable", area, len(rows) if area is not None else 0, 0.5)


def _length_and_time(rows: Sequence[Row], part: str) -> list[Figure]:
    words = [float(number) for row in rows if (number := row.metrics.get("words")) is not None]
    seconds = [row.seconds for row in rows]
    return [
        Figure(part, "words an answer, median", percentile(words, 0.5), len(words)),
        Figure(part, "words an answer, p95", percentile(words, 0.95), len(words)),
        Figure(part, "seconds a question, median", percentile(seconds, 0.5), len(seconds)),
        Figure(part, "seconds a question, p95", percentile(seconds, 0.95), len(seconds)),
    ]
