"""The scoring of answers from documents: the answer, the lines it cites, and the silence if there is no answer.

An answer is *answered* (without a mark), a *possible answer* (marked for review) or *not found*. If the document has an
answer, a possible answer counts as an answer; if it has none, a possible answer counts as silence, but an answer
without a mark does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from spanwise.evaluation.cases import Case, Figure, Lines, Metric, Observation, Row
from spanwise.evaluation.metrics import (
    answer_words,
    auroc,
    average,
    by_group,
    calibration_error,
    holds_gold,
    mean,
    percentile,
    right,
    word_share,
)

OVERALL = "all questions"
OTHER = "asked of another document"
"""Tag of a question that belongs to another document, so that this document does not answer it."""
REWORDED = "reworded"
"""Tag of a question whose gold answers are not in the document word for word."""
_MOST_WORDS = 6
"""Most words of a gold answer that must be in the answer as a sequence, unless it is reworded."""
_SHARE = 0.6
"""Share of the content words of a longer or reworded gold answer that must be in the answer."""
_YES_OR_NO = re.compile(r"\s*(yes|no)\W*", re.IGNORECASE)

GOLD, LINE, FIRST, BOTH = (
    "gold contained in the answer",
    "evidence line cited",
    "first place alone",
    "gold and line together",
)
SILENT, QUIET, NOT_FOUND = "silent though answerable", "not answered where nothing is there", "plainly not found there"
SURE, SURE_RIGHT = "answered without a mark", "right without a mark"
AUROC, ECE, WORDS = "AUROC of confidence", "calibration error", "words an answer, median"
BM25_GOLD, BM25_LINE, BM25_BOTH = "BM25: gold contained", "BM25: evidence line", "BM25: gold and line together"
LINE_RATIO, FIRST_RATIO, BOTH_RATIO = "line / BM25", "first place / BM25", "together / BM25"

COLUMNS: Mapping[str, str] = {
    GOLD: "gold",
    LINE: "line",
    FIRST: "first",
    BOTH: "both",
    SILENT: "silent",
    QUIET: "quiet",
    NOT_FOUND: "n.found",
    SURE: "sure",
    SURE_RIGHT: "right",
    AUROC: "AUROC",
    ECE: "ECE",
    WORDS: "words",
    BM25_GOLD: "b.gold",
    BM25_LINE: "b.line",
    BM25_BOTH: "b.both",
    LINE_RATIO: "line x",
    FIRST_RATIO: "first x",
    BOTH_RATIO: "both x",
}
"""The figures that are columns of the table, each with its heading."""


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """The metrics of one question; which ones depends on whether the document has an answer and one was given."""
    sure = seen.answered and not seen.review
    contained = case.answerable and seen.answered and contains(case, seen.text, seen.polarity)
    common: dict[str, Metric] = {
        "right": contained if case.answerable else not sure and seen.decision != "error",
        "sure": sure if case.answerable else None,
        "sure_right": contained if sure else None,
        "shown_right": contained if seen.answered else None,
        "words": answer_words(seen.text) if seen.answered else None,
    }
    if not case.answerable:
        return common | {
            "quiet": not sure,  # also true for a document that cannot be read
            "not_found": seen.decision == "not_found",
        }
    return common | {"answered": seen.answered, "contained": contained} | _placed(case, seen, contained=contained)


def contains(case: Case, text: str, polarity: str | None) -> bool:
    """True if a text contains a right answer.

    If the case has groups of strings (`match`), the text must contain one string of every group, compared as people
    type them. Otherwise it must contain any gold answer: a yes or no as the answer's polarity, a gold answer of a few
    words as a sequence, and of a longer or reworded one three in five content words.
    """
    if case.match:
        shown = _typed(text)
        return all(any(_typed(string) in shown for string in group) for group in case.match)
    return any(_holds(case, text, gold, polarity) for gold in case.gold)


def _holds(case: Case, text: str, gold: str, polarity: str | None) -> bool:
    if said := _YES_OR_NO.fullmatch(gold):
        return polarity == said[1].lower()
    if holds_gold(text, gold):
        return True
    long = len(gold.split()) > _MOST_WORDS or REWORDED in case.tags
    return long and word_share(text, gold) >= _SHARE


def _typed(text: str) -> str:
    """A text as people type it: lower case, straight apostrophes, spaces for hyphens and line breaks."""
    plain = re.sub("[\u2010-\u2015-]", " ", text.lower().replace("\u2019", "'").replace("\u2018", "'"))
    return " ".join(plain.split())


def _placed(case: Case, seen: Observation, *, contained: bool) -> dict[str, Metric]:
    """The metrics of the cited lines against those of the evidence, and of BM25's best sentence."""
    base = seen.baseline
    bm25_contained = base is not None and contains(case, base.text, None)
    measures: dict[str, Metric] = {"bm25_contained": bm25_contained}
    if not seen.gold_lines:
        return measures
    line = seen.answered and _overlap(seen.cited_lines, seen.gold_lines)
    bm25_line = base is not None and _overlap((base.lines,), seen.gold_lines)
    return measures | {
        "line": line,
        "first": seen.answered and _overlap(seen.cited_lines[:1], seen.gold_lines),
        "both": contained and line,
        "bm25_line": bm25_line,
        "bm25_both": bm25_contained and bm25_line,
    }


