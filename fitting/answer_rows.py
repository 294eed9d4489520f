"""Rows to fit the ranker of answers on: questions of the public sets with the sentences that were found for them.

A quarter as many questions again are asked of another document of their set, which does not answer them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import spanwise
from spanwise.answering.extractive import with_all_of_little
from spanwise.domain.document import Document
from spanwise.domain.question import Question
from spanwise.errors import SpanwiseError
from spanwise.evaluation.run_rows import SentenceRanking
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.store.port import Store
from spanwise.synthesis.extractive.features import NAMES, Asked, View, first_look
from spanwise.synthesis.extractive.ranking import shortlist
from spanwise.text.fold import folded
from spanwise.text.passage_reading import read_passage

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
PAPERS = Path(__file__).with_name("papers.md")
LAY = Path(__file__).parents[1] / "benchmarks" / "sets" / "lay_questions.json"
SETS = (
    "squad2 awsdocs covidqa fairytaleqa clapnq qasper piaf norquad xquad qmsum fetaqa wikitables drcd jaquad cmrc2018"
    " arcd lay papers everyday emanual"
).split()
USUAL = 240
MORE = {"squad2": 3, "xquad": 3}
"""Sets of which more questions are taken: the only one with questions made to mislead, and twelve languages."""
MARKDOWN = ("fetaqa", "wikitables", "awsdocs")
READ = 12  # passages that are read, as in answering
STRANGE = 4  # every so many questions are asked of another document
SHORT = 60  # characters of a gold answer that stands in its sentence as it is
SAID = 40  # characters at an end that a sentence and a long evidence share
_WORD = re.compile(r"[^\W_]+")

Row: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, int, int]
"""The words of an evidence, with its first and last line."""


@dataclass(frozen=True)
class Ask:
    """A question with what answers it; without a gold answer its document does not."""

    question: str
    gold: tuple[str, ...] = ()
    evidence: tuple[Place, ...] = ()


@dataclass
class Source:
    """A document, or the file of one, with its questions."""

    set: str
    language: str
    name: str
    content: str | Path
    asks: list[Ask] = field(default_factory=list)


@dataclass
class Rows:
    """A question with the sentences of its first look: their features, and which prove or hold the answer."""

    set: str
    document: str
    question: str
    answerable: bool
    short: bool
    """True if a gold answer is short enough to stand in its sentence as it is."""
    first: NDArray[np.float32]
    evidence: NDArray[np.bool_]
    holds: NDArray[np.bool_]
    texts: list[str]
    bm25: bool
    """True if the best sentence of plain BM25 proves the answer."""
    reachable: bool
    """True if any sentence of the passages does."""


def rows_of_sets(names: Sequence[str], usual: int, workers: int) -> dict[str, list[Rows]]:
    """The rows of each set."""
    found = {}
    with ProcessPoolExecutor(workers) as pool:
        for name in names:
            found[name] = [row for some in pool.map(_rows, _sources(name, usual), chunksize=4) for row in some]
            print(f"{name}: {len(found[name])} questions", file=sys.stderr)
    return found


def _sources(name: str, usual: int) -> list[Source]:
    if name == "everyday":
        return files_with_questions(DATA / "everyday")
    if name == "lay":
        return _lay()
    if name == "papers":
        return _with_strangers(_papers())
    limit = usual * MORE.get(name, 1)
    return _with_strangers(_squad(limit) if name == "squad2" else _documents(name, limit))


def _documents(name: str, limit: int) -> list[Source]:
    texts = {row["doc_id"]: row for row in _lines(DATA / name / "documents.jsonl.gz")}
    found: dict[str, Source] = {}
    for row in _spread(list(_lines(DATA / name / "questions.jsonl.gz")), limit, "doc_id"):
        document = texts[row["doc_id"]]
        text = document["text"]
        evidence = tuple(_located(text, one["start"], one["end"]) for one in row["evidence"])
        gold = () if row["unanswerable"] else tuple(row["answers"])
        ending = "md" if name in MARKDOWN or document["kind"] in ("markdown", "table") else "txt"
        label = f"{hashlib.sha256(row['doc_id'].encode()).hexdigest()[:10]}.{ending}"
        source = found.setdefault(row["doc_id"], Source(name, document["language"], label, text))
        source.asks.append(Ask(row["question"], gold, evidence))
    return list(found.values())


def _squad(limit: int) -> list[Source]:
    rows = list(_lines(DATA / "squad2" / "dev_public.jsonl.gz"))
    articles: dict[str, dict[int, str]] = {}
    for row in rows:
        articles.setdefault(row["title"], {})[row["paragraph"]] = row["context"]
    found, starts = {}, {}
    for title, paragraphs in articles.items():
        places = sorted(paragraphs)
        found[title] = Source("squad2", "en", f"{title}.txt", "\n\n".join(paragraphs[at] for at in places))
        lengths = accumulate((len(paragraphs[at]) + 2 for at in places), initial=0)
        starts[title] = dict(zip(places, lengths, strict=False))
    for row in _spread(rows, limit, "title"):
        source, start = found[row["title"]], starts[row["title"]][row["paragraph"]]
        places = [(start + one["start"], start + one["start"] + len(one["text"])) for one in row["answers"]]
        gold = () if row["unanswerable"] else tuple(one["text"] for one in row["answers"])
        source.asks.append(Ask(row["question"], gold, tuple(_located(str(source.content), *one) for one in places)))
    return list(found.values())


def rows_of_files(folder: Path) -> list[Rows]:
    """The rows of files with questions about them, in one process."""
    return [row for source in files_with_questions(folder) for row in _rows(source)]


def files_with_questions(folder: Path) -> list[Source]:
    """Files in `docs`, and what is asked of them in `questions.jsonl`."""
    found: dict[str, Source] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = folder / "docs" / row["doc"]
        source = found.setdefault(row["doc"], Source(folder.name, row["language"], row["doc"], path))
        evidence = ((row["evidence"], 0, sys.maxsize),) if row["evidence"] else ()
        source.asks.append(Ask(row["question"], (row["gold"],) if row["gold"] is not None else (), evidence))
    return list(found.values())


def _lay() -> list[Source]:
    """Our own papers of everyday kinds with questions in a lay person's words, some of which they do not answer."""
    found = []
    for paper in json.loads(LAY.read_text(encoding="utf-8")):
        source = Source("lay", "en", f"{paper['id']}.txt", paper["text"])
        for one in paper["questions"]:
            gold = (one["answer"] or one["line"],) if one["line"] else ()
            source.asks.append(Ask(one["q"], gold, ((one["line"], 0, sys.maxsize),) if one["line"] else ()))
        found.append(source)
    return found


