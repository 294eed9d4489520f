"""The form of the answer: one or a list, the type of its values, and what the caller demands instead."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches

from spanwise.contract.registry import SHAPES, answer_classes, resolve
from spanwise.domain.question import AnswerShape, Question
from spanwise.errors import InputError

COUNTS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}
_COUNT_WORDS = "|".join(COUNTS)
_SINGULAR_S = "basis|analysis|process|business|status|class|access|loss|address|success|emphasis|ratio|address|gross"
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
_BOOLEAN = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|may|must|shall|should|will|would)\b(?!.*\bor\b)",
    re.IGNORECASE,
)
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
    """Shape of the answer: one value, a list or a table."""
    if _TABLE.search(question):
        return "table"
    return "listing" if _LISTING.search(question) else "single"


def answer_type(question: str) -> str:
    """Type of the answer: boolean, date, quantity, amount, person, place, or text."""
    if _BOOLEAN.search(question):
        return "boolean"
    return next((name for name, pattern in _TYPES if pattern.search(question)), "text")


def expected_count(question: str) -> int | None:
    """Number of elements that a list question asks for, when it says so in words ("the five ...")."""
    words = re.findall(r"\w+", question.lower())
    return next((COUNTS[word] for word in words[:8] if word in COUNTS), None)


def meant_like(whole: Question, part: Question) -> Question:
    """A part of a question, with what is demanded of the whole."""
    return demanded(part, whole.demanded, "table" if whole.demanded == "table" else None)


def known_type(type: str) -> str:
    """The type, where it is one.

    Raises:
        InputError: There is no such type; the message names all.
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
        # A text may still be a name or a place: what the words ask for says so.
        return replace(question, answer_shape=wanted, demanded="text", notes=resolution.notes)
    if type == "boolean":
        return replace(question, answer_shape=wanted, demanded=type, notes=resolution.notes)
    return replace(question, answer_type=type, answer_shape=wanted, demanded=type, notes=resolution.notes)
