"""SQuAD 2.0: short answers and adversarial unanswerable questions, over articles and over single paragraphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from sets.shared_metrics import common_metrics, exact_match, standard_figures, token_f1
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, contains_words
from spanwise.evaluation.sets import read_rows, sample

USUAL = 600
"""Questions that are asked when no number is given."""
_ARTICLES, _PARAGRAPHS = "articles", "paragraphs"


class _Answer(BaseModel):
    text: str


class _Question(BaseModel):
    id: str
    question: str
    title: str
    paragraph: int
    context: str
    answers: list[_Answer]
    unanswerable: bool


def load(data: Path, limit: int | None) -> list[Job]:
    """A job an article and a job a paragraph, with the same questions."""
    rows = {row.id: row for row in read_rows(data / "squad2" / "dev_public.jsonl.gz", _Question)}
    contexts: dict[str, dict[int, str]] = {}
    for row in rows.values():
        contexts.setdefault(row.title, {})[row.paragraph] = row.context
    all_cases = [Case(row.id, row.question, _gold(row)) for row in rows.values()]
    cases = sample(all_cases, USUAL if limit is None else limit, lambda case: rows[case.id].title)
    articles: dict[str, list[Case]] = {}
    paragraphs: dict[tuple[str, int], list[Case]] = {}
    for case in cases:
        row = rows[case.id]
        articles.setdefault(row.title, []).append(case)
        paragraphs.setdefault((row.title, row.paragraph), []).append(case)
    return [
        *(Job(_ARTICLES, _article(title, contexts[title]), tuple(asked)) for title, asked in articles.items()),
        *(
            Job(_PARAGRAPHS, DocumentSource(f"{title} {number}.txt", contexts[title][number]), tuple(asked))
            for (title, number), asked in paragraphs.items()
        ),
    ]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Whether the answer holds a gold answer, and how well it agrees with it."""
    contained = any(contains_words(seen.text, gold) for gold in case.gold)
    given = seen.text if seen.answered else ""
    agreement: dict[str, Metric] = {"em": exact_match(given, case.gold), "f1": token_f1(given, case.gold)}
    if seen.decision == "error":
        agreement = dict.fromkeys(agreement, 0.0)
    return common_metrics(case, seen, contained=contained) | agreement


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The standard figures over articles; over paragraphs also F1 and exact match."""
    return [
        figure
        for part in (_ARTICLES, _PARAGRAPHS)
        for figure in _part_figures([row for row in rows if row.part == part], part)
    ]


def _part_figures(rows: Sequence[Row], part: str) -> list[Figure]:
    standard = standard_figures(rows, part)
    if part == _ARTICLES or not rows:
        return standard
    answerable = [row for row in rows if row.answerable]
    silent = sum(not row.answerable for row in rows) / len(rows)
    made = [
        average(answerable, "f1", part, "F1, answerable"),
        average(answerable, "em", part, "exact match, answerable"),
        average(rows, "f1", part, "F1, all"),
        average(rows, "em", part, "exact match, all"),
    ]
    return [
        Figure(part, figure.name, figure.value, figure.n, silent if figure.name.endswith("all") else 0.0)
        for figure in made
    ] + standard


def _gold(row: _Question) -> tuple[str, ...]:
    return () if row.unanswerable else tuple(answer.text for answer in row.answers)


def _article(title: str, contexts: Mapping[int, str]) -> DocumentSource:
    return DocumentSource(f"{title}.txt", "\n\n".join(contexts[number] for number in sorted(contexts)))


SET = DataSet("squad2", load, score, figures)
