"""Rows files: one question a line, written in the order of the data, read back to compare two runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from spanwise.errors import InputError, StorageError
from spanwise.evaluation.cases import Row


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """Write a rows file.

    Raises:
        StorageError: It cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}): name another file for the rows") from error


def read_rows_file(path: Path) -> list[Row]:
    """The rows of an earlier run.

    Raises:
        InputError: The file is missing or is no rows file.
    """
    adapter = TypeAdapter(Row)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): name the --rows file of an earlier run") from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text: name the --rows file of an earlier run") from None
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(adapter.validate_json(line))
        except ValidationError:
            raise InputError(f"line {number} of {path} is no row of a run: name the --rows file of one") from None
    return rows
