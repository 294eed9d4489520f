"""What speaks for a sentence as the answer to a question: named functions in a list, each a number.

A fitted ranker weighs them (`ranking.py`). The first look reads every sentence of the best passages, the closer look
the few that stand out. Words count by how rare they are among the passages (Robertson and Zaragoza 2009), and in
general.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.span_tokens import asking
from spanwise.text.expectations.forms import FORMS, VALUED, Expectation, expectation
from spanwise.text.framing.frames import withheld
from spanwise.text.languages import ENGLISH
from spanwise.text.paraphrases import Wording, worded
from spanwise.text.passage_reading import Reading, Sentence
from spanwise.text.related import abbreviations, implied, is_filler, rarity, related, spelled_out
from spanwise.text.terms import terms

NEGATION = re.compile(r"(?=[ncw])(?:\b(?:not|never|no|cannot|without|neither|nor|none)\b|n['\u2019]t\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,-][^\W_]+)*")
_PRONOUN = re.compile(r"^\W*(?:it|he|she|they|this|these|those|that|such|its|his|her|their|we|you)\b", re.IGNORECASE)
ENTRY = re.compile(r"^\W*(?P<label>[^\W\d_][^:.!?]{0,50}):\s+\S")
"""An entry of a form: its label, and what it says."""
_LEADER = re.compile(r"(?:\.{3,}|\s)\s?\d{1,4}\W*$")
VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot"
    r"|\w{2,}(?:ed|ing|es|ify|ise|ize)|\w+n't)\b",
    re.IGNORECASE,
)
_SEEING = re.compile(
    r"^\W*(?:see|refer\s+to|click\s+here|back\s+to|table\s+of\s+contents|figure\s+\d|page\s+\d)\b", re.IGNORECASE
)
_SOME_OF_THEM = re.compile(r"(?=\w)(\w{2,40})\s+who(?:se|m)?\b", re.IGNORECASE)
"""A word that a clause narrows: "children who have been sick" are not all children."""
KIN = 5
"""Letters that two stems of one family share at their beginning."""
_BACK = 4
"""Sentences before one, in its paragraph, in which its subject may be named."""
_LEAST = 0.2
"""Least weight of a word of the question."""
_K1, _B = 1.2, 0.75
_WHOLE = re.compile(r"\W*(?:[\d.]+\W+)?[^\W\d_a-z][\s\S]*[.!?\u3002\uff01\uff1f][\"'\u201d\u2019)\]]*\s*$")
"""A sentence that begins and ends as one."""
_BEGINNING = 3
"""Content words in which a sentence names what it speaks of."""
_BESIDE = 2
"""Content words between a figure and what it is said of."""
_FEW = 5
"""Words of a line that is but a title."""
_MOST_WORDS = 200
"""Words of a question or a sentence of which runs are compared."""


_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Asked:
    """A question beside the passages that were found for it."""

    question: Question
    passages: Sequence[Reading]
    scores: Sequence[float]
    """The passages' scores, each as a share of the best one's."""

    @cached_property
    def expected(self) -> Expectation:
        """The form of the answer."""
        return expectation(self.question.text, self.question.language)

    @cached_property
    def wording(self) -> Wording:
        """Its content words, everyday phrases as one of them each, and what says the same."""
        every = tuple(dict.fromkeys(self.question.stems or self.terms(self.question.text)))
        return worded(self.question.text, every, self.question.language)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Stems of the content words in their order, each once."""
        every = self.wording.stems
        return tuple(one for one in every if not is_filler(one) or one in self.wording.asked) or every

    @cached_property
    def readings(self) -> Sequence[Reading]:
        """The passages, in the question's words where they say the same in others."""
        wording = self.wording.beyond(self.passages)
        return [wording.read(one) for one in self.passages]

    def terms(self, text: str) -> list[str]:
        """Stems of a text's content words as those of the question are made."""
        return terms(text, self.question.language)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much each of them counts: its inverse document frequency over the sentences of the passages."""
        said = [sentence.stems for reading in self.readings for sentence in reading.sentences]
        often = Counter(one for stems in said for one in self.wanted.intersection(stems))
        return {
            one: max(_LEAST, math.log(1 + (len(said) - often[one] + 0.5) / (often[one] + 0.5))) for one in self.stems
        }

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The stems, in no order."""
        return frozenset(self.stems)

    @cached_property
    def mean_length(self) -> float:
        """Content words of a sentence of the passages, on average."""
        lengths = [len(sentence.stems) for reading in self.readings for sentence in reading.sentences]
        return sum(lengths) / len(lengths) if any(lengths) else 1.0

    @cached_property
    def rarities(self) -> Mapping[str, float]:
        """How rare each of them is in general."""
        return {one: rarity(one) for one in self.stems}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words in lower case."""
        return words_of(self.question.text)

    @cached_property
    def bigrams(self) -> frozenset[tuple[str, str]]:
        """Neighbouring words."""
        return frozenset(pairwise(self.words))

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of names and of capitalised words behind the first one."""
        capitals = [
            one for word in _WORD.findall(self.question.text)[1:] if word[0].isupper() for one in self.terms(word)
        ]
        return frozenset(capitals) | frozenset(one for name in self.question.entities for one in self.terms(name))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Stems that begin with a figure."""
        return frozenset(one for one in self.stems if one[0].isdigit())

    @cached_property
    def negated(self) -> bool:
        """True if the question itself denies something."""
        return NEGATION.search(self.question.text) is not None

    @cached_property
    def beginnings(self) -> Mapping[str, str]:
        """The beginning of each longer stem."""
        return {one: one[:KIN] for one in self.stems if len(one) >= KIN and one.isalpha()}

    @cached_property
    def related(self) -> Mapping[str, Mapping[str, float]]:
        """Words that may stand for those of the question, each with the share that it stands for."""
        return {one: near for one in self.stems if (near := related(one))}

    @cached_property
    def implied(self) -> Mapping[str, frozenset[str]]:
        """Words that say one of the question from another side, or are of its class ("penicillin": antibiotic)."""
        english = self.question.language == ENGLISH
        return {one: said for one in self.stems if (said := implied(one))} if english else {}

    def stands_for(self, stem: str, said: frozenset[str]) -> bool:
        """True if a word that is related to one of the question, or implies it, is among some stems."""
        near = self.related.get(stem)
        return not self.implied.get(stem, _NONE).isdisjoint(said) or (near is not None and not said.isdisjoint(near))

    @cached_property
    def head(self) -> frozenset[str]:
        """Stems of the noun behind "what" or "which", which an answer need not name ("which city": "Paris")."""
        return asking(self.question.text).nouns

    @cached_property
    def short(self) -> Mapping[str, frozenset[str]]:
        """Abbreviations of the passages and initials of the question's names, with the stems that they stand for."""
        names = [name.split() for name in self.question.entities]
        initials = {
            "".join(word[0] for word in name if word[0].isupper()).lower(): frozenset(self.terms(" ".join(name)))
            for name in names
            if sum(word[0].isupper() for word in name) > 1
        }
        return initials | abbreviations((one.passage for one in self.readings), self.stems)

    def share(self, weights: Mapping[str, float], had: frozenset[str] | set[str]) -> float:
        """Share of the question's weight that some stems cover."""
        total = sum(weights.values())
        return sum([weight for one, weight in weights.items() if one in had]) / total if total else 0.0

    def with_names(self, stems: frozenset[str]) -> frozenset[str]:
        """Some stems, and those of the names that they give by their initials, or the other way round."""
        return spelled_out(stems, self.short) if self.short else stems


