"""What documents tell of themselves: what they speak of as a whole, and which of two is the later one."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.contract.given import given_passages
from spanwise.domain.question import Question
from spanwise.guard.conflict.dating import Dating, dating
from spanwise.pipeline.disputes.statements import Statement
from spanwise.store.port import Store
from spanwise.text.features import START_LINES
from spanwise.text.terms import terms


@dataclass(frozen=True, slots=True)
class Opening:
    """The name and the first lines of a document."""

    stems: frozenset[str]
    dating: Dating

    @classmethod
    def of(cls, name: str, store: Store) -> Opening:
        """Read the opening of a document."""
        text = "\n".join(passage.text for passage in store.passages(name, 1, START_LINES))
        given = given_passages([{"document": name, "text": text}])[0]
        return cls(frozenset(terms(f"{name} {text}")), dating(given))


def of_one_thing(question: Question, said: Statement, other: Statement, openings: dict[str, Opening]) -> bool:
    """Whether the document of one sentence tells of as much of the question as that of the other.

    The company and the year that are asked for stand on the first page, not in each sentence: another company's report
    says other figures in the same words.
    """
    lacking = frozenset(question.stems) - said.stems
    told = lacking & openings[said.document].stems
    return told <= other.stems | openings[other.document].stems
