"""Question sets by name: from a module, from the repository's benchmarks, or from a file of the user's questions.

A line of a user's file is one question about a document in the same folder. Only `question` and `document` are
required:

    {"question": "What is the late fee?", "document": "lease.pdf", "answers": ["1.5 %"],
     "evidence": ["interest of 1.5 %"], "match": [["1.5 %", "1.5 percent"]], "tags": ["fees"], "id": "fee-1"}
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spanwise.errors import InputError
from spanwise.evaluation.answer_card import COLUMNS, figures, score
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Job, Row

VARIABLE = "SPANWISE_DATA"
"""Environment variable that names the data folder."""
_SEED = "spanwise"

M = TypeVar("M", bound=BaseModel)


class EvaluationDataError(InputError):
    """The evaluation data are missing or have another schema."""


def data_folder(given: str | None) -> Path:
    """The data folder: the given one, else the one in the environment variable; an error if it does not exist."""
    named = given or os.environ.get(VARIABLE)
    if not named:
        raise EvaluationDataError(
            f"the public sets are not shipped: name the folder that holds them with --data DIR or in {VARIABLE}"
        )
    folder = Path(named)
    if not folder.is_dir():
        raise EvaluationDataError(
            f"there is no evaluation data at {folder}: name its folder with --data DIR or in {VARIABLE}"
        )
    return folder


def read_rows(path: Path, model: type[M]) -> list[M]:
    """The rows of a JSON Lines file, which is decompressed if its name ends in `.gz`."""
    rows = []
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):  # noqa: B007 - the error names the line
                rows.append(model.model_validate_json(line))
    except FileNotFoundError:
        raise EvaluationDataError(
            f"there is no {path}: check its name; the folder of public sets is named with --data DIR or in {VARIABLE}"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise EvaluationDataError(f"{path} cannot be read ({error}): fetch it again") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "row"
        wrong = "there is no such name" if first["type"] == "extra_forbidden" else first["msg"]
        raise EvaluationDataError(
            f"line {number} of {path} is no question of this set ({place}: {wrong}): a line is a JSON object "
            f"with {', '.join(model.model_fields)}"
        ) from None
    return rows


def pdf(folder: Path, path: str) -> DocumentSource:
    """The PDF at a path inside the data folder; an error if it does not exist."""
    file = folder / path
    if not file.is_file():
        raise EvaluationDataError(f"there is no {file}, which the questions are about: fetch the PDFs of the data too")
    return DocumentSource(file.name, file)


def sample(cases: Sequence[Case], size: int, group: Callable[[Case], str]) -> list[Case]:
    """A reproducible sample of `size` cases (all if it is 0), in their order.

    The shares of answerable and unanswerable questions are kept; within each, the groups alternate.
    """
    if not 0 < size < len(cases):
        return list(cases)
    answerable = [index for index, case in enumerate(cases) if case.answerable]
    others = [index for index, case in enumerate(cases) if not case.answerable]
    share = round(size * len(answerable) / len(cases))
    chosen = _take(cases, answerable, share, group) + _take(cases, others, size - share, group)
    return [cases[index] for index in sorted(chosen)]


def _take(cases: Sequence[Case], indices: Sequence[int], size: int, group: Callable[[Case], str]) -> list[int]:
    turns: dict[str, int] = {}
    ranked = []
    for lot, index in sorted((_lot(cases[index].id), index) for index in indices):
        name = group(cases[index])
        turns[name] = turns.get(name, 0) + 1
        ranked.append((turns[name], lot, index))
    return [index for _, _, index in sorted(ranked)[:size]]


def _lot(id: str) -> str:
    """A pseudo-random text for a case, which depends on its id only."""
    return hashlib.sha256(f"{_SEED}:{id}".encode()).hexdigest()


PUBLIC = "sets"
"""Name of the module of the public sets, in the folder `benchmarks` of the repository."""


class Measured(Protocol):
    """Counts over cases that are made from documents and checked without asking questions."""

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""

    def as_text(self) -> str:
        """The counts as a table for people."""


Measure: TypeAlias = Callable[[Path, int | None], Measured]
"""Called with the data folder and a number of documents (None: the usual number, 0: all); returns counts."""


@dataclass(frozen=True, slots=True)
class Sets:
    """The content of a module of sets."""

    questions: Mapping[str, DataSet]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names that stand for several sets."""
    measured: Mapping[str, Measure] = field(default_factory=dict)
    carried: Collection[str] = ()
    """Names of sets whose data are part of their module, so that they need no data folder."""

    def folder(self, name: str, given: str | None) -> Path:
        """The data folder for a set; any for a set that needs none."""
        return Path(given or ".") if name in self.carried else data_folder(given)

    def chosen(self, name: str) -> list[DataSet]:
        """The sets for a name: a single set, those of a group, or all sets for `all`."""
        if name == "all":
            return list(self.questions.values())
        names = self.groups.get(name, (name,))
        if not set(names) <= self.questions.keys():
            known = ", ".join([*self.questions, *self.groups, *self.measured])
            raise InputError(f"there is no evaluation set {name!r}: choose {known} or all")
        return [self.questions[one] for one in names]


