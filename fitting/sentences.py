"""Fit which sentence answers a question, and how likely that is right, on SQuAD 2.0 (CC BY-SA 4.0).

It is graded on articles that the models never saw.
Three logistic regressions: one ranks all sentences of a question, one chooses among the best few after a closer look,
one says from the best whether what is shown holds the answer. The closer look uses the pieces that `fitting/spans.py`
fits: here always those of a model that did not see the article (stacking, Wolpert 1992). The threshold is the
confidence at which answering and silence together are right most often. Needs the data (SPANWISE_DATA, by default
../shared/data) and `pip install --group fit`.

Usage: python fitting/sentences.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import spans
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

import spanwise
from spanwise.evaluation.cases import Case
from spanwise.evaluation.metrics import contains_words, token_f1
from spanwise.evaluation.squad2 import load
from spanwise.questions.parse import parse_with
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.closer import CLOSE, LOOK, look, whole
from spanwise.synthesis.extractive.confidence import JUDGED, RIVAL, Weights, may_have_rival, probability
from spanwise.synthesis.extractive.evidence import NAMES, Asked, measure, shortlist
from spanwise.synthesis.extractive.spans import SpanWeights, best_piece
from spanwise.text.reading import Reading, read_passage, stem_weights

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/synthesis/extractive/sentences.json")
READ = 12  # passages that are read, as in answering
STRENGTH = {"ranking": 1.0, "choosing": 3.0, "being_right": 30.0}  # of the regularisation; flat within a factor of 10
GAIN = 0.07
# What tells whether the best is right, and which way it may speak. Features of the first look that only tell sentences
# of one question apart are left out, and signs are kept: features that go together would take each other's part, and a
# question that shares next to nothing with its document would look better than one that shares little.
SIGNS = {
    **dict.fromkeys(("before", "after", "around", "score", "rank", "length", "row", "item", "pronoun"), 0),
    **dict.fromkeys(("first", "news", "asked", "words"), 0),
    **dict.fromkeys(("own", "kin", "pairs", "tight", "missing", "typed", "spoken_of", "general", "general_kin"), 1),
    **dict.fromkeys(("bigrams", "trigrams", "near_pairs", "run", "capitals", "figures", "piece", "chance"), 1),
    **dict.fromkeys(("unseen", "untyped", "entities", "entities_around", "numbers", "negated", "unnegated"), -1),
    **dict.fromkeys(("low", "lower", "choice", "rarest_missing", "opposed", "opposed_around", "rarest_absent"), -1),
    **dict.fromkeys(("mean_absent", "rarest_strange", "strange"), -1),
}
STRANGE = 10  # every so many questions of the other articles are asked of an article, too


@dataclass(frozen=True)
class Example:
    """One question with its sentences as they are first looked at, and which hold a gold answer."""

    article: str
    part: str
    case: Case
    asked: Asked
    readings: list[Reading]
    chosen: list[tuple[int, int]]
    features: np.ndarray
    holds: np.ndarray
    trained: np.ndarray
    """Those that hold it in the paragraph that was asked about."""


@dataclass(frozen=True)
class Close:
    """The best few sentences of a question after a closer look, by models that did not see its article."""

    article: str
    part: str
    case: Case
    features: np.ndarray
    holds: np.ndarray
    trained: np.ndarray
    pieces: list[tuple[str, float]]
    """The best piece of each sentence, and its chance."""
    texts: list[str]


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
            question = parse_with(case.question, [])
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
            found.append(
                Example(
                    article, part, case, asked, readings, chosen, features, np.array(holds, bool), np.array(near, bool)
                )
            )
    return found


def fit_ranking(known: Sequence[Example | Close], names: Sequence[str], strength: float) -> Weights:
    """Which sentence of a question holds its answer."""
    useful = [one for one in known if one.trained.any()]
    labels = np.concatenate([one.trained for one in useful])
    return _regression(np.vstack([one.features for one in useful]), labels, names, {}, strength)


def closer(article: str, known: Sequence[Example], pieces: Sequence[spans.Example]) -> list[Close]:
    """A closer look at the questions of one article, by models of the others."""
    weights = SpanWeights(spans.fit([one for one in pieces if one.article != article]))
    others = [one for one in known if one.article != article]
    ranking = fit_ranking(others, NAMES, STRENGTH["ranking"])
    return [_close(one, ranking, weights) for one in known if one.article == article]


def _close(one: Example, ranking: Weights, weights: SpanWeights) -> Close:
    rows = one.features.tolist()
    logits = [ranking.logit(row) for row in rows]
    best = sorted(range(len(rows)), key=lambda at: -logits[at])[:CLOSE]
    chosen = [one.chosen[at] for at in best]
    found = look(one.asked, one.readings, chosen, [rows[at] for at in best], [logits[at] for at in best], weights)
    texts = [one.readings[rank].sentences[at].text for rank, at in chosen]
    pieces = []
    for text in texts:
        piece = best_piece(one.case.question, text, weights)
        pieces.append((text[piece.start : piece.end], piece.chance) if piece else (text, 0.0))
    features = np.array(found).reshape(len(found), len(LOOK))
    return Close(one.article, one.part, one.case, features, one.holds[best], one.trained[best], pieces, texts)


def judged(one: Close, choosing: Weights) -> tuple[tuple[float, ...], bool, list[int]]:
    """The features of the best sentence, whether what is shown holds the answer, and which sentences are shown."""
    logits = [choosing.logit(row) for row in one.features.tolist()]
    order = sorted(range(len(logits)), key=lambda at: -logits[at])
    most = 2 if _may_have_rival(one.case.question) else 1
    shown = [at for at in order[:most] if np.exp(logits[at] - logits[order[0]]) >= RIVAL]
    features = (*one.features[order[0]].tolist(), *whole(one.case.question, logits))
    return features, bool(one.holds[shown].any()), shown


@cache
def _may_have_rival(question: str) -> bool:
    return may_have_rival(parse_with(question, []))


def fit(known: Sequence[Close]) -> tuple[Weights, Weights]:
    """The models after the closer look."""
    choosing = fit_ranking(known, LOOK, STRENGTH["choosing"])
    looks = [judged(one, choosing) for one in known if len(one.features)]
    rows = np.array([row for row, _, _ in looks])
    right = np.array([right for _, right, _ in looks])
    return choosing, _regression(rows, right, JUDGED, SIGNS, STRENGTH["being_right"])


def _regression(
    rows: np.ndarray, labels: np.ndarray, names: Sequence[str], signs: Mapping[str, int], strength: float
) -> Weights:
    """Logistic regression, L2-regularised, whose weights have the signs that are given (1, -1, or 0 for no weight)."""
    middle, width = rows.mean(0), rows.std(0)
    width[width < 1e-9] = 1e9  # a feature that never varies has no weight
    scaled = np.column_stack([np.ones(len(rows)), (rows - middle) / width])
    wanted = labels.astype(float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = scaled @ weights
        value = np.logaddexp(0, logits).sum() - wanted @ logits + (weights[1:] @ weights[1:]) * strength / 2
        slope = scaled.T @ (1 / (1 + np.exp(-logits)) - wanted)
        slope[1:] += weights[1:] * strength
        return value, slope

    ranges = {1: (0, None), -1: (None, 0), 0: (0, 0), None: (None, None)}
    bounds = [(None, None), *(ranges[signs.get(name)] for name in names)]
    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = found[1:] / width
    return Weights(float(found[0] - (weights * middle).sum()), tuple(map(float, weights)))


@dataclass(frozen=True)
class Graded:
    """What was said to one question, by models that did not see its article."""

    part: str
    answerable: bool
    right: bool
    confidence: float
    sentences: int
    words: int
    f1: float
    """Of the best piece alone."""
    chance: float
    """Of that piece."""


def grade(known: Sequence[Close]) -> list[Graded]:
    """Cross-validate over whole articles."""
    graded = []
    for article in sorted({one.article for one in known}):
        choosing, being_right = fit([one for one in known if one.article != article])
        for one in known:
            if one.article != article:
                continue
            if not len(one.features):
                graded.append(Graded(one.part, one.case.answerable, False, 0.0, 0, 0, 0.0, 0.0))
                continue
            features, right, shown = judged(one, choosing)
            piece, chance = one.pieces[shown[0]]
            words = sum(len(one.texts[at].split()) for at in shown)
            confidence = probability(being_right.logit(features))
            f1 = token_f1(piece, one.case.gold)
            graded.append(Graded(one.part, one.case.answerable, right, confidence, len(shown), words, f1, chance))
    return graded


def report(part: str, graded: Sequence[Graded]) -> None:
    """Print the figures of one part, and its reliability table."""
    truth = [one.answerable for one in graded]
    if not any(truth):
        print(f"{part}: mean confidence, always of wrong answers, {np.mean([one.confidence for one in graded]):.3f}")
        return
    answerable = [one for one in graded if one.answerable]
    print(f"{part}: what is shown holds the answer {np.mean([one.right for one in answerable]):.3f} of {sum(truth)}")
    two, words = np.mean([one.sentences > 1 for one in graded]), np.median([one.words for one in graded])
    print(f"  two sentences are shown {two:.3f}, words, median {words:.0f}")
    print(f"  F1 of the best piece {np.mean([one.f1 for one in answerable]):.3f}")
    print(f"  answerable or not, AUROC {roc_auc_score(truth, [one.confidence for one in graded]):.3f} of {len(truth)}")
    print("  confidence    said  was right      n")
    for low in np.arange(0, 1, 0.1):
        bin_ = [(one.confidence, one.right) for one in graded if low <= one.confidence < low + 0.1]
        if bin_:
            said, was = np.mean(bin_, axis=0)
            print(f"  {low:.1f} to {low + 0.1:.1f}{said:>8.3f}{was:>11.3f}{len(bin_):>7}")


def thresholds(
    articles: Sequence[Graded], strange: Sequence[Graded], paragraphs: Sequence[Graded]
) -> tuple[float, float]:
    """The least confidence that answers, over a document and where one paragraph is all there is.

    Over a document it is the one at which answers and silence are right most often. Whoever gives one paragraph expects
    the answer in it: there it is the least one at which they are right more often, by GAIN, than silence alone.
    """
    silent = np.mean([not one.answerable for one in paragraphs])
    most, chosen, alone = 0.0, 1.0, 1.0
    for least in np.arange(0.02, 0.9, 0.02)[::-1]:
        right, right_alone = _right(articles, least), _right(paragraphs, least)
        contained = np.mean([one.right and one.confidence >= least for one in articles if one.answerable])
        answered = np.mean([one.confidence >= least for one in strange])
        f1 = np.mean([one.f1 if one.confidence >= least else 0.0 for one in paragraphs if one.answerable])
        rightly = f"right or rightly silent {right:.3f}, paragraphs {right_alone:.3f}"
        print(
            f"  at least {least:.2f}: contained {contained:.3f}, {rightly}, "
            f"strange questions answered {answered:.3f}; paragraphs, F1 of pieces {f1:.3f}"
        )
        if right >= most:
            most, chosen = right, float(least)
        if right_alone >= silent + GAIN:
            alone = float(least)
    return round(chosen, 2), round(alone, 2)


def _right(graded: Sequence[Graded], least: float) -> float:
    return float(np.mean([one.right if one.confidence >= least else not one.answerable for one in graded]))


def main() -> None:
    """Read, look closer with models of other articles, grade, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    known, pieces = examples(), spans.examples()
    articles = sorted({one.article for one in known})
    # Forked, so that the examples need not be sent; nothing else runs yet.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        jobs = [pool.submit(closer, article, known, pieces) for article in articles]
        close = [one for job in jobs for one in job.result()]
    graded = grade(close)
    parts = {part: [one for one in graded if one.part == part] for part in ("articles", "paragraphs", "strange")}
    for part, these in parts.items():
        report(part, these)
    least, alone = thresholds(parts["articles"], parts["strange"], parts["paragraphs"])
    choosing, being_right = fit(close)
    data = {
        "ranking": _named(fit_ranking(known, NAMES, STRENGTH["ranking"]), NAMES),
        "choosing": _named(choosing, LOOK),
        "being_right": _named(being_right, JUDGED),
        "threshold": least,
        "threshold_alone": alone,
    }
    options.out.write_text(json.dumps(data, indent=1) + "\n")
    print(f"threshold {least}, where one paragraph is all there is {alone}")


def _named(model: Weights, names: Sequence[str]) -> dict[str, float]:
    weights = {name: round(weight, 4) for name, weight in zip(names, model.weights, strict=True)}
    return {"bias": round(model.bias, 4)} | {name: weight for name, weight in weights.items() if weight}


if __name__ == "__main__":
    main()
