"""Models that tell from the features of a claim how likely it is wrong: a logistic regression and small boosted trees.

Features of coverage can only help and faults can only harm where a choice asks for that (`monotone`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from guard_rows import Floats, Numbers
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier

from spanwise.guard.support import FEATURES

HELPING = (
    *("single", "anywhere", "beginnings", "passage", "nearest", "nearest_beginnings"),
    *("pairs", "pairs_best", "run", "agreeing"),
)
"""Features that say how much of a claim the passages hold."""
HARMING = (
    *("missing_weight", "missing_share", "names_missing", "names_missing_near", "digits_missing"),
    *("digits_missing_near", "negation_differs", "affirmed_no", "hours", "fabricated"),
    *("number_changed", "date_changed", "negated", "swapped"),
    *("not_in_sources", "denies"),
    *("lacking_rarity", "lacking_rarest", "lacking_last"),
    *("surprise", "surprise_share", "surprise_most", "surprise_anywhere", "surprise_in_a_row", "surprise_last"),
    "surprise_deed",
    *("unexplained", "tail"),
)
"""Features that say what is missing or different."""


@dataclass(frozen=True)
class Choice:
    """What can be chosen of the models."""

    strength: float = 0.05
    """Inverse of the regularisation of the logistic regression."""
    trees: Literal["plain", "histogram", "none"] = "plain"
    linear: bool = True
    count: int = 120
    depth: int = 3
    leaf: int = 20
    """Claims in a leaf, at least."""
    rate: float = 0.06
    monotone: bool = False
    """True if `HELPING` and `HARMING` features keep their sign."""
    without: tuple[str, ...] = ()
    """Features that are not read."""

    @property
    def signs(self) -> Numbers:
        """For each feature 1 if it can only make a claim riskier, -1 if only safer, 0 if either."""
        if not self.monotone:
            return np.zeros(len(FEATURES), np.int64)
        return np.array([(name in HARMING) - (name in HELPING) for name in FEATURES], np.int64)


@dataclass(frozen=True)
class Linear:
    """A logistic regression over standardised features."""

    mean: Floats
    scale: Floats
    weights: Floats
    bias: float

    def log_odds(self, features: Floats) -> Floats:
        """How likely claims are wrong, as log-odds."""
        return (features - self.mean) / self.scale @ self.weights + self.bias


def fitted_linear(features: Floats, wrong: Numbers, weight: Floats, choice: Choice) -> Linear:
    """The logistic regression of least loss, with the signs that the choice asks for."""
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0
    columns, target = (features - mean) / scale, np.where(wrong == 1, 1.0, -1.0)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights, margin = parameters[:-1], target * (columns @ parameters[:-1] + parameters[-1])
        slope = -weight * target * expit(-margin)
        value = weight @ np.logaddexp(0, -margin) + weights @ weights / (2 * choice.strength)
        return float(value), np.append(columns.T @ slope + weights / choice.strength, slope.sum())

    free: tuple[float | None, float | None] = (None, None)
    bounds = [{1: (0.0, None), -1: (None, 0.0), 0: free}[int(sign)] for sign in choice.signs]
    for index, name in enumerate(FEATURES):
        if name in choice.without:
            bounds[index] = (0.0, 0.0)
    best = minimize(loss, np.zeros(len(FEATURES) + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, free])
    return Linear(mean, scale, best.x[:-1], float(best.x[-1]))


class Fitted:
    """The models of a choice; `log_odds` averages them."""

    def __init__(self, features: Floats, wrong: Numbers, weight: Floats, choice: Choice) -> None:
        self.choice = choice
        self.read = np.array([name not in choice.without for name in FEATURES])
        self.linear = fitted_linear(features, wrong, weight, choice)
        self.boosted = None if choice.trees == "none" else _boosted(choice, self.read)
        if self.boosted is not None:
            self.boosted.fit(features * self.read, wrong, sample_weight=weight)

    def log_odds(self, features: Floats) -> Floats:
        """How likely claims are wrong, as log-odds."""
        linear = self.linear.log_odds(features)
        if self.boosted is None:
            return linear
        boosted = np.asarray(self.boosted.decision_function(features * self.read))
        return (linear + boosted) / 2 if self.choice.linear else boosted

    def trees(self) -> list[list[list[float]]]:
        """Tree by tree the columns that `support.json` holds: feature, threshold, left, right, value of a leaf."""
        if isinstance(self.boosted, GradientBoostingClassifier):
            return [_plain_tree(tree.tree_, self.boosted.learning_rate) for (tree,) in self.boosted.estimators_]
        if isinstance(self.boosted, HistGradientBoostingClassifier):
            return [_histogram_tree(one.nodes) for (one,) in self.boosted._predictors]  # noqa: SLF001 - has no public one
        return []

    @property
    def base(self) -> float:
        """The log-odds that the trees add to."""
        if isinstance(self.boosted, GradientBoostingClassifier):
            prior = self.boosted.init_.class_prior_
            return float(np.log(prior[1] / prior[0]))
        if isinstance(self.boosted, HistGradientBoostingClassifier):
            return float(np.ravel(self.boosted._baseline_prediction)[0])  # noqa: SLF001
        return 0.0


def _boosted(choice: Choice, read: Floats) -> GradientBoostingClassifier | HistGradientBoostingClassifier:
    if choice.trees == "plain":
        return GradientBoostingClassifier(
            n_estimators=choice.count,
            max_depth=choice.depth,
            learning_rate=choice.rate,
            subsample=0.6,
            max_features=0.5,
            min_samples_leaf=choice.leaf,
            random_state=0,
        )
    return HistGradientBoostingClassifier(
        max_iter=choice.count,
        max_depth=choice.depth,
        learning_rate=choice.rate,
        min_samples_leaf=choice.leaf,
        max_features=0.5,
        l2_regularization=1.0,
        monotonic_cst=choice.signs * read,
        early_stopping=False,
        random_state=0,
    )


def _plain_tree(tree: object, rate: float) -> list[list[float]]:
    feature, threshold, left, right, value = (
        np.asarray(getattr(tree, name)) for name in ("feature", "threshold", "children_left", "children_right", "value")
    )
    return _columns(left < 0, feature, threshold, left, right, value[:, 0, 0] * rate)


def _histogram_tree(nodes: NDArray[np.void]) -> list[list[float]]:
    columns = (nodes[name] for name in ("feature_idx", "num_threshold", "left", "right", "value"))
    return _columns(nodes["is_leaf"].astype(bool), *columns)


def _columns(
    leaves: NDArray[np.generic],
    feature: NDArray[np.generic],
    threshold: NDArray[np.generic],
    left: NDArray[np.generic],
    right: NDArray[np.generic],
    value: NDArray[np.generic],
) -> list[list[float]]:
    return [
        np.where(leaves, -1, feature.astype(np.int64)).tolist(),
        [float(f"{one:.9g}") for one in np.where(leaves, 0.0, threshold)],
        np.where(leaves, 0, left.astype(np.int64)).tolist(),
        np.where(leaves, 0, right.astype(np.int64)).tolist(),
        [round(float(one), 5) for one in value * leaves],
    ]
