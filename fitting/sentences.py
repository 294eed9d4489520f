"""Fit which sentence answers a question, and how likely that is right, on SQuAD 2.0 (CC BY-SA 4.0).

It is graded on articles that the models never saw.
Two logistic regressions: one ranks the sentences of a question, one says from the best sentence whether it holds the
answer. The threshold is the least confidence at which answering and silence together are right more often, by GAIN,
than a system that is always silent: it answers as much as that allows. Needs the data (SPANWISE_DATA, by default
../shared/data) and `pip install --group fit`.

Usage: python fitting/sentences.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

import spanwise
from spanwise.evaluation.cases import Case
from spanwise.evaluation.metrics import contains_words
from spanwise.evaluation.squad2 import load
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.confidence import Weights, probability
from spanwise.synthesis.extractive.evidence import NAMES, Asked, measure, shortlist
from spanwise.text.reading import read_passage, stem_weights

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/sentences.json")
READ = 12  # passages that are read, as in answering
STRENGTH = 1.0  # inverse of the regularisation; 0.1 to 10 differ by less than half a point
GAIN = 0.025
# What being right is told from, and which way each may speak. What only tells sentences of one question apart (rank,
# length, place) is left out, and signs are kept: features that go together would take each other's part, and a question
# that shares next to nothing with its document would look better than one that shares little.
SIGNS = {
    **dict.fromkeys(("own", "kin", "title", "before", "after", "pairs", "tight", "missing", "typed", "spoken_of"), 1),
    **dict.fromkeys(("unseen", "untyped", "entities", "entities_around", "numbers", "negated", "unnegated"), -1),
    **dict.fromkeys(("low", "lower", "choice"), -1),
}
STRANGE = 10  # every so many questions of the other articles are asked of an article, too


@dataclass(frozen=True)
class Example:
    """One question: its sentences as features, and which hold a gold answer."""

    article: str
    part: str
    answerable: bool
    features: np.ndarray
    holds: np.ndarray
    trained: np.ndarray
    """Those that hold it in the paragraph that was asked about."""


def examples() -> list[Example]:
    """Every question over its article and over its paragraph, found and read exactly as answers are."""
    jobs = load(DATA, 0)
    paragraphs = {case.id: str(job.document.content) for job in jobs if job.part == "paragraphs" for case in job.cases}
    found = [
        example
        for job in jobs
        for example in _of_job(job.part, job.document.name, str(job.document.content), job.cases, paragraphs)
    ]
    articles = [job for job in jobs if job.part == "articles"]
    for at, job in enumerate(articles):
        # SQuAD's own unanswerable questions all share their words with the article; most in practice do not.
        strange = [
            replace(case, gold=()) for other in articles[at + 1 :] + articles[:at] for case in other.cases[::STRANGE]
        ]
        found += _of_job("strange", job.document.name, str(job.document.content), strange, paragraphs)
    return found


def _of_job(part: str, name: str, content: str, cases: Sequence[Case], paragraphs: Mapping[str, str]) -> list[Example]:
    article = re.sub(r"( \d+)?\.txt$", "", name)
    found = []
    with spanwise.Corpus.of([spanwise.read(content.encode(), name=name)]) as corpus:
        for case in cases:
            question = parse_question(case.question)
            hits = retrieve(question, corpus, k=20)
            readings = [read_passage(hit.passage) for hit in hits]
            asked = Asked.of(question, stem_weights(question.stems, readings), readings)
            best = hits[0].score if hits and hits[0].score > 0 else 1.0
            scores = [hit.score / best for hit in hits[:READ]]
            chosen = shortlist(asked, readings[:READ], scores)
            rows = [
                measure(asked, readings[rank], at, rank=rank, score=scores[rank], choice=len(chosen))
                for rank, at in chosen
            ]
            texts = [readings[rank].sentences[at].text for rank, at in chosen]
            holds = [any(contains_words(text, gold) for gold in case.gold) for text in texts]
            context = " ".join(paragraphs[case.id].split())
            near = [hold and text in context for hold, text in zip(holds, texts, strict=True)]
            features = np.array(rows).reshape(len(rows), len(NAMES))
            found.append(Example(article, part, case.answerable, features, np.array(holds, bool), np.array(near, bool)))
    return found


def fit(known: Sequence[Example]) -> tuple[Weights, Weights]:
    """Both models."""
    useful = [one for one in known if one.trained.any()]
    labels = np.concatenate([one.trained for one in useful])
    ranking = _regression(np.vstack([one.features for one in useful]), labels, NAMES, {})
    seen = [one for one in known if len(one.features)]
    looks = [look(one, ranking) for one in seen]
    right = np.array([right for _, right in looks])
    none = dict.fromkeys(NAMES, 0)
    return ranking, _regression(np.array([row for row, _ in looks]), right, NAMES, none | SIGNS)


def look(one: Example, ranking: Weights) -> tuple[tuple[float, ...], bool]:
    """The features of the best sentence, and whether it holds the answer."""
    rows = one.features.tolist()
    best = int(np.argmax([ranking.logit(row) for row in rows]))
    return tuple(rows[best]), bool(one.holds[best])


def _regression(rows: np.ndarray, labels: np.ndarray, names: Sequence[str], signs: Mapping[str, int]) -> Weights:
    """Logistic regression, L2-regularised, whose weights have the signs that are given (1, -1, or 0 for no weight)."""
    middle, width = rows.mean(0), rows.std(0)
    width[width < 1e-9] = 1e9  # a feature that never varies has no weight
    scaled = np.column_stack([np.ones(len(rows)), (rows - middle) / width])
    wanted = labels.astype(float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = scaled @ weights
        value = np.logaddexp(0, logits).sum() - wanted @ logits + (weights[1:] @ weights[1:]) / (2 * STRENGTH)
        slope = scaled.T @ (1 / (1 + np.exp(-logits)) - wanted)
        slope[1:] += weights[1:] / STRENGTH
        return value, slope

    ranges = {1: (0, None), -1: (None, 0), 0: (0, 0), None: (None, None)}
    bounds = [(None, None), *(ranges[signs.get(name)] for name in names)]
    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = found[1:] / width
    return Weights(float(found[0] - (weights * middle).sum()), tuple(map(float, weights)))


def grade(known: Sequence[Example]) -> float:
    """Cross-validate over whole articles, print what the models are worth, and give the threshold."""
    graded = []
    for article in sorted({one.article for one in known}):
        ranking, being_right = fit([one for one in known if one.article != article])
        for one in known:
            if one.article == article:
                features, right = look(one, ranking) if len(one.features) else (None, False)
                confidence = probability(being_right.logit(features)) if features else 0.0
                graded.append((one.part, one.answerable, right, confidence))
    for part in ("articles", "paragraphs", "strange"):
        report(part, [row for row in graded if row[0] == part])
    return threshold([row for row in graded if row[0] == "articles"])


def report(part: str, graded: Sequence[tuple[str, bool, bool, float]]) -> None:
    """Print the figures of one part, and its reliability table."""
    truth = [answerable for _, answerable, _, _ in graded]
    if not any(truth):
        print(f"{part}: confidence of wrong answers {np.mean([c for *_, c in graded]):.3f} of {len(graded)}")
        return
    print(f"{part}: best sentence holds the answer {np.mean([r for _, a, r, _ in graded if a]):.3f} of {sum(truth)}")
    print(f"  answerable or not, AUROC {roc_auc_score(truth, [c for *_, c in graded]):.3f} of {len(truth)}")
    print("  confidence    said  was right      n")
    for low in np.arange(0, 1, 0.1):
        bin_ = [(c, r) for *_, r, c in graded if low <= c < low + 0.1]
        if bin_:
            said, was = np.mean(bin_, axis=0)
            print(f"  {low:.1f} to {low + 0.1:.1f}{said:>8.3f}{was:>11.3f}{len(bin_):>7}")


def threshold(graded: Sequence[tuple[str, bool, bool, float]]) -> float:
    """The least confidence at which answers and silence are right more often than silence alone, by GAIN."""
    silent = np.mean([not answerable for _, answerable, _, _ in graded])
    chosen = 1.0
    for least in np.arange(0.02, 1, 0.01)[::-1]:
        right = np.mean([(r if c >= least else not a) for _, a, r, c in graded])
        contained = np.mean([r and c >= least for _, a, r, c in graded if a])
        print(f"  at least {least:.2f}: contained {contained:.3f}, right or rightly silent {right:.3f}")
        if right >= silent + GAIN:
            chosen = float(least)
    return round(chosen, 2)


def main() -> None:
    """Read, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    known = examples()
    least = grade(known)
    ranking, being_right = fit(known)
    data = {
        "ranking": _named(ranking, NAMES),
        "being_right": _named(being_right, NAMES),
        "threshold": least,
    }
    options.out.write_text(json.dumps(data, indent=1) + "\n")
    print(f"threshold {least}")


def _named(model: Weights, names: Sequence[str]) -> dict[str, float]:
    weights = {name: round(weight, 4) for name, weight in zip(names, model.weights, strict=True)}
    return {"bias": round(model.bias, 4)} | {name: weight for name, weight in weights.items() if weight}


if __name__ == "__main__":
    main()
