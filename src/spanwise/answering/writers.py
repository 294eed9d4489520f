"""Who writes the draft, and what every writer gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from spanwise.answering.request import Request
from spanwise.contract.result import Draft
from spanwise.contract.validation.problems import Problem
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.llm.flow import Flow
from spanwise.llm.port import Usage
from spanwise.store.port import Store
from spanwise.synthesis.response import Plan


@dataclass(frozen=True, slots=True)
class Drafted:
    """An unchecked draft, and how it was written."""

    draft: Draft
    hits: tuple[Hit, ...]
    """The evidence of the draft: the hits that were found, and more where parts of the question found others."""
    problems: tuple[Problem, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[Mapping[str, object], ...] = ()
    """Each call to a model with its reply, as a trace records it."""
    meta: Mapping[str, object] = field(default_factory=dict)


class Writer(Protocol):
    """Turns hits into a draft."""

    @property
    def name(self) -> str:
        """The mode."""

    @property
    def model(self) -> str | None:
        """Name of the model; None where none is called."""

    @property
    def strategy(self) -> str | None:
        """Strategy of sending passages to a model; None where the mode has none."""

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Draft an answer; `problems` says what was wrong with the last one."""

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """Upper bound of the cost of all passes together."""
