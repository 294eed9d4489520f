"""From the words of a question to a Question: code and data only, the same question gives the same parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from spanwise.domain.document import Document
from spanwise.domain.question import GenerationBrief, Keyword, Metric, Question, RetrievalBrief
from spanwise.errors import QuestionError, expect
from spanwise.questions.decomposer import constraints
from spanwise.questions.mentions import entities, named_pages, named_section, split_instructions, without_pages
from spanwise.questions.metrics import AskedFigures, asked_metrics, expected_statements, metric_share
from spanwise.questions.parts import split_parts
from spanwise.questions.profiles import SHIPPED, Intent, Profile, load_profile, match_intent, shipped_profile
from spanwise.questions.shape import COUNTS, answer_shape, answer_type, expected_count
from spanwise.text.languages import ENGLISH, known_language, language_of
from spanwise.text.quantities import quantities
from spanwise.text.reading import START_LINES
from spanwise.text.terms import terms, words_in_any_script

MOST_CHARACTERS = 20_000
"""Longer input is a document, not a question."""
MOST_PARTS = 20
"""Each is answered by itself: more are a list of questions."""


def parse_question(
    text: str, *, profile: str | None = None, document: Document | None = None, language: str | None = None
) -> Question:
    """Parse a question.

    Args:
        text: The question.
        profile: Name of a shipped profile (contracts, filings, standards) or path of one; by default every shipped
            profile that covers the document.
        document: What is asked about, when it is one document.
        language: Code of the language that it is asked in; by default its words tell.

    Raises:
        QuestionError: It is empty, has no word at all, is longer than MOST_CHARACTERS, or has more than MOST_PARTS
            parts.
        ProfileError: There is no such profile.
        InputError: Nothing is known of the language.
    """
    if profile is not None:
        return parse_with(text, [load_profile(profile)], language=language)
    opening = "\n".join(line.text for line in document.lines[:START_LINES]) if document is not None else None
    return parse_with(text, covering(opening), language=language)


def covering(opening: str | None) -> list[Profile]:
    """The shipped profiles that cover a document which begins like this; all of them when it is not known."""
    return [one for one in map(shipped_profile, SHIPPED) if opening is None or one.covers(opening)]


def parse_with(text: str, profiles: Sequence[Profile], *, mixed: bool = False, language: str | None = None) -> Question:
    """Parse a question with the knowledge of some profiles.

    Args:
        text: The question.
        profiles: Kinds of documents that may be asked.
        mixed: Whether other kinds may be asked just as well; then a question is of a profile only where it means
            something that the profile knows.
        language: Code of the language that it is asked in; by default its words tell.

    Raises:
        QuestionError, InputError: As for `parse_question`.
    """
    asked = _checked(text)
    query, instructions = split_instructions(asked)
    pages = named_pages(query)
    query = without_pages(query) or query
    scope = named_section(query)
    shape = answer_shape(asked)
    count = expected_count(query) if shape == "listing" else None
    # "the five characteristics": five is the number of elements, not a word to look for.
    dropped = [*(terms(" ".join(COUNTS)) if count is not None else ()), *(terms("section") if scope else ())]
    language = language_of(asked) if language is None else known_language(language)
    keywords = direct_keywords(query, without=dropped, language=language)
    matched = match_intent(query, profiles)
    profile, intent = matched or (None, None)
    kind = answer_type(query)
    wider = kind in _WIDER or (kind == "person" and shape == "listing")
    if intent is not None and intent.answer_shape != "single" and shape == "single":
        shape = intent.answer_shape
    if intent is not None and intent.answer_type != "text" and wider:
        kind = intent.answer_type
    if profile is None:
        profile = next((one for one in profiles if one.general and not (mixed and _foreign(asked, query, one))), None)
    figures = asked_metrics(query, profile) if profile is not None else AskedFigures()
    names = entities(query)
    expert = expert_keywords(query, profiles, intent, figures.metrics)
    pattern, parts = split_parts(query)
    if len(parts) > MOST_PARTS:
        raise QuestionError(
            f"the question asks {len(parts):,} things at once, more than {MOST_PARTS}: ask them one by one"
        )
    return Question(
        text=asked,
        keywords=keywords + expert,
        intent=intent.name if intent else "unknown",
        profile=profile.name if profile else None,
        entities=tuple(name for name in names if not quantities(name)),
        constraints=constraints(query),
        language=language,
        times=tuple(dict.fromkeys(found.iso for found in quantities(query) if found.iso)),
        answer_type=kind,
        answer_shape=shape,
        count=count,
        scope=scope,
        pages=pages,
        parts=parts,
        pattern=pattern,
        clarification=None
        if intent is not None
        else _clarification(keywords_of=[stem for keyword in keywords for stem in keyword.stems], query=query),
        retrieval_brief=RetrievalBrief(
            query=" ".join(keyword.text for keyword in keywords),
            expansions=tuple(keyword.text for keyword in expert),
            sections=intent.sections if intent else (),
            pages=pages,
        ),
        generation_brief=GenerationBrief(asked, kind, shape, instructions),
        model=intent.model if intent else None,
        metrics=figures.metrics,
        named_metrics=figures.named,
        formula=figures.formula,
        metric_share=metric_share(query, figures.stems, names, profile) if profile is not None else 0.0,
        # The instructions often name the statement: "by using only the balance sheet".
        statements=expected_statements(asked, figures.metrics, profile) if profile is not None else (),
    )


def _foreign(asked: str, query: str, profile: Profile) -> bool:
    """True if a question names no figure and no statement that a profile knows."""
    metrics = asked_metrics(query, profile).metrics
    return not metrics and not expected_statements(asked, metrics, profile)


_WIDER = frozenset(["text", "boolean", "place"])
"""Types of which an intent knows better what is meant; also a list of persons may be the parties of a contract."""
_VAGUE = frozenset(terms("limit amount date term number value rate price total fee cost deadline period"))


def _clarification(keywords_of: Sequence[str], query: str) -> str | None:
    """Clarification to ask for: one general word ("What's the limit?") could mean anything in a long document."""
    if len(keywords_of) == 1 and keywords_of[0] in _VAGUE and len(query.split()) <= 5:
        word = next(word for word in re.findall(r"\w+", query) if keywords_of[0] in terms(word))
        return f"Which {word.lower()} do you mean? Say of what, for whom or under which section."
    return None


def _checked(text: str) -> str:
    expect(text, str, "the question", "it as text", QuestionError)
    question = " ".join(text.split())
    if not question:
        raise QuestionError("the question is empty: ask something, for example 'What is the late payment penalty?'")
    if len(question) > MOST_CHARACTERS:
        raise QuestionError(
            f"the question has {len(question):,} characters, more than {MOST_CHARACTERS:,}: ask one short question, "
            "and give long text as a document"
        )
    if not re.search(r"\w", question):
        raise QuestionError(f"the question {question[:40]!r} has no word in it: ask in words")
    return question


MOST = 40
"""Keywords of one question; a longer one is a document."""
_EXPERT_WEIGHT = 0.5
_LABELS = 3
"""Labels of each figure asked for, the most usual ones."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,-][^\W_]+)*")
_FISCAL_YEAR = re.compile(r"FY[' ]?(\d{4}|\d{2})", re.IGNORECASE)


