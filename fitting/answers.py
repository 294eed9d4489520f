"""Fit the ranker of answers on many public sets together, each set left out in turn.

Conditional logits (McFadden 1974) rank the sentences of a question, boosted trees say whether the best one is right.
Logistic models on top of the trees turn these into the chances of what people ask who have not read the document: they
are fitted on our own questions, of our own papers (`OWN`) and of public files (`FILES`, features alone), each document
left out in turn, and measured on files that nothing was fitted on.
`fitting/answer_rows.py` makes the rows. Sets whose licence does not allow it are measured, never
fitted on (`MEASURED`). Needs `pip install --group fit`.

Usage: python fitting/answers.py [--cache FILE] [--out src/spanwise/synthesis/extractive/ranker.json]
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
from answer_rows import SETS, USUAL, Rows, rows_of_files, rows_of_sets
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from spanwise.synthesis.extractive.features import NAMES, OF_QUESTION
from spanwise.synthesis.extractive.ranking import (
    ASKED_NAMES,
    CLOSE,
    CLOSER_NAMES,
    FEW,
    RIGHT_NAMES,
    beside,
    closer_look,
)
from spanwise.text.expectations.forms import expectation

Floats = NDArray[np.float64]
Target: TypeAlias = Literal["right", "near"]
TARGETS: tuple[Target, ...] = get_args(Target)
"""Whether the first sentence answers, and one of the first few."""
WORKERS = 2
MEASURED = ("papers", "everyday", "emanual", "nqpages")
"""Sets that are not fitted on: our own papers, documents that may only be measured with, or of no clear licence."""
OWN = ("lay", "papers")
"""Our own questions, by people who had not read the papers or did not think of their words."""
FILES = Path(__file__).with_name("asked_files.json")
"""Features of questions about public files whose licences allow it (`asked_files.md`); `--files` makes them again."""
OF_FILES = 3.0
"""What such a question counts: files by others are what the models are for."""
MIXED = 0.5
"""Share of the trees' own log-odds beside the logistic model's: on files left out the two err apart."""
CAUTION = 0.15
"""Log-odds that are taken from the chance of the first sentence: so much too sure were the models on files left out."""
WEIGHT = {
    "fetaqa": 0.5, "wikitables": 0.5, "awsdocs": 2.0, "covidqa": 2.0, "clapnq": 2.0, "qasper": 2.0, "fairytaleqa": 2.0,
    "qmsum": 2.0,
}  # fmt: skip
"""Tables have a room of their own; questions that were not written beside their answer are as people ask them."""
STRENGTH = 10.0  # of the regularisation of the logits; flat within a factor of 10
TREES = {"max_iter": 90, "max_depth": 3, "learning_rate": 0.08, "min_samples_leaf": 60, "l2_regularization": 2.0}
LEAST = 0.03  # effect of one standard deviation of a feature, in log-odds
ASKED = 0.1  # C of the logistic models
SURE = 0.7
FOLDS = 4
# Which way a feature may speak: what the data of a few sets would turn round does not hold for other documents.
UP = frozenset(
    "bm25 own lead around all_rare near_rare kin related implied head_missing tight"
    " bigrams titled last_stem score behind piece chance fits share ahead_of_second ahead_of_third shaped bound".split()
) | {name for name in NAMES if name.startswith("form_")}
DOWN = frozenset("rank rarest_absent absent narrowed names_absent numbers_missing framed entry points second".split())
DROPPED = frozenset(OF_QUESTION)
"""What is the same for all sentences of a question tells nothing between them."""


@dataclass(eq=False)
class Close:
    """A question with the best few sentences of its first look, and their features of the closer look."""

    rows: Rows
    looks: Floats
    right: NDArray[np.bool_]
    proof: NDArray[np.bool_]


def label(rows: Rows) -> NDArray[np.bool_]:
    """The sentences that answer: those that prove it, and hold a short gold where one of them does."""
    both = rows.evidence & rows.holds
    return both if rows.short and both.any() else rows.evidence


def stacked(some: list[tuple[Floats, NDArray[np.bool_], str]]) -> tuple[Floats, Floats, NDArray[np.int64], Floats]:
    """Features, whether each answers, the question of each, and the weight of each question."""
    kept = [one for one in some if one[1].any() and not one[1].all()]
    often = {name: sum(one[2] == name for one in kept) for name in {one[2] for one in kept}}
    weight = np.array([WEIGHT.get(name, 1.0) * often[name] ** -0.5 for _, _, name in kept])
    group = np.repeat(np.arange(len(kept)), [len(one[1]) for one in kept])
    return (
        np.vstack([one[0] for one in kept]).astype(np.float64),
        np.concatenate([one[1] for one in kept]).astype(np.float64),
        group,
        weight / weight.mean(),
    )


def logits(some: list[tuple[Floats, NDArray[np.bool_], str]], names: Sequence[str] = NAMES) -> Floats:
    """Weights of a conditional logit: a right sentence is chosen among those of its question."""
    features, right, group, weight = stacked(some)
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0
    columns, many = (features - mean) / scale, len(weight)

    def loss(beta: Floats) -> tuple[float, Floats]:
        value = columns @ beta
        top = np.full(many, -np.inf)
        np.maximum.at(top, group, value)
        power = np.exp(value - top[group])
        share = power / np.bincount(group, power, many)[group]
        mass = np.maximum(np.bincount(group, share * right, many), 1e-12)
        wanted = share * right / mass[group]
        slope = -(columns.T @ ((wanted - share) * weight[group]))
        penalty = STRENGTH * beta
        return float(-(weight * np.log(mass)).sum() + penalty @ beta / 2), slope + penalty

    bounds = [
        (0.0, 0.0) if name in DROPPED else (0.0 if name in UP else None, 0.0 if name in DOWN else None)
        for name in names
    ]
    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200})
    # What moves next to nothing is not worth computing for every sentence.
    return np.where(abs(best.x) < LEAST, 0.0, best.x / scale)


def closer(job: tuple[Rows, Floats]) -> Close:
    """The closer look at a question, with the weights of the first."""
    rows, weights = job
    values = rows.first @ weights if len(rows.first) else np.zeros(0)
    best = np.argsort(-values, kind="stable")[:CLOSE]
    asked = expectation(rows.question)
    looks = [closer_look(asked, rows.texts[at], rows.first[at], values[at] - values[best[0]]) for at in best]
    return Close(
        rows, np.array(looks, np.float64).reshape(len(best), len(CLOSER_NAMES)), label(rows)[best], rows.evidence[best]
    )


@dataclass
class Fitted:
    """The models of some sets."""

    beta: Floats
    right: HistGradientBoostingClassifier
    near: HistGradientBoostingClassifier

    def values(self, one: Close) -> Floats:
        """How the closer look ranks the sentences."""
        return one.looks @ self.beta

    def chances(self, one: Close) -> tuple[float, float]:
        """The chance that the first sentence is right, and that one of the first few is."""
        row = [best_row(one, self.values(one))]
        return float(self.right.predict_proba(row)[0, 1]), float(self.near.predict_proba(row)[0, 1])


def best_row(one: Close, values: Floats) -> tuple[float, ...]:
    """The features of the best sentence beside the others."""
    return beside([tuple(row) for row in one.looks], list(values))


def ranker(some: Sequence[Close]) -> Floats:
    """Weights of the closer look."""
    return logits([(one.looks, one.right, one.rows.set) for one in some if one.rows.answerable], CLOSER_NAMES)


@dataclass
class Stacked:
    """Rankings of each set by a model that did not see it, on which the chances are fitted (stacking, Wolpert 1992)."""

    betas: dict[str, Floats]
    """By a set that the model did not see."""
    rows: Floats
    sets: NDArray[np.str_]
    right: Floats
    near: Floats

    @classmethod
    def of(cls, close: dict[str, list[Close]]) -> Stacked:
        """Rank each set by others, a fold of sets at a time."""
        fold = {name: at % FOLDS for at, name in enumerate(close)}
        models = [ranker([one for name in close if fold[name] != at for one in close[name]]) for at in range(FOLDS)]
        betas, rows, sets, right, near = {}, [], [], [], []
        for name, some in close.items():
            betas[name] = models[fold[name]]
            for one in some:
                if len(one.looks):
                    values = one.looks @ betas[name]
                    order = np.argsort(-values, kind="stable")
                    rows.append(best_row(one, values))
                    sets.append(name)
                    right.append(bool(one.right[order[0]]))
                    near.append(bool(one.right[order[:FEW]].any()))
        return cls(betas, np.array(rows), np.array(sets), np.array(right, float), np.array(near, float))

    def fitted(self, beta: Floats, left: str | None = None) -> Fitted:
        """All models, the chances without one set; its own questions were seen by the rankings of the others alone."""
        kept = self.sets != left
        often = Counter(self.sets[kept])
        weight = np.array([WEIGHT.get(name, 1.0) * often[name] ** -0.5 for name in self.sets[kept]])
        signs = [(name in UP) - (name in DOWN) for name in RIGHT_NAMES]
        right, near = (
            HistGradientBoostingClassifier(
                **TREES, max_features=0.4, monotonic_cst=signs, early_stopping=False, random_state=0
            ).fit(self.rows[kept], target[kept], sample_weight=weight / weight.mean())
            for target in (self.right, self.near)
        )
        return Fitted(beta, right, near)


def measure(name: str, some: list[Close], fitted: Fitted) -> tuple[float, ...]:
    """Figures of one set: evidence in the first place and in the first three, BM25's, what is sure and how right."""
    able = [one for one in some if one.rows.answerable and (one.rows.set != "qasper" or one.rows.reachable)]
    first = third = 0
    chances, right, nears = [], [], []
    for one in some:
        if not len(one.looks):
            chances.append(0.0)
            nears.append(0.0)
            right.append(False)
            continue
        values = fitted.values(one)
        order = np.argsort(-values, kind="stable")
        chance, near = fitted.chances(one)
        chances.append(chance)
        nears.append(near)
        right.append(bool(one.right[order[0]]))
        if one.rows.answerable and one in able:
            first += bool(one.proof[order[0]])
            third += bool(one.proof[order[:FEW]].any())
    chance, good = np.array(chances), np.array(right)
    sure = chance >= SURE
    bins = np.array_split(np.argsort(chance), 10)
    error = sum(abs(chance[one].mean() - good[one].mean()) * len(one) for one in bins if len(one)) / len(chance)
    silent = np.array([not one.rows.answerable for one in some])
    answered = np.array([one.rows.answerable for one in some])
    area = roc_auc_score(answered, nears) if silent.any() and answered.any() else np.nan
    bm25 = sum(one.rows.bm25 for one in able) / len(able)
    figures = (
        bm25, first / len(able), third / len(able), sure[answered].mean(), good[sure].mean() if sure.any() else np.nan,
        roc_auc_score(good, chance) if 0 < good.mean() < 1 else np.nan, area, error,
    )  # fmt: skip
    print(f"{name:12} {len(some):5}  " + "  ".join(f"{one:6.3f}" for one in figures), flush=True)
    return figures


