"""What is to be extracted, from questions, files, classes and JSON Schemas."""

import json

import pytest

from spanwise import ANSWER_REGISTRY
from spanwise.contract.registry import unregister
from spanwise.errors import InputError
from spanwise.extraction.fields import Field, checked, fields_of_class, fields_of_file, fields_of_questions

CLASS = """
from datetime import date
from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from spanwise import Amount


class Colour(Enum):
    RED = "red"


class Supplier(BaseModel):
    company: str
    city: str | None = None


class Invoice(BaseModel):
    number: str = Field(description="Invoice number")
    issued: date
    total: Amount | None = None
    paid: bool
    pages: Annotated[int, Field(description="How many pages does it have?")]
    lateFee: float
    parties: list[str]
    colour: Colour
    kind: Literal["a", "b"]
    supplier: Supplier


class Odd(BaseModel):
    either: int | str


class Free(BaseModel):
    anything: dict


class Plain:
    pass
"""


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "invoice_class.py"
    path.write_text(CLASS)
    yield path
    if "supplier" in ANSWER_REGISTRY:
        unregister("supplier")


def test_a_field_is_named_after_its_question():
    (field,) = fields_of_questions(["  What is the Late-payment penalty? "])
    assert field == Field("what_is_the_late_payment_penalty", "What is the Late-payment penalty?")


