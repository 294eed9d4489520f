"""Words of English that may stand for each other in a paraphrase; a table in the project, made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from spanwise.text.terms import stem


def interchangeable(one: str, other: str) -> bool:
    """Whether two lower-case words are forms of one word, or share a group of the table."""
    table = _table()
    left, right = table.base(one), table.base(other)
    return left == right or not table.groups.get(left, _NONE).isdisjoint(table.groups.get(right, _NONE))


def groups_of(stemmed: str) -> frozenset[int]:
    """The groups of the table that a stem is in, as numbers."""
    table = _table()
    return table.groups.get(table.forms.get(stemmed, stemmed), _NONE)


_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Table:
    forms: Mapping[str, str]
    """The stem of the word itself for each form with a stem of its own."""
    groups: Mapping[str, frozenset[int]]
    """The groups that a stem is in."""

    def base(self, word: str) -> str:
        """The stem by which the table knows a word."""
        return self.forms.get(word) or stem(word)


@cache
def _table() -> _Table:
    lines = resources.files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8").splitlines()
    rows = [(number, line.split()) for number, line in enumerate(lines) if not line.startswith("#")]
    forms = {form: stem(words[1]) for _, words in rows if words[0] == "=" for form in words[2:]}
    groups: dict[str, set[int]] = {}
    for number, words in rows:
        for word in words if words[0] != "=" else ():
            groups.setdefault(forms.get(word) or stem(word), set()).add(number)
    return _Table(forms, {word: frozenset(numbers) for word, numbers in groups.items()})
