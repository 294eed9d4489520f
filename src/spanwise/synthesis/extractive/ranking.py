"""Sentences in the order in which they answer a question, each with the chance that it does.

Two linear models rank them, the first over every sentence of the best passages, the second over the best few with
their pieces: conditional logits, whose likelihood is that of choosing a right sentence among those of one question
(McFadden 1974). Boosted trees say how likely the first one is right, and one of the first few; as the questions of most
public sets were written beside their answers, a logistic model of what people ask without having read corrects them.
`fitting/answers.py` fits all of them, and prints how good they are on each set left out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from spanwise.synthesis.extractive.features import FIRST_LOOK, NAMES, Asked, View, first_look
from spanwise.synthesis.extractive.span_tokens import asking
from spanwise.synthesis.extractive.spans import TIMES, Piece, best_piece
from spanwise.text.expectations.counting import says_when
from spanwise.text.expectations.forms import Expectation
from spanwise.text.passage_reading import Reading, Sentence
from spanwise.text.trees import Trees, read_trees

CLOSE = 6
"""Sentences that are looked at."""


@dataclass(frozen=True, slots=True)
class CloseView:
    """One of the best sentences with its best piece."""

    log_odds: float
    """How the first look ranks it, less the best one's."""
    piece: Piece | None
    kind: str
    """How the question asks, as pieces are told apart by it."""


def _fits(close: CloseView) -> float:
    """1 if the piece is of the kind that is asked for, -1 if it is not, 0 if any will do."""
    piece, kind = close.piece, close.kind
    if piece is None:
        return -1.0
    if kind == "when":
        return 1.0 if piece.kind.removeprefix("k ") in TIMES else 0.5 if piece.kind.startswith("k ") else -1.0
    if kind in ("many", "much", "long"):
        return 1.0 if piece.kind.startswith("k ") else -1.0
    if kind == "who":
        return 1.0 if piece.capitals else -1.0
    return float(kind == "where" and piece.capitals)


CLOSER: Mapping[str, Callable[[CloseView], float]] = {
    "behind": lambda close: close.log_odds,
    "piece": lambda close: close.piece.score if close.piece else -5.0,
    "chance": lambda close: close.piece.chance if close.piece else 0.0,
    "second": lambda close: close.piece.second if close.piece else 0.0,
    "pieces": lambda close: math.log1p(close.piece.pieces) if close.piece else 0.0,
    "fits": _fits,
    "named": lambda close: float(close.piece.capitals) if close.piece else 0.0,
    "piece_asked": lambda close: float(close.piece.asked) if close.piece else 2.0,
    "piece_words": lambda close: float(close.piece.words) if close.piece else 0.0,
}
"""The features of the closer look, by name."""
CLOSER_NAMES = (*NAMES, *CLOSER)
"""Names of a row of the closer look."""


def closer_look(asked: Expectation, text: str, first: Sequence[float], log_odds: float) -> tuple[float, ...]:
    """The features CLOSER_NAMES of a sentence.

    Args:
        asked: What the question expects.
        text: The sentence.
        first: Its features of the first look.
        log_odds: How the first look ranks it, less the best one's.
    """
    # The model of pieces knows English only. Pieces are asked for as everybody does, so that each is found once.
    piece = None if asked.foreign else best_piece(asked.question, text)
    view = CloseView(log_odds, piece, asking(asked.question).kind)
    return (*first, *(feature(view) for feature in CLOSER.values()))


