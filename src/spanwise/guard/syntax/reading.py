"""A sentence while it is parsed: its words with the breaks between them, and what is not yet given to a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from spanwise.guard.lexicon import is_negation
from spanwise.guard.sentence import Word
from spanwise.guard.syntax.lexicon import Form, classes_by_word, verb_forms, word_class

Kind: TypeAlias = Literal["finite", "infinitive", "ing", "part"]

_AHEAD = 14
"""Words ahead in which a finite verb is looked for."""
_SHORTEST_ADVERB = 5
_SOFT = re.compile(r"[,()\u2013\u2014]|\s-\s")
_HARD = re.compile(r"[.;:!?]\S*\s|;")
"""What ends a clause; a colon between figures ("4:20") does not."""
_OPEN: frozenset[str] = frozenset()
_NO_PART = frozenset(["preposition", "either", "opening", "coordinator", "modal", "be", "have", "do"])
"""Classes of words that are no part of a noun phrase."""
_ASKING = frozenset(["who", "which", "whom", "what"])
_MONTH = "May"
_POSSESSIVE = ("'s", "\u2019s", "'", "\u2019")
_TURNING = frozenset(["opening", "either", "coordinator", "relative"])
"""Classes of words behind which another clause or phrase begins."""
_AUXILIARY = frozenset(["modal", "be", "have", "do"])


class _Known(NamedTuple):
    """What is known of a word by itself."""

    classes: frozenset[str]
    closed: bool
    """True if it can be no part of a noun phrase."""
    adverb: bool
    """True for an adverb and for a negation."""
    auxiliary: bool
    """True for a finite auxiliary."""
    turning: bool


@lru_cache(maxsize=8192)
def _known(word: str) -> _Known:
    classes = classes_by_word().get(word, _OPEN)
    return _Known(
        classes,
        not classes.isdisjoint(_NO_PART) or word in _ASKING,
        "adverb" in classes
        or is_negation(word)
        or (len(word) >= _SHORTEST_ADVERB and word.endswith("ly") and "no_adverb" not in classes),
        not classes.isdisjoint(_AUXILIARY) and word not in ("be", "been", "being", "having"),
        not classes.isdisjoint(_TURNING),
    )


class Phrase(NamedTuple):
    """A noun phrase of the words `[first, last)`."""

    first: int
    last: int
    head: int
    preposition: str = ""
    beside: int = -1
    """Head of the phrase right before it, which it may belong to."""


@dataclass(eq=False, slots=True)
class Clause:
    """A verb with its phrases; indices count the words of the sentence."""

    verb: int
    lemma: str
    kind: Kind
    passive: bool = False
    negated: bool = False
    bare: bool = False
    """True if the verb has its base form, after a modal or "to"."""
    modal: str = ""
    """The modal before it ("should")."""
    past: bool = False
    """True if it is told as done."""
    subjects: list[Phrase] = field(default_factory=list)
    """More than one where several are joined, or where it can be any of them."""
    objects: list[Phrase] = field(default_factory=list)
    obliques: list[Phrase] = field(default_factory=list)
    """Phrases with a preposition."""
    connective: str = ""
    """The word that joins it to the clause it depends on ("before", "if")."""
    parent: Clause | None = None

    @property
    def phrases(self) -> list[Phrase]:
        """All of its phrases."""
        return [*self.subjects, *self.objects, *self.obliques]


class Reading:
    """The words of a sentence, and the state of its parser."""

    def __init__(self, words: Sequence[Word], text: str, eager: bool = False) -> None:
        self.words = words
        self.eager = eager
        """True to take a word for a verb wherever it may be one: "visitors of the mill park on the street"."""
        self.plain = [_plain(words, at) for at in range(len(words))]
        self.known = [_known(word) for word in self.plain]
        """What is known of each word, whatever its sentence."""
        self.owns = [text.endswith(_POSSESSIVE, word.start, word.end) for word in words]
        """For each word whether it is a possessive, behind which the noun is still to come."""
        gaps = (text[before.end : word.start] for before, word in pairwise(words))
        self.breaks = ["", *("" if gap == " " else _break(gap) for gap in gaps), ";"]
        """For each word the punctuation before it: ";" for what ends a clause, "," for what may; one for the end."""
        self.current: Clause | None = None
        """The clause whose verb has been read."""
        self.front: list[Phrase] = []
        """Phrases of a clause whose verb has not."""
        self.since: list[Phrase] = []
        """Phrases since the last boundary, which a clause that begins there takes with it."""
        self.earlier: list[tuple[str, list[Phrase]]] = []
        """The boundaries before the last one, each with the phrases behind it."""
        self.boundary = ""
        """What the last boundary was: punctuation, a coordinator, "sub" or "rel"."""
        self.waiting: list[tuple[list[Phrase], str]] = []
        """Subjects of clauses that others interrupt before their verb, each with the connective of its clause."""
        self.antecedents: list[Phrase] = []
        """What a relative pronoun that has been read stands for."""
        self.connective = ""
        self.main: Clause | None = None
        """The clause that the next one with a connective depends on."""
        self.preposition = ""
        self.last: Phrase | None = None
        self.inner: Phrase | None = None
        """The part of the last phrase behind its last "of"."""

    # ---- what a word is

    def is_a(self, at: int, *classes: str) -> bool:
        """True if the word at an index is in one of the classes."""
        return at < len(self.known) and not self.known[at].classes.isdisjoint(classes)

    def is_auxiliary(self, at: int) -> bool:
        """True if a word is a finite auxiliary."""
        return at < len(self.known) and self.known[at].auxiliary

    def forms(self, at: int) -> tuple[tuple[str, Form], ...]:
        """The forms of a verb that a word can be; a name and a figure are none."""
        if not 0 <= at < len(self.words) or self.words[at].capital or self.words[at].number:
            return ()
        return verb_forms(self.plain[at])

    def form(self, at: int, *forms: Form) -> str:
        """The base form of a word that can be one of these forms; empty if it cannot."""
        return next((lemma for lemma, form in self.forms(at) if form in forms), "")

    def is_only_verb(self, at: int) -> bool:
        """True if a word is a present form, or the plain one, of a verb that is no noun."""
        return self.form(at, "base", "s") in word_class("only_verb")

    def is_adverb(self, at: int) -> bool:
        """True if a word is an adverb or a negation."""
        return self.known[at].adverb

    def past_adverbs(self, at: int) -> int:
        """The index of the first word from there that is no adverb."""
        while at < len(self.words) and self.is_adverb(at) and self.breaks[at] != ";":
            at += 1
        return at

    def is_closed(self, at: int) -> bool:
        """True if a word can be no part of a noun phrase."""
        return self.known[at].closed

    def is_figure(self, at: int) -> bool:
        """True if a word is a number."""
        return at < len(self.words) and self.words[at].number

    def ends(self, at: int) -> bool:
        """True if the sentence, or a part of it, ends before a word."""
        return bool(self.breaks[min(at, len(self.words))])

    def opens_object(self, at: int) -> bool:
        """True if a word is one that seldom follows a noun, but often a verb."""
        if self.ends(at):
            return False
        word = self.words[at]
        return (
            word.number
            or word.capital
            or word.plain == "to"
            or self.is_a(at, "determiner", "pronoun")
            or self.is_adverb(at)
        )

    def is_plural(self, at: int) -> bool:
        """True if a noun looks like a plural."""
        word = self.plain[at]
        ends_in_s = word.endswith("s") and not word.endswith("ss")
        return ends_in_s or self.words[at].number or word in ("people", "men", "women", "children")

    # ---- what lies ahead

    def finite_ahead(self, at: int) -> bool:
        """True if a word that must be a finite verb comes before the next boundary: the clause has its verb there."""
        for place in range(at, min(at + _AHEAD, len(self.words))):
            if self.breaks[place] == ";" or self.known[place].turning:
                return False
            if self.known[place].auxiliary or (
                place > at and self.is_only_verb(place) and self.plain[place - 1] != "to"
            ):
                return True
            if self.breaks[place] == "," and place > at:
                return False
        return False

    def clause_follows(self, at: int) -> bool:
        """True if a finite verb stands between a word and the next break."""
        for place in range(at + 1, min(at + _AHEAD, len(self.words))):
            if self.ends(place) or self.is_a(place, "opening") or (self.is_a(place, "either") and place > at + 1):
                return False
            if self.is_auxiliary(place) or (place > at + 1 and self._has_subject(place)):
                return True
        return False

    def _has_subject(self, at: int) -> bool:
        """True if a word is a verb of the word before it."""
        before = self.plain[at - 1]
        follows = self.ends(at + 1) or self.opens_object(at + 1)
        if before in word_class("pronoun") or (self.is_plural(at - 1) and not self.is_closed(at - 1) and follows):
            return bool(self.form(at, "base", "past", "s"))
        noun = not self.is_closed(at - 1) and before not in word_class("determiner") and not self.words[at - 1].number
        return noun and bool(self.form(at, "past") or (self.form(at, "s") and follows))

    # ---- the state

    def bound(self, kind: str) -> None:
        """Begin anew behind punctuation or a coordinator."""
        self.earlier.append((self.boundary, self.since))
        self.boundary, self.since, self.preposition = kind, [], ""

    @property
    def needs_verb(self) -> bool:
        """True if the clause that is read has no verb yet, or another one may begin."""
        if self.current is None or self.boundary or self.waiting or self.antecedents:
            return True
        return bool(self.current.connective) and self.current.parent is None  # "When it rains the clerk ..."

    @property
    def has_subject(self) -> bool:
        """True if a phrase without a preposition waits for its verb."""
        return any(not one.preposition for one in (*self.front, *self.since))

    @property
    def is_apposed(self) -> bool:
        """True if a subject that waits for its verb has, behind a comma, another name: "the keeper, Dr Lowrie,"."""
        if self.current is not None or self.since or not self.earlier or len(self.earlier[-1][1]) != 1:
            return False
        comma, (name,) = self.earlier[-1]
        named = self.words[name.first].initial or self.is_a(name.first, "determiner")
        return comma == "," and name in self.front[1:] and not name.preposition and named


def _plain(words: Sequence[Word], at: int) -> str:
    word = words[at].plain
    if word == "a" and words[at].capital:  # "Team A"
        return "A"
    if word == _MONTH.lower() and words[at].initial:
        beside = any(one.number for one in words[max(0, at - 1) : at + 2])
        return _MONTH if words[at].capital or beside else word
    return word.replace("\u2019", "'")


def _break(gap: str) -> Literal[";", ",", ""]:
    """What the punctuation between two words is to a clause."""
    return ";" if _HARD.search(gap) else "," if _SOFT.search(gap) else ""
