"""Whether an answer that other lines contradict is shown with both sides, without a model; and when it is not.

    python benchmarks/disputing.py [MOST]

Takes public questions whose answer is a figure or a date and is found in its paragraph or contract, and changes that
figure in a copy of its sentence. The copy stands in a second version of the document, or in one more paragraph of the
same one. Counted is how often both values are shown and none is picked. Traps have the same value in another form: they
must not change the answer. Data: SPANWISE_DATA, by default ../shared/data.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from sets import SETS
from sets.conflicts.changes import Change, changed

import spanwise
from spanwise.evaluation.cases import Case, Job
from spanwise.text.sentences import sentences

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
ASKED = ("squad2", "cuad")
CONFLICTS = ("number changed", "date changed", "figure changed", "name changed")
TRAPS = ("number in another form", "date in another form")
ONLY_ELSEWHERE = "name changed"
"""Within one document another name is another subject."""
TRIES = 12
LONGEST = 40
"""Characters of an answer that is one figure or name."""
OTHER_NAMES = ("Norrland", "Maria Corvane", "Elstree and Sons", "Karl Ostermann")


def ask(question: str, texts: Sequence[str]) -> spanwise.Result:
    """The answer from documents of these texts."""
    documents = [spanwise.read(text.encode("utf-8", "replace"), name=f"{at}.txt") for at, text in enumerate(texts)]
    with spanwise.Corpus.of(documents) as corpus:
        return spanwise.Engine(corpus).ask(question)


def sentence_of(text: str, gold: str) -> str | None:
    """The one sentence that holds the answer; None where it stands in several."""
    found = [text[start:end] for start, end in sentences(text) if gold in text[start:end]]
    return found[0] if len(found) == 1 and text.count(found[0]) == 1 else None


def variant(sentence: str, gold: str, change: str, key: str) -> str | None:
    """The sentence with a change of the answer and of nothing else."""
    at = sentence.index(gold)
    before, behind = sentence[:at], sentence[at + len(gold) :]
    if change == "figure changed":
        runs = re.findall(r"\d+", gold)
        if len(runs) != 1 or len(gold) > LONGEST:
            return None
        return before + re.sub(r"\d(?!\d)", lambda found: str((int(found[0]) + 3) % 9 + 1), gold) + behind
    if change == "name changed":
        named = bool(before) and len(gold) <= LONGEST and all(word[:1].isupper() for word in gold.split())
        named = named and not any(char.isdigit() for char in gold)
        return before + OTHER_NAMES[len(key) % len(OTHER_NAMES)] + behind if named else None
    for number in range(TRIES):
        other = changed(sentence, cast("Change", change), f"{key}:{number}")
        if other is None:
            return None
        if other.startswith(before) and other.endswith(behind) and gold not in other:
            return other
    return None


def answered(name: str) -> Iterator[tuple[str, Case, str, str]]:
    """Text, question, answer and its sentence, where the answer is found."""
    for job in SETS[name].load(DATA, 0 if name == "squad2" else None):
        text = text_of(job)
        for case in job.cases:
            for gold in case.gold[:1] if case.answerable else ():
                sentence = sentence_of(text, gold) if gold else None
                if sentence is None:
                    continue
                result = ask(case.question, [text])
                if result.decision.kind == "ship" and gold in result.text:
                    yield text, case, gold, sentence


def text_of(job: Job) -> str:
    """The text of a job's document; nothing where it is a file."""
    return job.document.content if isinstance(job.document.content, str) else ""


def main() -> None:
    """Print both rates for each set and way."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for name in ASKED:
        seen: Counter[tuple[str, str]] = Counter()
        missed: list[str] = []
        for text, case, gold, sentence in answered(name):
            for change in CONFLICTS + TRAPS:
                other = variant(sentence, gold, change, case.id)
                if other is None or seen[change, "asked"] >= most:
                    continue
                ways = {"another document": [text, text.replace(sentence, other)]}
                if change != ONLY_ELSEWHERE:
                    ways["same document"] = [f"{text}\n\n{other}"]
                seen[change, "asked"] += 1
                for way, texts in ways.items():
                    result = ask(case.question, texts)
                    shown = result.decision.reason == "conflicting_evidence"
                    seen[change, way] += shown
                    seen[change, f"{way}, not found"] += result.decision.kind == "not_found"
                    if shown != (change in CONFLICTS):
                        missed.append(f"{way}, {change}: {case.question} | {other} | {result.text[:200]!r}")
        for change in CONFLICTS + TRAPS:
            told = ", ".join(
                f"in {way} {seen[change, way]} (not found {seen[change, f'{way}, not found']})"
                for way in ("another document", "same document")
            )
            print(f"{name}: {change}: {seen[change, 'asked']} asked, shown as a conflict: {told}", flush=True)
        for one in missed[: int(os.environ.get("SHOWN", "0"))]:
            print(f"  {one}")


if __name__ == "__main__":
    main()
