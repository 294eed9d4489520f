"""The part of a prompt that describes one type of answer, made from the same declaration as its schema."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from types import NoneType
from typing import Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import Item
from spanwise.contract.registry import answer_classes, item_class_of, label_of, value_class_of
from spanwise.errors import ContractError

_NAMES = {str: "text", float: "number", int: "whole number", bool: "true or false"}


def fragment(label: str | type[AnswerBase]) -> str:
    """A description of the fields of one type of answer, a few lines for a prompt.

    It consists of the value's docstring, its fields with their descriptions, and the fields that the item and the
    answer have in addition to those of every item and answer.
    """
    if isinstance(label, str):
        known = answer_classes()
        if label not in known:
            raise ContractError(f"there is no type {label!r}: choose one of {', '.join(known)}")
        answer = known[label]
    else:
        answer = label
    item, name, value = item_class_of(answer), label_of(answer), value_class_of(answer)
    if item is None or name is None:
        raise ContractError(f"{answer.__name__} has no items: give it a field `items`, a list of items")
    lines = [f"Each item has `{name}`: {_about(value or item)}"]
    lines += _fields(value, "  ") if value else []
    lines += _lines(item, set(Item.model_fields) | {name}, "Each item also has")
    lines += _lines(answer, {*AnswerBase.model_fields, "items"}, "The answer also has")
    return "\n".join(lines)


def _lines(model: type[BaseModel], usual: set[str], opening: str) -> Iterator[str]:
    """One line for each field that is not among the usual ones."""
    for name, field in model.model_fields.items():
        if name not in usual:
            yield f"{opening} `{name}` ({_said(field.annotation)}){_described(field)}"


def _fields(model: type[BaseModel], indent: str, inside: tuple[type[BaseModel], ...] = ()) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{indent}- `{name}` ({_said(field.annotation)}){_described(field)}"
        for nested in _models(field.annotation):
            if nested not in (model, *inside):  # an answer class that is not registered may contain itself
                yield from _fields(nested, indent + "  ", (*inside, model))


def _described(field: FieldInfo) -> str:
    return f": {' '.join(field.description.split())}" if field.description else ""


def _about(model: type[BaseModel]) -> str:
    """The first paragraph of the docstring on one line, or the name of the class if it has none."""
    first = inspect.cleandoc(model.__doc__ or "").split("\n\n", 1)[0]
    return " ".join(first.split()) or model.__name__


def _said(annotation: object) -> str:
    """A type annotation in plain words: "text or null", "list of number", "one of a, b"."""
    if get_origin(annotation) is Literal:
        return "one of " + ", ".join(map(str, get_args(annotation)))
    if get_origin(annotation) in (list, set, frozenset):
        return "list of " + " or ".join(map(_said, get_args(annotation)))
    choices = get_args(annotation)
    if choices and not isinstance(annotation, type):
        said = dict.fromkeys(_said(choice) for choice in choices if choice is not NoneType)
        return " or ".join([*said, *(["null"] if NoneType in choices else [])])
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "one of " + ", ".join(str(member.value) for member in annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"object: {_about(annotation).rstrip('.')}"
    return _NAMES.get(annotation, getattr(annotation, "__name__", "text")) if isinstance(annotation, type) else "text"


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    """The model classes inside a type annotation."""
    if isinstance(annotation, type) and not get_args(annotation):
        if issubclass(annotation, BaseModel):
            yield annotation
        return
    for argument in get_args(annotation):
        yield from _models(argument)
