"""The registry of export formats. What a format has no field for is left out; nothing is made up to fill its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TypeAlias

from spanwise.contract.result import Result
from spanwise.errors import InputError
from spanwise.export.plain import unlinked_result

_Formatter: TypeAlias = Callable[[Result], object]

_HOMES: Mapping[str, tuple[str, str]] = {
    "anthropic": ("provider_formats", "anthropic_pages"),
    "anthropic-blocks": ("provider_formats", "anthropic_blocks"),
    "cohere": ("provider_formats", "cohere_message"),
    "csv": ("plain", "rows"),
    "haystack": ("provider_formats", "haystack"),
    "html": ("web", "page"),
    "json": ("plain", "record"),
    "langchain": ("provider_formats", "langchain"),
    "llamaindex": ("provider_formats", "llamaindex"),
    "markdown": ("plain", "markdown"),
    "openai": ("provider_formats", "openai_response"),
    "openai-chat": ("provider_formats", "openai_chat"),
    "pydantic-ai": ("provider_formats", "pydantic_ai"),
    "sarif": ("web", "log"),
    "w3c": ("web", "annotation_page"),
}
_DATA = frozenset(["html", "json", "w3c"])
"""Formats for which links are not disarmed: a page that escapes its text itself, and data that programs read back."""
FORMATS = tuple(sorted(_HOMES))


def formatted(result: Result, name: str) -> object:
    """The result in one of `FORMATS`: text for `markdown`, `html` and `csv`, JSON values for all others."""
    if name not in _HOMES:
        raise InputError(f"there is no format {name!r}: choose {', '.join(FORMATS)}")
    module, function = _HOMES[name]
    formatter: _Formatter = getattr(import_module(f"spanwise.export.{module}"), function)
    return formatter(result if name in _DATA else unlinked_result(result))
