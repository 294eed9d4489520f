"""Fit the weights of the factors of retrieval: the [default] table, or the one of [filings].

[default] is fitted on the answerable questions of SQuAD 2.0 articles (CC BY-SA 4.0) and of the NIST publications (CC0),
which count LAYOUT times each because they are few and the only ones with headings, lists and abbreviations; a candidate
is right when a sentence of it holds the gold answer, or a line of it stands on a gold page. [filings] is fitted on
FinanceBench (CC BY-NC 4.0 questions on public filings) over pages, a page's score being that of its best passage.

A score is a weighted sum of factors; the weights make what is right likely among all candidates (softmax, weights not
below zero, ridge towards zero). The figures come from cross-validation over whole documents; the printed table is then
fitted on all. Needs the data (SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/weights.py [--table default|filings] [--folds N] [--ridge R] [--crowding C]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import spanwise
from spanwise.domain.document import Document
from spanwise.domain.passage import Passage
from spanwise.evaluation import squad2
from spanwise.evaluation.cases import Case, DocumentSource
from spanwise.evaluation.metrics import contains_words
from spanwise.evaluation.sets import SETS
from spanwise.questions.parse import parse_question
from spanwise.retrieval.factors import FACTORS
from spanwise.retrieval.pages import PAGE_FACTORS
from spanwise.retrieval.retriever import factor_weights, scored
from spanwise.text.places import place_of
from spanwise.text.reading import read_passage

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
LEFT_OUT = {"wording", "named_page", "named_section", "expected_section"}  # other kinds of documents need them
FIXED = {
    "default": {
        # What the question itself names goes before all else; nothing in the data asks for it.
        "named_page": 6.0,
        "named_section": 4.0,
        # No public question needs a profile's titles and wordings, and SQuAD's paragraphs hardly define anything.
        "expected_section": 1.5,
        "expert_words": 1.0,
        "definition": 3.0,
        "table_rows": 0.0,
    },
    "filings": {"definition": 0.0, "introduction": 0.0, "pairs": 0.0},
}
NAMES = {
    "default": [name for name in FACTORS if name != "wording"],
    "filings": [name for name in (*FACTORS, *PAGE_FACTORS) if name not in LEFT_OUT],
}
LAYOUT = 10.0
"""How often a question on a laid-out document counts beside one on plain paragraphs."""
DEPTHS = (1, 5, 10)


@dataclass(frozen=True)
class Asked:
    """A question with the factors of its candidates."""

    set: str
    document: str
    factors: np.ndarray
    page: np.ndarray
    """The group of each candidate, of which the best one counts: its page, or itself."""
    gold: np.ndarray
    """Whether each candidate is evidence."""
    times: float = 1.0
    """How often the question counts."""


def read(source: DocumentSource) -> Document:
    """The document of a job."""
    if isinstance(source.content, Path):
        return spanwise.read(source.content)
    return spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)


def written_pages(document: Document, passage: Passage) -> set[int]:
    """The pages on which a passage says something."""
    return {line.page for line in document.lines[passage.line_start - 1 : passage.line_end] if line.text.strip()}


def ask_for_pages(document: Document, cases: Sequence[Case]) -> list[Asked]:
    """The candidates of each question about one filing, a page a group."""
    weights = dict.fromkeys((*FACTORS, *PAGE_FACTORS), 1.0)
    found = []
    with spanwise.Corpus.of([document]) as corpus:
        for case in cases:
            candidates = scored(parse_question(case.question, document=document), corpus, weights)
            middles = [(one.line_start + one.line_end) // 2 for one, _ in candidates]
            pages = np.array([place_of(middle, document.pages)[0] for middle in middles])
            gold = [bool(written_pages(document, one).intersection(case.pages)) for one, _ in candidates]
            rows = table([factors for _, factors in candidates], NAMES["filings"])
            found.append(Asked("financebench", document.name, rows, pages, np.array(gold)))
    return found


def ask_for_passages(
    kind: str, document: Document, cases: Sequence[Case], right: Callable[[Case, Passage], bool], times: float
) -> list[Asked]:
    """The candidates of each answerable question about one document, each passage by itself."""
    weights = dict.fromkeys(FACTORS, 1.0) | dict.fromkeys(PAGE_FACTORS, 0.0) | {"wording": 0.0}
    found = []
    with spanwise.Corpus.of([document]) as corpus:
        for case in (one for one in cases if one.answerable):
            candidates = scored(parse_question(case.question, document=document), corpus, weights)
            gold = np.array([right(case, passage) for passage, _ in candidates], bool)
            rows = table([factors for _, factors in candidates], NAMES["default"])
            found.append(Asked(kind, document.name, rows, np.arange(len(rows)), gold, times))
    return found


def table(found: Sequence[Mapping[str, float]], names: Sequence[str]) -> np.ndarray:
    """The factors of all candidates as a matrix."""
    return np.array([[factors.get(name, 0.0) for name in names] for factors in found]).reshape(len(found), len(names))


def filings() -> list[Asked]:
    """Every question on filings."""
    return [
        one for job in SETS["financebench"].load(DATA, None) for one in ask_for_pages(read(job.document), job.cases)
    ]


def default() -> list[Asked]:
    """Every answerable question on SQuAD articles and on NIST publications."""
    jobs = squad2.load(DATA, 0)
    paragraphs = {
        case.id: " ".join(str(job.document.content).split())
        for job in jobs
        if job.part == "paragraphs"
        for case in job.cases
    }

    def holds(case: Case, passage: Passage) -> bool:
        """Whether a sentence of the paragraph that was asked about, with the answer in it, is in the passage."""
        texts = (one.text for one in read_passage(passage).sentences)
        return any(
            text in paragraphs[case.id] and any(contains_words(text, gold) for gold in case.gold) for text in texts
        )

    found = []
    for job in jobs:
        if job.part == "articles":
            found += ask_for_passages("squad2", read(job.document), job.cases, holds, 1.0)
    for job in SETS["nist"].load(DATA, None):
        document = read(job.document)

        def stands(case: Case, passage: Passage, document: Document = document) -> bool:
            return bool(written_pages(document, passage).intersection(case.pages))

        found += ask_for_passages("nist", document, job.cases, stands, LAYOUT)
    return found


def fit(asked: Sequence[Asked], names: Sequence[str], fixed: Mapping[str, float], ridge: float) -> np.ndarray:
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
            value -= one.times * float(np.log((likely * gold).sum()))
            gradient += one.times * ((likely - wanted) @ factors)
        return value, gradient

    bounds = [(fixed[name], fixed[name]) if name in fixed else (0.0, None) for name in names]
    start = np.array([fixed.get(name, 0.5) for name in names])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x)


def hits(one: Asked, weights: np.ndarray, crowding: float) -> list[bool]:
    """Whether each of the best hits is evidence."""
    scores = one.factors @ weights
    spread, seen = scores.copy(), {}
    for at in np.argsort(-scores, kind="stable"):
        spread[at] -= crowding * seen.get(one.page[at], 0)
        seen[one.page[at]] = seen.get(one.page[at], 0) + 1
    return [bool(one.gold[at]) for at in np.argsort(-spread, kind="stable")]


def report(title: str, asked: Sequence[Asked], ranks: Sequence[Sequence[bool]]) -> None:
    """Print the share of questions with evidence among the first hits, a line a set."""
    for kind in dict.fromkeys(one.set for one in asked):
        found = [rank for one, rank in zip(asked, ranks, strict=True) if one.set == kind]
        shares = (f"hit@{depth} {np.mean([any(rank[:depth]) for rank in found]):.3f}" for depth in DEPTHS)
        print(f"{title}, {kind} ({len(found)}):", "  ".join(shares))


def grade(
    asked: Sequence[Asked],
    names: Sequence[str],
    fixed: Mapping[str, float],
    options: argparse.Namespace,
) -> None:
    """Report the shares where each question is asked with weights fitted on other documents."""
    documents = sorted({one.document for one in asked})
    folds = min(options.folds, len(documents))
    held: list[Collection[str]] = [set(documents[fold::folds]) for fold in range(folds)]
    found: list[Asked] = []
    ranks = []
    for out in held:
        weights = fit([one for one in asked if one.document not in out], names, fixed, options.ridge)
        tested = [one for one in asked if one.document in out]
        found += tested
        ranks += [hits(one, weights, options.crowding) for one in tested]
    report("on unseen documents", found, ranks)


def main() -> None:
    """Read, grade, fit on everything, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", choices=("default", "filings"), default="default")
    parser.add_argument("--folds", type=int, default=10, help="0 skips the grading")
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--crowding", type=float, help="2 for filings, else 0")
    options = parser.parse_args()
    if options.crowding is None:
        options.crowding = 2.0 if options.table == "filings" else 0.0
    names, fixed = NAMES[options.table], FIXED[options.table]
    asked = filings() if options.table == "filings" else default()
    print(f"{len(asked)} questions, evidence among the candidates of {np.mean([one.gold.any() for one in asked]):.3f}")
    shipped = factor_weights(None if options.table == "default" else options.table)
    now = np.array([shipped[name] for name in names])
    report("as shipped", asked, [hits(one, now, options.crowding) for one in asked])
    if options.folds:
        grade(asked, names, fixed, options)
    weights = fit(asked, names, fixed, options.ridge)
    report("fitted on all", asked, [hits(one, weights, options.crowding) for one in asked])
    print(f"[{options.table}]")
    for name, weight in zip(names, weights, strict=True):
        print(f"{name} = {weight:.2f}")
    print(f"crowding = {options.crowding:.2f}")


if __name__ == "__main__":
    main()
