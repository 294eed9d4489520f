"""What the port and its middleware cost: microseconds a call, over a model that does nothing.

    python benchmarks/models.py [--calls 2000]

CPU time of the process is measured, so that other work on the machine does not count. The prompt has 16,000 characters,
as a full window of 4,096 tokens has.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from spanwise import Call, ModelProfile, Reply, Usage
from spanwise.llm.flow import Flow
from spanwise.llm.middleware.limits import Budget, Limits
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.middleware.stack import wrapped
from spanwise.llm.port import Model
from spanwise.llm.run import adrive, drive


class Nothing:
    """Answers at once."""

    profile = ModelProfile("nothing", input_price=1.0, output_price=1.0)

    def complete(self, call: Call) -> Reply:
        """The same reply to every call."""
        return Reply("An answer of a few words.", usage=Usage(len(call.prompt) // 4, 6, requests=1))

    async def acomplete(self, call: Call) -> Reply:
        """The same."""
        return self.complete(call)


def one_by_one(count: int) -> Flow[int]:
    """A flow of rounds of one call, as `refine` has."""
    for number in range(count):
        yield [Call(f"{number} " + "evidence " * 1750, max_output_tokens=512)]
    return count


def at_once(count: int) -> Flow[int]:
    """A flow of one round, as `accumulate` has."""
    replies = yield [Call(f"{number} " + "evidence " * 1750, max_output_tokens=512) for number in range(count)]
    return len(replies)


def microseconds(work: Callable[[], object], calls: int) -> float:
    """CPU time of one call."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) / calls * 1e6


def main() -> None:
    """Print one line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    calls = parser.parse_args().calls
    with tempfile.TemporaryDirectory() as folder:
        stacks: Mapping[str, Model] = {
            "port alone": Nothing(),
            "retry, limits, budget": wrapped(
                Nothing(), retry=Retry(), limits=Limits(concurrency=8), budget=Budget(cost_usd=1e9)
            ),
            "and cache, all misses": wrapped(
                Nothing(),
                retry=Retry(),
                limits=Limits(concurrency=8),
                budget=Budget(cost_usd=1e9),
                cache=Path(folder) / "a.db",
            ),
            "all of them, and recording": wrapped(
                Nothing(),
                retry=Retry(),
                limits=Limits(concurrency=8),
                budget=Budget(cost_usd=1e9),
                cache=Path(folder) / "b.db",
                recording=Path(folder) / "run.jsonl",
            ),
        }
        for name, model in stacks.items():
            print(f"{name:30}", end="")
            print(f"  refine-like {microseconds(lambda m=model: drive(one_by_one(calls), m), calls):7.0f} µs", end="")
            # A second round of the same calls is answered by the cache.
            print(f"  again {microseconds(lambda m=model: drive(one_by_one(calls), m), calls):7.0f} µs", end="")
            print(f"  threads {microseconds(lambda m=model: drive(at_once(calls), m), calls):7.0f} µs", end="")
            print(f"  async {microseconds(lambda m=model: asyncio.run(adrive(at_once(calls), m)), calls):7.0f} µs")


if __name__ == "__main__":
    main()