@dataclass
class AsAsked:
    """Questions as people ask them: features of the best sentence, and whether it or one of the first few is right."""

    rows: Floats
    right: NDArray[np.bool_]
    near: NDArray[np.bool_]
    answerable: NDArray[np.bool_]
    documents: list[str]

    @classmethod
    def of(cls, some: Sequence[Close], fitted: Fitted) -> AsAsked:
        """What models that did not see some questions say of them."""
        some = [one for one in some if len(one.looks)]
        orders = [np.argsort(-fitted.values(one), kind="stable") for one in some]
        rows = np.array([best_row(one, fitted.values(one)) for one in some])
        odds = [np.log(chance / (1 - chance)) for chance in (_chance(fitted.right, rows), _chance(fitted.near, rows))]
        return cls(
            np.column_stack([rows, *odds]),
            np.array([one.right[order[0]] for one, order in zip(some, orders, strict=True)], bool),
            np.array([one.right[order[:FEW]].any() for one, order in zip(some, orders, strict=True)], bool),
            np.array([one.rows.answerable for one in some], bool),
            [one.rows.document for one in some],
        )

    def joined(self, other: AsAsked) -> AsAsked:
        """These and others."""
        return AsAsked(
            np.vstack([self.rows, other.rows]), np.concatenate([self.right, other.right]),
            np.concatenate([self.near, other.near]), np.concatenate([self.answerable, other.answerable]),
            [*self.documents, *other.documents],
        )  # fmt: skip

    def of_documents(self, kept: NDArray[np.bool_]) -> AsAsked:
        """Those of some questions."""
        named = [name for name, one in zip(self.documents, kept, strict=True) if one]
        return AsAsked(self.rows[kept], self.right[kept], self.near[kept], self.answerable[kept], named)

    def left_out(self, name: Target, weights: Floats) -> Floats:
        """The chance of each question by a model that did not see its document."""
        chances, target = np.zeros(len(self.right)), self.target(name)
        for seen, left in GroupKFold(10).split(self.rows, target, self.documents):
            model = Asked.of(name, self.rows[seen], target[seen], weights[seen])
            chances[left] = model.chances(self.rows[left])
        return chances

    def target(self, name: Target) -> NDArray[np.bool_]:
        """What is right."""
        return self.right if name == "right" else self.near

    def written(self) -> dict[str, object]:
        """What `FILES` holds: numbers, and which of them are of one document."""
        names = sorted(set(self.documents))
        return {
            "names": list(ASKED_NAMES),
            "rows": [[float(f"{value:.5g}") for value in row] for row in self.rows],
            "right": self.right.astype(int).tolist(),
            "near": self.near.astype(int).tolist(),
            "answerable": self.answerable.astype(int).tolist(),
            "documents": [names.index(one) for one in self.documents],
        }

    @classmethod
    def read(cls) -> AsAsked:
        """What `FILES` holds.

        Raises:
            ValueError: It was made with other features.
        """
        data = json.loads(FILES.read_text(encoding="utf-8"))
        if data["names"] != list(ASKED_NAMES):
            raise ValueError(f"{FILES.name} has other features: make it again with --files")
        right, near, answerable = (np.array(data[name], bool) for name in ("right", "near", "answerable"))
        return cls(np.array(data["rows"]), right, near, answerable, [f"file {one}" for one in data["documents"]])

    def told(self, name: str, right: Floats, near: Floats) -> None:
        """Print how good some chances are: sure ones and how many are right, and near ones lost for half the others."""
        sure = right >= SURE
        least = np.median(near[~self.answerable])
        print(
            f"{name:12} {len(right):5}  sure {sure.sum() / self.answerable.sum():.3f}"
            f"  right {self.right[sure].mean():.3f}  auc {roc_auc_score(self.right, right):.3f}"
            f"  near {roc_auc_score(self.near, near):.3f}  able {roc_auc_score(self.answerable, near):.3f}"
            f"  lost {(near[self.near] < least).mean():.3f}"
        )


