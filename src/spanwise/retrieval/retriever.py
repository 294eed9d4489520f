"""From a question to hits: candidates are collected by several searches, scored by every factor, and ranked.

First the documents that may answer are chosen (`subject`). The candidates come from the full-text search with the
question's words and with alternatives (abbreviations, related words, phrasings of the profile, nearest vectors). The
score of a hit is the weighted sum of its factors, which stay with the hit.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import TypeAlias

from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question
from spanwise.retrieval.factors import FACTORS, PAGE_FACTORS, Page, Scene, read_page
from spanwise.retrieval.scope import clipped, in_scope, inside, scopes_of, whole
from spanwise.retrieval.subject import Subject, decide, spread
from spanwise.store.port import Store
from spanwise.store.snapshot import Companion, StoreSnapshot
from spanwise.text.expectations.counting import asked_count
from spanwise.text.expectations.defining import asked_subject
from spanwise.text.languages import ENGLISH
from spanwise.text.paraphrases import worded
from spanwise.text.passage_reading import START_LINES, read_passage, stem_weights
from spanwise.text.related import abbreviations, implied, related
from spanwise.text.sentences import place_of, places_within
from spanwise.text.terms import terms

CANDIDATES = 20
"""Number of passages that the full-text search with the question's words contributes."""
MORE = 40
"""Number of passages that each other search contributes."""
STATEMENT = 15
"""Number of passages that the search for each expected statement contributes."""
METRIC = 10
"""Number of passages that the search for each figure asked for contributes."""
DEFINING = 60
"""Number of passages for the subject of a definition question; many, because a glossary has its name only once."""
SCOPED = 200
"""Most passages in a named section or on named pages that are scored."""
OPENINGS = 5
"""Number of documents whose opening is scored if the profile expects the answer there."""
_RELATED = 60
"""Most related words that are searched for."""
_OF_RELATED = 0.8
"""Factor on the score of passages that only the search with related words found."""
_GLOSSARY = "glossary definitions"
"""Words in the heading of a list of terms."""
Place: TypeAlias = tuple[str, int, int]
"""A page: the document's name with the first and the last line of the page."""
_YEAR = re.compile(r"\d{4}")


def retrieve(question: Question, store: Store, *, documents: Collection[str] | None = None, k: int = 20) -> list[Hit]:
    """The `k` passages that most likely answer, best first; each hit has the factors of its score.

    The documents that may answer are chosen first (`subject.decide`); if there are several groups of them, their best
    passages alternate.
    """
    subject = decide(question, store, documents)
    if subject.groups:
        return spread([_best(question, store, subject, own, k) for _, own in subject.groups], k)
    return _best(question, store, subject, documents if subject.documents is None else subject.documents, k)


def _best(question: Question, store: Store, subject: Subject, documents: Collection[str] | None, k: int) -> list[Hit]:
    weights = factor_weights(question.profile)
    hits = []
    companion = _companion(store)
    if companion is not None:
        weights = {**weights, "vectors": companion.weight * weights["full_text"]}
    for passage, factors in scored(question, store, weights, documents, subject.preferred):
        total = sum(weights[name] * value for name, value in factors.items())
        kept = {name: round(value, 4) for name, value in factors.items() if value}
        hits.append(Hit(passage, round(total, 6), kept))
    ranked = sorted(hits, key=_order)
    tabled = question.metrics or question.statements
    if tabled and weights["crowding"]:
        ranked = _spread(ranked, store, weights["crowding"])
    return (ranked if companion is None else companion.ordered(_asked(question), ranked))[:k]


def scored(
    question: Question,
    store: Store,
    weights: Mapping[str, float],
    documents: Collection[str] | None = None,
    preferred: Collection[str] = (),
) -> list[tuple[Passage, dict[str, float]]]:
    """Every candidate with its factors; only factors with a weight are computed, and the weights are not applied."""
    # Only if the question asks for standard tables does a page tell more than its passages.
    tabled = bool(question.metrics or question.statements)
    of_pages = {name: factor for name, factor in PAGE_FACTORS.items() if tabled and weights[name]}
    of_passages = {name: factor for name, factor in FACTORS.items() if weights.get(name)}
    companion = _companion(store)
    near = [] if companion is None else list(companion.near(_asked(question), documents))
    found = _candidates(question, store, documents, near)
    if preferred:
        own = store.search(question.retrieval_brief.query or question.text, CANDIDATES, preferred)
        found |= {hit.passage.id: (hit.passage, hit.score) for hit in own}
    pages = _pages([passage for passage, _ in found.values()], store) if of_pages else {}
    for members, _ in pages.values():
        for passage in members:
            found.setdefault(passage.id, (passage, 0.0))
    readings = [(read_passage(passage, question.language), score) for passage, score in found.values()]
    stems = _telling(question, store, documents) if of_pages else question.stems
    scene = Scene(
        weights=stem_weights(stems, [reading for reading, _ in readings]),
        best=max((score for _, score in readings), default=0.0),
        short=abbreviations((reading.passage for reading, _ in readings), question.stems),
        preferred=frozenset(preferred),
        near=near,
    )
    shared: dict[str, dict[str, float]] = {}
    for members, page in pages.values():
        values = {name: factor(question, page, scene.weights) for name, factor in of_pages.items()}
        for passage in members:
            before = shared.get(passage.id, values)
            shared[passage.id] = {name: max(value, before[name]) for name, value in values.items()}
    return [
        (
            reading.passage,
            {name: factor(question, reading, score, scene) for name, factor in of_passages.items()}
            | shared.get(reading.passage.id, {}),
        )
        for reading, score in readings
    ]


