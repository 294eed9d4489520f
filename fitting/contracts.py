"""Fit the sentence models of the contracts profile on CUAD (CC BY 4.0), and grade them on contracts they never saw.

For each category: logistic regression over the features of single sentences, the strongest features kept, refitted.
Features are words that many contracts share: what stands in few of them, or is written with a capital wherever it
stands and is in fewer than a tenth of them, is a name (a party, a product, a town) or a number of one contract.

The figures come from cross-validation over whole contracts; the file is then fitted on all of them. Needs the data
(SPANWISE_DATA, by default ../shared/data) and `pip install --group fit`.

Usage: python fitting/contracts.py [--folds N] [--out FILE] [--half]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import spanwise
from spanwise.domain.question import SentenceModel
from spanwise.store.passages import innermost_sections
from spanwise.text.passage_reading import sentence_features
from spanwise.text.sentences import sentences
from spanwise.text.terms import terms

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data")) / "cuad"
PROFILES = Path("src/spanwise/questions/profiles")
STRENGTH = 20.0  # inverse of the regularisation; chosen once by cross-validation among 1, 5, 20, 50
KEPT = 250  # features a category; all of them gain one point of accuracy and make the file eight times larger
RAREST = 8  # sentences that a feature has to be in
SHARED = 6  # contracts that a feature has to be in
KNOWN = 0.1  # share of the contracts that a word has to be in which is always written with a capital or a digit
NEGATIVES = 15_000  # sentences that do not answer, sampled for each category


_SMALL = re.compile(r"(?<![\w&'.-])[a-z]+(?:-[a-z]+)*(?![\w&'-]|\.\w)")


@dataclass(frozen=True)
class Contract:
    """Sentences as features, and which of them each category's clauses touch."""

    name: str
    features: list[set[str]]
    answers: dict[str, set[int]]
    plain: frozenset[str]
    """Stems of the words that are written in small letters somewhere."""


def rows(name: str) -> Iterator[dict]:
    """The rows of one file of the data set."""
    with gzip.open(DATA / name, "rt") as file:
        yield from map(json.loads, file)


def read_contract(row: dict, clauses: Sequence[dict]) -> Contract:
    """Sentences of one contract, cut and read exactly as answers are."""
    text = row["text"]
    document = spanwise.read(text.encode(), name="contract.txt")
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line) + 1)
    section_of = innermost_sections(document.sections, len(document.lines))
    headings = [terms(section.title) for section in document.sections]
    features, places = [], []
    for _, group in groupby(document.lines, key=lambda line: (line.block, line.role)):
        lines = list(group)
        if lines[0].role == "blank":
            continue
        block = "\n".join(line.text for line in lines)
        section = section_of[lines[0].number - 1]
        for start, end in sentences(block):
            line = lines[0].number + block.count("\n", 0, start)
            heading = headings[section] if section >= 0 else []
            features.append(sentence_features(terms(block[start:end]), heading, line))
            base = offsets[lines[0].number - 1]
            places.append((base + start, base + end))
    answers = {}
    for question in clauses:
        spans = [(answer["start"], answer["start"] + len(answer["text"])) for answer in question["answers"]]
        answers[slug(question["category"])] = {
            at
            for at, (first, last) in enumerate(places)
            for start, end in spans
            if min(last, end) - max(first, start) >= min(10, end - start, last - first)
        }
    plain = frozenset(terms(" ".join(_SMALL.findall(text))))
    return Contract(row["doc_id"], features, answers, plain)


NAMES = {
    "Agreement Date": "agreement_date",
    "Competitive Restriction Exception": "competitive_restriction_exception",
    "Notice Period To Terminate Renewal": "notice_to_terminate_renewal",
    "Most Favored Nation": "most_favored_nation",
    "No-Solicit Of Customers": "no_solicit_customers",
    "No-Solicit Of Employees": "no_solicit_employees",
    "Rofr/Rofo/Rofn": "right_of_first_refusal",
    "Revenue/Profit Sharing": "revenue_sharing",
    "Unlimited/All-You-Can-Eat-License": "unlimited_license",
    "Irrevocable Or Perpetual License": "irrevocable_license",
}


def slug(category: str) -> str:
    """The intent's name of a category."""
    return NAMES.get(category) or category.lower().replace("-", "_").replace(" ", "_")


