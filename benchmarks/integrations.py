"""What each adapter costs beside the plain call: its own time, the framework's included, on 50 passages with places.

    .cache/frameworks/newest/bin/python benchmarks/integrations.py [ROUNDS]
    .cache/frameworks/checks/bin/python benchmarks/integrations.py [ROUNDS]

Needs the frameworks (`make frameworks` builds the environments); those that an environment lacks are left out. Answer,
verification and hits are made once and given to every call, so what is timed is what the adapters do with passages and
results. The calls take turns, and processor time is told, since the machine is shared.
"""

import asyncio
import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

os.environ |= {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false", "RAGAS_DO_NOT_TRACK": "true"}
os.environ |= {"DO_NOT_TRACK": "1", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}

import spanwise
from spanwise.integrations import answers

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"
QUESTION, SAID = "What is the Rent?", "Rent means £8,400 a month."
Ways = dict[str, Callable[[], object]]


def llama_index(hits: list, text: str) -> Ways:
    """LlamaIndex."""
    from llama_index.core.schema import NodeWithScore, TextNode

    from spanwise.integrations.llama_index import SpanwiseEvaluator, SpanwiseRetriever, SpanwiseSynthesizer

    nodes = [NodeWithScore(node=TextNode(id_=hit.passage.id, text=hit.passage.text, metadata=at)) for hit, at in hits]
    synthesizer, evaluator, retriever = SpanwiseSynthesizer(), SpanwiseEvaluator(), SpanwiseRetriever(FOUND)
    return {
        "SpanwiseSynthesizer": lambda: synthesizer.synthesize(QUESTION, nodes),
        "SpanwiseRetriever": lambda: retriever.retrieve(QUESTION),
        "SpanwiseEvaluator": lambda: evaluator.evaluate(response=text, contexts=[hit.passage.text for hit, _ in hits]),
    }


def langchain(hits: list, text: str) -> Ways:
    """LangChain and LangGraph."""
    from langchain_core.documents import Document

    from spanwise.integrations.langchain import GuardedAnswer, SpanwiseGuard, SpanwiseRetriever

    chained = [Document(page_content=hit.passage.text, metadata=at, id=hit.passage.id) for hit, at in hits]
    chain, guard, retriever = GuardedAnswer(), SpanwiseGuard(), SpanwiseRetriever(FOUND, k=50)
    return {
        "GuardedAnswer": lambda: chain.invoke({"question": QUESTION, "documents": chained}),
        "SpanwiseRetriever": lambda: retriever.invoke(QUESTION),
        "SpanwiseGuard": lambda: guard({"answer": text, "documents": chained}),
    }


def haystack(hits: list, text: str) -> Ways:
    """Haystack."""
    from haystack import Document, Pipeline

    from spanwise.integrations.haystack import SpanwiseEvaluator, SpanwiseGenerator, SpanwiseRetriever

    piped = [Document(id=hit.passage.id, content=hit.passage.text, meta=at) for hit, at in hits]
    contexts = [[hit.passage.text for hit, _ in hits]]
    generator, retriever, evaluator, pipeline = (
        SpanwiseGenerator(),
        SpanwiseRetriever(FOUND, top_k=50),
        SpanwiseEvaluator(),
        Pipeline(),
    )
    pipeline.add_component("write", SpanwiseGenerator())
    return {
        "SpanwiseGenerator": lambda: generator.run(QUESTION, piped),
        "in a Pipeline, which copies": lambda: pipeline.run({"write": {"query": QUESTION, "documents": piped}}),
        "SpanwiseRetriever": lambda: retriever.run(QUESTION),
        "SpanwiseEvaluator": lambda: evaluator.run([QUESTION], contexts, [text]),
    }


def pydantic_ai(hits: list, text: str) -> Ways:
    """pydantic-ai."""
    from spanwise.integrations.pydantic_ai import SpanwiseToolset, message, output_validator

    class Run:
        partial_output = False

    check, tools = output_validator([hit.passage for hit, _ in hits]), SpanwiseToolset(FOUND)
    return {
        "output_validator": lambda: check(Run(), text),
        "SpanwiseToolset.search": lambda: tools.search(QUESTION, 50),
        "message": lambda: message(RESULT),
    }


def dspy(hits: list, text: str) -> Ways:
    """DSPy."""
    from dspy import Example, Prediction

    from spanwise.integrations.dspy import SpanwiseMetric, SpanwiseRetriever

    metric, retriever = SpanwiseMetric(), SpanwiseRetriever(FOUND, k=50)
    gold, said = Example(context=[hit.passage.text for hit, _ in hits]), Prediction(answer=text)
    return {"SpanwiseMetric": lambda: metric(gold, said), "SpanwiseRetriever": lambda: retriever(QUESTION)}


def deepeval(hits: list, text: str) -> Ways:
    """DeepEval."""
    from deepeval.test_case import LLMTestCase

    from spanwise.integrations.deepeval import AttributionMetric

    case = LLMTestCase(input=QUESTION, actual_output=text, retrieval_context=[hit.passage.text for hit, _ in hits])
    metric = AttributionMetric()
    return {"AttributionMetric": lambda: metric.measure(case)}


def ragas(hits: list, text: str) -> Ways:
    """Ragas."""
    from spanwise.integrations.ragas import Attribution

    metric, contexts, loop = Attribution(), [hit.passage.text for hit, _ in hits], asyncio.new_event_loop()
    return {"Attribution": lambda: loop.run_until_complete(metric.ascore(text, contexts))}


def inspect_ai(hits: list, text: str) -> Ways:
    """Inspect."""
    from types import SimpleNamespace

    from spanwise.integrations.inspect_ai import attribution

    score, loop = attribution(), asyncio.new_event_loop()
    contexts = [hit.passage.text for hit, _ in hits]
    state = SimpleNamespace(
        output=SimpleNamespace(completion=text), metadata={"context": contexts}, sample_id="benchmark"
    )
    return {"attribution": lambda: loop.run_until_complete(score(state, None))}


FOUND = spanwise.Corpus.memory()
FOUND.add(DOCUMENTS)
RESULT = spanwise.answer(QUESTION, [hit.passage for hit in FOUND.search("rent station report year fee", 50)])


def main(rounds: int) -> None:
    """Print the table."""
    hits = answers.found(FOUND, "rent station report year fee", 50)
    checked = spanwise.verify(SAID, [hit.passage for hit, _ in hits])
    answers.answer = lambda *_, **__: RESULT
    answers.verify = lambda *_, **__: checked
    ways: Ways = {}
    for framework in (llama_index, langchain, haystack, pydantic_ai, dspy, deepeval, ragas, inspect_ai):
        with suppress(ImportError):
            ways |= {f"{framework.__name__} {name}": way for name, way in framework(hits, SAID).items()}
            module = importlib.import_module(f"spanwise.integrations.{framework.__name__}")
            for plain, made in (("verify", lambda *_, **__: checked), ("found", lambda *_, **__: hits)):
                if hasattr(module, plain):
                    setattr(module, plain, made)
    took: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 3):
        for name, way in ways.items():
            began = time.process_time()
            way()
            if number >= 3:  # the first calls load what they need
                took[name].append(time.process_time() - began)
    for name, times in took.items():
        print(f"{name:45} {len(hits)} passages, {1000 * statistics.median(times):.2f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