def _companion(store: Store) -> Companion | None:
    """The search with vectors and the reranker, if the store has it."""
    now = whole(store)
    return now.companion if isinstance(now, StoreSnapshot) else None


def _asked(question: Question) -> str:
    """The question as written, because an embedder copes with misspelled words."""
    return question.written or question.text


def _spread(ranked: Sequence[Hit], store: Store, crowding: float) -> list[Hit]:
    """The hits ranked again after `crowding` was subtracted from each for every better hit on the same page."""
    places = _places([hit.passage for hit in ranked], store)
    seen: Counter[Place] = Counter()
    spread = []
    for hit in ranked:
        place = places[hit.passage.id]
        spread.append(replace(hit, score=round(hit.score - crowding * seen[place], 6)))
        seen[place] += 1
    return sorted(spread, key=_order)


def _order(hit: Hit) -> tuple[float, str, int]:
    return -hit.score, hit.passage.document, hit.passage.line_start


def _telling(question: Question, store: Store, documents: Collection[str] | None) -> list[str]:
    """The question's stems without the years, and without names in the opening if a single document is asked.

    Both are on every page of a filing, so they do not help to tell its pages apart.
    """
    names = list(documents) if documents is not None else [stored.name for stored in islice(store.documents(), 2)]
    dropped: set[str] = set()
    if len(names) == 1:
        opening = {stem for one in store.passages(names[0], 1, START_LINES) for stem in read_passage(one).text}
        dropped = {stem for entity in question.entities for stem in terms(entity)} & opening
    years = {year for time in question.times for year in _YEAR.findall(time)}
    return [stem for stem in question.stems if stem not in dropped | years] or list(question.stems)


