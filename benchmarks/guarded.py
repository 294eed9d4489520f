"""What `ResponseSynthesizer` lets through of real answers whose faults were annotated by hand (RAGTruth).

Every answer is the reply of a scripted model, its passages are the chunks. Faultless answers should ship whole; of the
annotated faults as few as possible. Data: SPANWISE_DATA, by default ../shared/data.

Usage: python benchmarks/guarded.py [dev|rest]
"""

import gzip
import json
import os
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from spanwise import Chunk, ModelConfig, ResponseSynthesizer, ScriptedModel, SynthesisInput
from spanwise.messages import NO_INFORMATION

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
CONFIG = ModelConfig(max_context_tokens=32_000)


def main(part: str) -> None:
    """Run all answers of a part and print what became of them."""
    with gzip.open(DATA / "ragtruth" / f"{part}.jsonl.gz") as lines:
        rows = [json.loads(line) for line in lines]
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    started = time.process_time()
    for row in rows:
        chunks = [Chunk(chunk_id=f"p{n}", text=text, score=1.0) for n, text in enumerate(row["passages"])]
        given = SynthesisInput(trace_id=row["id"], query=row["question"] or row["task"], retrieved_chunks=chunks)
        output = ResponseSynthesizer(ScriptedModel([row["response"]]), config=CONFIG).run_sync(given)
        seen = counts[row["task"], "faulty" if row["labels"] else "faultless"]
        refused = output.answer == NO_INFORMATION
        kind = "refused" if refused else "replaced" if "unsupported_claim" in output.warnings else "whole"
        seen.update([kind, "answers"])
        seen["sentences"] += len(output.claims)
        seen["kept"] += sum(claim.verdict == "keep" for claim in output.claims)
        seen["faults"] += len(row["labels"])
        seen["faults shipped"] += sum(label["text"] in output.answer for label in row["labels"])
    for (task, kind), seen in sorted(counts.items()):
        print(f"{task:9} {kind:9}", "  ".join(f"{name} {count}" for name, count in sorted(seen.items()) if count))
    print(f"CPU time: {(time.process_time() - started) / len(rows) * 1000:.0f} ms an answer")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "dev")
