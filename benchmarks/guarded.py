"""What `ResponseSynthesizer` lets through of real answers whose faults were annotated by hand (RAGTruth).

Every answer is the reply of a scripted model, its passages are the chunks. Faultless answers should ship whole; of the
annotated faults as few as possible should ship without a mark. Data: SPANWISE_DATA, by default ../shared/data.

Usage: python benchmarks/guarded.py [dev|rest] [--limit N] [--policy prune|mark|strict] [--task QA|Summary|Data2txt]
"""

import argparse
import gzip
import json
import os
import time
from collections import Counter, defaultdict
from pathlib import Path

from spanwise import Chunk, ModelConfig, ResponseSynthesizer, ScriptedModel, SynthesisInput, SynthesisOutput
from spanwise.messages import NO_INFORMATION

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
CONFIG = ModelConfig(max_context_tokens=32_000)


def main(part: str, limit: int, policy: str, task: str | None) -> None:
    """Run the answers of a part and print what became of them."""
    with gzip.open(DATA / "ragtruth" / f"{part}.jsonl.gz") as lines:
        rows = [row for row in map(json.loads, lines) if task in (None, row["task"])][: limit or None]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    started = time.process_time()
    for row in rows:
        output = _answered(row, policy)
        seen = counts[row["task"]]
        kind = "faulty" if row["labels"] else "faultless"
        refused = output.answer == NO_INFORMATION
        changed = not refused and "unsupported_claim" in output.warnings and policy != "mark"
        marked = "uncertain_claim" in output.warnings
        outcome = "refused" if refused else "changed" if changed else "marked" if marked else "whole"
        seen.update([kind, f"{kind} {outcome}"])
        for label in row["labels"]:
            seen["faults"] += 1
            seen[f"faults {_shipped(label['text'], output)}"] += 1
    for name, seen in sorted(counts.items()):
        print(name)
        for whole in ("faultless", "faulty", "faults"):
            parts = [
                (key.removeprefix(f"{whole} "), count) for key, count in seen.items() if key.startswith(f"{whole} ")
            ]
            told = "  ".join(f"{key} {count} ({count / seen[whole]:.1%})" for key, count in sorted(parts))
            print(f"  {whole:9} {seen[whole]:4}  {told}")
    print(f"CPU time: {(time.process_time() - started) / len(rows) * 1000:.0f} ms an answer")


def _answered(row: dict[str, object], policy: str) -> SynthesisOutput:
    chunks = [Chunk(chunk_id=f"p{n}", text=text, score=1.0) for n, text in enumerate(row["passages"])]
    given = SynthesisInput(trace_id=row["id"], query=row["question"] or row["task"], retrieved_chunks=chunks)
    return ResponseSynthesizer(ScriptedModel([row["response"]]), config=CONFIG, policy=policy).run_sync(given)


def _shipped(fault: str, output: SynthesisOutput) -> str:
    """What became of an annotated fault: gone, shipped inside a claim that is marked, or shipped unmarked."""
    if fault not in output.answer:
        return "gone"
    at = output.answer.index(fault)
    marked = [
        one["at"]
        for one in output.warning_details
        if one["code"] in ("uncertain_claim", "unsupported_claim") and "at" in one
    ]
    return "marked" if any(low < at + len(fault) and at < high for low, high in marked) else "unmarked"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="dev", choices=["dev", "rest"])
    parser.add_argument("--limit", type=int, default=0, help="answers; 0 for all")
    parser.add_argument("--policy", default="prune", choices=["prune", "mark", "strict"])
    parser.add_argument("--task", choices=["QA", "Summary", "Data2txt"])
    options = parser.parse_args()
    main(options.part, options.limit, options.policy, options.task)
