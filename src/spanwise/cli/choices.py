"""Values for shell completion of options, and `spanwise schema`, which prints the published JSON Schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from spanwise.cli.output import print_json
from spanwise.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel


def choices(kind: str) -> Sequence[str]:
    """The possible values of an option: `format`, `language`, `mode`, `profile`, `shape` or `type`."""
    home, name, more = _HOMES[kind]  # the shell waits for it, so nothing else is loaded
    known = getattr(import_module(f"spanwise.{home}"), name)
    return [*more, *(known() if callable(known) else known)]


_HOMES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "format": ("export.formats", "FORMATS", ("text", "md")),
    "language": ("text.languages.data", "languages", ()),
    "mode": ("synthesis.modes", "MODES", ("typed",)),
    "profile": ("questions.profiles", "SHIPPED", ()),
    "shape": ("contract.registry", "SHAPES", ()),
    "type": ("contract.registry", "answer_classes", ()),
}


def run_schema(name: str) -> int:
    """Print the schema of that name: of a result, or of a type of answer as structured-output services accept it.

    Raises:
        InputError: There is no such schema.
    """
    from spanwise.contract.record import ResultRecord
    from spanwise.contract.strict import strict_json_schema

    if name == "result":
        schema = ResultRecord.model_json_schema(mode="serialization")
        print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        return 0
    classes = _answers()
    if name not in classes:
        raise InputError(f"there is no schema {name!r}: choose one of {', '.join(['result', *classes])}")
    print_json(strict_json_schema(classes[name]))
    return 0


def _answers() -> dict[str, type[BaseModel]]:
    """Every answer class, by its label and by its own name."""
    from spanwise.contract.answers import AnswerWithEvidence
    from spanwise.contract.registry import answer_classes

    labels = answer_classes()
    named = {answer.__name__: answer for answer in labels.values()}
    return {**labels, **dict(sorted(named.items())), "AnswerWithEvidence": AnswerWithEvidence}
