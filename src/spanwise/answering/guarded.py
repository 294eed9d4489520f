"""`ResponseSynthesizer`: an answer from retrieved chunks, returned only as far as it passes the guard."""

from __future__ import annotations

import logging
import os
import time
import warnings
from collections.abc import Sequence

from spanwise.answering.guarded_reply import Outcome, guarded, nothing
from spanwise.domain.claim import Policy, policy_named
from spanwise.errors import InputError, ModelSetupError, WindowExceededError
from spanwise.guard.verify import Verifier
from spanwise.llm.flow import Flow
from spanwise.llm.middleware.cache import Cache
from spanwise.llm.middleware.limits import Limits
from spanwise.llm.middleware.stack import wrapped
from spanwise.llm.port import Call, Model, ModelProfile, Reply, Usage, known_model, smaller_window
from spanwise.llm.run import adrive, drive
from spanwise.llm.scripted import ScriptedModel
from spanwise.synthesis.guarded.prompting import Prepared, prepare, style_named, with_plan
from spanwise.synthesis.guarded.schema import Metrics, ModelConfig, SynthesisInput, SynthesisOutput
from spanwise.text.tokens import count_tokens

_log = logging.getLogger(__name__)

_DEFAULTS = ModelConfig()
_NOBODY = ScriptedModel([])  # used where no call is made