@dataclass(frozen=True)
class View:
    """One sentence as seen by one question."""

    asked: Asked
    rank: int
    """Place of its passage among the hits, from 0."""
    at: int
    """Place of the sentence in the passage."""

    @cached_property
    def reading(self) -> Reading:
        """Its passage."""
        return self.asked.readings[self.rank]

    @cached_property
    def sentence(self) -> Sentence:
        """The sentence itself."""
        return self.reading.sentences[self.at]

    @cached_property
    def own(self) -> frozenset[str]:
        """Stems that it says itself."""
        return self.asked.with_names(frozenset(self.sentence.stems))

    @cached_property
    def lead(self) -> frozenset[str]:
        """Stems of what leads to it: the heading above, the introduction of its list, the question before it."""
        return frozenset(one for place in self.reading.leads[self.at] for one in self.reading.sentences[place].stems)

    @cached_property
    def titled(self) -> frozenset[str]:
        """What it says with its headings and what leads to it."""
        return self.own | self.asked.with_names(self.reading.title | self.lead)

    @cached_property
    def before(self) -> frozenset[str]:
        """What it says with the sentences before it."""
        found: set[str] = set()
        block = self.sentence.block
        for back in range(1, min(self.at, _BACK) + 1):
            earlier = self.reading.sentences[self.at - back]
            if back > 1 and earlier.block != block:
                break
            found.update(earlier.stems)
        return self.titled | self.asked.with_names(frozenset(found))

    @cached_property
    def near(self) -> frozenset[str]:
        """What it says with its neighbours."""
        return self.before.union(*(one.stems for one in self.reading.sentences[self.at + 1 : self.at + 2]))

    @cached_property
    def around(self) -> frozenset[str]:
        """What it says with its whole passage."""
        return self.near | self.reading.text

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All its words in lower case."""
        return words_of(self.sentence.text)

    @cached_property
    def places(self) -> list[int]:
        """Places of the question's stems among its own."""
        return [place for place, one in enumerate(self.sentence.stems) if one in self.asked.weights]

    @cached_property
    def lacking(self) -> tuple[str, ...]:
        """Stems of the question that it lacks with its headings."""
        return tuple(one for one in self.asked.stems if one not in self.titled)

    @cached_property
    def absent(self) -> tuple[str, ...]:
        """Stems of the question that its whole passage lacks, with all words that may stand for them."""
        return tuple(
            one for one in self.lacking if one not in self.around and not self.asked.stands_for(one, self.around)
        )


