"""The response modes by name: each is a plan and a short flow, and none of them knows of networks, loops or threads."""

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
    """How a response is written from passages; each is equal to its name as a string."""

    REFINE = "refine"
    """Passage after passage, each may change the answer so far: the most detailed, one call a passage."""
    COMPACT = "compact"
    """The same with as many passages in each call as fit."""
    TREE_SUMMARIZE = "tree_summarize"
    """Every window is summarised, then the summaries are: for summaries, few calls after one another."""
    SIMPLE_SUMMARIZE = "simple_summarize"
    """One call with the beginning of every passage: quick and lossy."""
    NO_TEXT = "no_text"
    """No call: only the passages, to look at."""
    ACCUMULATE = "accumulate"
    """The same question to every passage, answers side by side."""
    COMPACT_ACCUMULATE = "compact_accumulate"
    """The same with as many passages in each call as fit."""
    EXTRACTIVE = "extractive"
    """No call: the sentences of the passages that have most of the question's words."""


MODES = tuple(mode.value for mode in ResponseMode)
"""The names of the seven response modes, and `extractive`."""


class Way(Protocol):
    """How a mode works."""

    def schedule(self, job: Job) -> Schedule:
        """What it will do at most, without a model."""

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Do it; the answers, one unless the mode gives several."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: how it works, which templates it fills, and whether it gives several answers."""

    way: Way
    templates: tuple[str, ...] = ()
    several: bool = False


_LEAST_SHARE = 8
"""Tokens of text that a passage is represented by at least; passages that would get less are left out, and named."""
_WORTH_A_SENTENCE = 0.5  # of a share: a beginning ends with a sentence when that takes no more than this away


@dataclass(frozen=True, slots=True)
class SimpleSummarize:
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


_TEMPLATES = ("text_qa", "refine")


@dataclass(frozen=True, slots=True)
class Refine:
    """Reads sources one after another into one growing answer.

    The room of every prompt is that of the larger template. The plan keeps a part of it for the answer so far; the run
    fills what an answer does not use with evidence, reads at least as far as the plan with every call, and so never
    makes more calls. An answer too long to stand beside the evidence of its step is cut, and that is named.

    Attributes:
        alone: One passage a prompt (`refine`), instead of as many as fit (`compact`).
    """

    alone: bool

    def schedule(self, job: Job) -> Schedule:
        """The windows when every answer is as long as it may be."""
        room = job.room(*_TEMPLATES)
        draft = job.budget.draft(room)
        packed = list(self._packer(job).windows(room, room - draft))
        fixed = [job.instructions("text_qa" if place == 0 else "refine") for place in range(len(packed))]
        tokens = sum(fixed) + sum(window.tokens for window, _ in packed) + draft * max(0, len(packed) - 1)
        windows, ends = tuple(window for window, _ in packed), tuple(place for _, place in packed)
        return Schedule(windows, len(packed), len(packed), tokens, ends)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls, one a round."""
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
        """The answer so far as it fits, and the room that is left for evidence beside it."""
        room = job.room(*_TEMPLATES)
        if draft is None:
            return None, room
        reserved = job.budget.draft(room)
        evidence: Window | None = None if place.reached(least) else packer.until(place, least)
        draft = job.fitted(draft, max(reserved, room - evidence.tokens) if evidence else reserved, number)
        return draft, room - token_bound(draft.text)


_WORTH_A_ROUND = 0.75
"""Share of their usual size that answers are cut to at most, so that all of them fit in one last prompt."""


@dataclass(frozen=True, slots=True)
class TreeSummarize:
    """Brings answers together in rounds.

    At least two answers fit in every prompt, since none takes more than half the room: longer ones are cut, and named.
    So each round has at most half as many calls as the one before, and the tree ends whatever a model writes.
    """

    def schedule(self, job: Job) -> Schedule:
        """The windows of the first round, and the later rounds when every answer is as long as it may be."""
        room = job.room("summary")
        packer = Packer(job.sources, overlap=overlap_tokens(job.overlap, room, job.sources))
        windows = tuple(window for window, _ in packer.windows(room))
        fixed = job.instructions("summary")
        calls = parts = len(windows)
        rounds = min(1, parts)
        tokens = sum(fixed + window.tokens for window in windows)
        while parts > 1:
            largest = _largest_answer(job, parts) + 1  # and what parts it from the next
            answers, parts = parts, -(-parts // (room // largest))
            tokens += parts * fixed + answers * largest
            calls, rounds = calls + parts, rounds + 1
        return Schedule(windows, calls, rounds, tokens)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls of each round together."""
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
    """What a call brought; the answers that it was to bring together, side by side, where it failed."""
    return written if written is not None or not answers else together(answers)


def _grouped(job: Job, answers: Sequence[Written]) -> tuple[list[list[Written]], list[Window]]:
    """Answers as the windows of the next round, in their order, none of them parted."""
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
    """Tokens that each of so many answers may have: a little less than usual where that saves a round."""
    room = job.room("summary")
    usual = min(job.budget.draft(room), room // 2 - 1)
    share = room // answers - 1
    return min(usual, share) if share >= _WORTH_A_ROUND * usual else usual


@dataclass(frozen=True, slots=True)
class Accumulate:
    """Asks each window on its own.

    Attributes:
        alone: One passage a prompt (`accumulate`), instead of as many as fit (`compact_accumulate`).
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
        """Make the calls in one round."""
        credits_ = [window.credits for window in schedule.windows]
        replies = yield [
            job.call("text_qa", window, shown, final=False)
            for window, shown in zip(schedule.windows, credits_, strict=True)
        ]
        written = map(job.receive, replies, schedule.windows, credits_)
        return [answer for answer in written if answer is not None and answer.text.strip()]


MOST_SENTENCES = 3
_NEARLY_AS_GOOD = 0.8
"""Share of the best sentence's weight that another has to have to stand beside it."""


@dataclass(frozen=True, slots=True)
class Quote:
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
        ModeError: There is none; it is a ValueError.
    """
    try:
        return ResponseMode(name)
    except ValueError:
        raise ModeError(f"there is no response mode {name!r}; choose one of {', '.join(MODES)}") from None