class ResponseSynthesizer:
    """Writes an answer from retrieved chunks with a model, checks every sentence, and computes a confidence.

    A sentence that no chunk supports is replaced; an answer with too many of them is withheld. See `docs/guarded.md`.
    """

    def __init__(
        self,
        model: Model | str | None = None,
        *,
        config: ModelConfig = _DEFAULTS,
        verifier: Verifier | None = None,
        policy: Policy = "prune",
        style: str | None = None,
        second_pass: bool = False,
        cache: Cache | str | os.PathLike[str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Choose the model, the strictness and the form of the answers.

        Args:
            model: The model that writes the answers, or its name for `spanwise.model_from`. Without one, only inputs
                that need no call are answered.
            config: Sizes of the context window, the reply and the excerpts, and the penalties on the confidence.
            verifier: A second opinion on every sentence that passed the rules: a callable that takes the sentence and
                its evidence and returns in [0, 1], or as a bool, whether the evidence supports it. If it fails, the
                sentence counts as unsupported.
            policy: What is returned of unsupported text: `prune` replaces what fails and marks what is uncertain,
                `mark` replaces nothing and marks both, `strict` replaces both.
            style: "academic", "simple", "bullets" or "json"; None leaves it to the model.
            second_pass: Whether the model first writes a plan and then the answer from it, in two calls.
            cache: A cache of replies by the hash of their prompt, or the path of one.
            limits: Limits on the rate of calls and on concurrency.

        Raises:
            SynthesisError: The style does not exist.
            InputError: The policy does not exist.
            StorageError: The cache cannot be used.
            ModelSetupError, UnknownModelError, MissingKeyError: The named model cannot be set up.
        """
        if isinstance(model, str):
            from spanwise.llm.providers import model_from

            model = model_from(model)
        if model is not None and (cache is not None or limits is not None):
            model = wrapped(model, cache=cache, limits=limits)
        self.model = known_model(model)
        self.config = config
        self._verifier = verifier
        self._policy = policy_named(policy)
        self._style = style_named(style)
        self._second_pass = second_pass

    def synthesize(self, synthesis_input: SynthesisInput) -> SynthesisOutput:
        """Answer a question from its chunks.

        Raises:
            ModelError: A model call failed; not even a partial answer is returned then.
            ModelSetupError: A call is needed and there is no model.
            WindowError: The question and the preferences do not fit into the context window.
        """
        return drive(self.flow(synthesis_input), self.model or _NOBODY)

    async def asynthesize(self, synthesis_input: SynthesisInput) -> SynthesisOutput:
        """`synthesize` for async code."""
        return await adrive(self.flow(synthesis_input), self.model or _NOBODY)

    run = arun = asynthesize
    """`run` is the name in the first design, where it is async; `arun` is the same method."""

    def run_sync(self, synthesis_input: SynthesisInput) -> SynthesisOutput:
        """Deprecated name of `synthesize`."""
        warnings.warn("run_sync is the old name: call synthesize", DeprecationWarning, stacklevel=2)
        return self.synthesize(synthesis_input)

    def flow(self, synthesis_input: SynthesisInput) -> Flow[SynthesisOutput]:
        """The work as a flow for the drivers of `spanwise.llm.run`, to cancel it or to run many concurrently."""
        if not isinstance(synthesis_input, SynthesisInput):
            kind = type(synthesis_input).__name__
            raise InputError(f"give a spanwise.SynthesisInput, not {kind}")
        started = time.perf_counter()
        given, profile = synthesis_input, (self.model or _NOBODY).profile
        prepared = prepare(given, self.config, profile, self._style, second_pass=self._second_pass)
        replies: list[tuple[Call, Reply]] = []
        if prepared.included:
            try:
                yield from self._asked(prepared, replies)
            except WindowExceededError as error:  # the server's window is smaller than assumed: pack again, once
                tokens = smaller_window(error, prepared.call, self._window(profile)) or 1
                smaller = self.config.model_copy(update={"max_context_tokens": tokens})
                prepared = prepare(given, smaller, profile, self._style, second_pass=self._second_pass)
                yield from self._asked(prepared, replies)
            reply = replies[-1][1]
            outcome = guarded(given, prepared, reply, self.config, self._style, self._verifier, self._policy)
        else:
            outcome = nothing(given, prepared, self._style)
        metrics = _metrics(prepared, replies, started)
        _log.info(
            "trace %s: confidence %.2f, warnings %s, context %s, prompt %s",
            given.trace_id,
            outcome.confidence,
            ", ".join(outcome.warnings) or "none",
            metrics["context_hash"],
            metrics["prompt_hash"],
        )
        return _output(given, outcome, metrics)

    def _window(self, profile: ModelProfile) -> int:
        configured = self.config.max_context_tokens
        return min(configured, profile.context_window or configured)

    def _asked(self, prepared: Prepared, replies: list[tuple[Call, Reply]]) -> Flow[None]:
        """Ask for the plan if one is wanted, then for the answer."""
        if self.model is None:
            raise ModelSetupError("a model has to write the answer: give one with model=...")
        call = prepared.call
        if prepared.plan is not None:
            [plan] = yield [prepared.plan]
            replies.append((prepared.plan, plan.checked()))
            call = with_plan(call, plan.text, prepared.plan.max_output_tokens or 1)
        [reply] = yield [call]
        replies.append((call, reply.checked()))


def _metrics(prepared: Prepared, replies: Sequence[tuple[Call, Reply]], started: float) -> Metrics:
    usage = Usage()
    for call, reply in replies:
        told = reply.usage
        if not reply.cached and not told.prompt_tokens:
            read = count_tokens(call.system) + count_tokens(call.prompt)
            told = Usage(read, count_tokens(reply.text), estimated=True)
        usage += told
    return Metrics(
        latency_ms=round((time.perf_counter() - started) * 1000, 3),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        tokens_estimated=usage.estimated,
        context_hash=prepared.context_hash if prepared.included else None,
        prompt_hash=replies[-1][0].hash if replies else None,
        cached=bool(replies) and all(reply.cached for _, reply in replies),
        llm_calls=sum(not reply.cached for _, reply in replies),
    )


def _output(given: SynthesisInput, outcome: Outcome, metrics: Metrics) -> SynthesisOutput:
    return SynthesisOutput(
        trace_id=given.trace_id,
        answer=outcome.answer,
        used_chunk_ids=outcome.used,
        citations=list(outcome.citations),
        confidence=outcome.confidence,
        warnings=outcome.warnings,
        warning_details=list(outcome.details),
        raw_model_output=outcome.raw,
        metrics=metrics,
        claims=list(outcome.claims),
        missing=[dict(one) for one in outcome.missing],
        reasoning=outcome.reasoning,
    )
