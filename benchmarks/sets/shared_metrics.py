"""Metrics and figures that the public sets share, beside those of `spanwise.evaluation.metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from spanwise.evaluation.cases import Case, Figure, Metric, Observation, Row
from spanwise.evaluation.metrics import DEPTHS, answer_words, auroc, average, mean, percentile, right, squad_tokens


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


def exact_match(answer: str, golds: Sequence[str]) -> float:
    """1 when the answer is one of the golds as SQuAD compares them; without golds, 1 when it is empty."""
    words = squad_tokens(answer)
    return float(any(words == squad_tokens(gold) for gold in golds) if golds else not words)


def token_f1(answer: str, golds: Sequence[str]) -> float:
    """SQuAD's F1 over the words of answer and gold, for the gold that fits best; without golds as `exact_match`."""
    if not golds:
        return exact_match(answer, golds)
    return max(_f1(squad_tokens(answer), squad_tokens(gold)) for gold in golds)


def _f1(words: Sequence[str], gold: Sequence[str]) -> float:
    if not words or not gold:
        return float(words == gold)
    common = sum((Counter(words) & Counter(gold)).values())
    if not common:
        return 0.0
    precision, recall = common / len(words), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def page_hit(hit_pages: Sequence[Collection[int]], gold_pages: Collection[int], k: int) -> bool:
    """True if one of the best `k` passages lies, with at least a line, on a gold page."""
    gold = set(gold_pages)
    return any(not gold.isdisjoint(pages) for pages in hit_pages[:k])
