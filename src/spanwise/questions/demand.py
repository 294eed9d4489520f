"""What the caller wants an answer to be, beside what the words of the question ask for."""

from __future__ import annotations

from dataclasses import replace

from spanwise.contract.registry import SHAPES, answer_classes, resolve
from spanwise.domain.question import Question


def meant_like(whole: Question, part: Question) -> Question:
    """A part of a question, with what is demanded of the whole."""
    return demanded(part, whole.demanded, "table" if whole.demanded == "table" else None)


def demanded(question: Question, type: str | None, shape: str | None) -> Question:
    """The question with the type and the shape that the caller demands.

    A type that is not known is answered as text, and the note says so.

    Raises:
        InputError: There is no such shape.
    """
    if type is None and shape is None:
        return question
    resolution = resolve(shape or question.answer_shape, type or question.answer_type)
    wanted = next((one for one in SHAPES if one == shape), question.answer_shape)
    if type is None:
        return replace(question, answer_shape=wanted, demanded="table" if wanted == "table" else None)
    if type not in answer_classes() or type in ("text", "list"):
        # A text may still be a name or a place: what the words ask for says so.
        return replace(question, answer_shape=wanted, demanded="text", notes=resolution.notes)
    if type == "boolean":
        return replace(question, answer_shape=wanted, demanded=type, notes=resolution.notes)
    return replace(question, answer_type=type, answer_shape=wanted, demanded=type, notes=resolution.notes)
