"""Words of a copy that stand in the place of others: "the cloud consumer" where the source says "the cloud provider".

An exchange is told from a paraphrase by what is around it (the same words on both sides), and by a table of words that
may stand for each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from itertools import product

from spanwise.guard.evidence.alignment import Alignment, Change
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.small_words import AUXILIARIES, is_negation
from spanwise.guard.sentence.synonyms import interchangeable
from spanwise.guard.sentence.words import Word
from spanwise.guard.verification import FindingKind
from spanwise.text.terms import STOPWORDS, stem

_SHORTEST = 3
"""Letters of a word that means something."""
_MOST = 2
"""Content words on either side."""
_GOVERNING = 3
"""Words that govern an infinitive, at most."""
_BEGINNING = 4
"""Letters that words of one family share."""
_MISSPELT = 0.85
"""Share of letters that a word has from another one when it only is written in another way."""
_AROUND = 5
"""Words that both have in a row before and behind it, taken together."""
_SURELY_AROUND = 10
"""The same, from which it does not matter whether a word stands elsewhere in the other sentence too."""
_POINTING = frozenset(["this", "these", "that", "those", "such"])
_LOOK_BACK = 2
"""Words before an exchanged one in which a demonstrative is looked for."""
_MORE_AROUND = 7
"""The same where the claim has words of its own besides."""
_ALL_ELSE = 3
"""Words of a short claim that are all of it but the change."""
_LEAST_AT_ALL = 0.5
_LEAST_SHARE = 0.75
"""Share of its words that the claim has from the sentence."""
_JOINS = frozenset(["and", "or", "nor", "&"])
_ARTICLES = frozenset(["the", "a", "an"])


def listed_otherwise(change: Change, alignment: Alignment) -> bool:
    """True if two members of one list only change places: "the Landlord and the Tenant", "the Tenant and Landlord".

    The order of a list says something where figures or "respectively" go with its members, and where a verb stands
    before and behind it: "A pays B and C pays D" is no list.
    """
    ours, theirs = _plain(change.ours), _plain(change.theirs)
    back = (one for one in alignment.changes if ours and (_plain(one.ours), _plain(one.theirs)) == (theirs, ours))
    other = next(back, None)
    if other is None or "respectively" in _plain(alignment.ours) or sum(word.number for word in alignment.ours) > 1:
        return False
    first, second = sorted((change, other), key=lambda one: one.before)
    end = second.before + len(second.ours)
    between = set(_plain(alignment.ours[first.before + len(first.ours) : second.before]))
    behind = _plain(alignment.ours[end : end + 1])
    ends = all(word in STOPWORDS and word not in AUXILIARIES for word in behind)
    begins = set(_plain(alignment.ours[: first.before])) <= _ARTICLES
    return (begins or ends) and bool(between & _JOINS) and between <= _JOINS | _ARTICLES


def changed_places(alignment: Alignment) -> Change | None:
    """The first of two words that change places and are all that differs: "A repairs X and B repairs Y", "A ... Y"."""
    changes = [one for one in alignment.changes if any(map(_means, (*one.ours, *one.theirs)))]
    if len(changes) != 2:
        return None
    first, second = changes
    ours, theirs = _plain(first.ours), _plain(first.theirs)
    if not ours or not theirs or (_plain(second.ours), _plain(second.theirs)) != (theirs, ours):
        return None
    between = set(_plain(alignment.ours[first.before + len(first.ours) : second.before]))
    symmetric = between <= words_of_class("scope", "symmetric") | _ARTICLES | AUXILIARIES
    return None if symmetric or listed_otherwise(first, alignment) else first


def _plain(words: Sequence[Word]) -> list[str]:
    return [word.plain for word in words]


def exchanged(change: Change, alignment: Alignment, known: Collection[str]) -> FindingKind | None:
    """True if a change puts one thing in the place of another.

    Args:
        change: What differs.
        alignment: The claim beside the sentence it was made from.
        known: Stems of all words of the passages.
    """
    if not _framed(change, alignment):
        return None
    ours = [word.plain for word in change.ours if not word.number and _means(word)]
    theirs = [word.plain for word in change.theirs if word.number or _means(word)]
    if not ours or not theirs:
        return None
    led = (change.ours[0].plain, change.theirs[0].plain) == (ours[0], theirs[0])  # "rises to", "stays at"
    same = led and len(ours) == len(theirs) and len(change.ours) == len(change.theirs) <= _MOST
    if not same and not _governs(change, alignment):
        return None
    # "The trainees keep", "the foreman keeps": the verb only follows its subject.
    unlike = [(one, other) for one, other in zip(ours, theirs, strict=False) if not _alike(one, other)]
    if same and unlike:
        ours, theirs = ([*side] for side in zip(*unlike, strict=True))
    if any(_alike(one, other) for one, other in product(ours, theirs)) or _points_back(change, alignment):
        return None
    sure = change.same_before + change.same_after >= _SURELY_AROUND
    if not sure and (_moved(ours, alignment.theirs) or _moved(theirs, alignment.ours)):
        return None
    return "swapped" if all(stem(word) in known for word in ours) else "not_in_sources"


def _governs(change: Change, alignment: Alignment) -> bool:
    """True if few words govern an infinitive, and say how firmly it is meant: "is sure to pay" for "hopes to pay"."""
    behind = change.before + len(change.ours)
    few = max(len(change.ours), len(change.theirs)) <= _GOVERNING
    return few and [word.plain for word in alignment.ours[behind : behind + 1]] == ["to"]


def _framed(change: Change, alignment: Alignment) -> bool:
    """True if the context of a change is the same on both sides, a sentence boundary included."""
    before = change.same_before > 0 or change.before == 0
    behind = change.same_after > 0 or change.last
    around = change.same_before + change.same_after
    if before and behind and around == len(alignment.ours) - len(change.ours) >= _ALL_ELSE:
        return True
    enough = _AROUND if alignment.share >= _LEAST_SHARE else _MORE_AROUND
    return before and behind and around >= enough and alignment.share >= _LEAST_AT_ALL


def _points_back(change: Change, alignment: Alignment) -> bool:
    """True if the source speaks of something it named before ("this model"), which the claim may call by its name."""
    at = alignment.theirs.index(change.theirs[0])
    return any(word.plain in _POINTING for word in alignment.theirs[max(0, at - _LOOK_BACK) : at])


def _means(word: Word) -> bool:
    plain = word.plain
    small = len(plain) < _SHORTEST or plain in STOPWORDS or plain in AUXILIARIES
    return not small and not is_negation(plain)


def _alike(one: str, other: str) -> bool:
    if one[:_BEGINNING] == other[:_BEGINNING] or interchangeable(one, other):
        return True
    left, right = stem(one), stem(other)
    family = min(len(left), len(right)) > 2 and (left.startswith(right) or right.startswith(left))
    return family or SequenceMatcher(None, one, other, autojunk=False).ratio() >= _MISSPELT


def _moved(words: Sequence[str], others: Sequence[Word]) -> bool:
    """True if the other sentence has one of these words somewhere else."""
    stems = {stem(word.plain) for word in others}
    return any(stem(word) in stems for word in words)
