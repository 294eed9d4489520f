"""FinanceBench: questions on real filings, over the PDF where there is one and over its page texts otherwise.

The gold answers are free text, often rounded and often computed. `LOOKUP` marks the questions whose gold stands on a
gold page, so that a system that does not calculate can be held to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from sets.shared_metrics import common_metrics, standard_figures
from sets.values import contains_value, gold_values
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, by_group, content_words, word_share
from spanwise.evaluation.sets import pdf, read_rows, sample

PART = "questions"
LOOKUP = "look-up"
_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)
_HALF = 0.5
"""Share of a worded gold's content words, the question's not counted, that an answer must have."""
_EXPLANATION = 8
"""New content words up to which the numbers of a gold are what was asked for; in longer ones they are incidental."""


class _Evidence(BaseModel):
    page: int


class _Question(BaseModel):
    id: str
    doc: str
    question: str
    answer: str
    evidence: list[_Evidence]
    type: str
    reasoning: str | None
    pdf: str | None


class _Page(BaseModel):
    doc: str
    page: int
    text: str


def load(data: Path, limit: int | None) -> list[Job]:
    """A job a filing."""
    folder = data / "financebench"
    questions = {question.id: question for question in read_rows(folder / "questions.jsonl.gz", _Question)}
    pages = _pages(read_rows(folder / "pages.jsonl.gz", _Page))
    cases = [
        _case(question, pages.get(question.doc, {}))
        for question in questions.values()
        if question.pdf or question.doc in pages
    ]
    jobs: dict[str, list[Case]] = {}
    for case in sample(cases, limit or 0, lambda case: case.tags[0]):
        jobs.setdefault(questions[case.id].doc, []).append(case)
    return [
        Job(PART, _document(data, questions[asked[0].id], pages.get(doc, {})), tuple(asked))
        for doc, asked in jobs.items()
    ]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Whether the answer holds the gold: its value, its yes or no, or half of its words."""
    return common_metrics(case, seen, contained=_contained(case, seen))


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The standard figures, and page, citation and content by type of question, for look-ups and by kind of gold."""
    made = standard_figures(rows, PART)
    for tag, group in by_group(rows, lambda row: (*row.tags, f"gold is {row.kind}")).items():
        made += [
            average(group, "hit@1", PART, f"{tag}: gold page hit@1"),
            average(group, "cited", PART, f"{tag}: citation on a gold page"),
            average(group, "contained", PART, f"{tag}: gold contained"),
        ]
    return made


def _pages(rows: Sequence[_Page]) -> dict[str, dict[int, str]]:
    pages: dict[str, dict[int, str]] = {}
    for row in rows:
        pages.setdefault(row.doc, {})[row.page] = row.text
    return pages


def _document(data: Path, question: _Question, pages: Mapping[int, str]) -> DocumentSource:
    if question.pdf:
        return pdf(data, question.pdf)
    texts = (pages.get(number, "").replace("\f", " ") for number in range(1, max(pages) + 1))
    return DocumentSource(f"{question.doc}.txt", "\n\f".join(texts))


def _case(question: _Question, pages: Mapping[int, str]) -> Case:
    gold_pages = tuple(sorted({evidence.page for evidence in question.evidence}))
    case = Case(question.id, question.question, (question.answer,), gold_pages, _kind(question))
    computed = question.type == "metrics-generated" and question.reasoning == "Numerical reasoning"
    found = not computed and any(_holds(case, pages.get(page, "")) for page in gold_pages)
    tags = (question.type, "over a PDF" if question.pdf else "over page texts", *([LOOKUP] if found else []))
    return Case(case.id, case.question, case.gold, gold_pages, case.kind, tags)


def _kind(question: _Question) -> str:
    if _YES_NO.match(question.answer):
        return "yes or no"
    new = set(content_words(question.answer)) - set(content_words(question.question))
    return "a value" if len(new) <= _EXPLANATION and gold_values(question.answer) else "words"


def _contained(case: Case, seen: Observation) -> bool:
    if not case.answerable:
        return False
    if case.kind == "yes or no":
        return seen.polarity is not None and case.gold[0].lower().startswith(seen.polarity)
    return _holds(case, seen.text)


def _holds(case: Case, text: str) -> bool:
    """Whether a text has all values of the gold, or enough of its words."""
    gold = case.gold[0]
    if case.kind == "a value":
        return all(contains_value(text, value) for value in gold_values(gold, case.question))
    return case.kind == "words" and word_share(text, gold, without=case.question) >= _HALF


SET = DataSet("financebench", load, score, figures)
