from enum import Enum
from typing import Any, Literal

import pytest
from every import every
from pydantic import BaseModel, Field, RootModel, ValidationError

import spanwise
from spanwise import ANSWER_REGISTRY, Address, AmountAnswer, ListAnswer, TableAnswer, TextAnswer, register, unregister
from spanwise.contract.answers import AddressAnswer, AnswerBase
from spanwise.contract.items import TableItem
from spanwise.contract.registry import SEED_LABELS, label_of, register_answer, resolve, schema_for, value_class_of
from spanwise.contract.schema_prompt import fragment
from spanwise.contract.strict import schema_problems, strict_json_schema
from spanwise.errors import ContractError

FLAGS = {
    "extraction_method": "verbatim",
    "confidence": 0.9,
    "answer_found": True,
    "complete_answer_found": True,
    "context_completeness_weak": 0.9,
    "context_structured": True,
    "conflicting_evidence": False,
}


class Kind(Enum):
    OFFICE = "office"
    PLANT = "plant"


class Place(BaseModel):
    latitude: float
    longitude: float


class Site(BaseModel):
    """A site of the company."""

    name: str = Field(description="as printed")
    kind: Kind = Kind.OFFICE
    size: Literal["small", "large"] | None = None
    place: Place | None = None
    floors: list[int] = []


class Node(BaseModel):
    children: "list[Node]"


class FreeForm(BaseModel):
    anything: dict[str, str]


class Untyped(BaseModel):
    anything: Any


class Pair(BaseModel):
    two: tuple[int, str]


class WithSpans(BaseModel):
    spans: list[int]


class Empty(BaseModel):
    pass


class Texts(RootModel[list[str]]):
    pass


@pytest.fixture(autouse=True)
def _registry_as_before():
    before = dict(ANSWER_REGISTRY)
    yield
    ANSWER_REGISTRY.clear()
    ANSWER_REGISTRY.update(before)


def test_one_declaration_makes_item_answer_schema_and_fragment():
    answer_class = register("site", Site)
    answer = answer_class(
        items=[{"site": {"name": "Lyon", "kind": "plant", "place": {"latitude": 45, "longitude": 4.8}}}], **FLAGS
    )
    assert (type(answer).__name__, type(answer.items[0]).__name__) == ("SiteAnswer", "SiteItem")
    assert answer.items[0].value == Site(name="Lyon", kind=Kind.PLANT, place=Place(latitude=45, longitude=4.8))
    assert ANSWER_REGISTRY["site"] is schema_for("listing", "site") is answer_class
    assert schema_problems(strict_json_schema(answer_class)) == []
    assert "`name` (text): as printed" in fragment("site")
    assert "`kind` (one of office, plant)" in fragment("site")
    assert "`size` (one of small, large or null)" in fragment("site")


def test_a_shipped_class_can_be_registered_under_its_label_and_gives_one_row():
    assert register("address", Address) is AddressAnswer is register("address", Address)
    said = {"street": "350 Fifth Avenue", "city": "New York", "postal_code": "10118", "country": "USA"}
    [item] = AddressAnswer(items=[{"address": said}], **FLAGS).items
    assert list(item.address.model_dump()) == ["street", "postal_code", "city", "country"]
    unregister("address")
    assert schema_for("single", "address") is AddressAnswer


def test_an_own_class_may_stand_for_a_shipped_one_until_it_is_unregistered():
    own = register("address", Site)
    assert schema_for("single", "address") is own
    unregister("address")
    assert schema_for("single", "address") is AddressAnswer


@every(
    ("label", "value_class", "message"),
    [
        ("text", Site, "choose another label"),
        ("confidence", Site, "every item or answer has a field or method"),
        ("json", Site, "every item or answer has a field or method"),
        ("items", Site, "every item or answer has a field or method"),
        ("value", Site, "every item or answer has a field or method"),
        ("spans", Site, "every item or answer has a field or method"),
        ("postal address", Site, "lower-case identifier"),
        ("Site", Site, "lower-case identifier"),
        ("class", Site, "lower-case identifier"),
        ("", Site, "lower-case identifier"),
        ("x" * 65, Site, "lower-case identifier"),
        ("node", Node, "contains itself"),
        ("free", FreeForm, "FreeForm.anything: has no declared fields"),
        ("untyped", Untyped, "Untyped.anything: may hold anything"),
        ("pair", Pair, "prefixItems"),
        ("other", WithSpans, "field `spans`"),
        ("empty", Empty, "has no fields"),
        ("texts", Texts, "declare a pydantic BaseModel"),
        ("texts", dict, "declare a pydantic BaseModel"),
        ("answer", AmountAnswer, "register_answer"),
    ],
)
def test_what_cannot_be_in_the_contract_is_refused_and_leaves_no_trace(label, value_class, message):
    before = dict(ANSWER_REGISTRY)
    with pytest.raises(ContractError, match=message):
        register(label, value_class)
    assert before == ANSWER_REGISTRY


