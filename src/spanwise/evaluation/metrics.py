"""Metrics of answers: pure functions that compare answers with gold answers, and the common figures of a set."""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from spanwise.evaluation.cases import Figure, Row
from spanwise.text.fold import folded
from spanwise.text.terms import terms

DEPTHS = (1, 5, 10)
"""Numbers of best passages within which a gold page is looked for."""


def average(rows: Sequence[Row], metric: str, part: str, name: str | None = None) -> Figure:
    """The average of a metric over the rows to which it applies; its value is None if there are none."""
    numbers = [float(number) for row in rows if (number := row.metrics.get(metric)) is not None]
    return Figure(part, name or metric, mean(numbers), len(numbers))


def right(rows: Sequence[Row], part: str, name: str = "right or rightly silent") -> Figure:
    """The share of rows that are right or rightly silent, with the share that a system which never answers gets."""
    figure = average(rows, "right", part, name)
    return Figure(part, name, figure.value, figure.n, mean([float(not row.answerable) for row in rows]))


def by_group(rows: Sequence[Row], group: Callable[[Row], Iterable[str]]) -> Mapping[str, list[Row]]:
    """The rows of each group, in the order of group names; a row may be in several groups."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        for name in group(row):
            groups.setdefault(name, []).append(row)
    return dict(sorted(groups.items()))


def answer_words(text: str) -> int:
    """The number of words of an answer, without bullets and dashes."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


_ARTICLES = frozenset(("a", "an", "the"))
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Characters of scripts that do not separate words by spaces: Thai, Lao, Burmese, Khmer, Kana, Han."""
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def squad_tokens(text: str) -> list[str]:
    """The words of a text as SQuAD compares them: lower case, without punctuation and articles."""
    return [word for word in text.lower().translate(_NO_PUNCTUATION).split() if word not in _ARTICLES]


def contains_words(answer: str, gold: str) -> bool:
    """True if the answer contains the words of the gold answer as a sequence."""
    words = squad_tokens(gold)
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(squad_tokens(answer))} "


def holds_gold(answer: str, gold: str) -> bool:
    """True if the answer contains the words of a short gold answer as a sequence, in any script.

    Case, the encoding of accents and punctuation are ignored. In scripts without spaces between words (Chinese,
    Japanese, Thai) characters are compared; a number never matches a part of a longer one.
    """
    ours, wanted = _letters(answer), _letters(gold)
    if not wanted:
        return False
    if not (_UNSPACED.search(ours) or _UNSPACED.search(wanted)):
        return f" {wanted} " in f" {ours} "
    ours, wanted = ours.replace(" ", ""), wanted.replace(" ", "")
    start = ours.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _cuts_number(ours, start) and not _cuts_number(ours, end):
            return True
        start = ours.find(wanted, start + 1)
    return False


def _letters(text: str) -> str:
    """The letters, combining marks and digits of the folded text, with one space between words."""
    kept = (
        character if character.isalnum() or unicodedata.category(character).startswith("M") else " "
        for character in folded(text)
    )
    return " ".join("".join(kept).split())


def _cuts_number(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isdecimal() and text[place].isdecimal()


def content_words(text: str) -> list[str]:
    """Stems of the content words; small numbers in words become digits."""
    return [_NUMBER_WORDS.get(word, word) for word in terms(text)]


def word_share(answer: str, gold: str, *, without: str = "") -> float:
    """The share of the gold answer's distinct content words that the answer contains, in [0, 1].

    Args:
        answer: The answer.
        gold: The right answer; if it has no content words, all of its words are compared.
        without: A text, such as the question, whose words do not count.
    """
    known = set(content_words(without))
    wanted = set(content_words(gold)) - known or set(content_words(gold))
    if not wanted:
        return float(contains_words(answer, gold))
    return len(wanted & set(content_words(answer))) / len(wanted)


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The probability that a random positive scores higher than a random negative; ties count half.

    Returns:
        The area under the ROC curve, in [0, 1]; None without positives or without negatives.
    """
    positives = sum(labels)
    negatives = len(labels) - positives
    if not positives or not negatives:
        return None
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = 0.0
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        middle = (start + 1 + end) / 2  # ties get their mean rank, from 1
        ranks += middle * sum(labels[index] for index in order[start:end])
        start = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float | None:
    """The expected calibration error over bins of equal size: the mean gap between confidence and accuracy.

    Each answer counts with the accuracy of all answers with the same confidence, so that their order does not matter.

    Returns:
        The error, in [0, 1]; None without answers.
    """
    alike: dict[float, list[bool]] = {}
    for confidence, hit in zip(confidences, right, strict=True):
        alike.setdefault(confidence, []).append(hit)
    order = sorted(range(len(confidences)), key=confidences.__getitem__)
    total = 0.0
    for number in range(bins):
        members = order[len(order) * number // bins : len(order) * (number + 1) // bins]
        promised = sum(confidences[index] for index in members)
        kept = sum(sum(alike[confidences[index]]) / len(alike[confidences[index]]) for index in members)
        total += abs(promised - kept)
    return total / len(order) if order else None


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None without values."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least `share` of the values do not exceed (nearest rank); None without values."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
