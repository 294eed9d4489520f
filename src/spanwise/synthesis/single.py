"""`simple_summarize`, one call with the beginning of every passage, and `no_text`, none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.llm.flow import Flow
from spanwise.synthesis.breaks import cut, sentence_cut
from spanwise.synthesis.excerpts import Excerpt, Source, Window
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.synthesis.response import Omission, omissions
from spanwise.text.tokens import reach, token_bound

_LEAST_SHARE = 8
"""Tokens of text that a passage is represented by at least; passages that would get less are left out, and named."""
_WORTH_A_SENTENCE = 0.5  # of a share: a beginning ends with a sentence when that takes no more than this away


@dataclass(frozen=True, slots=True)
class Single:
    """One call: every passage whole if they fit together, else each cut to a fair share of the room, and named."""

    def schedule(self, job: Job) -> Schedule:
        """The one window, and what does not get into it."""
        room = job.room("text_qa")
        sources, left_out = _that_fit(job.sources, room)
        share = _share([source.header_tokens + source.tokens for source in sources], room)
        excerpts = tuple(_beginning(source, share) for source in sources)
        rests = [Excerpt(e.source, e.end, e.source.last) for e in excerpts if e.end < e.source.last]
        missing: list[Omission] = omissions(
            rests, "cut", "only its beginning fits in one prompt together with the others"
        )
        missing += omissions(
            [Excerpt(source, source.first, source.last) for source in left_out],
            "no_room",
            "so many passages do not fit in one prompt; use compact or tree_summarize to read all of them",
        )
        tokens = sum(e.source.header_tokens + token_bound(e.source.text[e.start : e.end]) for e in excerpts)
        windows = (Window(excerpts, tokens),) if excerpts else ()
        instructions = job.instructions("text_qa") if excerpts else 0
        return Schedule(windows, len(windows), len(windows), tokens + instructions, missing=tuple(missing))

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the call."""
        job.ledger.missing += schedule.missing
        found = []
        for window in schedule.windows:
            shown = window.credits
            [reply] = yield [job.call("text_qa", window, shown, final=True)]
            found.append(job.receive(reply, window, shown))
        return [written for written in found if written is not None and written.text.strip()]


@dataclass(frozen=True, slots=True)
class NoText:
    """No call: the response only has the passages that would be read."""

    def schedule(self, job: Job) -> Schedule:
        """Nothing to do."""
        del job
        return Schedule((), 0, 0, 0)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Note the passages."""
        del schedule
        job.ledger.read |= {source.label for source in job.sources if source.label is not None}
        yield from ()
        return []


def _that_fit(sources: Sequence[Source], room: int) -> tuple[Sequence[Source], Sequence[Source]]:
    """The first sources for which there is room to be represented, and the others."""
    left = room
    for place, source in enumerate(sources):
        left -= source.header_tokens + min(source.tokens, _LEAST_SHARE)
        if left < 0:
            return sources[:place], sources[place:]
    return sources, ()


def _share(costs: Sequence[int], room: int) -> int:
    """The largest share that all can have when those that need less leave the rest to the others."""
    left = room
    for place, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - place)
        if cost > share:
            return share
        left -= cost
    return room


def _beginning(source: Source, share: int) -> Excerpt:
    if source.header_tokens + source.tokens <= share:
        return Excerpt(source, source.first, source.last)
    tokens = share - source.header_tokens
    limit = min(reach(source.text, source.first, tokens), source.last)
    half = source.first + int((limit - source.first) * _WORTH_A_SENTENCE)
    end = sentence_cut(source.text, half, limit) or cut(source.text, source.first, limit)
    return Excerpt(source, source.first, end)
