"""Parsing of a question's text into a `Question`, with the shape and the type of its answer.

Instructions, pages and section are separated first; then the keywords are taken from the rest, the intent is matched
with the profiles, and metrics, parts, names and times are read. Only code and data are used, so the result is
deterministic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from spanwise.contract.registry import SHAPES, answer_classes, resolve
from spanwise.domain.document import Document
from spanwise.domain.question import AnswerShape, GenerationBrief, Keyword, Metric, Question, RetrievalBrief
from spanwise.errors import InputError, QuestionError, expect
from spanwise.questions.asked_figures import AskedFigures, asked_metrics, expected_statements, metric_share
from spanwise.questions.decomposer import (
    constraints,
    entities,
    named_pages,
    named_section,
    split_instructions,
    split_parts,
    without_pages,
)
from spanwise.questions.follow_up import completed
from spanwise.questions.profiles import SHIPPED, Intent, Profile, load_profile, match_intent, shipped_profile
from spanwise.text.languages import ENGLISH, known_language, language_of
from spanwise.text.passage_reading import START_LINES
from spanwise.text.patterns import AUXILIARIES
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms, words_in_any_script

MOST_CHARACTERS = 20_000
"""Most characters of a question; anything longer is a document."""
MOST_PARTS = 20
"""Most parts of a question, since each is answered separately."""


def parse_question(
    text: str, *, profile: str | None = None, document: Document | None = None, language: str | None = None
) -> Question:
    """Parse a question.

    Args:
        text: The question.
        profile: Name of a built-in profile (contracts, filings, standards) or path of another one; by default every
            built-in profile that fits the document.
        document: The document that the question is about, if it is a single one.
        language: Code of the language of the question; recognised from its words by default.

    Raises:
        QuestionError: The question is empty, contains no word, is longer than MOST_CHARACTERS, or has more than
            MOST_PARTS parts.
        ProfileError: There is no such profile.
        InputError: The language is not supported.
    """
    if profile is not None:
        return parse_with(text, [load_profile(profile)], language=language)
    opening = "\n".join(line.text for line in document.lines[:START_LINES]) if document is not None else None
    return parse_with(text, covering(opening), language=language)


def covering(opening: str | None) -> list[Profile]:
    """The built-in profiles that fit a document with this beginning; all of them if it is None."""
    return [one for one in map(shipped_profile, SHIPPED) if opening is None or one.covers(opening)]


def parse_with(text: str, profiles: Sequence[Profile], *, mixed: bool = False, language: str | None = None) -> Question:
    """Parse a question with the knowledge of some profiles.

    Args:
        text: The question.
        profiles: The kinds of documents that may be asked.
        mixed: Whether documents of other kinds may be asked as well; then the question gets a profile only if it means
            something that the profile knows.
        language: Code of the language of the question; recognised from its words by default.

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
    # In "the five characteristics", five is the number of elements and not a word to search for.
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
    parts = tuple(completed(part, parts[at - 1]) if at else part for at, part in enumerate(parts))
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
    """True if a question names no figure and no statement of a profile."""
    metrics = asked_metrics(query, profile).metrics
    return not metrics and not expected_statements(asked, metrics, profile)


_WIDER = frozenset(["text", "boolean", "place"])
"""Answer types that an intent may replace by a more specific one; so may a list of persons, as the parties of a
contract."""
_VAGUE = frozenset(terms("limit amount date term number value rate price total fee cost deadline period"))


def _clarification(keywords_of: Sequence[str], query: str) -> str | None:
    """The question to ask back if a single general word ("What's the limit?") could mean anything; else None."""
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
"""Most keywords of one question."""
_EXPERT_WEIGHT = 0.5
_LABELS = 3
"""Number of row labels of each figure asked for that become keywords, the commonest ones."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,-][^\W_]+)*")
_FISCAL_YEAR = re.compile(r"FY[' ]?(\d{4}|\d{2})", re.IGNORECASE)


def direct_keywords(query: str, *, without: Iterable[str] = (), language: str = ENGLISH) -> tuple[Keyword, ...]:
    """One keyword for each distinct content word of the query, as written.

    In scripts without spaces between words, a whole run of letters is one keyword, whose stems are all of its terms.
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
    """Keywords from the profiles: synonyms of phrases in the query, words of answers to the intent, and row labels."""
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
    """The year of a fiscal year with four digits: 2021 for FY21."""
    return year if len(year) == 4 else f"20{year}"


