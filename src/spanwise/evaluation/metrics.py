"""Metrics: pure functions of answers, golds, pages and scores, and the standard figures of a set."""

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
"""Depths, in passages, at which a gold page is looked for."""


def average(rows: Sequence[Row], metric: str, part: str, name: str | None = None) -> Figure:
    """The average of a metric over the rows to which it applies."""
    numbers = [float(number) for row in rows if (number := row.metrics.get(metric)) is not None]
    return Figure(part, name or metric, mean(numbers), len(numbers))


def right(rows: Sequence[Row], part: str, name: str = "right or rightly silent") -> Figure:
    """Right or rightly silent, beside what a system that never answers gets."""
    figure = average(rows, "right", part, name)
    return Figure(part, name, figure.value, figure.n, mean([float(not row.answerable) for row in rows]))


def by_group(rows: Sequence[Row], group: Callable[[Row], Iterable[str]]) -> Mapping[str, list[Row]]:
    """The rows of each group, groups in order of their names."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        for name in group(row):
            groups.setdefault(name, []).append(row)
    return dict(sorted(groups.items()))


def answer_words(text: str) -> int:
    """Number of words of an answer; bullets and dashes are none."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


_ARTICLES = frozenset(("a", "an", "the"))
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Characters of scripts that write words without spaces: Thai, Lao, Burmese, Khmer, Kana, Han."""
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def squad_tokens(text: str) -> list[str]:
    """The words of a text as SQuAD compares them: lower case, without punctuation and articles."""
    return [word for word in text.lower().translate(_NO_PUNCTUATION).split() if word not in _ARTICLES]


def contains_words(answer: str, gold: str) -> bool:
    """True if the words of the gold stand next to each other, in order, in the answer."""
    words = squad_tokens(gold)
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(squad_tokens(answer))} "


def holds_gold(answer: str, gold: str) -> bool:
    """True if the words of a short gold stand next to each other in the answer, in any script.

    Case, accents' encoding and punctuation do not count. Where words are not parted by spaces (Chinese, Japanese, Thai)
    characters are compared; a number is never found inside a longer one.
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
    """Letters, marks and digits of a folded text, words parted by one space."""
    kept = (
        character if character.isalnum() or unicodedata.category(character).startswith("M") else " "
        for character in folded(text)
    )
    return " ".join("".join(kept).split())


def _cuts_number(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isdecimal() and text[place].isdecimal()


def content_words(text: str) -> list[str]:
    """Stems of the content words; small numbers are the same in words and in digits."""
    return [_NUMBER_WORDS.get(word, word) for word in terms(text)]


def word_share(answer: str, gold: str, *, without: str = "") -> float:
    """The share of the gold's different content words that the answer has.

    Args:
        answer: What was answered.
        gold: What is right. One without content words is compared by all its words.
        without: Words that do not count because everybody knows them, such as the question's.
    """
    known = set(content_words(without))
    wanted = set(content_words(gold)) - known or set(content_words(gold))
    if not wanted:
        return float(contains_words(answer, gold))
    return len(wanted & set(content_words(answer))) / len(wanted)


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The chance that a random positive scores higher than a random negative, ties counting half.

    Returns:
        None when there are no positives or no negatives.
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
        middle = (start + 1 + end) / 2  # all that tie get the middle of their ranks, counted from 1
        ranks += middle * sum(labels[index] for index in order[start:end])
        start = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float | None:
    """Expected calibration error over bins of equal size: how far confidence is from the share that is right.

    Answers of one confidence count as right in the share of them that is, so that their order does not matter.

    Returns:
        None of nothing.
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
    """The average; None of nothing."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least `share` of the values do not exceed (nearest rank); None of nothing."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
