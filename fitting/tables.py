"""Fit how likely answers from tables are right: the weights of records, and the curves of all kinds of table answers.

Records: FeTaQA and WikiTableQuestions (both CC BY-SA 4.0), every third question also asked of another table, where
nothing is right; and Natural Questions pages (CC BY-SA 3.0), in which most answers stand beside the tables. A record
is right when it holds the answer and little else, of FeTaQA six tenths of its words; the row that has most or least
of something likewise. Every second of these documents is read as HTML, whose tables have no marks between their
cells. Cells, computed figures, headings and figures told beside a table: TAT-QA (CC BY 4.0), right when scored so. The
reliability of each kind is printed from folds of documents. Needs the data (SPANWISE_DATA, by default ../shared/data)
and `pip install --group fit`.

Usage: python fitting/tables.py [--questions N]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from kinds import Example, fit, report
from markdown_it import MarkdownIt
from scipy.optimize import minimize
from sets import SETS

import spanwise
from spanwise.answering.request import Request, question_of
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft
from spanwise.evaluation.cases import Case, Observation
from spanwise.guard.drafts.check import check
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.calibration import Kind, as_measured
from spanwise.synthesis.extractive.tables.answer import table_candidates
from spanwise.synthesis.extractive.tables.drafting import records_draft
from spanwise.synthesis.extractive.tables.near import tables_near
from spanwise.synthesis.extractive.tables.record_answers import FEATURES
from spanwise.synthesis.extractive.tables.records import match_records
from spanwise.synthesis.extractive.tables.table_question import asked
from spanwise.synthesis.extractive.typed.superlatives import superlative
from spanwise.text.expectations.forms import expectation
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
CURVES = Path("src/spanwise/synthesis/extractive/calibration.json")
LOOKUPS = Path("fitting/lookups.md")
RECORDS = Path("src/spanwise/synthesis/extractive/tables/records.json")
OF_CELLS = ("cells", "computed_cells", "headings", "told")
ENOUGH_WORDS = 0.6
MOST_WORDS = 5
"""Words of a record for each word of the right cell: it is a cell that is asked for, not a row."""
SEVERAL = re.compile(
    r"\band\b|\b(?:what|which|list|name)\s+(?:\w+\s+)?(?!was\b|is\b|does\b|has\b|this\b)\w{2,}(?<!s)s\b", re.IGNORECASE
)
"""A question for several things, of which one is not the answer."""
RIDGE = 1.0
FOLDS = 5


def main() -> None:
    """Collect, fit the records, then the curves, write both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=700, help="questions of each set of records")
    options = parser.parse_args()
    compared: list[Example] = []
    records = [one for name in ("wikitables", "fetaqa") for one in _of_records(name, options.questions, compared)]
    records += _of_records("nqpages", options.questions, compared, others=False)
    records += _of_lookups(compared)
    weights = _weights(records)
    named = {name: round(float(weight), 3) for name, weight in zip(FEATURES, weights[1:], strict=True)}
    RECORDS.write_text(json.dumps({"bias": round(float(weights[0]), 3), "weights": named}, indent=1) + "\n")
    known = [Example("record", doc, measure, right) for doc, measure, right in _folded(records)]
    known += [*compared, *_of_cells()]
    curves = json.loads(CURVES.read_text())
    for kind in ("record", "superlative", *OF_CELLS):
        held = [one for one in known if one.kind == kind]
        report(kind, held)
        bias, slope = fit(held)
        curves[kind] = {"bias": round(bias, 3), "slope": round(slope, 3)}
    CURVES.write_text(json.dumps(curves, indent=1) + "\n")


Record = tuple[str, tuple[float, ...], bool]


def _of_records(name: str, most: int, compared: list[Example], *, others: bool = True) -> Iterator[Record]:
    documents = {row["doc_id"]: row["text"] for row in _rows(f"{name}/documents.jsonl.gz")}
    questions = list(_rows(f"{name}/questions.jsonl.gz"))
    random.Random(5).shuffle(questions)  # noqa: S311 - a sample, no secret
    every = sorted(documents)
    for place, row in enumerate(questions[:most]):
        own = str(row["doc_id"])
        other = every[(every.index(own) + 17) % len(every)] if others and place % 3 == 0 else None
        for document in filter(None, (own, other)):
            yield from _of_table(
                str(row["question"]),
                _read(documents[document], marked=_is_marked(documents[document])),
                row,
                document == own,
                own,
                compared,
            )


def _of_lookups(compared: list[Example]) -> Iterator[Record]:
    """Our own lookups (`fitting/lookups.md`), each table in Markdown and in HTML."""
    for section in LOOKUPS.read_text(encoding="utf-8").split("\n## ")[1:]:
        lines = section.splitlines()
        table = "\n".join([f"# {lines[0]}", "", *(line for line in lines if line.startswith("|"))])
        for line in lines:
            asked_for, mark, gold = line.removeprefix("- ").partition(" =>")
            if mark and expectation(asked_for).form != "whether":
                row: dict[str, object] = {"answers": [gold.strip()], "question": asked_for}
                for marked in (True, False):
                    yield from _of_table(asked_for, _read(table, marked=marked), row, bool(gold), lines[0], compared)


