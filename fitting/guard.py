"""Fit how likely a claim is supported, from what the guard finds in it, on many judged sets at once.

A logistic regression and small boosted trees, their log-odds averaged and calibrated. Every figure comes from models
that saw nothing of what they are measured on: first whole sets left out in turn, then sources left out within the sets.
Sets that are never fitted are left out by every model. `guard_trials.py` compares other models and choices.
Needs the data (SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/guard.py [--cache FILE] [--limit N] [--folds N] [--pairs N] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from guard_models import Choice, Fitted
from guard_rows import MADE, TRAPS, UNJUDGED, Floats, Numbers, Rows, rows_of
from sets.grounding.items import LOADERS
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from spanwise.guard.support import FEATURES

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/guard/support.json")
FIT: Mapping[str, float] = {
    **dict.fromkeys(("wice", "expertqa"), 1.0),
    "ragtruth": 2.0,
    "contractnli": 3.0,
    **dict.fromkeys(("mtrag", "defacto", "feversym", "factcheckgpt", "fm2", "realsumm"), 1.0),
    MADE: 0.5,
    TRAPS: 4.0,
}
"""Sets that are fitted, and how much each counts."""
MEASURED = tuple(name for name in LOADERS if name not in FIT)
"""Sets that are never fitted."""
ANSWERS = ("ragtruth", "mtrag", "qafeedback")
"""Sets of answers that models gave from passages."""
RIGHT_REMOVED = 0.015
"""Share of the right claims of answers, in the worst set of them, that may score low enough to be removed."""
UNMARKED = 0.27
"""Share of the wrong claims of RAGTruth's answers that may score high enough to need no second look."""
PASSED: Mapping[str, float] = {"absurd": 0.01, "another document": 0.01}
"""Share of the made claims of a family that may be called supported."""
CHOICE = Choice(strength=0.005, trees="histogram", depth=3, monotone=True)
Aggregate = Callable[[Floats], float]


@dataclass(frozen=True)
class Unseen:
    """Log-odds of every claim from models that saw nothing of it; NaN where no model could be asked."""

    set_out: Floats
    """The claim's whole set left out."""
    source_out: Floats
    """Its source left out; of fitted sets only."""

    @property
    def nearest(self) -> Floats:
        """Those nearest to the models that ship: the source left out, and the set where it is never fitted."""
        return np.where(np.isnan(self.source_out), self.set_out, self.source_out)


def weights(rows: Rows, chosen: Numbers, fit: Mapping[str, float]) -> Floats:
    """The weight of each chosen claim: every task counts by the square root of its size times the weight of its set."""
    tasks = np.char.add(np.char.add(rows.of(rows.sets)[chosen], "/"), rows.of(rows.tasks)[chosen])
    names, places, counts = np.unique(tasks, return_inverse=True, return_counts=True)
    share = np.array([fit[name.split("/")[0]] for name in names])
    weight = (share / np.sqrt(counts))[places]
    return np.asarray(weight / weight.mean())


def fitted(rows: Rows, chosen: Numbers, choice: Choice, fit: Mapping[str, float]) -> Fitted:
    """The models of some judged claims."""
    return Fitted(rows.features[chosen], rows.wrong[chosen], weights(rows, chosen, fit), choice)


def without_sets(rows: Rows, choice: Choice, fit: Mapping[str, float]) -> Floats:
    """The log-odds of every claim from models that saw nothing of its set."""
    found = np.full(len(rows.wrong), np.nan)
    for name in [*fit, None]:
        others = [other for other in fit if other != name]
        held = rows.where([name] if name else [other for other in np.unique(rows.sets) if other not in fit])
        if len(held):
            found[held] = fitted(rows, rows.where(others, judged=True), choice, fit).log_odds(rows.features[held])
    return found


def without_sources(rows: Rows, choice: Choice, fit: Mapping[str, float], folds: int) -> Floats:
    """The log-odds of every claim of the fitted sets from models that saw nothing of its source."""
    found = np.full(len(rows.wrong), np.nan)
    own = rows.where(list(fit))
    sources = rows.of(rows.sources)[own]
    for seen, held in GroupKFold(folds).split(own, groups=sources):
        judged = own[seen][rows.wrong[own[seen]] != UNJUDGED]
        found[own[held]] = fitted(rows, judged, choice, fit).log_odds(rows.features[own[held]])
    return found


