"""The fields of an extraction: one question each, given as questions, as a class or as a JSON Schema."""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import importlib
import importlib.util
import json
import re
import sys
import tomllib
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from spanwise.contract.registry import answer_classes, register, value_class_of
from spanwise.contract.values import Amount, DateValue
from spanwise.errors import InputError
from spanwise.questions.parse import demanded, known_type, parse_question

MOST_FIELDS = 1_000
_LARGEST_FILE = 10_000_000
_LONGEST_NAME = 60
_LONGEST_NUMBERED = 56
_DEEPEST = 20
"""Schemas inside of each other, or that refer to each other."""
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_ANY_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")
_TYPES: Mapping[object, str] = {
    str: "text",
    bool: "boolean",
    int: "quantity",
    float: "quantity",
    dt.date: "date",
    dt.datetime: "date",
    Amount: "amount",
    DateValue: "date",
}
_SCHEMA_TYPES = {"string": "text", "boolean": "boolean", "integer": "quantity", "number": "quantity"}
_FORMATS = {"date": "date", "date-time": "date", "iban": "iban", "currency": "amount"}


@dataclass(frozen=True, slots=True)
class Field:
    """One column: its name, the question that fills it, and the type and shape of its value if they are demanded."""

    name: str
    question: str
    type: str | None = None
    shape: str | None = None


def fields_of_questions(questions: Iterable[str]) -> list[Field]:
    """One field for each question, named after the words of the question; of long ones that begin alike, by number."""
    asked = [question.strip() for question in questions if question.strip()]
    names = [name_of(question) for question in asked]
    twice = [names[:at].count(name) if asked[at] not in asked[:at] else 0 for at, name in enumerate(names)]
    numbered = (
        f"{name[:_LONGEST_NUMBERED]}_{many + 1}" if many else name for name, many in zip(names, twice, strict=True)
    )
    return checked(map(Field, numbered, asked))


