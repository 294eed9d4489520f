"""Ways to fit the guard, each measured on sets left out in turn and on sets that are never fitted.

Usage: python fitting/guard_trials.py [--cache FILE] [--limit N] [--folds N] [--pairs N] [--only NAME ...]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from guard import (
    CHOICE,
    DATA,
    FIT,
    MEASURED,
    Aggregate,
    calibration,
    claim_area,
    of_texts,
    options,
    product,
    risk_of,
    text_area,
    without_sets,
    without_sources,
)
from guard_models import Choice
from guard_rows import MADE, TRAPS, Floats, Rows, rows_of

OLD = {name: weight for name, weight in FIT.items() if name in ("ragtruth", "wice", "contractnli", "expertqa", MADE)}
EVEN = {name: weight if name in (MADE, TRAPS) else 1.0 for name, weight in FIT.items()}
PLAIN = Choice()
TRIALS: Mapping[str, tuple[Choice, Mapping[str, float]]] = {
    "as shipped": (CHOICE, FIT),
    "four old sets": (CHOICE, OLD),
    "every set counts the same": (CHOICE, EVEN),
    "nothing made": (CHOICE, {name: weight for name, weight in FIT.items() if name not in (MADE, TRAPS)}),
    "depth 2": (replace(CHOICE, depth=2), FIT),
    "depth 4": (replace(CHOICE, depth=4), FIT),
    "no signs": (replace(CHOICE, monotone=False), FIT),
    "leaf 60": (replace(CHOICE, leaf=60), FIT),
    "60 trees": (replace(CHOICE, count=60), FIT),
    "linear alone": (replace(CHOICE, trees="none"), FIT),
    "trees alone": (replace(CHOICE, linear=False), FIT),
    "plain trees": (PLAIN, FIT),
}
AGGREGATES: Mapping[str, Aggregate] = {
    "as shipped": product,
    "product": lambda held: float(np.prod(held)),
    "least": lambda held: float(held.min()),
    "mean of two least": lambda held: float(np.sort(held)[:2].mean()),
    "mean of three least": lambda held: float(np.sort(held)[:3].mean()),
    "product of three least": lambda held: float(np.prod(np.sort(held)[:3])),
    "mean": lambda held: float(held.mean()),
    "geometric mean": lambda held: float(np.exp(np.log(held).mean())),
    "product ^ 1/n^.75": lambda held: float(np.exp(np.log(held).sum() / len(held) ** 0.75)),
    "product * least": lambda held: float(np.prod(held) * held.min()),
    "mean * least": lambda held: float(held.mean() * held.min()),
}


def tried(rows: Rows, folds: int, only: list[str]) -> dict[str, Floats]:
    """Print a line of figures for each trial; the risks of all claims, sets left out."""
    risks = {}
    print(f"{'':<46}RAGTruth left out: texts, claims   its sources out   fitted sets left out   never fitted")
    for name, (choice, fit) in TRIALS.items():
        if only and name not in only:
            continue
        left, inside = without_sets(rows, choice, fit), without_sources(rows, choice, fit, folds)
        risks[name] = risk = risk_of(left, calibration(left, rows))
        within = risk_of(inside, calibration(inside, rows))
        texts, texts_within = of_texts(risk, rows), of_texts(within, rows)
        human = [one for one in FIT if one not in (MADE, TRAPS)]
        shares = [
            *(text_area("ragtruth", texts, rows), claim_area("ragtruth", risk, rows)),
            *(text_area("ragtruth", texts_within, rows), claim_area("ragtruth", within, rows)),
            *(np.nanmean([measure(one, of, rows) for one in human]) for measure, of in _measures(texts, risk)),
            *(np.nanmean([measure(one, of, rows) for one in MEASURED]) for measure, of in _measures(texts, risk)),
        ]
        print(f"{name:<46}" + "".join(f"{share:>9.3f}" for share in shares), flush=True)
    return risks


def _measures(texts: Floats, risk: Floats) -> list[tuple[object, Floats]]:
    return [(text_area, texts), (claim_area, risk)]


def aggregated(rows: Rows, risk: Floats) -> None:
    """Print for each way to sum up claims the AUROC of texts of the sets whose texts have several claims."""
    counts = np.bincount(rows.item, minlength=len(rows.sets))
    names = [name for name in np.unique(rows.sets) if counts[rows.sets == name].mean() > 1.5]
    scores = {way: of_texts(risk, rows, aggregate) for way, aggregate in AGGREGATES.items()}
    table = {way: [text_area(name, own, rows) for name in names] for way, own in scores.items()}
    kept = [index for index in range(len(names)) if not np.isnan(table["product"][index])]
    print(f"\n{'':<24}{'mean':>7} " + " ".join(f"{names[index][:8]:>8}" for index in kept))
    for way, shares in table.items():
        own = [shares[index] for index in kept]
        print(f"{way:<24}{np.mean(own):>7.3f} " + " ".join(f"{share:>8.3f}" for share in own))


def main() -> None:
    """Measure every trial."""
    parser = options()
    parser.add_argument("--only", nargs="*", default=[], help="names of trials")
    given = parser.parse_args()
    rows = rows_of(DATA, given.limit, given.pairs, given.cache)
    print(f"{len(rows.sets)} texts, {len(rows.wrong)} claims")
    risks = tried(rows, given.folds, given.only)
    aggregated(rows, risks.get("all sets", next(iter(risks.values()))))


if __name__ == "__main__":
    main()
