"""Which fields of a page are valid as it is opened, for `:valid`, `:invalid`, `:in-range` and `:out-of-range`."""

from __future__ import annotations

from collections.abc import Iterable

from spanwise.readers.html.selectors import STATE, Element

_FIELDS = frozenset(("input", "select", "textarea"))
_BARRED = frozenset(("hidden", "reset", "button"))
_RANGED = frozenset(("number", "range"))
_MARKS = {"email": "@", "url": ":"}
"""What a value of a type has to contain."""


def note_states(elements: Iterable[Element]) -> None:
    """Give each field, and the forms and groups around it, the attribute that selectors for these states ask for."""
    for element in elements:
        if element.tag not in ("form", "fieldset", *_FIELDS):
            continue
        states = _states(element) if element.tag in _FIELDS else ["valid"]
        if states:
            element.attrib = {**element.attrib, STATE: " ".join(states)}
        if "invalid" in states:
            for around in element.ancestors:
                if around.tag in ("form", "fieldset"):
                    around.attrib = {**around.attrib, STATE: "invalid"}


def _states(field: Element) -> list[str]:
    told = field.attrib
    kind = told.get("type", "text").lower() if field.tag == "input" else ""
    if kind in _BARRED or "disabled" in told or ("readonly" in told and field.tag != "select"):
        return []
    value = _value(field, kind)
    states: list[str] = []
    bounds = [_number(told.get(name, "")) for name in ("min", "max")]
    if kind in _RANGED and bounds != [None, None]:
        number, (least, most) = _number(value), bounds
        below = number is not None and least is not None and number < least
        above = number is not None and most is not None and number > most
        states.append("out-of-range" if kind == "number" and (below or above) else "in-range")  # a slider stops there
    wrong = bool(value) and _MARKS.get(kind, "") not in value
    missing = "required" in told and not value
    return [*states, "invalid" if missing or wrong or "out-of-range" in states else "valid"]


def _value(field: Element, kind: str) -> str:
    """The value of a field, or any words if it has one that is not known here; empty if it has none."""
    if field.tag == "textarea":
        return "text" if field.text else ""
    if field.tag == "select":
        options = [one for one in field.iter_subtree() if one.tag == "option"]
        chosen = [one for one in options if "selected" in one.attrib] or options[:1]
        return chosen[-1].attrib.get("value", "text" if chosen[-1].text else "") if chosen else ""
    if kind in ("checkbox", "radio"):
        return "on" if "checked" in field.attrib else ""
    value = field.attrib.get("value", "")
    return "" if kind == "number" and _number(value) is None else value


def _number(text: str) -> float | None:
    try:
        return float(text[:40])
    except ValueError:
        return None
