"""`Synthesizer`: a response to a question from passages that the caller retrieved, in one of the response modes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing

from spanwise.contract.adapters import given_passages
from spanwise.contract.answers import AnswerBase
from spanwise.contract.schema_prompt import fragment
from spanwise.errors import ModeError, QuestionError, SynthesisError, expect
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model, Usage, known_model, smaller_window
from spanwise.llm.rounds import check_concurrency
from spanwise.llm.run import adrive, aevents, drive, events
from spanwise.llm.scripted import ScriptedModel
from spanwise.synthesis.citations import assemble
from spanwise.synthesis.events import ResponseEvent, Showing
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.synthesis.modes import WAYS, ResponseMode, mode_named
from spanwise.synthesis.prompt import Budget, prompt_text, template
from spanwise.synthesis.response import Plan, Response
from spanwise.synthesis.windows import sources_of

DEFAULT_WINDOW = 4096
DEFAULT_OUTPUT = 512
_NOBODY = ScriptedModel([])  # used if no call is made


class Synthesizer:
    """Writes a response to a question from passages, with a model or without.

    The text is not checked: it is the model's own, without the citation markers that cite no given passage. To check
    what it says, use `spanwise.verify` or `spanwise.ResponseSynthesizer`.

    Attributes:
        mode: The response mode.
        model: The model, or None.
    """

    def __init__(
        self,
        mode: str = ResponseMode.COMPACT,
        model: Model | str | None = None,
        *,
        context_window: int = DEFAULT_WINDOW,
        max_output_tokens: int = DEFAULT_OUTPUT,
        overlap: float = 0.0,
        text_qa_template: str | None = None,
        refine_template: str | None = None,
        summary_template: str | None = None,
        system: str | None = None,
        output: type[AnswerBase] | None = None,
        temperature: float | None = 0.0,
        max_concurrency: int = 8,
    ) -> None:
        """Set the mode, the model and the limits.

        Args:
            mode: One of `spanwise.MODES`.
            model: The model, or its name for `spanwise.model_from`. `no_text`, `extractive` and `plan` need none.
            context_window: The most tokens of prompt and reply together, as `count_tokens` estimates them; 2 % are kept
                free because these are estimates.
            max_output_tokens: Tokens reserved for each reply.
            overlap: The share of the room, 0 <= overlap < 1, that neighbouring pieces of a split passage have in
                common.
            text_qa_template: A prompt with {context_str} and {query_str}.
            refine_template: A prompt with {query_str}, {existing_answer} and {context_msg}.
            summary_template: A prompt with {context_str} and {query_str}.
            system: Instructions above every prompt, instead of those that ask for citations.
            output: The class of a typed answer, in any mode; None for running text.
            temperature: The temperature of every call; None leaves it to the provider.
            max_concurrency: The most calls at the same time.

        Raises:
            ModeError: No mode has that name.
            TemplateError: A template lacks one of its variables.
            WindowError: A size is less than 1, or the reply takes the whole window.
            ContractError: The class of the answer has no items.
            InputError: `overlap` or `max_concurrency` is out of its range.
        """
        self.mode = mode_named(mode)
        self._budget = Budget(context_window, max_output_tokens)
        if isinstance(overlap, bool) or not isinstance(overlap, int | float) or not 0 <= overlap < 1:
            raise SynthesisError(f"overlap is {overlap!r}; it is a share of the room, from 0 to less than 1")
        check_concurrency(max_concurrency)
        self._overlap = float(overlap)
        self._templates = {
            "text_qa": template("text_qa", text_qa_template),
            "refine": template("refine", refine_template),
            "summary": template("summary", summary_template),
        }
        self._system = _instructions(output) if system is None else system
        self._output = output
        self._temperature = temperature
        self._max_concurrency = max_concurrency
        self.model = _model(model)

    def plan(self, query: str, passages: Iterable[object] | None) -> Plan:
        """An upper bound of what `synthesize` will cost, without calling the model.

        Raises:
            QuestionError: The question is blank.
            PassageError: A passage is in none of the supported forms.
            WindowError: The window has no room for instructions, question, reply and some evidence.
        """
        job, schedule = self._prepared(query, passages)
        replies = schedule.calls * self._budget.output
        profile = (self.model or _NOBODY).profile
        return Plan(
            calls=schedule.calls,
            prompt_tokens=schedule.prompt_tokens,
            rounds=schedule.rounds,
            completion_tokens=replies,
            evidence_tokens=sum(source.tokens for source in job.sources),
            cost_usd=profile.cost_usd(schedule.prompt_tokens, replies),
            missing=schedule.missing,
        )

    def synthesize(self, query: str, passages: Iterable[object] | None) -> Response:
        """Write the response.

        Args:
            query: The question.
            passages: The passages, best first or in the order of the document, in the forms that
                `spanwise.contract.adapters` supports.

        Raises:
            AllCallsFailedError: No call succeeded. If only some fail, the response names their passages in `missing`.
            ModeError: The mode needs a model and there is none.
            QuestionError, PassageError, WindowError: As for `plan`, before any call.
        """
        job, schedule = self._ready(query, passages)
        return drive(self._flow(job, schedule), self.model or _NOBODY, max_concurrency=self._max_concurrency)

    async def asynthesize(self, query: str, passages: Iterable[object] | None) -> Response:
        """`synthesize` for async code."""
        job, schedule = self._ready(query, passages)
        return await adrive(self._flow(job, schedule), self.model or _NOBODY, max_concurrency=self._max_concurrency)

    def stream(self, query: str, passages: Iterable[object] | None) -> Iterator[ResponseEvent]:
        """Write the response and yield events: `Progress`, `TextDelta` and `Cited`, and `Done` with the response last.

        The deltas join to the text of the response, unless the last call fails after its text began to arrive: then the
        response in `Done` is the answer written before that call.
        """
        job, schedule = self._ready(query, passages)
        showing = Showing(job, schedule)
        happening = events(self._flow(job, schedule), self.model or _NOBODY, max_concurrency=self._max_concurrency)
        for event in happening:
            yield from showing.of(event)

    async def astream(self, query: str, passages: Iterable[object] | None) -> AsyncIterator[ResponseEvent]:
        """`stream` for async code."""
        job, schedule = self._ready(query, passages)
        showing = Showing(job, schedule)
        happening = aevents(self._flow(job, schedule), self.model or _NOBODY, max_concurrency=self._max_concurrency)
        async with aclosing(happening) as following:
            async for event in following:
                for shown in showing.of(event):
                    yield shown

    def flow(self, query: str, passages: Iterable[object] | None) -> Flow[Response]:
        """The work as a flow for the drivers of `spanwise.llm.run`, to cancel it or to run many concurrently."""
        return self._flow(*self._ready(query, passages))

    def _flow(self, job: Job, schedule: Schedule) -> Flow[Response]:
        mode = WAYS[self.mode]
        written, smaller = yield from _until_too_long(mode.way.flow(job, schedule), job)
        if smaller is not None:  # the server's window is smaller than assumed: pack again, once
            job = job.packed_into(smaller)
            written = yield from mode.way.flow(job, mode.way.schedule(job))
        return assemble(job, self.mode.value, written, several=mode.several)

    def _ready(self, query: str, passages: Iterable[object] | None) -> tuple[Job, Schedule]:
        job, schedule = self._prepared(query, passages)
        if schedule.calls and self.model is None:
            raise ModeError(
                f"mode {self.mode.value} needs a model: give one with model=..., or use mode='extractive' or 'no_text'"
            )
        return job, schedule

    def _prepared(self, query: str, passages: Iterable[object] | None) -> tuple[Job, Schedule]:
        expect(query, str, "the question", "it as text", QuestionError)
        if not query.strip():
            raise QuestionError("the question is empty: say what the response should be about")
        given = given_passages(passages)
        sources = sources_of(given, numbered=self._output is not None and bool(WAYS[self.mode].templates))
        job = Job(
            query=query,
            sources=sources,
            budget=self._budget,
            templates=self._templates,
            system=self._system,
            ids={one.passage.id: s.label for s in reversed(sources) for one in s.passages if s.label is not None},
            total=len(given),
            output=self._output,
            overlap=self._overlap,
            temperature=self._temperature,
        )
        return job, WAYS[self.mode].way.schedule(job) if job.sources else Schedule((), 0, 0, 0)


def _until_too_long(flow: Flow[list[Written]], job: Job) -> Flow[tuple[list[Written], int | None]]:
    """The answers of a flow and None; or no answers and the window to pack into, if a prompt was too long."""
    try:
        calls = next(flow)
        while True:
            replies = yield calls
            told = (
                smaller_window(reply.error, call, job.budget.window) for call, reply in zip(calls, replies, strict=True)
            )
            if sizes := [size for size in told if size is not None]:
                job.ledger.usage += sum((reply.usage for reply in replies), Usage())
                job.ledger.calls += len(replies)
                flow.close()
                return [], min(sizes)
            calls = flow.send(replies)
    except StopIteration as end:
        return end.value, None


def _instructions(output: type[AnswerBase] | None) -> str:
    """The instructions above every prompt: how to cite, or what the fields of a typed answer mean."""
    return f"{prompt_text('typed')}\n{fragment(output)}" if output else prompt_text("system")


def _model(model: Model | str | None) -> Model | None:
    if isinstance(model, str):
        from spanwise.llm.providers import model_from

        return model_from(model)
    return known_model(model)