def _chance(trees: HistGradientBoostingClassifier, rows: Floats) -> Floats:
    return np.asarray(trees.predict_proba(rows)[:, 1])


@dataclass
class Asked:
    """A logistic model over ASKED_NAMES."""

    bias: float
    weights: Floats

    @classmethod
    def of(cls, name: Target, rows: Floats, target: NDArray[np.bool_], weights: Floats) -> Asked:
        """A model of features in units of their deviation, mixed with what the trees say."""
        scaler = StandardScaler().fit(rows)
        logits = LogisticRegression(C=ASKED, max_iter=5000).fit(scaler.transform(rows), target, sample_weight=weights)
        own = logits.coef_[0] / scaler.scale_
        bias = (1 - MIXED) * float(logits.intercept_[0] - own @ scaler.mean_) - (CAUTION if name == "right" else 0.0)
        mixed = (1 - MIXED) * own
        mixed[ASKED_NAMES.index(name)] += MIXED
        return cls(bias, mixed)

    def chances(self, rows: Floats) -> Floats:
        """The probability of each row."""
        return np.asarray(1 / (1 + np.exp(-(rows @ self.weights + self.bias))))

    def written(self) -> dict[str, object]:
        """What ranking.py reads."""
        weights = {name: round(float(one), 6) for name, one in zip(ASKED_NAMES, self.weights, strict=True)}
        return {"bias": round(self.bias, 6), "weights": weights}


