"""Fit when the best passages of a filing speak of what is asked: FinanceBench against questions about other things.

Logistic regression over what the factors say of the first hits; questions that rows of statements answer are left out.
Those that do not belong to the filing are SQuAD 2.0 and NIST questions asked of it. The figures come from
cross-validation over whole documents. Needs the data (SPANWISE_DATA, by default ../shared/data) and
`pip install --group fit`.

Usage: python fitting/topic.py [--folds N] [--others N] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from spanwise.synthesis.extractive.rows import LEAST_SHARE

import spanwise
from spanwise.domain.document import Document
from spanwise.evaluation.cases import DocumentSource, Job
from spanwise.evaluation.sets import SETS
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.topic import FEATURES, looks

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/topic.json")


def read(source: DocumentSource) -> Document:
    """The document of a job."""
    if isinstance(source.content, Path):
        return spanwise.read(source.content)
    return spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)


Row: TypeAlias = tuple[int, list[float], bool]
"""The number of a document, the features of a question, and whether it belongs there."""


def rows(jobs: Sequence[tuple[Job, Document]], strangers: Sequence[str], others: int) -> Iterator[Row]:
    """A row for each question."""
    for at, (job, document) in enumerate(jobs):
        asked = [(case.question, True) for case in job.cases]
        asked += [(strangers[(at * others + step) % len(strangers)], False) for step in range(others)]
        with spanwise.Corpus.of([document]) as corpus:
            for text, belongs in asked:
                question = parse_question(text, document=document)
                if not belongs or question.metric_share < LEAST_SHARE:
                    yield at, list(looks(retrieve(question, corpus, k=20))), belongs


def model(features: np.ndarray, belongs: np.ndarray) -> LogisticRegression:
    """Both classes count the same."""
    return LogisticRegression(C=1.0, class_weight="balanced").fit(features, belongs)


def main() -> None:
    """Read, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=10, help="0 skips the grading")
    parser.add_argument("--others", type=int, default=6, help="questions about other things, for each filing")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    jobs = [(job, read(job.document)) for job in SETS["financebench"].load(DATA, None)]
    other_jobs = [job for name in ("squad2", "nist") for job in SETS[name].load(DATA, 200)]
    strangers = [case.question for job in other_jobs for case in job.cases]
    found = list(rows(jobs, sorted(dict.fromkeys(strangers)), options.others))
    fit_and_write(found, options.folds, options.out)


def fit_and_write(found: Sequence[Row], folds: int, out: Path) -> None:
    """Grade over whole documents, then fit on all rows."""
    where = np.array([at for at, _, _ in found])
    features = np.array([row for _, row, _ in found])
    belongs = np.array([yes for _, _, yes in found])
    if folds:
        held = np.zeros(len(found))
        for fold in range(folds):
            test = where % folds == fold
            held[test] = model(features[~test], belongs[~test]).predict_proba(features[test])[:, 1]
        print(f"belongs or not, AUROC {roc_auc_score(belongs, held):.3f} of {belongs.sum()} + {(~belongs).sum()}")
        for enough in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
            answered, silent = (held[belongs] >= enough).mean(), (held[~belongs] < enough).mean()
            print(f"  {enough}: answered {answered:.3f}, silent {silent:.3f}")
    fitted = model(features, belongs)
    weights = {name: round(float(weight), 3) for name, weight in zip(FEATURES, fitted.coef_[0], strict=True)}
    out.write_text(json.dumps({"bias": round(float(fitted.intercept_[0]), 3), "weights": weights}, indent=1) + "\n")
    print(out.read_text())


if __name__ == "__main__":
    main()
