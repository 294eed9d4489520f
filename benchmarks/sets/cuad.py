"""CUAD: finding clauses in contracts, over their texts and, for a few, over their PDFs with gold pages.

Two in three questions have no clause, so every figure stands beside that of a system that never answers. The questions
are the official descriptions of the categories, asked as they stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from sets.facts import parties_f1, same_date, same_law, same_name
from sets.shared_metrics import common_metrics, standard_figures
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, by_group, contains_words, content_words, mean, word_share
from spanwise.evaluation.sets import pdf, read_rows, sample

USUAL = 600
"""Questions on contract texts that are asked when no number is given; on PDFs all are."""
_TEXTS, _PDFS = "contract texts", "contract PDFs"
_DATES = ("Agreement Date", "Effective Date")
FACTS = (*_DATES, "Governing Law", "Document Name", "Parties")
"""Categories whose typed value is compared with what the annotators wrote down."""
_HALF = 0.5
"""Share of a clause's content words that an answer must have."""


class _Contract(BaseModel):
    doc_id: str
    text: str


class _Answer(BaseModel):
    text: str


class _TextQuestion(BaseModel):
    id: str
    doc_id: str
    category: str
    question: str
    answer: str | None = None
    answers: list[_Answer]
    unanswerable: bool


class _Evidence(BaseModel):
    page: int
    pages: list[int]
    text: str


class _PdfQuestion(BaseModel):
    id: str
    doc: str
    category: str
    question: str
    evidence: list[_Evidence]
    unanswerable: bool


def load(data: Path, limit: int | None) -> list[Job]:
    """A job a contract text, and a job a contract PDF."""
    return [*_text_jobs(data, USUAL if limit is None else limit), *_pdf_jobs(data, limit or 0)]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Whether the answer holds one of the annotated clauses, or stands in one."""
    held = any(clause_held(seen.text, clause, case.question) for clause in case.gold)
    share = max((word_share(seen.text, clause) for clause in case.gold), default=0.0) if seen.answered else 0.0
    metrics = common_metrics(case, seen, contained=held) | {"share": share if case.answerable else None}
    return metrics | {"value": _value(case, seen)}


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The standard figures of texts and PDFs, and how often the typed value is right."""
    groups = by_group(rows, lambda row: (row.part,))
    return [
        figure
        for part, group in groups.items()
        for figure in [*standard_figures(group, part), *_typed_figures(group, f"{part}, typed values")]
    ]


def _value(case: Case, seen: Observation) -> Metric:
    """How right the typed value is, against what the annotators wrote down; None where they wrote nothing usable."""
    if case.value in ("Yes", "No"):
        # A clause that is shown is a yes; silence is the only way to say that a contract has none.
        return (seen.answered and seen.polarity != "no") == (case.value == "Yes")
    first = seen.values[0] if seen.values else ""
    if not case.value or case.kind not in FACTS:
        return None
    if case.kind in _DATES:
        return same_date(first if seen.schema == "DateAnswer" else "", case.value)
    if case.kind == "Parties":
        return parties_f1(seen.values, case.value)
    return same_law(first, case.value) if case.kind == "Governing Law" else same_name(first, case.value)


def _typed_figures(rows: Sequence[Row], part: str) -> list[Figure]:
    facts = [row for row in rows if row.kind in FACTS]
    figures = [average([row for row in facts if row.kind == kind], "value", part, kind.lower()) for kind in FACTS]
    clauses = [row for row in rows if row.kind not in FACTS and row.metrics.get("value") is not None]
    recalls = [
        figure.value
        for answerable in (True, False)
        if (figure := average([row for row in clauses if row.answerable is answerable], "value", part)).value
        is not None
    ]
    absent = [row for row in facts if not row.answerable]
    silent = mean([float(row.decision not in ("ship", "error")) for row in absent])
    figures += [
        Figure(part, "yes or no, balanced accuracy", mean(recalls), len(clauses), 0.5),
        Figure(part, "silent when a fact is absent", silent, len(absent), 1.0),
    ]
    return [figure for figure in figures if figure.n]


def clause_held(answer: str, clause: str, question: str) -> bool:
    """Whether an answer gives a clause.

    It does when it has at least half of the clause's content words, or when it is a piece of the clause (word for word)
    that says something: at least one content word that is not in the question.
    """
    if word_share(answer, clause) >= _HALF:
        return True
    return contains_words(clause, answer) and not set(content_words(answer)) <= set(content_words(question))


def _text_jobs(data: Path, limit: int) -> list[Job]:
    folder = data / "cuad"
    questions = {question.id: question for question in read_rows(folder / "questions.jsonl.gz", _TextQuestion)}
    contracts = {row.doc_id: row.text for row in read_rows(folder / "contracts.jsonl.gz", _Contract)}
    cases = [
        Case(
            question.id,
            question.question,
            tuple(answer.text for answer in question.answers),
            kind=question.category,
            value=(question.answer or "").strip(),
        )
        for question in questions.values()
        if question.doc_id in contracts
    ]
    jobs: dict[str, list[Case]] = {}
    for case in sample(cases, limit, lambda case: questions[case.id].doc_id):
        jobs.setdefault(questions[case.id].doc_id, []).append(case)
    return [
        Job(_TEXTS, DocumentSource(f"{name}.txt", contracts[name].replace("\f", "\n")), tuple(asked))
        for name, asked in jobs.items()
    ]


def _pdf_jobs(data: Path, limit: int) -> list[Job]:
    questions = {row.id: row for row in read_rows(data / "cuad" / "pdf_questions.jsonl.gz", _PdfQuestion)}
    jobs: dict[str, list[Case]] = {}
    for case in sample([_pdf_case(row) for row in questions.values()], limit, lambda case: questions[case.id].doc):
        jobs.setdefault(questions[case.id].doc, []).append(case)
    return [Job(_PDFS, pdf(data, f"pdfs/{name}.pdf"), tuple(asked)) for name, asked in jobs.items()]


def _pdf_case(row: _PdfQuestion) -> Case:
    pages = sorted({page for evidence in row.evidence for page in (evidence.page, *evidence.pages)})
    gold = tuple(evidence.text for evidence in row.evidence)
    return Case(row.id, row.question, gold, tuple(pages), row.category)


SET = DataSet("cuad", load, score, figures)
