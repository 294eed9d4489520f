"""`AgenticRetriever`: sections ranked by intent, entities and query words, over any store of sections."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypedDict, cast

from spanwise.text.terms import contains_phrase, folded_words, singular, words

_log = logging.getLogger(__name__)

PRIMARY_INTENT = 7.0
SECONDARY_INTENT = 5.0
ENTITY_IN_CONTENT = 1.0
ENTITY_IN_TITLE = 1.5
TERM_IN_CONTENT = 0.5
SHORTEST_TERM = 4
THRESHOLD = 2.0
MOST_SECTIONS = 5


class DocumentStore(Protocol):
    """A source of a document's sections; each section is a mapping with `title`, `content` and `page_num`."""

    async def full_text_search(self, query: str) -> Sequence[Mapping[str, object]]:
        """The sections that contain words of the query; a number in `_text_boost` adds to a section's score."""

    async def all_sections(self) -> Sequence[Mapping[str, object]]:
        """Every section of the document, in its order."""


class ScoredSection(TypedDict, total=False):
    """A copy of a store's section with its score; other keys of the store's section are kept."""

    title: str
    content: str
    page_num: int
    _relevance_score: float


class AgenticRetriever:
    """Ranks the sections of a document by how likely they answer a question.

    Args:
        doc_store: The sections to search.
    """

    INTENT_SECTION_MAP: Mapping[str, Sequence[str]] = {
        "penalty": ["Late Payment Penalties", "Payment Terms"],
        "payment_terms": ["Payment Terms", "Late Payment Penalties"],
        "intellectual_property": ["Intellectual Property Rights"],
        "indemnification": ["Indemnification"],
        "termination": ["Termination for Convenience"],
        "confidentiality": ["Confidentiality"],
        "scope_of_services": ["Scope of Services"],
    }
    """Expected section titles for each intent, the most likely first; may be replaced on an instance or in a
    subclass."""

    def __init__(self, doc_store: DocumentStore) -> None:
        self.doc_store = doc_store

    async def retrieve(self, query: str, decomposition: Mapping[str, object]) -> list[ScoredSection]:
        """The best sections: at most five with a score of at least 2.0, or the single best one if there is none.

        Args:
            query: The question as asked.
            decomposition: The output of `QueryDecomposer`: `intent` and `entities`; `constraints` and `temporals` are
                accepted and ignored. Two more keys widen the search: `scope` set to `"all"` scores every section
                instead of the full-text hits, and `threshold` replaces the 2.0.

        Returns:
            Copies of the store's sections with `_relevance_score`, the highest first, equal ones in the order of their
            pages; empty only if the store is empty.
        """
        candidates = await self._candidates(query, decomposition)
        scored = [self._scored(section, query, decomposition) for section in candidates]
        scored.sort(key=lambda section: (-section["_relevance_score"], _page(section)))
        relevant = self._filter_irrelevant(scored, _number(decomposition.get("threshold"), THRESHOLD))
        selected = relevant[:MOST_SECTIONS] or scored[:1]
        _log.info(
            "retrieved %d of %d sections for intent %s (constraints: %s)",
            len(selected),
            len(candidates),
            decomposition.get("intent"),
            ", ".join(sorted(_constraint_names(decomposition))) or "none",
        )
        return selected

    async def _candidates(self, query: str, decomposition: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
        if decomposition.get("scope") == "all":
            return await self.doc_store.all_sections() or []
        return await self.doc_store.full_text_search(query) or await self.doc_store.all_sections() or []

    def _scored(self, section: Mapping[str, object], query: str, decomposition: Mapping[str, object]) -> ScoredSection:
        record = {
            **section,
            "title": _text(section, "title"),
            "content": _text(section, "content"),
            "_relevance_score": self._score_section(section, query, decomposition),
        }
        return cast("ScoredSection", record)

    def _score_section(self, section: Mapping[str, object], query: str, decomposition: Mapping[str, object]) -> float:
        """The sum of the points for the intent, the entities, the words of the query, and the store's own boost."""
        title, content = folded_words(_text(section, "title")), folded_words(_text(section, "content"))
        return (
            self._intent_score(_text(section, "title"), decomposition.get("intent"))
            + _entity_score(title, content, decomposition.get("entities"))
            + _term_score(content, query)
            + _number(section.get("_text_boost"), 0.0)
        )

    def _intent_score(self, title: str, intent: object) -> float:
        expected = self.INTENT_SECTION_MAP.get(intent, ()) if isinstance(intent, str) else ()
        titles = [_plain(name) for name in expected]
        if _plain(title) not in titles:
            return 0.0
        return PRIMARY_INTENT if _plain(title) == titles[0] else SECONDARY_INTENT

    def _filter_irrelevant(self, sections: Sequence[ScoredSection], threshold: float = 1.0) -> list[ScoredSection]:
        """The sections whose score is at least the threshold, in their order."""
        return [section for section in sections if section["_relevance_score"] >= threshold]


def _entity_score(title: Sequence[str], content: Sequence[str], entities: object) -> float:
    """Points for each distinct entity; the words of an entity must be adjacent."""
    if not isinstance(entities, list | tuple):
        return 0.0
    phrases = {tuple(folded_words(entity)) for entity in entities if isinstance(entity, str)}
    return sum(
        ENTITY_IN_CONTENT * contains_phrase(content, phrase) + ENTITY_IN_TITLE * contains_phrase(title, phrase)
        for phrase in phrases
    )


def _term_score(content: Sequence[str], query: str) -> float:
    """Points for each distinct word of the query with four letters or more that the content contains."""
    terms = {singular(word) for word in words(query) if len(word) >= SHORTEST_TERM}
    return TERM_IN_CONTENT * len(terms.intersection(content))


def _constraint_names(decomposition: Mapping[str, object]) -> list[str]:
    constraints = decomposition.get("constraints")
    return [str(name) for name in constraints] if isinstance(constraints, Mapping) else []


def _text(section: Mapping[str, object], key: str) -> str:
    value = section.get(key)
    return "" if value is None else str(value)


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def _page(section: Mapping[str, object]) -> float:
    return _number(section.get("page_num"), math.inf)


def _number(value: object, otherwise: float) -> float:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    return float(cast("float", value)) if usable else otherwise
