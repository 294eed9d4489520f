"""The response modes by name: each is a plan and a short flow, and none of them knows of networks, loops or threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from spanwise.errors import ModeError
from spanwise.llm.flow import Flow
from spanwise.synthesis.folding import Folding
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.synthesis.mapping import Accumulation
from spanwise.synthesis.quoting import Quoting
from spanwise.synthesis.single import NoText, Single
from spanwise.synthesis.tree import Tree


class ResponseMode(StrEnum):
    """How a response is written from passages; each is equal to its name as a string."""

    REFINE = "refine"
    """Passage after passage, each may change the answer so far: the most detailed, one call a passage."""
    COMPACT = "compact"
    """The same with as many passages in each call as fit."""
    TREE_SUMMARIZE = "tree_summarize"
    """Every window is summarised, then the summaries are: for summaries, few calls after one another."""
    SIMPLE_SUMMARIZE = "simple_summarize"
    """One call with the beginning of every passage: quick and lossy."""
    NO_TEXT = "no_text"
    """No call: only the passages, to look at."""
    ACCUMULATE = "accumulate"
    """The same question to every passage, answers side by side."""
    COMPACT_ACCUMULATE = "compact_accumulate"
    """The same with as many passages in each call as fit."""
    EXTRACTIVE = "extractive"
    """No call: the sentences of the passages that have most of the question's words."""


MODES = tuple(mode.value for mode in ResponseMode)
"""The names of the seven response modes, and `extractive`."""


class Way(Protocol):
    """How a mode works."""

    def schedule(self, job: Job) -> Schedule:
        """What it will do at most, without a model."""

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Do it; the answers, one unless the mode gives several."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: how it works, which templates it fills, and whether it gives several answers."""

    way: Way
    templates: tuple[str, ...] = ()
    several: bool = False


WAYS: Mapping[ResponseMode, Mode] = {
    ResponseMode.REFINE: Mode(Folding(alone=True), ("text_qa", "refine")),
    ResponseMode.COMPACT: Mode(Folding(alone=False), ("text_qa", "refine")),
    ResponseMode.TREE_SUMMARIZE: Mode(Tree(), ("summary",)),
    ResponseMode.SIMPLE_SUMMARIZE: Mode(Single(), ("text_qa",)),
    ResponseMode.NO_TEXT: Mode(NoText()),
    ResponseMode.ACCUMULATE: Mode(Accumulation(alone=True), ("text_qa",), several=True),
    ResponseMode.COMPACT_ACCUMULATE: Mode(Accumulation(alone=False), ("text_qa",), several=True),
    ResponseMode.EXTRACTIVE: Mode(Quoting()),
}


def mode_named(name: str) -> ResponseMode:
    """The mode of that name.

    Raises:
        ModeError: There is none; it is a ValueError.
    """
    try:
        return ResponseMode(name)
    except ValueError:
        raise ModeError(f"there is no response mode {name!r}; choose one of {', '.join(MODES)}") from None
