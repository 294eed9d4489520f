"""How far it goes: machines, latency and cost of loads that nobody here can run, from what was measured here.

It is arithmetic on the figures of `benchmarks/scale/passages.py` and the assumptions below, each of which can be
changed. What a corpus of 10^9 passages really does, only such a corpus tells.

Usage: python benchmarks/scale/simulate.py [FIGURES.json]
FIGURES.json is what `passages.py` printed; by default the figures of `measured.json` beside this script.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DAY, MONTH = 86_400, 30 * 86_400
GB = 1e9


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What was not measured. Prices are list prices of large clouds in round figures, in US dollars."""

    cores: int = 8
    """Of one machine."""
    memory_gb: float = 32.0
    machine_month_usd: float = 250.0
    storage_gb_month_usd: float = 0.10
    busy: float = 0.6
    """Share of the cores that may be used on average: above it, waiting times grow fast (at .6 a queue of one server
    waits 1.5 times a service time on average)."""
    peak: float = 4.0
    """Questions at the busiest time beside the average of the day."""
    copies: int = 2
    """Of every shard, so that one machine may fail."""
    hop_ms: float = 1.0
    """One round trip between machines."""
    shard_passages: int = 2_000_000
    """Most passages of one index: beyond what was measured nothing is promised, so shards stay near it."""
    search_grows: float = 1.0
    """Exponent with which the search of one index grows with its passages: 1 is proportional, the worst of a scan."""
    shared_by_hash: int = 8
    """Shards of one collection that one question has to ask: of a load that is split by collections it is 1."""
    index_of_real_text: float = 4.0
    """Bytes of an index beside those of the made-up documents, which have few different words; a guess."""
    in_memory: float = 1.0
    """Share of an index that has to be in memory (page cache) for the latency that was measured."""
    database_rows_per_core_second: float = 20_000.0
    """Rows that PostgreSQL gives out by key."""
    rows_a_question: float = 60.0
    model_prompt_tokens: int = 2_500
    model_reply_tokens: int = 200
    model_prompt_usd: float = 0.25e-6
    """A token of a small hosted model."""
    model_reply_usd: float = 2.0e-6
    model_seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """What is wanted."""

    name: str
    passages: float
    questions_a_day: float = 0.0
    verified_a_month: float = 0.0


