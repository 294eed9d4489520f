"""Rows to fit the ranker of answers on: every question of the public sets with the sentences that were found for it."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import pickle
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

import spanwise
from spanwise.errors import SpanwiseError
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.features import NAMES, Asked, View, first_look
from spanwise.synthesis.extractive.ranking import shortlist
from spanwise.text.blocks import blocks_of_lines
from spanwise.text.fold import folded
from spanwise.text.reading import read_passage
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import terms

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
DOCQA = (
    "covidqa qmsum fairytaleqa fetaqa wikitables nqpages qasper clapnq awsdocs xquad drcd cmrc2018 jaquad piaf norquad"
    " arcd"
).split()
READ = 12
WORD = re.compile(r"[^\W_]+")
STRANGE = 0.25  # as many questions again are asked of another document of the set


@dataclass
class Rows:
    """One question with the sentences of the first look."""

    set: str
    group: str
    document: str
    id: str
    question: str
    gold: tuple[str, ...]
    answerable: bool
    short: bool
    first: np.ndarray
    evidence: np.ndarray
    holds: np.ndarray
    texts: list[str]
    bm25: int = 0
    reachable: bool = False


@dataclass
class Ask:
    id: str
    question: str
    gold: tuple[str, ...]
    evidence: tuple[tuple[str, int, int], ...]
    strange: bool = False


@dataclass
class Doc:
    set: str
    group: str
    name: str
    content: object
    asks: list[Ask]


def docs(name: str, limit: int) -> list[Doc]:
    if name == "squad2":
        return squad2(limit)
    if name == "everyday":
        return everyday()
    base = DATA / name
    texts = {row["doc_id"]: row for row in lines(base / "documents.jsonl.gz")}
    found: dict[str, Doc] = {}
    for row in spread(list(lines(base / "questions.jsonl.gz")), limit, lambda one: one["doc_id"]):
        doc = texts[row["doc_id"]]
        text = doc["text"]
        gold = () if row["unanswerable"] else tuple(row["answers"])
        evidence = tuple(located(text, one["start"], one["end"]) for one in row["evidence"])
        kind = (
            "txt"
            if doc["kind"] not in ("markdown", "table") and not name.startswith(("fetaqa", "wikitables", "awsdocs"))
            else "md"
        )
        key = row["doc_id"]
        group = f"{name}:{doc['language']}" if name == "xquad" else name
        found.setdefault(key, Doc(name, group, hashlib.md5(key.encode()).hexdigest()[:10] + "." + kind, text, []))
        found[key].asks.append(Ask(row["id"], row["question"], gold, evidence))
    return strangers(list(found.values()))


def strangers(found: list[Doc]) -> list[Doc]:
    """Some questions are asked of another document, which does not answer them."""
    every = [(doc, ask) for doc in found for ask in doc.asks]
    step = max(1, int(1 / STRANGE))
    for at, (doc, ask) in enumerate(every[::step]):
        others = [one for one in found if one is not doc and one.group == doc.group]
        if others and ask.gold:
            other = others[(at * 7919) % len(others)]
            other.asks.append(Ask("strange " + ask.id, ask.question, (), (), True))
    return found


def squad2(limit: int) -> list[Doc]:
    rows = list(lines(DATA / "squad2" / "dev_public.jsonl.gz"))
    articles: dict[str, dict[int, str]] = {}
    for row in rows:
        articles.setdefault(row["title"], {})[row["paragraph"]] = row["context"]
    found = {
        title: Doc("squad2", "squad2", f"{title}.txt", "\n\n".join(one[at] for at in sorted(one)), [])
        for title, one in articles.items()
    }
    starts = {
        title: dict(zip(sorted(one), accumulate((len(one[at]) + 2 for at in sorted(one)), initial=0)))
        for title, one in articles.items()
    }
    for row in spread(rows, limit, lambda one: one["title"]):
        gold = () if row["unanswerable"] else tuple(one["text"] for one in row["answers"])
        text, start = str(found[row["title"]].content), starts[row["title"]][row["paragraph"]]
        evidence = tuple(
            located(text, start + one["start"], start + one["start"] + len(one["text"])) for one in row["answers"]
        )
        found[row["title"]].asks.append(Ask(row["id"], row["question"], gold, evidence))
    return strangers(list(found.values()))


def located(text: str, start: int, end: int) -> tuple[str, int, int]:
    """A piece of a text with the lines that it is on."""
    return text[start:end], text.count("\n", 0, start) + 1, text.count("\n", 0, max(start, end - 1)) + 1


def everyday() -> list[Doc]:
    found: dict[str, Doc] = {}
    for line in (DATA / "everyday" / "questions.jsonl").read_text().splitlines():
        row = json.loads(line)
        path = DATA / "everyday" / "docs" / row["doc"]
        doc = found.setdefault(row["doc"], Doc("everyday", "everyday", row["doc"], path, []))
        gold = () if row["gold"] is None else (row["gold"],)
        doc.asks.append(
            Ask(row["id"], row["question"], gold, ((row["evidence"], 0, 10**9),) if row["evidence"] else ())
        )
    return list(found.values())


def lines(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def spread(rows: list[dict], limit: int, key) -> list[dict]:
    """At most so many rows, as even as can be over the documents."""
    if len(rows) <= limit:
        return rows
    groups: dict[str, list[dict]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    found, at = [], 0
    while len(found) < limit:
        for group in groups.values():
            if at < len(group) and len(found) < limit:
                found.append(group[at])
        at += 1
    return found


def norm(text: str) -> str:
    """The words of a text alone: marks and white space tell nothing of whether two texts say the same."""
    return " ".join(WORD.findall(folded(text).lower()))


def of_doc(doc: Doc) -> list[Rows]:
    try:
        if isinstance(doc.content, Path):
            document = spanwise.read(doc.content)
        else:
            document = spanwise.read(doc.content.encode("utf-8", "replace"), name=doc.name)
    except SpanwiseError as error:
        print(doc.name, error, file=sys.stderr)
        return []
    found = []
    baselines = {}
    with spanwise.Corpus.of([document]) as corpus:
        for ask in doc.asks:
            try:
                question = parse_question(ask.question, document=document)
            except SpanwiseError:
                continue
            hits = retrieve(question, corpus, k=20)
            readings = [read_passage(hit.passage, question.language) for hit in hits[:READ]]
            best = max((hit.score for hit in hits), default=0.0) or 1.0
            asked = Asked(question, readings, [hit.score / best for hit in hits[:READ]])
            chosen = shortlist(asked)
            views = [View(asked, *place) for place in chosen]
            first = np.array(first_look(views), np.float32).reshape(len(views), len(NAMES))
            wanted = [(norm(one), first, last) for one, first, last in ask.evidence if one.strip()]
            golds = [norm(one) for one in ask.gold]
            texts = [view.sentence.text for view in views]
            plain = [norm(one) for one in texts]
            sentences = [view.sentence for view in views]
            evidence = np.array([proves(wanted, one, text) for one, text in zip(sentences, plain, strict=True)], bool)
            short = bool(golds) and min(map(len, golds)) <= 60
            holds = np.array([any(one and one in text for one in golds) for text in plain], bool)
            if golds and not wanted:  # sets that tell no places
                evidence = holds
            baseline = baselines.setdefault(question.language, None) or Bm25(document, question.language)
            baselines[question.language] = baseline
            best = baseline.best(question)
            every = [one for reading in readings for one in reading.sentences]
            found.append(
                Rows(
                    doc.set,
                    doc.group,
                    doc.name,
                    ask.id,
                    ask.question,
                    ask.gold,
                    bool(ask.gold),
                    short,
                    first,
                    evidence,
                    holds,
                    texts,
                    bm25=int(best is not None and proves(wanted, best, norm(best.text))),
                    reachable=any(proves(wanted, one, norm(one.text)) for one in every),
                )
            )
    return found


class Bm25:
    """The best sentence of a document by plain BM25 (k1 1.2, b .75)."""

    def __init__(self, document, language):
        self.sentences = []
        for block in blocks_of_lines(document.lines):
            for start, end in sentences(block.text):
                self.sentences.append(Plain(on_one_line(block.text[start:end]), *block.lines_of(start, end)))
        self.counts = [Counter(terms(one.text, language)) for one in self.sentences]
        self.sizes = [sum(one.values()) for one in self.counts]
        self.mean = (sum(self.sizes) / len(self.sizes)) if self.sizes else 1
        self.often = Counter(stem for one in self.counts for stem in one)

    def best(self, question):
        asked = set(terms(question.text, question.language))
        top, chosen = 0.0, None
        for one, count, size in zip(self.sentences, self.counts, self.sizes):
            score = 0.0
            for stem in asked:
                if stem in count:
                    idf = math.log(1 + (len(self.counts) - self.often[stem] + 0.5) / (self.often[stem] + 0.5))
                    score += idf * count[stem] * 2.2 / (count[stem] + 1.2 * (0.25 + 0.75 * size / self.mean))
            if score > top:
                top, chosen = score, one
        return chosen


class Plain(NamedTuple):
    text: str
    line_start: int
    line_end: int


def proves(wanted, sentence, text: str) -> bool:
    return any(
        first <= sentence.line_end and sentence.line_start <= last and overlap(one, text) for one, first, last in wanted
    )


def overlap(evidence: str, text: str) -> bool:
    """True if one holds the other, or a long evidence and a sentence share most words in a row."""
    if not text or not evidence:
        return False
    if evidence in text or (len(text) > 15 and text in evidence):
        return True
    if min(len(evidence), len(text)) < 40:
        return False
    return evidence[:40] in text or evidence[-40:] in text or text[:40] in evidence or text[-40:] in evidence


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", nargs="*", default=[*DOCQA, "squad2", "everyday"])
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(exist_ok=True, parents=True)
    with ProcessPoolExecutor(args.workers) as pool:
        for name in args.sets:
            began = time.time()
            limit = {"xquad": 3 * args.limit, "squad2": 3 * args.limit}.get(name, args.limit)
            every = docs(name, limit)
            rows = [row for some in pool.map(of_doc, every, chunksize=4) for row in some]
            pickle.dump(rows, (args.out / f"{name}.pkl").open("wb"))
            able = [row for row in rows if row.answerable]
            reach = np.mean([row.reachable for row in able]) if able else 0
            short = np.mean([row.evidence.any() for row in able]) if able else 0
            print(
                f"{name:12} {len(rows):5} questions, reachable {reach:.3f}, on the shortlist {short:.3f}, {time.time() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
