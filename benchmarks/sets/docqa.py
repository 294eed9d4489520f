"""Questions on documents of many kinds and languages: seventeen sets in one schema, one card for all of them."""

from __future__ import annotations

import bisect
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel

from spanwise.evaluation.answer_card import COLUMNS, OTHER, REWORDED, figures, score
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Lines, Row
from spanwise.evaluation.metrics import holds_gold
from spanwise.evaluation.sets import read_rows, sample

DOCQA = "docqa"
"""Name of all of them together."""
USUAL = 150
"""Questions that are asked of a set when no number is given."""
_OTHERS = 4
"""One question of another document for so many of the document's own, where a set has no unanswerable ones."""
_LINE_END = re.compile(r"\r\n|\n|\r")

_REWORDED: Mapping[str, bool] = {
    "covidqa": True,
    "emanual": True,
    "qmsum": True,
    "fairytaleqa": True,
    "fetaqa": True,
    "wikitables": False,
    "nqpages": False,
    "qasper": False,
    "clapnq": True,
    "awsdocs": False,
    "xquad": False,
    "drcd": False,
    "cmrc2018": False,
    "jaquad": False,
    "piaf": False,
    "norquad": False,
    "arcd": False,
}
"""The sets, and whether their golds are often long or reworded, so that most of the words are asked for and not all."""


class _Document(BaseModel):
    doc_id: str
    title: str
    kind: str
    language: str
    text: str


class _Evidence(BaseModel):
    start: int
    end: int


class _Question(BaseModel):
    id: str
    doc_id: str
    question: str
    answers: list[str]
    evidence: list[_Evidence]
    unanswerable: bool
    qtype: str


def load(name: str, data: Path, limit: int | None) -> list[Job]:
    """A job a document; its part is the language.

    Sets without unanswerable questions get some: questions of other documents of the same language, one for every four,
    whose answer is not, word for word, in the document. Which question goes where is the same every time.
    """
    folder = data / name
    documents = {row.doc_id: row for row in read_rows(folder / "documents.jsonl.gz", _Document)}
    questions = {row.id: row for row in read_rows(folder / "questions.jsonl.gz", _Question)}
    line_ends = {doc_id: [end.end() for end in _LINE_END.finditer(row.text)] for doc_id, row in documents.items()}
    cases = [
        _case(row, line_ends[row.doc_id], documents[row.doc_id].language, reworded=_REWORDED[name])
        for row in questions.values()
        if row.doc_id in documents
    ]
    asked: dict[str, list[Case]] = {}
    for case in sample(cases, USUAL if limit is None else limit, lambda case: questions[case.id].doc_id):
        asked.setdefault(questions[case.id].doc_id, []).append(case)
    if not any(row.unanswerable for row in questions.values()):
        for doc_id, case in list(_others(asked, documents)):
            asked[doc_id].append(case)
    titles = Counter((row.language, row.title) for row in documents.values())
    return [
        Job(row.language, _source(row, titled=titles[row.language, row.title] == 1), tuple(asked[row.doc_id]))
        for row in documents.values()
        if row.doc_id in asked
    ]


def _case(row: _Question, line_ends: Sequence[int], language: str, *, reworded: bool) -> Case:
    return Case(
        row.id,
        row.question,
        () if row.unanswerable else tuple(row.answers),
        kind=row.qtype,
        tags=(language, *((REWORDED,) if reworded else ())),
        evidence=tuple(_lines(place, line_ends) for place in row.evidence),
    )


def _lines(place: _Evidence, line_ends: Sequence[int]) -> Lines:
    first = bisect.bisect_right(line_ends, place.start) + 1
    return first, bisect.bisect_right(line_ends, max(place.start, place.end - 1)) + 1


def _source(row: _Document, *, titled: bool) -> DocumentSource:
    """The document under its title, or under its id where the title is another's too."""
    name = (row.title if titled and row.title.strip() else row.doc_id).replace("/", " ")
    ending = ".md" if row.kind == "table" or "Markdown" in row.kind else ".txt"
    return DocumentSource(name if name.endswith(ending) else name + ending, row.text)


def _others(asked: Mapping[str, Sequence[Case]], documents: Mapping[str, _Document]) -> Iterator[tuple[str, Case]]:
    """Questions that are asked of a document they do not belong to."""
    own = sorted(
        ((doc_id, case) for doc_id, cases in asked.items() for case in cases), key=lambda pair: _lot(pair[1].id)
    )
    for doc_id, case in own[: len(own) // _OTHERS]:
        strangers = (
            other
            for other in sorted(asked, key=lambda name: _lot(f"{case.id} {name}"))
            if other != doc_id
            and documents[other].language == documents[doc_id].language
            and not any(holds_gold(documents[other].text, gold) for gold in case.gold)
        )
        if (stranger := next(strangers, None)) is not None:
            yield stranger, Case(f"{case.id} of {doc_id}", case.question, (), kind=case.kind, tags=(*case.tags, OTHER))


def _lot(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _languages(row: Row) -> tuple[str, ...]:
    return (row.part,)


SETS = tuple(
    DataSet(name, partial(load, name), score, figures(_languages), baseline=True, columns=COLUMNS) for name in _REWORDED
)
