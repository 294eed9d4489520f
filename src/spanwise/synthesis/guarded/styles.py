"""Styles of an answer: what the model is told, and what code makes of the checked text. No style adds a word."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from spanwise.errors import SynthesisError


class Style(Enum):
    """The styles."""

    ACADEMIC = "academic"
    SIMPLE = "simple"
    BULLETS = "bullets"
    JSON = "json"


INSTRUCTIONS = {
    Style.ACADEMIC: "Style: academic. Precise, impersonal prose without contractions, instead of bullets.",
    Style.SIMPLE: "Style: simple. Explain as to a child of ten: short sentences, common words; numbers and names stay.",
    Style.BULLETS: 'Style: bullets. Every statement is a line that begins with "- ", and there is nothing else.',
    Style.JSON: "Style: plain sentences, one a line, without markup; code turns them into JSON.",
}
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_LONGEST_JSON = 200_000
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the answer, as it is shown, and the ids that it cites."""

    text: str
    cites: tuple[str, ...]


def style_named(name: str | None) -> Style | None:
    """The style of that name.

    Raises:
        SynthesisError: There is none.
    """
    try:
        return None if name is None else Style(name)
    except ValueError:
        known = ", ".join(style.value for style in Style)
        raise SynthesisError(f"there is no style {name!r}; choose one of {known}, or None") from None


def said_in_json(text: str) -> str:
    """What a model said in JSON, though it was asked for sentences, as lines of text; any other text as it is.

    Names of fields stand before their values, so that a value without a sentence around it can still be checked.
    """
    fenced = _FENCE.match(text)
    inner = (fenced[1] if fenced else text).strip()
    if inner[:1] not in ("{", "[") or len(inner) > _LONGEST_JSON:
        return text
    try:
        found = json.loads(inner)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_lines(found, "", _DEEPEST)) if isinstance(found, dict | list) else text


def _lines(value: object, name: str, deeper: int) -> list[str]:
    if isinstance(value, dict) and deeper:
        return [line for key, inner in value.items() for line in _lines(inner, str(key), deeper - 1)]
    if isinstance(value, list) and deeper:
        return [line for inner in value for line in _lines(inner, name, deeper - 1)]
    if value is None or value in ("", {}, []):
        return []
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    sentence = isinstance(value, str) and (name.lower() in _SENTENCES or value.rstrip()[-1:] in ".!?]")
    return [said if sentence or not name else f"{name.replace('_', ' ')}: {said}"]


_SENTENCES = frozenset(["answer", "response", "text", "summary", "statement", "statements", "evidence", "bullets"])


def as_json(answer: str, statements: Sequence[Statement]) -> str:
    """An answer and its statements as one JSON object."""
    shown = [{"text": one.text, "chunk_ids": list(one.cites)} for one in statements]
    return json.dumps({"answer": answer, "statements": shown}, ensure_ascii=False)
