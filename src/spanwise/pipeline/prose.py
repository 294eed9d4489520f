"""A model that writes running text in one of the response modes; the guard then verifies it claim by claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from spanwise.contract.answers import TextAnswer
from spanwise.contract.result import Draft, Source
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model
from spanwise.pipeline.asking import Request
from spanwise.pipeline.routes import LAST_ATTEMPT
from spanwise.pipeline.writers import Drafted
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.synthesis.response import Omission, Plan
from spanwise.synthesis.synthesizer import Synthesizer

WINDOW = 8192
"""Tokens of prompt and reply where the model's profile does not say."""
OUTPUT = 1024
_UNSAID = ("item",)


@dataclass(frozen=True)
class Prose:
    """Running text by a model: `compact`, `refine`, `tree_summarize` and the other response modes."""

    name: str
    """The response mode."""
    writer: Synthesizer = field(repr=False)

    @classmethod
    def of(cls, mode: str, model: Model, *, max_concurrency: int = 8) -> Prose:
        """A writer in that mode; the window is the model's, as far as its profile tells it.

        Raises:
            ModeError: No response mode has that name.
            WindowError: The window has no room for a reply.
        """
        profile = model.profile
        window = profile.context_window or WINDOW
        output = min(OUTPUT, profile.max_output_tokens or OUTPUT, window // 4)
        return cls(
            mode,
            Synthesizer(mode, model, context_window=window, max_output_tokens=output, max_concurrency=max_concurrency),
        )

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return None if self.writer.model is None else self.writer.model.profile.name

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Write from the hits, best first."""
        del request, store, problems
        response = yield from self.writer.flow(question.text, [hit.passage for hit in hits])
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
            calls=({"mode": self.name, "reply": response.response, "calls": response.calls},) if response.calls else (),
            meta={
                "raw_response": list(response.responses),
                "left_out": [_said(omission) for omission in response.missing],
                "rejected_markers": [asdict(one) for one in response.rejected],
                "partial": response.partial,
            },
        )

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """What the mode costs for these passages, and once more for each further pass."""
        del store
        one = self.writer.plan(question.text, [hit.passage for hit in hits])
        cost = None if one.cost_usd is None else one.cost_usd * LAST_ATTEMPT
        return Plan(
            one.calls * LAST_ATTEMPT,
            one.prompt_tokens * LAST_ATTEMPT,
            one.rounds * LAST_ATTEMPT,
            one.completion_tokens * LAST_ATTEMPT,
            one.evidence_tokens,
            cost,
            one.missing,
        )


def _said(omission: Omission) -> dict[str, object]:
    return {name: value for name, value in asdict(omission).items() if name not in _UNSAID}
