"""A model that writes running text in one of the response modes; the guard then verifies it claim by claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from spanwise.answering.decision import LAST_ATTEMPT
from spanwise.answering.loop import Drafted
from spanwise.answering.request import Request
from spanwise.answering.typed import Typed, drafted_from
from spanwise.contract.answers import AnswerBase, TextAnswer
from spanwise.contract.registry import resolve
from spanwise.contract.result import Draft, Source
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import StructuredOutputError
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model
from spanwise.llm.structured import parse_structured
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.synthesis.generation.writing import OUTPUT, WINDOW, Written
from spanwise.synthesis.response import Plan
from spanwise.synthesis.synthesizer import Synthesizer


@dataclass(frozen=True)
class Prose:
    """Running text by a model: `compact`, `refine`, `tree_summarize` and the other response modes."""

    name: str
    """The response mode."""
    writer: Synthesizer = field(repr=False)
    typed: Typed = field(repr=False)
    """Writes instead where the caller demands a type: running text has none."""
    strategy: None = None

    @classmethod
    def of(cls, mode: str, model: Model, *, max_concurrency: int = 8) -> Prose:
        """A writer in that mode; the window is the model's, as far as its profile tells it."""
        profile = model.profile
        window = profile.context_window or WINDOW
        output = min(OUTPUT, profile.max_output_tokens or OUTPUT, window // 4)
        return cls(
            mode,
            Synthesizer(mode, model, context_window=window, max_output_tokens=output, max_concurrency=max_concurrency),
            Typed(profile),
        )

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return None if self.writer.model is None else self.writer.model.profile.name

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Write from the hits, best first."""
        if question.demanded not in (None, "text"):
            return (yield from self.typed.write(question, request, hits, store, problems))
        response = yield from self.writer.flow(question.text, [hit.passage for hit in hits])
        calls = ({"mode": self.name, "reply": response.response, "calls": response.calls},) if response.calls else ()
        structured = _structured(question, response.response)
        if structured is not None and hits:
            # A model may fill the contract though running text was asked for: its lines are checked all the same.
            written = Written({hits[0].passage.document: structured}, ())
            filled, wrong = drafted_from(question, written, type(structured), hits, store)
            return Drafted(filled, tuple(hits), wrong, response.usage, calls, {"raw_response": [response.response]})
        read = tuple(Source(hit.passage.document, hit.passage.line_start, hit.passage.line_end) for hit in hits)
        unchecked = nothing(question).answer
        draft = Draft(
            unchecked if isinstance(unchecked, TextAnswer) else TextAnswer.model_validate(unchecked.model_dump()),
            (),
            0.0,
            nearest=read[:3],
            asked=question.text,
            reworded=True,
            prose="\n\n".join(response.responses),
            read=read,
        )
        return Drafted(
            draft,
            tuple(hits),
            usage=response.usage,
            calls=calls,
            meta={
                "raw_response": list(response.responses),
                "left_out": [{k: v for k, v in asdict(one).items() if k != "item"} for one in response.missing],
                "rejected_markers": [asdict(one) for one in response.rejected],
                "partial": response.partial,
            },
        )

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """Cost of the mode for these passages, and once more for each further pass."""
        if question.demanded not in (None, "text"):
            return self.typed.plan(question, hits, store)
        return self.writer.plan(question.text, [hit.passage for hit in hits]).times(LAST_ATTEMPT)


def _structured(question: Question, text: str) -> AnswerBase | None:
    """The typed answer that a text is; None for running text."""
    if '"items"' not in text:
        return None
    try:
        return parse_structured(text, resolve(question.answer_shape, question.answer_type).answer_class)
    except StructuredOutputError:
        return None
