"""`spanwise schema`: the published JSON Schemas."""

from __future__ import annotations

from spanwise.cli.output import print_json
from spanwise.errors import InputError


def run_schema(name: str) -> int:
    """Print the schema of that name.

    Raises:
        InputError: There is none.
    """
    from spanwise.contract.record import ResultRecord

    schemas = {"result": ResultRecord}
    if name not in schemas:
        raise InputError(f"there is no schema {name!r}: choose one of {', '.join(schemas)}")
    schema = schemas[name].model_json_schema(mode="serialization")
    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
    return 0
