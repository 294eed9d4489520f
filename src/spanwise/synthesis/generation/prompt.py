"""The prompt of a typed answer: a fixed base, the fragments that this question needs, and rows of numbered lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from spanwise.contract.answers import AnswerBase
from spanwise.contract.registry import label_of
from spanwise.contract.schema_prompt import fragment
from spanwise.domain.document import Line
from spanwise.domain.question import Question
from spanwise.synthesis.generation.examples import Example
from spanwise.synthesis.prompt import prompt_text
from spanwise.text.injection.marks import as_data

VERSION = "2"
"""Of the base and the fragments together; it changes when their texts do."""
HEADER = "GLOBAL_LINE\tpage\tline_in_page\ttext"
_SHAPED = frozenset({"amount", "date", "boolean", "table", "list"})
_SETS_APART = re.compile(
    r"\b(?:difference between|rather than|as opposed to|instead of|versus|vs\.?|as distinct from)(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is shown, and how that was put together."""

    system: str
    user: str
    fragments: tuple[str, ...]
    """Names of what stands in `system`, in order: BASE, SHAPE:amount, FORMAT and so on."""

    @property
    def hash(self) -> str:
        """SHA-256 of both texts, in hex."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode("utf-8", "surrogatepass")).hexdigest()


def assemble(
    question: Question,
    lines: Sequence[Line],
    answer_class: type[AnswerBase],
    *,
    problems: Sequence[str] = (),
    examples: Sequence[Example] = (),
) -> Prompt:
    """The prompt for one question and lines of one document.

    Args:
        question: What is asked.
        lines: What the model may answer from, in the order of the document; where numbers are missing between two of
            them the header is repeated.
        answer_class: What the answer has to be.
        problems: What was wrong with the last answer, when this is another attempt.
        examples: Checked answers to close questions.

    Raises:
        ContractError: The class has no items.
    """
    parts = dict(_parts(question, answer_class))
    if examples:
        parts["EXAMPLES"] = _filled("examples", examples="\n\n".join(map(_shown, examples)))
    keywords = [keyword.text for keyword in question.keywords if keyword.source == "direct"]
    user = _filled(
        "question", question=as_data(question.text), keywords=as_data(", ".join(keywords)) or "none", rows=rows(lines)
    )
    if problems:
        user += _filled("correction", problems="\n".join(f"- {_data(problem)}" for problem in problems))
    return Prompt("\n\n".join(parts.values()), user, tuple(parts))


def rows(lines: Sequence[Line]) -> str:
    """One row a line, four columns parted by tabs; tabs and line breaks in a text are shown as spaces."""
    blocks = []
    for _, group in groupby(enumerate(lines), key=lambda pair: pair[1].number - pair[0]):
        shown = [f"{line.number}\t{line.page}\t{line.line_in_page}\t{_data(line.text)}" for _, line in group]
        blocks.append("\n".join([HEADER, *shown]))
    return "\n\n".join(blocks)


def _parts(question: Question, answer_class: type[AnswerBase]) -> list[tuple[str, str]]:
    label = label_of(answer_class) or "text"
    if label == "text" and question.answer_shape == "listing":
        label = "list"
    shape = fragment(answer_class) + (f"\n{prompt_text(f'shape_{label}')}" if label in _SHAPED else "")
    wanted = question.generation_brief.instructions
    parts = [("BASE", prompt_text("base")), (f"SHAPE:{label}", shape)]
    if wanted:
        parts.append(("FORMAT", _filled("format", instructions=as_data("; ".join(wanted)))))
    if _SETS_APART.search(question.text):
        parts.append(("DISTINGUISH", prompt_text("distinguish")))
    if question.notes:
        parts.append(("DISAMBIGUATION", _filled("disambiguation", notes=as_data("; ".join(question.notes)))))
    if len(question.parts) > 1:
        parts.append(("DECOMPOSITION", _filled("decomposition", parts=as_data("; ".join(question.parts)))))
    return parts


def _shown(example: Example) -> str:
    question = _data(example.question)
    return _filled("example", question=question, rows=rows(example.lines), answer=_data(example.answer))


def _filled(name: str, **values: str) -> str:
    """One pass over the template, so that no text which is filled in can itself be filled."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), prompt_text(name))


def _data(text: str) -> str:
    """A text on one line, without marks."""
    return as_data(re.sub(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", " ", text))
