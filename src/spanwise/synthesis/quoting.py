"""`extractive`: no model; the sentences of the passages that share most with the question, word for word and cited."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from spanwise.llm.flow import Flow
from spanwise.synthesis.excerpts import Excerpt
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import terms

MOST_SENTENCES = 3
_NEARLY_AS_GOOD = 0.8
"""Share of the best sentence's weight that another has to have to stand beside it."""


@dataclass(frozen=True, slots=True)
class Quoting:
    """Quotes up to three sentences; none when no sentence has a word of the question."""

    def schedule(self, job: Job) -> Schedule:
        """Nothing to pay for."""
        del job
        return Schedule((), 0, 0, 0)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Choose the sentences; a word counts the more, the fewer sentences have it."""
        del schedule
        asked = set(terms(job.query))
        read = [
            (Excerpt(source, start, end), asked.intersection(terms(source.text[start:end])))
            for source in job.sources
            for start, end in sentences(source.text)
        ]
        job.ledger.read |= {source.label for source in job.sources if source.label is not None}
        having = Counter(term for _, found in read for term in found)
        weights = [sum(math.log(1 + len(read) / having[term]) for term in sorted(found)) for _, found in read]
        best = max(weights, default=0.0)
        order = sorted(range(len(read)), key=lambda place: (-weights[place], place))
        chosen = [read[p][0] for p in sorted(order[:MOST_SENTENCES]) if best and weights[p] >= best * _NEARLY_AS_GOOD]
        yield from ()
        return [_quoted(chosen)] if chosen else []


def _quoted(chosen: list[Excerpt]) -> Written:
    text = " ".join(f"{on_one_line(e.source.text[e.start : e.end])} [{e.source.label}]" for e in chosen)
    credits_: dict[int, tuple[Excerpt, ...]] = {}
    for excerpt in chosen:
        label = excerpt.source.label or 0
        credits_[label] = (*credits_.get(label, ()), excerpt)
    return Written(text, credits_)