COUNTS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}
_COUNT_WORDS = "|".join(COUNTS)
_SINGULAR_S = "basis|analysis|status|emphasis"
_LISTING = re.compile(
    r"^\W*(?:please\s+)?(?:"
    r"(?:what|which|who)\s+(?:are|were)\b"
    rf"|(?:list|name|enumerate|give|identify)\s+(?:me\s+)?(?:all|each|every|the|its|their|both|\d+|{_COUNT_WORDS})\b"
    rf"|(?:what|which)\s+(?:\w+\s+)?(?!(?:{_SINGULAR_S})\b)\w+[^s\W]s\s+(?:are|were|do|did|must|may|can|shall|should|will"
    r"|have)\b"
    r")",
    re.IGNORECASE,
)
_TABLE = re.compile(r"^\W*(?:show|give|list|print)\b.{0,40}\btable\b|\bas\s+a\s+table\b", re.IGNORECASE)
_BOOLEAN = re.compile(rf"^\W*(?:{AUXILIARIES})\b(?!.*\bor\b)", re.IGNORECASE)
_TYPES = (
    (
        "iban",
        re.compile(
            r"\biban\b|\b(?:to|into|from|on)\s+(?:what|which)\s+(?:\w+\s+){0,2}account\b"
            r"|\b(?:what|which)\b.{0,40}\b(?:bank\s+account(?:\s+(?:number|details))?|account\s+(?:number|details))\b"
            r"|\b(?:konto|kontonummer|bankverbindung)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "address",
        re.compile(
            r"\b(?:what|which|the|its|their|his|her|our|your|full|postal|mailing|registered|business|office|home|street"
            r"|legal|billing|delivery|\w+['\u2019]s?)\s+(?:address|registered\s+office)\b(?!\s+(?:bar|range|space|book|line))",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(r"^\W*(?:when\b|(?:on\s+)?(?:what|which)\s+(?:\w+\s+)?(?:dates?|day|year|month)\b)", re.IGNORECASE),
    ),
    (
        "quantity",
        re.compile(
            r"^\W*(?:for\s+)?how\s+(?:many|long|often|old|far|large|big|high|frequently|soon|quickly)\b"
            r"|\b(?:percent(?:age)?|ratio|number\s+of|duration|length)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "amount",
        re.compile(
            r"\bhow\s+much\b|\b(?:amount|price|fee|cost|salary|revenue|penalty|payment|income|expense|expenditure|capex"
            r"|assets|liabilities|profit|earnings|debt|cash)\b.{0,60}\b(?:is|was|of|for|in)\b",
            re.IGNORECASE,
        ),
    ),
    ("person", re.compile(r"^\W*who\b", re.IGNORECASE)),
    (
        "place",
        re.compile(r"^\W*where\b|^\W*in\s+(?:what|which)\s+(?:\w+\s+)?(?:city|country|state|place)\b", re.IGNORECASE),
    ),
)


def answer_shape(question: str) -> AnswerShape:
    """The shape of the answer, inferred from the question: `single`, `listing` or `table`."""
    if _TABLE.search(question):
        return "table"
    return "listing" if _LISTING.search(question) else "single"


def answer_type(question: str) -> str:
    """The type of the answer, inferred from the question: a label such as `boolean` or `date`, else `text`."""
    if _BOOLEAN.search(question):
        return "boolean"
    return next((name for name, pattern in _TYPES if pattern.search(question)), "text")


def expected_count(question: str) -> int | None:
    """The number of elements that the question asks for in words ("the five ..."); None if it gives none."""
    words = re.findall(r"\w+", question.lower())
    return next((COUNTS[word] for word in words[:8] if word in COUNTS), None)


def meant_like(whole: Question, part: Question) -> Question:
    """The part of a question with the demands on the whole question."""
    return demanded(part, whole.demanded, "table" if whole.demanded == "table" else None)


def known_type(type: str) -> str:
    """The type unchanged, once it is known to exist.

    Raises:
        InputError: There is no such type; the message lists all types.
    """
    known = answer_classes()
    if type in known:
        return type
    near = get_close_matches(str(type).lower(), known, 1)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    raise InputError(f"there is no type {type!r}{meant}: choose one of {', '.join(known)}")


def demanded(question: Question, type: str | None, shape: str | None) -> Question:
    """The question with the type and the shape that the caller demands.

    Raises:
        InputError: There is no such type.
        ContractError: There is no such shape.
    """
    if type is None and shape is None:
        return question
    if type is not None:
        known_type(type)
    resolution = resolve(shape or question.answer_shape, type or question.answer_type)
    wanted = next((one for one in SHAPES if one == shape), question.answer_shape)
    if type is None:
        return replace(question, answer_shape=wanted, demanded="table" if wanted == "table" else None)
    if type in ("text", "list"):
        # A text may still be a name or a place, so the inferred type is kept.
        return replace(question, answer_shape=wanted, demanded="text", notes=resolution.notes)
    if type == "boolean":
        return replace(question, answer_shape=wanted, demanded=type, notes=resolution.notes)
    return replace(question, answer_type=type, answer_shape=wanted, demanded=type, notes=resolution.notes)
