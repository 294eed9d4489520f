"""The caller's demands on an answer, beside what the words of the question ask for."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from spanwise.contract.registry import SHAPES, answer_classes, resolve
from spanwise.domain.question import Question
from spanwise.errors import InputError


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
    near = get_close_matches(type.lower(), known, 1)
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