def fields_of_file(path: Path) -> list[Field]:
    """The fields in a file: one question per line, or a list of tables named `field` in TOML or JSON.

    A table has `question`, and optionally `name`, `type` and `shape`.
    """
    text = _text_of(path)
    if path.suffix == ".toml":
        try:
            data: object = tomllib.loads(text).get("field")
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise InputError(f"{path} is not TOML: {error}") from error
    elif path.suffix == ".json":
        data = _json_of(path, text)
        data = data.get("field") if isinstance(data, dict) else data
    else:
        return fields_of_questions(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    if not isinstance(data, list):
        raise InputError(f"{path} has no list of fields: write [[field]] tables, each with a question")
    return checked(_field_of(one, path) for one in data)


def _field_of(data: object, path: Path) -> Field:
    if not isinstance(data, dict) or not isinstance(data.get("question"), str):
        raise InputError(f"{path}: each field needs a question, a text")
    unknown = set(data) - {"name", "question", "type", "shape"}
    if unknown:
        raise InputError(f"{path}: a field has name, question, type and shape, and no {min(unknown)!r}")
    wrong = [key for key in ("name", "type", "shape") if not isinstance(data.get(key, ""), str)]
    if wrong:
        raise InputError(f"{path}: the {wrong[0]} of a field is a text")
    question = str(data["question"])
    wanted = data.get("type")
    if wanted is not None:
        known_type(wanted)
    return Field(str(data.get("name") or name_of(question)), question, wanted, data.get("shape"))


def fields_of_class(spec: str) -> list[Field]:
    """The fields of a class (`invoice.py:Invoice`, `package.module:Invoice`) or of a JSON Schema file.

    The question of a field is its description, or is made from its name; its type follows from the annotation. A nested
    class is registered as a type of its own, so that one question fills all of it.
    """
    if spec.endswith(".json"):
        path = Path(spec)
        data = _json_of(path, _text_of(path))
        properties = data.get("properties") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(properties, dict) or not properties:
            raise InputError(f"{path} is not the JSON Schema of an object: it has no properties")
        return checked(_schema_field(name, _resolved(one, data), data, path) for name, one in properties.items())
    return checked(_class_fields(_load(spec)))


def _load(spec: str) -> type[BaseModel]:
    where, _, name = spec.rpartition(":")
    if not where:
        raise InputError(f"{spec!r} names no class: write FILE.py:Class, package.module:Class or FILE.json")
    try:
        module = _module_of_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except InputError:
        raise
    except ImportError as error:
        raise InputError(f"cannot import {where!r}: {error}") from error
    except Exception as error:  # errors of the user's code become a message
        raise InputError(f"cannot import {where!r}: {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if not (isinstance(found, type) and issubclass(found, BaseModel)):
        raise InputError(f"{where} has no class {name!r} that is a pydantic model")
    return found


def _module_of_file(path: Path) -> types.ModuleType:
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}")
    name = f"_spanwise_class_{hashlib.sha256(bytes(path.resolve())).hexdigest()[:16]}"
    if name in sys.modules:  # like an import: the class stays the same class
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks annotations up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # errors of the user's code become a message
        del sys.modules[name]
        raise InputError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module


def _class_fields(model: type[BaseModel]) -> Iterable[Field]:
    for name, info in model.model_fields.items():
        type_, shape = _kind(info.annotation, f"{model.__name__}.{name}")
        yield Field(name, _question(name, info.description), type_, shape)


def _kind(annotation: object, where: str) -> tuple[str, str]:
    """The type and shape for a field's annotation."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(arguments[0], where)
    if origin in (Union, types.UnionType):
        kinds = [argument for argument in arguments if argument is not type(None)]
        if len(kinds) != 1:
            raise InputError(f"{where}: a field has one type, or one type and None; it has {len(kinds)}")
        return _kind(kinds[0], where)
    if origin in (list, tuple, set, frozenset, Sequence):
        return _kind(arguments[0] if arguments else str, where)[0], "listing"
    if origin is Literal or (isinstance(annotation, type) and issubclass(annotation, enum.Enum)):
        return "text", "single"
    if annotation in _TYPES:
        return _TYPES[annotation], "single"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _label(annotation), "single"
    raise InputError(f"{where}: {annotation!r} cannot be extracted; use a text, number, date, yes or no, or a class")


def _label(value: type[BaseModel]) -> str:
    """The label of a value class, which is registered if it is not yet known."""
    known = next((label for label, one in answer_classes().items() if value_class_of(one) is value), None)
    if known is not None:
        return known
    label = "_".join(part for part in _ANY_CASE.split(value.__name__) if part).lower()
    register(label, value)
    return label


def _resolved(data: object, whole: Mapping[str, object]) -> object:
    """A schema without what it refers to elsewhere in the file, and without null as the only other possibility."""
    for _ in range(_DEEPEST):
        if not isinstance(data, dict):
            break
        given = data.get("anyOf")
        choices = [one for one in given if one != {"type": "null"}] if isinstance(given, list) else []
        place = data.get("$ref")
        if len(choices) == 1 and isinstance(choices[0], dict):
            data = {key: value for key, value in data.items() if key != "anyOf"} | choices[0]
        elif isinstance(place, str) and place.startswith("#/"):
            found: object = whole
            for key in place[2:].split("/"):
                found = found.get(key) if isinstance(found, dict) else None
            rest = {key: value for key, value in data.items() if key != "$ref"}
            data = found | rest if isinstance(found, dict) else rest
        else:
            break
    return data


def _schema_field(name: str, data: object, whole: Mapping[str, object], path: Path) -> Field:
    if not isinstance(data, dict):
        raise InputError(f"{path}: the property {name!r} is not a schema")
    described = data.get("description") or data.get("title")
    type_, shape = _schema_kind(data, name, whole, path)
    return Field(name, _question(name, described if isinstance(described, str) else None), type_, shape)


def _schema_kind(data: Mapping[str, object], name: str, whole: Mapping[str, object], path: Path) -> tuple[str, str]:
    shape = "single"
    names = _types(data)
    for _ in range(_DEEPEST):
        if names != ["array"]:
            break
        items = _resolved(data.get("items"), whole)
        data, shape = items if isinstance(items, dict) else {"type": "string"}, "listing"
        names = _types(data)
    named = data.get("format")
    if names == ["string"] and isinstance(named, str) and named in _FORMATS:
        return _FORMATS[named], shape
    if len(names) == 1 and names[0] in _SCHEMA_TYPES:
        return _SCHEMA_TYPES[str(names[0])], shape
    if "enum" in data:
        return "text", shape
    raise InputError(
        f"{path}: the property {name!r} has no type that can be extracted: use string, number, boolean or array"
    )


def _types(data: Mapping[str, object]) -> list[object]:
    given = data.get("type")
    return [one for one in given if one != "null"] if isinstance(given, list) else [given]


def _question(name: str, description: str | None) -> str:
    """The description if it is a question; else a question for the description, or for the name in words."""
    said = (description or "").strip()
    if said.endswith("?"):
        return said
    words = said.rstrip(".") or " ".join(part for part in _ANY_CASE.split(name) if part).lower()
    words = _ARTICLE.sub("", words, count=1) if _ARTICLE.match(words) else words
    return f"What is the {words[0].lower() + words[1:] if words[:2].isalpha() and words[:2].istitle() else words}?"


def checked(fields: Iterable[Field]) -> list[Field]:
    """The fields as a list.

    Raises `InputError` if there are none or too many, a name is not unique, or a question, type or shape is invalid.
    """
    found = list(fields)
    if not found:
        raise InputError("there is nothing to extract: give at least one question")
    if len(found) > MOST_FIELDS:
        raise InputError(f"{len(found)} fields are too many: at most {MOST_FIELDS} are extracted in one run")
    names: set[str] = set()
    for field in found:
        if field.name in names:
            raise InputError(f"two fields are called {field.name!r}: give each a name of its own")
        names.add(field.name)
        demanded(parse_question(field.question), field.type, field.shape)
    return found


def name_of(question: str) -> str:
    """A column name made of the words of a question, at most `_LONGEST_NAME` characters."""
    return "_".join(re.findall(r"[^\W_]+", question.lower()))[:_LONGEST_NAME] or "question"


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is larger than {_LARGEST_FILE:,} bytes: it is not a list of fields")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8") from error


def _json_of(path: Path, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from error