def test_a_text_file_has_a_question_a_line(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text("# asked of every lease\nWho is the tenant?\n\nWhat is the monthly rent?\n")
    assert [field.question for field in fields_of_file(path)] == ["Who is the tenant?", "What is the monthly rent?"]


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_tables_give_name_type_and_shape(tmp_path, suffix):
    path = tmp_path / f"fields.{suffix}"
    if suffix == "toml":
        path.write_text(
            '[[field]]\nname = "rent"\nquestion = "What is the rent?"\ntype = "amount"\nshape = "listing"\n'
        )
    else:
        path.write_text(
            json.dumps([{"name": "rent", "question": "What is the rent?", "type": "amount", "shape": "listing"}])
        )
    assert fields_of_file(path) == [Field("rent", "What is the rent?", "amount", "listing")]


def test_a_class_gives_types_shapes_and_questions(module):
    fields = {field.name: field for field in fields_of_class(f"{module}:Invoice")}
    assert fields["number"] == Field("number", "What is the invoice number?", "text", "single")
    assert fields["issued"] == Field("issued", "What is the issued?", "date", "single")
    assert fields["pages"].question == "How many pages does it have?"
    assert fields["lateFee"].question == "What is the late fee?"
    kinds = {name: (field.type, field.shape) for name, field in fields.items()}
    assert kinds["total"] == ("amount", "single")
    assert kinds["paid"] == ("boolean", "single")
    assert kinds["lateFee"] == ("quantity", "single")
    assert kinds["parties"] == ("text", "listing")
    assert kinds["colour"] == kinds["kind"] == ("text", "single")
    assert kinds["supplier"] == ("supplier", "single")


def test_a_class_may_be_asked_for_twice(module):
    assert fields_of_class(f"{module}:Invoice") == fields_of_class(f"{module}:Invoice")


def test_a_json_schema_gives_the_same_kinds(tmp_path):
    path = tmp_path / "lease.json"
    properties = {
        "tenant": {"type": "string"},
        "signed": {"type": ["string", "null"], "format": "date", "description": "Date of signature"},
        "rent": {"type": "number"},
        "furnished": {"type": "boolean"},
        "guarantors": {"type": "array", "items": {"type": "string"}},
    }
    path.write_text(json.dumps({"type": "object", "properties": properties}))
    fields = fields_of_class(str(path))
    assert [(field.type, field.shape) for field in fields] == [
        ("text", "single"),
        ("date", "single"),
        ("quantity", "single"),
        ("boolean", "single"),
        ("text", "listing"),
    ]
    assert fields[1].question == "What is the date of signature?"


def test_a_schema_that_refers_and_leaves_out_is_read(tmp_path):
    path = tmp_path / "bill.json"
    properties = {
        "payer": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Payer"},
        "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "description": "The day it is due."},
        "kind": {"$ref": "#/$defs/Kind", "description": "A word for its kind"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Kind"}},
        "tax": {"type": "number", "description": "U.S. tax"},
    }
    path.write_text(json.dumps({"$defs": {"Kind": {"enum": ["a", "b"]}}, "properties": properties}))
    assert [(field.question, field.type, field.shape) for field in fields_of_class(str(path))] == [
        ("What is the payer?", "text", "single"),
        ("What is the day it is due?", "date", "single"),
        ("What is the word for its kind?", "text", "single"),
        ("What is the parts?", "text", "listing"),
        ("What is the U.S. tax?", "quantity", "single"),
    ]


def test_long_questions_that_begin_alike_get_names_of_their_own():
    begin = "What does the owner of the garden house on the hill behind the church pay for "
    names = [field.name for field in fields_of_questions([begin + "water?", begin + "heat?", begin + "light?"])]
    assert (len(set(names)), max(map(len, names))) == (3, 60)
    with pytest.raises(InputError):
        fields_of_questions(["Who pays?", "Who pays?"])


@pytest.mark.parametrize("name", ["Odd", "Free", "Plain", "Nothing"])
def test_what_cannot_be_extracted_is_told(module, name):
    with pytest.raises(InputError):
        fields_of_class(f"{module}:{name}")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "{"),
        ("a.json", "[" * 100_000),
        ("a.json", '{"properties": {}}'),
        ("a.json", '{"properties": {"x": 1}}'),
        ("a.json", '{"properties": {"x": {"type": "object"}}}'),
        ("a.json", '{"properties": {"x": {"$ref": "#/properties/x"}}}'),
        ("a.json", '{"properties": {"x": {"anyOf": 1}}}'),
        ("a.json", '{"properties": {"x": {"type": "array", "items": {"$ref": "#/properties/x"}}}}'),
        ("a.json", '"text"'),
    ],
)
def test_a_file_that_is_no_schema_is_told(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=r"a\.json"):
        fields_of_class(str(path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.toml", "[[field]"),
        ("f.toml", "field = " + "[" * 100_000),
        ("f.toml", 'field = "x"'),
        ("f.toml", '[[field]]\nname = "x"'),
        ("f.toml", '[[field]]\nquestion = "What is it?"\nkind = "date"'),
        ("f.toml", '[[field]]\nquestion = "What is the rent?"\nname = 3'),
        ("f.json", "{}"),
        ("f.txt", "\n# nothing\n"),
        ("f.txt", "Who is the tenant?\nWho is the tenant?\n"),
    ],
)
def test_a_file_without_usable_fields_is_told(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError):
        fields_of_file(path)


@pytest.mark.parametrize("spec", ["Invoice", "nowhere.py:Invoice", "no.such.module:Invoice"])
def test_a_class_that_is_not_there_is_told(spec):
    with pytest.raises(InputError):
        fields_of_class(spec)


def test_a_module_that_fails_is_told(tmp_path, monkeypatch):
    (tmp_path / "failing_module.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    for spec, told in {"failing_module:Lease": "ZeroDivisionError", "..above:Lease": "relative import"}.items():
        with pytest.raises(InputError, match=told):
            fields_of_class(spec)


@pytest.mark.parametrize("field", [Field("a", "What is the rent?", "amuont"), Field("a", "Who?", None, "lst")])
def test_a_type_or_shape_that_there_is_not_is_told_before_anything_is_asked(field):
    with pytest.raises(InputError, match=str(field.shape or field.type)):
        checked([field])


def test_a_class_file_that_fails_is_told(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        fields_of_class(f"{path}:Invoice")
