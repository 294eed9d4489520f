"""The data folder: where it is, its gzipped JSON lines, and samples of it that are the same every time."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from spanwise.errors import InputError
from spanwise.evaluation.cases import Case, DocumentSource

VARIABLE = "SPANWISE_DATA"
"""Environment variable that names the data folder."""
USUAL = Path("..", "shared", "data")
_SEED = "spanwise"

M = TypeVar("M", bound=BaseModel)


class EvaluationDataError(InputError):
    """The evaluation data is missing or not in its schema."""


def data_folder(given: str | None) -> Path:
    """The data folder: what was given, else the environment variable, else `../shared/data`.

    Raises:
        EvaluationDataError: There is no such folder.
    """
    folder = Path(given or os.environ.get(VARIABLE) or USUAL)
    if not folder.is_dir():
        raise EvaluationDataError(
            f"there is no evaluation data at {folder}: name its folder with --data DIR or in {VARIABLE}"
        )
    return folder


def read_rows(path: Path, model: type[M]) -> list[M]:
    """The rows of a JSON Lines file, gzipped if its name ends so.

    Raises:
        EvaluationDataError: The file is missing, damaged, or has a row that is not in its schema.
    """
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
    except (OSError, EOFError) as error:
        raise EvaluationDataError(f"{path} cannot be read ({error}): fetch it again") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "row"
        raise EvaluationDataError(
            f"line {number} of {path} is no question of this set ({place}: {first['msg']}): a line is a JSON object "
            f"with {', '.join(model.model_fields)}"
        ) from None
    return rows


def pdf(folder: Path, path: str) -> DocumentSource:
    """The PDF at a path inside the data folder.

    Raises:
        EvaluationDataError: It is missing.
    """
    file = folder / path
    if not file.is_file():
        raise EvaluationDataError(f"there is no {file}, which the questions are about: fetch the PDFs of the data too")
    return DocumentSource(file.name, file)


def sample(cases: Sequence[Case], size: int, group: Callable[[Case], str]) -> list[Case]:
    """`size` of the cases (all when it is 0), the same every time, in their order.

    Answerable and unanswerable questions keep their shares; within each the groups take turns.
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
    """A number drawn for a case; it does not depend on the other cases."""
    return hashlib.sha256(f"{_SEED}:{id}".encode()).hexdigest()
