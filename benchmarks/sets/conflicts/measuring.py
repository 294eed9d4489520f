"""How well `find_conflicts` tells pairs that contradict each other from traps: two generators, by half and kind."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel

from sets.conflicts import changes, rewrites
from spanwise.errors import DocumentError
from spanwise.evaluation.sets import read_rows
from spanwise.guard.conflicts.finding import find_conflicts
from spanwise.readers.reading import read
from spanwise.text.sentences import on_one_line, sentences

SET = "conflicts"
"""Its name among the sets of `spanwise eval`."""
USUAL = 40
"""Documents of each collection."""
A_DOCUMENT = 6
"""Pairs of each kind that are made from one document, at most."""
_SENTENCES_READ = 400
_MOST_NAMED = 40
_SHORTEST, _LONGEST = 50, 400
_SENTENCE = re.compile(r"[A-Z][^|\u2022]*[a-z][^|\u2022]*\.")
_LETTERS = re.compile(r"[^\W\d_]")
_LEAST_LETTERS = 0.65
_FEWEST_WORDS, _MOST_WORDS = 6, 150
Half: TypeAlias = Literal["tuning", "held out"]
HALVES: tuple[Half, ...] = ("tuning", "held out")
Generator: TypeAlias = Literal["changed", "rewritten"]
KINDS: Mapping[Generator, Mapping[str, bool]] = {
    "changed": {kind: kind in changes.CONFLICTS for kind in (*changes.CONFLICTS, *changes.TRAPS)},
    "rewritten": dict(rewrites.kinds()),
}
"""Kinds of pairs of each generator, and whether the two sentences of such a pair contradict each other."""


class _Contract(BaseModel):
    doc_id: str
    text: str


class _Page(BaseModel):
    doc: str
    text: str


class _Judged(BaseModel):
    source_id: str | int
    passages: list[str]


@dataclass(frozen=True, slots=True)
class Source:
    """A document as text, and the generator that makes pairs of it."""

    collection: str
    name: str
    text: str
    generator: Generator = "changed"

    @property
    def half(self) -> Half:
        """Which half it belongs to: rules may be written looking at one, and are judged on the other."""
        return HALVES[hashlib.sha256(self.name.encode()).digest()[0] % 2]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sources and what is known of them."""

    id: str
    kind: str
    conflict: bool
    """True if the two contradict each other."""
    one: object
    other: object


