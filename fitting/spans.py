"""Fit which piece of a sentence answers a question, on SQuAD 2.0 (CC BY-SA 4.0); grade on articles never seen.

A softmax over all pieces of the sentence that holds the answer (conditional logistic regression, McFadden 1974),
L2-regularised, over features of starts, ends and wholes, each also together with how the question asks. Needs the data
(SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/spans.py [--fast] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sets.squad2 import load

import spanwise
from spanwise.evaluation.metrics import contains_words, token_f1
from spanwise.synthesis.extractive.span_features import Wholes, end_features, start_features
from spanwise.synthesis.extractive.span_tokens import KINDS, pieces, take_apart
from spanwise.text.passage_reading import read_passage

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/spans.json")
STRENGTH = 2.0  # of the regularisation; 0.5 costs a point of F1
RAREST = 5  # questions that a feature has to be in
LEAST = 0.03  # smaller weights are left out


@dataclass(frozen=True)
class Example:
    """One question with the sentence that answers it: its pieces, their features and their F1."""

    article: str
    kind: str
    texts: list[str]
    features: list[list[str]]
    f1: np.ndarray
    contained: np.ndarray


def examples() -> list[Example]:
    """Every answerable question with the first sentence of its paragraph that holds a gold answer."""
    found = []
    for job in load(DATA, 0):
        cases = [case for case in job.cases if case.answerable]
        if job.part != "paragraphs" or not cases:
            continue
        document = spanwise.read(str(job.document.content).encode(), name=job.document.name)
        with spanwise.Corpus.of([document]) as corpus:
            passages = corpus.passages(document.name, 1, len(document.lines))
        texts = [sentence.text for passage in passages for sentence in read_passage(passage).sentences]
        for case in cases:
            holding = next((text for text in texts if any(contains_words(text, gold) for gold in case.gold)), None)
            if holding is not None:
                found.append(example(job.document.name.rpartition(" ")[0], case.question, holding, case.gold))
    return found


def example(article: str, question: str, sentence: str, gold: Sequence[str]) -> Example:
    """The pieces of one sentence as features."""
    words = take_apart(question, sentence)
    wholes = Wholes(words)
    starts = cache(lambda first: start_features(words, first))
    ends = cache(lambda last: end_features(words, last))
    kinds = dict.fromkeys((words.asking.kind, words.asking.fine))
    texts, features = [], []
    for first, last in pieces(words):
        texts.append(sentence[words.spans[first][0] : words.spans[last][1]])
        plain = starts(first) + ends(last) + wholes.features(first, last)
        features.append(plain + [f"{kind} {name}" for kind in kinds for name in plain])
    f1 = np.array([token_f1(text, gold) for text in texts])
    contained = np.array([any(contains_words(text, one) for one in gold) for text in texts], bool)
    return Example(article, words.asking.kind, texts, features, f1, contained)


def fit(known: Sequence[Example]) -> dict[str, float]:
    """The weight of each feature: the best pieces of each sentence against all others."""
    known = [one for one in known if len(one.f1) and one.f1.max() > 0.5]
    counts = Counter(name for one in known for name in {name for row in one.features for name in row})
    names = sorted(name for name, count in counts.items() if count >= RAREST)
    at = {name: position for position, name in enumerate(names)}
    indptr, indices, bounds, target = [0], [], [0], []
    for one in known:
        for row in one.features:
            indices += [at[name] for name in row if name in at]
            indptr.append(len(indices))
        best = one.f1 >= one.f1.max() - 1e-9
        target.append(best / best.sum())
        bounds.append(len(indptr) - 1)
    rows = csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, len(names)))
    wanted = np.concatenate(target)
    starts = np.array(bounds[:-1])
    sizes = np.diff(bounds)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ weights
        top = np.repeat(np.maximum.reduceat(scores, starts), sizes)
        shares = np.exp(scores - top)
        total = np.repeat(np.add.reduceat(shares, starts), sizes)
        log_shares = scores - top - np.log(total)
        value = -(wanted * log_shares).sum() + STRENGTH / 2 * (weights @ weights)
        return value, rows.T @ (shares / total - wanted) + STRENGTH * weights

    weights = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= LEAST}


def grade(known: Sequence[Example]) -> None:
    """Cross-validate over whole articles and print F1 by how the question asks and by the chance of the best piece."""
    graded = []
    for article in sorted({one.article for one in known}):
        weights = fit([one for one in known if one.article != article])
        for one in known:
            if one.article == article and len(one.f1):
                scores = np.array([sum(weights.get(name, 0.0) for name in row) for row in one.features])
                best = int(np.argmax(scores))
                chance = float(1 / np.exp(scores - scores[best]).sum())
                graded.append((one.kind, chance, one.f1[best], one.contained[best], one.f1.max()))
    print(f"F1 {np.mean([g[2] for g in graded]):.3f} contained {np.mean([g[3] for g in graded]):.3f} of {len(graded)}")
    print(f"best possible {np.mean([g[4] for g in graded]):.3f}")
    for kind in sorted({g[0] for g in graded}):
        these = [g for g in graded if g[0] == kind]
        f1, contained = np.mean([g[2] for g in these]), np.mean([g[3] for g in these])
        print(f"  {kind:<8}{f1:.3f}  contained {contained:.3f} {len(these):>5}")
    for low in np.arange(0, 1, 0.1):
        these = [g for g in graded if low <= g[1] < low + 0.1]
        if these:
            f1, contained = np.mean([g[2] for g in these]), np.mean([g[3] for g in these])
            print(f"  chance {low:.1f}: F1 {f1:.3f}  contained {contained:.3f} {len(these):>5}")


def write(weights: Mapping[str, float], out: Path) -> None:
    """One table a way to ask, and one (without a name) for all questions; one line each way, for its size."""
    tables: dict[str, dict[str, float]] = {}
    for name, weight in sorted(weights.items()):
        kind, _, plain = name.partition(" ")
        of_kind = kind in (*KINDS, "named")
        tables.setdefault(kind if of_kind else "", {})[plain if of_kind else name] = weight
    lines = [f"{json.dumps(kind)}: {json.dumps(table, separators=(',', ':'))}" for kind, table in tables.items()]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Read, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--fast", action="store_true", help="do not grade")
    options = parser.parse_args()
    known = examples()
    if not options.fast:
        grade(known)
    weights = fit(known)
    write(weights, options.out)
    print(f"{len(weights)} weights, {options.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
