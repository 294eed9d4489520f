"""The response modes: each is a schedule and a short flow, without knowledge of networks, event loops or threads.

A mode's `schedule` plans the windows and bounds the cost; its `flow` makes the calls and collects the answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from spanwise.errors import CallCancelledError, ModeError
from spanwise.llm.flow import Flow
from spanwise.synthesis.job import Job, Schedule, Written, together
from spanwise.synthesis.response import Omission, omissions
from spanwise.synthesis.windows import (
    Excerpt,
    Packer,
    Place,
    Source,
    Window,
    cut,
    joined,
    overlap_tokens,
    sentence_cut,
    written_source,
)
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import terms
from spanwise.text.tokens import reach, token_bound


class ResponseMode(StrEnum):
    """How a response is written from passages; each member equals its name as a string."""

    REFINE = "refine"
    """One passage after another may change the answer so far: the most detailed, one call per passage."""
    COMPACT = "compact"
    """As `refine`, with as many passages in each call as fit."""
    TREE_SUMMARIZE = "tree_summarize"
    """Every window is summarised, then the summaries: for summaries, with few consecutive calls."""
    SIMPLE_SUMMARIZE = "simple_summarize"
    """One call with the beginning of every passage: fast and lossy."""
    NO_TEXT = "no_text"
    """No call: only the passages, for inspection."""
    ACCUMULATE = "accumulate"
    """The same question to every passage, with separate answers."""
    COMPACT_ACCUMULATE = "compact_accumulate"
    """As `accumulate`, with as many passages in each call as fit."""
    EXTRACTIVE = "extractive"
    """No call: the sentences of the passages that share the most with the question."""


MODES = tuple(mode.value for mode in ResponseMode)
"""The names of the seven response modes, and `extractive`."""


class Way(Protocol):
    """The implementation of a mode."""

    def schedule(self, job: Job) -> Schedule:
        """The windows and an upper bound of the cost, without a model."""

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls; returns the answers, a single one unless the mode gives several."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: its implementation, the templates that it uses, and whether it gives several answers."""

    way: Way
    templates: tuple[str, ...] = ()
    several: bool = False


_LEAST_SHARE = 8
"""Least tokens of text by which a passage is represented; passages that would get less are reported as missing."""
_WORTH_A_SENTENCE = 0.5  # share of a passage's room that may be lost to end its beginning with a sentence


@dataclass(frozen=True, slots=True)
class SimpleSummarize:
    """One call: every passage as a whole if all fit together, else each cut to a fair share, and reported."""

    def schedule(self, job: Job) -> Schedule:
        """The single window, and what does not fit into it."""
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
        """Record the passages as read."""
        del schedule
        job.ledger.read |= {source.label for source in job.sources if source.label is not None}
        yield from ()
        return []


def _that_fit(sources: Sequence[Source], room: int) -> tuple[Sequence[Source], Sequence[Source]]:
    """The first sources that can be represented in the room, and the others."""
    left = room
    for place, source in enumerate(sources):
        left -= source.header_tokens + min(source.tokens, _LEAST_SHARE)
        if left < 0:
            return sources[:place], sources[place:]
    return sources, ()


def _share(costs: Sequence[int], room: int) -> int:
    """The largest equal share of the room, if sources that need less leave the rest to the others."""
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


_TEMPLATES = ("text_qa", "refine")