def as_asked(close: dict[str, list[Close]], stacked: Stacked, every: Fitted) -> list[Asked]:
    """The models of what people ask, with their figures on documents left out and on strange files."""
    without = stacked.fitted(stacked.betas["lay"], "lay")
    own, files = AsAsked.of(close["lay"], without).joined(AsAsked.of(close["papers"], every)), AsAsked.read()
    both, of_files = own.joined(files), np.arange(len(own.right) + len(files.right)) >= len(own.right)
    weights = np.where(of_files, OF_FILES, 1.0)
    left = [both.left_out(name, weights) for name in TARGETS]
    for name, kept in (("own", ~of_files), ("files", of_files)):
        both.of_documents(kept).told(name, *(one[kept] for one in left))
    models = [Asked.of(name, both.rows, both.target(name), weights) for name in TARGETS]
    strange = AsAsked.of(close["everyday"], every)
    strange.told("everyday", *(model.chances(strange.rows) for model in models))
    return models


def main() -> None:
    """Fit, print the figures of each set left out, and write the models of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where the models are written, as a rule ranker.json")
    parser.add_argument("--cache", type=Path, help="file that keeps the rows for the next time")
    parser.add_argument("--limit", type=int, default=USUAL, help="questions of a set")
    parser.add_argument("--left", nargs="*", default=SETS, help="sets that are left out in turn")
    parser.add_argument("--files", type=Path, nargs="*", help="folders of files with questions, to make FILES again")
    args = parser.parse_args()
    if args.cache is not None and args.cache.exists():
        sets: dict[str, list[Rows]] = pickle.loads(args.cache.read_bytes())  # noqa: S301 - we wrote it
    else:
        sets = rows_of_sets(SETS, args.limit, WORKERS)
        if args.cache is not None:
            args.cache.write_bytes(pickle.dumps(sets))
    allowed = [name for name in sets if name not in MEASURED]
    able = ((name, one) for name in allowed for one in sets[name] if one.answerable and len(one.first))
    first = logits([(one.first, label(one), name) for name, one in able])
    with ProcessPoolExecutor(WORKERS) as pool:
        close = {
            name: list(pool.map(closer, [(one, first) for one in rows], chunksize=32)) for name, rows in sets.items()
        }
    columns = ("bm25", "first", "three", "sure", "right", "auc", "able", "ece")
    print(f"{'left out':12} {'n':>5}  " + "  ".join(f"{one:>6}" for one in columns))
    known = {name: close[name] for name in allowed}
    stacked = Stacked.of(known)
    every = stacked.fitted(ranker([one for some in known.values() for one in some]))
    table = []
    for name in args.left:
        model = every if name in MEASURED else stacked.fitted(stacked.betas[name], name)
        table.append(measure(name, close[name], model))
    if table:
        print(f"{'mean':12} {'':5}  " + "  ".join(f"{one:6.3f}" for one in np.nanmean(table, axis=0)))
    if args.files:
        seen = [closer((row, first)) for folder in args.files for row in rows_of_files(folder)]
        FILES.write_text(json.dumps(AsAsked.of(seen, every).written()) + "\n", encoding="utf-8")
    asked = as_asked(close, stacked, every)
    if args.out:
        write(first, every, asked, args.out)


def write(first: Floats, fitted: Fitted, asked: Sequence[Asked], out: Path) -> None:
    """Write what ranking.py reads."""
    data = {
        "first": {name: round(float(one), 6) for name, one in zip(NAMES, first, strict=True)},
        "closer": {name: round(float(one), 6) for name, one in zip(CLOSER_NAMES, fitted.beta, strict=True)},
        "right": _values(fitted.right),
        "near": _values(fitted.near),
        "asked": [model.written() for model in asked],
    }
    out.write_text(json.dumps(data) + "\n", encoding="utf-8")


def _values(trees: HistGradientBoostingClassifier) -> dict[str, object]:
    return {
        "features": list(RIGHT_NAMES),
        "base": round(float(np.ravel(trees._baseline_prediction)[0]), 6),  # noqa: SLF001 - has no public one
        "trees": [_columns(one.nodes) for (one,) in trees._predictors],  # noqa: SLF001
    }


def _columns(nodes: NDArray[np.void]) -> list[list[float]]:
    leaves = nodes["is_leaf"].astype(bool)
    return [
        np.where(leaves, -1, nodes["feature_idx"].astype(np.int64)).tolist(),
        [float(f"{one:.6g}") for one in np.where(leaves, 0.0, nodes["num_threshold"])],
        np.where(leaves, 0, nodes["left"].astype(np.int64)).tolist(),
        np.where(leaves, 0, nodes["right"].astype(np.int64)).tolist(),
        [round(float(one), 5) for one in nodes["value"] * leaves],
    ]


if __name__ == "__main__":
    main()
