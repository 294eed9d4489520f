"""Fit how much a sentence speaks to a model instead of to people, from orders that we wrote and honest documents.

Logistic regression over `spanwise.text.injection.likeness.features`. Positive are the sentences of
`fitting/prompting.txt` and of the probes in `tests/orders/attacks.toml`; negative are our own documents and sentences
of the public data named in NOTICE. Each family of orders is graded with weights that never saw it;
`tests/orders/heldout.toml` and `tests/orders/fresh.toml` are never fitted on.
Needs the data (SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/prompting.py [--out FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from spanwise.text.injection.likeness import features
from spanwise.text.injection.marks import plainly

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
SETS = (
    "awsdocs", "emanual", "cuad", "squad2", "covidqa", "qasper", "qmsum", "fairytaleqa", "drcd", "piaf", "xquad",
    "norquad",
)  # fmt: skip
ENCODED = {"encoded", "delimiter", "hidden", "system"}
"""Families whose orders are told by their signs, not by their words."""
MOST = 3000
"""Sentences of a set."""
LEAST = 3
"""Orders that a feature is in."""
SHARE = 20.0
"""Weight of an order beside a sentence of a document."""
SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")
AS_MANY = 20
"""Sentences of documents for which one that speaks to people in the words of an order stands."""
THING = {
    "{lie}": "the zork is blue.",
    "{that}": "the zork is blue",
    "{value}": "blue",
    "{question}": "What is the zork?",
    "{key}": "blue",
    "{{": "{",
    "}}": "}",
}
"""What stands for what an order wants said, so that nothing is learnt from it."""
PLAIN = {"the zork is blue", "what is the zork?"}


def cut(text: str) -> list[str]:
    """The sentences of a text."""
    return [one for one in SENTENCE.split(text) if len(one.strip()) > 3]


def orders(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The family and the sentences of each order of a file, but for those that only say what is ordered."""
    for family, written in tomllib.loads(path.read_text("utf-8")).items():
        for order in written if family not in ENCODED else ():
            for mark, thing in THING.items():
                order = order.replace(mark, thing)  # noqa: PLW2901
            yield family, [one for one in cut(order) if one.strip().lower().rstrip(".") not in PLAIN]


def documents(chance: random.Random) -> Iterator[str]:
    """Sentences of documents that order nothing."""
    for path in (*Path("docs").glob("*.md"), *Path("examples/writing/content").glob("*.md")):
        yield from cut(path.read_text("utf-8"))
    for control in tomllib.loads(Path("tests/orders/controls.toml").read_text("utf-8"))["control"]:
        yield from cut(control["text"])
    for name in SETS:
        held: list[str] = []
        path = min((DATA / name).glob("*.jsonl.gz"), key=lambda one: ("question" in one.name, one.name))
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            for row in rows:
                held += cut(max(strings(json.loads(row)), key=len))
                if len(held) > 10 * MOST:
                    break
        yield from chance.sample(held, min(MOST, len(held)))


def strings(value: object) -> list[str]:
    """All texts in a row."""
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inside for text in strings(one)] or [""]


def main() -> None:
    """Fit, grade and write."""
    given = argparse.ArgumentParser()
    given.add_argument("--out", type=Path, default=Path("src/spanwise/text/injection/prompting.json"))
    out = given.parse_args().out
    ordered = [(family, one) for family, said in orders(Path("tests/orders/attacks.toml")) for one in said]
    alike: list[str] = []
    for line in Path("fitting/prompting.txt").read_text("utf-8").splitlines():
        family, _, text = line.partition("|")
        if family == "people":
            alike += [text] * AS_MANY
        else:
            ordered += [(f"further {family}", one) for one in cut(text)]
    honest = alike + list(documents(random.Random(3)))  # noqa: S311 - a sample
    found = [features(plainly(one)[0]) for one in [*(one for _, one in ordered), *honest]]
    counted = Counter(name for one in found[: len(ordered)] for name in one)
    names = sorted(name for name, count in counted.items() if count >= LEAST)
    column = {name: at for at, name in enumerate(names)}

    def matrix(rows: list[set[str]]) -> csr_matrix:
        places = [(at, column[name]) for at, row in enumerate(rows) for name in row if name in column]
        return csr_matrix((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=(len(rows), len(names)))

    table, is_order = matrix(found), np.array([1] * len(ordered) + [0] * len(honest))
    families = np.array(
        [family for family, _ in ordered] + [f"document {at // AS_MANY % 97}" for at in range(len(honest))]
    )
    model = LogisticRegression(C=0.05, class_weight={1: SHARE, 0: 1.0}, max_iter=2000)
    left_out = cross_val_predict(model, table, is_order, groups=families, cv=GroupKFold(8), method="decision_function")
    model.fit(table, is_order)
    held = [[features(plainly(one)[0]) for one in said] for _, said in orders(Path("tests/orders/heldout.toml"))]
    best = np.array([max(model.decision_function(matrix(one)), default=-9.0) for one in held])
    print(f"{len(ordered)} sentences of orders, {len(honest)} of documents, {len(names)} features")
    for threshold in (-0.5, -0.15, 0.0, 0.2, 0.5, 1.0, 1.9, 3.0, 4.0):
        share = (left_out > threshold)[is_order == 1].mean()
        false = (left_out > threshold)[is_order == 0]
        print(
            f"{threshold}: families left out {share:.3f}, held out {(best > threshold).mean():.3f}, "
            f"honest {false[len(alike) :].mean():.4f}, honest in the same words {false[: len(alike)].mean():.3f}"
        )
    weights = {"bias": model.intercept_[0], **dict(zip(names, model.coef_[0], strict=True))}
    out.write_text(json.dumps({name: round(float(one), 3) for name, one in weights.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
