"""The caller's request, and the `Question` parsed from it with the profiles that fit the documents searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial

from spanwise.domain.claim import Policy
from spanwise.domain.question import Keyword, Question, Scope
from spanwise.questions.asked_figures import asked_metrics
from spanwise.questions.parse import covering, demanded, meant_like, parse_with
from spanwise.questions.profiles import load_profile
from spanwise.retrieval.retriever import CANDIDATES
from spanwise.retrieval.scope import whole
from spanwise.store.port import Store, remembered
from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.passage_reading import START_LINES
from spanwise.text.spelling import corrected, corrections
from spanwise.text.terms import terms, words

OPENED = 5
"""Number of hits whose documents are examined to find out what kind of documents is asked about."""
MOST_KEYWORDS = 15
"""Most keywords of one question, including those discovered while answering; the original ones always stay."""
_DISCOVERED = 0.5
"""Weight of a keyword that the user did not write; one that they wrote weighs 1."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question with its options as the caller gave them."""

    text: str
    documents: tuple[str, ...] | None = None
    """Names of the documents to search; None for all."""
    profile: str | None = None
    """Name or path of a profile; None for the built-in ones that fit the documents searched."""
    type: str | None = None
    """Label of the type that the answer must have; None leaves it to the words of the question."""
    shape: str | None = None
    policy: Policy = "prune"
    """What is returned of text that is not supported."""
    scope: Scope | None = None
    """The part of those documents to which the question is limited."""
    language: str | None = None
    """Code of the question's language; None to recognise it from its words."""
    whole: bool = False
    """Whether every passage is read, because the passages were retrieved for this question elsewhere."""
    stronger: str | None = None
    """Name of the model that writes if more than one value is asked for; None for the usual model everywhere."""


def question_of(request: Request, store: Store) -> Question:
    """The parsed question, with the type and shape that the request demands."""
    return demanded(_parsed(request.text, request, store), request.type, request.shape)


def part_of(part: str, whole: Question, request: Request, store: Store) -> Question:
    """A part of a compound question, parsed; the demands on the whole question apply to it."""
    return meant_like(whole, _parsed(part, request, store))


def with_keywords(question: Question, discovered: Collection[str]) -> Question:
    """The question with additional keywords, at most 15 in all; the original ones come first, and case is ignored."""
    known = {keyword.casefold() for keyword in question.keywords}
    fresh = [word for word in dict.fromkeys(discovered) if word.strip() and word.casefold() not in known]
    room = max(0, MOST_KEYWORDS - len(question.keywords))
    added = tuple(Keyword(word, tuple(terms(word)), _DISCOVERED, "llm_expansion") for word in fresh[:room])
    if not added:
        return question
    brief = question.retrieval_brief
    return replace(
        question,
        keywords=(*question.keywords, *added),
        retrieval_brief=replace(brief, expansions=(*brief.expansions, *(keyword.text for keyword in added))),
    )


def _parsed(text: str, request: Request, store: Store) -> Question:
    made = (
        corrections(text, _Words(store, request.documents))
        if (request.language or language_of(text)) == ENGLISH
        else []
    )
    question = replace(_read(corrected(text, made), request, store), limits=request.scope)
    return replace(question, written=text, corrections={one.written: one.meant for one in made}) if made else question


def _read(text: str, request: Request, store: Store) -> Question:
    store = whole(store)  # the kind of a document also shows outside the scope
    parsed = partial(parse_with, text, language=request.language)
    if request.profile is not None:
        return parsed([load_profile(request.profile)])
    plain = parsed([])
    if plain.clarification is not None and parsed(covering(None)).clarification is not None:
        return plain  # too vague to be searched for; but in a contract "the term" is not vague
    # As many as will be retrieved for the same words, so that the store can reuse this result.
    near = store.search(plain.retrieval_brief.query or plain.text, CANDIDATES, request.documents)[:OPENED]
    names = list(dict.fromkeys(hit.passage.document for hit in near))
    names = names or list(request.documents or [one.name for one in store.documents()])[:1]
    kinds = Counter(profile for name in names for profile in _covering(name, store))
    likely = [
        profile
        for profile in covering(None)
        if 2 * kinds[profile.name] >= len(names)
        # Whatever a report begins with, a question for net income next to an income statement asks for its row.
        or (asked_metrics(text, profile).named and any(profile.holds_statement(hit.passage.text) for hit in near))
    ]
    if not likely:
        return plain
    return parsed(likely, mixed=any(kinds[profile.name] < len(names) for profile in likely))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of the documents searched, as a `spanwise.text.spelling.Vocabulary`."""

    store: Store
    documents: tuple[str, ...] | None

    def similar_terms(self, word: str) -> Mapping[str, int]:
        return self.store.similar_terms(word)

    def words_like(self, word: str) -> frozenset[str]:
        hits = self.store.search(word, CANDIDATES, self.documents)
        return frozenset(one for hit in hits for one in words(hit.passage.text) if one)


@remembered
def _covering(name: str, store: Store) -> tuple[str, ...]:
    """Names of the built-in profiles that fit a document."""
    opening = "\n".join(passage.text for passage in store.passages(name, 1, START_LINES))
    return tuple(profile.name for profile in covering(opening))
