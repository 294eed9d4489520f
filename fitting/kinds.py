"""Fit how likely lists, rows, cells, definitions and explicit yes or no are right, from how they fit the question.

Lists: listing questions on NIST publications and SQuAD articles; right when every content word of the gold is in them.
Rows: FinanceBench; right when the gold is contained. Definitions: SQuAD articles. Yes or no: NIST, and the claims of
ContractNLI (CC BY 4.0) turned into questions ("Receiving Party may not X." asks "May Receiving Party X?"). Cells of
tables, what is computed from them, their heads, and figures told beside them: TAT-QA (CC BY 4.0) and FinanceBench;
right when scored so. Platt's curves, never falling, targets smoothed as in Platt 1999. The reliability table is from
leave-one-document-out, or ten folds of documents where there are many. Needs the data (SPANWISE_DATA, by default
../shared/data) and `pip install --group fit`.

Usage: python fitting/kinds.py [--out FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pydantic import BaseModel
from scipy.optimize import minimize

import spanwise
from spanwise.evaluation.cases import Case, DocumentSource, Observation
from spanwise.evaluation.data import read_rows
from spanwise.evaluation.metrics import contains_words, word_share
from spanwise.evaluation.sets import SETS
from spanwise.guard.guard import check
from spanwise.pipeline.asking import Request, question_of
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.answer import LIST_READ, READ
from spanwise.synthesis.extractive.booleans import find_polarity
from spanwise.synthesis.extractive.calibration import Kind, as_measured
from spanwise.synthesis.extractive.candidates import ENOUGH_OF_A_LIST, Candidate, list_candidates
from spanwise.synthesis.extractive.defined import definition_candidates
from spanwise.synthesis.extractive.rows import asks_to_compute, row_candidates
from spanwise.synthesis.extractive.tables import answer as tables
from spanwise.synthesis.extractive.typed.drafting import typed_table
from spanwise.text.reading import read_passage, stem_weights

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/calibration.json")
KINDS = ("list", "row", "computed", "yes_or_no", "definition")
OF_TABLES = ("cells", "computed_cells", "headings", "told")
LEAST_SLOPE = 0.5
"""Curves rise, however little the data says: thresholds on the measure stay thresholds on the chance."""
RIDGE = 0.5
RIDGE_OF_MANY = 0.02
MANY = 100
"""Examples from which on the data says more than the ridge."""
FOLDS = 10
_CLAIM = re.compile(r"^(.+?) (shall|may|must|will|can) (not )?(.+)\.$")


@dataclass(frozen=True)
class Example:
    """What one kind gave for one question."""

    kind: str
    document: str
    measure: float
    right: bool


def main() -> None:
    """Collect, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    known = [*_of_documents(), *_of_claims(), *_of_tables()]
    for kind in KINDS + OF_TABLES:
        _report(kind, [one for one in known if one.kind == kind])
    curves = {kind: fit([one for one in known if one.kind == kind]) for kind in KINDS + OF_TABLES}
    data = {kind: {"bias": round(bias, 3), "slope": round(slope, 3)} for kind, (bias, slope) in curves.items()}
    options.out.write_text(json.dumps(data, indent=1) + "\n")


def fit(examples: Sequence[Example]) -> tuple[float, float]:
    """Bias and slope of the curve."""
    measures = np.array([one.measure for one in examples])
    right = np.array([one.right for one in examples])
    ridge = RIDGE if len(examples) < MANY else RIDGE_OF_MANY
    wanted = np.where(right, (right.sum() + 1) / (right.sum() + 2), 1 / ((~right).sum() + 2))

    def loss(curve: np.ndarray) -> float:
        logits = curve[0] + curve[1] * measures
        return float((np.logaddexp(0, logits) - wanted * logits).sum() + ridge * (curve[1] - LEAST_SLOPE) ** 2)

    found = minimize(loss, np.array([0.0, 1.0]), method="L-BFGS-B", bounds=[(None, None), (LEAST_SLOPE, None)]).x
    return float(found[0]), float(found[1])