def direct_keywords(query: str, *, without: Iterable[str] = (), language: str = ENGLISH) -> tuple[Keyword, ...]:
    """One keyword for each different content word of the query, as written.

    Where nothing parts words, a whole run of letters is one keyword, with all its terms as stems.
    """
    dropped = set(without)
    found: dict[str, Keyword] = {}
    for word in words_in_any_script(query) or _WORD.findall(query):
        fiscal = _FISCAL_YEAR.fullmatch(word)
        stems = tuple(stem for stem in terms(_century(fiscal[1]) if fiscal else word, language) if stem not in dropped)
        if stems and stems[0] not in found:
            found[stems[0]] = Keyword(word, stems)
    return tuple(found.values())[:MOST]


def expert_keywords(
    query: str, profiles: Sequence[Profile], intent: Intent | None, metrics: Sequence[Metric] = ()
) -> tuple[Keyword, ...]:
    """Keywords of the profiles: synonyms of phrases in the query, words that answers to the intent use, row labels."""
    asked = set(terms(query))
    phrases: list[str] = []
    for profile in profiles:
        for phrase, others in profile.synonyms.items():
            if asked.issuperset(terms(phrase)):
                phrases += others
    if intent is not None:
        phrases += intent.terms
    for metric in metrics:
        phrases += metric.rows[:_LABELS]
    return tuple(
        Keyword(phrase, tuple(terms(phrase)), _EXPERT_WEIGHT, "expert_dictionary") for phrase in dict.fromkeys(phrases)
    )


def _century(year: str) -> str:
    """A fiscal year as documents write it: FY21 is 2021."""
    return year if len(year) == 4 else f"20{year}"
