"""The choice of documents that may answer, by comparing the names and times in a question with each document's card.

A name restricts the search only if a document is about it, or if the name clearly owns what is asked for ("Acme's
revenue"). A name that is only mentioned somewhere, or a question without names, restricts nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import Literal, TypeAlias

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.retrieval.cards import Card, alike, card_of
from spanwise.retrieval.scope import whole
from spanwise.store.port import Store
from spanwise.text.expectations.defining import asked_subject
from spanwise.text.expectations.proper_names import Name, names
from spanwise.text.fold import folded
from spanwise.text.paraphrases import is_everyday
from spanwise.text.terms import terms

OPENED = 32
"""Most documents whose cards are compared with one question."""
MENTIONS = 20
"""Number of passages that are searched for a name that no document is about."""
MOST_GROUPS = 5
"""Most documents that each answer for themselves; if more fit, a clarifying question is asked."""
_CALLED, _PRESENTED = 3, 2
"""Grades of `Card.knows` for documents that are called by a name, and that present themselves with it."""
_CAPITAL = re.compile(r"\b[A-Z]\w{2,40}")
_SPELLED_ALIKE = 0.8
"""Least similarity of another name that may be the same one misspelled."""
_FAMILIAR = 0.05
"""Least share of a document's passages that mention a name, for the document to be familiar with it."""
_INITIALS = re.compile(r"[A-Z]{2,5}s?")
_YEAR = re.compile(r"(?:(?<!\d)|(?<=[qQ][1-4]))(?:19|20)\d\d(?!\d)")
_NEAR = (1, 2, -1)
"""Offsets from the year asked for to the years of reports that may also cover it, since they compare with earlier
years."""

Kind: TypeAlias = Literal["any", "likely", "one", "several", "mentioned", "absent"]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a question, as far as it restricts the documents."""

    kind: Kind = "any"
    """`any`: nothing is named. `likely`: the openings of `preferred` have a name of the question. `one`: what is asked
    for belongs to the subject of `documents`. `several`: it belongs to more than one, and each of `groups` may answer.
    `mentioned`: some passages mention its owner. `absent`: no document knows its owner."""
    documents: tuple[str, ...] | None = None
    """Names of the documents that may answer; None for all."""
    preferred: frozenset[str] = frozenset()
    """Names of the documents whose passages are ranked higher."""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For `several`: the label and the documents of each subject."""
    name: str = ""
    """The name on which the choice is based."""
    stems: tuple[str, ...] = ()
    """The stems of that name."""
    about: Name | None = None
    """For `mentioned`: the parsed name."""
    familiar: frozenset[str] = frozenset()
    """For `mentioned`: names of the documents that mention the name often."""
    said: frozenset[str] = frozenset()
    """Stems of the names that the chosen documents are about, which a passage need not repeat, and of `missing`."""
    missing: str = ""
    """A name that no document knows, if it does not own what is asked for or documents know another owner; else
    empty."""

    @property
    def message(self) -> str:
        """The message if no document is about the name."""
        more = ", and none mentions it" if self.kind == "absent" else ""
        return f"None of the documents is about {self.name}{more}."

    @property
    def unknown(self) -> str:
        """The name if no document knows it, else empty."""
        return self.name if self.kind == "absent" else ""

    def allows(self, hit: Hit) -> bool:
        """True if a passage may be about the subject: it is in a document about it, or it contains the name."""
        passage = hit.passage
        if self.documents is not None and passage.document not in self.documents:
            return False
        if self.kind != "mentioned" or passage.document in self.familiar:
            return True
        return self.about is None or _names(self.about, hit)

    def owns(self, document: str, said: str) -> bool:
        """True if these lines of a document are certainly about the subject."""
        if self.missing:
            return False
        if self.kind == "mentioned":
            return document in self.familiar or (self.about is not None and self.about.said_in(said))
        return not self.preferred or document in self.preferred