def _places(passages: Sequence[Passage], store: Store) -> dict[str, Place]:
    """For each passage id, the page with the middle of the passage."""
    pages = {name: store.pages(name) for name in dict.fromkeys(passage.document for passage in passages)}
    return {
        one.id: (one.document, *place_of((one.line_start + one.line_end) // 2, pages[one.document])) for one in passages
    }


def _pages(passages: Sequence[Passage], store: Store) -> dict[Place, tuple[list[Passage], Page]]:
    """The pages of the passages, each with the passages that belong to it."""
    places: dict[Place, None] = {}
    pages = {name: store.pages(name) for name in dict.fromkeys(passage.document for passage in passages)}
    for passage in passages:
        for first, last in places_within(passage.line_start, passage.line_end, pages[passage.document]):
            if _belongs(passage, first, last):
                places[passage.document, first, last] = None
    found = {}
    for place in places:
        name, first, last = place
        near = store.passages(name, first, last)
        lines = {
            number: text
            for one in near
            for number, text in enumerate(one.text.split("\n"), one.line_start)
            if first <= number <= last
        }
        found[place] = [one for one in near if _belongs(one, first, last)], read_page(tuple(lines.items()))
    return found


def _belongs(passage: Passage, first: int, last: int) -> bool:
    """True if at least a third of the passage is on the page, or a third of the page in the passage."""
    shared = min(passage.line_end, last) - max(passage.line_start, first) + 1
    return 3 * shared >= min(passage.line_end - passage.line_start, last - first) + 1


def _candidates(
    question: Question, store: Store, documents: Collection[str] | None, near: Sequence[Hit] = ()
) -> dict[str, tuple[Passage, float]]:
    """Candidate passages by id with their full-text score, 0 for those that only another search found."""
    brief = question.retrieval_brief
    found = {
        hit.passage.id: (hit.passage, hit.score)
        for hit in store.search(brief.query or question.text, CANDIDATES, documents)
    }
    named = _named(question, store, documents, found)
    if named:  # the question says where to look: use everything there, and nothing else
        return named
    _add_abbreviated(question, store, documents, found)
    _add_related(question, store, documents, found)
    others = [part for hit in near[:CANDIDATES] for part in inside(store, hit.passage)]
    labels = {label for metric in question.metrics for label in metric.rows}
    wordings = [*(wording for wording in brief.expansions if wording not in labels), *brief.sections]
    if wordings:
        others += [hit.passage for hit in store.search(" ".join(wordings), MORE, documents)]
    for statement in question.statements:
        wording = " ".join((*statement.titles, *statement.rows))
        others += [hit.passage for hit in store.search(wording, STATEMENT, documents)]
    for metric in question.metrics:
        others += [hit.passage for hit in store.search(" ".join(metric.rows), METRIC, documents)]
    for wording, most in _of_its_kind(question.text):
        others += [hit.passage for hit in store.search(wording, most, documents)]
    if question.model is not None:
        others += [hit.passage for hit in store.search(" ".join(question.model.terms()), MORE, documents)]
        if question.model.weights.get("@start", 0.0) > 0:
            names = dict.fromkeys(passage.document for passage in [*(p for p, _ in found.values()), *others])
            for name in list(names)[:OPENINGS]:
                others += store.passages(name, 1, START_LINES)
    for passage in others:
        found.setdefault(passage.id, (passage, 0.0))
    return found


def _of_its_kind(question: str) -> Iterator[tuple[str, int]]:
    """Further searches for definitions and counts: the words to search for, and the number of passages."""
    if (subject := asked_subject(question)) is not None:
        yield f"{subject} {_GLOSSARY}", DEFINING
    counted = asked_count(question)
    if counted is not None and not counted.anything:
        yield counted.words, MORE


def _add_abbreviated(
    question: Question,
    store: Store,
    documents: Collection[str] | None,
    found: dict[str, tuple[Passage, float]],
) -> None:
    """Search with abbreviations that the passages introduce for words of the question, and keep the better score.

    Scores of two searches are made comparable by dividing them by their best ones.
    """
    best = max((score for _, score in found.values()), default=0.0)
    stems = frozenset(question.stems)
    for short, long in abbreviations((passage for passage, _ in found.values()), stems).items():
        if short in stems or not long <= stems:
            continue
        others = [word for word in question.keywords if word.source == "direct" and not long.issuperset(word.stems)]
        hits = store.search(" ".join([*(word.text for word in others), short]), CANDIDATES, documents)
        top = max((hit.score for hit in hits), default=0.0) or 1.0
        for hit in hits:
            known = found.get(hit.passage.id, (hit.passage, 0.0))[1]
            found[hit.passage.id] = (hit.passage, max(known, best * hit.score / top))


def _add_related(
    question: Question, store: Store, documents: Collection[str] | None, found: dict[str, tuple[Passage, float]]
) -> None:
    """Search with words related to those of the question that no passage contains ("acquired" for "bought").

    Scores of two searches are made comparable by dividing them by their best ones.
    """
    readings = [read_passage(passage, question.language) for passage, _ in found.values()]
    missing = [stem for stem in question.stems if not any(stem in reading.text for reading in readings)]
    words = dict.fromkeys(other for stem in missing for other in (*related(stem), *sorted(implied(stem))))
    words |= dict.fromkeys(worded(question.text, question.stems, question.language).beyond(readings).said)
    if not words or question.language != ENGLISH:
        return
    asked = question.retrieval_brief.query or question.text
    hits = store.search(" ".join([asked, *islice(words, _RELATED)]), CANDIDATES, documents)
    best = max((score for _, score in found.values()), default=0.0) or 1.0
    top = max((hit.score for hit in hits), default=0.0) or 1.0
    for hit in hits:
        known = found.get(hit.passage.id, (hit.passage, 0.0))[1]
        found[hit.passage.id] = (hit.passage, max(known, _OF_RELATED * best * hit.score / top))


def _named(
    question: Question,
    store: Store,
    documents: Collection[str] | None,
    found: Mapping[str, tuple[Passage, float]],
) -> dict[str, tuple[Passage, float]]:
    """The passages in the section or on the pages that the question names, clipped to them; empty if it names none."""
    scopes = scopes_of(question, documents)
    if not scopes[0].limited:
        return {}
    named: dict[str, tuple[Passage, float]] = {}
    likely = [passage for passage, _ in found.values()]
    near = [passage.document for passage in likely]
    for stretch in (one for scope in scopes for one in in_scope(scope, store, near)):
        inside = store.passages(stretch.document, stretch.first_line, stretch.last_line)[:SCOPED]
        for passage in (*inside, *likely):  # in a long range, also the likely ones beyond the limit
            part = clipped(passage, stretch)
            if part is not None:
                named[part.id] = (part, found.get(passage.id, (passage, 0.0))[1])
    return named


def factor_weights(profile: str | None) -> Mapping[str, float]:
    """The weight of each factor for questions of a profile."""
    tables = _tables()
    return tables["default"] | tables.get(profile or "", {})


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, float]]:
    text = resources.files("spanwise.retrieval").joinpath("weights.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
