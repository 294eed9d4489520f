"""The measures themselves: pure functions of answers, golds, pages and scores."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Collection, Sequence

from spanwise.text.terms import terms

_ARTICLES = frozenset(("a", "an", "the"))
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def squad_tokens(text: str) -> list[str]:
    """The words of a text as SQuAD compares them: lower case, without punctuation and articles."""
    return [word for word in text.lower().translate(_NO_PUNCTUATION).split() if word not in _ARTICLES]


def exact_match(answer: str, golds: Sequence[str]) -> float:
    """1 when the answer is one of the golds as SQuAD compares them; without golds, 1 when it is empty."""
    words = squad_tokens(answer)
    return float(any(words == squad_tokens(gold) for gold in golds) if golds else not words)


def token_f1(answer: str, golds: Sequence[str]) -> float:
    """SQuAD's F1 over the words of answer and gold, for the gold that fits best; without golds as `exact_match`."""
    if not golds:
        return exact_match(answer, golds)
    return max(_f1(squad_tokens(answer), squad_tokens(gold)) for gold in golds)


def _f1(words: Sequence[str], gold: Sequence[str]) -> float:
    if not words or not gold:
        return float(words == gold)
    common = sum((Counter(words) & Counter(gold)).values())
    if not common:
        return 0.0
    precision, recall = common / len(words), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def contains_words(answer: str, gold: str) -> bool:
    """Whether the words of the gold stand next to each other, in order, in the answer."""
    words = squad_tokens(gold)
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(squad_tokens(answer))} "


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


def page_hit(hit_pages: Sequence[Collection[int]], gold_pages: Collection[int], k: int) -> bool:
    """Whether one of the best `k` passages lies, with at least a line, on a gold page."""
    gold = set(gold_pages)
    return any(not gold.isdisjoint(pages) for pages in hit_pages[:k])


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


def mean(values: Sequence[float]) -> float | None:
    """The average; None of nothing."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least `share` of the values do not exceed (nearest rank); None of nothing."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
