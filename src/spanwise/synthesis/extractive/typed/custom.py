"""Classes that a user registered: their fields by name ("City: Berlin"), else by what their type can only be."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Sequence
from datetime import date
from enum import Enum
from typing import Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from spanwise.synthesis.extractive.typed.extractors import MOST_CHARACTERS, Around, Filler, Found
from spanwise.text.quantities import quantities

MOST_FIELDS = 100
_KEY = (
    r"(?im)(?:^|[|;\n\u2022*-])[ \t*_]{{0,4}}{name}[ \t*_]{{0,4}}(?::|\||=|\t| {{2,}}|\u2013 )[ \t*_|]{{0,4}}"
    r"(?P<value>[^|\n;]{{1,300}})"
)
"""A line or a cell that names a field, and what follows."""
_DEEPEST = 4
_ISO_DAY = 10
_Read: TypeAlias = "tuple[object | None, tuple[int, int]]"
_NOTHING: _Read = (None, (0, 0))


def find_custom(text: str, value_class: type[BaseModel], fillers: dict[type[BaseModel], Filler]) -> Found | None:
    """One value of a class from a text; None unless every field that has to be there was found."""
    places: list[tuple[int, int]] = []
    value = _fill(text[:MOST_CHARACTERS], value_class, fillers, places, depth=0)
    if value is None or not places:
        return None
    return Found(value, min(start for start, _ in places), max(end for _, end in places))


def _fill(
    text: str,
    value_class: type[BaseModel],
    fillers: dict[type[BaseModel], Filler],
    places: list[tuple[int, int]],
    *,
    depth: int,
) -> BaseModel | None:
    if depth > _DEEPEST:
        return None
    found: dict[str, object] = {}
    for name, field in list(value_class.model_fields.items())[:MOST_FIELDS]:
        said = _said(text, [name, field.alias or name, field.title or name])
        value, place = _value(said[0] if said else "", field.annotation, text, fillers)
        if value is None and isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            value = _fill(text, field.annotation, fillers, places, depth=depth + 1)
        if value is not None:
            found[name] = value
            start = said[1] if said else 0
            places.append((start + place[0], start + place[1]))
    try:
        return value_class.model_validate(found) if found else None
    except ValidationError:
        return None


def _said(text: str, names: Sequence[str]) -> tuple[str, int] | None:
    """What stands behind one of the names of a field, and where."""
    for name in dict.fromkeys(names):
        words = re.escape(name.replace("_", " ")).replace(r"\ ", r"[\s_-]{1,3}")
        match = re.search(_KEY.format(name=words), text)
        if match is not None and match["value"].strip():
            value = match["value"]
            return value.strip(), match.start("value") + len(value) - len(value.lstrip())
    return None


def _value(said: str, kind: object, text: str, fillers: dict[type[BaseModel], Filler]) -> _Read:
    """The value of one field, with its place in what is said (or in the whole text, for what can be nothing else)."""
    kind = _plain(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        filler = fillers.get(kind)
        every = filler(said or text, Around()) if filler is not None else ()
        only = len(every) == 1 or (said and every)
        return (every[0].value, (every[0].start, every[0].end)) if only else _NOTHING
    reader = _READERS.get(kind) if isinstance(kind, type) else None
    if not said or reader is not None:
        return reader(said) if said and reader is not None else _NOTHING
    for choice in _choices(kind):
        word = str(choice.value if isinstance(choice, Enum) else choice)
        if re.search(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", said):
            return choice, (0, len(said))
    return _NOTHING


def _text(said: str) -> _Read:
    return said, (0, len(said))


def _yes_or_no(said: str) -> _Read:
    word = said.lower().rstrip(".")
    known = word in ("yes", "no", "true", "false")
    return (word in ("yes", "true"), (0, len(said))) if known else _NOTHING


def _number(said: str) -> _Read:
    found = next((one for one in quantities(said) if one.value is not None), None)
    return _NOTHING if found is None or found.value is None else (float(found.value), (found.start, found.end))


def _whole(said: str) -> _Read:
    value, place = _number(said)
    return (int(value), place) if isinstance(value, float) and value.is_integer() else _NOTHING


def _day(said: str) -> _Read:
    found = next((one for one in quantities(said) if one.kind == "date" and len(one.iso) == _ISO_DAY), None)
    return (found.iso, (found.start, found.end)) if found is not None else _NOTHING


_READERS: dict[type, Callable[[str], _Read]] = {
    str: _text,
    bool: _yes_or_no,
    int: _whole,
    float: _number,
    date: _day,
}


def _plain(kind: object) -> object:
    """A type without its `| None`."""
    if get_origin(kind) in (Union, types.UnionType):
        others = [one for one in get_args(kind) if one is not type(None)]
        return others[0] if len(others) == 1 else kind
    return kind


def _choices(kind: object) -> Sequence[object]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return list(kind) if isinstance(kind, type) and issubclass(kind, Enum) else ()