@dataclass(frozen=True, slots=True)
class Refine:
    """Reads sources one after another into one growing answer.

    The room of every prompt is that of the larger template. The schedule reserves a part of it for the answer so far;
    the run fills what an answer does not use with evidence, reads at least as far as scheduled with every call, and so
    never makes more calls. An answer too long to fit beside the evidence of its step is cut, which is reported.

    Attributes:
        alone: One passage per prompt (`refine`), instead of as many as fit (`compact`).
    """

    alone: bool

    def schedule(self, job: Job) -> Schedule:
        """The windows if every answer is as long as allowed."""
        room = job.room(*_TEMPLATES)
        draft = job.budget.draft(room)
        packed = list(self._packer(job).windows(room, room - draft))
        fixed = [job.instructions("text_qa" if place == 0 else "refine") for place in range(len(packed))]
        tokens = sum(fixed) + sum(window.tokens for window, _ in packed) + draft * max(0, len(packed) - 1)
        windows, ends = tuple(window for window, _ in packed), tuple(place for _, place in packed)
        return Schedule(windows, len(packed), len(packed), tokens, ends)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls, one per round."""
        packer, place = self._packer(job), Place()
        draft: Written | None = None
        for number, least in enumerate(schedule.ends):
            if packer.ends(place):
                break
            draft, room = self._beside(job, draft, packer, place, least, number)
            window, following = packer.take(place, room, least)
            credits_ = joined(draft.credits if draft else {}, window.credits)
            name, final = "refine" if draft else "text_qa", packer.ends(following)
            [reply] = yield [job.call(name, window, credits_, final=final, draft=draft)]
            written = job.receive(reply, window, credits_)
            draft = written if written and written.text.strip() else draft
            place = following
            if isinstance(reply.error, CallCancelledError):
                rest = packer.until(place, Place(len(job.sources)))
                job.lost(rest.excerpts, "call_failed", str(reply.error))
                break
        return [draft] if draft else []

    def _packer(self, job: Job) -> Packer:
        room = job.room(*_TEMPLATES)
        return Packer(job.sources, self.alone, overlap_tokens(job.overlap, room - job.budget.draft(room), job.sources))

    def _beside(
        self, job: Job, draft: Written | None, packer: Packer, place: Place, least: Place, number: int
    ) -> tuple[Written | None, int]:
        """The answer so far, cut if necessary, and the room for evidence beside it."""
        room = job.room(*_TEMPLATES)
        if draft is None:
            return None, room
        reserved = job.budget.draft(room)
        evidence: Window | None = None if place.reached(least) else packer.until(place, least)
        draft = job.fitted(draft, max(reserved, room - evidence.tokens) if evidence else reserved, number)
        return draft, room - token_bound(draft.text)


_WORTH_A_ROUND = 0.75
"""Smallest share of their usual size to which answers are cut so that all of them fit in one last prompt."""


@dataclass(frozen=True, slots=True)
class TreeSummarize:
    """Combines answers in rounds.

    At least two answers fit in every prompt, since each may take at most half the room: longer ones are cut, which is
    reported. So each round has at most half as many calls as the one before, and the tree ends whatever a model writes.
    """

    def schedule(self, job: Job) -> Schedule:
        """The windows of the first round, and the cost of later rounds if every answer is as long as allowed."""
        room = job.room("summary")
        packer = Packer(job.sources, overlap=overlap_tokens(job.overlap, room, job.sources))
        windows = tuple(window for window, _ in packer.windows(room))
        fixed = job.instructions("summary")
        calls = parts = len(windows)
        rounds = min(1, parts)
        tokens = sum(fixed + window.tokens for window in windows)
        while parts > 1:
            largest = _largest_answer(job, parts) + 1  # with the separator from the next
            answers, parts = parts, -(-parts // (room // largest))
            tokens += parts * fixed + answers * largest
            calls, rounds = calls + parts, rounds + 1
        return Schedule(windows, calls, rounds, tokens)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls of each round at the same time."""
        windows: Sequence[Window] = schedule.windows
        behind: list[list[Written]] = [[] for _ in windows]
        while windows:
            credits_ = [window.credits for window in windows]
            replies = yield [
                job.call("summary", window, shown, final=len(windows) == 1)
                for window, shown in zip(windows, credits_, strict=True)
            ]
            written = [
                _answer(job.receive(reply, window, shown), answers)
                for reply, window, shown, answers in zip(replies, windows, credits_, behind, strict=True)
            ]
            answers = [answer for answer in written if answer is not None and answer.text.strip()]
            if len(answers) < 2:
                return answers
            behind, windows = _grouped(job, answers)
        return []


