"""Fit how likely a claim is supported, from what the guard finds in it.

The data: RAGTruth, WiCE, ContractNLI, ExpertQA, and sentences of their sources as they stand and changed. A logistic
regression and small boosted trees, their log-odds averaged and calibrated. All figures come from cross-validation in
which no source document is on both sides. Needs the data (SPANWISE_DATA, by default ../shared/data) and
`pip install --group fit`.

Usage: python fitting/guard.py [--folds N] [--pairs N] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from spanwise.evaluation.grounding.changing import Changed, changed_pairs, names_in
from spanwise.evaluation.grounding.items import LOADERS, Item
from spanwise.guard.examining import examine
from spanwise.guard.features import FEATURES, features_of

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/guard/support.json")
MADE = 0.2
"""How much the claims that were made count beside those of people and models."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """A row for each claim."""

    features: Floats
    wrong: NDArray[np.int64]
    task: NDArray[np.str_]
    source: NDArray[np.str_]
    item: NDArray[np.int64]
    sentence: NDArray[np.int64]
    length: NDArray[np.int64]
    weight: Floats


def all_items(pairs: int) -> list[Item]:
    """The items of every set, and sentences of their sources as they stand, changed, and set beside another source."""
    items = [item for loader in LOADERS.values() for item in loader(DATA)]
    return items + list(made(items, pairs))


def made(items: Sequence[Item], most: int) -> Iterator[Item]:
    """Claims whose support is known because they were made, against a whole source and against a line or two of it."""
    texts = {item.source: "\n".join(item.passages)[:8000] for item in items if item.task in ("QA", "Summary", "wice")}
    names = list(dict.fromkeys(name for text in texts.values() for name in names_in(text)[:2]))
    sources = list(texts)
    count = 0
    for index, source in enumerate(sources):
        pairs = list(changed_pairs(source, texts[source], names[index % 50 :: 7], 1))
        for number, pair in enumerate(pairs):
            if "/word/" in pair.id:
                continue  # a rule tells them, whatever the score
            other = texts[sources[(index + 7) % len(sources)]]
            beside = pairs[(number + 3) % len(pairs)].original
            for name, text, passages, right in _variants(pair, other, beside):
                yield Item("made", "made", f"{pair.id}/{name}", source, text, passages, "", name, right)
                count += 1
        if count >= most:
            return


def _variants(pair: Changed, other: str, beside: str) -> Iterator[tuple[str, str, tuple[str, ...], bool]]:
    """The claim against its source, against its own sentence alone or beside another one, and where it is not said."""
    right = pair.kind is None
    words = pair.text.split()
    yield "whole source", pair.text, (pair.passage,), right
    yield "own sentence", pair.text, (pair.original,), right
    yield "two sentences", pair.text, (beside, pair.original), right
    if right:
        begun = " ".join(words[: -(-len(words) * 3 // 5)])
        yield "begun", begun, (pair.original,), True
        yield "begun, whole source", begun, (pair.passage,), True
        yield "another source", pair.text, (other,), False
        if beside != pair.original:
            yield "another sentence", pair.text, (beside,), False


def rows_of(items: Sequence[Item]) -> Rows:
    """The features of every claim; every set counts by the square root of its size."""
    columns: dict[str, list[object]] = defaultdict(list)
    for number, item in enumerate(items):
        examined = examine(item.text, item.passages, item.question or None)
        parts = [part for part, held, _ in examined.parts if held is not None]
        for part, features in zip(parts, features_of(examined.held, examined.context), strict=True):
            hit = any(low < part.end and part.start < high for low, high, _ in item.wrong)
            columns["features"].append(features)
            columns["wrong"].append(hit if item.set == "ragtruth" else not item.supported)
            columns["task"].append(item.task)
            columns["source"].append(f"{item.set}:{item.source}")
            columns["item"].append(number)
            columns["sentence"].append(part.sentence)
            columns["length"].append(part.end - part.start)
    task = np.array(columns["task"])
    weight = np.array([(MADE if name == "made" else 1) / np.sqrt((task == name).sum()) for name in task])
    whole = {name: np.array(columns[name], int) for name in ("wrong", "item", "sentence", "length")}
    return Rows(
        np.array(columns["features"], float),
        task=task,
        source=np.array(columns["source"]),
        weight=weight / weight.mean(),
        **whole,
    )


class Fitted:
    """The two models; `log_odds` averages them."""

    def __init__(self, rows: Rows, chosen: NDArray[np.int64]) -> None:
        features, wrong, weight = rows.features[chosen], rows.wrong[chosen], rows.weight[chosen]
        self.scaler = StandardScaler().fit(features)
        self.linear = LogisticRegression(C=0.05, max_iter=1000)
        self.linear.fit(self.scaler.transform(features), wrong, sample_weight=weight)
        self.boosted = GradientBoostingClassifier(
            n_estimators=120,
            max_depth=3,
            learning_rate=0.06,
            subsample=0.6,
            max_features=0.5,
            min_samples_leaf=20,
            random_state=0,
        ).fit(features, wrong, sample_weight=weight)

    def log_odds(self, features: Floats) -> Floats:
        """How likely claims are wrong, as log-odds."""
        linear = self.linear.decision_function(self.scaler.transform(features))
        return np.asarray((linear + self.boosted.decision_function(features)) / 2)


def unseen(rows: Rows, folds: int) -> Floats:
    """The log-odds of every claim from models that saw none of its source."""
    found = np.zeros(len(rows.wrong))
    for seen, held in GroupKFold(folds).split(rows.features, rows.wrong, rows.source):
        found[held] = Fitted(rows, seen).log_odds(rows.features[held])
    return found


def calibration(log_odds: Floats, rows: Rows) -> LogisticRegression:
    """Slope and intercept that make the unseen log-odds probabilities, over answers of models (RAGTruth)."""
    chosen = np.isin(rows.task, ("QA", "Summary", "Data2txt"))
    return LogisticRegression(C=1e6).fit(log_odds[chosen].reshape(-1, 1), rows.wrong[chosen])


def thresholds(risk: Floats, rows: Rows) -> dict[str, float]:
    """From where a claim counts as supported (best F1 over RAGTruth's claims), and the band around it for review."""
    chosen = np.isin(rows.task, ("QA", "Summary", "Data2txt"))
    risk, wrong = risk[chosen], rows.wrong[chosen]
    cuts = np.quantile(risk, np.linspace(0.5, 0.99, 99))
    f1 = [2 * wrong[risk >= cut].sum() / ((risk >= cut).sum() + wrong.sum()) for cut in cuts]
    best = float(np.mean(cuts[np.array(f1) >= 0.98 * max(f1)]))  # the very best cut is luck
    sure = next(
        (cut for cut in sorted(cuts, reverse=True) if cut < best and wrong[risk < cut].mean() <= 0.05), best / 2
    )
    removed = next((cut for cut in cuts if cut > best and wrong[risk >= cut].mean() >= 0.6), (1 + best) / 2)
    return {
        "supported_from": round(1 - best, 3),
        "sure_from": round(1 - float(sure), 3),
        "removed_below": round(1 - float(removed), 3),
    }


def report(risk: Floats, rows: Rows, items: Sequence[Item]) -> None:
    """Areas under the curve over answers and claims, and how well calibrated the scores are."""
    held = np.array(
        [
            float(np.prod(1 - risk[rows.item == number])) if (rows.item == number).any() else 1.0
            for number in range(len(items))
        ]
    )
    for task in dict.fromkeys(item.task for item in items):
        chosen = [number for number, item in enumerate(items) if item.task == task]
        labels = [items[number].supported for number in chosen]
        print(f"{task:<12} {len(chosen):>5}  AUROC {roc_auc_score(labels, held[chosen]):.3f}")
    chosen = [number for number, item in enumerate(items) if item.label in ("Entailment", "Contradiction")]
    print(f"entailed against contradicted {roc_auc_score([items[n].supported for n in chosen], held[chosen]):.3f}")
    answers = np.isin(rows.task, ("QA", "Summary", "Data2txt"))
    print(f"claims of RAGTruth AUROC {roc_auc_score(rows.wrong[answers], risk[answers]):.3f}")
    error, table = reliability(1 - risk[answers], 1 - rows.wrong[answers])
    print(f"expected calibration error {error:.3f}")
    for low, count, said, true in table:
        print(f"  {low:.1f}-{low + 0.1:.1f} {count:>6} {said:.3f} {true:.3f}")


def reliability(said: Floats, true: NDArray[np.int64]) -> tuple[float, list[tuple[float, int, float, float]]]:
    """Expected calibration error over ten bins (Naeini et al. 2015), and each bin with its count, score and share."""
    table, error = [], 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (said >= low) & ((said < low + 0.1) | (low > 0.85))
        if inside.any():
            table.append((float(low), int(inside.sum()), float(said[inside].mean()), float(true[inside].mean())))
            error += inside.mean() * abs(table[-1][2] - table[-1][3])
    return float(error), table


def data_of(fitted: Fitted, scale: LogisticRegression, cuts: dict[str, float]) -> dict[str, object]:
    """Everything that the guard reads."""
    trees = []
    for (tree,) in fitted.boosted.estimators_:
        inner = tree.tree_
        leaves = inner.children_left < 0
        trees.append(
            [
                np.where(leaves, -1, inner.feature).tolist(),
                [float(f"{value:.6g}") for value in np.where(leaves, 0.0, inner.threshold)],
                np.where(leaves, 0, inner.children_left).tolist(),
                np.where(leaves, 0, inner.children_right).tolist(),
                [round(float(value) * fitted.boosted.learning_rate, 5) for value in inner.value[:, 0, 0] * leaves],
            ]
        )
    prior = fitted.boosted.init_.class_prior_
    return {
        "features": list(FEATURES),
        "mean": [round(float(value), 6) for value in fitted.scaler.mean_],
        "scale": [round(float(value), 6) for value in fitted.scaler.scale_],
        "weights": [round(float(value), 5) for value in fitted.linear.coef_[0]],
        "bias": round(float(fitted.linear.intercept_[0]), 5),
        "base": round(float(np.log(prior[1] / prior[0])), 5),
        "slope": round(float(scale.coef_[0, 0]), 4),
        "intercept": round(float(scale.intercept_[0]), 4),
        **cuts,
        "trees": trees,
    }


def main() -> None:
    """Fit, report and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    items = all_items(options.pairs)
    rows = rows_of(items)
    log_odds = unseen(rows, options.folds)
    scale = calibration(log_odds, rows)
    risk = scale.predict_proba(log_odds.reshape(-1, 1))[:, 1]
    cuts = thresholds(risk, rows)
    print(f"{len(items)} items, {len(rows.wrong)} claims, {cuts}")
    report(risk, rows, items)
    data = data_of(Fitted(rows, np.arange(len(rows.wrong))), scale, cuts)
    lines = [f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in data.items()]
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
