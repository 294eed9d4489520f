"""Keywords of a question: its own words, and how the documents say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from spanwise.domain.question import Keyword, Metric
from spanwise.questions.profiles import Intent, Profile
from spanwise.text.languages import ENGLISH
from spanwise.text.terms import terms, words_in_any_script

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