def decide(question: Question, store: Store, documents: Collection[str] | None = None) -> Subject:
    """The subject of a question, by its names and times; `documents` are the names of the documents searched."""
    store = whole(store)  # a document presents its subject at its beginning, whether in scope or not
    defined = tuple(terms(asked_subject(question.text) or ""))
    asked = [name for name in names(question.text) if name.stems != defined and not _is_common(name)]
    several = len(list(islice(store.documents(), 2)) if documents is None else documents) > 1
    if not asked:
        return _of_series(question, store, documents) if several and question.times else Subject()
    cards = _cards(question, asked, store, documents)
    known = _known(asked, cards)
    owned = any(one.presented and one.name.owner for one in known)
    unknown = [name for name in asked if name.owner and name.sure and not _is_known(name, known)]
    other = _elsewhere(question, unknown[0], store, documents) if unknown else Subject()
    if not owned and other.kind != "any":
        return other
    if not known and not unknown and (strange := next((name for name in asked if name.sure), None)) is not None:
        return Subject(missing=_elsewhere(question, strange, store, documents).unknown)
    subject = _familiar_too(_among(question, known, cards), known, store, documents)
    if subject.preferred and not several:
        return Subject()
    if subject.documents is not None:
        said = {stem for one in known if one.presented for stem in one.name.stems}
        said.update(other.stems if other.unknown else ())
        subject = replace(subject, said=frozenset(said), missing=other.unknown)
    return subject


def _is_common(name: Name) -> bool:
    """True for everyday initials that documents write out: OAPs are pensioners."""
    return _INITIALS.fullmatch(name.text) is not None and is_everyday(name.text)


def without_subject(question: Question, subject: Subject) -> Question:
    """The question without the words that name its subject, if the documents that may answer are all about it."""
    every = Counter(terms(question.text))
    twice = {stem for stem in subject.said if every[stem] > 1}
    dropped = subject.said - twice
    left = tuple(word for word in question.keywords if word.source != "direct" or not dropped.issuperset(word.stems))
    if not dropped or not any(word.source == "direct" for word in left):
        return question
    query = " ".join(word.text for word in left if word.source == "direct")
    return replace(question, keywords=left, retrieval_brief=replace(question.retrieval_brief, query=query))


def _is_known(name: Name, known: Sequence[_Known]) -> bool:
    """True if documents are about a name, or about a part of a joint name."""
    return any(one.name.stems in (name.stems, *(part.stems for part in name.parts)) for one in known)


def _cards(
    question: Question, asked: Sequence[Name], store: Store, documents: Collection[str] | None
) -> dict[str, Card]:
    """The cards of the documents that may be about one of the names, by document name."""
    words = [word for name in asked for one in (name, *name.parts) for word in (one.text, one.joined)]
    found = store.openings(list(dict.fromkeys(words)), " ".join(_years(question)), OPENED, documents)
    return {name: card_of(name, store) for name in found}


@dataclass(frozen=True, slots=True)
class _Known:
    """A name that documents are about."""

    name: Name
    grade: int
    """The best grade among the documents."""
    documents: tuple[str, ...]

    presented: bool
    """True if it certainly is a name, and one that documents are called by or present themselves with."""


def _known(asked: Sequence[Name], cards: Mapping[str, Card]) -> list[_Known]:
    """The names that documents are about, each with those documents."""
    found = []
    for name in asked:
        for one in (name, *name.parts):
            grades = {document: card.knows(one) for document, card in cards.items()}
            best = max(grades.values(), default=0)
            if best:
                least = min(best, _PRESENTED)
                about = tuple(document for document, grade in grades.items() if grade >= least)
                common = len(one.stems) == 1 and any(one.stems[0] in card.common for card in cards.values())
                presented = one.sure and best >= _PRESENTED and not (common and best < _CALLED)
                found.append(_Known(one, best, about, presented))
                if one is name:
                    break
    return found


def _among(question: Question, known: Sequence[_Known], cards: Mapping[str, Card]) -> Subject:
    """The documents about the names, narrowed to the time asked about.

    They are the only ones that may answer in three cases: a name owns what is asked for, documents present two of the
    names together, or a document is called by the name and covers the very year. Otherwise they are only preferred.
    """
    if not known:
        return Subject()
    presented = [one for one in known if one.presented]
    owners = [one for one in presented if one.name.owner]
    if len(presented) > 1 and (shared := set.intersection(*(set(one.documents) for one in presented))):
        best = next(iter(owners or presented))
        return _of_time(question, best.name, [one for one in best.documents if one in shared], cards)
    years = set(_years(question))
    dated = [
        one
        for one in presented
        if one.grade == _CALLED and any(years.intersection(cards[document].years) for document in one.documents)
    ]
    chosen = [_of_time(question, one.name, one.documents, cards) for one in owners or dated]
    if not chosen or len(cards) >= OPENED:  # more documents may fit than were compared
        near = [_of_time(question, one.name, one.documents, cards) for one in known]
        return Subject("likely", preferred=frozenset(document for one in near for document in one.documents or ()))
    if len(chosen) == 1:
        return chosen[0]
    groups = [group for one in chosen for group in one.groups or ((one.name, one.documents or ()),)]
    every = tuple(dict.fromkeys(document for _, found in groups for document in found))
    name = " and ".join(dict.fromkeys(one.name for one in chosen))
    return Subject("several", every, groups=tuple(groups), name=name, stems=chosen[0].stems)


