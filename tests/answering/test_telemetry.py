"""Spans and the groundedness event, read back from an exporter in memory."""

import json
import re
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from trace_cases import LIMIT, amount, line_of, reply, written

import spanwise
from spanwise import ScriptedModel
from spanwise.errors import ModelError, ProviderDownError


@pytest.fixture(scope="session")
def provider():
    provider = TracerProvider()
    trace.set_tracer_provider(provider)  # once in a process
    return provider


@pytest.fixture
def spans(provider):
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


def ask(path, model, question=LIMIT, telemetry=True, **options):
    with spanwise.Corpus.memory() as corpus:
        corpus.add(path)
        return spanwise.Engine(corpus, model=model, telemetry=telemetry).ask(question, **options)


def test_a_question_has_a_span_with_its_calls_and_the_groundedness_event(spans, tmp_path):
    path = written(tmp_path)
    model = ScriptedModel([reply([]), reply([amount(500000, line_of(path, "USD 500,000"))])])
    result = ask(path, model, type="amount")
    search, first, again, second, whole = spans.get_finished_spans()
    assert [one.name for one in (search, first, again, second)] == ["retrieval spanwise", "chat scripted"] * 2
    assert whole.name == "invoke_workflow spanwise"
    assert search.parent.span_id == again.parent.span_id == whole.context.span_id
    assert {first.parent.span_id, second.parent.span_id} == {whole.context.span_id}
    assert first.attributes["gen_ai.operation.name"] == "chat"
    assert first.attributes["gen_ai.usage.input_tokens"] > 0
    assert first.start_time <= first.end_time <= second.end_time <= whole.end_time
    assert whole.attributes["spanwise.trace_id"] == result.trace_id
    (event,) = whole.events
    assert event.name == "gen_ai.evaluation.result"
    assert event.attributes["gen_ai.evaluation.name"] == "groundedness"
    assert event.attributes["gen_ai.evaluation.score.value"] == 1.0
    assert event.attributes["gen_ai.evaluation.score.label"] == "grounded"


def test_no_text_of_question_document_or_answer_is_in_a_span(spans, tmp_path):
    path = written(tmp_path)
    ask(path, ScriptedModel([reply([amount(500000, line_of(path, "USD 500,000"))])]), type="amount")
    told = []
    for one in spans.get_finished_spans():  # all but ids and times, which may have any digits in them
        told += [one.name, one.status.description, dict(one.attributes)]
        told += [(event.name, dict(event.attributes)) for event in one.events]
    words = set(re.findall(r"[a-z]+|\d+", str(told), re.IGNORECASE))
    assert "workflow" in words
    assert not words & {"500", "500000", "USD", "limit"}  # ids of passages have the names of documents


def test_a_search_tells_what_it_found_and_its_words_only_where_they_are_wanted(spans, tmp_path):
    path = written(tmp_path)
    model = ScriptedModel(lambda _: reply([amount(500000, line_of(path, "USD 500,000"))]))
    for telemetry in (True, "content"):
        ask(path, model, telemetry=telemetry, type="amount")
    bare, _, _, search, call, whole = spans.get_finished_spans()
    found = json.loads(search.attributes["gen_ai.retrieval.documents"])
    assert found == json.loads(bare.attributes["gen_ai.retrieval.documents"])
    assert search.attributes["retrieval.documents.0.document.id"] == found[0]["id"]
    assert search.attributes["retrieval.documents.0.document.score"] == found[0]["score"] > 0
    assert [one.attributes["openinference.span.kind"] for one in (search, call, whole)] == ["RETRIEVER", "LLM", "CHAIN"]
    assert search.attributes["langsmith.span.kind"] == "retriever"
    assert whole.attributes["input.value"] == search.attributes["gen_ai.retrieval.query.text"] == LIMIT
    assert "500,000" in whole.attributes["output.value"] + search.attributes["retrieval.documents.0.document.content"]
    assert json.loads(call.attributes["gen_ai.input.messages"])[-1]["role"] == "user"
    assert call.attributes["llm.output_messages.0.message.content"] == call.attributes["output.value"]
    assert not [name for name in bare.attributes if name.endswith(("content", "value", "text"))]


def test_without_an_answer_there_is_no_event(spans, tmp_path):
    ask(written(tmp_path), None, "Who is the president of France?")
    *_, whole = spans.get_finished_spans()
    assert (whole.attributes["spanwise.decision"], whole.events) == ("not_found", ())


def test_a_failure_is_in_its_span(spans, tmp_path):
    with pytest.raises(ModelError):
        ask(written(tmp_path), ScriptedModel(lambda _: ProviderDownError("the provider is down")))
    _, call, *_, whole = spans.get_finished_spans()
    assert call.attributes["error.type"] == "ProviderDownError"
    assert {call.status.status_code, whole.status.status_code} == {StatusCode.ERROR}


def test_the_current_span_is_the_parent(spans, tmp_path):
    with trace.get_tracer("a program").start_as_current_span("its work") as own:
        ask(written(tmp_path), None)
    whole = next(one for one in spans.get_finished_spans() if one.name.startswith("invoke_workflow"))
    assert whole.parent.span_id == own.get_span_context().span_id


def test_nothing_of_opentelemetry_is_imported_unless_it_is_asked_for(tmp_path):
    code = (
        "import sys, spanwise\n"
        "spanwise.ask('What is the limit of the home policy?', sys.argv[1])\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(written(tmp_path))], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
