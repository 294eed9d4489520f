"""From a label, or from shape and type, to an answer class; `register` creates the class from one declared value."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar, cast, get_args

from pydantic import BaseModel, create_model, model_validator

from spanwise.contract.answers import (
    ANSWER_REGISTRY,
    AddressAnswer,
    AnswerBase,
    DateRangeAnswer,
    IbanAnswer,
    ListAnswer,
    PersonAnswer,
    PriceAnswer,
    QuantityAnswer,
    TableAnswer,
    TextAnswer,
)
from spanwise.contract.items import Item
from spanwise.contract.strict import schema_problems, strict_json_schema
from spanwise.domain.question import AnswerShape
from spanwise.errors import ContractError

ValueT = TypeVar("ValueT", bound=BaseModel)
AnswerT = TypeVar("AnswerT", bound=AnswerBase)
ModelT = TypeVar("ModelT", bound=BaseModel)

SHAPES: Final[tuple[AnswerShape, ...]] = get_args(AnswerShape)
SEED_LABELS: Final = frozenset(ANSWER_REGISTRY)
"""The six built-in labels, which cannot be unregistered."""
SHIPPED_ANSWERS: Final[dict[str, type[AnswerBase]]] = {
    "address": AddressAnswer,
    "date_range": DateRangeAnswer,
    "iban": IbanAnswer,
    "person": PersonAnswer,
    "price": PriceAnswer,
    "quantity": QuantityAnswer,
}
"""The other answer classes of the package; they are known without being registered."""

_LABEL = re.compile(r"[a-z][a-z0-9_]{0,63}")


class ValueItem(Item, Generic[ValueT]):
    """Base of the items that `register` makes: the value stands in the field that is named after the label."""

    @model_validator(mode="after")
    def _finite(self) -> Self:
        # A registered class need not be derived from ours, so it may allow infinities and NaN.
        if any(isinstance(leaf, float) and not math.isfinite(leaf) for leaf in _leaves(self.value)):
            raise ValueError("numbers have to be finite")
        return self

    if TYPE_CHECKING:

        @property
        def value(self) -> ValueT:
            """The value."""


class ValueAnswer(AnswerBase, Generic[ValueT]):
    """Base of the answers that `register` makes."""

    if TYPE_CHECKING:
        # Declared for type checkers only, as in `AnswerBase`.
        items: list[ValueItem[ValueT]]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer class for what was asked, with notes if it differs from what was asked for."""

    answer_class: type[AnswerBase]
    notes: tuple[str, ...] = ()


def register(label: str, value_class: type[ValueT]) -> type[ValueAnswer[ValueT]]:
    """Create an answer type from a value class. Registering the same class again changes nothing.

    Args:
        label: Name of the type, and of the item field with the value: a lower-case identifier.
        value_class: A Pydantic model. Its fields may be texts, numbers, booleans, dates, enums, literals, lists and
            other models, each optional or not; their descriptions and the class's docstring explain them to a language
            model.

    Returns:
        The class of the answer, `PostalCodeAnswer` for the label `postal_code`: its `items` are `PostalCodeItem`, with
            `spans` and the value in `postal_code` (and in `value`, whatever the label is).

    Raises:
        ContractError: The label is not valid or taken by another class, or the class cannot have a strict schema.
    """
    return cast("type[ValueAnswer[ValueT]]", _registered(label, value_class, _answer_of))


def register_answer(label: str, answer_class: type[AnswerT]) -> type[AnswerT]:
    """Register an answer class of your own under a label, such as a built-in one with a further flag.

    Args:
        label: Name of the type.
        answer_class: A subclass of `AnswerBase` with a field `items`, a list of items.

    Returns:
        The same class.

    Raises:
        TypeError: It is no subclass of `AnswerBase`.
        ContractError: The label is taken by another class, or the class cannot have a strict schema.
    """
    if not issubclass(answer_class, AnswerBase):
        raise TypeError(f"{answer_class.__name__} is no AnswerBase: register a value class with `register`")
    if label_of(answer_class) is None:
        raise ContractError(f"{answer_class.__name__} has no items: give it a field `items`, a list of items")
    return cast("type[AnswerT]", _registered(label, answer_class, _itself))


def _registered(
    label: str, declared: type[BaseModel], make: Callable[[str, type[BaseModel]], type[AnswerBase]]
) -> type[AnswerBase]:
    taken = ANSWER_REGISTRY.get(label)
    if taken is not None:
        if declared in (taken, value_class_of(taken)):
            return taken
        name = (value_class_of(taken) or taken).__name__
        hint = "choose another label" if label in SEED_LABELS else f"choose another or call unregister({label!r})"
        raise ContractError(f"the label {label!r} belongs to {name} already: {hint}")
    if not _LABEL.fullmatch(label) or keyword.iskeyword(label):
        raise ContractError(f"{label!r} cannot be a label: use a lower-case identifier such as 'postal_address'")
    if label in AnswerBase.model_fields or label == "items" or hasattr(Item, label) or label in Item.model_fields:
        raise ContractError(f"{label!r} cannot be a label: every item or answer has a field or method of that name")
    answer = SHIPPED_ANSWERS.get(label)
    if answer is None or declared not in (answer, value_class_of(answer)):
        answer = make(label, declared)
        problems = schema_problems(strict_json_schema(answer))
        if problems:
            raise ContractError(f"{declared.__name__} cannot be a strict schema: {'; '.join(problems[:3])}")
    ANSWER_REGISTRY[label] = answer
    return answer


