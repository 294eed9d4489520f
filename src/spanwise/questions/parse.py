"""From the words of a question to a Question."""

from __future__ import annotations

import re

from spanwise.domain.question import AnswerShape, Question
from spanwise.errors import QuestionError
from spanwise.text.terms import terms

MOST_CHARACTERS = 20_000
"""Longer input is a document, not a question."""

_COUNTS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}
_LISTING = re.compile(
    r"^\W*(?:please\s+)?(?:"
    r"(?:what|which|who)\s+(?:are|were)\b"
    r"|(?:list|name|enumerate|give|identify)\s+(?:me\s+)?(?:all|each|every|the|its|their|both|\d+|"
    + "|".join(_COUNTS)
    + r")\b"
    r"|(?:what|which)\s+(?:\w+\s+)?(?!(?:basis|analysis|process|business|status|class|access|loss|address|success)\b)"
    r"\w+[^s\W]s\s+(?:are|were|do|did|must|may|can|shall|should|will|have)\b"
    r"|when\s+should\b.+\bnot\b"
    r")",
    re.IGNORECASE,
)


def parse_question(text: str) -> Question:
    """Parse a question.

    Raises:
        QuestionError: It is empty, has no word at all, or is longer than MOST_CHARACTERS.
    """
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
    words = re.findall(r"\w+", question.lower())
    count = next((_COUNTS[word] for word in words[:8] if word in _COUNTS), None)
    shape: AnswerShape = "listing" if _LISTING.search(question) else "single"
    if shape == "single":
        count = None
    keywords = dict.fromkeys(terms(question))
    if count is not None:  # "the five characteristics": five is the number of elements, not a word to look for
        keywords = {stem: None for stem in keywords if stem not in terms(" ".join(_COUNTS))}
    return Question(text=question, keywords=tuple(keywords), answer_shape=shape, count=count)