def calibration(log_odds: Floats, rows: Rows) -> LogisticRegression:
    """Slope and intercept that make unseen log-odds probabilities, over answers of models (RAGTruth)."""
    chosen = rows.where(["ragtruth"], judged=True)
    return LogisticRegression(C=1e6).fit(log_odds[chosen].reshape(-1, 1), rows.wrong[chosen])


def risk_of(log_odds: Floats, scale: LogisticRegression) -> Floats:
    """How likely each claim is wrong; NaN where the log-odds are."""
    odds = scale.intercept_[0] + scale.coef_[0, 0] * log_odds
    return np.asarray(1 / (1 + np.exp(-odds)))


def product(held: Floats) -> float:
    """How likely all claims of a text are supported; they hold or fail together, hence the root (as `verify` does)."""
    return float(np.prod(held) ** (1 / np.sqrt(max(1, len(held)))))


def of_texts(risk: Floats, rows: Rows, aggregate: Aggregate = product) -> Floats:
    """The score of each text from those of its claims, given as `1 - risk`; 1 of a text without claims."""
    order = np.split(1 - risk, np.flatnonzero(np.diff(rows.item)) + 1) if len(risk) else []
    found = np.ones(len(rows.sets))
    for number, held in zip(dict.fromkeys(rows.item.tolist()), order, strict=True):
        found[number] = aggregate(held)
    return found


def area(labels: Numbers, scores: Floats) -> float:
    """AUROC; NaN where there is one class only, or where no model could be asked."""
    if len(np.unique(labels)) < 2 or np.isnan(scores).any():
        return float("nan")
    return float(roc_auc_score(labels, scores))


def claim_area(name: str, risk: Floats, rows: Rows) -> float:
    """AUROC of the judged claims of a set."""
    chosen = rows.where([name], judged=True)
    return area(rows.wrong[chosen], risk[chosen])


def text_area(name: str, scores: Floats, rows: Rows) -> float:
    """AUROC of the texts of a set, the mean of its tasks'."""
    tasks = [(rows.sets == name) & (rows.tasks == task) for task in np.unique(rows.tasks[rows.sets == name])]
    return float(np.mean([area(rows.supported[own], scores[own]) for own in tasks]))


def thresholds(risk: Floats, rows: Rows) -> dict[str, float]:
    """Scores that decide what is said of a claim, and what becomes of it.

    A claim counts as supported from the score of the best F1 over RAGTruth's claims, or from the score that no more of
    the absurd claims, or of those of another document, reach than may (`PASSED`), whichever is highest. It needs no
    second look from the score that at most `UNMARKED` of RAGTruth's wrong claims reach. It is removed below the score
    that at most `RIGHT_REMOVED` of the right claims of answers have, in whichever set has most of them.
    """
    right = [risk[own[rows.wrong[own] == 0]] for own in (rows.where([name], judged=True) for name in ANSWERS)]
    removed = max(float(np.quantile(own, 1 - RIGHT_REMOVED)) for own in right if len(own))
    chosen = rows.where(["ragtruth"], judged=True)
    every, risk, wrong = risk, risk[chosen], rows.wrong[chosen]
    cuts = np.quantile(risk, np.linspace(0.5, 0.99, 99))
    f1 = [2 * wrong[risk >= cut].sum() / ((risk >= cut).sum() + wrong.sum()) for cut in cuts]
    best = float(np.mean(cuts[np.array(f1) >= 0.98 * max(f1)]))  # the very best cut is luck
    sure = float(np.quantile(risk[wrong == 1], UNMARKED))
    traps = rows.where([TRAPS], judged=True)
    families = {family: traps[rows.of(rows.labels)[traps] == family] for family in PASSED}
    best = min([best, *(float(np.quantile(every[own], PASSED[name])) for name, own in families.items() if len(own))])
    return {
        "supported_from": round(1 - best, 3),
        "sure_from": round(1 - min(sure, best), 3),
        "removed_below": round(1 - max(removed, best), 3),
    }


