"""Judged answers through `ResponseSynthesizer`: how many faultless ones it refuses or changes, how many faults ship."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from sets.grounding.items import LOADERS, Item, spread
from spanwise.answering.guarded import ResponseSynthesizer
from spanwise.llm.scripted import ScriptedModel
from spanwise.messages import NO_INFORMATION
from spanwise.synthesis.guarded.schema import Chunk, ModelConfig, SynthesisInput, SynthesisOutput

GUARDED = "guarded"
"""Its name among the sets of `spanwise eval`."""
SETS = ("ragtruth", "mtrag", "qafeedback")
"""Sets of answers that models gave from passages."""
Outcome: TypeAlias = Literal["refused", "changed", "marked", "whole"]
OUTCOMES: tuple[Outcome, ...] = ("refused", "changed", "marked", "whole")
Fate: TypeAlias = Literal["gone", "marked", "unmarked"]
FATES: tuple[Fate, ...] = ("gone", "marked", "unmarked")
_Kind = TypeVar("_Kind", bound=str)
_WORD = re.compile(r"\w+")
_CONFIG = ModelConfig(max_context_tokens=32_000)


@dataclass(slots=True)
class Shipped:
    """Counts by set and task."""

    faultless: dict[str, Counter[Outcome]] = field(default_factory=dict)
    """Outcomes of the answers that people found supported."""
    faults: dict[str, Counter[Fate]] = field(default_factory=dict)
    """What became of the ranges that people marked as unsupported."""

    def add(self, item: Item, output: SynthesisOutput) -> None:
        """Count the answer to one question."""
        name = item.set if item.task == "qa" else f"{item.set} {item.task}"
        if item.supported:
            self.faultless.setdefault(name, Counter()).update([outcome_of(output)])
        for low, high, _ in item.wrong:
            self.faults.setdefault(name, Counter()).update([fate_of(output, item.text[low:high])])

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            "faultless": {name: {key: counts[key] for key in OUTCOMES} for name, counts in self.faultless.items()},
            "faults": {name: {key: counts[key] for key in FATES} for name, counts in self.faults.items()},
        }

    def as_text(self) -> str:
        """The counts as two tables for a person."""
        return "\n".join(
            [*_table("faultless answers", OUTCOMES, self.faultless), *_table("faults", FATES, self.faults)]
        )


def _table(title: str, keys: Sequence[_Kind], rows: Mapping[str, Counter[_Kind]]) -> Iterator[str]:
    yield f"{title:<20}{'':>6}" + "".join(f"{key:>16}" for key in keys)
    for name, counts in rows.items():
        total = counts.total()
        yield f"{name:<20}{total:>6}" + "".join(f"{counts[key]:>8}{counts[key] / total:>8.1%}" for key in keys)


def outcome_of(output: SynthesisOutput) -> Outcome:
    """What became of an answer as a whole."""
    if output.answer == NO_INFORMATION:
        return "refused"
    if any(claim.verdict == "remove" for claim in output.claims):
        return "changed"
    return "marked" if _marked_ranges(output) else "whole"


def fate_of(output: SynthesisOutput, span: str) -> Fate:
    """What became of a piece of the model's answer."""
    if output.answer == NO_INFORMATION or _place(output, span) is None:
        return "gone"
    return "marked" if is_marked(output, span) else "unmarked"


def is_marked(output: SynthesisOutput, span: str) -> bool:
    """True if a piece of the answer stands in a sentence that ships with a mark."""
    place = _place(output, span)
    return place is not None and any(low < place[1] and place[0] < high for low, high in _marked_ranges(output))


def _place(output: SynthesisOutput, span: str) -> tuple[int, int] | None:
    """The range of the same words in the answer, however they are spaced and punctuated; None if they are not there."""
    words = _WORD.findall(span)
    found = re.search(r"\W+".join(map(re.escape, words)), output.answer) if words else None
    return None if found is None else found.span()


def _marked_ranges(output: SynthesisOutput) -> list[tuple[int, int]]:
    """Ranges of the answer that ship with a mark."""
    return [(claim.start, claim.end) for claim in output.claims if claim.verdict == "flag" and claim.end]


def synthesized(item: Item) -> SynthesisOutput:
    """The output where the model replies with the item's text, and its passages are the chunks."""
    # Citations would stand between the words of a fault that runs over two sentences.
    chunks = [Chunk(chunk_id=f"p{number}", text=text, score=1.0) for number, text in enumerate(item.passages)]
    given = SynthesisInput(
        trace_id=item.id, query=item.question or item.task, retrieved_chunks=chunks, preferences={"citations": False}
    )
    return ResponseSynthesizer(ScriptedModel([item.text]), config=_CONFIG).synthesize(given)


def measure(data: Path, limit: int | None = None) -> Shipped:
    """Run the answers of every set.

    Args:
        data: The data folder.
        limit: How many answers of each set; None or 0 for all.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    shipped = Shipped()
    for name in SETS:
        for item in spread(LOADERS[name](data), limit):
            shipped.add(item, synthesized(item))
    return shipped
