"""Validation of an answer for callers who have a question in words: it is parsed first."""

from __future__ import annotations

from spanwise.contract import validate
from spanwise.contract.answers import AnswerBase, AnswerWithEvidence
from spanwise.contract.validation.problems import Problem
from spanwise.domain.document import Document
from spanwise.domain.question import Question
from spanwise.questions.parse import parse_question


def validate_answer(
    answer: AnswerBase | AnswerWithEvidence, document: Document, *, question: Question | str | None = None
) -> list[Problem]:
    """Everything that is wrong with an answer; nothing when its lines prove it.

    Checked are the flags, every span and quote, and every value: an item said to be `verbatim` must have its value, or
    a quote, in the lines it cites. A `computed` or `inferred` value need not stand there, its lines must exist.

    Args:
        answer: What a model or an extractor answered.
        document: The document whose global line numbers the spans name.
        question: What was asked, in words or parsed, when the answer is to be of the class that it asks for.

    Returns:
        The problems: those of the answer as a whole, those of each item in order, those between items. Each has a
        `code` (docs/validation.md shows an example of every one) and, where it concerns one, the index of the item and
        of its span.

    Raises:
        QuestionError: The question is empty or too long.
    """
    asked = parse_question(question) if isinstance(question, str) else question
    return validate.validate_answer(answer, document, question=asked)
