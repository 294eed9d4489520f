"""Which parts of the way a question takes, by rules over the question and the documents, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spanwise.answering.decision import LAST_ATTEMPT
from spanwise.answering.parts import answered_by_parts
from spanwise.answering.request import Request
from spanwise.answering.writers import Writer
from spanwise.domain.question import Question
from spanwise.retrieval.scope import scope_of, wants_overlap
from spanwise.store.port import Store


@dataclass(frozen=True, slots=True)
class Activation:
    """Whether a part of the way is taken."""

    on: bool
    why: str


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The decisions about one question; the same question over the same documents gives the same ones."""

    mode: str
    strategy: str | None
    """How passages are sent to a model; None where the mode does not ask for it."""
    model: str | None
    most_passes: int
    activations: Mapping[str, Activation]
    chosen: tuple[str, ...]
    """What the caller decided instead of the words of the question: documents, profile, type, shape."""


def dispatched(question: Question, request: Request, names: Sequence[str], store: Store, writer: Writer) -> Dispatch:
    """The decisions, told after the same rules that the parts of the way follow.

    Args:
        question: As it was parsed.
        request: As it was asked.
        names: The documents that were found to be near.
        store: Where they are.
        writer: The mode.
    """
    paged = any(store.stored(name).paged for name in names)
    return Dispatch(
        mode=writer.name,
        strategy=writer.strategy,
        model=writer.model,
        most_passes=LAST_ATTEMPT,
        activations={
            "page_numbers": Activation(paged, "a document has pages" if paged else "no document has pages"),
            "outline_navigation": _outline(question, names, store),
            "overlap": _overlap(question, paged=paged),
            "parts": _parts(question, writer),
            "rephrase": Activation(
                writer.model is not None,
                "a model may see what words do not" if writer.model else "without a model there is no other wording",
            ),
        },
        chosen=tuple(name for name in ("documents", "profile", "type", "shape") if getattr(request, name) is not None),
    )


def _outline(question: Question, names: Sequence[str], store: Store) -> Activation:
    if question.scope is None:
        return Activation(False, "the question names no section")
    if not any(store.sections(name) for name in names):
        return Activation(False, "no document has an outline")
    return Activation(True, f"the question names the section {question.scope!r}")


def _overlap(question: Question, *, paged: bool) -> Activation:
    if not wants_overlap(question, scope_of(question)):
        return Activation(False, f"the answer is {question.answer_shape}, which ends where it is read")
    why = "lists and tables may go on over the page" if paged else "no document has pages"
    return Activation(paged, why)


def _parts(question: Question, writer: Writer) -> Activation:
    if not answered_by_parts(question):
        return Activation(False, f"the question is {question.pattern}")
    if writer.model is not None:
        return Activation(False, "the model is told the parts and answers them together")
    return Activation(True, f"{len(question.parts)} parts are answered one by one")
