"""Questions for yes or no about papers of everyday kinds, all of them written for this project.

A third is to be answered with yes, a quarter with no, and of the rest the paper says nothing, though most of their
words stand in a sentence that says something else: what is planned, what holds under a condition or of others, what a
thing is for. Whoever wrote them knew nothing of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, by_group
from spanwise.evaluation.sets import sample

FILE = Path(__file__).with_name("yes_or_no_questions.json")
_OVERALL = "all questions"


class _Paper(BaseModel):
    id: str
    half: str
    """`read` where misses were read while the program was worked on; of `unread` ones only the figures are known."""
    title: str
    text: str
    questions: list[tuple[str, Literal["yes", "no", "unsaid"], str | None]]


def load(_data: Path, limit: int | None) -> list[Job]:
    """A job a paper; its part is the half that it belongs to."""
    papers = TypeAdapter(list[_Paper]).validate_json(FILE.read_bytes())
    cases = [
        Case(
            f"{paper.id}/{number}",
            question,
            () if line is None else (said,),
            kind=said,
            evidence=() if line is None else (line,),
        )
        for paper in papers
        for number, (question, said, line) in enumerate(paper.questions)
    ]
    asked: dict[str, list[Case]] = {}
    for case in sample(cases, limit or 0, _paper_of):
        asked.setdefault(_paper_of(case), []).append(case)
    return [
        Job(paper.half, DocumentSource(f"{paper.id}.txt", paper.text), tuple(asked[paper.id]))
        for paper in papers
        if paper.id in asked
    ]


def _paper_of(case: Case) -> str:
    return case.id.split("/")[0]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Whether an answer is certain, and right: it says yes or no as the paper does, or else cites the line that does.

    Of a question that the paper does not answer no certain answer is right.
    """
    sure = seen.answered and not seen.review
    cited = any(start <= last and first <= end for start, end in seen.cited_lines for first, last in seen.gold_lines)
    right = case.answerable and (cited if seen.polarity is None else seen.polarity == case.kind)
    return {
        "sure": sure,
        "sure_right": right if sure else None,
        "told": seen.polarity is not None if sure and case.answerable else None,
        "silent": not seen.answered if case.answerable else None,
        "right": right if case.answerable else not sure,
    }


def _figures(rows: Sequence[Row]) -> list[Figure]:
    return [
        *_of(rows, _OVERALL),
        *(
            figure
            for name, members in by_group(rows, lambda row: (f"half: {row.part}", row.kind)).items()
            for figure in _of(members, name)
        ),
    ]


def _of(rows: Sequence[Row], part: str) -> Iterator[Figure]:
    for metric, name in (
        ("sure", "answered without a mark"),
        ("sure_right", "right without a mark"),
        ("told", "of these that have an answer, with yes or no itself"),
        ("silent", "silent though answerable"),
    ):
        figure = average(rows, metric, part, name)
        if figure.n:
            yield figure


SET = DataSet("yesno", load, score, _figures)