def _papers() -> list[Source]:
    """Our own papers with what people ask of them, every second one as plain text."""
    found = []
    for at, section in enumerate(PAPERS.read_text(encoding="utf-8").split("\n## ")[1:]):
        title, _, body = section.partition("\n")
        asked = [line.removeprefix("- ").split(" =>") for line in body.splitlines() if " =>" in line]
        text = "\n".join(line for line in body.splitlines() if " =>" not in line)
        name, mark = (f"{at}.txt", "") if at % 2 else (f"{at}.md", "# ")
        source = Source("papers", "en", name, f"{mark}{title}\n{text}")
        for question, said in asked:
            gold = (said.strip(),) if said.strip() else ()
            source.asks.append(Ask(question, gold, tuple((one, 0, sys.maxsize) for one in gold)))
        found.append(source)
    return found


def _with_strangers(found: list[Source]) -> list[Source]:
    answered = [(source, ask) for source in found for ask in source.asks if ask.gold]
    for at, (source, ask) in enumerate(answered[::STRANGE]):
        others = [one for one in found if one is not source and one.language == source.language]
        if others:
            others[at * 7919 % len(others)].asks.append(Ask(ask.question))
    return found


def _lines(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _spread(rows: list[Row], limit: int, key: str) -> list[Row]:
    """At most so many rows, as even as can be over their documents."""
    places = Counter[str]()
    ranked = []
    for row in rows:
        ranked.append((places[row[key]], row))
        places[row[key]] += 1
    ranked.sort(key=lambda one: one[0])
    return [row for _, row in ranked[:limit]]


def _located(text: str, start: int, end: int) -> Place:
    return text[start:end], text.count("\n", 0, start) + 1, text.count("\n", 0, max(start, end - 1)) + 1


def _rows(source: Source) -> list[Rows]:
    try:
        if isinstance(source.content, Path):
            document = spanwise.read(source.content)
        else:
            document = spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)
    except SpanwiseError as error:
        print(error, file=sys.stderr)
        return []
    with spanwise.Corpus.of([document]) as corpus:
        ranking = SentenceRanking(document)
        return [_row(source, ask, document, corpus, ranking) for ask in source.asks]