def _is_marked(text: str) -> bool:
    return zlib.crc32(text.encode("utf-8", "replace")) % 2 == 1


def _read(text: str, *, marked: bool) -> spanwise.Document:
    """A document with its tables in Markdown, or as HTML without marks between the cells."""
    if marked:
        return spanwise.read(text.encode("utf-8", "replace"), name="table.md")
    page = MarkdownIt("commonmark").enable("table").render(text)
    return spanwise.read(page.encode("utf-8", "replace"), name="table.html")


def _of_table(
    asked_for: str, document: spanwise.Document, row: dict[str, object], own: bool, name: str, compared: list[Example]
) -> Iterator[Record]:
    with spanwise.Corpus.of([document]) as corpus:
        question = question_of(Request(asked_for), corpus)
        hits = retrieve(question, corpus, k=20)
        if (most := superlative(question, hits, corpus, as_measured)) is not None:
            compared.append(Example("superlative", name, most.relevance, own and _holds(_said(most), row)))
        best: tuple[tuple[float, ...], Draft] | None = None
        for table in tables_near(hits, corpus):
            found = match_records(question, asked(question.text), table)
            if found is not None and (best is None or sum(found.features[:3]) > sum(best[0][:3])):
                best = found.features, records_draft(table.grid, found.rows, found.columns, 0.5, corpus)
        if best is not None:
            yield name, best[0], own and _holds(_said(best[1]), row, one=len(best[1].answer.items) == 1)


def _said(draft: Draft) -> str:
    return "\n".join(worded(item) for item in draft.answer.items)


def _holds(said: str, row: dict[str, object], *, one: bool = False) -> bool:
    """True if what is said holds a gold, or is the one thing of a gold sentence that was asked for."""
    if "match" in row:
        groups = row["match"] or []
        return all(any(str(one).lower() in said.lower() for one in group) for group in groups)  # type: ignore[union-attr]
    golds = [str(gold) for gold in row["answers"]]  # type: ignore[union-attr]
    figures = [[(one.value, one.unit) for one in quantities(text)] for text in (said, golds[0])]
    if one and figures[0] and figures[0] == figures[1]:
        return True  # "EUR 149" is "149 EUR"
    if row.get("qtype") != "sentence":
        short = len(said.split()) <= MOST_WORDS * max(len(gold.split()) for gold in golds) + MOST_WORDS
        return short and any(f" {_plain(gold)} " in f" {_plain(said)} " for gold in golds)
    asked, told = str(row["question"]), set(terms(said))
    wanted = set(terms(golds[0])) - set(terms(asked))
    if one and told and told <= set(terms(golds[0])) and told & wanted and not SEVERAL.search(asked):
        return True
    return bool(wanted) and len(wanted & told) >= ENOUGH_WORDS * len(wanted)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _rows(name: str) -> Iterator[dict[str, object]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _weights(records: Sequence[Record]) -> np.ndarray:
    features = np.array([[1.0, *one[1]] for one in records])
    right = np.array([one[2] for one in records], dtype=float)

    def loss(weights: np.ndarray) -> float:
        logits = features @ weights
        return float((np.logaddexp(0, logits) - right * logits).sum() + RIDGE * (weights[1:] ** 2).sum())

    return minimize(loss, np.zeros(features.shape[1]), method="L-BFGS-B").x


def _folded(records: Sequence[Record]) -> Iterator[tuple[str, float, bool]]:
    """The measure of each record by the weights of the other folds."""
    folds = {name: place % FOLDS for place, name in enumerate(sorted({one[0] for one in records}))}
    for fold in range(FOLDS):
        weights = _weights([one for one in records if folds[one[0]] != fold])
        for document, features, right in records:
            if folds[document] == fold:
                yield document, float(1 / (1 + np.exp(-(weights @ [1.0, *features])))), right


def _of_cells() -> Iterator[Example]:
    """What tables answer, scored as `spanwise eval` scores it."""
    for job in SETS["tatqa"].load(DATA, 0):
        with spanwise.Corpus.of([_read(str(job.document.content), marked=True)]) as corpus:
            for case in job.cases:
                yield from _of_case(case, job.document.name, corpus)


def _of_case(case: Case, name: str, corpus: spanwise.Corpus) -> Iterator[Example]:
    measured: list[tuple[Kind, float]] = []

    def weigh(kind: Kind, measure: float) -> float:
        measured.append((kind, measure))
        return measure

    question = question_of(Request(case.question), corpus)
    drafts = table_candidates(question, retrieve(question, corpus, k=20), corpus, weigh)
    if not drafts or measured[0][0] not in OF_CELLS:
        return
    checked = check(drafts[0], corpus)
    seen = Observation("ship", checked.text, 1.0, 1.0, None, (), (), 0.0, tuple(checked.answer.caveats))
    yield Example(measured[0][0], name, measured[0][1], bool(SETS["tatqa"].score(case, seen).get("all")))


if __name__ == "__main__":
    main()
