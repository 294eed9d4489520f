"""OpenTelemetry spans of a question, its searches and model calls, and an event with the answer's groundedness.

Names follow the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai), with those of
OpenInference beside them, which more tools display. The contents of documents, questions and replies are recorded only
on request; the trace of a result has them anyway.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import MissingExtraError, install_line
from spanwise.llm.flow import Flow
from spanwise.llm.port import Call, Reply

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

    from spanwise.contract.result import Result

NAME = "spanwise"
_QUESTION = "invoke_workflow"
_CALL = "chat"
_SEARCH = "retrieval"
_MOST = 20_000
"""Most characters of one text in a span; collectors drop much larger ones."""


def tracer() -> Tracer:
    """The tracer of the provider that the program has configured."""
    try:
        from opentelemetry import trace
    except ImportError as error:
        raise MissingExtraError(f"telemetry needs OpenTelemetry: {install_line('otel')}") from error
    return trace.get_tracer(NAME)


class Observation:
    """The spans of one question: around it, for each search and each model call, and an event for the answer.

    The calls of one round run concurrently, and their spans end with the round. No span is made current, so flows that
    run in lockstep do not interfere; the span that is current outside becomes the parent.
    """

    def __init__(self, spans: Tracer, mode: str, model: str | None, *, content: bool) -> None:
        """Bind a question; `content` records the texts of question, passages and replies."""
        self._spans, self._mode, self._model, self._content = spans, mode, model, content
        self._inside: Context | None = None

    def observed(self, flow: Flow[Result], question: str) -> Flow[Result]:
        """The same flow, recorded in spans."""
        from opentelemetry.trace import SpanKind, set_span_in_context

        whole = self._spans.start_span(
            f"{_QUESTION} {NAME}",
            kind=SpanKind.INTERNAL,
            attributes={
                "gen_ai.operation.name": _QUESTION,
                "gen_ai.workflow.name": NAME,
                "openinference.span.kind": "CHAIN",
                "spanwise.mode": self._mode,
            },
        )
        self._show(whole, "input.value", question)
        self._inside = set_span_in_context(whole)
        try:
            calls = next(flow)
            while True:
                began = time.time_ns()
                replies = yield calls
                for call, reply in zip(calls, replies, strict=True):
                    self._called(call, reply, began)
                calls = flow.send(replies)
        except StopIteration as stop:
            result: Result = stop.value
            _tell_result(whole, result)
            self._show(whole, "output.value", result.text)
            return result
        except Exception as error:
            _fail(whole, type(error).__name__)
            raise
        finally:
            flow.close()
            whole.end()

    def retrieved(self, question: Question, hits: Sequence[Hit], began: int) -> None:
        """Record a search that has just ended, with the ids and scores of its hits; `began` is in nanoseconds."""
        from opentelemetry.trace import SpanKind

        span = self._spans.start_span(
            f"{_SEARCH} {NAME}",
            context=self._inside,
            kind=SpanKind.INTERNAL,
            start_time=began,
            attributes={
                "gen_ai.operation.name": _SEARCH,
                "gen_ai.data_source.id": NAME,
                "gen_ai.retrieval.documents": json.dumps(
                    [{"id": hit.passage.id, "score": hit.score} for hit in hits], ensure_ascii=False
                ),
                "openinference.span.kind": "RETRIEVER",
                "langsmith.span.kind": "retriever",  # LangSmith takes any other operation for a chain
            },
        )
        self._show(span, "input.value", question.text)
        self._show(span, "gen_ai.retrieval.query.text", question.text)
        for at, hit in enumerate(hits):
            document = f"retrieval.documents.{at}.document"
            span.set_attribute(f"{document}.id", hit.passage.id)
            span.set_attribute(f"{document}.score", hit.score)
            self._show(span, f"{document}.content", hit.passage.text)
        span.end()

    def _called(self, call: Call, reply: Reply, began: int) -> None:
        from opentelemetry.trace import SpanKind

        name = call.model or self._model or NAME
        span = self._spans.start_span(f"{_CALL} {name}", context=self._inside, kind=SpanKind.CLIENT, start_time=began)
        _tell_call(span, call, reply, name)
        said = [("system", call.system), ("user", call.prompt)] if call.system else [("user", call.prompt)]
        for told, messages in (("input", said), ("output", [("assistant", reply.text)])):
            parts = [{"role": role, "parts": [{"type": "text", "content": text[:_MOST]}]} for role, text in messages]
            if told == "output":
                parts = [{**part, "finish_reason": reply.finish} for part in parts]
            self._show(span, f"gen_ai.{told}.messages", json.dumps(parts, ensure_ascii=False))
            self._show(span, f"{told}.value", messages[-1][1])
            for at, (role, text) in enumerate(messages):
                self._show(span, f"llm.{told}_messages.{at}.message.role", role)
                self._show(span, f"llm.{told}_messages.{at}.message.content", text)
        span.end()

    def _show(self, span: Span, name: str, text: str) -> None:
        """Set an attribute with content, if contents are recorded."""
        if self._content:
            span.set_attribute(name, text if name.endswith("messages") else text[:_MOST])


def _tell_call(span: Span, call: Call, reply: Reply, name: str) -> None:
    usage = reply.usage
    told: dict[str, str | int | float | None] = {
        "gen_ai.operation.name": _CALL,
        "gen_ai.provider.name": name.partition(":")[0],
        "gen_ai.request.model": name.partition(":")[2] or name,
        "gen_ai.request.max_tokens": call.max_output_tokens,
        "gen_ai.request.temperature": call.temperature,
        "gen_ai.response.model": reply.model,
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "llm.model_name": reply.model or name.partition(":")[2] or name,
        "llm.provider": name.partition(":")[0],
        "llm.token_count.prompt": usage.prompt_tokens,
        "llm.token_count.completion": usage.completion_tokens,
        "llm.token_count.total": usage.prompt_tokens + usage.completion_tokens,
        "openinference.span.kind": "LLM",
        "spanwise.purpose": call.purpose,
    }
    span.set_attributes({key: value for key, value in told.items() if value is not None})
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
    """The mean score of the answer's claims, in [0, 1], as the attributes of an evaluation event."""
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
