"""The public sets of answers and claims with their sources, each row as an `Item`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel

from spanwise.evaluation.sets import read_rows


@dataclass(frozen=True, slots=True)
class Item:
    """An answer, or a single claim, with its passages and what people said of it."""

    set: str
    task: str
    id: str
    source: str
    """Items with the same source must not be parted between fitting and measuring."""
    text: str
    passages: tuple[str, ...]
    question: str
    label: str
    supported: bool
    wrong: tuple[tuple[int, int, bool], ...] = ()
    """Ranges of the text that are not supported, and whether the sources contradict them; only where `placed`."""
    placed: bool = False
    """True if people marked every range that is not supported; False where only the whole text was judged."""
    lines: tuple[frozenset[int], ...] = ()
    """Sets of lines of the passage, from 1, each enough to support the claim; of WiCE only."""
    places: tuple[tuple[int, int], ...] = ()
    """Ranges of the passage that are evidence; of ContractNLI only."""

    @property
    def contradicted(self) -> bool:
        """True if the whole text was judged to contradict its passages."""
        return self.label.lower().startswith("contradict")

    def is_wrong(self, start: int, end: int) -> bool | None:
        """Judgement of a claim at a range: True if it touches a marked range; None if nobody judged it.

        Where only the whole text was judged, everything in a supported text is right, and a text that is not supported
        tells of a claim only if the claim is all of it.
        """
        if self.placed:
            return any(low < end and start < high for low, high, _ in self.wrong)
        if self.supported:
            return False
        return True if not self.text[:start].strip() and not self.text[end:].strip(" .!\n\t") else None


class _Span(BaseModel):
    start: int
    end: int
    type: str


class _RagTruth(BaseModel):
    id: str
    source_id: str | int
    task: str
    question: str | None = None
    passages: list[str]
    response: str
    labels: list[_Span]


class _Wice(BaseModel):
    id: str
    claim: str
    label: str
    evidence: list[str]
    supporting_sets: list[list[int]]
    claim_title: str


class _Contract(BaseModel):
    doc_id: str | int
    text: str
    spans: list[tuple[int, int]]


class _Hypothesis(BaseModel):
    id: str
    doc_id: str | int
    hypothesis: str
    label: str
    evidence_spans: list[int]


class _Expert(BaseModel):
    id: str
    question_id: str
    question: str
    claim: str
    evidence: list[str]
    support: str | None = None


class _GuardRow(BaseModel):
    id: str
    task: str
    passages: list[str]
    question: str | None = None
    response: str
    labels: list[_Span] | None
    label: str
    source_id: str


def ragtruth(data: Path) -> list[Item]:
    """RAGTruth: answers of models with the spans that people marked as unsupported."""
    rows = [row for name in ("dev", "rest") for row in read_rows(data / "ragtruth" / f"{name}.jsonl.gz", _RagTruth)]
    return [
        Item(
            *("ragtruth", row.task, row.id, str(row.source_id), row.response, tuple(row.passages), row.question or ""),
            label="unsupported" if row.labels else "supported",
            supported=not row.labels,
            wrong=tuple((span.start, span.end, "Conflict" in span.type) for span in row.labels),
            placed=True,
        )
        for row in rows
    ]


def wice(data: Path) -> list[Item]:
    """WiCE: claims of Wikipedia with the web page that they cite, a sentence a line."""
    return [
        Item(
            *("wice", "wice", row.id, row.claim_title, row.claim),
            passages=("\n".join(" ".join(line.split()) for line in row.evidence),),
            question="",
            label=row.label,
            supported=row.label == "supported",
            lines=tuple(frozenset(line + 1 for line in lines) for lines in row.supporting_sets if lines),
        )
        for row in read_rows(data / "wice" / "dev_claims.jsonl.gz", _Wice)
    ]


def contractnli(data: Path) -> list[Item]:
    """ContractNLI: statements about non-disclosure agreements, entailed, contradicted or not mentioned."""
    contracts = {row.doc_id: row for row in read_rows(data / "contractnli" / "dev_docs.jsonl.gz", _Contract)}
    return [
        Item(
            *("contractnli", "contractnli", row.id, str(row.doc_id), row.hypothesis),
            passages=(contracts[row.doc_id].text,),
            question="",
            label=row.label,
            supported=row.label == "Entailment",
            places=tuple(contracts[row.doc_id].spans[index] for index in row.evidence_spans),
        )
        for row in read_rows(data / "contractnli" / "dev_items.jsonl.gz", _Hypothesis)
    ]


def expertqa(data: Path) -> list[Item]:
    """ExpertQA: claims of long answers that cite some text, judged by experts of the field."""
    return [
        Item(
            *("expertqa", "expertqa", row.id, row.question_id, row.claim, tuple(row.evidence), row.question),
            label=row.support or "",
            supported=row.support == "Complete",
        )
        for row in read_rows(data / "expertqa" / "val_claims.jsonl.gz", _Expert)
        if row.evidence and row.support in ("Complete", "Partial", "Incomplete")
    ]


def guard_set(name: str, data: Path) -> list[Item]:
    """One of the guard sets, which share a schema: judged answers, summaries, claims and texts about tables."""
    return [
        Item(
            *(name, row.task, row.id, row.source_id, row.response, tuple(row.passages), row.question or ""),
            label=row.label,
            supported=row.label == "supported",
            wrong=tuple((span.start, span.end, span.type == "contradicted") for span in row.labels or ()),
            # A text that is not supported and has no range has an error that could not be placed.
            placed=row.labels is not None and (bool(row.labels) or row.label == "supported"),
        )
        for row in read_rows(data / name / f"{name}.jsonl.gz", _GuardRow)
    ]


PLAIN = Path(__file__).with_name("plain_claims.json")
"""Claims about papers of everyday kinds, all written for this project: half of the claims of each are false, though
mostly made of the paper's words. Comparators were made with the read half; of the other one only the figures are known,
and nobody who works on the guard may look at it."""


def plain_claims(_data: Path) -> list[Item]:
    """Claims about papers that were written for this project, each an answer of its own; a paper is a source."""
    return [
        Item(
            *("plain", paper["half"], f"{paper['id']}/{number}", paper["id"], claim, (paper["text"],), ""),
            label=family,
            supported=judgement == "true",
        )
        for paper in json.loads(PLAIN.read_text(encoding="utf-8"))
        for number, (claim, judgement, family) in enumerate(paper["claims"])
    ]


def spread(items: Sequence[Item], limit: int | None) -> list[Item]:
    """At most `limit` items, drawn by lot from the whole set in its order; the same every time; None or 0 for all."""
    if not limit or limit >= len(items):
        return list(items)
    lots = sorted(range(len(items)), key=lambda index: hashlib.sha256(items[index].id.encode()).digest())
    return [items[index] for index in sorted(lots[:limit])]


Loader: TypeAlias = Callable[[Path], list[Item]]
NATURAL = ("qafeedback", "mtrag", "defacto", "frank", "diasumfact", "storysumm", "quintd", "rotowire", "begin")
"""Guard sets of texts that models wrote on their own."""
GUARD_SETS = (
    *NATURAL,
    *("summedits", "bump", "summeval", "factcheckgpt", "fm2", "feversym", "breakingnli", "scitab", "wice_tokens"),
    "realsumm",
)
"""Those, and sets of claims, of texts that were edited to be wrong, and of sentences picked out of texts."""
LOADERS: Mapping[str, Loader] = {
    "ragtruth": ragtruth,
    "wice": wice,
    "contractnli": contractnli,
    "expertqa": expertqa,
    **{name: partial(guard_set, name) for name in GUARD_SETS},
    "plain": plain_claims,
}
