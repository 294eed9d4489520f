"""Your own questions over your own documents: a file of JSON lines, measured like the sets of documents of many kinds.

A line is one question. Only `question` and `document` have to be there:

    {"question": "What is the late fee?", "document": "lease.pdf", "answers": ["1.5 %"],
     "evidence": ["interest of 1.5 %"], "match": [["1.5 %", "1.5 percent"]], "tags": ["fees"], "id": "fee-1"}
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from spanwise.evaluation.answer_card import COLUMNS, figures, score
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Row
from spanwise.evaluation.data import EvaluationDataError, read_rows, sample


class Asked(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid")

    question: str
    document: str = Field(description="Path of the document, from the folder of the file.")
    answers: list[str] = Field(default=[], description="Right answers; empty where the document does not answer.")
    evidence: list[str] = Field(default=[], description="Quotes of the evidence, any of which will do.")
    match: list[list[str]] = Field(default=[], description="Groups of strings; a right answer has one of each group.")
    tags: list[str] = Field(default=[], description="Groups that the report shows apart.")
    id: str | None = Field(default=None, description="Names the question in rows; its line number by default.")


def own_set(path: Path) -> DataSet:
    """The questions of a file as a set; its documents stand beside it, and need no data folder."""

    def load(_: Path, limit: int | None) -> list[Job]:
        rows = read_rows(path, Asked)
        documents = {row.id or str(at): row.document for at, row in enumerate(rows, start=1)}
        if len(documents) < len(rows):
            raise EvaluationDataError(f"two questions of {path} have the same id: give each its own")
        cases = [_case(row, str(at)) for at, row in enumerate(rows, start=1)]
        jobs: dict[str, list[Case]] = {}
        for case in sample(cases, limit or 0, lambda case: documents[case.id]):
            jobs.setdefault(documents[case.id], []).append(case)
        return [Job("documents", _source(path.parent / name), tuple(asked)) for name, asked in jobs.items()]

    return DataSet(path.stem, load, score, figures(_groups), baseline=True, columns=COLUMNS)


def _case(row: Asked, number: str) -> Case:
    return Case(
        row.id or number,
        row.question,
        tuple(row.answers),
        tags=tuple(row.tags),
        evidence=tuple(row.evidence),
        match=tuple(tuple(group) for group in row.match),
    )


def _source(path: Path) -> DocumentSource:
    if not path.is_file():
        raise EvaluationDataError(f"there is no {path}: documents are named from the folder of the questions")
    return DocumentSource(path.name, path)


def _groups(row: Row) -> tuple[str, ...]:
    return row.tags
