import json

import pytest
from every import every
from pydantic import BaseModel, Field

from spanwise.contract.answers import AmountAnswer, AnswerBase, AnswerWithEvidence
from spanwise.contract.registry import answer_classes
from spanwise.contract.strict import MOST_LEVELS, schema_problems, strict_json_schema
from spanwise.errors import ContractError

ANSWERS = sorted({*answer_classes().values(), AnswerWithEvidence}, key=lambda answer: answer.__name__)


def nodes(schema):
    yield schema
    for value in schema.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield from nodes(one)


def closed(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_every_answer_obeys_the_published_rules(answer):
    schema = strict_json_schema(answer)
    assert schema_problems(schema) == []
    assert json.loads(json.dumps(schema)) == schema
    objects = [node for node in nodes(schema) if node.get("type") == "object"]
    assert objects
    for node in objects:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert not any(key in node for node in nodes(schema) for key in ("default", "title", "minimum", "maximum"))


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_no_answer_has_a_field_that_only_the_pipeline_may_fill(answer):
    assert not {"context_completeness_strong", "trace", "meta"} & strict_json_schema(answer)["properties"].keys()


def test_items_come_before_what_is_said_about_them():
    assert next(iter(strict_json_schema(AmountAnswer)["properties"])) == "items"


def test_an_item_says_its_value_before_the_lines_that_prove_it():
    for answer in answer_classes().values():
        for name, item in strict_json_schema(answer)["$defs"].items():
            if name.endswith("Item"):
                assert list(item["properties"])[1:] == ["spans"], name


def test_optional_is_nullable_and_fields_keep_names_that_are_keywords():
    class Odd(BaseModel):
        title: str = "x"
        default: int | None = Field(default=None, ge=3)

    schema = strict_json_schema(Odd)
    assert schema["properties"] == {
        "title": {"type": "string"},
        "default": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }
    assert schema_problems(schema) == []


def test_a_class_without_a_schema_is_refused():
    class Unfinished(BaseModel):
        later: "NotThere"  # noqa: F821

    with pytest.raises(ContractError, match="Unfinished has no JSON Schema"):
        strict_json_schema(Unfinished)


def deep(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = closed(inner=schema)
    return schema


def chained(links):
    definitions = {f"D{n}": closed(next={"$ref": f"#/$defs/D{n + 1}"}) for n in range(links)}
    return {**closed(first={"$ref": "#/$defs/D0"}), "$defs": {**definitions, f"D{links}": closed(a={"type": "string"})}}


TEXT = {"type": "string"}


@every(
    ("schema", "problem"),
    [
        ({"anyOf": [closed(a=TEXT)]}, "the root has to be an object"),
        ({"$ref": "#/$defs/A", "$defs": {"A": closed(a=TEXT)}}, "the root has to be an object"),
        ({**closed(a=TEXT), "additionalProperties": True}, "additionalProperties has to be false"),
        ({**closed(a=TEXT), "required": []}, "every property has to be required"),
        (closed(a={}), "$.a: may hold anything"),
        (closed(a={"description": "x"}), "$.a: may hold anything"),
        (closed(a={"type": "array"}), "$.a[]: may hold anything"),
        (closed(a={"type": "object"}), "free-form dict"),
        (closed(a={"type": "object", "additionalProperties": TEXT}), "free-form dict"),
        (closed(a={"type": "text"}), "there is no type 'text'"),
        (closed(a={"type": "string", "minLength": 1}), "minLength is not supported"),
        (closed(a={"type": "string", "format": "uri-template"}), "the format 'uri-template' is not supported"),
        (closed(a={"allOf": [TEXT], "type": "string"}), "allOf is not supported"),
        (closed(a={"enum": [{"a": 1}]}), "an enum lists"),
        (closed(a={"enum": [f"{n:070}" for n in range(251)]}), "at most 15000 characters"),
        (closed(a={"enum": list(range(1001))}), "1001 enum values"),
        (closed(**{f"a{n}": TEXT for n in range(5001)}), "5001 properties"),
        (closed(**{f"a{n}": {"type": ["string", "null"]} for n in range(17)}), "17 nullable properties"),
        (closed(**{"a" * 120_001: TEXT}), "characters of names"),
        (closed(a={"$ref": "#/$defs/Missing"}), "leads nowhere"),
        (closed(a={"$ref": "https://example.com/schema"}), "leads nowhere"),
        ({**closed(a={"$ref": "#/$defs/A", "description": "x"}), "$defs": {"A": closed(a=TEXT)}}, "beside a reference"),
        ({**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": closed(a={"$ref": "#/$defs/A"})}}, "A: contains itself"),
        (deep(MOST_LEVELS + 1), "nested deeper"),
        (deep(500), "nested deeper"),
        (chained(MOST_LEVELS - 1), "nested deeper"),
    ],
)
def test_each_rule_is_checked(schema, problem):
    assert any(problem in found for found in schema_problems(schema))


@pytest.mark.parametrize("schema", [deep(MOST_LEVELS), chained(MOST_LEVELS - 2)], ids=["inline", "references"])
def test_the_deepest_allowed_is_allowed(schema):
    assert schema_problems(schema) == []


def test_the_base_has_a_schema_too():
    assert schema_problems(strict_json_schema(AnswerBase)) == []
