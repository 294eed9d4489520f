"""The word lists of the guard, read once from `lexicon.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def lexicon() -> Mapping[str, Mapping[str, str]]:
    """The sections of the file, each with its lists as they are written."""
    return tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


@cache
def words_of_class(section: str, name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(lexicon()[section][name].split())


def entries(written: str, separator: str) -> list[tuple[str, ...]]:
    """The phrases of a list, each as its words; a line ends a phrase as the separator does."""
    return [words for phrase in written.replace("\n", separator).split(separator) if (words := tuple(phrase.split()))]
