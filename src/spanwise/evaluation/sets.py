"""Question sets by name: those of a module, those of the repository's benchmarks, or a file of your own questions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias

from spanwise.errors import InputError
from spanwise.evaluation.cases import DataSet

PUBLIC = "sets"
"""The module of the public sets, in the folder `benchmarks` of the repository."""


class Measured(Protocol):
    """Counts over cases that are made from documents, and not asked."""

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""

    def as_text(self) -> str:
        """The counts as a table for a person."""


Measure: TypeAlias = Callable[[Path, int | None], Measured]
"""Counts over the data folder and a number of documents (None: the usual number, 0: all)."""


@dataclass(frozen=True, slots=True)
class Sets:
    """The content of a module of sets."""

    questions: Mapping[str, DataSet]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names for several sets together."""
    measured: Mapping[str, Measure] = field(default_factory=dict)

    def chosen(self, name: str) -> list[DataSet]:
        """The sets of that name: one, those of a group, or every one for `all`.

        Raises:
            InputError: There is none.
        """
        if name == "all":
            return list(self.questions.values())
        names = self.groups.get(name, (name,))
        if not set(names) <= self.questions.keys():
            known = ", ".join([*self.questions, *self.groups, *self.measured])
            raise InputError(f"there is no evaluation set {name!r}: choose {known} or all")
        return [self.questions[one] for one in names]


def sets_of(module: str | None) -> Sets:
    """The sets of a module; of the repository's benchmarks where none is named.

    Raises:
        InputError: There is no such module, it has no sets, or this is no checkout of the repository.
    """
    _reach(Path.cwd() if module else _benchmarks())
    try:
        loaded = import_module(module or PUBLIC)
        return Sets(loaded.SETS, getattr(loaded, "GROUPS", {}), getattr(loaded, "MEASURED", {}))
    except (ImportError, AttributeError, ValueError) as error:
        told = f"{module or PUBLIC} is no module of evaluation sets ({error})"
        raise InputError(f"{told}: name one that can be imported and has SETS, see docs/evaluating.md") from error


def _reach(folder: Path) -> None:
    """Let modules be imported from a folder, here and in the processes that are started."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _benchmarks() -> Path:
    """The folder of the public sets in the repository that this package, or the current folder, is of."""
    for root in (Path(__file__).parents[3], Path.cwd()):
        folder = root / "benchmarks"
        if (folder / PUBLIC / "__init__.py").is_file() and (root / "src" / "spanwise").is_dir():
            return folder
    raise InputError(
        "the public sets are not part of the package: run this in a checkout of the repository, "
        "or name a file of your own questions (spanwise eval QUESTIONS.jsonl)"
    )