def matrix(contracts: Sequence[Contract], vocabulary: dict[str, int]) -> csr_matrix:
    """One row a sentence: 1 / sqrt(number of its features) for each feature that is in the vocabulary."""
    pointers, indices, values = [0], [], []
    for contract in contracts:
        for features in contract.features:
            known = sorted(vocabulary[feature] for feature in features if feature in vocabulary)
            indices += known
            values += [1 / max(1, len(features)) ** 0.5] * len(known)
            pointers.append(len(indices))
    return csr_matrix((values, indices, pointers), shape=(len(pointers) - 1, len(vocabulary)))


def shared_features(contracts: Sequence[Contract]) -> list[str]:
    """The features that may be kept: no names and no numbers of single contracts."""
    counts = Counter(feature for contract in contracts for features in contract.features for feature in features)
    spread = Counter(feature for contract in contracts for feature in set().union(*contract.features))
    plain = Counter(stem for contract in contracts for stem in contract.plain)
    least = KNOWN * len(contracts)

    def general(feature: str) -> bool:
        stems = [part for part in feature.removeprefix("#").split("|") if part != "@start"]
        return all(plain[stem] >= SHARED or spread[stem] >= least for stem in stems)

    return sorted(
        feature
        for feature, count in counts.items()
        if count >= RAREST and spread[feature] >= SHARED and general(feature)
    )


def fit(contracts: Sequence[Contract], categories: Sequence[str]) -> dict[str, dict]:
    """A model for each category."""
    names = shared_features(contracts)
    everything = matrix(contracts, {feature: at for at, feature in enumerate(names)})
    bounds = np.cumsum([0] + [len(contract.features) for contract in contracts])
    models = {}
    for category in categories:
        labels = np.zeros(everything.shape[0])
        for contract, first in zip(contracts, bounds, strict=False):
            labels[[first + at for at in contract.answers.get(category, ())]] = 1
        positive, negative = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
        sampled = np.random.RandomState(0).choice(negative, min(len(negative), NEGATIVES), replace=False)
        chosen = np.concatenate([positive, np.sort(sampled)])
        data, wanted = everything[chosen], labels[chosen]
        first_fit = LogisticRegression(C=STRENGTH, solver="liblinear").fit(data, wanted)
        kept = np.sort(np.argsort(-abs(first_fit.coef_[0]), kind="stable")[:KEPT])
        model = LogisticRegression(C=STRENGTH, solver="liblinear").fit(data[:, kept], wanted)
        weights = {names[at]: round(float(weight), 3) for at, weight in zip(kept, model.coef_[0], strict=True)}
        models[category] = {"bias": round(float(model.intercept_[0]), 3), "weights": weights}
    return models


def grade(contracts: Sequence[Contract], categories: Sequence[str], folds: int) -> None:
    """Cross-validate over whole contracts and print what the models are worth on unseen ones."""
    right, asked = Counter(), Counter()
    truths, scores = [], []
    for fold in range(folds):
        models = fit([c for at, c in enumerate(contracts) if at % folds != fold], categories)
        for contract in contracts[fold::folds]:
            for category in categories:
                model = SentenceModel(**models[category])
                logits = [model.logit(features) for features in contract.features]
                best = int(np.argmax(logits))
                truths.append(bool(contract.answers[category]))
                scores.append(logits[best])
                if contract.answers[category]:
                    asked[category] += 1
                    right[category] += best in contract.answers[category]
    for category in categories:
        print(f"{category:<36}{right[category] / max(1, asked[category]):>6.2f}  of {asked[category]}")
    print(f"best sentence touches the clause {sum(right.values()) / sum(asked.values()):.3f} of {sum(asked.values())}")
    print(f"answerable or not, AUROC {roc_auc_score(truths, scores):.3f} of {len(truths)}")


def main() -> None:
    """Read, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5, help="0 skips the grading")
    parser.add_argument("--out", type=Path, default=PROFILES / "contracts.json")
    parser.add_argument("--half", action="store_true", help="fit on every second contract, to evaluate on the others")
    options = parser.parse_args()
    clauses: dict[str, list[dict]] = {}
    for question in rows("questions.jsonl.gz"):
        clauses.setdefault(question["doc_id"], []).append(question)
    contracts = sorted(
        (read_contract(row, clauses[row["doc_id"]]) for row in rows("contracts.jsonl.gz")), key=lambda c: c.name
    )
    profile = tomllib.loads((PROFILES / "contracts.toml").read_text())
    categories = [intent["name"] for intent in profile["intent"] if intent.get("fitted")]
    if options.folds:
        grade(contracts, categories, options.folds)
    models = fit(contracts[::2] if options.half else contracts, categories)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(model, sort_keys=True)}" for name, model in models.items())
    options.out.write_text("{\n" + lines + "\n}\n")
    print(f"{options.out}: {options.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
