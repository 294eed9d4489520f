"""The rows of a run: written as JSON Lines in the order of the data, read back, and compared with an earlier run.

Also plain BM25 over sentences, with which answers are compared.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from spanwise.domain.document import Document, Line
from spanwise.errors import InputError, StorageError
from spanwise.evaluation.cases import Baseline, Row
from spanwise.evaluation.metrics import mean
from spanwise.text.sentences import sentences, trim
from spanwise.text.terms import terms


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """Write the rows as JSON Lines."""
    try:
        with path.open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}): name another file for the rows") from error


def read_rows_file(path: Path) -> list[Row]:
    """The rows of an earlier run; an `InputError` if the file has none."""
    adapter = TypeAdapter(Row)
    try:
        # Only line feeds end a row: a text may hold other line ends, which JSON does not escape.
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): name the --rows file of an earlier run") from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text: name the --rows file of an earlier run") from None
    rows = []
    for number, line in enumerate(lines if lines != [""] else [], start=1):
        try:
            rows.append(adapter.validate_json(line))
        except ValidationError:
            raise InputError(f"line {number} of {path} is no row of a run: name the --rows file of one") from None
    return rows


SHOWN = 10
"""Number of questions that are named for each direction of a change."""
_NOT_COMPARED = frozenset(("words", "sure"))
"""Metrics for which a higher value is not better."""


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one metric in one part of a set, over the questions that both runs asked."""

    set: str
    part: str
    metric: str
    before: float
    after: float
    n: int
    better: tuple[str, ...]
    """Ids of all questions with a higher value than before, in the order of the data."""
    worse: tuple[str, ...]

    @property
    def net(self) -> int:
        """The number of better questions minus that of worse ones."""
        return len(self.better) - len(self.worse)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two runs."""

    changes: tuple[Change, ...]
    only_before: int
    """Number of questions of these sets that only the earlier run asked."""
    only_after: int


def compare_runs(before: Sequence[Row], after: Sequence[Row]) -> Comparison:
    """The comparison of an earlier run with a later one; sets that the later one lacks are left out."""
    sets = {row.set for row in after}
    earlier = {row.key: row for row in before if row.set in sets}
    pairs = [(earlier[row.key], row) for row in after if row.key in earlier]
    groups: dict[tuple[str, str, str], list[tuple[str, float, float]]] = {}
    for old, new in pairs:
        for metric, number in new.metrics.items():
            was = old.metrics.get(metric)
            if number is not None and was is not None and metric not in _NOT_COMPARED:
                groups.setdefault((new.set, new.part, metric), []).append((new.id, float(was), float(number)))
    changes = tuple(_change(name, numbers) for name, numbers in groups.items())
    return Comparison(changes, len(earlier) - len(pairs), len(after) - len(pairs))


def _change(name: tuple[str, str, str], numbers: Sequence[tuple[str, float, float]]) -> Change:
    return Change(
        *name,
        before=mean([was for _, was, _ in numbers]) or 0.0,
        after=mean([now for _, _, now in numbers]) or 0.0,
        n=len(numbers),
        better=tuple(case for case, was, now in numbers if now > was),
        worse=tuple(case for case, was, now in numbers if now < was),
    )


_K1 = 1.2
_B = 0.75
_OTHER_STOP = re.compile(r"[\u3002\uff01\uff1f\u0964\u061f]+[\u300d\u300f\u201d]?")
"""Ends of sentences in scripts that the sentence splitter does not cover: Chinese, Japanese, Hindi, Arabic."""


class SentenceRanking:
    """Plain BM25 over the sentences of one document.

    Each sentence is a document of the ranking, and its terms are the stems of the package. Headings, the order of
    sentences and the form of the answer have no influence.
    """

    def __init__(self, document: Document) -> None:
        self._sentences = list(_sentences(document))
        counts = [Counter(terms(sentence.text)) for sentence in self._sentences]
        self._lengths = [sum(count.values()) for count in counts]
        self._average = sum(self._lengths) / max(1, len(counts)) or 1.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for index, count in enumerate(counts):
            for word, times in count.items():
                self._postings.setdefault(word, []).append((index, times))

    def best(self, question: str) -> Baseline | None:
        """The sentence with the highest score, the first of equal ones; None if none shares a word with it."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(terms(question)):
            found = self._postings.get(word, [])
            rarity = math.log(1 + (len(self._sentences) - len(found) + 0.5) / (len(found) + 0.5))
            for index, times in found:
                norm = _K1 * (1 - _B + _B * self._lengths[index] / self._average)
                scores[index] = scores.get(index, 0.0) + rarity * times * (_K1 + 1) / (times + norm)
        if not scores:
            return None
        return self._sentences[min(scores, key=lambda index: (-scores[index], index))]


def _sentences(document: Document) -> Iterator[Baseline]:
    for _, block in groupby(document.lines, key=lambda line: line.block):
        yield from _sentences_of(list(block))


def _sentences_of(block: Sequence[Line]) -> Iterator[Baseline]:
    """The sentences of a paragraph, list item, table row or heading, with their lines."""
    text = "\n".join(line.text for line in block)
    for start, end in _ranges(text):
        first = block[0].number + text.count("\n", 0, start)
        yield Baseline(text[start:end], (first, first + text.count("\n", start, end)))


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        ends = [stop.end() for stop in _OTHER_STOP.finditer(text, start, end)]
        for first, last in pairwise((start, *ends, end)):
            if part := trim(text, first, last):
                yield part