def sets_of(module: str | None) -> Sets:
    """The sets of a module; of the repository's benchmarks if none is named."""
    # The folder is added to the path, so that this process and its workers can import the module.
    folder = Path.cwd() if module else _benchmarks()
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        loaded = import_module(module or PUBLIC)
        return Sets(
            loaded.SETS, getattr(loaded, "GROUPS", {}), getattr(loaded, "MEASURED", {}), getattr(loaded, "CARRIED", ())
        )
    except (ImportError, AttributeError, ValueError) as error:
        told = f"{module or PUBLIC} is no module of evaluation sets ({error})"
        raise InputError(f"{told}: name one that can be imported and has SETS, see docs/evaluating.md") from error


def _benchmarks() -> Path:
    """The folder with the public sets, if this package or the current folder is in a checkout of the repository."""
    for root in (Path(__file__).parents[3], Path.cwd()):
        folder = root / "benchmarks"
        if (folder / PUBLIC / "__init__.py").is_file() and (root / "src" / "spanwise").is_dir():
            return folder
    raise InputError(
        "the public sets are not part of the package: run this in a checkout of the repository, "
        "or name a file of your own questions (spanwise eval QUESTIONS.jsonl)"
    )


class _Asked(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid")

    question: str
    document: str = Field(description="Path of the document, from the folder of the file.")
    answers: list[str] = Field(default=[], description="Right answers; empty where the document does not answer.")
    evidence: list[str] = Field(default=[], description="Quotes of the evidence, any of which will do.")
    match: list[list[str]] = Field(default=[], description="Groups of strings; a right answer has one of each group.")
    tags: list[str] = Field(default=[], description="Groups that the report shows apart.")
    id: str | None = Field(default=None, description="Names the question in rows; its line number by default.")


def own_set(path: Path) -> DataSet:
    """The questions of a file as a set; its documents are in the same folder, so no data folder is needed."""

    def load(_: Path, limit: int | None) -> list[Job]:
        rows = read_rows(path, _Asked)
        documents = {row.id or str(at): row.document for at, row in enumerate(rows, start=1)}
        if len(documents) < len(rows):
            raise EvaluationDataError(f"two questions of {path} have the same id: give each its own")
        cases = [_case(row, str(at)) for at, row in enumerate(rows, start=1)]
        jobs: dict[str, list[Case]] = {}
        for case in sample(cases, limit or 0, lambda case: documents[case.id]):
            jobs.setdefault(documents[case.id], []).append(case)
        return [Job("documents", _source(path.parent / name), tuple(asked)) for name, asked in jobs.items()]

    return DataSet(path.stem, load, score, figures(_groups), baseline=True, columns=COLUMNS)


def _case(row: _Asked, number: str) -> Case:
    return Case(
        row.id or number,
        row.question,
        tuple(row.answers),
        tags=tuple(row.tags),
        evidence=tuple(row.evidence),
        match=tuple(tuple(group) for group in row.match),
    )


def _source(path: Path) -> DocumentSource:
    if not path.is_file():
        raise EvaluationDataError(f"there is no {path}: documents are named from the folder of the questions")
    return DocumentSource(path.name, path)


def _groups(row: Row) -> tuple[str, ...]:
    return row.tags
