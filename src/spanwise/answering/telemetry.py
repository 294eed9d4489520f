"""OpenTelemetry spans of a question and its model calls, and the event that says how far the answer is grounded.

Names follow the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai). What documents,
questions and models say is in no span: the trace of a result has it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanwise.errors import MissingExtraError
from spanwise.llm.flow import Flow
from spanwise.llm.port import Call, Reply

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

    from spanwise.contract.result import Result

NAME = "spanwise"
_QUESTION = "invoke_workflow"
_CALL = "chat"


def tracer() -> Tracer:
    """The tracer of the provider that the program has configured.

    Raises:
        MissingExtraError: OpenTelemetry is not installed.
    """
    try:
        from opentelemetry import trace
    except ImportError as error:
        raise MissingExtraError('telemetry needs OpenTelemetry: pip install "spanwise[otel]"') from error
    return trace.get_tracer(NAME)


def observed(flow: Flow[Result], spans: Tracer, *, mode: str, model: str | None) -> Flow[Result]:
    """The same flow with a span around it, one for each call, and an event for the answer.

    The calls of one round run side by side and their spans end with the round. Nothing is made current: flows that
    run in lockstep do not get in each other's way, and whatever span is current becomes the parent.
    """
    from opentelemetry.trace import SpanKind, set_span_in_context

    whole = spans.start_span(
        f"{_QUESTION} {NAME}",
        kind=SpanKind.INTERNAL,
        attributes={"gen_ai.operation.name": _QUESTION, "gen_ai.workflow.name": NAME, "spanwise.mode": mode},
    )
    inside = set_span_in_context(whole)
    try:
        calls = next(flow)
        while True:
            began = time.time_ns()
            replies = yield calls
            for call, reply in zip(calls, replies, strict=True):
                name = call.model or model or NAME
                one = spans.start_span(f"{_CALL} {name}", context=inside, kind=SpanKind.CLIENT, start_time=began)
                _tell_call(one, call, reply, name)
                one.end()
            calls = flow.send(replies)
    except StopIteration as stop:
        result: Result = stop.value
        _tell_result(whole, result)
        return result
    except Exception as error:
        _fail(whole, type(error).__name__)
        raise
    finally:
        flow.close()
        whole.end()


def _tell_call(span: Span, call: Call, reply: Reply, name: str) -> None:
    span.set_attribute("gen_ai.operation.name", _CALL)
    span.set_attribute("gen_ai.provider.name", name.partition(":")[0])
    span.set_attribute("gen_ai.request.model", name.partition(":")[2] or name)
    span.set_attribute("spanwise.purpose", call.purpose)
    if call.max_output_tokens is not None:
        span.set_attribute("gen_ai.request.max_tokens", call.max_output_tokens)
    if call.temperature is not None:
        span.set_attribute("gen_ai.request.temperature", call.temperature)
    if reply.model is not None:
        span.set_attribute("gen_ai.response.model", reply.model)
    span.set_attribute("gen_ai.usage.input_tokens", reply.usage.prompt_tokens)
    span.set_attribute("gen_ai.usage.output_tokens", reply.usage.completion_tokens)
    if reply.error is not None:
        _fail(span, type(reply.error).__name__)
    else:
        span.set_attribute("gen_ai.response.finish_reasons", [reply.finish])


def _tell_result(span: Span, result: Result) -> None:
    span.set_attribute("spanwise.trace_id", result.trace_id)
    span.set_attribute("spanwise.decision", result.decision.kind)
    span.set_attribute("spanwise.citations", len(result.citations))
    if result.claims:
        span.add_event("gen_ai.evaluation.result", _groundedness(result))


def _groundedness(result: Result) -> dict[str, str | float]:
    """How far the claims of an answer are held up by the lines they cite, in [0, 1]."""
    score = sum(claim.score for claim in result.claims) / len(result.claims)
    held: Sequence[bool] = [claim.support == "supported" for claim in result.claims]
    return {
        "gen_ai.evaluation.name": "groundedness",
        "gen_ai.evaluation.score.value": score,
        "gen_ai.evaluation.score.label": "grounded" if all(held) else "partly grounded",
        "gen_ai.evaluation.explanation": f"{sum(held)} of {len(held)} claims are held up by the lines they cite",
    }


def _fail(span: Span, kind: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))