def _familiar_too(
    subject: Subject, known: Sequence[_Known], store: Store, documents: Collection[str] | None
) -> Subject:
    """The subject with the documents added that mention the name often, unless a document is called by it."""
    if subject.kind != "one" or subject.documents is None:
        return subject
    if any(one.grade == _CALLED and one.name.stems == subject.stems for one in known):
        return subject
    name = next(one.name for one in known if one.name.stems == subject.stems)
    saying = [hit for hit in store.search(name.text, MENTIONS, documents) if _names(name, hit)]
    further = _familiar(saying, store) - {document for one in known for document in one.documents}
    return replace(subject, documents=(*subject.documents, *sorted(further)))


def _of_time(question: Question, name: Name, found: Sequence[str], cards: Mapping[str, Card]) -> Subject:
    chosen = [cards[document] for document in found]
    years = _years(question)
    if years and len(chosen) > 1:
        chosen = _of_day(question, _of_year(years, chosen))
    documents = tuple(card.name for card in chosen)
    if not years and alike(chosen):
        groups = tuple((card.name, (card.name,)) for card in sorted(chosen, key=lambda card: (card.years, card.name)))
        return Subject("several", documents, groups=groups, name=name.text, stems=name.stems)
    return Subject("one", documents, name=name.text, stems=name.stems)


def _of_year(years: Sequence[str], cards: list[Card]) -> list[Card]:
    """The documents of the latest year asked about, else of another one or of nearby years; else all."""
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
    """The documents dated on the day or in the month asked about; all if there are none."""
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
    """The minutes, report or the like, out of a series, whose kind and date the question names."""
    years, stems = _years(question), frozenset(question.stems)
    found = store.openings(years, question.text, OPENED, documents)
    cards = [card for card in (card_of(name, store) for name in found) if card.kind & stems and card.years]
    series = [card for card in cards if any(alike([card, other]) for other in cards)]
    chosen = _of_day(question, [card for card in series if set(card.years).intersection(years)])
    if not chosen or len({card.kind for card in chosen}) > 1:
        return Subject()
    return Subject("one", tuple(card.name for card in chosen), name=question.times[0])


def _elsewhere(question: Question, name: Name, store: Store, documents: Collection[str] | None) -> Subject:
    """The subject for a name that owns what is asked for and that no document is about: mentioned, absent or any."""
    hits = store.search(name.text, MENTIONS, documents)
    if any(_names(part, hit) for part in name.parts for hit in hits):
        return Subject()
    if saying := [hit for hit in hits if _names(name, hit)]:
        return Subject("mentioned", name=name.text, stems=name.stems, about=name, familiar=_familiar(saying, store))
    words = [word for word in name.text.split() if terms(word) and word[0].isupper()]
    for word in words if len(words) > 1 else ():  # the documents may use a part of the name
        alone = re.compile(rf"(?<![A-Z]\w)(?<!\w){re.escape(word)}(?!\w| [A-Z])")
        if _familiar([hit for hit in hits if alone.search(hit.passage.text)], store):
            return Subject()
    rest = store.search(question.text.replace(name.text, " "), MENTIONS, documents)
    written = {folded(word) for hit in rest for word in _CAPITAL.findall(hit.passage.text)}
    last = folded(words[-1] if words else name.text)
    if last not in written and get_close_matches(last, sorted(written), 1, _SPELLED_ALIKE):
        return Subject()
    return Subject("absent", name=name.text, stems=name.stems)


def _familiar(hits: Sequence[Hit], store: Store) -> frozenset[str]:
    """The documents of whose passages a sufficient share is among the hits."""
    counts = Counter(hit.passage.document for hit in hits)
    return frozenset(
        document for document, count in counts.items() if count >= _FAMILIAR * store.stored(document).passages
    )


def _names(name: Name, hit: Hit) -> bool:
    """True if a passage or its heading contains a name."""
    return name.said_in(hit.passage.text) or name.said_in(hit.passage.section or "")


def _years(question: Question) -> list[str]:
    return list(dict.fromkeys(_YEAR.findall(" ".join([*question.times, question.text]))))


def spread(hits: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """The hits of several groups alternating, each group's best first, at most `k`."""
    found = {
        one[place].passage.id: one[place]
        for place in range(max(map(len, hits), default=0))
        for one in hits
        if place < len(one)
    }
    return list(found.values())[:k]