def _overlap(ours: Sequence[Lines], gold: Sequence[Lines]) -> bool:
    return any(start <= last and first <= end for start, end in ours for first, last in gold)


def figures(groups: Callable[[Row], Sequence[str]]) -> Callable[[Sequence[Row]], list[Figure]]:
    """A function that computes all figures over all questions, and those of the table for each group of rows too."""

    def summed_up(rows: Sequence[Row]) -> list[Figure]:
        apart = by_group(rows, groups)
        return [
            *_figures(rows, OVERALL),
            *_of_paths(rows),
            *_time(rows),
            *(
                figure
                for name, members in apart.items()
                if len(apart) > 1
                for figure in _figures(members, name)
                if figure.name in COLUMNS
            ),
        ]

    return summed_up


def _figures(rows: Sequence[Row], part: str) -> list[Figure]:
    shown = [row for row in rows if row.metrics.get("shown_right") is not None]
    answered = average(rows, "answered", part, SILENT)
    words = [float(number) for row in rows if (number := row.metrics.get("words")) is not None]
    made = [
        average(rows, "contained", part, GOLD),
        average(rows, "line", part, LINE),
        average(rows, "first", part, FIRST),
        average(rows, "both", part, BOTH),
        Figure(part, SILENT, None if answered.value is None else 1 - answered.value, answered.n, 1.0),
        average(rows, "quiet", part, QUIET),
        average(rows, "not_found", part, NOT_FOUND),
        average(rows, "sure", part, SURE),
        average(rows, "sure_right", part, SURE_RIGHT),
        _auroc(shown, part),
        _calibration(shown, part, ECE),
        right(rows, part),
        Figure(part, WORDS, percentile(words, 0.5), len(words)),
        average(rows, "bm25_contained", part, BM25_GOLD),
        average(rows, "bm25_line", part, BM25_LINE),
        average(rows, "bm25_both", part, BM25_BOTH),
        _ratio(rows, part, LINE_RATIO, "line", "bm25_line"),
        _ratio(rows, part, FIRST_RATIO, "first", "bm25_line"),
        _ratio(rows, part, BOTH_RATIO, "both", "bm25_both"),
    ]
    return [figure for figure in made if figure.n]


def _auroc(shown: Sequence[Row], part: str) -> Figure:
    area = auroc([row.confidence for row in shown], _right(shown))
    return Figure(part, AUROC, area, len(shown) if area is not None else 0)


def _calibration(shown: Sequence[Row], part: str, name: str) -> Figure:
    return Figure(part, name, calibration_error([row.confidence for row in shown], _right(shown)), len(shown))


def _right(shown: Sequence[Row]) -> list[bool]:
    return [bool(row.metrics.get("shown_right")) for row in shown]


def _ratio(rows: Sequence[Row], part: str, name: str, ours: str, theirs: str) -> Figure:
    """Our share divided by BM25's, each over the questions it applies to; None if BM25's is 0."""
    mine, other = average(rows, ours, part), average(rows, theirs, part)
    value = mine.value / other.value if mine.value is not None and other.value else None
    return Figure(part, name, value, mine.n if value is not None else 0)


def _of_paths(rows: Sequence[Row]) -> list[Figure]:
    """Calibration error and share of right answers for each way of answering that results name."""
    shown = [row for row in rows if row.metrics.get("shown_right") is not None and row.path]
    return [
        figure
        for path, members in by_group(shown, lambda row: (row.path,)).items()
        for figure in (
            _calibration(members, OVERALL, f"{ECE}, {path}"),
            Figure(OVERALL, f"right, {path}", mean([float(right) for right in _right(members)]), len(members)),
        )
    ]


def _time(rows: Sequence[Row]) -> list[Figure]:
    seconds = [row.seconds for row in rows]
    return [
        Figure(OVERALL, f"seconds a question, {name}", percentile(seconds, share), len(seconds))
        for name, share in (("median", 0.5), ("p95", 0.95))
    ]
