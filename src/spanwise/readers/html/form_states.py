"""The states of a page's fields as it is opened, for `:valid`, `:disabled`, `:read-write` and their like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spanwise.readers.html.selectors import STATE, Element

_FIELDS = frozenset(("input", "select", "textarea", "button"))
_BARRED = frozenset(("hidden", "reset", "button"))
_WRITTEN = frozenset("text search url tel email password number date month week time datetime-local".split())
_RANGED = frozenset("number date month week time datetime-local".split())
_MARKS = {"email": "@", "url": ":"}
"""What a value of a type has to contain."""


def note_states(elements: Iterable[Element]) -> None:
    """Give fields, and the forms and groups around them, the attribute that selectors for these states ask for."""
    found = list(elements)
    radios = [one for one in found if one.tag == "input" and one.attrib.get("type", "").lower() == "radio"]
    chosen = {one.attrib.get("name", "") for one in radios if "checked" in one.attrib}
    for element in found:
        told = element.attrib
        if element.tag in _FIELDS:
            states = list(_states(element))
        elif element.tag in ("form", "fieldset"):
            states = ["valid", "disabled" if "disabled" in told else "enabled" if element.tag == "fieldset" else ""]
        elif element.tag in ("option", "optgroup"):
            states = ["disabled" if "disabled" in told else "enabled"]
        elif told.get("contenteditable", "false").lower() != "false":
            states = ["read-write"]
        else:
            continue
        _note(element, states)
        for around in element.ancestors if "invalid" in states else ():
            if around.tag in ("form", "fieldset"):
                _note(around, [one for one in around.attrib[STATE].split() if one != "valid"] + ["invalid"])
    for radio in radios:
        if radio.attrib.get("name", "") not in chosen:
            _note(radio, [radio.attrib[STATE], "indeterminate"])


def _note(element: Element, states: Iterable[str]) -> None:
    element.attrib = {**element.attrib, STATE: " ".join(states)}


def _states(field: Element) -> Iterator[str]:
    told = field.attrib
    kind = told.get("type", "text").lower() if field.tag == "input" else ""
    off = "disabled" in told or any(
        one.tag == "fieldset" and "disabled" in one.attrib and not _is_in_legend(field) for one in field.ancestors
    )
    yield "disabled" if off else "enabled"
    needed = "required" in told and kind not in _BARRED and field.tag != "button"
    yield "required" if needed else "optional"
    written = field.tag == "textarea" or kind in _WRITTEN
    if written and not off and "readonly" not in told:
        yield "read-write"
    if off or kind in _BARRED or (written and "readonly" in told) or told.get("type", "").lower() in _BARRED:
        return
    value = _value(field, kind)
    bounded = kind in _RANGED and not {"min", "max"}.isdisjoint(told)
    beyond = bounded and bool(value) and not _is_within(value, told.get("min", ""), told.get("max", ""))
    if bounded or kind == "range":
        yield "out-of-range" if beyond else "in-range"
    wrong = bool(value) and _MARKS.get(kind, "") not in value
    yield "invalid" if wrong or beyond or (needed and not value) else "valid"


def _is_in_legend(field: Element) -> bool:
    return any(one.tag == "legend" for one in field.ancestors)


def _is_within(value: str, least: str, most: str) -> bool:
    """True if a number, or a date or time, is between bounds, of which any may be missing."""
    number, low, high = _number(value), _number(least), _number(most)
    if number is not None:
        return (low is None or number >= low) and (high is None or number <= high)
    return (not least or value >= least) and (not most or value <= most)


def _value(field: Element, kind: str) -> str:
    """The value of a field, or any word if it has one that is not known here; empty if it has none."""
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
