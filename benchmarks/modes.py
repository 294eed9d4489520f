"""What planning, packing and running the response modes cost: CPU, calls, tokens, and waiting beside the model's own.

The evidence is the language reference that comes with CPython, cut into chunks of 250 words. With an interpreter that
has llama-index-core, the same chunks go through its modes as well.

Usage: python benchmarks/modes.py [--peer PYTHON]
"""

import argparse
import json
import re
import statistics
import subprocess
import time
from pydoc_data import topics

from spanwise import ScriptedModel, Synthesizer, count_tokens

QUESTION = "What does a generator do when it is resumed?"
REPLY = "It goes on after the last yield [1]. " * 10
WORDS = 250
MODES = ("compact", "tree_summarize", "compact_accumulate", "refine", "accumulate", "simple_summarize")

PEER = """
import json, sys, time
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.utils import get_tokenizer

work = json.load(sys.stdin)
tokens = get_tokenizer()
prompts, window = [], 0

class Scripted(CustomLLM):
    @property
    def metadata(self):
        return LLMMetadata(context_window=window, num_output=512, model_name="scripted")

    def complete(self, prompt, formatted=False, **options):
        prompts.append(prompt)
        return CompletionResponse(text=work["reply"])

    def stream_complete(self, prompt, formatted=False, **options):
        raise NotImplementedError

rows = []
for window, size in work["loads"]:
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in work["chunks"][:size]]
    evidence = sum(len(tokens(node.text)) for node in nodes)
    for mode in work["modes"]:
        prompts.clear()
        began = time.process_time()
        get_response_synthesizer(llm=Scripted(), response_mode=ResponseMode(mode)).synthesize(
            work["question"], nodes=nodes
        )
        took = time.process_time() - began
        sent = sum(len(tokens(prompt)) for prompt in prompts)
        rows.append([window, size, mode, len(prompts), sent / evidence, took * 1000])
print(json.dumps(rows))
"""
LOADS = ((4096, 10), (4096, 50), (8192, 10), (8192, 50))


def chunks(count: int) -> list[str]:
    """So many chunks; after the end of the text they begin anew a few words further on."""
    text = "\n\n".join(topics.topics[name] for name in sorted(topics.topics))
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    last = len(starts) - WORDS - 1
    places = [(number * WORDS + number * WORDS // last * 37) % last for number in range(count)]
    return [text[starts[place] : starts[place + WORDS]].strip() for place in places]


def planning() -> None:
    """CPU to plan and pack, and how it grows."""
    Synthesizer().plan(QUESTION, chunks(50))  # libraries load once a process
    for size, times in ((50, 21), (1000, 3), (10_000, 1)):
        every = chunks(size * times)  # other chunks each time, so that nothing is remembered from the last
        taken = []
        for turn in range(times):
            given = every[turn * size : (turn + 1) * size]
            began = time.process_time()
            Synthesizer().plan(QUESTION, given)
            taken.append(time.process_time() - began)
        seconds = statistics.median(taken)
        print(f"plan and pack {size:>6} chunks: {seconds * 1000:>8.1f} ms CPU, {seconds / size * 1e6:.0f} us a chunk")


def running() -> list[list[object]]:
    """Calls and tokens of each mode."""
    rows: list[list[object]] = []
    for window, size in LOADS:
        given = chunks(size)
        evidence = sum(map(count_tokens, given))
        for mode in MODES:
            model = ScriptedModel(lambda _: REPLY)
            synthesizer = Synthesizer(mode, model, context_window=window)
            plan = synthesizer.plan(QUESTION, given)
            response = synthesizer.synthesize(QUESTION, given)
            sizes = [count_tokens(call.system) + count_tokens(call.prompt) for call in model.calls]
            rows.append([window, size, mode, response.calls, sum(sizes) / evidence, plan.calls, plan.rounds])
            if max(sizes) + 512 > window:
                raise SystemExit(f"a prompt of {max(sizes)} tokens is over the window of {window}")
    return rows


def waiting(latency: float) -> None:
    """Wall-clock time over the time that the model itself takes, when every call of a round runs at once."""
    given = chunks(50)
    for mode in ("tree_summarize", "accumulate", "compact"):
        taken = []
        for _ in range(5):
            model = ScriptedModel(lambda _: REPLY, latency=latency)
            synthesizer = Synthesizer(mode, model, max_concurrency=50)
            began = time.perf_counter()
            response = synthesizer.synthesize(QUESTION, given)
            taken.append(time.perf_counter() - began)
        rounds = response.calls if mode == "compact" else 1 if mode == "accumulate" else 2
        ratio = statistics.median(taken) / (rounds * latency)
        print(f"{mode:<16} {response.calls:>3} calls, {rounds} rounds of {latency * 1000:.0f} ms: {ratio:.2f} x that")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter that has llama-index-core")
    peer = parser.parse_args().peer
    planning()
    print("\nwindow chunks mode                calls prompt/evidence planned rounds   peer: calls ratio ms CPU")
    rows = running()
    others: list[list[object]] = [[]] * len(rows)
    if peer:
        load = {"chunks": chunks(50), "loads": LOADS, "modes": MODES, "question": QUESTION, "reply": REPLY}
        done = subprocess.run([peer, "-c", PEER], input=json.dumps(load), capture_output=True, text=True, check=True)
        others = json.loads(done.stdout)
    for (window, size, mode, calls, ratio, planned, rounds), other in zip(rows, others, strict=True):
        beside = f"   {other[3]:>11} {other[4]:>5.2f} {other[5]:>6.0f}" if other else ""
        print(f"{window:>6} {size:>6} {mode:<19} {calls:>5} {ratio:>15.3f} {planned:>7} {rounds:>6}{beside}")
    print()
    waiting(0.05)


if __name__ == "__main__":
    main()
