"""The baseline of an answer: the best single sentence of the document by plain BM25 (Robertson and Walker 1994)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from spanwise.domain.document import Document, Line
from spanwise.evaluation.cases import Baseline
from spanwise.text.sentences import sentences, trim
from spanwise.text.terms import terms

_K1 = 1.2
_B = 0.75
_OTHER_STOP = re.compile(r"[\u3002\uff01\uff1f\u0964\u061f]+[\u300d\u300f\u201d]?")
"""Ends of sentences in scripts that the sentence splitter does not know: Chinese, Japanese, Hindi, Arabic."""


class SentenceRanking:
    """The sentences of one document, ranked for questions.

    A sentence is a document of the ranking; its words are the project's stems. Nothing else counts: no headings, no
    order, no form of the answer.
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
        """The sentence with the highest score, the earlier of equals; None if none has a word of the question."""
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
    """The sentences of a paragraph, list item, table row or heading, over its lines."""
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
