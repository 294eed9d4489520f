"""What a decision was made from beside the answer itself, so that a trace can make it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spanwise.answering.decision import OnInvalid, route
from spanwise.contract.answers import AnswerBase
from spanwise.contract.result import Decision, Draft
from spanwise.contract.validation.problems import Problem
from spanwise.domain.document import Document


@dataclass(frozen=True, slots=True)
class Basis:
    """The signals that `route` reads, as they were in one pass."""

    strong: bool | None
    problems: tuple[Problem, ...] = ()
    attempt: int = 1
    on_invalid: OnInvalid = "retry"
    drafted: bool = False
    """Whether the answer as it was drafted was decided on, and not what the check left of it."""
    readable: bool = False
    """Whether garbled text counts as text, since nothing else can read the file."""

    def decide(self, draft: Draft, checked: AnswerBase, document: Document | None = None) -> Decision:
        """Where the answer goes.

        Args:
            draft: The answer as it was written.
            checked: What the check left of it.
            document: Where it stands, to name the pages to be read again.
        """
        answer = draft.answer if self.drafted else checked
        return route(
            answer.model_copy(update={"context_structured": True}) if self.readable else answer,
            strong=self.strong,
            problems=self.problems,
            attempt=self.attempt,
            document=document,
            on_invalid=self.on_invalid,
            possible=draft.possible,
            proved=draft.proved,
        )

    def but_readable(self) -> Basis:
        """The same where the file cannot be read in another way."""
        return replace(self, readable=True)
