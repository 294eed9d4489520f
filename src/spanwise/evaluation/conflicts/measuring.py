"""How well `find_conflicts` tells pairs that contradict each other from traps, by source and by sort of change."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel

from spanwise.errors import DocumentError
from spanwise.evaluation.conflicts.changes import CONFLICTS, TRAPS, Change, changed
from spanwise.evaluation.data import read_rows
from spanwise.guard.disagreements.finding import find_conflicts
from spanwise.readers.registry import read
from spanwise.text.sentences import on_one_line, sentences

SET = "conflicts"
"""Its name among the sets of `spanwise eval`."""
USUAL = 40
"""Documents of each collection."""
A_DOCUMENT = 6
"""Pairs of each sort that are made from one document, at most."""
_SENTENCES_READ = 400
_MOST_NAMED = 40
_SHORTEST, _LONGEST = 50, 400
_SENTENCE = re.compile(r"[A-Z][^|\u2022]*[a-z][^|\u2022]*\.")
_LETTERS = re.compile(r"[^\W\d_]")
_LEAST_LETTERS = 0.65
Half: TypeAlias = Literal["tuning", "held out"]
HALVES: tuple[Half, ...] = ("tuning", "held out")


class _Contract(BaseModel):
    doc_id: str
    text: str


class _Page(BaseModel):
    doc: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A document as text."""

    collection: str
    name: str
    text: str

    @property
    def half(self) -> Half:
        """Which half it belongs to: rules may be written looking at one, and are judged on the other."""
        return HALVES[hashlib.sha256(self.name.encode()).digest()[0] % 2]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sources and what is known of them."""

    id: str
    change: Change
    one: str
    other: str

    @property
    def conflict(self) -> bool:
        """Whether the two contradict each other."""
        return self.change in CONFLICTS


@dataclass(slots=True)
class Measured:
    """Counts by half and sort of change."""

    pairs: Counter[tuple[str, Change]] = field(default_factory=Counter)
    told: Counter[tuple[str, Change]] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """The first conflicts that were not found, and false alarms."""

    def add(self, source: Source, most: int = A_DOCUMENT) -> None:
        """Make pairs from a document and look for conflicts in each."""
        self.documents[source.half] += 1
        for pair in pairs_of(source, most):
            found = bool(find_conflicts([pair.one, pair.other]))
            self.pairs[source.half, pair.change] += 1
            self.told[source.half, pair.change] += found
            if found != pair.conflict and len(self.wrong) < _MOST_NAMED:
                self.wrong.append(f"{'not found' if pair.conflict else 'false alarm'}: {pair.change}: {pair.id}")

    def rates(self, half: Half | None = None) -> tuple[float | None, float | None]:
        """Precision and recall of the pairs that are told to be in conflict."""
        halves = HALVES if half is None else (half,)
        right = sum(self.told[one, change] for one in halves for change in CONFLICTS)
        alarms = sum(self.told[one, change] for one in halves for change in TRAPS)
        there = sum(self.pairs[one, change] for one in halves for change in CONFLICTS)
        return right / (right + alarms) if right + alarms else None, right / there if there else None

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            half: {
                "documents": self.documents[half],
                "precision": self.rates(half)[0],
                "recall": self.rates(half)[1],
                "told": {change: [self.told[half, change], self.pairs[half, change]] for change in CONFLICTS + TRAPS},
            }
            for half in HALVES
        } | {"examples": self.wrong}

    def as_text(self) -> str:
        """The counts as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for half in HALVES:
            precision, recall = self.rates(half)
            yield (
                f"{half}: {self.documents[half]} documents, precision {_share(precision)}, recall {_share(recall)}, "
                f"{sum(self.pairs[half, change] for change in CONFLICTS + TRAPS)} pairs"
            )
            yield f"  {'pair':<26}{'conflict told':>14}{'of':>8}{'share':>9}"
            for change in CONFLICTS + TRAPS:
                told, of = self.told[half, change], self.pairs[half, change]
                yield f"  {change:<26}{told:>14}{of:>8}{_share(told / of if of else None):>9}"
        yield from self.wrong


def measure(sources: Iterable[Source], most: int = A_DOCUMENT) -> Measured:
    """Make pairs from documents, and count in which of them conflicts are found."""
    measured = Measured()
    for source in sources:
        measured.add(source, most)
    return measured


def sources_in(data: Path, limit: int | None = None) -> Iterator[Source]:
    """Contracts, filings and publications of the evaluation data.

    Args:
        data: The data folder.
        limit: How many documents of each collection; None the usual number, 0 all.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    most = USUAL if limit is None else limit or None
    for contract in read_rows(data / "cuad" / "contracts.jsonl.gz", _Contract)[:most]:
        yield Source("contracts", contract.doc_id, contract.text)
    filings: dict[str, list[str]] = {}
    for page in read_rows(data / "financebench" / "pages.jsonl.gz", _Page):
        filings.setdefault(page.doc, []).append(page.text)
    for name in list(filings)[:most]:
        yield Source("filings", name, "\n\n".join(filings[name]))
    for path in sorted((data / "pdfs").glob("NIST*.pdf"))[:most]:
        try:
            yield Source("publications", path.name, "\n".join(line.text for line in read(path).lines))
        except DocumentError:
            continue


def pairs_of(source: Source, most: int = A_DOCUMENT) -> Iterator[Pair]:
    """Pairs made from the sentences of a document: at most so many of each sort, half of them in a paragraph."""
    texts = list(_real_sentences(source.text))
    order = sorted(range(len(texts)), key=lambda place: hashlib.sha256(texts[place].encode()).digest())
    made = Counter[Change]()
    for place in order[:_SENTENCES_READ]:
        for change in CONFLICTS + TRAPS:
            if made[change] >= most:
                continue
            if change == "unrelated sentence":
                other = next((text for text in texts[place + 1 : place + 9] if re.search(r"\d", text)), None)
            else:
                other = changed(texts[place], change, f"{source.name}:{place}")
            if other is None or other == texts[place] or not (change in CONFLICTS or re.search(r"\d", texts[place])):
                continue
            made[change] += 1
            beside = texts[place - 1] + " " if made[change] % 2 and place else ""
            yield Pair(f"{source.name}:{place}: {other}", change, beside + texts[place], beside + other)


def _real_sentences(text: str) -> Iterator[str]:
    seen = set[str]()
    for start, end in sentences(text):
        sentence = on_one_line(text[start:end])
        if not _SHORTEST <= len(sentence) <= _LONGEST or not _SENTENCE.fullmatch(sentence) or sentence in seen:
            continue
        if len(_LETTERS.findall(sentence)) >= _LEAST_LETTERS * len(sentence):
            seen.add(sentence)
            yield sentence


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