def _row(source: Source, ask: Ask, document: Document, store: Store, ranking: SentenceRanking) -> Rows:
    question = parse_question(ask.question, document=document)
    asked = _asked(question, store)
    sentences = [View(asked, *place) for place in shortlist(asked)]
    wanted = [(_plain(text), first, last) for text, first, last in ask.evidence if text.strip()]
    golds = [plain for one in ask.gold if (plain := _plain(one))]
    said = [_plain(view.sentence.text) for view in sentences]
    holds = np.array([any(one in text for one in golds) for text in said], bool)
    lines = [(view.sentence.line_start, view.sentence.line_end) for view in sentences]
    proof = np.array([_proves(wanted, *one) for one in zip(lines, said, strict=True)], bool)
    best = ranking.best(question.text)
    every = [one for reading in asked.readings for one in reading.sentences]
    return Rows(
        set=source.set,
        document=source.name,
        question=ask.question,
        answerable=bool(ask.gold),
        short=bool(golds) and min(map(len, golds)) <= SHORT,
        first=np.array(first_look(sentences), np.float32).reshape(len(sentences), len(NAMES)),
        evidence=proof if wanted or not golds else holds,  # some sets tell no places
        holds=holds,
        texts=[view.sentence.text for view in sentences],
        bm25=best is not None and _proves(wanted, best.lines, _plain(best.text)),
        reachable=any(_proves(wanted, (one.line_start, one.line_end), _plain(one.text)) for one in every),
    )


def _asked(question: Question, store: Store) -> Asked:
    hits = with_all_of_little(question, retrieve(question, store, k=20), store)
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    readings = [read_passage(hit.passage, question.language) for hit in hits[:READ]]
    return Asked(question, readings, [hit.score / best for hit in hits[:READ]])


def _proves(wanted: Sequence[Place], lines: tuple[int, int], plain: str) -> bool:
    """True if a sentence is on the lines of an evidence and says it, or most of it."""
    return any(first <= lines[1] and lines[0] <= last and _alike(text, plain) for text, first, last in wanted)


def _alike(evidence: str, text: str) -> bool:
    """True if one holds the other, or a long evidence and a sentence share an end."""
    if not text or not evidence:
        return False
    if evidence in text or (len(text) > SAID // 2 and text in evidence):
        return True
    if min(len(evidence), len(text)) < SAID:
        return False
    ends = ((evidence[:SAID], text), (evidence[-SAID:], text), (text[:SAID], evidence), (text[-SAID:], evidence))
    return any(end in whole for end, whole in ends)


def _plain(text: str) -> str:
    """The words of a text alone: marks and white space tell nothing of whether two texts say the same."""
    return " ".join(_WORD.findall(folded(text).lower()))
