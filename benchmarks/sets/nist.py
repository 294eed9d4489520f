"""NIST publications: typed questions on PDFs, some of which the documents do not answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from sets.shared_metrics import common_metrics, standard_figures
from spanwise.evaluation.cases import Case, DataSet, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, by_group, content_words, mean, right, word_share
from spanwise.evaluation.sets import pdf, read_rows, sample

_SHORT = 4
"""Content words up to which all of a gold's words must be in the answer."""
_MOST_WORDS = 0.8
"""Share of a longer gold's content words that must be: such golds are worded by those who wrote the questions."""


class _Evidence(BaseModel):
    page: int


class _Question(BaseModel):
    id: str
    pdf: str
    question: str
    answer: str | list[str] | None
    answer_type: str
    evidence: list[_Evidence]
    unanswerable: bool


def load(data: Path, limit: int | None) -> list[Job]:
    """A job a PDF."""
    questions = {question.id: question for question in read_rows(data / "nist" / "questions.jsonl.gz", _Question)}
    cases = sample([_case(question) for question in questions.values()], limit or 0, lambda case: case.kind)
    jobs: dict[str, list[Case]] = {}
    for case in cases:
        jobs.setdefault(questions[case.id].pdf, []).append(case)
    return [Job("questions", pdf(data, path), tuple(asked)) for path, asked in jobs.items()]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Whether the answer holds the gold words: of a list every element's, of yes or no the word itself."""
    elements = [_contained(case, seen, gold) for gold in case.gold]
    metrics = common_metrics(case, seen, contained=all(elements))
    share = mean([float(element and seen.answered) for element in elements])
    return metrics | {"share": share, "typed": _typed(case, seen)}


def _typed(case: Case, seen: Observation) -> bool:
    """Whether the answer is of the type that is asked for and its value is right.

    Of a list every item is one gold element; yes and no are a BooleanAnswer; a number is a quantity of that value; a
    span is in an item; nothing is said where the document does not answer.
    """
    if not case.answerable or not seen.answered:
        return not case.answerable and seen.decision not in ("ship", "error")
    if case.kind == "boolean":
        return seen.schema == "BooleanAnswer" and _contained(case, seen, case.gold[0])
    if case.kind == "number":
        numbers = {one for value in seen.values for one in content_words(value)}
        return seen.schema == "QuantityAnswer" and set(content_words(case.gold[0])) <= numbers
    pairs = zip(seen.values, case.gold, strict=False)
    if case.kind == "list":
        return len(seen.values) == len(case.gold) and all(
            word_share(value, gold) >= _MOST_WORDS for value, gold in pairs
        )
    return any(word_share(value, case.gold[0]) >= _MOST_WORDS for value in (*seen.values, seen.text))


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The standard figures, the share of the elements that were given, and right answers by type."""
    shares = [float(share) for row in rows if (share := row.metrics.get("share")) is not None]
    return [
        *standard_figures(rows, "questions"),
        Figure("questions", "share of gold elements contained", mean(shares), len(shares)),
        average(rows, "typed", "questions", "typed value right or rightly silent"),
        *(
            right(group, "questions", f"right, {kind}")
            for kind, group in by_group(rows, lambda row: (row.kind,)).items()
        ),
    ]


def _case(question: _Question) -> Case:
    answer = question.answer or []
    gold = [answer] if isinstance(answer, str) else answer
    pages = sorted({evidence.page for evidence in question.evidence})
    return Case(question.id, question.question, tuple(gold), tuple(pages), question.answer_type)


def _contained(case: Case, seen: Observation, gold: str) -> bool:
    if case.kind == "boolean":
        return seen.polarity == gold.strip().lower().rstrip(".")
    share = word_share(seen.text, gold)
    return share >= (1.0 if len(set(content_words(gold))) <= _SHORT else _MOST_WORDS)


SET = DataSet("nist", load, score, figures)
