"""Fit the weights of the factors of the [filings] table on FinanceBench (CC BY-NC 4.0 questions on public filings).

A page's score is that of its best passage, a weighted sum of factors; the weights make the evidence pages likely among
all candidate pages (softmax, weights not below zero, ridge towards zero). The figures come from cross-validation over
whole documents; the printed table is then fitted on all. Needs the data (SPANWISE_DATA, by default ../shared/data) and
`pip install --group fit`.

Usage: python fitting/weights.py [--folds N] [--ridge R] [--crowding C]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import spanwise
from spanwise.domain.document import Document
from spanwise.domain.passage import Passage
from spanwise.evaluation.cases import Case, DocumentSource
from spanwise.evaluation.sets import SETS
from spanwise.questions.parse import parse_question
from spanwise.retrieval.factors import FACTORS
from spanwise.retrieval.pages import PAGE_FACTORS
from spanwise.retrieval.retriever import scored
from spanwise.text.places import place_of

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
LEFT_OUT = {"wording", "named_page", "named_section", "expected_section"}  # other kinds of documents need them
NAMES = [name for name in (*FACTORS, *PAGE_FACTORS) if name not in LEFT_OUT]
DEPTHS = (1, 5, 10)


@dataclass(frozen=True)
class Asked:
    """A question with the factors of its candidates."""

    document: str
    factors: np.ndarray
    page: np.ndarray
    gold: np.ndarray
    """Whether each candidate has a line on a page of evidence."""


def read(source: DocumentSource) -> Document:
    """The document of a job."""
    if isinstance(source.content, Path):
        return spanwise.read(source.content)
    return spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)


def written_pages(document: Document, passage: Passage) -> set[int]:
    """The pages on which a passage says something."""
    return {line.page for line in document.lines[passage.line_start - 1 : passage.line_end] if line.text.strip()}


def ask(document: Document, cases: Sequence[Case]) -> list[Asked]:
    """The candidates of each question about one document."""
    found = []
    with spanwise.Corpus.of([document]) as corpus:
        for case in cases:
            question = parse_question(case.question, document=document)
            candidates = scored(question, corpus, dict.fromkeys((*FACTORS, *PAGE_FACTORS), 1.0))
            factors = np.array([[factors.get(name, 0.0) for name in NAMES] for _, factors in candidates])
            middles = [(one.line_start + one.line_end) // 2 for one, _ in candidates]
            pages = np.array([place_of(middle, document.pages)[0] for middle in middles])
            gold = [bool(written_pages(document, one).intersection(case.pages)) for one, _ in candidates]
            found.append(Asked(document.name, factors, pages, np.array(gold)))
    return found


def fit(asked: Sequence[Asked], ridge: float) -> np.ndarray:
    """Weights that make evidence likely."""
    usable = [one for one in asked if one.gold.any() and not one.gold.all()]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = ridge * float(weights @ weights), 2 * ridge * weights
        for one in usable:
            scores = one.factors @ weights
            best = [max(np.flatnonzero(one.page == page), key=lambda at: scores[at]) for page in np.unique(one.page)]
            factors, gold = one.factors[best], one.gold[best]
            if not gold.any():
                continue
            power = np.exp(scores[best] - scores[best].max())
            likely, wanted = power / power.sum(), power * gold / (power * gold).sum()
            value -= float(np.log((likely * gold).sum()))
            gradient += (likely - wanted) @ factors
        return value, gradient

    start = np.full(len(NAMES), 0.5)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(NAMES)).x)


def hits(one: Asked, weights: np.ndarray, crowding: float) -> list[bool]:
    """Whether each of the best hits is on a page of evidence."""
    scores = one.factors @ weights
    spread, seen = scores.copy(), {}
    for at in np.argsort(-scores, kind="stable"):
        spread[at] -= crowding * seen.get(one.page[at], 0)
        seen[one.page[at]] = seen.get(one.page[at], 0) + 1
    return [bool(one.gold[at]) for at in np.argsort(-spread, kind="stable")]


def grade(asked: Sequence[Asked], folds: int, ridge: float, crowding: float) -> str:
    """The shares where each question is asked with weights fitted on other documents."""
    names = sorted({one.document for one in asked})
    ranks = []
    for fold in range(folds):
        held = set(names[fold::folds])
        weights = fit([one for one in asked if one.document not in held], ridge)
        ranks += [hits(one, weights, crowding) for one in asked if one.document in held]
    return shares(ranks)


def shares(ranks: Sequence[Sequence[bool]]) -> str:
    """Share of questions with evidence among the first hits."""
    return "  ".join(f"hit@{depth} {np.mean([any(found[:depth]) for found in ranks]):.3f}" for depth in DEPTHS)


def main() -> None:
    """Read, grade, fit on everything, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=10, help="0 skips the grading")
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--crowding", type=float, default=2.0)
    options = parser.parse_args()
    asked = [one for job in SETS["financebench"].load(DATA, None) for one in ask(read(job.document), job.cases)]
    print(f"{len(asked)} questions, evidence among the candidates of {np.mean([one.gold.any() for one in asked]):.3f}")
    if options.folds:
        print("on unseen documents:", grade(asked, options.folds, options.ridge, options.crowding))
    weights = fit(asked, options.ridge)
    ranks = [hits(one, weights, options.crowding) for one in asked]
    print("fitted on all:", shares(ranks))
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name} = {weight:.2f}")
    print(f"crowding = {options.crowding:.2f}")


if __name__ == "__main__":
    main()
