"""Fit the weights of the factors of retrieval, one table for all kinds of documents, over public sets together.

Each set (LICENCES names what allows it) gives questions with the places that answer them in documents cut as the engine
cuts them: articles, research papers, stories, meetings, software documentation, PDFs, in several
languages; and reports made of many tables with their text (TAT-QA, PAGES contexts a report, one a page). Nothing is
fitted on data without a licence or whose licence forbids commercial use or changes.

A score is a weighted sum of factors; the weights make what is right likely among all candidates (softmax, weights not
below zero, ridge towards zero), each set counting the same however large it is. The factors of pages speak only where
a statement or one of its rows is asked for, which these sets hardly do: each has one vote (1.0), not fitted.

The figures come from weights fitted without the set that is asked (sets that share articles are left out together),
beside plain BM25 and the weights that are shipped. Needs the data (SPANWISE_DATA, by default ../shared/data) and
`pip install --group fit`.

[contracts] is set by hand: the sentence model of the intent finds the clause, and a fit on CUAD does worse.

Usage: python fitting/weights.py [--most N] [--ridge R] [--test financebench] [--cache FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from scipy.optimize import minimize
from sets import SETS

import spanwise
from spanwise.domain.document import Document
from spanwise.domain.passage import Passage
from spanwise.questions.parse import parse_question
from spanwise.retrieval.factors import FACTORS, PAGE_FACTORS
from spanwise.retrieval.retriever import factor_weights, scored

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
LICENCES = {
    "squad2": "CC BY-SA 4.0",
    "xquad": "CC BY-SA 4.0",
    "covidqa": "Apache-2.0; articles CC BY and similar",
    "qmsum": "MIT",
    "fairytaleqa": "Apache-2.0",
    "nqpages": "CC BY-SA 3.0",
    "qasper": "CC BY 4.0",
    "awsdocs": "CC BY 4.0",
    "piaf": "MIT; text CC BY-SA",
    "norquad": "CC0",
    "nist": "public domain; questions CC0",
    "tatqa": "CC BY 4.0",
}
FAMILIES = {"xquad": "squad2"}  # the same articles
FIXED = {
    # What the question itself names goes before all else; nothing in the data asks for it, for what profiles add, or
    # often enough for a definition.
    "named_page": 6.0,
    "named_section": 4.0,
    "expected_section": 1.5,
    "expert_words": 1.0,
    "definition": 6.0,
    "wording": 0.0,
    **dict.fromkeys(PAGE_FACTORS, 1.0),
}
NAMES = [name for name in (*FACTORS, *PAGE_FACTORS) if name != "subject"]
DEPTHS = (1, 3, 5, 10)
CROWDING = 1.0
PAGES = 30
"""Contexts of a report made of TAT-QA."""
COVER = """Annual Report
Form of the report of the registrant to the Securities and Exchange Commission
for the fiscal year ended December 31, 2019"""
_SEED = 7

Right = Callable[[Passage], bool]
T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """A question with the factors of its candidates."""

    set: str
    factors: np.ndarray
    gold: np.ndarray
    """Whether each candidate is evidence."""
    place: np.ndarray
    """The page of each candidate."""


def rows(path: str) -> Iterator[dict]:
    """The rows of a file of JSON Lines."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(DATA / path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def texts(name: str, most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """A set whose evidence are places in the text of a document."""
    documents = {row["doc_id"]: row for row in rows(f"{name}/documents.jsonl.gz")}
    asked: dict[str, list[dict]] = {}
    for row in sampled([one for one in rows(f"{name}/questions.jsonl.gz") if not one["unanswerable"]], most):
        asked.setdefault(row["doc_id"], []).append(row)
    for at, (key, questions) in enumerate(asked.items()):
        row = documents[key]
        suffix = "md" if "Markdown" in row["kind"] else "txt"
        document = spanwise.read(row["text"].encode("utf-8", "replace"), name=f"{name}-{at}.{suffix}")
        title = f"{name}-{row['language']}" if name == "xquad" else name
        yield title, document, [(one["question"], placed(one, row["text"])) for one in questions]


def placed(row: dict, text: str) -> Right:
    """Whether a passage has a line of the evidence; where no place is known, the answer."""
    spans = [
        (text.count("\n", 0, one["start"]) + 1, text.count("\n", 0, max(one["start"], one["end"] - 1)) + 1)
        for one in row["evidence"]
    ]
    if spans:
        # A paragraph on one line is cut nowhere else: of a short answer the very words have to be there.
        words = [folded(one["text"]) for one in row["evidence"] if one["text"] and len(one["text"]) < 200]
        return lambda passage: (
            any(passage.line_start <= last and first <= passage.line_end for first, last in spans)
            and (not words or any(word in folded(passage.text) for word in words))
        )
    golds = [folded(answer) for answer in row["answers"]]
    return lambda passage: any(f" {gold} " in f" {folded(passage.text)} " for gold in golds)


def folded(text: str) -> str:
    """A text in small letters, white space and line ends folded."""
    return " ".join(re.sub(r"[^\w$%.,]+", " ", text.casefold()).split())


def squad2(most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """Articles, the paragraph that was asked about being the evidence."""
    contexts: dict[str, dict[int, str]] = {}
    asked = [row for row in rows("squad2/dev_public.jsonl.gz") if not row["unanswerable"]]
    for row in rows("squad2/dev_public.jsonl.gz"):
        contexts.setdefault(row["title"], {})[row["paragraph"]] = row["context"]
    questions: dict[str, list[tuple[str, Right]]] = {}
    for row in sampled(asked, most):
        questions.setdefault(row["title"], []).append((row["question"], in_paragraph(row)))
    for title, paragraphs in contexts.items():
        text = "\n\n".join(paragraphs[number] for number in sorted(paragraphs))
        yield "squad2", spanwise.read(text.encode(), name=f"{title}.txt"), questions.get(title, [])


def in_paragraph(row: dict) -> Right:
    """Whether a passage has the answer and is of the paragraph."""
    paragraph, golds = folded(row["context"]), [folded(answer["text"]) for answer in row["answers"]]

    def right(passage: Passage) -> bool:
        text = folded(passage.text)
        return any(gold in text for gold in golds) and (text in paragraph or paragraph in text or _shares(text, row))

    return right


def _shares(text: str, row: dict) -> bool:
    start = min(answer["start"] for answer in row["answers"])
    return folded(row["context"][max(0, start - 40) : start + 40].partition(" ")[2].rpartition(" ")[0]) in text


def nist(most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """PDFs, every passage on a page with evidence being right."""
    del most
    for job in SETS["nist"].load(DATA, None):
        document = spanwise.read(job.document.content)
        cases = [case for case in job.cases if case.answerable]
        yield "nist", document, [(case.question, on_pages(document, set(case.pages))) for case in cases]


def on_pages(document: Document, pages: set[int]) -> Right:
    """Whether a passage says something on one of the pages."""
    return lambda passage: any(
        line.page in pages and line.text.strip() for line in document.lines[passage.line_start - 1 : passage.line_end]
    )


def everyday(most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """Files of many kinds, evidence being a quote."""
    del most
    asked: dict[str, list[dict]] = {}
    for row in rows("everyday/questions.jsonl"):
        if row["gold"] is not None and row["evidence"]:
            asked.setdefault(row["doc"], []).append(row)
    for name, questions in asked.items():
        try:
            document = spanwise.read(DATA / "everyday/docs" / name)
        except spanwise.errors.SpanwiseError:
            continue
        yield "everyday", document, [(row["question"], quoted(row["evidence"])) for row in questions]


def quoted(quote: str) -> Right:
    """Whether a passage has most of the words of a quote in a row."""
    words = folded(quote).split()
    pieces = [" ".join(words[at : at + 4]) for at in range(max(1, len(words) - 3))]
    return lambda passage: 2 * sum(piece in folded(passage.text) for piece in pieces) >= len(pieces)


def tatqa(most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """Reports of many tables with their text, a context a page; a passage of the right page is right."""
    contexts: dict[str, list[dict]] = {}
    for row in rows("tatqa/dev.jsonl.gz"):
        contexts.setdefault(row["context_id"], []).append(row)
    kept = {row["id"] for row in sampled([row for group in contexts.values() for row in group], most)}
    keys = sampled(sorted(contexts), len(contexts))
    for start in range(0, len(keys), PAGES):
        group = [contexts[key] for key in keys[start : start + PAGES]]
        text = "\n\f".join([COVER, *(report_page(questions[0]) for questions in group)])
        document = spanwise.read(text.encode("utf-8", "replace"), name=f"report-{start}.txt")
        asked = [
            (row["question"], on_pages(document, {page}))
            for page, questions in enumerate(group, start=2)
            for row in questions
            if row["id"] in kept
        ]
        yield "tatqa", document, asked


def report_page(row: dict) -> str:
    """A table as it is printed, between the paragraphs around it."""
    table = "\n".join("   ".join(cell for cell in cells if cell) for cells in row["table"])
    paragraphs = [one["text"] for one in sorted(row["paragraphs"], key=lambda one: one["order"])]
    return "\n\n".join([*paragraphs[:1], table, *paragraphs[1:]])


def financebench(most: int) -> Iterator[tuple[str, Document, list[tuple[str, Right]]]]:
    """Filings; only ever a test, since the set states no licence."""
    del most
    for job in SETS["financebench"].load(DATA, None):
        content = job.document.content
        document = (
            spanwise.read(content)
            if isinstance(content, Path)
            else spanwise.read(content.encode("utf-8", "replace"), name=job.document.name)
        )
        yield "financebench", document, [(case.question, on_pages(document, set(case.pages))) for case in job.cases]


def sampled(found: list[T], most: int) -> list[T]:
    """At most so many of a list, mixed in the same way every time."""
    return [found[at] for at in np.random.RandomState(_SEED).permutation(len(found))[:most]]


def ask(name: str, most: int) -> Iterator[Asked]:
    """The candidates of every question of a set."""
    own = {"squad2": squad2, "nist": nist, "everyday": everyday, "tatqa": tatqa, "financebench": financebench}
    for title, document, questions in own[name](most) if name in own else texts(name, most):
        yield from candidates(title, document, questions)


def candidates(kind: str, document: Document, questions: Sequence[tuple[str, Right]]) -> Iterator[Asked]:
    """The candidates of the questions on one document, with every factor."""
    every = dict.fromkeys((*FACTORS, *PAGE_FACTORS), 1.0)
    with spanwise.Corpus.of([document]) as corpus:
        for text, right in questions:
            found = scored(parse_question(text, document=document), corpus, every)
            matrix = [[factors.get(factor, 0.0) for factor in NAMES] for _, factors in found]
            yield Asked(
                kind,
                np.array(matrix).reshape(len(found), len(NAMES)),
                np.array([right(passage) for passage, _ in found], bool),
                np.array([passage.page for passage, _ in found], int),
            )


def fit(asked: Sequence[Asked], ridge: float) -> np.ndarray:
    """Weights that make evidence likely, each set counting the same."""
    usable = [one for one in asked if one.gold.any() and not one.gold.all()]
    sizes = {kind: sum(one.set == kind for one in usable) for kind in {one.set for one in usable}}
    # Languages of one set share its weight.
    families = {kind: sum(other.partition("-")[0] == kind.partition("-")[0] for other in sizes) for kind in sizes}
    times = [300.0 / sizes[one.set] / families[one.set] for one in usable]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = ridge * float(weights @ weights), 2 * ridge * weights
        for one, count in zip(usable, times, strict=True):
            scores = one.factors @ weights
            power = np.exp(scores - scores.max())
            likely, wanted = power / power.sum(), power * one.gold / (power * one.gold).sum()
            value -= count * float(np.log((likely * one.gold).sum()))
            gradient += count * ((likely - wanted) @ one.factors)
        return value, gradient

    bounds = [(FIXED[name], FIXED[name]) if name in FIXED else (0.0, None) for name in NAMES]
    start = np.array([FIXED.get(name, 0.5) for name in NAMES])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x)


def shares(asked: Sequence[Asked], weights: np.ndarray, crowding: float = 0.0) -> list[float]:
    """The share of the questions with evidence among the first hits, at each depth."""
    ranks = []
    for one in asked:
        scores = one.factors @ weights
        if crowding:
            seen: dict[int, int] = {}
            for at in np.argsort(-scores, kind="stable"):
                count = seen.get(int(one.place[at]), 0)
                seen[int(one.place[at])] = count + 1
                scores[at] -= crowding * count
        order = np.argsort(-scores, kind="stable")
        ranks.append(next((rank for rank, at in enumerate(order) if one.gold[at]), 10**6))
    return [float(np.mean([rank < depth for rank in ranks])) for depth in DEPTHS]


def shown(values: Sequence[float]) -> str:
    """Shares as a report has them."""
    return " ".join(f"{value:.3f}" for value in values)


def table(weights: Mapping[str, float]) -> np.ndarray:
    """A table of weights as a vector."""
    return np.array([weights[name] for name in NAMES])


def main() -> None:
    """Read, fit with each set left out, fit on everything, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=300, help="questions of a set")
    parser.add_argument("--ridge", type=float, default=3.0)
    parser.add_argument("--test", nargs="*", default=[], help="sets that are only asked")
    parser.add_argument("--cache", type=Path, help="keeps the candidates of every question from run to run")
    options = parser.parse_args()
    kept = pickle.loads(options.cache.read_bytes()) if options.cache and options.cache.exists() else {}  # noqa: S301
    for name in (*LICENCES, *options.test):
        if name not in kept:
            kept[name] = list(ask(name, options.most))
            print(f"{name}: {len(kept[name])} questions", flush=True)
            if options.cache:
                options.cache.write_bytes(pickle.dumps(kept))
    left_out(kept, options.ridge)
    weights = fit([one for name in LICENCES for one in kept[name]], options.ridge)
    for name in options.test:
        print(f"only asked: {compared(name, kept[name], weights)}")
        print(f"with crowding: {shown(shares(kept[name], weights, CROWDING))}")
    print("[default]")
    for factor, weight in zip(NAMES, weights, strict=True):
        print(f"{factor} = {weight:.2f}")


def left_out(kept: Mapping[str, list[Asked]], ridge: float) -> None:
    """Report each set with weights fitted without it, and the mean over the sets."""
    print(f"hit@{DEPTHS}: ceiling | BM25 | shipped | fitted without the set")
    for name in LICENCES:
        family = FAMILIES.get(name, name)
        rest = [one for other in LICENCES if FAMILIES.get(other, other) != family for one in kept[other]]
        weights = fit(rest, ridge)
        for kind in dict.fromkeys(one.set for one in kept[name]):
            print(compared(kind, [one for one in kept[name] if one.set == kind], weights), flush=True)


def compared(kind: str, asked: Sequence[Asked], weights: np.ndarray) -> str:
    """The shares of a set with plain BM25, with the shipped weights and with others."""
    ceiling = float(np.mean([one.gold.any() for one in asked]))
    bm25 = table({name: float(name == "full_text") for name in NAMES})
    figures = [shares(asked, one) for one in (bm25, table(factor_weights(None)), weights)]
    return f"{kind:12} {len(asked):4} {ceiling:.3f} | {' | '.join(map(shown, figures))}"


if __name__ == "__main__":
    main()
