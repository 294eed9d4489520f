"""Questions as busy people type them, on everyday files of many kinds: PDF, DOCX, slides, sheets, HTML, mail, text."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from spanwise.evaluation.answer_card import COLUMNS, figures, score
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Row
from spanwise.evaluation.sets import EvaluationDataError, read_rows, sample


class _Question(BaseModel):
    id: str
    doc: str
    kind: str
    language: str
    question: str
    gold: str | None
    match: list[list[str]] | None
    evidence: str | None
    qtype: str


def load(data: Path, limit: int | None) -> list[Job]:
    """A job a file; its part is the kind of document.

    Raises:
        EvaluationDataError: The questions or a file are missing.
    """
    folder = data / "everyday"
    questions = {row.id: row for row in read_rows(folder / "questions.jsonl", _Question)}
    asked: dict[str, list[Case]] = {}
    for case in sample([_case(row) for row in questions.values()], limit or 0, lambda case: questions[case.id].doc):
        asked.setdefault(questions[case.id].doc, []).append(case)
    kinds = {row.doc: row.kind for row in questions.values()}
    return [Job(kinds[name], _file(folder / "docs" / name), tuple(cases)) for name, cases in asked.items()]


def _case(row: _Question) -> Case:
    return Case(
        row.id,
        row.question,
        () if row.gold is None else (row.gold,),
        kind=row.qtype,
        tags=(row.language,),
        evidence=(row.evidence,) if row.evidence else (),
        match=tuple(tuple(group) for group in row.match or ()),
    )


def _file(path: Path) -> DocumentSource:
    if not path.is_file():
        raise EvaluationDataError(f"there is no {path}, which questions are about: fetch the files of the data too")
    return DocumentSource(path.name, path)


def _groups(row: Row) -> tuple[str, ...]:
    """Kind of document, type of question, language."""
    return f"kind: {row.part}", f"asked: {row.kind}", *(f"language: {language}" for language in row.tags)


SET = DataSet("everyday", load, score, figures(_groups), baseline=True, columns=COLUMNS)
