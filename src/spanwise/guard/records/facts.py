"""Passages that are records (JSON, or what Python prints of one): their keys and values as facts with their places."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

_LONGEST = 400_000
"""Characters; a longer record is read as text."""
_DEEPEST = 30
_MOST_FACTS = 20_000
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./\s]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a record at `text[start:end]`, its key included."""

    path: tuple[str, ...]
    """Keys from the outermost to its own, in plain words; places in a list are numbers from 1."""
    value: Scalar
    start: int
    end: int
    value_start: int
    """Where the value itself begins."""


def record_facts(text: str) -> list[Fact] | None:
    """The facts of a record in the order of the text; None for a text that is no record."""
    stripped = text.strip()
    if len(stripped) < 2 or len(stripped) > _LONGEST or stripped[0] + stripped[-1] not in ("{}", "[]"):
        return None
    tree = _parsed(stripped)
    if not isinstance(tree, dict | list) or not tree or (isinstance(tree, list) and not isinstance(tree[0], dict)):
        return None
    found: list[Fact] = []
    _Walk(text, found).into(tree, (), 0, 0)
    return found


def words_of(key: str) -> str:
    """A key in plain words: "RestaurantsTakeOut" and "business_stars" are three and two."""
    return " ".join(_HUMP.sub(" ", key).split()).lower()


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


class _Walk:
    """Finds each value again in the text, from left to right."""

    def __init__(self, text: str, found: list[Fact]) -> None:
        self.text, self.found = text, found

    def into(self, node: object, path: tuple[str, ...], position: int, start: int) -> int:
        """Add the facts under a node that begins behind a position; where it ends."""
        if len(path) > _DEEPEST or len(self.found) >= _MOST_FACTS:
            return position
        if isinstance(node, dict):
            for key, value in node.items():
                at = self._key(str(key), position)
                position = self.into(value, (*path, words_of(str(key))), at[1], at[0])
            return position
        if isinstance(node, list | tuple):
            for number, value in enumerate(node, 1):
                position = self.into(value, (*path, str(number)), position, position)
            return position
        low, high = self._scalar(node, position)
        value = node if isinstance(node, str | int | float | bool) or node is None else str(node)
        self.found.append(Fact(path, value, min(start, low), high, low))
        return high

    def _key(self, key: str, position: int) -> tuple[int, int]:
        for written in _quoted(key):
            at = self.text.find(written, position)
            if at >= 0:
                return at, at + len(written)
        return position, position

    def _scalar(self, value: object, position: int) -> tuple[int, int]:
        spellings = list(_quoted(value)) if isinstance(value, str) else [*_plain(value)]
        places = [(at, at + len(written)) for written in spellings if (at := self.text.find(written, position)) >= 0]
        return min(places, default=(position, position))


def _quoted(value: str) -> Iterator[str]:
    yield json.dumps(value, ensure_ascii=False)
    if not value.isascii():
        yield json.dumps(value)
    yield repr(value)


def _plain(value: object) -> Iterator[str]:
    yield json.dumps(value) if isinstance(value, bool | int | float) or value is None else str(value)
    yield str(value)