def words_of(text: str) -> tuple[str, ...]:
    """Words of a text in lower case, at most as many as are compared."""
    return tuple(map(str.lower, _WORD.findall(text)))[:_MOST_WORDS]


Feature: TypeAlias = Callable[[View], float]


def _gain(more: frozenset[str], less: frozenset[str], asked: Asked) -> float:
    return asked.share(asked.weights, more) - asked.share(asked.weights, less)


def _kin(view: View) -> float:
    asked = view.asked
    beginnings = {one[:KIN] for one in view.titled}
    return asked.share(asked.weights, {one for one in view.lacking if asked.beginnings.get(one) in beginnings})


def _bm25(view: View) -> float:
    """BM25 of the sentence (k1 1.2, b .75), as a share of the most that the question's words can give."""
    asked, stems = view.asked, view.sentence.stems
    length = _K1 * (1 - _B + _B * len(stems) / asked.mean_length)
    often = Counter(one for one in stems if one in asked.weights)
    score = sum(asked.weights[one] * count / (count + length) for one, count in often.items())
    return score / (sum(asked.weights.values()) or 1.0)


def _related(view: View) -> float:
    """Share of the question that the sentence says in related words only."""
    asked = view.asked
    total = sum(asked.weights.values())
    said = [
        asked.weights[one]
        * max((share for other, share in asked.related[one].items() if other in view.titled), default=0.0)
        for one in view.lacking
        if one in asked.related
    ]
    return sum(said) / total if total else 0.0


def _implied(view: View) -> float:
    """Share of the question that the sentence says from another side, or by a member of a class."""
    asked = view.asked
    said = {one for one in view.lacking if one in asked.implied and not asked.implied[one].isdisjoint(view.titled)}
    return asked.share(asked.weights, said)


def _head_missing(view: View) -> float:
    return view.asked.share(view.asked.weights, {one for one in view.lacking if one in view.asked.head})


def _tight(view: View) -> float:
    places = view.places
    return len(set(places)) / (1 + places[-1] - places[0]) if len(places) > 1 else 0.0


def _bigrams(view: View) -> float:
    bigrams = view.asked.bigrams
    return len(bigrams.intersection(pairwise(view.words))) / max(1, len(bigrams))


def _missing(wanted: frozenset[str], had: frozenset[str]) -> float:
    return sum(one not in had for one in wanted) / len(wanted) if wanted else -0.1


def _framed(view: View) -> float:
    return float(withheld(view.sentence.text, view.asked.question.text, view.reading.passage.section or ""))


def _news(view: View) -> float:
    return math.log1p((len(view.sentence.stems) - len(view.places)) / view.asked.mean_length)


def _points(view: View) -> float:
    return float(_SEEING.search(view.sentence.text) is not None)


def _following(view: View) -> float:
    """1 if the sentence says right behind the question's last word what completes it: new words after known ones."""
    return float(bool(view.places) and view.places[-1] < len(view.sentence.stems) - 1)


def _entry(view: View) -> float:
    """1 for a line of a table of contents or a bare title: no verb, and a page number at its end or few words."""
    text = view.sentence.text
    if VERB.search(text):
        return 0.0
    return 1.0 if _LEADER.search(text) else 0.5 if len(view.words) < _FEW else 0.0


def _opens(view: View) -> float:
    """Share of the question that the sentence begins with: what it speaks of, not what it only mentions."""
    return view.asked.share(view.asked.weights, frozenset(view.sentence.stems[:_BEGINNING]))