def unregister(label: str) -> None:
    """Remove a registered label; a built-in class stays known under its own label.

    Raises:
        ContractError: The label is one of the six that cannot be unregistered, or is not registered.
    """
    if label in SEED_LABELS:
        raise ContractError(f"the label {label!r} is always there and cannot be unregistered")
    if ANSWER_REGISTRY.pop(label, None) is None:
        raise ContractError(f"the label {label!r} is not registered: registered are {_listed(ANSWER_REGISTRY)}")


def answer_classes() -> dict[str, type[AnswerBase]]:
    """Every label with its class, registered or built in, sorted by label."""
    return dict(sorted({**SHIPPED_ANSWERS, **ANSWER_REGISTRY}.items()))


def schema_for(shape: str, type: str) -> type[AnswerBase]:
    """The answer class for a shape and type; `resolve` also explains the choice.

    Raises:
        ContractError: There is no such shape.
    """
    return resolve(shape, type).answer_class


def resolve(shape: str, type: str) -> Resolution:
    """The answer class for a shape and type, with notes if it is not what was asked for.

    The type decides what a value is, the shape how values are combined: `single` and `listing` are items of the type's
    class. `table` is a `TableAnswer`, unless the type is a class that the user registered, whose fields then are the
    columns. `tree` and `nested_json` need a class registered under the label of the type or of the shape. If there is
    none, and for unknown types, the answer is text.
    """
    if shape not in SHAPES:
        raise ContractError(f"there is no shape {shape!r}: choose one of {', '.join(SHAPES)}")
    known = answer_classes()
    own = type in ANSWER_REGISTRY and type not in SEED_LABELS
    if shape in ("tree", "nested_json"):
        label = type if own else shape
        if label in known:
            return Resolution(known[label])
        return Resolution(
            TextAnswer, (f"no class is registered for the shape {shape!r} and the type {type!r}: the answer is text",)
        )
    if type not in known:
        note = f"there is no type {type!r} (there are {_listed(known)}): the answer is "
        return Resolution(*((TableAnswer, (note + "a table",)) if shape == "table" else (TextAnswer, (note + "text",))))
    if shape == "table" and not own:
        return Resolution(TableAnswer)
    return Resolution(ListAnswer if (shape, type) == ("listing", "text") else known[type])


def item_class_of(answer_class: type[AnswerBase]) -> type[Item] | None:
    """The class of an answer's items; None if it has none, like the base class."""
    field = answer_class.model_fields.get("items")
    found = get_args(field.annotation) if field else ()
    return found[0] if found and isinstance(found[0], type) and issubclass(found[0], Item) else None


def label_of(answer_class: type[AnswerBase]) -> str | None:
    """The name of the item field with the value, which is the label; None if the answer has no items."""
    item = item_class_of(answer_class)
    return None if item is None else next((name for name in item.model_fields if name != "spans"), None)


def value_class_of(answer_class: type[AnswerBase]) -> type[BaseModel] | None:
    """The class of an answer's values if it is a model; None for plain texts and booleans."""
    item, label = item_class_of(answer_class), label_of(answer_class)
    found = item.model_fields[label].annotation if item and label else None
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def _itself(label: str, answer_class: type[BaseModel]) -> type[AnswerBase]:
    del label
    return cast("type[AnswerBase]", answer_class)


def _answer_of(label: str, value_class: type[BaseModel]) -> type[AnswerBase]:
    from pydantic import RootModel

    if not (isinstance(value_class, type) and issubclass(value_class, BaseModel)) or issubclass(value_class, RootModel):
        raise ContractError(f"{value_class!r} is no class of fields: declare a pydantic BaseModel and register that")
    if issubclass(value_class, (AnswerBase, Item)):
        raise ContractError(f"{value_class.__name__} is no value: register answers of your own with register_answer")
    if not value_class.model_fields or "spans" in value_class.model_fields:
        reason = "has a field `spans`, which is the item's" if value_class.model_fields else "has no fields"
        raise ContractError(f"{value_class.__name__} {reason}: declare what the value is made of")
    name = "".join(part.capitalize() for part in label.split("_"))
    about = label.replace("_", " ")
    item = _class(f"{name}Item", ValueItem, f"One {about}.", label, value_class)
    return _class(f"{name}Answer", ValueAnswer, f"Answers of the type {about}.", "items", GenericAlias(list, (item,)))


def _class(name: str, base: type[ModelT], about: str, field: str, annotation: object) -> type[ModelT]:
    fields: dict[str, Any] = {field: (annotation, ...)}
    return create_model(name, __base__=base, __doc__=about, __module__=__name__, **fields)


def _leaves(value: object) -> Iterator[object]:
    """The parts of a value, down to texts and numbers."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _leaves(getattr(value, name))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _leaves(one)
    else:
        yield value


def _listed(labels: dict[str, type[AnswerBase]]) -> str:
    return ", ".join(sorted(labels))