FEW = 3
"""Sentences that are shown together as possible answers, at most."""
MOST = 24
"""Sentences of one question that are looked at."""
_A_FILE = 12
"""Sentences from which on a question is asked of a file, as those that the logistic models were fitted on; of a
paragraph or two the trees alone know, which were fitted on such too."""
_SCORE = 0.3
_RANK = 0.02
"""What the score of a passage and its place count before the first look."""
_LED = 0.6
"""What a word counts before it that only the heading or the introduction of a sentence has."""
RIGHT_NAMES = (*CLOSER_NAMES, "ahead_of_second", "ahead_of_third", "share")
"""Features of the best sentence beside the others."""
ASKED_NAMES = (*RIGHT_NAMES, "right", "near")
"""The same, with the log-odds that the trees give."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence with the chance, in (0, 1), that it holds the answer."""

    view: View
    chance: float
    near: float
    """The chance that one of the first few sentences of its question does."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model over ASKED_NAMES."""

    bias: float
    weights: tuple[float, ...]

    def chance(self, row: Sequence[float]) -> float:
        """The probability, in (0, 1), for these features."""
        return probability(self.bias + weighed(self.weights, row))


@dataclass(frozen=True, slots=True)
class Models:
    """What `ranker.json` holds."""

    first: tuple[float, ...]
    """A weight for each of NAMES."""
    closer: tuple[float, ...]
    """A weight for each of CLOSER_NAMES."""
    right: Trees
    """Over RIGHT_NAMES: whether the first sentence is right."""
    near: Trees
    """Over RIGHT_NAMES: whether one of the first `FEW` is."""
    asked_right: Logistic
    """The same two, as people ask."""
    asked_near: Logistic


def ranked(asked: Asked) -> list[Ranked]:
    """The sentences worth a look, the likeliest first."""
    fitted = models()
    # What is said again in the same words under the same heading is no rival of itself.
    views = list[View]()
    said = set[tuple[str, frozenset[str]]]()
    for view in (View(asked, *place) for place in shortlist(asked)):
        if (key := (view.sentence.text, view.titled)) not in said:
            said.add(key)
            views.append(view)
    # Every sentence by the features that count among all of them; the rest is looked at for the best few alone.
    weights = [(FIRST_LOOK[name], weight) for name, weight in zip(NAMES, fitted.first, strict=True) if weight]
    scores = [sum([weight * feature(view) for feature, weight in weights]) for view in views]
    # Sorting is stable, so equal scores keep the order of the hits: the same corpus gives the same answer.
    order = sorted(range(len(views)), key=lambda at: -scores[at])
    if not order:
        return []
    best, rest = order[:CLOSE], order[CLOSE:]
    looks = [
        closer_look(asked.expected, views[at].sentence.text, row, scores[at] - scores[best[0]])
        for at, row in zip(best, first_look([views[at] for at in best]), strict=True)
    ]
    values = [weighed(fitted.closer, row) for row in looks]
    whole = beside(looks, values)
    right, near = fitted.right.log_odds(whole), fitted.near.log_odds(whole)
    if len(views) < _A_FILE or len(asked.readings) == 1:
        chance, likely = probability(right), probability(near)
    else:
        chance, likely = (one.chance((*whole, right, near)) for one in (fitted.asked_right, fitted.asked_near))
    top, last = max(values), min(values)
    found = dict(zip(best, values, strict=True))
    found |= {at: last + min(0.0, scores[at] - scores[best[-1]]) for at in rest}
    return [
        Ranked(views[at], chance * math.exp(max(-30.0, found[at] - top)), max(chance, likely))
        for at in sorted(found, key=lambda at: -found[at])
    ]


def shortlist(asked: Asked) -> list[tuple[int, int]]:
    """The sentences that are worth a look, as places of the passage and of the sentence in it, in their order."""
    found = []
    for rank, (reading, score) in enumerate(zip(asked.readings, asked.scores, strict=True)):
        for at, sentence in enumerate(reading.sentences):
            if not sentence.stems or _heads_a_table(reading, at) or _is_title(asked, reading, at):
                continue
            if sentence.role == "heading" and not _tells_when(asked, sentence):
                continue
            own = frozenset(sentence.stems)
            led = own.union(*(reading.sentences[place].stems for place in reading.leads[at])) | reading.title
            worth = asked.share(asked.weights, asked.with_names(own)) + _LED * asked.share(asked.weights, led)
            found.append((-(worth + _SCORE * score - _RANK * rank), rank, at))
    return sorted((rank, at) for _, rank, at in sorted(found)[:MOST])


