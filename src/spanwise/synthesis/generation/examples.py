"""Dynamic few-shot prompting: verified answers to similar questions, from trace files, as examples in a prompt."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from spanwise.contract.record import ResultRecord, load_trace
from spanwise.domain.document import Line
from spanwise.errors import InputError, TraceError
from spanwise.text.terms import terms

MOST = 5
"""Most examples in a prompt."""
CLOSE = 0.4
"""Least similarity of two questions, the share of their words that both have; chosen, not fitted."""
MOST_TRACES = 2000
"""Most files of a folder that are read, in the order of their names."""
MOST_LINES = 20
"""Most cited lines of an example; an answer that cites more is a poor example."""
LONGEST = 2000
"""Most characters of an example's answer and lines together."""


@dataclass(frozen=True, slots=True)
class Example:
    """A past answer that was shipped with every claim supported."""

    id: str
    """Id of its trace."""
    question: str
    schema: str
    """Name of the answer's class."""
    lines: tuple[Line, ...]
    """The lines that it cites."""
    answer: str
    """The answer as JSON, as a model would write it."""


def load_examples(folder: str | os.PathLike[str]) -> tuple[Example, ...]:
    """The examples in the trace files (`*.json`) of a folder, by file name; of equal questions the last one counts.

    Files that are no traces or were edited are skipped, and so are answers that were not shipped or need a review.

    Raises:
        InputError: There is no such folder.
    """
    place = Path(folder)
    if not place.is_dir():
        raise InputError(f"there is no folder {place} with traces: make it, or name another one for the examples")
    found: dict[tuple[str, str], Example] = {}
    for path in sorted(place.glob("*.json"))[:MOST_TRACES]:
        example = _example(path)
        if example is not None:
            found[" ".join(example.question.casefold().split()), example.schema] = example
    return tuple(found.values())


def close_to(question: str, examples: Iterable[Example], schema: str) -> tuple[Example, ...]:
    """The examples of a class whose questions are similar to a question, the most similar first; possibly none."""
    asked = set(terms(question))
    ranked = []
    for example in examples:
        words = set(terms(example.question))
        shared = len(asked & words) / max(1, len(asked | words))
        if example.schema == schema and shared >= CLOSE:
            ranked.append((-shared, example.id, example))
    return tuple(example for _, _, example in sorted(ranked, key=lambda one: one[:2])[:MOST])


def _example(path: Path) -> Example | None:
    try:
        trace = load_trace(path)
        result = ResultRecord.model_validate(trace.get("result"))
    except (TraceError, ValidationError):
        return None
    documents = {citation.document for citation in result.citations}
    proved = result.claims and all(claim.support == "supported" for claim in result.claims)
    if result.decision != "ship" or result.review or not proved or len(documents) != 1:
        return None
    lines = _lines(result)
    answer = json.dumps(result.answer, ensure_ascii=False, separators=(",", ":"))
    if len(lines) > MOST_LINES or len(answer) + sum(len(line.text) for line in lines) > LONGEST:
        return None
    return Example(str(trace.get("id")), result.question, result.answer_schema, lines, answer)


def _lines(result: ResultRecord) -> tuple[Line, ...]:
    """The cited lines, in order and each once; their numbers within the page are not known any more."""
    lines: dict[int, Line] = {}
    for citation in result.citations:
        for number, text in enumerate(citation.quote.split("\n"), start=citation.line_start):
            lines[number] = Line(number, citation.page or 1, number, text)
    return tuple(lines[number] for number in sorted(lines))