def report(unseen: Unseen, rows: Rows, cuts: Mapping[str, float]) -> None:
    """For each set the areas under the curve, how well calibrated the scores are, and what the threshold finds."""
    left = risk_of(unseen.set_out, calibration(unseen.set_out, rows))
    inside = risk_of(unseen.source_out, calibration(unseen.source_out, rows))
    texts_left, texts_inside = of_texts(left, rows), of_texts(inside, rows)
    print(f"{'':<14}{'texts':>6}{'claims':>8}   AUROC: texts, claims   same, source out   calibration error, F1")
    for name in [*FIT, *MEASURED]:
        own, judged = int((rows.sets == name).sum()), rows.where([name], judged=True)
        if not own:
            continue
        shares = [
            *(text_area(name, texts_left, rows), claim_area(name, left, rows)),
            *(text_area(name, texts_inside, rows), claim_area(name, inside, rows)),
            reliability(1 - left[judged], 1 - rows.wrong[judged])[0],
            f1_of(left[judged] > 1 - cuts["supported_from"], rows.wrong[judged]),
        ]
        print(f"{name:<14}{own:>6}{len(judged):>8}  " + "".join(f"{share:>10.3f}" for share in shares))
    for low, count, said, true in reliability(1 - left[rows.where(["ragtruth"])], 1 - _wrong(rows, "ragtruth"))[1]:
        print(f"  {low:.1f}-{low + 0.1:.1f} {count:>6} {said:.3f} {true:.3f}")


def _wrong(rows: Rows, name: str) -> Numbers:
    return rows.wrong[rows.where([name])]


def f1_of(called: Numbers, wrong: Numbers) -> float:
    """F1 of what is called wrong."""
    return float(2 * (called & (wrong == 1)).sum() / max(1, called.sum() + wrong.sum()))


def reliability(said: Floats, true: Numbers) -> tuple[float, list[tuple[float, int, float, float]]]:
    """Expected calibration error over ten bins (Naeini et al. 2015), and each bin with its count, score and share."""
    table, error = [], 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (said >= low) & ((said < low + 0.1) | (low > 0.85))
        if inside.any():
            table.append((float(low), int(inside.sum()), float(said[inside].mean()), float(true[inside].mean())))
            error += inside.mean() * abs(table[-1][2] - table[-1][3])
    return float(error), table


def data_of(models: Fitted, scale: LogisticRegression, cuts: Mapping[str, float]) -> dict[str, object]:
    """Everything that the guard reads."""
    linear = models.linear
    return {
        "features": list(FEATURES),
        "mean": [round(float(value), 6) for value in linear.mean],
        "scale": [round(float(value), 6) for value in linear.scale],
        "weights": [round(float(value), 5) for value in linear.weights],
        "bias": round(linear.bias, 5),
        "base": round(models.base, 5),
        "slope": round(float(scale.coef_[0, 0]), 4),
        "intercept": round(float(scale.intercept_[0]), 4),
        **cuts,
        "trees": models.trees(),
    }


def options() -> argparse.ArgumentParser:
    """The options that fitting and trials share."""
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="file that keeps the rows, outside the repository")
    parser.add_argument("--limit", type=int, default=0, help="texts of each set; 0 for all")
    parser.add_argument("--pairs", type=int, default=3000, help="claims that are made")
    parser.add_argument("--folds", type=int, default=5)
    return parser


def main() -> None:
    """Fit, report and write."""
    parser = options()
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    rows = rows_of(DATA, given.limit, given.pairs, given.cache)
    unseen = Unseen(without_sets(rows, CHOICE, FIT), without_sources(rows, CHOICE, FIT, given.folds))
    scale = calibration(unseen.nearest, rows)
    cuts = thresholds(risk_of(unseen.nearest, scale), rows)
    print(f"{len(rows.sets)} texts, {len(rows.wrong)} claims, {cuts}")
    report(unseen, rows, cuts)
    data = data_of(fitted(rows, rows.where(list(FIT), judged=True), CHOICE, FIT), scale, cuts)
    lines = [f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in data.items()]
    given.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
