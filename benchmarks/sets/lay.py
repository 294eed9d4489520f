"""Questions in a lay person's own words about papers of everyday kinds, all of them written for this project.

Whoever wrote them knew nothing of the program. A third of the questions have the paper's main words, a third share one
word with the sentence that answers, a third none; three of fourteen have no answer in their paper.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from spanwise.evaluation.answer_card import COLUMNS, figures, score
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Row
from spanwise.evaluation.sets import sample

FILE = Path(__file__).with_name("lay_questions.json")


class _Asked(BaseModel):
    q: str
    line: str | None
    answer: str | None


class _Paper(BaseModel):
    id: str
    half: str
    """`read` where misses were read while the program was worked on; of `unread` ones only the figures are known."""
    title: str
    text: str
    questions: list[_Asked]


def load(_data: Path, limit: int | None) -> list[Job]:
    """A job a paper; its part is the half that it belongs to."""
    papers = {paper.id: paper for paper in TypeAdapter(list[_Paper]).validate_json(FILE.read_bytes())}
    asked = {
        f"{paper.id}/{number}": (paper.id, question)
        for paper in papers.values()
        for number, question in enumerate(paper.questions)
    }
    cases: dict[str, list[Case]] = {}
    for case in sample(
        [_case(name, one) for name, (_, one) in asked.items()], limit or 0, lambda one: asked[one.id][0]
    ):
        cases.setdefault(asked[case.id][0], []).append(case)
    return [
        Job(papers[name].half, DocumentSource(f"{name}.txt", papers[name].text), tuple(own))
        for name, own in cases.items()
    ]


def _case(name: str, one: _Asked) -> Case:
    return Case(
        name,
        one.q,
        () if one.line is None else (one.answer or one.line,),
        kind="answerable" if one.line else "unanswerable",
        evidence=(one.line,) if one.line else (),
    )


def _groups(row: Row) -> tuple[str, ...]:
    return (f"half: {row.part}",)


SET = DataSet("lay", load, score, figures(_groups), baseline=True, columns=COLUMNS)