LOADS = (
    Load("10^6 passages, 10^4 questions a day", 1e6, 1e4),
    Load("10^7 passages, 10^5 questions a day", 1e7, 1e5),
    Load("10^7 passages, 10^6 questions a day", 1e7, 1e6),
    Load("10^9 passages, 10^6 questions a day", 1e9, 1e6),
    Load("10^9 answers to verify a month", 0, 0, 1e9),
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a load takes."""

    load: Load
    shards: int
    machines: int
    machines_for: str
    """What their number follows from: processors, memory of the indexes, or that one may fail."""
    storage_gb: float
    p50_ms: float
    usd_month: float
    usd_thousand: float
    usd_thousand_with_model: float
    ingest_days: float
    breaks_first: str


def estimated(load: Load, seen: dict[str, float], given: Assumptions) -> Estimate:
    """The machines, the latency and the cost of a load."""
    if load.verified_a_month:
        return verifying(load, seen, given)
    shards = max(1, math.ceil(load.passages / given.shard_passages))
    asked = min(shards, given.shared_by_hash)
    grown = (min(load.passages, given.shard_passages) / seen["passages"]) ** given.search_grows
    search_ms = seen["search_cpu_ms_mean"] * max(1.0, grown)
    rest_ms = max(0.0, seen["ask_cpu_ms_mean"] - seen["search_cpu_ms_mean"])
    cpu_ms = rest_ms + search_ms * asked
    peak = load.questions_a_day / DAY * given.peak
    by_cpu = peak * cpu_ms / 1000 / (given.cores * given.busy)
    index_gb = load.passages * seen["index_bytes_a_passage"] * given.index_of_real_text / GB
    by_memory = index_gb * given.in_memory * given.copies / (given.memory_gb * 0.75)
    machines, why = max((by_cpu, "processors"), (by_memory, "memory of the indexes"))
    if machines <= given.copies:
        machines, why = given.copies, "one may fail"
    machines = math.ceil(machines)
    database = max(1, math.ceil(peak * given.rows_a_question / given.database_rows_per_core_second / given.cores))
    truth_gb = load.passages * seen["truth_bytes_a_passage"] / GB
    storage = (truth_gb + index_gb) * given.copies
    month = (machines + database * given.copies) * given.machine_month_usd + storage * given.storage_gb_month_usd
    questions = load.questions_a_day * 30
    thousand = 1000 * month / questions
    ingest = load.passages / seen["ingest_passages_a_cpu_second"] / DAY
    return Estimate(
        load,
        shards,
        machines + database * given.copies,
        why,
        storage,
        rest_ms + search_ms + (2 + (asked > 1)) * given.hop_ms,
        month,
        thousand,
        thousand + 1000 * model_usd(given),
        ingest,
        _limit(shards, by_cpu, by_memory, ingest),
    )


def verifying(load: Load, seen: dict[str, float], given: Assumptions) -> Estimate:
    """Answers that are held against their passages: no corpus, no state, cores alone."""
    cores = load.verified_a_month / MONTH * seen["verify_cpu_ms_mean"] / 1000 / given.busy
    machines = max(given.copies, math.ceil(cores / given.cores))
    why = "processors" if machines > given.copies else "one may fail"
    month = machines * given.machine_month_usd
    thousand = 1000 * month / load.verified_a_month
    return Estimate(
        load,
        0,
        machines,
        why,
        0.0,
        seen["verify_ms_p50"],
        month,
        thousand,
        thousand + 1000 * model_usd(given),
        0.0,
        "nothing: it is spread over as many processes as there are",
    )


def model_usd(given: Assumptions) -> float:
    """What a model costs for one answer."""
    return given.model_prompt_tokens * given.model_prompt_usd + given.model_reply_tokens * given.model_reply_usd


def _limit(shards: int, by_cpu: float, by_memory: float, ingest_days: float) -> str:
    if shards == 1:
        return "processors for answers; one corpus on one machine holds it"
    if ingest_days > 3:
        return "the one writer of a corpus: its rows come for days; a writer for each shard moves it"
    if by_memory > by_cpu:
        return "memory of the indexes beside every reader; shards by collection, each on some machines only, move it"
    return "processors for answers; more machines move it"


def table(seen: dict[str, float], given: Assumptions) -> Iterator[str]:
    """The estimates as Markdown."""
    yield (
        "| load | shards | machines (why) | storage | p50 of an answer | a month | a thousand answers; with a model | "
        "one writer needs | breaks first |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for load in LOADS:
        one = estimated(load, seen, given)
        days = f"{one.ingest_days * 24:.1f} h" if one.ingest_days < 2 else f"{one.ingest_days:.0f} days"
        yield (
            f"| {load.name} | {one.shards or '–'} | {one.machines} ({one.machines_for}) | {one.storage_gb:,.0f} GB | "
            f"{one.p50_ms:,.0f} ms | {one.usd_month:,.0f} USD | {one.usd_thousand:,.3f}; "
            f"{one.usd_thousand_with_model:,.2f} USD | {days if load.passages else '–'} | {one.breaks_first} |"
        )


def levers(seen: dict[str, float], given: Assumptions) -> Iterator[str]:
    """What one change of an assumption does to the largest corpus."""
    from dataclasses import replace

    load = LOADS[3]
    changes = {
        "as assumed": given,
        "a question asks all shards": replace(given, shared_by_hash=10**6),
        "shards by collection: a question asks one": replace(given, shared_by_hash=1),
        "a tenth of the index in memory": replace(given, in_memory=0.1),
        "search that does not grow with the index": replace(given, search_grows=0.0),
        "machines with four times the memory, at three times the price": replace(
            given, memory_gb=4 * given.memory_gb, machine_month_usd=3 * given.machine_month_usd
        ),
        "one copy only": replace(given, copies=1),
    }
    yield f"| {load.name} | machines | p50 | a thousand answers |"
    yield "| --- | --- | --- | --- |"
    for name, changed in changes.items():
        one = estimated(load, seen, changed)
        yield f"| {name} | {one.machines} | {one.p50_ms:,.0f} ms | {one.usd_thousand:,.3f} USD |"


def main() -> None:
    """Print both tables."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("measured.json")
    seen = json.loads(file.read_text())
    print("\n".join([*table(seen, Assumptions()), "", *levers(seen, Assumptions())]))


if __name__ == "__main__":
    main()
