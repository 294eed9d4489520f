"""Whether every trace of a long run proves its answer again.

    python benchmarks/replaying.py [MOST]

Asks up to MOST (1,000) public questions without a model, writes the trace of each, and replays all of them in this one
process. The first trace of each file reads the document again too. Data: SPANWISE_DATA, by default ../shared/data.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sets import SETS

import spanwise
from spanwise.errors import TraceError
from spanwise.evaluation.cases import DocumentSource

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
ASKED = ("nist", "financebench", "cuad")


def corpus_of(source: DocumentSource) -> spanwise.Corpus:
    """A corpus of one document; of a file where there is one, so that a replay finds it again."""
    if isinstance(source.content, Path):
        corpus = spanwise.Corpus.memory()
        corpus.add(source.content, workers=1)
        return corpus
    return spanwise.Corpus.of([spanwise.read(source.content.encode("utf-8", "replace"), name=source.name)])


def traces(folder: Path) -> Iterator[tuple[str, Path, bool, str]]:
    """The set, the trace of each answer, whether its document is to be read again, and what was answered."""
    for name in ASKED:
        for number, job in enumerate(SETS[name].load(DATA, None)):
            with corpus_of(job.document) as corpus:
                engine = spanwise.Engine(corpus)
                for at, case in enumerate(job.cases):
                    result = engine.ask(case.question)
                    path = folder / f"{name}-{number}-{at}.json"
                    result.save_trace(path)
                    yield name, path, at == 0, result.decision.kind


def main() -> None:
    """Print how many agree, and how long a replay takes."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    asked: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        written = list(islice(traces(Path(folder)), most))
        sizes = sum(path.stat().st_size for _, path, _, _ in written)
        agreed, failures, spent = 0, list[str](), 0.0
        for name, path, first, kind in written:
            asked[f"{name} {kind}"] += 1
            began = time.process_time()
            try:
                result = spanwise.replay(path, documents=first)
                agreed += result.decision.kind == kind
            except TraceError as error:
                failures.append(f"{path.name}: {error}")
            spent += 0.0 if first else time.process_time() - began
    print(f"{len(written)} traces, {sizes / max(1, len(written)) / 1024:.0f} KB each: {dict(asked)}")
    print(
        f"{agreed} agree; {1000 * spent / max(1, len(written)):.1f} ms CPU a replay, reading documents again left out"
    )
    for failure in failures[:20]:
        print(failure)


if __name__ == "__main__":
    main()
