"""What each adapter costs beside the answer: its own time, the framework's included, on 50 passages that have places.

    .cache/frameworks/newest/bin/python benchmarks/integrations.py [ROUNDS]

Needs the frameworks (`make frameworks` builds the environments). The answer is made once and given to every call, so
what is timed is what the adapters do with passages and results. The calls take turns.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ |= {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false"}

from haystack import Document as HaystackDocument
from haystack import Pipeline
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

import spanwise
from spanwise.integrations import answers
from spanwise.integrations.haystack import SpanwiseGenerator
from spanwise.integrations.langchain import GuardedAnswer
from spanwise.integrations.llama_index import SpanwiseSynthesizer

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"
QUESTION = "What is the Rent?"


def main(rounds: int) -> None:
    """Print the table."""
    corpus = spanwise.Corpus.memory()
    corpus.add(DOCUMENTS)
    hits = [(hit.passage, place) for hit, place in answers.found(corpus, "rent station report year fee", 50)]
    plain = [{"id": one.id, "text": one.text, "metadata": place} for one, place in hits]
    nodes = [NodeWithScore(node=TextNode(id_=one.id, text=one.text, metadata=place)) for one, place in hits]
    chained = [Document(page_content=one.text, metadata=place, id=one.id) for one, place in hits]
    piped = [HaystackDocument(id=one.id, content=one.text, meta=place) for one, place in hits]
    spanwise.answer(QUESTION, plain)  # which loads what it needs
    began = time.perf_counter()
    result = spanwise.answer(QUESTION, plain)
    whole = time.perf_counter() - began
    answers.answer = lambda *_, **__: result
    synthesizer, chain, generator, pipeline = SpanwiseSynthesizer(), GuardedAnswer(), SpanwiseGenerator(), Pipeline()
    pipeline.add_component("write", SpanwiseGenerator())
    ways: dict[str, Callable[[], object]] = {
        "llama_index.SpanwiseSynthesizer": lambda: synthesizer.synthesize(QUESTION, nodes),
        "langchain.GuardedAnswer": lambda: chain.invoke({"question": QUESTION, "documents": chained}),
        "haystack.SpanwiseGenerator": lambda: generator.run(QUESTION, piped),
        "the same in a Pipeline, which copies": lambda: pipeline.run(
            {"write": {"query": QUESTION, "documents": piped}}
        ),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 3):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            if number >= 3:  # the first calls load what they need
                took[name].append(time.perf_counter() - began)
    for name, times in took.items():
        median = statistics.median(times)
        print(f"{name:38} {len(hits)} passages, {1000 * median:.2f} ms, {median / whole:.3f} of the answer itself")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
