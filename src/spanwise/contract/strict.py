"""The strict JSON Schema of a class, and the published rules of structured output that it has to obey.

The rules are those that OpenAI ("Structured Outputs", supported schemas) and Anthropic ("Structured outputs", JSON
Schema limitations) publish, as of 2026; where they differ the narrower one counts. Ranges, lengths and patterns are not
in the schema, since some of these services refuse them: they are checked by the Python class.
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
"""Objects and arrays inside each other."""
MOST_PROPERTIES = 5000
MOST_ENUM_VALUES = 1000
LARGE_ENUM = 250
LARGE_ENUM_CHARACTERS = 15_000
MOST_CHARACTERS = 120_000
"""Of names of properties and definitions and of enum and const values, all together."""
MOST_UNIONS = 16
"""Properties that may be of several types; nullable ones are among them."""

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
    """The JSON Schema of a class as structured-output services accept it.

    Every object is closed and requires all its properties, what is optional in Python is nullable, nothing has a
    default or a title, and classes stay under `$defs`. An answer's items come before what is said about them, and an
    item's value before the lines that prove it, so that a model that writes in this order does not judge what it has
    not written yet.

    Args:
        answer_class: An answer, an item, a value or another Pydantic model.

    Raises:
        ContractError: The class has no JSON Schema. Whether the one it has obeys the rules says `schema_problems`.
    """
    try:
        schema = answer_class.model_json_schema(mode="validation")
    except (PydanticInvalidForJsonSchema, PydanticUserError) as error:
        reason = str(error).split("\n", 1)[0]
        raise ContractError(f"{answer_class.__name__} has no JSON Schema: {reason}") from error
    return _strict(schema)


def _strict(node: Mapping[str, object]) -> Schema:
    """One schema and all inside it, without what services refuse; what only they can judge stays."""
    if "$ref" in node:
        kept: Schema = {"$ref": node["$ref"]}  # services refuse words beside a reference
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
    """The order of writing: items, all else as it is declared, the lines that prove it."""
    return {"items": -1, "spans": 1}.get(named[0], 0)


def _each(schemas: object) -> Schema:
    return {name: _strict(one) for name, one in schemas.items()} if isinstance(schemas, dict) else {}


def schema_problems(schema: Mapping[str, object]) -> list[str]:
    """Violations of the published rules in a schema, one sentence each with its place; none when all accept it."""
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
    """Classes that contain themselves, or else a root that is too deep."""
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
    """One pass over the root or over one definition: what is wrong in it, and what of it counts."""

    def __init__(self, name: str, node: object) -> None:
        self.name = name
        self.problems: list[str] = []
        self.references: dict[str, int] = {}
        """Definitions that it refers to, with the deepest level at which it does."""
        self.levels = 0
        """Objects and arrays inside each other, references not followed."""
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
            return  # too deep in any case, and nobody walks on for ever
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