def _answer(written: Written | None, answers: Sequence[Written]) -> Written | None:
    """The answer of a call; if it failed, the answers that it should have combined, side by side."""
    return written if written is not None or not answers else together(answers)


def _grouped(job: Job, answers: Sequence[Written]) -> tuple[list[list[Written]], list[Window]]:
    """Answers grouped into the windows of the next round, in order, each in one piece."""
    room, largest = job.room("summary"), _largest_answer(job, len(answers))
    groups: list[list[Written]] = []
    windows: list[Window] = []
    left = 0
    for number, answer in enumerate(answers, 1):
        fitted = job.fitted(answer, largest, number)
        source = written_source(fitted.text, fitted.credits)
        if source.tokens > left:
            groups.append([])
            windows.append(Window((), 0))
            left = room
        groups[-1].append(fitted)
        excerpts = (*windows[-1].excerpts, Excerpt(source, 0, len(source.text)))
        windows[-1] = Window(excerpts, windows[-1].tokens + source.tokens)
        left -= source.tokens
    return groups, windows


def _largest_answer(job: Job, answers: int) -> int:
    """Tokens that each of `answers` answers may have: a little less than usual if that saves a round."""
    room = job.room("summary")
    usual = min(job.budget.draft(room), room // 2 - 1)
    share = room // answers - 1
    return min(usual, share) if share >= _WORTH_A_ROUND * usual else usual


@dataclass(frozen=True, slots=True)
class Accumulate:
    """Asks about each window separately.

    Attributes:
        alone: One passage per prompt (`accumulate`), instead of as many as fit (`compact_accumulate`).
    """

    alone: bool

    def schedule(self, job: Job) -> Schedule:
        """The windows, all in one round."""
        room = job.room("text_qa")
        packer = Packer(job.sources, self.alone, overlap_tokens(job.overlap, room, job.sources))
        windows = tuple(window for window, _ in packer.windows(room))
        tokens = sum(job.instructions("text_qa") + window.tokens for window in windows)
        return Schedule(windows, len(windows), min(1, len(windows)), tokens)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make all calls in one round."""
        credits_ = [window.credits for window in schedule.windows]
        replies = yield [
            job.call("text_qa", window, shown, final=False)
            for window, shown in zip(schedule.windows, credits_, strict=True)
        ]
        written = map(job.receive, replies, schedule.windows, credits_)
        return [answer for answer in written if answer is not None and answer.text.strip()]


MOST_SENTENCES = 3
_NEARLY_AS_GOOD = 0.8
"""Least weight of a further sentence, relative to the best one."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Quotes up to three sentences; none if no sentence has a word of the question."""

    def schedule(self, job: Job) -> Schedule:
        """An empty schedule, as no model is called."""
        del job
        return Schedule((), 0, 0, 0)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Choose the sentences; the fewer sentences contain a word, the more it counts."""
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


WAYS: Mapping[ResponseMode, Mode] = {
    ResponseMode.REFINE: Mode(Refine(alone=True), ("text_qa", "refine")),
    ResponseMode.COMPACT: Mode(Refine(alone=False), ("text_qa", "refine")),
    ResponseMode.TREE_SUMMARIZE: Mode(TreeSummarize(), ("summary",)),
    ResponseMode.SIMPLE_SUMMARIZE: Mode(SimpleSummarize(), ("text_qa",)),
    ResponseMode.NO_TEXT: Mode(NoText()),
    ResponseMode.ACCUMULATE: Mode(Accumulate(alone=True), ("text_qa",), several=True),
    ResponseMode.COMPACT_ACCUMULATE: Mode(Accumulate(alone=False), ("text_qa",), several=True),
    ResponseMode.EXTRACTIVE: Mode(Quote()),
}


def mode_named(name: str) -> ResponseMode:
    """The mode of that name.

    Raises:
        ModeError: There is no such mode; it is a ValueError, too.
    """
    try:
        return ResponseMode(name)
    except ValueError:
        raise ModeError(f"there is no response mode {name!r}; choose one of {', '.join(MODES)}") from None
