"""The strict JSON Schema of a class, and the published rules of structured output that it must follow.

The rules are those that OpenAI ("Structured Outputs", supported schemas) and Anthropic ("Structured outputs", JSON
Schema limitations) publish, as of 2026; where they differ, the narrower one is applied. Ranges, lengths and patterns
are left out of the schema, since some of these services reject them; the Python class checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

from spanwise.errors import ContractError

Schema: TypeAlias = dict[str, object]

MOST_LEVELS = 10
"""Most levels of nested objects and arrays."""
MOST_PROPERTIES = 5000
MOST_ENUM_VALUES = 1000
LARGE_ENUM = 250
LARGE_ENUM_CHARACTERS = 15_000
MOST_CHARACTERS = 120_000
"""Most characters of all names of properties and definitions and all enum and const values together."""
MOST_UNIONS = 16
"""Most properties that may be of several types, nullable ones included."""

_KEYWORDS = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"),
        *("$ref", "$defs", "description", "format"),
    }
)
_DROPPED = frozenset(
    {
        *("title", "default", "examples", "discriminator", "deprecated", "readOnly", "writeOnly"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "contentMediaType"),
    }
)
_TYPES = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})
_FORMATS = frozenset({"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_REFERENCE = "#/$defs/"


def strict_json_schema(answer_class: type[BaseModel]) -> Schema:
    """The JSON Schema of a class in the form that structured-output services accept.

    Every object is closed and requires all its properties, what is optional in Python is nullable, nothing has a
    default or a title, and classes are under `$defs`. An answer's items come before its flags, and an item's value
    before its spans, so that a model that writes in this order does not judge what it has not written yet.

    Args:
        answer_class: An answer, an item, a value or another Pydantic model.

    Raises:
        ContractError: The class has no JSON Schema. Whether its schema follows the rules is checked by
            `schema_problems`.
    """
    try:
        schema = answer_class.model_json_schema(mode="validation")
    except (PydanticInvalidForJsonSchema, PydanticUserError) as error:
        reason = str(error).split("\n", 1)[0]
        raise ContractError(f"{answer_class.__name__} has no JSON Schema: {reason}") from error
    return _strict(schema)


def _strict(node: Mapping[str, object]) -> Schema:
    """A schema and its subschemas without keywords that services reject; unknown ones are kept, to be reported."""
    if "$ref" in node:
        kept: Schema = {"$ref": node["$ref"]}  # services reject other keywords beside a reference
        if "$defs" in node:
            kept["$defs"] = _each(node["$defs"])
        return kept
    strict: Schema = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            strict[key] = _each(value)
        elif key in ("anyOf", "oneOf") and isinstance(value, list):
            strict["anyOf"] = [_strict(one) for one in value]
        elif key == "items" and isinstance(value, dict):
            strict[key] = _strict(value)
        elif key not in _DROPPED and not (key == "format" and value not in _FORMATS):
            strict[key] = value
    properties = strict.get("properties")
    if isinstance(properties, dict):
        strict["properties"] = properties = dict(sorted(properties.items(), key=_written))
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    return strict


def _written(named: tuple[str, object]) -> int:
    """The sort key of a property: items first, spans last, all others as they are declared."""
    return {"items": -1, "spans": 1}.get(named[0], 0)


def _each(schemas: object) -> Schema:
    return {name: _strict(one) for name, one in schemas.items()} if isinstance(schemas, dict) else {}


def schema_problems(schema: Mapping[str, object]) -> list[str]:
    """Violations of the published rules, one sentence each with its place; empty if all services accept the schema."""
    found = [] if schema.get("type") == "object" else ["$: the root has to be an object, not a union or a reference"]
    definitions = schema.get("$defs")
    named = {"$": schema, **(definitions if isinstance(definitions, dict) else {})}
    walks = {name: _Walk(name, node) for name, node in named.items()}
    for walk in walks.values():
        found += walk.problems
        found += [
            f"{walk.name}: the reference {reference} leads nowhere in this schema"
            for reference in sorted(walk.references.keys() - named.keys())
        ]
    found += _nesting_problems(walks)
    for count, most, what in (
        (sum(walk.properties for walk in walks.values()), MOST_PROPERTIES, "properties"),
        (sum(walk.enum_values for walk in walks.values()), MOST_ENUM_VALUES, "enum values"),
        (sum(walk.unions for walk in walks.values()), MOST_UNIONS, "nullable properties and unions"),
        (sum(len(walk.name) + walk.characters for walk in walks.values()), MOST_CHARACTERS, "characters of names"),
    ):
        if count > most:
            found.append(f"$: {count} {what} are more than the {most} allowed")
    return found


def _nesting_problems(walks: Mapping[str, _Walk]) -> list[str]:
    """Problems of classes that contain themselves, or of a schema that is nested too deeply."""
    graph = {name: [one for one in walk.references if one in walks] for name, walk in walks.items()}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return [f"{error.args[1][0]}: contains itself; recursive classes are not supported"]
    heights: dict[str, int] = {}
    for name in order:
        walk = walks[name]
        deeper = (level - 1 + heights[one] for one, level in walk.references.items() if one in heights)
        heights[name] = max((walk.levels, *deeper))
    return [] if heights["$"] <= MOST_LEVELS else [f"$: nested deeper than {MOST_LEVELS} levels"]


class _Walk:
    """A traversal of the root schema or one definition: collects its problems and the counts that are limited."""

    def __init__(self, name: str, node: object) -> None:
        self.name = name
        self.problems: list[str] = []
        self.references: dict[str, int] = {}
        """The definitions that it references, each with the deepest level of a reference."""
        self.levels = 0
        """Depth of nested objects and arrays, without following references."""
        self.properties = 0
        self.enum_values = 0
        self.unions = 0
        self.characters = 0
        self._any(name, node, 1)

    def _any(self, place: str, node: object, level: int) -> None:
        if not isinstance(node, dict) or not node.keys() - {"description", "$defs"}:
            self.problems.append(f"{place}: may hold anything; give it a type")
            return
        if "$ref" in node:
            if node.keys() - {"$ref", "$defs"}:
                self.problems.append(f"{place}: nothing may stand beside a reference")
            name = str(node["$ref"]).removeprefix(_REFERENCE)
            self.references[name] = max(level, self.references.get(name, 0))
            return
        unsupported = sorted(map(str, node.keys() - _KEYWORDS))
        if unsupported:
            self.problems.append(f"{place}: {', '.join(unsupported)} is not supported")
        self._typed(place, node)
        self._choices(place, node)
        if level > MOST_LEVELS + 1:
            return  # too deep in any case; this also bounds the recursion
        nested = node.get("type") in ("object", "array")
        self.levels = max(self.levels, level) if nested else self.levels
        any_of = node.get("anyOf")
        for one in any_of if isinstance(any_of, list) else ():
            self._any(place, one, level)
        if node.get("type") == "object":
            self._object(place, node, level)
        if node.get("type") == "array":
            self._any(f"{place}[]", node.get("items"), level + 1)

    def _typed(self, place: str, node: Mapping[str, object]) -> None:
        types = node.get("type", [])
        named = types if isinstance(types, list) else [types]
        self.unions += len(named) > 1 or isinstance(node.get("anyOf"), list)
        if not all(isinstance(one, str) and one in _TYPES for one in named):
            self.problems.append(f"{place}: there is no type {types!r}")
        if not named and not {"anyOf", "enum", "const"} & node.keys():
            self.problems.append(f"{place}: may hold anything; give it a type")
        if "format" in node and node["format"] not in _FORMATS:
            self.problems.append(f"{place}: the format {node['format']!r} is not supported")

    def _choices(self, place: str, node: Mapping[str, object]) -> None:
        values = node.get("enum", [node["const"]] if "const" in node else [])
        if not isinstance(values, list) or any(isinstance(value, (dict, list)) for value in values):
            self.problems.append(f"{place}: an enum lists texts, numbers, booleans or null")
            return
        characters = sum(len(value) for value in values if isinstance(value, str))
        self.enum_values += len(values) if "enum" in node else 0
        self.characters += characters
        if len(values) > LARGE_ENUM and characters > LARGE_ENUM_CHARACTERS:
            self.problems.append(
                f"{place}: an enum of more than {LARGE_ENUM} values has at most {LARGE_ENUM_CHARACTERS} characters"
            )

    def _object(self, place: str, node: Mapping[str, object], level: int) -> None:
        properties = node.get("properties")
        if not isinstance(properties, dict) or not properties:
            self.problems.append(f"{place}: has no declared fields; declare a class instead of a free-form dict")
            return
        if node.get("additionalProperties") is not False:
            self.problems.append(f"{place}: additionalProperties has to be false")
        if node.get("required") != list(properties):
            self.problems.append(f"{place}: every property has to be required")
        self.properties += len(properties)
        self.characters += sum(map(len, properties))
        for name, one in properties.items():
            self._any(f"{place}.{name}", one, level + 1)