def _bound(view: View) -> float:
    """Share of the question that stands beside a figure: the value is said of it, where a value is asked for."""
    asked = view.asked
    if asked.expected.form not in VALUED and asked.expected.shape is None:
        return 0.0
    stems = view.sentence.stems
    near = {
        one
        for at, figure in enumerate(stems)
        if figure[0].isdigit()
        for one in stems[max(0, at - _BESIDE) : at + _BESIDE + 1]
    }
    return asked.share(asked.weights, near)


def _narrowed(view: View) -> float:
    """1 if a word of the question is narrowed in the sentence and not in the question."""
    said, asked = (
        {one for word in _SOME_OF_THEM.findall(text) for one in view.asked.terms(word)}
        for text in (view.sentence.text, view.asked.question.text)
    )
    return float(not view.asked.wanted.isdisjoint(said - asked))


class _NoNoise(dict[int, int | None]):
    """Letters and spaces as nothing, every other character as itself."""

    def __missing__(self, code: int) -> int | None:
        character = chr(code)
        self[code] = kept = None if character.isalpha() or character.isspace() else code
        return kept


_NO_NOISE = _NoNoise()


def _noise(view: View) -> float:
    """Share of the characters that are no letters: code, rows of figures, lines of dots."""
    text = view.sentence.text
    return len(text.translate(_NO_NOISE)) / max(1, len(text))


def _of_form(form: str) -> Feature:
    return lambda view: view.asked.expected.held(view.sentence.text) if view.asked.expected.form == form else 0.0


FIRST_LOOK: Mapping[str, Feature] = {
    "score": lambda view: view.asked.scores[view.rank],
    "rank": lambda view: math.log1p(view.rank),
    "bm25": _bm25,
    "own": lambda view: view.asked.share(view.asked.weights, view.own),
    "lead": lambda view: view.asked.share(view.asked.weights, view.lead) if view.lead else 0.0,
    "after": lambda view: _gain(view.near, view.before, view.asked),
    "around": lambda view: _gain(view.around, view.near, view.asked),
    "all_rare": lambda view: view.asked.share(view.asked.rarities, view.around),
    "near_rare": lambda view: view.asked.share(view.asked.rarities, view.near),
    "kin": _kin,
    "related": _related,
    "implied": _implied,
    "head_missing": _head_missing,
    "tight": _tight,
    "bigrams": _bigrams,
    "last_stem": lambda view: float(bool(view.asked.stems) and view.asked.stems[-1] in view.titled),
    "rarest_absent": lambda view: max((view.asked.rarities[one] for one in view.absent), default=0.0),
    "absent": lambda view: len(view.absent) / max(1, len(view.asked.stems)),
    "names_absent": lambda view: _missing(view.asked.names, view.around),
    "numbers_missing": lambda view: _missing(view.asked.numbers, view.near),
    "titled": lambda view: view.asked.share(view.asked.weights, view.titled),
    "entry": _entry,
    **{f"form_{form}": _of_form(form) for form in FORMS if form not in ("what", "which", "how")},
    "shaped": lambda view: view.asked.expected.shaped(view.sentence.text),
    "opens": _opens,
    "bound": _bound,
    "whole": lambda view: float(_WHOLE.match(view.sentence.text) is not None),
    "noise": _noise,
    "denies": lambda view: float(NEGATION.search(view.sentence.text) is not None) - float(view.asked.negated),
    "framed": _framed,
    "narrowed": _narrowed,
    "pronoun": lambda view: float(_PRONOUN.match(view.sentence.text) is not None),
    "following": _following,
    "points": _points,
    "row": lambda view: float(view.sentence.role == "table_row"),
    "length": lambda view: math.log1p(len(view.sentence.stems) / view.asked.mean_length),
    "news": _news,
}
"""The features of the first look, by name."""


def _asks(form: str) -> Callable[[Asked], float]:
    return lambda asked: float(asked.expected.form == form)


OF_QUESTION: Mapping[str, Callable[[Asked], float]] = {
    "stems": lambda asked: math.log1p(len(asked.stems)),
    "words": lambda asked: math.log1p(len(asked.words)),
    "rareness": lambda asked: max(asked.rarities.values(), default=0.0),
    "passages": lambda asked: math.log1p(len(asked.readings)),
    **{f"asks_{form}": _asks(form) for form in FORMS},
}
"""The features of a question, by name."""

NAMES = (*FIRST_LOOK, *OF_QUESTION)
"""Names of a row of the first look."""


def first_look(views: Sequence[View]) -> list[tuple[float, ...]]:
    """The features NAMES of some sentences of one question."""
    if not views:
        return []
    of_question = tuple(feature(views[0].asked) for feature in OF_QUESTION.values())
    return [(*(feature(view) for feature in FIRST_LOOK.values()), *of_question) for view in views]
