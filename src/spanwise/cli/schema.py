"""`spanwise schema`: the published JSON Schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.cli.output import print_json
from spanwise.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel


def run_schema(name: str) -> int:
    """Print the schema of that name: of a result, or of a type of answer as structured-output services take it.

    Raises:
        InputError: There is none.
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
    """Every class of an answer by its label, and by its own name."""
    from spanwise.contract.answers import AnswerWithEvidence
    from spanwise.contract.registry import answer_classes

    labels = answer_classes()
    named = {answer.__name__: answer for answer in labels.values()}
    return {**labels, **dict(sorted(named.items())), "AnswerWithEvidence": AnswerWithEvidence}
