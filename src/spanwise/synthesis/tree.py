"""`tree_summarize`: every window is summarised, then the answers are, round by round, until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.llm.flow import Flow
from spanwise.synthesis.excerpts import Excerpt, Window, written_source
from spanwise.synthesis.job import Job, Schedule, Written, together
from spanwise.synthesis.packing import Packer, overlap_tokens

_WORTH_A_ROUND = 0.75
"""Share of their usual size that answers are cut to at most, so that all of them fit in one last prompt."""


@dataclass(frozen=True, slots=True)
class Tree:
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