@dataclass(slots=True)
class Measured:
    """Counts by generator, half and kind of pair."""

    pairs: Counter[tuple[Generator, str, str]] = field(default_factory=Counter)
    told: Counter[tuple[Generator, str, str]] = field(default_factory=Counter)
    documents: Counter[tuple[Generator, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """The first mistakes of the tuning half; those of the other half are not to be read."""

    def add(self, source: Source, most: int = A_DOCUMENT) -> None:
        """Make pairs from a document and look for conflicts in each."""
        self.documents[source.generator, source.half] += 1
        for pair in pairs_of(source, most):
            found = bool(find_conflicts([pair.one, pair.other]))
            self.pairs[source.generator, source.half, pair.kind] += 1
            self.told[source.generator, source.half, pair.kind] += found
            if found != pair.conflict and source.half == HALVES[0] and len(self.wrong) < _MOST_NAMED:
                self.wrong.append(f"{'not found' if pair.conflict else 'false alarm'}: {pair.kind}: {pair.id}")

    def rates(self, half: Half | None = None, generator: Generator | None = None) -> tuple[float | None, float | None]:
        """Precision and recall of the pairs that are told to be in conflict."""
        right = alarms = there = 0
        for (made_by, part, kind), count in self.pairs.items():
            if half not in (None, part) or generator not in (None, made_by):
                continue
            if KINDS[made_by][kind]:
                right, there = right + self.told[made_by, part, kind], there + count
            else:
                alarms += self.told[made_by, part, kind]
        return right / (right + alarms) if right + alarms else None, right / there if there else None

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            generator: {
                half: {
                    "documents": self.documents[generator, half],
                    "precision": self.rates(half, generator)[0],
                    "recall": self.rates(half, generator)[1],
                    "told": {
                        kind: [self.told[generator, half, kind], self.pairs[generator, half, kind]] for kind in kinds
                    },
                }
                for half in HALVES
            }
            for generator, kinds in KINDS.items()
        } | {"examples": self.wrong}

    def as_text(self) -> str:
        """The counts as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for generator, kinds in KINDS.items():
            for half in HALVES:
                precision, recall = self.rates(half, generator)
                yield (
                    f"{generator}, {half}: {self.documents[generator, half]} documents, precision {_share(precision)}, "
                    f"recall {_share(recall)}, {sum(self.pairs[generator, half, kind] for kind in kinds)} pairs"
                )
                yield f"  {'pair':<26}{'conflict told':>14}{'of':>8}{'share':>9}"
                for kind, conflict in kinds.items():
                    told, of = self.told[generator, half, kind], self.pairs[generator, half, kind]
                    label = kind if conflict else f"- {kind}"
                    yield f"  {label:<26}{told:>14}{of:>8}{_share(told / of if of else None):>9}"
        yield from self.wrong


def measure(sources: Iterable[Source], most: int = A_DOCUMENT) -> Measured:
    """Make pairs from documents, and count in which of them conflicts are found."""
    measured = Measured()
    for source in sources:
        measured.add(source, most)
    return measured


def sources_in(data: Path, limit: int | None = None) -> Iterator[Source]:
    """Documents of the evaluation data for both generators.

    Args:
        data: The data folder.
        limit: How many documents of each collection; None the usual number, 0 all.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    most = USUAL if limit is None else limit or None
    contracts = read_rows(data / "cuad" / "contracts.jsonl.gz", _Contract)
    for contract in contracts[:most]:
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
    for contract in contracts[-(most or len(contracts)) :]:
        yield Source("contracts", contract.doc_id, contract.text, "rewritten")
    yield from _of_other_kinds(data, most)


def _of_other_kinds(data: Path, most: int | None) -> Iterator[Source]:
    """Stories, manuals, articles and news, as far as the data has them."""
    for collection in ("fairytaleqa", "awsdocs", "emanual", "covidqa"):
        path = data / collection / "documents.jsonl.gz"
        for row in read_rows(path, _Contract)[:most] if path.exists() else ():
            yield Source(collection, row.doc_id, row.text, "rewritten")
    for collection in ("bump", "mtrag"):
        path = data / collection / f"{collection}.jsonl.gz"
        judged = read_rows(path, _Judged) if path.exists() else []
        texts = {str(row.source_id): "\n\n".join(row.passages) for row in judged}
        for name in list(texts)[:most]:
            yield Source(collection, f"{collection}/{name}", texts[name], "rewritten")


def pairs_of(source: Source, most: int = A_DOCUMENT) -> Iterator[Pair]:
    """Pairs made from the sentences of a document: at most so many of each kind, by its generator."""
    return (_changed if source.generator == "changed" else _rewritten)(source, most)


def _changed(source: Source, most: int) -> Iterator[Pair]:
    """Well-formed sentences, half of them in a paragraph."""
    texts = list(_real_sentences(source.text))
    made = Counter[str]()
    for place in _order(texts):
        for kind in (*changes.CONFLICTS, *changes.TRAPS):
            if made[kind] >= most:
                continue
            if kind == "unrelated sentence":
                other = next((text for text in texts[place + 1 : place + 9] if re.search(r"\d", text)), None)
            else:
                other = changes.changed(texts[place], kind, f"{source.name}:{place}")
            conflict = kind in changes.CONFLICTS
            if other is None or other == texts[place] or not (conflict or re.search(r"\d", texts[place])):
                continue
            made[kind] += 1
            beside = texts[place - 1] + " " if made[kind] % 2 and place else ""
            yield Pair(f"{source.name}:{place}: {other}", kind, conflict, beside + texts[place], beside + other)


def _rewritten(source: Source, most: int) -> Iterator[Pair]:
    """Sentences as they are found: alone, in a paragraph, or in two documents with names."""
    texts = list(dict.fromkeys(on_one_line(source.text[start:end]) for start, end in sentences(source.text)))
    texts = [text for text in texts if _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS]
    made = Counter[str]()
    for place in _order(texts):
        for kind, conflict in rewrites.kinds():
            if made[kind] >= most:
                continue
            if kind == rewrites.NEIGHBOUR:
                pair = (texts[place], texts[place + 1]) if place + 1 < len(texts) else None
            else:
                pair = rewrites.rewritten(texts[place], kind, f"{source.name}:{place}")
            if pair is None:
                continue
            made[kind] += 1
            beside = texts[max(0, place - 2) : place] if made[kind] % 3 == 1 else []
            one, other = (" ".join([*beside, text]) for text in pair)
            named = made[kind] % 3 == 2
            yield Pair(
                f"{source.name}:{place}: {pair[0]} | {pair[1]}",
                kind,
                conflict,
                {"document": "one.txt", "text": one} if named else one,
                {"document": "other.txt", "text": other} if named else other,
            )


def _order(texts: list[str]) -> list[int]:
    """Some sentences of a document, drawn by their content."""
    drawn = sorted(range(len(texts)), key=lambda place: hashlib.sha256(texts[place].encode()).digest())
    return drawn[:_SENTENCES_READ]


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