def test_a_label_belongs_to_one_class():
    register("site", Site)
    with pytest.raises(ContractError, match=r"belongs to Site already: choose another or call unregister\('site'\)"):
        register("site", Place)


@pytest.mark.parametrize("label", ["text", "nothing"])
def test_only_what_was_registered_can_be_unregistered(label):
    with pytest.raises(ContractError, match=label):
        unregister(label)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_registered_value_has_finite_numbers(value):
    answer_class = register("place", Place)
    with pytest.raises(ValidationError, match="finite"):
        answer_class(items=[{"place": {"latitude": value, "longitude": 1}}], **FLAGS)


@pytest.mark.parametrize(
    ("shape", "kind", "expected"),
    [
        ("listing", "amount", AmountAnswer),
        ("single", "text", TextAnswer),
        ("table", "text", TableAnswer),
        ("table", "address", TableAnswer),
        ("listing", "text", ListAnswer),
        ("single", "list", ListAnswer),
        ("single", "iban", spanwise.IbanAnswer),
        ("single", "quantity", spanwise.QuantityAnswer),
        ("listing", "date_range", spanwise.DateRangeAnswer),
    ],
)
def test_type_picks_the_value_and_shape_the_wrapping(shape, kind, expected):
    resolution = resolve(shape, kind)
    assert (resolution.answer_class, resolution.notes) == (expected, ())


@pytest.mark.parametrize(
    ("shape", "kind", "expected"),
    [
        ("single", "zzz", TextAnswer),
        ("table", "zzz", TableAnswer),
        ("tree", "text", TextAnswer),
        ("nested_json", "x", TextAnswer),
    ],
)
def test_what_has_no_class_falls_back_with_a_note(shape, kind, expected):
    resolution = resolve(shape, kind)
    assert resolution.answer_class is expected
    assert len(resolution.notes) == 1
    assert kind in resolution.notes[0]


def test_trees_and_tables_use_what_is_registered():
    site = register("site", Site)
    assert schema_for("tree", "site") is schema_for("table", "site") is site
    tree = register("tree", Place)
    assert schema_for("tree", "text") is tree


def test_an_unknown_shape_names_those_there_are():
    with pytest.raises(ContractError, match="single, listing, table, tree, nested_json"):
        schema_for("pyramid", "text")


def test_an_indicator_is_one_field():
    class Governed(AmountAnswer):
        jurisdiction: str | None = Field(default=None, description="the law that governs")

    register_answer("governed_amount", Governed)
    assert schema_for("single", "governed_amount") is Governed
    assert "jurisdiction" in strict_json_schema(Governed)["required"]
    assert "The answer also has `jurisdiction` (text or null): the law that governs" in fragment("governed_amount")
    assert Governed(items=[], jurisdiction="Delaware", **FLAGS).jurisdiction == "Delaware"


def test_an_indicator_of_each_item_is_one_field():
    class Sure(TableItem):
        table_confidence: float

    class SureTables(TableAnswer):
        items: list[Sure]

    assert "Each item also has `table_confidence` (number)" in fragment(SureTables)
    assert label_of(SureTables) == "table"


def test_only_answers_are_registered_as_answers():
    with pytest.raises(TypeError, match="no AnswerBase"):
        register_answer("place", Place)
    with pytest.raises(ContractError, match="no items"):
        register_answer("nothing", AnswerBase)


@pytest.mark.parametrize("label", sorted(SEED_LABELS))
def test_every_label_has_a_fragment_that_names_its_field(label):
    answer_class = ANSWER_REGISTRY[label]
    said = fragment(label)
    assert f"`{label_of(answer_class)}`" in said
    value_class = value_class_of(answer_class)
    assert all(f"`{name}`" in said for name in (value_class.model_fields if value_class else ()))


def test_a_fragment_of_nothing_is_refused():
    with pytest.raises(ContractError, match="choose one of address, amount"):
        fragment("zzz")
    with pytest.raises(ContractError, match="no items"):
        fragment(AnswerBase)
