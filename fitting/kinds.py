"""Fit how likely lists, definitions and explicit yes or no are right, from how they fit the question.

Lists: listing questions on NIST publications and SQuAD articles; right when every content word of the gold is in them.
Definitions: SQuAD articles. Yes or no: NIST, and the claims of
ContractNLI (CC BY 4.0) turned into questions ("Receiving Party may not X." asks "May Receiving Party X?"). Tables are
fitted by `fitting/tables.py`, whose curves are kept. Platt's curves, never falling, targets smoothed as in Platt 1999.
The reliability table is from leave-one-document-out, or ten folds of documents where there are many. Needs the data
(SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/kinds.py [--out FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from pydantic import BaseModel
from scipy.optimize import minimize
from sets import SETS

import spanwise
from spanwise.evaluation.cases import Case, DocumentSource
from spanwise.evaluation.metrics import contains_words, word_share
from spanwise.evaluation.sets import read_rows
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.answer import LIST_READ, READ
from spanwise.synthesis.extractive.booleans import find_polarity
from spanwise.synthesis.extractive.calibration import as_measured
from spanwise.synthesis.extractive.candidates import ENOUGH_OF_A_LIST, Candidate, definition_candidates, list_candidates
from spanwise.text.passage_reading import read_passage, stem_weights

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/calibration.json")
KINDS = ("list", "yes_or_no", "definition")
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
    known = [*_of_documents(), *_of_claims()]
    for kind in KINDS:
        report(kind, [one for one in known if one.kind == kind])
    curves = {kind: fit([one for one in known if one.kind == kind]) for kind in KINDS}
    data = json.loads(options.out.read_text())
    data |= {kind: {"bias": round(bias, 3), "slope": round(slope, 3)} for kind, (bias, slope) in curves.items()}
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


def report(kind: str, examples: Sequence[Example]) -> None:
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
    for name in ("nist", "squad2"):
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