def _report(kind: str, examples: Sequence[Example]) -> None:
    """Print mean chance and share right of each half of the examples, and the expected calibration error."""
    said: list[tuple[float, bool]] = []
    folds = {one: at if len(examples) < MANY else at % FOLDS for at, one in enumerate(_documents(examples))}
    for fold in sorted(set(folds.values())):
        bias, slope = fit([one for one in examples if folds[one.document] != fold])
        said += [
            (float(1 / (1 + np.exp(-(bias + slope * one.measure)))), one.right)
            for one in examples
            if folds[one.document] == fold
        ]
    said.sort()
    bins = [part for part in np.array_split(np.array(said), min(5, max(1, len(said) // 8))) if len(part)]
    error = sum(len(part) * abs(part[:, 0].mean() - part[:, 1].mean()) for part in bins) / max(1, len(said))
    shown = "  ".join(f"{part[:, 0].mean():.2f} said, {part[:, 1].mean():.2f} right of {len(part)}" for part in bins)
    print(f"{kind} ({len(said)}, ECE {error:.3f}): {shown}")


def _documents(examples: Sequence[Example]) -> list[str]:
    """Their documents, in an order that has nothing to do with their names."""
    return sorted({one.document for one in examples}, key=lambda name: hashlib.sha256(name.encode()).digest())


def _of_documents() -> Iterator[Example]:
    for name in ("nist", "financebench", "squad2"):
        for job in SETS[name].load(DATA, 0):
            if job.part != "paragraphs":
                yield from _of_job(name, job.document, job.cases)


def _of_job(name: str, source: DocumentSource, cases: Sequence[Case]) -> Iterator[Example]:
    content = source.content
    document = (
        spanwise.read(content)
        if isinstance(content, Path)
        else spanwise.read(content.encode("utf-8", "replace"), name=source.name)
    )
    with spanwise.Corpus.of([document]) as corpus:
        for case in cases:
            question = parse_question(case.question, document=document)
            hits = retrieve(question, corpus, k=20)
            readings = [read_passage(hit.passage) for hit in hits]
            if name == "financebench":
                for found in row_candidates(question, hits, corpus, as_measured):
                    kind = "computed" if len(found.elements) > 1 or asks_to_compute(question) else "row"
                    yield Example(kind, source.name, found.relevance, _contained(case, found))
                continue
            if name == "nist" and case.kind == "boolean":
                said = find_polarity(case.question, readings[:READ])
                if len(said) == 1:
                    right = case.gold[0].lower().startswith("yes") == said[0].yes
                    yield Example("yes_or_no", source.name, 1.0, right)
            if question.answer_shape == "listing":
                weights = stem_weights(question.stems, readings)
                lists = list_candidates(question, readings[:LIST_READ], corpus, weights, as_measured)
                best = max(lists, key=lambda one: one.score, default=None)
                if best is not None and best.relevance >= ENOUGH_OF_A_LIST:
                    words = _text(best)
                    right = case.answerable and all(word_share(words, gold) >= 1 for gold in _golds(case))
                    yield Example("list", source.name, best.relevance, right)
            if name == "squad2" and (defined := definition_candidates(question, readings[:READ], corpus, as_measured)):
                first = max(defined, key=lambda one: one.score)
                right = any(contains_words(_text(first), gold) for gold in case.gold)
                yield Example("definition", source.name, first.relevance, right)


def _golds(case: Case) -> Sequence[str]:
    """Elements of the right list; SQuAD's golds are different ways to say all of it."""
    return case.gold if case.kind == "list" else case.gold[:1]


def _text(found: Candidate) -> str:
    return "\n".join(element.text for element in found.elements)


def _contained(case: Case, found: Candidate) -> bool:
    seen = Observation("ship", _text(found), 1.0, 1.0, None, (), (), 0.0)
    return bool(SETS["financebench"].score(case, seen).get("contained"))


def _of_tables() -> Iterator[Example]:
    """What tables answer, scored as `spanwise eval` scores it."""
    for name in ("tatqa", "financebench"):
        for job in SETS[name].load(DATA, 0):
            content = job.document.content
            raw = content if isinstance(content, Path) else content.encode("utf-8", "replace")
            with spanwise.Corpus.of([spanwise.read(raw, name=job.document.name)]) as corpus:
                for case in job.cases:
                    if (made := _of_table(name, case, corpus)) is not None:
                        yield replace(made, document=job.document.name)


def _of_table(name: str, case: Case, corpus: spanwise.Corpus) -> Example | None:
    measured: list[tuple[str, float]] = []

    def weigh(kind: Kind, measure: float) -> float:
        measured.append((kind, measure))
        return measure

    question = question_of(Request(case.question), corpus)
    draft = tables.answer(question, retrieve(question, corpus, k=20), corpus, weigh)
    shown = typed_table(question, draft, corpus) if draft is not None else None
    if shown is None:
        return None
    checked = check(shown, corpus)
    seen = Observation("ship", checked.text, 1.0, 1.0, None, (), (), 0.0, tuple(checked.answer.caveats))
    right = SETS[name].score(case, seen).get("all" if name == "tatqa" else "contained")
    return Example(measured[-1][0], "", measured[-1][1], bool(right))


class _Contract(BaseModel):
    doc_id: int
    text: str


class _Claim(BaseModel):
    doc_id: int
    hypothesis: str
    label: str


def _of_claims() -> Iterator[Example]:
    """Claims about confidentiality agreements as yes-or-no questions; one that is not mentioned has no right answer."""
    claims = list(read_rows(DATA / "contractnli" / "dev_items.jsonl.gz", _Claim))
    for contract in read_rows(DATA / "contractnli" / "dev_docs.jsonl.gz", _Contract):
        name = f"{contract.doc_id}.txt"
        document = spanwise.read(contract.text.encode("utf-8", "replace"), name=name)
        with spanwise.Corpus.of([document]) as corpus:
            for claim in claims:
                match = _CLAIM.match(claim.hypothesis) if claim.doc_id == contract.doc_id else None
                if match is None:
                    continue
                asked = f"{match[2].capitalize()} {match[1]} {match[4]}?"
                hits = retrieve(parse_question(asked, document=document), corpus, k=20)
                said = find_polarity(asked, [read_passage(hit.passage) for hit in hits[:READ]])
                if len(said) == 1:
                    stated = {"Entailment": True, "Contradiction": False}.get(claim.label)
                    right = stated is not None and (stated != bool(match[3])) == said[0].yes
                    yield Example("yes_or_no", name, 1.0, right)


if __name__ == "__main__":
    main()
