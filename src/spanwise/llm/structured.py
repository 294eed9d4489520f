"""Parsing of a typed answer from a model's text, whatever fences, prose, trailing commas or reasoning surround it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import NoReturn, TypeVar

from pydantic import ValidationError

from spanwise.contract.answers import AnswerBase
from spanwise.errors import StructuredOutputError
from spanwise.llm.port import Call, Reply

AnswerT = TypeVar("AnswerT", bound=AnswerBase)

_LONGEST = 200_000  # characters; no answer of the contract comes near it
_STARTS = 64  # opening braces that are tried; prose has few
_MENDED = 4  # of these, tried again without trailing commas, which costs a pass over the rest of the text
_ESTIMATES = ("confidence", "context_completeness_weak")
_PROBLEMS = 5  # problems that an error message lists

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE)
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*"?)|,(?=\s*[}\]])', re.DOTALL)


def parse_structured(text: str, answer_class: type[AnswerT]) -> AnswerT:
    """The answer of a class in a model's reply.

    The last JSON object that is a valid answer counts: models think first and answer last. Fences, text before and
    after, trailing commas and line breaks inside strings do not matter; reasoning inside tags is ignored.

    Raises:
        StructuredOutputError: There is no such object; the error says what is wrong with the last candidate.
    """
    problems: tuple[str, ...] = ()
    for found in reversed(_objects(text)):
        try:
            return answer_class.model_validate(_within_bounds(found))
        except ValidationError as error:
            problems = problems or tuple(
                f"{'.'.join(map(str, problem['loc'])) or 'answer'}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False, include_context=False)[:_PROBLEMS]
            )
    raise _failure(text, answer_class.__name__, problems)


def parse_mapping(text: str, schema: Mapping[str, object]) -> dict[str, object]:
    """The last JSON object in a reply that has the keys which a JSON schema requires.

    Only the presence of the required keys is checked, not their types. Raises `StructuredOutputError` if there is none.
    """
    problems: tuple[str, ...] = ()
    required = schema.get("required", [])
    keys = [str(key) for key in required] if isinstance(required, list | tuple) else []
    for found in reversed(_objects(text)):
        missing = [key for key in keys if key not in found]
        if not missing:
            return found
        problems = problems or tuple(f"{key}: missing" for key in missing[:_PROBLEMS])
    raise _failure(text, str(schema.get("title", "the schema")), problems)


def parse_reply(call: Call, reply: Reply) -> Reply:
    """The reply with `parsed` filled in if the call has a schema, or with the error that says why it cannot be."""
    if call.schema is None or reply.error is not None or reply.parsed is not None:
        return reply
    try:
        if isinstance(call.schema, Mapping):
            return reply.but(parsed=parse_mapping(reply.text, call.schema))
        return reply.but(parsed=parse_structured(reply.text, call.schema))
    except StructuredOutputError as error:
        return reply.but(error=error)


def _objects(text: str) -> list[dict[str, object]]:
    """The JSON objects at the top level of the text, in order."""
    if len(text) > _LONGEST:
        raise StructuredOutputError(
            f"The reply has {len(text):,} characters, more than the {_LONGEST:,} that are searched for an answer; "
            "set max_output_tokens.",
            text=text[:1000],
        )
    return list(_decoded(_without_thoughts(text)))


def _decoded(text: str) -> Iterator[dict[str, object]]:
    position, mended = 0, 0
    for _ in range(_STARTS):
        start = text.find("{", position)
        if start < 0:
            return
        position = start + 1
        try:
            found, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            if mended == _MENDED:
                continue
            mended += 1
            rest = _STRING_OR_COMMA.sub(_comma_to_space, text[start:])
            try:
                found, length = _DECODER.raw_decode(rest)
            except (ValueError, RecursionError):
                continue
            position = start + length
        yield found


def _within_bounds(found: dict[str, object]) -> dict[str, object]:
    """An answer whose estimates about itself are limited to the range from 0 to 1.

    No grammar enforces a range of numbers, and nothing is proved by these estimates: the guard computes its own
    confidence. Numbers from documents are never changed.
    """
    estimates = {name: found[name] for name in _ESTIMATES if name in found}
    return found | {
        name: min(1.0, max(0.0, value))
        for name, value in estimates.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _comma_to_space(match: re.Match[str]) -> str:
    return match.group(1) or " "


def _without_thoughts(text: str) -> str:
    """The text after the last reasoning tag, or before the first if it is never closed (the reply was cut)."""
    ends = list(_THOUGHT_END.finditer(text))
    if ends:
        after = text[ends[-1].end() :]
        return after if "{" in after else text[: _first_thought(text)]
    return text[: _first_thought(text)]


def _first_thought(text: str) -> int:
    opened = _THOUGHT.search(text)
    return opened.start() if opened else len(text)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_float=_number, parse_constant=_constant, strict=False)


def _failure(text: str, name: str, problems: tuple[str, ...]) -> StructuredOutputError:
    what = "; ".join(problems) or "no JSON object was found"
    return StructuredOutputError(
        f"The reply is not a {name}: {what}. Ask again, or use a model that takes schemas.",
        text=text,
        problems=problems or ("no JSON object was found",),
    )
