"""Whose documents answer, where those of many are loaded together.

Filings: NUMBER of the filings of FinanceBench in one corpus, chosen by SEED, under their names or as 01.txt, 02.txt
and so on; of the questions that name a company, how many are answered from its own filings only and how many from
another's, and the same of companies of which nothing is loaded. Contracts: 60 of CUAD as 01.txt, ...; of questions of
our own wording that name parties, whether the contract is among the documents that may answer or come first. Data:
SPANWISE_DATA, by default ../shared/data; nothing is fitted on it.

Usage: python benchmarks/subjects.py [--number 23] [--seed 3] [--plain]
"""

import argparse
import gzip
import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import spanwise
from spanwise.questions.parse import parse_with
from spanwise.retrieval.subject import decide
from spanwise.text.expectations.proper_names import names

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
WORDINGS = (
    "What is the governing law of the agreement between {one} and {other}?",
    "When does the agreement of {one} with {other} expire?",
    "What is {one}'s notice period for termination?",
    "Is the liability of {one} capped?",
)


def rows(path: str) -> Iterator[dict]:
    """The rows of a gzipped file of JSON Lines."""
    with gzip.open(DATA / path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def mixed(found: list[str], seed: int) -> list[str]:
    """A list in an order that depends on the seed alone."""
    return [found[at] for at in np.random.RandomState(seed).permutation(len(found))]


def filings(number: int, seed: int, *, plain: bool) -> None:
    """Ask about companies."""
    questions = list(rows("financebench/questions.jsonl.gz"))
    company = {row["doc"]: row["company"] for row in questions}
    pages: dict[str, dict[int, str]] = {}
    for row in rows("financebench/pages.jsonl.gz"):
        pages.setdefault(row["doc"], {})[row["page"]] = row["text"].replace("\f", " ")
    chosen = sorted(mixed(sorted(set(company) & set(pages)), seed)[:number])
    known = {f"{at:02}.txt" if plain else f"{name}.txt": name for at, name in enumerate(chosen)}
    texts = {file: "\n\f".join(pages[name][page] for page in sorted(pages[name])) for file, name in known.items()}
    outcomes, taken = Counter[tuple[str, str, str]](), []
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=file) for file, text in texts.items()]) as corpus:
        engine = spanwise.Engine(corpus)
        for row in questions:
            if row["company"].split()[0].casefold() not in row["question"].casefold():
                continue
            began = time.perf_counter()
            decide(parse_with(row["question"], []), corpus)
            taken.append(1000 * (time.perf_counter() - began))
            result = engine.ask(row["question"])
            cited = {company[known[citation.document]] for citation in result.citations}
            loaded = "loaded" if row["company"] in {company[name] for name in chosen} else "not loaded"
            whose = "silent" if not cited else "own" if cited == {row["company"]} else "another's"
            outcomes[loaded, whose, "to be reviewed" if result.decision.review else ""] += 1
    print(
        f"{len(chosen)} filings, {'numbered' if plain else 'named'}; a decision takes {statistics.median(taken):.1f} ms"
    )
    for outcome in sorted(outcomes):
        print(f"  {' '.join(outcome):<36}{outcomes[outcome]:>4}")


def contracts(seed: int) -> None:
    """Ask about parties."""
    texts = {row["doc_id"]: row["text"] for row in rows("cuad/contracts.jsonl.gz")}
    file_of = {key: f"{at:02}.txt" for at, key in enumerate(mixed(sorted(texts), seed)[:60])}
    outcomes, asked = Counter[str](), 0
    with spanwise.Corpus.of([spanwise.read(texts[key].encode(), name=file) for key, file in file_of.items()]) as corpus:
        for row in rows("cuad/questions.jsonl.gz"):
            parties = list(dict.fromkeys(one["text"].strip(' "\u201c\u201d.') for one in row["answers"]))
            parties = [one for one in parties if "\n" not in one and 2 <= len(one.split()) <= 7 and names(f"of {one}")]
            if row["doc_id"] not in file_of or row["category"] != "Parties" or len(parties) < 2:
                continue
            for wording in WORDINGS:
                asked += 1
                subject = decide(parse_with(wording.format(one=parties[0], other=parties[1]), []), corpus)
                own = file_of[row["doc_id"]] in (*(subject.documents or ()), *subject.preferred)
                outcomes[
                    f"{subject.kind}{'' if own or subject.kind in ('any', 'mentioned') else ', another contract'}"
                ] += 1
    print(f"{asked} questions on parties of {len(file_of)} contracts:", dict(sorted(outcomes.items())))


def main() -> None:
    """Measure both and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=23)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="name the filings by numbers")
    options = parser.parse_args()
    filings(options.number, options.seed, plain=options.plain)
    contracts(options.seed)


if __name__ == "__main__":
    main()