def _tells_when(asked: Asked, heading: Sentence) -> bool:
    """True for a heading that dates what the question names ("2.4.0 (3 May 2023)"); the others only announce."""
    named = asked.numbers | asked.names
    return asked.expected.form == "when" and not named.isdisjoint(heading.stems) and says_when(heading.text)


def _heads_a_table(reading: Reading, at: int) -> bool:
    """True for a row that heads columns: above a rule of dashes, or without a figure where the next one has some."""
    sentences, row = reading.sentences, reading.sentences[at]
    if row.role != "table_row" or (at and sentences[at - 1].role == "table_row"):
        return False
    below = reading.passage.text.split("\n")[row.line_end - reading.passage.line_start + 1 :][:1]
    if row.text.count("|") > _TWO_COLUMNS and any(map(_RULE.fullmatch, below)):
        return True
    following = sentences[at + 1] if at + 1 < len(sentences) else None
    return following is not None and following.role == "table_row" and _has_figure(following) and not _has_figure(row)


def _is_title(asked: Asked, reading: Reading, at: int) -> bool:
    """True for the line above a plain text that only names what the question does: it announces the answer."""
    sentences, title = reading.sentences, reading.sentences[at]
    alone = len(sentences) > 1 and sentences[1].block != title.block
    if at or reading.passage.line_start > 1 or title.role != "text" or not alone or _ENDED.search(title.text):
        return False
    own = asked.with_names(frozenset(title.stems))
    return 2 * len(own & asked.wanted) >= len(own)


def _has_figure(sentence: Sentence) -> bool:
    return any(character.isdigit() for character in sentence.text)


def beside(looks: Sequence[tuple[float, ...]], values: Sequence[float]) -> tuple[float, ...]:
    """The features RIGHT_NAMES of the best of some sentences.

    Args:
        looks: Their features of the closer look.
        values: How the closer look ranks them.
    """
    ranks = sorted(values, reverse=True)
    top = ranks[0]
    share = 1 / sum(math.exp(one - top) for one in ranks)
    lead, third = (top - ranks[place] if len(ranks) > place else _ALONE for place in (1, 2))
    return (*looks[values.index(top)], lead, third, share)


_RULE = re.compile(r"[\s|:]*-[-\s|:]*")
"""What stands below the heads of columns in Markdown."""
_TWO_COLUMNS = 3
"""Bars of a row of two cells: a list of labels and values, whose first row is often where heads should be."""
_ENDED = re.compile(r"[.!?:;,]\W*$")
_ALONE = 5.0
"""The lead of a sentence without another one."""


def weighed(weights: Sequence[float], row: Sequence[float]) -> float:
    """The sum of features by their weights."""
    return sum([weight * value for weight, value in zip(weights, row, strict=True)])


def probability(log_odds: float) -> float:
    """The logistic function, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


@cache
def models() -> Models:
    """The models that are shipped.

    Raises:
        ValueError: They were fitted for other features.
    """
    data = json.loads(resources.files(__package__).joinpath("ranker.json").read_text(encoding="utf-8"))
    right, near = (read_trees(data[name], RIGHT_NAMES) for name in ("right", "near"))
    asked = [Logistic(float(one["bias"]), _weights(one["weights"], ASKED_NAMES)) for one in data["asked"]]
    return Models(_weights(data["first"], NAMES), _weights(data["closer"], CLOSER_NAMES), right, near, *asked)


def _weights(data: Mapping[str, float], names: Sequence[str]) -> tuple[float, ...]:
    if sorted(data) != sorted(names):
        raise ValueError("ranker.json was fitted for other features: run fitting/answers.py again")
    return tuple(float(data[name]) for name in names)
