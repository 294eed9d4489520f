"""Whose document answers, decided before what answers: the names and times of a question against each document's card.

A name restricts a search only where a document is about it, or where it plainly owns what is asked for. Names that are
only mentioned somewhere, and questions that name nothing, leave every document in.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, TypeAlias

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.retrieval.cards import Card, alike, card_of
from spanwise.store.port import Store
from spanwise.text.names import Name, names
from spanwise.text.terms import terms

OPENED = 48
"""Documents whose cards are compared with one question."""
MENTIONS = 20
"""Passages that are looked through for a name that no document is about."""
MOST_GROUPS = 5
"""Documents of which each can answer for itself; where more fit, the question is asked back."""
_CALLED = 3
"""Grade of a document that is called by a name."""
_FAMILIAR = 0.05
"""Share of a document's passages that speak of a name in a document that knows it well."""
_YEAR = re.compile(r"(?:(?<!\d)|(?<=[qQ][1-4]))(?:19|20)\d\d(?!\d)")
_NEAR = (1, 2, -1)
"""Years from the one asked for to those of reports that may tell of it as well: they compare with the years before."""

Kind: TypeAlias = Literal["any", "one", "several", "mentioned", "absent"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, as far as it restricts the documents."""

    kind: Kind = "any"
    """`any`: nothing is named. `one`: `documents` are about it. `several`: each of `groups` may answer. `mentioned`: a
    name that owns what is asked for stands in some passages only. `absent`: no document knows it."""
    documents: tuple[str, ...] | None = None
    """Documents that may answer; None for all that were asked."""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For several: what each is called, and its documents."""
    name: str = ""
    """The name that decided."""
    stems: tuple[str, ...] = ()
    """Its stems."""
    familiar: frozenset[str] = frozenset()
    """For `mentioned`: documents that speak of the name all the time."""

    @property
    def message(self) -> str:
        """What to tell where no document knows the name."""
        return f"None of the documents is about {self.name}, and none mentions it." if self.kind == "absent" else ""

    def allows(self, hit: Hit) -> bool:
        """Whether a passage may speak of the subject: it is in a document about it, or names it itself."""
        passage = hit.passage
        if self.documents is not None and passage.document not in self.documents:
            return False
        if self.kind != "mentioned" or passage.document in self.familiar:
            return True
        return _says(self.stems, passage.text) or _says(self.stems, passage.section or "")


def decide(question: Question, store: Store, documents: Collection[str] | None = None) -> Subject:
    """Whose document answers a question.

    Args:
        question: The question; its text and its times are read.
        store: The documents.
        documents: Names of those that were asked; None for all.
    """
    asked = names(question.text)
    several = len(list(islice(store.documents(), 2)) if documents is None else documents) > 1
    if not asked:
        return _of_series(question, store, documents) if several and question.times else Subject()
    cards = _cards(question, asked, store, documents)
    known = _known(asked, cards)
    if known:
        return _among(question, known, cards) if several else Subject()
    for name in asked:
        if name.owner and name.sure:
            return _elsewhere(name, store, documents)
    return Subject()


def _cards(
    question: Question, asked: Sequence[Name], store: Store, documents: Collection[str] | None
) -> dict[str, Card]:
    """The cards of the documents that may be about one of the names."""
    words = [word for name in asked for one in (name, *name.parts) for word in (one.text, one.joined)]
    found = store.openings(" ".join([*words, *_years(question)]), OPENED, documents)
    return {name: card_of(name, store) for name in found}


@dataclass(frozen=True, slots=True)
class _Known:
    """A name that documents are about."""

    name: Name
    grade: int
    """How much the best of them is."""
    documents: tuple[str, ...]

    @property
    def rank(self) -> tuple[bool, int]:
        """What is asked for belongs to its owner; else to what a document is called."""
        return self.name.owner, self.grade


def _known(asked: Sequence[Name], cards: Mapping[str, Card]) -> list[_Known]:
    """The names that documents are about, each with these documents.

    A name that documents only mention in their first lines counts where it owns what is asked for.
    """
    found = []
    for name in asked:
        for one in (name, *name.parts):
            grades = {document: card.knows(one) for document, card in cards.items()}
            best = max(grades.values(), default=0)
            if best >= (1 if one.owner and one.sure else 2):
                least = min(best, 2)
                about = tuple(document for document, grade in grades.items() if grade >= least)
                found.append(_Known(one, best, about))
                if one is name:
                    break
    return found


def _among(question: Question, known: Sequence[_Known], cards: Mapping[str, Card]) -> Subject:
    """The documents about the names, and among these the ones of the time that is asked about."""
    best = max(known, key=lambda one: one.rank)
    if shared := set.intersection(*(set(one.documents) for one in known)):
        return _of_time(question, best.name, [one for one in best.documents if one in shared], cards)
    rivals = [one for one in known if one.rank >= (best.name.owner, _CALLED) or one is best]
    if len(rivals) == 1:
        return _of_time(question, best.name, best.documents, cards)
    groups = []
    for one in rivals:
        chosen = _of_time(question, one.name, one.documents, cards)
        groups += list(chosen.groups) or [(one.name.text, chosen.documents or one.documents)]
    every = tuple(dict.fromkeys(document for _, found in groups for document in found))
    return Subject("several", every, tuple(groups), ", ".join(one.name.text for one in rivals), best.name.stems)


def _of_time(question: Question, name: Name, found: Sequence[str], cards: Mapping[str, Card]) -> Subject:
    chosen = [cards[document] for document in found]
    years = _years(question)
    if years and len(chosen) > 1:
        chosen = _of_day(question, _of_year(years, chosen))
    documents = tuple(card.name for card in chosen)
    if not years and alike(chosen):
        groups = tuple((card.name, (card.name,)) for card in sorted(chosen, key=lambda card: (card.years, card.name)))
        return Subject("several", documents, groups, name.text, name.stems)
    return Subject("one", documents, (), name.text, name.stems)


def _of_year(years: Sequence[str], cards: list[Card]) -> list[Card]:
    """The documents of the latest of some years, of another one of them, or of the years near it; else all."""
    for year in sorted(years, reverse=True):
        if found := [card for card in cards if year in card.years]:
            return found
        for away in _NEAR:
            near = str(int(year) + away)
            if found := [card for card in cards if near in card.years and (year in card.mentioned or away > 0)]:
                return found
    mentioned = [card for card in cards if card.mentioned.intersection(years)]
    return mentioned or cards


def _of_day(question: Question, cards: list[Card]) -> list[Card]:
    """Of documents with dates in their titles those of the day or month that is asked about, where there is one."""
    found = [card for card in cards if _dated(question, card)]
    return found or cards


def _dated(question: Question, card: Card) -> bool:
    return any(
        date == time or date.startswith(f"{time}-") or time.startswith(f"{date}-")
        for time in question.times
        if len(time) >= len("2022-06")
        for date in card.dates
    )


def _of_series(question: Question, store: Store, documents: Collection[str] | None) -> Subject:
    """Of minutes, reports and the like that differ in their dates the one whose kind and date the question names."""
    years, stems = _years(question), frozenset(question.stems)
    found = store.openings(" ".join([*question.times, *years, question.text]), OPENED, documents)
    cards = [card for card in (card_of(name, store) for name in found) if card.kind & stems and card.years]
    series = [card for card in cards if any(alike([card, other]) for other in cards)]
    chosen = _of_day(question, [card for card in series if set(card.years).intersection(years)])
    if not chosen or len({card.kind for card in chosen}) > 1:
        return Subject()
    return Subject("one", tuple(card.name for card in chosen), (), question.times[0])


def _elsewhere(name: Name, store: Store, documents: Collection[str] | None) -> Subject:
    """What is to be made of a name that owns what is asked for and that no document is about."""
    hits = store.search(name.text, MENTIONS, documents)
    saying = [hit for hit in hits if _says(name.stems, f"{hit.passage.section or ''}\n{hit.passage.text}")]
    if saying:
        counts: dict[str, int] = {}
        for hit in saying:
            counts[hit.passage.document] = counts.get(hit.passage.document, 0) + 1
        familiar = frozenset(
            document for document, count in counts.items() if count >= _FAMILIAR * store.stored(document).passages
        )
        return Subject("mentioned", None, (), name.text, name.stems, familiar)
    # A part of the name may be how the documents call it.
    parts = [word for word in name.text.split() if terms(word)]
    if len(parts) > 1 and any(re.search(rf"\b{re.escape(part)}\b", hit.passage.text) for hit in hits for part in parts):
        return Subject()
    return Subject("absent", None, (), name.text, name.stems)


def _says(stems: Sequence[str], text: str) -> bool:
    return f" {' '.join(stems)} " in f" {' '.join(terms(text))} "


def _years(question: Question) -> list[str]:
    return list(dict.fromkeys(_YEAR.findall(" ".join([*question.times, question.text]))))


def spread(hits: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """The best hits of several groups in turn, at most `k`."""
    found = {
        one[place].passage.id: one[place]
        for place in range(max(map(len, hits), default=0))
        for one in hits
        if place < len(one)
    }
    return list(found.values())[:k]


def narrowed(subject: Subject, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that may speak of the subject; all of them where none does."""
    return [hit for hit in hits if subject.allows(hit)] or list(hits)


__all__ = ["MOST_GROUPS", "Subject", "decide", "narrowed", "replace", "spread"]
